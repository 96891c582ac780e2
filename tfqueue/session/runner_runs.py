"""A `QueueRunner` at work in one session: its threads, and what becomes of them."""

import contextlib
import dataclasses
import threading
import time

from tfqueue import _tensorflow
from tfqueue.explain import diagnosis, forged_length
from tfqueue.explain.case import Case
from tfqueue.session import inline

_tf = _tensorflow.compat_v1()

_IN_HAND_SECONDS = 0.5
"""How long a stop waits for threads that may be waiting for what will never come."""
_SIBLINGS_SECONDS = 0.5
"""How long a failing thread lets its siblings bring home the elements they hold."""


class RunnerRun:
    """A `QueueRunner` at work in one session.

    Args:
      runner: The `QueueRunner`.
      supervision: The session's `Supervision`.
      coord: A coordinator, or None.
    """

    def __init__(self, runner, supervision, coord):
        self.runner = runner
        self.supervision = supervision
        self.coord = coord
        self.name = runner.name
        self.queue_name = runner.name.split(":")[0]
        self.threads = []
        """Those that enqueue, in the order of the enqueue ops, and the closer."""
        self.closer = None
        """The one among them that waits for the coordinator's stop, to close the queue."""
        self.pumps = []
        self.failure = None
        """The error that stopped it, if one did."""
        self.failed_at = float("-inf")
        """When that was, by `time.monotonic()`."""
        self.ended = False
        """Whether it came to the end of its input."""
        self.released = threading.Event()
        """Set when whoever waits for the stop need not wait any longer."""
        self._stopping = self._failing = False
        self._running = len(runner.enqueue_ops)
        self._lock = threading.Condition()
        self._trials = {}
        sess = supervision.session()
        self.guard = forged_length.guard_for(Case(None, supervision, run=self))
        self.demand = supervision.pipeline.demand_of(runner)
        # What ops return may stand for them, such as the tensor of an assignment.
        close, cancel = (getattr(op, "op", op) for op in (runner.close_op, runner.cancel_op))
        self._close = _tensorflow.RawStep(sess, [close])
        self._cancel = _tensorflow.RawStep(sess, [cancel])
        queue = supervision.pipeline.queues.get(self.queue_name)
        closes = supervision.pipeline.demand([cancel]).closes
        self._left_open = queue if queue is not None and queue not in closes else None
        """Its queue, if its `cancel_op`, an op of the program's own, does not close it."""

    def alive(self):
        """The threads that are still running, the closing one among them."""
        return [thread for thread in self.threads if thread.is_alive()]

    def working(self):
        """Whether a thread of it is still enqueueing, or about to begin."""
        return self._running > 0

    def begun(self):
        """Whether its threads were started, and not only made."""
        return any(thread.ident is not None for thread in self.threads)

    def fills_still(self):
        """Whether it has come to its end, but the program has not yet, nor asked for a stop.

        To start it again then is what it was while it still ran: nothing.
        """
        return (
            self.ended
            and not self.released.is_set()
            and self.queue_name not in self.supervision.used_up
        )

    def closed(self):
        """Whether it has come to its end, or to a stop, and its queue is closed by that."""
        stopped = self.coord is not None and self.released.is_set() and not self.working()
        return self.ended or (stopped and not self.supervision.leaves_open(self.queue_name))

    def enqueued(self):
        """How many elements its threads have put into the queue."""
        return sum(pump.elements for pump in self.pumps)

    def demands_of_ops(self):
        """The `Demand` of each enqueue op; its threads run them, one each, in this order."""
        ops = (getattr(op, "op", op) for op in self.runner.enqueue_ops)
        return [self.supervision.pipeline.demand([op]) for op in ops]

    def demands(self):
        """`(Demand, pump)` of each of its threads."""
        return list(zip(self.demands_of_ops(), self.pumps, strict=False))

    def upstream(self):
        """The queues that its enqueue ops take from, directly or through others."""
        pipeline = self.supervision.pipeline
        return pipeline.upstream(pipeline.demand_of(self.runner))

    def trial_of(self, op, fed=()):
        """The `inline.Trial` that all threads share which run `op`, or None if there is none.

        Args:
          op: An enqueue op of the runner's.
          fed: Ops that it takes from and that are not run, since it is fed with what they give.
        """
        key = (op, *fed)
        if key not in self._trials:
            ops = [getattr(each, "op", each) for each in self.runner.enqueue_ops]
            demand = self.supervision.pipeline.demand([op])
            if fed:
                demand = dataclasses.replace(
                    demand,
                    ops=demand.ops - set(fed),
                    takes=[take for take in demand.takes if take.op not in fed],
                    reads=[read for read in demand.reads if read not in fed],
                )
            self._trials[key] = inline.trial_for(demand, self.supervision.remote, ops.count(op))
        return self._trials[key]

    def should_stop(self):
        """Whether its threads are to end after the element they have."""
        if self._stopping:
            return True
        coord = self.coord
        if coord is None or not coord.should_stop():
            return False
        # After a runner's failure everything in front of it is still delivered: the others go
        # on until the program itself has asked for the stop.
        return not getattr(coord, "draining", False)

    def forget(self):
        """Lets go of what the session's end made useless."""
        self.failure = None
        self.coord = None

    def stop_was_asked_for(self):
        """Whether somebody wants the threads to end, not only a sibling that failed."""
        coord = self.coord
        asked = coord is not None and coord.should_stop() and not getattr(coord, "draining", False)
        return asked or self.released.is_set()

    def stop(self):
        """Asks its threads to end, those too that wait for room in the queue.

        Returns:
          Whether nobody had asked before.
        """
        first, self._stopping = not self.released.is_set(), True
        self.released.set()
        self._wake()
        return first

    def closes_soon(self):
        """Whether it was stopped, and closes its queue by itself once its threads are through."""
        return self.coord is not None and self.released.is_set() and self.working()

    def _wake(self):
        room = self.supervision.rooms.get(self.queue_name)
        if room is not None:
            room.wake()

    def wind_down(self):
        """Closes its queue as a stop does, once what its threads have in hand is put into it."""
        self.stop()
        room = self.supervision.rooms.get(self.queue_name)
        if room is not None:
            seconds = None if self._ends_by_itself() else _IN_HAND_SECONDS
            room.end(seconds, lambda: not self.working())
        self.cancel()

    def _ends_by_itself(self):
        """Whether each of its threads ends without this queue's being closed.

        One that waits for an element of another queue does when that one is closed. The stop
        does so where a runner fills it; a queue that is fed by hand is closed by nobody.
        """
        runs = self.supervision.runs
        stopping = {run.queue_name for run in runs if run.released.is_set() or not run.working()}
        return all(queue.name in stopping for queue in self.upstream())

    def cancel(self):
        """Ends its threads' waits: closes the queue and cancels pending enqueues."""
        self.stop()
        if self.supervision.leaves_open(self.queue_name):
            return  # its threads' waits end with the session
        self.supervision.cancelled.add(self.queue_name)
        if self.working() or self.queue_name in self.supervision.pipeline.queues:
            self._quietly(self._cancel)
            if self._left_open is not None:
                self.supervision.close_queue(self._left_open, cancel=True)
        # Else it fed a Barrier, and its last thread has closed that: TensorFlow never returns
        # from closing one twice.

    def close_queue(self):
        """Closes its queue: what is in it can still be taken, and nothing more comes."""
        self._quietly(self._close)

    def _quietly(self, step):
        # The session may have been closed in the meantime, or the queue never have been made.
        if not self.supervision.closed and not self.supervision.silent:
            with contextlib.suppress(_tf.errors.OpError, RuntimeError):
                step()

    def took(self):
        """One of its threads has moved elements: there is room where it took them from."""
        if self.demand.takes:
            self.supervision.rooms.took(self.demand)

    def thread_ended(self):
        """One thread is through with its input; the last one closes the queue."""
        with self._lock:
            self._running -= 1
            last = self._running == 0
            self._lock.notify_all()
        self._wake()
        if last:
            if self.failure is None:
                self.ended = not self._stopping
            self._quietly(self._close)
        with self.supervision.changed:
            self.supervision.changed.notify_all()

    def _one_less(self):
        with self._lock:
            self._running -= 1
            self._lock.notify_all()
        self._wake()

    def thread_stopped(self):
        """One thread ended because it was asked to."""
        self._one_less()
        with self.supervision.changed:
            self.supervision.changed.notify_all()

    def thread_failed(self, error, pump):
        """One thread met an error that is not the end of its input.

        Args:
          error: What the enqueue op raised.
          pump: The thread's pump, which knows the record it was working on.
        """
        with self._lock:
            first, self._failing = not self._failing, True
        if first:
            # The siblings finish what they hold, so that none is read and not delivered. One that
            # waits for something is not waited for, see below.
            self._stopping = True
            self.supervision.note_lost(error)
            # Told before anyone can see it.
            error = diagnosis.explain(error, self.supervision, run=self, pump=pump)
            self.failed_at = time.monotonic()
            self.failure = error
        self._one_less()
        # Of the others, what our own closing of the queue does to them is no news.
        if self.coord is None and (first or not isinstance(error, _tf.errors.CancelledError)):
            self.runner.exceptions_raised.append(_tensorflow.without_frames(error))
        if not first:
            return
        self.supervision.fail_queue(self.queue_name, error)
        if hasattr(self.coord, "runner_failed"):
            self.coord.runner_failed(error)
        elif self.coord is not None:
            self.coord.request_stop(error)
        self._wake()
        deadline = time.monotonic() + _SIBLINGS_SECONDS
        with self._lock:
            while self._running > 0 and (left := deadline - time.monotonic()) > 0:
                self._lock.wait(left)
        # Not cancelled: what is in the queue is delivered before the error is met.
        self._quietly(self._close)


