"""The watch itself: a thread that looks at all sessions a few times a second."""

import contextlib
import dataclasses
import os
import threading
import time
import weakref

from tfqueue import _tensorflow
from tfqueue.session import interruptible, registry
from tfqueue.watch.counts import Counters
from tfqueue.watch.log import Sample, SessionLog
from tfqueue.watch.shares import Tracer

_WAIT_SECONDS = 1.0
"""How long a closing session, or the end of the watch, waits for a last look."""


@dataclasses.dataclass(frozen=True)
class Failure:
    """An error that a pipeline met.

    Attributes:
      kind: Name of its class.
      text: Its first line.
      notes: Its story, a list of str.
      queue: Name of the queue it ended, or None.
      at: When it was seen, in seconds since the watch began.
    """

    kind: str
    text: str
    notes: tuple
    queue: str | None
    at: float


class Watched:
    """One session under watch.

    Args:
      owner: Its `Owner`, which is not kept alive.
      number: Which session it is, from 1.
      clock: Function that gives the seconds since the watch began.
    """

    def __init__(self, owner, number, clock):
        self._owner = weakref.ref(owner)
        self._clock = clock
        self.log = SessionLog(number, clock())
        self._counters = Counters(weakref.proxy(owner))
        self._tracer = Tracer(weakref.proxy(owner), self.log.shares, self.log.shares_of_run)
        self._known = set()
        self._started = None
        self.pipeline = None
        """The model `Pipeline` of its graph, for the picture."""
        self.leaves = ()
        """What the step fetches that takes from a queue; the last such step that was new."""
        self.error = None
        """The first error that a pipeline met, without its traceback: that holds the session."""

    def first_batch(self):
        """A step has taken elements, for the first time."""
        if self._started is not None:
            self.log.first_batch_at = self._clock()
            self.log.first_batch = self.log.first_batch_at - self._started

    def grew(self, owner):
        """The pipeline may have grown; in a thread of the program."""
        if self._started is None and owner.runs:
            self._started = self._clock()
        self._counters.grew()
        self.log.places = dict(self._counters.places)
        self.pipeline = owner.pipeline
        for plan in owner.plans:
            if any(not take.is_read for take in plan.demand.takes):
                self.leaves = tuple(plan.keep)

    def look(self):
        """Takes a sample; False when the session is over."""
        owner = self._owner()
        # Held only for this moment. If nobody else holds it by the end, it ends here.
        sess = owner.session() if owner is not None else None
        if sess is None or self.log.ended is not None:
            return False
        try:
            self._note_errors(owner)
            working = {}
            for run in list(owner.runs):
                working[run.queue_name] = working.get(run.queue_name, False) or run.working()
            self.log.working = working
            self._tracer.look()
            levels = self._counters.read()
        except ReferenceError:
            return False  # it went while we looked
        if levels:
            self.log.add(Sample(self._clock(), levels))
        return True

    def _note_errors(self, owner):
        failures = [(run.failure, run.queue_name) for run in list(owner.runs)]
        failures += [(cause, name) for name, cause in list(owner.queues.failures.items())]
        for error, queue in failures:
            if error is not None and id(error) not in self._known:
                self._known.add(id(error))
                self.log.errors.append(failure(error, queue, self._clock()))
                self.error = self.error or _bare(error)

    def end(self):
        """Takes a last sample."""
        if self.log.ended is None:
            self.look()
            self.log.ended = self._clock()


def _bare(error):
    """A copy of an error of TensorFlow's without what it holds; None for any other."""
    tf = _tensorflow.compat_v1()
    if not isinstance(error, tf.errors.OpError) or type(error).__module__.startswith("tfqueue"):
        return None
    return type(error)(error.node_def, error.op, error.message)


def failure(error, queue, at):
    """The `Failure` that an exception tells of."""
    lines = str(getattr(error, "message", error)).strip().splitlines() or [""]
    # What TensorFlow puts in front of every failed run, and the node that says it again.
    text = next((x for x in lines if x.strip() and not x.startswith("Graph execution")), lines[0])
    return Failure(type(error).__name__, text, tuple(getattr(error, "__notes__", ())), queue, at)


