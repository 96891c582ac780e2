"""What one session knows of the cluster that it runs on."""

from tfqueue import _tensorflow
from tfqueue.graph.tasks import task_of
from tfqueue.session.cluster import servers

_tf = _tensorflow.compat_v1()


class Link:
    """The cluster behind a session, as far as the session has found out.

    Args:
      target: The session's target; empty for this process.
    """

    def __init__(self, target):
        self.remote = bool(target)
        """Whether it runs on a `tf.train.Server`, and others may use its queues too."""
        self.cluster = servers.cluster_behind(target)
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
    """The tasks that a step, and what feeds it, are placed on by name.

    Args:
      owner: The session's `Owner`.
      plan: The step's `Plan`.
    """
    ops = list(plan.demand.ops)
    for queue in plan.upstream:
        ops.append(queue.op)
        ops += owner.pipeline.demand(owner.pipeline.enqueues_of(queue)).ops
    return {task_of(op.device) for op in ops} - {None}
