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
import types
from collections.abc import Callable, Iterator

from tfqueue import _tensorflow

_SPEAK, _END = 1.0, 1.5
"""Seconds behind the first Ctrl-C after which a wait is announced, and behind the end of the program after
which one is cut short."""
_RAISED = 0
"""The byte that stands behind a signal's once Python's handler has been called: no signal has this number."""
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
        self._closed = self._said = self._watched = self._raised = False
        self._call: types.FrameType | None = None

    def listen(self, pipe: socket.socket) -> None:
        """Runs until the pipe is closed."""
        with pipe:
            while data := pipe.recv(64):
                if self._closed:
                    return
                for number in data:
                    if number == signal.SIGINT:
                        self._interrupted()
                    elif number == _RAISED:
                        self._raised = self._heard > 0
                        self._call = self._call if self._raised else None

    def raising(self, frame: types.FrameType | None) -> None:
        """Told by Python's handler, in the main thread, that it ends what stands in `frame`."""
        self._call = _call_of_the_program(frame)

    def _settle(self) -> None:
        """Counts anew, once the program has got the `KeyboardInterrupt`."""
        if self._raised and not _is_running(self._call):
            self._heard, self._call = 0, None
            self._raised = self._said = False

    def _interrupted(self) -> None:
        self._settle()
        if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
            return  # the program has a handler of its own
        self._heard += 1
        if self._heard > 1:
            die()
            return
        if not self._watched:
            self._watched = True
            threading.Thread(
                target=self._watch, name="tfqueue-interrupt-watch", daemon=True
            ).start()

    def _watch(self) -> None:
        while not self.over.wait(_SPEAK):
            self._settle()
            if self._heard and _in_tensorflow() and not self._said:
                self._said = True
                sys.stderr.write(_WAITING)
                sys.stderr.flush()
        # all is printed; a thread that does not end must not delay the exit
        threading.Event().wait(_END)
        die()

    def close(self) -> None:
        """Hears nothing any more."""
        self._closed = True


def _call_of_the_program(frame: types.FrameType | None) -> types.FrameType | None:
    """The call of a library, by the program, that `frame` stands in; None for a line of the program's."""
    call = None
    while frame is not None and _tensorflow.is_library_file(frame.f_code.co_filename):
        call, frame = frame, frame.f_back
    return call


def _is_running(call: types.FrameType | None) -> bool:
    """Whether the main thread is in a call."""
    main = threading.main_thread().ident
    frame = _tensorflow.frames_of_threads().get(main) if main is not None else None
    while frame is not None and frame is not call:
        frame = frame.f_back
    return call is not None and frame is call


def _in_tensorflow() -> bool:
    """Whether the main thread is inside of TensorFlow."""
    main = threading.main_thread().ident
    frame = _tensorflow.frames_of_threads().get(main) if main is not None else None
    return frame is not None and f"{os.sep}tensorflow{os.sep}" in frame.f_code.co_filename


def die() -> None:
    """Ends the process as SIGINT ends one."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(Exception):  # a stream of the program's own may raise anything
            stream.flush()
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    _default()
    os.kill(os.getpid(), signal.SIGINT)


def _default() -> None:
    """SIGINT ends the process; `signal.signal` is for the main thread alone."""
    import ctypes

    ctypes.CDLL(None).signal(int(signal.SIGINT), None)


def _handle(handler: Callable[[int, types.FrameType | None], None]) -> None:
    """Makes a function Python's own handler, for the program too: it may look whether it is in place."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, handler)
    signal.default_int_handler = handler  # type: ignore[assignment]


_leave: list[Callable[[], None]] = []
"""What takes a child that is forked out of `listening`."""


def _leave_in_child() -> None:
    """What the child of a fork hears is not its parent's: a terminal interrupts both."""
    for each in _leave:
        each()
    _leave.clear()


if sys.platform != "win32":
    os.register_at_fork(after_in_child=_leave_in_child)


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
    python = signal.default_int_handler

    def raise_interrupt(number: int, frame: types.FrameType | None) -> None:
        listener.raising(frame)
        with contextlib.suppress(OSError):
            far.send(bytes([_RAISED]))  # behind the signal's own byte
        python(number, frame)

    before = signal.set_wakeup_fd(far.fileno(), warn_on_full_buffer=False)
    threading.Thread(
        target=listener.listen, args=(near,), name="tfqueue-listener", daemon=True
    ).start()

    def leave() -> None:
        signal.set_wakeup_fd(-1)
        _handle(python)

    _handle(raise_interrupt)
    _leave.append(leave)
    try:
        yield listener
    finally:
        _handle(python)
        if leave in _leave:
            _leave.remove(leave)
        if not listener.over.is_set():
            listener.close()
            signal.set_wakeup_fd(before)
            far.close()
