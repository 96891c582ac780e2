"""`tf.contrib.crf`: linear-chain conditional random fields.

Scores are added up in logarithms. A batch holds sequences of several lengths; what comes after
the end of one is ignored. `n` is the number of tags.
"""

import operator
from typing import Any

import numpy as np

from tfqueue import _tensorflow
from tfqueue.v1 import _call_forms, _lazy_names, rnn_cell
from tfqueue.v1._types import Scope, State, Tensor

_tf = _tensorflow.compat_v1()

__all__ = [
    "CrfDecodeBackwardRnnCell",
    "CrfDecodeForwardRnnCell",
    "CrfForwardRnnCell",
    "crf_binary_score",
    "crf_decode",
    "crf_log_likelihood",
    "crf_log_norm",
    "crf_multitag_sequence_score",
    "crf_sequence_score",
    "crf_unary_score",
    "viterbi_decode",
]

__getattr__, __dir__ = _lazy_names.attributes(__name__, {})


def _lengths(sequence_lengths: Tensor) -> Tensor:
    return _tf.cast(_tf.convert_to_tensor(sequence_lengths), _tf.int64)


def _mask(tensor: Tensor, lengths: Tensor) -> Tensor:
    """`[batch, time]` of ones and zeros, as long as `tensor` is in its second dimension."""
    return _tf.sequence_mask(lengths, _tf.shape(tensor)[1], _tf.float32)


def _where_any(lengths: Tensor, values: Tensor) -> Tensor:
    """Zero for a sequence of no length; up to 1.8, what its first step gives."""
    if _call_forms.reaches("1.8"):
        return values
    return _tf.where(_tf.less_equal(lengths, 0), _tf.zeros_like(values), values)


def crf_unary_score(tag_indices: Tensor, sequence_lengths: Tensor, inputs: Tensor) -> Any:
    """The sum of the potentials of the given tags (`tf.contrib.crf.crf_unary_score`).

    Args:
        tag_indices: int32 `[batch, time]`.
        sequence_lengths: int `[batch]`.
        inputs: float32 `[batch, time, n]`, the potentials.

    Returns:
        float32 `[batch]`.
    """
    tags = _tf.cast(tag_indices, _tf.int32)
    chosen = _tf.gather(inputs, tags, batch_dims=2)
    return _tf.reduce_sum(chosen * _mask(tags, _lengths(sequence_lengths)), 1)


def crf_binary_score(
    tag_indices: Tensor, sequence_lengths: Tensor, transition_params: Tensor
) -> Any:
    """The sum of the transitions between the given tags (`tf.contrib.crf.crf_binary_score`).

    Args:
        tag_indices: int32 `[batch, time]`.
        sequence_lengths: int `[batch]`.
        transition_params: float32 `[n, n]`, from the tag of the row to that of the column.

    Returns:
        float32 `[batch]`.
    """
    tags = _tf.cast(tag_indices, _tf.int32)
    steps = _tf.stack([tags[:, :-1], tags[:, 1:]], axis=-1)
    between = _tf.gather_nd(transition_params, steps)
    return _tf.reduce_sum(between * _mask(tags, _lengths(sequence_lengths))[:, 1:], 1)


def crf_sequence_score(
    inputs: Tensor, tag_indices: Tensor, sequence_lengths: Tensor, transition_params: Tensor
) -> Any:
    """The score of the given tags, not normalized (`tf.contrib.crf.crf_sequence_score`).

    Args:
        inputs: float32 `[batch, time, n]`, the potentials.
        tag_indices: int32 `[batch, time]`.
        sequence_lengths: int `[batch]`.
        transition_params: float32 `[n, n]`.

    Returns:
        float32 `[batch]`, zero for a sequence of no length.
    """
    unary = crf_unary_score(tag_indices, sequence_lengths, inputs)
    if inputs.shape[1].value == 1:
        return unary
    return unary + crf_binary_score(tag_indices, sequence_lengths, transition_params)


