"""Methods that changed: of dictionaries, iterators, lists, strings, exceptions and classes."""

from __future__ import annotations

import builtins
import codecs
import functools
import importlib
import sys
import types
from collections.abc import Callable, Iterator, KeysView, ValuesView
from typing import Any

from tfqueue.port import runtime
from tfqueue.port.py2.builtins import sort_list
from tfqueue.port.py2.operators import compare
from tfqueue.port.py2.text import decoded, encoded, has_bytes, text
from tfqueue.port.py2.wrapping import wrapped

__all__ = [
    "instance_method",
    "of_metaclass",
    *(
        "advance",
        "bytes_list",
        "byte_string",
        "decode",
        "encode",
        "in_place",
        "has_key",
        "items",
        "iteritems",
        "iterkeys",
        "itervalues",
    ),
    *(
        "keys",
        "letters",
        "maxint",
        "message",
        "method",
        "no_result",
        "old_class",
        "sort",
        "star_names",
        "tostring",
        "translate",
    ),
    "classic_class",
    "generator",
    "values",
]
maxint = 2**63 - 1
_NONE: dict[str, str] = {}
_VIEWS = (KeysView, ValuesView, type(_NONE.keys()), type(_NONE.values()), type(_NONE.items()))


def _listed(found: Any) -> Any:
    """A view as the list that it was; what an object of one's own gives stays as it is."""
    from collections.abc import ItemsView

    return list(found) if isinstance(found, (*_VIEWS, ItemsView)) else found


def keys(mapping: Any) -> Any:
    """Stands for ``mapping.keys()``.

    >>> keys({"a": 1})
    ['a']
    """
    return _listed(mapping.keys())


def values(mapping: Any) -> Any:
    """Stands for ``mapping.values()``."""
    return _listed(mapping.values())


def items(mapping: Any) -> Any:
    """Stands for ``mapping.items()``."""
    return _listed(mapping.items())


def _iterated(mapping: Any, old: str, new: str) -> Any:
    if hasattr(mapping, old):
        return getattr(mapping, old)()
    return iter(getattr(mapping, new)())


def iterkeys(mapping: Any) -> Iterator[Any]:
    """Stands for ``mapping.iterkeys()``."""
    return _iterated(mapping, "iterkeys", "keys")


def itervalues(mapping: Any) -> Iterator[Any]:
    """Stands for ``mapping.itervalues()``."""
    return _iterated(mapping, "itervalues", "values")


def iteritems(mapping: Any) -> Iterator[Any]:
    """Stands for ``mapping.iteritems()``.

    >>> next(iteritems({"a": 1}))
    ('a', 1)
    """
    return _iterated(mapping, "iteritems", "items")


def has_key(mapping: Any, key: Any) -> Any:
    """Stands for ``mapping.has_key(key)``."""
    return mapping.has_key(key) if hasattr(mapping, "has_key") else key in mapping


def method(owner: Any, name: str) -> Any:
    """Stands for ``owner.name``, of a method of dictionaries or iterators that is not called there.

    >>> list(map(method({"a": 1}, "has_key"), "ab")), method(dict, "keys")({"a": 1})
    ([True, False], ['a'])
    """
    if name == "next":
        return owner.next if hasattr(owner, "next") else owner.__next__
    old = {"keys": keys, "values": values, "items": items}
    of_dict = isinstance(owner, dict) or (isinstance(owner, type) and issubclass(owner, dict))
    if name in old and not of_dict:
        return getattr(owner, name)
    held: Any = vars(owner if isinstance(owner, type) else type(owner))
    own = held if name in old else {}
    if name in own and owner is not dict and type(owner) is not dict:
        return getattr(owner, name)
    if name not in old and (hasattr(owner, name) or not hasattr(owner, "keys")):
        return getattr(owner, name)
    if isinstance(owner, type):
        if name == "has_key":
            kind: Any = owner
            return kind.__contains__
        today = getattr(owner, name.removeprefix("iter"))
        return lambda mapping: (_listed if name in old else iter)(today(mapping))
    moved: dict[str, Callable[..., Any]] = {
        "iterkeys": iterkeys,
        "itervalues": itervalues,
        "iteritems": iteritems,
        "has_key": has_key,
    }
    return functools.partial({**old, **moved}[name], owner)


