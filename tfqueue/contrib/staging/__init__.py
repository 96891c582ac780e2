"""`tf.contrib.staging`: `StagingArea`."""

from tfqueue.v1 import _lazy_names

_ROWS = {
    "StagingArea": "tensorflow.python.ops.data_flow_ops:StagingArea",
}

__getattr__, __dir__ = _lazy_names.attributes(__name__, _ROWS)
