"""`tf.contrib.stateless`: random numbers that the seed alone decides, which are in `tf.random` today."""

from tfqueue.v1 import _lazy_names

_ROWS = {
    "stateless_multinomial": "tf:random.stateless_multinomial",
    "stateless_random_normal": "tf:random.stateless_normal",
    "stateless_random_uniform": "tf:random.stateless_uniform",
    "stateless_truncated_normal": "tf:random.stateless_truncated_normal",
}

__getattr__, __dir__ = _lazy_names.attributes(__name__, _ROWS)
