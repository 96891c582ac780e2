"""`tf.contrib.predictor`: predictions of a SavedModel, without a session of the program's."""

from typing import Any

from tfqueue import _tensorflow
from tfqueue.v1 import _lazy_names
from tfqueue.v1._types import Config, Graph, Session

_tf = _tensorflow.compat_v1()

__all__ = ["from_saved_model"]
_DEFAULT = _tf.saved_model.DEFAULT_SERVING_SIGNATURE_DEF_KEY


class SavedModelPredictor:
    """What `from_saved_model` returns: a function of a dict of arrays that gives one.

    Attributes:
        graph: The graph that the model was loaded into.
        session: Its session.
        feed_tensors: Dict from name to the tensor that is fed.
        fetch_tensors: Dict from name to the tensor that is fetched.
    """

    def __init__(self, graph: Graph, session: Session, feeds: Any, fetches: Any) -> None:
        self.graph, self.session = graph, session
        self.feed_tensors = {k: graph.get_tensor_by_name(name) for k, name in feeds.items()}
        self.fetch_tensors = {k: graph.get_tensor_by_name(name) for k, name in fetches.items()}

    def __call__(self, input_dict: dict[str, Any]) -> dict[str, Any]:
        """The predictions for a batch.

        Args:
            input_dict: Dict from name to array.

        Raises:
            ValueError: If the model has no input of that name.
        """
        unknown = set(input_dict) - set(self.feed_tensors)
        if unknown:
            raise ValueError(
                f"Got unexpected keys in input_dict: {unknown}\nexpected: {set(self.feed_tensors)}"
            )
        fed = {self.feed_tensors[k]: v for k, v in input_dict.items() if v is not None}
        return self.session.run(self.fetch_tensors, fed)


def from_saved_model(
    export_dir: Any,
    signature_def_key: str | None = None,
    signature_def: Any = None,
    input_names: dict[str, str] | None = None,
    output_names: dict[str, str] | None = None,
    tags: str | None = None,
    graph: Graph | None = None,
    config: Config | None = None,
) -> SavedModelPredictor:
    """Loads a SavedModel to predict with (`tf.contrib.predictor.from_saved_model`).

    Args:
        export_dir: Its folder.
        signature_def_key: Which signature; the default one when None.
        signature_def: A `SignatureDef`, in its place.
        input_names: Dict from name to the name of a tensor, with `output_names` in its place.
        output_names: As `input_names`.
        tags: Of the graph, with commas between; `serve` when None.
        graph: The graph to load into; a new one when None.
        config: A `tf.ConfigProto`.

    Raises:
        ValueError: If there is no such signature, or more than one of the three is given.
    """
    if (input_names is None) != (output_names is None):
        raise ValueError(
            "input_names and output_names must both be specified or both be unspecified."
        )
    given = (signature_def_key, signature_def, input_names)
    if sum(each is not None for each in given) > 1:
        raise ValueError(
            "You must specify at most one of signature_def_key OR signature_def OR "
            "(input_names AND output_names)."
        )
    graph = graph or _tf.Graph()
    with graph.as_default():
        session = _tf.Session(config=config)
        loaded = _tf.saved_model.load(session, (tags or "serve").split(","), export_dir)
    if input_names is None or output_names is None:
        known, key = loaded.signature_def, signature_def_key or _DEFAULT
        key = key if key in known else f"default_input_alternative:{key}"
        if signature_def is None and key not in known:
            raise ValueError(
                f"Got signature_def_key {signature_def_key!r}. Available signatures are {list(known)}."
            )
        chosen = signature_def or known[key]
        input_names = {name: info.name for name, info in chosen.inputs.items()}
        output_names = {name: info.name for name, info in chosen.outputs.items()}
    return SavedModelPredictor(graph, session, input_names, output_names)


__getattr__, __dir__ = _lazy_names.attributes(__name__, {})
