"""Files of the program that it loads by their path: they go through the rules as its modules do.

`importlib.util.spec_from_file_location`, `importlib.machinery.SourceFileLoader` and
`runpy.run_path` read a file themselves, and ask no finder.
"""

from __future__ import annotations

import contextlib
import importlib.abc
import os
import runpy
import sys
import types
from collections.abc import Iterator
from importlib.machinery import SourceFileLoader
from typing import Any, Protocol

_GENERATED = "__autograph_generated_file"
"""What the names of files begin with that AutoGraph writes and loads; they come from what is translated."""


class ProgramFinder(Protocol):
    """What finds the files of a program. It is pickled for processes that are started anew."""

    def is_users(self, path: str, name: str = "") -> bool:
        """Whether a file is one of the program."""

    def loader(self, name: str, path: str) -> importlib.abc.InspectLoader:
        """What loads a file as a module of a name, through the rules."""

    def tell_release(self) -> None:
        """States to `tfqueue.release` which release the program is from, where that is known."""


@contextlib.contextmanager
def translated(finder: ProgramFinder) -> Iterator[None]:
    """Within the block files of the program are translated, however they are loaded.

    Args:
        finder: What finds them.
    """
    kept, run_path = vars(SourceFileLoader).get("get_code"), runpy.run_path
    native = SourceFileLoader.get_code

    def get_code(self: SourceFileLoader, fullname: str) -> types.CodeType | None:
        path = os.fspath(self.path)
        plain = type(self) is SourceFileLoader and not fullname.startswith(_GENERATED)
        if plain and finder.is_users(path, fullname):
            return finder.loader(fullname, path).get_code(fullname)
        return native(self, fullname)

    def run(
        path_name: str,
        init_globals: dict[str, Any] | None = None,
        run_name: str | None = None,
    ) -> dict[str, Any]:
        path = os.fspath(path_name)
        if not os.path.isfile(path) or path.endswith(".pyc") or not finder.is_users(path):
            return run_path(path_name, init_globals, run_name)
        return _run(finder, path, init_globals or {}, run_name or "<run_path>")

    vars(runpy)["run_path"] = run
    SourceFileLoader.get_code = get_code  # type: ignore[method-assign, assignment]
    try:
        yield
    finally:
        vars(runpy)["run_path"] = run_path
        if kept is None:
            del SourceFileLoader.get_code
        else:
            SourceFileLoader.get_code = kept  # type: ignore[method-assign]


def _run(finder: ProgramFinder, path: str, given: dict[str, Any], name: str) -> dict[str, Any]:
    """What `runpy.run_path` does with a file."""
    module = types.ModuleType(name)
    names = module.__dict__
    names.update(given)
    names.update(__name__=name, __file__=path, __cached__=None, __doc__=None)
    names.update(__loader__=None, __package__="", __spec__=None)
    code = finder.loader(name, path).get_code(name)
    assert code is not None
    argv, before = sys.argv[0], sys.modules.get(name)
    sys.argv[0], sys.modules[name] = path, module
    try:
        exec(code, names)
        return names.copy()  # as runpy does: the module's own go with it
    finally:
        sys.argv[0] = argv
        if before is None:
            del sys.modules[name]
        else:
            sys.modules[name] = before
