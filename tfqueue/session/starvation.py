"""Whether a step that waits can ever go on. Proved, not timed.

A step is starved when no live producer can bring the elements it waits for.
Producers are the session's runners, threads that ever enqueued by hand, and
any other thread of this process that can reach the session at all. A slow
producer is a live one, and so is one that still computes with the last element
it took: nothing is declared dead before the process is still (`idleness`). A
queue with a `shared_name`, or in a remote session, may be fed from anywhere and
is never declared dead.
"""

import os
import time

from tfqueue import _tensorflow, errors
from tfqueue.explain import diagnosis
from tfqueue.session import actors, idleness
from tfqueue.session.cluster import liveness
from tfqueue.session.prospects import Prospects, waiting

_tf = _tensorflow.compat_v1()

_GATE_PATIENCE = 0.5
"""Seconds that runners which nobody can start any more are still given."""
_WARN_AFTER = 5.0
"""Seconds after which a wait that nobody can judge is spoken of, once."""


def gate(supervision, plan):
    """Holds a step back while it cannot get an element because its runners were never started.

    Held back, it takes nothing, and the session stays as it is: once the
    runners are started, the step goes on.

    Args:
      supervision: The session's `Supervision`.
      plan: The step's `Plan`.

    Raises:
      StarvationError: If nobody is left who could start them.
    """
    if plan.gate_open:
        return
    if _may_run(supervision, plan):
        return
    with supervision.holding_back():
        _wait_for_start(supervision, plan)


def _wait_for_start(supervision, plan):
    started, warned = time.monotonic(), False
    while True:
        with supervision.changed:
            supervision.changed.wait(0.05)
        if _may_run(supervision, plan):
            return
        waited = time.monotonic() - started
        if waited > _GATE_PATIENCE:
            stuck = Prospects(supervision).stuck()
            if not actors.who_can_reach(supervision.session(), [supervision], stuck):
                queues = _never_started(supervision, plan.upstream)
                raise supervision.met(diagnosis.never_started(supervision, queues))
        if waited > _WARN_AFTER and not warned:
            warned = True
            diagnosis.warn_waiting(supervision, plan)


def _may_run(supervision, plan):
    if not _never_started(supervision, plan.upstream):
        plan.gate_open = True
        return True
    if supervision.closing or supervision.remote:
        return True
    return all(
        take.conditional or _can_supply(supervision, take.queue, set())
        for take in plan.demand.takes
    )


def _never_started(supervision, queues):
    return [
        queue
        for queue in queues
        if (runs := supervision.runs_of(queue)) or supervision.pipeline.runners_of(queue)
        if not any(run.begun() for run in runs)
    ]


def _can_supply(supervision, queue, asked):
    """Whether `queue` has, or may yet get, an element as things stand."""
    if queue in asked or queue.shared_name or supervision.feeders_of(queue):
        return True
    asked.add(queue)
    runs = supervision.runs_of(queue)
    for run in runs:
        if not run.begun():
            continue
        if run.ended or run.failure is not None or run.enqueued():
            return True
        takes = supervision.pipeline.demand_of(run.runner).takes
        if all(take.conditional or _can_supply(supervision, take.queue, asked) for take in takes):
            return True
    if runs or supervision.pipeline.runners_of(queue):
        try:
            return supervision.size(queue) > 0
        except (_tf.errors.OpError, RuntimeError):
            return True  # the step itself will say what is wrong with this queue
    return True  # nobody is registered for it: not a matter of starting runners


