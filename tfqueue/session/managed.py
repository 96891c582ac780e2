"""`managed_session`: a session that starts the pipeline, watches over it, and ends it."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable, Iterator
from typing import Any

from tfqueue import _tensorflow
from tfqueue.draw.pipeline import DrawnPipeline
from tfqueue.session import cluster, coordinator, failures, runner
from tfqueue.session.coordinator import Coordinator
from tfqueue.session.session import Session

_tf = _tensorflow.compat_v1()

_INITIALIZERS = "_tfqueue_initializers"


@dataclasses.dataclass(frozen=True)
class Initialization:
    """How the chief initialises a session. The fields are arguments of `managed_session`."""

    init_op: Any = None
    init_feed_dict: dict[Any, Any] | None = None
    init_fn: Callable[[Any], Any] | None = None
    saver: Any = None
    checkpoint: str | os.PathLike[str] | None = None

    def run(self, sess: Session) -> None:
        """Initialises variables and tables, restores the checkpoint, and calls `init_fn`."""
        with sess.graph.as_default():
            # All built before the first is run: TensorFlow warns of ops that change later.
            initializers = [_initializer(which) for which in ("global", "local", "tables")]
        if self.init_op is not None:
            initializers[0] = self.init_op
        sess.run(initializers[0], self.init_feed_dict)
        for initializer in initializers[1:]:
            sess.run(initializer)
        if self.checkpoint is not None:
            path = _tf.train.latest_checkpoint(self.checkpoint) or self.checkpoint
            with sess.graph.as_default():
                (self.saver or _tf.train.Saver()).restore(sess, path)
        if self.init_fn is not None:
            self.init_fn(sess)


class ManagedSession(Session):
    """What `managed_session` gives; see there.

    Attributes:
        coord: The `Coordinator` of its threads.
    """

    def __init__(
        self,
        target: Any = "",
        graph: Any = None,
        config: Any = None,
        *,
        coord: Any = None,
        chunks: int | bool | None = None,
        is_chief: bool | None = None,
        max_wait_secs: float = 7200,
        initialization: Initialization | None = None,
    ) -> None:
        self._server = target  # kept: this may be the only reference to it
        target = getattr(target, "target", target)
        if is_chief is not None:
            config = cluster.config_for(config, target, graph or _tf.get_default_graph())
        super().__init__(target, graph, config)
        self._owner.chunks = chunks
        self._owner.link.keeps_shared = self._owner.remote
        self._owner.link.take_role(is_chief)
        self._is_chief = is_chief is None or bool(is_chief)
        self._max_wait_secs = max_wait_secs
        self.coord = coord if coord is not None else Coordinator()
        self._initialization = initialization or Initialization()
        self._own_threads: list[Any] = []

    @property
    def pipeline(self) -> DrawnPipeline:
        """The input pipeline of the session's graph, a `tfqueue.draw.pipeline.DrawnPipeline`."""
        return DrawnPipeline.of(self.graph)

    def should_stop(self) -> bool:
        """Whether the loop should end: a stop was asked for.

        A runner's failure is no such request: what was read before it is
        still delivered, and then the step raises it.
        """
        return coordinator.wants_stop(self.coord)

    def batches(self, fetches: Any, steps: int | None = None) -> Iterator[Any]:
        """Runs `fetches` again and again, to the end of the data or for `steps` steps.

        Args:
            fetches: As for `run`.
            steps: int, how many at the most; None for no limit.

        Yields:
            What `run(fetches)` returns.

        Raises:
            tf.errors.OpError: A real failure, after all that was read before it.

        >>> import tfqueue, tfqueue.v1 as tf
        >>> with tf.Graph().as_default():
        ...     numbers = tf.train.range_input_producer(4, num_epochs=1, shuffle=False)
        ...     pair = tf.train.batch([numbers.dequeue()], batch_size=2)
        ...     with tfqueue.managed_session() as sess:
        ...         for batch in sess.batches(pair):
        ...             print(batch)
        [0 1]
        [2 3]
        """
        done = 0
        while (steps is None or done < steps) and not self.should_stop():
            try:
                values = self.run(fetches)
            except _tf.errors.OutOfRangeError:
                return
            yield values
            done += 1

    def start(self) -> None:
        """Initialises variables and tables and starts the runners; `with` does it."""
        if self._owner.remote:
            owner = self._owner
            limit = self._max_wait_secs
            cluster.wait_for_tasks(owner.link.cluster, self.graph, owner.changed, limit)
        if self._is_chief:
            self._initialization.run(self)
            if self._owner.remote:
                cluster.require_open(self._owner)
        else:
            self._join_in()
        self._own_threads = runner.start_registered(self, self.coord)

    def _join_in(self) -> None:
        """Waits for the chief, and initialises what is this process's own."""
        owner = self._owner
        cluster.wait_for_chief(self, owner, self._max_wait_secs)
        with self.graph.as_default():
            shared = cluster.shared_local_variables(owner.link.cluster, self.graph)
            own = [each for each in _tf.local_variables() if each not in shared]
            initializers = [_tf.variables_initializer(own), _initializer("tables")]
        for initializer in initializers:
            self.run(initializer)

    def __enter__(self) -> ManagedSession:
        entered = super().__enter__()
        try:
            self.start()
        except BaseException as error:
            super().__exit__(type(error), error, error.__traceback__)
            raise
        return entered

    def __exit__(self, kind: type | None, error: BaseException | None, traceback: Any) -> bool:
        at_end, failure = False, None
        try:
            at_end = kind is not None and issubclass(kind, _tf.errors.OutOfRangeError)
            try:
                self._end_threads(clean=kind is None or at_end)
            except Exception as reported:  # noqa: BLE001  (raised below, or noted on the user's own)
                failure = reported
                if coordinator.is_ours(self.coord):
                    self.coord.drop_error()
            finally:
                self.close()
        finally:
            super().__exit__(kind if not at_end else None, None if at_end else error, traceback)
        if failure is not None and failures.original(failure) is not failures.original(error):
            if kind is None or at_end:
                raise failure
            if self._owner.link.lost and type(failure) is type(error):
                return False  # what the block met, met once more by its threads
            assert error is not None
            _tensorflow.add_note(
                error, f"besides, the session ended with {type(failure).__name__}: {failure}"
            )
        return at_end

    def _end_threads(self, clean: bool) -> None:
        """Stops and joins all threads; raises the first error that one of them reported."""
        owner = self._owner
        self.coord.request_stop()
        if owner.remote:
            if clean and self._is_chief:
                # Nobody will fill these queues any more: whoever takes from them comes to an end.
                for queue in cluster.counted_queues(owner):
                    for run in owner.runs_of(queue):
                        run.close_queue()
            # What its threads wait for may be a queue that is not ours to close.
            self.close()
        # Where a task of the cluster is gone, threads wait in steps that never return.
        if owner.link.silent:
            self.coord.join(self._own_threads, 0, ignore_live_threads=True)
        else:
            self.coord.join(self._own_threads)