def crf_multitag_sequence_score(
    inputs: Tensor, tag_bitmap: Tensor, sequence_lengths: Tensor, transition_params: Tensor
) -> Any:
    """The score of all sequences of allowed tags (`tf.contrib.crf.crf_multitag_sequence_score`).

    Args:
        inputs: float32 `[batch, time, n]`, the potentials.
        tag_bitmap: bool `[batch, time, n]`, which tags each step may have.
        sequence_lengths: int `[batch]`.
        transition_params: float32 `[n, n]`.

    Returns:
        float32 `[batch]`.
    """
    never = _tf.fill(_tf.shape(inputs), _tf.constant(-np.inf, _tf.float32))
    allowed = _tf.where(_tf.cast(tag_bitmap, _tf.bool), inputs, never)
    return crf_log_norm(allowed, sequence_lengths, transition_params)


def crf_log_norm(inputs: Tensor, sequence_lengths: Tensor, transition_params: Tensor) -> Any:
    """The logarithm of the sum over all tags (`tf.contrib.crf.crf_log_norm`).

    Args:
        inputs: float32 `[batch, time, n]`, the potentials.
        sequence_lengths: int `[batch]`.
        transition_params: float32 `[n, n]`.

    Returns:
        float32 `[batch]`, zero for a sequence of no length, which up to 1.8 counted as one step.
    """
    inputs = _tf.convert_to_tensor(inputs)
    lengths = _lengths(sequence_lengths)
    first = inputs[:, 0]
    if inputs.shape[1].value == 1:
        return _where_any(lengths, _tf.reduce_logsumexp(first, [1]))

    def many() -> Tensor:
        _, last = _tf.nn.dynamic_rnn(
            CrfForwardRnnCell(transition_params),
            inputs[:, 1:],
            sequence_length=_tf.maximum(_tf.constant(0, _tf.int64), lengths - 1),
            initial_state=first,
            dtype=_tf.float32,
        )
        return _tf.reduce_logsumexp(last, [1])

    return _where_any(lengths, many())


def crf_log_likelihood(
    inputs: Tensor,
    tag_indices: Tensor,
    sequence_lengths: Tensor,
    transition_params: Tensor | None = None,
) -> Any:
    """The log-likelihood of the given tags (`tf.contrib.crf.crf_log_likelihood`).

    Args:
        inputs: float32 `[batch, time, n]`, the potentials.
        tag_indices: int32 `[batch, time]`.
        sequence_lengths: int `[batch]`.
        transition_params: float32 `[n, n]`; when None, a variable `transitions` of the current scope.

    Returns:
        The log-likelihood, float32 `[batch]`, and the transitions.
    """
    inputs = _tf.convert_to_tensor(inputs)
    tags = inputs.shape[2].value
    if transition_params is None:
        transition_params = _tf.get_variable("transitions", [tags, tags])
    score = crf_sequence_score(inputs, tag_indices, sequence_lengths, transition_params)
    norm = crf_log_norm(inputs, sequence_lengths, transition_params)
    return score - norm, transition_params


class _Cell(rnn_cell.RNNCell):
    def __init__(self, transition_params: Tensor) -> None:
        super().__init__()
        self._transitions = _tf.expand_dims(transition_params, 0)
        self._tags = _tf.convert_to_tensor(transition_params).shape[0].value

    state_size = output_size = property(operator.attrgetter("_tags"))


class CrfForwardRnnCell(_Cell):
    """Adds up the scores of all ways to each tag (`tf.contrib.crf.CrfForwardRnnCell`).

    Args:
        transition_params: float32 `[n, n]`.
    """

    def __call__(self, inputs: Tensor, state: State, scope: Scope | None = None) -> Any:
        """Returns the sums `[batch, n]` of one step more, as output and as state."""
        sums = inputs + _tf.reduce_logsumexp(_tf.expand_dims(state, 2) + self._transitions, [1])
        return sums, sums


