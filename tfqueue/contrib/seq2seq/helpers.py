"""Helpers: the inputs of a decoder in each step, and when it is finished."""

import abc
import operator
from collections.abc import Callable
from typing import Any

from tfqueue import _tensorflow
from tfqueue.v1._signatures import constructor
from tfqueue.v1._types import DType, Name, Shape, State, Tensor

_tf = _tensorflow.compat_v1()


class Helper(abc.ABC):
    """Feeds a decoder (`tf.contrib.seq2seq.Helper`).

    Attributes:
        batch_size: Scalar int32 tensor.
        sample_ids_shape: `TensorShape` of one sample, without the batch.
        sample_ids_dtype: Its dtype.
    """

    @property
    @abc.abstractmethod
    def batch_size(self) -> Any:
        raise NotImplementedError

    @property
    def sample_ids_shape(self) -> Any:
        return _tf.TensorShape([])

    @property
    def sample_ids_dtype(self) -> Any:
        return _tf.int32

    @abc.abstractmethod
    def initialize(self, name: Name = None) -> Any:
        """Returns which sequences are finished, `[batch]`, and the first inputs."""

    @abc.abstractmethod
    def sample(self, time: Tensor, outputs: Tensor, state: State, name: Name = None) -> Any:
        """Returns the sample of a step's outputs."""

    @abc.abstractmethod
    def next_inputs(
        self, time: Tensor, outputs: Tensor, state: State, sample_ids: Tensor, name: Name = None
    ) -> Any:
        """Returns which sequences are finished, the next inputs, and the next state."""


class _Helper(Helper):
    """What the helpers here have in common."""

    _batch_size: Any = None
    _sample_ids_shape: Shape = _tf.TensorShape([])
    _sample_ids_dtype: DType = _tf.int32

    @property
    def batch_size(self) -> Any:
        if self._batch_size is None:
            raise ValueError("batch_size accessed before initialize was called")
        return self._batch_size

    sample_ids_shape = property(operator.attrgetter("_sample_ids_shape"))
    sample_ids_dtype = property(operator.attrgetter("_sample_ids_dtype"))


class _FromStart(_Helper):
    """A helper whose first inputs are known; no sequence is finished at first."""

    _start_inputs: Tensor

    def initialize(self, name: Name = None) -> Any:
        return _tf.tile([False], [self._batch_size]), self._start_inputs


class CustomHelper(_Helper):
    """A helper of three functions (`tf.contrib.seq2seq.CustomHelper`).

    Args:
        initialize_fn: Returns `(finished, first inputs)`.
        sample_fn: Of `time`, `outputs` and `state`: returns the samples.
        next_inputs_fn: Of `time`, `outputs`, `state` and `sample_ids`: returns `(finished, next
            inputs, next state)`.
        sample_ids_shape: Shape of one sample, a scalar when None.
        sample_ids_dtype: Its dtype, int32 when None.
    """

    def __init__(
        self,
        initialize_fn: Callable[..., Any],
        sample_fn: Callable[..., Any],
        next_inputs_fn: Callable[..., Any],
        sample_ids_shape: Any = None,
        sample_ids_dtype: Any = None,
    ) -> None:
        self._initialize_fn = initialize_fn
        self._sample_fn = sample_fn
        self._next_inputs_fn = next_inputs_fn
        self._sample_ids_shape = _tf.TensorShape(sample_ids_shape or [])
        self._sample_ids_dtype = sample_ids_dtype or _tf.int32

    def initialize(self, name: Name = None) -> Any:
        with _tf.name_scope(name, "CustomHelperInitialize"):
            finished, inputs = self._initialize_fn()
            if self._batch_size is None:
                self._batch_size = _tf.size(finished)
        return finished, inputs

    def sample(self, time: Tensor, outputs: Tensor, state: State, name: Name = None) -> Any:
        with _tf.name_scope(name, "CustomHelperSample", [time]):
            return self._sample_fn(time=time, outputs=outputs, state=state)

    def next_inputs(
        self, time: Tensor, outputs: Tensor, state: State, sample_ids: Tensor, name: Name = None
    ) -> Any:
        with _tf.name_scope(name, "CustomHelperNextInputs", [time]):
            return self._next_inputs_fn(
                time=time, outputs=outputs, state=state, sample_ids=sample_ids
            )


def _best(outputs: Tensor) -> Tensor:
    return _tf.cast(_tf.argmax(outputs, axis=-1), _tf.int32)


