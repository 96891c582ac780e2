"""Whether the queues and the lift give the same elements."""

from __future__ import annotations

import dataclasses
import functools
import itertools
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from tfqueue import _tensorflow
from tfqueue._tensorflow.types import Array
from tfqueue.dataset import plan
from tfqueue.recording import record_tf1, recording
from tfqueue.recording.elements import matched
from tfqueue.recording.recording import Rows
from tfqueue.recording.tolerances import RTOL, first_apart, largest

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

    def __bool__(self) -> bool:
        return self.same

    def __str__(self) -> str:
        count = f"{self.steps} elements, compared {self.how}"
        if self.same:
            return f"the same: {count}" + (f", then {self.error}" if self.error else "")
        where = f"element {self.first}: " if self.first is not None else ""
        return f"different ({count}): {where}{self.difference}"


def compare(
    queues: Iterable[Any], lifted: Iterable[Any], node: plan.Node, steps: int
) -> Comparison:
    """Compares what the queues give with what the lift gives.

    Args:
        queues: Iterator of the elements of a session.
        lifted: The `tf.data.Dataset`.
        node: The lift's plan, which says whether the order of the elements is known.
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
    difference_of = _difference if how == _IN_ORDER else _form_difference
    for place, (a, b) in enumerate(zip(one, other, strict=False)):
        difference = difference_of(a, b)
        if difference:
            return Comparison(False, count, how, place, difference)
    if any(isinstance(each, plan.Share) for each in plan.walk(node)) and one and other:
        return Comparison(True, count, how, error=one_error)  # consumers share at random
    if len(one) != len(other):
        ends = (
            f"the queues gave {_counted(one, one_error)}, the lift {_counted(other, other_error)}"
        )
        return Comparison(False, count, how, count, ends)
    if one_error != other_error:
        told = f"the queues ended with {one_error or 'the data'}, the lift with "
        return Comparison(False, count, how, count, told + str(other_error or "the data"))
    if how == _IN_ANY_ORDER:
        left, right = matched(_examples(one), _examples(other), RTOL, _same_floats)
        for extra, whose in (
            (left, "queues are not in the lift"),
            (right, "lift are not in the queues"),
        ):
            if extra.total() > _left_over(node):
                told = f"{extra.total()} examples of the {whose}"
                return Comparison(False, count, how, None, told)
    return Comparison(True, count, how, error=one_error)


def _how(node: plan.Node) -> str:
    nodes = list(plan.walk(node))
    # TensorFlow 1 set no order between the places at which one step takes elements.
    if any(isinstance(each, (plan.Split, plan.Share)) for each in nodes):
        return _BY_SHAPE
    if any(
        isinstance(each, plan.Apply) and each.step.draws and not each.step.ordered for each in nodes
    ):
        return _BY_SHAPE
    if any(_mixes(each) or isinstance(each, (plan.Sort, plan.Bucket)) for each in nodes):
        return _IN_ANY_ORDER
    return _IN_ORDER


def _mixes(node: plan.Node) -> bool:
    """Whether the order of a node's elements is random."""
    if isinstance(node, plan.Rows):
        return node.shuffled and node.in_order is None and node.drawn is None
    if isinstance(node, plan.Read):
        return node.files > 1  # several readers, each in a thread, share the names
    if isinstance(node, plan.Apply):
        return node.step.threads > 1
    return isinstance(node, (plan.Shuffle, plan.Merge))


def _left_over(node: plan.Node) -> int:
    """The largest number of examples that are dropped with the last batches, in a random choice."""
    nodes = list(plan.walk(node))
    if not any(map(_mixes, nodes)):
        return 0
    batches = (plan.Batch, plan.Rebatch, plan.Bucket)
    dropping = [each for each in nodes if isinstance(each, batches) and not each.smaller]
    sizes = [size for b in dropping for size in (b.sizes if hasattr(b, "sizes") else [b.size])]
    return sum(size - 1 for size in sizes)


def _taken(elements: Iterable[Any], steps: int) -> tuple[list[list[Array]], str | None]:
    """The first elements as lists of arrays, and the name of the error behind them, or None."""
    found = []
    try:
        for element in itertools.islice(iter(elements), steps):
            parts = _tf.nest.flatten(element, expand_composites=True)
            found.append([record_tf1.as_array(part) for part in parts if part is not None])
    except _tf.errors.OpError as error:
        return found, type(error).__name__
    return found, None


def _counted(elements: Sequence[object], error: str | None) -> str:
    return f"{len(elements)}" + (f" and then {error}" if error else "")


def _form_difference(one: Sequence[Array], other: Sequence[Array]) -> str:
    """What differs between two elements besides their values; empty if nothing does."""
    for place, (a, b) in enumerate(zip(one, other, strict=True)):
        if a.dtype.kind != b.dtype.kind or a.ndim != b.ndim:
            return f"component {place} is {a.dtype} {a.shape}, in the lift {b.dtype} {b.shape}"
    return ""


def _difference(one: Sequence[Array], other: Sequence[Array]) -> str:
    """What differs between two elements; empty if nothing does."""
    form = _form_difference(one, other)
    if form:
        return form
    for place, (a, b) in enumerate(zip(one, other, strict=True)):
        if a.shape != b.shape:
            return f"component {place} has shape {a.shape}, in the lift {b.shape}"
        flat = first_apart(a, b, RTOL)
        if flat is not None:
            at = np.unravel_index(flat, a.shape)
            return f"component {place} at {list(map(int, at))}: {a[at]}, in the lift {b[at]}"
    return ""


@dataclasses.dataclass(frozen=True)
class _Examples(Rows):
    """The examples of one element as a recording has them, and their values.

    Attributes:
        parts: The components, each with one example a row.
    """

    parts: tuple[Array, ...] = ()

    @functools.cached_property
    def largest(self) -> dict[int, float]:
        """The largest absolute value of each float component."""
        return {k: largest(self.parts[k]) for k in self.floats}


def _examples(elements: Iterable[Sequence[Array]]) -> list[tuple[Rows, int]]:
    """The examples of all elements, each as its element's and its place in that."""
    found: list[tuple[Rows, int]] = []
    for parts in elements:
        by_row = all(part.ndim for part in parts) and len({len(part) for part in parts}) == 1
        rows = recording.rows_of(record_tf1.rows_of(list(parts), by_row))
        # Arrays of other shapes may have the same bytes.
        digests = tuple(
            tuple(f"{d} {kind}" for d, kind in zip(row, rows.types, strict=True))
            for row in rows.rows
        )
        examples = tuple(parts if by_row else (part[np.newaxis] for part in parts))
        made = _Examples(digests, rows.floats, rows.types, parts=examples)
        found += [(made, place) for place in range(len(digests))]
    return found


def _same_floats(one: Rows, at: int, other: Rows, place: int, rtol: float) -> bool:
    """Whether the floats of two examples are the same, each nearly.

    As in order, `rtol` is that of the largest value of the component in the whole element.
    """
    assert isinstance(one, _Examples)
    assert isinstance(other, _Examples)
    for k in one.floats:
        a, b = one.parts[k][at], other.parts[k][place]
        scale = max(one.largest[k], other.largest[k])
        if a.shape != b.shape or first_apart(a, b, rtol, scale) is not None:
            return False
    return True
