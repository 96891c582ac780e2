"""Python functions inside the graph."""

from __future__ import annotations

import re

from tfqueue.explain import python_errors
from tfqueue.explain.case import Case
from tfqueue.explain.stories.rows import Row

_CALLS = ("PyFunc", "PyFuncStateless", "EagerPyFunc")


def _own_error(case: Case) -> str:
    """Puts the function's own exception behind TensorFlow's, as its cause."""
    own = python_errors.take(case.message)
    if own is None:
        return ""
    case.error.__cause__ = own
    line = own.__traceback__
    while line is not None and line.tb_next is not None:
        line = line.tb_next
    place = f" at {line.tb_frame.f_code.co_filename}:{line.tb_lineno}" if line is not None else ""
    return f"the Python function raised {type(own).__name__}: {own}{place}"


def _other_dtype(case: Case) -> str:
    """Names the dtype that the function was said to return and the one that it returned."""
    told = re.search(r"value returned by \S+ is (\w+), but expects (\w+)", case.message)
    if told is None:
        return ""
    actual, wanted = (case.tf.as_dtype(name).name for name in told.groups())
    return (
        f"the Python function returned a {actual} and was declared to return a {wanted}. Convert "
        f"what it returns, or declare Tout=tf.{actual}"
    )


FAILURES = [
    Row(
        ("python_function_raises",),
        # Inside a branch the op is not found by its name; the message tells as much.
        lambda case: case.op_type in _CALLS or "Traceback (most recent call last)" in case.message,
        _own_error,
    ),
    Row(("python_function_raises",), lambda case: case.op_type in _CALLS, _other_dtype),
]
