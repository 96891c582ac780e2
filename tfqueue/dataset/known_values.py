"""The rows of producers, and other values that are known before any element is read."""

from __future__ import annotations

import contextlib
import dataclasses
import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from tfqueue import _tensorflow
from tfqueue._tensorflow import op_building
from tfqueue._tensorflow.types import Op, Tensor
from tfqueue.dataset import plan, steps
from tfqueue.graph import op_types, statefulness
from tfqueue.graph.model import Pipeline

_tf = _tensorflow.compat_v1()

_MOST = 1 << 26
"""Bytes of rows that are laid out in the order of a seed; more are shuffled by the same op."""


def number(pipeline: Pipeline, tensor: Tensor) -> int:
    """The value of a scalar tensor, such as a batch size, that depends on no element."""
    value = _tf.get_static_value(tensor)
    if value is None:
        if pipeline.demand([tensor.op]).takes:
            steps.refuse(f"{tensor.name!r} depends on what is read", tensor.op)
        value = evaluate(pipeline, [tensor])[0]
    return int(value)


def seed(one: int, two: int) -> int | None:
    """The seed for a dataset's shuffling out of an op's two, None where it had none."""
    return (one * 31 + two) % (1 << 31) if one or two else None


def rows(pipeline: Pipeline, put: Op, shard: tuple[int, int] | None) -> plan.Rows | None:
    """The rows that an enqueue op puts in each epoch, if it is a producer's.

    Args:
        put: An op that enqueues many.
        shard: `(n, i)` or None.

    Returns:
        A `plan.Rows`; None if the rows depend on what is read or drawn.
    """
    components = list(put.inputs)[1:]
    ops = pipeline.between([t.op for t in components], ())
    if pipeline.demand([put]).takes:
        return None
    counts = [op for op in ops if op.type in op_types.COUNTERS]
    shuffles = [op for op in ops if op.type == "RandomShuffle"]
    others = statefulness.types_within(pipeline.graph, ops) & statefulness.RANDOM - {
        "RandomShuffle"
    }
    if others or len(shuffles) > 1 or any("PyFunc" in op.type for op in ops):
        return None
    if shuffles and not (len(components) == 1 and _only_handed_on(components[0], shuffles[0])):
        return None
    local = {v.op.name for v in pipeline.graph.get_collection(_tf.GraphKeys.LOCAL_VARIABLES)}
    for op in ops:
        steps.check_value(op, local)
    epochs = min((op.get_attr("limit") for op in counts), default=None)
    name = put.name.split("/")[0]
    if not shuffles:
        return plan.Rows(evaluate(pipeline, components), epochs, False, shard=shard, name=name)
    shuffle = shuffles[0]
    values = evaluate(pipeline, [shuffle.inputs[0]])
    if len(values[0]) <= 1:  # in any order the same
        return plan.Rows(values, epochs, False, shard=shard, name=name)
    seeds = shuffle.get_attr("seed"), shuffle.get_attr("seed2")
    rows = plan.Rows(values, epochs, True, seed(*seeds), shard=shard, name=name)
    if rows.seed is None or shard:
        return rows
    if epochs and values[0].nbytes * epochs <= _MOST:
        laid_out = np.concatenate(evaluate(pipeline, [shuffle.outputs[0]], epochs))
        return dataclasses.replace(rows, in_order=[laid_out])
    return dataclasses.replace(rows, drawn=seeds)


def _only_handed_on(tensor: Tensor, shuffle: Op) -> bool:
    while tensor.op is not shuffle:
        if tensor.op.type != "Identity":
            return False
        tensor = tensor.op.inputs[0]
    return True


def unassigned(pipeline: Pipeline, op: Op) -> Any:
    """The variable that an op makes, where only its initialiser assigns it; None otherwise.

    Args:
        op: The op that makes the variable.
    """
    keys = _tf.GraphKeys
    graph = pipeline.graph
    variables = [*graph.get_collection(keys.GLOBAL_VARIABLES)]
    variables += graph.get_collection(keys.LOCAL_VARIABLES)
    found = [v for v in variables if v.op is op or getattr(v, "handle", v).op is op]
    if not found:
        return None
    for user in op_building.consumers(op.outputs[0]):
        changes = user.type.startswith(op_types.CHANGES) and user is not found[0].initializer
        if changes or op_building.functions_called(user.node_def):
            return None
    return found[0]


def evaluate(
    pipeline: Pipeline, tensors: Sequence[Tensor], times: int = 1, variables: Sequence[Any] = ()
) -> list[Any]:
    """The values of tensors that depend on no element.

    Args:
        times: How many runs, one after the other.
        variables: Variables besides the local ones that are initialised first.
    """
    graph = pipeline.graph
    local = graph.get_collection(_tf.GraphKeys.LOCAL_VARIABLES)
    with graph.as_default(), _tensorflow.quiet_first_session():
        with contextlib.closing(_tf.Session(graph=graph)) as sess:
            sess.run(_tf.variables_initializer(local))
            sess.run([variable.initializer for variable in variables])
            found = [value for _ in range(times) for value in sess.run(tensors)]
    return list(map(np.asarray, found))


def names(node: plan.Node) -> list[bytes]:
    """The names of files that a plan gives, as far as they are known."""
    rows = [part.values[0] for part in plan.walk(node) if isinstance(part, plan.Rows)]
    return [name for row in rows for name in row.ravel().tolist() if isinstance(name, bytes)]


def fit(names: plan.Node, options: dict[str, Any]) -> bool:
    """Whether files are known to hold whole records of fixed length, and nothing else.

    Args:
        names: The plan of their names.
        options: Attributes of a `FixedLengthRecordReader`.
    """
    rows = [node for node in plan.walk(names) if not isinstance(node, plan.Share)]
    if len(rows) != 1 or not isinstance(rows[0], plan.Rows) or options["encoding"]:
        return False
    size = options["record_bytes"]
    if options["hop_bytes"] not in (0, size):
        return False
    around = options["header_bytes"] + options["footer_bytes"]
    for name in set(rows[0].values[0].ravel().tolist()):
        try:
            length = _tf.gfile.Stat(os.fsdecode(name)).length
        except _tf.errors.OpError:
            return False
        if length < around or (length - around) % size:
            return False
    return True
