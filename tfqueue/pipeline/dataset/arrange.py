"""Puts a plan into the order in which an expert writes it: records are mixed before they are
parsed, and parsed a batch at a time where that gives the same."""

import dataclasses
import os

from tfqueue.pipeline.dataset import plan, read


def arrange(node, without=frozenset()):
    """A plan that gives the same elements, faster.

    Args:
      node: A `plan.Node`.
      without: Steps that are not to be run on whole batches; None for all of them.
    """
    node = _over(node, without)
    if isinstance(node, plan.Shuffle) and isinstance(node.source, plan.Apply):
        inner = node.source
        moved = arrange(dataclasses.replace(node, source=inner.source), without)
        return dataclasses.replace(inner, source=moved)
    if isinstance(node, plan.Shuffle) and isinstance(node.source, plan.Read):
        files = node.source
        if read.by_element(files):
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


def deepen(node, least=8):
    """The plan with more single examples under way than the machine has cores.

    Whoever waits for them is then woken less often. Batches are left to tf.data: they are large,
    and few.

    Args:
      node: A `plan.Node`, arranged.
      least: How many are under way, however few the cores.
    """
    for each in plan.walk(node):
        if isinstance(each, plan.Apply) and not plan.of_batches(each.source):
            each.parallel = max(least, os.cpu_count() or 1)
    return node


def _over(node, without):
    """The node with what it takes from arranged."""
    changed = {}
    for field in dataclasses.fields(node):
        value = getattr(node, field.name)
        if isinstance(value, plan.Node):
            changed[field.name] = arrange(value, without)
        elif isinstance(value, list) and value and isinstance(value[0], plan.Node):
            changed[field.name] = [arrange(item, without) for item in value]
    return dataclasses.replace(node, **changed) if changed else node


def _by_batches(inner, without, rows=False):
    """Whether a step can be run on many elements at once, these having one shape (as rows do)."""
    return (
        without is not None
        and not inner.vector
        and inner.step not in without
        and inner.step.settled
        and not inner.step.draws
        and (rows or _of_one_shape(inner.source))
    )


def _of_one_shape(node):
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
