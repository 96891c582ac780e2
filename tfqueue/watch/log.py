"""The samples of one session, and the fill and rates over time that follow from them."""

from __future__ import annotations

import collections
import dataclasses
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from tfqueue.watch.counts import Level, Place
    from tfqueue.watch.shares import Shares

Point: TypeAlias = tuple[float, int, int, int]
"""What went through a queue: seconds, the counter that was read, elements put, elements taken."""
Points: TypeAlias = list[tuple[float, float]]
"""Seconds and values of a curve."""

_HISTORY = 1200
"""Samples kept of a whole run; with twice as many, every other one goes."""
_RECENT = 160
"""Samples kept in full: those of the last 40 seconds or so."""
_WINDOW = 6.0
"""Seconds that a rate is taken over, where enough passed in them."""


@dataclasses.dataclass(frozen=True)
class Failure:
    """An error that a pipeline met.

    Attributes:
        kind: Name of its class.
        text: Its first line.
        notes: Its story, a list of str.
        queue: Name of the queue it ended, or None.
        at: When it was seen, in seconds since the watch began.
    """

    kind: str
    text: str
    notes: tuple[str, ...]
    queue: str | None
    at: float


@dataclasses.dataclass(frozen=True)
class Sample:
    """The state of all queues of a session at a moment.

    Attributes:
        at: Seconds since the watch began.
        levels: `Level` by queue name.
    """

    at: float
    levels: dict[str, Level]


@dataclasses.dataclass(frozen=True)
class Rates:
    """Elements a second into a queue and out of it."""

    put: float
    taken: float


class SessionLog:
    """The samples of one session.

    Args:
        number: Which session of the program it is, from 1.
        began: When it began, in seconds since the watch did.
    """

    def __init__(self, number: int, began: float) -> None:
        self.number = number
        self.began = began
        self.ended: float | None = None
        self.first_batch: float | None = None
        """Seconds from the start of its runners to the end of the first step that took elements."""
        self.first_batch_at: float | None = None
        """When that step ended."""
        self.places: dict[str, Place] = {}
        """`Place` by queue name."""
        self.working: dict[str, bool] = {}
        """Whether a runner still fills the queue, by name; only for queues that runners fill."""
        self.errors: list[Failure] = []
        """`Failure`s, in the order in which they came up."""
        self.shares: dict[str, Shares] = {}
        """What the runners' threads spend their time on now: `Shares` by queue name."""
        self.shares_of_run: dict[str, Shares] = {}
        """The same for the whole run."""
        self.recent: collections.deque[Sample] = collections.deque(maxlen=_RECENT)
        self.history: list[Sample] = []
        self._stride = 1
        self._count = 0

    def add(self, sample: Sample) -> None:
        """Notes a `Sample`."""
        self.recent.append(sample)
        if self._count % self._stride == 0:
            self.history.append(sample)
            if len(self.history) > 2 * _HISTORY:
                del self.history[1::2]
                self._stride *= 2
        self._count += 1

    def last(self, name: str) -> Level | None:
        """The last `Level` of a queue whose size is known, or None."""
        for sample in reversed(self.recent):
            level = sample.levels.get(name)
            if level is not None and level.size is not None:
                return level
        return None

    def totals(self, name: str) -> tuple[int | None, int | None]:
        """`(put, taken)` of a queue at the last sample; None where they are not known exactly."""
        level = self.last(name)
        if level is None or level.size is None:
            return None, None
        if level.put is not None and (level.put_grain or 0) <= 1:
            return level.put, max(0, level.put - level.size)
        if level.taken is not None:
            return level.taken + level.size, level.taken
        return None, None

    def rates(self, name: str) -> Rates | None:
        """The `Rates` of a queue just now, or None where they cannot be told exactly."""
        if not self.recent:
            return None
        return rates(list(self.recent), name, self.recent[-1].at - _WINDOW)


def rates(samples: Sequence[Sample], name: str, since: float = float("-inf")) -> Rates | None:
    """The rates of one queue over the samples from `since` on.

    A counter moves by whole calls, so it is read where it has just moved, from
    one such moment to another. The count of elements is exact there; where
    there are no two such moments no rate is given.

    Args:
        samples: List of `Sample`s, in order.
        name: The queue's name.
        since: From when on; goes further back where too little moved since then.

    Returns:
        `Rates`, or None.
    """
    points, coarse = _flow(samples, name)
    if len(points) < 2:
        return None
    moves = [i for i in range(1, len(points)) if points[i][1] != points[i - 1][1]]
    quiet = points[-1][0] - (points[moves[-1]][0] if moves else points[0][0])
    if quiet >= _WINDOW:
        # No call has ended for some seconds. A call that puts many elements may have put some of
        # them; of steps and single puts the size of the queue tells.
        first = next(i for i in range(len(points)) if points[-1][0] - points[i][0] <= _WINDOW)
        return None if coarse else _between(points[first], points[-1])
    if len(moves) < 2:
        return None
    last = moves[-1]
    first = next((i for i in moves if points[i][0] >= since), last)
    if first == last:
        first = moves[-2]
    return _between(points[first], points[last])


def _between(one: Point, other: Point) -> Rates | None:
    """The rates from one point of a flow to another."""
    seconds = other[0] - one[0]
    if seconds <= 0:
        return None
    return Rates(max(0.0, (other[2] - one[2]) / seconds), max(0.0, (other[3] - one[3]) / seconds))


def _flow(samples: Iterable[Sample], name: str) -> tuple[list[Point], bool]:
    """What went through a queue, by the finer of the two counters.

    Returns:
        `(points, coarse)`: `(at, counter, put, taken)` of each sample, and whether the counter is
        one of puts of many elements, which it knows of only when all of them are in.
    """
    found = [(s.at, s.levels[name]) for s in samples if name in s.levels]
    known = [(at, level.size, level) for at, level in found if level.size is not None]
    if not known:
        return [], False
    last = known[-1][2]
    put_grain = max(level.put_grain or 0 for *_, level in known)
    taken_grain = max(level.taken_grain or 0 for *_, level in known)
    if last.put is not None and (last.taken is None or put_grain <= taken_grain):
        puts = [(at, size, level.put) for at, size, level in known if level.put is not None]
        return [(at, put, put, put - size) for at, size, put in puts], put_grain > 1
    takes = [(at, size, level.taken) for at, size, level in known if level.taken is not None]
    return [(at, taken, taken + size, taken) for at, size, taken in takes], False


def series(log: SessionLog, name: str, parts: int = 40) -> tuple[Points, Points, Points]:
    """A queue's fill and rates over the whole of a log.

    Args:
        name: The queue's name.
        parts: How many points the rates have at the most.

    Returns:
        `(fill, put, taken)`: lists of `(seconds, value)`.
    """
    sizes = [(s.at, s.levels[name].size) for s in log.history if name in s.levels]
    fill: Points = [(at, size) for at, size in sizes if size is not None]
    points, _ = _flow(log.history, name)
    moves = [i for i in range(1, len(points)) if points[i][1] != points[i - 1][1]]
    put: Points = []
    taken: Points = []
    if len(moves) < 2:
        return fill, put, taken
    least = (points[-1][0] - points[0][0]) / parts
    before = points[moves[0]]
    for i in moves[1:]:
        now = points[i]
        seconds = now[0] - before[0]
        if seconds < least or seconds <= 0:
            continue
        middle = (now[0] + before[0]) / 2
        put.append((middle, (now[2] - before[2]) / seconds))
        taken.append((middle, max(0.0, (now[3] - before[3]) / seconds)))
        before = now
    return fill, put, taken
