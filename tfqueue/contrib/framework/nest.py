"""`tf.contrib.framework.nest`: `tf.nest`, and what was renamed in it."""

from tensorflow.python.util import nest as _nest
from tensorflow.python.util.nest import *  # noqa: F403

from tfqueue.v1 import _lazy_names

is_sequence = _nest.is_nested
__getattr__ = _lazy_names.attributes(__name__, {})[0]
