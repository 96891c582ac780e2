"""Gives ops of a graph other inputs, and other control inputs.

As in TensorFlow 1, this is for before the first step: a session that has run an op does not take
a change of it.
"""

from __future__ import annotations

from typing import Any

from tfqueue import _tensorflow
from tfqueue._tensorflow import op_edits
from tfqueue.contrib.graph_editor import subgraph, util
from tfqueue.graph.op_types import QUEUE_KINDS, READER_KINDS
from tfqueue.v1._types import Op, Tensor

_tf = _tensorflow.compat_v1()
View = subgraph.SubGraphView
HANDLES = frozenset([*QUEUE_KINDS, *READER_KINDS])


def _compatible(ts0: list[Tensor], ts1: list[Tensor]) -> None:
    if len(ts0) != len(ts1):
        raise ValueError(f"ts0 and ts1 have different sizes: {len(ts0)} != {len(ts1)}")
    for t0, t1 in zip(ts0, ts1, strict=True):
        if not t0.dtype.is_compatible_with(t1.dtype):
            raise ValueError(f"Dtypes {t0.dtype} and {t1.dtype} are not compatible.")
        if not t0.shape.is_compatible_with(t1.shape):
            raise ValueError(f"Shapes {t0.shape} and {t1.shape} are not compatible.")
        if t0 is not t1 and (t0.op.type in HANDLES or t1.op.type in HANDLES):
            raise NotImplementedError(
                f"{t0.name} and {t1.name}: which queue or reader an op has is not changed "
                "afterwards; build the op with the other one"
            )


def _move(source: Tensor, target: Tensor, users: set[Op]) -> int:
    """Gives `users` the tensor `source` in place of `target`; how many inputs that were."""
    places = [(op, i) for op in users for i, t in enumerate(op.inputs) if t is target]
    for op, i in places:
        op_edits.set_input(op, i, source)
    return len(places)


def _reroute(ts0: Any, ts1: Any, swap: bool, can_modify: Any, cannot_modify: Any) -> int:
    ts0, ts1 = util.make_list_of_t(ts0), util.make_list_of_t(ts1)
    _compatible(ts0, ts1)
    allowed = None if can_modify is None else set(util.make_list_of_op(can_modify))
    kept = set() if cannot_modify is None else set(util.make_list_of_op(cannot_modify))

    def users(tensor: Tensor) -> set[Op]:
        found = set(util.users(tensor)) - kept
        return found if allowed is None else found & allowed

    pairs = [(t0, t1, users(t0), users(t1)) for t0, t1 in zip(ts0, ts1, strict=True)]
    count = 0
    for t0, t1, users0, users1 in pairs:
        if t0 is not t1:
            count += _move(t0, t1, users1)
            count += _move(t1, t0, users0) if swap else 0
    return count


def reroute_ts(ts0: Any, ts1: Any, can_modify: Any = None, cannot_modify: Any = None) -> int:
    """Gives all ops that take a tensor of `ts1` the one of `ts0` in its place.

    Args:
        ts0: Tensors.
        ts1: As many tensors of their dtypes and shapes.
        can_modify: The only ops to change.
        cannot_modify: Ops not to change.

    Returns:
        How many inputs were changed.
    """
    return _reroute(ts0, ts1, False, can_modify, cannot_modify)


def swap_ts(ts0: Any, ts1: Any, can_modify: Any = None, cannot_modify: Any = None) -> int:
    """Exchanges the users of tensors; see `reroute_ts`.

    An op that takes both tensors of a pair takes that of `ts1` twice afterwards, as in 1.15.
    """
    return _reroute(ts0, ts1, True, can_modify, cannot_modify)


def _views(sgv0: Any, sgv1: Any) -> tuple[View, View]:
    views = subgraph.make_view(sgv0), subgraph.make_view(sgv1)
    util.check_graphs(*views)
    return views


def _inputs(sgv0: Any, sgv1: Any, swap: bool) -> tuple[View, View]:
    view0, view1 = _views(sgv0, sgv1)
    can_modify = [*view0.ops, *view1.ops]
    for view in (view0, view1):
        can_modify += util.get_consuming_ops(view.passthroughs)
    _reroute(view0.inputs, view1.inputs, swap, can_modify, None)
    old0, old1 = view0.copy(), view1.copy()
    view1._input_ts, view1._passthrough_ts = old0.inputs, old0.passthroughs
    if swap:
        view0._input_ts, view0._passthrough_ts = old1.inputs, old1.passthroughs
        for view, old in ((view0, old0), (view1, old1)):
            # What passed through is what comes in now.
            places = [old.inputs.index(t) if t in old.passthroughs else None for t in old.outputs]
            view._output_ts = [
                tensor if place is None else view.inputs[place]
                for tensor, place in zip(old.outputs, places, strict=True)
            ]
    return view0, view1


def _outputs(sgv0: Any, sgv1: Any, swap: bool) -> tuple[View, View]:
    view0, view1 = _views(sgv0, sgv1)
    _reroute(view0.outputs, view1.outputs, swap, None, [*view0.ops, *view1.ops])
    return view0, view1


def swap_inputs(sgv0: Any, sgv1: Any) -> tuple[View, View]:
    """Exchanges the inputs of two views, which are changed, too."""
    return _inputs(sgv0, sgv1, swap=True)


def reroute_inputs(sgv0: Any, sgv1: Any) -> tuple[View, View]:
    """Gives the second view the inputs of the first, and changes it so."""
    return _inputs(sgv0, sgv1, swap=False)


def swap_outputs(sgv0: Any, sgv1: Any) -> tuple[View, View]:
    """Exchanges the users of the outputs of two views."""
    return _outputs(sgv0, sgv1, swap=True)


def reroute_outputs(sgv0: Any, sgv1: Any) -> tuple[View, View]:
    """Gives the users of the second view's outputs those of the first."""
    return _outputs(sgv0, sgv1, swap=False)


def swap_ios(sgv0: Any, sgv1: Any) -> tuple[Any, Any]:
    """`swap_outputs`, then `swap_inputs`; what is given is returned."""
    swap_inputs(*swap_outputs(sgv0, sgv1))
    return sgv0, sgv1


def reroute_ios(sgv0: Any, sgv1: Any) -> tuple[Any, Any]:
    """`reroute_outputs`, then `reroute_inputs`; what is given is returned."""
    reroute_inputs(*reroute_outputs(sgv0, sgv1))
    return sgv0, sgv1


def _checked(op: Op, cops: Any) -> list[Op]:
    if not isinstance(op, _tf.Operation):
        raise TypeError(f"Expected a tf.Operation, got: {type(op)}")
    return util.make_list_of_op(cops, allow_graph=False)


def remove_control_inputs(op: Op, cops: Any) -> None:
    """Lets an op no longer wait for others.

    Args:
        cops: Ops that it waits for; ValueError where it does not.
    """
    cops = _checked(op, cops)
    for cop in cops:
        if cop not in op.control_inputs:
            raise ValueError(f"{cop.name} is not a control_input of {op.name}")
    op_edits.set_control_inputs(op, [cop for cop in op.control_inputs if cop not in cops])


def add_control_inputs(op: Op, cops: Any) -> None:
    """Lets an op wait for others.

    Args:
        cops: Ops that it does not wait for yet; ValueError where it does.
    """
    cops = _checked(op, cops)
    for cop in cops:
        if cop in op.control_inputs:
            raise ValueError(f"{cop.name} is already a control_input of {op.name}")
    op_edits.add_control_inputs(op, cops)
