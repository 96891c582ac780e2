"""`tf.contrib.layers.python.layers.normalization`, which is tf_slim's `tf_slim.layers.normalization`."""

from tfqueue.v1.contrib import _names

globals().update(
    _names.mirror("tf_slim.layers.normalization", "tf.contrib.layers.python.layers.normalization")
)
