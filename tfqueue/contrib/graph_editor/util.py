"""Lists of ops and tensors of one graph, nests of them, and placeholders that stand for tensors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from tfqueue import _tensorflow
from tfqueue._tensorflow import op_building, op_edits
from tfqueue.v1._types import DType, Graph, Op, Shape, Tensor

_tf = _tensorflow.compat_v1()
PREFIX = "geph"
"""What the names of placeholders begin with that stand for a tensor."""


def concatenate_unique(la: list[Any], lb: Iterable[Any]) -> list[Any]:
    """Adds to a list what it does not have yet, and returns it."""
    there = set(la)
    la += [each for each in dict.fromkeys(lb) if each not in there]
    return la


def is_iterable(obj: Any) -> bool:
    """Whether an object has parts; a tensor and a variable have none."""
    if isinstance(obj, _tf.Tensor | _tf.Variable):
        return False
    try:
        iter(obj)
    except TypeError:
        return False
    return True


def flatten_tree(tree: Any, leaves: list[Any] | None = None) -> list[Any]:
    """The leaves of a nest, of a dict its values', added to a list."""
    leaves = [] if leaves is None else leaves
    if not is_iterable(tree):
        leaves.append(tree)
        return leaves
    for child in tree.values() if isinstance(tree, dict) else tree:
        flatten_tree(child, leaves)
    return leaves


def transform_tree(tree: Any, fn: Callable[[Any], Any], iterable_type: type = tuple) -> Any:
    """A nest like `tree`, of what `fn` gives for each leaf.

    Args:
        tree: The nest.
        fn: A function of a leaf.
        iterable_type: What becomes of parts that are no list, tuple or dict.
    """
    if not is_iterable(tree):
        return fn(tree)
    if isinstance(tree, dict):
        return type(tree)((key, transform_tree(child, fn)) for key, child in tree.items())
    parts = [transform_tree(child, fn) for child in tree]
    if hasattr(tree, "_asdict"):
        return type(tree)(*parts)
    return (type(tree) if isinstance(tree, Sequence) else iterable_type)(parts)


def check_graphs(*args: Any) -> None:
    """Raises ValueError where views are of several graphs; one without a graph goes with any."""
    graphs = [view.graph for view in args if view.graph is not None]
    if any(graph is not graphs[0] for graph in graphs):
        raise ValueError("Wrong graph: the views are of different graphs")


def get_unique_graph(tops: Any, check_types: Any = None, none_if_empty: bool = False) -> Graph:
    """The one graph of some ops and tensors.

    Args:
        tops: The ops and tensors, or the graph itself.
        check_types: The type, or types, that they may be of.
        none_if_empty: Whether it is None where there are none.

    Raises:
        TypeError: If one is of another type.
        ValueError: If there is more than one graph, or none.
    """
    if isinstance(tops, _tf.Graph):
        return tops
    if not is_iterable(tops):
        raise TypeError(f"{type(tops)} is not iterable")
    types = (_tf.Operation, _tf.Tensor) if check_types is None else check_types
    types = tuple(types) if is_iterable(types) else (types,)
    graph = None
    for each in tops:
        if not isinstance(each, types):
            names = ", ".join(str(kind) for kind in types)
            raise TypeError(f"Expected a type in ({names}), got: {type(each)}")
        graph = graph or each.graph
        if each.graph is not graph:
            raise ValueError(f"{each} does not belong to the graph of those before it")
    if graph is None and not none_if_empty:
        raise ValueError("An empty list has no graph")
    return graph


def _listed(given: Any, kind: Any, check_graph: bool, allow_graph: bool, others: bool) -> list[Any]:
    if isinstance(given, _tf.Graph):
        if not allow_graph:
            raise TypeError("A tf.Graph is not taken here")
        return get_tensors(given) if kind is _tf.Tensor else given.get_operations()
    found = list(given) if is_iterable(given) else [given]
    if found and check_graph:
        get_unique_graph(found, check_types=None if others else kind)
    return [each for each in found if isinstance(each, kind)]


def make_list_of_op(
    ops: Any, check_graph: bool = True, allow_graph: bool = True, ignore_ts: bool = False
) -> list[Op]:
    """Some ops as a new list (`tf.contrib.graph_editor.make_list_of_op`).

    Args:
        ops: An op, several of them, or a graph.
        check_graph: Whether they must be ops, and of one graph.
        allow_graph: Whether it may be a graph.
        ignore_ts: Whether tensors among them are left out.

    Raises:
        TypeError: If something else is among them.
        ValueError: If they are of several graphs.
    """
    return _listed(ops, _tf.Operation, check_graph, allow_graph, ignore_ts)


