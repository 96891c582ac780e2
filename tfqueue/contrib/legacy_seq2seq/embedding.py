"""Decoders and models of `tf.contrib.legacy_seq2seq` that take symbols: embeddings, attention, buckets."""

import copy
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from tfqueue import _tensorflow
from tfqueue.contrib import legacy_seq2seq, rnn
from tfqueue.v1 import _rnn_loops, rnn_cell
from tfqueue.v1._signatures import takes
from tfqueue.v1._types import Cell, DType, Flag, Projection, Scope, State, Tensor

_tf = _tensorflow.compat_v1()


def _likeliest(
    embedding: Tensor, output_projection: Projection | None, update_embedding: bool = True
) -> Callable[[Tensor, int], Tensor]:
    """A loop function: the embedding of the last output's likeliest symbol."""

    def loop_function(last: Tensor, _: int) -> Tensor:
        if output_projection is not None:
            last = _tf.nn.xw_plus_b(last, *output_projection)
        found = _tf.nn.embedding_lookup(embedding, _tf.argmax(last, 1))
        return found if update_embedding else _tf.stop_gradient(found)

    return loop_function


def _embedded(
    symbols: Sequence[Tensor], num_symbols: int, embedding_size: int
) -> tuple[Any, Iterator[Tensor]]:
    """The embedding, and the vectors of symbols, which are looked up one by one."""
    embedding = _tf.get_variable("embedding", [num_symbols, embedding_size])
    return embedding, (_tf.nn.embedding_lookup(embedding, each) for each in symbols)


def _of_symbols(given: dict[str, Any]) -> tuple[Iterator[Tensor], Callable[..., Any] | None]:
    """The inputs of a decoder of symbols, and its loop function, of its arguments."""
    embedding, inputs = _embedded(
        given["decoder_inputs"], given["num_symbols"], given["embedding_size"]
    )
    if not given["feed_previous"]:
        return inputs, None
    update = given["update_embedding_for_previous"]
    return inputs, _likeliest(embedding, given["output_projection"], update)


@takes(
    "decoder_inputs initial_state cell num_symbols embedding_size output_projection=None "
    "feed_previous=False update_embedding_for_previous=True scope=None"
)
def embedding_rnn_decoder(given: dict[str, Any]) -> Any:
    """`rnn_decoder` of symbols (`embedding_rnn_decoder`).

    Args:
        decoder_inputs: List of int tensors `[batch]`.
        initial_state: The state to begin with.
        embedding_size: int, the width of an embedding.
        output_projection: Optional pair of weights and biases, which make symbols of outputs.
        feed_previous: Whether each step but the first is fed the symbol of the step before.
        update_embedding_for_previous: Whether gradients go through these.
        scope: Variable scope; `embedding_rnn_decoder` when None.

    Returns:
        As `rnn_decoder`.
    """
    with _tf.variable_scope(given["scope"] or "embedding_rnn_decoder"):
        inputs, fed = _of_symbols(given)
        return legacy_seq2seq.rnn_decoder(inputs, given["initial_state"], given["cell"], fed)


def _either(decode: Callable[[bool], Any], feed_previous: Flag) -> Any:
    """`decode(True)` or `decode(False)`, as a bool or a bool tensor says."""
    if isinstance(feed_previous, bool):
        return decode(feed_previous)
    shape: list[Any] = []

    def branch(fed: bool, reuse: bool | None) -> list[Tensor]:
        with _tf.variable_scope(_tf.get_variable_scope(), reuse=reuse):
            outputs, state = decode(fed)
        shape[:] = [state]
        return [*outputs, *_tf.nest.flatten(state)]

    both = _tf.cond(feed_previous, lambda: branch(True, None), lambda: branch(False, True))
    count = len(both) - len(_tf.nest.flatten(shape[0]))
    return both[:count], _tf.nest.pack_sequence_as(shape[0], both[count:])


def _encoded(given: dict[str, Any], scope: Scope) -> tuple[list[Tensor], State]:
    """The outputs and the last state of the encoder, of a model's arguments."""
    cell = copy.deepcopy(given["cell"])
    encoder = rnn.EmbeddingWrapper(cell, given["num_encoder_symbols"], given["embedding_size"])
    dtype = given["dtype"] or scope.dtype
    encoded: tuple[list[Tensor], State] = _rnn_loops.static_rnn(
        encoder, given["encoder_inputs"], dtype=dtype
    )
    return encoded


