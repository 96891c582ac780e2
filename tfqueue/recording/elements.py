"""Whether two recorded elements are the same, and which of many are in one recording alone."""

from __future__ import annotations

import collections
import math
from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np

from tfqueue.recording.recording import Rows, Step
from tfqueue.recording.tolerances import TINY


def same_row(one: Rows, at: int, other: Rows, place: int, rtol: float) -> bool:
    """Whether two elements are the same; float components by their extremes and sums."""
    return all(
        old == new or _same_floats(one, at, other, place, component, rtol)
        for component, (old, new) in enumerate(zip(one.rows[at], other.rows[place], strict=True))
    )


def _same_floats(one: Rows, at: int, other: Rows, place: int, component: int, rtol: float) -> bool:
    """Whether one component of two elements is of floats that are nearly the same."""
    if component not in one.floats or component not in other.floats:
        return False
    old, new = one.floats[component][at], other.floats[component][place]
    if old[3:] != new[3:]:
        return False  # what is not finite
    tiny = 0.0 if one.types[component].startswith("float64") else TINY
    extreme = max(map(abs, (*old[1:3], *new[1:3])))
    if extreme <= tiny:
        return True
    bound = 2 * rtol * extreme + tiny
    if not all(_close(*pair, bound) for pair in zip(old[1:3], new[1:3], strict=True)):
        return False
    by_place = [
        rows.places[component][row]
        for rows, row in ((one, at), (other, place))
        if component in rows.places
    ]
    # Positive and negative numbers cancel out in a sum; the rounding of each does not.
    usual = max(abs(old[0]), abs(new[0]), extreme)
    bound = rtol * max((absolute for _, absolute in by_place), default=usual) + tiny
    sums = [(old[0], new[0])]
    if len(by_place) == 2:
        sums.append((by_place[0][0], by_place[1][0]))
    return all(_close(*pair, bound) for pair in sums)


def _close(one: float, other: float, bound: float) -> bool:
    """Whether two numbers are apart by no more than a bound; infinity is infinity."""
    return math.isclose(one, other, rel_tol=0.0, abs_tol=bound)


def matched(
    old: Sequence[tuple[Rows, int]],
    new: Sequence[tuple[Rows, int]],
    rtol: float,
    same: Callable[[Rows, int, Rows, int, float], bool] = same_row,
) -> tuple[collections.Counter[object], collections.Counter[object]]:
    """The elements of each that the other has not, as often as they are over.

    Args:
        old: Elements, each as `Rows` and its place in them.
        new: The elements that they are compared with.
        rtol: How far floats may be apart.
        same: Whether two elements of different digests are the same, as `same_row`.
    """
    one, other = (collections.Counter(_key(*each) for each in rows) for rows in (old, new))
    left, right = one - other, other - one
    if not left or not right or not any(rows.floats for rows, _ in old):
        return left, right
    groups = _groups([each for each in new if _key(*each) in right])
    for rows, place in old:
        key = _key(rows, place)
        group = groups.get(_exact(rows, place))
        if group is None or left[key] <= 0:
            continue
        for candidate, other_place in group.near(rows, place, rtol):
            found = _key(candidate, other_place)
            if right[found] > 0 and same(rows, place, candidate, other_place, rtol):
                left[key] -= 1
                right[found] -= 1
                break
    return +left, +right


class _Group:
    """Elements that agree in all components but those of floats."""

    def __init__(self, members: Sequence[tuple[Rows, int]]) -> None:
        self._members = members
        self._extremes = np.array([_extremes(*each) for each in members])
        self._largest = np.abs(self._extremes).max(axis=(0, -1))[:, np.newaxis]

    def near(self, rows: Rows, place: int, rtol: float) -> Iterator[tuple[Rows, int]]:
        """Yields the elements whose extremes are nearly those of a given one, the nearest first.

        The bound is that of the largest value of each component, so that no element is left out.
        """
        mine = np.array(_extremes(rows, place))
        if mine.shape != self._extremes.shape[1:]:
            return
        widest = np.maximum(self._largest, np.abs(mine).max(axis=-1, keepdims=True))
        bound = 2 * rtol * widest + TINY
        with np.errstate(over="ignore"):  # infinity is the largest number here
            apart = np.abs(self._extremes - mine)
        close = np.flatnonzero((apart <= bound).all(axis=(1, 2)))
        for number in close[np.argsort(apart[close].max(axis=(1, 2)), kind="stable")].tolist():
            yield self._members[number]


def _groups(rows: Sequence[tuple[Rows, int]]) -> dict[object, _Group]:
    found: dict[object, list[tuple[Rows, int]]] = {}
    for each in rows:
        found.setdefault(_exact(*each), []).append(each)
    return {exact: _Group(members) for exact, members in found.items()}


def _exact(rows: Rows, place: int) -> object:
    """The digests of the components that are no floats, and which those are."""
    return tuple(d for k, d in enumerate(rows.rows[place]) if k not in rows.floats), tuple(
        sorted(rows.floats)
    )


def _extremes(rows: Rows, place: int) -> list[tuple[float, ...]]:
    """Minimum and maximum of each float component of an element."""
    return [rows.floats[k][place][1:] for k in sorted(rows.floats)]


def _key(rows: Rows, place: int) -> object:
    return rows.rows[place]


def all_rows(steps: Iterable[Step], name: str) -> list[tuple[Rows, int]]:
    """The elements that an op took in all steps, each as `Rows` and its place in them."""
    return [
        (step.taken[name], place)
        for step in steps
        if name in step.taken
        for place in range(len(step.taken[name].rows))
    ]
