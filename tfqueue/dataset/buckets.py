"""Queues that are each filled on a condition, as `tf.contrib.training.bucket` builds them."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from tfqueue import _tensorflow
from tfqueue._tensorflow import op_building
from tfqueue._tensorflow.types import Graph, Op, Tensor
from tfqueue.graph.model import Pipeline
from tfqueue.graph.op_types import ENQUEUES, Queue, Take

_tf = _tensorflow.compat_v1()


@dataclasses.dataclass(eq=False)
class BucketEnqueue:
    """An op that puts an example into one of several queues.

    Attributes:
        op: What a runner runs.
        threads: How many threads run it.
        which: The tensor that says into which queue, by its number.
        components: The tensors of the example.
        keep: `[tensor]` that says whether the example is put at all, or `[]`.
        waits: Operations that are run besides.
        numbers: Dict from queue to its number.
    """

    op: Op
    threads: int
    which: Tensor
    components: list[Tensor]
    keep: list[Tensor]
    waits: list[Op]
    numbers: dict[Queue, int]


def find(pipeline: Pipeline) -> dict[Queue, BucketEnqueue]:
    """The queues of a pipeline that are filled on a condition.

    Returns:
        Dict from queue to its `BucketEnqueue`.
    """
    found: dict[Queue, BucketEnqueue] = {}
    for runner in pipeline.runners:
        ops = [getattr(item, "op", item) for item in runner.queue_runner.enqueue_ops]
        for op in dict.fromkeys(ops):
            filled = _filled(pipeline, op, len(ops))
            if filled is not None:
                found |= dict.fromkeys(filled.numbers, filled)
    return found


def emptied(
    pipeline: Pipeline, ops: Sequence[Op], filled: dict[Queue, BucketEnqueue]
) -> tuple[BucketEnqueue, list[Take]] | None:
    """What fills the buckets that some enqueue ops take whole batches from.

    Args:
        ops: Enqueue ops, each for the batches of one bucket.
        filled: What `find` gave.

    Returns:
        `(BucketEnqueue, takes)`, the `Take`s in the order of the buckets' numbers; None where `ops`
        do something else, too.
    """
    takes, fills = {}, set()
    for op in ops:
        demand = pipeline.demand([op])
        if len(demand.takes) != 1 or demand.takes[0].queue not in filled:
            return None
        (take,) = demand.takes
        fill = filled[take.queue]
        fills.add(fill)
        number, *values = list(op.inputs)[1:]
        told = _tf.get_static_value(number)
        if op.type not in ENQUEUES or told != fill.numbers[take.queue]:
            return None
        if [t.name for t in values] != [t.name for t in take.op.outputs] or op.control_inputs:
            return None
        takes[int(told)] = take
    if len(fills) != 1 or sorted(takes) != list(range(len(takes))):
        return None
    (fill,) = fills
    same = len({take.is_up_to for take in takes.values()}) == 1
    single = {take.op.type for take in takes.values()} & {"QueueDequeue", "QueueDequeueV2"}
    whole = len(takes) == len(fill.numbers) and not single
    return (fill, [takes[number] for number in sorted(takes)]) if same and whole else None


def _filled(pipeline: Pipeline, op: Op, threads: int) -> BucketEnqueue | None:
    puts = pipeline.demand([op]).puts
    if len(puts) < 2 or not all(put.type in _CONDS for put, _ in puts):
        return None
    conds = list(dict.fromkeys(put for put, _ in puts))
    waits = [c for c in op.control_inputs if not pipeline.demand([c]).puts]
    waits += [c for cond in conds for c in cond.control_inputs]
    keep: list[Tensor] = []
    outer: dict[str, Tensor] = {}
    if len(conds) == 1:  # all within the cond of `keep_input`
        (cond,) = conds
        branch = op_building.function_of(op.graph, cond.get_attr("then_branch").name)
        if branch is None:
            return None
        keep = [cond.inputs[0]]
        outer = _outside(branch.graph, cond, {})
        conds = [each for each in branch.graph.get_operations() if each.type in _CONDS]
    queues: dict[Queue, int] = {}
    whiches: set[str] = set()
    values: set[tuple[str, ...]] = set()
    for cond in conds:
        put = _conditional_put(pipeline, cond, outer)
        if put is None:
            return None
        queues[put.queue] = put.number
        whiches.add(put.which)
        values.add(put.components)
    if len(whiches) != 1 or len(values) != 1 or len(queues) != len(conds):
        return None
    (which,), (names,) = whiches, values
    tensors = [pipeline.graph.get_tensor_by_name(name) for name in (which, *names)]
    return BucketEnqueue(op, threads, tensors[0], tensors[1:], keep, waits, queues)


_CONDS = ("If", "StatelessIf")


@dataclasses.dataclass(frozen=True)
class _ConditionalPut:
    """An enqueue op in a branch that is taken if a tensor has a number.

    Attributes:
        queue: The queue.
        number: The number.
        which: The name of the tensor.
        components: The names of the tensors that are enqueued.
    """

    queue: Queue
    number: int
    which: str
    components: tuple[str, ...]


def _conditional_put(
    pipeline: Pipeline, cond: Op, outer: dict[str, Tensor]
) -> _ConditionalPut | None:
    """What a cond enqueues; None where it does something else.

    Args:
        outer: The tensors outside of a branch that the cond stands in, by the names of its inputs.
    """
    test = cond.inputs[0].op
    inside = op_building.function_of(cond.graph, cond.get_attr("then_branch").name)
    if test.type != "Equal" or inside is None:
        return None
    number = _tf.get_static_value(test.inputs[1])
    inner = _outside(inside.graph, cond, outer)
    enqueues = [each for each in inside.graph.get_operations() if each.type in ENQUEUES]
    if number is None or len(enqueues) != 1:
        return None
    handle, *parts = (inner.get(_source(t).name) for t in enqueues[0].inputs)
    which = outer.get(test.inputs[0].name, test.inputs[0])
    queue = pipeline.queues.get(handle.op.name) if handle is not None else None
    names = tuple(part.name for part in parts if part is not None)
    if queue is None or len(names) < len(parts):
        return None
    return _ConditionalPut(queue, int(number), which.name, names)


def _source(tensor: Tensor) -> Tensor:
    while tensor.op.type == "Identity":
        tensor = tensor.op.inputs[0]
    return tensor


def _outside(graph: Graph, cond: Op, outer: dict[str, Tensor]) -> dict[str, Tensor]:
    """Dict from the names of a branch's inputs to the tensors outside of it."""
    given = list(cond.inputs)[1:]
    return {t.name: outer.get(_source(o).name, o) for t, o in zip(graph.inputs, given, strict=True)}