def _projected(given: dict[str, Any], symbols: int) -> Cell:
    """The decoder's cell, of a model's arguments; with a layer to the symbols where none is given."""
    if given["output_projection"] is None:
        return rnn.OutputProjectionWrapper(given["cell"], symbols)
    return given["cell"]


def _decoding(given: dict[str, Any], fed: bool) -> dict[str, Any]:
    """Arguments of a decoder of symbols, of a model's; `fed` says whether its outputs are its next inputs."""
    return {
        "num_symbols": given["num_decoder_symbols"],
        "embedding_size": given["embedding_size"],
        "output_projection": given["output_projection"],
        "feed_previous": fed,
        # as in TensorFlow 1: chosen by a tensor, the fed symbols pass no gradients
        "update_embedding_for_previous": isinstance(given["feed_previous"], bool),
    }


@takes(
    "encoder_inputs decoder_inputs cell num_encoder_symbols num_decoder_symbols embedding_size "
    "output_projection=None feed_previous=False dtype=None scope=None"
)
def embedding_rnn_seq2seq(given: dict[str, Any]) -> Any:
    """`basic_rnn_seq2seq` of symbols (`embedding_rnn_seq2seq`).

    Args:
        encoder_inputs: List of int tensors `[batch]`.
        decoder_inputs: List of int tensors `[batch]`.
        cell: An `RNNCell`; encoder and decoder have one each.
        output_projection: As for `embedding_rnn_decoder`; a layer to the symbols when None.
        feed_previous: As there, or a bool tensor.
        dtype: Of the encoder's first state.
        scope: Variable scope; `embedding_rnn_seq2seq` when None.

    Returns:
        As `rnn_decoder`.
    """
    with _tf.variable_scope(given["scope"] or "embedding_rnn_seq2seq") as found:
        _, state = _encoded(given, found)
        cell = _projected(given, given["num_decoder_symbols"])

        def decode(fed: bool) -> Any:
            decoding = _decoding(given, fed)
            return embedding_rnn_decoder(given["decoder_inputs"], state, cell, **decoding)

        return _either(decode, given["feed_previous"])


@takes(
    "encoder_inputs decoder_inputs cell num_symbols embedding_size num_decoder_symbols=None "
    "output_projection=None feed_previous=False dtype=None scope=None"
)
def embedding_tied_rnn_seq2seq(given: dict[str, Any]) -> Any:
    """`tied_rnn_seq2seq` of symbols, with one embedding for both (`embedding_tied_rnn_seq2seq`).

    Args:
        num_decoder_symbols: int, how many symbols are told apart in the outputs; all when None.
        scope: Variable scope; `embedding_tied_rnn_seq2seq` when None.
        others: As for `embedding_rnn_seq2seq`.

    Returns:
        As `rnn_decoder`.
    """
    with _tf.variable_scope(given["scope"] or "embedding_tied_rnn_seq2seq") as found:
        dtype = given["dtype"] or found.dtype
        embedding, inputs = _embedded(
            given["encoder_inputs"], given["num_symbols"], given["embedding_size"]
        )
        first = list(inputs)
        second = [_tf.nn.embedding_lookup(embedding, each) for each in given["decoder_inputs"]]
        cell = _projected(given, given["num_decoder_symbols"] or given["num_symbols"])

        def decode(fed: bool) -> Any:
            update = isinstance(given["feed_previous"], bool)
            loop = _likeliest(embedding, given["output_projection"], update) if fed else None
            return legacy_seq2seq.tied_rnn_seq2seq(first, second, cell, loop, dtype)

        return _either(decode, given["feed_previous"])


