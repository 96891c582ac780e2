"""`tf.contrib.slim.evaluation`, which is tf_slim's `tf_slim.evaluation`."""

from tfqueue.v1.contrib import _names

globals().update(_names.mirror("tf_slim.evaluation", "tf.contrib.slim.evaluation"))
