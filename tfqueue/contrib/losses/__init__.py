"""`tf.contrib.losses`: tf_slim's losses. Needs the extra `slim`."""

from tfqueue.v1 import _lazy_names

globals().update(_lazy_names.mirror("tf_slim.losses", "tf.contrib.losses"))

_ROWS = {
    "metric_learning": "tf_slim.losses.metric_learning",
    # as they were called up to TensorFlow 0.11
    "sum_of_pairwise_squares": "tf_slim.losses:mean_pairwise_squared_error",
    "sum_of_squares": "tf_slim.losses:mean_squared_error",
}

__getattr__, __dir__ = _lazy_names.attributes(__name__, _ROWS)
