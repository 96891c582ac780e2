"""The queues of one session: who feeds them, why each was closed, and the steps that act on them.

A queue is closed for one of four reasons, and each is noted here:

* its input came to an end (`at_end`, noted when a step of the program meets it);
* a runner failed, or nobody can feed it any more (`failures` has the cause, which is raised in
  the place of TensorFlow's "closed and has insufficient elements");
* a stop cancelled what waits to be put in (`cancelled`);
* the program closed it itself, of which nothing is known here.
"""

import contextlib
import threading

from tfqueue import _tensorflow
from tfqueue.graph import control_ops

_tf = _tensorflow.compat_v1()


class Queues:
    """The queues of one session."""

    def __init__(self, owner):
        self._owner = owner
        self.failures = {}
        """Why a queue was closed, by queue name, where that was a failure."""
        self.at_end = set()
        """Names of the queues whose end a step of the program has met."""
        self.cancelled = set()
        """Names of the queues whose pending enqueues a stop of ours cancelled."""
        self.feeders = {}
        """Queue name to the threads that ever enqueued by hand, dead ones too."""
        self._steps = {}

    # -- who feeds them ------------------------------------------------------------------------

    def feeders_of(self, queue):
        """The threads that ever enqueued into `queue` by hand, dead ones too."""
        with self._owner.changed:  # a set must not grow while it is walked
            return list(self.feeders.get(queue.name, ()))

    def note_feeder(self, queues):
        """The current thread puts into `queues` by hand."""
        thread = threading.current_thread()
        with self._owner.changed:
            for queue in queues:
                known = self.feeders.setdefault(queue.name, set())
                if thread not in known:
                    known.add(thread)
                    self._owner.changed.notify_all()

    # -- why they were closed --------------------------------------------------------------------

    def failed(self, queue_name, cause):
        """Notes that a queue gets no more elements because of `cause`; the first one counts."""
        with self._owner.changed:
            self.failures.setdefault(queue_name, cause)
            self._owner.changed.notify_all()

    def close(self, queue, cancel):
        """Closes a queue; with `cancel`, pending enqueues end too.

        Args:
          queue: A model `Queue`.
          cancel: Whether to cancel pending enqueues.
        """
        if self.is_left_open(queue.name):
            return
        if cancel:
            self.cancelled.add(queue.name)
            for run in self._owner.runs_of(queue):
                run.stop()  # what its threads get now is no failure
        with contextlib.suppress(_tf.errors.OpError, RuntimeError):
            self._step(queue, "cancel" if cancel else "close")()

    def is_left_open(self, queue_name):
        """Whether a queue is not to be closed: others use it, or nobody is there to close it."""
        link = self._owner.link
        if link.silent:
            return True
        queue = self._owner.pipeline.queues.get(queue_name)
        return link.keeps_shared and queue is not None and bool(queue.shared_name)

    # -- what they hold --------------------------------------------------------------------------

    def size(self, queue):
        """How many elements a queue holds now, without those a pending dequeue has taken."""
        return int(self._step(queue, "size")()[0])

    def sizes(self, queues):
        """One step that gives the sizes of several queues.

        Args:
          queues: A list of model `Queue`s.

        Returns:
          A callable that returns a list of as many numbers.

        Raises:
          RuntimeError: If the session is gone.
        """
        return self._made([control_ops.of_queue("size", queue.handle) for queue in queues])

    def look(self, queue):
        """How many elements a queue holds now, and whether it is closed; None if it can't tell."""
        try:
            size, closed = self._step(queue, "size", "closed")()
        except (_tf.errors.OpError, RuntimeError):
            return None
        return int(size), bool(closed)

    def drop(self):
        """Drops what the closed session has no more use for."""
        self._steps.clear()

    def drop_errors(self):
        """Drops the errors, whose tracebacks hold the session, and the threads that hold errors."""
        self.failures.clear()
        self.feeders.clear()

    def _step(self, queue, *actions):
        """A step of ops that act on a queue, kept."""
        with self._owner.changed:
            found = self._steps.get((queue.name, actions))
            if found is None:
                ops = [control_ops.of_queue(action, queue.handle) for action in actions]
                found = self._steps[queue.name, actions] = self._made(ops)
            return found

    def _made(self, ops):
        handle = self._owner.handle()
        if handle is None:
            raise RuntimeError("the session is gone")
        targets = [op for op in ops if isinstance(op, _tf.Operation)]
        fetches = [op for op in ops if not isinstance(op, _tf.Operation)]
        # A small op needs no pool of threads, which a py_func that does not return may hold.
        return _tensorflow.RawStep(handle, targets, fetches, inline=not self._owner.remote)
