"""`tf.contrib.compiler.jit`: `experimental_jit_scope`."""

from tfqueue.v1.contrib import _names

_ROWS = {"experimental_jit_scope": "tf:xla.experimental.jit_scope"}

__getattr__ = _names.getter(__name__, _ROWS)
__dir__ = _names.lister(__name__, _ROWS)
