"""The functions of Python 2's ``__builtin__`` that changed or went."""

from __future__ import annotations
import __future__

import ast
import builtins
import decimal
import dis
import functools
import importlib
import inspect
import itertools
import math
import numbers
import os
import sys
from collections.abc import Callable, Iterable
from typing import Any

from tfqueue.port.py2.operators import compare
from tfqueue.port.py2.text import decoded
from tfqueue.port.py2.text import str as text_str
from tfqueue.port.py2.text import unicode as unicode

__all__ = [
    *(
        "apply",
        "basestring",
        "buffer",
        "chr",
        "cmp",
        "coerce",
        "compile",
        "eval",
        "exec",
        "execfile",
        "filter",
    ),
    *("hash", "hex", "input", "intern", "isinstance", "long", "map", "max", "min", "oct"),
    *("ord", "range"),
    *("raw_input", "reduce", "reload", "round", "sorted", "unichr", "unicode", "xrange", "zip"),
    "StandardError",
]

StandardError = Exception
buffer = memoryview
intern = sys.intern
long = int
raw_input = builtins.input
reduce = functools.reduce
unichr = builtins.chr
xrange = builtins.range


class _Texts(type):
    def __instancecheck__(cls, value: Any) -> bool:
        return builtins.isinstance(value, str | bytes)

    def __subclasscheck__(cls, other: type) -> bool:
        return issubclass(other, str | bytes)


class basestring(metaclass=_Texts):
    """Stands for the common base of Python 2's two kinds of text.

    >>> isinstance("x", basestring), isinstance(b"x", basestring), isinstance(1, basestring)
    (True, True, False)
    """


def apply(
    function: Callable[..., Any], args: Iterable[Any] = (), words: dict[Any, Any] | None = None
) -> Any:
    """Stands for ``function(*args, **words)``."""
    return function(*args, **(words or {}))


def cmp(left: Any, right: Any) -> int:
    """Orders two things: -1, 0 or 1.

    >>> cmp(1, 2), cmp("b", "a"), cmp(None, 3)
    (-1, 1, -1)
    """
    return compare(left, right)


def coerce(left: Any, right: Any) -> tuple[Any, ...]:
    """Two numbers as numbers of one type.

    >>> coerce(1, 2.5)
    (1.0, 2.5)
    """
    kind = type(left + right)
    return tuple(v if builtins.isinstance(v, kind) else kind(v) for v in (left, right))


def filter(function: Callable[..., Any] | None, values: Iterable[Any]) -> Any:
    """A string of a string, a tuple of a tuple, else a list.

    >>> filter(None, (1, 0, 2)), filter(str.isdigit, "img_012"), filter(None, [0, 1])
    ((1, 2), '012', [1])
    """
    kept = builtins.filter(function, values)
    if builtins.isinstance(values, str):
        return "".join(kept)
    return tuple(kept) if builtins.isinstance(values, tuple) else list(kept)


def map(
    function: Callable[..., Any] | None, values: Iterable[Any], *more: Iterable[Any]
) -> list[Any]:
    """A list; shorter arguments are filled up with None, and no function makes tuples.

    >>> map(lambda a, b: (a, b), [1, 2], [3]), map(None, [1], [2]), map(None, "ab")
    ([(1, 3), (2, None)], [(1, 2)], ['a', 'b'])
    """
    if not more:
        return list(values) if function is None else [function(value) for value in values]
    rows = itertools.zip_longest(values, *more)
    return list(rows) if function is None else [function(*row) for row in rows]


def zip(*values: Iterable[Any]) -> list[Any]:
    """A list of tuples, as many as the shortest argument has.

    >>> zip([1, 2], "abc")
    [(1, 'a'), (2, 'b')]
    """
    return list(builtins.zip(*values, strict=False))


def range(*bounds: Any) -> list[int]:
    """A list of whole numbers.

    >>> range(3) + range(5, 3, -1)
    [0, 1, 2, 5, 4]
    """
    return list(builtins.range(*bounds))


