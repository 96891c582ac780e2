"""Whether this process computes anything: a step that does may yet give what others wait for.

A queue that a program feeds by hand is empty as soon as its last element is taken, and nothing in
TensorFlow tells a step that waits for the next from one that is busy with the last. But a process
whose steps all wait is still: none of its threads runs, or waits for a disk, or is inside a Python
function of the graph. One that only waits for a remote file is taken to be still, too.
"""

import os
import pathlib
import sys
import threading
import time

from tfqueue import _tensorflow

_TASKS = pathlib.Path("/proc/self/task")
_BUSY = b"RD"
"""How Linux calls the states of a thread that runs or could, and of one that waits for a disk."""
_SHARE = 0.1
"""Where there is no such file: the share of a core above which a process is busy."""


class Stillness:
    """Looks, again and again, whether the process is still but for the thread that looks."""

    def __init__(self):
        self._last = None

    def __call__(self, waiting=()):
        """Whether nothing seems to be under way, or False where that is not known yet.

        Args:
          waiting: Threads that wait as the caller does, and look around now and then.
        """
        if _in_python_function():
            return False
        if _TASKS.is_dir():
            known = {str(thread.native_id) for thread in [threading.current_thread(), *waiting]}
            return not any(_busy(task) for task in os.listdir(_TASKS) if task not in known)
        now = time.monotonic(), time.process_time()
        last, self._last = self._last, now
        return last is not None and now[1] - last[1] < _SHARE * (now[0] - last[0])


def _in_python_function():
    me, code = threading.get_ident(), _tensorflow.python_function_code()
    for ident, frame in sys._current_frames().items():
        while ident != me and frame is not None:
            if frame.f_code is code:
                return True
            frame = frame.f_back
    return False


def _busy(task):
    try:
        text = (_TASKS / task / "stat").read_bytes()
    except OSError:
        return False  # it has ended meanwhile
    # The second field is a name in brackets, which may hold anything.
    return text.rpartition(b")")[2].split()[0] in _BUSY
