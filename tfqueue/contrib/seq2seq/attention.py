"""Attention: the mechanisms of Bahdanau and Luong, their monotonic forms, and the cell around them.

Variables stand where TensorFlow 1.15 had them, so that its checkpoints can be read.
"""

import collections
import functools
import inspect
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tfqueue import _tensorflow, release
from tfqueue.contrib.seq2seq import decoders
from tfqueue.v1 import layers, rnn_cell
from tfqueue.v1._signatures import constructor
from tfqueue.v1._types import Cell, DType, Op, Size, State, Tensor

_tf = _tensorflow.compat_v1()


def hardmax(logits: Tensor, name: str | None = None) -> Any:
    """One where each row is largest, zero elsewhere (`tf.contrib.seq2seq.hardmax`).

    Args:
        logits: Float tensor, its last dimension known when it runs.

    Returns:
        A tensor of the shape and dtype of `logits`.
    """
    with _tf.name_scope(name, "Hardmax", [logits]):
        logits = _tf.convert_to_tensor(logits)
        depth = logits.shape[-1].value
        depth = _tf.shape(logits)[-1] if depth is None else depth
        return _tf.one_hot(_tf.argmax(logits, -1), depth, dtype=logits.dtype)


def safe_cumprod(x: Tensor, *args: Any, **kwargs: Any) -> Any:
    """The cumulative product of numbers in [0, 1], by way of logarithms (`safe_cumprod`).

    Args:
        x: Float tensor.
        *args: As for `tf.cumsum`.
        **kwargs: As for `tf.cumsum`.

    Returns:
        A tensor of the shape of `x`.
    """
    with _tf.name_scope(None, "SafeCumprod", [x]):
        x = _tf.convert_to_tensor(x)
        smallest = np.finfo(x.dtype.as_numpy_dtype).tiny
        return _tf.exp(_tf.cumsum(_tf.log(_tf.clip_by_value(x, smallest, 1)), *args, **kwargs))


def monotonic_attention(p_choose_i: Tensor, previous_attention: Tensor, mode: str) -> Any:
    """Attention that only moves forward (`tf.contrib.seq2seq.monotonic_attention`).

    Args:
        p_choose_i: `[batch, time]`, with which probability to stop at each entry.
        previous_attention: `[batch, time]`, the attention of the step before.
        mode: `"recursive"` (exact, slow), `"parallel"` (exact but for very small probabilities) or
            `"hard"` (all probabilities are 0 or 1).

    Returns:
        `[batch, time]`, the attention.

    Raises:
        ValueError: For another mode.
    """
    p = _tf.convert_to_tensor(p_choose_i)
    before = _tf.convert_to_tensor(previous_attention)
    if mode == "recursive":
        passing = _tf.concat([_tf.ones_like(p[:, :1]), 1 - p[:, :-1]], 1)
        reached = _tf.scan(
            lambda last, step: step[0] * last + step[1],
            [_tf.transpose(passing), _tf.transpose(before)],
            _tf.zeros_like(p[:, 0]),
        )
        return p * _tf.transpose(reached)
    if mode == "parallel":
        passed = safe_cumprod(1 - p, axis=1, exclusive=True)
        return p * passed * _tf.cumsum(before / _tf.clip_by_value(passed, 1e-10, 1.0), axis=1)
    if mode == "hard":
        p *= _tf.cumsum(before, axis=1)
        return p * _tf.cumprod(1 - p, axis=1, exclusive=True)
    raise ValueError(f"mode must be 'recursive', 'parallel' or 'hard', got {mode!r}")


def _monotonic_probability_fn(
    score: Tensor,
    previous_alignments: Tensor,
    sigmoid_noise: float,
    mode: str,
    seed: int | None = None,
) -> Tensor:
    """`monotonic_attention` of scores, with noise added to them."""
    if sigmoid_noise > 0:
        score += sigmoid_noise * _tf.random_normal(_tf.shape(score), dtype=score.dtype, seed=seed)
    p = _tf.cast(score > 0, score.dtype) if mode == "hard" else _tf.sigmoid(score)
    return monotonic_attention(p, previous_alignments, mode)


