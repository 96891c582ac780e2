"""`QueueRunner`, the threads that run enqueue ops, and what becomes of them in one session."""

from __future__ import annotations

import contextlib
import math
import threading
import time
import weakref
from collections.abc import Callable, Sequence
from typing import Any

from tfqueue import _tensorflow
from tfqueue._tensorflow.types import Graph, Session
from tfqueue.accelerate.mover import Mover
from tfqueue.explain import diagnosis, forged_length
from tfqueue.explain.failure import RunnerFacts
from tfqueue.graph import traversal
from tfqueue.graph.op_types import Demand, Queue, redefined
from tfqueue.session import (
    cluster,
    coordinator,
    failures,
    registry,
    runner_movers,
    shared_queues,
    starvation,
    wakeups,
)
from tfqueue.session.owner import Owner
from tfqueue.session.step import join

_tf = _tensorflow.compat_v1()


class QueueRunner(_tf.train.QueueRunner, metaclass=_tensorflow.StandsFor):
    """Threads that run enqueue ops for a queue (`tf.train.QueueRunner`).

    One thread for each enqueue op runs it again and again. When its input
    ends, the last thread closes the queue, so that what is in it can still be
    taken and the next dequeue raises `OutOfRangeError`. When an enqueue op
    fails, the queue is closed too, but with the failure as its cause: the step
    that waits for an element raises *that*, and so does `Coordinator.join`.

    Args:
        queue: A queue, such as `tf.FIFOQueue`.
        enqueue_ops: List of ops, or of their names, to run, one thread each. One op may stand there
            several times.
        close_op: Op that closes the queue and leaves pending enqueues alone.
        cancel_op: Op that closes the queue and cancels pending enqueues.
        queue_closed_exception_types: Tuple of `tf.errors` classes that mean the
            end of the input; `(tf.errors.OutOfRangeError,)` when None.
        queue_runner_def: A `QueueRunnerDef` protocol buffer to restore from, in
            place of all the above.
        import_scope: Name scope to put in front of its names.

    Raises:
        ValueError: If both or neither of `queue` and `queue_runner_def` are given.
        TypeError: If `queue_closed_exception_types` is not a tuple of error classes.

    >>> import tfqueue.v1 as tf
    >>> with tf.Graph().as_default():
    ...     queue = tf.FIFOQueue(10, tf.int32, shapes=[[]])
    ...     runner = tf.train.QueueRunner(queue, [queue.enqueue(7)] * 2)
    ...     seven = queue.dequeue()
    ...     with tf.Session() as sess:
    ...         coord = tf.train.Coordinator()
    ...         threads = runner.create_threads(sess, coord=coord, start=True)
    ...         print(sess.run(seven))
    ...         coord.request_stop()
    ...         coord.join(threads)
    7
    """

    __original__ = _tf.train.QueueRunner

    def __init__(
        self,
        queue: Any = None,
        enqueue_ops: Sequence[Any] | None = None,
        close_op: Any = None,
        cancel_op: Any = None,
        queue_closed_exception_types: tuple[type[Exception], ...] | None = None,
        queue_runner_def: Any = None,
        import_scope: str | None = None,
    ) -> None:
        if enqueue_ops and any(isinstance(op, str) for op in enqueue_ops):
            # A name is what a session runs just as well; what is asked of the ops here needs ops.
            graph = _tf.get_default_graph()
            enqueue_ops = [
                graph.as_graph_element(op) if isinstance(op, str) else op for op in enqueue_ops
            ]
        types = queue_closed_exception_types
        super().__init__(
            queue, enqueue_ops, close_op, cancel_op, types, queue_runner_def, import_scope
        )

    @classmethod
    def adopt(cls, runner: Any) -> Any:
        """`runner`, made by TensorFlow's own functions, as one of ours.

        One of a class that is derived from TensorFlow's stays what it is, and runs as it says.
        """
        if type(runner) is not cls.__original__:
            return runner
        ours = cls.__new__(cls)
        ours.__dict__.update(runner.__dict__)
        return ours

    @staticmethod
    def from_proto(queue_runner_def: Any, import_scope: str | None = None) -> QueueRunner:
        """A `QueueRunner` from its `QueueRunnerDef` protocol buffer."""
        return QueueRunner(queue_runner_def=queue_runner_def, import_scope=import_scope)

    def create_threads(
        self, sess: Session, coord: Any = None, daemon: bool = False, start: bool = False
    ) -> list[threading.Thread]:
        """Makes the threads that run the enqueue ops in a session.

        Args:
            sess: The session, a `tf.Session`.
            coord: Optional `Coordinator` that stops the threads and gets their
                errors. With one there is one more thread, which closes the queue
                when the stop is asked for.
            daemon: Whether the process may end while they run.
            start: Whether to start them, or leave that to the caller.

        Returns:
            A list of threads; empty if those made for this session earlier still run, or
            what they brought is not used up.
        """
        if set(redefined(self)) - {"create_threads"}:
            # A derived class says itself what its threads do: they are the program's own, and
            # TensorFlow makes them.
            return super().create_threads(sess, coord=coord, daemon=daemon, start=start)
        sess = _tensorflow.unwrapped(sess)
        owner = Owner.of(sess)
        with owner.lock:
            for earlier in owner.runs:
                if earlier.runner is self and (earlier.working() or earlier.fills_still()):
                    return []
            if owner.link.is_chief is False and cluster.is_counted(owner, self):
                return []  # the chief fills the queue, for all
            run = RunnerRun(self, owner, coord)
            before = [each for each in owner.runs if each.runner is self and each.closed()]
            if before:
                # Noted now: a step that takes from it may fail before its thread does.
                stopped = not any(each.ended for each in before)
                told = diagnosis.reopened(run.queue_name, stopped)
                owner.queues.failed(run.queue_name, told)
            self._exceptions_raised: list[BaseException] = []
            run.make_threads(sess)
            owner.started(run)
        if coordinator.is_ours(coord):
            coord.watch(owner)
        for thread in run.threads:
            if coord is not None:
                coord.register_thread(thread)
            if daemon:
                thread.daemon = True
            if start:
                wakeups.start(thread)
        return list(run.threads)


