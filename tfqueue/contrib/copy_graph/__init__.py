"""`tf.contrib.copy_graph`: copies ops and variables of one graph into another."""

from collections.abc import Iterable
from typing import Any

from tfqueue import _tensorflow
from tfqueue.v1 import _lazy_names
from tfqueue.v1._types import Graph, Tensor

_tf = _tensorflow.compat_v1()

__all__ = ["copy_op_to_graph", "copy_variable_to_graph", "get_copied_op"]


def _below(scope: str, name: str) -> str:
    return f"{scope}/{name}" if scope else name


def _collections(one: Any, scope: str, kept: tuple[str, ...] = ()) -> list[str]:
    """The names of the collections that the copy of a graph's element is in."""
    graph = one.graph
    names = [
        n for n in graph.collections if any(each is one for each in graph.get_collection_ref(n))
    ]
    return [name if name in kept else _below(scope, name) for name in names]


def copy_variable_to_graph(org_instance: Tensor, to_graph: Graph, scope: str = "") -> Tensor:
    """A variable of another graph, with the same first value (`tf.contrib.copy_graph.copy_variable_to_graph`).

    Args:
        org_instance: The variable.
        to_graph: The graph for the new one.
        scope: What is put before its name, and before the names of collections but of those of variables.

    Raises:
        TypeError: If it is no variable.
    """
    if not isinstance(org_instance, _tf.Variable):
        raise TypeError(f"{org_instance!r} is no variable")
    keys = _tf.GraphKeys.GLOBAL_VARIABLES, _tf.GraphKeys.TRAINABLE_VARIABLES
    collections = _collections(org_instance, scope, keys)
    with org_instance.graph.as_default(), _tf.Session() as session:
        value = session.run(org_instance.initialized_value())
    with to_graph.as_default():
        return _tf.Variable(
            value,
            trainable=keys[1] in collections,
            name=_below(scope, org_instance.op.name),
            collections=collections,
            validate_shape=False,
        )


def copy_op_to_graph(
    org_instance: Any, to_graph: Graph, variables: Iterable[Tensor], scope: str = ""
) -> Any:
    """An op or a tensor of another graph, and all that it needs (`tf.contrib.copy_graph.copy_op_to_graph`).

    Args:
        org_instance: The op, or the tensor.
        to_graph: The graph for the copies. What has a copy there is not copied again.
        variables: The copies of the variables that it needs.
        scope: What is put before the names of ops and collections.

    Raises:
        TypeError: If it is neither.
    """
    if not isinstance(org_instance, (_tf.Operation, _tf.Tensor)):
        raise TypeError(f"{org_instance!r} is no op and no tensor")
    variables = list(variables)
    name = _below(scope, org_instance.name)
    if name in {one.name for one in variables}:
        return to_graph.get_tensor_by_name(name)
    try:
        return to_graph.as_graph_element(name)
    except (KeyError, ValueError):
        copied = _copied(org_instance, to_graph, variables, scope)
    if isinstance(org_instance, _tf.Tensor):
        for collection in _collections(org_instance, scope):
            to_graph.add_to_collection(collection, copied)
    return copied


def _copied(one: Any, graph: Graph, variables: list[Tensor], scope: str) -> Any:
    if isinstance(one, _tf.Tensor):
        return copy_op_to_graph(one.op, graph, variables, scope).outputs[one.value_index]
    before = [copy_op_to_graph(each, graph, variables, scope) for each in one.control_inputs]
    inputs = [copy_op_to_graph(each, graph, variables, scope) for each in one.inputs]
    with graph.as_default(), graph.control_dependencies(None), graph.control_dependencies(before):
        with graph.device(one.device or None), graph.name_scope(None):
            return graph.create_op(
                one.type,
                inputs,
                [each.dtype.base_dtype for each in one.outputs],
                name=f"{_below(scope, one.name)}/",
                attrs=dict(one.node_def.attr),
                compute_device=True,
            )


def get_copied_op(org_instance: Any, graph: Graph, scope: str = "") -> Any:
    """The copy of an op or a tensor in another graph (`tf.contrib.copy_graph.get_copied_op`).

    Raises:
        KeyError: If it has none.
    """
    return graph.as_graph_element(_below(scope, org_instance.name))


__getattr__, __dir__ = _lazy_names.attributes(__name__, {})
