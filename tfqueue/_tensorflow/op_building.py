"""The one place where the accelerator reaches into TensorFlow's internals.

Where one of them is gone, building a chunk's step fails, and the runner goes on
with one example a step and says so: `tests/accelerate/test_fallbacks.py` takes
each away. The largest is `graft`: it puts ops that were built apart into a user's
graph. A runner's thread must be able to do that while the main thread builds ops
of its own. TensorFlow's `import_graph_def` reads the graph's current name scope,
control dependencies and devices, which are the main thread's; so the C function
below it is called here, and only the new ops are made known to Python.
"""

import itertools

from tfqueue import _tensorflow

_tf = _tensorflow.compat_v1()

SCOPE = _tensorflow.CHUNK_SCOPE
"""What the names of all grafted ops begin with."""

_numbers = itertools.count()


def functions_called(node):
    """The names of the functions that a `NodeDef` calls."""
    names = []
    for attribute in node.attr.values():
        if attribute.func.name:
            names.append(attribute.func.name)
        names += [function.name for function in attribute.list.func]
    return names


def function_of(graph, name):
    """The Python object of a function in `graph`'s library, if it knows the graph it is made of."""
    function = graph._get_function(name)
    return function if hasattr(function, "graph") else None


def add_function(graph, function):
    """Adds what `function_of` gave to another graph's library."""
    graph._add_function_recursive(function)


def pfor_module():
    """The module of pfor's converters."""
    from tensorflow.python.ops.parallel_for import pfor

    return pfor


def vectorize(function, count):
    """TensorFlow's `pfor`: what `function` gives for each of `count` numbers, stacked."""
    from tensorflow.python.ops.parallel_for import control_flow_ops

    return control_flow_ops.pfor(function, count)


def has_converter(op_type):
    """Whether pfor can convert an op type."""
    return op_type in pfor_module()._pfor_converter_registry


def convert(pfor_input):
    """What pfor's own converter gives for an op."""
    return pfor_module()._pfor_converter_registry[pfor_input.op.type](pfor_input)


def new_graph():
    """A graph to build in, where `tf.cond` and `tf.while_loop` are built the new way.

    They are so in every graph of a function, whatever the process's mode; and only so can pfor
    convert them. If `FuncGraph` moves: any graph with `building_function` will do.
    """
    from tensorflow.python.framework import func_graph

    return func_graph.FuncGraph("tfqueue_chunk")


def cond_context(op):
    """The context of the `tf.cond` branch that an op stands in, or None.

    It has `pred`, `branch` (0 or 1) and `pivot`. Ops that came by `import_graph_def` have none,
    and no op has one if `_get_control_flow_context` goes: such conds are then left alone.
    """
    get = getattr(op, "_get_control_flow_context", None)
    context = get() if get is not None else None
    return context if context is not None and hasattr(context, "branch") else None


def functional_cond(pred, true_fn, false_fn):
    """A `tf.cond` of the new kind, whatever the mode; a list of values.

    If `cond_v2` moves: `tf.cond` builds the same inside a function's graph.
    """
    from tensorflow.python.ops import cond_v2

    return cond_v2.cond_v2(pred, true_fn, false_fn)


def copy_op(op, node, inputs):
    """A copy of an op in the current graph, with other inputs.

    Args:
      op: An operation of another graph.
      node: The copy's `NodeDef`, for its attributes.
      inputs: Tensors of the current graph, or of one around it.

    Returns:
      The new `Operation`.
    """
    here = _tf.get_default_graph()
    for name in functions_called(node):
        function = function_of(op.graph, name)
        if function is not None:
            add_function(here, function)
    attributes = {key: value for key, value in node.attr.items() if not key.startswith("_")}
    return here.create_op(
        op.type,
        list(inputs),
        [t.dtype for t in op.outputs],
        attrs=attributes,
        name=op.name.rsplit("/", 1)[-1],
    )


def unique_prefix():
    """A name prefix for one graft."""
    return f"{SCOPE}{next(_numbers)}"


def graft(graph, prefix, graph_def, input_map, wanted):
    """Adds `graph_def` to `graph`, also to a finalised one.

    Args:
      graph: The user's graph.
      prefix: From `unique_prefix`.
      graph_def: A `GraphDef`.
      input_map: Dict from the name of a placeholder in `graph_def` to the
        tensor of `graph` that takes its place.
      wanted: List of names of ops and tensors of `graph_def`.

    Returns:
      A list of `Operation` and `Tensor` objects.
    """
    from tensorflow.python.client import pywrap_tf_session as c_api
    from tensorflow.python.framework import c_api_util, ops

    options = c_api_util.ScopedTFImportGraphDefOptions()
    c_api.TF_ImportGraphDefOptionsSetPrefix(options.options, prefix)
    c_api.TF_ImportGraphDefOptionsSetUniquifyNames(options.options, False)
    c_api.TF_ImportGraphDefOptionsSetValidateColocationConstraints(options.options, False)
    for name, tensor in input_map.items():
        c_api.TF_ImportGraphDefOptionsAddInputMapping(
            options.options, name, 0, tensor._as_tf_output()
        )
    with graph._mutation_lock():
        buffer = c_api.TF_NewBufferFromString(graph_def.SerializeToString())
        try:
            with graph._c_graph.get() as c_graph:
                results = c_api.TF_GraphImportGraphDefWithResults(c_graph, buffer, options.options)
            c_api_util.ScopedTFImportGraphDefResults(results)
        finally:
            c_api.TF_DeleteBuffer(buffer)
        for c_op in graph.new_operations():
            if c_api.TF_OperationName(c_op).startswith(prefix + "/"):
                op = ops.Operation._from_c_op(c_op=c_op, g=graph)
                graph._names_in_use.setdefault(op.name.lower(), 1)
    found = []
    for name in wanted:
        full = f"{prefix}/{name}"
        if ":" in name:
            found.append(graph.get_tensor_by_name(full))
        else:
            found.append(graph.get_operation_by_name(full))
    return found
