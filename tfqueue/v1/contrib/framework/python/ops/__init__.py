"""Where TensorFlow 1.15 had the functions of `tf.contrib.framework`; its names are here too."""

from tfqueue.v1.contrib import _names
from tfqueue.v1.contrib import framework as _framework

_ROWS = {name: f"{__name__}.{name}" for name in ("arg_scope", "variables")}
# `arg_scope` is a function in the package and a module below it: as in TensorFlow 1, the function.
_ROWS["arg_scope"] = "tf_slim.ops.arg_scope:arg_scope"
_own = _names.getter(__name__, _ROWS)


def __getattr__(name):
    return _own(name) if name in _ROWS else getattr(_framework, name)
