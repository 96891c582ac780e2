"""What the runners' threads spend their time on, from traces of single steps.

A traced step is one that the thread runs in any case; no step is added, and the steps between two
traces are not slowed (`PreparedStep.trace_next`).
"""

from __future__ import annotations

import collections
import functools
import re
import time
import weakref
from typing import TYPE_CHECKING, Any

from tfqueue import _tensorflow

if TYPE_CHECKING:
    from tfqueue.session.owner import Owner

_EVERY = 1.0
"""Seconds between two traces of a session's runners, at the least."""
_MOST_OF_TIME = 1 / 400
"""The share of the time that reading traces may take."""
_MEMORY = 0.8
"""The factor by which the times of earlier traces are reduced at each new one."""
_READER, _QUEUE = re.compile(r"Reader(V2)?$"), re.compile(r"Queue(V2)?$")
"""Ops that give the handle of a reader or a queue."""
_OP = re.compile(r" = (\w+)\(")


class Shares:
    """How the time of the threads that fill one queue is divided.

    Attributes:
        reading: Time in read ops: seconds of one call, or the sum over calls of equal weight.
        putting: Time in enqueue ops, waiting for room included.
        waiting: Time in dequeue ops.
        computing: Time by op type, for all other ops.
    """

    def __init__(self) -> None:
        self.reading = self.putting = self.waiting = 0.0
        self.computing: dict[str, float] = collections.defaultdict(float)

    def add(self, metadata: Any) -> None:
        """Adds a traced step, a `RunMetadata`."""
        for device in metadata.step_stats.dev_stats:
            for node in device.node_stats:
                found = _OP.search(node.timeline_label)
                kind = found.group(1) if found else node.node_name
                seconds = (node.op_end_rel_nanos - node.op_start_rel_nanos) * 1e-9
                if kind.startswith("ReaderRead") or kind == "ReadFile" or _READER.search(kind):
                    self.reading += seconds
                elif kind.startswith("QueueEnqueue"):
                    self.putting += seconds
                elif kind.startswith("QueueDequeue"):
                    self.waiting += seconds
                elif not _QUEUE.search(kind):
                    self.computing[kind] += seconds

    def count(self, call: Shares) -> None:
        """Adds the `Shares` of one call. Each call has the same weight, however long it took."""
        scale = 1 / call.work if call.work else 0.0
        self.reading += call.reading * scale
        self.putting += call.putting * scale
        self.waiting += call.waiting * scale
        for kind, seconds in call.computing.items():
            self.computing[kind] += seconds * scale

    def fade(self) -> None:
        """Reduces the weight of earlier calls."""
        self.reading *= _MEMORY
        self.putting *= _MEMORY
        self.waiting *= _MEMORY
        for kind in self.computing:
            self.computing[kind] *= _MEMORY

    @property
    def work(self) -> float:
        """Time in reading and computing, without waits."""
        return self.reading + sum(self.computing.values())


class _Call:
    """One call of a mover that is being traced, all its steps."""

    def __init__(self, name: str, steps: int) -> None:
        self.name, self.missing = name, steps
        self.shares = Shares()


def _nothing() -> None:
    return None


class Tracer:
    """Traces the runners of one session, one at a time.

    Args:
        owner: The session's `Owner`.
        now: Dict from queue name to the `Shares` of the last seconds, to be filled.
        whole: The same for the whole run.
    """

    def __init__(self, owner: Owner, now: dict[str, Shares], whole: dict[str, Shares]) -> None:
        self._owner = owner
        self._now, self._whole = now, whole
        self._answers: collections.deque[tuple[_Call, int, bytes]] = collections.deque()
        self._open: dict[int, weakref.ref[_tensorflow.PreparedStep]] = {}
        self._next = 0.0
        self._turn = 0

    def look(self) -> None:
        """Reads the traces that have come, and asks for the next one where it is time."""
        began = time.monotonic()
        while self._answers:
            call, key, answer = self._answers.popleft()
            self._open.pop(key, None)
            call.shares.add(_tensorflow.compat_v1().RunMetadata.FromString(answer))
            call.missing -= 1
            if not call.missing:
                for shares in (self._now, self._whole):
                    shares.setdefault(call.name, Shares()).count(call.shares)
        spent = time.monotonic() - began
        if spent > _EVERY * _MOST_OF_TIME:
            self._next = max(self._next, began + spent / _MOST_OF_TIME)
        if began >= self._next:
            self._next = began + _EVERY
            self._ask()

    def _ask(self) -> None:
        runs = [run for run in list(self._owner.runs) if run.working() and run.movers]
        if not runs:
            return
        self._turn += 1
        run = runs[self._turn % len(runs)]
        mover = run.movers[self._turn // len(runs) % len(run.movers)]
        steps = mover.steps()
        if any(self._open.get(id(step), _nothing)() is step for step in steps):
            return  # an earlier trace has not come yet: its thread waits
        if run.queue_name in self._now:
            self._now[run.queue_name].fade()
        call = _Call(run.queue_name, len(steps))
        for step in steps:
            key = id(step)
            self._open[key] = weakref.ref(step)  # a step may hold a session
            step.trace_next(functools.partial(self._note, call, key))

    def _note(self, call: _Call, key: int, answer: bytes) -> None:
        self._answers.append((call, key, answer))
