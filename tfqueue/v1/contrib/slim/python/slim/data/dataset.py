"""`tf.contrib.slim.dataset`, which is tf_slim's `tf_slim.data.dataset`."""

from tfqueue.v1.contrib import _names

globals().update(_names.mirror("tf_slim.data.dataset", "tf.contrib.slim.dataset"))
