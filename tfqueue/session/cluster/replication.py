"""Between-graph replication in a managed session: who initialises, who waits, who fills what.

Each process builds the same graph and has a session on its own server. One of
them is the chief. It alone initialises (or restores) what is shared; the others
wait until that is done. What each process has for itself (local variables,
tables) each initialises itself.
"""

from tfqueue import _tensorflow
from tfqueue.explain import stories
from tfqueue.graph.tasks import name_of, task_of
from tfqueue.session.cluster import liveness, servers

_tf = _tensorflow.compat_v1()

_WARN_AFTER = 10.0
"""Seconds after which a wait for the chief is spoken of, once."""
_RECHECK_SECONDS = 0.25
_EPOCH_COUNTERS = ("CountUpTo", "ResourceCountUpTo")


def config_for(config, target, graph):
    """`config`, with which a session connects to the tasks that its graph names, and no other.

    TensorFlow makes a session wait for every task of the cluster, also for
    workers that have nothing to do with it: one that was killed would keep the
    chief from coming back.

    Args:
      config: A `ConfigProto` or None. Its own `device_filters` are kept.
      target: The session's target.
      graph: The graph.

    Returns:
      A `ConfigProto` or None.
    """
    own = servers.cluster_behind(target).own
    if own is None or (config is not None and config.device_filters):
        return config
    tasks = {task_of(op.device) for op in graph.get_operations()} - {None, own}
    if any(job == own[0] for job, _ in tasks):
        return config  # the graph itself spreads over several workers
    made = _tf.ConfigProto()
    if config is not None:
        made.CopyFrom(config)
    made.device_filters.extend([name_of(own), *sorted({f"/job:{job}" for job, _ in tasks})])
    return made


def wait_for_tasks(owner, max_wait_secs):
    """Waits until the tasks that the graph names answer: TensorFlow would do so in C++, unheard.

    Args:
      owner: The session's `Owner`.
      max_wait_secs: How long at the most.

    Raises:
      tf.errors.DeadlineExceededError: If one has not answered by then.
    """
    tasks = {task_of(op.device) for op in owner.graph.get_operations()} - {None}
    liveness.wait_for_tasks(owner, tasks, max_wait_secs)


def shared_local_variables(owner):
    """The local variables that are on another task, such as a shared producer's epoch counter."""
    with owner.graph.as_default():
        variables = _tf.local_variables()
    return [each for each in variables if owner.link.cluster.is_elsewhere(each.device)]


def wait_for_chief(sess, owner, max_wait_secs):
    """Waits until the chief has initialised what is shared; Ctrl-C works.

    Args:
      sess: The `ManagedSession`.
      owner: Its `Owner`.
      max_wait_secs: How long at the most.

    Raises:
      tf.errors.DeadlineExceededError: If it has not by then.
    """
    graph = owner.graph
    with graph.as_default():
        variables = _tf.global_variables() + shared_local_variables(owner)
    if not variables:
        return
    with _tensorflow.growable(graph), _tf.name_scope("tfqueue_control/"):
        missing = _tf.report_uninitialized_variables(variables)
    left = []

    def there():
        left[:] = sess.run(missing)
        return not left

    def say(waited):
        return stories.cluster.no_chief([name.decode() for name in left], waited)

    liveness.wait_until(there, owner, say, _WARN_AFTER, max_wait_secs, _RECHECK_SECONDS)


def counted_producers(owner):
    """The runners that fill a queue shared with other processes for a number of epochs.

    With one such producer in each process, the first that comes to its end
    would close the queue for all: so it is the chief's.
    """
    found = []
    for runner in owner.pipeline.runners:
        queue = runner.queue
        if queue is None or not queue.shared_name:
            continue
        if not owner.link.cluster.is_elsewhere(queue.op.device):
            continue
        demand = owner.pipeline.demand_of(runner)
        if not demand.takes and any(op.type in _EPOCH_COUNTERS for op in demand.ops):
            found.append(runner)
    return found


def require_open(owner):
    """Raises `tf.errors.CancelledError` if a queue that the chief is to fill has had its epochs."""
    for runner in counted_producers(owner):
        looked = owner.queues.look(runner.queue)
        if looked is not None and looked[1]:
            raise _tf.errors.CancelledError(
                None, runner.queue.op, stories.cluster.closed_before(runner.queue)
            )
