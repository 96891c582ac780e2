"""`tf.contrib.util`: tensors and protocol buffers."""

from tfqueue.v1 import _rows

_ROWS = {
    "constant_value": "tf:get_static_value",
    "make_ndarray": "tf:make_ndarray",
    "make_tensor_proto": "tf:make_tensor_proto",
}

__getattr__, __dir__ = _rows.attributes(__name__, _ROWS)
