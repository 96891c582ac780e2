"""Sessions on a cluster: `Server`, what is known of the other tasks, and who does what.

Each process builds the same graph and has a session on its own server. One of them is the chief.
It alone initialises (or restores) what is shared; the others wait until that is done. What each
process has for itself (local variables, tables) each initialises itself.

While a process waits, it asks the tasks that it waits for whether they answer (`reachability`): the
connection to a machine that is gone is not broken, and TensorFlow would wait on.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tfqueue import _tensorflow, errors
from tfqueue._tensorflow.types import Config, Graph, Session, Task
from tfqueue.explain import diagnosis, stories
from tfqueue.graph import op_types, traversal
from tfqueue.graph.op_types import Queue
from tfqueue.graph.tasks import Cluster, name_of, task_of
from tfqueue.session import failures, reachability, shared_queues, wakeups

if TYPE_CHECKING:
    from tfqueue.session.owner import Owner
    from tfqueue.session.step import Plan

_tf = _tensorflow.compat_v1()

_definitions: dict[str, Any] = {}
"""Target -> `ServerDef`, of the servers of this process. TensorFlow never takes a server down."""


class Server(_tf.train.Server, metaclass=_tensorflow.StandsFor):
    """One task of a cluster, in this process (`tf.train.Server`).

    Args:
        server_or_cluster_def: A `ClusterSpec`, or a `ClusterDef` or `ServerDef`
            protocol buffer: the jobs, and the addresses of their tasks.
        job_name: The job that this process is a task of.
        task_index: int, which of its tasks.
        protocol: `"grpc"` when None.
        config: A `ConfigProto` for all sessions on it.
        start: Whether to start it.

    Raises:
        tf.errors.UnknownError: If its port is taken.

    >>> import tfqueue, tfqueue.v1 as tf
    >>> server = tf.train.Server.create_local_server()
    >>> with tf.Graph().as_default():
    ...     names = tf.train.string_input_producer(["a", "b"], num_epochs=1, shuffle=False)
    ...     name = names.dequeue()
    ...     with tfqueue.managed_session(server) as sess:
    ...         print(list(sess.batches(name)))
    [b'a', b'b']
    """

    __original__ = _tf.train.Server

    def __init__(
        self,
        server_or_cluster_def: Any,
        job_name: str | None = None,
        task_index: int | None = None,
        protocol: str | None = None,
        config: Config = None,
        start: bool = True,
    ) -> None:
        with _tensorflow.quiet_first_session():
            super().__init__(server_or_cluster_def, job_name, task_index, protocol, config, start)
        _definitions[_text(self.target)] = self.server_def

    @staticmethod
    def create_local_server(config: Config = None, start: bool = True) -> Server:
        """A cluster of one task, on a free port of this machine."""
        return Server({"local": ["localhost:0"]}, protocol="grpc", config=config, start=start)

    def join(self) -> None:
        """Blocks for as long as the server runs, which is for ever. Ctrl-C ends the wait."""
        thread = threading.Thread(target=super().join, name="tfqueue-server", daemon=True)
        thread.start()
        thread.join()


def _text(target: Any) -> str:
    return target.decode() if isinstance(target, bytes) else target


# -- what a session has noted of the cluster -----------------------------------------------------


def cluster_behind(target: Any) -> Cluster:
    """The `Cluster` behind a session's target.

    All of it is known where the target is a `Server` of this process, and nothing of a server that
    runs somewhere else.
    """
    definition = _definitions.get(_text(target))
    if definition is None:
        return Cluster({}, None)
    tasks = {
        (job.name, index): address
        for job in definition.cluster.job
        for index, address in job.tasks.items()
    }
    own = definition.job_name, definition.task_index
    tasks[own] = _text(target).rpartition("/")[2]  # its port may have been given as 0
    return Cluster(tasks, own)


class Link:
    """The cluster behind a session's target, as far as the session has found out."""

    def __init__(self, target: Any) -> None:
        self.remote = bool(target)
        """Whether it runs on a `tf.train.Server`, and others may use its queues too."""
        self.cluster = cluster_behind(target)
        self.is_chief: bool | None = None
        """Whether this process initialises what is shared; None where nobody has said."""
        self.keeps_shared = False
        """Whether a stop of this session leaves queues open that other processes use."""
        self.connected = False
        """Whether a step has come back from a server: all tasks that it needs were there."""
        self.lost = False
        """Whether a task was lost: TensorFlow's close waits for it to come back."""
        self.silent: set[Task] = set()
        """Tasks that are taken for gone: a step there would never return."""

    def take_role(self, is_chief: bool | None) -> None:
        """Sets whether this process initialises what is shared."""
        self.is_chief = is_chief if is_chief is None else bool(is_chief)

    def note_lost(self, error: BaseException) -> None:
        """Remembers that a task was lost, if that is what `error` says."""
        if self.remote and isinstance(error, _tf.errors.UnavailableError):
            self.lost = True


