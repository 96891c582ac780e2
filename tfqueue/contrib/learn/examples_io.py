"""From a file pattern to batches of serialized examples in one call (`graph_io`)."""

import inspect
from collections.abc import Callable, Sequence
from typing import Any

from tfqueue import _tensorflow
from tfqueue.v1 import train
from tfqueue.v1._types import FileNames, Tensor

_tf = _tensorflow.compat_v1()

__all__ = [
    "KEY_FEATURE_NAME",
    "read_batch_examples",
    "read_keyed_batch_examples",
    "read_keyed_batch_examples_shared_queue",
]

KEY_FEATURE_NAME = "__key__"
"""Under which a parsed example carries its record's key through the queue."""

_READING = """
    Args:
      file_pattern: A pattern of file names, or a list of them.
      batch_size: int, or a scalar int32 tensor.
      reader: Class, or function without arguments, that makes a reader.
      randomize_input: Whether to mix files and examples. If not, files come
        in the order of their names.
      num_epochs: int, how often to read the files, which makes a local
        variable and lets the last batch be smaller; None for no end.
      queue_capacity: int, how many examples the batching queue holds.
      num_threads: How many readers and threads.
      read_batch_size: int, how many records to read in one step.
      parse_fn: Called with a record, or with several where
        `read_batch_size > 1`; gives a tensor or a dict of tensors.
      name: Name scope of the ops.
      seed: int, for the mixing.
"""


def _files(file_pattern: FileNames, ordered: bool) -> list[str]:
    """The files that a pattern, or each of a list of patterns, matches."""
    patterns = file_pattern if isinstance(file_pattern, list) else [file_pattern]
    if not patterns:
        raise ValueError("No files given to dequeue_examples.")
    names = [name for pattern in patterns for name in _tf.gfile.Glob(pattern)]
    if not names:
        raise ValueError(f"No files match {file_pattern}.")
    return sorted(names) if ordered else names


def _positive(**values: int | None) -> None:
    for what, value in values.items():
        if value is None or (not _tf.is_tensor(value) and value <= 0):
            raise ValueError(f"Invalid {what} {value}.")


def _read(
    files: Any,
    reader: Callable[[], Any],
    read_batch_size: int,
    parse_fn: Callable[[Tensor], Any] | None,
) -> Any:
    """One reader's example, as a tuple (key, example) or, parsed, as a dict."""
    several = _tf.is_tensor(read_batch_size) or read_batch_size > 1
    made = reader()
    keys, examples = made.read_up_to(files, read_batch_size) if several else made.read(files)
    if parse_fn is None:
        return keys, examples
    parsed = parse_fn(examples)
    return {**parsed, KEY_FEATURE_NAME: keys} if isinstance(parsed, dict) else (keys, parsed)


def _keyed_examples(
    file_pattern: str | Sequence[str],
    batch_size: int | Tensor,
    reader: Callable[[], Any],
    randomize_input: bool = True,
    num_epochs: int | None = None,
    queue_capacity: int = 10000,
    num_threads: int = 1,
    read_batch_size: int | Tensor = 1,
    parse_fn: Callable[[Tensor], Any] | None = None,
    name: str | None = None,
    seed: int | None = None,
    *,
    shared: bool = False,
) -> tuple[Tensor, Any]:
    names = _files(file_pattern, ordered=not randomize_input)
    _positive(queue_capacity=queue_capacity, batch_size=batch_size, num_threads=num_threads)
    _positive(read_batch_size=read_batch_size)
    if not _tf.is_tensor(batch_size) and batch_size >= queue_capacity:
        raise ValueError(f"Invalid batch_size {batch_size}, with queue_capacity {queue_capacity}.")
    if num_epochs is not None:
        _positive(num_epochs=num_epochs)
    with _tf.name_scope(name, "read_batch_examples", [file_pattern]) as scope:
        with _tf.name_scope("file_name_queue") as queue_scope:
            files = train.string_input_producer(
                names,
                shuffle=randomize_input,
                num_epochs=num_epochs,
                name=queue_scope,
                seed=seed,
                shared_name=f"{scope}shared_file_names" if shared else None,
            )
        with _tf.name_scope("read"):
            examples = [_read(files, reader, read_batch_size, parse_fn) for _ in range(num_threads)]
        options = {
            "capacity": queue_capacity,
            "enqueue_many": _tf.is_tensor(read_batch_size) or read_batch_size > 1,
            "name": scope,
            "allow_smaller_final_batch": num_epochs is not None,
        }
        if randomize_input:
            if _tf.is_tensor(batch_size):
                left = int(queue_capacity * 0.4)
            else:
                left = max(queue_capacity - 3 * batch_size, batch_size)
            queued = train.shuffle_batch_join(
                examples, batch_size, min_after_dequeue=left, seed=seed, **options
            )
        else:
            queued = train.batch_join(examples, batch_size, **options)
    if isinstance(queued, dict):
        return queued.pop(KEY_FEATURE_NAME), queued
    return tuple(queued)


def _as_all_readers(function: Callable[..., Any]) -> Callable[..., Any]:
    """Gives a reader the arguments that all share, and their text at `{reading}`."""
    function.__doc__ = (function.__doc__ or "").replace("\n    {reading}\n", _READING)
    whole = inspect.signature(_keyed_examples)
    common = [each for each in whole.parameters.values() if each.name != "shared"]
    vars(function)["__signature__"] = whole.replace(parameters=common)
    return function


@_as_all_readers
def read_batch_examples(*args: Any, **kwargs: Any) -> Any:
    """Batches of serialized examples (`tf.contrib.learn.read_batch_examples`).

    {reading}

    Returns:
        A string tensor `[batch]`, or what `parse_fn` gives, batched.

    Raises:
        ValueError: If no file matches, or a number makes no sense.
    """
    return _keyed_examples(*args, **kwargs)[1]


@_as_all_readers
def read_keyed_batch_examples(*args: Any, **kwargs: Any) -> Any:
    """Batches of keys and examples (`tf.contrib.learn.read_keyed_batch_examples`).

    {reading}

    Returns:
        A pair: the keys, a string tensor `[batch]`; the examples.

    Raises:
        ValueError: If no file matches, or a number makes no sense.
    """
    return _keyed_examples(*args, **kwargs)


@_as_all_readers
def read_keyed_batch_examples_shared_queue(*args: Any, **kwargs: Any) -> Any:
    """`read_keyed_batch_examples` from a queue of names that sessions of one server share.

    The op by which TensorFlow 1 also shared the position in the list of files
    is gone: each session that starts its runners adds the list once more.

    {reading}

    Returns:
        A pair: the keys, a string tensor `[batch]`; the examples.

    Raises:
        ValueError: If no file matches, or a number makes no sense.
    """
    return _keyed_examples(*args, **kwargs, shared=True)
