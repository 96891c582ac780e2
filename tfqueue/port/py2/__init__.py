"""Python 2's meaning, as functions: what a translated program imports in place of many edits.

Each function asks the object first. `map`, `round`, `range` and the like bear the name of the
builtin that they stand for and shadow it; the others stand for an operator or a method whose
meaning changed (``a / b`` is ``div(a, b)``). Nothing here imports TensorFlow.

* `builtins`: the functions of Python 2's ``__builtin__``.
* `operators`: division, comparison, ``%``.
* `methods`: methods of dictionaries, iterators, lists and strings; special methods of classes.
* `text`: how values are printed.
* `strings`: bytes that are equal to the text that they hold; `wrapping` makes them.
* `files`: ``open``, ``file`` and ``print``; `file_text`: the text that they give, whose letters and spaces are those of ASCII.
* `regex`: regular expressions.
* `told`: those that say what Python 3 gives, for a program that is Python 2 only by a guess.
* `named_tuples`: ``collections.namedtuple``.
* `foreign`: ``ctypes``, whose functions take text as bytes.
* `modules`: modules of the standard library under their old names, with their old contents.
"""

from tfqueue.port.py2.builtins import *  # noqa: F403
from tfqueue.port.py2.builtins import __all__ as _builtins
from tfqueue.port.py2.files import *  # noqa: F403
from tfqueue.port.py2.files import __all__ as _files
from tfqueue.port.py2.methods import *  # noqa: F403
from tfqueue.port.py2.methods import __all__ as _methods
from tfqueue.port.py2.named_tuples import namedtuple
from tfqueue.port.py2.operators import *  # noqa: F403
from tfqueue.port.py2.operators import __all__ as _operators
from tfqueue.port.py2.text import encoded, format, formatted, percent, repr, str
from tfqueue.port.py2.wrapping import (
    byte_lines,
    byte_strings,
    characters,
    fed,
    fetched,
    joined,
    kind,
)

__all__ = [
    *_builtins,
    *_files,
    *_methods,
    *_operators,
    "byte_lines",
    "byte_strings",
    "characters",
    "encoded",
    "fed",
    "fetched",
    "format",
    "formatted",
    "joined",
    "kind",
    "namedtuple",
    "percent",
    "repr",
    "str",
]
