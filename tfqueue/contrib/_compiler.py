"""`tf.contrib.compiler.jit`: `experimental_jit_scope`."""

from tfqueue.v1 import _rows

_ROWS = {"experimental_jit_scope": "tf:xla.experimental.jit_scope"}

__getattr__, __dir__ = _rows.attributes(__name__, _ROWS)
