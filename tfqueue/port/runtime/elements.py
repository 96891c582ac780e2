"""Elements of arrays: those of one element where a number is asked for, and lists as indices."""

from __future__ import annotations

import itertools
from typing import Any

__all__ = [
    "element",
    "elements",
    "giving_scalar",
    "list_index",
    "scalar",
]


def scalar(value: Any) -> Any:
    """An array of one element as that element, where a number is asked for; all else as it is.

    >>> import numpy as np
    >>> "%d" % scalar(np.array([3])), float(scalar(np.array([[0.5]]))), scalar([1])
    ('3', 0.5, [1])
    """
    import numpy as np

    if isinstance(value, np.ndarray) and value.ndim and value.size == 1:
        return value.reshape(())[()]
    return value


def giving_scalar(function: Any) -> Any:
    """A function whose arrays of one element are numbers, for code that asks it for a number.

    >>> import numpy as np
    >>> float(giving_scalar(lambda x: np.array([x + 1]))(2))
    3.0
    """
    if not callable(function):
        return function

    def number(*args: Any) -> Any:
        return scalar(function(*args))

    return number


def element(value: Any, array: Any) -> Any:
    """Stands for ``value`` in ``array[index] = value``: of an array of one element, the element.

    Numbers go into an array as up to numpy 2.3. What is put into anything else stays as it is.

    >>> import numpy as np
    >>> totals = np.zeros(2)
    >>> totals[1] = element(np.array([0.5]), totals)
    >>> totals, element(np.array([0.5]), {})
    (array([0. , 0.5]), array([0.5]))
    """
    import numpy as np

    if not (isinstance(value, np.ndarray) and value.ndim and value.size == 1):
        return value
    if not (isinstance(array, np.ndarray) and array.dtype.kind in "biufc"):
        return value
    kinds = value.dtype.kind + array.dtype.kind
    if kinds[0] == "c" != kinds[1]:
        return value  # refused as it always was
    whole = set(kinds) <= set("iu")  # one that is too large went round
    return (value.astype(array.dtype) if whole else value).flat[0]


def elements(values: Any, *arrays: Any) -> tuple[Any, ...]:
    """Stands for ``values`` in ``a[i], b, c[j] = values``: see `element`; None is for what is no element of an array.

    >>> import numpy as np
    >>> totals = np.zeros(2)
    >>> name, totals[1] = elements(("a", np.array([0.5])), None, totals)
    >>> name, totals
    ('a', array([0. , 0.5]))
    """
    some = tuple(itertools.islice(values, len(arrays) + 1))  # one too many is refused as it was
    if len(some) != len(arrays):
        return some
    return tuple(map(element, some, arrays))


def list_index(index: Any, array: Any) -> Any:
    """Stands for ``index`` in ``array[index]``: a list that holds a sequence is a tuple, as up to numpy 1.22.

    >>> import numpy as np
    >>> square = np.arange(9).reshape(3, 3)
    >>> square[list_index([[0, 1], [2, 0]], square)], square[list_index([0, 1], square)].shape
    (array([2, 3]), (2, 3))
    """
    import numpy as np

    if not isinstance(index, list) or len(index) > 31 or not isinstance(array, np.ndarray):
        return index
    if array.dtype.names is not None and all(isinstance(one, str) for one in index):
        return index  # fields
    # numpy asked whether it can be indexed: a series of pandas and a class of the program's can be
    sequences = any(
        one is None
        or one is ...
        or isinstance(one, slice)
        or (hasattr(type(one), "__getitem__") and not isinstance(one, dict | np.generic))
        for one in index
    )
    return tuple(index) if sequences else index
