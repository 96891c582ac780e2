"""What is known of tensors before any run: values that are always the same, shapes that were told."""

import contextlib

from tfqueue import _tensorflow
from tfqueue._tensorflow import op_building
from tfqueue.graph import lower_cond, statefulness

_tf = _tensorflow.compat_v1()


def values(ops):
    """The values of those tensors that are the same in every run.

    Args:
      ops: Operations, in the order they were built.

    Returns:
      Dict from tensor name to array.
    """
    found, computed, known = {}, [], set()
    for op in ops:
        if len(op.outputs) != 1 or op.outputs[0].dtype in (_tf.variant, _tf.resource):
            continue
        output = op.outputs[0]
        if op.type == "Fill" and op.inputs[0].name not in known:
            continue  # its shape is what the program said it was
        value = _tf.get_static_value(output)
        if value is not None:
            found[output.name] = value
        elif (
            not op.inputs
            or any(t.name not in known for t in op.inputs)
            or op.type in statefulness.RANDOM
            or _tensorflow.is_stateful(op.type)
            or _calls(op)
        ):
            continue
        else:
            computed.append(output)
        known.add(output.name)
    if computed and not hasattr(ops[0].graph, "outer_graph"):
        with contextlib.closing(_tf.Session(graph=ops[0].graph)) as sess:
            found |= dict(zip((t.name for t in computed), sess.run(computed), strict=True))
    return found


def _calls(op):
    return bool(op_building.functions_called(op.node_def))


def lost_shapes(step):
    """Names of the step's results whose shapes the program told, and no op can tell.

    Args:
      step: A `steps.Step`.
    """
    flat = [t for r in step.results for t in (r if isinstance(r, tuple) else [r])]
    with op_building.new_graph().as_default():
        given = {}
        for name in (n for g in step.given for n in (g if isinstance(g, tuple) else (g,))):
            there = step.graph.get_tensor_by_name(name)
            given[name] = _tf.placeholder(there.dtype, there.shape)
        for op in step.ops:
            for t in op.outputs:
                if t.dtype == _tf.resource:
                    given[t.name] = _tf.placeholder(t.dtype, t.shape)
        wanted = [t for t in flat if t.name not in given]
        made = lower_cond.bring(step.ops, given, [t.name for t in wanted], lambda op: op.node_def)
    return {
        t.name
        for t, there in zip(wanted, made, strict=True)
        if t.shape.rank is not None and t.shape.as_list() != _dims(there.shape)
    }


def _dims(shape):
    return None if shape.rank is None else shape.as_list()