class TrainingHelper(_Helper):
    """Feeds the true sequence, for training (`tf.contrib.seq2seq.TrainingHelper`).

    Args:
        inputs: Tensor `[batch, time, ...]`, or a nest of them.
        sequence_length: Int32 `[batch]`.
        time_major: Whether `inputs` are `[time, batch, ...]`.

    Raises:
        ValueError: If `sequence_length` is no vector.
    """

    def __init__(
        self, inputs: Tensor, sequence_length: Tensor, time_major: bool = False, name: Name = None
    ) -> None:
        values = [*_tf.nest.flatten(inputs), sequence_length]
        with _tf.name_scope(name, "TrainingHelper", values):
            inputs = _tf.nest.map_structure(
                lambda part: _tf.convert_to_tensor(part, name="inputs"), inputs
            )
            self._inputs = inputs
            if not time_major:
                inputs = _tf.nest.map_structure(_time_first, inputs)
            self._input_tas = _tf.nest.map_structure(_unstack_ta, inputs)
            self._sequence_length = _tf.convert_to_tensor(sequence_length, name="sequence_length")
            if self._sequence_length.shape.rank != 1:
                raise ValueError(
                    "Expected sequence_length to be a vector, but received shape: "
                    f"{self._sequence_length.shape}"
                )
            self._zero_inputs = _tf.nest.map_structure(
                lambda part: _tf.zeros_like(part[0, :]), inputs
            )
            self._start_inputs = self._zero_inputs
            self._batch_size = _tf.shape(self._sequence_length)[0]

    inputs = property(lambda self: self._inputs)
    sequence_length = property(lambda self: self._sequence_length)

    def _read(self, finished: Tensor, time: Tensor) -> Any:
        return _tf.cond(
            _tf.reduce_all(finished),
            lambda: self._zero_inputs,
            lambda: _tf.nest.map_structure(lambda part: part.read(time), self._input_tas),
        )

    def initialize(self, name: Name = None) -> Any:
        with _tf.name_scope(name, "TrainingHelperInitialize"):
            finished = _tf.equal(0, self._sequence_length)
            return finished, self._read(finished, 0)

    def sample(self, time: Tensor, outputs: Tensor, state: State = None, name: Name = None) -> Any:
        with _tf.name_scope(name, "TrainingHelperSample", [time, outputs]):
            return _best(outputs)

    def next_inputs(
        self,
        time: Tensor,
        outputs: Tensor,
        state: State,
        sample_ids: Tensor = None,
        name: Name = None,
    ) -> Any:
        with _tf.name_scope(name, "TrainingHelperNextInputs", [time, outputs]):
            following = time + 1
            finished = following >= self._sequence_length
            return finished, self._read(finished, following), state


def _time_first(tensor: Tensor) -> Tensor:
    rank = _tf.rank(tensor) if tensor.shape.rank is None else tensor.shape.rank
    turned = _tf.transpose(tensor, _tf.concat([[1, 0], _tf.range(2, rank)], 0))
    if tensor.shape.rank is not None:
        shape = tensor.shape.as_list()
        turned.set_shape([shape[1], shape[0], *shape[2:]])
    return turned


def _unstack_ta(tensor: Tensor) -> Any:
    array = _tf.TensorArray(tensor.dtype, _tf.shape(tensor)[0], element_shape=tensor.shape[1:])
    return array.unstack(tensor)


def _sampled(logits: Tensor, seed: int | None) -> Tensor:
    """One index a row, drawn by its logits: `[batch]`, int32."""
    return _tf.squeeze(_tf.multinomial(logits, 1, seed=seed, output_dtype=_tf.int32), [1])


def _chosen(probability: Tensor, batch_size: Tensor, seed: int | None) -> Tensor:
    """Which rows, each with the probability: `[batch]`, bool."""
    return _tf.random_uniform([batch_size], dtype=_tf.float32, seed=seed) < probability


def _probability(value: Any) -> Tensor:
    value = _tf.convert_to_tensor(value, name="sampling_probability")
    if value.shape.rank not in (0, 1):
        raise ValueError(
            f"sampling_probability must be either a scalar or a vector. saw shape: {value.shape}"
        )
    return value


class _Scheduled(TrainingHelper):
    """Feeds the true sequence, and at times what the decoder gave."""

    _scope: str
    _sampling_probability: Tensor
    _scheduling_seed: int | None

    def sample(self, time: Tensor, outputs: Tensor, state: State = None, name: Name = None) -> Any:
        with _tf.name_scope(name, f"{self._scope}Sample", [time, outputs]):
            chosen = _chosen(self._sampling_probability, self.batch_size, self._scheduling_seed)
            return self._sample(chosen, outputs)

    @abc.abstractmethod
    def _sample(self, chosen: Tensor, outputs: Tensor) -> Tensor:
        """Which rows are chosen, `[batch]`."""

    def next_inputs(
        self,
        time: Tensor,
        outputs: Tensor,
        state: State,
        sample_ids: Tensor = None,
        name: Name = None,
    ) -> Any:
        with _tf.name_scope(name, f"{self._scope}NextInputs", [time, outputs]):
            finished, following, state = super().next_inputs(time, outputs, state, sample_ids)
            none = _tf.reduce_all(finished)
            return finished, self._mixed(none, following, time, outputs, sample_ids), state

    @abc.abstractmethod
    def _mixed(
        self, none: Tensor, following: Tensor, time: Tensor, outputs: Tensor, sample_ids: Tensor
    ) -> Any:
        """The next inputs: the chosen rows of what the decoder gave; `none` are needed at the end."""


