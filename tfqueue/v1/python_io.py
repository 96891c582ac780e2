"""`tf.python_io`: reading TFRecord files without a graph, guarded against hostile lengths."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import Any

from tfqueue import _tensorflow
from tfqueue.explain import forged_length

_tf = _tensorflow.compat_v1()

__all__ = ["tf_record_iterator"]


def __getattr__(name: str) -> Any:
    # `from tensorflow.python_io import TFRecordWriter`
    return getattr(_tf.python_io, name)


def tf_record_iterator(path: str | os.PathLike[str], options: Any = None) -> Iterator[bytes]:
    """The records of a TFRecord file (`tf.python_io.tf_record_iterator`).

    Args:
        options: Optional `TFRecordOptions` (compression).

    Returns:
        An iterator over the records, as bytes.

    Raises:
        tf.errors.NotFoundError: If there is no such file.
        tf.errors.DataLossError: Where a record is damaged, after those in front of it.

    >>> import os, tempfile
    >>> import tfqueue.v1 as tf
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "two.tfrecord")
    ...     with tf.python_io.TFRecordWriter(path) as writer:
    ...         writer.write(b"one")
    ...         writer.write(b"two")
    ...     print(list(tf.python_io.tf_record_iterator(path)))
    [b'one', b'two']
    """
    records = _tf.python_io.tf_record_iterator(path, options)
    try:
        found = forged_length.forged_in(path)
    except (OSError, ValueError):
        return records  # TensorFlow's own reader says what is wrong, and reads gs:// too
    return records if found is None else _up_to(records, path, *found)


def _up_to(
    records: Iterable[bytes], path: str | os.PathLike[str], count: int, where: tuple[int, int]
) -> Iterator[bytes]:
    for _, record in zip(range(count), records, strict=False):
        yield record
    offset, length = where
    raise _tf.errors.DataLossError(
        None,
        None,
        f"corrupted record at {offset} of {path}: it says that it is {length} bytes long, which is "
        "far beyond the end of the file",
    )
