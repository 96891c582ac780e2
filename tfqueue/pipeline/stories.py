"""What to say of each failure, stall and silent damage: rows of a condition and a text.

A row's text names the queue and runner by the names the user gave, the file
and the record, and the fix. The ids are those of the project's list of
failures; each row has its test.
"""

from typing import Callable, NamedTuple

from tfqueue import errors


class Row(NamedTuple):
    """One thing to say."""

    ids: str
    """The failures it answers, by their numbers."""
    when: Callable
    """`when(case)`: whether it applies."""
    say: Callable
    """`say(case)`: the text."""
    category: type | None = None
    """The warning's class, for silent damage."""


# -- failures -----------------------------------------------------------------------------------


def _where(case):
    lines = []
    if case.run is not None:
        lines.append(f"QueueRunner '{case.run.name}' failed while it filled it")
    if case.readers:
        names = ", ".join(f"{reader.kind} '{reader.name}'" for reader in case.readers)
        lines.append(f"reading with {names}")
    if case.record is not None:
        lines.append(f"record {case.record[0].decode(errors='replace')}")
    elif case.files:
        shown = ", ".join(case.files[:3]) + (", ..." if len(case.files) > 3 else "")
        lines.append(f"from {shown}")
    line = case.line_of(case.op)
    if line:
        lines.append(f"the op was built at {line}")
    return "; ".join(lines)


FAILURES = [
    Row("07 08 60 10 54", lambda case: True, _where),
]


# -- stalls -------------------------------------------------------------------------------------


def never_started(case, queues):
    """Runners that are registered and were never started."""
    parts = []
    for queue in queues:
        count = len(case.pipeline.runners_of(queue))
        parts.append(f"{queue.name} is empty and none of its {count} QueueRunner(s) was started")
    started_before = bool(case.supervision.runs)
    text = "; ".join(parts)
    if started_before:
        text += (
            f". {len(queues)} runner(s) were registered after start_queue_runners() was called: "
            "call tf.train.start_queue_runners(sess, coord) again, or build the pipeline first"
        )
    else:
        text += "; call tf.train.start_queue_runners(sess, coord) before the first run"
    return text


def _sizes(case, queue):
    try:
        size = case.supervision.size(queue)
    except Exception:  # noqa: BLE001  (a story must not replace the failure it tells of)
        return "it holds too few elements"
    if queue.min_after_dequeue:
        return f"min_after_dequeue={queue.min_after_dequeue}, only {size} elements"
    return f"it holds {size} elements"


def _feeders_dead(case):
    own = case.feeder_error()
    text = (
        f"{case.label(case.queue)} can get no more elements: every thread that ever enqueued into "
        f"it has ended or is the one that waits, no producer is alive; {_sizes(case, case.queue)}"
    )
    if own is not None:
        text += f". Its feeding thread died of {type(own).__name__}: {own}"
    return text


STALLS = [
    Row("19 35 61", lambda case: case.supervision.feeders.get(case.queue.name), _feeders_dead),
    Row(
        "01 02",
        lambda case: case.pipeline.runners_of(case.queue),
        lambda case: never_started(case, [case.queue]),
    ),
    Row(
        "-",
        lambda case: True,
        lambda case: (
            f"{case.label(case.queue)} is empty and the graph has no op that puts into it"
        ),
    ),
]


def waiting(case):
    """A wait that nobody can judge."""
    names = ", ".join(case.label(queue) for queue in case.plan.upstream)
    return (
        f"still waiting for elements of {names}; no live producer in this process is known. If "
        "another process or a later thread feeds it, this is fine"
    )


def no_records(case, count):
    """A whole epoch of files without a record."""
    names = case.names_of(case.queue) or []
    shown = ": " + ", ".join(names[:5]) + (", ..." if len(names) > 5 else "") if names else ""
    return f"no record in any of {count} files{shown}"


AT_START = []
AT_END = []
