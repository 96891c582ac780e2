"""`tf.contrib.framework.python.ops.variables`, which is tf_slim's `tf_slim.ops.variables`."""

from tfqueue.v1.contrib import _names

globals().update(
    _names.mirror("tf_slim.ops.variables", "tf.contrib.framework.python.ops.variables")
)
