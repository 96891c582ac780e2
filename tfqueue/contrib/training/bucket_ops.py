"""`tf.contrib.training.bucket`: batches of examples of the same kind, most often of the same size."""

import functools
import itertools
from collections.abc import Callable, Sequence
from typing import Any

from tfqueue import _tensorflow
from tfqueue.v1 import train
from tfqueue.v1._signatures import takes
from tfqueue.v1._types import DType, Op, Shape, Size, Tensor

_tf = _tensorflow.compat_v1()

__all__ = ["bucket", "bucket_by_sequence_length"]

_ENDS = (_tf.errors.OutOfRangeError, _tf.errors.CancelledError)


def _per_bucket(value: Any, count: int, what: str) -> list[Any]:
    values = list(value) if isinstance(value, (list, tuple)) else [value] * count
    if len(values) != count:
        raise ValueError(
            f"the list {what} must have exactly num_buckets ({count}) elements, not {len(values)}: "
            f"{value}"
        )
    return values


def _dense(tensor: Tensor) -> Tensor:
    """A `SparseTensor` as the three strings that it is serialized to; others as they are."""
    return _tf.io.serialize_sparse(tensor) if isinstance(tensor, _tf.SparseTensor) else tensor


def _parts(tensors: Any) -> tuple[list[Tensor], Callable[[list[Any]], Any]]:
    """The dense tensors that make up an example, and how to put them together again."""
    keys = sorted(tensors) if isinstance(tensors, dict) else None
    given = [tensors[key] for key in keys] if keys is not None else list(tensors)
    if not given:
        raise ValueError("Expected at least one tensor in bucket().")
    given = [_tf.convert_to_tensor_or_sparse_tensor(tensor) for tensor in given]
    sparse = [
        (tensor.dtype, tensor.shape.rank) if isinstance(tensor, _tf.SparseTensor) else None
        for tensor in given
    ]

    def sparse_batch(batch: Tensor, dtype: DType, rank: int | None) -> Any:
        # the rank that deserialize_many_sparse asks for is that of the batch
        return _tf.io.deserialize_many_sparse(batch, dtype, None if rank is None else rank + 1)

    def whole(batches: list[Any]) -> Any:
        batches = [
            batch if kind is None else sparse_batch(batch, *kind)
            for batch, kind in zip(batches, sparse, strict=True)
        ]
        return dict(zip(keys, batches, strict=True)) if keys is not None else batches

    given = [_dense(tensor) for tensor in given]
    return given, whole


def bucket(
    tensors: Any,
    which_bucket: Tensor,
    batch_size: Size,
    num_buckets: int,
    num_threads: int = 1,
    capacity: Size = 32,
    bucket_capacities: Sequence[int] | None = None,
    shapes: Shape | None = None,
    dynamic_pad: bool = False,
    allow_smaller_final_batch: bool = False,
    keep_input: Tensor = True,
    shared_name: str | None = None,
    name: str | None = None,
) -> Any:
    """Batches of examples of one bucket each (`tf.contrib.training.bucket`).

    Each bucket is a queue; whenever one holds a batch, the batch moves to a
    queue of batches. Adds a `QueueRunner` for either step.

    Args:
        tensors: List or dict of tensors: one example. `SparseTensor`s become one of a rank more.
        which_bucket: Scalar int32 tensor, 0 to `num_buckets - 1`.
        batch_size: int, scalar int32 tensor, or a list with one for each bucket.
        num_threads: How many threads put examples into the buckets.
        capacity: int, how many batches wait, and examples in a bucket.
        bucket_capacities: List of int, how many examples each bucket holds.
        shapes: Shapes of an example's tensors, where they are not known.
        dynamic_pad: Whether dimensions of unknown size are padded to the largest
            of the batch.
        allow_smaller_final_batch: Whether what is left in the buckets at the end
            comes in smaller batches. If not, it is dropped.
        keep_input: Scalar bool tensor, whether to take the example at all.
        shared_name: Sessions of one server share the queues under this name.

    Returns:
        A pair: the bucket, a scalar int32 tensor; the batch, in the structure of
        `tensors` (a single tensor for a list of one).

    Raises:
        ValueError: If a shape is not known, or a list has not one entry a bucket.

    >>> import tfqueue, tfqueue.v1 as tf
    >>> with tf.Graph().as_default():
    ...     number = tf.train.range_input_producer(8, num_epochs=1, shuffle=False).dequeue()
    ...     parity, batch = bucket([number], number % 2, 4, num_buckets=2)
    ...     with tfqueue.managed_session() as sess:
    ...         print(sorted((int(p), b.tolist()) for p, b in sess.batches([parity, batch])))
    [(0, [0, 2, 4, 6]), (1, [1, 3, 5, 7])]
    """
    sizes = _per_bucket(batch_size, num_buckets, "batch_size")
    room = _per_bucket(
        capacity if bucket_capacities is None else bucket_capacities,
        num_buckets,
        "bucket_capacities",
    )
    given, whole = _parts(tensors)
    with _tf.name_scope(name, "bucket", given):
        if shapes is None:
            shapes = [tensor.shape for tensor in given]
        shapes = [_tf.TensorShape(shape) for shape in shapes]
        if not dynamic_pad and not all(shape.is_fully_defined() for shape in shapes):
            raise ValueError(
                f"All shapes must be fully defined: {shapes}; or pad: dynamic_pad=True"
            )
        which_bucket = _tf.cast(which_bucket, _tf.int32, name="which_bucket")
        make = _tf.PaddingFIFOQueue if dynamic_pad else _tf.FIFOQueue
        types = [tensor.dtype for tensor in given]
        buckets = [
            make(
                room[number],
                types,
                shapes=shapes,
                shared_name=None if shared_name is None else f"{shared_name}_{number}",
                name=f"bucket_queue_{number}",
            )
            for number in range(num_buckets)
        ]
        fixed = None
        if not allow_smaller_final_batch and not isinstance(batch_size, (list, tuple)):
            fixed = _tf.get_static_value(_tf.convert_to_tensor(batch_size))
        whole_shapes = [_tf.TensorShape([fixed]).concatenate(shape) for shape in shapes]
        ready = _tf.PaddingFIFOQueue(  # which also takes shapes that are not fully known
            capacity,
            [_tf.int32, *types],
            shapes=[_tf.TensorShape([]), *whole_shapes],
            shared_name=shared_name,
            name="top_queue",
        )
        _fill(buckets, given, which_bucket, keep_input, num_threads)
        _empty(buckets, sizes, ready, allow_smaller_final_batch)
        _tf.summary.scalar(
            f"bucket/{ready.name}/fraction_of_{capacity}_full",
            _tf.cast(ready.size(), _tf.float32) / capacity,
        )
        number, *batches = ready.dequeue(name="dequeue_top")
    if isinstance(tensors, dict) or len(batches) > 1:
        return number, whole(batches)
    return number, whole(batches)[0]


