"""`tf.contrib.staging`: `StagingArea`."""

from tfqueue.v1 import _rows

_ROWS = {
    "StagingArea": "tensorflow.python.ops.data_flow_ops:StagingArea",
}

__getattr__, __dir__ = _rows.attributes(__name__, _ROWS)
