"""`tf.contrib.layers.python.layers.layers`, which is tf_slim's `tf_slim.layers.layers`."""

from tfqueue.v1.contrib import _names

globals().update(_names.mirror("tf_slim.layers.layers", "tf.contrib.layers.python.layers.layers"))
