"""The exceptions that Python functions inside a graph raised, as objects.

TensorFlow turns an exception of a `py_func` into text. Its object, with the
traceback, is what the program's author needs. The function is wrapped when
the op is built; what it raises is kept, the last few only, until the failure
they caused is told.
"""

from __future__ import annotations

import collections
import functools
import threading
import weakref
from collections.abc import Callable
from typing import Any

_KEPT = 8
"""Exceptions kept for one function; threads may fail together."""

_wrapped: weakref.WeakSet[_KeepingErrors] = weakref.WeakSet()
_lock = threading.Lock()


class _KeepingErrors:
    """A function that keeps what it raises."""

    def __init__(self, function: Callable[..., Any]) -> None:
        functools.update_wrapper(self, function, updated=())
        self._function = function
        self.raised: collections.deque[BaseException] = collections.deque(maxlen=_KEPT)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        try:
            return self._function(*args, **kwargs)
        except BaseException as error:
            self.raised.append(error)
            raise


def keeping_errors(function: Any) -> Any:
    """`function`, so that `take` finds what it raises.

    Args:
        function: What a `py_func` is to call.
    """
    if not callable(function):
        return function  # TensorFlow says what is wrong with it
    wrapper = _KeepingErrors(function)
    with _lock:
        _wrapped.add(wrapper)
    return wrapper


def take(message: str) -> BaseException | None:
    """The exception that an error message was made of, or None; it is given out once.

    Args:
        message: The message of TensorFlow's error, which begins with the
            exception's class and text.
    """
    with _lock:
        functions = list(_wrapped)
    for function in functions:
        for error in list(function.raised):
            if f"{type(error).__name__}: {error}" in message:
                function.raised.remove(error)
                return error
    return None
