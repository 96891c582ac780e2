"""The readers: `TFRecordReader` documented and guarded, the others as TensorFlow has them."""

from __future__ import annotations

from typing import Any

from tfqueue import _tensorflow

_tf = _tensorflow.compat_v1()

__all__ = ["TFRecordReader"]


class TFRecordReader(_tf.TFRecordReader, metaclass=_tensorflow.StandsFor):
    """Reads the records of TFRecord files, one at a time (`tf.TFRecordReader`).

    `read(queue)` gives a pair of scalar string tensors: the key, `file:offset`
    in bytes, and the record. The queue holds file names:
    `tf.train.string_input_producer` makes one. When a file is through, the
    next name is taken; when the queue is closed and empty,
    `tf.errors.OutOfRangeError` says that the data has ended.

    Args:
        name: Name of the reader op.
        options: Optional `tf.python_io.TFRecordOptions` (compression).

    >>> import os, tempfile
    >>> import tfqueue, tfqueue.v1 as tf
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = os.path.join(folder.name, "two.tfrecord")
    >>> with tf.python_io.TFRecordWriter(path) as writer:
    ...     writer.write(b"one")
    ...     writer.write(b"two")
    >>> with tf.Graph().as_default():
    ...     names = tf.train.string_input_producer([path], num_epochs=1)
    ...     key, record = tf.TFRecordReader().read(names)
    ...     with tfqueue.managed_session() as sess:
    ...         for value in sess.batches(record):
    ...             print(value)
    b'one'
    b'two'
    >>> folder.cleanup()
    """

    __original__ = _tf.TFRecordReader

    def __init__(self, name: str | None = None, options: Any = None) -> None:
        super().__init__(name=name, options=options)

    def read(self, queue: Any, name: str | None = None) -> Any:
        """The next record (`tf.TFRecordReader.read`).

        Args:
            queue: A queue of file names, or its resource handle.
            name: Name of the op.

        Returns:
            `(key, value)`, two scalar string tensors.

        Raises:
            TypeError: If `queue` is a file name or a list of them.
        """
        return super().read(_queue_of_names(queue), name=name)

    def read_up_to(self, queue: Any, num_records: int, name: str | None = None) -> Any:
        """Up to `num_records` records of one file (`tf.TFRecordReader.read_up_to`).

        Args:
            queue: A queue of file names, or its resource handle.
            num_records: int, how many at the most.
            name: Name of the op.

        Returns:
            `(keys, values)`, two string tensors of shape `[n]`.

        Raises:
            TypeError: If `queue` is a file name or a list of them.
        """
        return super().read_up_to(_queue_of_names(queue), num_records, name=name)


def _queue_of_names(queue: Any) -> Any:
    if isinstance(queue, (str, bytes, list, tuple)):
        raise TypeError(
            f"read() takes a queue of file names, got {queue!r}: "
            "tf.train.string_input_producer([...]) makes one"
        )
    return queue
