"""`Owner`: the one object that owns the threads and queues of a session.

It has three states, and goes through them once:

* **open**: steps are run, runners are started, failures are noted (from the session's making);
* **stopping**: no failure is reported any more, every wait is being ended (`stop`);
* **closed**: the TensorFlow session is gone, no step of it may be run (`close`).

`shut_down` takes it through the last two. The rest is kept in parts, each with its methods: the queues
and why they were closed (`queues`), the steps under way (`steps`), what was put and taken
(`accounts`), the other machines (`link`), the runners (`runs`).

Two rules hold everywhere:

* A queue that can get no more elements is *closed with a cause*. Closing lets
  everything still in it be delivered; at the end TensorFlow says "closed and
  has insufficient elements", and the cause is raised in its place.
* Nothing is polled with time-outs on a dequeue: TensorFlow loses elements then.
"""

from __future__ import annotations

import collections
import enum
import functools
import os
import threading
import weakref
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Any

from tfqueue import _tensorflow, errors
from tfqueue._tensorflow.types import Op, Session
from tfqueue.accelerate.mover import Mover
from tfqueue.explain import diagnosis, silent_damage
from tfqueue.explain.failure import Failure
from tfqueue.graph import traversal
from tfqueue.graph.model import Pipeline
from tfqueue.graph.op_types import READS, READS_OF_FILES, Queue, Take
from tfqueue.session import failures, registry, step, wakeups
from tfqueue.session.accounts import Accounts, amounts_by_queue
from tfqueue.session.cluster import Link
from tfqueue.session.queues import Queues

if TYPE_CHECKING:
    from tfqueue.session.runner import RunnerRun
    from tfqueue.session.step import Plan, Step

_JOIN_SECONDS = 120.0
"""How long `shut_down` waits for a thread before it says which one does not end."""
_GONE_SECONDS = 1.0
"""The same where a task of the cluster is gone: TensorFlow closes when it is back, or never."""
_STAGED_SECONDS = 2.0
"""The same where a step is in a `StagingArea`: TensorFlow does not cancel such a wait, and nobody is
left to end it."""
_SAY_SECONDS = 0.3
"""How long `shut_down` waits for that before it warns."""
_READ_SECONDS = 5.0
"""How long `shut_down` waits for a step that reads files before it warns."""


class State(enum.Enum):
    """The states of a session, in their order."""

    OPEN = "open"
    STOPPING = "stopping"
    CLOSED = "closed"


