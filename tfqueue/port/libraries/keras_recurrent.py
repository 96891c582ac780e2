"""`keras.layers.Recurrent`: what recurrent layers of a program's own were derived from up to Keras 2.0. Translated programs import it from `keras_parts`.

`GRU`, `LSTM` and `SimpleRNN` stand for those of then where a program's class has a `step` of its own, which the layers of
today do not call.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import sys
from collections.abc import Callable
from typing import Any

import numpy

import tfqueue.v1 as _tf
from tfqueue import release
from tfqueue._tensorflow import patches
from tfqueue.port.libraries import keras_attributes, keras_words
from tfqueue.port.libraries import keras_methods as _keras_methods  # noqa: F401 - for what importing it does
from tfqueue.v1.keras._recurrent import of_gates

_keras: Any = _tf.keras
_K: Any = _keras.backend


_WAYS = {"cpu": 0, "mem": 1, "gpu": 2}


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
        self.consume_less = words.pop("consume_less", None)  # its name in Keras 1
        implementation = _WAYS.get(self.consume_less, implementation)
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
        self.dropout = self.recurrent_dropout = 0.0

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
        return self.get_initial_states(inputs)

    def get_initial_states(self, x: Any) -> Any:
        """The same by its name in Keras 1."""
        zeros = _tf.zeros_like(x[:, 0, :1]) * _tf.ones([1, self._width()], x.dtype)
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

    @patches.unconverted
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


class _Gated(Recurrent):
    """A layer of gates, whose kernels stand side by side: all three layers compute `step` of them."""

    _gates = ""
    _memories = 1

    def __init__(
        self,
        units: int,
        activation: Any = "tanh",
        recurrent_activation: Any = "hard_sigmoid",
        use_bias: bool = True,
        kernel_initializer: Any = "glorot_uniform",
        recurrent_initializer: Any = "orthogonal",
        bias_initializer: Any = "zeros",
        unit_forget_bias: bool = True,
        kernel_regularizer: Any = None,
        recurrent_regularizer: Any = None,
        bias_regularizer: Any = None,
        activity_regularizer: Any = None,
        kernel_constraint: Any = None,
        recurrent_constraint: Any = None,
        bias_constraint: Any = None,
        dropout: float = 0.0,
        recurrent_dropout: float = 0.0,
        consume_less: str | None = None,
        **words: Any,
    ) -> None:
        if consume_less:
            words["consume_less"] = consume_less
        super().__init__(activity_regularizer=activity_regularizer, **words)
        self.units, self.use_bias, self.unit_forget_bias = units, use_bias, unit_forget_bias
        self.activation = _keras.activations.get(activation)
        self.recurrent_activation = _keras.activations.get(recurrent_activation)
        self.dropout, self.recurrent_dropout = dropout, recurrent_dropout
        for kind, given in (
            ("initializer", (kernel_initializer, recurrent_initializer, bias_initializer)),
            ("regularizer", (kernel_regularizer, recurrent_regularizer, bias_regularizer)),
            ("constraint", (kernel_constraint, recurrent_constraint, bias_constraint)),
        ):
            get = getattr(_keras, f"{kind}s").get
            for part, one in zip(("kernel", "recurrent", "bias"), given, strict=True):
                setattr(self, f"{part}_{kind}", get(one))
        self.state_spec = [_keras.layers.InputSpec(shape=(None, units))] * self._memories
        self.states = [None] * self._memories

    def build(self, input_shape: Any) -> None:
        """Makes the variables, and a part of each for each gate (`kernel_i`)."""
        if isinstance(input_shape, list):
            input_shape = input_shape[0]
        batch = input_shape[0] if self.stateful else None
        self.input_dim = int(input_shape[2])
        self.input_spec[0] = _keras.layers.InputSpec(shape=(batch, None, self.input_dim))
        width = self.units * len(self._gates)
        first_values = self._first_values()
        for name, part, rows in (
            ("kernel", "kernel", self.input_dim),
            ("recurrent_kernel", "recurrent", self.units),
        ):
            setattr(self, name, self._made(name, part, (rows, width), first_values.get(part)))
        self.bias = self._made("bias", "bias", (width,)) if self.use_bias else None
        for name in ("kernel", "recurrent_kernel", "bias"):
            whole = getattr(self, name)
            for number, gate in enumerate(self._gates if len(self._gates) > 1 else ""):
                own = slice(number * self.units, (number + 1) * self.units)
                setattr(self, f"{name}_{gate}", None if whole is None else whole[..., own])
        if self.stateful:
            self.reset_states()
        self.built = True

    def _first_values(self) -> dict[str, Any]:
        """What makes the first values of both kernels, where each gate has its own."""
        if not release.shows_keras_1() or self.implementation == 2:
            return {}
        kernel, recurrent = (
            getattr(self, f"{part}_initializer") for part in ("kernel", "recurrent")
        )
        kernel, recurrent = of_gates(kernel, recurrent, self.units)
        return {"kernel": kernel, "recurrent": recurrent}

    def _made(self, name: str, part: str, shape: tuple[int, ...], first_value: Any = None) -> Any:
        kinds = ("initializer", "regularizer", "constraint")
        words = {kind: getattr(self, f"{part}_{kind}") for kind in kinds}
        words["initializer"] = first_value or words["initializer"]
        if name == "bias" and "f" in self._gates and self.unit_forget_bias:
            first_value, units = words["initializer"], self.units

            def of_gates(shape: Any, dtype: Any = None, **_words: Any) -> Any:
                parts = [first_value((units,), dtype), _tf.ones((units,), dtype or _tf.float32)]
                return _tf.concat([*parts, first_value((units * 2,), dtype)], 0)

            words["initializer"] = of_gates
        return self.add_weight(name, shape, **words)

    def __getattr__(self, name: str) -> Any:
        first, line, gate = name.partition("_")
        if gate and gate in type(self)._gates and first in keras_attributes.VARIABLES:
            return getattr(self, f"{keras_attributes.VARIABLES[first]}{line}{gate}")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def preprocess_input(self, inputs: Any, training: Any = None) -> Any:
        """What the inputs give for each gate, side by side, where that is computed of all times at once."""
        if self.implementation != 0:
            return inputs
        parts = [
            _time_distributed_dense(
                inputs, part, bias, self.dropout, *(None, None, None), training=training
            )
            for part, bias in zip(
                _tf.split(self.kernel, len(self._gates), 1),
                [None] * len(self._gates)
                if self.bias is None
                else _tf.split(self.bias, len(self._gates)),
                strict=True,
            )
        ]
        return _tf.concat(parts, 2)

    def get_constants(self, inputs: Any, training: Any = None) -> list[Any]:
        """What is left of the inputs and of the state, a factor for each gate; in Keras 1 that of the state came first."""
        ones = _tf.ones_like(inputs[:, 0, :1])
        masks = []
        of_inputs = self.dropout if self.implementation != 0 else 0
        for rate, size in ((of_inputs, self.input_dim), (self.recurrent_dropout, self.units)):
            whole = _K.tile(ones, (1, size))
            masks.append(
                [
                    _K.in_train_phase(_K.dropout(whole, rate), whole, training=training)
                    if 0 < rate < 1
                    else _K.cast_to_floatx(1.0)
                    for _ in self._gates
                ]
            )
        return masks[::-1] if release.shows_keras_1() else masks

    def _sums(self, inputs: Any, states: Any) -> tuple[list[Any], Callable[[int, Any], Any]]:
        """What the inputs give for each gate, and a function that says what a state gives for one."""
        masks = list(states[self._memories : self._memories + 2])
        of_inputs, of_states = masks[::-1] if release.shows_keras_1() else masks

        def part(whole: Any, number: int) -> Any:
            return whole[..., number * self.units : (number + 1) * self.units]

        sums = []
        for number in range(len(self._gates)):
            if self.implementation == 0:
                sums.append(part(inputs, number))
                continue
            found = _K.dot(inputs * of_inputs[number], part(self.kernel, number))
            sums.append(found if self.bias is None else found + part(self.bias, number))

        def of_state(number: int, state: Any) -> Any:
            return _K.dot(state * of_states[number], part(self.recurrent_kernel, number))

        return sums, of_state

    def get_config(self) -> dict[str, Any]:
        """Its arguments."""
        own: dict[str, Any] = {"units": self.units, "use_bias": self.use_bias}
        own.update(dropout=self.dropout, recurrent_dropout=self.recurrent_dropout)
        for kind in ("initializer", "regularizer", "constraint"):
            for part in ("kernel", "recurrent", "bias"):
                value = getattr(self, f"{part}_{kind}")
                own[f"{part}_{kind}"] = getattr(_keras, f"{kind}s").serialize(value)
        for name in ("activation", "recurrent_activation"):
            own[name] = _keras.activations.serialize(getattr(self, name))
        return {**super().get_config(), **own}


class SimpleRNN(_Gated):
    """Stands for ``keras.layers.SimpleRNN`` of Keras 1 and 2.0, as a class to derive from."""

    _gates = "h"

    def __init__(
        self,
        units: int,
        activation: Any = "tanh",
        use_bias: bool = True,
        *args: Any,
        consume_less: str | None = None,
        **words: Any,
    ) -> None:
        words["consume_less"] = consume_less
        super().__init__(units, activation, "hard_sigmoid", use_bias, *args, **words)

    def step(self, inputs: Any, states: Any) -> Any:
        """What is put out for a time, and the next state."""
        (found,), of_state = self._sums(inputs, states)
        found = self.activation(found + of_state(0, states[0]))
        return found, [found]


class GRU(_Gated):
    """Stands for ``keras.layers.GRU`` of Keras 1 and 2.0, as a class to derive from."""

    _gates = "zrh"

    def step(self, inputs: Any, states: Any) -> Any:
        """What is put out for a time, and the next state."""
        before = states[0]
        sums, of_state = self._sums(inputs, states)
        update, reset = (
            self.recurrent_activation(sums[number] + of_state(number, before)) for number in (0, 1)
        )
        new = self.activation(sums[2] + of_state(2, reset * before))
        found = update * before + (1 - update) * new
        return found, [found]


class LSTM(_Gated):
    """Stands for ``keras.layers.LSTM`` of Keras 1 and 2.0, as a class to derive from."""

    _gates = "ifco"
    _memories = 2

    def step(self, inputs: Any, states: Any) -> Any:
        """What is put out for a time, and the next states."""
        before, memory = states[:2]
        sums, of_state = self._sums(inputs, states)
        i, f, c, o = (total + of_state(number, before) for number, total in enumerate(sums))
        memory = self.recurrent_activation(f) * memory
        memory += self.recurrent_activation(i) * self.activation(c)
        found = self.recurrent_activation(o) * self.activation(memory)
        return found, [found, memory]


keras_words.install(sys.modules[__name__])
keras_attributes.of_layers(sys.modules[__name__])


def _of_gates(original: Callable[..., Any]) -> Callable[..., Any]:
    """`preprocess_weights_for_loading`, for a class of a program, too, whose file of Keras 1 has a matrix for each gate."""

    @functools.wraps(original)
    def of_file(layer: Any, weights: Any, *args: Any, **words: Any) -> Any:
        orders = {kind: order for kind, order in _ORDERS.items() if isinstance(layer, _kinds(kind))}
        for order in orders.values():
            many = 3 * len(order)
            if type(layer) not in _STOCK and len(weights) == len(layer.weights) - 3 + many:
                parts = [[weights[3 * gate + part] for gate in order] for part in range(3)]
                joined = [numpy.concatenate(each, axis=-1) for each in parts]
                weights = [*joined, *weights[many:]]
        return original(layer, weights, *args, **words)

    return of_file


def _kinds(name: str) -> tuple[Any, ...]:
    return getattr(_keras.layers, name), globals()[name]


_ORDERS = {"LSTM": (0, 2, 1, 3), "GRU": (0, 1, 2)}
"""Where the gates of today stand in a file of Keras 1."""
_STOCK = tuple(getattr(_keras.layers, name) for name in _ORDERS)
_files: Any = importlib.import_module("tf_keras.src.saving.legacy.hdf5_format")
_files.preprocess_weights_for_loading = _of_gates(_files.preprocess_weights_for_loading)