def attention_decoder(
    decoder_inputs: Sequence[Tensor],
    initial_state: State,
    attention_states: Tensor,
    cell: Cell,
    output_size: int | None = None,
    num_heads: int = 1,
    loop_function: Callable[..., Any] | None = None,
    dtype: DType | None = None,
    scope: Scope | None = None,
    initial_state_attention: bool = False,
) -> Any:
    """`rnn_decoder` with attention to the encoder's outputs (`attention_decoder`).

    Args:
        decoder_inputs: List of float tensors `[batch, inputs]`.
        initial_state: The state to begin with.
        attention_states: Float tensor `[batch, length, size]`.
        output_size: int; that of the cell when None.
        num_heads: int, how many attentions a step computes.
        loop_function: As for `rnn_decoder`.
        dtype: Of the first attention.
        scope: Variable scope; `attention_decoder` when None.
        initial_state_attention: Whether an attention is computed from the first state before the first step.

    Returns:
        As `rnn_decoder`.

    Raises:
        ValueError: If there are no inputs, no head, or a size is not known.
    """
    if not decoder_inputs:
        raise ValueError("Must provide at least 1 input to attention decoder.")
    if num_heads < 1:
        raise ValueError("With less than 1 heads, use a non-attention decoder.")
    width = attention_states.shape[2].value
    if width is None:
        raise ValueError(f"Shape[2] of attention_states must be known: {attention_states.shape}")
    output_size = cell.output_size if output_size is None else output_size
    with _tf.variable_scope(scope or "attention_decoder", dtype=dtype) as found:
        dtype = found.dtype
        batch = _tf.shape(decoder_inputs[0])[0]
        length = attention_states.shape[1].value
        length = _tf.shape(attention_states)[1] if length is None else length
        hidden = _tf.reshape(attention_states, [-1, length, 1, width])
        keys, weights = [], []
        for head in range(num_heads):
            kernel = _tf.get_variable(f"AttnW_{head}", [1, 1, width, width], dtype)
            keys.append(_tf.nn.conv2d(hidden, kernel, [1, 1, 1, 1], "SAME"))
            weights.append(_tf.get_variable(f"AttnV_{head}", [width], dtype))

        def attend(state: State) -> list[Tensor]:
            query: Any = state
            if _tf.nest.is_nested(state):
                query = _tf.concat(_tf.nest.flatten(state), 1)
            looks = []
            for head in range(num_heads):
                with _tf.variable_scope(f"Attention_{head}"):
                    asked = _tf.reshape(rnn_cell._linear(query, width, True), [-1, 1, 1, width])
                    asked = _tf.cast(asked, dtype)
                    score = _tf.reduce_sum(weights[head] * _tf.tanh(keys[head] + asked), [2, 3])
                    share = _tf.reshape(_tf.nn.softmax(score), [-1, length, 1, 1])
                    look = _tf.reduce_sum(share * hidden, [1, 2])
                    looks.append(_tf.reshape(look, [-1, width]))
            return looks

        size = _tf.stack([batch, width])
        looks = [_tf.zeros(size, dtype) for _ in range(num_heads)]
        for look in looks:
            look.set_shape([None, width])
        if initial_state_attention:
            looks = attend(initial_state)
        state: Any = initial_state
        outputs: list[Any] = []
        for inputs in legacy_seq2seq._inputs(decoder_inputs, outputs, loop_function):
            wide = inputs.shape[1].value
            if wide is None:
                raise ValueError(f"Could not infer input size from input: {inputs.name}")
            output, state = cell(rnn_cell._linear([inputs, *looks], wide, True), state)
            reuse = True if initial_state_attention and not outputs else None
            with _tf.variable_scope(_tf.get_variable_scope(), reuse=reuse):
                looks = attend(state)
            with _tf.variable_scope("AttnOutputProjection"):
                outputs.append(rnn_cell._linear([output, *looks], output_size, True))
    return outputs, state


@takes(
    "decoder_inputs initial_state attention_states cell num_symbols embedding_size num_heads=1 "
    "output_size=None output_projection=None feed_previous=False "
    "update_embedding_for_previous=True dtype=None scope=None initial_state_attention=False"
)
def embedding_attention_decoder(given: dict[str, Any]) -> Any:
    """`attention_decoder` of symbols (`embedding_attention_decoder`).

    Args:
        decoder_inputs: List of int tensors `[batch]`.
        scope: Variable scope; `embedding_attention_decoder` when None.
        others: As for `attention_decoder` and `embedding_rnn_decoder`.

    Returns:
        As `rnn_decoder`.
    """
    scope = given["scope"] or "embedding_attention_decoder"
    with _tf.variable_scope(scope, dtype=given["dtype"]):
        inputs, fed = _of_symbols(given)
        return attention_decoder(
            list(inputs),
            given["initial_state"],
            given["attention_states"],
            given["cell"],
            output_size=given["output_size"],
            num_heads=given["num_heads"],
            loop_function=fed,
            initial_state_attention=given["initial_state_attention"],
        )


