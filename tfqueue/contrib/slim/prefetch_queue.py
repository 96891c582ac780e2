"""`tf.contrib.slim.prefetch_queue`: tf_slim's, with queue runners of ours."""

from tfqueue.v1 import _rows

_queue = _rows.slim("tf_slim.data.prefetch_queue", "tf.contrib.slim.prefetch_queue")

prefetch_queue = _rows.adopting(_queue.prefetch_queue)
__all__ = ["prefetch_queue"]