class ScheduledEmbeddingTrainingHelper(_Scheduled):
    """Feeds the true sequence, and at times the embedding of what was sampled.

    Args:
        embedding: A function of indices, or what `tf.nn.embedding_lookup` takes.
        sampling_probability: float32, a scalar or `[batch]`: how often to sample.
        seed: int, for the samples.
        scheduling_seed: int, for when to sample.
        others: As for `TrainingHelper`.
    """

    _scope = "ScheduledEmbeddingTrainingHelper"

    __init__ = constructor(
        "inputs sequence_length embedding sampling_probability time_major=False seed=None "
        "scheduling_seed=None name=None"
    )

    def _init_with(self, given: dict[str, Any]) -> None:
        with _tf.name_scope(given["name"], "ScheduledEmbeddingSamplingWrapper"):
            self._embedding_fn = _lookup(given["embedding"])
            self._sampling_probability = _probability(given["sampling_probability"])
            self._seed, self._scheduling_seed = given["seed"], given["scheduling_seed"]
            read = given["inputs"], given["sequence_length"], given["time_major"], given["name"]
            super().__init__(*read)

    def _sample(self, chosen: Tensor, outputs: Tensor) -> Tensor:
        return _tf.where(chosen, _sampled(outputs, self._seed), -_tf.ones_like(chosen, _tf.int32))

    def _mixed(
        self, none: Tensor, following: Tensor, time: Tensor, outputs: Tensor, sample_ids: Tensor
    ) -> Any:
        def mixed() -> Tensor:
            drawn = self._embedding_fn(_tf.maximum(sample_ids, 0))
            return _tf.where(sample_ids > -1, drawn, following)

        return _tf.cond(none, lambda: following, mixed)


class ScheduledOutputTrainingHelper(_Scheduled):
    """Feeds the true sequence, and at times the decoder's own outputs.

    Args:
        sampling_probability: float32 scalar, how often to feed the output.
        seed: int, for when to do so.
        next_inputs_fn: Layer or function that makes inputs of outputs; they are taken as they are when
            None.
        auxiliary_inputs: Tensor `[batch, time, ...]` that is concatenated to outputs before they are fed.
        others: As for `TrainingHelper`.
    """

    _scope = "ScheduledOutputTrainingHelper"

    __init__ = constructor(
        "inputs sequence_length sampling_probability time_major=False seed=None "
        "next_inputs_fn=None auxiliary_inputs=None name=None"
    )

    def _init_with(self, given: dict[str, Any]) -> None:
        inputs, more, time_major = given["inputs"], given["auxiliary_inputs"], given["time_major"]
        with _tf.name_scope(given["name"], "ScheduledOutputTrainingHelper"):
            self._sampling_probability = _probability(given["sampling_probability"])
            self._scheduling_seed = given["seed"]
            self._more = more is not None
            if self._more and _tf.nest.is_nested(inputs):
                raise ValueError("with auxiliary_inputs, inputs must be one tensor")
            self._next_inputs_fn = given["next_inputs_fn"]
            self._auxiliary_tas: Any = None
            if self._more:
                more = _tf.convert_to_tensor(more)
                inputs = _tf.concat([_tf.convert_to_tensor(inputs), more], -1)
                self._auxiliary_tas = _unstack_ta(more if time_major else _time_first(more))
            super().__init__(inputs, given["sequence_length"], time_major, given["name"])

    def _sample(self, chosen: Tensor, outputs: Tensor) -> Tensor:
        return _tf.cast(chosen, _tf.int32)

    def _mixed(
        self, none: Tensor, following: Tensor, time: Tensor, outputs: Tensor, sample_ids: Tensor
    ) -> Any:
        chosen = _tf.cast(sample_ids, _tf.bool)

        def mixed() -> Any:
            own = outputs if self._next_inputs_fn is None else self._next_inputs_fn(outputs)
            if self._more:
                own = _tf.concat([own, self._auxiliary_tas.read(time + 1)], -1)
            return _tf.nest.map_structure(
                lambda drawn, true: _tf.where(chosen, drawn, true), own, following
            )

        none = _tf.logical_or(none, _tf.logical_not(_tf.reduce_any(chosen)))
        return _tf.cond(none, lambda: following, mixed)