def round(value: Any, digits: int = 0) -> Any:
    """A float, halves away from zero.

    >>> round(2.5), round(-0.5), round(1.005, 2), round(25, -1)
    (3.0, -1.0, 1.0, 30.0)
    """
    if not builtins.isinstance(value, numbers.Real | decimal.Decimal):
        if hasattr(type(value), "__round__") or not hasattr(type(value), "__float__"):
            return builtins.round(value, digits) if digits else builtins.round(value)
    number = float(value)
    digits = int(digits)
    if not math.isfinite(number) or digits > 300:
        return number
    exact = decimal.Decimal(number)
    with decimal.localcontext() as context:
        context.prec = 1000
        kept = exact.quantize(decimal.Decimal(1).scaleb(-digits), decimal.ROUND_HALF_UP)
    return math.copysign(float(kept), number)


def sorted(
    values: Iterable[Any],
    cmp: Callable[..., Any] | None = None,
    key: Callable[..., Any] | None = None,
    reverse: Any = False,
) -> list[Any]:
    """A sorted list of anything, by a comparing function too.

    >>> sorted([3, None, "a", 1]), sorted([1, 3, 2], lambda a, b: b - a)
    ([None, 1, 3, 'a'], [3, 2, 1])
    """
    return sort_list(list(values), cmp, key, reverse)


def sort_list(
    values: list[Any],
    cmp: Callable[..., Any] | None = None,
    key: Callable[..., Any] | None = None,
    reverse: Any = False,
) -> list[Any]:
    """Sorts a list in place, and returns it."""
    if cmp is None:
        before = values[:]
        try:
            values.sort(key=key, reverse=bool(reverse))
            return values
        except TypeError:
            values[:] = before
            cmp = compare
    ordered = functools.cmp_to_key(cmp)
    whole = ordered if key is None else lambda value: ordered(key(value))
    values.sort(key=whole, reverse=bool(reverse))
    return values


def _extreme(
    native: Callable[..., Any], sign: int, values: tuple[Any, ...], key: Callable[..., Any] | None
) -> Any:
    words = {} if key is None else {"key": key}
    if len(values) == 1:
        values = (values[0] if hasattr(values[0], "__len__") else list(values[0]),)
    try:
        return native(*values, **words)
    except TypeError:
        several = list(values[0]) if len(values) == 1 else list(values)
        if not several:
            raise
    order = functools.cmp_to_key(lambda one, other: sign * compare(one, other))
    return builtins.max(several, key=order if key is None else lambda v: order(key(v)))


def max(*values: Any, key: Callable[..., Any] | None = None) -> Any:
    """The greatest of anything.

    >>> max(1, "a", None), max([1, 3, 2])
    ('a', 3)
    """
    return _extreme(builtins.max, 1, values, key)


def min(*values: Any, key: Callable[..., Any] | None = None) -> Any:
    """The least of anything.

    >>> min(1, "a", None) is None, min([2, 1])
    (True, 1)
    """
    return _extreme(builtins.min, -1, values, key)


def oct(value: int) -> str:
    """A number in base eight, with a 0 in front.

    >>> oct(8), oct(0), oct(-8)
    ('010', '0', '-010')
    """
    if hasattr(type(value), "__oct__"):
        return value.__oct__()
    return builtins.oct(value).replace("o", "", 1) + _suffix(value) if value else "0"


def hex(value: int) -> str:
    """A number in base sixteen.

    >>> hex(255), hex(2**64)
    ('0xff', '0x10000000000000000L')
    """
    if hasattr(type(value), "__hex__"):
        return value.__hex__()
    return builtins.hex(value) + _suffix(value)


def _suffix(value: Any) -> str:
    return "" if -(2**63) <= int(value) < 2**63 else "L"


def ord(value: Any) -> int:
    """The code of a character; an element of bytes is one already.

    >>> ord("a"), ord(b"a"[0])
    (97, 97)
    """
    if builtins.isinstance(value, int):
        return value
    code = builtins.ord(value)
    return code - 0xDC00 if 0xDC80 <= code <= 0xDCFF else code


