"""What TensorFlow 1 let through and today's TensorFlow refuses, let through again.

All of it stands in TensorFlow's internals, where no name of `tfqueue.v1` could be laid over it, and only
turns an error into what TensorFlow 1 did; a program that runs without them runs the same with
them. `tests/_tensorflow/test_tensorflow.py` fails when one of the internals moves.
"""

import functools
import numbers

from tensorflow.python.framework import ops, tensor_shape
from tensorflow.python.ops import io_ops, variable_scope
from tensorflow.python.training import slot_creator

_MARK = "_tfqueue"


def _whole_floats(original):
    """`Dimension(3.0)`: `channels / groups` of Python 3 is a float, and was good up to 1.15."""

    @functools.wraps(original)
    def __init__(self, value):
        whole = isinstance(value, numbers.Real) and not isinstance(value, numbers.Integral)
        original(self, int(value) if whole and value == int(value) else value)

    return __init__


def _slots_where_variables_are_reused(original):
    """Slots of optimizers and averages, made after `reuse_variables()`.

    Up to TensorFlow 0.12 they were plain variables. Since then they are got like all others, and a
    scope that reuses refuses to make them: `Variable x/ExponentialMovingAverage/ does not exist`.
    """

    @functools.wraps(original)
    def _create_slot_var(*args, **kwargs):
        scope = variable_scope.get_variable_scope()
        if scope.reuse is not True:
            return original(*args, **kwargs)
        with variable_scope.variable_scope(scope, reuse=variable_scope.AUTO_REUSE):
            return original(*args, **kwargs)

    return _create_slot_var


def _readers_beside_their_queues(original):
    """Readers built under `with tf.device("/gpu:0")`, as in the towers of the CIFAR-10 tutorial.

    They run on the CPU only. TensorFlow puts the queue there by itself, and then refuses to place
    a reader that is to be elsewhere, soft placement or not.
    """

    @functools.wraps(original)
    def method(*args, **kwargs):
        scopes = ops.get_default_graph()._device_function_stack.peek_objs()
        if not any("gpu" in str(scope.display_name).lower() for scope in scopes):
            return original(*args, **kwargs)
        with ops.device("CPU"):
            return original(*args, **kwargs)

    return method


_READER = io_ops.ReaderBase
_WRAPPED = (
    (tensor_shape.Dimension, "__init__", _whole_floats),
    (slot_creator, "_create_slot_var", _slots_where_variables_are_reused),
    *(
        (_READER, name, _readers_beside_their_queues)
        for name in ("read", "read_up_to", "reset", "num_records_produced")
    ),
    *((kind, "__init__", _readers_beside_their_queues) for kind in _READER.__subclasses__()),
)


def install():
    """Puts all of it in place, once a process."""
    for owner, name, wrap in _WRAPPED:
        original = getattr(owner, name)
        if not hasattr(original, _MARK):
            wrapper = wrap(original)
            setattr(wrapper, _MARK, True)
            setattr(owner, name, wrapper)
