"""What TensorFlow has noted of graphs, ops and functions, and how ops are built beside the user's.

Where a call is gone that builds a chunk's step, building it fails, and the runner goes on with one
example a step and says so: `tests/accelerate/test_fallbacks.py` takes each away. The largest is
`graft`: it puts ops that were built apart into a user's graph. A runner's thread must be able to do
that while the main thread builds ops of its own. TensorFlow's `import_graph_def` reads the graph's
current name scope, control dependencies and devices, which are the main thread's; so the C function
below it is called here, and only the new ops are made known to Python.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import os
import threading
import types
import weakref
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from typing import Any

from tfqueue._tensorflow import op_edits
from tfqueue._tensorflow.loading import compat_v1
from tfqueue._tensorflow.types import Graph, Op, Tensor

CHUNK_SCOPE = "tfqueue_chunks/"
"""What the names of the accelerator's ops begin with; the pipeline model passes them over."""
CONTROL_SCOPE = "tfqueue_control/"
"""What the names of those begin with that look at queues and close them."""

_numbers = itertools.count()


@contextlib.contextmanager
def growable(graph: Graph) -> Iterator[None]:
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


_CHANGES = frozenset(
    f"Assign{how}{kind}" for how in ("", "Add", "Sub") for kind in ("", "VariableOp")
)


@contextlib.contextmanager
def step_read_first() -> Iterator[None]:
    """Lets hooks read the global step before what the current graph has behind the block changes it.

    The read is made before the block, as in TensorFlow 1, so that it depends on nothing of a model. The
    model is not built below a control dependency on that read: in the gradients of a loop such a
    dependency leaves TensorFlow with no value for what the loop began with. What changes the step
    within a `tf.cond` keeps its order, which is none. Where the read is gone from TensorFlow, all
    does, and a hook may warn that the step stands still.
    """
    from tensorflow.python.training import training_util

    step = training_util.get_global_step()
    made = getattr(training_util, "_get_or_create_global_step_read", lambda: None)()
    yield
    if step is None or made is None:
        return
    for op in (getattr(step, "handle", None) or step.op.outputs[0]).consumers():
        if op.type in _CHANGES and op is not step.initializer:
            op_edits.add_control_inputs(op, [made.op])


def function_graph_def(graph: Graph, name: str) -> Any:
    """The `FunctionDef` called `name` in `graph`'s library, or None.

    Branches of a v2 `tf.cond` and bodies of a v2 `tf.while_loop` are functions.
    If `_get_function` goes: `graph.as_graph_def().library` has them, slower.
    """
    found = graph._get_function(name)
    if found is None:
        return None
    return getattr(found, "cached_definition", None) or found.definition


def python_function_code() -> types.CodeType:
    """The code object that runs while a `py_func` (or `numpy_function`) is called.

    If `FuncRegistry` moves: whatever function of TensorFlow's stands below the user's on the
    stack (`sys._getframe(1)` within a `py_func`) will do.
    """
    from tensorflow.python.ops import script_ops

    return script_ops.FuncRegistry.__call__.__code__


def undecorated(function: Callable[..., Any]) -> Callable[..., Any]:
    """A TensorFlow function without the decorators (deprecation, dispatch) around it.

    If `tf_decorator` moves: `inspect.unwrap` does it wherever `__wrapped__` is kept.
    """
    from tensorflow.python.util import tf_decorator

    return tf_decorator.unwrap(function)[1]


def used_arguments(graph: Graph, name: str) -> list[int]:
    """The positions of the arguments that a function, such as a branch of a v2 `tf.cond`, really uses."""
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


@functools.cache
def is_stateful(op_type: str) -> bool:
    """Whether TensorFlow registers ops of this type as stateful; an unknown type counts as such."""
    from tensorflow.python.framework import op_def_registry

    definition = op_def_registry.get(op_type)
    return definition is None or definition.is_stateful


def python_function(op: Op) -> Any:
    """The Python function that a `py_func` op calls, or None where it is gone.

    If the registry moves: None, as for a function that no longer exists.
    """
    from tensorflow.python.ops import script_ops

    registry = getattr(script_ops, "_py_funcs", None)
    found = registry.get(op.get_attr("token").decode()) if registry is not None else None
    return getattr(found, "_func", found) if op.type == "EagerPyFunc" else found


def functions_called(node: Any) -> list[str]:
    """The names of the functions that a `NodeDef` calls."""
    return [
        function.name
        for attribute in node.attr.values()
        for function in (attribute.func, *attribute.list.func)
        if function.name
    ]