def _prepare_memory(
    memory: Tensor,
    memory_sequence_length: Tensor | None = None,
    check_inner_dims_defined: bool = True,
) -> Any:
    """The memory as tensors, with zeros after the end of each sequence."""
    parts = [_tf.convert_to_tensor(part, name="memory") for part in _tf.nest.flatten(memory)]
    for part in parts:
        if check_inner_dims_defined and not part.shape[2:].is_fully_defined():
            raise ValueError(f"Expected memory {part.name} to have fully defined inner dims, "
                             f"but saw shape: {part.shape}")  # fmt: skip
    if memory_sequence_length is not None:
        masked = []
        for part in parts:
            mask = _tf.sequence_mask(memory_sequence_length, _tf.shape(part)[1], part.dtype)
            ones = [1] * (part.shape.rank - 2)
            masked.append(part * _tf.reshape(mask, _tf.concat([_tf.shape(mask), ones], 0)))
        parts = masked
    return _tf.nest.pack_sequence_as(memory, parts)


def _maybe_mask_score(
    score: Tensor, memory_sequence_length: Tensor | None, score_mask_value: float | Tensor
) -> Tensor:
    """Scores `[batch, time]`, set to a value after the end of each sequence."""
    if memory_sequence_length is None:
        return score
    mask = _tf.sequence_mask(memory_sequence_length, _tf.shape(score)[1])
    positive = _tf.assert_positive(
        memory_sequence_length,
        message="All values in memory_sequence_length must greater than zero.",
    )
    with _tf.control_dependencies([positive]):
        return _tf.where(mask, score, score_mask_value * _tf.ones_like(score))


class AttentionMechanism:
    """The base of what scores a memory by a query (`tf.contrib.seq2seq.AttentionMechanism`).

    Attributes:
        alignments_size: How many entries the memory has: int, or a scalar int32 tensor.
        state_size: The size of the state that goes from step to step.
    """

    @property
    def alignments_size(self) -> Any:
        raise NotImplementedError

    @property
    def state_size(self) -> Any:
        return self.alignments_size  # up to 1.5 the alignments were the only state


class _BaseAttentionMechanism(AttentionMechanism):
    """What all mechanisms share: the memory, its keys, and the masking of the scores.

    Programs derive mechanisms of their own from it.

    Args:
        query_layer: A layer for the query, or None.
        memory: `[batch, time, ...]`.
        probability_fn: Function of the scores `[batch, time]` and of the state.
        memory_sequence_length: int tensor `[batch]`, or None.
        memory_layer: The layer that makes the keys of the memory; it is the keys itself when None.
        check_inner_dims_defined: Whether the depth of the memory has to be known.
        score_mask_value: What masked scores are set to; minus infinity when None.
        custom_key_value_fn: Optional function of keys and values that gives both anew.

    Attributes:
        keys: `[batch, time, num_units]`.
        values: The memory, masked: `[batch, time, ...]`.
        batch_size: int, or a scalar int32 tensor.
        dtype: That of the keys.

    Raises:
        TypeError: If `probability_fn` is no function.
    """

    def __init__(
        self,
        query_layer: Any,
        memory: Any,
        probability_fn: Callable[[Tensor, State], Tensor],
        memory_sequence_length: Tensor | None = None,
        memory_layer: Any = None,
        check_inner_dims_defined: bool = True,
        score_mask_value: float | None = None,
        custom_key_value_fn: Callable[..., Any] | None = None,
        name: str | None = None,
    ) -> None:
        self._query_layer, self._memory_layer = query_layer, memory_layer
        if not callable(probability_fn):
            kind = type(probability_fn).__name__
            raise TypeError(f"probability_fn must be callable, saw type: {kind}")
        with _tf.name_scope(name, "BaseAttentionMechanismInit", _tf.nest.flatten(memory)):
            if memory_sequence_length is not None:
                memory_sequence_length = _tf.convert_to_tensor(
                    memory_sequence_length, name="memory_sequence_length"
                )
            self.memory_sequence_length = memory_sequence_length
            self._values = _prepare_memory(memory, memory_sequence_length, check_inner_dims_defined)
            self._keys = memory_layer(self._values) if memory_layer else self._values
            if custom_key_value_fn is not None:
                self._keys, self._values = custom_key_value_fn(self._keys, self._values)
            first = self._keys.shape[0].value
            self._batch_size = _tf.shape(self._keys)[0] if first is None else first
            second = self._keys.shape[1].value
            self._alignments_size = _tf.shape(self._keys)[1] if second is None else second
        self.dtype = _tf.as_dtype(getattr(memory_layer, "dtype", None) or self._keys.dtype)
        if score_mask_value is None:
            score_mask_value = self.dtype.as_numpy_dtype(-np.inf)
        self._probability_fn = lambda score, state: probability_fn(
            _maybe_mask_score(score, memory_sequence_length, score_mask_value), state
        )

    query_layer = property(lambda self: self._query_layer)
    memory_layer = property(lambda self: self._memory_layer)
    keys = property(lambda self: self._keys)
    values = property(lambda self: self._values)
    batch_size = property(lambda self: self._batch_size)
    alignments_size = property(lambda self: self._alignments_size)
    state_size = property(lambda self: self._alignments_size)

    def initial_alignments(self, batch_size: Tensor, dtype: DType) -> Tensor:
        """Zeros, `[batch_size, time]`: what the first step's previous alignments are."""
        return _tf.zeros([batch_size, self._alignments_size], dtype)

    def initial_state(self, batch_size: Tensor, dtype: DType) -> Any:
        """The state of the first step, which is `initial_alignments`."""
        return self.initial_alignments(batch_size, dtype)


