"""More than one machine: a task that is gone, a reader in the wrong place, a shared queue's end."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from tfqueue._tensorflow.types import Task
from tfqueue.explain.case import Case
from tfqueue.explain.stories.rows import Row, listed, sure
from tfqueue.graph.op_types import Queue, Reader
from tfqueue.graph.tasks import Cluster, name_of, task_of, tasks_in

_FAR = re.compile(r"remote target (/job:\S+)")


def _lost_task(case: Case) -> Task | None:
    """The task that a step lost, where TensorFlow says which; None for any other error.

    gRPC's status has no field for it, so it is taken from the message's own names.
    """
    tf = case.tf
    if not case.failure.remote:
        return None
    if not isinstance(case.error, (tf.errors.UnavailableError, tf.errors.AbortedError)):
        return None
    cluster = case.failure.cluster
    targets = _FAR.findall(case.message)
    named = tasks_in(" ".join(targets) or case.message)
    far = [task for task in named if task != cluster.own]
    return far[0] if far else None


def _lost(case: Case) -> str:
    task = sure(_lost_task(case))
    told = case.failure.cluster.told(task)
    queues = [
        case.label(queue)
        for queue in case.pipeline.queues.values()
        if task_of(queue.op.device) == task
    ]
    held = f" ({listed(queues)} among it)" if queues else ""
    if isinstance(case.error, case.tf.errors.AbortedError):
        return (
            f"{told} was restarted after this session was made: what it held is gone{held}. Make a "
            "new session, and initialise or restore it"
        )
    return (
        f"{told} is lost: its process has ended, or the network to it is broken. What it held is "
        f"gone with it{held}. Start it again, then make a new session (MonitoredTrainingSession "
        "does that by itself), and initialise or restore it"
    )


def _misplaced(case: Case) -> list[tuple[Reader, Queue]]:
    """`(reader, queue)` of reads whose two ends are on different tasks."""
    if not case.failure.remote or not isinstance(case.error, case.tf.errors.InvalidArgumentError):
        return []
    found = []
    for queue in case.pipeline.queues.values():
        for take in queue.takes:
            reader = case.pipeline.reader_of(take.op) if take.is_read else None
            if reader is None or (reader, queue) in found:
                continue
            ends = [task_of(op.device) for op in (reader.op, queue.op)]
            if None not in ends and ends[0] != ends[1]:
                found.append((reader, queue))
    return found


def _apart(case: Case) -> str:
    parts = []
    for reader, queue in _misplaced(case):
        here, there = (sure(task_of(op.device)) for op in (reader.op, queue.op))
        home = name_of(there)
        line = case.line_of(reader.op)
        parts.append(
            f"{reader.kind} '{reader.name}' is on {name_of(here)} and reads its "
            f"names from {case.label(queue)} on {home}"
            + (f", shared as '{queue.shared_name}'" if queue.shared_name else "")
            + ", which this TensorFlow refuses: a reader must stand where its queue does. Build "
            f'the reader inside `with tf.device("{home}"):` (with the task: '
            "replica_device_setter would add its own)"
            + (f"; it was built at {line}" if line else "")
        )
    return "; ".join(parts)


def _closed_elsewhere(case: Case) -> bool:
    return (
        case.failure.remote
        and case.run is not None
        and case.queue is not None
        and bool(case.queue.shared_name)
        and isinstance(case.error, case.tf.errors.CancelledError)
        and case.queue.name not in case.failure.cancelled
    )


def _shared_end(case: Case) -> str:
    return (
        f"{case.label(case.known_queue)} is shared as '{case.known_queue.shared_name}', and another process has "
        "closed it, for all and for good, while this one still filled it: its own data had come to "
        "its end and this process had not said yet that it brings more, or it runs without tfqueue. "
        "Start the processes together, or let one process fill the queue: register its QueueRunner "
        "in the chief only"
    )


FAILURES = [
    Row(("lost_task",), lambda case: _lost_task(case) is not None, _lost),
    Row(("reader_on_other_task",), lambda case: bool(_misplaced(case)), _apart),
    Row(("shared_queue_closed",), _closed_elsewhere, _shared_end),
]


def not_there(cluster: Cluster, tasks: Sequence[Task], waited: float) -> str:
    """Tasks that a session needs and that have not answered yet."""
    return (
        f"no answer yet, after {waited:.0f} s, from {listed(map(cluster.told, tasks))}: a session "
        "needs every task that its graph (or its device_filters) names. Was the process started, "
        "with the same ClusterSpec?"
    )


def silent(cluster: Cluster, task: Task, seconds: float) -> str:
    """A task that a waiting step needs and that does not answer."""
    return (
        f"a step waits, and {cluster.told(task)} has not answered for {seconds:.0f} s: its machine "
        "is frozen or cut off. The step goes on waiting for a while"
    )


def gone(cluster: Cluster, task: Task, seconds: float) -> str:
    """A task that has not answered for so long that it is taken for gone."""
    return (
        f"{cluster.told(task)} has not answered for {seconds:.0f} s, and the step waits for it: its "
        "machine is frozen or cut off, though the connection has not been closed"
    )


def nobody_fills(cluster: Cluster, tasks: list[tuple[str, int]], queue: Queue) -> str:
    """A shared queue whose producers are all gone, before their data has come to its end."""
    return (
        f"a step waits for elements of {queue.kind} '{queue.name}', shared as '{queue.shared_name}', "
        f"and {listed(map(cluster.told, tasks))}, which filled it, has not answered for a while: its "
        "process has ended, or the network to it is broken. Nobody else fills the queue"
    )


def closed_before(queue: Queue) -> str:
    """A shared queue whose epochs ended before the chief that is to fill it came again."""
    return (
        f"{queue.kind} '{queue.name}', shared as '{queue.shared_name}', was closed before this chief "
        "came: its epochs have ended, and it stays closed as long as its server runs. To begin "
        "again, call tf.Session.reset(server.target) before this session: it empties all servers, "
        "once they are all up"
    )


def producer_gone(cluster: Cluster, task: tuple[str, int], queue: Queue) -> str:
    """A task that filled a shared queue and is gone, as the queue's end comes."""
    return (
        f"{cluster.told(task)} filled {queue.kind} '{queue.name}', shared as '{queue.shared_name}', "
        "and does not answer any more: what it had left to bring is lost. The queue is closed, as "
        "the others have come to their end"
    )


def producer_failed(
    cluster: Cluster, task: tuple[str, int] | None, queue: Queue, error: type[Exception]
) -> str:
    """A runner of another process that filled a shared queue and failed."""
    who = cluster.told(task) if task is not None else "another process"
    return (
        f"{who} filled {queue.kind} '{queue.name}', shared as '{queue.shared_name}', and failed with "
        f"{error.__name__}: this is the end of what the others brought, and not of the data. Its own "
        "process tells more"
    )


def no_chief(names: Iterable[str], waited: float) -> str:
    """Variables that the chief has not initialised yet."""
    return (
        f"still waiting, after {waited:.0f} s, for the chief to initialise {listed(names)}: is the "
        "process with is_chief=True running, with the same graph?"
    )


def left_to_chief(case: Case) -> str:
    """A wait for a shared queue that no runner of this process fills."""
    queue = case.known_queue
    where = task_of(queue.op.device)
    place = f" on {case.failure.cluster.told(where)}" if where else ""
    return (
        f"still waiting for elements of {case.label(queue)}, shared as '{queue.shared_name}'"
        f"{place}; no runner of this process fills it. If another process does (the chief), all is "
        "well, and the step goes on waiting"
    )
