"""`Failure`: what a session tells of a failure, a stall or an end, to be explained.

A record of one moment. The code that explains it needs no session, and changes none.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any, TypeAlias

from tfqueue import _tensorflow
from tfqueue._tensorflow.types import Op
from tfqueue.graph.model import Pipeline
from tfqueue.graph.op_types import Demand, Queue
from tfqueue.graph.tasks import Cluster


def _unknown_size(queue: Queue) -> int:
    raise RuntimeError(f"no session tells the size of {queue.name}")


def _nothing(key: str, function: Callable[[], Any], seconds: float) -> Any:
    """In place of a call in another thread, where the session has none for it."""
    return None


Record: TypeAlias = tuple[bytes, bytes]
"""The key and the value of a record, as a reader gives them."""


@dataclasses.dataclass(frozen=True, eq=False)
class RunnerFacts:
    """What a `QueueRunner` had done in the session."""

    name: str
    queue_name: str
    ops: tuple[Op, ...]
    """The operations that it runs, one for each thread."""
    elements: int
    """How many elements it had put in."""
    working: bool
    """Whether one of its threads was enqueueing, or about to begin."""
    ended: bool
    """Whether it had come to the end of its input."""
    closed: bool
    """Whether its queue was closed, by its end or by a stop."""


@dataclasses.dataclass(frozen=True, eq=False)
class Failure:
    """What was known when something went wrong, or was looked at because it might."""

    pipeline: Pipeline
    """The model of the graph."""
    cluster: Cluster
    handle: _tensorflow.SessionHandle | None = None
    """The TensorFlow session, to evaluate tensors in; None once it is gone."""
    size: Callable[[Queue], int] = _unknown_size
    """How many elements a queue holds now; raises a RuntimeError where that is not known."""
    remote: bool = False
    """Whether the session runs on a server."""
    stopping: bool = False
    """Whether the session was about to end."""
    error: BaseException | None = None
    """The exception; None for a stall."""
    run: RunnerFacts | None = None
    """The runner that met the error."""
    record: Record | None = None
    """Key and value of the record that it was working on, where that is known."""
    demand: Demand | None = None
    """What the step takes and reads; None for what the runner's ops do."""
    fetched: tuple[Any, ...] = ()
    """What the program's own step fetches."""
    queue: Queue | None = None
    """The queue in question; that of `run` when None."""
    runners: tuple[RunnerFacts, ...] = ()
    """All runners that were started in the session."""
    older: tuple[str, ...] = ()
    """The names of runners of older sessions on the graph that were at work."""
    cancelled: frozenset[str] = frozenset()
    """The names of the queues whose pending enqueues a stop of ours cancelled."""
    apart: Callable[[str, Callable[[], Any], float], Any] = _nothing
    """Calls a function in a thread of the session's: `apart(key, function, seconds)` is what it
    returns, or None where that takes longer, or the last call of the same key does."""
    fed_by_hand: frozenset[str] = frozenset()
    """The names of the queues that threads of the program fed."""
    feeder_error: BaseException | None = None
    """The exception that ended a thread which fed the queue in question."""
    said: set[tuple[str, ...]] = dataclasses.field(default_factory=set)
    """What the rows of silent damage were warned of in the session; grows."""

    def runners_of(self, queue: Queue) -> list[RunnerFacts]:
        """The `RunnerFacts` of those that fill a queue."""
        return [run for run in self.runners if run.queue_name == queue.name]