class CrfDecodeForwardRnnCell(_Cell):
    """Keeps the best way to each tag (`tf.contrib.crf.CrfDecodeForwardRnnCell`).

    Args:
        transition_params: float32 `[n, n]`.
    """

    def __call__(self, inputs: Tensor, state: State, scope: Scope | None = None) -> Any:
        """Returns from which tag each way comes, int32 `[batch, n]`, and the best scores."""
        ways = _tf.expand_dims(state, 2) + self._transitions
        return _tf.cast(_tf.argmax(ways, 1), _tf.int32), inputs + _tf.reduce_max(ways, [1])


class CrfDecodeBackwardRnnCell(rnn_cell.RNNCell):
    """Walks the best way back (`tf.contrib.crf.CrfDecodeBackwardRnnCell`)."""

    def __init__(self, num_tags: int) -> None:
        super().__init__()
        self._num_tags = num_tags

    @property
    def state_size(self) -> Any:
        return 1

    @property
    def output_size(self) -> Any:
        return 1

    def __call__(self, inputs: Tensor, state: State, scope: Scope | None = None) -> Any:
        """Returns the tag before `state`, int32 `[batch, 1]`, as output and as state."""
        before = _tf.gather(inputs, state, batch_dims=1)
        return before, before


def crf_decode(potentials: Tensor, transition_params: Tensor, sequence_length: Tensor) -> Any:
    """The best tags (`tf.contrib.crf.crf_decode`).

    Args:
        potentials: float32 `[batch, time, n]`.
        transition_params: float32 `[n, n]`.
        sequence_length: int `[batch]`.

    Returns:
        The tags, int32 `[batch, time]`, zero after the end of a sequence, and their scores, float32
        `[batch]`.
    """
    potentials = _tf.convert_to_tensor(potentials)
    if potentials.shape[1].value == 1:
        first = potentials[:, 0]
        return _tf.cast(_tf.argmax(potentials, axis=2), _tf.int32), _tf.reduce_max(first, 1)
    lengths = _lengths(sequence_length)
    steps = _tf.maximum(_tf.constant(0, _tf.int64), lengths - 1)
    pointers, scores = _tf.nn.dynamic_rnn(
        CrfDecodeForwardRnnCell(transition_params),
        potentials[:, 1:],
        sequence_length=steps,
        initial_state=potentials[:, 0],
        dtype=_tf.int32,
    )
    last = _tf.expand_dims(_tf.cast(_tf.argmax(scores, 1), _tf.int32), -1)
    tags, _ = _tf.nn.dynamic_rnn(
        CrfDecodeBackwardRnnCell(potentials.shape[2].value),
        _tf.reverse_sequence(pointers, steps, seq_axis=1, batch_axis=0),
        sequence_length=steps,
        initial_state=last,
        dtype=_tf.int32,
    )
    backwards = _tf.concat([last, _tf.squeeze(tags, [2])], 1)
    best = _tf.reverse_sequence(backwards, lengths, seq_axis=1, batch_axis=0)
    return best, _tf.reduce_max(scores, 1)


def viterbi_decode(score: Tensor, transition_params: Tensor) -> Any:
    """The best tags of one sequence, with numpy (`tf.contrib.crf.viterbi_decode`).

    Args:
        score: Array `[time, n]`, the potentials.
        transition_params: Array `[n, n]`.

    Returns:
        A list of the tags, and their score.

    >>> tags, score = viterbi_decode([[1, 0], [0, 3]], [[0, -1], [0, 1]])
    >>> tags, int(score)
    ([1, 1], 4)
    """
    score, transition_params = np.asarray(score), np.asarray(transition_params)
    trellis = np.array(score[0])
    pointers = []
    for row in score[1:]:
        ways = trellis[:, np.newaxis] + transition_params
        pointers.append(np.argmax(ways, 0).astype(np.int32))
        trellis = (row + np.max(ways, 0)).astype(score.dtype)  # as the array of all steps was
    path = [np.argmax(trellis)]
    for pointer in reversed(pointers):
        path.append(pointer[path[-1]])
    return path[::-1], np.max(trellis)
