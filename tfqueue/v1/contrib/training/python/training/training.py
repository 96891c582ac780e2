"""`tf.contrib.training.python.training.training`, which is tf_slim's `tf_slim.training.training`."""

from tfqueue.v1.contrib import _names

globals().update(_names.mirror("tf_slim.training.training", "tf.contrib.training"))