def advance(iterator: Any) -> Any:
    """Stands for ``iterator.next()``.

    >>> advance(iter("ab"))
    'a'
    """
    return iterator.next() if hasattr(iterator, "next") else builtins.next(iterator)


def sort(values: Any, *args: Any, **words: Any) -> Any:
    """Stands for ``values.sort(cmp)``; an array's `sort` takes an axis there.

    >>> found = [1, 3, 2]
    >>> sort(found, lambda a, b: b - a)
    >>> found
    [3, 2, 1]
    """
    if not isinstance(values, list):
        return values.sort(*args, **words)
    sort_list(values, *args, **words)
    return None


_BYTES_CODECS = frozenset(["hex", "hex_codec", "base64", "base64_codec", "zlib", "zip", "bz2"])


def decode(value: Any, *args: Any, **words: Any) -> Any:
    """Stands for ``value.decode(encoding)``: what is text already stays as it is.

    >>> decode("cat", "utf-8"), decode(b"cat", "utf-8"), decode("6869", "hex")
    ('cat', 'cat', 'hi')
    """
    if not isinstance(value, str | bytes):
        return value.decode(*args, **words)
    name = str(args[0] if args else words.get("encoding", "")).lower()
    if name in _BYTES_CODECS:
        found = codecs.decode(encoded(value), name)
        return _text_if_it_is(found)
    if name in ("string_escape", "string-escape"):
        return codecs.escape_decode(encoded(value))[0].decode("utf-8", "surrogateescape")
    if name in ("unicode_escape", "unicode-escape"):
        return codecs.decode(encoded(value), "unicode_escape")
    if name in ("rot13", "rot_13"):
        return codecs.decode(value, "rot13")
    if isinstance(value, str) and not has_bytes(value):
        value = str(value)  # what a file gave is `unicode` from here on
        return value.removeprefix("\ufeff") if name.endswith("sig") else value
    value = encoded(value)
    return value.decode(*args, **words)


def _text_if_it_is(data: Any) -> Any:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return wrapped(data)


def encode(value: Any, *args: Any, **words: Any) -> Any:
    """Stands for ``value.encode("hex")`` and its kin, and for text that becomes bytes.

    >>> encode("hi", "hex"), encode("a", "rot13")
    ('6869', 'n')
    """
    if not isinstance(value, str | bytes):
        return value.encode(*args, **words)
    name = str(args[0]).lower()
    if name in ("string_escape", "string-escape"):
        return decoded(codecs.escape_encode(encoded(value))[0])
    if name in ("rot13", "rot_13"):
        rotated: Any = value
        return codecs.encode(rotated, "rot13")
    if name in _BYTES_CODECS:
        return _text_if_it_is(codecs.encode(encoded(value), name))
    if isinstance(value, str):
        if len(args) == 1:
            words.setdefault("errors", "surrogateescape" if "utf" in name else "strict")
        return wrapped(value.encode(*args, **words))
    return wrapped(value)


def translate(value: Any, table: Any, deleted: Any) -> Any:
    """Stands for ``text.translate(table, deleted)``.

    >>> translate("a-b", None, "-")
    'ab'
    """
    if not isinstance(value, str):
        return value.translate(table, deleted)
    kept = "".join(char for char in value if char not in deleted)
    return kept if table is None else kept.translate(table)


def bytes_list(values: Any) -> list[bytes]:
    """A list of bytes of what Python 2 knew as ``str``: text becomes UTF-8.

    >>> bytes_list(["cat", b"dog"])
    [b'cat', b'dog']
    """
    return [encoded(value) for value in values]


def byte_string(value: Any) -> bytes:
    """Stands for ``bytes(value)``, which was ``str(value)``: bytes are equal to text.

    >>> byte_string(12), byte_string("a") == "a", byte_string(bytearray(b"b")), byte_string([1])
    (b'12', True, b'b', b'[1]')
    """
    holds = isinstance(value, bytes | bytearray | memoryview)
    return wrapped(bytes(value) if holds else encoded(text(value)))


