"""How Python 2 printed values: floats to 12 digits, bytes as the text that they were."""

from __future__ import annotations

import builtins
import re
import string
from typing import Any

_MAXINT = 2**63 - 1


def _float(value: float) -> builtins.str:
    text = f"{value:.12g}"
    if set(text) & set(".eni"):
        return text
    if len(text.lstrip("-")) < 12:
        return f"{text}.0"
    # twelve digits in front of the point leave no room for the one behind it
    head, _, power = f"{value:.11e}".partition("e")
    return f"{head.rstrip('0').rstrip('.')}e{power}"


def decoded(value: bytes | bytearray) -> builtins.str:
    """The text that bytes are, without a loss where they are none."""
    return bytes(value).decode("utf-8", "surrogateescape")


def text(value: Any) -> builtins.str:
    """What Python 2's ``str(value)`` gave, and ``print value`` printed.

    >>> text(0.1 + 0.2), text(b"a.txt"), text([b"a", 2**64]), text(1e20)
    ('0.3', 'a.txt', "['a', 18446744073709551616L]", '1e+20')
    """
    if isinstance(value, builtins.str):
        return builtins.str(value)
    if isinstance(value, bytes | bytearray):
        return decoded(value)
    if isinstance(value, float) and _prints_as_float(value):
        return _float(value)
    if type(value) is complex:
        real, sign = f"{value.real:.12g}", "" if value.imag < 0 else "+"
        imaginary = f"{value.imag:.12g}j"
        return f"({real}{sign}{imaginary})" if value.real else imaginary
    if type(value) in _SHOWN or isinstance(value, type) or _is_ours(value):
        return repr(value)
    if type(value).__module__ == "numpy" and getattr(value, "dtype", None) is not None:
        return builtins.str(_without_bytes(value))
    return builtins.str(value)


def _prints_as_float(value: float) -> bool:
    """Whether a subclass leaves printing to its base, or is numpy's float."""
    return type(value).__module__ == "numpy" or type(value).__str__ is float.__str__


def _is_ours(value: Any) -> bool:
    """Whether a value is a function that stands for a builtin."""
    return getattr(value, "__module__", None) == "tfqueue.port.py2.builtins"


def _without_bytes(value: Any) -> Any:
    """An array whose bytes are text."""
    kind = value.dtype.kind
    flat = value.ravel().tolist() if kind == "O" and hasattr(value, "ravel") else []
    if kind != "S" and not (flat and all(isinstance(one, bytes) for one in flat)):
        return value
    import numpy as np

    return np.char.decode(value.astype("S"), "utf-8", "surrogateescape")


_SHOWN = (list, tuple, dict, set, frozenset, range)


def repr(value: Any) -> builtins.str:
    """What Python 2's ``repr`` gave.

    >>> repr([b"a", 2**64, int]), repr({1, 2}), repr(ValueError("x"))
    ("['a', 18446744073709551616L, <type 'int'>]", 'set([1, 2])', "ValueError('x',)")
    """
    kind = type(value)
    if isinstance(value, bytes):
        return repr(decoded(value))
    if isinstance(value, builtins.str) and kind.__repr__ is builtins.str.__repr__:
        return _BYTE.sub(r"\\x\1", builtins.repr(value))
    if kind is int:
        return builtins.repr(value) + ("L" if not -_MAXINT - 1 <= value <= _MAXINT else "")
    if kind.__module__ == "numpy" and isinstance(value, float | int) and hasattr(value, "item"):
        return builtins.repr(value.item())
    if (
        kind.__module__ == "numpy"
        and getattr(value, "shape", None) == ()
        and (getattr(getattr(value, "dtype", None), "kind", "") in "iufb")
    ):
        return builtins.str(value)
    if isinstance(value, type):
        if value.__name__ in ("ByteString", "FileText"):
            return "<type 'str'>"
        if value.__module__ in ("builtins", "tfqueue.port.py2.files"):
            where = "exceptions." if issubclass(value, BaseException) else ""
            return f"<type '{where}{value.__name__}'>"
        return builtins.repr(value)
    if _is_ours(value):
        return f"<built-in function {value.__name__}>"
    if isinstance(value, BaseException) and kind.__repr__ is BaseException.__repr__:
        return f"{kind.__name__}{repr(value.args)}"
    if kind is list:
        return f"[{', '.join(map(repr, value))}]"
    if kind is range:
        stop = value.start + len(value) * value.step
        bounds = (value.start, stop, value.step) if value.step != 1 else (value.start, stop)
        return (
            f"xrange({', '.join(map(repr, bounds if value.start or len(bounds) > 2 else (stop,)))})"
        )
    if kind is tuple:
        return f"({', '.join(map(repr, value))}{',' if len(value) == 1 else ''})"
    if kind is dict:
        return "{" + ", ".join(f"{repr(k)}: {repr(v)}" for k, v in value.items()) + "}"
    if kind in (set, frozenset):
        return f"{kind.__name__}([{', '.join(map(repr, value))}])"
    return builtins.repr(value)


class _Kind(type):
    """The type of stand-ins for `str` and `unicode`: they are equal to `str`, as Python 2 had it."""

    def __instancecheck__(cls, value: Any) -> bool:
        return isinstance(value, builtins.str)

    def __subclasscheck__(cls, other: type) -> bool:
        return issubclass(other, builtins.str)

    def __eq__(cls, other: Any) -> bool:
        return other is builtins.str or isinstance(other, _Kind)

    def __hash__(cls) -> int:
        return hash(builtins.str)


