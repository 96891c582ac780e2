"""Ops that supervision and diagnosis add to a user's graph, from whatever thread.

The main thread may be building ops of its own at the moment, and its name
scope, devices and control dependencies are the graph's. So each is built in a
graph apart and then grafted, as the accelerator does it.
"""

import itertools

from tfqueue import _tensorflow
from tfqueue._tensorflow import op_building

_tf = _tensorflow.compat_v1()
_numbers = itertools.count()


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
    definition = build.as_graph_def()
    kept = [node for node in definition.node if node.name != stand_in.op.name]
    del definition.node[:]
    definition.node.extend(kept)
    return op_building.graft(
        tensor.graph,
        f"tfqueue_control/{next(_numbers)}",
        definition,
        {stand_in.op.name: tensor},
        [made.name],
    )[0]