def adopt_all(graph: Graph, collection: str = _tf.GraphKeys.QUEUE_RUNNERS) -> list[Any]:
    """Makes TensorFlow's runners registered in a collection of `graph` ours, in place; returns all."""
    registered = graph.get_collection_ref(collection)
    for position, runner in enumerate(registered):
        if isinstance(runner, _tf.train.QueueRunner):
            registered[position] = QueueRunner.adopt(runner)
    return registered


def start_queue_runners(
    sess: Session = None,
    coord: Any = None,
    daemon: bool = True,
    start: bool = True,
    collection: str = _tf.GraphKeys.QUEUE_RUNNERS,
) -> list[threading.Thread]:
    """Starts the threads of all runners registered in a graph (`tf.train.start_queue_runners`).

    Args:
        sess: The session to run in; the default session when None.
        coord: Optional `Coordinator` for the threads.
        daemon: Whether the process may end while they run.
        start: Whether to start them.
        collection: The graph collection the runners are in.

    Returns:
        A list of threads.

    Raises:
        ValueError: If there is no session.
        TypeError: If `sess` is not a session.
    """
    if sess is None:
        sess = _tf.get_default_session()
        if sess is None:
            raise ValueError(
                "start_queue_runners has no session to start them in: pass sess=..., or call it "
                "inside `with sess.as_default():`"
            )
    monitored = (_tf.train.MonitoredSession, _tf.train.SingularMonitoredSession)
    if isinstance(sess, monitored):
        return []  # it has started them itself
    if not hasattr(sess, "as_default") or not hasattr(sess, "graph"):
        raise TypeError(f"sess must be a tf.Session object, got {sess!r}")
    return start_registered(sess, coord, daemon, start, collection)


