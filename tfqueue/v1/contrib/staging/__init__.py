"""`tf.contrib.staging`: `StagingArea`."""

from tfqueue.v1.contrib import _names

_ROWS = {
    "StagingArea": "tensorflow.python.ops.data_flow_ops:StagingArea",
}

__getattr__ = _names.getter(__name__, _ROWS)
__dir__ = _names.lister(__name__, _ROWS)
