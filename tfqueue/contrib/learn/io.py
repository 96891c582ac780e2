"""`tf.contrib.learn.io`: the readers of `graph_io`, and input functions of arrays and frames."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

from tfqueue import estimator as _estimator
from tfqueue.contrib.learn import graph_io

_READERS = [name for name in graph_io.__all__ if name.islower()]
__all__ = ["graph_io", "numpy_input_fn", "pandas_input_fn", *_READERS]

globals().update({name: getattr(graph_io, name) for name in _READERS})


def _shuffling(function: Callable[..., Any]) -> Callable[..., Any]:
    """An input function of `tf.estimator.inputs` whose `shuffle` is True by default.

    Args:
        function: The original, whose `shuffle` has to be given.
    """
    original = inspect.signature(function)
    parameters = [
        each.replace(default=True) if each.name == "shuffle" else each
        for each in original.parameters.values()
    ]
    signature = original.replace(parameters=parameters)

    @functools.wraps(function)
    def input_fn(*args: Any, **kwargs: Any) -> Any:
        bound = signature.bind(*args, **kwargs)
        bound.apply_defaults()
        return function(*bound.args, **bound.kwargs)

    vars(input_fn)["__signature__"] = signature
    input_fn.__doc__ = (
        f"`tf.estimator.inputs.{function.__name__}`, which shuffles unless it is told not to."
    )
    return input_fn


numpy_input_fn = _shuffling(_estimator.numpy_input_fn)
pandas_input_fn = _shuffling(_estimator.pandas_input_fn)
