"""Silent damage: the program runs, with other data than its author meant.

Each is a warning of a class of its own, at the user's line, once for a session.
A correct program must get none, so every condition leaves out what may be meant.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from tfqueue import errors
from tfqueue._tensorflow.types import Op
from tfqueue.explain import file_records, silent_damage
from tfqueue.explain.case import Case
from tfqueue.explain.stories.rows import Row, counted, listed, sure
from tfqueue.graph.op_types import Queue, Take
from tfqueue.graph.traversal import put_amount
from tfqueue.records import endings

# -- a step's demand, or a runner's ---------------------------------------------------------------


def _two_dequeues(case: Case) -> list[Take]:
    origins = case.origins
    return silent_damage.two_dequeues(origins) if origins else []


def _two_dequeues_text(case: Case) -> str:
    takes = _two_dequeues(case)
    names = listed(sorted(take.op.name for take in takes))
    lines = dict.fromkeys(filter(None, (case.line_of(take.op) for take in takes)))
    built = f", built at {'; '.join(lines)}" if lines else ""
    return (
        f"one run executes {len(takes)} dequeue ops of {case.label(takes[0].queue)} ({names}"
        f"{built}): each takes an element of its own, in arbitrary order, and every other one is "
        "skipped. Call dequeue() once and use its tensors wherever they are needed"
    )


def _eager_cond(case: Case) -> tuple[Op, list[Take], list[Take]] | None:
    origins = case.origins
    return silent_damage.eager_cond(origins, case.pipeline.graph) if origins else None


def _eager_cond_text(case: Case) -> str:
    op, then, other = sure(_eager_cond(case))
    queues = [
        listed(dict.fromkeys(case.label(take.queue) for take in side)) for side in (then, other)
    ]
    line = case.line_of(op)
    return (
        f"tf.cond '{op.name}'{f' at {line}' if line else ''} chooses between elements of "
        f"{queues[0]} and of {queues[1]}, but both dequeue ops stand outside its branches: every "
        "run takes from both queues and throws one away. Call dequeue inside the branch: "
        "tf.cond(flag, lambda: train_queue.dequeue_many(n), lambda: test_queue.dequeue_many(n)), "
        "or choose the queue with tf.QueueBase.from_list"
    )


def _unpaired(case: Case) -> tuple[Queue, Queue, int] | None:
    origins = case.origins
    leaves = [leaf for leaf in case.failure.fetched if hasattr(leaf, "op")]
    return silent_damage.unpaired_shuffles(origins, case, leaves) if origins else None


def _unpaired_text(case: Case) -> str:
    first, second, length = sure(_unpaired(case))
    return (
        f"'{first.name}' and '{second.name}' have {length} elements each, shuffle them each in an "
        "order of its own, and feed one batch: if their elements belong together, they no longer "
        "meet. Use tf.train.slice_input_producer([a, b]), or the same seed=... for both"
    )


# -- how the steps follow each other --------------------------------------------------------------


def only_one_example(case: Case) -> bool:
    """Whether the data is one single example, so that any two runs see the same."""
    found: set[bytes] = set()
    for queue in case.upstream:
        reads = [take for take in queue.takes if take.is_read]
        for take in reads:
            reader = case.pipeline.reader_of(take.op)
            names = case.names_of(queue)
            if reader is None or not names:
                return False
            for path in names:
                try:
                    records = list(itertools.islice(file_records.records(reader, path), 2))
                except OSError:
                    return False
                found.update(key for key, _ in records)
                if len(found) > 1 or not records:
                    return False
    if found:
        return True
    sizes = [case.names_per_epoch(queue) for queue in case.upstream if queue.enqueues]
    return sizes[-1:] == [1]


def split_example(case: Case, take: Take) -> str:
    """What to say of an example that two runs took apart."""
    return (
        f"two runs fetched parts of one example: {take.op.type} '{take.op.name}' was executed "
        "twice, and each run has taken an example of its own, so that the parts do not belong "
        "together. Fetch them in one sess.run([a, b])"
    )


# -- the start --------------------------------------------------------------------------------------


def left_running(names: Sequence[str]) -> str:
    """What to say of runners, by their names, whose session is no longer the one in use."""
    if not names:
        return ""  # they have ended since they were looked for
    return (
        f"{counted(len(names), 'runner')} of an older session "
        f"{'is' if len(names) == 1 else 'are'} still alive ({listed(names)}) and go on reading. "
        "End a session before the next one: `with tf.Session() as sess:`, sess.close(), or "
        "coord.request_stop() and coord.join(threads)"
    )


# -- the end ----------------------------------------------------------------------------------------


def _dropped(case: Case) -> tuple[Queue, int, int | None, int] | None:
    """`(queue, left over, of how many, batch size)` of a batch that did not fill, or None.

    Of how many is None where a step puts as many rows as a record holds, which nobody counts.
    """
    failure = case.failure
    for take in case.demand.takes:
        runs = failure.runners_of(take.queue)
        genuine = runs and all(run.ended for run in runs)
        if not genuine or take.queue.name in failure.cancelled or failure.stopping:
            continue
        if take.amount is None or take.amount < 2:
            continue
        left = failure.size(take.queue)
        if 0 < left < take.amount:
            known = all(put_amount(op) is not None for run in runs for op in run.ops)
            total = sum(run.elements for run in runs) if known else None
            return take.queue, left, total, take.amount
    return None


def _dropped_text(case: Case) -> str:
    queue, left, total, size = sure(_dropped(case))
    name = queue.name.rpartition("/")[0] or queue.name
    verb = "was" if left == 1 else "were"
    many = counted(left, "example") if total is None else f"{left} of {counted(total, 'example')}"
    return (
        f"{many} {verb} dropped by {name} (batch_size {size}): the "
        "last batch did not fill. allow_smaller_final_batch=True keeps them"
    )


def _cut_text(case: Case) -> str:
    return endings.cut_text(case.cut_files)


AT_PLAN = [
    Row(("two_dequeues",), _two_dequeues, _two_dequeues_text, errors.TwoDequeuesWarning),
    Row(("eager_cond",), _eager_cond, _eager_cond_text, errors.EagerCondWarning),
    Row(("unpaired_shuffles",), _unpaired, _unpaired_text, errors.UnpairedShuffleWarning),
]
"""Asked of what a step of the program, or a runner's enqueue op, takes."""

AT_START = [
    Row(
        ("runners_pile_up", "reset_with_runners"),
        lambda case: case.failure.older,
        lambda case: left_running(case.failure.older),
        errors.OldSessionWarning,
    )
]
AT_END = [
    Row(("dropped_batch",), _dropped, _dropped_text, errors.DroppedElementsWarning),
    Row(("cut_header",), lambda case: case.cut_files, _cut_text, errors.TruncatedFileWarning),
]
AT_CLOSE = [
    Row(("cut_header",), lambda case: case.cut_files, _cut_text, errors.TruncatedFileWarning)
]
