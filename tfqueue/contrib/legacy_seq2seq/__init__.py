"""`tf.contrib.legacy_seq2seq`, `tf.nn.seq2seq` up to 0.12: losses and models of sequences.

Sequences are lists with a tensor a time step, as they were then.

`embedding` has the decoders and models that take symbols.
"""

import contextlib
import copy
import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from tfqueue import _tensorflow, release
from tfqueue.v1 import _lazy_names, _rnn_loops
from tfqueue.v1._signatures import takes
from tfqueue.v1._types import Cell, DType, Scope, State, Tensor

_tf = _tensorflow.compat_v1()

__all__ = [
    "basic_rnn_seq2seq",
    "rnn_decoder",
    "sequence_loss",
    "sequence_loss_by_example",
    "tied_rnn_seq2seq",
]

_EMBEDDING = (
    "attention_decoder embedding_attention_decoder embedding_attention_seq2seq "
    "embedding_rnn_decoder embedding_rnn_seq2seq embedding_tied_rnn_seq2seq model_with_buckets"
)
_ROWS = {
    **{name: f"{__name__}.embedding:{name}" for name in _EMBEDDING.split()},
    # in `tf.nn.seq2seq` of 0.12
    "linear": "tfqueue.v1.rnn_cell:linear",
    "shape": "tf:shape",
}


def sequence_loss_by_example(
    logits: Sequence[Tensor],
    targets: Sequence[Tensor],
    weights: Sequence[Tensor],
    average_across_timesteps: bool = True,
    softmax_loss_function: Callable[..., Any] | None = None,
    name: str | None = None,
) -> Any:
    """The weighted cross entropy of each sequence (`sequence_loss_by_example`).

    Args:
        logits: List of float tensors `[batch, symbols]`, one a time step.
        targets: List of integer tensors `[batch]`.
        weights: List of float tensors `[batch]`.
        average_across_timesteps: Whether to divide by the sum of the weights.
        softmax_loss_function: Function of `labels` and `logits` in place of the
            sparse softmax cross entropy. Up to TensorFlow 0.12 it was given the logits and the
            labels, in 1.0 and 1.1 the labels and the logits, both by position.

    Returns:
        A float tensor `[batch]`.

    Raises:
        ValueError: If the lists are not of one length.
    """
    if not len(logits) == len(targets) == len(weights):
        raise ValueError(
            "Lengths of logits, weights, and targets must be the same "
            f"{len(logits)}, {len(weights)}, {len(targets)}."
        )
    loss = _tf.nn.sparse_softmax_cross_entropy_with_logits
    if softmax_loss_function is not None:
        loss = _by_name(softmax_loss_function)
    with _tf.name_scope(name, "sequence_loss_by_example", [*logits, *targets, *weights]):
        steps = []
        for logit, target, weight in zip(logits, targets, weights, strict=True):
            if softmax_loss_function is None:
                target = _tf.reshape(target, [-1])
            steps.append(loss(labels=target, logits=logit) * weight)
        total = _tf.add_n(steps)
        if average_across_timesteps:
            total /= _tf.add_n(list(weights)) + 1e-12  # all weights may be zero
    return total


def _by_name(loss: Callable[..., Any]) -> Callable[..., Any]:
    """A program's own loss, called by name, as it was called by its TensorFlow.

    Where it has no such names and the release is not known to be from before 1.0, the first name
    tells: `(labels, inputs)` was written for 1.0, `(inputs, labels)` for 0.12.
    """
    old = release.before("1.0")
    try:
        signature = inspect.signature(loss)
    except (TypeError, ValueError):  # of something compiled
        return (lambda labels, logits: loss(logits, labels)) if old else loss
    first = next(iter(signature.parameters), "").lower()
    with contextlib.suppress(TypeError):
        signature.bind(labels=None, logits=None)
        first = ""
    if old or any(word in first for word in ("logit", "input", "output", "pred")):
        return lambda labels, logits: loss(logits, labels)
    if any(word in first for word in ("label", "target")):
        return lambda labels, logits: loss(labels, logits)
    return loss


