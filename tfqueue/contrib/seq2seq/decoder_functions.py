"""The decoders of TensorFlow 1.0: a function that `dynamic_rnn_decoder` calls at each step.

A decoder function takes the time, the state, the input, the output and the context of a step. It returns
whether the sequences are done, and the other four for the next step. The first call has neither state nor
output. TensorFlow 1.1 removed all of these functions.
"""

import functools
from collections.abc import Callable
from typing import Any, TypeAlias

from tfqueue import _tensorflow
from tfqueue.v1 import _lazy_names, rnn_cell
from tfqueue.v1._signatures import takes
from tfqueue.v1._types import Cell, Name, Scope, State, Tensor

_tf = _tensorflow.compat_v1()

Decoder: TypeAlias = Callable[[Any, Any, Any, Any, Any], tuple[Any, Any, Any, Any, Any]]
"""A decoder function."""
Attend: TypeAlias = Callable[[Tensor, Tensor, Tensor], Any]
"""From a query, keys and values to a context or an attention vector."""


_SYMBOLS = (
    "embeddings start_of_sequence_id end_of_sequence_id maximum_length num_decoder_symbols "
    "dtype=int32 name=None"
)


def simple_decoder_fn_train(encoder_state: State, name: Name = None) -> Decoder:
    """A decoder function for training (`tf.contrib.seq2seq.simple_decoder_fn_train`).

    Args:
        encoder_state: The state to begin with.

    Returns:
        A decoder function that hands on the true inputs.
    """
    return _decoder("simple_decoder_fn_train", name, encoder_state)


def attention_decoder_fn_train(
    encoder_state: State,
    attention_keys: Tensor,
    attention_values: Tensor,
    attention_score_fn: Attend,
    attention_construct_fn: Attend,
    name: Name = None,
) -> Decoder:
    """A decoder function with attention (`tf.contrib.seq2seq.attention_decoder_fn_train`).

    Args:
        encoder_state: The state to begin with.
        attention_keys: Keys, as `prepare_attention` gives them.
        attention_values: Values, as it gives them.
        attention_score_fn: As it gives it; unused, for `attention_construct_fn` has it.
        attention_construct_fn: As it gives it.

    Returns:
        A decoder function that appends the attention to each true input.
    """
    del attention_score_fn
    attend = _attending(attention_construct_fn, attention_keys, attention_values)
    return _decoder("attention_decoder_fn_train", name, encoder_state, attend)


@takes(f"output_fn encoder_state {_SYMBOLS}", dtype=_tf.int32)
def simple_decoder_fn_inference(given: dict[str, Any]) -> Decoder:
    """A decoder function for inference (`tf.contrib.seq2seq.simple_decoder_fn_inference`).

    Args:
        output_fn: From the cell's output to logits; None if they are the same.
        encoder_state: The state to begin with.
        embeddings: Matrix `[symbols, size]`.
        start_of_sequence_id: The symbol to begin with.
        end_of_sequence_id: The symbol that ends a sequence.
        maximum_length: After how many steps every sequence ends.
        num_decoder_symbols: How many symbols there are.

    Returns:
        A decoder function that feeds the embedding of the likeliest symbol.
    """
    return _inference("simple_decoder_fn_inference", given)


@takes(
    "output_fn encoder_state attention_keys attention_values attention_score_fn "
    f"attention_construct_fn {_SYMBOLS}",
    dtype=_tf.int32,
)
def attention_decoder_fn_inference(given: dict[str, Any]) -> Decoder:
    """The same with attention (`tf.contrib.seq2seq.attention_decoder_fn_inference`).

    Args:
        output_fn: From the attention to logits; None if they are the same.
        others: As for `attention_decoder_fn_train` and `simple_decoder_fn_inference`.

    Returns:
        A decoder function that feeds the embedding of the likeliest symbol and the attention.
    """
    parts = "attention_construct_fn", "attention_keys", "attention_values"
    return _inference(
        "attention_decoder_fn_inference", given, _attending(*(given[part] for part in parts))
    )


def _inference(
    scope: str, given: dict[str, Any], attend: Callable[[Any], Any] | None = None
) -> Decoder:
    name, state = given["name"], given["encoder_state"]
    feed = _Likeliest(given)
    with _tf.name_scope(name, scope):
        feed.prepare(given)
    return _decoder(scope, name, state, attend, feed)