class Watch:
    """Looks around while one step waits.

    Args:
      supervision: The session's `Supervision`.
      job: The step's `Job`.
    """

    def __init__(self, supervision, job):
        self._supervision = supervision
        self._job = job
        self._started = time.monotonic()
        self._suspects = set()
        self._warned = False
        self._spins = {}
        self._still = idleness.Stillness()
        self._lookout = liveness.Lookout(supervision, job.plan) if supervision.remote else None

    def close(self):
        """Ends what the looks began."""
        if self._lookout is not None:
            self._lookout.close()

    def look(self):
        """One look; closes queues that no longer have a producer, each with its cause."""
        supervision, job = self._supervision, self._job
        plan = job.plan
        if self._lookout is not None:
            self._lookout.look()
        if supervision.closing or not plan.takes:
            return
        if supervision.pid != os.getpid():
            return
        self._spinning()
        dead = left = _dead_queues(supervision, job)
        # What was taken last may be in the making yet: its queue is empty, and nobody waits for it.
        if left and not self._still([each.caller for each in waiting(supervision)]):
            dead = set()
        # Twice in a row, with a pause between: a feeder may have put an element and ended.
        confirmed, self._suspects = dead & self._suspects, dead
        if confirmed:
            # Whoever is told may go on and feed the others, for all they know; as things stand,
            # they wait for each other, and all of them are told.
            others = [
                (each, _dead_queues(supervision, each))
                for each in waiting(supervision)
                if each is not job
            ]
            _starve(supervision, job, confirmed)
            for each, queues in others:
                _starve(supervision, each, queues)
        elif not self._warned and time.monotonic() - self._started > _WARN_AFTER:
            self._warned = True
            far = self._filled_elsewhere()
            if far is not None:
                diagnosis.warn_left_to_chief(supervision, far)
            elif left or not self._has_live_producer():
                diagnosis.warn_waiting(supervision, plan)

    def _spinning(self):
        """Files without a record: names are consumed, epoch after epoch, and nothing comes."""
        supervision = self._supervision
        for queue in self._job.plan.upstream:
            count = diagnosis.names_per_epoch(supervision, queue)
            if not count or not any(take.is_read for take in queue.takes):
                continue
            put = sum(run.enqueued() for run in supervision.runs_of(queue))
            # Names are known to be taken only once more were put in than the queue holds.
            names = max(0, put - queue.capacity)
            produced = self._what_came_of(queue)
            last = self._spins.get(queue.name)
            if last is None or last[1] != produced:
                self._spins[queue.name] = (names, produced)
                continue
            readers = 1 + self._threads_behind(queue)
            if names - last[0] > count * (readers + 1):
                cause = errors.NoRecordsError(diagnosis.no_records(supervision, queue, count))
                supervision.fail_queue(queue.name, cause)
                supervision.close_queue(queue, cancel=True)

    def _runs_behind(self, queue):
        return [run for run in self._supervision.runs if queue in run.upstream()]

    def _what_came_of(self, queue):
        """What changes with each element that comes of `queue`'s elements, whoever moves it on."""
        runs = sum(run.enqueued() for run in self._runs_behind(queue))
        # The program's own steps, in its own threads: one asked for anew has come back before.
        plans = self._supervision.plans
        return runs, [plan.last for plan in plans if queue in plan.upstream]

    def _threads_behind(self, queue):
        return sum(len(run.movers) for run in self._runs_behind(queue))

    def _filled_elsewhere(self):
        """The shared queue that the step's elements come from, if no runner here fills it."""
        supervision = self._supervision
        for queue in reversed(self._job.plan.upstream) if supervision.remote else ():
            if queue.shared_name and not any(r.working() for r in supervision.runs_of(queue)):
                return queue
        return None

    def _has_live_producer(self):
        supervision, me = self._supervision, self._job.caller
        return any(
            any(run.working() and run.begun() for run in supervision.runs_of(queue))
            or any(t.is_alive() and t is not me for t in supervision.feeders_of(queue))
            for queue in self._job.plan.upstream
        )


def _dead_queues(supervision, job):
    """The queues that a step's elements come through, and that nobody can fill any more."""
    if supervision.remote:
        return set()
    prospects = Prospects(supervision, job)
    dead = {
        queue
        for queue in job.plan.upstream
        if queue.name not in supervision.causes
        and not prospects.has_producer(queue)
        and not _stocked(supervision, queue)
    }
    if dead and actors.who_can_reach(supervision.session(), [supervision], prospects.stuck()):
        return set()
    return dead


def _stocked(supervision, queue):
    """Whether `queue` holds what a wait would have taken: then no step waits for it."""
    size = _size(supervision, queue)
    return size is not None and size > queue.min_after_dequeue


def _size(supervision, queue):
    try:
        return supervision.size(queue)
    except (_tf.errors.OpError, RuntimeError):
        return None


def _lets_go(supervision, job, queue):
    """Whether closing `queue` may give the step what it would not have got else."""
    takes = [take for take in job.plan.demand.takes if take.queue is queue]
    if any(take.amount is None or "UpTo" in take.op.type for take in takes):
        return True  # it makes do with what there is
    if queue.min_after_dequeue <= 0:
        return False
    size = _size(supervision, queue)
    return size is not None and size < queue.min_after_dequeue


def _starve(supervision, job, queues):
    """Closes queues that a step waits for, each with its cause."""
    for queue in queues:
        cause = diagnosis.starved(supervision, queue, job.plan)
        supervision.fail_queue(queue.name, cause)
        if any(take.queue is queue for take in job.plan.demand.takes):
            job.cause = supervision.causes[queue.name]
            job.may_be_let_go |= _lets_go(supervision, job, queue)
        supervision.close_queue(queue, cancel=False)
