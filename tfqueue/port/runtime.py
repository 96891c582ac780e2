"""What only run time can tell of today's libraries: small helpers that translated programs call.

What Python 2 meant is in `tfqueue.port.py2`. None of these imports TensorFlow.
"""

from __future__ import annotations

import functools
import importlib
import importlib.util
import itertools
import operator
import re
import types
from collections.abc import Callable
from typing import Any


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


def np_array(value: Any) -> Any:
    """Stands for ``np.array(value)`` where rows may differ in length: as numpy up to 1.23 did it.

    >>> np_array([[1, 2], [3]])
    array([list([1, 2]), list([3])], dtype=object)
    >>> np_array([1, 2])
    array([1, 2])
    """
    import numpy as np

    return _ragged(np.array, value)


def np_asarray(value: Any) -> Any:
    """Stands for ``np.asarray(value)`` where rows may differ in length."""
    import numpy as np

    return _ragged(np.asarray, value)


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


def msort(array: Any) -> Any:
    """Stands for ``numpy.msort``, gone since numpy 2.0, where it is imported by its name."""
    import numpy as np

    return np.sort(array, axis=0)


def _ragged(make: Callable[..., Any], value: Any) -> Any:
    if _is_tensor(value):
        return _objects(value)
    try:
        return make(value)
    except NotImplementedError:
        if not _has_tensor(value):
            raise
        return _objects(value)
    except ValueError as error:
        if "inhomogeneous shape" not in str(error):
            raise
    return make(value, dtype=object)


def _promoted(left: Any, right: Any) -> tuple[Any, Any]:
    """Both operands, a single number with the type that numpy 1 computed with."""
    import numpy as np

    if isinstance(left, np.ndarray) and left.ndim and isinstance(right, np.generic):
        return left, _beside(left.dtype, right)
    if isinstance(right, np.ndarray) and right.ndim and isinstance(left, np.generic):
        return _beside(right.dtype, left), right
    if isinstance(left, np.generic) and type(right) in (int, float):
        return left, np.array(right)[()]
    if isinstance(right, np.generic) and type(left) in (int, float):
        return np.array(left)[()], right
    return left, right


def _beside(dtype: Any, number: Any) -> Any:
    """A number beside an array: numpy 1 looked at its value, unless its kind is the wider one."""
    import numpy as np

    kinds = "bif"
    same = str.maketrans("uc", "if")  # complex numbers are of one kind with floats
    kind, own = (kind.translate(same) for kind in (dtype.kind, number.dtype.kind))
    if kind not in kinds or own not in kinds or kinds.index(own) > kinds.index(kind):
        return number
    least = np.min_scalar_type(number)
    if least.kind == "u" and dtype.kind != "u":
        signed = np.dtype(f"i{least.itemsize}")
        least = signed if number <= np.iinfo(signed).max else least
    return number.astype(np.promote_types(dtype, least))


def _arithmetic(name: str, native: Callable[..., Any], symbol: str) -> Callable[..., Any]:
    def function(left: Any, right: Any) -> Any:
        return native(*_promoted(left, right))

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"Stands for ``left {symbol} right``, promoted as numpy 1 did it."
    return function


np_add = _arithmetic("np_add", operator.add, "+")
np_sub = _arithmetic("np_sub", operator.sub, "-")
np_mul = _arithmetic("np_mul", operator.mul, "*")
np_div = _arithmetic("np_div", operator.truediv, "/")
np_pow = _arithmetic("np_pow", operator.pow, "**")
np_eq = _arithmetic("np_eq", operator.eq, "==")
np_ne = _arithmetic("np_ne", operator.ne, "!=")
np_lt = _arithmetic("np_lt", operator.lt, "<")
np_le = _arithmetic("np_le", operator.le, "<=")
np_gt = _arithmetic("np_gt", operator.gt, ">")
np_ge = _arithmetic("np_ge", operator.ge, ">=")
np_iadd = _arithmetic("np_iadd", operator.iadd, "+=")
np_isub = _arithmetic("np_isub", operator.isub, "-=")
np_imul = _arithmetic("np_imul", operator.imul, "*=")
np_ipow = _arithmetic("np_ipow", operator.ipow, "**=")
np_idiv = _arithmetic("np_idiv", operator.itruediv, "/=")


