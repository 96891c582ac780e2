"""Cells of `tf.contrib.rnn` from papers: NAS, SRU, UGRNN, convolutional and coupled LSTM, attention, highway.

Each has the variables of TensorFlow 1.15's and gives the same numbers.
"""

import itertools
from collections.abc import Callable
from typing import Any

from tfqueue import _tensorflow, release
from tfqueue.contrib.rnn import cells, sharded
from tfqueue.v1 import _cell_names, _op_counts, rnn_cell
from tfqueue.v1._signatures import constructor
from tfqueue.v1._types import Scope, State, Tensor

_tf = _tensorflow.compat_v1()


class NASCell(cells.LSTMSizes, rnn_cell.LayerRNNCell):
    """The cell that neural architecture search found (`tf.contrib.rnn.NASCell`).

    Args:
        num_proj: int, the width of a projection after it; None for none.
        use_bias: Whether to add biases.
        use_biases: `use_bias` under its name of up to 1.7.
        **kwargs: `name`, `dtype` and their like.
    """

    def __init__(
        self,
        num_units: int,
        num_proj: int | None = None,
        use_bias: bool = False,
        reuse: bool | None = None,
        use_biases: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(_reuse=reuse, **kwargs)
        if release.before("1.2"):
            self._base_name = "nas_rnn"
        self._num_units, self._num_proj = num_units, num_proj
        self._use_bias = use_bias or use_biases

    def build(self, inputs_shape: Any) -> None:
        wide = 8 * self._num_units
        depth = _tf.dimension_value(inputs_shape[1])
        if depth is None:
            raise ValueError("Could not infer input size from inputs.get_shape()[-1]")
        self.recurrent_kernel = self.add_variable("recurrent_kernel", [self.output_size, wide])
        self.kernel = self.add_variable("kernel", [depth, wide])
        if self._use_bias:
            zeros = _tf.zeros_initializer()
            self.bias = self.add_variable("bias", [wide], initializer=zeros)
        if self._num_proj is not None:
            shape = [self._num_units, self._num_proj]
            self.projection_weights = self.add_variable("projection_weights", shape)
        self.built = True

    def call(self, inputs: Tensor, state: State) -> Any:
        memory, hidden = state
        recurrent = _tf.matmul(hidden, self.recurrent_kernel)
        if self._use_bias:
            recurrent = _tf.nn.bias_add(recurrent, self.bias)
        h = _op_counts.split(recurrent, 8, axis=1)
        x = _op_counts.split(_tf.matmul(inputs, self.kernel), 8, axis=1)
        one = _tf.tanh(_tf.sigmoid(x[0] + h[0]) * _tf.nn.relu(x[1] + h[1]))
        two = _tf.tanh(_tf.sigmoid(x[2] + h[2]) + _tf.nn.relu(x[3] * h[3]))
        three = _tf.tanh(_tf.tanh(x[4] + h[4]) * _tf.sigmoid(x[5] + h[5]))
        four = _tf.sigmoid(_tf.tanh(x[6] + h[6]) + _tf.sigmoid(x[7] + h[7]))
        memory = _tf.tanh(one + memory) * two
        hidden = _tf.tanh(memory * _tf.tanh(three + four))
        if self._num_proj is not None:
            hidden = _tf.matmul(hidden, self.projection_weights)
        return hidden, rnn_cell.LSTMStateTuple(memory, hidden)


class SRUCell(cells.OneState, cells.OfDepth, rnn_cell.LayerRNNCell):
    """The simple recurrent unit (`tf.contrib.rnn.SRUCell`).

    Args:
        activation: Function of the state; tanh when None.
        **kwargs: `dtype` and its like.
    """

    def __init__(
        self,
        num_units: int,
        activation: Callable[[Tensor], Tensor] | None = None,
        reuse: bool | None = None,
        name: str | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(_reuse=reuse, name=name, **kwargs)
        self._num_units, self._activation = num_units, activation or _tf.tanh

    def _make(self, depth: int) -> None:
        self._kernel = self.add_variable("kernel", [depth, 4 * self._num_units])
        zeros = _tf.zeros_initializer()
        self._bias = self.add_variable("bias", [2 * self._num_units], initializer=zeros)

    def call(self, inputs: Tensor, state: State) -> Any:
        new, forget, leave, past = _op_counts.split(_tf.matmul(inputs, self._kernel), 4, axis=1)
        gates = _tf.nn.bias_add(_tf.concat([forget, leave], 1), self._bias)
        forget, leave = _op_counts.split(_tf.sigmoid(gates), 2, axis=1)
        state = forget * state + (1.0 - forget) * new
        return leave * self._activation(state) + (1.0 - leave) * past, state


class CoupledInputForgetGateLSTMCell(cells.LSTMSizes, cells.Normed, cells.OnceInitialized):
    """An LSTM whose state takes in as much as it forgets (`tf.contrib.rnn.CoupledInputForgetGateLSTMCell`).

    Args:
        use_peepholes: Whether the cell's state is an input of the gates.
        initializer: Of the weights, up to 1.1. Since then it is not looked at.
        num_proj: int, the width of a projection of the output; None for none.
        proj_clip: float, its bound; None for none.
        num_unit_shards: How many variables the weights are in.
        num_proj_shards: How many variables the weights of the projection are in.
        forget_bias: float, is added to the forget gate.
        state_is_tuple: Whether a state is an `LSTMStateTuple`, and not one tensor.
        activation: Function of the new and of the kept state.
        norm_gain: float, what the gains begin with.
        norm_shift: float, what the shifts begin with.
    """

    __init__ = constructor(
        "num_units use_peepholes=False initializer=None num_proj=None proj_clip=None "
        "num_unit_shards=1 num_proj_shards=1 forget_bias=1.0 state_is_tuple=True activation=tanh "
        "reuse=None layer_norm=False norm_gain=1.0 norm_shift=0.0",
        activation=_tf.tanh,
    )

    @property
    def state_size(self) -> Any:
        """An `LSTMStateTuple`, or the sum of its sizes."""
        sizes = super().state_size
        return sizes if self._state_is_tuple else sum(sizes)

    def call(self, inputs: Tensor, state: State) -> Any:
        units, out, dtype = self._num_units, self.output_size, inputs.dtype
        if self._state_is_tuple:
            old, hidden = state
        else:
            old = _tf.slice(state, [0, 0], [-1, units])
            hidden = _tf.slice(state, [0, units], [-1, out])
        shape = [int(inputs.shape[1]) + out, 3 * units]
        kernel = sharded._get_concat_variable("W", shape, dtype, self._num_unit_shards)
        bias = _tf.get_variable("B", [3 * units], dtype, _tf.zeros_initializer())
        gates = _tf.matmul(_tf.concat([inputs, hidden], 1), kernel)
        if not self._layer_norm:
            gates = _tf.nn.bias_add(gates, bias)
        names = ("transform", "forget", "output")
        parts = zip(_op_counts.split(gates, 3, axis=1), names, strict=True)
        new, forget, leave = (self._normed(part, name) for part, name in parts)
        if self._use_peepholes:
            of_forget, of_output = (
                _tf.get_variable(f"W_{gate}_diag", [units], dtype) for gate in "FO"
            )
        forget = forget + self._forget_bias
        if self._use_peepholes:
            forget = forget + of_forget * old
        forget = _tf.sigmoid(forget)
        memory = self._normed(forget * old + (1 - forget) * self._activation(new), "state")
        if self._use_peepholes:
            leave = leave + of_output * memory
        hidden = _tf.sigmoid(leave) * self._activation(memory)
        if self._num_proj is not None:
            shape = [units, self._num_proj]
            projection = sharded._get_concat_variable("W_P", shape, dtype, self._num_proj_shards)
            hidden = cells.clipped(_tf.matmul(hidden, projection), self._proj_clip)
        if self._state_is_tuple:
            return hidden, rnn_cell.LSTMStateTuple(memory, hidden)
        return hidden, _tf.concat([memory, hidden], 1)


class UGRNNCell(cells.OneState, cells.Stored):
    """The update-gate cell (`tf.contrib.rnn.UGRNNCell`).

    Args:
        initializer: Of the weights.
        forget_bias: float, is added to the gate.
        activation: Function of the candidate.
    """

    __init__ = constructor(
        "num_units initializer=None forget_bias=1.0 activation=tanh reuse=None",
        activation=_tf.tanh,
    )

    def call(self, inputs: Tensor, state: State) -> Any:
        both = _tf.concat([inputs, state], 1)
        both = rnn_cell._linear(
            both, 2 * self._num_units, True, kernel_initializer=self._initializer
        )
        gate, candidate = _op_counts.split(both, 2, axis=1)
        gate = _tf.sigmoid(gate + self._forget_bias)
        state = gate * state + (1 - gate) * self._activation(candidate)
        return state, state


_CONVOLUTIONS: dict[int, tuple[Any, Any]] = {
    1: (_tf.nn.conv1d, 1),
    2: (_tf.nn.conv2d, [1] * 4),
    3: (_tf.nn.conv3d, [1] * 5),
}
"""By the number of dimensions: the function, and strides of 1."""


class ConvLSTMCell(cells.Stored):
    """An LSTM whose products are convolutions (`tf.contrib.rnn.ConvLSTMCell`).

    Args:
        conv_ndims: int, 1, 2 or 3.
        input_shape: List of int, the shape of an input without the batch.
        kernel_shape: List of `conv_ndims` int.
        use_bias: Whether to add biases.
        skip_connection: Whether the output also holds the input.
        forget_bias: float, is added to the forget gate.
        initializers: Not used, as in TensorFlow.

    Raises:
        ValueError: If the input's shape is not of `conv_ndims` dimensions and its channels.
    """

    __init__ = constructor(
        "conv_ndims input_shape output_channels kernel_shape use_bias=True skip_connection=False "
        "forget_bias=1.0 initializers=None name='conv_lstm_cell'"
    )

    def _init_with(self, given: dict[str, Any]) -> None:
        dimensions, shape = given["conv_ndims"], given["input_shape"]
        if dimensions != len(shape) - 1:
            raise ValueError(f"Invalid input_shape {shape} for conv_ndims={dimensions}.")
        super()._init_with(given)
        self._place, self._more = shape[:-1], shape[-1] if given["skip_connection"] else 0

    @property
    def output_size(self) -> Any:
        """A `TensorShape` without the batch."""
        return _tf.TensorShape([*self._place, self._output_channels + self._more])

    @property
    def state_size(self) -> Any:
        """An `LSTMStateTuple` of shapes without the batch."""
        shape = _tf.TensorShape([*self._place, self._output_channels])
        return rnn_cell.LSTMStateTuple(shape, shape)

    def call(self, inputs: Tensor, state: State) -> Any:
        memory, hidden = state
        depth = int(inputs.shape[-1]) + int(hidden.shape[-1])
        shape = [*self._kernel_shape, depth, 4 * self._output_channels]
        kernel = _tf.get_variable("kernel", shape, inputs.dtype)
        convolved, strides = _CONVOLUTIONS[self._conv_ndims]
        gates = convolved(_tf.concat([inputs, hidden], -1), kernel, strides, padding="SAME")
        if self._use_bias:
            zeros = _tf.constant_initializer(0.0, dtype=inputs.dtype)
            gates = gates + _tf.get_variable("biases", shape[-1:], inputs.dtype, zeros)
        entry, candidate, forget, output = _op_counts.split(gates, 4, axis=self._conv_ndims + 1)
        memory = _tf.sigmoid(forget + self._forget_bias) * memory
        memory += _tf.sigmoid(entry) * _tf.tanh(candidate)
        hidden = _tf.tanh(memory) * _tf.sigmoid(output)
        if self._more:
            hidden = _tf.concat([hidden, inputs], -1)
        return hidden, rnn_cell.LSTMStateTuple(memory, hidden)


class Conv1DLSTMCell(ConvLSTMCell):
    """`ConvLSTMCell` of one dimension (`tf.contrib.rnn.Conv1DLSTMCell`)."""

    def __init__(self, name: str | None = "conv_1d_lstm_cell", **kwargs: Any) -> None:
        super().__init__(conv_ndims=1, name=name, **kwargs)


class Conv2DLSTMCell(ConvLSTMCell):
    """`ConvLSTMCell` of two dimensions (`tf.contrib.rnn.Conv2DLSTMCell`)."""

    def __init__(self, name: str | None = "conv_2d_lstm_cell", **kwargs: Any) -> None:
        super().__init__(conv_ndims=2, name=name, **kwargs)


class Conv3DLSTMCell(ConvLSTMCell):
    """`ConvLSTMCell` of three dimensions (`tf.contrib.rnn.Conv3DLSTMCell`)."""

    def __init__(self, name: str | None = "conv_3d_lstm_cell", **kwargs: Any) -> None:
        super().__init__(conv_ndims=3, name=name, **kwargs)


class HighwayWrapper(cells.CellWrapper):
    """Adds a cell's input to its output, weighted by a gate (`tf.contrib.rnn.HighwayWrapper`).

    Args:
        cell: An `RNNCell` whose output is as wide as its input.
        couple_carry_transform_gates: Whether one gate is one minus the other.
        carry_bias_init: float, start of the gate's bias.
    """

    __init__ = constructor("cell couple_carry_transform_gates=True carry_bias_init=1.0")

    def __call__(self, inputs: Tensor, state: State, scope: Scope | None = None) -> Any:
        """One step; the gate's variables stand in the scope of the caller."""
        outputs, state = self._cell(inputs, state, scope=scope)
        inputs.shape.assert_is_compatible_with(outputs.shape)
        carry = self._gate(inputs, "carry", self._carry_bias_init)
        transform = (
            1 - carry
            if self._couple_carry_transform_gates
            else self._gate(inputs, "transform", -self._carry_bias_init)
        )
        return inputs * carry + outputs * transform, state

    def _gate(self, inputs: Tensor, name: str, start: float) -> Tensor:
        width = int(inputs.shape[1])
        weight = _tf.get_variable(f"{name}_w", [width, width])
        bias = _tf.get_variable(f"{name}_b", [width], initializer=_tf.constant_initializer(start))
        return _tf.sigmoid(_tf.nn.xw_plus_b(inputs, weight, bias))


class AttentionCellWrapper(cells.Stored):
    """Gives a cell attention to its last outputs (`tf.contrib.rnn.AttentionCellWrapper`).

    Args:
        attn_length: int, how many outputs it attends to.
        attn_size: int, their width; the cell's output size when None.
        attn_vec_size: int, width of the attention's own layer; `attn_size` when None.
        input_size: int, width of what the cell gets; that of the input when None.
        state_is_tuple: Whether the state is a tuple, or one tensor.

    Raises:
        ValueError: If `attn_length` is not positive, or the cell's state a tuple and this one's not.
    """

    __init__ = constructor(
        "cell attn_length attn_size=None attn_vec_size=None input_size=None state_is_tuple=True "
        "reuse=None"
    )

    def _init_with(self, given: dict[str, Any]) -> None:
        cell, length, size = given["cell"], given["attn_length"], given["attn_vec_size"]
        if isinstance(cell.state_size, (tuple, list)) and not given["state_is_tuple"]:
            raise ValueError(
                "Cell returns tuple of states, but the flag state_is_tuple is not set. "
                f"State size is: {cell.state_size}"
            )
        if length <= 0:
            raise ValueError(f"attn_length should be greater than zero, got {length}")
        super()._init_with(given)
        self._size = cell.output_size if given["attn_size"] is None else given["attn_size"]
        self._inner = self._size if size is None else size

    @property
    def _sizes(self) -> tuple[Any, int, int]:
        return self._cell.state_size, self._size, self._size * self._attn_length

    @property
    def state_size(self) -> Any:
        """The cell's, of what was attended to, and of the outputs."""
        return self._sizes if self._state_is_tuple else sum(self._sizes)

    @property
    def output_size(self) -> Any:
        """Width of the attention."""
        return self._size

    def call(self, inputs: Tensor, state: State) -> Any:
        if self._state_is_tuple:
            state, seen, past = state
        else:
            starts = zip(itertools.accumulate((0, *self._sizes)), self._sizes, strict=False)
            state, seen, past = (_tf.slice(state, [0, at], [-1, size]) for at, size in starts)
        past = _tf.reshape(past, [-1, self._attn_length, self._size])
        width = self._input_size
        if width is None:
            width = int(inputs.shape[1])
        given = rnn_cell._linear([inputs, seen], width, True)
        output, state = self._cell(given, state)
        query = _tf.concat(_tf.nest.flatten(state), 1) if self._state_is_tuple else state
        seen, past = self._attend(query, past)
        with _tf.variable_scope(_cell_names.cased("attn_output_projection")):
            output = rnn_cell._linear([output, seen], self._size, True)
        past = _tf.concat([past, _tf.expand_dims(output, 1)], 1)
        past = _tf.reshape(past, [-1, self._attn_length * self._size])
        new = (state, seen, past)
        return output, new if self._state_is_tuple else _tf.concat(new, 1)

    def _attend(self, query: Tensor, past: Tensor) -> tuple[Tensor, Tensor]:
        """What is attended to, and all but the oldest output."""
        weight, vector = map(_cell_names.cased, ("attn_w", "attn_v"))
        with _tf.variable_scope(_cell_names.cased("attention")):
            weight = _tf.get_variable(weight, [1, 1, self._size, self._inner])
            vector = _tf.get_variable(vector, [self._inner])
            rows = _tf.reshape(past, [-1, self._attn_length, 1, self._size])
            known = _tf.nn.conv2d(rows, weight, [1] * 4, "SAME")
            asked = rnn_cell._linear(query, self._inner, True)
            asked = _tf.reshape(asked, [-1, 1, 1, self._inner])
            scores = _tf.nn.softmax(_tf.reduce_sum(vector * _tf.tanh(known + asked), [2, 3]))
            scores = _tf.reshape(scores, [-1, self._attn_length, 1, 1])
            seen = _tf.reshape(_tf.reduce_sum(scores * rows, [1, 2]), [-1, self._size])
            return seen, _tf.slice(past, [0, 1, 0], [-1, -1, -1])
