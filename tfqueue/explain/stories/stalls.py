"""Waits that can never end, and waits of which that is not known."""

from __future__ import annotations

import os
from collections.abc import Sequence

from tfqueue.explain.case import Case
from tfqueue.explain.stories.rows import Row, counted, listed
from tfqueue.graph.op_types import Queue, runner_name


def never_started(case: Case, queues: Sequence[Queue]) -> str:
    """Runners that are registered and were never started.

    Args:
        queues: Queues without a started runner, nearest first.
    """
    parts = []
    runs = case.failure.runners
    for queue in queues:
        if case.failure.runners_of(queue):
            parts.append(
                f"{queue.name} is empty and the threads of its QueueRunner were made but not "
                "started: say create_threads(..., start=True), or start() each of them"
            )
            continue
        count = len(case.pipeline.runners_of(queue))
        one = "its QueueRunner was not" if count == 1 else f"none of its {count} QueueRunners was"
        parts.append(f"{queue.name} is empty and {one} started")
    text = "; ".join(parts)
    if all(case.failure.runners_of(queue) for queue in queues):
        return text
    if runs:
        late = counted(len(queues), "runner")
        return (
            f"{text}. {late} {'was' if len(queues) == 1 else 'were'} registered after "
            "start_queue_runners() was called: call tf.train.start_queue_runners(sess, coord) "
            "again, or build the whole pipeline first"
        )
    return f"{text}; call tf.train.start_queue_runners(sess, coord) before the first run"


def _holds(case: Case, queue: Queue) -> str:
    try:
        size = case.failure.size(queue)
    except (case.tf.errors.OpError, RuntimeError):
        return "it holds too few elements"
    if queue.min_after_dequeue:
        return (
            f"min_after_dequeue={queue.min_after_dequeue}, only {counted(size, 'element')} "
            "in it (an open shuffle queue keeps that many back; closing it gives them out)"
        )
    return f"it holds {counted(size, 'element')}"


def _wants(case: Case, queue: Queue) -> str:
    amounts = [
        take.amount
        for take in case.demand.takes
        if take.queue is queue and take.amount and take.amount > 1
    ]
    return f", {max(amounts)} are wanted at once" if amounts else ""


def _feeders_dead(case: Case) -> str:
    own = case.failure.feeder_error
    text = (
        f"{case.label(case.known_queue)} can get no more elements: every thread that ever enqueued into "
        "it has ended or is the one that waits, no producer is alive; "
        f"{_holds(case, case.known_queue)}{_wants(case, case.known_queue)}"
    )
    if own is not None:
        text += f". Its feeding thread died of {type(own).__name__}: {own}"
    return text


def _all_stopped(case: Case) -> str:
    return (
        f"{case.label(case.known_queue)} can get no more elements: its QueueRunner was stopped; "
        f"{_holds(case, case.known_queue)}{_wants(case, case.known_queue)}"
    )


def _nobody(case: Case) -> str:
    if case.pipeline.enqueues_of(case.known_queue):
        return (
            f"{case.label(case.known_queue)} can get no more elements: nothing that enqueues into it "
            f"runs in this process; {_holds(case, case.known_queue)}{_wants(case, case.known_queue)}"
        )
    return f"{case.label(case.known_queue)} is empty and the graph has no op that puts into it"


STALLS = [
    Row(
        ("dead_feeder", "min_after_dequeue_above_data", "feeder_stop_on_exception"),
        lambda case: case.known_queue.name in case.failure.fed_by_hand,
        _feeders_dead,
    ),
    Row(("stopped_runner",), lambda case: case.failure.runners_of(case.known_queue), _all_stopped),
    Row(
        ("runners_never_started", "runner_registered_late"),
        lambda case: case.pipeline.runners_of(case.known_queue),
        lambda case: never_started(case, [case.known_queue]),
    ),
    Row(("nothing_enqueues",), lambda case: True, _nobody),
]


def waiting(case: Case, acting: Sequence[str]) -> str:
    """A wait of which it is not known whether it can end.

    Args:
        acting: The names of the threads that may end it.
    """
    names = listed(case.label(queue) for queue in case.upstream)
    return (
        f"still waiting for elements of {names}; no live producer in this process is known. If "
        f"{_one_of(acting)}, or another process, feeds it, all is well, and the step goes on waiting"
    )


def _one_of(acting: Sequence[str]) -> str:
    one = "thread" if len(acting) == 1 else "threads"
    return f"{one} {listed(acting, 5)} of this program" if acting else "a later thread"


def waiting_for_room(case: Case, acting: Sequence[str]) -> str:
    """A wait of the same kind, for room in a queue.

    Args:
        acting: The names of the threads that may end it.
    """
    return (
        f"still waiting for room in {_full(case)}; nothing has taken from it yet. If "
        f"{_one_of(acting)} takes from it, all is well, and the step goes on waiting"
    )


def no_room(case: Case) -> str:
    """A full queue that nobody is left to empty."""
    idle = _not_started(case)
    return (
        f"there is no room in {_full(case)}, and nothing is left in this process that could take from "
        "it: the step that puts would wait for ever. "
        + (
            f"{idle}, so call tf.train.start_queue_runners(sess, coord) before"
            if idle
            else "Take from it in another thread meanwhile, or give it a larger capacity"
        )
    )


def _full(case: Case) -> str:
    return f"{case.label(case.known_queue)}, which holds {counted(case.known_queue.capacity, 'element')}"


def _not_started(case: Case) -> str | None:
    """Which registered runner takes from the queue and was never started, in words; or None."""
    started = {run.name for run in case.failure.runners}
    for runner in case.pipeline.runners:
        name, takes = runner_name(runner.queue_runner), case.pipeline.demand_of(runner).takes
        if name not in started and any(take.queue is case.known_queue for take in takes):
            return f"QueueRunner '{name}' takes from it and was not started"
    return None


def no_records(case: Case, count: int) -> str:
    """A whole epoch of files without a record."""
    names = case.names_of(case.known_queue) or []
    shown = f": {listed(names, 5)}" if names else ""
    return (
        f"no record in any of {counted(count, 'file')}{shown}{_too_small(case, names)}. "
        f"'{case.known_queue.name}' gives their names again and again, and nothing will ever come of it"
    )


def _too_small(case: Case, names: Sequence[str]) -> str:
    """Why files hold no record, where their sizes tell."""
    try:
        largest = max(map(os.path.getsize, names), default=None)
    except OSError:
        return ""
    if largest == 0:
        return ", of 0 bytes"
    for reader in case.pipeline.readers.values():
        if largest and reader.kind == "FixedLengthRecordReader":
            size = reader.op.get_attr("record_bytes")
            if largest < size:
                most = "" if len(names) == 1 else " at most"
                return f", of {counted(largest, 'byte')}{most}, and record_bytes is {size:,}"
    return ""
