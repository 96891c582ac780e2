"""The watch: a thread that takes a sample of every session a few times a second."""

from __future__ import annotations

import contextlib
import os
import threading
import time
import weakref
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Protocol, cast

from tfqueue import _tensorflow
from tfqueue.session import registry, wakeups
from tfqueue.watch.counts import Counters
from tfqueue.watch.log import Failure, Sample, SessionLog
from tfqueue.watch.shares import Tracer

if TYPE_CHECKING:
    from tfqueue.graph.model import Pipeline
    from tfqueue.session.owner import Owner

_WAIT_SECONDS = 1.0
"""How long a closing session, or the end of the watch, waits for a last look."""


class Output(Protocol):
    """Shows the state of the sessions."""

    def update(self, watch: Watch) -> None:
        """Shows the present state; called in the watch's thread after each look."""

    def finish(self, watch: Watch) -> None:
        """Shows the summary; called once, at the end."""


class WatchedSession:
    """One session under watch.

    Args:
        owner: Its `Owner`, which is not kept alive.
        number: Which session it is, from 1.
        clock: Function that gives the seconds since the watch began.
    """

    def __init__(self, owner: Owner, number: int, clock: Callable[[], float]) -> None:
        self._owner = weakref.ref(owner)
        self._clock = clock
        self.log = SessionLog(number, clock())
        proxy = cast("Owner", weakref.proxy(owner))
        self._counters = Counters(proxy)
        self._tracer = Tracer(proxy, self.log.shares, self.log.shares_of_run)
        self._known: set[int] = set()
        self._started: float | None = None
        self.pipeline: Pipeline | None = None
        """The model `Pipeline` of its graph, for the picture."""
        self.leaves: tuple[Any, ...] = ()
        """What the step fetches that takes from a queue; the last such step that was new."""
        self.error: BaseException | None = None
        """The first error that a pipeline met, without its traceback: that holds the session."""

    def first_batch(self) -> None:
        """A step has taken elements, for the first time."""
        if self._started is not None:
            self.log.first_batch_at = self._clock()
            self.log.first_batch = self.log.first_batch_at - self._started

    def grew(self, owner: Owner) -> None:
        """The pipeline may have grown; in a thread of the program."""
        if self._started is None and owner.runs:
            self._started = self._clock()
        self._counters.grew()
        self.log.places = dict(self._counters.places)
        self.pipeline = owner.pipeline
        for plan in owner.plans:
            if any(not take.is_read for take in plan.demand.takes):
                self.leaves = tuple(plan.keep)

    def look(self) -> bool:
        """Takes a sample; False when the session is over."""
        owner = self._owner()
        # It is held only for this moment. If nothing else holds it by the end, it ends here.
        sess = owner.session() if owner is not None else None
        if owner is None or sess is None or self.log.ended is not None:
            return False
        try:
            self._note_errors(owner)
            working: dict[str, bool] = {}
            for run in list(owner.runs):
                working[run.queue_name] = working.get(run.queue_name, False) or run.working()
            self.log.working = working
            self._tracer.look()
            levels = self._counters.read()
        except ReferenceError:
            return False  # the owner is gone
        if levels:
            self.log.add(Sample(self._clock(), levels))
        return True

    def _note_errors(self, owner: Owner) -> None:
        failures = [(run.failure, run.queue_name) for run in list(owner.runs)]
        failures += [(cause, name) for name, cause in list(owner.queues.causes.items())]
        for error, queue in failures:
            if error is not None and id(error) not in self._known:
                self._known.add(id(error))
                self.log.errors.append(failure(error, queue, self._clock()))
                self.error = self.error or _bare(error)

    def end(self) -> None:
        """Takes a last sample."""
        if self.log.ended is None:
            self.look()
            self.log.ended = self._clock()


def _bare(error: BaseException) -> Any:
    """A copy of an error of TensorFlow's without what it holds; None for any other."""
    tf = _tensorflow.compat_v1()
    if not isinstance(error, tf.errors.OpError) or type(error).__module__.startswith("tfqueue"):
        return None
    return type(error)(error.node_def, error.op, error.message)


def failure(error: BaseException, queue: str | None, at: float) -> Failure:
    """The `Failure` that an exception tells of."""
    lines = str(getattr(error, "message", error)).strip().splitlines() or [""]
    # What TensorFlow puts in front of every failed run, and the node that says it again.
    text = next((x for x in lines if x.strip() and not x.startswith("Graph execution")), lines[0])
    return Failure(type(error).__name__, text, tuple(getattr(error, "__notes__", ())), queue, at)


