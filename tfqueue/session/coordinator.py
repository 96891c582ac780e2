"""`Coordinator`: stops a set of threads together, and brings their error to who waits."""

from __future__ import annotations

import contextlib
import functools
import logging
import sys
import threading
import time
import weakref
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from tfqueue import _tensorflow
from tfqueue.session import failures, other_threads, registry, starvation, wakeups
from tfqueue.session.step import join

if TYPE_CHECKING:
    from tfqueue.session.owner import Owner
    from tfqueue.session.step import Plan

_tf = _tensorflow.compat_v1()

_GRACE_SECONDS = 0.2
"""Seconds a thread that was asked to stop may take before what it waits for is cancelled."""

_IDLE_SECONDS = 0.5
"""How long a `join` has nothing to wait for but a stop before it looks who might ask for one."""


class Coordinator(_tf.train.Coordinator, metaclass=_tensorflow.StandsFor):
    """Stops a set of threads together (`tf.train.Coordinator`).

    Threads ask `should_stop()` and end when it says so; any of them, or the
    main program, says `request_stop()`; `join(threads)` waits for all of them
    and raises the first error that one of them reported.

    Three things are better than in TensorFlow 1: when a stop is asked for,
    threads that wait in an enqueue or dequeue of a session are released
    instead of waited for, once no thread that is joined can still end by itself;
    a `join` in the `finally` of a failing program lets the program's own error
    through instead of waiting for ever; and an error
    of a queue runner ends the elements in front of it last, not first: what was
    read before it is still delivered.

    Args:
        clean_stop_exception_types: Tuple of exception classes that, passed to
            `request_stop`, mean a normal stop; `(tf.errors.OutOfRangeError,)` when
            None.

    >>> import threading
    >>> import tfqueue.v1 as tf
    >>> coord = tf.train.Coordinator()
    >>> thread = threading.Thread(target=coord.wait_for_stop)
    >>> thread.start()
    >>> coord.request_stop()
    >>> coord.join([thread])
    >>> thread.is_alive(), coord.should_stop()
    (False, True)
    """

    __original__ = _tf.train.Coordinator

    def __init__(
        self, clean_stop_exception_types: tuple[type[BaseException], ...] | None = None
    ) -> None:
        super().__init__(clean_stop_exception_types=clean_stop_exception_types)
        self._stop_event = wakeups.Event()
        self.draining = False
        """Whether the stop is a runner's failure in front of which elements are still delivered."""
        self._owners: weakref.WeakSet[Owner] = weakref.WeakSet()
        self.clean_stops = clean_stop_exception_types or (_tf.errors.OutOfRangeError,)
        """The classes of errors that are a reason to stop and no failure."""
        self._waiters: list[threading.Thread] = []
        """The threads that do nothing but wait for the stop."""
        self._runners_error: BaseException | None = None
        """What a runner failed with: no reason to stop before the elements in front of it are taken."""
        self.runners_failure: BaseException | None = None
        """The runner's failure that asked for the stop, if one did."""
        # An error that was being handled when this object was made is not one that `join` is
        # called in the middle of.
        self._handled_before = sys.exc_info()[1]

    def watch(self, owner: Owner) -> None:
        """Takes a session's runners into the stop."""
        self._owners.add(owner)
        if self._stop_event.is_set() and not self.draining:
            owner.release(self)

    def should_stop(self) -> bool:
        """Whether a stop was asked for (`tf.train.Coordinator.should_stop`).

        A queue runner's failure asks for one, as in TensorFlow 1. But
        `while not coord.should_stop(): sess.run(batch)` goes on to take what was
        read before the failure, and to meet it in `sess.run`: the failure would
        else look like the end of the data. A loop that takes nothing from the
        queue stops after a second.
        """
        if not self._stop_event.is_set():
            return False
        return not self.draining or not self._still_delivers()

    def _still_delivers(self, but: Plan | None = None) -> bool:
        return any(failures.still_delivers(owner, but) for owner in list(self._owners))

    def settle(self, but: Plan | None = None) -> None:
        """Releases the other runners once nothing is taken any more of what is in front of a failure.

        The `Plan` `but`, of a step that waits for something else, does not count.
        """
        if self._stop_event.is_set() and self.draining and not self._still_delivers(but):
            self.release()

    def wait_for_stop(self, timeout: float | None = None) -> bool | None:
        """Waits until a stop is asked for, up to `timeout` seconds; whether it was."""
        if timeout is not None:
            return super().wait_for_stop(timeout)
        me = threading.current_thread()
        self._waiters.append(me)
        try:
            return super().wait_for_stop()
        finally:
            self._waiters.remove(me)

    def request_stop(self, ex: Any = None) -> None:
        """Asks all threads to stop.

        Args:
            ex: Optional exception, or `sys.exc_info()` tuple, that `join` is to
                raise. The first one counts.
        """
        error = ex[1] if isinstance(ex, tuple) else ex
        from_runner = error is not None and error is self._runners_error
        if not from_runner and not self._stop_event.is_set():
            self.runners_failure = (
                None  # a failure that a runner reports from now on comes after this stop
            )
        if from_runner:
            ex = type(error), error, error.__traceback__
        with _logged_in_one_line(error):
            super().request_stop(ex)
        if from_runner and self.draining:
            return  # what was read before the failure is still to be taken
        if error is not None:
            registry.note_error(threading.current_thread(), error)
        self.release()

    def runner_failed(self, error: Exception) -> None:
        """A queue runner of ours failed with `error`: stop, but let what was read before be delivered."""
        self._runners_error = failures.to_raise(error)
        if not self._stop_event.is_set():
            self.draining, self.runners_failure = True, self._runners_error
        # A derived class may have a `request_stop` of its own, which does not stop for this.
        self.request_stop(self._runners_error)
        if not self._stop_event.is_set():
            self.draining, self.runners_failure = False, None

    def drop_error(self) -> None:
        """Drops the error that `join` has raised: its traceback keeps the session alive."""
        with self._lock:
            self._exc_info_to_raise = None

    def clear_stop(self) -> None:
        """Takes the stop back, so that the coordinator can be used again."""
        super().clear_stop()
        self.draining, self._runners_error, self.runners_failure = False, None, None

    def release(self) -> None:
        """Lets all runners end after what they have in hand, and their queues be closed."""
        self.draining = False
        for owner in list(self._owners):
            owner.release(self)

    def join(
        self,
        threads: Iterable[threading.Thread] | None = None,
        stop_grace_period_secs: float = 120,
        ignore_live_threads: bool = False,
    ) -> None:
        """Waits until the threads have ended, and raises the error that one of them reported.

        Args:
            threads: Threads to wait for, besides those registered here.
            stop_grace_period_secs: Seconds the threads have to end once the stop
                is asked for.
            ignore_live_threads: Whether threads that are alive after that are no
                error.

        Raises:
            RuntimeError: If threads are still alive after the grace period. A
                note says what each of them waits for.
            Exception: The one passed to `request_stop`.
        """
        with self._lock:
            all_threads = list(self._registered_threads.union(threads or ()))
        unwinding = sys.exc_info()[1]
        handled = unwinding is None or self._was_handled(unwinding)
        # The end of the data is no failure: the program may wait here for its own threads to use
        # what it has taken.
        at_end = not handled and isinstance(unwinding, tuple(self.clean_stops))
        if not handled and not at_end and not self._stop_event.is_set():
            # `finally: coord.join(threads)` while an error passes through: nobody else is left
            # to ask for the stop.
            self.request_stop()
        with other_threads.joining(all_threads):
            self._wait_for_end_or_stop(all_threads, at_end)
        self.release()
        deadline = time.monotonic() + stop_grace_period_secs
        self._join_or_unblock(all_threads, deadline)
        alive = [thread for thread in all_threads if thread.is_alive()]
        waits = [_what_it_waits_for(thread) for thread in alive]
        try:
            super().join(
                threads,
                stop_grace_period_secs=max(0.0, deadline - time.monotonic()),
                ignore_live_threads=ignore_live_threads,
            )
        except Exception as error:
            if waits and isinstance(error, RuntimeError):
                for line in waits:
                    _tensorflow.add_note(error, line)
            self._met(error)
            raise

    def raise_requested_exception(self) -> None:
        """Raises the exception passed to `request_stop`, if there was one."""
        try:
            super().raise_requested_exception()
        except Exception as error:
            self._met(error)
            raise

    def _met(self, error: BaseException) -> None:
        if len(self._owners):
            failures.mark_reported(error)

    def _was_handled(self, error: BaseException | None) -> bool:
        """Whether `error` was there before this coordinator, or grew out of one that was."""
        while error is not None:
            if error is self._handled_before:
                return True
            error = error.__context__
        return False

    def _wait_for_end_or_stop(self, threads: list[threading.Thread], at_end: bool) -> None:
        look_at = time.monotonic() + (0 if at_end else _IDLE_SECONDS)
        while any(thread.is_alive() for thread in threads) and not self.wait_for_stop(0.05):
            if not at_end and not self._only_stop_is_missing(threads):
                look_at = time.monotonic() + _IDLE_SECONDS
            elif time.monotonic() > look_at:
                if self._nobody_asks(at_end):
                    self.request_stop()  # TensorFlow's would wait for ever
                look_at = time.monotonic() + _IDLE_SECONDS

    def _nobody_asks(self, at_end: bool) -> bool:
        """Whether no thread is left that could ask for the stop."""
        if not at_end:
            return not other_threads.threads_that_may_act()
        waiting = self._waiting()
        # Asked again once the threads are known: what one put in before it ended is then counted.
        return not other_threads.threads_that_may_act(waiting) and waiting == self._waiting()

    def _waiting(self) -> set[threading.Thread]:
        """The threads that go on only after a stop."""
        blocked = [each for owner in registry.everywhere() for each in owner.blocked_feeders()]
        return starvation.stuck_threads().union(blocked, self._waiters)

    def _only_stop_is_missing(self, threads: list[threading.Thread]) -> bool:
        """Whether all that is left of `threads` is to close, on a stop, queues that are closed."""
        runs = [run for owner in list(self._owners) for run in list(owner.runs)]
        closers = {run.closer for run in runs if run.coord is self and run.ended}
        return all(thread in closers for thread in threads if thread.is_alive())

    def _join_or_unblock(self, threads: list[threading.Thread], deadline: float) -> None:
        """Joins `threads`; cancels what they wait for when they do not come by themselves."""
        seconds = _GRACE_SECONDS
        while late := join(threads, min(seconds, deadline - time.monotonic())):
            if time.monotonic() >= deadline:
                return
            if _some_go_on(late):
                continue  # what the others wait for may come of them
            for owner in registry.everywhere():
                owner.unblock(late)
            seconds = min(2 * seconds, 5.0)


