"""Arrays: how numpy of old made them and what its functions gave."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from tfqueue.port.runtime.tensors import has_tensor, is_tensor, objects

__all__ = [
    "asfarray",
    "asscalar",
    "expand_dims",
    "in1d",
    "in_double",
    "issubdtype",
    "length",
    "msort",
    "np_array",
    "np_asarray",
    "np_count",
    "np_rows",
    "np_solve",
    "one_drawn",
    "sctypes",
    "tobytes",
    "trapz",
    "unique",
]


def tobytes(value: Any, *args: Any, **words: Any) -> Any:
    """Stands for ``value.tostring()``: an array's, an image's, or a method of one's own.

    >>> import array
    >>> tobytes(array.array("B", [104, 105]))
    b'hi'
    """
    # numpy 2.3 removed ndarray.tostring; a user's own class keeps what it calls tostring
    if hasattr(type(value), "tobytes") or not hasattr(value, "tostring"):
        return value.tobytes(*args, **words)
    return value.tostring(*args, **words)


def np_array(value: Any, dtype: Any = None) -> Any:
    """Stands for ``np.array(value)`` where rows may differ in length: as numpy up to 1.23 did it.

    >>> import numpy as np
    >>> np_array([[1, 2], [3]])
    array([list([1, 2]), list([3])], dtype=object)
    >>> np_array([1, 2]), np_array([1, np.array([2])], dtype=float)
    (array([1, 2]), array([1., 2.]))
    """
    import numpy as np

    return _ragged(np.array, value, dtype)


def np_asarray(value: Any, dtype: Any = None) -> Any:
    """Stands for ``np.asarray(value)`` where rows may differ in length."""
    import numpy as np

    return _ragged(np.asarray, value, dtype)


def np_rows(value: Any) -> Any:
    """Stands for a list that a function of numpy takes: an array of objects where its rows differ.

    >>> import numpy as np
    >>> np.resize(np_rows([1, [2, 3]]), 2), np_rows((1, 2))
    (array([1, list([2, 3])], dtype=object), array([1, 2]))
    """
    return np_asarray(value) if isinstance(value, list | tuple) else value


def _ragged(make: Callable[..., Any], value: Any, dtype: Any) -> Any:
    import numpy as np

    from tfqueue._tensorflow.one_element import as_numbers

    if is_tensor(value):
        return objects(value)
    try:
        return make(value, dtype=dtype)
    except NotImplementedError:
        if not has_tensor(value):
            raise
        return objects(value)
    except ValueError as error:
        if "inhomogeneous shape" not in str(error):
            raise
        if dtype is not None:
            numbers = as_numbers(value, dtype) if np.dtype(dtype).kind in "biufc" else None
            if numbers is None:
                raise
            return numbers
    return make(value, dtype=object)


def np_count(numbers: Any) -> Any:
    """An array of one whole number that is an index and a length as well, as up to numpy 1.11.

    >>> import numpy as np
    >>> rows = np_count(np.array([2]))
    >>> rows * rows, len(range(rows)), np.zeros(4).reshape(rows, rows).shape
    (array([4]), 2, (2, 2))
    """
    import numpy as np

    if numbers.shape != (1,) or not np.issubdtype(numbers.dtype, np.integer):
        return numbers
    return numbers.view(_count_class())


@functools.cache
def _count_class() -> type:
    """The class of an array that `operator.index` takes where it has one element."""
    import numpy as np

    def index(self: Any) -> int:
        if self.size == 1:
            return int(self.reshape(())[()])
        raise TypeError("only an array of one whole number can be an index")

    return type("ndarray", (np.ndarray,), {"__index__": index, "__repr__": _plain_repr})


def length(number: Any) -> Any:
    """A float that is a length, an index and the end of a slice as well, as up to numpy 1.11.

    It stays a float where one is asked for, such as by a label of pandas or a key.

    >>> import numpy as np
    >>> np.zeros((length(2.0), length(np.floor(1.5)))).shape, np.arange(5)[: length(3.7)]
    ((2, 1), array([0, 1, 2]))
    >>> length(3), {0.5: "half"}[length(0.5)]
    (3, 'half')
    """
    import numpy as np

    return _Length(number) if isinstance(number, float | np.floating) else number


class _Length(float):
    """A float that `operator.index` takes, without what is behind the point."""

    def __index__(self) -> int:
        return int(self)


def _plain_repr(self: Any) -> str:
    import numpy as np

    return repr(self.view(np.ndarray))


def issubdtype(one: Any, other: Any) -> bool:
    """Stands for ``np.issubdtype``: float was any floating type, and int any signed one.

    >>> import numpy as np
    >>> issubdtype(np.float32, float), issubdtype(np.int32, "int"), issubdtype(np.uint8, int)
    (True, True, False)
    >>> issubdtype(np.float32, np.float64)
    False
    """
    import numpy as np

    if isinstance(other, np.dtype) or (isinstance(other, type) and issubclass(other, np.generic)):
        return bool(np.issubdtype(one, other))
    _, *wider = np.dtype(other).type.mro()
    return issubclass(np.dtype(one).type, wider[0])


def unique(values: Any, *args: Any, **words: Any) -> Any:
    """Stands for ``np.unique`` with an inverse, which is flat as up to numpy 1.26.

    >>> unique([[3], [1], [3]], return_inverse=True)[1]
    array([1, 0, 1])
    """
    import numpy as np

    found = np.unique(values, *args, **words)
    at = 1 + bool(args[0] if args else words.get("return_index"))
    if not isinstance(found, tuple) or not (args[1:2] or [words.get("return_inverse")])[0]:
        return found
    return *found[:at], found[at].ravel(), *found[at + 1 :]


def expand_dims(a: Any, axis: int) -> Any:
    """Stands for ``np.expand_dims``, where an axis beyond the last one was the last up to 1.17.

    >>> expand_dims([1, 2], 3).shape
    (2, 1)
    """
    import numpy as np

    array = np.asanyarray(a)
    if -array.ndim - 1 <= axis <= array.ndim:
        return np.expand_dims(a, axis)
    at = axis + array.ndim + 1 if axis < 0 else axis
    return array.reshape((*array.shape[:at], 1, *array.shape[at:]))


def one_drawn(randint: Callable[..., Any], *limits: Any, **named: Any) -> Any:
    """Calls `randint`, which up to numpy 1.16 gave a number for limits that are arrays of one element.

    >>> import numpy as np
    >>> one_drawn(np.random.randint, 0, np.array([[1]]))
    0
    """
    import numpy as np

    drawn = randint(*limits, **named)
    return drawn.item() if isinstance(drawn, np.ndarray) and drawn.size == 1 else drawn


def sctypes() -> dict[str, list[Any]]:
    """Stands for ``np.sctypes``, gone since numpy 2.0: the scalar types by kind, smaller ones first.

    >>> [kind.__name__ for kind in sctypes()["uint"]]
    ['uint8', 'uint16', 'uint32', 'uint64']
    >>> sorted(sctypes())
    ['complex', 'float', 'int', 'others', 'uint']
    """
    import numpy as np

    codes = {"int": "bhil", "uint": "BHIL", "float": "efdg", "complex": "FDG"}
    kinds = {kind: [np.dtype(code).type for code in row] for kind, row in codes.items()}
    return {**kinds, "others": [bool, object, bytes, str, np.void]}


def asscalar(array: Any) -> Any:
    """Stands for ``numpy.asscalar``, gone since numpy 1.23, where it is imported by its name."""
    return array.item()


def asfarray(array: Any, dtype: Any = float) -> Any:
    """Stands for ``numpy.asfarray``, gone since numpy 2.0, where it is imported by its name.

    >>> asfarray([1, 2]).dtype.name, asfarray([1], "float32").dtype.name, asfarray([1], int).dtype.name
    ('float64', 'float32', 'float64')
    """
    import numpy as np

    return np.asarray(array, dtype if np.issubdtype(dtype, np.inexact) else float)


def trapz(*args: Any, **words: Any) -> Any:
    """Stands for ``numpy.trapz``, gone since numpy 2.4: ``np.trapezoid``, which there is since 2.0.

    >>> float(trapz([1, 2, 3]))
    4.0
    """
    import numpy as np

    function: Any = getattr(np, "trapezoid", None) or np.trapz  # type: ignore[attr-defined]
    return function(*args, **words)


def in1d(*args: Any, **words: Any) -> Any:
    """Stands for ``numpy.in1d``, gone since numpy 2.4: ``np.isin``, of one dimension.

    >>> in1d([[1, 2], [3, 4]], [3], invert=True)
    array([ True,  True, False,  True])
    """
    import numpy as np

    for old, new in (("ar1", "element"), ("ar2", "test_elements")):
        if old in words:
            words[new] = words.pop(old)
    return np.isin(*args, **words).ravel()


def in_double(function: Callable[..., Any], array: Any, *args: Any, **words: Any) -> Any:
    """Stands for ``np.fft.fft(array, ...)`` and its kin, which computed in 64 bits up to numpy 1.26.

    >>> import numpy as np
    >>> in_double(np.fft.rfft, np.ones(2, np.float32)).dtype.name
    'complex128'
    """
    import numpy as np

    array = np.asarray(array)
    kind = {"f": float, "c": complex}.get(array.dtype.kind)
    small = kind is not None and array.dtype.itemsize < np.dtype(kind).itemsize
    return function(array.astype(kind) if small else array, *args, **words)


def np_solve(a: Any, b: Any) -> Any:
    """Stands for ``np.linalg.solve``, which took a vector for each matrix of a stack up to numpy 1.26.

    >>> import numpy as np
    >>> np_solve(np.stack([np.eye(2), 2 * np.eye(2)]), [[1.0, 2.0], [3.0, 4.0]]).tolist()
    [[1.0, 2.0], [1.5, 2.0]]
    """
    import numpy as np

    if np.ndim(b) != np.ndim(a) - 1:
        return np.linalg.solve(a, b)
    return np.linalg.solve(a, np.asarray(b)[..., None])[..., 0]


def msort(array: Any) -> Any:
    """Stands for ``numpy.msort``, gone since numpy 2.0, where it is imported by its name."""
    import numpy as np

    return np.sort(array, axis=0)