def letters(values: Any) -> Any:
    """Stands for ``np.array(values, dtype="c")``: its elements are equal to text.

    >>> letters(["SFH", "FHD"]).tolist(), (letters(["SFH"]) == "S").tolist()
    ([['S', 'F', 'H'], ['F', 'H', 'D']], [[True, False, False]])
    """
    import numpy as np

    return np.array(values, dtype="c").astype("U1")


def tostring(value: Any, *args: Any, **words: Any) -> Any:
    """Stands for ``value.tostring()`` and ``value.tobytes()``: bytes are equal to text.

    Text that an array holds was bytes, too.

    >>> import numpy as np
    >>> tostring(np.array(["ab", "c"])), tostring(np.uint8(7)), tostring(np.uint8(65)) == "A"
    (b'abc\\x00', b'\\x07', True)
    """
    if getattr(getattr(value, "dtype", None), "kind", "") == "U":
        import numpy as np

        value = np.char.encode(value, "utf-8", "surrogateescape")
    return wrapped(runtime.tobytes(value, *args, **words))


def in_place(held: Any, key: Any, change: Any) -> None:
    """Stands for ``held[key] /= x`` and ``held.name /= x``, whose parts are computed once.

    >>> numbers = [7]
    >>> in_place(numbers, 0, lambda old: old // 2)
    >>> numbers
    [3]
    """
    if isinstance(key, dict) and list(key) == ["attribute"]:
        setattr(held, key["attribute"], change(getattr(held, key["attribute"])))
    else:
        held[key] = change(held[key])


def message(error: Any) -> Any:
    """Stands for ``error.message``.

    >>> message(ValueError("m")), message(ValueError())
    ('m', '')
    """
    if hasattr(error, "message") or not isinstance(error, BaseException):
        return error.message
    return error.args[0] if len(error.args) == 1 else ""


def no_result(*_args: Any) -> None:
    """Stands for what has no use in Python 3: ``sys.setdefaultencoding``, ``sys.exc_clear``."""


def star_names(module: str, names: list[str], known: dict[Any, Any], *changing: str) -> list[Any]:
    """What names stand for behind ``from module import *`` inside of a function.

    Args:
        module: The dotted module.
        names: Names that the function reads and does not bind.
        known: The function's globals.
        *changing: Names that the function reads, too, and that functions set as globals.

    Raises:
        ImportError: The module has one of `changing`.

    >>> star_names("math", ["pi", "len"], {})
    [3.141592653589793, <built-in function len>]
    """
    held = importlib.import_module(module, known.get("__package__"))
    public = getattr(held, "__all__", None)

    def is_there(name: str) -> bool:
        return name in public if public is not None else name[:1] != "_" and hasattr(held, name)

    for name in filter(is_there, changing):
        raise ImportError(
            f"from {module} import * in a function brings {name}, which is a global of the program, too: "
            "import the names that it needs one by one"
        )
    return [
        getattr(held, name) if is_there(name) else known.get(name, getattr(builtins, name, None))
        for name in names
    ]


def generator(function: Any) -> Any:
    """Makes a StopIteration that leaves a generator its end, as it was in Python 2.

    >>> @generator
    ... def both(one, other):
    ...     one, other = iter(one), iter(other)
    ...     while True:
    ...         yield next(one), next(other)
    >>> list(both("ab", [1]))
    [('a', 1)]
    """

    @functools.wraps(function)
    def made(*args: Any, **words: Any) -> Any:
        try:
            return (yield from function(*args, **words))
        except RuntimeError as error:
            if not isinstance(error.__cause__, StopIteration):
                raise
            return None

    return made


def classic_class(kind: type) -> type:
    """Looks names of a class without a base up depth first, as Python 2 did.

    >>> class A: name = "a"
    >>> class B(A): pass
    >>> class C(A): name = "c"
    >>> @classic_class
    ... class D(B, C): pass
    >>> D.name
    'a'
    """
    kind.tfq_classic = True
    found: dict[str, Any] = {}
    pending = [kind]
    while pending:
        held = pending.pop()
        pending += reversed([base for base in held.__bases__ if base is not object])
        for name, value in vars(held).items():
            found.setdefault(name, (held, value))
    for name, (held, value) in found.items():
        first = next(base for base in kind.__mro__ if name in vars(base))
        if first is not held and name not in ("__dict__", "__weakref__", "__module__", "__doc__"):
            setattr(kind, name, value)
    return kind


