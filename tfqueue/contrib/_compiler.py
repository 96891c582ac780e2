"""`tf.contrib.compiler.jit`: `experimental_jit_scope`."""

from tfqueue.v1 import _rows

_ROWS = {"experimental_jit_scope": "tf:xla.experimental.jit_scope"}

__getattr__ = _rows.getter(__name__, _ROWS)
__dir__ = _rows.lister(__name__, _ROWS)
