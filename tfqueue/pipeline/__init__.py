"""What a graph's input pipeline is, and what follows from it."""

from tfqueue.pipeline.model import Pipeline

__all__ = ["Pipeline", "pipeline"]


def pipeline(graph=None):
    """The input pipeline of a graph: its queues, readers and runners.

    Args:
      graph: A `tf.Graph`; the default graph when None.

    Returns:
      A `Pipeline`.

    >>> import tfqueue, tfqueue.v1 as tf
    >>> with tf.Graph().as_default() as graph:
    ...     names = tf.train.string_input_producer(["a.tfrecord"], name="names")
    ...     key, value = tf.TFRecordReader().read(names)
    ...     _ = tf.train.batch([value], 4, name="batch")
    >>> list(tfqueue.pipeline(graph).queues)
    ['names', 'batch/fifo_queue']
    """
    return Pipeline(graph)
