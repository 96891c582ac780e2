"""Ops that `session` and `explain` add to a user's graph, from whatever thread.

The main thread may be building ops of its own at the moment, and its name
scope, devices and control dependencies are the graph's. So each is built in a
graph apart and then grafted, as the accelerator does it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, NamedTuple

from tfqueue import _tensorflow
from tfqueue._tensorflow import op_building
from tfqueue._tensorflow.types import Tensor

_tf = _tensorflow.compat_v1()
_adding = threading.RLock()
_KEPT_AS = "_tfqueue_control_ops"
_QUEUE_OPS = {
    "size": lambda handle: _tf.raw_ops.QueueSizeV2(handle=handle),
    "closed": lambda handle: _tf.raw_ops.QueueIsClosedV2(handle=handle),
    "close": lambda handle: _tf.raw_ops.QueueCloseV2(handle=handle, cancel_pending_enqueues=False),
    "cancel": lambda handle: _tf.raw_ops.QueueCloseV2(handle=handle, cancel_pending_enqueues=True),
}


def of_queue(what: str, handle: Tensor) -> Any:
    """An op that asks or closes a queue, the same one for all sessions on the graph.

    Args:
        what: `"size"`, `"closed"`, `"close"`, or `"cancel"`, which cancels pending enqueues too.
        handle: The tensor that names the queue.
    """
    return once(what, _QUEUE_OPS[what], handle)


def once(key: str, make: Callable[[Tensor], Any], tensor: Tensor) -> Any:
    """What `add` gives, added to the graph once.

    Args:
        key: What stands for `make`.
        make, tensor: As for `add`.
    """
    with _adding:
        kept = _kept_in(tensor.graph)
        found = kept.get((key, tensor.name))
        if found is None:
            found = kept[key, tensor.name] = add(make, tensor)
        return found


def add(make: Callable[[Tensor], Any], tensor: Tensor) -> Any:
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
        result = make(stand_in)
    return op_building.graft(
        tensor.graph,
        op_building.unique_prefix(tensor.graph, op_building.CONTROL_SCOPE),
        build,
        {stand_in.op.name: tensor},
        [result.name],
    )[0]


class TableOps(NamedTuple):
    """The ops on one table of numbers, by texts."""

    key: Any
    """Placeholder, string [entries]."""
    value: Any
    """Placeholder, int64 [entries]."""
    insert: Any
    """Sets the values of the keys."""
    remove: Any
    """Takes the keys out."""
    keys: Any
    """Tensor, string [entries]."""
    values: Any
    """Tensor, int64 [entries], in the same order."""


def table_beside(queue: Any, prefix: str) -> TableOps:
    """A table of numbers, by texts, on the task of a shared queue, which all sessions share that use the queue.

    It needs no initialiser, and `tf.Session.reset` clears it with the queue.

    Args:
        queue: A model `Queue` with a `shared_name`.
        prefix: What the table's own shared name begins with; the queue's follows.
    """
    graph = queue.op.graph
    with _adding:
        kept = _kept_in(graph)
        found = kept.get((prefix, queue.name))
        if found is not None:
            return found
        with _tf.Graph().as_default() as build, _tf.device(queue.op.device or None):
            raw = _tf.raw_ops
            key = raw.Placeholder(dtype=_tf.string, shape=[None], name="key")
            value = raw.Placeholder(dtype=_tf.int64, shape=[None], name="value")
            table = raw.MutableHashTableV2(
                key_dtype=_tf.string,
                value_dtype=_tf.int64,
                container=queue.op.get_attr("container"),
                shared_name=prefix + queue.shared_name,
            )
            insert = raw.LookupTableInsertV2(table_handle=table, keys=key, values=value)
            remove = raw.LookupTableRemoveV2(table_handle=table, keys=key)
            keys, values = raw.LookupTableExportV2(
                table_handle=table, Tkeys=_tf.string, Tvalues=_tf.int64
            )
            built = TableOps(key, value, insert, remove, keys, values)
        place = op_building.unique_prefix(graph, op_building.CONTROL_SCOPE)
        names = [each.name for each in built]
        found = TableOps(*op_building.graft(graph, place, build, {}, names))
        kept[prefix, queue.name] = found
        return found


def _kept_in(graph: Any) -> dict[tuple[Any, str], Any]:
    """The ops that were added to a graph and are kept, by what they do and for what."""
    kept = getattr(graph, _KEPT_AS, None)
    if kept is None:
        kept = {}
        setattr(graph, _KEPT_AS, kept)
    return kept
