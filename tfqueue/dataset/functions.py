"""A step's ops as a function for `Dataset.map`: on one example, or with pfor on a batch of them."""

from tfqueue import _tensorflow
from tfqueue.dataset import tables
from tfqueue.graph import converters, lower_cond

_tf = _tensorflow.compat_v1()

_LARGE = 1024
"""Bytes above which a constant is handed to the function and not copied into it."""


class CannotVectorise(Exception):
    """pfor cannot run a step on batches.

    Attributes:
      step: The `steps.Step`.
    """

    def __init__(self, step):
        super().__init__("this step runs on one example at a time")
        self.step = step


def unconverted(function):
    """The function as it is: autograph leaves it alone."""
    return _tf.autograph.experimental.do_not_convert(function)


def of(link):
    """The function of a `plan.Apply`: from a tuple of components to its results."""
    step = link.step
    outside = _large_constants(step)
    outside |= {name: table.resource_handle for name, table in tables.of(step).items()}

    def call(parts):
        if link.vector:
            return _packed(step, _many(step, outside, parts, link.size))
        return _packed(step, _one(step, outside, parts))

    return call


def _one(step, outside, parts):
    """The results of one example."""
    given = outside | _named(step.given, parts)
    inside = [t.name for t in _flat(step.results) if t.name not in given]
    found = lower_cond.bring(step.ops, given, [*inside, *step.waits], lambda op: op.node_def)
    made = dict(zip(inside, found, strict=False))
    with _tf.control_dependencies(found[len(inside) :]):
        return [_tf.identity(made.get(t.name, given.get(t.name))) for t in _flat(step.results)]


def _many(step, outside, parts, size):
    """The results of a batch of examples."""
    from tensorflow.python.ops.parallel_for import control_flow_ops

    converters.register()

    def one(i):
        before = len(_tf.get_default_graph().get_operations())
        results = _one(step, outside, [_tf.gather(part, i) for part in parts])
        converters.attach(_tf.get_default_graph().get_operations()[before:])
        return results

    # Where the length is known, pfor hands the parts on as they are; otherwise it copies them.
    known = _tf.dimension_value(parts[0].shape[0])
    length = _tf.shape(parts[0])[0] if known is None else known
    try:
        with converters.quiet():
            outputs = control_flow_ops.pfor(unconverted(one), length, fallback_to_while_loop=False)
    except Exception as error:
        raise CannotVectorise(step) from error
    for output, t in zip(outputs, step.results, strict=True):
        output.set_shape([size, *t.shape.as_list()])
    return outputs


def _named(given, parts):
    """Dict from tensor name to the part that stands for it."""
    found = {}
    for name, part in zip(given, parts, strict=True):
        if isinstance(name, tuple):
            found |= zip(name, (part.indices, part.values, part.dense_shape), strict=True)
        else:
            found[name] = part
    return found


def _flat(results):
    return [t for r in results for t in (r if isinstance(r, tuple) else [r])]


def _packed(step, values):
    """The flat results as the tuple, or the structure, that the step gives."""
    flat = _flat(step.results)
    for value, tensor in zip(values, flat, strict=True):
        if value.shape.rank is None or tensor.shape.rank == value.shape.rank:
            value.set_shape(tensor.shape)
    if step.structure is not None:
        return _tf.nest.pack_sequence_as(step.structure, values, expand_composites=True)
    values, packed = iter(values), []
    for result in step.results:
        if isinstance(result, tuple):
            packed.append(_tf.SparseTensor(next(values), next(values), next(values)))
        else:
            packed.append(next(values))
    return tuple(packed)


def _large_constants(step):
    """Dict from tensor name to value, for constants that are too large for a function's body."""
    found = {}
    for op in step.ops:
        if op.type == "Const" and len(op.node_def.attr["value"].tensor.tensor_content) > _LARGE:
            found[op.outputs[0].name] = _tf.constant(_tf.get_static_value(op.outputs[0]))
    return found
