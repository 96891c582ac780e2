"""What the runners' threads spend their time on: now and then one of their steps is traced.

A traced step is the step that the thread was about to run anyway; all others
run as ever (`RawStep.trace_next`).
"""

import collections
import re
import time
import weakref

from tfqueue import _tensorflow

_EVERY = 1.0
"""Seconds between two traces of a session's runners, at the least."""
_MOST_OF_TIME = 1 / 400
"""How much of the time may go into reading traces."""
_MEMORY = 0.8
"""What a trace's times still count for when the next one comes."""
_READER, _QUEUE = re.compile(r"Reader(V2)?$"), re.compile(r"Queue(V2)?$")
"""Ops that only hand on the reader or the queue."""
_OP = re.compile(r" = (\w+)\(")


class Shares:
    """How the time of the threads that fill one queue is divided.

    Attributes:
        reading: Time in read ops: seconds of one call, or the sum over calls of equal weight.
        putting: Time in enqueue ops, waiting for room included.
        waiting: Time in dequeue ops.
        computing: Time by op type, for all other ops.
    """

    def __init__(self):
        self.reading = self.putting = self.waiting = 0.0
        self.computing = collections.Counter()

    def add(self, metadata):
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

    def count(self, call):
        """Adds one call, its `Shares`; each counts alike, however long the machine was busy."""
        scale = 1 / call.work if call.work else 0.0
        self.reading += call.reading * scale
        self.putting += call.putting * scale
        self.waiting += call.waiting * scale
        for kind, seconds in call.computing.items():
            self.computing[kind] += seconds * scale

    def fade(self):
        """What was seen so far counts for less."""
        self.reading *= _MEMORY
        self.putting *= _MEMORY
        self.waiting *= _MEMORY
        for kind in self.computing:
            self.computing[kind] *= _MEMORY

    @property
    def work(self):
        """Time in which something was done, not waited for."""
        return self.reading + sum(self.computing.values())


class _Call:
    """One call of a mover that is being traced, all its steps."""

    def __init__(self, name, steps):
        self.name, self.missing = name, steps
        self.shares = Shares()


def _nothing():
    return None


class Tracer:
    """Traces the runners of one session, one at a time.

    Args:
        owner: The session's `Owner`.
        now: Dict from queue name to the `Shares` of the last seconds, to be filled.
        whole: The same for the whole run.
    """

    def __init__(self, owner, now, whole):
        self._owner = owner
        self._now, self._whole = now, whole
        self._answers = collections.deque()
        self._open = {}
        self._next = 0.0
        self._turn = 0

    def look(self):
        """Reads what came, and asks for more where it is time."""
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

    def _ask(self):
        runs = [run for run in list(self._owner.runs) if run.working() and run.movers]
        if not runs:
            return
        self._turn += 1
        run = runs[self._turn % len(runs)]
        mover = run.movers[self._turn // len(runs) % len(run.movers)]
        steps = mover.steps()
        if any(self._open.get(id(step), _nothing)() is step for step in steps):
            return  # it is still under way: the thread waits for something
        if run.queue_name in self._now:
            self._now[run.queue_name].fade()
        call = _Call(run.queue_name, len(steps))
        for step in steps:
            key = id(step)
            self._open[key] = weakref.ref(step)  # a step may hold a session
            step.trace_next(lambda answer, key=key: self._answers.append((call, key, answer)))
