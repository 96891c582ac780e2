"""Rewrites of a plan that keep its elements and make it faster.

Records are shuffled before they are parsed, and parsed a batch at a time where that gives the same. `pace` says what
runs at once, and `serve` divides a plan for the workers of a tf.data service.
"""

from __future__ import annotations

import dataclasses
import secrets
from collections.abc import Collection

from tfqueue.dataset import plan, readers, steps


def arrange(node: plan.Node, without: Collection[steps.OldStep] | None = frozenset()) -> plan.Node:
    """A plan that gives the same elements, faster.

    Args:
        without: Steps that are not to be run on whole batches; None for all of them.
    """
    node = plan.rebuilt(node, lambda source: arrange(source, without))
    if isinstance(node, plan.Shuffle) and isinstance(node.source, plan.Apply):
        inner = node.source
        moved = arrange(dataclasses.replace(node, source=inner.source), without)
        return dataclasses.replace(inner, source=moved)
    if isinstance(node, plan.Shuffle) and isinstance(node.source, plan.Read):
        files = node.source
        if readers.by_element(files):
            return dataclasses.replace(files, names=dataclasses.replace(node, source=files.names))
    if isinstance(node, plan.Batch) and isinstance(node.source, plan.Apply):
        inner = node.source
        if node.padded is None and _by_batches(inner, without):
            batches = dataclasses.replace(node, source=inner.source)
            size = None if node.smaller else node.size
            return dataclasses.replace(inner, source=batches, vector=True, size=size)
    if isinstance(node, plan.Apply) and node.step.plain:
        return node.source
    if isinstance(node, plan.Apply) and isinstance(node.source, plan.Unbatch):
        if node.step.given and _by_batches(node, without, rows=True):
            many = dataclasses.replace(node, source=node.source.source, vector=True)
            return dataclasses.replace(node.source, source=many)
    return node


def pace(node: plan.Node, ahead: int | None = None) -> plan.Node:
    """The plan with the number of elements that each step computes at the same time.

    Draws with seeds come one after the other where TensorFlow 1 gave the same in every run, and
    where two draws share a seed, so that an image and its mask are cropped alike. More single
    examples are computed ahead than tf.data begins with, so that a consumer is woken less often.
    How many batches are computed ahead is left to tf.data: they are large, and few.

    Args:
        node: A `plan.Node`, arranged.
        ahead: How many examples are computed ahead; None leaves them to tf.data too.
    """
    for each in plan.walk(node):
        if not isinstance(each, plan.Apply):
            continue
        if each.step.ordered and (each.step.draws_alike or not _mixed(each.source)):
            each.parallel = 1
        elif not plan.of_batches(each.source):
            each.parallel = ahead
    return node


def _mixed(node: plan.Node) -> bool:
    """Whether a shuffling queue is behind a node."""
    return any(isinstance(each, plan.Shuffle) for each in plan.walk(node))


def serve(node: plan.Node, address: str) -> plan.Node:
    """The plan with a tf.data service in it.

    If the data never ends, the workers do everything. If it ends, each worker has elements left
    that fill no batch. So the steps that make one element of several, and those behind them, run in this
    process, on the elements of all workers. A batch is computed by the workers as far as their
    elements go, and completed here.

    Args:
        node: A `plan.Node`, arranged.
        address: The dispatcher's.

    Raises:
        errors.CannotLiftError: Something relies on an order that several workers do not keep, or
            several consumers would each have a job of their own.
    """
    for each in plan.walk(node):
        reason = _unserved(each)
        if reason:
            steps.refuse(reason, None)
    node = _shared_rows(node)
    grouped = any(isinstance(each, _OF_SEVERAL) for each in plan.walk(node))
    if not grouped or plan.endless(node):
        return plan.Serve(node, address)
    return _served(node, address)


_OF_SEVERAL = (plan.Batch, plan.Bucket, plan.Sort, plan.Split)
"""Nodes that make one element of several. At the end of the data some may be left over."""


