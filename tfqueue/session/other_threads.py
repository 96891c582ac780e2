"""Which of the process's threads and signal handlers may run the program's code, and so end a wait.

A thread is harmless if it is a session's own, belongs to a library of which that is known, or waits
for a thread that cannot end. Of every other one it has to be assumed that it may feed a queue. Who joins
which thread stands in `tfqueue.session`.
"""

from __future__ import annotations

import contextlib
import functools
import signal
import threading
import types
from collections.abc import Collection, Iterable, Iterator

from tfqueue import _tensorflow
from tfqueue.session import registry

HARMLESS = {
    "ipykernel": "Jupyter's kernel: heartbeat, output, control",
    "IPython.core.history": "IPython's history",
    "zmq": "Jupyter's sockets",
    "spyder_kernels": "Spyder's kernel",
    "tqdm._monitor": "the monitor of tqdm's progress bars",
    "rich": "rich's progress bars",
    "debugpy": "debuggers: VS Code",
    "_pydevd_bundle": "debuggers: PyCharm, pydevd",
    "_pydev_bundle": "debuggers: PyCharm, pydevd",
    "pydevd": "debuggers: PyCharm, pydevd",
    "tensorflow.python.summary": "TensorFlow's writer of event files",
    "tensorflow.python.training.server_lib": "a server that is joined",
    "tensorflow.python.training.supervisor": "a Supervisor's summaries and checkpoints",
    "coverage": "coverage.py's handler of SIGTERM, which saves what was measured",
    "execnet": "pytest-xdist's connection to its workers",
    "pytest_timeout": "pytest-timeout's alarm",
}
"""Modules whose threads run no code of the program's, and what they are for."""
_NOT_HARMLESS = ("ipykernel.subshell",)  # runs cells beside the main thread
_STARTERS = ("_pydev_bundle.pydev_monkey",)
"""Modules in which all threads begin, whatever they run: debuggers'."""
_OURS = (
    *("tfqueue._tensorflow", "tfqueue.accelerate", "tfqueue.port.run.interrupts"),
    *("tfqueue.session", "tfqueue.watch"),
)
"""Packages whose threads run nothing of the program's, but for Python functions of the graph."""

_joined: dict[threading.Thread, Collection[threading.Thread]] = {}
"""The threads that a `Coordinator` is waiting for, by the thread that waits there."""


@contextlib.contextmanager
def joining(threads: Collection[threading.Thread]) -> Iterator[None]:
    """Within the block the current thread waits for each of `threads` to end."""
    me = threading.current_thread()
    _joined[me] = threads
    try:
        yield
    finally:
        _joined.pop(me, None)


def threads_that_may_act(stuck: Iterable[threading.Thread] = ()) -> list[str]:
    """The live threads that are not known to be harmless.

    Args:
        stuck: Threads that wait for what nobody brings. The current thread is one of them.

    Returns:
        A list of names, to be shown; empty if no thread is left that could end a wait.
    """
    waiting = {threading.current_thread(), *stuck}
    ours = {
        thread
        for owner in registry.everywhere()
        for run in list(owner.runs)
        for thread in run.threads
    }
    frames = _tensorflow.frames_of_threads()
    left: dict[threading.Thread, types.FrameType | None] = {}
    frame: types.FrameType | None = None
    try:
        for thread in threading.enumerate():
            frame = frames.pop(thread.ident, None) if thread.ident is not None else None
            if thread in waiting or _runs_nothing(thread, frame):
                continue
            helper = thread in ours or _are_in([_begins_in(frame)], _OURS)
            if not (helper and not _in_python_function(frame)) and not _is_harmless(frame, thread):
                left[thread] = frame
        # Who joins a thread that cannot end cannot go on either.
        while joiners := {each for each, frame in left.items() if _joins(each, frame, waiting)}:
            waiting |= joiners
            for thread in joiners:
                del left[thread]
        found = [thread.name for thread in left]
        # Threads that `threading` does not know are TensorFlow's, in a function of the graph, or
        # a library's: in a callback, or started below `threading`, as pytest-xdist's are.
        found += ["a callback from C++" for each in frames.values() if not _is_harmless(each)]
    finally:
        # This frame is among them: a cycle, which would keep every thread's variables, sessions
        # too, until the next garbage collection.
        frames.clear()
        left.clear()
        frame = None
    if _a_handler_may_run():
        found.append("a signal handler")
    return found


def _runs_nothing(thread: threading.Thread, frame: types.FrameType | None) -> bool:
    """Whether a thread that TensorFlow started runs no Python at the moment."""
    return frame is None and isinstance(thread, threading._DummyThread)


def _is_harmless(frame: types.FrameType | None, thread: threading.Thread | None = None) -> bool:
    """Whether `HARMLESS` has a row for the function that a thread runs, or was started for."""
    # The class of the thread, and the function of a timer.
    timed = getattr(thread, "function", None)
    modules = [type(thread).__module__, getattr(timed, "__module__", None), _begins_in(frame)]
    return _are_in(modules, HARMLESS) and not _are_in(modules, _NOT_HARMLESS)


def _begins_in(frame: types.FrameType | None) -> str | None:
    """The module of the function that a thread was started for, by the `frame` that it is in; or None."""
    module = None
    while frame is not None:
        name = frame.f_globals.get("__name__")
        if frame.f_code.co_filename != threading.__file__ and name not in _STARTERS:
            module = name
        frame = frame.f_back
    return module


def _are_in(modules: Iterable[str | None], packages: Iterable[str]) -> bool:
    """Whether one of `modules` is one of `packages`, or stands in it."""
    begins = tuple(f"{package}." for package in packages)
    return any(f"{module}.".startswith(begins) for module in modules)


def _in_python_function(frame: types.FrameType | None) -> bool:
    """Whether a thread is inside a Python function of the graph: that one may do anything."""
    code = _tensorflow.python_function_code()
    while frame is not None:
        if frame.f_code is code:
            return True
        frame = frame.f_back
    return False


def _joins(
    thread: threading.Thread, frame: types.FrameType | None, threads: set[threading.Thread]
) -> bool:
    """Whether a thread waits for the end of one of `threads`, however long it takes."""
    if not threads.isdisjoint(_joined.get(thread, ())):
        return True
    while frame is not None and frame.f_code.co_filename == threading.__file__:
        given = frame.f_locals
        if frame.f_code.co_name == "join" and given.get("self") in threads:
            return given.get("timeout") is None  # else it goes on after a while
        frame = frame.f_back
    return False


def _a_handler_may_run() -> bool:
    """Whether a signal would call a function of the program's."""
    for number in signal.valid_signals():
        handler = signal.getsignal(number)
        if not callable(handler):
            continue
        if number == signal.SIGINT and handler is signal.default_int_handler:
            continue  # Ctrl-C ends what waits, and brings nothing
        while isinstance(handler, functools.partial):
            handler = handler.func
        function = handler if hasattr(handler, "__code__") else type(handler).__call__
        code, module = getattr(function, "__code__", None), getattr(function, "__module__", None)
        # A function of another library may call one of the program's.
        ours = code is not None and _tensorflow.is_folded_file(code.co_filename)
        if not ours and not _are_in([module], HARMLESS):
            return True
    return False
