"""`tf.contrib.layers.python.layers.initializers`, which is tf_slim's `tf_slim.layers.initializers`."""

from tfqueue.v1.contrib import _names

globals().update(
    _names.mirror("tf_slim.layers.initializers", "tf.contrib.layers.python.layers.initializers")
)