class _BaseMonotonicAttentionMechanism(_BaseAttentionMechanism):
    """A mechanism whose first alignments are all on the first entry."""

    def initial_alignments(self, batch_size: Tensor, dtype: DType) -> Tensor:
        """All attention on the first entry, `[batch_size, time]`."""
        return _tf.one_hot(_tf.zeros([batch_size], _tf.int32), self._alignments_size, dtype=dtype)


class _Mechanism(_BaseAttentionMechanism):
    """A mechanism with dense layers and a score of its own."""

    _scope: str | None = None
    """Name of the variable scope of a call."""

    _has_query_layer = True
    """Whether a dense layer comes between the query and the score."""

    def _init_with(self, given: dict[str, Any]) -> None:
        """Makes the mechanism of its constructor's arguments."""
        dtype = _tf.float32 if given["dtype"] is None else given["dtype"]
        dense = functools.partial(layers.Dense, given["num_units"], use_bias=False, dtype=dtype)
        self._num_units, self._name = given["num_units"], given["name"]
        _BaseAttentionMechanism.__init__(
            self,
            dense(name="query_layer") if self._has_query_layer else None,
            memory_layer=dense(name="memory_layer"),
            probability_fn=self._probability_fn_of(given),
            **{name: given[name] for name in _OF_THE_BASE},
        )

    def _probability_fn_of(self, given: dict[str, Any]) -> Callable[[Tensor, State], Tensor]:
        """A function of scores and of the state."""
        function = given["probability_fn"] or _tf.nn.softmax
        return lambda score, _: function(score)

    def _score(self, query: Tensor) -> Tensor:
        raise NotImplementedError

    def __call__(self, query: Tensor, state: State) -> Any:
        """Scores the memory.

        Args:
            query: `[batch, depth]`.
            state: The state of the step before.

        Returns:
            The alignments `[batch, time]`, and the next state, which is the same tensor; up to 1.5 the
            alignments alone.
        """
        with _tf.variable_scope(None, self._scope, [query]):
            score = self._score(query)
        alignments = self._probability_fn(score, state)
        return alignments if release.before((1, 6)) else (alignments, alignments)


