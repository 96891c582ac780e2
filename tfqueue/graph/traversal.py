"""How one op leads to another: what runs with it, whose handle it uses, what its functions do."""

from __future__ import annotations

import collections
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from tfqueue import _tensorflow
from tfqueue._tensorflow import op_building
from tfqueue._tensorflow.types import Graph, Op, Tensor
from tfqueue.graph import op_types
from tfqueue.graph.op_types import Queue

STAGES = frozenset(
    "Unstage StagePeek Stage MapUnstage MapStage OrderedMapUnstage MapUnstageNoKey "
    "OrderedMapUnstageNoKey".split()
)
"""The types of ops that wait for a `StagingArea`, which nothing cancels."""

# Other ops on which a step can wait for another thread.
WAITS = STAGES | {
    "BarrierTakeMany",
    "TakeManySparseFromTensorsMap",
    "AccumulatorTakeGradient",
    "SparseAccumulatorTakeGradient",
    "ResourceAccumulatorTakeGradient",
}


def queue_of(op: Op) -> Queue:
    """The `Queue` that a queue op makes."""
    return Queue(
        op=op,
        kind=op_types.QUEUE_KINDS[op.type],
        capacity=op.get_attr("capacity"),
        min_after_dequeue=_attr(op, "min_after_dequeue", 0),
        shared_name=_text(_attr(op, "shared_name", b"")),
    )


def _attr(op: Op, name: str, default: Any) -> Any:
    try:
        return op.get_attr(name)
    except ValueError:
        return default


def _text(value: Any) -> str:
    return value.decode() if isinstance(value, bytes) else value


def amount(op: Op) -> int | None:
    """How many elements one run of a dequeue op takes; None where only the run knows."""
    if not op.type.startswith(("QueueDequeueMany", "QueueDequeueUpTo")):
        return 1
    value = _tensorflow.compat_v1().get_static_value(op.inputs[1])
    return None if value is None else int(value)


def put_amount(op: Op) -> int | None:
    """How many elements one run of an enqueue op puts; None where only the run knows."""
    if op.type not in op_types.ENQUEUES or source_and_switch(op.inputs[0])[1]:
        return None
    if not op.type.startswith("QueueEnqueueMany"):
        return 1
    first = op.inputs[1].shape
    return _tensorflow.compat_v1().dimension_value(first[0]) if first.rank else None


def as_op(item: Any) -> Op:
    """An enqueue op of a runner, which may stand there as a conditional enqueue's tensor."""
    return item.op if hasattr(item, "op") else item


def op_name(name: str) -> str:
    """The queue op's name; a runner made from a proto names its queue's tensor, `queue:0`."""
    return name.split(":")[0]


def source(tensor: Tensor) -> Op | None:
    """The op that made the handle `tensor`, through ops that only hand it on."""
    return source_and_switch(tensor)[0]


def source_and_switch(tensor: Tensor) -> tuple[Op | None, bool]:
    """That op, and whether it is used in a branch or a loop: a Switch or an Enter lies between."""
    op, switched = tensor.op, False
    while op.type in op_types.PASSES and op.inputs:
        # What a loop does not change comes into it through an Enter alone.
        switched |= "Switch" in op.type or "Enter" in op.type
        op = op.inputs[0].op
    known = op.type in op_types.QUEUE_KINDS or op.type in op_types.READER_KINDS
    return (op, switched) if known else (None, False)


def ancestors(
    ops: Iterable[Op], fed: Iterable[str] = (), stop: Collection[Op] = frozenset()
) -> set[Op]:
    """All ops that run when `ops` run, the ops themselves included, in no order."""
    fed = frozenset(fed)
    # A runner may be given anything that a session can run; only ops are part of the graph.
    operation = _tensorflow.compat_v1().Operation
    seen, todo = set(), [op for op in ops if isinstance(op, operation)]
    while todo:
        op = todo.pop()
        if op in seen or op in stop:
            continue
        seen.add(op)
        todo.extend(t.op for t in op.inputs if not fed or t.name not in fed)
        todo.extend(op.control_inputs)
    return seen


def runs_without(ops: Collection[Op], missing: Op, fed: Collection[str] = ()) -> set[Op]:
    """Those of `ops` that may run while the op `missing` does not come back.

    Args:
        ops: All ops of a step.
        missing: One of them.
        fed: Names of tensors that the step is fed with.
    """
    users, lacking = collections.defaultdict(list), {}
    for op in ops:
        if op is missing:
            continue
        before = [tensor.op for tensor in op.inputs if tensor.name not in fed]
        given = len(op.inputs) - len(before)
        before += op.control_inputs
        for each in before:
            users[each].append(op)
        # A branch that is not taken brings nothing.
        one_will_do = "Merge" in op.type or _may_be_inlined(op)
        lacking[op] = (not given and bool(before)) if one_will_do else len(before)
    todo = [op for op, count in lacking.items() if not count]
    while todo:
        for user in users[todo.pop()]:
            lacking[user] -= 1
            if lacking[user] == 0:
                todo.append(user)
    return {op for op, count in lacking.items() if count <= 0}


def _may_be_inlined(op: Op) -> bool:
    """Whether TensorFlow may put a function's ops in the place of its call: each waits for itself."""
    called = op.type in op_types.CALLERS or op.type == "SymbolicGradient"
    return called or _tensorflow.function_graph_def(op.graph, op.type) is not None


def uses_in_function(
    graph: Graph, name: str, arguments: Mapping[int, Queue]
) -> Iterator[tuple[str, Queue]]:
    """Yields `("take" | "put" | "close", queue)` for the queue ops inside a function.

    Args:
        graph: The graph whose library has the function.
        arguments: Dict from argument position to the `Queue` passed there.
    """
    definition = _tensorflow.function_graph_def(graph, name)
    if definition is None:
        return
    handles = {
        definition.signature.input_arg[position].name: queue
        for position, queue in arguments.items()
        if 0 <= position < len(definition.signature.input_arg)
    }
    for node in definition.node_def:
        inputs = [item.split(":")[0].lstrip("^") for item in node.input]
        if node.op in op_types.PASSES and inputs and inputs[0] in handles:
            handles[node.name] = handles[inputs[0]]
        elif node.op in op_types.ENQUEUES | op_types.DEQUEUES | op_types.CLOSES | op_types.READS:
            queue = handles.get(inputs[1 if node.op in op_types.READS else 0])
            if queue is not None:
                kind = (
                    "put"
                    if node.op in op_types.ENQUEUES
                    else "close"
                    if node.op in op_types.CLOSES
                    else "take"
                )
                yield kind, queue
        elif node.op in op_types.CALLERS:
            skipped = 1 if node.op.endswith(("If", "Case")) else 0
            inner = {
                position - skipped: handles[item]
                for position, item in enumerate(inputs)
                if item in handles
            }
            for function in op_building.functions_called(node):
                yield from uses_in_function(graph, function, inner)
