"""Which layers `model.trainable = False` reaches.

| release | the layers |
|---|---|
| the package keras up to 2.2, and `tf.keras` up to 1.13 | the model alone, or the layer inside a `TimeDistributed` or `Bidirectional` |
| since 1.14 | all layers below it |

A model that is not trained trains none of its layers. Where it is trained again, a layer of it that was frozen by itself stays frozen.

A model is trained with the variables that were to be trained when it was compiled. Up to 1.13 and in the package keras it had
the updates (averages of batch normalization) of those layers that were trained at its first step, since then as it was compiled.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable
from typing import Any

from tfqueue.v1 import _call_forms

_LIVE = "_tfqueue_live_updates"
"""The attribute of a model with its updates, while the function that trains it is made."""
_INNER = ("layer", "forward_layer", "backward_layer")


def install() -> None:
    """Has layers be frozen as in the program's release."""
    layer: Any = importlib.import_module("tf_keras.src.engine.base_layer_v1").Layer
    layer.trainable = property(layer.trainable.fget, _alone(layer.trainable.fset))
    layer.updates = property(_of_trained(layer.updates.fget))
    model: Any = importlib.import_module("tf_keras.src.engine.training_v1").Model
    model._make_train_function = _with_updates_of_now(model._make_train_function)


def _reaches_all() -> bool:
    return not _call_forms.reaches("1.13", keras=True)


def _alone(original: Callable[[Any, Any], None]) -> Callable[[Any, Any], None]:
    @functools.wraps(original)
    def trainable(self: Any, value: Any) -> None:
        if _reaches_all():
            original(self, value)
            return
        self._trainable = value
        wrapper: Any = importlib.import_module("tf_keras.src.layers.rnn.base_wrapper").Wrapper
        if isinstance(self, wrapper):
            for name in _INNER:
                if name in vars(self):
                    vars(self)[name].trainable = value

    return trainable


def _of_trained(original: Callable[[Any], list[Any]]) -> Callable[[Any], list[Any]]:
    @functools.wraps(original)
    def updates(self: Any) -> list[Any]:
        found = original(self)
        if _reaches_all() or not found:
            return found
        hidden = {
            id(update)
            for one in self._flatten_layers()
            if not one.trainable and not one.stateful
            for below in one._flatten_layers()
            for update in below._updates
        }
        live = vars(self).get(_LIVE, {id(update) for update in found})
        return [update for update in found if id(update) in live - hidden]

    return updates


def _with_updates_of_now(original: Callable[[Any], None]) -> Callable[[Any], None]:
    @functools.wraps(original)
    def _make_train_function(self: Any) -> None:
        if not _reaches_all():
            vars(self)[_LIVE] = {id(update) for update in self.updates}
        try:
            original(self)
        finally:
            vars(self).pop(_LIVE, None)

    return _make_train_function
