"""Ops and tensors of a graph: by name, by neighbourhood, by walks forward and backward."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from tfqueue import _tensorflow
from tfqueue._tensorflow import op_edits
from tfqueue.contrib.graph_editor import util
from tfqueue.v1._signatures import takes
from tfqueue.v1._types import Op, Tensor

_tf = _tensorflow.compat_v1()
Control: TypeAlias = util.ControlOutputs | None


def can_be_regex(obj: Any) -> bool:
    """Whether something is a regular expression, or the text of one."""
    return isinstance(obj, str | re.Pattern)


def make_regex(obj: Any) -> re.Pattern[str]:
    """A compiled regular expression of one, or of its text."""
    if not can_be_regex(obj):
        raise ValueError(f"Expected a string or a regex, got: {type(obj)}")
    return re.compile(obj)


def _inputs(ops: Iterable[Op]) -> list[Tensor]:
    return list(dict.fromkeys(tensor for op in ops for tensor in op.inputs))


def _outputs(ops: Iterable[Op]) -> list[Tensor]:
    return [tensor for op in ops for tensor in op.outputs]


def filter_ts(ops: Any, positive_filter: Any) -> list[Tensor]:
    """The inputs, then the outputs of ops, each once.

    Args:
        ops: Ops, or a graph.
        positive_filter: A function that says of a tensor whether to keep it; True keeps all.
    """
    ops = util.make_list_of_op(ops)
    found = util.concatenate_unique(_inputs(ops), _outputs(ops))
    return found if positive_filter is True else [t for t in found if positive_filter(t)]


def filter_ts_from_regex(ops: Any, regex: Any) -> list[Tensor]:
    """The inputs and outputs of ops in whose names (`a/b:0`) a regular expression is found."""
    regex = make_regex(regex)
    return filter_ts(ops, lambda tensor: regex.search(tensor.name))


def filter_ops(ops: Any, positive_filter: Any) -> list[Op]:
    """Those of the ops that a function keeps; True keeps all."""
    found = util.make_list_of_op(ops)
    return found if positive_filter is True else [op for op in found if positive_filter(op)]


def filter_ops_from_regex(ops: Any, regex: Any) -> list[Op]:
    """Those of the ops in whose names a regular expression is found."""
    regex = make_regex(regex)
    return filter_ops(ops, lambda op: regex.search(op.name))


def get_name_scope_ops(ops: Any, scope: str) -> list[Op]:
    """Those of the ops that stand in a name scope; the scope is taken for a regular expression."""
    return filter_ops_from_regex(ops, f"^{scope.removesuffix('/')}(/.*)?$")


def check_cios(
    control_inputs: bool = False, control_outputs: Control = None, control_ios: Control = None
) -> tuple[bool, Control]:
    """Whether control inputs count, and what knows the control outputs, read anew if they count.

    Args:
        control_inputs: Whether control inputs count.
        control_outputs: A `ControlOutputs`, if control outputs count.
        control_ios: The same, if both count.
    """
    for given in (control_outputs, control_ios):
        if given is not None and not isinstance(given, util.ControlOutputs):
            raise TypeError(f"Expected a util.ControlOutputs, got: {type(given)}")
    if control_ios is not None:
        if control_outputs is not None:
            raise ValueError("control_outputs should be None when using control_ios.")
        control_inputs, control_outputs = True, control_ios
    if control_outputs is not None:
        control_outputs.update()
    return control_inputs, control_outputs


@takes("ops control_inputs=False control_outputs=None control_ios=None")
def get_ops_ios(given: dict[str, Any]) -> list[Op]:
    """The ops next to some ops: before and after each.

    Args:
        ops: Ops, or a graph.
        control_inputs, control_outputs, control_ios: See `check_cios`.
    """
    found: dict[Op, None] = {}
    ops = util.make_list_of_op(given.pop("ops"))
    control_inputs, control_outputs = check_cios(**given)
    for op in ops:
        near = [tensor.op for tensor in op.inputs]
        near += [after for tensor in op.outputs for after in util.users(tensor)]
        near += control_outputs.get(op) if control_outputs is not None else ()
        near += op.control_inputs if control_inputs else ()
        found.update(dict.fromkeys(near))
    return list(found)


def compute_boundary_ts(ops: Any) -> tuple[list[Tensor], list[Tensor], list[Tensor]]:
    """The tensors that come into a set of ops, those that leave it or end there, and those within.

    One that is used within and without is in the second list and in the third.
    """
    ops = util.make_list_of_op(ops)
    taken, given = _inputs(ops), _outputs(ops)
    own, made = set(ops), set(given)
    inside = [tensor for tensor in taken if tensor in made]
    hidden = {tensor for tensor in inside if own.issuperset(util.users(tensor))}
    return (
        [tensor for tensor in taken if tensor not in made],
        [tensor for tensor in given if tensor not in hidden],
        inside,
    )


def get_within_boundary_ops(
    ops: Any,
    seed_ops: Any,
    boundary_ops: Any = (),
    inclusive: bool = True,
    control_inputs: bool = False,
    control_outputs: Control = None,
    control_ios: Control = None,
) -> list[Op]:
    """Those of the ops that are reached from seeds, forward and backward, without crossing others.

    Args:
        ops: Ops, or a graph.
        seed_ops: Where to begin.
        boundary_ops: The ops not to cross.
        inclusive: Whether those of them that are reached count.
        control_inputs, control_outputs, control_ios: See `check_cios`.
    """
    control_inputs, control_outputs = check_cios(control_inputs, control_outputs, control_ios)
    ops = util.make_list_of_op(ops)
    wave = set(util.make_list_of_op(seed_ops, allow_graph=False))
    boundary, found = set(util.make_list_of_op(boundary_ops)), set(wave)
    if boundary & wave:
        raise ValueError("Boundary is intersecting with the seeds.")
    while wave:
        near = set(get_ops_ios(wave, control_inputs, control_outputs)) - found
        wave = near - boundary
        found |= near if inclusive else wave
    return [op for op in ops if op in found]


def _walk(
    given: dict[str, Any],
    of_tensors: Callable[[Any], list[Op]],
    following: Callable[[Op], Iterable[Op]],
) -> list[Op]:
    within, keep = given["within_ops"], given["within_ops_fn"]
    seeds = _seeds(given["seed_ops"], of_tensors)
    if within is not None:
        within = set(util.make_list_of_op(within, allow_graph=False))
    begin = dict.fromkeys(op for op in seeds if not within or op in within)
    found, wave = dict(begin), list(begin)
    while wave:
        near = op_edits.in_order(after for op in wave for after in following(op))
        wave = [
            op
            for op in near
            if op not in found and (within is None or op in within) and (keep is None or keep(op))
        ]
        found.update(dict.fromkeys(wave))
    return [op for op in found if given["inclusive"] or op not in begin]


def _seeds(given: Any, of_tensors: Callable[[Any], list[Op]]) -> list[Op]:
    given = list(given) if util.is_iterable(given) else [given]
    if given and isinstance(given[0], _tf.Tensor):
        return of_tensors(given)
    return util.make_list_of_op(given, allow_graph=False)


_WALK = "seed_ops inclusive=True within_ops=None within_ops_fn=None stop_at_ts=()"
_BOTH = (
    "forward_seed_ops backward_seed_ops forward_inclusive=True backward_inclusive=True "
    "within_ops=None within_ops_fn=None control_inputs=False control_outputs=None control_ios=None"
)


@takes(f"{_WALK} control_outputs=None")
def get_forward_walk_ops(given: dict[str, Any]) -> list[Op]:
    """The ops that are reached from some, from op to those that use what it gives.

    Args:
        seed_ops: Ops to begin with, or tensors whose users to begin with.
        inclusive: Whether those count.
        within_ops: The only ops that count.
        within_ops_fn: A function that says of an op whether it counts.
        stop_at_ts: Tensors not to go along.
        control_outputs: A `ControlOutputs`, if those that wait for an op are reached, too.
    """
    _, control_outputs = check_cios(False, given["control_outputs"])
    stop = set(util.make_list_of_t(given["stop_at_ts"]))

    def following(op: Op) -> list[Op]:
        after = [use for t in op.outputs if t not in stop for use in util.users(t)]
        return after + list(control_outputs.get(op) if control_outputs is not None else ())

    return _walk(given, util.get_consuming_ops, following)


@takes(f"{_WALK} control_inputs=False")
def get_backward_walk_ops(given: dict[str, Any]) -> list[Op]:
    """The ops that are reached from some, from op to those whose tensors it takes.

    Args:
        seed_ops: Ops to begin with, or tensors with whose ops to begin.
        control_inputs: Whether those that an op waits for are reached, too.
        others: As for `get_forward_walk_ops`.
    """
    stop = set(util.make_list_of_t(given["stop_at_ts"]))

    def following(op: Op) -> list[Op]:
        before = [tensor.op for tensor in op.inputs if tensor not in stop]
        return before + list(op.control_inputs if given["control_inputs"] else ())

    return _walk(given, util.get_generating_ops, following)


def _both_walks(
    after: Any, before: Any, with_after: bool, with_before: bool, within: Any, keep: Any, *cios: Any
) -> tuple[list[Op], list[Op]]:
    """The walks forward and backward of what the two functions below take, in their order."""
    inputs, outputs = check_cios(*cios)
    return (
        get_forward_walk_ops(after, with_after, within, keep, control_outputs=outputs),
        get_backward_walk_ops(before, with_before, within, keep, control_inputs=inputs),
    )


@takes(_BOTH)
def get_walks_intersection_ops(given: dict[str, Any]) -> list[Op]:
    """The ops between some and others: on a walk forward from the first, and backward from the second.

    Args:
        forward_seed_ops: See `get_forward_walk_ops`.
        backward_seed_ops: See `get_backward_walk_ops`.
        forward_inclusive: Whether the first count, as far as the walk forward goes.
        backward_inclusive: Whether the second count, as far as the walk backward goes.
        within_ops: The only ops that count.
        within_ops_fn: A function that says of an op whether it counts.
        control_inputs, control_outputs, control_ios: See `check_cios`.
    """
    forward, backward = _both_walks(*given.values())
    both = set(backward)
    return [op for op in forward if op in both]


@takes(_BOTH)
def get_walks_union_ops(given: dict[str, Any]) -> list[Op]:
    """The ops of either walk; see `get_walks_intersection_ops`."""
    return util.concatenate_unique(*_both_walks(*given.values()))


def _select(args: Any, options: dict[str, Any], of_ops: bool) -> list[Any]:
    own, other = ("ops", "ts") if of_ops else ("ts", "ops")
    known = {"graph", "positive_filter", "restrict_ops_regex", "restrict_ts_regex"}
    for name in options.keys() - known:
        raise ValueError(f"Wrong keywords argument: {name}.")
    graph, keep = options.get("graph"), options.get("positive_filter")
    if graph is not None and not isinstance(graph, _tf.Graph):
        raise TypeError(f"Expected a tf.Graph, got: {type(graph)}")
    found: list[Any] = []
    for arg in args:
        if not can_be_regex(arg):
            listed = util.make_list_of_op if of_ops else util.make_list_of_t
            chosen = listed(arg, True, True, True)
        elif graph is None:
            raise ValueError("Use the keyword argument 'graph' to use regex.")
        else:
            regex = make_regex(arg)
            marked = regex.pattern.startswith(f"(?#{own})")
            strict = options.get(f"restrict_{own}_regex")
            if regex.pattern.startswith(f"(?#{other})") or (strict and not marked):
                continue
            chosen = (filter_ops_from_regex if of_ops else filter_ts_from_regex)(graph, regex)
        util.concatenate_unique(found, [each for each in chosen if keep is None or keep(each)])
    return found


def select_ops(*args: Any, **kwargs: Any) -> list[Op]:
    """Ops by their names, or as they are given, each once.

    Args:
        args: Regular expressions, ops, lists of ops. Tensors are left out, and so are expressions
            that begin with `(?#ts)`.
        kwargs: `graph`, where the names are looked for; `positive_filter`, a function that says
            what to keep; `restrict_ops_regex`: only expressions that begin with `(?#ops)` count.
    """
    return _select(args, kwargs, of_ops=True)


def select_ts(*args: Any, **kwargs: Any) -> list[Tensor]:
    """Tensors by their names, or as they are given; like `select_ops`, `ts` and `ops` exchanged."""
    return _select(args, kwargs, of_ops=False)


def select_ops_and_ts(*args: Any, **kwargs: Any) -> tuple[list[Op], list[Tensor]]:
    """`select_ops`, and `select_ts` with only those expressions that begin with `(?#ts)`."""
    return (
        select_ops(*args, restrict_ops_regex=False, **kwargs),
        select_ts(*args, restrict_ts_regex=True, **kwargs),
    )
