"""`tf.contrib.staging`: `StagingArea`."""

from tfqueue.v1 import _rows

_ROWS = {
    "StagingArea": "tensorflow.python.ops.data_flow_ops:StagingArea",
}

__getattr__ = _rows.getter(__name__, _ROWS)
__dir__ = _rows.lister(__name__, _ROWS)
