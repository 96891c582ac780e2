"""Recurrent layers of `tf.keras`: the names of their variables, how they call a cell, and what they put out where a mask hides a time.

Up to TensorFlow 1.15 a variable has the layer's name alone. Since TensorFlow 2 the name of the cell stands between:
`lstm/lstm_cell/kernel:0` for `lstm/kernel:0`. Checkpoints of `tf.train.Saver` and programs that choose variables go by the name.

What a loop puts out at a hidden time:

| release | output |
|---|---|
| up to 1.12, and the package keras up to 2.2 | the first state, which is an initial state before the first time that is shown |
| since 1.13, and with `unroll=True` | what it put out before, at first zeros |
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import inspect
from collections.abc import Callable
from typing import Any

from tfqueue import _tensorflow
from tfqueue._tensorflow import patches
from tfqueue.names.sentence import GoneError
from tfqueue.v1 import _call_forms

_tf = _tensorflow.compat_v1()
_KINDS = {
    "gru": "GRU",
    "gru_v1": "GRU",
    "lstm": "LSTM",
    "lstm_v1": "LSTM",
    "simple_rnn": "SimpleRNN",
}
_LOOPS = ("base_rnn", "base_conv_rnn")
_CALLERS = ("base_rnn", "stacked_rnn_cells")


def install() -> None:
    """Has recurrent layers name their variables, call their cells and go through masks as in the program's release."""
    for name in _CALLERS:
        module = _module(name)
        module.backend = patches.copy_of(module.backend, name_scope=contextlib.nullcontext)
        module.callable = _is_called
    for home, name in _KINDS.items():
        kind = getattr(_module(home), name)
        kind.call = _without_a_step(kind.call, name)
    recurrent = _module("base_rnn").RNN
    recurrent.build = _with_constants(recurrent.build)
    _put_out_states()


def _with_constants(original: Callable[..., None]) -> Callable[..., None]:
    """Builds a cell with the shapes of its constants behind its own, as in the package keras and up to 1.13."""

    @functools.wraps(original)
    def build(self: Any, input_shape: Any) -> None:
        count, cell = self._num_constants, self.cell
        of_cell = count and isinstance(input_shape, list) and hasattr(cell, "built")
        if of_cell and not cell.built and _call_forms.reaches("1.13", keras=True):
            shapes = [tuple(_tf.TensorShape(shape).as_list()) for shape in input_shape]
            cell.build([shapes[0][:1] + shapes[0][2:], *shapes[-count:]])
            cell.built = True
        original(self, input_shape)

    return build


def _without_a_step(original: Callable[..., Any], kind: str) -> Any:
    """What a recurrent layer computes, unless a class of the program has a `step` for it.

    Keras called that up to 2.0, and `tf.keras` up to 1.4. Since then it is left out.
    """

    def call(
        self: Any, inputs: Any, mask: Any = None, training: Any = None, initial_state: Any = None
    ) -> Any:
        step = getattr(type(self), "step", None)
        if inspect.isfunction(step) and len(inspect.signature(step).parameters) == 3:
            name = f"keras.layers.{kind}.step, which {type(self).__name__} has for its own,"
            use = "a cell with call(inputs, states) in keras.layers.RNN"
            raise GoneError(name, "Keras 2.1", use)
        return original(self, inputs, mask=mask, training=training, initial_state=initial_state)

    return _tf.autograph.experimental.do_not_convert(call)


def _put_out_states() -> None:
    """Has loops put out the first state where a mask hides a time."""
    own = importlib.import_module("tf_keras.src.backend")
    rnn = _putting_out_states(own.rnn)
    public: Any = importlib.import_module("tf_keras.api._v1.keras.backend")
    public.rnn = rnn
    for name in _LOOPS:
        module = _module(name)
        module.backend = patches.copy_of(module.backend, rnn=rnn)


def _module(name: str) -> Any:
    return importlib.import_module(f"tf_keras.src.layers.rnn.{name}")


def _is_called(cell: Any) -> bool:
    """Whether a layer calls its cell, or the cell's `call`, as it did up to 1.15: no layer's checks of its inputs."""
    kept = type(cell).__module__.partition(".")[0] in ("tf_keras", "tfqueue")
    return callable(cell) and (kept or not hasattr(cell, "call"))


def _putting_out_states(original: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(original)
    def rnn(
        step_function: Callable[..., Any],
        inputs: Any,
        initial_states: Any,
        go_backwards: bool = False,
        mask: Any = None,
        constants: Any = None,
        unroll: bool = False,
        *args: Any,
        **named: Any,
    ) -> Any:
        if mask is not None and not unroll and _call_forms.reaches("1.12", keras=True):
            mask = _tf.cast(mask, _tf.bool)
            inputs = [inputs, mask[..., None] if mask.shape.rank == 2 else mask]
            step_function, mask = functools.partial(_step, step_function), None
        return original(
            step_function,
            inputs,
            initial_states,
            go_backwards,
            mask,
            constants,
            unroll,
            *args,
            **named,
        )

    return rnn


def _step(step_function: Callable[..., Any], given: Any, states: Any) -> Any:
    """A step that keeps the states of what is hidden, and puts out the first of them."""
    inputs, shown = given
    found, after = step_function(inputs, states)

    def chosen(new: Any, old: Any) -> Any:
        shape = _tf.concat([_tf.shape(shown)[:1], [1] * (new.shape.rank - 1)], 0)
        return _tf.where_v2(_tf.reshape(shown, shape), new, old)

    flat, before = _tf.nest.flatten(after), _tf.nest.flatten(states)
    kept = [chosen(*pair) for pair in zip(flat, before, strict=False)]
    return chosen(found, before[0]), _tf.nest.pack_sequence_as(after, kept)
