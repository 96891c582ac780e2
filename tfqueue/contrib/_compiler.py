"""`tf.contrib.compiler`: `experimental_jit_scope` of `jit`, `compile` of `xla`."""

from tfqueue.v1 import _lazy_names

_ROWS = {
    "compile": "tf:xla.experimental.compile",
    "experimental_jit_scope": "tf:xla.experimental.jit_scope",
}

__getattr__, __dir__ = _lazy_names.attributes(__name__, _ROWS)