def chr(code: int) -> str:
    """The character of one byte: above 127 it is no text, and written as that byte.

    >>> chr(65), ord(chr(200)), chr(200).encode("utf-8", "surrogateescape")
    ('A', 200, b'\\xc8')
    """
    if not 0 <= code <= 255:
        raise ValueError(f"a byte is a number from 0 to 255, not {code}")
    return builtins.chr(0xDC00 + code if code >= 128 else code)


def hash(value: Any) -> int:
    """The hash that Python 2 gave to text, to numbers and to tuples of such (64 bits).

    >>> hash("abc"), hash(7)
    (1453079729188098211, 7)
    """
    mask = 2**64 - 1
    if builtins.isinstance(value, bytes):
        value = decoded(value)
    if isinstance(value, str) and type(value).__hash__ is str.__hash__:
        codes = [builtins.ord(char) for char in value]
        if any(code > 127 for code in codes):
            codes = list(value.encode("utf-8", "surrogateescape"))
        found = codes[0] << 7 if codes else 0
        for code in codes:
            found = ((1000003 * found) & mask) ^ code
        found ^= len(codes)
    elif type(value) is tuple:
        found, times = 0x345678, 1000003
        for left, item in builtins.zip(builtins.range(len(value) - 1, -1, -1), value, strict=True):
            found = ((found ^ (hash(item) & mask)) * times) & mask
            times = (times + 82520 + 2 * left) & mask
        found = (found + 97531) & mask
    elif type(value) is float and math.isfinite(value) and value != int(value):
        part, power = math.frexp(value)
        upper = int(part * 2**31)
        found = upper + int((part * 2**31 - upper) * 2**31) + (power << 15)
    elif type(value) in (int, float) and math.isfinite(value):
        whole = int(value)
        if not -(2**63) <= whole < 2**63:
            whole = (abs(whole) % mask or mask) * (-1 if whole < 0 else 1)
        found = whole
    elif type(value) is float:
        found = 0 if math.isnan(value) else 314159 if value > 0 else -271828
    else:
        return builtins.hash(value)
    found = found & mask
    found -= 2**64 if found >= 2**63 else 0
    return found if found != -1 else -2


def reload(module: Any) -> Any:
    """Reads a module again; `sys`, which programs reload to set an encoding, needs nothing."""
    return module if module is sys else importlib.reload(module)


def input(prompt: Any = "") -> Any:
    """Evaluates what is typed."""
    frame = sys._getframe(1)
    return _evaluate(builtins.input(prompt), frame, frame.f_globals, frame.f_locals)


def _names(frame: Any, names: Any, local: Any) -> tuple[dict[Any, Any], Any]:
    if names is None:
        return frame.f_globals, frame.f_locals if local is None else local
    return names, names if local is None else local


_FUTURES = ("division", "print_function", "unicode_literals")


def _compiled(text: Any, path: str, mode: str, frame: Any, flags: int = 0) -> Any:
    from tfqueue.port.code import compilation  # here: few programs need it, and it loads all rules

    # Text that a module runs is compiled as the module is.
    names = frame.f_globals if frame is not None else {}
    futures = [
        name
        for name in _FUTURES
        if names.get(name) is (feature := getattr(__future__, name))
        or flags & feature.compiler_flag
    ]
    text = decoded(text) if builtins.isinstance(text, bytes) else text
    return compilation.compile_text(text, path, mode, compilation.PYTHON2, futures)


def compile(
    source: Any, filename: str, mode: str, flags: int = 0, dont_inherit: bool = False
) -> Any:
    """Compiles text of Python 2.

    >>> names = {}
    >>> exec(compile("x = 7 / 2", "text", "exec"), names)
    >>> names["x"]
    3
    """
    if not builtins.isinstance(source, str | bytes) or flags & ast.PyCF_ONLY_AST:
        return builtins.compile(source, filename, mode, flags, True)
    frame = None if dont_inherit else sys._getframe(1)
    return _compiled(source, filename, mode, frame, flags)


