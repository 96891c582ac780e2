"""`tf.contrib.autograph`: TensorFlow's own, which turns Python's `if` and `while` into ops."""

from tfqueue.v1 import _lazy_names

_ROWS = _lazy_names.rows_of(
    "tensorflow.python.autograph",
    {
        "core.converter": "ConversionOptions Feature",
        "impl.api": "AutoGraphError StackTraceMapper convert do_not_convert to_code to_graph",
        "lang.directives": "set_element_type set_loop_options",
        "lang.special_functions": "stack",
    },
) | {name: f"tensorflow.python.autograph.{name}" for name in ("operators", "utils")}

__getattr__, __dir__ = _lazy_names.attributes(__name__, _ROWS)