class Watch:
    """Looks at every session of this process, from its beginning to its end.

    Args:
      outputs: What shows what is seen: objects with `update(watch)`, called in the watch's
        thread after each look, and `finish(watch)`, called once at the end.
      interval: Seconds between two looks.
    """

    def __init__(self, outputs=(), interval=0.25):
        self.outputs = list(outputs)
        self.sessions = []
        """A `Watched` for each session, in the order they began."""
        self.failures = []
        """`Failure`s that ended the program."""
        self.broken = None
        """What ended the watch before its time, if anything did."""
        self.busy = 0.0
        """Seconds of CPU that the watch itself has taken."""
        self._interval = interval
        self._begun = time.monotonic()
        self._pid = os.getpid()
        self._lock = threading.Lock()
        self._by_owner = weakref.WeakKeyDictionary()
        self._ending = []
        self._wake = interruptible.Event()
        self._stopping = False
        self._thread = threading.Thread(target=self._work, name="tfqueue-watch", daemon=True)

    def clock(self):
        """Seconds since the watch began."""
        return time.monotonic() - self._begun

    def start(self):
        """Begins to watch."""
        registry.add_observer(self)
        interruptible.start(self._thread)
        return self

    def stop(self):
        """Ends the watch: takes a last look, ends the thread, has the outputs finished."""
        if os.getpid() != self._pid or not registry.remove_observer(self):
            return  # a child made by fork has neither the thread nor anything to report
        self._stopping = True
        self._wake.set()
        # A step of ours can hang only where all of TensorFlow's threads do; then it is left.
        self._thread.join(_WAIT_SECONDS)
        with contextlib.ExitStack() as stack:  # all of them, even when one cannot write its file
            for output in reversed(self.outputs):
                stack.callback(output.finish, self)

    def failed(self, error):
        """Notes the exception that ended the program."""
        self.failures.append(failure(error, None, self.clock()))

    # -- told by sessions, in the program's threads --------------------------------------------

    def began(self, owner):
        """A session was made."""
        if os.getpid() != self._pid:
            return
        with self._guarded(), self._lock:
            watched = Watched(owner, len(self.sessions) + 1, self.clock)
            self.sessions.append(watched)
            self._by_owner[owner] = watched

    def grew(self, owner):
        """A session has a new kind of step, or its runners were started."""
        watched = self._by_owner.get(owner)
        if watched is not None and os.getpid() == self._pid:
            with self._guarded():
                watched.grew(owner)

    def first_batch(self, owner):
        """A step of a session has taken elements, for the first time."""
        watched = self._by_owner.get(owner)
        if watched is not None and os.getpid() == self._pid:
            with self._guarded():
                watched.first_batch()

    @contextlib.contextmanager
    def _guarded(self):
        """In a thread of the program nothing of ours is raised."""
        try:
            yield
        except Exception as error:  # noqa: BLE001  (told at the end)
            self.broken = error

    def ending(self, owner):
        """A session is about to be closed: waits a moment for a last look at it."""
        watched = self._by_owner.get(owner)
        if watched is None or os.getpid() != self._pid:
            return
        if threading.current_thread() is self._thread:
            return  # it was the last to hold the session: it has just looked
        done = interruptible.Event()
        self._ending.append((watched, done))
        self._wake.set()
        if self._thread.is_alive():
            done.wait(_WAIT_SECONDS)

    # -- the thread ----------------------------------------------------------------------------

    def _work(self):
        try:
            while not self._stopping:
                self._wake.wait(self._interval)
                self._wake.clear()
                self._look()
            for watched in list(self.sessions):
                watched.end()
        except Exception as error:  # noqa: BLE001  (told at the end: a watch ends no program)
            self.broken = error

    def _look(self):
        began = time.thread_time()
        while self._ending:
            watched, done = self._ending.pop(0)
            watched.end()
            done.set()
        for watched in list(self.sessions):
            watched.look()
        for output in self.outputs:
            output.update(self)
        self.busy += time.thread_time() - began
