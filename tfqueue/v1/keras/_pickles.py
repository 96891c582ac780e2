"""Models that are pickled and copied, as the package keras could since 2.2: as a file of theirs, in memory.

With them goes what holds a model: the history that `fit` gives, a callback.
"""

from __future__ import annotations

import importlib
import io
from typing import Any

_FORMAT = "tf_keras.src.saving.legacy.hdf5_format"


def install() -> None:
    """Has models be pickled and copied with their weights, without eager mode."""
    for name in ("training", "training_v1"):
        model: Any = importlib.import_module(f"tf_keras.src.engine.{name}").Model
        originals = model.__reduce__, model.__deepcopy__
        model.__reduce__, model.__deepcopy__ = _reduced(originals[0]), _copied(originals[1])


def _reduced(original: Any) -> Any:
    def __reduce__(self: Any) -> Any:
        return (loaded, (saved(self),)) if self.built else original(self)

    return __reduce__


def _copied(original: Any) -> Any:
    def __deepcopy__(self: Any, memo: dict[int, Any]) -> Any:
        if not self.built:
            return original(self, memo)
        memo[id(self)] = copy = loaded(saved(self))
        return copy

    return __deepcopy__


def saved(model: Any) -> bytes:
    """The bytes of a model's HDF5 file, with its optimizer."""
    import h5py

    memory = io.BytesIO()
    with h5py.File(memory, "w") as file:
        importlib.import_module(_FORMAT).save_model_to_hdf5(model, file)
    return memory.getvalue()


def loaded(data: bytes) -> Any:
    """The model of a file's bytes."""
    import h5py

    with h5py.File(io.BytesIO(data), "r") as file:
        return importlib.import_module(_FORMAT).load_model_from_hdf5(file)
