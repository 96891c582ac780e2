"""Ops that supervision and diagnosis add to a user's graph, from whatever thread.

The main thread may be building ops of its own at the moment, and its name
scope, devices and control dependencies are the graph's. So each is built in a
graph apart and then grafted, as the accelerator does it.
"""

import threading

from tfqueue import _tensorflow
from tfqueue._tensorflow import op_building

_tf = _tensorflow.compat_v1()
_adding = threading.RLock()
_KEPT_AS = "_tfqueue_control_ops"
_QUEUE_OPS = {
    "size": lambda handle: _tf.raw_ops.QueueSizeV2(handle=handle),
    "closed": lambda handle: _tf.raw_ops.QueueIsClosedV2(handle=handle),
    "close": lambda handle: _tf.raw_ops.QueueCloseV2(handle=handle, cancel_pending_enqueues=False),
    "cancel": lambda handle: _tf.raw_ops.QueueCloseV2(handle=handle, cancel_pending_enqueues=True),
}


def of_queue(what, handle):
    """An op that asks or closes a queue, the same one for all sessions on the graph.

    Args:
      what: `"size"`, `"closed"`, `"close"`, or `"cancel"`, which cancels pending enqueues too.
      handle: The tensor that names the queue.
    """
    return once(what, _QUEUE_OPS[what], handle)


def once(key, make, tensor):
    """What `add` gives, added to the graph once.

    Args:
      key: What stands for `make`.
      make, tensor: As for `add`.
    """
    with _adding:
        kept = getattr(tensor.graph, _KEPT_AS, None)
        if kept is None:
            kept = {}
            setattr(tensor.graph, _KEPT_AS, kept)
        found = kept.get((key, tensor.name))
        if found is None:
            found = kept[key, tensor.name] = add(make, tensor)
        return found


def add(make, tensor):
    """Adds an op to a tensor's graph, also to a finalised one.

    Args:
      make: Function that builds an op from a stand-in for `tensor`; returns an
        `Operation` or a `Tensor`.
      tensor: A `Tensor` of the user's graph, such as a queue's handle.

    Returns:
      What `make` returned, as it is in the user's graph.
    """
    with _tf.Graph().as_default() as build:
        stand_in = _tf.raw_ops.Placeholder(dtype=tensor.dtype, name="outside")
        made = make(stand_in)
    return op_building.graft(
        tensor.graph,
        op_building.unique_prefix(tensor.graph, op_building.CONTROL_SCOPE),
        build,
        {stand_in.op.name: tensor},
        [made.name],
    )[0]