def _lookup(embedding: Tensor) -> Callable[[Tensor], Tensor]:
    if callable(embedding):
        return embedding
    return lambda ids: _tf.nn.embedding_lookup(embedding, ids)


class GreedyEmbeddingHelper(_FromStart):
    """Feeds the embedding of the likeliest symbol (`tf.contrib.seq2seq.GreedyEmbeddingHelper`).

    Args:
        embedding: A function of indices, or what `tf.nn.embedding_lookup` takes.
        start_tokens: Int32 `[batch]`.
        end_token: Int32 scalar: a sequence that gives it is finished.

    Raises:
        ValueError: If `start_tokens` is no vector or `end_token` no scalar.
    """

    def __init__(self, embedding: Tensor, start_tokens: Tensor, end_token: Tensor) -> None:
        self._embedding_fn = _lookup(embedding)
        self._start_tokens = _tf.convert_to_tensor(
            start_tokens, dtype=_tf.int32, name="start_tokens"
        )
        self._end_token = _tf.convert_to_tensor(end_token, dtype=_tf.int32, name="end_token")
        if self._start_tokens.shape.rank != 1:
            raise ValueError("start_tokens must be a vector")
        if self._end_token.shape.rank != 0:
            raise ValueError("end_token must be a scalar")
        self._batch_size = _tf.size(self._start_tokens)
        self._start_inputs = self._embedding_fn(self._start_tokens)

    def sample(self, time: Tensor, outputs: Tensor, state: State = None, name: Name = None) -> Any:
        if not _tf.is_tensor(outputs):
            raise TypeError(f"Expected outputs to be a single Tensor, got: {type(outputs)}")
        return self._of(outputs)

    def _of(self, logits: Tensor) -> Tensor:
        """The samples of a step's outputs, `[batch]`."""
        return _best(logits)

    def next_inputs(
        self, time: Tensor, outputs: Tensor, state: State, sample_ids: Tensor, name: Name = None
    ) -> Any:
        finished = _tf.equal(sample_ids, self._end_token)
        following = _tf.cond(
            _tf.reduce_all(finished),
            # of the right shape, and not used
            lambda: self._start_inputs,
            lambda: self._embedding_fn(sample_ids),
        )
        return finished, following, state


class SampleEmbeddingHelper(GreedyEmbeddingHelper):
    """Feeds the embedding of a symbol drawn by its probability (`SampleEmbeddingHelper`).

    Args:
        softmax_temperature: Optional float32 scalar that the logits are divided by.
        seed: int, for the drawing.
        others: As for `GreedyEmbeddingHelper`.
    """

    def __init__(
        self,
        embedding: Tensor | Callable[[Tensor], Tensor],
        start_tokens: Tensor,
        end_token: Tensor,
        softmax_temperature: Any = None,
        seed: int | None = None,
    ) -> None:
        super().__init__(embedding, start_tokens, end_token)
        self._softmax_temperature = softmax_temperature
        self._seed = seed

    def _of(self, logits: Tensor) -> Tensor:
        if self._softmax_temperature is not None:
            logits = logits / self._softmax_temperature
        return _sampled(logits, self._seed)


class InferenceHelper(_FromStart):
    """Feeds samples that a function of the program draws (`tf.contrib.seq2seq.InferenceHelper`).

    Args:
        sample_fn: Of outputs: returns the samples.
        sample_shape: Shape of one sample, without the batch.
        start_inputs: The first inputs, `[batch, ...]`.
        end_fn: Of samples: returns which sequences are finished.
        next_inputs_fn: Of samples: returns the next inputs; the samples themselves when None.
    """

    def __init__(
        self,
        sample_fn: Callable[..., Any],
        sample_shape: Any,
        sample_dtype: Any,
        start_inputs: Any,
        end_fn: Callable[..., Any],
        next_inputs_fn: Callable[..., Any] | None = None,
    ) -> None:
        self._sample_fn = sample_fn
        self._end_fn = end_fn
        self._sample_ids_shape = _tf.TensorShape(sample_shape)
        self._sample_ids_dtype = sample_dtype
        self._next_inputs_fn = next_inputs_fn
        self._start_inputs = _tf.convert_to_tensor(start_inputs, name="start_inputs")
        self._batch_size = _tf.shape(start_inputs)[0]

    def sample(self, time: Tensor, outputs: Tensor, state: State = None, name: Name = None) -> Any:
        return self._sample_fn(outputs)

    def next_inputs(
        self, time: Tensor, outputs: Tensor, state: State, sample_ids: Tensor, name: Name = None
    ) -> Any:
        inputs = sample_ids if self._next_inputs_fn is None else self._next_inputs_fn(sample_ids)
        return self._end_fn(sample_ids), inputs, state