def _bahdanau_score(
    processed_query: Tensor,
    keys: Tensor,
    attention_v: Any = None,
    attention_g: Tensor | None = None,
    attention_b: Tensor | None = None,
    *,
    normalize: bool | None = None,
) -> Tensor:
    """`v . tanh(keys + query)`, with or without weights of length `g`.

    Args:
        processed_query: `[batch, num_units]`.
        keys: `[batch, time, num_units]`.
        attention_v: `[num_units]`; up to 1.13 `normalize` stood here.
        attention_g: Scalar: the length of the weights; they are not normalized when None.
        attention_b: `[num_units]`, or None.
        normalize: Makes the variables, with a length and an offset where it is True.

    Returns:
        `[batch, time]`.
    """
    if attention_v is None or isinstance(attention_v, (bool, int)):
        normalize = bool(normalize if attention_v is None else attention_v)
        dtype, units = processed_query.dtype, keys.shape[2].value or _tf.shape(keys)[2]
        attention_v = _tf.get_variable("attention_v", [units], dtype)
        if normalize:
            start = _tf.constant_initializer(math.sqrt(1.0 / units), dtype)
            attention_g = _tf.get_variable("attention_g", [], dtype, start)
            zeros = _tf.zeros_initializer()
            attention_b = _tf.get_variable("attention_b", [units], dtype, zeros)
    summed = keys + _tf.expand_dims(processed_query, 1)
    if attention_g is None or attention_b is None:
        return _tf.reduce_sum(attention_v * _tf.tanh(summed), [2])
    direction = attention_g * attention_v * _tf.rsqrt(_tf.reduce_sum(_tf.square(attention_v)))
    return _tf.reduce_sum(direction * _tf.tanh(summed + attention_b), [2])


def _luong_score(query: Tensor, keys: Tensor, scale: Any) -> Tensor:
    """`keys . query`, with or without a factor.

    Args:
        query: `[batch, num_units]`.
        keys: `[batch, time, num_units]`.
        scale: A factor, or None; up to 1.13, True makes a variable that is the factor.

    Returns:
        `[batch, time]`.

    Raises:
        ValueError: If the depths differ.
    """
    if query.shape[-1].value != keys.shape[-1].value:
        raise ValueError(
            "Incompatible or unknown inner dimensions between query and keys. Query "
            f"({query}) has units: {query.shape[-1]}. Keys ({keys}) have units: "
            f"{keys.shape[-1]}. Perhaps you need to set num_units to the the keys' "
            "dimension"
        )
    score = _tf.squeeze(_tf.matmul(_tf.expand_dims(query, 1), keys, transpose_b=True), [1])
    if scale is True:
        scale = _tf.get_variable("attention_g", [], query.dtype, _tf.ones_initializer())
    return score if scale is None or scale is False else scale * score


class _Additive(_Mechanism):
    """`v . tanh(keys + query)`, the score of Bahdanau, with or without weights of length `g`."""

    def _init_with(self, given: dict[str, Any]) -> None:
        self._normalize = given["normalize"]
        super()._init_with(given)

    def _score(self, query: Tensor) -> Tensor:
        query = self.query_layer(query) if self.query_layer else query
        return _bahdanau_score(query, self.keys, normalize=self._normalize)


class _Multiplicative(_Mechanism):
    """`keys . query`, the score of Luong, with or without a factor."""

    _has_query_layer = False

    def _init_with(self, given: dict[str, Any]) -> None:
        self._scale = given["scale"]
        super()._init_with(given)

    def _score(self, query: Tensor) -> Tensor:
        return _luong_score(query, self.keys, bool(self._scale))


class _Monotonic(_BaseMonotonicAttentionMechanism, _Mechanism):
    """A mechanism that only moves forward, and whose scores have a bias."""

    def _init_with(self, given: dict[str, Any]) -> None:
        self._score_bias_init = given["score_bias_init"]
        super()._init_with(given)

    def _probability_fn_of(self, given: dict[str, Any]) -> Callable[[Tensor, State], Tensor]:
        """The probabilities of `monotonic_attention`."""
        return functools.partial(
            _monotonic_probability_fn,
            sigmoid_noise=given["sigmoid_noise"],
            mode=given["mode"],
            seed=given["sigmoid_noise_seed"],
        )

    def _score(self, query: Tensor) -> Tensor:
        score = super()._score(query)
        start = _tf.constant_initializer(self._score_bias_init, score.dtype)
        return score + _tf.get_variable("attention_score_bias", [], score.dtype, start)


