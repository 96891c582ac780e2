"""`tf.contrib.training.batch_sequences_with_states`: long sequences in pieces, with their state.

A sequence is cut into pieces of one length, and batches are made of pieces of
different sequences, each with the state of the
network after the piece before it. They wait in a `Barrier`, under a key a piece; saving a state is
what makes the next piece complete.
"""

import operator
import threading
from collections.abc import Callable
from typing import Any

from tensorflow.python.ops import data_flow_ops

from tfqueue import _tensorflow
from tfqueue.v1 import train
from tfqueue.v1._types import DType, Op, Size, State, Tensor

_tf = _tensorflow.compat_v1()

__all__ = [
    "NextQueuedSequenceBatch",
    "SequenceQueueingStateSaver",
    "batch_sequences_with_states",
]

_FIRST = ("length", "total_length", "next_key", "sequence", "sequence_count")
"""What a piece has besides its sequences, context and states, in the barrier's order."""


class SequenceQueueingStateSaver:
    """Takes whole sequences, gives batches of pieces (`tf.contrib.training`, same name).

    Args:
        batch_size: int, or scalar int32 tensor.
        num_unroll: int, the length of a piece.
        input_length: Scalar int32 tensor, the sequence's own length.
        input_key: Scalar string tensor, different for each sequence.
        input_sequences: Dict from name to a tensor `[padded_length, ...]`, where
            `padded_length` is a multiple of `num_unroll`, not 0, and the rest is known.
        input_context: Dict from name to a tensor of known shape, which comes with
            each piece.
        initial_states: Dict from name to a tensor of known shape.
        capacity: int, how many sequences are under way at once; None for no limit.
        allow_small_batch: Whether batches become smaller at the end of the data.

    Raises:
        TypeError: If the states are no dict with str keys.
        ValueError: If there is no state, a shape is not known, or `capacity` is
            less than `batch_size`.
        InvalidArgumentError: If the length is known, and no multiple of `num_unroll`.
    """

    def __init__(
        self,
        batch_size: Size,
        num_unroll: int,
        input_length: Tensor,
        input_key: Tensor,
        input_sequences: dict[str, Tensor],
        input_context: dict[str, Tensor],
        initial_states: State,
        capacity: Size | None = None,
        allow_small_batch: bool = False,
        name: str | None = None,
    ) -> None:
        if not isinstance(initial_states, dict):
            raise TypeError("initial_states must be a dictionary")
        if not initial_states:
            raise ValueError("initial_states may not be empty: a state is what ties the pieces")
        for state in initial_states:
            if not isinstance(state, str):
                raise TypeError(f"state name must be a string: {state}")
            if ":" in state:
                raise ValueError(f"state name may not have a colon: {state!r}")
        if capacity is not None and not _tf.is_tensor(batch_size) and capacity < batch_size:
            raise ValueError(f"capacity {capacity} needs to be >= batch_size {batch_size}")
        self._lock = threading.Lock()
        self._batch_size, self._num_unroll = batch_size, num_unroll
        self._small = allow_small_batch
        with _tf.name_scope(name, "InputQueueingStateSaver") as scope:
            self._name = scope
            self._under_way = _tf.FIFOQueue(-1 if capacity is None else capacity, [_tf.int32], [[]])
            self._length = _tf.cast(input_length, _tf.int32)
            self._key = _tf.convert_to_tensor(input_key, _tf.string)
            self._sequences = _sorted("sequences", input_sequences, known_from=1)
            self._context = _sorted("context", input_context)
            self._states = _sorted("states", initial_states)
            if not self._sequences:
                raise ValueError("input_sequences may not be empty")
            for value in self._sequences.values():
                _check_length(_tf.dimension_value(value.shape[0]), num_unroll)
            padded = [_tf.shape(value)[0] for value in self._sequences.values()]
            checks = []
            if capacity is not None and _tf.is_tensor(batch_size):
                # A batch larger than what is under way would be waited for without end. It comes
                # first, since it can fail here and now: TensorFlow logs checks that are not used.
                checks.append(
                    _tf.assert_greater_equal(
                        _tf.cast(capacity, _tf.int64),
                        _tf.cast(batch_size, _tf.int64),
                        message="capacity needs to be >= batch_size.",
                    )
                )
            checks += [_tf.assert_equal(each, padded[0]) for each in padded[1:]]
            checks += [
                _is_multiple(padded[0], num_unroll),
                _tf.assert_less_equal(
                    self._length, padded[0], message="input_length is more than there is"
                ),
            ]
            with _tf.control_dependencies(checks):
                self._pieces = _tf.identity(padded[0] // num_unroll)
            self._barrier = self._make_barrier()
            self._made: dict[str, Any] = {}

    @property
    def name(self) -> Any:
        """The name of the barrier's op, by which the session knows what its runner feeds."""
        return self._barrier.barrier_ref.op.name

    barrier = property(
        operator.attrgetter("_barrier"), doc="The `Barrier` in which the pieces wait."
    )
    batch_size = property(operator.attrgetter("_batch_size"), doc="As given.")
    num_unroll = property(operator.attrgetter("_num_unroll"), doc="The length of a piece.")

    @property
    def prefetch_op(self) -> Any:
        """The op that takes in one sequence; for a `QueueRunner`. Several threads may ask for it."""
        return self._once("prefetch_op", self._make_prefetch)

    @property
    def next_batch(self) -> Any:
        """The batch of pieces, a `NextQueuedSequenceBatch`."""
        return self._once("next_batch", lambda: NextQueuedSequenceBatch(self))

    def _once(self, name: str, make: Callable[[], Any]) -> Any:
        """What `make` makes of the graph, which a thread need not have as its default; made once."""
        with self._lock:
            if name not in self._made:
                graph = self._key.graph.as_default()
                with graph, _tf.name_scope(None), _tf.name_scope(self._name):
                    self._made[name] = make()
            return self._made[name]

    def close(self, cancel_pending_enqueues: bool = False, name: str | None = None) -> Any:
        """The op that closes the barrier; what `QueueRunner` asks a queue for.

        Args:
            cancel_pending_enqueues: Whether sequences that are half taken in end, too.
        """
        close = self._barrier.close(cancel_pending_enqueues, "BarrierClose")
        if not cancel_pending_enqueues:
            return _tf.group(close, name=name)
        # A sequence may be waiting for room.
        return _tf.group(close, self._under_way.close(cancel_pending_enqueues=True), name=name)

    def _columns(self) -> list[tuple[str, str]]:
        """Kind and name of every component of the barrier, in its order."""
        columns: list[tuple[str, str]] = [("", first) for first in _FIRST]
        for kind in ("_sequences", "_context", "_states"):
            columns += [(kind, name) for name in getattr(self, kind)]
        return columns

    def _index(self, kind: str, name: str) -> int:
        return self._columns().index((kind, name))

    def _make_barrier(self) -> Any:
        types = [_tf.string if first == "next_key" else _tf.int32 for first in _FIRST]
        shapes: list[list[int | None]] = [[] for _ in _FIRST]
        for kind in ("_sequences", "_context", "_states"):
            for value in getattr(self, kind).values():
                shape = value.shape.as_list()
                types.append(value.dtype)
                shapes.append([self._num_unroll, *shape[1:]] if kind == "_sequences" else shape)
        return data_flow_ops.Barrier(types=types, shapes=shapes)

    def _make_prefetch(self) -> Op:
        pieces = self._pieces
        number = _tf.range(pieces)
        keys = _tf.strings.join(
            [
                _tf.as_string(number, width=5, fill="0"),
                "_of_",
                _tf.as_string(pieces, width=5, fill="0"),
                ":",
                self._key,
            ]
        )
        every = _tf.ones([pieces], _tf.int32)
        values = {
            "length": _tf.clip_by_value(
                self._length - self._num_unroll * number, 0, self._num_unroll
            ),
            "total_length": self._length * every,
            "next_key": _tf.concat([keys[1:], [_tf.strings.join(["STOP:", self._key])]], 0),
            "sequence": number,
            "sequence_count": pieces * every,
        }

        def put(kind: str, name: str, keys: Tensor, value: Tensor) -> Op:
            return self._barrier.insert_many(self._index(kind, name), keys, value)

        # Nothing is put before all is there: pieces that stay incomplete are waited for without end,
        # even in a closed barrier. All get their place in the order at once, by the first insert.
        given = [*self._sequences.values(), *self._context.values(), *self._states.values(), keys]
        with _tf.control_dependencies(given):
            room = self._under_way.enqueue([0])
        with _tf.control_dependencies([room]):
            placed = put("", "sequence", keys, values.pop("sequence"))
        with _tf.control_dependencies([placed]):
            ops = [put("", name, keys, value) for name, value in values.items()]
            for name, value in self._sequences.items():
                shape = [pieces, self._num_unroll, *value.shape.as_list()[1:]]
                ops.append(put("_sequences", name, keys, _tf.reshape(value, shape)))
            for name, value in self._context.items():
                copies = _tf.tile(value[_tf.newaxis], [pieces, *([1] * value.shape.ndims)])
                ops.append(put("_context", name, keys, copies))
            for name, value in self._states.items():
                ops.append(put("_states", name, keys[:1], value[_tf.newaxis]))
        return _tf.group(placed, *ops, name="StateSaverPrefetchGroup")


def _wrong_length(length: Tensor, num_unroll: int) -> list[Any]:
    return [
        f"The length of the sequences should be a multiple of: {num_unroll}, but saw value: ",
        length,
        ". Consider setting pad=True.",
    ]


def _check_length(known: Any, num_unroll: int) -> None:
    if known is not None and (known == 0 or known % num_unroll):
        message = "".join(_wrong_length(str(known), num_unroll))
        raise _tf.errors.InvalidArgumentError(None, None, message)


def _is_multiple(length: Tensor, num_unroll: int) -> Op:
    """The op that asserts that sequences can be cut into whole pieces, at least one."""
    return _tf.Assert(
        (length > 0) & _tf.equal(length % num_unroll, 0),
        [_tf.strings.join(_wrong_length(_tf.as_string(length), num_unroll))],
    )


def _sorted(what: str, values: dict[str, Any], known_from: int = 0) -> dict[str, Tensor]:
    """A dict of tensors in the order of their names, their shapes known."""
    tensors = {}
    for name in sorted(values):
        tensor = _tf.convert_to_tensor(values[name])
        if tensor.shape.ndims is None or not tensor.shape[known_from:].is_fully_defined():
            raise ValueError(f"{what}: the shape of {name!r} is not known: {tensor.shape}")
        tensors[name] = tensor
    return tensors


class NextQueuedSequenceBatch:
    """A batch of pieces (`tf.contrib.training.NextQueuedSequenceBatch`).

    `static_state_saving_rnn` takes it as its `state_saver`. Unless the state is
    saved for each batch (`save_state`), the next pieces never come.

    Attributes:
        key: string tensor `[batch]`, `"<number>_of_<count>:<input_key>"`.
        insertion_index: int64 tensor `[batch]`, rising in the order of coming.
        length: int32 tensor `[batch]`, how much of the piece is no padding.
        total_length: int32 tensor `[batch]`, the length of the whole sequence.
        next_key: string tensor `[batch]`, the key of the piece that follows, or
            `"STOP:<input_key>"`.
        sequence: int32 tensor `[batch]`, the number of the piece.
        sequence_count: int32 tensor `[batch]`, of how many.
        sequences: Dict from name to a tensor `[batch, num_unroll, ...]`.
        context: Dict from name to a tensor `[batch, ...]`.
        batch_size: Scalar int32 tensor.

    Args:
        state_saver: The `SequenceQueueingStateSaver`.
    """

    length: Any
    total_length: Any
    next_key: Any
    sequence: Any
    sequence_count: Any

    def __init__(self, state_saver: Any) -> None:
        self._saver = state_saver
        taken = state_saver.barrier.take_many(
            state_saver.batch_size, state_saver._small, name="BarrierTakeMany"
        )
        self.insertion_index, self.key, values = taken
        named = dict(zip(state_saver._columns(), values, strict=True))
        for first in _FIRST:
            setattr(self, first, named["", first])
        self.batch_size = _tf.shape(self.length)[0]
        self.sequences = {name: named["_sequences", name] for name in state_saver._sequences}
        self.context = {name: named["_context", name] for name in state_saver._context}
        self._open = _tf.reshape(_tf.where(self.sequence + 1 < self.sequence_count), [-1])
        done = self.batch_size - _tf.size(self._open)
        # A step that uses a state also makes room for as many sequences as ended here.
        with _tf.control_dependencies([state_saver._under_way.dequeue_many(done)]):
            self._states = {
                name: _tf.identity(named["_states", name]) for name in state_saver._states
            }

    def state(self, state_name: str) -> Any:
        """The state with which the pieces begin: a tensor `[batch, ...]`."""
        return self._states[state_name]

    def save_state(self, state_name: str, value: Tensor, name: str | None = None) -> Any:
        """The op that hands a state on to the pieces that follow.

        Args:
            value: Tensor `[batch, ...]`.

        Raises:
            KeyError: If there is no such state.
            ValueError: If the shape of `value` cannot be that of the state. One that is not known
                before is checked when the op runs, with an `InvalidArgumentError`.
        """
        if state_name not in self._states:
            raise KeyError(f"state was not declared: {state_name}")
        with _tf.name_scope(name, "InputQueueingStateSaverSaveState"):
            state = self._states[state_name]
            value = _tf.identity(value, name=f"convert_{state_name}")
            if not value.shape.is_compatible_with(state.shape):
                raise ValueError(
                    f"Shape check failed for {value.name}: the state {state_name!r} is "
                    f"{state.shape}, not {value.shape}"
                )
            same = _tf.assert_equal(
                _tf.shape(value),
                _tf.shape(state),
                message=f"convert_{state_name}: the shape is not that of the state",
            )
            with _tf.control_dependencies([same]):
                value = _tf.identity(value)
            value.set_shape(state.shape)
            return self._saver.barrier.insert_many(
                self._saver._index("_states", state_name),
                _tf.gather(self.next_key, self._open),
                _tf.gather(value, self._open),
                name="BarrierInsertState",
            )


def _tensors(values: dict[str, Any]) -> dict[str, Any]:
    """A dict of values as tensors, sparse ones as they are."""
    return {
        name: _tf.SparseTensor.from_value(value)
        if isinstance(value, (_tf.SparseTensor, _tf.SparseTensorValue))
        else _tf.convert_to_tensor(value)
        for name, value in sorted(values.items())
    }


def _sparse(values: dict[str, Any]) -> dict[str, Any]:
    """The sparse ones of a dict of tensors."""
    return {name: value for name, value in values.items() if isinstance(value, _tf.SparseTensor)}


def _padded(sequences: dict[str, Tensor], num_unroll: int) -> tuple[Tensor, dict[str, Tensor]]:
    """The common length of sequences, and the sequences with zeros up to the next multiple."""
    sparse = _sparse(sequences)
    lengths = [_tf.shape(value)[0] for name, value in sequences.items() if name not in sparse]
    if lengths:
        same = [
            _tf.assert_equal(length, lengths[0], message="All sequence lengths must match")
            for length in lengths[1:]
        ]
        with _tf.control_dependencies(same):
            length = _tf.identity(lengths[0])
    else:
        length = _tf.reduce_max([_tf.cast(s.dense_shape[0], _tf.int32) for s in sparse.values()])
    more = -length % num_unroll
    padded = {}
    for name, value in sequences.items():
        if name in sparse:
            rows = [_tf.cast(length + more, _tf.int64)]
            shape = _tf.concat([rows, value.dense_shape[1:]], 0)
            padded[name] = _tf.SparseTensor(value.indices, value.values, shape)
        else:
            filling = _tf.zeros(_tf.concat([[more], _tf.shape(value)[1:]], 0), value.dtype)
            longer = _tf.concat([value, filling], 0)
            longer.set_shape(_tf.TensorShape([None]).concatenate(value.shape[1:]))
            padded[name] = longer
    return length, padded


def _unserialized(
    rows: Tensor, dtype: DType, batch_size: Size, num_unroll: Size | None = None
) -> Any:
    """Serialized sparse tensors of a batch as one.

    Args:
        rows: string tensor `[batch, 3]`, or `[batch, num_unroll, 3]`.
        batch_size: The first dimension of the result. Like TensorFlow 1, a batch that is smaller
            at the end of the data says this size, too.
        num_unroll: int, the second dimension; None if there is none.

    Returns:
        A `SparseTensor` `[batch_size, ...]` or `[batch_size, num_unroll, ...]`.
    """
    batch = _tf.io.deserialize_many_sparse(_tf.reshape(rows, [-1, 3]), dtype)
    if num_unroll is not None:
        shape = _tf.concat([[-1, num_unroll], batch.dense_shape[1:]], 0)
        batch = _tf.sparse.reshape(batch, shape)
    size = [_tf.cast(batch_size, _tf.int64)]
    shape = _tf.concat([size, batch.dense_shape[1:]], 0)
    return _tf.SparseTensor(batch.indices, batch.values, shape)


def batch_sequences_with_states(
    input_key: Tensor,
    input_sequences: dict[str, Tensor],
    input_context: dict[str, Tensor],
    input_length: Tensor | None,
    initial_states: State,
    num_unroll: int,
    batch_size: Size,
    num_threads: int = 3,
    capacity: Size = 1000,
    allow_small_batch: bool = True,
    pad: bool = True,
    make_keys_unique: bool = False,
    make_keys_unique_seed: int | None = None,
    name: str | None = None,
) -> Any:
    """Batches of pieces of sequences (`tf.contrib.training.batch_sequences_with_states`).

    Adds a `QueueRunner` that takes in the sequences. As in TensorFlow 1, a step
    that waits for a full batch at the moment the data ends gets none: repeat
    the data (no `num_epochs`), and count steps.

    Args:
        input_key: Scalar string tensor, different for each sequence.
        input_sequences: Dict from name to a tensor `[length, ...]`, or to a `SparseTensor` of
            rank 2 or more.
        input_context: Dict from name to a tensor or `SparseTensor`, which comes with each piece.
        input_length: Scalar int32 tensor; the length of the sequences when None.
        initial_states: Dict from name to a tensor: the states of a first piece.
        num_unroll: int, the length of a piece.
        batch_size: int, or scalar int32 tensor.
        num_threads: How many threads take in sequences.
        capacity: int, how many sequences are under way at once.
        allow_small_batch: Whether batches become smaller at the end of the data.
        pad: Whether to fill up sequences to a multiple of `num_unroll`.
        make_keys_unique: Whether to append a random number to each key.

    Returns:
        A `NextQueuedSequenceBatch`.

    Raises:
        ValueError: If a shape is not known.
    """
    values = [*input_sequences.values(), *input_context.values()]
    with _tf.name_scope(name, "batch_sequences_with_states", values):
        input_sequences, input_context = _tensors(input_sequences), _tensors(input_context)
        sparse_sequences, sparse_context = _sparse(input_sequences), _sparse(input_context)
        if pad:
            length, input_sequences = _padded(input_sequences, num_unroll)
            input_length = length if input_length is None else input_length
        for key in sparse_sequences:
            # One row of strings an element of the sequence: they go through the barrier like others.
            rows = _tf.io.serialize_many_sparse(input_sequences[key])
            input_sequences[key] = _tf.ensure_shape(rows, [None, 3])
        for key, value in sparse_context.items():
            input_context[key] = _tf.io.serialize_sparse(value)
        if make_keys_unique:
            number = _tf.random_uniform(
                [], 0, 100_000_000, dtype=_tf.int32, seed=make_keys_unique_seed
            )
            input_key = _tf.strings.join([input_key, _tf.as_string(number)])
        saver = SequenceQueueingStateSaver(
            batch_size,
            num_unroll,
            input_length=input_length,
            input_key=input_key,
            input_sequences=input_sequences,
            input_context=input_context,
            initial_states=initial_states,
            capacity=capacity,
            allow_small_batch=allow_small_batch,
        )
        train.add_queue_runner(
            train.QueueRunner(
                saver,
                [saver.prefetch_op] * num_threads,
                queue_closed_exception_types=(
                    _tf.errors.OutOfRangeError,
                    _tf.errors.CancelledError,
                ),
            )
        )
        batch = saver.next_batch
        for key, value in sparse_sequences.items():
            rows = batch.sequences[key]
            batch.sequences[key] = _unserialized(rows, value.dtype, batch_size, num_unroll)
        for key, value in sparse_context.items():
            rows = batch.context[key]
            batch.context[key] = _unserialized(rows, value.dtype, batch_size)
        return batch
