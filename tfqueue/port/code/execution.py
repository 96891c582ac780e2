"""A program run, and the tracebacks that it shows, without lines of tfqueue."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import types
from collections.abc import Callable, Iterator

Ended = Callable[[BaseException], int]
"""Is called with the exception that ended a program, while all is still in place; gives the exit code."""
Join = Callable[[set[threading.Thread]], None]
"""Is called with the threads that there were before a program, to wait for those of the program."""

_TFQUEUE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# Files of this package and of the import system: their lines are none of the user's.
_INNER = (
    os.path.join(_TFQUEUE, "port", ""),
    os.path.join(_TFQUEUE, "commands", ""),
    os.path.join(_TFQUEUE, "cli.py"),
    "<frozen importlib",
    "<frozen runpy",
)


def join_threads(before: set[threading.Thread]) -> None:
    """Waits for the program's threads, as Python does before it ends.

    They may still import modules of the program, so this comes before all is undone.
    """
    for thread in threading.enumerate():
        if thread not in before and not thread.daemon:
            thread.join()


def execute(
    code: types.CodeType | Callable[[], types.CodeType],
    main: types.ModuleType,
    ended: Ended,
    join: Join,
) -> int:
    """Runs a program's code, or what a function compiles, in a module; returns the exit code."""
    before = set(threading.enumerate())
    try:
        exec(code() if callable(code) else code, main.__dict__)
        result = 0
    except BaseException as error:  # noqa: BLE001  (SystemExit and Ctrl-C end a program too)
        trim_all(error)
        result = ended(error)
    join(before)
    if lines := sys.modules.get("tfqueue.port.py2.files"):
        lines.flush_lines()
    return result


def trim(trace: types.TracebackType | None) -> types.TracebackType | None:
    """Returns a traceback without the frames of this package's machinery.

    What is left is what ``python old.py`` would have shown.
    """
    kept = []
    while trace is not None:
        if not trace.tb_frame.f_code.co_filename.startswith(_INNER):
            kept.append(trace)
        trace = trace.tb_next
    result = None
    for one in reversed(kept):
        result = types.TracebackType(result, one.tb_frame, one.tb_lasti, one.tb_lineno)
    return result


def trim_all(error: BaseException) -> None:
    """Trims the traceback of an exception and of those that led to it."""
    seen: set[int] = set()
    todo: list[BaseException | None] = [error]
    while todo:
        one = todo.pop()
        if one is None or id(one) in seen:
            continue
        seen.add(id(one))
        one.__traceback__ = trim(one.__traceback__)
        todo += [one.__cause__, one.__context__, *getattr(one, "exceptions", ())]


@contextlib.contextmanager
def modules(names: dict[str, types.ModuleType]) -> Iterator[None]:
    """Puts modules into `sys.modules`, and takes them out at the end."""
    kept = {name: sys.modules.get(name) for name in names}
    sys.modules.update(names)
    try:
        yield
    finally:
        for name, former in kept.items():
            if former is None:
                sys.modules.pop(name, None)
            else:
                sys.modules[name] = former
