"""`Server`, one task of a cluster in this process, and what a session knows of the cluster behind it."""

import threading

from tfqueue import _tensorflow
from tfqueue.graph.tasks import Cluster, task_of

_tf = _tensorflow.compat_v1()

_definitions = {}
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
        server_or_cluster_def,
        job_name=None,
        task_index=None,
        protocol=None,
        config=None,
        start=True,
    ):
        with _tensorflow.quiet_first_session():
            super().__init__(server_or_cluster_def, job_name, task_index, protocol, config, start)
        _definitions[_text(self.target)] = self.server_def

    @staticmethod
    def create_local_server(config=None, start=True):
        """A cluster of one task, on a free port of this machine."""
        return Server({"local": ["localhost:0"]}, protocol="grpc", config=config, start=start)

    def join(self):
        """Blocks for as long as the server runs, which is for ever. Ctrl-C ends the wait."""
        thread = threading.Thread(target=super().join, name="tfqueue-server", daemon=True)
        thread.start()
        thread.join()


def _text(target):
    return target.decode() if isinstance(target, bytes) else target


def cluster_behind(target):
    """What is known of the cluster behind a session's target.

    All of it where the target is a `Server` of this process; nothing is known
    of a server that runs somewhere else.

    Args:
      target: The session's target.

    Returns:
      A `Cluster`.
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
    """The cluster behind a session, as far as the session has found out.

    Args:
      target: The session's target; empty for this process.
    """

    def __init__(self, target):
        self.remote = bool(target)
        """Whether it runs on a `tf.train.Server`, and others may use its queues too."""
        self.cluster = cluster_behind(target)
        self.keeps_shared = False
        """Whether a stop of this session leaves queues open that other processes use."""
        self.connected = False
        """Whether a step has come back from a server: all tasks that it needs were there."""
        self.lost = False
        """Whether a task was lost: TensorFlow's close waits for it to come back."""
        self.silent = set()
        """Tasks that are taken for gone: a step there would never return."""

    def note_lost(self, error):
        """Remembers that a task was lost, if that is what `error` says."""
        if self.remote and isinstance(error, _tf.errors.UnavailableError):
            self.lost = True


def tasks_of(owner, plan):
    """The tasks that a step, and what feeds it, are placed on by name."""
    ops = list(plan.demand.ops)
    for queue in plan.upstream:
        ops.append(queue.op)
        ops += owner.pipeline.demand(owner.pipeline.enqueues_of(queue)).ops
    return {task_of(op.device) for op in ops} - {None}
