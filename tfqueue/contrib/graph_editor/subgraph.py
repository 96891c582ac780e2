"""Views of a part of a graph: its ops, the tensors that come in, the tensors that leave."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from tfqueue import _tensorflow
from tfqueue.contrib.graph_editor import select, util
from tfqueue.v1._types import Graph, Op, Tensor

_tf = _tensorflow.compat_v1()


def _places(given: Any, ts: list[Tensor], repeated: bool) -> list[int]:
    """Places in a list, given as numbers or as tensors of it."""
    found = [each if isinstance(each, int) else ts.index(each) for each in given]
    for place in found:
        if not 0 <= place < len(ts):
            raise ValueError(f"Out of [0, {len(ts)}[ range: {place}")
    if not repeated and len(set(found)) != len(found):
        raise ValueError(f"Found repetition in mapping: {found}")
    return found


class SubGraphView:
    """A part of a graph (`tf.contrib.graph_editor.SubGraphView`).

    Args:
        inside_ops: Its ops.
        passthrough_ts: Tensors that come in and leave as they are. Those that an op of the
            view takes or gives are left out.
    """

    def __init__(self, inside_ops: Any = (), passthrough_ts: Any = ()) -> None:
        self._ops = util.make_list_of_op(inside_ops)
        through = util.make_list_of_t(passthrough_ts)
        self._graph = util.get_unique_graph(self._ops + through, none_if_empty=True)
        inputs, outputs, inside = select.compute_boundary_ts(self._ops)
        own = {*inputs, *outputs, *inside}
        self._passthrough_ts = [tensor for tensor in through if tensor not in own]
        self._input_ts = inputs + self._passthrough_ts
        self._output_ts = outputs + self._passthrough_ts

    def __copy__(self) -> SubGraphView:
        made = object.__new__(type(self))
        made._assign_from(self)
        return made

    def _assign_from(self, other: SubGraphView) -> None:
        """Makes this a view of what another is."""
        if not isinstance(other, SubGraphView):
            raise TypeError(f"Expected SubGraphView, got: {type(other)}")
        for name, value in vars(other).items():
            setattr(self, name, list(value) if isinstance(value, list) else value)

    def copy(self) -> SubGraphView:
        """Another view of the same; nothing of the graph is copied."""
        return copy.copy(self)

    def _changed(self, **lists: list[Any]) -> SubGraphView:
        made = self.copy()
        vars(made).update({f"_{name}": value for name, value in lists.items()})
        return made

    def remap_default(
        self, remove_input_map: bool = True, remove_output_map: bool = True
    ) -> SubGraphView:
        """A view with all its inputs, all its outputs, or both."""
        whole, lists = SubGraphView(self._ops), {}
        if remove_input_map:
            lists["input_ts"] = whole._input_ts + self._passthrough_ts
        if remove_output_map:
            lists["output_ts"] = whole._output_ts + self._passthrough_ts
        return self._changed(**lists)

    def remap_inputs(self, new_input_indices: Any) -> SubGraphView:
        """A view with these inputs in this order, given as places or as tensors, each once."""
        places = _places(new_input_indices, self._input_ts, repeated=False)
        return self._changed(input_ts=[self._input_ts[place] for place in places])

    def remap_outputs(self, new_output_indices: Any) -> SubGraphView:
        """A view with these outputs in this order, given as places or as tensors."""
        places = _places(new_output_indices, self._output_ts, repeated=True)
        return self._changed(output_ts=[self._output_ts[place] for place in places])

    def remap(self, new_input_indices: Any = None, new_output_indices: Any = None) -> SubGraphView:
        """A view with other inputs, outputs, or both."""
        made = self.copy()
        if new_input_indices is not None:
            made = made.remap_inputs(new_input_indices)
        if new_output_indices is not None:
            made = made.remap_outputs(new_output_indices)
        return made

    def remap_outputs_make_unique(self) -> SubGraphView:
        """A view with each output once."""
        return self._changed(output_ts=list(dict.fromkeys(self._output_ts)))

    def remap_outputs_to_consumers(self) -> SubGraphView:
        """A view with each output as often as ops take it."""
        outputs = dict.fromkeys(self._output_ts)
        return self._changed(output_ts=[t for t in outputs for _ in util.users(t)])

    def remove_unused_ops(self, control_inputs: bool = True) -> SubGraphView:
        """A view without the ops that neither an input leads to nor an output comes from."""
        used = set(
            select.get_walks_union_ops(
                self.connected_inputs,
                self.connected_outputs,
                within_ops=self._ops,
                control_inputs=control_inputs,
            )
        )
        return self._changed(ops=[op for op in self._ops if op in used])

    def find_op_by_name(self, op_name: str) -> Op:
        """The op of a name; ValueError where there is none."""
        for op in self._ops:
            if op.name == op_name:
                return op
        raise ValueError(f"{op_name} not in subgraph.")

    def __str__(self) -> str:
        if not self:
            return "SubGraphView: empty"

        def part(name: str, elements: list[Any], text: Callable[[Any], str]) -> str:
            if not elements:
                return f"** {name}: empty\n"
            lines = "".join(f"  {text(each)}\n" for each in elements)
            return f"** {name}[{len(elements)}]:\n{lines}"

        def tensor(t: Tensor) -> str:
            return f"{t.name} *" if self.is_passthrough(t) else t.name

        return (
            f"SubGraphView (graphid={id(self.graph)}):\n"
            + part("ops", self._ops, lambda op: op.name)
            + part("inputs", self._input_ts, tensor)
            + part("outputs", self._output_ts, tensor)
        )

    @property
    def graph(self) -> Graph:
        """The graph, or None where nothing is in the view."""
        return self._graph

    @property
    def ops(self) -> list[Op]:
        """The ops."""
        return self._ops

    @property
    def inputs(self) -> list[Tensor]:
        """The tensors that come in."""
        return list(self._input_ts)

    @property
    def outputs(self) -> list[Tensor]:
        """The tensors that leave."""
        return list(self._output_ts)

    @property
    def passthroughs(self) -> list[Tensor]:
        """The tensors that come in and leave as they are."""
        return list(self._passthrough_ts)

    @property
    def connected_inputs(self) -> list[Tensor]:
        """The tensors that come in and that an op takes."""
        return [tensor for tensor in self._input_ts if tensor not in self._passthrough_ts]

    @property
    def connected_outputs(self) -> list[Tensor]:
        """The tensors that leave and that an op gives."""
        return [tensor for tensor in self._output_ts if tensor not in self._passthrough_ts]

    def __bool__(self) -> bool:
        return self._graph is not None

    def op(self, op_id: int) -> Op:
        """The op of a place."""
        return self._ops[op_id]

    def is_passthrough(self, t: Tensor) -> bool:
        """Whether a tensor comes in and leaves as it is."""
        return t in self._passthrough_ts

    def __enter__(self) -> SubGraphView:
        return self

    def __exit__(self, *_: Any) -> None:
        pass

    def input_index(self, t: Tensor) -> int:
        """The place of an input; ValueError where it is none."""
        return self._input_ts.index(t)

    def output_index(self, t: Tensor) -> int:
        """The place of an output; ValueError where it is none."""
        return self._output_ts.index(t)

    def consumers(self) -> list[Op]:
        """The ops outside that take an output."""
        own = set(self._ops)
        found = dict.fromkeys(op for tensor in self._output_ts for op in util.users(tensor))
        return [op for op in found if op not in own]


def make_view(*args: Any, **kwargs: Any) -> SubGraphView:
    """A view of ops and tensors (`tf.contrib.graph_editor.sgv`).

    Args:
        args: What `select_ops_and_ts` takes, or a view, which is returned.
        kwargs: Its options; `graph` is the one that all must be of.
    """
    graph = kwargs.get("graph")
    if len(args) == 1 and isinstance(args[0], SubGraphView):
        view = args[0]
    else:
        view = SubGraphView(*select.select_ops_and_ts(*args, **kwargs))
    if graph is not None and view and not isinstance(graph, _tf.Graph):
        raise TypeError(f"Expected a tf.Graph, got: {type(graph)}")
    if graph is not None and view and view.graph is not graph:
        raise ValueError("Graph mismatch.")
    return view


def make_view_from_scope(scope: str, graph: Graph) -> SubGraphView:
    """A view of a name scope (`tf.contrib.graph_editor.sgv_scope`)."""
    return SubGraphView(select.get_name_scope_ops(graph, scope))
