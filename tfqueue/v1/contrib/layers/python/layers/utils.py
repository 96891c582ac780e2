"""`tf.contrib.layers.python.layers.utils`, which is tf_slim's `tf_slim.layers.utils`."""

from tfqueue.v1.contrib import _names

globals().update(_names.mirror("tf_slim.layers.utils", "tf.contrib.layers.python.layers.utils"))