def _evaluate(text: Any, frame: Any, names: dict[Any, Any], local: Any) -> Any:
    code = (
        _data(text) or _compiled(text.strip(), "<string>", "eval", frame)
        if builtins.isinstance(text, str | bytes)
        else text
    )
    return builtins.eval(code, names, local)


def _data(text: Any) -> Any:
    """The code of an expression that writes lists, tuples and numbers alone, as `repr` does, and None for another.

    It means the same in Python 2 and 3, and a program may evaluate thousands of them: the rules take some milliseconds for one.
    """
    try:
        tree = ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError):
        return None
    if all(_is_data(node) for node in ast.walk(tree.body)):
        return builtins.compile(tree, "<string>", "eval")
    return None


def _is_data(node: ast.AST) -> bool:
    if builtins.isinstance(node, ast.Constant):
        return node.value is None or builtins.isinstance(node.value, int | float | complex)
    return builtins.isinstance(
        node, ast.List | ast.Tuple | ast.UnaryOp | ast.USub | ast.UAdd | ast.Load
    )


def eval(source: Any, names: dict[Any, Any] | None = None, local: Any = None) -> Any:
    """Evaluates an expression of Python 2.

    >>> eval("7 / 2")
    3
    """
    frame = sys._getframe(1)
    return _evaluate(source, frame, *_names(frame, names, local))


def exec(source: Any, names: dict[Any, Any] | None = None, local: Any = None) -> None:
    """Runs statements of Python 2.

    >>> names = {}
    >>> exec("x = 7 / 2", names)
    >>> names["x"]
    3
    """
    frame = sys._getframe(1)
    inside = names is None and local is None and frame.f_code.co_flags & inspect.CO_OPTIMIZED
    names, local = _names(frame, names, local)
    if hasattr(source, "read"):
        source = source.read()
    if builtins.isinstance(source, str | bytes):
        source = _compiled(source, "<string>", "exec", frame)
    if inside:
        _inside(frame, source)
    builtins.exec(source, names, local)


def _inside(frame: Any, code: Any) -> None:
    """Refuses statements that bind a name which the function around them reads."""
    around = frame.f_code
    read = {*around.co_names, *around.co_varnames, *around.co_cellvars}
    bound = {
        step.argval
        for step in dis.get_instructions(code)
        if step.opname in ("STORE_NAME", "DELETE_NAME")
    }
    if lost := sorted(bound & read):
        raise RuntimeError(
            f"{around.co_filename}:{frame.f_lineno}: exec binds {', '.join(lost)} in {around.co_name}(), "
            "which reads it; Python 3 keeps what exec binds out of a function: write "
            "`names = {}; exec text in names` and read from names"
        )


def execfile(path: str, names: dict[Any, Any] | None = None, local: Any = None) -> None:
    """Runs a file of Python 2 in the caller's namespace."""
    from tfqueue.port.source.files import read

    names, local = _names(sys._getframe(1), names, local)
    with open(path, "rb"):
        text = read(os.path.abspath(path)).text
    builtins.exec(_compiled(text, path, "exec", None), names, local)


def _has_str(kinds: Any) -> bool:
    """Whether `str` is one of the classes of an `isinstance`, whose tuples may be nested."""
    if builtins.isinstance(kinds, tuple):
        return any(map(_has_str, kinds))
    return kinds is str or kinds is text_str


def isinstance(value: Any, kinds: Any) -> bool:
    """Stands for Python 2's: numpy's whole numbers of 64 bits are `int`, too, and bytes are `str`.

    >>> import numpy as np
    >>> isinstance(np.int64(1), int), isinstance(np.int32(1), (int, float)), isinstance(b"a", str)
    (True, False, True)
    """
    if builtins.isinstance(value, kinds):
        return True
    if builtins.isinstance(value, bytes):
        return _has_str(kinds)
    numpy = sys.modules.get("numpy")
    return numpy is not None and builtins.isinstance(value, numpy.int64) and issubclass(int, kinds)
