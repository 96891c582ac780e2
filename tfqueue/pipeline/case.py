"""What is known when something went wrong: the error, and the pipeline around it."""

import functools
import re

from tfqueue import _tensorflow


class Case:
    """One failure, stall or ending, and what can be asked about it.

    Everything is found out when it is first asked for. Nothing here raises:
    what is not known is None.

    Args:
      error: The exception, or None for a stall.
      supervision: The session's `Supervision`.
      run: The `RunnerRun` that met the error.
      pump: Its pump.
      plan: The `Plan` of the program's step.
      queue: The queue in question; that of `run` when None.
    """

    def __init__(self, error, supervision, *, run=None, pump=None, plan=None, queue=None):
        self.error = error
        self.supervision = supervision
        self.pipeline = supervision.pipeline
        self.run = run
        self.pump = pump
        self.plan = plan
        self._queue = queue
        self.tf = _tensorflow.compat_v1()

    @property
    def message(self):
        return getattr(self.error, "message", None) or str(self.error)

    @property
    def op(self):
        """The op that raised the error, if TensorFlow says so."""
        return getattr(self.error, "op", None)

    @property
    def queue(self):
        """The queue in question."""
        if self._queue is None and self.run is not None:
            return self.pipeline.queues.get(self.run.queue_name)
        return self._queue

    @functools.cached_property
    def demand(self):
        """What the failed step, or the runner's enqueue op, takes and reads."""
        if self.run is not None:
            ops = [op.op if hasattr(op, "op") else op for op in self.run.runner.enqueue_ops]
            return self.pipeline.demand(ops)
        return self.plan.demand if self.plan is not None else None

    @functools.cached_property
    def upstream(self):
        """The queues that elements of the failed step come through, nearest first."""
        return self.pipeline.upstream(self.demand) if self.demand is not None else []

    @functools.cached_property
    def readers(self):
        """The readers that the failed step reads with."""
        found = []
        for op in self.demand.reads if self.demand is not None else ():
            reader = self.pipeline.reader_of(op)
            if reader is not None and reader not in found:
                found.append(reader)
        return found

    @functools.cached_property
    def record(self):
        """`(key, value)` of the record that was being worked on, as bytes, or None."""
        reading = getattr(self.pump, "record", None)
        return reading() if reading is not None else None

    def names_of(self, queue):
        """The names that a producer puts into `queue` in one epoch, as str, or None."""
        for op in queue.enqueues:
            if op.type.startswith("QueueEnqueueMany"):
                value = _constant_behind(op.inputs[1])
                if value is not None and value.dtype.kind in "OS":
                    return [item.decode(errors="replace") for item in value.ravel()]
        return None

    def names_per_epoch(self):
        """How many names the queue in question gets in an epoch, or None."""
        for op in self.queue.enqueues:
            if op.type.startswith("QueueEnqueueMany"):
                first = op.inputs[1].shape
                if first.rank and first[0].value is not None:
                    return first[0].value
        return None

    @functools.cached_property
    def files(self):
        """The names of the files that the failed step may have been reading."""
        found = []
        for take in self.demand.takes if self.demand is not None else ():
            if take.is_read:
                found += self.names_of(take.queue) or []
        return found

    def feeder_error(self):
        """The exception that a thread died of which fed the queue in question, or None."""
        from tfqueue.session import exits

        for thread in self.supervision.feeders.get(self.queue.name, ()):
            error = exits.error_of(thread)
            if error is not None:
                return error
        return None

    def line_of(self, op):
        """`file:line: code` of the user's line that built `op`, or None."""
        where = _tensorflow.creation_line(op) if op is not None else None
        return f"{where[0]}:{where[1]}: {where[2]}" if where else None

    def label(self, queue):
        """A queue by its kind and name, as the user knows it."""
        return f"{queue.kind} '{queue.name}'"


def _constant_behind(tensor):
    """The constant that a producer's tensor is made of, through shuffling and copying."""
    tf = _tensorflow.compat_v1()
    for _ in range(20):
        value = tf.get_static_value(tensor)
        if value is not None:
            return value
        if tensor.op.type not in ("RandomShuffle", "Identity", "StopGradient", "Reshape"):
            return None
        tensor = tensor.op.inputs[0]
    return None


def node_names(message):
    """The names of the graph's nodes that an error message mentions."""
    return re.findall(r"\{\{node ([^}]+)\}\}", message)