def _tasks_of(ops: Any) -> set[tuple[str, int]]:
    """The tasks that ops are placed on by name."""
    return {task for op in ops if (task := task_of(op.device)) is not None}


def config_for(config: Config, target: Any, graph: Graph) -> Config:
    """`config`, with which a session connects to the tasks that its graph names, and no other.

    TensorFlow makes a session wait for every task of the cluster, also for
    workers that have nothing to do with it: one that was killed would keep the
    chief from coming back. `device_filters` of the program's own are kept.
    """
    own = cluster_behind(target).own
    if own is None or (config is not None and config.device_filters):
        return config
    tasks = _tasks_of(graph.get_operations()) - {own}
    if any(job == own[0] for job, _ in tasks):
        return config  # the graph itself spreads over several workers
    made = _tf.ConfigProto()
    if config is not None:
        made.CopyFrom(config)
    made.device_filters.extend([name_of(own), *sorted({f"/job:{job}" for job, _ in tasks})])
    return made


# -- while a step waits ----------------------------------------------------------------------------

_FIRST_LOOK_SECONDS = 5.0
"""How long a step waits before the tasks that it needs are asked."""
_LOOK_SECONDS = 0.05
"""Between two looks whether an answer has come."""


class Lookout:
    """Looks, while one step waits, after the tasks that it needs."""

    def __init__(self, owner: Owner, plan: Plan) -> None:
        self._owner = owner
        self._plan = plan
        self._reach: reachability.Reach | None = None
        self._started = time.monotonic()
        self._needed: set[tuple[str, int]] = set()
        self._shared = [each for each in plan.upstream if owner.queues.is_shared(each)]

    def look(self) -> None:
        """One look; raises `tf.errors.UnavailableError` if a task has been silent for too long."""
        owner = self._owner
        link = owner.link
        if time.monotonic() - self._started < _FIRST_LOOK_SECONDS:
            return
        if self._reach is None:
            self._needed = self._tasks()
            self._reach = reachability.Reach(link.cluster, ())
        filled = shared_queues.filled_by(owner, self._shared)
        self._reach.ask(self._needed.union(*filled.values()))
        self._reach.look()
        gone = self._reach.gone(reachability.GONE_SECONDS) if link.connected else set()
        for task in sorted(gone & self._needed):
            link.silent.add(task)
            raise self._unavailable(stories.cluster.gone(link.cluster, task, self._silent(task)))
        for queue, tasks in filled.items():
            if tasks and tasks <= gone:
                raise self._unavailable(
                    stories.cluster.nobody_fills(link.cluster, sorted(tasks), queue)
                )
        for task in self._needed & self._reach.silent_since.keys():
            self._warn(task, self._silent(task))

    def _silent(self, task: tuple[str, int]) -> float:
        assert self._reach is not None
        return time.monotonic() - self._reach.silent_since[task]

    def _unavailable(self, text: str) -> Exception:
        error: Exception = _tf.errors.UnavailableError(None, None, text)
        return failures.mark_reported(error)

    def _warn(self, task: tuple[str, int], silent: float) -> None:
        owner, link = self._owner, self._owner.link
        if task not in owner.warned_of and silent > reachability.PROBE_SECONDS:
            owner.warned_of.add(task)
            if link.connected:
                text = stories.cluster.silent(link.cluster, task, silent)
            else:
                text = stories.cluster.not_there(link.cluster, [task], silent)
            diagnosis.warn(text, errors.WaitingWarning)

    def _tasks(self) -> set[tuple[str, int]]:
        """The tasks that the step, and what feeds it, are placed on."""
        ops, pipeline = list(self._plan.demand.ops), self._owner.pipeline
        for queue in self._plan.upstream:
            ops += [queue.op, *pipeline.demand(pipeline.enqueues_of(queue)).ops]
        return _tasks_of(ops)

    def close(self) -> None:
        """Ends what is under way."""
        if self._reach is not None:
            self._reach.close()


# -- between-graph replication: who initialises, who waits, who fills what -------------------------

_WARN_AFTER = 10.0
"""Seconds after which a wait for the chief is warned of, once."""
_RECHECK_SECONDS = 0.25


