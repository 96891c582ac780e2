"""Who fills a queue that several processes share, and when its data has come to its end.

Each runner that fills such a queue, in whatever process, has a row in a table beside the queue, on the
queue's task. The runner that comes to its end last closes the queue. One whose process is gone does
not count.
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import itertools
import os
import threading
import time
import uuid
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tfqueue import _tensorflow, errors
from tfqueue.explain import diagnosis, stories
from tfqueue.graph import control_ops
from tfqueue.session import reachability

if TYPE_CHECKING:
    from tfqueue._tensorflow.types import Task
    from tfqueue.graph.op_types import Queue
    from tfqueue.session.owner import Owner

_tf = _tensorflow.compat_v1()

_PREFIX = "tfqueue/producers/"
_FILLS, _ENDED, _STOPPED, _FAILED = 0, 1, 2, 100
"""What the table says of a runner. A failed one has its error's code besides."""
_ANSWER_SECONDS = 5.0
"""How long the queue's task may take to answer."""
_ABSENT_SECONDS = 30.0
"""How long the tasks that may fill the queue, and have not said so, are waited for."""
_RECHECK_SECONDS = 0.25
"""Between two looks at the table."""
_numbers = itertools.count()


@functools.cache
def _process(pid: int) -> str:
    return f"{pid}-{uuid.uuid4().hex}"


@dataclasses.dataclass(frozen=True)
class Row:
    """What the table says of one runner."""

    key: str
    state: int

    @property
    def task(self) -> tuple[str, int] | None:
        """The task of its process; None if that is not known."""
        job, index, _ = self.key.split("|", 2)
        return (job, int(index)) if job else None

    @property
    def process(self) -> str:
        """What stands for its process, also if another has the same task later."""
        return self.key.split("|")[2]

    @property
    def error(self) -> type[Exception] | None:
        """The class of the error that it failed with."""
        if self.state < _FAILED:
            return None
        return _tf.errors.exception_type_from_error_code(self.state - _FAILED)


class Table:
    """The runners that fill one shared queue, as its task knows them.

    Args:
        owner: The `Owner` of a session on a server.
        queue: A model `Queue` with a `shared_name`.
    """

    def __init__(self, owner: Owner, queue: Queue) -> None:
        self._owner = owner
        self.queue = queue
        self._ops = control_ops.table_beside(queue, _PREFIX)

    def rows(self) -> list[Row] | None:
        """All rows; None if the queue's task does not answer."""
        return self._answer(self._read)

    def set(self, key: str, state: int) -> list[Row] | None:
        """Sets a row; returns all, as `rows` does."""

        def write() -> list[Row]:
            self._step([self._ops.insert], ())({self._ops.key: [key], self._ops.value: [state]})
            return self._read()

        return self._answer(write)

    def drop(self, keys: list[str]) -> None:
        """Takes rows out."""
        remove = functools.partial(self._step([self._ops.remove], ()), {self._ops.key: keys})
        self._answer(remove)

    def _read(self) -> list[Row]:
        keys, states = self._step([], (self._ops.keys, self._ops.values))()
        return [Row(key.decode(), int(state)) for key, state in zip(keys, states, strict=True)]

    def _step(self, targets: list[Any], fetches: tuple[Any, ...]) -> Any:
        handle = self._owner.handle()
        if handle is None:
            raise RuntimeError("the session is gone")
        return _tensorflow.PreparedStep(handle, targets, fetches)

    def _answer(self, function: Callable[[], Any]) -> Any:
        """What `function()` returns; None if it fails, or takes too long on a task that is frozen."""
        owner = self._owner
        if owner.link.silent:
            return None
        with contextlib.suppress(_tf.errors.OpError, RuntimeError):
            return owner.steps.apart(
                (self.queue.name, threading.get_ident()), function, _ANSWER_SECONDS
            )
        return None