def _some_go_on(threads: list[threading.Thread]) -> bool:
    """Whether one of `threads` is the program's own, and at work: it may end by itself."""
    owners = registry.everywhere()
    waiting = {thread for owner in owners for run in list(owner.runs) for thread in run.threads}
    for owner in owners:
        waiting.update(owner.waiting())
    own = {thread.name for thread in threads if thread not in waiting}
    return bool(own) and not own.isdisjoint(other_threads.threads_that_may_act(waiting))


def _in_one_line(record: logging.LogRecord, error: BaseException | None, thread: int) -> bool:
    """Shortens the line that TensorFlow logs of a reported error: `join` raises all of it."""
    told = str(record.msg).startswith("Error reported to Coordinator")
    if told and record.thread == thread:
        first = str(error).strip().partition("\n")[0]
        record.msg = "Error reported to Coordinator: %s: %s"
        record.args = (type(error).__name__, first)
        record.exc_info = None
    return True


@contextlib.contextmanager
def _logged_in_one_line(error: BaseException | None) -> Iterator[None]:
    logger = logging.getLogger("tensorflow")
    shorten = functools.partial(_in_one_line, error=error, thread=threading.get_ident())
    logger.addFilter(shorten)
    try:
        yield
    finally:
        logger.removeFilter(shorten)


def is_ours(coord: Any) -> bool:
    """Whether a coordinator is a `Coordinator`, and not one that TensorFlow made itself."""
    return Coordinator in type(coord).__mro__


def is_clean_stop(coord: Any, error: BaseException) -> bool:
    """Whether a coordinator of ours takes `error` for a reason to stop, and for no failure."""
    return is_ours(coord) and isinstance(error, tuple(coord.clean_stops))


def wants_stop(coord: Any) -> bool:
    """Whether a coordinator, of ours or not, asks for a stop, and not only since a runner failed.

    After a runner's failure everything in front of it is still delivered: the others go on until
    the program itself has asked for the stop.
    """
    return coord is not None and coord.should_stop() and not getattr(coord, "draining", False)


def _what_it_waits_for(thread: threading.Thread) -> str:
    for owner in registry.everywhere():
        found = owner.waits_of(thread)
        if found:
            return f"thread {thread.name} {found}"
    return f"thread {thread.name} is in no step of a session"