def _attending(construct: Attend, keys: Tensor, values: Tensor) -> Callable[[Any], Any]:
    return lambda output: construct(output, keys, values)


def _decoder(
    scope: str,
    name: Name,
    encoder_state: State,
    attend: Callable[[Any], Any] | None = None,
    feed: "_Likeliest | None" = None,
) -> Decoder:
    """A decoder function.

    Args:
        scope: Its name scope, where `name` gives none.
        name: The name scope that the program gave.
        encoder_state: The state to begin with.
        attend: From the cell's output to an attention vector, which is appended to the inputs.
        feed: Chooses the inputs; the true ones when None.
    """

    def decoder_fn(time: Any, state: Any, inputs: Any, output: Any, context: Any) -> Any:
        with _tf.name_scope(name, scope, [time, state, inputs, output]):
            if feed is not None and inputs is not None:
                raise ValueError(f"Expected cell_input to be None, but saw: {inputs}")
            attention = done = None
            if (state if feed is None else output) is None:
                state = encoder_state
                attention = _first_attention(encoder_state) if attend else None
            elif attend:
                output = attention = attend(output)
            if feed is not None:
                output, inputs, done = feed.step(time, output)
            if attend:
                inputs = _tf.concat([inputs, attention], 1)
            return done, state, inputs, output, context

    return decoder_fn


class _Likeliest:
    """Chooses the likeliest symbol of each step and feeds its embedding to the next one."""

    def __init__(self, given: dict[str, Any]) -> None:
        self._output_fn, self._embeddings = given["output_fn"], given["embeddings"]
        self._dtype = given["dtype"]
        first = _tf.nest.flatten(given["encoder_state"])[0]
        self._batch = first.shape[0].value or _tf.shape(first)[0]

    def prepare(self, given: dict[str, Any]) -> None:
        """Makes tensors of the numbers, outside of the loop."""
        names = (
            "start_of_sequence_id",
            "end_of_sequence_id",
            "maximum_length",
            "num_decoder_symbols",
        )
        self._start, self._end, self._longest, self._symbols = (
            _tf.convert_to_tensor(given[name], self._dtype) for name in names
        )

    def step(self, time: Tensor, output: Tensor | None) -> tuple[Any, Any, Any]:
        """Returns the logits of this step, the next step's inputs, and which sequences end."""
        if output is None:
            output = _tf.zeros([self._symbols], _tf.float32)
            symbol = _tf.ones([self._batch], self._dtype) * self._start
            done = _tf.zeros([self._batch], _tf.bool)
        else:
            output = output if self._output_fn is None else self._output_fn(output)
            symbol = _tf.cast(_tf.argmax(output, 1), self._dtype)
            done = _tf.equal(symbol, self._end)
        late = _tf.greater(time, self._longest)
        done = _tf.cond(late, lambda: _tf.ones([self._batch], _tf.bool), lambda: done)
        return output, _tf.gather(self._embeddings, symbol), done


def _first_attention(encoder_state: State) -> Any:
    """Zeros in the shape of the output of the top layer.

    Args:
        encoder_state: A state; of a tuple, an `LSTMStateTuple` too, the last part is meant.
    """
    top = encoder_state[-1] if isinstance(encoder_state, tuple) else encoder_state
    return _tf.zeros_like(top.h if isinstance(top, rnn_cell.LSTMStateTuple) else top)


def prepare_attention(
    attention_states: Tensor, attention_option: str, num_units: int, reuse: bool | None = False
) -> tuple[Any, Tensor, Attend, Attend]:
    """Keys, values and functions of attention (`tf.contrib.seq2seq.prepare_attention`).

    Args:
        attention_states: Tensor `[batch, time, num_units]` to attend to.
        attention_option: `"bahdanau"` or `"luong"`.
        num_units: Size of the keys, of the cell's output and of the attention.
        reuse: Whether the variables are there already.

    Returns:
        The keys, the values, a function from a query, keys and values to a context vector, and one to the
        attention vector.
    """
    # `linear` of 1.0 took variables that were there, whatever `reuse` said
    layer = _lazy_names.resolve("tf_slim.layers.layers:linear")
    linear = functools.partial(layer, biases_initializer=None, reuse=_tf.AUTO_REUSE)
    with _tf.variable_scope("attention_keys", reuse=reuse) as scope:
        keys = linear(attention_states, num_units, scope=scope)
    score = _score_function(attention_option, num_units, reuse)
    with _tf.variable_scope("attention_construct", reuse=reuse) as scope:
        pass

    def construct(query: Tensor, keys: Tensor, values: Tensor) -> Any:
        both = _tf.concat([query, score(query, keys, values)], 1)
        return linear(both, num_units, scope=scope)

    return keys, attention_states, score, construct


