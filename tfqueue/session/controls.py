"""The ops with which a session's queues are closed and measured, whoever else uses the graph."""

from tfqueue import _tensorflow
from tfqueue.graph import control_ops

_tf = _tensorflow.compat_v1()
_MAKERS = {
    "size": lambda handle: _tf.raw_ops.QueueSizeV2(handle=handle),
    "closed": lambda handle: _tf.raw_ops.QueueIsClosedV2(handle=handle),
    "close": lambda handle: _tf.raw_ops.QueueCloseV2(handle=handle, cancel_pending_enqueues=False),
    "cancel": lambda handle: _tf.raw_ops.QueueCloseV2(handle=handle, cancel_pending_enqueues=True),
}


class Controls:
    """Steps that act on queues; each is built when it is first wanted.

    Args:
      supervision: The session's `Supervision`.
    """

    def __init__(self, supervision):
        self._supervision = supervision
        self._steps = {}
        self._sizes = {}

    def close(self, queue, cancel):
        """Closes a queue; with `cancel`, pending enqueues end too."""
        self._step("cancel" if cancel else "close", queue)()

    def size(self, queue):
        """How many elements a queue holds now."""
        return int(self._step("size", queue)()[0])

    def sizes(self, queues):
        """One step that gives the sizes of several queues.

        Args:
          queues: A list of model `Queue`s.

        Returns:
          A callable that returns a list of as many numbers.

        Raises:
          RuntimeError: If the session is gone.
        """
        sess = self._supervision.handle()
        if sess is None:
            raise RuntimeError("the session is gone")
        with self._supervision.changed:
            for queue in queues:
                if queue.name not in self._sizes:
                    self._sizes[queue.name] = control_ops.add(_MAKERS["size"], queue.handle)
            return _tensorflow.RawStep(sess, [], [self._sizes[queue.name] for queue in queues])

    def look(self, queue):
        """How many elements a queue holds now, and whether it is closed."""
        size, closed = self._step("look", queue)()
        return int(size), bool(closed)

    def clear(self):
        """Lets go of all steps."""
        self._steps.clear()

    def _step(self, what, queue):
        supervision = self._supervision
        key = (what, queue.name)
        with supervision.changed:
            found = self._steps.get(key)
            if found is None:
                sess = supervision.handle()
                if sess is None:
                    raise RuntimeError("the session is gone")
                if what == "size":
                    found = self.sizes([queue])
                elif what == "look":
                    parts = [
                        control_ops.add(_MAKERS[part], queue.handle) for part in ("size", "closed")
                    ]
                    # Looked at for each chunk: no pool of threads for two small ops.
                    found = _tensorflow.RawStep(sess, [], parts, inline=not supervision.remote)
                else:
                    found = _tensorflow.RawStep(
                        sess, [control_ops.add(_MAKERS[what], queue.handle)]
                    )
                self._steps[key] = found
            return found
