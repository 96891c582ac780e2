"""Which threads of this process may still do something for a session, so that a wait can end.

A wait is known to be endless only if every other thread is known to do nothing for it. That is
known of the threads that tfqueue itself starts, of threads that wait in turn for one that cannot
go on, and of some libraries' threads (`HARMLESS`). Any other thread may feed a queue, whatever it
does at the moment: a server's, a pool's, a timer, a thread that sleeps.
"""

import contextlib
import os
import signal
import sys
import threading

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
    "tensorflow.python.training.supervisor": "a Supervisor's summaries and checkpoints",
    "execnet": "pytest-xdist's connection to its workers",
    "pytest_timeout": "pytest-timeout's alarm",
}
"""Modules whose threads run no code of the program's, and what they are for."""
_NOT_HARMLESS = ("ipykernel.subshell",)  # runs cells beside the main thread

_joined = {}
"""The threads that a `Coordinator` is waiting for, by the thread that waits there."""


@contextlib.contextmanager
def joining(threads):
    """Within the block the current thread waits for each of `threads` to end."""
    me = threading.current_thread()
    before = _joined.get(me)
    _joined[me] = threads
    try:
        yield
    finally:
        if before is None:
            del _joined[me]
        else:
            _joined[me] = before


def that_may_act(stuck=()):
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
    frames = sys._current_frames()
    try:
        left = {}
        for thread in threading.enumerate():
            frame = frames.pop(thread.ident, None)
            if thread in waiting or _runs_nothing(thread, frame):
                continue
            helper = thread in ours or thread.name.startswith("tfqueue-")
            if not (helper and not _in_python_function(frame)) and not _is_harmless(thread, frame):
                left[thread] = frame
        # Who joins a thread that cannot end cannot go on either.
        joiners = True
        while joiners:
            joiners = {each for each, frame in left.items() if _joins(each, frame, waiting)}
            waiting |= joiners
            for thread in joiners:
                del left[thread]
        found = [thread.name for thread in left]
        # Threads that `threading` does not know are TensorFlow's, in a function of the graph, or
        # a library's: in a callback, or started below `threading`, as pytest-xdist's are.
        found += ["a callback from C++" for each in frames.values() if not _of_library(each)]
    finally:
        # This frame is among them: a cycle, which would keep every thread's variables, sessions
        # too, until the garbage collector comes by.
        frames.clear()
        frame = left = None
    if _alarm_is_set():
        found.append("a signal handler")
    return found


def _runs_nothing(thread, frame):
    """Whether a thread that TensorFlow started runs no Python at the moment."""
    return frame is None and isinstance(thread, threading._DummyThread)


def _is_harmless(thread, frame):
    """Whether `HARMLESS` has a row for what a thread was started for."""
    # The class of the thread, and the function of a timer.
    modules = [
        type(thread).__module__,
        getattr(getattr(thread, "function", None), "__module__", ""),
    ]
    return _have_row(modules) if frame is None else _of_library(frame, modules)


def _of_library(frame, modules=()):
    """Whether `HARMLESS` has a row for the function that a thread runs, or for `modules`."""
    outermost = None
    while frame is not None:
        if frame.f_code.co_filename != threading.__file__:
            outermost = frame
        frame = frame.f_back
    if outermost is not None:
        modules = [*modules, outermost.f_globals.get("__name__") or ""]
    return _have_row(modules)


def _have_row(modules):
    return any(_begins_with(module, HARMLESS) for module in modules) and not any(
        _begins_with(module, _NOT_HARMLESS) for module in modules
    )


def _begins_with(module, prefixes):
    return any(module == prefix or f"{module}".startswith(f"{prefix}.") for prefix in prefixes)


def _in_python_function(frame):
    """Whether a thread is inside a Python function of the graph: that one may do anything."""
    code = _tensorflow.python_function_code()
    while frame is not None:
        if frame.f_code is code:
            return True
        frame = frame.f_back
    return False


def _joins(thread, frame, threads):
    """Whether a thread waits for the end of one of `threads`."""
    if not threads.isdisjoint(_joined.get(thread, ())):
        return True
    while frame is not None and frame.f_code.co_filename == threading.__file__:
        if frame.f_code.co_name == "join" and frame.f_locals.get("self") in threads:
            return True
        frame = frame.f_back
    return False


def _alarm_is_set():
    """Whether an interval timer is about to call a function of the program's."""
    if os.name != "posix" or not signal.getitimer(signal.ITIMER_REAL)[0]:
        return False
    code = getattr(signal.getsignal(signal.SIGALRM), "__code__", None)
    return code is not None and not _tensorflow.is_library_file(code.co_filename)
