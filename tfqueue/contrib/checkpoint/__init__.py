"""`tf.contrib.checkpoint`: what can be saved with `tf.train.Checkpoint`, mostly TensorFlow's own."""

from typing import Any

from tensorflow.python.trackable import base, data_structures

from tfqueue.v1 import _lazy_names

__all__ = ["UniqueNameTracker"]
_PYTHON = "tensorflow.python"
_ROWS = {
    "CheckpointManager": "tf:train.CheckpointManager",
    "Checkpointable": f"{_PYTHON}.trackable.autotrackable:AutoTrackable",
    "CheckpointableBase": f"{_PYTHON}.trackable.base:Trackable",
    "CheckpointableObjectGraph": "tensorflow.core.protobuf.trackable_object_graph_pb2:TrackableObjectGraph",
    "List": f"{_PYTHON}.trackable.data_structures:List",
    "Mapping": f"{_PYTHON}.trackable.data_structures:Mapping",
    "NoDependency": f"{_PYTHON}.trackable.data_structures:NoDependency",
    "PythonStateWrapper": f"{_PYTHON}.trackable.python_state:PythonState",
    "capture_dependencies": f"{_PYTHON}.checkpoint.checkpoint:capture_dependencies",
    "list_objects": f"{_PYTHON}.checkpoint.checkpoint:list_objects",
    "object_metadata": f"{_PYTHON}.checkpoint.checkpoint:object_metadata",
}


class UniqueNameTracker(data_structures.TrackableDataStructure):
    """Objects that are saved, each under a name of its own (`tf.contrib.checkpoint.UniqueNameTracker`)."""

    def __init__(self) -> None:
        super().__init__()
        self._maybe_initialize_trackable()
        self._name_counts: dict[str, int] = {}

    @property
    def _values(self) -> list[Any]:
        return [one.ref for one in self._trackable_children_list()]

    def _trackable_children_list(self) -> list[Any]:
        return list(self._self_unconditional_checkpoint_dependencies)

    def track(self, trackable: Any, base_name: str) -> Any:
        """Takes in an object as `base_name`, `base_name_1` and so on.

        Returns:
            The object.

        Raises:
            ValueError: If it is nothing that can be saved.
        """
        if not isinstance(trackable, base.Trackable):
            raise ValueError(f"{trackable!r} can't be saved with a tf.train.Checkpoint")
        count = self._name_counts.get(base_name, 0)
        while self._lookup_dependency(name := f"{base_name}_{count}" if count else base_name):
            count += 1
        self._name_counts[base_name] = count + 1
        self._track_value(trackable, name=name)
        return trackable


__getattr__, __dir__ = _lazy_names.attributes(__name__, _ROWS)
