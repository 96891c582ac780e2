"""`tf.contrib.util`: tensors and protocol buffers."""

from tfqueue.v1.contrib import _gone, _names

_ROWS = {
    "constant_value": "tf:get_static_value",
    "make_ndarray": "tf:make_ndarray",
    "make_tensor_proto": "tf:make_tensor_proto",
}

__getattr__ = _names.getter(__name__, _ROWS, _gone.UTIL)
__dir__ = _names.lister(__name__, _ROWS)
