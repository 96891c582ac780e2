"""Whether a step that puts waits for room that nobody is known to make.

It is the counterpart of `starvation`, which asks for elements, and which raises the errors of both.
"""

from tfqueue.graph.op_types import ENQUEUES
from tfqueue.session.queues import amount_put, puts_under_way

_MAY_BE_DEAD = ("Switch", "RefSwitch", "Enter", "RefEnter")
"""Ops of branches and loops: what comes of them may not run."""


def wanted(owner, step):
    """The full queues at which a step waits, and from which no runner and no step takes.

    It supposes that no other thread does: whether one may is another question
    (`starvation.threads_that_may_act`).

    Args:
      owner: The session's `Owner`.
      step: A `Step`.

    Returns:
      A list of model `Queue`s; empty where the step may yet come back, or where that is not known.
    """
    plan = step.plan
    if plan.takes or step.done() or owner.remote or not owner.is_ours:
        return []
    if any(op.type in _MAY_BE_DEAD for op in plan.demand.ops):
        return []
    queues = [queue for op, queue in plan.demand.puts if op.type in ENQUEUES]
    return [queue for queue in queues if _stays_full(owner, queue)]


def untaken(owner, plan):
    """The full queues that a plan puts into, and from which nothing in this process ever took."""
    if owner.remote:
        return []
    return [
        queue
        for queue in plan.put_queues
        if not queue.shared_name
        and owner.queues.is_full(queue, unknown=False)
        and not _is_emptied_by_a_runner(owner, queue)
        and not any(queue in each.upstream and each.has_run() for each in owner.plans)
    ]


def _is_emptied_by_a_runner(owner, queue):
    return any(run.working() and queue in run.upstream() for run in list(owner.runs))


def _stays_full(owner, queue):
    """Whether a queue is full, what steps under way put is not in it, and none of them takes from it."""
    queues, name = owner.queues, queue.name
    if name in queues.failures or name in queues.cancelled:
        return False
    if any(run.working() for run in owner.runs_of(queue)) or _is_emptied_by_a_runner(owner, queue):
        return False
    state = _state(owner, queue)
    looked = queues.look(queue)
    if state is None or looked is None:
        return False
    (size, closed), (expected, amounts) = looked, state
    # Read once more: what was counted meanwhile may have been in the queue, or not.
    if closed or not 0 <= queue.capacity <= size or _state(owner, queue) != state:
        return False
    return all(0 <= size - expected < amount for amount in amounts)


def _state(owner, queue):
    """`(elements without those of steps under way, what each of these puts)`; None if not known."""
    steps = [step for step in list(owner.steps.under_way) if step.plan is not None]
    if any(take.queue is queue for step in steps for take in step.plan.demand.takes):
        return None
    expected = owner.ledger.balance(queue)
    amounts = [amount_put(op, step.feed_dict) for op, _, step in puts_under_way(owner, queue)]
    return None if expected is None or None in amounts else (expected, amounts)
