"""Which failure a step has to do with, and whether what came before one is still being taken."""

import time

_FOLLOW_SECONDS = 1.0
"""How soon a step must follow the last one for a loop to count as still taking elements."""


def upstream(supervision, queues):
    """The failure that closed one of `queues`, the one furthest up, or None."""
    for queue in reversed(queues):
        if queue.name in supervision.causes:
            return supervision.causes[queue.name]
    return None


def elsewhere(supervision, plan):
    """The failure of a runner that feeds something the step uses and that is no queue."""
    for run in supervision.runs:
        if run.failure is not None and run.queue_name not in supervision.pipeline.queues:
            # Such as a `Barrier`, which a runner may feed just as well.
            if any(op.name == run.queue_name for op in plan.demand.ops):
                return run.failure
    return None


def still_delivers(supervision):
    """Whether what was read in front of a failure is still being taken by the program.

    That is so from the failure on, for as long as steps behind the failed
    queue follow each other within a second, until one of them meets it.
    """
    now = time.monotonic()
    for run in list(supervision.runs):
        if run.failure is None or supervision.was_met(run.failure):
            continue
        if now - run.failed_at < _FOLLOW_SECONDS:
            return True
        waiting = [job.plan for job in list(supervision.jobs)]
        recent = [p for p in supervision.plans if now - p.last < _FOLLOW_SECONDS]
        for plan in waiting + recent:
            if any(queue.name == run.queue_name for queue in plan.upstream):
                return True
    return False
