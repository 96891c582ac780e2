"""Processes that `multiprocessing` starts anew: their modules go through the rules, too.

Such a process (``spawn``, ``forkserver``) imports the program again, from its file. What it is told at
its beginning goes through pickle: a `_Beginning` in it, which is read first, sees to that.
"""

from __future__ import annotations

import contextlib
import dataclasses
import importlib
import sys
import types
from collections.abc import Iterator, Mapping
from typing import Any

from tfqueue.port.code import source_lines
from tfqueue.port.program import folders
from tfqueue.port.run import file_loading
from tfqueue.port.run.file_loading import ProgramFinder


@dataclasses.dataclass(frozen=True)
class _Beginning:
    """What a new process needs to import the program.

    Attributes:
        finder: What finds its modules.
        name: What its main module is called there.
        path: The file of that; None where the process imports no main module.
    """

    finder: ProgramFinder
    name: str
    path: str | None

    def __reduce__(self) -> tuple[Any, ...]:
        return _prepare_with, (self.finder, self.name, self.path)


@contextlib.contextmanager
def children(finder: ProgramFinder, main: types.ModuleType) -> Iterator[None]:
    """Within the block new processes import the program through the rules.

    Args:
        finder: What finds its modules.
        main: Its main module.
    """
    from multiprocessing import spawn

    original = spawn.get_preparation_data

    def told(name: str) -> dict[str, Any]:
        data = original(name)
        path, inside = data.pop("init_main_from_path", None), data.pop("init_main_from_name", None)
        if inside is not None and not inside.endswith("__main__"):
            path = main.__file__
        if path is not None and path.endswith(".ipynb"):
            path = None
        return {**data, "tfqueue": _Beginning(finder, inside or "__mp_main__", path)}

    spawn.get_preparation_data = told
    try:
        yield
    finally:
        spawn.get_preparation_data = original


def _prepare_with(finder: ProgramFinder, name: str, path: str | None) -> None:
    """In the new process: has the program imported once Python has prepared everything else."""
    from multiprocessing import spawn

    prepare = spawn.prepare

    def prepare_all(data: Mapping[str, Any]) -> None:
        spawn.prepare = prepare
        prepare(data)
        _import_main(finder, name, path)

    spawn.prepare = prepare_all


_kept = contextlib.ExitStack()


def _import_main(finder: ProgramFinder, name: str, path: str | None) -> None:
    from multiprocessing import spawn

    folders.library_folders()  # as `Finder` does when it is made: this one came pickled
    sys.meta_path.insert(0, finder)  # type: ignore[arg-type]
    _kept.enter_context(source_lines.users_lines())
    _kept.enter_context(file_loading.translated(finder))
    finder.tell_release()
    if path is None:
        return
    # Otherwise the main module of this process is that of multiprocessing, as Python has it.
    main = types.ModuleType("__mp_main__")
    main.__file__ = path
    loader = finder.loader(name, path)
    if package := name.rpartition(".")[0]:
        importlib.import_module(package)
        main.__package__ = package
    code = loader.get_code(name)
    assert code is not None
    spawn.old_main_modules.append(sys.modules["__main__"])
    sys.modules["__main__"] = sys.modules["__mp_main__"] = main
    exec(code, main.__dict__)
