"""Fill and rates of each queue as event files, which TensorBoard shows."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Any

from tfqueue import _tensorflow

if TYPE_CHECKING:
    from tfqueue.watch.log import SessionLog
    from tfqueue.watch.watcher import Watch

_EVERY = 1.0
"""Seconds between two points."""


class Summaries:
    """Writes event files with TensorFlow's own writer.

    The tags are `queues/<name>/fill` (a share of the capacity, or the number of
    elements where there is no limit), `queues/<name>/in_per_second` and
    `queues/<name>/out_per_second`; the step is the time in milliseconds since
    the watch began. A second session has a folder of its own, `session2`, and so on.

    Args:
        folder: Where to; made if it is not there.
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self._folder = folder
        self._writers: dict[int, Any] = {}
        self._ended: set[int] = set()
        self._next = 0.0
        os.makedirs(folder, exist_ok=True)

    def update(self, watch: Watch) -> None:
        """Writes a point for each queue, where it is time; a last one for a session that ended."""
        now = watch.clock()
        due = now >= self._next
        if due:
            self._next = now + _EVERY
        for each in watch.sessions:
            self._point(each.log, due)

    def _point(self, log: SessionLog, due: bool) -> None:
        if log.number in self._ended or not log.recent:
            return
        if log.ended is not None:
            self._ended.add(log.number)
        if due or log.ended is not None:
            self._write(log, log.recent[-1].at)

    def _write(self, log: SessionLog, now: float) -> None:
        tf = _tensorflow.compat_v1()
        summary = tf.Summary()
        for place in log.places.values():
            level, rates = log.last(place.name), log.rates(place.name)
            if level is not None and level.size is not None:
                part = level.size / place.capacity if place.capacity > 0 else level.size
                summary.value.add(tag=f"queues/{place.name}/fill", simple_value=part)
            if rates is not None:
                tag = f"queues/{place.name}/in_per_second"
                summary.value.add(tag=tag, simple_value=rates.put)
                tag = f"queues/{place.name}/out_per_second"
                summary.value.add(tag=tag, simple_value=rates.taken)
        if summary.value:
            event = tf.Event(wall_time=time.time(), step=int(now * 1000), summary=summary)
            self._writer(log.number).add_event(event)

    def _writer(self, number: int) -> Any:
        if number not in self._writers:
            folder = self._folder if number == 1 else os.path.join(self._folder, f"session{number}")
            with _tensorflow.compat_v1().Graph().as_default():
                self._writers[number] = _tensorflow.compat_v1().summary.FileWriter(folder)
        return self._writers[number]

    def finish(self, watch: Watch) -> None:
        """Writes the last points, and ends the writers' threads."""
        for each in watch.sessions:
            self._point(each.log, True)
        for writer in self._writers.values():
            writer.close()
