"""Takes parts of a graph off, and joins them."""

from __future__ import annotations

from typing import Any

from tfqueue import _tensorflow
from tfqueue.contrib.graph_editor import reroute, select, subgraph, util
from tfqueue.v1._types import Tensor

_tf = _tensorflow.compat_v1()
View = subgraph.SubGraphView


def detach_control_inputs(sgv: Any) -> None:
    """Lets the ops of a view no longer wait for others."""
    view = subgraph.make_view(sgv)
    for op in view.ops:
        outside = [before for before in op.control_inputs if before not in view.ops]
        reroute.remove_control_inputs(op, outside)


def detach_control_outputs(sgv: Any, control_outputs: util.ControlOutputs) -> None:
    """Lets other ops no longer wait for those of a view.

    Args:
        sgv: The view, or what `make_view` takes.
        control_outputs: What knows who waits.
    """
    if not isinstance(control_outputs, util.ControlOutputs):
        raise TypeError(f"Expected a util.ControlOutputs, got: {type(control_outputs)}")
    control_outputs.update()
    view = subgraph.make_view(sgv)
    for op in view.ops:
        for after in control_outputs.get(op):
            if after not in view.ops:
                reroute.remove_control_inputs(after, op)


def detach_inputs(sgv: Any, control_inputs: bool = False) -> tuple[View, list[Tensor]]:
    """Puts placeholders in place of a view's inputs, and gives both.

    Args:
        sgv: The view, which is changed, or what `make_view` takes.
        control_inputs: Whether its ops no longer wait for others, either.
    """
    view = subgraph.make_view(sgv)
    with view.graph.as_default():
        made = [_tf.placeholder(t.dtype, name=util.placeholder_name(t)) for t in view.inputs]
    reroute.swap_inputs(view, made)
    if control_inputs:
        detach_control_inputs(view)
    return view, made


def detach_outputs(
    sgv: Any, control_outputs: util.ControlOutputs | None = None
) -> tuple[View, list[Tensor]]:
    """Gives those that take a view's outputs placeholders in their place, and gives both.

    Args:
        sgv: The view, or what `make_view` takes.
        control_outputs: What knows who waits for its ops, if none is to wait afterwards.
    """
    view = subgraph.make_view(sgv)
    view = view.remap_outputs([i for i, t in enumerate(view.outputs) if util.users(t)])
    users = View(view.consumers())
    users = users.remap_inputs([i for i, t in enumerate(users.inputs) if t in view.outputs])
    with view.graph.as_default():
        made = [util.make_placeholder_from_tensor(t) for t in users.inputs]
    reroute.swap_outputs(view, made)
    if control_outputs is not None:
        detach_control_outputs(view, control_outputs)
    return view, made


def detach(
    sgv: Any,
    control_inputs: bool = False,
    control_outputs: util.ControlOutputs | None = None,
    control_ios: util.ControlOutputs | None = None,
) -> tuple[Any, list[Tensor], list[Tensor]]:
    """`detach_inputs` and `detach_outputs`: what is given, and the placeholders of both.

    Args:
        sgv: The view, which is changed, or what `make_view` takes.
        control_inputs: See `check_cios`; so are the others.
    """
    control_inputs, control_outputs = select.check_cios(
        control_inputs, control_outputs, control_ios
    )
    _, inputs = detach_inputs(sgv, control_inputs)
    _, outputs = detach_outputs(sgv, control_outputs)
    return sgv, inputs, outputs


def connect(sgv0: Any, sgv1: Any, disconnect_first: bool = False) -> tuple[View, View]:
    """Gives a view the outputs of another for inputs.

    Args:
        sgv0: The one whose outputs are taken, or what `make_view` takes.
        sgv1: The one that takes them.
        disconnect_first: Whether who took them before takes placeholders now.
    """
    view0, view1 = subgraph.make_view(sgv0), subgraph.make_view(sgv1)
    util.check_graphs(view0, view1)
    if disconnect_first:
        detach_outputs(view0)
    reroute.reroute_inputs(View(passthrough_ts=view0.outputs), view1)
    return view0, view1


def bypass(sgv: Any) -> tuple[View, list[Tensor]]:
    """Gives those that take a view's outputs its inputs in their place.

    Args:
        sgv: The view, or what `make_view` takes.

    Returns:
        The view, and the placeholders that it has for inputs now.
    """
    view = subgraph.make_view(sgv)
    inputs = view.inputs
    view, made = detach_inputs(view)
    reroute.reroute_ts(inputs, view.outputs)
    return view, made
