"""Puts a plan into the order in which an expert writes it: records are mixed before they are
parsed, and parsed a batch at a time where that gives the same."""

import dataclasses

from tfqueue.dataset import plan, readers, steps


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


def pace(node, ahead=None):
    """The plan with what each step computes side by side.

    Draws with seeds come one after the other where TensorFlow 1 gave the same in every run. Of
    single examples more are under way than tf.data begins with: whoever waits for them is woken
    less often. Batches are left to tf.data: they are large, and few.

    Args:
      node: A `plan.Node`, arranged.
      ahead: How many examples are under way; None leaves them to tf.data too.
    """
    for each in plan.walk(node):
        if not isinstance(each, plan.Apply):
            continue
        mixed = any(isinstance(before, plan.Shuffle) for before in plan.walk(each.source))
        if each.step.ordered and not mixed:
            each.parallel = 1
        elif not plan.of_batches(each.source):
            each.parallel = ahead
    return node


def serve(node, address):
    """The plan with a tf.data service in it.

    Its workers do everything, unless the data ends: then each has a rest that fills no batch. So
    what makes one element of several, and all that follows, is done here, with what all workers
    give; a batch is computed by them as far as it goes, and made up here.

    Args:
      node: A `plan.Node`, arranged.
      address: The dispatcher's.

    Raises:
      errors.CannotLiftError: Elements of several workers would be put together that do not belong
        together, or several consumers would each have a service of their own.
    """
    for each in plan.walk(node):
        alike = isinstance(each, plan.Zip) and all(map(_any_order, each.sources))
        if isinstance(each, plan.Zip) and not alike:
            steps.refuse(
                "elements of several queues are taken together, and each worker of a tf.data service "
                "would pair those that it has",
                None,
            )
        if isinstance(each, plan.Share):
            steps.refuse(
                "a queue has several consumers, and each would have a job of its own", None
            )
    grouped = any(isinstance(each, _OF_SEVERAL) for each in plan.walk(node))
    if not grouped or plan.endless(node):
        return plan.Serve(node, address)
    return _served(node, address)


_OF_SEVERAL = (plan.Batch, plan.Bucket, plan.Sort, plan.Split)
"""Nodes that make an element of several, so that a rest can be left over."""


def _any_order(node):
    """Whether a source of a zip has no end and no order, so that any of its elements will do."""
    mixed = any(
        isinstance(each, plan.Shuffle) or (isinstance(each, plan.Rows) and each.shuffled)
        for each in plan.walk(node)
    )
    return mixed and plan.endless(node)


def _served(node, address):
    """The node with the service below the first of what makes an element of several."""
    if not any(isinstance(each, _OF_SEVERAL) for each in plan.walk(node)):
        return plan.Serve(node, address)
    batch = node.source if isinstance(node, plan.Apply) and node.vector else node
    first = not any(isinstance(each, _OF_SEVERAL) for s in batch.inputs for each in plan.walk(s))
    # Padded anew they would be as wide as before.
    if isinstance(batch, plan.Batch) and batch.padded is None and first:
        parts = dataclasses.replace(batch, smaller=True)
        if batch is not node:
            parts = dataclasses.replace(node, source=parts, size=None)
        return plan.Rebatch(plan.Serve(parts, address), batch.size, batch.smaller)
    changed = {
        field.name: _served(getattr(node, field.name), address)
        for field in dataclasses.fields(node)
        if isinstance(getattr(node, field.name), plan.Node)
    }
    if isinstance(node, plan.Merge):
        changed["sources"] = [_served(source, address) for source in node.sources]
    return dataclasses.replace(node, **changed)


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
    """Whether a step can be run on many elements at once, these having one shape (as rows do).

    Random ops stay as they are: drawn for a batch they cost more, and other numbers come.
    """
    return (
        without is not None
        and not inner.vector
        and inner.step not in without
        and inner.step.regular
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
