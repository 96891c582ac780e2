"""Optimizers of Keras 2.2 as classes to derive from, which compute in `get_updates`. Translated programs import them."""

from __future__ import annotations

import importlib
from typing import Any

import tfqueue.v1 as _tf
from tfqueue.names.keras import OPTIMIZERS
from tfqueue.v1.keras import _optimizers

_K: Any = _tf.keras.backend
_today: Any = _tf.keras.optimizers.Optimizer
_original: Any = importlib.import_module("tf_keras.src.optimizers.optimizer_v1")


class _Kind(type):
    def __instancecheck__(cls, instance: Any) -> bool:
        """Whether it is an optimizer; those that a program does not derive from are `tf.keras`'s own."""
        return super().__instancecheck__(instance) or (
            cls is Optimizer and isinstance(instance, _today | _original.Optimizer)
        )


class Optimizer(_original.Optimizer, metaclass=_Kind):  # type: ignore[misc]
    """Stands for ``keras.optimizers.Optimizer``: `clipnorm` is of all gradients together, and 0 clips nothing."""

    def get_gradients(self, loss: Any, params: Any) -> list[Any]:
        """The gradients of a loss, clipped.

        Raises:
            ValueError: There is none for one of `params`.
        """
        found: list[Any] = _K.gradients(loss, params)
        if any(one is None for one in found):
            raise ValueError("An operation has `None` for gradient: it can't be differentiated")
        norm, value = getattr(self, "clipnorm", None), getattr(self, "clipvalue", None)
        return _optimizers.clip(found, norm, value, together=True)


for _name in OPTIMIZERS:
    globals()[_name] = _Kind(
        _name, (Optimizer, getattr(_original, _name)), {"__module__": __name__}
    )
