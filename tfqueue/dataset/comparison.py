"""Whether the queues and the lift give the same elements."""

import collections
import dataclasses
import itertools

import numpy as np

from tfqueue import _tensorflow
from tfqueue.dataset import plan

_tf = _tensorflow.compat_v1()

_IN_ORDER = "in order"
_IN_ANY_ORDER = "in any order"
_BY_SHAPE = "by dtype and shape"


@dataclasses.dataclass(frozen=True)
class Comparison:
    """What `tfqueue.dataset.check` found. It is true if both gave the same.

    Attributes:
        same: Whether they gave the same.
        steps: How many elements were compared.
        how: `"in order"`; `"in any order"`, example by example, where a queue shuffles or several
            threads put or read, but for as many as may be left over of the last batch, which is
            dropped; `"by dtype and shape"` where values are drawn at random.
        first: The number of the first element that differs, from 0; None if there is none, or
            elements have no order.
        difference: What differs, in words; empty if nothing does.
        error: What both raised in the end, as the name of its class; None if the data ended.
    """

    same: bool
    steps: int
    how: str
    first: int | None = None
    difference: str = ""
    error: str | None = None

    def __bool__(self):
        return self.same

    def __str__(self):
        count = f"{self.steps} elements, compared {self.how}"
        if self.same:
            return f"the same: {count}" + (f", then {self.error}" if self.error else "")
        where = f"element {self.first}: " if self.first is not None else ""
        return f"different ({count}): {where}{self.difference}"


def compare(queues, lifted, node, steps):
    """Compares what the queues give with what the lift gives.

    Args:
        queues: Iterator of the elements of a session.
        lifted: The `tf.data.Dataset`.
        node: Its plan.
        steps: How many elements at the most.

    Returns:
        A `Comparison`.
    """
    how = _how(node)
    one, one_error = _taken(queues, steps)
    other, other_error = _taken(lifted, steps)
    count = min(len(one), len(other))
    if how == _IN_ANY_ORDER and max(len(one), len(other)) == steps:
        how = _BY_SHAPE if plan.endless(node) or len(one) == len(other) else how
    same = {_IN_ORDER: _same_values, _IN_ANY_ORDER: _same_form, _BY_SHAPE: _same_form}[how]
    for place, (a, b) in enumerate(zip(one, other, strict=False)):
        difference = same(a, b)
        if difference:
            return Comparison(False, count, how, place, difference)
    if any(isinstance(each, plan.Share) for each in plan.walk(node)) and one and other:
        return Comparison(True, count, how, error=one_error)  # who got how many was chance
    if len(one) != len(other):
        ends = (
            f"the queues gave {_counted(one, one_error)}, the lift {_counted(other, other_error)}"
        )
        return Comparison(False, count, how, count, ends)
    if one_error != other_error:
        told = f"the queues ended with {one_error or 'the data'}, the lift with "
        return Comparison(False, count, how, count, told + str(other_error or "the data"))
    if how == _IN_ANY_ORDER:
        a, b = _examples(one), _examples(other)
        for extra, whose in (
            (a - b, "queues are not in the lift"),
            (b - a, "lift are not in the queues"),
        ):
            if extra.total() > _left_over(node):
                told = f"{extra.total()} examples of the {whose}"
                return Comparison(False, count, how, None, told)
    return Comparison(True, count, how, error=one_error)


def _how(node):
    nodes = list(plan.walk(node))
    # In which order a step takes at several places was never told.
    if any(isinstance(each, (plan.Split, plan.Share)) for each in nodes):
        return _BY_SHAPE
    if any(
        isinstance(each, plan.Apply) and each.step.draws and not each.step.ordered for each in nodes
    ):
        return _BY_SHAPE
    if any(_mixes(each) or isinstance(each, (plan.Sort, plan.Bucket)) for each in nodes):
        return _IN_ANY_ORDER
    return _IN_ORDER


def _mixes(node):
    """Whether chance decides in which order a node's elements come."""
    if isinstance(node, plan.Rows):
        return node.shuffled and node.in_order is None
    if isinstance(node, plan.Read):
        return node.files > 1  # several readers, each in a thread, share the names
    if isinstance(node, plan.Apply):
        return node.step.threads > 1
    return isinstance(node, (plan.Shuffle, plan.Merge))


def _left_over(node):
    """How many examples at most are dropped with the last batches, where chance decides which."""
    nodes = list(plan.walk(node))
    if not any(map(_mixes, nodes)):
        return 0
    batches = (plan.Batch, plan.Rebatch, plan.Bucket)
    dropping = [each for each in nodes if isinstance(each, batches) and not each.smaller]
    sizes = [size for b in dropping for size in (b.sizes if hasattr(b, "sizes") else [b.size])]
    return sum(size - 1 for size in sizes)


def _taken(elements, steps):
    """The first elements as lists of arrays, and the name of the error behind them, or None."""
    found = []
    try:
        for element in itertools.islice(iter(elements), steps):
            parts = _tf.nest.flatten(element, expand_composites=True)
            found.append([_array(part) for part in parts if part is not None])
    except _tf.errors.OpError as error:
        return found, type(error).__name__
    return found, None


def _array(part):
    if isinstance(part, (bytes, str)):  # NumPy's own strings end before their last zero bytes
        return np.asarray(part, object)
    array = np.asarray(part)
    return array.astype(object) if array.dtype.kind in "SU" else array


def _counted(elements, error):
    return f"{len(elements)}" + (f" and then {error}" if error else "")


def _same_form(one, other):
    """What differs between two elements besides their values; empty if nothing does."""
    for place, (a, b) in enumerate(zip(one, other, strict=True)):
        if a.dtype.kind != b.dtype.kind or a.ndim != b.ndim:
            return f"component {place} is {a.dtype} {a.shape}, in the lift {b.dtype} {b.shape}"
    return ""


def _same_values(one, other):
    difference = _same_form(one, other)
    for place, (a, b) in enumerate(zip(one, other, strict=True)):
        if difference:
            break
        if a.shape != b.shape:
            difference = f"component {place} has shape {a.shape}, in the lift {b.shape}"
        elif a.dtype.kind == "f" and not np.allclose(a, b, rtol=1e-5, atol=1e-5, equal_nan=True):
            at = np.unravel_index(np.argmax(~np.isclose(a, b, 1e-5, 1e-5, True)), a.shape)
            difference = f"component {place} at {list(map(int, at))}: {a[at]}, in the lift {b[at]}"
        elif a.dtype.kind != "f" and not np.array_equal(a, b):
            at = np.unravel_index(np.argmax(a != b), a.shape)
            difference = f"component {place} at {list(map(int, at))}: {a[at]}, in the lift {b[at]}"
    return difference


def _examples(elements):
    """The examples of all elements, each as often as it is there."""
    found = collections.Counter()
    for parts in elements:
        lengths = {part.shape[0] for part in parts if part.ndim}
        if len(lengths) == 1 and all(part.ndim for part in parts):
            found.update(tuple(_key(part[k]) for part in parts) for k in range(lengths.pop()))
        else:
            found[tuple(map(_key, parts))] += 1
    return found


def _key(part):
    part = np.asarray(part)
    if part.dtype.kind == "f":
        part = part.astype(np.float32).round(4) + np.float32(0)
    return str(part.tolist()) if part.dtype.kind in "OSU" else (part.shape, part.tobytes())