class Producer:
    """A runner that fills a shared queue, among all that do.

    Args:
        owner: The `Owner` of its session.
        queue: The model `Queue`.
        source_is_shared: Whether the runner's own input comes to its end for all of them at once.
    """

    def __init__(self, owner: Owner, queue: Queue, source_is_shared: bool) -> None:
        self._owner = owner
        self._table = Table(owner, queue)
        self._source_is_shared = source_is_shared
        self._left: int | None = None
        own = owner.link.cluster.own or ("", 0)
        process = _process(os.getpid())
        self._key = f"{own[0]}|{own[1]}|{process}|{next(_numbers)}"
        rows = self._table.set(self._key, _FILLS) or []
        # A process that had this task before is gone: its port was free.
        mine = Row(self._key, _FILLS)
        dead = [r.key for r in rows if mine.task and r.task == mine.task and r.process != process]
        if dead:
            self._table.drop(dead)

    def leave(self, error: BaseException | None = None, ended: bool = False) -> bool:
        """Says that the runner fills no longer; whether others do, or may yet, as far as is known.

        Args:
            error: What it failed with.
            ended: Whether it has come to its end.
        """
        if self._left is None:
            if error is not None:
                code = error.error_code if isinstance(error, _tf.errors.OpError) else None
                self._left = _FAILED + (_tf.errors.UNKNOWN if code is None else code)
            else:
                self._left = _ENDED if ended else _STOPPED
            rows = self._table.set(self._key, self._left)
        else:
            rows = self._table.rows()
        if rows is None or self._filling(rows):
            return True
        return self._left != _STOPPED and self._absent(rows)

    def wait_for_others(self, is_over: Callable[[], bool], changed: Any) -> bool:
        """Waits until no other runner fills the queue; whether that is so, or `is_over()` came first.

        Args:
            is_over: Whether the wait is to be given up.
            changed: The `Changes` that are notified when that changes.
        """
        began, waited_for = time.monotonic(), reachability.Reach(self._owner.link.cluster, ())
        with contextlib.closing(waited_for):
            while True:
                rows = self._table.rows()
                if rows is not None:
                    filling = {row.task for row in self._filling(rows)}
                    waited_for.ask({task for task in filling if task is not None})
                    waited_for.look()
                    gone = waited_for.gone(reachability.GONE_SECONDS)
                    absent = time.monotonic() - began < _ABSENT_SECONDS and self._absent(rows)
                    if filling <= gone and not absent:
                        self._tell(gone)
                        return True
                if is_over():
                    return False
                changed.wait(_RECHECK_SECONDS)

    def _filling(self, rows: list[Row]) -> list[Row]:
        return [row for row in rows if row.state == _FILLS and row.key != self._key]

    def _absent(self, rows: list[Row]) -> bool:
        """Whether a task of this one's job, which may fill the queue, has never said that it does."""
        tasks, own = self._owner.link.cluster.tasks, self._owner.link.cluster.own
        if self._source_is_shared or own is None:
            return False
        known = {row.task for row in rows}
        return any(task[0] == own[0] and task not in known for task in tasks)

    def _tell(self, gone: set[Task]) -> None:
        for task in sorted(gone):
            text = stories.cluster.producer_gone(self._owner.link.cluster, task, self._table.queue)
            diagnosis.warn(text, errors.WaitingWarning)


def failure_elsewhere(owner: Owner, queues: list[Queue]) -> Exception | None:
    """The failure of a runner of another process that fills one of `queues`, as an error; or None.

    It has closed the queue, or has left it to the others; its process tells more.
    """
    process = _process(os.getpid())
    for queue in queues if owner.remote else ():
        if not queue.shared_name:
            continue
        for row in Table(owner, queue).rows() or ():
            if row.error is not None and row.process != process:
                text = stories.cluster.producer_failed(
                    owner.link.cluster, row.task, queue, row.error
                )
                return row.error(None, queue.op, text)
    return None


def filled_by(owner: Owner, queues: list[Queue]) -> dict[Queue, set[Task]]:
    """By queue, the tasks whose runners fill it; without those queues that a runner here fills, too.

    Args:
        owner: The `Owner` of a session.
        queues: Model `Queue`s that are shared.
    """
    found = {}
    for queue in queues:
        rows = [row for row in Table(owner, queue).rows() or [] if row.state == _FILLS]
        tasks = {row.task for row in rows if row.task is not None}
        if all(row.task is not None for row in rows) and owner.link.cluster.own not in tasks:
            found[queue] = tasks
    return found
