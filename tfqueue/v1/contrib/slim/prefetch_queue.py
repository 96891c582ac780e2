"""`tf.contrib.slim.prefetch_queue`: tf_slim's, with queue runners of ours."""

from tfqueue.v1.contrib import _names

_queue = _names.slim("tf_slim.data.prefetch_queue", "tf.contrib.slim.prefetch_queue")

prefetch_queue = _names.adopting(_queue.prefetch_queue)
__all__ = ["prefetch_queue"]
