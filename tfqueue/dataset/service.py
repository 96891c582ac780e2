"""A dataset out of a tf.data service, whose waits give a warning and can be interrupted.

TensorFlow waits for a service in C++, without a message, and Ctrl-C does not end the wait. So its
calls are made in a thread of ours, and the caller waits for that in Python.
"""

from __future__ import annotations

import atexit
import contextlib
import inspect
import queue
import socket
import threading
import time
import warnings
import weakref
from collections.abc import Callable
from typing import Any

from tfqueue import _tensorflow, errors
from tfqueue._tensorflow import iterators

_tf = _tensorflow.compat_v1()

WARN_AFTER = 5.0
"""Seconds of a wait after which a warning says what is waited for."""
_AGAIN = 0.2
"""Seconds between two attempts to connect."""
_LEAVE = 2.0
"""Seconds that the process waits at its end for calls that TensorFlow cannot cancel."""


def place(address: str) -> tuple[str, int]:
    """Host and port of a dispatcher.

    Args:
        address: `"grpc://host:port"` or `"host:port"`.

    Raises:
        ValueError: It is no such address.

    >>> place("grpc://localhost:5000")
    ('localhost', 5000)
    """
    host, _, port = str(address).rpartition("://")[2].rpartition(":")
    if not host or not port.isdecimal() or not 0 < int(port) < 1 << 16:
        raise ValueError(f"service is 'grpc://host:port', not {address!r}")
    return host.strip("[]"), int(port)


def wait_for_dispatcher(address: str) -> None:
    """Waits until something listens at a dispatcher's address; says so once, if that takes long."""
    begin, said = time.monotonic(), False
    while not _listens(address):
        if not said and time.monotonic() - begin >= WARN_AFTER:
            said = True
            _warn(f"the dispatcher of the tf.data service at {address}: nothing answers there")
        time.sleep(_AGAIN)


def _listens(address: str) -> bool:
    try:
        with contextlib.closing(socket.create_connection(place(address), timeout=1)):
            return True
    except OSError:
        return False


def _warn(what: str) -> None:
    warnings.warn(
        f"tfqueue.dataset waits for {what}. Ctrl-C ends the wait",
        errors.WaitingWarning,
        stacklevel=2,
    )


def _missing(address: str) -> str:
    """What is waited for, if a service gives no element."""
    if not _listens(address):
        return (
            f"an element of the tf.data service at {address}: its dispatcher does not answer. "
            "Workers give what they have; without the dispatcher they get no more rows"
        )
    return (
        f"an element of the tf.data service at {address}: the dispatcher answers, no worker has "
        "given any yet. None may be there, one may be gone, or they are still at work"
    )


class _Caller:
    """A thread that calls a function each time it is asked to, and waits for it in C++."""

    def __init__(
        self,
        call: Callable[[], Any],
        missing: Callable[[], str],
        cancel: Callable[[], None] = lambda: None,
    ) -> None:
        """Starts the thread.

        Args:
            call: The function.
            missing: Says what the function waits for.
            cancel: Ends a wait of the function, if it can be ended.
        """
        self._missing = missing
        self._cancel = cancel
        self._asked: queue.SimpleQueue[bool] = queue.SimpleQueue()
        self._answers: queue.SimpleQueue[tuple[Any, BaseException | None]] = queue.SimpleQueue()
        self._under_way = False
        self._said = False
        arguments = (call, self._asked, self._answers)
        thread = threading.Thread(target=_run, args=arguments, name="tfqueue dataset", daemon=True)
        _callers.add(self)
        _threads.add(thread)
        thread.start()

    def __call__(self) -> Any:
        """The function's result or error. If a wait is interrupted, the next call resumes it."""
        if not self._under_way:
            self._under_way = True
            self._asked.put(True)
        try:
            value, error = self._answers.get(timeout=None if self._said else WARN_AFTER)
        except queue.Empty:
            self._said = True
            _warn(self._missing())
            value, error = self._answers.get()
        self._under_way = False
        if error is None:
            return value
        try:
            raise error
        finally:
            del error  # it refers to this frame, and so to the iterator

    def end(self) -> None:
        """Ends the thread as soon as its call returns."""
        self._cancel()
        self._asked.put(False)


_callers: weakref.WeakSet[_Caller] = weakref.WeakSet()
_threads: set[threading.Thread] = set()
"""Those of callers; a thread may outlive its caller while it is in a call."""


def _run(call: Callable[[], Any], asked: Any, answers: Any) -> None:
    while asked.get():
        try:
            answers.put((iterators.in_eager_mode(call), None))
        except BaseException as error:  # noqa: BLE001  (raised by whoever asked)
            answers.put((None, error))
    _threads.discard(threading.current_thread())


@atexit.register
def _leave() -> None:
    """Ends the threads before Python ends: one that comes out of C++ behind that aborts the process."""
    for caller in list(_callers):
        caller.end()
    until = time.monotonic() + _LEAVE
    for thread in list(_threads):
        thread.join(max(0.0, until - time.monotonic()))


def dataset(make: Callable[[], Any], address: str) -> Any:
    """A dataset that a service has a part in.

    Args:
        make: Makes the `tf.data.Dataset`, which registers it with the dispatcher.
        address: The dispatcher's.

    Returns:
        The dataset. A Python loop over it, or over what its methods make of it, can be interrupted,
        and says once what it waits for. In a `tf.function`, as in Keras's `fit`, TensorFlow itself
        waits.
    """
    wait_for_dispatcher(address)
    caller = _Caller(make, lambda: f"the tf.data service at {address} to take the dataset")
    try:
        return _supervised(caller(), address)
    finally:
        caller.end()


def _supervised(made: Any, address: str) -> Any:
    """The dataset, of a class whose iterators are waited for in Python."""
    import tensorflow

    kind, datasets = type(made), tensorflow.data.Dataset

    def derived(name: str) -> Callable[..., Any]:
        def method(self: Any, *args: Any, **kwargs: Any) -> Any:
            result = getattr(kind, name)(self, *args, **kwargs)
            return _supervised(result, address) if isinstance(result, datasets) else result

        return method

    def begin(self: Any) -> Any:
        iterator = kind.__iter__(self)
        if iterators.eager():
            iterator.__class__ = _iterator_class(type(iterator))
            iterator._tfqueue_caller = _caller(iterator, address)
        return iterator

    methods: dict[str, Any] = {name: derived(name) for name in _methods(datasets)}
    made.__class__ = type("ServedDataset", (kind,), {**methods, "__iter__": begin})
    return made


def _methods(datasets: type[Any]) -> list[str]:
    """The names of the public methods of datasets."""
    return [
        name
        for name, method in vars(datasets).items()
        if inspect.isfunction(method) and not name.startswith("_")
    ]


def _caller(iterator: Any, address: str) -> _Caller:
    """What takes an iterator's elements; it ends when the iterator is gone."""
    elements = iterators.CancellableIterator(iterator)
    caller = _Caller(elements.take, lambda: _missing(address), elements.cancel)
    weakref.finalize(iterator, caller.end)
    return caller


def _iterator_class(kind: type[Any]) -> type[Any]:
    """A class of iterators that are waited for in Python, but for those inside of a function."""

    class ServedIterator(kind):
        def __next__(self) -> Any:
            if not iterators.eager():
                return super().__next__()
            try:
                return self._tfqueue_caller()
            except _tf.errors.OutOfRangeError:
                raise StopIteration from None

        def get_next(self) -> Any:
            return self._tfqueue_caller() if iterators.eager() else super().get_next()

    return ServedIterator