def _initializer(which: str) -> Any:
    """The op that initialises the graph's variables or tables, made once for the same ones."""
    graph = _tf.get_default_graph()
    collection, make = {
        "global": (_tf.GraphKeys.GLOBAL_VARIABLES, _tf.global_variables_initializer),
        "local": (_tf.GraphKeys.LOCAL_VARIABLES, _tf.local_variables_initializer),
        "tables": (_tf.GraphKeys.TABLE_INITIALIZERS, _tf.tables_initializer),
    }[which]
    present = tuple(map(id, graph.get_collection(collection)))
    # Kept by the graph, but in no collection: a `Saver` would write it out, and warn that it cannot.
    made = getattr(graph, _INITIALIZERS, None)
    if made is None:
        made = {}
        setattr(graph, _INITIALIZERS, made)
    if which not in made or made[which][0] != present:
        with _tensorflow.growable(graph):
            made[which] = present, make()
    return made[which][1]


def managed_session(
    target: Any = "",
    graph: Any = None,
    config: Any = None,
    *,
    init_op: Any = None,
    init_feed_dict: dict[Any, Any] | None = None,
    init_fn: Callable[[Any], Any] | None = None,
    saver: Any = None,
    checkpoint: str | os.PathLike[str] | None = None,
    coord: Any = None,
    chunks: int | bool | None = None,
    is_chief: bool | None = None,
    max_wait_secs: float = 7200,
) -> ManagedSession:
    """A session that initialises, starts the queue runners, watches over them and ends them.

    In a `with` block it is the default session. It runs the global, local and
    table initialisers, starts the runners registered in the graph, and when
    the block ends, however it ends, stops and joins every thread. The end of
    the data ends the block quietly; a real failure is raised, in the main
    thread, as the error it was. The graph is not finalised.

    Stands for `tf.Session` + initialisers + `Coordinator` +
    `start_queue_runners` + try/except/finally + `join`.

    On a cluster, give it the `tf.train.Server` of this process and say who is
    the chief. The chief initialises; the others wait for that, start their own
    runners, and leave to the chief a producer that fills a queue shared by
    `shared_name` for `num_epochs`. A queue that several fill is closed by the last that comes
    to its end. A process that leaves early closes no queue that others use, but
    for the chief, which closes the queues that it alone fills.
    A shared queue whose epochs have ended stays closed as long as its server
    runs: a chief that comes again empties the servers before its session, with
    `tf.Session.reset(server.target)`.

    Args:
        target: A `tf.train.Server`, or its address; this process when empty.
        graph: The graph to run; the default graph when None.
        config: A `ConfigProto`. With `is_chief` given, a session connects to the
            tasks that its graph names, unless this has `device_filters`.
        init_op: Run in place of the global initialiser.
        init_feed_dict: What to feed `init_op` or the global initialiser.
        init_fn: Called with the session after initialising and restoring.
        saver: The `tf.train.Saver` for `checkpoint`; one of all variables when None.
        checkpoint: Checkpoint, or folder of which the latest is restored, after
            the initialisers.
        coord: A `Coordinator` to use; a new one when None.
        chunks: How many examples a runner moves in one step, where its pipeline
            allows: an int, or True to find out what is fastest, or False (or 0)
            for one at a time. When None, what the environment's `TFQUEUE_CHUNKS`
            says, and True without that. `print(sess.pipeline)` tells what came of it.
            On a server always one at a time.
        is_chief: On a cluster, whether this process initialises; None where it is
            the only one. The `init_...` arguments, `saver` and `checkpoint` are the
            chief's.
        max_wait_secs: Seconds to wait for the other tasks to come up, and then for
            the chief. A warning comes much earlier.

    Raises:
        tf.errors.CancelledError: If the epochs of the chief's shared queue have
            ended before.
        tf.errors.DeadlineExceededError: If that time is over.
        tf.errors.UnavailableError: If a task of the cluster is lost; also of a
            step, and with a note that names the task and its address. Also if all
            who filled the queue that a step takes from are gone.

    Returns:
        A `ManagedSession`: a `tf.Session` with `coord`, `should_stop()`,
        `batches(fetches, steps=None)` and `pipeline`.

    >>> import tfqueue, tfqueue.v1 as tf
    >>> with tf.Graph().as_default():
    ...     names = tf.train.string_input_producer(["a", "b"], num_epochs=1, shuffle=False)
    ...     name = names.dequeue()
    ...     with tfqueue.managed_session() as sess:
    ...         while not sess.should_stop():
    ...             print(sess.run(name))
    b'a'
    b'b'
    """
    return ManagedSession(
        target,
        graph,
        config,
        coord=coord,
        chunks=chunks,
        is_chief=is_chief,
        max_wait_secs=max_wait_secs,
        initialization=Initialization(init_op, init_feed_dict, init_fn, saver, checkpoint),
    )