_OF_THE_BASE = (
    "memory",
    "memory_sequence_length",
    "score_mask_value",
    "custom_key_value_fn",
    "name",
)
# The parameters of the mechanisms.
_ATTENTION = (
    "num_units memory memory_sequence_length=None {} score_mask_value=None {} dtype=None "
    "custom_key_value_fn=None name='{}'"
)
_MONOTONIC = "sigmoid_noise=0.0 sigmoid_noise_seed=None score_bias_init=0.0 mode='parallel'"


class BahdanauAttention(_Additive):
    """Additive attention (`tf.contrib.seq2seq.BahdanauAttention`).

    Args:
        num_units: int, the depth of keys and query.
        memory: `[batch, time, ...]`, most of the time an encoder's outputs.
        memory_sequence_length: Optional int tensor `[batch]`: entries after it get no attention.
        normalize: Whether the weights are normalized to a learned length.
        probability_fn: Function of the scores `[batch, time]`; `tf.nn.softmax` when None.
        score_mask_value: What masked scores are set to; minus infinity when None.
        dtype: dtype of the layers, float32 when None.
        custom_key_value_fn: Optional function of keys and values that gives both anew.

    Raises:
        ValueError: If the depth of the memory is not known.
    """

    _scope = "bahdanau_attention"

    __init__ = constructor(
        _ATTENTION.format("normalize=False probability_fn=None", "", "BahdanauAttention")
    )


class LuongAttention(_Multiplicative):
    """Multiplicative attention (`tf.contrib.seq2seq.LuongAttention`).

    Args:
        num_units: int, the depth of the keys, and of every query.
        scale: Whether scores are multiplied by a learned factor.
        others: As for `BahdanauAttention`.

    Raises:
        ValueError: If the depth of the memory is not known, or at a call the query has another depth.
    """

    _scope = "luong_attention"

    __init__ = constructor(
        _ATTENTION.format("scale=False probability_fn=None", "", "LuongAttention")
    )


class BahdanauMonotonicAttention(_Monotonic, _Additive):
    """Additive attention that only moves forward (`BahdanauMonotonicAttention`).

    Args:
        sigmoid_noise: float, the standard deviation of noise that is added to the scores.
        sigmoid_noise_seed: int, for the noise.
        score_bias_init: float, what the bias of the scores starts as.
        mode: As for `monotonic_attention`.
        others: As for `BahdanauAttention`.
    """

    _scope = "bahdanau_monotonic_attention"

    __init__ = constructor(
        _ATTENTION.format("normalize=False", _MONOTONIC, "BahdanauMonotonicAttention")
    )


class LuongMonotonicAttention(_Monotonic, _Multiplicative):
    """Multiplicative attention that only moves forward (`LuongMonotonicAttention`).

    Args:
        scale: As for `LuongAttention`.
        others: As for `BahdanauMonotonicAttention`.
    """

    _scope = "luong_monotonic_attention"

    __init__ = constructor(_ATTENTION.format("scale=False", _MONOTONIC, "LuongMonotonicAttention"))


class AttentionWrapperState(
    collections.namedtuple(
        "AttentionWrapperState",
        "cell_state attention time alignments alignment_history attention_state",
        defaults=(None,),
    )
):
    """What an `AttentionWrapper` carries from step to step (`AttentionWrapperState`).

    Attributes:
        cell_state: The state of the cell inside.
        attention: `[batch, attention size]`, of the step before.
        time: Scalar int32.
        alignments: `[batch, time]`, or a tuple of one a mechanism.
        alignment_history: A `TensorArray` of alignments, or `()`; or a tuple.
        attention_state: The state of the mechanism, or a tuple; the alignments, as up to 1.5, when
            None.
    """

    __slots__ = ()

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        made = super().__new__(cls, *args, **kwargs)
        given = kwargs or len(args) < len(cls._fields)
        if given and made.attention_state is None:
            return made._replace(attention_state=made.alignments)
        return made

    def clone(self, **kwargs: Any) -> Any:
        """A copy with some parts replaced, each by one of the same static shape.

        Raises:
            ValueError: If a new part cannot have the shape of the old one.
        """

        def shaped(old: Tensor, new: Tensor) -> Tensor:
            if _tf.is_tensor(old) and _tf.is_tensor(new) and hasattr(new, "set_shape"):
                new.set_shape(old.shape)
            return new

        replaced = self._replace(**kwargs)
        return _tf.nest.map_structure(shaped, self, replaced)