def np_sum(values: Any) -> Any:
    """Stands for ``sum(values)`` of numbers that a session gave: numpy 1 added in float64.

    >>> import numpy as np
    >>> np_sum([np.float32(0.1), np.float32(0.2)]).dtype
    dtype('float64')
    """
    return functools.reduce(np_add, values, 0)


_PLAIN = (list, tuple, str, bytes, int, float)


def _compared(native: Callable[..., Any], otherwise: bool, left: Any, right: Any) -> Any:
    """What numpy 1 gave: one answer where shapes do not fit, or numbers are compared with text."""
    import numpy as np

    arrays = (np.ndarray, np.generic)
    if not any(isinstance(side, arrays) for side in (left, right)):
        return native(left, right)
    if not all(isinstance(side, (*arrays, *_PLAIN)) for side in (left, right)):
        return native(left, right)  # a class of its own, such as a table or a tensor
    if any(isinstance(side, str | bytes) for side in (left, right)):
        if any(isinstance(side, list | tuple) for side in (left, right)):
            return otherwise  # a single text of numpy's
    sides = [s if isinstance(s, np.ndarray) else np_asarray(s) for s in (left, right)]
    one, other = (_comparable(side.dtype) for side in sides)
    if one != other and "O" not in (one, other):
        return otherwise
    try:
        return native(*sides)
    except ValueError as error:
        if {one, other} <= {"S", "U"} or "could not be broadcast" not in str(error):
            raise
        return otherwise


def _comparable(dtype: Any) -> str:
    """What values are compared as: bytes, text, dates, any objects, or numbers."""
    return dtype.kind if dtype.kind in "SUOMmV" else "numbers"


def array_eq(left: Any, right: Any) -> Any:
    """Stands for ``left == right`` beside a list: False where an array has another shape.

    >>> import numpy as np
    >>> array_eq(np.arange(3), []), array_eq([], []), array_eq(np.arange(2), [0, 2])
    (False, True, array([ True, False]))
    """
    return _compared(operator.eq, False, left, right)


def array_ne(left: Any, right: Any) -> Any:
    """Stands for ``left != right`` beside a list: True where an array has another shape.

    >>> import numpy as np
    >>> array_ne(np.arange(3), []), array_ne("a", [])
    (True, True)
    """
    return _compared(operator.ne, True, left, right)


def is_none(value: Any) -> Any:
    """Stands for ``if value == None``: an array of several is not, and has no answer for each.

    >>> import numpy as np
    >>> is_none(np.zeros(3)), is_none(None), is_none(3)
    (False, True, False)
    """
    return _beside_none(operator.eq, False, value)


def is_not_none(value: Any) -> Any:
    """Stands for ``if value != None``.

    >>> import numpy as np
    >>> is_not_none(np.zeros(3)), is_not_none(None), is_not_none(3)
    (True, False, True)
    """
    return _beside_none(operator.ne, True, value)


def _beside_none(native: Callable[[Any, Any], Any], otherwise: bool, value: Any) -> Any:
    import numpy as np

    if isinstance(value, np.ndarray) and value.size != 1:
        return otherwise
    return native(value, None)


def array_in(value: Any, texts: Any) -> bool:
    """Stands for ``value in ["a", "b"]``: an array of numbers is equal to no text.

    >>> import numpy as np
    >>> array_in(np.arange(3), ["a", "b"]), array_in("b", ["a", "b"])
    (False, True)
    """
    return any(truth(array_eq(value, text)) for text in texts)


def truth(value: Any) -> Any:
    """A comparison where only its truth counts: that of an empty array was False up to numpy 2.1.

    >>> import numpy as np
    >>> truth(np.arange(1) != []), truth(True)
    (False, True)
    """
    return False if getattr(value, "shape", None) is not None and value.size == 0 else value


