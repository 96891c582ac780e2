"""What a graph knows of its ops and functions, and TensorFlow of its types and functions."""

import contextlib
import functools
import inspect


@contextlib.contextmanager
def growable(graph):
    """Within the block ops can be added to `graph` even when the user has finalised it.

    Closing a queue that has no runner needs an op that its graph may not have,
    and `MonitoredSession` finalises every graph. If `_unsafe_unfinalize` goes:
    build the supervision ops when the session is made instead.
    """
    finalized = graph.finalized
    if finalized:
        graph._unsafe_unfinalize()
    try:
        with graph.as_default(), graph.control_dependencies(None), graph.device(None):
            yield
    finally:
        if finalized:
            graph.finalize()


def function_graph_def(graph, name):
    """The `FunctionDef` called `name` in `graph`'s library, or None.

    Branches of a v2 `tf.cond` and bodies of a v2 `tf.while_loop` are functions.
    If `_get_function` goes: `graph.as_graph_def().library` has them, slower.
    """
    found = graph._get_function(name)
    if found is None:
        return None
    return getattr(found, "cached_definition", None) or found.definition


def python_function_code():
    """The code object that runs while a `py_func` (or `numpy_function`) is called.

    If `FuncRegistry` moves: whatever function of TensorFlow's stands below the user's on the
    stack (`sys._getframe(1)` within a `py_func`) will do.
    """
    from tensorflow.python.ops import script_ops

    return script_ops.FuncRegistry.__call__.__code__


def undecorated(function):
    """A TensorFlow function without the decorators (deprecation, dispatch) around it.

    If `tf_decorator` moves: `inspect.unwrap` does it wherever `__wrapped__` is kept.
    """
    from tensorflow.python.util import tf_decorator

    return tf_decorator.unwrap(function)[1]


def signature(function):
    """The signature of a TensorFlow function."""
    return inspect.signature(function)


def used_arguments(graph, name):
    """The positions of the arguments that a function in `graph`'s library really uses.

    Args:
      graph: The graph.
      name: The function's name, such as a branch of a v2 `tf.cond`.
    """
    definition = function_graph_def(graph, name)
    if definition is None:
        return []
    named = {
        item.split(":")[0].lstrip("^")
        for inputs in (
            *(node.input for node in definition.node_def),
            definition.ret.values(),
            definition.control_ret.values(),
        )
        for item in inputs
    }
    return [
        position
        for position, argument in enumerate(definition.signature.input_arg)
        if argument.name in named
    ]


CHUNK_SCOPE = "tfqueue_chunks/"
"""What the names of the accelerator's ops begin with; the pipeline model passes them over."""


@functools.cache
def is_stateful(op_type):
    """Whether TensorFlow registers ops of this type as stateful; an unknown type counts as such."""
    from tensorflow.python.framework import op_def_registry

    definition = op_def_registry.get(op_type)
    return definition is None or definition.is_stateful


def python_function(op):
    """The Python function that a `py_func` op calls, or None where it is gone.

    If the registry moves: None, as for a function that no longer exists.

    Args:
      op: A `PyFunc`, `PyFuncStateless` or `EagerPyFunc` operation.
    """
    from tensorflow.python.ops import script_ops

    registry = getattr(script_ops, "_py_funcs", None)
    found = registry.get(op.get_attr("token").decode()) if registry is not None else None
    return getattr(found, "_func", found) if op.type == "EagerPyFunc" else found