def start_registered(
    sess: Session,
    coord: Any,
    daemon: bool = True,
    start: bool = True,
    collection: str = _tf.GraphKeys.QUEUE_RUNNERS,
) -> list[threading.Thread]:
    """`start_queue_runners` in a session."""
    owner = Owner.of(sess)
    older = [run.name for each in registry.older(owner) for run in list(each.runs) if run.working()]
    diagnosis.before_start(owner.failure(older=tuple(older)))
    threads: list[threading.Thread] = []
    late: list[threading.Thread] = []
    with sess.graph.as_default():
        for runner in list(adopt_all(_tf.get_default_graph(), collection)):
            at_once = start and "create_threads" in redefined(runner)
            made = runner.create_threads(sess, coord=coord, daemon=daemon, start=at_once)
            threads += made
            late += [] if at_once else made
    if start:
        # Not before all are made: what is at work takes Python's lock from what is being made.
        for thread in late:
            wakeups.start(thread)
    return threads


# -- a runner at work in one session -----------------------------------------------------------

_IN_HAND_SECONDS = 0.5
"""How long a stop waits for threads that may be waiting for what will never come."""
_SIBLINGS_SECONDS = 0.5
"""How long a failing thread waits for others that get no further and may wait for ever."""
_AT_WORK_SECONDS = 60.0
"""The same where they are known to be at work: files without a record are read for ever."""
_LOOK_SECONDS = 0.05
"""How often it looks at them."""


def _reference(coord: Any) -> Callable[[], Any]:
    """A function that gives `coord`, which it does not hold where that can be.

    It may hold an error whose frames hold the session.
    """
    try:
        return weakref.ref(coord) if coord is not None else lambda: None
    except TypeError:
        return lambda: coord