@takes(
    "encoder_inputs decoder_inputs cell num_encoder_symbols num_decoder_symbols embedding_size "
    "num_heads=1 output_projection=None feed_previous=False dtype=None scope=None "
    "initial_state_attention=False"
)
def embedding_attention_seq2seq(given: dict[str, Any]) -> Any:
    """`embedding_rnn_seq2seq` whose decoder has attention to the encoder's outputs.

    Args:
        scope: Variable scope; `embedding_attention_seq2seq` when None.
        others: As for `attention_decoder` and `embedding_rnn_seq2seq`.

    Returns:
        As `rnn_decoder`.
    """
    scope = given["scope"] or "embedding_attention_seq2seq"
    with _tf.variable_scope(scope, dtype=given["dtype"]) as found:
        outputs, state = _encoded(given, found)
        width = given["cell"].output_size
        tops = _tf.concat([_tf.reshape(each, [-1, 1, width]) for each in outputs], 1)
        symbols = given["num_decoder_symbols"]
        cell = _projected(given, symbols)

        def decode(fed: bool) -> Any:
            return embedding_attention_decoder(
                given["decoder_inputs"],
                state,
                tops,
                cell,
                **_decoding(given, fed),
                num_heads=given["num_heads"],
                output_size=symbols if given["output_projection"] is None else None,
                initial_state_attention=given["initial_state_attention"],
            )

        return _either(decode, given["feed_previous"])


def model_with_buckets(
    encoder_inputs: Sequence[Tensor],
    decoder_inputs: Sequence[Tensor],
    targets: Sequence[Tensor],
    weights: Sequence[Tensor],
    buckets: Sequence[tuple[int, int]],
    seq2seq: Callable[..., Any],
    softmax_loss_function: Callable[..., Any] | None = None,
    per_example_loss: bool = False,
    name: str | None = None,
) -> Any:
    """One model for several lengths, all with the same variables (`model_with_buckets`).

    Args:
        encoder_inputs: List of tensors, as many as the longest bucket has.
        decoder_inputs: List of tensors.
        targets: List of int tensors `[batch]`.
        weights: List of float tensors `[batch]`.
        buckets: List of pairs: how many inputs and how many outputs.
        seq2seq: Function of encoder and decoder inputs, which returns outputs and state.
        softmax_loss_function: As for `sequence_loss`.
        per_example_loss: Whether the losses are those of the examples, not their mean.

    Returns:
        The outputs and the losses, a list of one entry a bucket each.

    Raises:
        ValueError: If there are fewer inputs, targets or weights than a bucket has.
    """
    most = [max(bucket[side] for bucket in buckets) for side in (0, 1)]
    for what, given, needed in (
        ("encoder_inputs", encoder_inputs, most[0]),
        ("targets", targets, most[1]),
        ("weights", weights, most[1]),
    ):
        if len(given) < needed:
            raise ValueError(
                f"Length of {what} ({len(given)}) must be at least that of last bucket ({needed})."
            )
    measure: Callable[..., Any] = legacy_seq2seq.sequence_loss
    if per_example_loss:
        measure = legacy_seq2seq.sequence_loss_by_example
    outputs, losses = [], []
    everything = [*encoder_inputs, *decoder_inputs, *targets, *weights]
    with _tf.name_scope(name, "model_with_buckets", everything):
        for number, (long, wide) in enumerate(buckets):
            with _tf.variable_scope(_tf.get_variable_scope(), reuse=True if number else None):
                made, _ = seq2seq(encoder_inputs[:long], decoder_inputs[:wide])
                outputs.append(made)
                losses.append(
                    measure(
                        made,
                        targets[:wide],
                        weights[:wide],
                        softmax_loss_function=softmax_loss_function,
                    )
                )
    return outputs, losses