def of_tensors(function: Callable[..., Any], *args: Any, **words: Any) -> Any:
    """Calls a function of numpy, which takes a tensor for one object as with TensorFlow 1.

    A list of tensors is an array of objects, so that ``np.sum([loss, penalty])`` is their sum.

    Args:
        function: The function, such as ``np.sum``.
        **words: Those by name.

    >>> import numpy as np
    >>> int(of_tensors(np.sum, [1, 2]))
    3
    """
    if function.__name__ == "shape" and _is_tensor(args[0]):
        return function(*args, **words)  # its own, which numpy asks for first
    return function(*(_objects(arg) if _has_tensor(arg) else arg for arg in args), **words)


def _has_tensor(value: Any) -> bool:
    if isinstance(value, list | tuple):
        return any(map(_has_tensor, value))
    return _is_tensor(value)


def _is_tensor(value: Any) -> bool:
    return hasattr(value, "op") and hasattr(value, "consumers")


def _objects(value: Any) -> Any:
    """An array of the objects in lists, as deep as all lists have one length."""
    import numpy as np

    shape = _shape(value)
    array = np.empty(shape, object)
    for index in np.ndindex(*shape):
        array[index] = functools.reduce(operator.getitem, index, value)
    return array


def _shape(value: Any) -> tuple[int, ...]:
    if not isinstance(value, list | tuple):
        return getattr(value, "shape", ()) if type(value).__module__ == "numpy" else ()
    inner = [_shape(one) for one in value]
    common = itertools.takewhile(lambda sizes: len(set(sizes)) == 1, zip(*inner, strict=False))
    return len(value), *(sizes[0] for sizes in common)


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


def class_of(value: Any) -> type:
    """Stands for ``type(value)`` beside `tf.Variable`, which up to TensorFlow 1.10 was the class itself.

    >>> class_of(1)
    <class 'int'>
    """
    kind = type(value)
    if kind.__name__ == "RefVariable":
        return next((base for base in kind.__mro__ if base.__name__ == "VariableV1"), kind)
    return kind


def class_name(value: Any) -> str:
    """Stands for ``type(value).__name__`` beside the name that a class of TensorFlow had.

    >>> class_name(1)
    'int'
    """
    name = type(value).__name__
    return {"RefVariable": "Variable", "SymbolicTensor": "Tensor"}.get(name, name)


def h5_value(dataset: Any) -> Any:
    """Stands for ``dataset.value``, which h5py's datasets no longer have."""
    return dataset.value if hasattr(dataset, "value") else dataset[()]


def nibabel_data(image: Any) -> Any:
    """Stands for ``image.get_data()``, which nibabel's images no longer have."""
    if not hasattr(image, "dataobj"):
        return image.get_data()
    import numpy as np

    return np.asanyarray(image.dataobj)


def no_distribution(*_args: Any, **_words: Any) -> tuple[str, str, str]:
    """Stands for ``platform.linux_distribution()``, gone since Python 3.8: nothing is known.

    >>> no_distribution()
    ('', '', '')
    """
    return "", "", ""


def import_module(name: Any, package: Any = None) -> types.ModuleType:
    """Stands for ``importlib.import_module`` where its name is put together: TensorFlow 1's are in tfqueue.v1.

    >>> import_module("tensor" + "flow.python_io").__name__
    'tfqueue.v1.python_io'
    """
    head, dot, rest = str(name).partition(".")
    if head == "tensorflow":
        try:
            return importlib.import_module(f"tfqueue.v1{dot}{rest}")
        except ModuleNotFoundError as error:
            if not rest.startswith("python."):
                said = str(error).replace("tfqueue.v1", "tensorflow")
                raise ModuleNotFoundError(said, name=str(name)) from None
    return importlib.import_module(name, package)


def locate(path: str, forceload: Any = 0) -> Any:
    """Stands for ``pydoc.locate`` of a name that is put together: TensorFlow 1's are in tfqueue.v1.

    >>> locate("tensor" + "flow.train.AdamOptimizer").__name__
    'AdamOptimizer'
    >>> locate("collections.no_such_name")
    """
    import pydoc

    head, dot, rest = path.partition(".")
    if head == "tensorflow" and rest.partition(".")[0] not in ("python", "core"):
        return pydoc.locate(f"tfqueue.v1{dot}{rest}", forceload)
    return pydoc.locate(path, forceload)


