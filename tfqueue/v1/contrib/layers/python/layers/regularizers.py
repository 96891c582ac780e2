"""`tf.contrib.layers.python.layers.regularizers`, which is tf_slim's `tf_slim.layers.regularizers`."""

from tfqueue.v1.contrib import _names

globals().update(
    _names.mirror("tf_slim.layers.regularizers", "tf.contrib.layers.python.layers.regularizers")
)