class str(builtins.str, metaclass=_Kind):
    """Stands for the builtin `str` where it is called.

    >>> str(1 / 3), str(b"x"), isinstance("x", str), type("x") == str
    ('0.333333333333', 'x', True, True)
    """

    def __new__(cls, value: Any = "", *args: Any) -> builtins.str:
        return builtins.str(value, *args) if args else text(value)


class unicode(builtins.str, metaclass=_Kind):
    """Stands for the builtin `unicode`: text of today.

    >>> unicode("x", "utf-8"), unicode(b"x", "utf-8")
    ('x', 'x')
    """

    def __new__(cls, value: Any = "", *args: Any, **words: Any) -> builtins.str:
        if isinstance(value, builtins.str) and (args or words) and has_bytes(value):
            value = encoded(value)
        if isinstance(value, builtins.str):
            return builtins.str(value)
        if isinstance(value, bytes):
            return value.decode(*args, **words) if args or words else decoded(value)
        if hasattr(type(value), "__unicode__"):
            return value.__unicode__()
        return text(value)


_CONVERSION = re.compile(
    r"%(?:\((?P<key>[^)]*)\))?[#0\- +]*(?P<width>\*|\d+)?(?:\.(?P<digits>\*|\d+)?)?[hlL]?(?P<kind>.)",
    re.DOTALL,
)


def _shown(value: Any, kind: builtins.str) -> Any:
    if kind == "s":
        return text(value)
    if kind == "r":
        return _Shown(repr(value))
    return value


class _Shown(builtins.str):
    def __repr__(self) -> builtins.str:
        return builtins.str(self)


def percent(form: Any, values: Any) -> Any:
    """Stands for ``form % values``.

    >>> percent("%s: %s, %d", (b"a.txt", 0.1 + 0.2, 3)), percent("%(x)s", {"x": 1e-05})
    ('a.txt: 0.3, 3', '1e-05')
    """
    if not isinstance(form, builtins.str):
        return form % values
    conversions = [match for match in _CONVERSION.finditer(form) if match["kind"] != "%"]
    if any(match["key"] is not None for match in conversions):
        held = {}
        pieces: list[builtins.str] = []
        at = 0
        for number, match in enumerate(conversions):
            key = match["key"]
            if key is None and number:
                return form % values  # it says what is wrong
            held[f"{number}"] = _shown(values if key is None else values[key], match["kind"])
            pieces += (form[at : match.start() + 1], f"({number})")
            at = match.start() + 1 if key is None else match.end("key") + 1
        return "".join([*pieces, form[at:]]) % held
    given = values if isinstance(values, tuple) else (values,)
    kinds = []
    for match in conversions:
        kinds += ["*"] * [match["width"], match["digits"]].count("*")
        kinds.append(match["kind"])
    if len(kinds) != len(given):
        return form % values  # it says what is wrong
    return form % tuple(_shown(value, kind) for value, kind in zip(given, kinds, strict=True))


# a format that says how wide and where, and nothing of digits
_BYTE = re.compile(r"(?<!\\)\\udc([89a-f][0-9a-f])")
_PLACE = re.compile(
    r"(?:(?P<fill>.)?(?P<align>[<>=^]))?(?P<sign>[ +-]?)(?P<zero>0?)(?P<width>\d*)\Z"
)


def format(value: Any, spec: builtins.str = "") -> builtins.str:
    """Stands for the builtin `format`: a float whose digits are not said has 12.

    >>> format(0.1 + 0.2), format(0.1 + 0.2, "<5"), format(-2.0, "06"), format(2.5, ".2f")
    ('0.3', '0.3  ', '-002.0', '2.50')
    """
    if isinstance(value, bytes):
        return builtins.format(text(value), spec)
    if not spec and type(value).__format__ in (float.__format__, object.__format__):
        return text(value)
    place = _PLACE.match(spec) if type(value).__format__ is float.__format__ else None
    if place is None:
        return builtins.format(value, spec)
    digits, sign = _float(abs(float(value))), "-" if builtins.repr(float(value))[0] == "-" else ""
    sign = sign or place["sign"].strip("-")
    fill = place["fill"] or ("0" if place["zero"] else " ")
    align = place["align"] or ("=" if place["zero"] else ">")
    if align == "=":
        return sign + builtins.format(
            digits, f"{fill}>{max(int(place['width'] or 0) - len(sign), 0)}"
        )
    return builtins.format(sign + digits, f"{fill}{align}{place['width']}")


class _Formatter(string.Formatter):
    def format_field(self, value: Any, spec: builtins.str) -> builtins.str:
        return format(value, spec)

    def convert_field(self, value: Any, conversion: builtins.str | None) -> Any:
        if conversion == "s":
            return text(value)
        return repr(value) if conversion == "r" else super().convert_field(value, conversion)


def formatted(form: Any, *values: Any, **named: Any) -> Any:
    """Stands for ``form.format(*values)``.

    >>> formatted("{} {:.1f} {0.real}" if 0 else "{} {:.1f}", 0.1 + 0.2, 2)
    '0.3 2.0'
    """
    if not isinstance(form, builtins.str):
        return form.format(*values, **named)
    return _Formatter().vformat(form, values, named)


def has_bytes(value: builtins.str) -> bool:
    """Whether text holds bytes that are none.

    >>> has_bytes(decoded(b"a\\xe9")), has_bytes("a\\xe9")
    (True, False)
    """
    return any("\udc80" <= char <= "\udcff" for char in value)


def encoded(value: Any) -> Any:
    """Text as the bytes that Python 2 held it in; all else as it is.

    >>> encoded("a"), encoded(b"b"), encoded(None)
    (b'a', b'b', None)
    """
    if isinstance(value, builtins.str):
        return value.encode("utf-8", "surrogateescape")
    return value
