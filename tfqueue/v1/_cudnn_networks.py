"""What cuDNN computes of a sequence, on plain ops, and how one vector holds the weights of all layers.

The vector has the weights of all layers first and then their biases. Those of a layer are in the order of
cuDNN: forward before backward, what acts on the input before what acts on the state, and the gates of
`Plan.gates` in their order.
"""

import itertools
import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from tfqueue import _tensorflow
from tfqueue.v1._types import Tensor

_tf = _tensorflow.compat_v1()

MODES = {"lstm": "ifco", "gru": "run", "rnn_relu": "n", "rnn_tanh": "n"}
"""Each kind of network, and its gates: input, forget, candidate (c, n), output, reset, update."""
DIRECTIONS = ("unidirectional", "bidirectional")
INPUTS = ("linear_input", "skip_input", "auto_select")


class Plan(NamedTuple):
    """The sizes of a network."""

    mode: str
    layers: int
    units: int
    inputs: int
    both: bool
    """Whether each layer runs in both directions."""
    skip: bool = False
    """Whether the inputs are added to the gates as they are, without weights."""

    @property
    def runs(self) -> int:
        """The number of layers, each direction counted."""
        return self.layers * (1 + self.both)

    @property
    def gates(self) -> str:
        """A letter for each gate."""
        return MODES[self.mode]

    def weights(self) -> list[list[tuple[int, ...]]]:
        """The shapes of the weights of each layer and direction."""
        found: list[list[tuple[int, ...]]] = []
        for run in range(self.runs):
            first = run < 1 + self.both
            width = self.inputs if first else self.units * (1 + self.both)
            of_inputs = [] if first and self.skip else [(self.units, width)] * len(self.gates)
            found.append([*of_inputs, *[(self.units, self.units)] * len(self.gates)])
        return found

    def biases(self) -> list[list[tuple[int, ...]]]:
        """The shapes of the biases of each layer and direction."""
        return [[(self.units,)] * (2 * len(self.gates))] * self.runs

    def size(self) -> int:
        """The number of elements of the vector."""
        return sum(map(math.prod, itertools.chain(*self.weights(), *self.biases())))


def planned(
    mode: str, layers: int, units: int, inputs: int, input_mode: str, direction: str
) -> Plan:
    """The sizes that a program's arguments mean.

    Raises:
        ValueError: A mode or a direction is none of cuDNN's, or inputs of another size than the units
            are to be added to them.
    """
    for given, known in ((direction, DIRECTIONS), (input_mode, INPUTS)):
        if given not in known:
            raise ValueError(f"Invalid value: {given}, expecting one of {', '.join(known)}")
    if input_mode == "skip_input" and inputs != units:
        raise ValueError(f"skip_input needs inputs of {units} features, not of {inputs}")
    skip = input_mode != "linear_input" and inputs == units
    return Plan(mode, layers, units, inputs, direction == "bidirectional", skip)


def divided(plan: Plan, vector: Tensor) -> tuple[list[list[Tensor]], list[list[Tensor]]]:
    """The weights, each of shape [units, width], and the biases of each layer and direction."""
    shapes = [*plan.weights(), *plan.biases()]
    flat = list(itertools.chain(*shapes))
    sizes = [math.prod(shape) for shape in flat]
    parts = _tf.split(_tf.reshape(vector, [plan.size()]), sizes)
    tensors = iter([_tf.reshape(part, shape) for part, shape in zip(parts, flat, strict=True)])
    held = [[next(tensors) for _ in row] for row in shapes]
    return held[: plan.runs], held[plan.runs :]


def joined(weights: Sequence[Tensor], biases: Sequence[Tensor]) -> Tensor:
    """The vector that holds weights and biases."""
    return _tf.concat([_tf.reshape(part, [-1]) for part in (*weights, *biases)], 0)