def _score_function(option: str, num_units: int, reuse: bool | None) -> Attend:
    with _tf.variable_scope("attention_score", reuse=reuse):
        if option == "bahdanau":
            weights = _tf.get_variable("attnW", [num_units, num_units], _tf.float32)
            scale = _tf.get_variable("attnV", [num_units], _tf.float32)

    def score(query: Tensor, keys: Tensor, values: Tensor) -> Any:
        if option == "bahdanau":
            query = _tf.reshape(_tf.matmul(query, weights), [-1, 1, num_units])
            scores = _tf.reduce_sum(scale * _tf.tanh(keys + query), [2])
        elif option == "luong":
            scores = _tf.reduce_sum(keys * _tf.reshape(query, [-1, 1, num_units]), [2])
        else:
            raise ValueError(f"Unknown attention option {option}!")
        shares = _tf.expand_dims(_tf.nn.softmax(scores), 2)
        found = _tf.reduce_sum(shares * values, [1])
        found.set_shape([None, num_units])
        return found

    return score


def dynamic_rnn_decoder(
    cell: Cell,
    decoder_fn: Decoder,
    inputs: Tensor | None = None,
    sequence_length: Tensor | None = None,
    parallel_iterations: int | None = None,
    swap_memory: bool = False,
    time_major: bool = False,
    scope: Scope | None = None,
    name: Name = None,
) -> tuple[Any, Any, Any]:
    """Runs a cell with a decoder function (`tf.contrib.seq2seq.dynamic_rnn_decoder`).

    Args:
        decoder_fn: The decoder function.
        inputs: Tensor `[batch, time, depth]` for training; None for inference.
        sequence_length: int32 `[batch]`, for a decoder function that does not say what is done.
        parallel_iterations: As for `tf.while_loop`.
        swap_memory: As there.
        time_major: Whether inputs and outputs are `[time, batch, depth]`.
        scope: Variable scope of the cell, `rnn` when None.

    Returns:
        The outputs, the final state, and the final context, None where there is none.

    Raises:
        ValueError: If the inputs have less than two dimensions.
    """
    with _tf.name_scope(name, "dynamic_rnn_decoder", [inputs, sequence_length]):
        read = None if inputs is None else _reader(inputs, time_major)

        def loop_fn(time: Any, output: Any, state: Any, loop_state: Any) -> Any:
            context = loop_state[1] if isinstance(loop_state, tuple) else None
            given = None if read is None else read(time, state is None, loop_state)
            done, state, given, output, context = decoder_fn(time, state, given, output, context)
            done = time >= sequence_length if done is None else done
            return done, given, state, output, done if context is None else (done, context)

        outputs, state, loop_state = _tf.nn.raw_rnn(
            cell, loop_fn, parallel_iterations, swap_memory, scope
        )
        outputs = outputs.stack()
        if not time_major:
            outputs = _tf.transpose(outputs, [1, 0, 2])
        return outputs, state, loop_state[1] if isinstance(loop_state, tuple) else None


def _reader(inputs: Tensor, time_major: bool) -> Callable[[Any, bool, Any], Any]:
    """A function from the time, whether it is the first step, and the loop's state to the inputs."""
    inputs = _tf.convert_to_tensor(inputs)
    if inputs.shape.rank is not None and inputs.shape.rank < 2:
        raise ValueError("Inputs must have at least two dimensions")
    if not time_major:
        inputs = _tf.transpose(inputs, [1, 0, 2])
    longest = inputs.shape[0].value
    longest = _tf.shape(inputs)[0] if longest is None else longest
    array = _tf.TensorArray(inputs.dtype, size=longest).unstack(inputs)

    def read(time: Any, first: bool, loop_state: Any) -> Any:
        if first:
            return array.read(0)
        done = loop_state[0] if isinstance(loop_state, tuple) else loop_state
        batch = inputs.shape[1].value
        batch = _tf.shape(done)[0] if batch is None else batch
        nothing = [batch, int(inputs.shape[2])]
        return _tf.cond(
            _tf.equal(time, longest),
            lambda: _tf.zeros(nothing, inputs.dtype),
            lambda: array.read(time),
        )

    return read
