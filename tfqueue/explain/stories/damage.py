"""Silent damage: the program runs, and what it computes with is not what its author thinks.

Each is a warning of a class of its own, at the user's line, once for a session.
A correct program must get none, so every condition leaves out what may be meant.
"""

import itertools
import time

from tfqueue import errors
from tfqueue.explain import damage, file_records
from tfqueue.explain.stories.rows import Row, counted, listed
from tfqueue.graph.traversal import put_amount

_TAIL_BUDGET = 0.3
"""Seconds for looking at the ends of all files."""


# -- a step's demand, or a runner's ---------------------------------------------------------------


def _origins(case):
    # All three questions are about two takes or more; most steps have one and end here.
    if len(case.demand.takes) < 2:
        return None
    if not hasattr(case, "origins"):
        case.origins = damage.Origins(case.demand)
    return case.origins


def _two_dequeues(case):
    origins = _origins(case)
    return damage.two_dequeues(origins) if origins else []


def _two_dequeues_text(case):
    takes = _two_dequeues(case)
    names = listed(sorted(take.op.name for take in takes))
    lines = dict.fromkeys(filter(None, (case.line_of(take.op) for take in takes)))
    built = f", built at {'; '.join(lines)}" if lines else ""
    return (
        f"one run executes {len(takes)} dequeue ops of {case.label(takes[0].queue)} ({names}"
        f"{built}): each takes an element of its own, in arbitrary order, and every other one is "
        "skipped. Call dequeue() once and use its tensors wherever they are needed"
    )


def _eager_cond(case):
    origins = _origins(case)
    return damage.eager_cond(origins, case.pipeline.graph) if origins else None


def _eager_cond_text(case):
    op, then, other = _eager_cond(case)
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


def _unpaired(case):
    origins = _origins(case)
    leaves = [leaf for leaf in case.failure.fetched if hasattr(leaf, "op")]
    return damage.unpaired_shuffles(origins, case, leaves) if origins else None


def _unpaired_text(case):
    first, second, length = _unpaired(case)
    return (
        f"'{first.name}' and '{second.name}' have {length} elements each, shuffle them each in an "
        "order of its own, and feed one batch: if their elements belong together, they no longer "
        "meet. Use tf.train.slice_input_producer([a, b]), or the same seed=... for both"
    )


# -- how the steps follow each other --------------------------------------------------------------


def only_one_example(case):
    """Whether the data is one single example, so that any two runs see the same."""
    found = set()
    for queue in case.upstream:
        reads = [take for take in queue.takes if take.is_read]
        for take in reads:
            reader = case.pipeline.reader_of(take.op)
            for path in case.names_of(queue) or [None, None]:
                if reader is None or path is None:
                    return False
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


def split_example(case, take):
    """What to say of an example that two runs took apart."""
    return (
        f"two runs fetched parts of one example: {take.op.type} '{take.op.name}' was executed "
        "twice, and each run has taken an example of its own, so that the parts do not belong "
        "together. Fetch them in one sess.run([a, b])"
    )


# -- the start --------------------------------------------------------------------------------------


def left_running(names):
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


def _dropped(case):
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


def _dropped_text(case):
    queue, left, total, size = _dropped(case)
    name = queue.name.rpartition("/")[0] or queue.name
    verb = "was" if left == 1 else "were"
    many = counted(left, "example") if total is None else f"{left} of {counted(total, 'example')}"
    return (
        f"{many} {verb} dropped by {name} (batch_size {size}): the "
        "last batch did not fill. allow_smaller_final_batch=True keeps them"
    )


def _cut(case):
    """`{file: trailing bytes}` of files that are cut inside a record's header."""
    if not hasattr(case, "cut"):
        until = time.monotonic() + _TAIL_BUDGET
        case.cut = {}
        for path, compression in case.record_files.items():
            try:
                rest = file_records.trailing_bytes(path, until, compression)
            except (OSError, ValueError):
                continue  # gone, or not on a disk
            if rest:
                case.cut[path] = rest
    return case.cut


def _cut_text(case):
    found = [f"{path}: {counted(rest, 'trailing byte')}" for path, rest in _cut(case).items()]
    return (
        f"{listed(found)}, file truncated: it ends inside a record's header, which TensorFlow "
        "takes for the end of the data. What stood behind is lost"
    )


AT_PLAN = [
    Row("34", _two_dequeues, _two_dequeues_text, errors.TwoDequeuesWarning),
    Row("45", _eager_cond, _eager_cond_text, errors.EagerCondWarning),
    Row("31", _unpaired, _unpaired_text, errors.UnpairedShuffleWarning),
]
"""Asked of what a step of the program, or a runner's enqueue op, takes."""

AT_START = [
    Row(
        "28 29",
        lambda case: case.failure.older,
        lambda case: left_running(case.failure.older),
        errors.OldSessionWarning,
    )
]
AT_END = [
    Row("32", _dropped, _dropped_text, errors.DroppedElementsWarning),
    Row("44", _cut, _cut_text, errors.TruncatedFileWarning),
]
AT_CLOSE = [Row("44", _cut, _cut_text, errors.TruncatedFileWarning)]
