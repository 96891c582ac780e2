"""Cells of `tf.contrib.rnn` that go over the frequencies of an input as over time: `GridLSTMCell` and its kin."""

from __future__ import annotations

import collections
from typing import Any

from tfqueue import _tensorflow
from tfqueue.contrib.rnn import cells, sharded
from tfqueue.v1 import _op_counts
from tfqueue.v1._signatures import constructor
from tfqueue.v1._types import Size, State, Tensor

_tf = _tensorflow.compat_v1()

_Holes = dict[str, tuple[Tensor, Tensor]] | None
"""By gate, what both memories are multiplied with before they are added to it; None without peepholes."""


class _OverFrequencies(cells.OnceInitialized):
    """A cell whose weights serve for several pieces of each input."""

    _num_units: int
    _cell_clip: float | None

    def _gates(self, name: str, inputs: Tensor, count: int) -> tuple[Tensor, Tensor]:
        """Kernel and bias of some gates."""
        wide, dtype = count * self._num_units, inputs.dtype
        shape = [int(inputs.shape[1]) + 2 * self._num_units, wide]
        kernel = sharded._get_concat_variable(f"W{name}", shape, dtype, self._num_unit_shards)
        return kernel, _tf.get_variable(f"B{name}", [wide], dtype, _tf.zeros_initializer())

    def _vector(self, name: str, dtype: Any) -> Tensor:
        return _tf.get_variable(name, [self._num_units], dtype)

    def _part(self, state: Tensor, number: int) -> Tensor:
        """One memory or output in a state that is one tensor."""
        return _tf.slice(state, [0, number * self._num_units], [-1, self._num_units])

    def _pieces(self, inputs: Tensor, first: int, count: int) -> list[Tensor]:
        starts = (first + number * self._frequency_skip for number in range(count))
        return [_tf.slice(inputs, [0, start], [-1, self._feature_size]) for start in starts]

    def _fitting(self, width: int) -> int:
        """How many pieces there are in so many columns."""
        return int((width - self._feature_size) / self._frequency_skip) + 1


def _width(inputs: Tensor) -> int:
    width: int | None = _tf.dimension_value(inputs.shape.with_rank(2)[-1])
    if width is None:
        raise ValueError("Cannot infer input_size from static shape inference.")
    return width


class TimeFreqLSTMCell(_OverFrequencies):
    """An LSTM over time and frequency with one output for both (`tf.contrib.rnn.TimeFreqLSTMCell`).

    An input is `[batch, width]`, and is parted into pieces of `feature_size` columns. An output is
    `[batch, pieces * num_units]`, and a state is one tensor with memory and output of each piece.

    Args:
        use_peepholes: Whether the memory is an input of the gates.
        cell_clip: float, the bound of the memory; None for none.
        initializer: Of the weights, up to 1.1. Since then it is not looked at.
        num_unit_shards: int, how many variables the kernel is in.
        forget_bias: float, is added to the forget gate.
        feature_size: int, how many columns a piece has.
        frequency_skip: int, how many columns further the next one begins.

    Raises:
        ValueError: If the width of the input is not known.
    """

    __init__ = constructor(
        "num_units use_peepholes=False cell_clip=None initializer=None num_unit_shards=1 "
        "forget_bias=1.0 feature_size=None frequency_skip=1 reuse=None"
    )

    @property
    def state_size(self) -> int:
        """Of one piece."""
        return 2 * self._num_units

    @property
    def output_size(self) -> int:
        """Of one piece."""
        return self._num_units

    def call(self, inputs: Tensor, state: State) -> Any:
        pieces = self._pieces(inputs, 0, self._fitting(_width(inputs)))
        kernel, bias = self._gates("", pieces[0], 4)
        holes = None
        if self._use_peepholes:
            holes = {gate: self._vector(f"W_{gate}_diag", inputs.dtype) for gate in "FIO"}
        below = _tf.zeros([_tf.dimension_value(inputs.shape[0]), self._num_units], inputs.dtype)
        outputs: list[Tensor] = []
        states: list[Tensor] = []
        for number, piece in enumerate(pieces):
            memory, before = (self._part(state, 2 * number + which) for which in (0, 1))
            both = _tf.concat([piece, before, below], 1)
            sums = _tf.nn.bias_add(_tf.matmul(both, kernel), bias)
            memory, below = self._stepped(_op_counts.split(sums, 4, axis=1), memory, holes)
            # one behind the other, as many ops as in TensorFlow 1
            states = [_tf.concat([*states, memory, below], 1)]
            outputs = [_tf.concat([*outputs, below], 1)] if outputs else [below]
        return outputs[0], states[0]

    def _stepped(self, gates: list[Tensor], memory: Tensor, holes: Any) -> tuple[Tensor, Tensor]:
        put, new, forget, give = gates
        forget = forget + self._forget_bias
        if holes:
            forget, put = forget + holes["F"] * memory, put + holes["I"] * memory
        memory = _tf.sigmoid(forget) * memory + _tf.sigmoid(put) * _tf.tanh(new)
        memory = cells.clipped(memory, self._cell_clip)
        if holes:
            give = give + holes["O"] * memory
        return memory, _tf.sigmoid(give) * _tf.tanh(memory)