class RunnerRun:
    """A `QueueRunner` at work in one session, with a coordinator or without."""

    def __init__(self, runner: Any, owner: Owner, coord: Any) -> None:
        self.runner = runner
        self.owner = owner
        self._coord = _reference(coord)
        self.has_coord = coord is not None
        """Whether it was started with a coordinator."""
        self.name = runner.name
        self.queue_name = traversal.op_name(runner.name)
        self.threads: list[threading.Thread] = []
        """Those that enqueue, in the order of the enqueue ops, and the closer."""
        self.closer: threading.Thread | None = None
        """The one among them that waits for the coordinator's stop, to close the queue."""
        self.movers: list[Mover] = []
        """The `accelerate.Mover`s of its threads, in the order of the enqueue ops."""
        self.failure: BaseException | None = None
        """The error that stopped it, if one did."""
        self.failed_at = float("-inf")
        """When that was, by `time.monotonic()`."""
        self.ended = False
        """Whether it came to the end of its input."""
        self.released = wakeups.Event()
        """Set when whoever waits for the stop need not wait any longer."""
        self._stopping = self._failing = False
        # What ops return may stand for them, such as the tensor of an assignment.
        self.ops = tuple(map(traversal.as_op, runner.enqueue_ops))
        self._running = len(self.ops)
        self._lock = threading.Lock()
        self._changed = wakeups.Changes()
        sess = owner.session()
        self.demand = owner.pipeline.demand_of(runner)
        self.guard: forged_length.Guard | None = None
        """The `forged_length.Guard` that its threads share where a file needs one."""
        if self.demand.reads:
            self.guard = forged_length.guard_for(owner.failure(run=self))
        close, cancel = map(traversal.as_op, (runner.close_op, runner.cancel_op))
        # In this thread: a py_func that does not return may have all of TensorFlow's.
        self._close = _tensorflow.PreparedStep(sess, [close], inline=not owner.remote)
        self._cancel = _tensorflow.PreparedStep(sess, [cancel], inline=not owner.remote)
        queue = owner.pipeline.queues.get(self.queue_name)
        cancels = owner.pipeline.demand([cancel]).closes
        self._left_open = queue if queue is not None and queue not in cancels else None
        """Its queue, if its `cancel_op`, an op of the program's own, does not close it."""
        self.closes = {*self.demand.closes, *owner.pipeline.demand([close]).closes, *cancels}
        """The queues that its ops close."""
        self.left_to_others = False
        """Whether other processes fill its queue on, though it has failed or come to its end."""
        self._producer: shared_queues.Producer | None = None
        """The `Producer` that it is where its queue is shared with other processes."""
        if queue is not None and owner.queues.is_shared(queue):
            source_is_shared = any(map(owner.queues.is_shared, self.upstream()))
            source_is_shared |= cluster.is_counted(owner, runner)
            self._producer = shared_queues.Producer(owner, queue, source_is_shared)

    def make_threads(self, sess: Session) -> None:
        """Makes its threads: one for each enqueue op, and with a coordinator one that closes the queue."""
        runner, coord = self.runner, self.coord
        self.movers = runner_movers.movers_of(self, sess)
        for op, mover in zip(runner.enqueue_ops, self.movers, strict=True):
            arguments = self, mover, runner.queue_closed_exception_types
            name = f"QueueRunnerThread-{self.name}-{op.name}"
            self.threads.append(threading.Thread(target=work, args=arguments, name=name))
        if coord is not None:
            name = f"QueueRunnerThread-{self.name}-close_on_stop"
            self.closer = threading.Thread(target=close_on_stop, args=(self, coord), name=name)
            self.threads.append(self.closer)

    @property
    def coord(self) -> Any:
        """The coordinator it was started with; None if there was none, or it is gone."""
        return self._coord()

    def alive(self) -> list[threading.Thread]:
        """The threads that are still running, the closing one among them."""
        return [thread for thread in self.threads if thread.is_alive()]

    def working(self) -> bool:
        """Whether a thread of it is still enqueueing, or about to begin."""
        return self._running > 0

    def begun(self) -> bool:
        """Whether its threads were started, and not only made."""
        return any(thread.ident is not None for thread in self.threads)

    def has_closer(self) -> bool:
        """Whether the thread that closes its queue when the coordinator stops was started."""
        return self.closer is not None and self.closer.ident is not None

    def about_to_close(self) -> bool:
        """Whether its queue is being closed because of a stop, or will be in a moment."""
        return self.stop_was_asked_for() and self.closes_on_stop()

    def closes_on_stop(self) -> bool:
        """Whether the thread that closes its queue waits for the stop, or is at it."""
        return self.closer is not None and self.closer.is_alive()

    def fills_still(self) -> bool:
        """Whether it has come to its end, but the program has not yet, nor asked for a stop.

        Starting it again then does nothing, as while it still ran.
        """
        return (
            self.ended
            and not self.released.is_set()
            and self.queue_name not in self.owner.queues.at_end
        )

    def closed(self) -> bool:
        """Whether it has come to its end, or to a stop, and its queue is closed by that."""
        stopped = self.has_coord and self.released.is_set() and not self.working()
        queues = self.owner.queues
        left_open = queues.is_left_open(self.queue_name) and self.queue_name not in queues.cancelled
        return self.ended or (stopped and not left_open)

    def enqueued(self) -> int:
        """How many elements its threads have put into the queue."""
        return sum(mover.elements for mover in self.movers)

    def facts(self) -> RunnerFacts:
        """What it has done so far, as a record."""
        return RunnerFacts(
            name=self.name,
            queue_name=self.queue_name,
            ops=self.ops,
            elements=self.enqueued(),
            working=self.working(),
            ended=self.ended,
            closed=self.closed(),
        )

    def demands(self) -> list[tuple[Demand, Mover, threading.Thread]]:
        """`(Demand, mover, thread)` of each of its enqueue ops."""
        found = [self.owner.pipeline.demand([op]) for op in self.ops]
        return list(zip(found, self.movers, self.threads, strict=False))

    def upstream(self) -> list[Queue]:
        """The queues that its enqueue ops take from, directly or through others."""
        return self.owner.pipeline.upstream(self.owner.pipeline.demand_of(self.runner))

    def should_stop(self) -> bool:
        """Whether its threads are to end after the element they have."""
        return self._stopping or coordinator.wants_stop(self._coord())

    def stop_was_asked_for(self) -> bool:
        """Whether somebody asked the threads to end, not only a sibling that failed."""
        return self.released.is_set() or coordinator.wants_stop(self.coord)

    def expect_stop(self) -> None:
        """What its threads meet from now on may come of a stop, and is no end of their input."""
        self._stopping = True

    def stop(self) -> bool:
        """Asks its threads to end after the element they have; whether nobody had asked before."""
        first, self._stopping = not self.released.is_set(), True
        self.released.set()
        self._changed.notify_all()
        return first

    def cancel(self) -> None:
        """Ends its threads' waits: closes the queue and cancels pending enqueues."""
        self.stop()
        if self._producer is not None:
            left_open = self._producer.leave(ended=self.ended) or self.owner.link.keeps_shared
        else:
            left_open = self.owner.queues.is_left_open(self.queue_name)
        if left_open:
            return  # its threads end after their step, and their steps end with the session
        self.owner.queues.cancelled.add(self.queue_name)
        if self.working() or self.queue_name in self.owner.pipeline.queues:
            self._quietly(self._cancel)
            if self._left_open is not None:
                self.owner.queues.close(self._left_open, cancel=True)
        # Else it fed a Barrier, and its last thread has closed that: TensorFlow never returns
        # from closing one twice.

    def close_queue(self) -> None:
        """Closes its queue: what is in it can still be taken, and nothing more comes."""
        self._quietly(self._close)

    def _close_behind_the_last(self) -> None:
        """Closes its queue, where other processes fill it too once none of them does."""
        producer = self._producer
        if producer is not None and producer.leave(self.failure, self.ended):
            self.left_to_others = True
            self.owner.changed.notify_all()
            # One of the processes must close it: each whose runner comes to its end waits here, so that
            # one is left to do so.
            if not producer.wait_for_others(self._is_let_go, self._changed):
                return
        self.close_queue()

    def _is_let_go(self) -> bool:
        return self.released.is_set() or self.owner.stopping

    def _quietly(self, step: _tensorflow.PreparedStep) -> None:
        # The session may have been closed in the meantime, or the queue never have been made.
        if not self.owner.closed and not self.owner.link.silent:
            with contextlib.suppress(_tf.errors.OpError, RuntimeError):
                step()

    def thread_ended(self) -> None:
        """One thread is through with its input; the last one closes the queue."""
        if self._one_less():
            self.ended = not self._stopping  # nor has a sibling failed, which stops the others
            self._close_behind_the_last()
        self.owner.changed.notify_all()

    def thread_stopped(self) -> None:
        """One thread ended because it was asked to."""
        self._one_less()
        self.owner.changed.notify_all()

    def _one_less(self) -> bool:
        """Whether no thread is left."""
        with self._lock:
            self._running -= 1
            last = self._running == 0
        self._changed.notify_all()
        return last

    def thread_failed(self, error: BaseException, mover: Mover) -> None:
        """One thread met an error that is not the end of its input; its mover may know the record."""
        self.owner.link.note_lost(error)
        coord = self.coord
        # After a stop no error is reported. A coordinator of ours tells whether it was for a failure.
        if coordinator.is_ours(coord) and self.stop_was_asked_for():
            self.thread_stopped()
            return
        with self._lock:
            first, self._failing = not self._failing, True
        if first and coordinator.is_clean_stop(coord, error):
            try:
                coord.request_stop(error)
            finally:
                # A derived class may not stop: the others go on then.
                self._failing = self.stop_was_asked_for()
                self.thread_stopped()
            return
        if first:
            # The siblings finish what they hold, so that none is read and not delivered.
            self._stopping = True
            # Explained before another thread can see it.
            error = diagnosis.explain(self.owner.failure(error=error, run=self, mover=mover))
            self.failed_at = time.monotonic()
            self.failure = error
        self._one_less()
        # An error that a sibling meets because we closed the queue is not reported.
        if not self.has_coord and (first or not isinstance(error, _tf.errors.CancelledError)):
            self.runner.exceptions_raised.append(_tensorflow.without_frames(error))
        if not first:
            return
        self.owner.queues.failed(self.queue_name, error)
        try:
            if coordinator.is_ours(coord):
                coord.runner_failed(error)
            elif coord is not None:
                coord.request_stop(error)
            self._await_siblings()
        finally:
            # Not cancelled: what is in the queue is delivered before the error is met.
            self._close_behind_the_last()

    def _await_siblings(self) -> None:
        """Waits until the others have put what they hold, or may wait for what never comes."""

        def none_is_left() -> bool:
            return not self._running or self.released.is_set()

        seen, moved_at, known_at = None, -math.inf, -math.inf
        while not self.owner.stopping:
            if self._changed.wait_for(none_is_left, _LOOK_SECONDS):
                return
            state, now = (self._running, self.enqueued()), time.monotonic()
            if state != seen:
                seen, moved_at = state, now
            if self._has_no_room() or self._siblings_come_back():
                known_at = now
            unknown_for = now - max(moved_at, known_at)
            if unknown_for > _SIBLINGS_SECONDS or now - moved_at > _AT_WORK_SECONDS:
                return

    def _has_no_room(self) -> bool:
        """Whether its queue is full: nobody waits for elements then, and each that is taken lets one in."""
        queue = self.owner.pipeline.queues.get(self.queue_name)
        if queue is None or self.owner.remote:
            return False
        return self.owner.queues.is_full(queue, unknown=False)

    def _siblings_come_back(self) -> bool:
        me = threading.current_thread()
        return any(
            thread.is_alive() and starvation.comes_back(self.owner, demand)
            for demand, _, thread in self.demands()
            if thread is not me
        )