def _step(mode: str, x: Sequence[Tensor], h: Sequence[Tensor], state: tuple[Tensor, ...]) -> Any:
    """The next state.

    Args:
        x: What the inputs give to each gate.
        h: What the state gives to it.
    """
    if mode == "lstm":
        i, f, c, o = (one + other for one, other in zip(x, h, strict=True))
        cell = _tf.sigmoid(f) * state[1] + _tf.sigmoid(i) * _tf.tanh(c)
        return _tf.sigmoid(o) * _tf.tanh(cell), cell
    if mode == "gru":
        reset, update = _tf.sigmoid(x[0] + h[0]), _tf.sigmoid(x[1] + h[1])
        new = _tf.tanh(x[2] + reset * h[2])
        return ((1 - update) * new + update * state[0],)
    return ((_tf.tanh if mode == "rnn_tanh" else _tf.nn.relu)(x[0] + h[0]),)


def _one(
    plan: Plan,
    inputs: Tensor,
    state: tuple[Tensor, ...],
    held: tuple[list[Tensor], list[Tensor]],
    within: Tensor | None,
) -> tuple[Tensor, ...]:
    """The states of all steps of one layer in one direction; all tensors are of [time, batch, units].

    Args:
        within: Of shape [time, batch, 1], whether a step is one of the sequence; None if all are.
    """
    (weights, biases), count = held, len(plan.gates)
    of_inputs, of_state = weights[:-count], _tf.concat(weights[-count:], 0)
    given = _tf.tile(inputs, [1, 1, count])
    if of_inputs:
        given = _tf.tensordot(inputs, _tf.concat(of_inputs, 0), [[2], [1]])
    given += _tf.concat(biases[:count], 0)

    def step(before: tuple[Tensor, ...], now: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
        kept = _tf.matmul(before[0], of_state, transpose_b=True) + _tf.concat(biases[count:], 0)
        x, h = (_tf.split(each, count, 1) for each in (now[0], kept))
        after = _step(plan.mode, x, h, before)
        if within is None:
            return tuple(after)
        chosen = now[1] & _tf.ones_like(after[0], _tf.bool)
        return tuple(_tf.where(chosen, *pair) for pair in zip(after, before, strict=True))

    return tuple(_tf.scan(step, (given,) if within is None else (given, within), state))


def run(
    plan: Plan,
    inputs: Tensor,
    states: tuple[Tensor, ...],
    vector: Tensor,
    *,
    lengths: Tensor | None = None,
    dropout: float = 0.0,
    seed: int | None = None,
) -> tuple[Tensor, tuple[Tensor, ...]]:
    """All layers over a sequence.

    Args:
        inputs: [time, batch, inputs].
        states: The first states, h and for LSTM also c: [layers and directions, batch, units].
        lengths: [batch], where sequences end; None if all are whole.
        dropout: Which share of what goes from a layer to the next one is left out.
        seed: Of the dropout.

    Returns:
        The outputs [time, batch, units and directions], and the last states.
    """
    within = None
    if lengths is not None:
        steps = _tf.shape(inputs)[0]
        within = _tf.transpose(_tf.sequence_mask(lengths, steps))[:, :, None]
    ends: list[tuple[Tensor, ...]] = []
    held = list(zip(*divided(plan, vector), strict=True))
    first = list(zip(*(_tf.unstack(each, plan.runs) for each in states), strict=True))
    for layer in range(plan.layers):
        outputs = []
        if layer and dropout:
            inputs = _tf.nn.dropout(inputs, rate=dropout, seed=seed)
        for backward in range(1 + plan.both):
            at = len(ends)
            given = _turned(inputs, lengths) if backward else inputs
            found = _one(plan, given, first[at], held[at], within)
            ends.append(tuple(each[-1] for each in found))
            output = found[0]
            if within is not None:
                output = _tf.where(within & _tf.ones_like(output, _tf.bool), output, output * 0)
            outputs.append(_turned(output, lengths) if backward else output)
        inputs = _tf.concat(outputs, 2)
    return inputs, tuple(_tf.stack(each) for each in zip(*ends, strict=True))


def _turned(inputs: Tensor, lengths: Tensor | None) -> Tensor:
    """Each sequence from its end to its beginning."""
    if lengths is None:
        return _tf.reverse(inputs, [0])
    return _tf.reverse_sequence(inputs, lengths, seq_axis=0, batch_axis=1)
