"""Which updates of a model's layers are the model's own, such as the moving averages of batch normalization.

A layer that is called several times has the updates of each call. Of these a model has, in `updates`:

| release | the updates of |
|---|---|
| the package keras up to 2.2, and `tf.keras` up to 1.4 | calls that lead to its outputs |
| up to 1.13 | what depends on its inputs, and on those that it was called on |
| since 1.14 | all calls of its layers |

It is trained with those that depend on its inputs; in the package keras these lead to its outputs, too: where a
discriminator is trained on pictures `x`, what it was called on besides, `D(G(E(x)))`, is no part of it.

`metrics_updates` of the package keras up to 2.2, and of `tf.keras` up to 1.12, are those of its metrics, and what a program
appends once it is compiled: moving averages of weights, say. They are done where it is trained or evaluated.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable
from typing import Any

from tfqueue import _tensorflow
from tfqueue.graph import traversal
from tfqueue.v1 import _call_forms

_tf = _tensorflow.compat_v1()
_ENGINE = "tf_keras.src.engine"
_INPUTS = "_tfqueue_inputs"
"""The attribute of an update with the inputs of the call that made it."""
_OF_METRICS = "_tfqueue_metrics_updates"
"""The attribute of a model with the updates that were appended to those of its metrics."""


def install() -> None:
    """Has models know which updates are their own."""
    layer: Any = importlib.import_module(f"{_ENGINE}.base_layer_v1").Layer
    model: Any = importlib.import_module(f"{_ENGINE}.training_v1").Model
    everything = layer.updates.fget
    layer.add_update = _noting_inputs(layer.add_update)
    model.updates = property(lambda self: _own(self, everything(self)))
    model.get_updates_for = _depending(everything)
    model.metrics_updates = property(_of_metrics, _set_of_metrics)
    model.compile = _without_those_of_metrics(model.compile)
    for name in ("train", "test"):
        made = f"_make_{name}_function"
        setattr(model, made, _with_those_of_metrics(f"{name}_function", getattr(model, made)))


def _noting_inputs(add: Callable[..., None]) -> Callable[..., None]:
    def add_update(self: Any, *args: Any, **named: Any) -> None:
        before = len(self._updates)
        add(self, *args, **named)
        call: Any = importlib.import_module(f"{_ENGINE}.base_layer_utils").call_context()
        if call.in_call:
            for update in self._updates[before:]:
                setattr(update, _INPUTS, _tf.nest.flatten(call.inputs))

    return add_update


def _own(model: Any, updates: list[Any]) -> list[Any]:
    """Those of the updates that `model.updates` has."""
    if not getattr(model, "_is_graph_network", False) or not _call_forms.reaches(
        "1.13", keras=True
    ):
        return updates
    if _call_forms.reaches("1.4", keras=True):
        return _leading_to_outputs(model, updates)
    called = [node.input_tensors for node in model.inbound_nodes]
    return _reachable(_tf.nest.flatten([model.inputs, called]), updates)


def _leading_to_outputs(model: Any, updates: list[Any]) -> list[Any]:
    if not updates:
        return updates
    found = traversal.ancestors([one.op for one in model.outputs])
    return [
        one
        for one in updates
        if one._unconditional_update
        or all(each.op in found for each in getattr(one, _INPUTS, ()) if _tf.is_tensor(each))
    ]


def _reachable(inputs: list[Any], updates: list[Any]) -> list[Any]:
    utils: Any = importlib.import_module("tf_keras.src.utils.tf_utils")
    reached = utils.get_reachable_from_inputs(inputs, updates)
    return [one for one in updates if one._unconditional_update or one in reached]


def _depending(everything: Callable[[Any], list[Any]]) -> Callable[..., list[Any]]:
    def get_updates_for(self: Any, inputs: Any) -> list[Any]:
        """The updates that depend on some inputs, or on none."""
        updates = everything(self)
        if inputs is None:
            return [one for one in updates if one._unconditional_update]
        inputs = _tf.nest.flatten(inputs)
        if _call_forms.reaches("1.4", keras=True) and {id(one) for one in inputs} == {
            id(one) for one in _tf.nest.flatten(self.inputs)
        }:
            updates = _own(self, updates)
        return [one for one in _reachable(inputs, updates) if not one._unconditional_update]

    return get_updates_for


def _of_metrics(self: Any) -> list[Any]:
    """Updates that a compiled model does where it is trained or evaluated."""
    if not self._is_compiled or not _call_forms.reaches("1.12", keras=True):
        raise AttributeError(f"{type(self).__name__!r} object has no attribute 'metrics_updates'")
    found: list[Any] = vars(self).setdefault(_OF_METRICS, [])
    return found


def _set_of_metrics(self: Any, value: Any) -> None:
    vars(self)[_OF_METRICS] = value


def _without_those_of_metrics(compiles: Callable[..., Any]) -> Callable[..., Any]:
    """`Model.compile`, behind which a model has none that were appended before."""

    @functools.wraps(compiles)
    def compile(self: Any, *args: Any, **named: Any) -> Any:
        vars(self).pop(_OF_METRICS, None)
        return compiles(self, *args, **named)

    return compile


def _with_those_of_metrics(name: str, make: Callable[..., None]) -> Callable[..., None]:
    """Makes the function that trains or evaluates a model, which then does these updates, too."""

    @functools.wraps(make)
    def made(self: Any) -> None:
        before = getattr(self, name, None)
        make(self)
        function: Any = getattr(self, name, None)
        more = vars(self).get(_OF_METRICS)
        if function is before or not more:
            return
        with _tf.control_dependencies(function.outputs[:1]):
            ops = [_tf.assign(*one) if isinstance(one, tuple) else one for one in more]
        function.updates_op = _tf.group(function.updates_op, *ops)

    return made
