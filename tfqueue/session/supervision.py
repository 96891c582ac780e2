"""The supervision of one session: who feeds which queue, what failed, how it all ends.

One `Supervision` stands behind each session, whoever made it: the managed one,
`tfqueue.v1.Session`, or one that TensorFlow made itself (`MonitoredSession`).
Runners report here, steps wait here, coordinators stop through here.

Two rules carry the rest:

* A queue that can get no more elements is *closed with a cause*. Closing lets
  everything still in it be delivered; at the end TensorFlow says "closed and
  has insufficient elements", and the cause is raised in its place.
* Nothing is polled with time-outs on a dequeue: TensorFlow loses elements then.
"""

import contextlib
import os
import threading
import weakref

from tfqueue import _tensorflow
from tfqueue.explain import damage, diagnosis, forged_length
from tfqueue.explain.failure import Failure
from tfqueue.graph.model import Pipeline
from tfqueue.graph.tasks import task_of
from tfqueue.session import ending, exits, failed, fetches, observers, registry, running, steps
from tfqueue.session.cluster import servers
from tfqueue.session.controls import Controls
from tfqueue.session.ledger import Ledger, Plan

_tf = _tensorflow.compat_v1()


class Supervision:
    """Watches over one session.

    Args:
      sess: A `tf.Session`. Only its parts are kept, not the session itself, so
        that a session nobody refers to can be collected.
    """

    @classmethod
    def of(cls, sess):
        """The supervision of `sess`, made when first asked for."""
        return registry.of(_tensorflow.unwrapped(sess), cls)

    def older(self):
        """The supervisions of earlier sessions on this graph whose runners are still at work."""
        return registry.older(self)

    def __init__(self, sess):
        self.session = weakref.ref(sess)
        self._handle = _tensorflow.SessionHandle(sess) if hasattr(sess, "end_at_exit") else None
        self.graph = sess.graph
        self.remote = bool(sess.sess_str)
        """Whether it runs on a `tf.train.Server`, and others may use its queues too."""
        self.cluster = servers.cluster_behind(sess.sess_str)
        self.keeps_shared = False
        """Whether a stop of this session leaves queues open that other processes use."""
        self.silent = set()
        """Tasks of the cluster that are taken for gone: a step there would never return."""
        self.lost = False
        """Whether a task of the cluster was lost: TensorFlow's close waits for it to come back."""
        self.connected = False
        """Whether a step has come back from a server: all tasks that it needs were there."""
        self.pid = os.getpid()
        self.pipeline = Pipeline.of(sess.graph)
        self.changed = threading.Condition(threading.RLock())
        """Notified whenever a runner starts or ends, a queue is fed by hand, or we stop."""
        self.runs = []
        """`RunnerRun`s: the runners started in this session."""
        self.causes = {}
        """Why a queue was closed, by queue name, where that was a failure."""
        self.used_up = set()
        """Names of the queues whose end a step of the program has met."""
        self.cancelled = set()
        """Names of the queues whose pending enqueues a stop of ours cancelled."""
        self.feeders = {}
        """Queue name to the threads that ever enqueued by hand, dead ones too."""
        self.jobs = set()
        """Steps that are being waited for, or run by hand-feeding threads."""
        self.held_back = []
        """The threads whose steps wait for runners that were never started."""
        self.closing = False
        self.closed = False
        """Whether the TensorFlow session is gone, and no step of it may be run any more."""
        self.stuck = False
        """Whether a thread of ours outlived the session after all, and is still in it."""
        self.orphans = {}
        """Steps that go on though nobody waits for them any more, by key; see `running`."""
        self.ledger = Ledger(self)
        self._plans = {}
        self.threads = steps.StepThreads(f"{id(sess):x}")
        self.controls = Controls(self)
        self._said = set()
        self.told = set()
        """Ids of the rows of silent damage that were warned of."""
        self.splits = damage.SplitWatch(self.pipeline, _warn_of_split_example(weakref.ref(self)))
        exits.watch(self)
        observers.tell("began", self)

    # -- running a step ----------------------------------------------------------------------

    run = running.run

    @property
    def plans(self):
        """The `Plan`s of all kinds of steps that were run."""
        return list(self._plans.values())

    def plan(self, leaves, fed):
        """The `Plan` of running `leaves` while `fed` tensors are fed."""
        ops = [leaf if isinstance(leaf, _tf.Operation) else leaf.op for leaf in leaves]
        fed_set = set(fed)
        ops = [op for op, leaf in zip(ops, leaves, strict=True) if leaf.name not in fed_set]
        demand = self.pipeline.demand(ops, fed)
        plan = Plan(demand, self.pipeline.upstream(demand), leaves)
        plan.remote = self.remote
        self.ledger.prepare(plan)
        if demand.reads:
            plan.guard = forged_length.guard_for(self.failure(plan=plan))
        return plan

    def plan_for(self, fetched, feed_dict):
        """The key and the `Plan` for arguments of `Session.run`; `(None, None)` if unknown.

        Steps of one plan have different keys where their values are laid out differently.
        """
        try:
            leaves = fetches.leaves(self.graph, fetched)
        except (TypeError, ValueError, KeyError):
            return None, None  # `Session.run` itself says what is wrong with them
        fed = fetches.fed_names(self.graph, feed_dict)
        ids = tuple(map(id, leaves))
        plan = self._plans.get((ids, fed))
        if plan is None:
            plan = self._plans[ids, fed] = self.plan(leaves, fed)
            if plan.blocks:
                plan.parts = diagnosis.before_run(self.failure(plan=plan))
            observers.tell("grew", self)
        elif plan.runners_seen != len(self.collected()):
            # A runner registered since may feed one of its queues.
            plan.upstream = self.pipeline.upstream(plan.demand)
            self.ledger.prepare(plan)
            plan.runners_seen = len(self.collected())
            plan.gate_open = not plan.upstream
        return (ids, fed, fetches.layout(fetched)), plan

    def collected(self):
        return self.graph.get_collection_ref(_tf.GraphKeys.QUEUE_RUNNERS)

    def feeders_of(self, queue):
        """The threads that ever enqueued into `queue` by hand, dead ones too."""
        with self.changed:  # a set must not grow while it is walked
            return list(self.feeders.get(queue.name, ()))

    def note_feeder(self, queues):
        """The current thread puts into `queues` by hand."""
        thread = threading.current_thread()
        with self.changed:
            for queue in queues:
                known = self.feeders.setdefault(queue.name, set())
                if thread not in known:
                    known.add(thread)
                    self.changed.notify_all()

    @contextlib.contextmanager
    def holding_back(self):
        """Within the block a step of the current thread is held back, see `starvation.gate`."""
        me = threading.current_thread()
        self.held_back.append(me)
        try:
            yield
        finally:
            self.held_back.remove(me)

    def note_lost(self, error):
        """Remembers that a task of the cluster was lost, if that is what `error` says."""
        if self.remote and isinstance(error, _tf.errors.UnavailableError):
            self.lost = True

    still_delivers = failed.still_delivers

    def met(self, cause):
        """`cause`, to be raised: the program now knows of it."""
        cause.tfqueue_met = True
        return cause

    @staticmethod
    def was_met(cause):
        """Whether the program knows of `cause`."""
        return getattr(cause, "tfqueue_met", False)

    def at_end(self, plan):
        """The data came to its end; says once what was dropped or cut off there."""
        self.used_up.update(queue.name for queue in plan.upstream)
        if id(plan) not in self._said:
            self._said.add(id(plan))
            diagnosis.at_end(self.failure(plan=plan))

    def failure(self, *, plan=None, run=None, mover=None, **known):
        """The record of what is known now, to be explained.

        Args:
          plan: The `Plan` of the program's step.
          run: The `RunnerRun` that met an error.
          mover: Its thread's mover.
          **known: What else is known, by the names of `Failure`'s fields.
        """
        facts = {each: each.facts() for each in [*self.runs, *([run] if run else [])]}
        if plan is not None:
            known = {"demand": plan.demand, "fetched": tuple(plan.keep), **known}
        queue = known.get("queue")
        feeders = self.feeders_of(queue) if queue is not None else ()
        died_of = [error for each in feeders if (error := exits.error_of(each)) is not None]
        return Failure(
            pipeline=self.pipeline,
            cluster=self.cluster,
            handle=self.handle(),
            size=self.size,
            remote=self.remote,
            stopping=self.closing,
            run=facts.get(run),
            record=mover.record if mover is not None else None,
            runners=tuple(facts.values()),
            cancelled=frozenset(self.cancelled),
            fed_by_hand=frozenset(self.feeders),
            feeder_error=died_of[0] if died_of else None,
            said=self.told,
            **known,
        )

    # -- runners -----------------------------------------------------------------------------

    def started(self, run):
        """A runner's threads have been made for this session."""
        with self.changed:
            self.runs.append(run)
            self.changed.notify_all()
        observers.tell("grew", self)

    def runs_of(self, queue):
        """The `RunnerRun`s that feed `queue`."""
        return [run for run in self.runs if run.queue_name == queue.name]

    def fail_queue(self, queue_name, cause):
        """Records that `queue_name` gets no more elements because of `cause`, the first only."""
        with self.changed:
            self.causes.setdefault(queue_name, cause)
            self.changed.notify_all()

    # -- queues ------------------------------------------------------------------------------

    def close_queue(self, queue, cancel):
        """Closes a queue of this session; with `cancel`, pending enqueues end too.

        Args:
          queue: A model `Queue`.
          cancel: Whether to cancel pending enqueues.
        """
        if self.leaves_open(queue.name):
            return
        if cancel:
            self.cancelled.add(queue.name)
            for run in self.runs_of(queue):
                run.stop()  # what its threads get now is no failure
        with contextlib.suppress(_tf.errors.OpError, RuntimeError):
            self.controls.close(queue, cancel)

    def leaves_open(self, queue_name):
        """Whether a queue is not to be closed: others use it, or nobody is there to close it."""
        if self.silent:
            return True
        queue = self.pipeline.queues.get(queue_name)
        return self.keeps_shared and queue is not None and bool(queue.shared_name)

    def tasks_of(self, plan):
        """The tasks of the cluster that a step, and what feeds it, are placed on by name."""
        ops = list(plan.demand.ops)
        for queue in plan.upstream:
            ops.append(queue.op)
            ops += self.pipeline.demand(self.pipeline.enqueues_of(queue)).ops
        return {task_of(op.device) for op in ops} - {None}

    def size(self, queue):
        """How many elements a queue holds now, without those a pending dequeue has taken."""
        return self.controls.size(queue)

    # -- the end -----------------------------------------------------------------------------

    def handle(self):
        """What a `RawStep` is made of, in whatever thread; None once the session is gone."""
        if self.closed:
            return None
        return self._handle if self._handle is not None else self.session()

    def release(self, coord):
        """A stop was asked for: the coordinator's runners end after what they have in hand."""
        with self.changed:
            runs = [run for run in self.runs if run.coord is coord]
            self.changed.notify_all()
        for run in runs:
            run.stop()

    def unblock(self, threads):
        """Ends the waits of `threads` that still sit in a step of this session.

        Args:
          threads: Threads that were asked to stop and have not.
        """
        queues = []
        for run in list(self.runs):
            if any(thread in threads for thread in run.alive()):
                queues += run.upstream()
                if run.coord is None and not run.stop():
                    run.cancel()  # it was told before
        for job in list(self.jobs):
            if job.caller in threads:
                queues += job.plan.put_queues + job.plan.upstream
        for queue in dict.fromkeys(queues):
            self.close_queue(queue, cancel=True)

    def waits_of(self, thread):
        """What `thread` is waiting for in this session, in words, or None."""
        for run in self.runs:
            if thread in run.alive():
                return f"runs {run.name}'s enqueue op"
        for job in list(self.jobs):
            if job.caller is thread:
                names = [queue.name for queue in job.plan.put_queues + job.plan.upstream[:1]]
                return f"waits in session.run for {', '.join(names)}"
        return None

    def shut_down(self, close):
        """Stops, cancels, joins, closes: nothing of ours is alive afterwards.

        Args:
          close: Closes the TensorFlow session itself.

        Raises:
          ThreadsStillRunning: If a thread does not end (a `py_func` that never returns).
        """
        ending.shut_down(self, close)

    def forget(self):
        """Lets go of what the closed session is no more good for."""
        self._plans.clear()
        self.orphans.clear()
        self.controls.clear()

    def forget_runs(self):
        """Lets go of the runners, and of the errors that they and feeding threads met.

        An error's traceback holds the frames it passed through, and these the session: the cycle
        would keep a failed session, and all its memory, for good.
        """
        self.causes.clear()
        self.feeders.clear()
        for run in self.runs:
            run.forget()
        self.runs = []


def _warn_of_split_example(supervision):
    """What to call with the take of an example that two steps took apart."""

    def warn(take):
        found = supervision()
        demand = found.pipeline.demand([take.op])
        return diagnosis.split_example(found.failure(demand=demand), take)

    return warn
