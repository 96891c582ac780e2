"""Where it happened: the part of the story that every failure has."""

from __future__ import annotations

from tfqueue.explain.case import Case
from tfqueue.explain.stories.rows import Row, counted, listed


def _place(case: Case) -> str:
    parts = []
    if case.run is not None:
        queue = case.label(case.queue) if case.queue is not None else "its queue"
        before = counted(case.run.elements, "element")
        parts.append(
            f"QueueRunner '{case.run.name}' failed while it filled {queue}, "
            f"{before} were put in before"
        )
    if case.readers:
        names = [f"{reader.kind} '{reader.name}'" for reader in case.readers]
        reads = sorted(op.name for op in case.demand.reads)
        parts.append(f"it reads with {listed(names)} (op {listed(reads)})")
    if case.record is not None:
        parts.append(f"the record is {case.key}")
    elif case.files:
        parts.append(f"its files: {listed(case.files)}")
    line = case.line_of(case.op)
    if line:
        parts.append(f"op '{case.op.name}' was built at {line}")
    return "; ".join(parts)


FAILURES = [
    Row(
        (
            "missing_file",
            "missing_file_alone",
            "done_before_failure",
            "threads_die_singly",
            "undecodable_image",
        ),
        lambda case: True,
        _place,
    )
]
