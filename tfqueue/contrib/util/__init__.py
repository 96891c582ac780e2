"""`tf.contrib.util`: tensors and protocol buffers."""

from tfqueue.v1 import _lazy_names

_ROWS = {
    "constant_value": "tf:get_static_value",
    "make_ndarray": "tf:make_ndarray",
    "make_tensor_proto": "tf:make_tensor_proto",
}

__getattr__, __dir__ = _lazy_names.attributes(__name__, _ROWS)