def of_metaclass(cls: Any) -> Any:
    """A class that holds a class `__metaclass__`, made anew by it.

    >>> @of_metaclass
    ... class Shout:
    ...     class __metaclass__(type):
    ...         def __repr__(cls):
    ...             return "SHOUT"
    >>> Shout
    SHOUT
    """
    slots = cls.__dict__.get("__slots__", ())
    own = {"__dict__", "__weakref__", *([slots] if isinstance(slots, str) else slots)}
    body = {name: value for name, value in vars(cls).items() if name not in own}
    return cls.__metaclass__(cls.__name__, cls.__bases__, body)


def old_class(kind: Any) -> Any:
    """Gives a class of Python 2 the special methods of today beside its own.

    >>> @old_class
    ... class Two:
    ...     def __nonzero__(self):
    ...         return 0
    ...     def next(self):
    ...         return 2
    >>> bool(Two()), next(Two())
    (False, 2)
    """
    own = vars(kind)
    if "__nonzero__" in own and "__bool__" not in own:
        kind.__bool__ = lambda self: bool(self.__nonzero__())
    if callable(own.get("next")) and "__next__" not in own:
        kind.__next__ = lambda self: self.next()
    for old, new in (("div", "truediv"), ("rdiv", "rtruediv"), ("idiv", "itruediv")):
        if f"__{old}__" in own and f"__{new}__" not in own:
            setattr(kind, f"__{new}__", own[f"__{old}__"])
    if "__getslice__" in own:
        kind.__getitem__ = _sliced(own["__getslice__"], getattr(kind, "__getitem__", None))
    if "__setslice__" in own:
        kind.__setitem__ = _sliced(own["__setslice__"], getattr(kind, "__setitem__", None))
    if "__eq__" in own and "__ne__" not in own and "__cmp__" not in own:
        # Python 2 did not derive one from the other
        kind.__ne__ = lambda self, other: self is not other
    if "__cmp__" in own:
        _compared(kind, own)
    if own.get("__hash__", 0) is None and ("__eq__" in own or "__cmp__" in own):
        # a class with an __eq__ could be a key all the same
        del kind.__hash__
    return kind


def _compared(kind: Any, own: Any) -> None:
    tests: dict[str, Callable[[int], bool]] = {
        "lt": lambda order: order < 0,
        "le": lambda order: order <= 0,
        "gt": lambda order: order > 0,
        "ge": lambda order: order >= 0,
        "eq": lambda order: order == 0,
        "ne": lambda order: order != 0,
    }
    hashed = own.get("__hash__")
    for name, holds in tests.items():
        if f"__{name}__" not in own:
            setattr(kind, f"__{name}__", _by_cmp(holds))
    if hashed is None and "__hash__" in vars(kind):
        del kind.__hash__


def _by_cmp(holds: Any) -> Any:
    def method(self: Any, other: Any) -> Any:
        order = self.__cmp__(other)
        return NotImplemented if order is NotImplemented else holds(compare(order, 0))

    return method


def _sliced(old: Any, whole: Any) -> Any:
    """An item method that gives plain slices to the old method for them."""

    def method(self: Any, key: Any, *value: Any) -> Any:
        if isinstance(key, slice) and key.step is None:
            size = len(self) if hasattr(type(self), "__len__") else 0
            start = 0 if key.start is None else key.start
            stop = sys.maxsize if key.stop is None else key.stop
            start, stop = (at + size if at < 0 else at for at in (start, stop))
            return old(self, start, stop, *value)
        if whole is None:
            raise TypeError(f"{type(self).__name__!r} object has no items")
        return whole(self, key, *value)

    return method


def instance_method(function: Any, owner: Any, kind: Any) -> Any:
    """Stands for ``types.MethodType(function, owner, kind)``: without an object, it is unbound.

    >>> instance_method(len, None, str) is len, instance_method(len, "abc", str)()
    (True, 3)
    """
    if owner is None:
        return function
    return types.MethodType(function, owner)