def make_list_of_t(
    ts: Any, check_graph: bool = True, allow_graph: bool = True, ignore_ops: bool = False
) -> list[Tensor]:
    """Some tensors as a new list, like `make_list_of_op`."""
    return _listed(ts, _tf.Tensor, check_graph, allow_graph, ignore_ops)


def get_tensors(graph: Graph) -> list[Tensor]:
    """All tensors of a graph."""
    if not isinstance(graph, _tf.Graph):
        raise TypeError(f"Expected a graph, got: {type(graph)}")
    return [tensor for op in graph.get_operations() for tensor in op.outputs]


def get_generating_ops(ts: Any) -> list[Op]:
    """The op of each tensor."""
    return [tensor.op for tensor in make_list_of_t(ts, allow_graph=False)]


def users(tensor: Tensor) -> list[Op]:
    """The ops that take a tensor, in the order in which the graph has them."""
    return op_edits.in_order(op_building.consumers(tensor))


def get_consuming_ops(ts: Any) -> list[Op]:
    """The ops that take one of the tensors, each once."""
    tensors = make_list_of_t(ts, allow_graph=False)
    return list(dict.fromkeys(op for tensor in tensors for op in users(tensor)))


class ControlOutputs:
    """Which ops wait for which (`tf.contrib.graph_editor.ControlOutputs`).

    Args:
        graph: The graph. After it has grown, `update` reads it again.
    """

    def __init__(self, graph: Graph) -> None:
        if not isinstance(graph, _tf.Graph):
            raise TypeError(f"Expected a tf.Graph, got: {type(graph)}")
        self._graph = graph
        self._version: Any = None
        self._waiting: dict[Op, list[Op]] = {}
        self.update()

    def update(self) -> ControlOutputs:
        """Reads the graph again if it has grown."""
        if self._version != self._graph.version:
            self._waiting.clear()
            for op in self._graph.get_operations():
                for before in dict.fromkeys(op.control_inputs):
                    self._waiting.setdefault(before, []).append(op)
            self._version = self._graph.version
        return self

    def get_all(self) -> dict[Op, list[Op]]:
        """Dict from an op to those that wait for it."""
        return self._waiting

    def get(self, op: Op) -> Sequence[Op]:
        """The ops that wait for one."""
        return self._waiting.get(op, ())

    @property
    def graph(self) -> Graph:
        """The graph."""
        return self._graph


def scope_finalize(scope: str) -> str:
    """A name scope with its slash."""
    return scope if not scope or scope.endswith("/") else f"{scope}/"


def placeholder_name(t: Tensor = None, scope: str | None = None, prefix: str = PREFIX) -> str:
    """The name of a placeholder that stands for a tensor.

    Args:
        t: The tensor, or None.
        scope: Name scope; None is the tensor's own.
        prefix: What the name begins with.
    """
    if t is None:
        return f"{scope_finalize(scope or '')}{prefix}"
    if not isinstance(t, _tf.Tensor):
        raise TypeError(f"Expected a tf.Tensor, got: {type(t)}")
    own, slash, name = t.op.name.rpartition("/")
    if not name.startswith(f"{prefix}__"):
        name = f"{prefix}__{name}_{t.value_index}"
    return (own + slash if scope is None else scope_finalize(scope)) + name


def make_placeholder_from_tensor(
    t: Tensor, scope: str | None = None, prefix: str = PREFIX
) -> Tensor:
    """A placeholder of a tensor's dtype and shape, in the default graph; see `placeholder_name`."""
    return _tf.placeholder(t.dtype, t.shape, name=placeholder_name(t, scope=scope, prefix=prefix))


def make_placeholder_from_dtype_and_shape(
    dtype: DType, shape: Shape = None, scope: str | None = None, prefix: str = PREFIX
) -> Tensor:
    """A placeholder named `geph` (`tf.contrib.graph_editor.ph`).

    Args:
        shape: Its shape, if that is known.
        prefix: Another name.
    """
    return _tf.placeholder(dtype, shape, name=placeholder_name(scope=scope, prefix=prefix))


def get_predefined_collection_names() -> list[str]:
    """The names of TensorFlow's own collections."""
    keys = _tf.GraphKeys
    values = [getattr(keys, key) for key in dir(keys) if not key.startswith("__")]
    return [value for value in values if isinstance(value, str)]
