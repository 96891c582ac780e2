"""Builds the step that does for many examples what a runner's op does for one.

Everything is built in a graph of its own, whatever thread this is, and then
grafted into the user's: neither the user's name scopes nor the seeds of random
ops built later can tell.
"""

import contextlib

from tfqueue import _tensorflow
from tfqueue._tensorflow import op_building
from tfqueue.graph import converters, lower_cond
from tfqueue.graph.statefulness import RANDOM

_tf = _tensorflow.compat_v1()

ONE = "tfqueue_one"
"""The scope in which the per-example ops stand once more."""

_SEED_STEP = 1_000_003
"""Added to the seeds of the copies: their draws must not repeat those of the originals."""


class CannotBuild(Exception):
    """TensorFlow could not build the step; the message says why."""


class Loop:
    """One op of the user's graph that runs the runner's op again and again, in the graph.

    Each example is read, computed and put just as before, one after the other,
    so whatever happens happens where it would have; only Python is out of it.

    Attributes:
      size: Scalar placeholder, how many examples to move.
      run: The op to run.
      count: Tensor, how many examples it has moved in all.
      reset: The op to run once at first.
      level: How many elements the queue holds.
    """

    def __init__(self, region):
        """Raises `CannotBuild`.

        Args:
          region: A `Region` to which `loop` is open.
        """
        graph, prefix = region.op.graph, op_building.unique_prefix()
        outside = Outside(region)
        build = op_building.new_graph()
        with build.as_default(), converters.quiet(), building():
            outside.make()
            size = _tf.placeholder(_tf.int32, [], name="size")
            counter = _tf.raw_ops.VarHandleOp(
                dtype=_tf.int64, shape=[], shared_name=f"{prefix}/counter", name="counter"
            )
            reset = _tf.raw_ops.AssignVariableOp(
                resource=counter, value=_tf.constant(0, _tf.int64), name="reset"
            )
            count = _tf.raw_ops.ReadVariableOp(resource=counter, dtype=_tf.int64, name="count")
            definition = definition_of(
                region.op.graph, [*region.inside, *region.sources, region.op]
            )

            def body(i):
                put = outside.bring(definition, {}, [region.op.name])[0]
                with _tf.control_dependencies([put]):
                    told = _tf.raw_ops.AssignAddVariableOp(
                        resource=counter, value=_tf.constant(1, _tf.int64)
                    )
                with _tf.control_dependencies([told]):
                    return i + 1

            end = _tf.while_loop(
                lambda i: i < size, unconverted(body), [_tf.constant(0)], parallel_iterations=1
            )
            end = _tf.identity(end, name="end")
            level = level_of(outside.of(region.op.inputs[0]))
        wanted = [size.name, end.op.name, count.name, reset.name, level.name]
        found = op_building.graft(graph, prefix, build.as_graph_def(), outside.map(), wanted)
        self.size, self.run, self.count, self.reset, self.level = found
        self.operations = len(build.get_operations())


class Outside:
    """The user's tensors that the step uses, and their stand-ins in the graph being built."""

    def __init__(self, region):
        tensors = {t.name: t for t in region.captured}
        for source in region.sources:
            tensors |= {t.name: t for t in source.inputs}
        tensors[region.op.inputs[0].name] = region.op.inputs[0]
        self._graph = region.op.graph
        self._tensors = tensors
        self._stand_ins = {}

    def make(self):
        for k, (name, tensor) in enumerate(self._tensors.items()):
            self._stand_ins[name] = _tf.raw_ops.Placeholder(
                dtype=tensor.dtype.base_dtype, shape=tensor.shape, name=f"outside_{k}"
            )

    def of(self, tensor):
        return self._stand_ins[tensor.name]

    def map(self):
        """Dict from the stand-ins' names to the user's tensors."""
        return {self._stand_ins[name].op.name: t for name, t in self._tensors.items()}

    def bring_lifted(self, ops, elements, wanted):
        """Builds the per-example ops here, with the old kind of `tf.cond` among them lifted.

        Args:
          ops: The operations.
          elements: Dict from tensor name to what takes its place.
          wanted: What to return.
        """
        return lower_cond.bring(ops, self._stand_ins | elements, wanted, _node)

    def bring(self, definition, elements, wanted):
        """Imports the per-example ops here.

        Args:
          definition: Their `GraphDef`.
          elements: Dict from tensor name to what takes its place.
          wanted: What to return.
        """
        used = {name for node in definition.node for name in node.input}
        here = _tf.get_default_graph()
        for function in _functions(self._graph, definition):
            op_building.add_function(here, function)
        mapped = {}
        for name, tensor in [*self._stand_ins.items(), *elements.items()]:
            for form in {name, name.removesuffix(":0")} & used:
                # A loop's body is a graph of its own, which takes outer tensors as arguments.
                mapped[form] = tensor if tensor.graph is here else here.capture(tensor)
        return _tf.import_graph_def(definition, mapped, wanted, name=ONE)


def level_of(handle):
    return _tf.raw_ops.QueueSizeV2(handle=handle, name="level")


def definition_of(graph, ops):
    """A `GraphDef` of these ops alone, without functions, and with new seeds."""
    names = {op.name for op in ops}
    definition = _tf.GraphDef()
    definition.versions.CopyFrom(graph.graph_def_versions)
    for op in ops:
        node = definition.node.add()
        node.CopyFrom(_node(op))
        kept = [item for item in node.input if not item.startswith("^") or item[1:] in names]
        node.input[:] = kept
    return definition


def _node(op):
    """The `NodeDef` of an op's copy."""
    node = _tf.NodeDef()
    node.CopyFrom(op.node_def)
    node.attr.pop("_class", None)
    _reseed(node)
    return node


def _functions(graph, definition):
    """The functions that the nodes of a `GraphDef` call, and those that these call."""
    found, todo = {}, list(definition.node)
    while todo:
        for name in op_building.functions_called(todo.pop()):
            if name not in found:
                function = op_building.function_of(graph, name)
                if function is None:
                    # It came by import_graph_def: pfor wants the graph that it was made from.
                    raise CannotBuild(f"function {name!r} was not built in this process")
                found[name] = function
                todo += list(_tensorflow.function_graph_def(graph, name).node_def)
    return list(found.values())


def _reseed(node):
    if node.op in RANDOM and (node.attr["seed"].i or node.attr["seed2"].i):
        node.attr["seed2"].i = (node.attr["seed2"].i + _SEED_STEP) % (2**31 - 1)


def unconverted(function):
    return _tf.autograph.experimental.do_not_convert(function)


@contextlib.contextmanager
def building():
    """Turns whatever TensorFlow raises while building into `CannotBuild`."""
    try:
        yield
    except CannotBuild:
        raise
    except Exception as error:  # noqa: BLE001  (whatever it is, the pipeline runs as it was)
        # pfor trips over reporting an op without a traceback; what went wrong is underneath.
        first = error
        while isinstance(first, TypeError) and first.__context__ is not None:
            first = first.__context__
        line = str(first).strip().splitlines()
        raise CannotBuild(line[0][:200] if line else type(first).__name__) from first
