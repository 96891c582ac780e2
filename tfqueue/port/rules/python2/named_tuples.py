"""`collections.namedtuple`, whose tuples had a `__dict__` of their fields.

https://docs.python.org/3/whatsnew/3.5.html#changes-in-python-behavior
"""

from __future__ import annotations

from collections.abc import Iterator

from tfqueue.port.program.module import Module
from tfqueue.port.rules import moved_names
from tfqueue.port.source.finding import Finding

WORDS = ("namedtuple",)
PYTHON2 = True
_ROWS = {"collections.namedtuple": "tfqueue.port.py2.namedtuple"}


def find(module: Module) -> Iterator[Finding]:
    """Finds `namedtuple`, imported or by its module."""
    yield from moved_names.find(
        module, _ROWS, "a named tuple has no __dict__ in Python 3, and _asdict() gives a dict"
    )
