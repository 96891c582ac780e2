"""`tf.contrib.eager`: its functions that serve graphs too, and those that are elsewhere today.

Libraries for graphs, such as Sonnet 1, take what they need of both modes from here. `metrics` is
`tf.contrib.eager.metrics`.
"""

from collections.abc import Callable, Sequence
from typing import Any

from tfqueue.v1 import _lazy_names

_BACKPROP = "tensorflow.python.eager.backprop"
_CONTEXT = "tensorflow.python.eager.context"
_ROWS = {
    "Checkpoint": "tf:train.Checkpoint",
    "Checkpointable": "tensorflow.python.trackable.autotrackable:AutoTrackable",
    "EagerVariableStore": "tensorflow.python.ops.variable_scope:EagerVariableStore",
    "GradientTape": "tf:GradientTape",
    "Iterator": "builtins:iter",  # an eager dataset's has the methods of then, and a graph's raises the error of then
    "TensorSpec": "tf:TensorSpec",
    "Variable": "tensorflow.python.ops.resource_variable_ops:ResourceVariable",
    "custom_gradient": "tf:custom_gradient",
    "enable_eager_execution": "tf:enable_eager_execution",
    "executing_eagerly": "tf:executing_eagerly",
    "function": "tf:function",
    "gradients_function": f"{_BACKPROP}:gradients_function",
    "implicit_gradients": f"{_BACKPROP}:implicit_grad",
    "implicit_value_and_gradients": f"{_BACKPROP}:implicit_val_and_grad",
    "in_eager_mode": "tf:executing_eagerly",
    "metrics": "tfqueue.contrib.eager.metrics",
    "make_template": "tensorflow.python.ops.template:make_template_internal",
    "num_gpus": f"{_CONTEXT}:num_gpus",
    "py_func": "tf:py_function",
    "value_and_gradients_function": f"{_BACKPROP}:val_and_grad_function",
}
__all__ = ["defun"]
__getattr__, __dir__ = _lazy_names.attributes(__name__, _ROWS)


def defun(
    func: Callable[..., Any] | None = None,
    input_signature: Sequence[Any] | None = None,
    autograph: bool = True,
    experimental_autograph_options: Any = None,
    experimental_relax_shapes: bool = False,
) -> Any:
    """Makes a function whose body is one op of the graph (`tf.contrib.eager.defun`).

    Args:
        func: What to call; without it, what is returned decorates.
        input_signature: A `tf.TensorSpec` for each argument: other dtypes and shapes are refused.
        experimental_relax_shapes: Trace less often where shapes differ.

    Raises:
        ValueError: The function makes variables in another call than its first.

    >>> import tfqueue.v1 as tf
    >>> with tf.Session() as sess:
    ...     print(sess.run(defun(lambda x: x * x)(tf.constant(3.0))))
    9.0
    """
    tf = _lazy_names.resolve("tf")
    return tf.function(
        func,
        input_signature=input_signature,
        autograph=autograph,
        reduce_retracing=experimental_relax_shapes,
        experimental_autograph_options=experimental_autograph_options,
    )
