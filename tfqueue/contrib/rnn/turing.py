"""`NTMCell` of `tensorflow.contrib.rnn.python.ops.rnn_cell` (1.15): a neural Turing machine."""

from __future__ import annotations

import collections
from typing import Any

from tfqueue import _tensorflow
from tfqueue.v1 import _op_counts, rnn_cell
from tfqueue.v1._types import DType, Size, State, Tensor

_tf = _tensorflow.compat_v1()

NTMControllerState = collections.namedtuple(
    "NTMControllerState", ["controller_state", "read_vector_list", "w_list", "M", "time"]
)
"""The state of a `NTMCell`: of its controller, what was read, where each head stands, the memory, the step."""


class NTMCell(rnn_cell.LayerRNNCell):
    """A cell that reads and writes a memory by heads, which another cell moves.

    Args:
        controller: An `RNNCell`, which moves the heads.
        memory_size: int, how many places the memory has.
        memory_vector_dim: int, the width of each.
        read_head_num: int, how many heads read.
        write_head_num: int, how many heads write.
        shift_range: int, how many places to both sides a head can go in a step.
        output_dim: int, the width of the output; that of the input when None, which
            `tf.nn.dynamic_rnn` cannot know beforehand.
        clip_value: float, the bound of output and parameters.
        dtype: Of the variables.
        name: Name of the cell.

    Raises:
        TypeError: If the controller is no cell.
    """

    def __init__(
        self,
        controller: Any,
        memory_size: int,
        memory_vector_dim: int,
        read_head_num: int,
        write_head_num: int,
        shift_range: int = 1,
        output_dim: int | None = None,
        clip_value: float = 20,
        dtype: DType = _tf.float32,
        name: str | None = None,
    ) -> None:
        super().__init__(dtype=dtype, name=name)
        rnn_cell.assert_like_rnncell("NTM RNN controller cell", controller)
        self.controller = controller
        self.memory_size, self.memory_vector_dim = memory_size, memory_vector_dim
        self.read_head_num, self.write_head_num = read_head_num, write_head_num
        self.shift_range, self.output_dim, self.clip_value = shift_range, output_dim, clip_value
        self.num_parameters_per_head = memory_vector_dim + 2 * shift_range + 4
        self.num_heads = read_head_num + write_head_num
        self._of_heads = self.num_parameters_per_head * self.num_heads
        self.total_parameter_num = self._of_heads + 2 * memory_vector_dim * write_head_num

    @property
    def state_size(self) -> Any:
        """An `NTMControllerState`."""
        return NTMControllerState(
            controller_state=self.controller.state_size,
            read_vector_list=[self.memory_vector_dim] * self.read_head_num,
            w_list=[self.memory_size] * self.num_heads,
            M=_tf.TensorShape([self.memory_size * self.memory_vector_dim]),
            time=_tf.TensorShape([]),
        )

    @property
    def output_size(self) -> Any:
        """The width of the output."""
        return self.output_dim

    def zero_state(self, batch_size: Size, dtype: DType) -> Any:
        """The state before the first step, at which the variables take its place."""

        def zeros(*shape: int) -> Tensor:
            return _tf.zeros([batch_size, *shape])

        read = [zeros(self.memory_vector_dim) for _ in range(self.read_head_num)]
        places = [zeros(self.memory_size) for _ in range(self.num_heads)]
        return NTMControllerState(
            controller_state=self.controller.zero_state(batch_size, dtype),
            read_vector_list=read,
            w_list=places,
            M=zeros(self.memory_size, self.memory_vector_dim),
            time=0,
        )

    def _layer(self, name: str, depth: int, width: int) -> tuple[Any, Any]:
        start = _tf.truncated_normal_initializer(stddev=depth**-0.5, dtype=_tf.float32)
        zeros = _tf.constant_initializer(0.0, dtype=self.dtype)
        return (
            self.add_variable(f"{name}_kernel", shape=[depth, width], initializer=start),
            self.add_variable(f"{name}_bias", shape=[width], initializer=zeros),
        )

    def build(self, inputs_shape: Any) -> None:
        if self.output_dim is None:
            self.output_dim = _tf.dimension_value(inputs_shape[1])
        if self.output_dim is None:
            raise ValueError(f"Expected inputs.shape[-1] to be known, saw shape: {inputs_shape}")
        depth, wide = self.controller.output_size, self.memory_vector_dim
        self._parameters = self._layer("parameters", depth, self.total_parameter_num)
        self._output = self._layer("output", depth + wide * self.read_head_num, self.output_dim)

        def starts(name: str, width: int, count: int) -> list[Any]:
            uniform = _tf.glorot_uniform_initializer()
            names = [f"initial_{name}_{number}" for number in range(count)]
            return [
                self.add_variable(each, shape=[1, width], initializer=uniform) for each in names
            ]

        self._first_read = starts("read_vector", wide, self.read_head_num)
        self._first_places = starts("address_weights", self.memory_size, self.num_heads)
        small = _tf.constant_initializer(1e-6, dtype=self.dtype)
        self._first_memory = self.add_variable(
            "memory", shape=[self.memory_size, wide], initializer=small
        )
        self.built = True

    def call(self, x: Tensor, prev_state: State) -> Any:
        def at_first(variables: list[Any], activation: Any) -> list[Tensor]:
            rows = [_tf.squeeze(_tf.matmul(_tf.ones([1, 1]), one)) for one in variables]
            return [_repeated(activation(row), x) for row in rows]

        def known(first: Any, later: Any) -> Any:
            return _tf.cond(_tf.equal(prev_state.time, 0), first, lambda: later, strict=True)

        read = known(lambda: at_first(self._first_read, _tf.tanh), prev_state.read_vector_list)
        output, state = self.controller(_tf.concat([x, *read], 1), prev_state.controller_state)
        of_heads, written = self._told(output)
        before = known(lambda: at_first(self._first_places, _tf.nn.softmax), prev_state.w_list)
        memory = known(lambda: _repeated(self._first_memory, x), prev_state.M)
        places = [
            self._place(head, memory, place) for head, place in zip(of_heads, before, strict=True)
        ]
        read = [
            _tf.reduce_sum(_tf.expand_dims(place, 2) * memory, axis=1)
            for place in places[: self.read_head_num]
        ]
        for place, (erased, added) in zip(places[self.read_head_num :], written, strict=True):
            column = _tf.expand_dims(place, axis=2)
            erased = _tf.expand_dims(_tf.sigmoid(erased), axis=1)
            added = _tf.expand_dims(_tf.tanh(added), axis=1)
            kept = _tf.ones_like(memory) - _tf.matmul(column, erased)
            memory = memory * kept + _tf.matmul(column, added)
        kernel, bias = self._output
        result = _tf.nn.bias_add(_tf.matmul(_tf.concat([output, *read], 1), kernel), bias)
        result = _tf.clip_by_value(result, -self.clip_value, self.clip_value)
        return result, NTMControllerState(state, read, places, memory, prev_state.time + 1)

    def _told(self, output: Tensor) -> tuple[list[Tensor], list[tuple[Tensor, Tensor]]]:
        """What the controller says: to each head, and what to erase and to add at each that writes."""
        kernel, bias = self._parameters
        told = _tf.nn.bias_add(_tf.matmul(output, kernel), bias)
        told = _tf.clip_by_value(told, -self.clip_value, self.clip_value)
        heads = _op_counts.split(told[:, : self._of_heads], self.num_heads, axis=1)
        written = _op_counts.split(told[:, self._of_heads :], 2 * self.write_head_num, axis=1)
        return heads, list(zip(written[::2], written[1::2], strict=True))

    def _place(self, head: Tensor, memory: Tensor, before: Tensor) -> Tensor:
        """Where a head stands: how much of each place of the memory it takes."""
        wide = self.memory_vector_dim
        key, strength = _tf.tanh(head[:, :wide]), _tf.nn.softplus(head[:, wide])
        gate = _tf.sigmoid(head[:, wide + 1])
        shifts = _tf.nn.softmax(head[:, wide + 2 : wide + 2 + 2 * self.shift_range + 1])
        sharpness = _tf.nn.softplus(head[:, -1]) + 1
        alike = _tf.exp(_tf.expand_dims(strength, axis=1) * _likeness(key, memory))
        alike = alike / _tf.reduce_sum(alike, axis=1, keepdims=True)
        gate = _tf.expand_dims(gate, axis=1)
        place = self._moved(gate * alike + (1 - gate) * before, shifts)
        place = _tf.pow(place, _tf.expand_dims(sharpness, axis=1))
        return place / _tf.reduce_sum(place, axis=1, keepdims=True)

    def _moved(self, place: Tensor, shifts: Tensor) -> Tensor:
        """A circular convolution of a place with the weights of the shifts."""
        reach, size = self.shift_range, self.memory_size
        rows = _tf.dimension_value(shifts.shape[0]) or _tf.shape(shifts)[0]
        between = _tf.zeros([rows, size - (2 * reach + 1)])
        shifts = _tf.concat([shifts[:, : reach + 1], between, shifts[:, -reach:]], 1)
        twice = _tf.concat([_tf.reverse(shifts, [1]), _tf.reverse(shifts, [1])], 1)
        columns = [twice[:, size - n - 1 : 2 * size - n - 1] for n in range(size)]
        weights = _tf.stack(columns, axis=1)
        return _tf.reduce_sum(_tf.expand_dims(place, axis=1) * weights, axis=2)


def _likeness(key: Tensor, memory: Tensor) -> Tensor:
    """The cosine of the angle between a key and what is at each place."""
    key = _tf.expand_dims(key, axis=2)
    product = _tf.matmul(memory, key)
    of_key = _tf.sqrt(_tf.reduce_sum(_tf.square(key), axis=1, keepdims=True))
    of_memory = _tf.sqrt(_tf.reduce_sum(_tf.square(memory), axis=2, keepdims=True))
    return _tf.squeeze(product / (of_memory * of_key + 1e-8))


def _repeated(values: Tensor, x: Tensor) -> Tensor:
    """The same for each example of `x`."""
    batch = _tf.dimension_value(x.shape[0])
    if batch is None:
        raise ValueError(f"the number of examples must be known, saw shape: {x.shape}")
    return _tf.concat([_tf.expand_dims(values, 0) for _ in range(batch)], axis=0)
