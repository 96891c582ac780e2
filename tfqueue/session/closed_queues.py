"""Why a queue was closed that a step waits for: a failure, a stop, the program's own step, or the end of the data.

`failures.raise_true` asks here, and tells a failure from the program's own close of a queue that a runner fills.
What each runner closed its queue with stands in `Queues.causes` (`Queues.failed` puts it there); its text is made
in `explain.diagnosis`. What another process closed is found out by
waiting for the runners here that fill it; a runner may also feed something that is no queue, such as a `Barrier`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfqueue import _tensorflow

if TYPE_CHECKING:
    from tfqueue.session.owner import Owner
    from tfqueue.session.step import Plan

_tf = _tensorflow.compat_v1()

_CLOSED_SECONDS = 5.0
"""How long a runner may take to find out that another process has closed its queue."""


def failure_upstream(owner: Owner, plan: Plan) -> BaseException | None:
    """The failure that closed a queue the step's elements come through, the one furthest up, or None."""
    causes = (owner.queues.causes.get(queue.name) for queue in reversed(plan.upstream))
    return next(filter(None, causes), None)


def failure_of_no_queue(owner: Owner, plan: Plan) -> BaseException | None:
    """The failure of a runner that feeds something the step uses and that is no queue."""
    for run in owner.runs:
        if run.failure is not None and run.queue_name not in owner.pipeline.queues:
            # Such as a `Barrier`, which a runner may feed just as well.
            if any(op.name == run.queue_name for op in plan.demand.ops):
                return run.failure
    return None


def behind_the_stop(owner: Owner, plan: Plan) -> BaseException | None:
    """The failure that asked for the stop by which a queue the step takes from came to its end, or None.

    It is that of a runner which fills another queue.
    """
    queues = {take.queue.name for take in plan.demand.takes}
    for run in owner.runs:
        if run.queue_name in queues and not run.ended and run.stop_was_asked_for():
            failure = getattr(run.coord, "runners_failure", None)
            if failure is not None:
                return failure
    return None


def cancelled_by_us(owner: Owner, plan: Plan) -> bool:
    """Whether the session's end, or a stop, cancelled what the step waits for."""
    queues = plan.put_queues + plan.upstream
    return owner.stopping or any(queue.name in owner.queues.cancelled for queue in queues)


def was_stopped(owner: Owner, plan: Plan) -> bool:
    """Whether somebody has stopped what the step waits for."""
    names = {queue.name for queue in plan.upstream}
    asked = any(run.stop_was_asked_for() for run in owner.runs if run.queue_name in names)
    return asked or cancelled_by_us(owner, plan)


def await_runners(owner: Owner, plan: Plan) -> None:
    """Waits for the runners here that fill a queue which another process has closed.

    Their next enqueue fails, a moment later than the step: so this is not the end of the data.
    """
    runs = [run for queue in plan.upstream for run in owner.runs_of(queue)]

    def settled() -> bool:
        if any(run.queue_name in owner.queues.causes for run in runs):
            return True
        return not any(run.working() or run.failure for run in runs) or was_stopped(owner, plan)

    owner.changed.wait_for(settled, _CLOSED_SECONDS)
