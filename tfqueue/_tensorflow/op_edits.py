"""What changes a graph that is there already: copies of ops, other inputs, other control inputs."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable
from typing import Any

from tfqueue._tensorflow.types import Graph, Op, Tensor


def copied(
    op: Op,
    name: str,
    graph: Graph,
    inputs: Iterable[Tensor],
    change: Callable[[Any], Any] | None = None,
) -> Op:
    """A copy of an op, with all its attributes and its device, and no control inputs.

    Nothing that is in force where it is made (name scopes, devices, control dependencies) touches
    it. If `from_node_def` goes: `graph.create_op`, below `graph.device(None)` and such.

    Args:
        name: The copy's name, which no op has.
        graph: The graph to put it into.
        inputs: Its inputs.
        change: A function from the copy's `NodeDef` to the one to take.
    """
    from tensorflow.python.framework import ops

    if graph.finalized:
        raise RuntimeError("Graph is finalized and cannot be modified.")
    node = copy.deepcopy(op.node_def)
    node.name = name
    if change is not None:
        node = change(node)
    with graph._mutation_lock():
        made = ops.Operation.from_node_def(
            node,
            graph,
            list(inputs),
            input_types=list(op._input_types),
            original_op=op._original_op,
            op_def=op.op_def,
        )
    # What a resource holds; gradients ask for its shape.
    for before, after in zip(op.outputs, made.outputs, strict=True):
        if getattr(before, "_handle_data", None) is not None:
            after._handle_data = before._handle_data
    return made


def in_order(ops: Iterable[Op]) -> list[Op]:
    """Ops in the order in which their graph has them, each once.

    If `_id` goes: their places in `graph.get_operations()`, slower.
    """
    return sorted(dict.fromkeys(ops), key=lambda op: op._id)


def original_op(op: Op) -> Op | None:
    """The op that another was made for, if it says so."""
    return op._original_op


def set_original_op(op: Op, original: Op) -> None:
    """Says for which op another was made."""
    op._original_op = original


def while_context(op: Op) -> Any:
    """The innermost context of a `tf.while_loop` that an op stands in itself, or None."""
    context = op._get_control_flow_context()
    return context if context is not None and context.IsWhileContext() else None


def is_in_control_flow(op: Op) -> bool:
    """Whether an op stands in a branch of a `tf.cond`, or in a `tf.while_loop`."""
    return op._get_control_flow_context() is not None


def stays_in_loop(op: Op) -> bool:
    """Whether what an op puts out can be taken in its `tf.while_loop` alone."""
    from tensorflow.python.ops import control_flow_util

    context = control_flow_util.GetOutputContext(op)
    return control_flow_util.GetContainingWhileContext(context) is not None


def set_input(op: Op, index: int, tensor: Tensor) -> None:
    """Gives an op another input. Nothing stands for `_update_input` if it goes."""
    op._update_input(index, tensor)
    _edited(op.graph)


def add_control_inputs(op: Op, before: Iterable[Op]) -> None:
    """Gives an op further control inputs."""
    op._add_control_inputs(list(before))
    _edited(op.graph)


def set_control_inputs(op: Op, before: Iterable[Op]) -> None:
    """Gives an op these control inputs, and no others."""
    op._remove_all_control_inputs()
    add_control_inputs(op, before)


def _edited(graph: Graph) -> None:
    graph._tfqueue_edits = edits(graph) + 1


def edits(graph: Graph) -> int:
    """How often an op of a graph was changed here; `graph.version` counts only new ops."""
    return getattr(graph, "_tfqueue_edits", 0)
