"""Which line of the user's program it was, and notes on errors that say so."""

from __future__ import annotations

import copy
import functools
import gc
import linecache
import os
import sys
import threading
import types
from typing import Any

from tfqueue._tensorflow.types import Error, Op


def creation_line(op: Op) -> tuple[str, int, str] | None:
    """`(file, line, code)` of the user's line that built `op`, or None.

    The innermost frame outside TensorFlow and tfqueue. `Operation.traceback`
    is public; its frames' attributes follow `traceback.FrameSummary`.
    """
    for frame in reversed(op.traceback or []):
        if not is_library_file(frame.filename):
            # The frames that TensorFlow keeps hold no text.
            code = frame.line or linecache.getline(frame.filename, frame.lineno)
            return cell_name(frame.filename), frame.lineno, code.strip()
    return None


def cell_name(filename: str) -> str:
    """The name of a notebook's cell as its reader knows it, `In[5]`; other names as they are.

    Jupyter compiles a cell under the name of a temporary file that does not exist. If
    `format_code_name` goes, that name is shown.
    """
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    known = getattr(getattr(shell, "compile", None), "format_code_name", lambda _: None)(filename)
    return known[1] if known else filename


@functools.cache
def is_library_file(filename: str) -> bool:
    """Whether `filename` belongs to Python, TensorFlow, tfqueue or an installed package."""
    if filename.startswith("<"):
        # A notebook's cells and `python -c` are the user's; importlib's frozen modules are not.
        return filename.startswith("<frozen")
    path = os.path.realpath(filename)
    return path.startswith(_library_folders()) or f"{os.sep}site-packages{os.sep}" in path


@functools.cache
def is_folded_file(filename: str) -> bool:
    """Whether `filename` belongs to TensorFlow, Keras or tfqueue."""
    if filename.startswith("<"):
        return False
    path = os.path.realpath(filename)
    packages = ("tensorflow", "keras", "tf_keras", "tf_slim")
    return path.startswith(_library_folders()[0]) or any(
        f"{os.sep}site-packages{os.sep}{name}{os.sep}" in path for name in packages
    )


@functools.cache
def _library_folders() -> tuple[str, str]:
    here = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))  # tfqueue/
    standard = os.path.dirname(os.path.realpath(os.__file__))
    return (here + os.sep, standard + os.sep)


def add_note(error: BaseException, text: str) -> None:
    """Adds a note to an exception (PEP 678), also on Python 3.10, which does not print it."""
    if sys.version_info >= (3, 11):
        error.add_note(text)
        return
    noted: Any = error
    noted.__notes__ = [*getattr(error, "__notes__", []), text]
    if hasattr(error, "_message"):
        noted._message = f"{error._message}\n{text}"  # what `OpError.__str__` prints


def without_frames(error: Error) -> Error:
    """A copy of `error` that holds none of the frames it passed through.

    A runner stands in a collection of its graph. Where it keeps an error with its frames, which
    hold the graph and the session, Python frees neither, however often it collects. An error whose
    class does not let itself be copied is returned itself.
    """
    try:
        made = copy.copy(error)
    except Exception:  # noqa: BLE001  (a class of the program's, whose constructor wants something else)
        return error
    known = vars(made)  # TensorFlow's classes copy what their constructor takes, and no more
    known.update({name: value for name, value in vars(error).items() if name not in known})
    if hasattr(error, "__notes__"):
        known["__notes__"] = list(error.__notes__)
    return made


_frames_lock = threading.Lock()


def frames_of_threads() -> dict[int, types.FrameType]:
    """`sys._current_frames()`, during which no garbage is collected.

    In Python 3.11 it waits for itself, with all other threads, where a `threading.local` is among
    that: https://github.com/python/cpython/issues/106883.
    """
    held = enabled = False
    try:
        held = _frames_lock.acquire(timeout=0.1)  # nobody gives it back after a fork
        enabled = gc.isenabled()
        gc.disable()
        return sys._current_frames()
    finally:
        if enabled:
            gc.enable()
        if held:
            _frames_lock.release()