def _unserved(node: plan.Node) -> str | None:
    """Why the workers of a tf.data service cannot do what a node does; None if they can."""
    if isinstance(node, plan.Share):
        return "a queue has several consumers, and each would have a job of its own"
    if isinstance(node, plan.Zip) and not all(
        _by_chance(source) and plan.endless(source) for source in node.sources
    ):
        return (
            "elements of several queues are taken together, and each worker of a tf.data service "
            "would pair those that it has"
        )
    if isinstance(node, plan.Split) and not _by_chance(node.source):
        return (
            "a step takes at several places what follows each other in a queue, and several workers "
            "of a tf.data service do not keep the order"
        )
    if isinstance(node, plan.Apply) and node.step.ordered:
        if not _by_chance(node.source) and not _mixed(node.source):
            return (
                "numbers are drawn with a seed for examples in order, and each worker of a tf.data "
                "service would draw the same ones for its own examples"
            )
    return None


def _by_chance(node: plan.Node) -> bool:
    """Whether elements come in a random order: a node shuffles without a seed."""
    for each in plan.walk(node):
        if isinstance(each, plan.Shuffle) and each.seed is None:
            return True
        if isinstance(each, plan.Rows) and each.shuffled and each.seed is None:
            return True
    return False


def _served(node: plan.Node, address: str) -> plan.Node:
    """The node with the service below the first node that makes one element of several."""
    if not any(isinstance(each, _OF_SEVERAL) for each in plan.walk(node)):
        return plan.Serve(node, address)
    step = node if isinstance(node, plan.Apply) and node.vector else None
    batch = step.source if step is not None else node
    first = not any(isinstance(each, _OF_SEVERAL) for s in batch.inputs for each in plan.walk(s))
    # A padded batch that is divided would keep its width, so it is made here as a whole.
    if isinstance(batch, plan.Batch) and batch.padded is None and first:
        parts: plan.Node = dataclasses.replace(batch, smaller=True)
        if step is not None:
            parts = dataclasses.replace(step, source=parts, size=None)
        return plan.Rebatch(plan.Serve(parts, address), batch.size, batch.smaller)
    return plan.rebuilt(node, lambda source: _served(source, address))


def _shared_rows(node: plan.Node) -> plan.Node:
    """The plan with rows that the workers of a tf.data service share.

    A `Dataset.shuffle` of rows on a worker would take as many rows as its buffer holds, and all of
    them would be lost with the worker. So rows are in a shuffled order before they are given out.
    """
    if isinstance(node, plan.Shuffle) and isinstance(node.source, plan.Rows):
        rows = node.source
        if rows.shuffled or node.buffer >= rows.count:
            return _shared_rows(
                dataclasses.replace(rows, shuffled=True, seed=node.seed, in_order=None)
            )
    if isinstance(node, plan.Rows):
        seed = secrets.randbelow(1 << 31) if node.seed is None else node.seed
        return dataclasses.replace(node, served=True, seed=seed)
    return plan.rebuilt(node, _shared_rows)


def _by_batches(
    inner: plan.Apply, without: Collection[steps.OldStep] | None, rows: bool = False
) -> bool:
    """Whether a step can be run on a batch of elements.

    A step with random ops cannot: for a batch they would draw other numbers.

    Args:
        inner: The step.
        without: Steps that are not to be run on batches; None for all of them.
        rows: Whether the elements are rows of one tensor, which have one shape.
    """
    return (
        without is not None
        and not inner.vector
        and inner.step not in without
        and inner.step.regular
        and not inner.step.draws
        and (rows or _of_one_shape(inner.source))
    )


def _of_one_shape(node: plan.Node) -> bool:
    """Whether all elements of a node have one shape, so that they can be batched as they are."""
    if isinstance(node, plan.Read):
        return node.up_to is None
    if isinstance(node, (plan.Shuffle, plan.Share)):
        return _of_one_shape(node.source)
    if isinstance(node, (plan.Zip, plan.Merge)):
        return all(map(_of_one_shape, node.sources))
    if isinstance(node, plan.Apply):
        return node.step.settled
    return isinstance(node, plan.Rows)
