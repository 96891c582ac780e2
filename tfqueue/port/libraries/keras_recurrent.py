"""`keras.layers.Recurrent`: what recurrent layers of a program's own were derived from up to Keras 2.0. Translated programs import it from `keras_parts`."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import tfqueue.v1 as _tf
from tfqueue.port.libraries import keras_methods as _keras_methods  # noqa: F401 - for what importing it does

_keras: Any = _tf.keras
_K: Any = _keras.backend


class Recurrent(_keras.layers.Layer):  # type: ignore[misc]
    """A layer whose `step` takes the inputs of a time and a list of states and constants.

    It gives what is put out, and the next states. A class has `step`, `units` (or `output_dim`) and `states`, and may have
    `get_initial_state`, `get_constants` and `preprocess_input`.
    """

    def __init__(
        self,
        return_sequences: bool = False,
        return_state: bool = False,
        go_backwards: bool = False,
        stateful: bool = False,
        unroll: bool = False,
        implementation: Any = 0,
        **words: Any,
    ) -> None:
        width, length = words.pop("input_dim", None), words.pop("input_length", None)
        words.pop("consume_less", None)  # of Keras 1: how it computed
        if (width or length) and "input_shape" not in words:
            words["input_shape"] = (length, width)
        super().__init__(**words)
        self.return_sequences, self.return_state = return_sequences, return_state
        self.go_backwards, self.unroll = go_backwards, unroll
        self.stateful, self.implementation = stateful, implementation
        self.supports_masking = True
        self.input_spec = [_keras.layers.InputSpec(ndim=3)]
        self.state_spec: Any = None
        self.states: Any = []
        self.dropout = self.recurrent_dropout = 0

    def step(self, inputs: Any, states: Any) -> Any:
        """What a class says."""
        raise NotImplementedError

    def get_constants(self, inputs: Any, training: Any = None) -> list[Any]:
        """What each step gets behind the states."""
        return []

    def preprocess_input(self, inputs: Any, training: Any = None) -> Any:
        """What is computed of all times at once."""
        return inputs

    def get_initial_state(self, inputs: Any) -> Any:
        """Zeros for each state."""
        if hasattr(self, "get_initial_states"):  # its name at first
            return self.get_initial_states(inputs)
        zeros = _tf.zeros_like(inputs[:, 0, :1]) * _tf.ones([1, self._width()], inputs.dtype)
        return [zeros for _ in self.states]

    def compute_mask(self, inputs: Any, mask: Any) -> Any:
        """The mask of the sequence, where one is put out."""
        mask = mask[0] if isinstance(mask, list) else mask
        mask = mask if self.return_sequences else None
        return [mask, *(None for _ in self.states)] if self.return_state else mask

    def compute_output_shape(self, input_shape: Any) -> Any:
        """The shape of what is put out; of the states, too, where they are."""
        batch, *times = (input_shape[0] if isinstance(input_shape, list) else input_shape)[:2]
        shape = (batch, *(times if self.return_sequences else ()), self._width())
        return (
            [shape, *((batch, self._width()) for _ in self.states)] if self.return_state else shape
        )

    def __call__(self, inputs: Any, initial_state: Any = None, **words: Any) -> Any:
        """Applies it. States that layers gave may stand behind the inputs, in a list."""
        if isinstance(inputs, list | tuple) and len(inputs) > 1 and initial_state is None:
            inputs, *initial_state = inputs
        if initial_state is None:
            return super().__call__(inputs, **words)
        states = list(initial_state) if isinstance(initial_state, list | tuple) else [initial_state]
        if not hasattr(states[0], "_keras_history"):
            return super().__call__(inputs, initial_state=states, **words)
        spec = self.input_spec
        self.input_spec = [*_listed(spec), *(_keras.layers.InputSpec() for _ in states)]
        try:
            return super().__call__([inputs, *states], **words)
        finally:
            self.input_spec = spec

    @_tf.autograph.experimental.do_not_convert  # type: ignore[untyped-decorator]
    def call(
        self, inputs: Any, mask: Any = None, training: Any = None, initial_state: Any = None
    ) -> Any:
        """Goes through the times."""
        if isinstance(inputs, list | tuple):
            inputs, *initial_state = inputs
        if not initial_state:
            initial_state = self.states if self.stateful else self.get_initial_state(inputs)
        mask = mask[0] if isinstance(mask, list) else mask
        given: Any = _of_time(self.preprocess_input, inputs)
        last, outputs, states = _K.rnn(
            self._step,
            given,
            initial_state,
            go_backwards=self.go_backwards,
            mask=mask,
            constants=_of_time(self.get_constants, inputs),
            unroll=self.unroll,
            input_length=_K.int_shape(inputs)[1],
        )
        if self.stateful:
            self.add_update([_K.update(*pair) for pair in zip(self.states, states, strict=True)])
        found = outputs if self.return_sequences else last
        return [found, *states] if self.return_state else found

    def _step(self, inputs: Any, states: Any) -> Any:
        return self.step(inputs, list(states))

    def reset_states(self, states: Any = None) -> None:
        """Sets the states of a stateful layer, to zeros where none are given."""
        batch = self.input_spec[0].shape[0] if self.stateful else None
        if not batch:
            raise ValueError("only the states of a stateful layer with a batch size can be reset")
        zeros = _tf.zeros([batch, self._width()]).shape.as_list()
        if self.states[0] is None:
            self.states = [_K.zeros(zeros) for _ in self.states]
        for number, state in enumerate(self.states):
            _K.set_value(
                state, _K.get_value(state) * 0 if states is None else _listed(states)[number]
            )

    def get_config(self) -> dict[str, Any]:
        """Its arguments."""
        names = "return_sequences return_state go_backwards stateful unroll implementation"
        return {**super().get_config(), **{name: getattr(self, name) for name in names.split()}}

    def _width(self) -> int:
        return int(self.units if hasattr(self, "units") else self.output_dim)


def _of_time(method: Callable[..., Any], inputs: Any) -> Any:
    """What a method gives that in Keras 1 took the inputs alone."""
    words = {"training": None} if "training" in inspect.signature(method).parameters else {}
    return method(inputs, **words)


def _listed(given: Any) -> list[Any]:
    return list(given) if isinstance(given, list | tuple) else [given]


def _time_distributed_dense(
    x: Any,
    w: Any,
    b: Any = None,
    dropout: float | None = None,
    input_dim: Any = None,
    output_dim: Any = None,
    timesteps: Any = None,
    training: Any = None,
) -> Any:
    """Stands for ``keras.layers.recurrent._time_distributed_dense``: a matrix times the vector of each time."""
    if dropout is not None and 0 < dropout < 1:
        shape = _tf.shape(x)
        dropped = _K.dropout(x, dropout, noise_shape=[shape[0], 1, shape[2]])
        x = _K.in_train_phase(dropped, x, training=training)
    found = _K.dot(x, w)
    return found if b is None else _K.bias_add(found, b)