def work(run, pump, ends):
    """The body of a runner's thread.

    Args:
      run: The `RunnerRun`.
      pump: What moves elements, one or a chunk a call.
      ends: Exception classes that mean the end of the input.
    """
    try:
        # Once at least, as in TF1, unless the stop was asked for: a sibling's failure is none.
        if not run.stop_was_asked_for():
            pump()
            run.took()
        while not run.should_stop():
            pump()
            run.took()
        pump.bring_home()
    except ends:
        run.thread_ended()
    except BaseException as error:  # noqa: BLE001  (reported: to the step, the coordinator, or both)
        if run.released.is_set() and isinstance(error, (_tf.errors.CancelledError, RuntimeError)):
            run.thread_stopped()  # our own doing: the stop cancelled what it waited for
        else:
            run.thread_failed(error, pump)
    else:
        run.thread_stopped()
    finally:
        pump.end()


def close_on_stop(run, coord):
    """The body of the thread that closes the queue when its coordinator stops."""
    if hasattr(coord, "runner_failed"):
        run.released.wait()  # set by the coordinator when it means it, and by the session's end
    else:
        while not coord.wait_for_stop(0.1):
            if run.released.is_set():
                return
    run.wind_down()
    if not hasattr(coord, "runner_failed"):
        _bring_home(run)


def _bring_home(run):
    """Ends what a run's threads wait for upstream, when the coordinator that stops it is not ours.

    A `MonitoredSession` or a `Supervisor` joins with TensorFlow's own coordinator, which knows of
    no queue that somebody feeds by hand.
    """
    me = threading.current_thread()
    while late := {thread for thread in run.alive() if thread is not me}:
        deadline = time.monotonic() + _IN_HAND_SECONDS
        for thread in late:
            thread.join(max(0.0, deadline - time.monotonic()))
        if run.supervision.closed:
            return
        run.supervision.unblock({thread for thread in late if thread.is_alive()})
