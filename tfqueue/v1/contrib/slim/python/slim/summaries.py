"""`tf.contrib.slim.summaries`, which is tf_slim's `tf_slim.summaries`."""

from tfqueue.v1.contrib import _names

globals().update(_names.mirror("tf_slim.summaries", "tf.contrib.slim.summaries"))