def _default_cell_input(inputs: Tensor, attention: Tensor) -> Tensor:
    return _tf.concat([inputs, attention], -1)


def _is_of_before(mechanism: Any) -> bool:
    """Whether a mechanism takes alignments in place of a state, as up to 1.5."""
    return "previous_alignments" in inspect.signature(mechanism).parameters


def _aligned(mechanism: Any, query: Tensor, state: Any) -> tuple[Tensor, Any]:
    """The alignments of one mechanism, and its next state.

    Up to 1.5 a mechanism took and gave the alignments alone; programs have mechanisms of that kind.
    """
    if _is_of_before(mechanism):
        given = mechanism(query, previous_alignments=state)
    else:
        given = mechanism(query, state=state)
    return given if isinstance(given, tuple) else (given, given)


def _attend(
    mechanism: Any,
    cell_output: Tensor,
    attention_state: Any,
    attention_layer: Callable[[Tensor], Tensor] | None,
) -> tuple[Tensor, Tensor, Any]:
    """The attention of one mechanism, its alignments, and its next state."""
    alignments, state = _aligned(mechanism, cell_output, attention_state)
    context = _tf.squeeze(_tf.matmul(_tf.expand_dims(alignments, 1), mechanism.values), [1])
    if attention_layer is None:
        return context, alignments, state
    return attention_layer(_tf.concat([cell_output, context], 1)), alignments, state


def _compute_attention(
    attention_mechanism: Any,
    cell_output: Tensor,
    attention_state: Any,
    attention_layer: Callable[[Tensor], Tensor] | None,
) -> tuple[Any, ...]:
    """`_attend` for wrappers of one's own; up to 1.5 without the next state."""
    found = _attend(attention_mechanism, cell_output, attention_state, attention_layer)
    return found[:2] if release.before((1, 6)) or _is_of_before(attention_mechanism) else found


