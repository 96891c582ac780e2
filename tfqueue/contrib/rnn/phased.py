"""`tf.contrib.rnn.PhasedLSTMCell`: an LSTM whose units are open by turns."""

from __future__ import annotations

from typing import Any

from tfqueue import _tensorflow
from tfqueue.contrib.rnn import cells
from tfqueue.v1 import _op_counts, rnn_cell
from tfqueue.v1._signatures import constructor
from tfqueue.v1._types import DType, State, Tensor

_tf = _tensorflow.compat_v1()


class PhasedLSTMCell(cells.LSTMSizes, cells.Stored):
    """An LSTM each of whose units changes in a part of its own period (`tf.contrib.rnn.PhasedLSTMCell`).

    Its input is a pair: the time, of shape `[batch, 1]`, and the features.

    Args:
        use_peepholes: Whether the cell's state is an input of the gates.
        leak: float, how much a closed unit lets through.
        ratio_on: float, the part of its period in which a unit is open.
        trainable_ratio_on: Whether that part is learned.
        period_init_min: float, the shortest period at first.
        period_init_max: float, the longest one.
    """

    __init__ = constructor(
        "num_units use_peepholes=False leak=0.001 ratio_on=0.1 trainable_ratio_on=True "
        "period_init_min=1.0 period_init_max=1000.0 reuse=None"
    )

    def call(self, inputs: Any, state: State) -> Any:
        """One step: `inputs` is the pair of time and features."""
        (time, x), (cell, output) = inputs, state
        seen = [cell] if self._use_peepholes else []
        gates = self._layer("mask_gates", [x, output, *seen], 2, _tf.sigmoid)
        enters, stays = _op_counts.split(gates, 2, axis=1)
        candidate = self._layer("new_input", [x, output], 1, _tf.tanh)
        new = cell * stays + enters * candidate
        seen = [new] if self._use_peepholes else []
        leaves = self._layer("output_gate", [x, output, *seen], 1, _tf.sigmoid)
        given = _tf.tanh(new) * leaves
        k = self._openness(time)
        cell, output = (
            k * after + (1 - k) * before for after, before in ((new, cell), (given, output))
        )
        return output, rnn_cell.LSTMStateTuple(cell, output)

    def _layer(self, scope: str, parts: list[Tensor], times: int, activation: Any) -> Tensor:
        with _tf.variable_scope(scope):
            return activation(rnn_cell._linear(parts, times * self._num_units, True))

    def _openness(self, time: Tensor) -> Tensor:
        """How far each unit is open at a time."""
        shape = [self._num_units]

        def period_at_first(
            shape: Any, dtype: DType = _tf.float32, partition_info: Any = None
        ) -> Tensor:
            bounds = _tf.log(self._period_init_min), _tf.log(self._period_init_max)
            return _tf.exp(_tf.random_uniform(shape, *bounds, dtype))

        period = _tf.get_variable("period", shape, initializer=period_at_first)
        phase = _tf.get_variable(
            "phase",
            shape,
            initializer=_tf.random_uniform_initializer(0.0, period.initial_value),
        )
        ratio = _tf.get_variable(
            "ratio_on",
            shape,
            initializer=_tf.constant_initializer(self._ratio_on),
            trainable=self._trainable_ratio_on,
        )
        phase, turn = _tf.cast(phase, time.dtype), _tf.cast(period, time.dtype)
        passed = time - phase
        # the rest of a division has no gradient of its own here: that of what is divided
        part = (_tf.stop_gradient(_tf.floormod(passed, turn) - passed) + passed) / turn
        part = _tf.cast(part, _tf.float32)
        opening = 2 * part / ratio
        closing, closed = 2 - opening, self._leak * part
        k = _tf.where(part < ratio, closing, closed)
        return _tf.where(part < 0.5 * ratio, opening, k)
