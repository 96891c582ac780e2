"""Waits and wake-ups that Ctrl-C leaves whole, wherever it comes.

`threading.Condition` and `threading.Event` are written in Python. Where an interrupt reaches the main
thread after it has acquired their lock and before it has released it, the lock stays acquired, and
the next thread that needs it waits for ever, also one that is being started. The classes of this
module hold no lock that another thread needs. `with lock:`, with a lock itself, is safe: Python
handles no interrupt between the acquisition and the block.
"""

from __future__ import annotations

import _thread
import contextlib
import math
import signal
import sys
import threading
import time
import types
from collections.abc import Callable, Iterator
from typing import Any

from tfqueue import _tensorflow


class Changes:
    """Wakes those who wait for a change, like a `threading.Condition` without its lock."""

    def __init__(self) -> None:
        self._waiting: set[threading.Lock] = set()
        """A lock of each wait, taken until the change."""

    def notify_all(self) -> None:
        """Wakes all who wait."""
        for waiting in list(self._waiting):
            # Given back first: an interrupt between the two lines must not lose the wake-up.
            with contextlib.suppress(RuntimeError):  # another thread was faster
                waiting.release()
            self._waiting.discard(waiting)

    def wait(self, timeout: float) -> bool:
        """Waits up to `timeout` seconds; whether there was a change."""
        with self._listening() as waiting:
            return waiting.acquire(timeout=timeout)

    def wait_for(self, ready: Callable[[], bool], timeout: float | None = None) -> bool:
        """Waits up to `timeout` seconds until `ready()`, asked again at each change; what it says."""
        until = math.inf if timeout is None else time.monotonic() + timeout
        while True:
            with self._listening() as waiting:
                if ready():
                    return True
                left = min(max(0.0, until - time.monotonic()), threading.TIMEOUT_MAX)
                if not waiting.acquire(timeout=left):
                    return ready()

    @contextlib.contextmanager
    def _listening(self) -> Iterator[threading.Lock]:
        waiting = threading.Lock()
        waiting.acquire()
        self._waiting.add(waiting)
        try:
            yield waiting
        finally:
            self._waiting.discard(waiting)


class Event:
    """A `threading.Event`."""

    def __init__(self) -> None:
        self._set = False
        self._changes = Changes()

    def is_set(self) -> bool:
        """Whether it is set."""
        return self._set

    def set(self) -> None:
        """Sets it, and wakes all who wait for that."""
        self._set = True
        self._changes.notify_all()

    def clear(self) -> None:
        """Takes that back."""
        self._set = False

    def wait(self, timeout: float | None = None) -> bool:
        """Waits up to `timeout` seconds until it is set; whether it is."""
        return self._changes.wait_for(self.is_set, timeout)


def start(thread: threading.Thread) -> None:
    """Starts a thread. Ctrl-C is handled once it runs: `Thread.start` waits for an `Event`."""
    handler = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(handler):
        thread.start()
        return
    held: list[bool] = []
    heard: list[tuple[Any, ...]] = []

    def hold(*given: Any) -> None:
        if held:
            heard.append(given)
        else:
            handler(*given)  # another signal's handler has ended the start

    signal.signal(signal.SIGINT, hold)
    try:
        held.append(True)
        thread.start()
    finally:
        held.clear()
        signal.signal(signal.SIGINT, handler)
    for given in heard:
        handler(*given)


_LOOK_SECONDS = 0.01
"""How often `interrupt_again` looks whether the main thread may be interrupted."""


def interrupt_again() -> None:
    """Interrupts the main thread once it is in no `__del__`: Python only prints what one raises."""
    main = threading.main_thread().ident
    assert main is not None

    def interrupt() -> None:
        while _is_in_del(_tensorflow.frames_of_threads().get(main)):
            threading.Event().wait(_LOOK_SECONDS)
        if sys.platform == "win32":
            _thread.interrupt_main()
        else:  # this ends a wait for a lock, too
            signal.pthread_kill(main, signal.SIGINT)

    threading.Thread(target=interrupt, name="tfqueue-interrupt-again", daemon=True).start()


def _is_in_del(frame: types.FrameType | None) -> bool:
    while frame is not None and frame.f_code.co_name != "__del__":
        frame = frame.f_back
    return frame is not None
