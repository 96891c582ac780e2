"""`collections.namedtuple` of Python 2.7."""

from __future__ import annotations

import collections
import sys
from typing import Any


def _fields(held: Any) -> collections.OrderedDict[str, Any]:
    """The fields of a named tuple with their values, in their order."""
    return collections.OrderedDict(zip(held._fields, held, strict=False))


def _no_state(held: Any) -> None:
    """The fields are no state: a copy gets them by `__new__`."""


def namedtuple(
    typename: Any, field_names: Any, verbose: bool = False, rename: bool = False
) -> type[Any]:
    """A class of tuples as Python 2.7 made it: ``__dict__`` has the fields, as ``_asdict()`` gives them.

    >>> pair = namedtuple("Pair", "a b")(1, 2)
    >>> pair.__dict__ == vars(pair) == {"a": 1, "b": 2}, type(pair._asdict()).__name__
    (True, 'OrderedDict')

    Raises:
        NotImplementedError: If the definition of the class is to be printed, which Python 3 has not.
    """
    if verbose:
        raise NotImplementedError(
            "namedtuple(verbose=True) prints a definition that Python 3 has not"
        )
    make: Any = collections.namedtuple
    made = make(typename, field_names, rename=rename)
    names = dict(vars(made))
    names["_asdict"] = _fields
    names["__dict__"] = property(_fields)
    names["__getstate__"] = _no_state
    names["__module__"] = sys._getframe(1).f_globals.get("__name__", "__main__")
    return type(made.__name__, (tuple,), names)
