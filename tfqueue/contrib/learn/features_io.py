"""From a file pattern to batches of parsed features in one call (`graph_io`)."""

from collections.abc import Callable
from typing import Any

from tfqueue import _tensorflow
from tfqueue.contrib.learn import examples_io
from tfqueue.v1 import train
from tfqueue.v1._signatures import takes
from tfqueue.v1._types import Size, Tensor

_tf = _tensorflow.compat_v1()

__all__ = [
    "queue_parsed_features",
    "read_batch_features",
    "read_batch_record_features",
    "read_keyed_batch_features",
    "read_keyed_batch_features_shared_queue",
]


def _keyed_features(
    read_examples: Callable[..., Any], given: dict[str, Any]
) -> tuple[Tensor, dict[str, Tensor]]:
    """Reads with `read_examples`, parses whole batches, and queues them."""
    features, name = given.pop("features"), given.pop("name")
    queued = {each: given.pop(each) for each in ("feature_queue_capacity", "num_enqueue_threads")}
    given["num_threads"] = given.pop("reader_num_threads")
    if given.get("read_batch_size") is None:
        given["read_batch_size"] = given["batch_size"]
    with _tf.name_scope(name, "read_batch_features", [given["file_pattern"]]) as scope:
        keys, examples = read_examples(**given, name=scope)
        parsed = _tf.parse_example(examples, features)
        return queue_parsed_features(parsed, keys=keys, **queued, name=scope)


_READING = "randomize_input=True num_epochs=None queue_capacity=10000"


@takes(
    f"file_pattern batch_size features reader {_READING} reader_num_threads=1 "
    "feature_queue_capacity=100 num_enqueue_threads=2 parse_fn=None name=None read_batch_size=None"
)
def read_keyed_batch_features(given: dict[str, Any]) -> tuple[Tensor, dict[str, Tensor]]:
    """Batches of keys and parsed features (`tf.contrib.learn.read_keyed_batch_features`).

    Whole batches are parsed, then kept in a queue of their own.

    Args:
        file_pattern: A pattern of file names, or a list of them.
        batch_size: int, or a scalar int32 tensor.
        features: Dict from key to `FixedLenFeature` or `VarLenFeature`.
        reader: Class, or function without arguments, that makes a reader.
        randomize_input: Whether to mix files and examples.
        num_epochs: int, how often to read the files; None for no end.
        queue_capacity: int, how many examples the batching queue holds.
        reader_num_threads: How many readers and threads.
        feature_queue_capacity: int, how many parsed batches wait.
        num_enqueue_threads: How many threads parse. For a defined order, 1.
        parse_fn: Called with the records before they are batched.
        read_batch_size: int, how many records to read in one step; `batch_size`
            when None.

    Returns:
        A pair: the keys, a string tensor `[batch]`; a dict from key to `Tensor`
        or `SparseTensor`.

    Raises:
        ValueError: If no file matches, or a number makes no sense.
    """
    return _keyed_features(examples_io.read_keyed_batch_examples, given)


@takes(
    f"file_pattern batch_size features reader {_READING} reader_num_threads=1 "
    "feature_queue_capacity=100 num_queue_runners=2 parse_fn=None name=None"
)
def read_keyed_batch_features_shared_queue(
    given: dict[str, Any],
) -> tuple[Tensor, dict[str, Tensor]]:
    """`read_keyed_batch_features` over `read_keyed_batch_examples_shared_queue`.

    Arguments and results are theirs; `num_queue_runners` is how many threads parse.
    """
    given["num_enqueue_threads"] = given.pop("num_queue_runners")
    return _keyed_features(examples_io.read_keyed_batch_examples_shared_queue, given)


@takes(
    f"file_pattern batch_size features reader {_READING} feature_queue_capacity=100 "
    "reader_num_threads=1 num_enqueue_threads=2 parse_fn=None name=None read_batch_size=None"
)
def read_batch_features(given: dict[str, Any]) -> dict[str, Tensor]:
    """The features of `read_keyed_batch_features` without the keys, its arguments otherwise."""
    return read_keyed_batch_features(**given)[1]


@takes(
    f"file_pattern batch_size features {_READING} reader_num_threads=1 "
    "name='dequeue_record_examples'"
)
def read_batch_record_features(given: dict[str, Any]) -> dict[str, Tensor]:
    """`read_batch_features` from TFRecord files, its arguments otherwise."""
    return read_batch_features(reader=_tf.TFRecordReader, **given)


def queue_parsed_features(
    parsed_features: Any,
    keys: Tensor | None = None,
    feature_queue_capacity: Size = 100,
    num_enqueue_threads: int = 2,
    name: str | None = None,
) -> Any:
    """Puts a queue after the parsing, so that parsed batches are ready for the model.

    Args:
        parsed_features: Dict from key to `Tensor` or `SparseTensor`.
        keys: Optional string tensor with the keys of the records.
        feature_queue_capacity: int, how many batches wait.
        num_enqueue_threads: How many threads parse. For a defined order, 1.

    Returns:
        A pair: `keys`, None without; a dict like `parsed_features`.
    """
    parts = dict(sorted(parsed_features.items()))
    if keys is not None:
        parts[None] = keys  # after the features, under a name that no feature can have
    with _tf.name_scope(name, "queue_parsed_features", list(parts.values())):
        flat = _tf.nest.flatten(list(parts.values()), expand_composites=True)
        queue = _tf.FIFOQueue(feature_queue_capacity, [tensor.dtype for tensor in flat])
        _tf.summary.scalar(
            f"queue/parsed_features/{queue.name}/fraction_of_{feature_queue_capacity}_full",
            _tf.cast(queue.size(), _tf.float32) / feature_queue_capacity,
        )
        train.add_queue_runner(
            train.QueueRunner(
                queue,
                [queue.enqueue(flat) for _ in range(num_enqueue_threads)],
                queue_closed_exception_types=(
                    _tf.errors.OutOfRangeError,
                    _tf.errors.CancelledError,
                ),
            )
        )
        taken = queue.dequeue()
        taken = taken if isinstance(taken, list) else [taken]
        for tensor, before in zip(taken, flat, strict=True):
            tensor.set_shape(before.shape)
        packed = _tf.nest.pack_sequence_as(list(parts.values()), taken, expand_composites=True)
    result = dict(zip(parts, packed, strict=True))
    return result.pop(None, None), result