class GridLSTMCell(_OverFrequencies):
    """Two LSTMs, one over time and one over frequencies (`tf.contrib.rnn.GridLSTMCell`).

    An input is `[batch, width]`, and is parted into pieces of `feature_size` columns. An output has
    the outputs of both LSTMs for each piece; a state has memory and output of that over time.

    Args:
        use_peepholes: Whether the memories are inputs of the gates.
        share_time_frequency_weights: Whether both LSTMs have the same weights.
        cell_clip: float, the bound of the memories; None for none.
        initializer: Of the weights, up to 1.1. Since then it is not looked at.
        num_unit_shards: int, how many variables a kernel is in.
        forget_bias: float, is added to the forget gates.
        feature_size: int, how many columns a piece has.
        frequency_skip: int, how many columns further the next one begins.
        num_frequency_blocks: List of int, how many pieces each block has.
        start_freqindex_list: List of int, the first column of each block; None for one block.
        end_freqindex_list: List of int, the column behind the last one of each block.
        couple_input_forget_gates: Whether a memory takes in as much as it forgets.
        state_is_tuple: Whether a state is a named tuple, and not one tensor.

    Raises:
        ValueError: If the blocks are not given, or another number of pieces is in the input.
    """

    __init__ = constructor(
        "num_units use_peepholes=False share_time_frequency_weights=False cell_clip=None "
        "initializer=None num_unit_shards=1 forget_bias=1.0 feature_size=None frequency_skip=None "
        "num_frequency_blocks=None start_freqindex_list=None end_freqindex_list=None "
        "couple_input_forget_gates=False state_is_tuple=True reuse=None"
    )
    _prefixes: tuple[str, ...] = ("state",)

    def _init_with(self, given: dict[str, Any]) -> None:
        blocks = given["num_frequency_blocks"]
        if blocks is None:
            raise ValueError("Must specify num_frequency_blocks")
        super()._init_with(given)
        fields = [
            f"{prefix}_f{piece:02}_b{block:02}_{part}"
            for prefix in self._prefixes
            for block, count in enumerate(blocks)
            for piece in range(count)
            for part in "cm"
        ]
        self._state_tuple_type: Any = None
        if self._state_is_tuple:
            name = type(self).__name__.removesuffix("Cell") + "StateTuple"
            self._state_tuple_type = collections.namedtuple(name, fields)  # type: ignore[misc]
        self._sizes = [self._num_units] * len(fields)

    @property
    def state_tuple_type(self) -> Any:
        """The class of the states; None where they are tensors."""
        return self._state_tuple_type

    @property
    def state_size(self) -> Any:
        """Of each memory and output of the LSTM over time."""
        return self._state_tuple_type(*self._sizes) if self._state_is_tuple else sum(self._sizes)

    @property
    def output_size(self) -> int:
        """Of both LSTMs, for all pieces."""
        return sum(self._sizes)

    def call(self, inputs: Tensor, state: State) -> Any:
        batch = _batch(inputs)
        outputs, states = self._along(self._blocks(inputs), state, batch, "state")
        new = self._state_tuple_type(*states) if self._state_is_tuple else _tf.concat(states, 1)
        return _tf.concat(outputs, 1), new

    def _along(
        self, blocks: list[list[Tensor]], state: State, batch: Size, prefix: str
    ) -> tuple[list[Tensor], list[Tensor]]:
        """The outputs and the new states, of all blocks."""
        outputs: list[Tensor] = []
        states: list[Tensor] = []
        for block, pieces in enumerate(blocks):
            weights = self._weights(pieces[0], block)
            zeros = [_tf.zeros([batch, self._num_units], pieces[0].dtype) for _ in range(2)]
            below, memory_below = zeros
            for number, piece in enumerate(pieces):
                field = f"{prefix}_f{number:02}_b{block:02}"
                memory, before = (
                    getattr(state, f"{field}_{part}")
                    if self._state_is_tuple
                    else self._part(state, 2 * number + "cm".index(part))
                    for part in "cm"
                )
                both = _tf.concat([piece, before, below], 1)
                memories, (below, after) = self._stepped(both, (memory_below, memory), *weights)
                memory_below, memory = memories
                outputs += [after, below]
                states += [memory, after]
        return outputs, states

    def _weights(self, piece: Tensor, block: int) -> tuple[list[Any], list[_Holes]]:
        """Kernel and bias, and peepholes: of the LSTM over frequencies, and of that over time."""
        axes = {"freq": "f"} if self._share_time_frequency_weights else {"freq": "f", "time": "t"}
        count = 3 if self._couple_input_forget_gates else 4
        kernels = [self._gates(f"_{letter}_{block}", piece, count) for letter in axes.values()]
        if not self._use_peepholes:
            return kernels, [None, None]
        holes: list[_Holes] = [
            {
                gate: (
                    self._vector(f"W_{gate}_diag_{axis}f_{block}", piece.dtype),
                    self._vector(f"W_{gate}_diag_{axis}t_{block}", piece.dtype),
                )
                for gate in ("IO" if self._couple_input_forget_gates else "FIO")
            }
            for axis in axes
        ]
        return kernels, [holes[0], holes[-1]]

    def _stepped(
        self,
        both: Tensor,
        memories: tuple[Tensor, Tensor],
        kernels: list[tuple[Tensor, Tensor]],
        holes: list[_Holes],
    ) -> tuple[list[Tensor], list[Tensor]]:
        """The new memories and the outputs: over frequencies, and over time."""
        count = 3 if self._couple_input_forget_gates else 4
        gates = [
            _op_counts.split(_tf.nn.bias_add(_tf.matmul(both, kernel), bias), count, axis=1)
            for kernel, bias in kernels
        ]
        gates = [gates[0], gates[-1]]
        new = []
        for memory, (put, candidate, *forget, _), seen in zip(memories, gates, holes, strict=True):
            put = _tf.sigmoid(_seeing(put, "I", seen, memories))
            if forget:
                keep = _tf.sigmoid(_seeing(forget[0] + self._forget_bias, "F", seen, memories))
            else:
                keep = 1.0 - put
            memory = keep * memory + put * _tf.tanh(candidate)
            new.append(cells.clipped(memory, self._cell_clip))
        outputs = [
            _tf.sigmoid(_seeing(each[-1], "O", seen, new)) * _tf.tanh(memory)
            for memory, each, seen in zip(new, gates, holes, strict=True)
        ]
        return new, outputs

    def _blocks(self, inputs: Tensor, offset: int = 0) -> list[list[Tensor]]:
        """The pieces of each block, which begin so many columns later."""
        width, counts = _width(inputs), self._num_frequency_blocks
        if offset:
            paddings = [[0, 0], [max(-offset, 0), max(offset, 0)]]
            inputs, offset = _tf.pad(inputs, _tf.constant(paddings)), max(offset, 0)
        if self._start_freqindex_list:
            starts, ends = self._start_freqindex_list, self._end_freqindex_list
        else:
            starts, ends = [0], [width]
        if not len(starts) == len(ends) == len(counts):
            raise ValueError(
                "num_frequency_blocks, start_freqindex_list and end_freqindex_list should be of one "
                f"length, got {len(counts)}, {len(starts)} and {len(ends)}"
            )
        for start, end, count in zip(starts, ends, counts, strict=True):
            if self._fitting(end - start) != count:
                raise ValueError(
                    f"Invalid num_frequency_blocks, requires {count} but gets {self._fitting(end - start)}: "
                    "please check the input size and filter config."
                )
        return [
            self._pieces(inputs, start + offset, count)
            for start, count in zip(starts, counts, strict=True)
        ]


