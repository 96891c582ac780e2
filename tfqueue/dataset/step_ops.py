"""The ops of a step that are written: those of the old graph, or pfor's for a batch of examples."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

from tfqueue import _tensorflow
from tfqueue._tensorflow import op_building
from tfqueue._tensorflow.types import Op, Tensor
from tfqueue.dataset import steps
from tfqueue.dataset.steps import OldStep
from tfqueue.graph import conds, converters, exactness

_tf = _tensorflow.compat_v1()


class CannotVectorise(Exception):
    """pfor cannot run a step on batches.

    Attributes:
        step: The `steps.OldStep`.
    """

    def __init__(self, step: OldStep) -> None:
        super().__init__("this step runs on one example at a time")
        self.step = step


@dataclasses.dataclass(eq=False)
class StepOps:
    """Ops that compute the results of a step.

    Attributes:
        ops: The operations, in the order they were built.
        given: Dict from the names of the step's given tensors to those that stand for them in
            `ops`.
        results: The flat results.
        waits: Operations that run besides.
        origins: Dict from op name to the operation of the old graph; empty if `ops` are those.
        lost: Names of the results whose static shapes the program set, and no op implies.
    """

    ops: list[Op]
    given: dict[str, str]
    results: list[Tensor]
    waits: list[Op]
    origins: dict[str, Op]
    lost: set[str]


def single(step: OldStep) -> StepOps:
    """The ops of a step for one example: those of the old graph, where it has functional conds."""
    with op_building.new_graph().as_default() as graph:
        given = _stand_ins(step)
        made, origins = _copied(step, given)
        known = {**given, **made}
        results = [known[t.name] for t in step.flat]
    lost = {
        (t if conds.needed(step.ops) else old).name
        for t, old in zip(results, step.flat, strict=True)
        if old.name not in given and old.shape.rank is not None and _dims(t) != _dims(old)
    }
    waits = [step.graph.get_operation_by_name(name) for name in step.waits]
    if not conds.needed(step.ops):
        names = {name: name for name in given}
        return StepOps(step.ops, names, step.flat, waits, {}, lost)
    names = {name: t.name for name, t in given.items()}
    waits = [made[name] for name in step.waits]
    return StepOps(graph.get_operations(), names, results, waits, origins, lost)


def many(step: OldStep, size: int | None) -> StepOps:
    """The ops of a step for a batch of examples.

    Args:
        size: How many examples each batch has, or None.

    Raises:
        CannotVectorise: pfor has no way for one of its ops, or one that gives something else.
    """
    from tensorflow.python.ops.parallel_for import control_flow_ops

    if exactness.refusal(step.graph, step.ops) is not None:
        raise CannotVectorise(step)
    converters.register()
    with op_building.new_graph().as_default() as graph:
        given = _stand_ins(step, [size])
        taken = [name for name in step.given if isinstance(name, str)]
        origins: dict[str, Op] = {}

        def one(i: Tensor) -> list[Tensor]:
            before = len(graph.get_operations())
            elements = {name: converters.element(given[name], i) for name in taken}
            made, found = _copied(step, {**given, **elements})
            origins.update(found)
            new = graph.get_operations()[before:]
            converters.attach(new)
            for op in new:
                if steps.asserted(op) is not None:
                    op.pfor_converter = _assert_all
            with _tf.control_dependencies([made[name] for name in step.waits]):
                known = {**given, **elements, **made}
                return [_tf.identity(known[t.name]) for t in step.flat]

        length = _tf.shape(given[taken[0]])[0] if size is None else size
        try:
            with converters.quiet():
                results = control_flow_ops.pfor(
                    _tf.autograph.experimental.do_not_convert(one),
                    length,
                    fallback_to_while_loop=False,
                )
        except Exception as error:
            raise CannotVectorise(step) from error
    lost = {
        t.name
        for t, old in zip(results, step.flat, strict=True)
        if _dims(t) != [size, *old.shape.as_list()]
    }
    names = {name: t.name for name, t in given.items()}
    return StepOps(graph.get_operations(), names, list(results), [], origins, lost)


def _dims(tensor: Tensor) -> list[int | None] | None:
    return None if tensor.shape.rank is None else tensor.shape.as_list()


def _stand_ins(step: OldStep, leading: Sequence[int | None] = ()) -> dict[str, Tensor]:
    """Dict from tensor name to a placeholder, for what a step is given and the tables it uses."""
    found = {}
    for name in (n for g in step.given for n in (g if isinstance(g, tuple) else (g,))):
        there = step.graph.get_tensor_by_name(name)
        shape = there.shape
        if leading:
            shape = [*leading, *shape.as_list()]
        found[name] = _tf.placeholder(there.dtype, shape)
    for op in step.ops:
        if op.type in steps.TABLES:
            found[op.outputs[0].name] = _tf.placeholder(_tf.resource, [])
    for name, value in step.constants.items():
        found[name] = _tf.constant(value, step.graph.get_tensor_by_name(name).dtype.base_dtype)
    return found


def _copied(step: OldStep, given: Mapping[str, Tensor]) -> tuple[dict[str, Any], dict[str, Op]]:
    """Copies what a step computes into the current graph.

    Returns:
        Dict from names of tensors and operations to the copies; dict from copy's name to original.
    """
    here = _tf.get_default_graph()
    origins: dict[str, Op] = {}

    def copy(op: Op, inputs: Sequence[Tensor]) -> Op:
        made = op_building.copy_op(op, op.node_def, inputs)
        if made.graph is here:  # a branch is a graph of its own, whose names may be the same
            origins[made.name] = op
        return made

    wanted = [t.name for t in step.flat if t.name not in given] + step.waits
    return conds.bring(step.ops, given, wanted, copy), origins


def _assert_all(pfor_input: Any) -> Any:
    """Converts the cond around an Assert to one Assert for all examples."""
    from tensorflow.python.ops.parallel_for import pfor

    found = steps.asserted(pfor_input.op)
    assert found is not None
    _, data, summarize = found
    places = {t.name: k for k, t in enumerate(pfor_input.op.inputs)}
    told = [
        pfor_input.input(places[item.name]).t if hasattr(item, "op") else _tf.constant(item)
        for item in data
    ]
    condition, stacked, _ = pfor_input.input(0)
    check = _tf.raw_ops.Assert(condition=_tf.reduce_all(condition), data=told, summarize=summarize)
    with _tf.control_dependencies([check]):
        passed = _tf.identity(condition)
    return pfor.wrap(passed, stacked)