@takes(
    "logits targets weights average_across_timesteps=True average_across_batch=True "
    "softmax_loss_function=None name=None"
)
def sequence_loss(given: dict[str, Any]) -> Any:
    """The sum of `sequence_loss_by_example` over the batch (`sequence_loss`).

    Args:
        average_across_batch: Whether to divide by the batch's size.
        others: As for `sequence_loss_by_example`.

    Returns:
        A float scalar tensor.
    """
    name, mean = given.pop("name"), given.pop("average_across_batch")
    tensors = [*given["logits"], *given["targets"], *given["weights"]]
    with _tf.name_scope(name, "sequence_loss", tensors):
        total = _tf.reduce_sum(sequence_loss_by_example(**given))
        if mean:
            total /= _tf.cast(_tf.shape(given["targets"][0])[0], total.dtype)
    return total


def _inputs(
    given: Iterable[Tensor], outputs: Sequence[Tensor], loop_function: Callable[..., Any] | None
) -> Iterator[Tensor]:
    """The input of each step: the given one, or what a function makes of the last output.

    Args:
        given: Of all steps.
        outputs: Those of the steps so far; the caller adds to them.
        loop_function: As for `rnn_decoder`.
    """
    for number, inputs in enumerate(given):
        if number:
            _tf.get_variable_scope().reuse_variables()
            if loop_function is not None:
                with _tf.variable_scope("loop_function", reuse=True):
                    inputs = loop_function(outputs[-1], number)
        yield inputs


def rnn_decoder(
    decoder_inputs: Iterable[Tensor],
    initial_state: State,
    cell: Cell,
    loop_function: Callable[..., Any] | None = None,
    scope: Scope | None = None,
) -> Any:
    """Runs a cell over a list of inputs (`rnn_decoder`).

    Args:
        decoder_inputs: List of float tensors `[batch, inputs]`.
        initial_state: The state to begin with.
        loop_function: Function of the last output and the step's number to the
            step's input; the inputs but the first are not used then.
        scope: Variable scope; `rnn_decoder` when None.

    Returns:
        A pair: the list of outputs `[batch, outputs]`; the last state.
    """
    with _tf.variable_scope(scope or "rnn_decoder"):
        state: Any = initial_state
        outputs: list[Any] = []
        for inputs in _inputs(decoder_inputs, outputs, loop_function):
            output, state = cell(inputs, state)
            outputs.append(output)
    return outputs, state


def basic_rnn_seq2seq(
    encoder_inputs: Sequence[Tensor],
    decoder_inputs: Sequence[Tensor],
    cell: Cell,
    dtype: DType = _tf.float32,
    scope: Scope | None = None,
) -> Any:
    """An encoder whose last state a decoder begins with (`basic_rnn_seq2seq`).

    Args:
        encoder_inputs: List of tensors `[batch, inputs]`.
        decoder_inputs: List of tensors `[batch, inputs]`.
        cell: An `RNNCell`; encoder and decoder have one each.
        dtype: Of the encoder's first state.
        scope: Variable scope; `basic_rnn_seq2seq` when None.

    Returns:
        As `rnn_decoder`.
    """
    with _tf.variable_scope(scope or "basic_rnn_seq2seq"):
        _, state = _rnn_loops.static_rnn(copy.deepcopy(cell), encoder_inputs, dtype=dtype)
        return rnn_decoder(decoder_inputs, state, cell)


def tied_rnn_seq2seq(
    encoder_inputs: Sequence[Tensor],
    decoder_inputs: Sequence[Tensor],
    cell: Cell,
    loop_function: Callable[..., Any] | None = None,
    dtype: DType = _tf.float32,
    scope: Scope | None = None,
) -> Any:
    """`basic_rnn_seq2seq` with one set of variables for both (`tied_rnn_seq2seq`).

    Args:
        loop_function: As for `rnn_decoder`.
        scope: Variable scope; `tied_rnn_seq2seq` when None.
        others: As for `basic_rnn_seq2seq`.

    Returns:
        As `rnn_decoder`.
    """
    with _tf.variable_scope("combined_tied_rnn_seq2seq"):
        scope = scope or "tied_rnn_seq2seq"
        _, state = _rnn_loops.static_rnn(cell, encoder_inputs, dtype=dtype, scope=scope)
        _tf.get_variable_scope().reuse_variables()
        return rnn_decoder(decoder_inputs, state, cell, loop_function=loop_function, scope=scope)


__getattr__, __dir__ = _lazy_names.attributes(__name__, _ROWS)
