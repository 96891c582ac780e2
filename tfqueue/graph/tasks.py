"""The tasks of a cluster: how devices and messages name them, and where they are."""

from __future__ import annotations

import re
from collections.abc import Mapping

from tfqueue._tensorflow.types import Task

_TASK = re.compile(r"/job:([^/\s\"']+)(?:/replica:\d+)?/task:(\d+)")


def task_of(device: str | None) -> Task | None:
    """The task that a device is on: `("ps", 0)`; None if it names no job or no task.

    Args:
        device: A device string, such as `/job:ps/task:0/device:CPU:0`.

    >>> task_of("/job:ps/replica:0/task:1/device:CPU:0"), task_of("/device:CPU:0")
    (('ps', 1), None)
    """
    found = _TASK.match(device or "")
    return (found[1], int(found[2])) if found else None


def tasks_in(text: str) -> list[Task]:
    """All tasks that `text` names, in their order, each once."""
    return list(dict.fromkeys((job, int(index)) for job, index in _TASK.findall(text)))


def name_of(task: Task) -> str:
    """A task as devices name it: `/job:ps/task:0`."""
    return f"/job:{task[0]}/task:{task[1]}"


class Cluster:
    """What is known of the cluster that a session runs on.

    Args:
        tasks: Task (a job's name and an index) -> its address; empty if not known.
        own: The task that the session runs from, or None.
    """

    def __init__(self, tasks: Mapping[Task, str], own: Task | None) -> None:
        self.tasks = tasks
        self.own = own

    def is_elsewhere(self, device: str | None) -> bool:
        """Whether `device` is on another task than the session's own, as far as is known."""
        task = task_of(device)
        return task is not None and self.own is not None and task != self.own

    def told(self, task: Task) -> str:
        """A task and its address, in words."""
        address = self.tasks.get(task)
        return name_of(task) + (f" at {address}" if address else "")
