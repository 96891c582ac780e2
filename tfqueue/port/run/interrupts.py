"""Ctrl-C under `tfqueue run`: the process ends, whatever TensorFlow is in.

Python's own handler runs between two instructions of the main thread. Where that is inside of a
step of TensorFlow which can't be cancelled it would never come to it, so a thread listens, too.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import sys
import threading
from collections.abc import Iterator

from tfqueue import _tensorflow

_SPEAK, _END = 1.0, 1.5
"""Seconds behind the first Ctrl-C after which a wait is announced, and behind the end of the program after
which one is cut short."""
_WAITING = (
    "tfqueue: interrupted inside of a step that can't be cancelled; it ends with the step, or with "
    "a second Ctrl-C\n"
)


class Listener:
    """Hears each Ctrl-C at once.

    Attributes:
        over: Set once the program has ended and its error is shown.
    """

    def __init__(self) -> None:
        self.over = threading.Event()
        self._heard = 0
        self._closed = self._said = False

    def listen(self, pipe: socket.socket) -> None:
        """Runs until the pipe is closed."""
        with pipe:
            while data := pipe.recv(64):
                if self._closed:
                    return
                for number in data:
                    if number == signal.SIGINT:
                        self._interrupted()

    def _interrupted(self) -> None:
        if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
            return  # the program has a handler of its own
        self._heard += 1
        if self._heard > 1:
            die()
            return
        threading.Thread(target=self._watch, name="tfqueue-interrupt-watch", daemon=True).start()

    def _watch(self) -> None:
        while not self.over.wait(_SPEAK):
            if _in_tensorflow() and not self._said:
                self._said = True
                sys.stderr.write(_WAITING)
                sys.stderr.flush()
        # all is printed; a thread that does not end must not delay the exit
        threading.Event().wait(_END)
        die()

    def close(self) -> None:
        """Hears nothing any more."""
        self._closed = True


def _in_tensorflow() -> bool:
    """Whether the main thread is inside of TensorFlow."""
    main = threading.main_thread().ident
    frame = _tensorflow.frames_of_threads().get(main) if main is not None else None
    return frame is not None and f"{os.sep}tensorflow{os.sep}" in frame.f_code.co_filename


def die() -> None:
    """Ends the process as SIGINT ends one."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(Exception):
            stream.flush()
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    _default()
    os.kill(os.getpid(), signal.SIGINT)


def _default() -> None:
    """SIGINT ends the process; `signal.signal` is for the main thread alone."""
    import ctypes

    ctypes.CDLL(None).signal(int(signal.SIGINT), None)


@contextlib.contextmanager
def listening(own_process: bool) -> Iterator[Listener]:
    """Listens inside the block, where the process is the command's own.

    Args:
        own_process: Whether the process may be ended.
    """
    listener = Listener()
    if not own_process or threading.current_thread() is not threading.main_thread():
        yield listener
        return
    near, far = socket.socketpair()
    far.setblocking(False)
    before = signal.set_wakeup_fd(far.fileno(), warn_on_full_buffer=False)
    threading.Thread(
        target=listener.listen, args=(near,), name="tfqueue-listener", daemon=True
    ).start()
    try:
        yield listener
    finally:
        if not listener.over.is_set():
            listener.close()
            signal.set_wakeup_fd(before)
            far.close()
