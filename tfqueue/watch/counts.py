"""The state of one session's queues at a moment. No op is added to the program's steps.

Sizes come from one small step a sample. The number of elements that passed comes from counters that
the session keeps: what the runners' movers have put, and what steps have taken. A count that is not
kept exactly is None.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from tfqueue import _tensorflow

if TYPE_CHECKING:
    from tfqueue.graph.op_types import Queue
    from tfqueue.session.owner import Owner
    from tfqueue.session.runner import RunnerRun


@dataclasses.dataclass(frozen=True)
class Place:
    """What a queue is in its pipeline.

    Attributes:
        name: The queue op's name.
        kind: Class of the queue, such as `FIFOQueue`.
        capacity: int; negative where there is no limit.
        reserve: Its `min_after_dequeue`.
        threads: How many threads of runners fill it.
        upstream: Names of the queues that those threads take elements or file names from.
        reader: Kind of the reader that they read with, or None.
        by_steps: Whether steps of the program take from it.
    """

    name: str
    kind: str
    capacity: int
    reserve: int
    threads: int
    upstream: tuple[str, ...]
    reader: str | None
    by_steps: bool

    @property
    def short(self) -> str:
        """Its name without what TensorFlow puts behind a producer's or a batch's own name."""
        first, _, last = self.name.rpartition("/")
        return first if first and last.startswith(_OWN_NAMES) else self.name


_OWN_NAMES = ("fifo_queue", "padding_fifo_queue", "random_shuffle_queue", "priority_queue")


@dataclasses.dataclass(frozen=True)
class Level:
    """One queue at one moment.

    Attributes:
        size: How many elements it holds; None if the session could not tell.
        put: How many were ever put in.
        taken: How many were ever taken out, as its takers count them.
        put_grain: By how much `put` may lag behind, while a call is under way; None without `put`.
        taken_grain: The same for `taken`.
        wanted: How many elements the steps that wait just now want from it.
    """

    size: int | None
    put: int | None = None
    taken: int | None = None
    put_grain: int | None = None
    taken_grain: int | None = None
    wanted: int = 0


class Counters:
    """Reads the counters of one session.

    Args:
        owner: The session's `Owner`.
    """

    def __init__(self, owner: Owner) -> None:
        self._owner = owner
        self._sizes: Callable[[], Sequence[Any]] | None = None
        self._asked: list[Queue] = []
        self.places: dict[str, Place] = {}
        """`Place` by queue name."""

    def grew(self) -> None:
        """Prepares the step that gives the sizes of all queues, if the pipeline has grown.

        It is called in a thread of the program, since it may add ops to the graph.
        """
        queues = list(self._owner.pipeline.queues.values())
        if len(queues) > len(self._asked):
            self._sizes = self._owner.queues.sizes(queues)
            self._asked = queues
        self.places = {queue.name: self._place(queue) for queue in queues}

    def _place(self, queue: Queue) -> Place:
        owner = self._owner
        pipeline = owner.pipeline
        runs = owner.runs_of(queue)
        takes = [take for run in runs for take in pipeline.demand_of(run.runner).takes]
        readers = [pipeline.reader_of(take.op) for take in takes if take.is_read]
        return Place(
            queue.name,
            queue.kind,
            queue.capacity,
            queue.min_after_dequeue,
            sum(len(run.movers) for run in runs),
            tuple(dict.fromkeys(take.queue.name for take in takes)),
            next((reader.kind for reader in readers if reader is not None), None),
            any(take.queue is queue for plan in owner.plans for take in plan.demand.takes),
        )

    def read(self) -> dict[str, Level]:
        """The `Level` of each queue by name, in the order they were built."""
        sizes = self._read_sizes()
        owner = self._owner
        found: dict[str, Level] = {}
        for queue in self._asked:
            runs = owner.runs_of(queue)
            put, put_grain = self._put(queue, runs)
            taken, taken_grain, wanted = self._taken(queue)
            found[queue.name] = Level(
                sizes.get(queue.name), put, taken, put_grain, taken_grain, wanted
            )
        return found

    def _read_sizes(self) -> dict[str, int]:
        if self._sizes is None or self._owner.closed:
            return {}
        tf = _tensorflow.compat_v1()
        try:
            values = self._sizes()
        except (tf.errors.OpError, RuntimeError):
            return {}  # the session has been closed since, or a queue cannot be made
        return {queue.name: int(size) for queue, size in zip(self._asked, values, strict=True)}

    def _shared(self, queue: Queue) -> bool:
        """Whether others than this session may put and take."""
        return bool(queue.shared_name) or self._owner.remote

    def _put(self, queue: Queue, runs: Sequence[RunnerRun]) -> tuple[int | None, int | None]:
        movers = [mover for run in runs for mover in run.movers]
        fed_by_hand = self._owner.queues.feeders_of(queue)
        unknown = any(mover.grain is None for mover in movers) or not (movers or fed_by_hand)
        if unknown or self._shared(queue):
            return None, None
        # At the end of its input no call is under way; a stop may have cut one short.
        working = [run for run in runs if not run.ended and run.failure is None]
        amount = sum(mover.elements for mover in movers)
        grain = sum(mover.grain or 0 for run in working for mover in run.movers)
        if fed_by_hand:
            by_hand = self._owner.accounts.put_by_hand(queue)
            if by_hand is None:
                return None, None
            amount, grain = amount + by_hand, max(grain, 1)
        return amount, grain

    def _taken(self, queue: Queue) -> tuple[int | None, int | None, int]:
        """What takers have counted, how far that may lag, and what waiting steps want."""
        owner = self._owner
        wanted = sum(
            take.amount or 1
            for job in list(owner.steps.under_way)
            if not job.wait(0)
            for take in job.plan.demand.takes
            if take.queue is queue and not take.is_read
        )
        booked = owner.accounts.taken_by_steps(queue, owner.plans)
        if self._shared(queue) or booked is None:
            return None, None, wanted
        amount, grain = booked
        return max(0, amount - wanted), grain, wanted
