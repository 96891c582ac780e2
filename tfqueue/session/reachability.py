"""Whether the other tasks of a cluster answer.

The connection to a task that was killed breaks, and the steps that wait for it fail.
A machine that is gone, or frozen, breaks nothing, and a task that was never started is waited for
in C++, where no Ctrl-C arrives. So the tasks are asked, by gRPC's own channel state, through
`grpcio`, which TensorFlow brings.
"""

from __future__ import annotations

import contextvars
import time
from collections.abc import Iterable
from typing import Any

from tfqueue.graph.tasks import Cluster

PROBE_SECONDS = 5.0
"""How long a task may take to answer."""
PAUSE_SECONDS = 1.0
"""Between two questions to one task."""
GONE_SECONDS = 30.0
"""How long a task must have been silent, however often it was asked, to be taken for gone."""

_channel_asked: contextvars.ContextVar[Any] = contextvars.ContextVar("_channel_asked")


class Probe:
    """Asks the task at one address, `host:port`, whether it answers."""

    def __init__(self, address: str) -> None:
        import grpc

        self.began = time.monotonic()
        self._states = grpc.ChannelConnectivity
        self._state: Any = None
        options = [("grpc.use_local_subchannel_pool", 1)]  # a connection of its own
        self._channel = grpc.insecure_channel(address, options=options)
        contextvars.copy_context().run(self._begin)

    def _begin(self) -> None:
        # gRPC's thread has a copy of this context, and so keeps the channel as long as it lives. It
        # raises if it looks at one that has gone.
        _channel_asked.set(self._channel)
        self._channel.subscribe(self._note, try_to_connect=True)

    def _note(self, state: Any) -> None:
        self._state = state

    @property
    def answers(self) -> bool | None:
        """True or False; None as long as it is not known."""
        if self._state is self._states.READY:
            return True
        refused = self._state in (self._states.TRANSIENT_FAILURE, self._states.SHUTDOWN)
        return False if refused or time.monotonic() - self.began > PROBE_SECONDS else None

    def close(self) -> None:
        """Asks no more. The connection goes with this object and gRPC's thread, which ends now."""
        self._channel.unsubscribe(self._note)


class Reach:
    """Keeps asking those of `tasks` (job and index) whose address is known; never blocks."""

    def __init__(self, cluster: Cluster, tasks: Iterable[tuple[str, int]]) -> None:
        self._cluster = cluster
        self._addresses: dict[tuple[str, int], str] = {}
        self._probes: dict[tuple[str, int], Probe] = {}
        self._next: dict[tuple[str, int], float] = {}
        self.silent_since: dict[tuple[str, int], float] = {}
        """Task -> since when it has not answered, by `time.monotonic()`."""
        self.ask(tasks)
        self.waiting = set(self._addresses)
        """The tasks that have not answered once."""

    def ask(self, tasks: Iterable[tuple[str, int]]) -> None:
        """Asks `tasks` from now on, and no others."""
        cluster = self._cluster
        self._addresses = {
            task: cluster.tasks[task]
            for task in tasks
            if task in cluster.tasks and task != cluster.own
        }
        for task in self.silent_since.keys() - self._addresses:
            del self.silent_since[task]
        for task in self._probes.keys() - self._addresses:
            self._probes.pop(task).close()

    def look(self) -> None:
        """Takes up what was answered, and asks again."""
        now = time.monotonic()
        for task, address in self._addresses.items():
            probe = self._probes.get(task)
            if probe is None:
                if now >= self._next.get(task, 0.0):
                    self._probes[task] = Probe(address)
                continue
            answers = probe.answers
            if answers is None:
                continue
            if answers:
                self.silent_since.pop(task, None)
                self.waiting.discard(task)
            else:
                self.silent_since.setdefault(task, probe.began)
            self._next[task] = now + PAUSE_SECONDS
            self._probes.pop(task).close()

    def gone(self, seconds: float) -> set[tuple[str, int]]:
        """The tasks that have been silent for more than so many seconds."""
        now = time.monotonic()
        return {task for task, since in self.silent_since.items() if now - since > seconds}

    def close(self) -> None:
        """Ends what is under way."""
        while self._probes:
            self._probes.popitem()[1].close()