class Owner:
    """Owns the threads and queues of one session, whoever made it.

    The managed one, `tfqueue.v1.Session`, or one that TensorFlow made itself
    (`MonitoredSession`). Runners report here, steps wait here, coordinators
    stop through here. Only parts of the session are kept, so that one that nobody
    refers to can be collected.
    """

    @classmethod
    def of(cls, sess: Session) -> Owner:
        """The owner of `sess`, made when first asked for."""
        return registry.of(_tensorflow.unwrapped(sess), cls)

    def __init__(self, sess: Session) -> None:
        self.state = State.OPEN
        self.session = weakref.ref(sess)
        self.is_ours = isinstance(type(sess), _tensorflow.StandsFor)
        """Whether all steps of the session go by this owner: it is of a class of ours."""
        self._handle = _tensorflow.SessionHandle.of(sess) if self.is_ours else None
        self.graph = sess.graph
        self.pid = os.getpid()
        self.pipeline = Pipeline.of(sess.graph)
        self.lock = threading.RLock()
        """Held by whoever changes what belongs together, and never for long."""
        self.changed = wakeups.Changes()
        """Notified whenever a runner starts or ends, a queue is fed by hand, or we stop."""
        self.chunks: int | bool | None = None
        """What `managed_session(chunks=...)` was given."""
        self.link = Link(sess.sess_str)
        self.remote = self.link.remote
        self.queues = Queues(self)
        self.steps = step.Steps(f"{id(sess):x}")
        self.accounts = Accounts(self)
        self.plans = step.Plans(self)
        self.runs: list[RunnerRun] = []
        """`RunnerRun`s: the runners started in this session."""
        self.takers: collections.defaultdict[Op, list[RunnerRun]] = collections.defaultdict(list)
        """Those of `runs` that take by an op, by that op."""
        self.warned_of: set[Any] = set()
        """What was warned of once: kinds of silent damage, and tasks of the cluster that are silent."""
        warn = functools.partial(_warn_of_split_example, weakref.ref(self))
        self.has_taken = False
        """Whether a step of the program has taken elements."""
        self.splits = silent_damage.SplitWatch(self.pipeline, warn)
        self._ends_met: set[int] = set()
        self._ending = False
        """Whether somebody is in `shut_down`. Ctrl-C may end that half-way; the next goes on with it."""
        self._closer: threading.Thread | None = None
        """The thread that closes the TensorFlow session, where it is not the caller's."""
        self._close_error: Exception | None = None
        """What that close ended with, if it failed."""

    # -- states --------------------------------------------------------------------------------

    @property
    def stopping(self) -> bool:
        """Whether the session is about to end, or has ended."""
        return self.state is not State.OPEN

    @property
    def closed(self) -> bool:
        """Whether the TensorFlow session is gone."""
        return self.state is State.CLOSED

    def stop(self) -> None:
        """From open to stopping."""
        with self.lock:
            if self.state is State.OPEN:
                self.state = State.STOPPING
        self.changed.notify_all()

    def close(self) -> None:
        """From stopping to closed: drops what only an open session has use for."""
        self.state = State.CLOSED
        self.plans.drop()
        self.steps.drop()
        self.queues.drop()

    def shut_down(self, close: Callable[[], None], seconds: float | None = None) -> None:
        """Stops, cancels, joins, and by `close()` closes the TensorFlow session: nothing is left alive.

        After an interrupt, the next call continues it.

        Args:
            close: Closes the TensorFlow session.
            seconds: How long the threads have to end; None for two minutes.

        Raises:
            ThreadsStillRunning: If a thread does not end (a `py_func` that never returns).
        """
        seconds = _JOIN_SECONDS if seconds is None else seconds
        if os.getpid() != self.pid:
            # After a fork, with a thread's lock that is not there to give it back.
            self.state = State.STOPPING
            close()
            return
        busy = True
        try:
            with self.lock:
                busy, self._ending = self._ending, True
            if busy or self.closed:
                close()
                return
            if not self.stopping:
                self.queues.note_closed()
            self.stop()
            registry.ending(self)
            self._end(close, seconds)
        finally:
            if not busy:
                self._ending = False

    def _end(self, close: Callable[[], None], seconds: float) -> None:
        warnings = diagnosis.at_close(self.failure())
        for run in self.runs:
            run.stop()
        for run in self.runs:
            run.cancel()
        threads = [thread for run in self.runs for thread in run.alive()]
        gone = self.link.lost or bool(self.link.silent)
        threads += self._close_session(close, threads, gone)
        threads += self.steps.end()
        staged = [] if gone else self._at_work_in(traversal.STAGES)
        if staged and seconds > _SAY_SECONDS and step.join(threads, _SAY_SECONDS):
            diagnosis.warn(
                f"the end of the session waits for a step that is in {', '.join(staged)}: TensorFlow "
                "does not cancel the wait for a StagingArea",
                errors.WaitingWarning,
            )
            seconds = min(seconds, _STAGED_SECONDS)
        elif not gone and seconds > _READ_SECONDS:
            self._warn_of_reads(threads)
        late = step.join(threads, _GONE_SECONDS if gone else seconds)
        self.close()
        self._report_unseen()
        if not late:
            self._drop_runs()
        for text, category in warnings:
            diagnosis.warn(text, category)
        error, self._close_error = self._close_error, None  # its frames hold the session
        if gone:
            return
        if late:
            names = ", ".join(thread.name for thread in late)
            raise errors.ThreadsStillRunning(
                f"{names} did not end within {seconds:.0f} s after the session was closed: "
                "is a py_func waiting for something?"
            )
        try:
            if error is not None:
                raise error
        finally:
            del error  # no cycle through this frame

    def _close_session(
        self, close: Callable[[], None], threads: list[threading.Thread], gone: bool
    ) -> list[threading.Thread]:
        """Closes the TensorFlow session, while `threads` may run in it; the thread that does, if any.

        Closing ends whatever still waits in the session with CancelledError, but itself waits for a
        py_func that does not return: then it must not be this thread that closes.
        """

        def close_and_note_error() -> None:
            try:
                close()
            except Exception as error:  # noqa: BLE001  (raised once everything has ended)
                self._close_error = error

        waited_for = any(not each.done() for each in list(self.steps.under_way))
        if self._closer is not None:
            return [self._closer]  # of a call that was interrupted
        if not (step.join(threads, 0.2) or gone or waited_for):
            close_and_note_error()
            return []
        closer = threading.Thread(target=close_and_note_error, name="tfqueue-close", daemon=True)
        try:
            wakeups.start(closer)
        except RuntimeError:  # the system gives no thread
            close_and_note_error()
            return []
        finally:
            if closer.ident is not None:  # one that does not run would keep the session
                self._closer = closer
        return [closer]

    def _warn_of_reads(self, threads: list[threading.Thread]) -> None:
        """Says what the end of the session waits for, if that takes long and is a file."""
        reads = self._at_work_in(READS | READS_OF_FILES)
        if reads and step.join(threads, _READ_SECONDS):
            diagnosis.warn(
                f"the end of the session waits for a step that reads files in {', '.join(reads)}: "
                "TensorFlow does not cancel that. A named pipe that nobody writes to, or a file system "
                "that does not answer, keeps it",
                errors.WaitingWarning,
            )

    def _at_work_in(self, types: Collection[str]) -> list[str]:
        """The names of the ops of some types in which a step or a runner of the session may be now."""
        ops = [op for each in self.runs if each.alive() for op in each.demand.ops]
        for each in list(self.steps.under_way):
            if not each.done() and each.plan is not None:
                ops += each.plan.demand.ops
        return list(dict.fromkeys(op.name for op in ops if op.type in types))

    def _report_unseen(self) -> None:
        """Warns of failures of runners that no step and no coordinator brought to the program."""
        for run in self.runs:
            failure = run.failure
            if failure is None or run.has_coord:
                continue
            cause = self.queues.causes.get(run.queue_name)
            if failures.was_reported(failure) or failures.was_reported(cause):
                continue
            failures.mark_reported(failure)
            diagnosis.warn(
                f"QueueRunner {run.name} failed and no step came to tell: "
                f"{type(failure).__name__}: {diagnosis.first_line(failure)}",
                errors.UnseenFailureWarning,
            )

    def _drop_runs(self) -> None:
        """Drops the runners, the errors that they met, and the feeding threads, which keep theirs.

        An error's traceback holds the frames it passed through, and these the session: the cycle
        would keep a failed session, and all its memory, for good.
        """
        self.queues.causes.clear()
        self.queues.feeders.clear()
        for run in self.runs:
            run.failure = None
        self.runs = []
        self.takers.clear()

    # -- steps and runners -----------------------------------------------------------------------

    def started(self, run: RunnerRun) -> None:
        """A runner's threads have been made for this session."""
        self.runs.append(run)
        for op in {take.op for take in run.demand.takes}:
            self.takers[op].append(run)
        for take in run.demand.takes:
            self.accounts.of(take.queue).bookable = False  # nobody books what a runner takes
        self.changed.notify_all()
        registry.tell("grew", self)

    def note_first_batch(self) -> None:
        """A step has taken elements. Observers are called for the first one."""
        with self.lock:
            first, self.has_taken = not self.has_taken, True
        if first:
            registry.tell("first_batch", self)

    def runs_of(self, queue: Queue) -> list[RunnerRun]:
        """The `RunnerRun`s that feed `queue`."""
        return [run for run in self.runs if run.queue_name == queue.name]

    def also_put(self, queue: Queue) -> list[RunnerRun]:
        """The `RunnerRun`s of other queues whose enqueue ops put into `queue`, too."""
        return [
            run
            for run in list(self.runs)
            if run.queue_name != queue.name and any(into is queue for _, into in run.demand.puts)
        ]

    def may_close(self, queue: Queue) -> bool:
        """Whether a step under way, or a runner of another queue, may close `queue`."""
        plans = [each.plan for each in list(self.steps.under_way) if not each.done()]
        plans += list(self.steps.in_parts)
        if any(queue in plan.demand.closes for plan in plans if plan is not None):
            return True
        return any(
            (run.working() or run.closes_on_stop()) and queue in run.closes
            for run in list(self.runs)
            if run.queue_name != queue.name
        )

    def handle(self) -> _tensorflow.SessionHandle | Session | None:
        """What a `PreparedStep` is made of, in whatever thread; None once the session is gone."""
        if self.closed:
            return None
        return self._handle if self._handle is not None else self.session()

    def note_end(self, plan: Plan) -> None:
        """The data came to its end; says once what was dropped or cut off there."""
        self.queues.at_end.update(queue.name for queue in plan.upstream)
        if id(plan) not in self._ends_met:
            self._ends_met.add(id(plan))
            diagnosis.at_end(self.failure(plan=plan))

    # -- stops -------------------------------------------------------------------------------------

    def release(self, coord: Any) -> None:
        """A stop was asked for: the coordinator's runners end after what they have in hand."""
        runs = [run for run in list(self.runs) if run.coord is coord]
        self.changed.notify_all()
        for run in runs:
            run.expect_stop()  # each of them, before the first of their queues is closed
        for run in runs:
            run.stop()

    def unblock(self, threads: Collection[threading.Thread]) -> None:
        """Ends the waits of `threads`, which were asked to stop and still sit in a step of this session."""
        queues = []
        for run in list(self.runs):
            if any(thread in threads for thread in run.alive()):
                queues += run.upstream()
                if not run.has_closer() and not run.stop():
                    run.cancel()  # it was stopped before
        for each in list(self.steps.under_way):
            if each.caller in threads:
                queues += each.plan.put_queues + each.plan.upstream
        for thread, plan in list(self.steps.held_back):
            if thread in threads:
                queues += plan.upstream
        for queue in dict.fromkeys(queues):
            self.queues.close(queue, cancel=True)

    def waiting(self) -> list[threading.Thread]:
        """The threads that wait in a step of this session, or may; not those that compute in one."""
        under_way = list(self.steps.under_way)
        held_back = [thread for thread, _ in list(self.steps.held_back)]
        waiting = [each.caller for each in under_way if not self._computes(each)]
        return [*held_back, *(thread for thread in waiting if thread is not None)]

    def _computes(self, each: Step) -> bool:
        """Whether a step under way has, for sure, all that it takes and room for what it puts."""
        if self.remote or self.closed or self.pid != os.getpid():
            return False
        taken = amounts_by_queue(each.plan.demand).items()
        return not any(map(self.queues.is_full, each.plan.put_queues)) and all(
            self._is_taken(queue, amount) for queue, amount in taken
        )

    def _is_taken(self, queue: Queue, amount: int | None) -> bool:
        expected, looked = self.accounts.balance(queue), self.queues.look(queue)
        if amount is None or expected is None or looked is None:
            return False
        return expected - looked[0] >= amount

    def blocked_feeders(self) -> list[threading.Thread]:
        """The threads whose steps put into a full queue that no runner takes from."""
        if self.remote or self.stopping or self.pid != os.getpid():
            return []
        at_work = [run for run in list(self.runs) if run.working()]
        return [
            each.caller
            for each in list(self.steps.under_way)
            if each.caller is not None and not each.plan.takes and not each.done()
            for queue in each.plan.put_queues
            if self.queues.is_full(queue) and not any(queue in run.upstream() for run in at_work)
        ]

    def waits_of(self, thread: threading.Thread) -> str | None:
        """What `thread` is waiting for in this session, in words, or None."""
        for run in self.runs:
            if thread in run.alive():
                return f"runs {run.name}'s enqueue op"
        for each in list(self.steps.under_way):
            if each.caller is thread:
                names = [queue.name for queue in each.plan.put_queues + each.plan.upstream[:1]]
                return f"waits in session.run for {', '.join(names)}"
        return None

    # -- what is known -----------------------------------------------------------------------------

    def failure(
        self,
        *,
        plan: Plan | None = None,
        run: RunnerRun | None = None,
        mover: Mover | None = None,
        **known: Any,
    ) -> Failure:
        """The record of what is known now, to be explained.

        Args:
            plan: The `Plan` of the program's step.
            run: The `RunnerRun` that met an error.
            mover: Its thread's mover.
            **known: The rest, by the names of `Failure`'s fields.
        """
        facts = {each: each.facts() for each in [*self.runs, *([run] if run else [])]}
        if plan is not None:
            known = {"demand": plan.demand, "fetched": tuple(plan.keep), **known}
        queue = known.get("queue")
        feeders = self.queues.feeders_of(queue) if queue is not None else ()
        died_of = [error for each in feeders if (error := registry.error_of(each)) is not None]
        return Failure(
            pipeline=self.pipeline,
            cluster=self.link.cluster,
            handle=self.handle(),
            size=self.queues.size,
            remote=self.remote,
            stopping=self.stopping,
            run=facts[run] if run is not None else None,
            record=mover.record if mover is not None else None,
            runners=tuple(facts.values()),
            cancelled=frozenset(self.queues.cancelled),
            apart=self.steps.apart,
            fed_by_hand=frozenset(self.queues.feeders),
            feeder_error=died_of[0] if died_of else None,
            said=self.warned_of,
            **known,
        )


def _warn_of_split_example(owner: weakref.ref[Owner], take: Take) -> None:
    """Warns of the take of an example that two steps took apart; `owner` is a reference."""
    found = owner()
    assert found is not None  # it runs the step
    demand = found.pipeline.demand([take.op])
    diagnosis.split_example(found.failure(demand=demand), take)