def function_of(graph: Graph, name: str) -> Any:
    """The Python object of a function in `graph`'s library, if it has the graph it is made of."""
    function = graph._get_function(name)
    return function if hasattr(function, "graph") else None


def pfor_module() -> Any:
    """The module of pfor's converters."""
    from tensorflow.python.ops.parallel_for import pfor

    return pfor


def vectorize(function: Callable[[Tensor], Any], count: Tensor) -> Any:
    """TensorFlow's `pfor`: what `function` gives for each of `count` numbers, stacked."""
    from tensorflow.python.ops.parallel_for import control_flow_ops

    return control_flow_ops.pfor(function, count)


def has_converter(op_type: str) -> bool:
    """Whether pfor can convert an op type."""
    return op_type in pfor_module()._pfor_converter_registry


def convert(pfor_input: Any) -> Any:
    """What pfor's own converter gives for an op."""
    return pfor_module()._pfor_converter_registry[pfor_input.op.type](pfor_input)


def new_graph() -> Graph:
    """A graph to build in, where `tf.cond` and `tf.while_loop` are built the new way.

    They are so in every graph of a function, whatever the process's mode; and only so can pfor
    convert them. If `FuncGraph` moves: any graph with `building_function` will do.
    """
    from tensorflow.python.framework import func_graph

    return func_graph.FuncGraph("tfqueue_chunk")


def cond_context(op: Op) -> Any:
    """The context of the `tf.cond` branch that an op stands in, or None.

    It has `pred`, `branch` (0 or 1) and `pivot`. Ops that came by `import_graph_def` have none,
    and no op has one if `_get_control_flow_context` goes: such conds are then left alone.
    """
    get = getattr(op, "_get_control_flow_context", None)
    context = get() if get is not None else None
    return context if context is not None and hasattr(context, "branch") else None


def functional_cond(
    pred: Tensor, true_fn: Callable[[], Any], false_fn: Callable[[], Any]
) -> list[Tensor]:
    """A `tf.cond` of the new kind, whatever the mode; a list of values.

    If `cond_v2` moves: `tf.cond` builds the same inside a function's graph.
    """
    from tensorflow.python.ops import cond_v2

    return cond_v2.cond_v2(pred, true_fn, false_fn)


def dataflow_loop(
    goes_on: Callable[..., Tensor],
    body: Callable[..., list[Tensor]],
    values: list[Tensor],
    outside: Mapping[str, Tensor],
    at_once: int,
    name: str,
) -> list[Tensor]:
    """A loop of the old kind, whatever the mode: its ops are those of the graph.

    An iteration begins before the last one has ended where only other ops want what that gives. It
    is built of its ops, since `tf.while_loop` builds the old kind in the old mode only.

    Args:
        goes_on: Function of what stands for `outside`, and of the values, that gives whether there is one
            more iteration.
        body: Function of the same that gives the next values.
        values: The first ones.
        outside: By any names, the tensors made before it that it uses.
        at_once: How many iterations may be under way.
        name: What no other loop of a step is called.

    Returns:
        The values behind the last iteration.
    """
    tf = compat_v1()
    graph = tf.get_default_graph()
    enter = functools.partial(tf.raw_ops.Enter, frame_name=name, parallel_iterations=at_once)
    merged = []
    for value in values:
        first = enter(data=value)
        merged.append(tf.raw_ops.Merge(inputs=[first, first]).output)
    once = {tensor.name: tensor for tensor in outside.values()}
    entered = {name: enter(data=tensor, is_constant=True) for name, tensor in once.items()}
    given = {name: entered[tensor.name] for name, tensor in outside.items()}
    with tf.control_dependencies(merged[:1]):
        goes = tf.raw_ops.LoopCond(input=goes_on(given, *merged))
    switches = [tf.raw_ops.Switch(data=value, pred=goes) for value in merged]
    now = [tf.identity(switch.output_true) for switch in switches]
    before = len(graph.get_operations())
    with tf.control_dependencies(now[:1]):  # what has no inputs belongs to the iteration, too
        then = [tf.raw_ops.NextIteration(data=value) for value in body(given, *now)]
    for op in graph.get_operations()[before:]:
        # A function's ops without inputs take its call's place in the iteration.
        if functions_called(op.node_def) and now[0].op not in op.control_inputs:
            op_edits.add_control_inputs(op, [now[0].op])
    for value, following in zip(merged, then, strict=True):
        op_edits.set_input(value.op, 1, following)
    return [tf.raw_ops.Exit(data=switch.output_false) for switch in switches]


