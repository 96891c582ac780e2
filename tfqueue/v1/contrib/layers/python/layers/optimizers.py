"""`tf.contrib.layers.python.layers.optimizers`, which is tf_slim's `tf_slim.layers.optimizers`."""

from tfqueue.v1.contrib import _names

globals().update(
    _names.mirror("tf_slim.layers.optimizers", "tf.contrib.layers.python.layers.optimizers")
)
