"""`tf.contrib.layers.python.layers.summaries`, which is tf_slim's `tf_slim.layers.summaries`."""

from tfqueue.v1.contrib import _names

globals().update(
    _names.mirror("tf_slim.layers.summaries", "tf.contrib.layers.python.layers.summaries")
)