def _fill(
    buckets: list[Any],
    given: list[Tensor],
    which_bucket: Tensor,
    keep_input: Tensor,
    num_threads: int,
) -> None:
    """The runner that puts examples into their buckets."""

    def enqueue() -> Op:
        return _tf.group(
            *(
                _tf.cond(
                    _tf.equal(which_bucket, number),
                    functools.partial(queue.enqueue, given),
                    _tf.no_op,
                )
                for number, queue in enumerate(buckets)
            )
        )

    if _tf.is_tensor(keep_input):
        enqueue = functools.partial(_tf.cond, keep_input, enqueue, _tf.no_op)
    elif not keep_input:
        enqueue = _tf.no_op
    train.add_queue_runner(
        train.QueueRunner(
            buckets[0],
            [enqueue()] * num_threads,
            close_op=_tf.group(*(queue.close() for queue in buckets)),
            cancel_op=_tf.group(*(queue.close(cancel_pending_enqueues=True) for queue in buckets)),
            queue_closed_exception_types=_ENDS,
        )
    )


def _empty(buckets: list[Any], sizes: list[Any], ready: Any, smaller: bool) -> None:
    """The runner that moves batches out of the buckets, a thread for each."""
    moves = []
    for number, (queue, size) in enumerate(zip(buckets, sizes, strict=True)):
        take = queue.dequeue_up_to if smaller else queue.dequeue_many
        batch = take(size, name=f"read_bucket_{number}")
        batch = batch if isinstance(batch, (list, tuple)) else [batch]
        moves.append(ready.enqueue([_tf.constant(number), *batch], name=f"enqueue_{number}"))
    train.add_queue_runner(train.QueueRunner(ready, moves, queue_closed_exception_types=_ENDS))


@takes(
    "input_length tensors batch_size bucket_boundaries num_threads=1 capacity=32 "
    "bucket_capacities=None shapes=None dynamic_pad=False allow_smaller_final_batch=False "
    "keep_input=True shared_name=None name=None"
)
def bucket_by_sequence_length(given: dict[str, Any]) -> tuple[Tensor, Any]:
    """Batches of examples of about one length (`tf.contrib.training.bucket_by_sequence_length`).

    Args:
        input_length: Scalar int32 tensor, the example's length.
        tensors: As for `bucket`, as are the others.
        batch_size: As for `bucket`; a list has one more entry than `bucket_boundaries`.
        bucket_boundaries: List of int, rising: the lengths at which a new bucket begins.

    Returns:
        A pair: the lengths, an int32 tensor `[batch]`; the batch, in the structure
        of `tensors`.

    Raises:
        TypeError: If the boundaries are not a list of int.
        ValueError: If there are none, or they do not rise.
    """
    edges, input_length, name = (
        given.pop(key) for key in ("bucket_boundaries", "input_length", "name")
    )
    if not isinstance(edges, (list, tuple)):
        raise TypeError(f"bucket_boundaries must be a list or tuple, but received: {edges}")
    if not edges:
        raise ValueError("bucket_boundaries must not be empty")
    if not all(isinstance(edge, int) for edge in edges):
        raise TypeError(f"bucket boundaries must be integers, but saw: {edges}")
    if any(low >= high for low, high in itertools.pairwise(edges)):
        raise ValueError(f"Buckets must contain sequential increasing lengths, but saw: {edges}")
    parts, whole = _parts(given.pop("tensors"))
    if given["shapes"] is not None:
        given["shapes"] = [_tf.TensorShape([]), *given["shapes"]]
    with _tf.name_scope(name, "bucket_by_sequence_length", [input_length, *parts]):
        length = _tf.cast(input_length, _tf.int32, name="input_length")
        reached = _tf.cast(_tf.greater_equal(length, list(edges)), _tf.int32)
        _, (lengths, *batches) = bucket(
            [length, *parts], _tf.reduce_sum(reached), num_buckets=len(edges) + 1, **given
        )
    return lengths, whole(batches)
