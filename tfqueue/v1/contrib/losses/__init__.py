"""`tf.contrib.losses`: tf_slim's losses. Needs the extra `slim`."""

from tfqueue.v1.contrib import _names

globals().update(_names.mirror("tf_slim.losses", "tf.contrib.losses"))

__getattr__ = _names.getter(__name__, {"metric_learning": "tf_slim.losses.metric_learning"})