def wait_for_tasks(
    cluster: Cluster, graph: Any, changed: wakeups.Changes, max_wait_secs: float
) -> None:
    """Waits until the tasks that a graph names have answered; Ctrl-C works.

    TensorFlow would wait in C++, where Ctrl-C has no effect.

    Args:
        graph: The `tf.Graph`.
        changed: What is notified if there may be news.
        max_wait_secs: How long to wait.

    Raises:
        tf.errors.DeadlineExceededError: If one has not answered by then.
    """
    asked = reachability.Reach(cluster, _tasks_of(graph.get_operations()))

    def there() -> bool:
        asked.look()
        return not asked.waiting

    def say(waited: float) -> str:
        return stories.cluster.not_there(cluster, sorted(asked.waiting), waited)

    with contextlib.closing(asked):
        _wait_until(there, changed, say, _FIRST_LOOK_SECONDS, max_wait_secs, _LOOK_SECONDS)


def shared_local_variables(cluster: Cluster, graph: Any) -> list[Any]:
    """The local variables that are on another task, such as a shared producer's epoch counter."""
    variables = graph.get_collection(_tf.GraphKeys.LOCAL_VARIABLES)
    return [each for each in variables if cluster.is_elsewhere(each.device)]


def own_initializers(group: Any, cluster: Cluster) -> Any:
    """What a process that is not the chief runs of a group of initialisers.

    Those of the local variables on another task are the chief's. Run again they would give a shared
    queue its epochs once more.

    Args:
        group: What initialises local variables and tables, an operation or what stands for one; or None.

    Returns:
        A list of the group's operations; `group` itself where all of it is to be run.
    """
    if group is None:
        return None
    shared = {each.initializer for each in shared_local_variables(cluster, group.graph)}
    ops, left = [], [traversal.as_op(group)]
    while left:
        op = left.pop()
        if op.type == "NoOp":
            left += op.control_inputs
        else:
            ops.append(op)
    return group if shared.isdisjoint(ops) else [op for op in ops if op not in shared]


def wait_for_chief(sess: Session, owner: Owner, max_wait_secs: float) -> None:
    """Waits until the chief has initialised what is shared, as `wait_for_tasks` does."""
    graph = owner.graph
    with graph.as_default():
        variables = _tf.global_variables()
    variables += shared_local_variables(owner.link.cluster, graph)
    if not variables:
        return
    with _tensorflow.growable(graph), _tf.name_scope("tfqueue_control/"):
        missing = _tf.report_uninitialized_variables(variables)
    left: list[bytes] = []

    def there() -> bool:
        left[:] = sess.run(missing)
        return not left

    def say(waited: float) -> str:
        return stories.cluster.no_chief([name.decode() for name in left], waited)

    _wait_until(there, owner.changed, say, _WARN_AFTER, max_wait_secs, _RECHECK_SECONDS)


def _wait_until(
    there: Callable[[], bool],
    changed: wakeups.Changes,
    say: Callable[[float], str],
    warn_after: float,
    max_wait_secs: float,
    pause: float,
) -> None:
    """Waits until `there()`, looking each `pause` seconds and when `changed` is notified.

    What `say(seconds)` tells is said in a `WaitingWarning` after `warn_after` seconds, and raised as
    `tf.errors.DeadlineExceededError` after `max_wait_secs`.
    """
    started, warned = time.monotonic(), False
    while not there():
        waited = time.monotonic() - started
        if waited > max_wait_secs:
            raise _tf.errors.DeadlineExceededError(None, None, say(waited))
        if waited > warn_after and not warned:
            warned = True
            diagnosis.warn(say(waited), errors.WaitingWarning)
        changed.wait(pause)


def counted_queues(owner: Owner) -> list[Queue]:
    """The queues that runners fill of which `is_counted` is true."""
    runners = [each for each in owner.pipeline.runners if is_counted(owner, each.queue_runner)]
    return [each.queue for each in runners if each.queue is not None]


def is_counted(owner: Owner, runner: Any) -> bool:
    """Whether a `QueueRunner` fills a queue shared with other processes for a number of epochs.

    Who fills it is the chief's business: the epochs are counted once, for all.
    """
    queue = owner.pipeline.queues.get(traversal.op_name(runner.name))
    if queue is None or not queue.shared_name:
        return False
    if not owner.link.cluster.is_elsewhere(queue.op.device):
        return False
    demand = owner.pipeline.demand_of(runner)
    return not demand.takes and any(op.type in op_types.COUNTERS for op in demand.ops)


def require_open(owner: Owner) -> None:
    """Raises `tf.errors.CancelledError` if a queue that the chief is to fill has had its epochs."""
    for queue in counted_queues(owner):
        looked = owner.queues.look(queue)
        if looked is not None and looked[1]:
            text = stories.cluster.closed_before(queue)
            raise _tf.errors.CancelledError(None, queue.op, text)
