"""Cells of `tf.contrib.rnn` that run over a whole sequence by themselves."""

from __future__ import annotations

from typing import Any

from tfqueue import _tensorflow, release
from tfqueue.contrib.rnn import cells
from tfqueue.v1 import _cell_names, _rnn_loops, layers, rnn_cell
from tfqueue.v1._signatures import constructor
from tfqueue.v1._types import Cell, DType, Scope, Tensor

_tf = _tensorflow.compat_v1()


class FusedRNNCell:
    """What runs over a sequence: `outputs, state = cell(inputs, ...)` (`tf.contrib.rnn.FusedRNNCell`)."""

    def __call__(
        self,
        inputs: Any,
        initial_state: Any = None,
        dtype: DType | None = None,
        sequence_length: Tensor | None = None,
        scope: Scope | None = None,
    ) -> Any:
        """Runs over inputs of shape `[time, batch, width]`, or a list of `[batch, width]`.

        Returns:
            The outputs, in the form and order of the inputs, and the last state.
        """
        return self._run(
            inputs,
            initial_state=initial_state,
            dtype=dtype,
            sequence_length=sequence_length,
            scope=scope,
        )

    def _run(self, inputs: Any, **how: Any) -> Any:
        raise NotImplementedError(f"{type(self).__name__} has no __call__")


class FusedRNNCellAdaptor(FusedRNNCell):
    """Runs a cell over a sequence (`tf.contrib.rnn.FusedRNNCellAdaptor`).

    Args:
        use_dynamic_rnn: Whether by `tf.nn.dynamic_rnn`, else by `static_rnn`.
    """

    def __init__(self, cell: Cell, use_dynamic_rnn: bool = False) -> None:
        self._cell, self._dynamic = cell, use_dynamic_rnn

    def _run(self, inputs: Any, **how: Any) -> Any:
        listed = isinstance(inputs, list)
        if self._dynamic:
            whole = _tf.stack(inputs) if listed else inputs
            outputs, state = _rnn_loops.dynamic_rnn(self._cell, whole, time_major=True, **how)
            return _tf.unstack(outputs) if listed else outputs, state
        steps = inputs if listed else _tf.unstack(inputs)
        outputs, state = _rnn_loops.static_rnn(self._cell, steps, **how)
        return outputs if listed else _tf.stack(outputs), state


class TimeReversedFusedRNN(FusedRNNCell):
    """Runs another from the end of each sequence to its start (`tf.contrib.rnn.TimeReversedFusedRNN`).

    The state that it gives is that at the sequences' start.

    Args:
        cell: A `FusedRNNCell`.
    """

    def __init__(self, cell: Any) -> None:
        self._cell = cell

    def _run(self, inputs: Any, **how: Any) -> Any:
        lengths = how["sequence_length"]
        outputs, state = self._cell(_reversed(inputs, lengths), **how)
        return _reversed(outputs, lengths), state


def _reversed(values: Any, lengths: Tensor | None) -> Any:
    if isinstance(values, list):
        return _tf.unstack(_reversed(_tf.stack(values), lengths))
    if lengths is None:
        return _tf.reverse(values, [0])
    return _tf.reverse_sequence(values, lengths, seq_axis=0, batch_axis=1)


class LSTMBlockWrapper(layers.Layer):
    """The base of `LSTMBlockFusedCell` (`tf.contrib.rnn.LSTMBlockWrapper`).

    A class below it has `num_units`, and `_call_cell`, which gives the cell's states and the outputs.
    """

    @property
    def num_units(self) -> int:
        """Width of the cell."""
        raise NotImplementedError(f"{type(self).__name__} has no num_units")

    def call(
        self,
        inputs: Any,
        initial_state: Any = None,
        dtype: DType | None = None,
        sequence_length: Tensor | None = None,
    ) -> Any:
        """Runs over inputs of shape `[time, batch, width]`, or a list of `[batch, width]`.

        Raises:
            ValueError: If there is neither `initial_state` nor `dtype`, or the state is no pair.
        """
        listed = isinstance(inputs, list)
        inputs = _tf.stack(inputs) if listed else inputs
        batch = _tf.dimension_value(inputs.shape[1])
        batch = _tf.shape(inputs)[1] if batch is None else batch
        if initial_state is None:
            if dtype is None:
                raise ValueError("Either initial_state or dtype needs to be specified")
            initial_state = (_tf.zeros(_tf.stack([batch, self.num_units]), dtype),) * 2
        elif len(initial_state) != 2:
            raise ValueError(
                "Expecting initial_state to be a tuple with length 2 or None, got length "
                f"{len(initial_state)}"
            )
        cell, output = (_tf.convert_to_tensor(part) for part in initial_state)
        if sequence_length is not None:
            sequence_length = _tf.cast(sequence_length, _tf.int32)
            sequence_length = _tf.broadcast_to(sequence_length, _tf.stack([batch]))
        cells, outputs = self._call_cell(inputs, cell, output, cell.dtype, sequence_length)
        if sequence_length is None:
            state = rnn_cell.LSTMStateTuple(cells[-1], outputs[-1])
        else:
            within = _tf.sequence_mask(sequence_length, _tf.shape(inputs)[0], dtype=cell.dtype)
            outputs *= _tf.transpose(within)[:, :, _tf.newaxis]
            state = rnn_cell.LSTMStateTuple(
                _at_the_end(cell, cells, sequence_length),
                _at_the_end(output, outputs, sequence_length),
            )
        return _tf.unstack(outputs) if listed else outputs, state

    def _call_cell(self, *args: Any, **kwargs: Any) -> tuple[Tensor, Tensor]:
        raise NotImplementedError(f"{type(self).__name__} has no _call_cell")


