"""`tf.contrib.training.python.training.evaluation`, which is tf_slim's `tf_slim.training.evaluation`."""

from tfqueue.v1.contrib import _names

globals().update(_names.mirror("tf_slim.training.evaluation", "tf.contrib.training"))