class Watch:
    """Looks at every session of this process, from its beginning to its end.

    Args:
        outputs: What shows the state of the sessions.
        interval: Seconds between two looks.
    """

    def __init__(self, outputs: Sequence[Output] = (), interval: float = 0.25) -> None:
        self.outputs = list(outputs)
        self.sessions: list[WatchedSession] = []
        """A `WatchedSession` for each session, in the order they began."""
        self.failures: list[Failure] = []
        """`Failure`s that ended the program."""
        self.broken: BaseException | None = None
        """What ended the watch before its time, if anything did."""
        self._interval = interval
        self._begun = time.monotonic()
        self._pid = os.getpid()
        self._lock = threading.Lock()
        self._by_owner: weakref.WeakKeyDictionary[Owner, WatchedSession] = (
            weakref.WeakKeyDictionary()
        )
        self._ending: list[tuple[WatchedSession, wakeups.Event]] = []
        self._wake = wakeups.Event()
        self._stopping = False
        self._thread = threading.Thread(target=self._work, name="tfqueue-watch", daemon=True)

    def clock(self) -> float:
        """Seconds since the watch began."""
        return time.monotonic() - self._begun

    def start(self) -> Watch:
        """Begins to watch."""
        registry.add_observer(self)
        wakeups.start(self._thread)
        return self

    def stop(self) -> None:
        """Ends the watch: takes a last look, ends the thread, has the outputs finished."""
        if os.getpid() != self._pid or not registry.remove_observer(self):
            return  # a child made by fork has neither the thread nor anything to report
        self._stopping = True
        self._wake.set()
        # A step of ours hangs only where all of TensorFlow's threads do; then it is not waited for.
        self._thread.join(_WAIT_SECONDS)
        with contextlib.ExitStack() as stack:  # all of them, even when one cannot write its file
            for output in reversed(self.outputs):
                stack.callback(output.finish, self)

    def failed(self, error: BaseException) -> None:
        """Notes the exception that ended the program."""
        self.failures.append(failure(error, None, self.clock()))

    # -- told by sessions, in the program's threads --------------------------------------------

    def began(self, owner: Owner) -> None:
        """A session was made."""
        if os.getpid() != self._pid:
            return
        with self._guarded(), self._lock:
            watched = WatchedSession(owner, len(self.sessions) + 1, self.clock)
            self.sessions.append(watched)
            self._by_owner[owner] = watched

    def grew(self, owner: Owner) -> None:
        """A session has a new kind of step, or its runners were started."""
        watched = self._by_owner.get(owner)
        if watched is not None and os.getpid() == self._pid:
            with self._guarded():
                watched.grew(owner)

    def first_batch(self, owner: Owner) -> None:
        """A step of a session has taken elements, for the first time."""
        watched = self._by_owner.get(owner)
        if watched is not None and os.getpid() == self._pid:
            with self._guarded():
                watched.first_batch()

    @contextlib.contextmanager
    def _guarded(self) -> Iterator[None]:
        """In a thread of the program nothing of ours is raised."""
        try:
            yield
        except Exception as error:  # noqa: BLE001  (told at the end)
            self.broken = error

    def ending(self, owner: Owner) -> None:
        """A session is about to be closed: waits a moment for a last look at it."""
        watched = self._by_owner.get(owner)
        if watched is None or os.getpid() != self._pid:
            return
        if threading.current_thread() is self._thread:
            return  # it was the last to hold the session: it has just looked
        done = wakeups.Event()
        self._ending.append((watched, done))
        self._wake.set()
        if self._thread.is_alive():
            done.wait(_WAIT_SECONDS)

    # -- the thread ----------------------------------------------------------------------------

    def _work(self) -> None:
        try:
            while not self._stopping:
                self._wake.wait(self._interval)
                self._wake.clear()
                self._look()
            for watched in list(self.sessions):
                watched.end()
        except Exception as error:  # noqa: BLE001  (told at the end: a watch ends no program)
            self.broken = error

    def _look(self) -> None:
        while self._ending:
            watched, done = self._ending.pop(0)
            watched.end()
            done.set()
        for watched in list(self.sessions):
            watched.look()
        for output in self.outputs:
            output.update(self)
