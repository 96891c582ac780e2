"""Which threads of this process could still do something with a session, or a coordinator.

A queue without a producer is dead only if nobody can become one. Any live
thread might: one that will start the runners in a minute, or a manager that
replaces a dead feeder. But a thread whose code cannot reach the session (a
watchdog, a notebook's heartbeat) cannot. So the threads' frames are followed,
from what they can name, to see whether the session is among it.
"""

import contextlib
import sys
import threading
import types

from tfqueue import _tensorflow

_MOST_OBJECTS = 20_000
"""How far a thread's references are followed before it is taken for one that could."""


def who_can_reach(target, supervisions, stuck=()):
    """The live threads that could still do something with a session or a coordinator.

    Args:
      target: The session, or the coordinator.
      supervisions: The `Supervision`s whose runners' threads do not count.
      stuck: A set of threads that cannot go on by themselves.

    Returns:
      A list of threads, without those of ours, the current one, those that are
      stuck, and those that wait for one of these to end.
    """
    if target is None:
        return []
    waiting = {threading.current_thread(), *stuck}
    ours = {
        thread
        for supervision in supervisions
        for run in list(supervision.runs)
        for thread in run.threads
    }
    frames = sys._current_frames()
    found = []
    try:
        for thread in threading.enumerate():
            if thread in waiting or thread in ours or thread.name.startswith("tfqueue-"):
                continue
            frame = frames.get(thread.ident)
            if frame is None or _joins_one_of(frame, waiting):
                continue
            if not waiting.isdisjoint(_joined.get(thread, ())):
                continue
            if _reaches(thread, frame, target):
                found.append(thread)
    finally:
        # This frame is among them: a cycle, which would keep every thread's variables, sessions
        # too, until the garbage collector comes by.
        frames.clear()
        frame = None
    return found


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


def _joins_one_of(frame, threads):
    """Whether the thread with this innermost frame is in `Thread.join` of one of `threads`."""
    while frame is not None and frame.f_code.co_filename == threading.__file__:
        if frame.f_code.co_name == "join" and frame.f_locals.get("self") in threads:
            return True
        frame = frame.f_back
    return False


def _reaches(thread, frame, target):
    """Whether the code that a thread is in, or will run, can name `target`."""
    # What a thread was given counts only if it also was given code of the user's to do it with:
    # a library's watchdog may hold a test's whole world and will not feed a queue from it.
    given = [getattr(thread, "__dict__", {})]
    roots = given if _has_user_code(given[0]) else []
    while frame is not None:
        if not _tensorflow.is_library_file(frame.f_code.co_filename):
            roots += list(frame.f_locals.values())
            roots += _globals_named(frame.f_code, frame.f_globals)
        frame = frame.f_back
    seen, todo = set(), roots
    while todo:
        value = todo.pop()
        if value is target:
            return True
        if id(value) in seen or isinstance(value, _LEAVES):
            continue
        seen.add(id(value))
        if len(seen) > _MOST_OBJECTS:
            return True  # too much to follow: it may
        todo += _named_by(value)
    return False


def _has_user_code(given):
    """Whether one of a thread's attributes, or of its arguments, is a function of the user's."""
    values = list(given.values())
    for value in given.values():
        if isinstance(value, (list, tuple)):
            values += value
        elif isinstance(value, dict):
            values += value.values()
    for value in values:
        value = getattr(value, "func", value)  # functools.partial
        value = getattr(value, "__func__", value)  # a bound method
        code = getattr(value, "__code__", None)
        if code is not None and not _tensorflow.is_library_file(code.co_filename):
            return True
    return False


_LEAVES = (str, bytes, int, float, complex, type(None), types.FrameType, types.CodeType, type)


def _named_by(value):
    """What Python code that holds `value` can get at from it, one step."""
    if isinstance(value, dict):
        return list(value.values())
    if isinstance(value, (list, tuple, set, frozenset)):
        return list(value)
    if isinstance(value, types.MethodType):
        return [value.__self__, value.__func__]
    if isinstance(value, types.FunctionType):
        if _tensorflow.is_library_file(value.__code__.co_filename):
            return _cells(value)
        return _cells(value) + _globals_named(value.__code__, value.__globals__)
    if isinstance(value, types.ModuleType):
        file = getattr(value, "__file__", None)
        if file is None or _tensorflow.is_library_file(file):
            return []
        return list(vars(value).values())
    if type(value).__module__.startswith(("tensorflow", "numpy")):
        return []  # a tensor or an optimizer runs nothing by itself
    return list(getattr(value, "__dict__", {}).values())


def _cells(function):
    found = [*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()]
    for cell in function.__closure__ or ():
        try:
            found.append(cell.cell_contents)
        except ValueError:
            continue  # not assigned yet
    return found


def _globals_named(code, names):
    found = [names[name] for name in code.co_names if name in names]
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            found += _globals_named(constant, names)
    return found