def copy_op(op: Op, node: Any, inputs: Iterable[Tensor]) -> Op:
    """A copy of an op of another graph in the current one.

    Args:
        node: The copy's `NodeDef`, for its attributes.
        inputs: Tensors of the current graph, or of one around it.
    """
    here = compat_v1().get_default_graph()
    for name in functions_called(node):
        function = function_of(op.graph, name)
        if function is not None:
            here._add_function_recursive(function)
    attributes = {key: value for key, value in node.attr.items() if key != "_class"}
    return here.create_op(
        op.type,
        list(inputs),
        [t.dtype for t in op.outputs],
        attrs=attributes,
        name=op.name.rsplit("/", 1)[-1],
    )


def copy_ops(
    nodes: Sequence[Any],
    graph: Graph,
    given: Mapping[str, Tensor],
    wanted: list[str],
    after: Tensor | None = None,
) -> dict[str, Any]:
    """Copies of ops of another graph in the current one, made at once, which one by one takes much longer.

    What the control dependencies, devices and name scopes in force would do to them is not done.

    Args:
        nodes: Their `NodeDef`s, with what is to be changed in them.
        graph: The ops' graph.
        given: Dict from a tensor's name to the tensor of the current graph that takes its place.
        wanted: Names of tensors and ops among them.
        after: A tensor of the current graph behind whose op those of them stand that use none of the others.

    Returns:
        Dict from the names of what is wanted to the copies.
    """
    tf = compat_v1()
    here = tf.get_default_graph()
    graph_def = tf.GraphDef()
    graph_def.versions.CopyFrom(graph.graph_def_versions)
    copied = {node.name for node in nodes}
    used: dict[str, Any] = {}
    for node in nodes:
        inputs = [name for name in node.input if name[0] != "^" or name[1:] in copied]
        outer = {name: name if ":" in name else f"{name}:0" for name in inputs}
        outer = {name: full for name, full in outer.items() if full in given}
        used |= {full: given[full] for full in outer.values()}
        if after is not None and len(outer) == len({*inputs}):
            used[f"^{_BEFORE}"] = after
            inputs.append(f"^{_BEFORE}")
        made = graph_def.node.add()
        made.CopyFrom(node)
        made.attr.pop("_class", None)
        made.input[:] = inputs
        for name in functions_called(node):
            function = function_of(graph, name)
            if function is not None:
                here._add_function_recursive(function)
    with here.control_dependencies(None):
        found = tf.import_graph_def(graph_def, used, wanted, name="copies")
    return dict(zip(wanted, found, strict=True))


_BEFORE = f"{CHUNK_SCOPE}before"
"""No op that is copied has this name."""


def unique_prefix(graph: Graph, scope: str = CHUNK_SCOPE) -> str:
    """A name prefix for one `graft`, which no op of `graph` has: an imported one may hold others."""
    while True:
        prefix = f"{scope}{next(_numbers)}"
        if not any(op.name.startswith(f"{prefix}/") for op in graph.get_operations()):
            return prefix


_grafting = threading.Lock()


def _renew_lock() -> None:
    """In a forked child: the thread that held the lock is in the parent only."""
    global _grafting
    _grafting = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew_lock)


def renew_locks_of(graph: Graph) -> None:
    """In a forked child: frees a graph that a thread of the parent ran or built in, or no op can be made in it.

    Args:
        graph: A graph of Python's.
    """
    graph._lock = threading.RLock()
    graph._group_lock = type(graph._group_lock)(num_groups=2)


def consumers(tensor: Tensor) -> list[Op]:
    """The ops that use a tensor, also while another thread builds.

    C++ has an op before Python does: until then `tensor.consumers()` raises SystemError.
    """
    try:
        with _grafting:
            return tensor.consumers()
    except SystemError:
        return [
            op
            for op in tensor.graph.get_operations()
            if any(t.op is tensor.op and t.value_index == tensor.value_index for t in op.inputs)
        ]


def graft(
    graph: Graph, prefix: str, built: Graph, input_map: Mapping[str, Tensor], wanted: list[str]
) -> list[Op | Tensor]:
    """Adds what is wanted of the graph `built` to `graph`, also to a finalised one.

    Args:
        prefix: From `unique_prefix`.
        built: Another graph.
        input_map: Dict from the name of a placeholder in `built` to the
            tensor of `graph` that takes its place.
        wanted: Names of ops and tensors of `built`, of which a list is returned.
    """
    from tensorflow.python.client import pywrap_tf_session as c_api

    graph_def = built.as_graph_def()
    _trim(graph_def, wanted, input_map)
    # Deleted by hand: an interrupt in the `__del__` of TensorFlow's classes for both is only printed.
    options = c_api.TF_NewImportGraphDefOptions()
    try:
        c_api.TF_ImportGraphDefOptionsSetPrefix(options, prefix)
        c_api.TF_ImportGraphDefOptionsSetUniquifyNames(options, False)
        c_api.TF_ImportGraphDefOptionsSetValidateColocationConstraints(options, False)
        for name, tensor in input_map.items():
            c_api.TF_ImportGraphDefOptionsAddInputMapping(options, name, 0, tensor._as_tf_output())
        _import(graph, prefix, built, graph_def, options)
    finally:
        c_api.TF_DeleteImportGraphDefOptions(options)
    return [graph.as_graph_element(f"{prefix}/{name}") for name in wanted]


