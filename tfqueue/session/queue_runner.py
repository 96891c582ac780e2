"""`QueueRunner`: the threads that run enqueue ops, made and started."""

import threading

from tfqueue import _tensorflow
from tfqueue.explain import diagnosis
from tfqueue.session import coordinator, registry
from tfqueue.session.owner import Owner
from tfqueue.session.runner import RunnerRun, close_on_stop, movers_for, work

_tf = _tensorflow.compat_v1()


class QueueRunner(_tf.train.QueueRunner, metaclass=_tensorflow.StandsFor):
    """Threads that run enqueue ops for a queue (`tf.train.QueueRunner`).

    One thread for each enqueue op runs it again and again. When its input
    ends, the last thread closes the queue, so that what is in it can still be
    taken and the next dequeue raises `OutOfRangeError`. When an enqueue op
    fails, the queue is closed too, but with the failure as its cause: the step
    that waits for an element raises *that*, and so does `Coordinator.join`.

    Args:
      queue: A queue, such as `tf.FIFOQueue`.
      enqueue_ops: List of ops, or of their names, to run, one thread each. One op may stand there
        several times.
      close_op: Op that closes the queue and leaves pending enqueues alone.
      cancel_op: Op that closes the queue and cancels pending enqueues.
      queue_closed_exception_types: Tuple of `tf.errors` classes that mean the
        end of the input; `(tf.errors.OutOfRangeError,)` when None.
      queue_runner_def: A `QueueRunnerDef` protocol buffer to restore from, in
        place of all the above.
      import_scope: Name scope to put in front of its names.

    Raises:
      ValueError: If both or neither of `queue` and `queue_runner_def` are given.
      TypeError: If `queue_closed_exception_types` is not a tuple of error classes.

    >>> import tfqueue.v1 as tf
    >>> with tf.Graph().as_default():
    ...     queue = tf.FIFOQueue(10, tf.int32, shapes=[[]])
    ...     runner = tf.train.QueueRunner(queue, [queue.enqueue(7)] * 2)
    ...     seven = queue.dequeue()
    ...     with tf.Session() as sess:
    ...         coord = tf.train.Coordinator()
    ...         threads = runner.create_threads(sess, coord=coord, start=True)
    ...         print(sess.run(seven))
    ...         coord.request_stop()
    ...         coord.join(threads)
    7
    """

    __original__ = _tf.train.QueueRunner

    def __init__(
        self,
        queue=None,
        enqueue_ops=None,
        close_op=None,
        cancel_op=None,
        queue_closed_exception_types=None,
        queue_runner_def=None,
        import_scope=None,
    ):
        if enqueue_ops and any(isinstance(op, str) for op in enqueue_ops):
            # A name is what a session runs just as well; what is asked of the ops here needs ops.
            graph = _tf.get_default_graph()
            enqueue_ops = [
                graph.as_graph_element(op) if isinstance(op, str) else op for op in enqueue_ops
            ]
        super().__init__(
            queue=queue,
            enqueue_ops=enqueue_ops,
            close_op=close_op,
            cancel_op=cancel_op,
            queue_closed_exception_types=queue_closed_exception_types,
            queue_runner_def=queue_runner_def,
            import_scope=import_scope,
        )

    @classmethod
    def adopt(cls, runner):
        """`runner`, made by TensorFlow's own functions, as one of ours."""
        if QueueRunner in type(runner).__mro__:
            return runner
        ours = cls.__new__(cls)
        ours.__dict__.update(runner.__dict__)
        return ours

    @staticmethod
    def from_proto(queue_runner_def, import_scope=None):
        """A `QueueRunner` from its `QueueRunnerDef` protocol buffer."""
        return QueueRunner(queue_runner_def=queue_runner_def, import_scope=import_scope)

    def create_threads(self, sess, coord=None, daemon=False, start=False):
        """Makes the threads that run the enqueue ops in a session.

        Args:
          sess: The session, a `tf.Session`.
          coord: Optional `Coordinator` that stops the threads and gets their
            errors. With one there is one more thread, which closes the queue
            when the stop is asked for.
          daemon: Whether the process may end while they run.
          start: Whether to start them, or leave that to the caller.

        Returns:
          A list of threads; empty if those made for this session earlier still run, or
          what they brought is not used up.
        """
        sess = _tensorflow.unwrapped(sess)
        owner = Owner.of(sess)
        with owner.changed:
            for earlier in owner.runs:
                if earlier.runner is self and (earlier.working() or earlier.fills_still()):
                    return []
            run = RunnerRun(self, owner, coord)
            before = [each for each in owner.runs if each.runner is self and each.closed()]
            if before:
                # Whoever takes from it is told before its thread has found out.
                stopped = not any(each.ended for each in before)
                told = diagnosis.reopened(run.queue_name, stopped)
                owner.queues.failed(run.queue_name, told)
            self._exceptions_raised = []
            run.movers = movers_for(run, sess)
            for op, mover in zip(self.enqueue_ops, run.movers, strict=True):
                run.threads.append(
                    threading.Thread(
                        target=work,
                        args=(run, mover, self.queue_closed_exception_types),
                        name=f"QueueRunnerThread-{self.name}-{op.name}",
                    )
                )
            if coord is not None:
                run.closer = threading.Thread(
                    target=close_on_stop,
                    args=(run, coord),
                    name=f"QueueRunnerThread-{self.name}-close_on_stop",
                )
                run.threads.append(run.closer)
            owner.started(run)
        if coordinator.is_ours(coord):
            coord.watch(owner)
        for thread in run.threads:
            if coord is not None:
                coord.register_thread(thread)
            if daemon:
                thread.daemon = True
            if start:
                thread.start()
        return list(run.threads)


