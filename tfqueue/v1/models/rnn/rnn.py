"""`tensorflow.models.rnn.rnn`, in the wheels up to 0.7: `rnn`, whose states were a list up to 0.6, and its kin."""

from typing import Any

import tfqueue.v1 as tf
from tfqueue import release
from tfqueue.names.sentence import GoneArgumentError
from tfqueue.v1._types import Tensor

bidirectional_rnn = tf.nn.bidirectional_rnn
state_saving_rnn = tf.nn.state_saving_rnn


class _Recorded:
    """A cell that keeps the state of each step."""

    def __init__(self, cell: Any) -> None:
        self._cell = cell
        self.output_size, self.state_size = cell.output_size, cell.state_size
        self.zero_state = cell.zero_state
        self.states: list[Any] = []

    def __call__(self, inputs: Tensor, state: Any, scope: Any = None) -> Any:
        output, state = self._cell(inputs, state)
        self.states.append(state)
        return output, state


def rnn(
    cell: Any,
    inputs: list[Tensor],
    initial_state: Any = None,
    dtype: Any = None,
    sequence_length: Any = None,
    scope: Any = None,
) -> tuple[list[Tensor], Any]:
    """Puts a list of inputs through a cell.

    Returns:
        The list of outputs, and up to 0.6 that of the states; since 0.7 the last state.
    """
    if not release.before("0.7"):
        made: tuple[list[Tensor], Any] = tf.nn.rnn(
            cell, inputs, initial_state, dtype, sequence_length, scope
        )
        return made
    if sequence_length is not None:
        use = "tf.nn.rnn, which gives each sequence's last state"
        raise GoneArgumentError("sequence_length of 0.6", "0.7", use)
    recorded = _Recorded(cell)
    outputs, _ = tf.nn.rnn(recorded, inputs, initial_state, dtype, None, scope)
    return outputs, recorded.states
