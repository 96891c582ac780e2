"""One step of the program: held back, waited for, ended where it cannot go on, told truly."""

import contextlib
import threading
import time

from tfqueue import _tensorflow
from tfqueue.explain import diagnosis
from tfqueue.session import exits, failed, starvation, steps

_tf = _tensorflow.compat_v1()


def run(supervision, key, plan, step, feed_dict=None, has_deadline=False, begin=True):
    """Runs a step that may block, and raises what really went wrong.

    Args:
      supervision: The session's `Supervision`.
      key: What identifies the step, or None if another run cannot take its place.
      plan: Its `Plan`.
      step: A callable without arguments.
      feed_dict: What the step is fed.
      has_deadline: Whether TensorFlow itself ends the step after some time.
      begin: Whether it is the ledger's first word of the step, which is not a part of one.

    Returns:
      What `step` returns.

    Raises:
      tf.errors.OpError: The step's own error, or the upstream failure behind it.
      StarvationError: If no live producer can ever let it finish.
    """
    plan.last = time.monotonic()
    if plan.put_queues:
        supervision.note_feeder(plan.put_queues)
    if plan.parts is not None:
        supervision.splits.ran(plan.parts, threading.get_ident())
    if not plan.gate_open and not has_deadline:
        starvation.gate(supervision, plan)
    if plan.guard is not None:
        plan.guard.take()
    job = supervision.orphans.pop(key, None) if key is not None else None
    booked = job is None and begin and supervision.ledger.begin(plan)
    if booked and not plan.put_queues and not supervision.orphans:
        # It cannot wait, so nobody need wait for it: this saves handing it to a thread.
        try:
            result = step()
        except Exception as error:
            supervision.ledger.failed(plan, error)
            if isinstance(error, _tf.errors.OpError):
                _raise_true(supervision, error, plan)
            raise
        supervision.ledger.finished(plan, feed_dict)
        return result
    thread = None
    try:
        if job is None:
            supervision.ledger.settle(plan)
            job = steps.Job(step, plan, has_deadline)
            supervision.jobs.add(job)
            if not plan.takes and threading.current_thread() is not threading.main_thread():
                job.execute()  # no signal ever arrives here, and only a stop can end the wait
            else:
                thread = supervision.threads.submit(job)
        job.caller = threading.current_thread()
        with contextlib.closing(starvation.Watch(supervision, job)) as watch:
            steps.wait_for(job, watch.look)
    except BaseException:
        # Ctrl-C, or a wait that is over: the step itself goes on in C++ and what it takes
        # must not be lost. The same step, asked for again, finds it here.
        if key is not None and job is not None and job.submitted:
            supervision.orphans[key] = job
        if job is not None:
            job.caller = None
        raise
    if thread is not None:
        supervision.threads.give_back(thread)
    supervision.jobs.discard(job)
    freed = plan.freed_by_closing and job.may_be_let_go
    if job.cause is not None and key is not None and freed:
        # Ending the wait released elements after all. Kept for the same step, asked again.
        if job.went_well():
            supervision.orphans[key] = job
        raise _anew(supervision.met(job.cause))
    try:
        # Else it had all it wants before the wait was ended, and was only slow to compute.
        result = job.result()
    except Exception as error:
        supervision.ledger.failed(plan, error)
        if isinstance(error, _tf.errors.OpError):
            _raise_true(supervision, error, plan)
        raise
    supervision.connected = supervision.remote
    supervision.ledger.finished(plan, feed_dict)
    return result


def _raise_true(supervision, error, plan):
    supervision.note_lost(error)
    cause = failed.upstream(supervision, plan.upstream) or failed.elsewhere(supervision, plan)
    if isinstance(error, (_tf.errors.OutOfRangeError, _tf.errors.CancelledError)):
        if cause is not None:
            raise _anew(supervision.met(cause)) from cause.__cause__
        if isinstance(error, _tf.errors.CancelledError) and _cancelled_by_us(supervision, plan):
            exits.mark_clean(error)
        elif isinstance(error, _tf.errors.OutOfRangeError):
            supervision.at_end(plan)
        raise error
    told = diagnosis.explain(supervision.failure(error=error, plan=plan))
    raise told from told.__cause__


def _cancelled_by_us(supervision, plan):
    queues = plan.put_queues + plan.upstream
    return supervision.closing or any(queue.name in supervision.cancelled for queue in queues)


def _anew(cause):
    """`cause` with the frames it had at first: each raise adds its own, and steps may be tried again."""
    first = vars(cause).setdefault("tfqueue_first_frames", cause.__traceback__)
    return cause.with_traceback(first)