def _at_the_end(first: Tensor, states: Tensor, lengths: Tensor) -> Tensor:
    """The state behind the last step of each sequence: the initial one where it has no step."""
    steps = _tf.concat([first[_tf.newaxis], states], 0)
    places = _tf.stack([lengths, _tf.range(_tf.shape(lengths)[0])], 1)
    found = _tf.gather_nd(steps, places)
    found.set_shape(first.shape)
    return found


class LSTMBlockFusedCell(LSTMBlockWrapper):
    """An LSTM over a whole sequence, in one op (`tf.contrib.rnn.LSTMBlockFusedCell`).

    Args:
        forget_bias: Added to the bias of the forget gate.
        others: As for `LSTMBlockCell`.
    """

    __init__ = constructor(
        "num_units forget_bias=1.0 cell_clip=None use_peephole=False reuse=None dtype=None "
        "name='lstm_fused_cell'"
    )

    def _init_with(self, given: dict[str, Any]) -> None:
        super().__init__(_reuse=given["reuse"], name=given["name"], dtype=given["dtype"])
        if release.before("1.5"):  # it had no name
            old = release.before("1.0")
            self._base_name = type(self).__name__ if old else "lstm_block_wrapper"
        self._units, self._forget_bias = given["num_units"], given["forget_bias"]
        self._peephole = given["use_peephole"]
        self._clip = -1 if given["cell_clip"] is None else given["cell_clip"]

    @property
    def num_units(self) -> int:
        """Width of the cell."""
        return self._units

    def build(self, input_shape: Any) -> None:
        shape = input_shape[0] if isinstance(input_shape, list) else input_shape
        width, units = int(shape[-1]), self._units
        self._kernel = self._weight("kernel", [width + units, units * 4])
        zeros = _tf.constant_initializer(0.0)
        self._bias = self._weight("bias", [units * 4], initializer=zeros)
        if self._peephole:
            self._diagonals = {
                f"wc{gate}": self._weight(f"w_{gate}_diag", [units])
                for gate in cells.gates_with_peepholes()
            }
        self.built = True

    def _weight(self, name: str, *args: Any, **kwargs: Any) -> Any:
        name = _cell_names.variable_name(name, rnn_cell.LSTM_OF_0_12)
        return self.add_variable(name, *args, **kwargs)

    def _call_cell(
        self,
        inputs: Tensor,
        initial_cell_state: Tensor,
        initial_output: Tensor,
        dtype: DType,
        sequence_length: Tensor | None,
    ) -> tuple[Tensor, Tensor]:
        longest: Any = _tf.dimension_value(inputs.shape[0])
        if longest is None:
            longest = _tf.shape(inputs)[0]
        if self._peephole:
            diagonals = self._diagonals
        else:
            diagonals = dict.fromkeys(["wci", "wcf", "wco"], _tf.zeros([self._units], dtype))
        if sequence_length is not None:
            longest = _tf.reduce_max(sequence_length)
        found = _tf.raw_ops.BlockLSTM(
            seq_len_max=_tf.cast(longest, _tf.int64),
            x=inputs,
            cs_prev=initial_cell_state,
            h_prev=initial_output,
            w=self._kernel,
            b=self._bias,
            forget_bias=self._forget_bias,
            **diagonals,
            cell_clip=self._clip,
            use_peephole=self._peephole,
        )
        return found.cs, found.h