def _import(graph: Graph, prefix: str, built: Graph, graph_def: Any, options: Any) -> None:
    """Adds the ops of a `GraphDef` that is made from the graph `built`."""
    from tensorflow.python.client import pywrap_tf_session as c_api
    from tensorflow.python.framework import ops

    # A thread that writes the graph meanwhile would find ops that Python does not know yet.
    writing = getattr(graph, "_lock", contextlib.nullcontext())
    with graph._mutation_lock(), writing, _grafting:
        buffer = c_api.TF_NewBufferFromString(graph_def.SerializeToString())
        try:
            with graph._c_graph.get() as c_graph:
                results = c_api.TF_GraphImportGraphDefWithResults(c_graph, buffer, options)
            c_api.TF_DeleteImportGraphDefResults(results)
        finally:
            c_api.TF_DeleteBuffer(buffer)
        # `as_graph_def(add_shapes=True)`, as of a `Saver`, asks for the function of each definition.
        names = {function.signature.name for function in graph_def.library.function}
        new = names - graph._functions.keys()
        graph._functions.update((name, built._get_function(name)) for name in new)
        _leave_out(graph, new)
        for c_op in graph.new_operations():
            if c_api.TF_OperationName(c_op).startswith(prefix + "/"):
                op = ops.Operation._from_c_op(c_op=c_op, g=graph)
                graph._names_in_use.setdefault(op.name.lower(), 1)


def _leave_out(graph: Graph, functions: set[str]) -> None:
    """What was grafted, with these functions, is left out where `graph` is written: it is the user's.

    Else whoever reads a saved graph, and runs and saves it again, has more and more of it. If
    `_as_graph_def` moves, it is written too.
    """
    if not hasattr(graph, "_tfqueue_functions"):
        graph._tfqueue_functions = set()
        graph._as_graph_def = functools.partial(_written, weakref.ref(graph))
    graph._tfqueue_functions |= functions


def _written(graph: Any, *args: Any, **named: Any) -> tuple[Any, ...]:
    graph = graph()
    graph_def, *rest = type(graph)._as_graph_def(graph, *args, **named)
    ours = (CHUNK_SCOPE, CONTROL_SCOPE)
    nodes = [node for node in graph_def.node if not node.name.startswith(ours)]
    library, grafted = graph_def.library.function, graph._tfqueue_functions
    theirs = [function for function in library if function.signature.name not in grafted]
    _leave_only(graph_def.node, nodes)
    _leave_only(library, theirs)
    if not theirs:
        graph_def.ClearField("library")
    return graph_def, *rest


def _leave_only(messages: Any, kept: list[Any]) -> None:
    """Leaves only `kept` in a repeated field."""
    if len(kept) < len(messages):
        del messages[:]
        messages.extend(kept)


def _trim(graph_def: Any, wanted: list[str], given: Container[str]) -> None:
    """Leaves only the nodes that `wanted` needs, and one of several equal constants.

    A step that nobody has run before costs TensorFlow time for each node of the whole graph.
    """
    first: dict[bytes, str] = {}
    same: dict[str, str] = {}
    for node in graph_def.node:
        if node.op == "Const" and not node.input:
            like = type(node)()
            like.CopyFrom(node)
            like.name = ""
            same[node.name] = first.setdefault(
                like.SerializeToString(deterministic=True), node.name
            )
    for node in graph_def.node:
        node.input[:] = [same.get(name, name) for name in node.input]
    extract = undecorated(compat_v1().graph_util.extract_sub_graph)
    needed = extract(graph_def, [name.partition(":")[0] for name in wanted]).node
    nodes = [node for node in needed if node.name not in given]
    library = {function.signature.name: function for function in graph_def.library.function}
    todo, called = list(nodes), []
    while todo:
        for name in functions_called(todo.pop()):
            if name in library:
                called.append(library.pop(name))
                todo += called[-1].node_def
    _leave_only(graph_def.node, nodes)
    _leave_only(graph_def.library.function, called)