def load_source(name: str, path: str, file: Any = None) -> types.ModuleType:
    """Stands for ``imp.load_source``, gone since Python 3.12: a module from a file.

    It is translated as modules that are imported are. A module of the name that is there already is
    run again as what the file says, and keeps its other names.

    >>> import os, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "settings.py")
    ...     with open(path, "w") as file:
    ...         _ = file.write("SIZE = 3")
    ...     load_source("settings", path).SIZE
    3
    """
    import sys

    from tfqueue.port.run import importer  # here: a ported program needs nothing else of it

    spec = importer.spec_of(name, path)
    assert spec.loader is not None, "a file's name ends in .py"
    new = importlib.util.module_from_spec(spec)
    module = sys.modules.setdefault(name, new)
    if module is not new:
        for place in ("__spec__", "__loader__", "__file__"):
            setattr(module, place, getattr(new, place))
    spec.loader.exec_module(module)
    return module


def old_code(source: Any, path: str = "<string>") -> types.CodeType:
    """The code of text that a program runs by ``exec``, translated as the program is.

    Args:
        source: The text; code and trees are taken as they are.
        path: The file name to put in the code.

    >>> exec(old_code("x = 3"))
    >>> x
    3
    """
    from tfqueue.port.code import compilation  # here: a ported program needs nothing else of it
    from tfqueue.port.run import importer

    if isinstance(source, types.CodeType):
        return source
    if not isinstance(source, str | bytes):
        return compile(source, path, "exec", dont_inherit=True)
    text = source if isinstance(source, str) else importlib.util.decode_source(source)
    return compilation.compile_text(text, path, "exec", importer.text_verdict())


@functools.total_ordering
class LooseVersion:
    """Stands for ``distutils.version.LooseVersion``, gone since Python 3.12.

    >>> LooseVersion("1.10") > "1.9", LooseVersion("0.12.1").version
    (True, [0, 12, 1])
    """

    def __init__(self, text: str) -> None:
        self.vstring = text
        parts = re.findall(r"\d+|[a-z]+", text)
        self.version = [int(part) if part.isdigit() else part for part in parts]

    def _key(self) -> list[tuple[bool, Any]]:
        return [(isinstance(part, str), part) for part in self.version]

    def __eq__(self, other: Any) -> bool:
        return self._key() == _version(other)._key()

    def __lt__(self, other: Any) -> bool:
        return self._key() < _version(other)._key()

    def __hash__(self) -> int:
        return hash(tuple(self._key()))

    def __str__(self) -> str:
        return self.vstring

    __repr__ = __str__


def _version(value: Any) -> LooseVersion:
    return value if isinstance(value, LooseVersion) else LooseVersion(str(value))


def argspec(function: Callable[..., Any]) -> tuple[Any, ...]:
    """Stands for ``inspect.getargspec``, gone since Python 3.11: the first four of the full one.

    >>> argspec(lambda a, b=1: 0).args
    ['a', 'b']
    """
    import collections
    import inspect

    spec = inspect.getfullargspec(function)
    ArgSpec = collections.namedtuple("ArgSpec", "args varargs keywords defaults")
    return ArgSpec(spec.args, spec.varargs, spec.varkw, spec.defaults)


def messages_of(serialized: bytes | str, names: dict[str, Any]) -> Any:
    """Makes the messages and enums of a serialized `.proto` file, as a `_pb2.py` of today does.

    Args:
        serialized: The file; a text of Python 2 holds a byte in each character.
        names: The namespace of the `_pb2.py`, where they go.

    Returns:
        The file's descriptor.
    """
    from google.protobuf import descriptor_pool
    from google.protobuf.internal import builder

    if isinstance(serialized, str):
        plain = all(ord(char) < 256 for char in serialized)
        serialized = (
            serialized.encode("latin-1") if plain else serialized.encode("utf-8", "surrogateescape")
        )
    file = descriptor_pool.Default().AddSerializedFile(serialized)
    builder.BuildMessageAndEnumDescriptors(file, names)
    builder.BuildTopDescriptorsAndMessages(file, names["__name__"], names)
    return file