def adopt_all(graph, collection=None):
    """Makes every runner registered in `graph` one of ours, in place.

    Args:
      graph: A `tf.Graph`.
      collection: The graph collection; `GraphKeys.QUEUE_RUNNERS` when None.

    Returns:
      The list of runners.
    """
    registered = graph.get_collection_ref(collection or _tf.GraphKeys.QUEUE_RUNNERS)
    for position, runner in enumerate(registered):
        if isinstance(runner, _tf.train.QueueRunner):
            registered[position] = QueueRunner.adopt(runner)
    return registered


def start_queue_runners(
    sess=None,
    coord=None,
    daemon=True,
    start=True,
    collection=_tf.GraphKeys.QUEUE_RUNNERS,
):
    """Starts the threads of all runners registered in a graph (`tf.train.start_queue_runners`).

    Args:
      sess: The session to run in; the default session when None.
      coord: Optional `Coordinator` for the threads.
      daemon: Whether the process may end while they run.
      start: Whether to start them.
      collection: The graph collection the runners are in.

    Returns:
      A list of threads.

    Raises:
      ValueError: If there is no session.
      TypeError: If `sess` is not a session.
    """
    if sess is None:
        sess = _tf.get_default_session()
        if sess is None:
            raise ValueError(
                "start_queue_runners has no session to start them in: pass sess=..., or call it "
                "inside `with sess.as_default():`"
            )
    monitored = (_tf.train.MonitoredSession, _tf.train.SingularMonitoredSession)
    if isinstance(sess, monitored):
        return []  # it has started them itself
    if not hasattr(sess, "as_default") or not hasattr(sess, "graph"):
        raise TypeError(f"sess must be a tf.Session object, got {sess!r}")
    return start_registered(sess, coord, daemon, start, collection)


def start_registered(
    sess, coord, daemon=True, start=True, collection=_tf.GraphKeys.QUEUE_RUNNERS, leave=()
):
    """`start_queue_runners` without the runners that are left to others.

    Args:
      sess: The session.
      coord: A coordinator, or None.
      daemon: Whether the process may end while they run.
      start: Whether to start them.
      collection: The graph collection the runners are in.
      leave: `QueueRunner`s that are not to be started.

    Returns:
      A list of threads.
    """
    owner = Owner.of(sess)
    older = [run.name for each in registry.older(owner) for run in list(each.runs) if run.working()]
    diagnosis.before_start(owner.failure(older=tuple(older)))
    threads = []
    with sess.graph.as_default():
        for runner in list(adopt_all(_tf.get_default_graph(), collection)):
            if runner in leave:
                continue
            threads += runner.create_threads(sess, coord=coord, daemon=daemon)
    if start:
        # Not before all are made: what is at work takes Python's lock from what is being made.
        for thread in threads:
            thread.start()
    return threads