def work(run: RunnerRun, mover: Mover, ends: tuple[type[BaseException], ...]) -> None:
    """The body of a runner's thread; errors of the classes `ends` mean the end of its input."""
    try:
        # Once at least, as in TF1, unless the stop was asked for: a sibling's failure is none.
        again = not run.stop_was_asked_for()
        while again:
            if run.guard is not None:
                run.guard.take()
            mover.move()
            again = not run.should_stop()
        if not run.stop_was_asked_for():
            mover.finish()  # a sibling failed: what was read before is delivered
    except BaseException as error:  # noqa: BLE001  (reported: to the step, the coordinator, or both)
        error = failures.not_the_end(error)
        if isinstance(error, ends):
            run.thread_ended()
        elif run.released.is_set() and isinstance(error, (_tf.errors.CancelledError, RuntimeError)):
            run.thread_stopped()  # our own doing: the stop cancelled what it waited for
        else:
            run.thread_failed(error, mover)
    else:
        run.thread_stopped()
    finally:
        mover.close()


def close_on_stop(run: RunnerRun, coord: Any) -> None:
    """The body of the thread that closes the queue when its coordinator stops."""
    if coordinator.is_ours(coord):
        run.released.wait()  # set by the coordinator when it means it, and by the session's end
    else:
        while not coord.wait_for_stop(0.1):
            if run.released.is_set():
                return
    run.cancel()
    if not coordinator.is_ours(coord):
        _join_or_unblock(run)


def _join_or_unblock(run: RunnerRun) -> None:
    """Ends what a run's threads wait for upstream, when the coordinator that stops it is not ours.

    A `MonitoredSession` or a `Supervisor` joins with TensorFlow's own coordinator, which knows of
    no queue that somebody feeds by hand.
    """
    while late := join(run.threads, _IN_HAND_SECONDS):
        if run.owner.closed:
            return
        run.owner.unblock(late)