def _seeing(gate: Tensor, name: str, holes: _Holes, memories: Any) -> Tensor:
    """What a gate is computed from."""
    if holes is None:
        return gate
    of_frequencies, of_time = holes[name]
    return gate + of_frequencies * memories[0] + of_time * memories[1]


def _batch(inputs: Tensor) -> Size:
    return _tf.dimension_value(inputs.shape[0]) or _tf.shape(inputs)[0]


class BidirectionalGridLSTMCell(GridLSTMCell):
    """`GridLSTMCell` with two LSTMs more, from the last frequency on (`tf.contrib.rnn.BidirectionalGridLSTMCell`).

    Args:
        backward_slice_offset: int, how many columns later their pieces begin.
        others: As for `GridLSTMCell`; a state is always a named tuple.
    """

    __init__ = constructor(
        "num_units use_peepholes=False share_time_frequency_weights=False cell_clip=None "
        "initializer=None num_unit_shards=1 forget_bias=1.0 feature_size=None frequency_skip=None "
        "num_frequency_blocks=None start_freqindex_list=None end_freqindex_list=None "
        "couple_input_forget_gates=False backward_slice_offset=0 reuse=None"
    )
    _prefixes = ("fwd_state", "bwd_state")

    def _init_with(self, given: dict[str, Any]) -> None:
        super()._init_with({**given, "state_is_tuple": True})

    def call(self, inputs: Tensor, state: State) -> Any:
        batch, offset = _batch(inputs), int(self._backward_slice_offset)
        forwards = self._blocks(inputs)
        backwards = self._blocks(inputs, offset) if offset else forwards
        outputs: list[Tensor] = []
        states: list[Tensor] = []
        turned = [pieces[::-1] for pieces in backwards]
        for scope, blocks in (("fwd", forwards), ("bwd", turned)):
            with _tf.variable_scope(scope):
                ahead, new = self._along(blocks, state, batch, f"{scope}_state")
            outputs += ahead
            states += new
        return _tf.concat(outputs, 1), self._state_tuple_type(*states)
