"""`tf.contrib.slim.prefetch_queue`: tf_slim's, with queue runners of ours."""

from tfqueue.v1 import _lazy_names

_queue = _lazy_names.slim("tf_slim.data.prefetch_queue", "tf.contrib.slim.prefetch_queue")

prefetch_queue = _lazy_names.adopting(_queue.prefetch_queue)
__all__ = ["prefetch_queue"]
