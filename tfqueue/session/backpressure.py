"""Whether a step that puts waits at a full queue that nobody is known to drain.

It is the counterpart of `starvation`, which asks for elements, and which raises the errors of both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfqueue._tensorflow.types import Op, Tensor
from tfqueue.graph.op_types import ENQUEUES, QUEUE_KINDS, Demand, Queue
from tfqueue.session.accounts import amount_put
from tfqueue.session.queues import puts_under_way

if TYPE_CHECKING:
    from tfqueue.session.owner import Owner
    from tfqueue.session.step import Plan, Step

_SURE = frozenset(["Const", "Identity", "NoOp", "PlaceholderWithDefault", *QUEUE_KINDS])
"""Ops that never fail, nor end a step by the end of something, as those of an input pipeline do."""
_SURE_OF_SHAPES = frozenset(
    ["Add", "AddV2", "Mul", "Sub", "RandomUniform", "RandomStandardNormal", "TruncatedNormal"]
)
"""The same where the shapes of what they are given, and of what they give, are known."""


def queues_blocking(owner: Owner, step: Step) -> list[Queue]:
    """The full queues at which a step waits, and from which no runner and no step takes.

    It supposes that no other thread does: whether one may is another question
    (`other_threads.threads_that_may_act`).

    Returns:
        A list of model `Queue`s; empty where the step may yet come back, or where that is not known.
    """
    plan = step.plan
    if plan.takes or step.done() or owner.remote or not owner.is_ours:
        return []
    if not all(map(_is_sure, plan.demand.ops)):
        return []  # it may end in another way, before it puts anything
    return [queue for queue in plan.put_queues if _stays_full(owner, queue)]


def _is_sure(op: Op) -> bool:
    """Whether an op is known to run, and not to fail."""
    if op.type in ENQUEUES:
        # What is fed or given is checked by its shape; the rows of one component may be any number.
        rows = 1 if op.type.startswith("QueueEnqueueMany") and len(op.inputs) == 2 else 0
        return all(_has_known_shape(tensor, rows) for tensor in op.inputs[1:])
    if op.type in _SURE_OF_SHAPES:
        return all(map(_has_known_shape, [*op.inputs, *op.outputs]))
    return op.type in _SURE


def _has_known_shape(tensor: Tensor, but: int = 0) -> bool:
    """Whether all dimensions of a tensor are known, but for the first `but` ones."""
    return tensor.shape.rank is not None and tensor.shape[but:].is_fully_defined()


def never_drained(owner: Owner, plan: Plan) -> list[Queue]:
    """The full queues from which nothing ever took, and in front of which a plan waits for room.

    They are those that it puts into, or those behind the runners that take from these.
    """
    if owner.remote or not owner.accounts.complete:
        return []
    return [
        found for queue in plan.put_queues for found in _never_drained(owner, queue, frozenset())
    ]


def _never_drained(owner: Owner, queue: Queue, asked: frozenset[Queue]) -> list[Queue]:
    if queue in asked or queue.shared_name or not owner.pipeline.knows_users_of(queue):
        return []
    if not owner.queues.is_full(queue, unknown=False):
        return []
    if any(_takes(each.demand, queue) and each.has_run() for each in owner.plans):
        return []
    taking = [run for run in list(owner.runs) if _takes(run.demand, queue)]
    if not all(run.working() for run in taking):
        return []
    behind = {into for run in taking for _, into in run.demand.puts}
    found = [each for into in behind for each in _never_drained(owner, into, asked | {queue})]
    return found if taking else [queue]


def _takes(demand: Demand, queue: Queue) -> bool:
    return any(take.queue is queue for take in demand.takes)


def _is_emptied_by_a_runner(owner: Owner, queue: Queue) -> bool:
    return any(run.working() and queue in run.upstream() for run in list(owner.runs))


def _stays_full(owner: Owner, queue: Queue) -> bool:
    """Whether a queue is full, what steps under way put is not in it, and none of them takes from it."""
    queues, name = owner.queues, queue.name
    if name in queues.causes or name in queues.cancelled:
        return False
    filling = owner.runs_of(queue) + owner.also_put(queue)
    if any(run.working() for run in filling) or _is_emptied_by_a_runner(owner, queue):
        return False
    if owner.may_close(queue):
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


def _state(owner: Owner, queue: Queue) -> tuple[int, list[int]] | None:
    """`(elements without those of steps under way, what each of these puts)`; None if not known."""
    plans = [step.plan for step in list(owner.steps.under_way)] + list(owner.steps.in_parts)
    if any(_takes(plan.demand, queue) for plan in plans if plan is not None):
        return None
    expected = owner.accounts.balance(queue)
    puts = [amount_put(op, step.feed_dict) for op, _, step in puts_under_way(owner, queue)]
    amounts = [amount for amount in puts if amount is not None]
    return None if expected is None or len(amounts) < len(puts) else (expected, amounts)
