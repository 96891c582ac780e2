"""`tf.contrib.slim.model_analyzer`, which is tf_slim's `tf_slim.model_analyzer`."""

from tfqueue.v1.contrib import _names

globals().update(_names.mirror("tf_slim.model_analyzer", "tf.contrib.slim.model_analyzer"))
