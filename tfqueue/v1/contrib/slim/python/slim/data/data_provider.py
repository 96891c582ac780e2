"""`tf.contrib.slim.data_provider`, which is tf_slim's `tf_slim.data.data_provider`."""

from tfqueue.v1.contrib import _names

globals().update(_names.mirror("tf_slim.data.data_provider", "tf.contrib.slim.data_provider"))
