"""Modules and text that are imported or run by name, and what the standard library has no longer."""

from __future__ import annotations

import contextlib
import functools
import html
import importlib
import importlib.machinery
import importlib.util
import os
import random
import re
import sys
import types
from collections.abc import Callable, Iterator, Mapping, Set
from typing import Any

from tfqueue import release
from tfqueue.names import keras

__all__ = [
    "LooseVersion",
    "argspec",
    "escape",
    "find_module",
    "held",
    "import_module",
    "load_module",
    "load_source",
    "locate",
    "no_distribution",
    "old_code",
    "old_expression",
    "sample",
    "seed",
    "shuffle",
]


def import_module(name: Any, package: Any = None) -> types.ModuleType:
    """Stands for ``importlib.import_module`` where its name is put together: those of TensorFlow 1 and keras are in tfqueue.v1.

    >>> import_module("tensor" + "flow.python_io").__name__
    'tfqueue.v1.python_io'
    """
    head, dot, rest = str(name).partition(".")
    if head == "keras" and release.imports_keras():
        return importlib.import_module(keras.home_of(str(name)))
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


async def held(lock: Any) -> Any:
    """What ``await lock`` of asyncio gave up to Python 3.8, for ``with``; of anything else what it gives itself."""
    if not hasattr(lock, "acquire"):
        return await lock
    await lock.acquire()
    return _releasing(lock)


@contextlib.contextmanager
def _releasing(lock: Any) -> Iterator[None]:
    try:
        yield
    finally:
        lock.release()


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


_KINDS = ((".py", "r", 1), (".so", "rb", 3), (".pyd", "rb", 3))  # as `imp.get_suffixes` gave them


def find_module(name: str, path: Any = None) -> tuple[Any, str | None, tuple[str, str, int]]:
    """Stands for ``imp.find_module``, gone since Python 3.12: a module's open file, its path and its kind.

    Args:
        name: Without dots.
        path: Folders to look in; those of ``sys.path`` when None.

    Raises:
        ImportError: If there is none.

    >>> find_module("json")[::2]
    (None, ('', '', 5))
    >>> find_module("no_such_module")
    Traceback (most recent call last):
    ImportError: No module named 'no_such_module'
    """
    if path is None and name in sys.builtin_module_names:
        return None, None, ("", "", 6)
    spec = importlib.machinery.PathFinder.find_spec(name, path)
    if spec is None or spec.origin is None:
        raise ImportError(f"No module named {name!r}", name=name)
    if spec.submodule_search_locations is not None:
        return None, os.path.dirname(spec.origin), ("", "", 5)
    suffix, mode, kind = next(
        (row for row in _KINDS if spec.origin.endswith(row[0])), ("", "rb", 2)
    )
    encoding = "utf-8" if mode == "r" else None
    return open(spec.origin, mode, encoding=encoding), spec.origin, (suffix, mode, kind)


def load_module(name: str, file: Any, pathname: str, description: Any) -> types.ModuleType:
    """Stands for ``imp.load_module``, gone since Python 3.12, of what `find_module` gave.

    >>> load_module("json", *find_module("json")).dumps([1])
    '[1]'
    """
    if description[2] == 6:
        return importlib.import_module(name)
    return load_source(name, os.path.join(pathname, "__init__.py") if file is None else pathname)


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
    return compilation.compile_text(text, path, "exec", importer.written_for_of_text())


def old_expression(source: Any, names: Mapping[str, Any]) -> Any:
    """An expression that a program has as text, translated where it speaks of a module that the program imported.

    Args:
        source: The text; code is taken as it is.
        names: The names of the module that evaluates it.

    >>> import math
    >>> eval(old_expression("math.sqrt(4)", globals()))
    2.0
    """
    if not isinstance(source, str):
        return source
    read = set(re.findall(r"\b[A-Za-z_]\w*(?=\s*\.)", source))
    found = {name: names[name] for name in sorted(read) if name in names}
    modules = {
        name: "tensorflow" if one.__name__ == "tfqueue.v1" else one.__name__
        for name, one in found.items()
        if isinstance(one, types.ModuleType)
    }
    return _expression(source, tuple(modules.items())) if modules else source


@functools.lru_cache(maxsize=1024)
def _expression(text: str, modules: tuple[tuple[str, str], ...]) -> Any:
    from tfqueue.port.code import compilation
    from tfqueue.port.run import importer

    written_for = importer.written_for_of_text()
    try:
        return compilation.compile_text(
            text.strip(), "<string>", "eval", written_for, modules=dict(modules)
        )
    except SyntaxError:
        return text  # eval says what is wrong


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


def escape(s: str, quote: bool | None = None) -> str:
    """Stands for ``cgi.escape``, which left apostrophes, and without `quote` quotation marks.

    >>> escape("<a b='1'>"), escape('"'), escape('"', True)
    ("&lt;a b='1'&gt;", '"', '&quot;')
    """
    text = html.escape(s, quote=False)
    return text.replace('"', "&quot;") if quote else text


def no_distribution(*_args: Any, **_words: Any) -> tuple[str, str, str]:
    """Stands for ``platform.linux_distribution()``, gone since Python 3.8: nothing is known.

    >>> no_distribution()
    ('', '', '')
    """
    return "", "", ""


def sample(population: Any, k: int, **words: Any) -> list[Any]:
    """Stands for ``random.sample``, which took sets and a dictionary's keys up to Python 3.10.

    >>> sorted(sample({3: "c", 4: "d"}.keys(), 2))
    [3, 4]
    """
    if isinstance(population, Set):
        population = tuple(population)
    return random.sample(population, k, **words)


def shuffle(x: Any, random: Callable[[], float]) -> None:
    """Stands for ``random.shuffle(x, random)``, which drew from a function of the program's up to Python 3.10.

    >>> numbers = [0, 1, 2, 3, 4, 5]
    >>> shuffle(numbers, lambda: 0.3)
    >>> numbers
    [3, 2, 0, 4, 5, 1]
    """
    for place in reversed(range(1, len(x))):
        other = int(random() * (place + 1))
        x[place], x[other] = x[other], x[place]


def seed(a: Any, *args: Any, **words: Any) -> None:
    """Stands for ``random.seed``, which took the hash of what is no number and no text up to Python 3.10.

    >>> import fractions
    >>> seed(fractions.Fraction(5))
    >>> round(random.random(), 6)
    0.622902
    >>> seed(fractions.Fraction(-5))  # a hash below 0 counts from 2**64
    >>> round(random.random(), 6)
    0.023099
    """
    known = a is None or isinstance(a, int | float | str | bytes | bytearray)
    random.seed(a if known else hash(a) % 2**64, *args, **words)
