"""Copies of a part of a graph, in the same graph or in another, with some inputs replaced."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfqueue import _tensorflow
from tfqueue._tensorflow import op_edits
from tfqueue.contrib.graph_editor import reroute, select, subgraph, util
from tfqueue.v1._signatures import takes
from tfqueue.v1._types import Graph, Op, Tensor

_tf = _tensorflow.compat_v1()


def replace_t_with_placeholder_handler(info: _Copying, t: Tensor) -> Tensor:
    """A placeholder in place of a tensor."""
    with info.graph_.as_default():
        return util.make_placeholder_from_tensor(t, scope=info.scope_)


def keep_t_if_possible_handler(info: _Copying, t: Tensor) -> Tensor:
    """The tensor itself where the copy is in its graph, else a placeholder."""
    return t if info.graph is info.graph_ else replace_t_with_placeholder_handler(info, t)


def assign_renamed_collections_handler(info: _Copying, elem: Any, elem_: Any) -> None:
    """Puts a copy into the collections of the original; those that TensorFlow does not know are renamed."""
    for name, collection in info.collections.items():
        if any(each is elem for each in collection):
            renamed = name if name in info.known_collections else info.new_name(name)
            info.graph_.add_to_collection(renamed, elem_)


def transform_op_if_inside_handler(
    info: _Copying, op: Op, keep_if_possible: bool = True
) -> Op | None:
    """The copy of an op, or the op itself where it is not copied and its graph is the same.

    Args:
        info: The copying.
        keep_if_possible: Whether an op that is not copied may stand for itself.
    """
    if op in info.ops:
        return info.transformed_ops[op]
    return op if keep_if_possible and info.graph is info.graph_ else None


def copy_op_handler(
    info: _Copying,
    op: Op,
    new_inputs: list[Tensor],
    copy_shape: bool = False,
    nodedef_fn: Callable[[Any], Any] | None = None,
) -> tuple[Op, list[Tensor]]:
    """A copy of an op, and its outputs.

    Args:
        info: The copying.
        new_inputs: The inputs of the copy.
        copy_shape: Whether the outputs get the shapes of the original's.
        nodedef_fn: A function from the copy's `NodeDef` to the one to take.
    """
    if isinstance(new_inputs, bool):
        raise TypeError("the `new_inputs` argument must be an iterable.")
    name = info.graph_.unique_name(info.new_name(op.name))
    made = op_edits.copied(op, name, info.graph_, new_inputs, nodedef_fn)
    if copy_shape:
        for before, after in zip(op.outputs, made.outputs, strict=True):
            after.set_shape(before.shape)
    return made, made.outputs


class TransformerInfo:
    """What was copied, and to what.

    Args:
        info: The copying.
    """

    def __init__(self, info: _Copying) -> None:
        self._graph, self._scope = info.graph, info.scope
        self._graph_, self._scope_ = info.graph_, info.scope_
        self._transformed_ops: dict[Op, Op] = info.transformed_ops
        self._transformed_ts: dict[Tensor, Tensor] = info.transformed_ts

    def _map(self, top: Any) -> dict[Any, Any]:
        if isinstance(top, _tf.Operation):
            return self._transformed_ops
        if isinstance(top, _tf.Tensor):
            return self._transformed_ts
        raise TypeError(f"Expected a tf.Tensor or a tf.Operation, got a {type(top)}")

    def transformed(self, original: Any, missing_fn: Callable[[Any], Any] | None = None) -> Any:
        """The copy of an op or tensor, or a nest of them.

        Args:
            original: An op, a tensor, or a nest of them.
            missing_fn: A function that says what stands for one that was not copied, else None.
        """

        def find(top: Any) -> Any:
            found = self._map(top).get(top)
            return missing_fn(top) if found is None and missing_fn else found

        return util.transform_tree(original, find)

    def original(self, transformed: Any, missing_fn: Callable[[Any], Any] | None = None) -> Any:
        """What a copy was made of; like `transformed`."""

        def find(top: Any) -> Any:
            found = next((a for a, b in self._map(top).items() if b is top), None)
            return missing_fn(top) if found is None and missing_fn else found

        return util.transform_tree(transformed, find)

    def __str__(self) -> str:
        same = self._graph is self._graph_
        where = (
            f"  Within graph[{id(self._graph)}]{'' if self._scope_ else ' IN-PLACE'}\n"
            if same
            else f"  graph[{id(self._graph)}] => graph[{id(self._graph_)}]\n"
        )
        scopes = f"  Relative to source scope: {self._scope}\n" if self._scope else ""
        scopes += f"  Scope destination: {self._scope_}\n" if self._scope_ else ""
        ops = "".join(f"  {a.name} => {b.name}\n" for a, b in self._transformed_ops.items())
        return f"Transform result info:\n{where}{scopes}Operations mapping:\n{ops}"


class _Copying:
    """What the handlers of a `Transformer` are told of one copying.

    Args:
        sgv: The view that is copied.
        dst_graph: The graph it is copied to.
        dst_scope: The name scope it is copied to.
        src_scope: The name scope that this stands for.
    """

    def __init__(
        self, sgv: subgraph.SubGraphView, dst_graph: Graph, dst_scope: str, src_scope: str
    ) -> None:
        self.sgv = sgv
        self.sgv_inputs_set = frozenset(sgv.inputs)
        self.ops = frozenset(sgv.ops)
        self.control_outputs = util.ControlOutputs(sgv.graph)
        self.graph, self.scope = sgv.graph, src_scope
        self.graph_, self.scope_ = dst_graph, dst_scope
        self.transformed_ops: dict[Op, Op] = {}
        self.transformed_ts: dict[Tensor, Tensor] = {}
        keys = self.graph.get_all_collection_keys()
        self.collections = {key: self.graph.get_collection(key) for key in keys}
        self.known_collections = frozenset(util.get_predefined_collection_names())
        # tensor that was not copied yet, what stands for it, and the op that takes it
        self.tmp_cyclic_ts: list[tuple[Tensor, Tensor, Op]] = []

    def new_name(self, name: str) -> str:
        """The name of a copy, which may be taken yet."""
        if not name.startswith(self.scope):
            raise ValueError(f"{name} does not belong to source scope: {self.scope}.")
        return self.scope_ + name[len(self.scope) :]


class Transformer:
    """Copies a part of a graph (`tf.contrib.graph_editor.Transformer`); its handlers may be replaced.

    `transform_op_handler` copies an op, `assign_collections_handler` puts a copy into collections,
    `transform_external_input_handler` says what stands for an input of the view,
    `transform_external_hidden_input_handler` what for another tensor from outside, and
    `transform_control_input_handler` and `transform_original_op_handler` what for an op.
    """

    def __init__(self) -> None:
        self.transform_op_handler: Callable[..., Any] = copy_op_handler
        self.transform_control_input_handler: Callable[..., Any] = transform_op_if_inside_handler
        self.assign_collections_handler: Callable[..., Any] = assign_renamed_collections_handler
        self.transform_external_input_handler: Callable[..., Any] = (
            replace_t_with_placeholder_handler
        )
        self.transform_external_hidden_input_handler: Callable[..., Any] = (
            keep_t_if_possible_handler
        )
        self.transform_original_op_handler: Callable[..., Any] = transform_op_if_inside_handler

    def __call__(
        self,
        sgv: Any,
        dst_graph: Graph,
        dst_scope: str,
        src_scope: str = "",
        reuse_dst_scope: bool = False,
    ) -> tuple[subgraph.SubGraphView, TransformerInfo]:
        """Copies.

        Args:
            sgv: A view, or what `make_view` takes.
            dst_graph: The graph to copy to.
            dst_scope: The name scope to copy to.
            src_scope: The name scope that this stands for.
            reuse_dst_scope: Whether `dst_scope` may be there already; else it is made unique.

        Returns:
            A view of the copy, and what was copied to what.
        """
        sgv = subgraph.make_view(sgv)
        if not isinstance(dst_graph, _tf.Graph):
            raise TypeError(f"Expected a tf.Graph, got: {type(dst_graph)}")
        if dst_scope and not reuse_dst_scope:
            dst_scope = dst_graph.unique_name(dst_scope.removesuffix("/"))
        info = _Copying(
            sgv, dst_graph, util.scope_finalize(dst_scope), util.scope_finalize(src_scope)
        )
        self._copy_ops(info)
        for tensor, stand_in, user in info.tmp_cyclic_ts:
            user_ = info.transformed_ops[user]
            place = next(i for i, each in enumerate(user_.inputs) if each is stand_in)
            op_edits.set_input(user_, place, info.transformed_ts[tensor])
        self._connect(info)
        return self._view(info), TransformerInfo(info)

    def _copy_ops(self, info: _Copying) -> None:
        for op in op_edits.in_order(info.sgv.ops):
            inputs = [self._copy_of(info, tensor, op) for tensor in op.inputs]
            made, outputs = self.transform_op_handler(info, op, inputs)
            if made is op:
                raise ValueError("In-place transformation not allowed.")
            info.transformed_ops[op] = made
            self.assign_collections_handler(info, op, made)
            for before, after in zip(op.outputs, outputs, strict=False):
                info.transformed_ts[before] = after
                self.assign_collections_handler(info, before, after)

    def _copy_of(self, info: _Copying, t: Tensor, user: Op) -> Tensor:
        """What stands for a tensor that an op takes."""
        if t in info.transformed_ts:
            return info.transformed_ts[t]
        if t in info.sgv_inputs_set:
            return self.transform_external_input_handler(info, t)
        if t.op not in info.ops:
            return self.transform_external_hidden_input_handler(info, t)
        # It comes from a later op, as in a loop: something stands for it until that is copied.
        if user.type == "Merge":
            stand_in = self._copy_of(info, user.inputs[0], user)
        elif t.op.type == "Enter":
            stand_in = self._copy_of(info, t.op.inputs[0], user)
        else:
            with info.graph_.as_default():
                stand_in = util.make_placeholder_from_tensor(t, info.scope_, "geph_tmp")
        info.tmp_cyclic_ts.append((t, stand_in, user))
        return stand_in

    def _connect(self, info: _Copying) -> None:
        """Control inputs and original ops, which may be copied after what has them."""
        for op in info.sgv.ops:
            made, original = info.transformed_ops[op], op_edits.original_op(op)
            if original is not None:
                original = self.transform_original_op_handler(info, original)
                if original is not None:
                    op_edits.set_original_op(made, original)
            before = [
                self.transform_control_input_handler(info, each) for each in op.control_inputs
            ]
            reroute.add_control_inputs(made, [each for each in before if each is not None])

    def _view(self, info: _Copying) -> subgraph.SubGraphView:
        made = subgraph.SubGraphView(list(info.transformed_ops.values()))

        def among(before: list[Tensor], after: list[Tensor]) -> list[Tensor]:
            copies = [info.transformed_ts.get(tensor) for tensor in before]
            return [copy for copy in copies if copy is not None and copy in after]

        return made.remap(
            among(info.sgv.inputs, made.inputs), among(info.sgv.outputs, made.outputs)
        )


@takes("sgv dst_graph=None dst_scope='' src_scope='' reuse_dst_scope=False")
def copy(given: dict[str, Any]) -> tuple[subgraph.SubGraphView, TransformerInfo]:
    """A copy of a part of a graph, with placeholders for inputs (`tf.contrib.graph_editor.copy`).

    Args:
        sgv: A view, or what `make_view` takes.
        dst_graph: The graph to copy to, or None for the same.
        others: As for a `Transformer`, which this calls.
    """
    given["sgv"] = subgraph.make_view(given["sgv"])
    if given["dst_graph"] is None:
        given["dst_graph"] = given["sgv"].graph
    return Transformer()(**given)


def copy_with_input_replacements(
    sgv: Any,
    replacement_ts: dict[Tensor, Tensor],
    dst_graph: Graph = None,
    dst_scope: str = "",
    src_scope: str = "",
    reuse_dst_scope: bool = False,
) -> tuple[subgraph.SubGraphView, TransformerInfo]:
    """A copy of a part of a graph, some inputs replaced.

    Args:
        sgv: See `copy`; so are the others.
        replacement_ts: Dict from an input of the view to what stands for it in the copy.

    Returns:
        A view of the copy, and what was copied to what.
    """
    sgv = subgraph.make_view(sgv)

    def replaced(info: _Copying, t: Tensor) -> Tensor:
        return replacement_ts[t] if t in replacement_ts else keep_t_if_possible_handler(info, t)

    copier = Transformer()
    copier.transform_external_input_handler = replaced
    graph = sgv.graph if dst_graph is None else dst_graph
    return copier(sgv, graph, dst_scope, src_scope, reuse_dst_scope)


def _whole_loops(ops: list[Op], control_ios: util.ControlOutputs) -> list[Op]:
    """`ops` with all of each `tf.while_loop` that one of them is in."""
    loops = dict.fromkeys(op_edits.while_context(op) for op in ops)
    found = list(ops)
    for loop in loops:
        if loop is not None:
            enters, exits = ([t.op for t in ts] for ts in (loop.loop_enters, loop.loop_exits))
            between = select.get_walks_intersection_ops(enters, exits, control_ios=control_ios)
            util.concatenate_unique(found, between)
    return found


def graph_replace(
    target_ts: Any,
    replacement_ts: dict[Tensor, Tensor],
    dst_scope: str = "",
    src_scope: str = "",
    reuse_dst_scope: bool = False,
) -> Any:
    """Tensors computed anew from other tensors (`tf.contrib.graph_editor.graph_replace`).

    Args:
        target_ts: A tensor, or a nest of them.
        replacement_ts: Dict from a tensor that they are computed from to what stands for it.
        dst_scope: See `copy`; so are the others.

    Returns:
        The same for the copies; a tensor that no replaced one leads to is itself.

    Raises:
        ValueError: If none is computed from a tensor that is replaced.
    """
    targets = util.flatten_tree(target_ts)
    control_ios = util.ControlOutputs(util.get_unique_graph(targets, check_types=_tf.Tensor))
    ops = select.get_walks_intersection_ops(list(replacement_ts), targets, control_ios=control_ios)
    if not ops:
        raise ValueError("Targets and replacements are not connected!")
    whole = _whole_loops(ops, control_ios)
    _, info = copy_with_input_replacements(
        whole, replacement_ts, None, dst_scope, src_scope, reuse_dst_scope
    )
    return info.transformed(target_ts, lambda tensor: tensor)
