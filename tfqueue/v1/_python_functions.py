"""Python functions inside the graph: what they raise is remembered, as an object.

TensorFlow makes text of it. Here the exception itself, with its traceback,
becomes the `__cause__` of the error that the step raises.
"""

import functools
from collections.abc import Callable
from typing import Any

from tfqueue import _tensorflow
from tfqueue.explain import python_errors

_tf = _tensorflow.compat_v1()

__all__ = ["numpy_function", "py_func", "py_function"]


def _remembered(name: str, summary: str) -> Callable[..., Any]:
    """TensorFlow's function `tf.<name>` around a function that remembers what it raises.

    Args:
        summary: The first line of its docstring.
    """
    function = getattr(_tf, name)

    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        if args:
            args = (python_errors.keeping_errors(args[0]), *args[1:])
        elif "func" in kwargs:
            kwargs = {**kwargs, "func": python_errors.keeping_errors(kwargs["func"])}
        return function(*args, **kwargs)

    wrapper.__module__ = __name__
    wrapper.__doc__ = (
        f"{summary} (`tf.{name}`).\n\n"
        f"Arguments and results are those of `tf.compat.v1.{name}`. What the function raises is\n"
        "the `__cause__` of the error that `sess.run` raises.\n"
    )
    return wrapper


py_func = _remembered("py_func", "Calls a Python function on numpy arrays")
numpy_function = _remembered("numpy_function", "Calls a Python function on numpy arrays")
py_function = _remembered("py_function", "Calls a Python function on eager tensors")