class AttentionWrapper(rnn_cell.RNNCell):
    """A cell with attention to a memory in each step (`tf.contrib.seq2seq.AttentionWrapper`).

    Args:
        cell: The `RNNCell` inside.
        attention_mechanism: A mechanism, or a list of them.
        attention_layer_size: int, or a list of them: the depth of a layer, without a bias, over the
            cell's output and the context, whose result is the attention. Without one, the attention is
            the context.
        alignment_history: Whether the state keeps the alignments of all steps.
        cell_input_fn: Function of inputs and attention; concatenates them when None.
        output_attention: Whether the attention is the output; else that of the cell is.
        initial_cell_state: What `zero_state` gives as the state of the cell, when not None.
        attention_layer: A layer, or a list of them, in place of `attention_layer_size`.
        attention_fn: Function of a mechanism, the cell's output, the mechanism's state and the
            attention layer, which returns attention, alignments and the next state.

    Raises:
        TypeError: If `cell`, `attention_mechanism` or `cell_input_fn` is something else.
        ValueError: If numbers of layers and mechanisms differ, or both kinds of layers are given.
    """

    def __init__(
        self,
        cell: Cell,
        attention_mechanism: Any,
        attention_layer_size: int | Sequence[int] | None = None,
        alignment_history: bool = False,
        cell_input_fn: Callable[..., Any] | None = None,
        output_attention: bool = True,
        initial_cell_state: State | None = None,
        name: str | None = None,
        attention_layer: Any = None,
        attention_fn: Callable[..., Any] | None = None,
        dtype: DType | None = None,
    ) -> None:
        super().__init__(name=name, dtype=dtype)
        decoders.check_cell(cell)
        self._is_multi = isinstance(attention_mechanism, (list, tuple))
        mechanisms = tuple(attention_mechanism) if self._is_multi else (attention_mechanism,)
        for mechanism in mechanisms:
            if not isinstance(mechanism, AttentionMechanism):
                raise TypeError(
                    "attention_mechanism must be an AttentionMechanism or a list of them, got "
                    f"{type(mechanism).__name__}"
                )
        if cell_input_fn is not None and not callable(cell_input_fn):
            raise TypeError(
                f"cell_input_fn must be callable, saw type: {type(cell_input_fn).__name__}"
            )
        if attention_layer_size is not None and attention_layer is not None:
            raise ValueError("Only one of attention_layer_size and attention_layer should be set")
        if attention_layer_size is not None:
            sizes = _as_tuple(attention_layer_size)
            attention_layer = [
                layers.Dense(size, name="attention_layer", use_bias=False, dtype=mechanism.dtype)
                for size, mechanism in zip(sizes, mechanisms, strict=len(sizes) == len(mechanisms))
            ]
            if len(sizes) != len(mechanisms):
                raise ValueError(
                    "If provided, attention_layer_size must contain exactly one integer per "
                    f"attention_mechanism, saw: {len(sizes)} vs {len(mechanisms)}"
                )
        if attention_layer is not None:
            attention_layer = _as_tuple(attention_layer)
            if len(attention_layer) != len(mechanisms):
                raise ValueError(
                    "If provided, attention_layer must contain exactly one layer per "
                    f"attention_mechanism, saw: {len(attention_layer)} vs {len(mechanisms)}"
                )
        self._attention_layers = attention_layer
        self._cell = cell
        self._attention_mechanisms = mechanisms
        self._cell_input_fn = cell_input_fn or _default_cell_input
        self._attention_fn = attention_fn or _attend
        self._output_attention = output_attention
        self._alignment_history = alignment_history
        self._attention_layer_size = sum(
            mechanism.values.shape[-1].value if layer is None else _depth(layer, mechanism)
            for mechanism, layer in zip(
                mechanisms, attention_layer or [None] * len(mechanisms), strict=True
            )
        )
        self._initial_cell_state = initial_cell_state
        if initial_cell_state is not None:
            with _tf.name_scope(name, "AttentionWrapperInit"):
                self._initial_cell_state = _tf.nest.map_structure(
                    lambda part: _tf.identity(part, name="check_initial_cell_state"),
                    initial_cell_state,
                )

    def _item_or_tuple(self, seq: Any) -> Any:
        """One a mechanism, as they stand in the state: a tuple of many, or the only one."""
        values = tuple(seq)
        return values if self._is_multi else values[0]

    @property
    def output_size(self) -> Any:
        return self._attention_layer_size if self._output_attention else self._cell.output_size

    @property
    def state_size(self) -> Any:
        sizes = [mechanism.alignments_size for mechanism in self._attention_mechanisms]
        return AttentionWrapperState(
            cell_state=self._cell.state_size,
            time=_tf.TensorShape([]),
            attention=self._attention_layer_size,
            alignments=self._item_or_tuple(sizes),
            attention_state=self._item_or_tuple(
                mechanism.state_size for mechanism in self._attention_mechanisms
            ),
            alignment_history=self._item_or_tuple(
                size if self._alignment_history else () for size in sizes
            ),
        )

    def zero_state(self, batch_size: Size, dtype: DType) -> Any:
        """The state before the first step.

        Args:
            batch_size: int or scalar int32 tensor. With a beam search, that of `tile_batch`.
            dtype: dtype of the state.

        Returns:
            An `AttentionWrapperState`.
        """
        with _tf.name_scope("AttentionWrapperZeroState", values=[batch_size]):
            if self._initial_cell_state is not None:
                cell_state = self._initial_cell_state
            else:
                cell_state = self._cell.get_initial_state(batch_size=batch_size, dtype=dtype)
            first = _tf.nest.flatten(cell_state)[-1]
            size = first.shape[0].value
            size = _tf.shape(first)[0] if size is None else size
            message = (
                "When calling zero_state of AttentionWrapper: the batch size of the memory, that of "
                "the initial cell state and the one asked for differ. With a BeamSearchDecoder, "
                "encoder outputs, their lengths and the encoder's state go through tile_batch "
                "(multiple=beam_width), and batch_size is batch_size * beam_width"
            )
            with _tf.control_dependencies(self._batch_size_checks(size, message)):
                cell_state = _tf.nest.map_structure(
                    lambda part: _tf.identity(part, name="checked_cell_state"), cell_state
                )
            alignments = [
                m.initial_alignments(batch_size, dtype) for m in self._attention_mechanisms
            ]
            return AttentionWrapperState(
                cell_state=cell_state,
                time=_tf.zeros([], _tf.int32),
                attention=_tf.zeros([batch_size, self._attention_layer_size], dtype),
                alignments=self._item_or_tuple(alignments),
                attention_state=self._item_or_tuple(
                    m.initial_state(batch_size, dtype) for m in self._attention_mechanisms
                ),
                alignment_history=self._item_or_tuple(
                    _tf.TensorArray(dtype, 0, dynamic_size=True, element_shape=each.shape)
                    if self._alignment_history
                    else ()
                    for each in alignments
                ),
            )

    def _batch_size_checks(self, batch_size: Tensor, error_message: str) -> list[Op]:
        return [
            _tf.assert_equal(mechanism.batch_size, batch_size, message=error_message)
            for mechanism in self._attention_mechanisms
        ]

    def call(self, inputs: Tensor, state: State) -> Any:
        """One step: the cell over inputs and the last attention, then the attention anew."""
        if not isinstance(state, AttentionWrapperState):
            raise TypeError(
                "Expected state to be instance of AttentionWrapperState. Received type "
                f"{type(state).__name__} instead."
            )
        cell_inputs = self._cell_input_fn(inputs, state.attention)
        cell_output, cell_state = self._cell(cell_inputs, state.cell_state)
        size = cell_output.shape[0].value
        size = _tf.shape(cell_output)[0] if size is None else size
        message = (
            "When applying AttentionWrapper: the batch size of the memory and that of the cell's "
            "output differ. With a BeamSearchDecoder, the memory goes through tile_batch"
        )
        with _tf.control_dependencies(self._batch_size_checks(size, message)):
            cell_output = _tf.identity(cell_output, name="checked_cell_output")
        states, histories = state.attention_state, state.alignment_history
        if not self._is_multi:
            states, histories = (states,), (histories,)
        attentions, alignments, next_states, next_histories = [], [], [], []
        attention_layers = self._attention_layers or [None] * len(self._attention_mechanisms)
        for mechanism, layer, last, history in zip(
            self._attention_mechanisms, attention_layers, states, histories, strict=True
        ):
            attention, aligned, next_state = self._attention_fn(mechanism, cell_output, last, layer)
            attentions.append(attention)
            alignments.append(aligned)
            next_states.append(next_state)
            next_histories.append(
                history.write(state.time, aligned) if self._alignment_history else ()
            )
        attention = _tf.concat(attentions, 1)
        next_state = AttentionWrapperState(
            time=state.time + 1,
            cell_state=cell_state,
            attention=attention,
            attention_state=self._item_or_tuple(next_states),
            alignments=self._item_or_tuple(alignments),
            alignment_history=self._item_or_tuple(next_histories),
        )
        return (attention if self._output_attention else cell_output), next_state


def _as_tuple(value: Any) -> tuple[Any, ...]:
    return tuple(value) if isinstance(value, (list, tuple)) else (value,)


def _depth(layer: Any, mechanism: Any) -> int:
    """How wide a layer's result is."""
    if hasattr(layer, "units"):
        return layer.units
    shape = [None, mechanism.values.shape[-1].value]
    return layer.compute_output_shape(shape)[-1].value
