"""`managed_session`: a session that starts the pipeline, watches over it, and ends it."""

from tfqueue import _tensorflow
from tfqueue.session import runners
from tfqueue.session.coordinator import Coordinator
from tfqueue.session.sessions import Session

_tf = _tensorflow.compat_v1()


class ManagedSession(Session):
    """What `managed_session` gives; see there.

    Attributes:
      coord: The `Coordinator` of its threads.
    """

    def __init__(
        self,
        target="",
        graph=None,
        config=None,
        *,
        init_op=None,
        init_feed_dict=None,
        init_fn=None,
        saver=None,
        checkpoint=None,
        coord=None,
        chunks=None,
    ):
        super().__init__(target, graph, config)
        self._supervision.chunks = chunks
        self.coord = coord if coord is not None else Coordinator()
        self._init = init_op, init_feed_dict, init_fn
        self._restore = saver, checkpoint
        self._own_threads = []

    @property
    def pipeline(self):
        """The input pipeline of the session's graph, a `tfqueue.pipeline.Pipeline`."""
        return self._supervision.pipeline

    def should_stop(self):
        """Whether the loop should end: a stop was asked for.

        A runner's failure is no such request: what was read before it is
        still delivered, and then the step raises it.
        """
        return self.coord.should_stop() and not getattr(self.coord, "draining", False)

    def batches(self, fetches, steps=None):
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

    def start(self):
        """Initialises variables and tables and starts the runners; `with` does it."""
        init_op, feed_dict, init_fn = self._init
        with self.graph.as_default():
            # All built before the first is run: TensorFlow warns of ops that change later.
            initializers = [_initializer(which) for which in ("global", "local", "tables")]
        if init_op is not None:
            initializers[0] = init_op
        self.run(initializers[0], feed_dict)
        for initializer in initializers[1:]:
            self.run(initializer)
        saver, checkpoint = self._restore
        if checkpoint is not None:
            path = _tf.train.latest_checkpoint(checkpoint) or checkpoint
            with self.graph.as_default():
                (saver or _tf.train.Saver()).restore(self, path)
        if init_fn is not None:
            init_fn(self)
        self._own_threads = runners.start_queue_runners(self, self.coord)

    def __enter__(self):
        entered = super().__enter__()
        try:
            self.start()
        except BaseException as error:
            super().__exit__(type(error), error, error.__traceback__)
            raise
        return entered

    def __exit__(self, kind, error, traceback):
        at_end = kind is not None and issubclass(kind, _tf.errors.OutOfRangeError)
        failure = None
        try:
            try:
                self.coord.request_stop()
                self.coord.join(self._own_threads)
            except Exception as reported:  # noqa: BLE001  (raised below, or noted on the user's own)
                failure = reported
                if hasattr(self.coord, "forget_error"):
                    self.coord.forget_error()
            finally:
                self.close()
        finally:
            super().__exit__(kind if not at_end else None, None if at_end else error, traceback)
        if failure is not None and failure is not error:
            if kind is None or at_end:
                raise failure
            _tensorflow.add_note(
                error, f"besides, the session ended with {type(failure).__name__}: {failure}"
            )
        return at_end


def _initializer(which):
    """The op that initialises the graph's variables or tables, made once for the same ones."""
    graph = _tf.get_default_graph()
    things, make = {
        "global": (_tf.global_variables, _tf.global_variables_initializer),
        "local": (_tf.local_variables, _tf.local_variables_initializer),
        "tables": (
            lambda: _tf.get_collection(_tf.GraphKeys.TABLE_INITIALIZERS),
            _tf.tables_initializer,
        ),
    }[which]
    present = tuple(map(id, things()))
    key = f"_tfqueue_{which}_initializer"
    made = graph.get_collection_ref(key)
    if not made or made[-1][0] != present:
        with _tensorflow.growable(graph):
            made[:] = [(present, make())]
    return made[-1][1]


def managed_session(
    target="",
    graph=None,
    config=None,
    *,
    init_op=None,
    init_feed_dict=None,
    init_fn=None,
    saver=None,
    checkpoint=None,
    coord=None,
    chunks=None,
):
    """A session that initialises, starts the queue runners, watches over them and ends them.

    In a `with` block it is the default session. It runs the global, local and
    table initialisers, starts the runners registered in the graph, and when
    the block ends, however it ends, stops and joins every thread. The end of
    the data ends the block quietly; a real failure is raised, in the main
    thread, as the error it was. The graph is not finalised.

    Stands for `tf.Session` + initialisers + `Coordinator` +
    `start_queue_runners` + try/except/finally + `join`.

    Args:
      target: Address of a `tf.train.Server`; this process when empty.
      graph: The graph to run; the default graph when None.
      config: A `ConfigProto`.
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
        init_op=init_op,
        init_feed_dict=init_feed_dict,
        init_fn=init_fn,
        saver=saver,
        checkpoint=checkpoint,
        coord=coord,
        chunks=chunks,
    )
