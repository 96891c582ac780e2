"""What is known when something went wrong: the error, and the pipeline around it."""

from __future__ import annotations

import functools
import time
from typing import Any

import numpy as np

from tfqueue import _tensorflow
from tfqueue._tensorflow.types import Array, Op, Tensor
from tfqueue.explain import silent_damage, suspects
from tfqueue.explain.failure import Failure, Record
from tfqueue.graph import producers
from tfqueue.graph.op_types import READS, VARIABLES, Demand, Queue, Reader
from tfqueue.records import endings


class Case:
    """One failure, stall or ending, and what can be asked about it.

    Everything is found out when it is first asked for. What is not known is
    None, or empty.
    """

    def __init__(self, failure: Failure) -> None:
        self.failure = failure
        self.error: Any = failure.error
        self.pipeline = failure.pipeline
        self.run = failure.run
        self.tf = _tensorflow.compat_v1()

    # -- the error ---------------------------------------------------------------------------

    @property
    def message(self) -> str:
        return getattr(self.error, "message", None) or str(self.error)

    @property
    def op(self) -> Op:
        """The op that raised the error; None if TensorFlow does not say which."""
        return getattr(self.error, "op", None)

    @property
    def op_type(self) -> str:
        return self.op.type if self.op is not None else ""

    # -- where it happened -------------------------------------------------------------------

    @property
    def queue(self) -> Queue | None:
        """The queue in question."""
        if self.failure.queue is None and self.run is not None:
            return self.pipeline.queues.get(self.run.queue_name)
        return self.failure.queue

    @property
    def known_queue(self) -> Queue:
        """The queue in question, for rows that apply only where there is one.

        Raises:
            LookupError: If there is none.
        """
        if self.queue is None:
            raise LookupError("no queue is in question")
        return self.queue

    @functools.cached_property
    def demand(self) -> Demand:
        """What the failed step, or the runner's enqueue op, takes and reads; empty if not known."""
        if self.failure.demand is not None:
            return self.failure.demand
        if self.run is None:
            return Demand(frozenset(), [], [], [], [], False)
        if self.op is not None:
            # With `batch_join` each enqueue op has a reader of its own.
            for op in self.run.ops:
                demand = self.pipeline.demand([op])
                if self.op in demand.ops:
                    return demand
        return self.pipeline.demand(self.run.ops)

    @functools.cached_property
    def upstream(self) -> list[Queue]:
        """The queues that elements of the failed step come through, nearest first."""
        return self.pipeline.upstream(self.demand)

    @functools.cached_property
    def readers(self) -> list[Reader]:
        """The readers that the failed step reads with."""
        found = []
        for op in self.demand.reads:
            reader = self.pipeline.reader_of(op)
            if reader is not None and reader not in found:
                found.append(reader)
        return found

    @functools.cached_property
    def replay(self) -> suspects.Replay | None:
        """The failed step, to be done again with records fed; None if it read no one record."""
        reads = [op for op in self.demand.ops if op.type in READS]
        return suspects.Replay(self, reads[0]) if len(reads) == 1 else None

    @functools.cached_property
    def record(self) -> Record | None:
        """`(key, value)` of the record that was being worked on, as bytes, or None."""
        return self.failure.record or suspects.find(self)

    @property
    def key(self) -> str | None:
        """The reader key of the record, as str, or None."""
        return self.record[0].decode(errors="replace") if self.record is not None else None

    def value_of(self, tensor: Tensor) -> Array | None:
        """What `tensor` was for the record, a numpy array, or None."""
        if self.record is None or self.replay is None:
            return None
        try:
            values = self.replay.values([tensor], self.record)
        except self.tf.errors.OpError:
            return None
        if values is None:
            return None
        # A scalar string comes as bytes, whose last zeros numpy's own type for them would drop.
        value = values[0]
        return np.asarray(value, object if isinstance(value, bytes) else None)

    def component_shapes(self, enqueue: Op) -> list[list[int | None] | None]:
        """The shapes of what an enqueue op puts, as its queue has them: lists, or None each."""
        queue = next((q for op, q in self.demand.puts if op is enqueue), None)
        if queue is None:
            return []
        shapes = [
            None if proto.unknown_rank else [None if d.size < 0 else d.size for d in proto.dim]
            for proto in queue.op.get_attr("shapes")
        ]
        if enqueue.type.startswith("QueueEnqueueMany"):
            shapes = [None if shape is None else [None, *shape] for shape in shapes]
        return shapes

    @functools.cached_property
    def files(self) -> list[str]:
        """The names of the files that the failed step may have been reading."""
        found = []
        for queue in self._name_queues:
            found += self.names_of(queue) or []
        return found

    @functools.cached_property
    def order_known(self) -> bool:
        """Whether the files are read in the order of `files`."""
        return len(self.files) == 1 or not any(
            op.type == "RandomShuffle"
            for queue in self._name_queues
            for op in self.pipeline.demand(queue.enqueues).ops
        )

    @property
    def _name_queues(self) -> list[Queue]:
        return list(dict.fromkeys(take.queue for take in self.demand.takes if take.is_read))

    def names_of(self, queue: Queue) -> list[str] | None:
        """The names that a producer puts into `queue` in one epoch, as str, or None."""
        return producers.names_of(queue, self._variable)

    def names_per_epoch(self, queue: Queue | None = None) -> int | None:
        """How many elements a producer puts into `queue` in an epoch, or None.

        Args:
            queue: The queue; the one in question when None.
        """
        queue = queue if queue is not None else self.known_queue
        for op in queue.enqueues:
            if op.type.startswith("QueueEnqueueMany"):
                first = op.inputs[1].shape
                known = _tensorflow.compat_v1().dimension_value(first[0]) if first.rank else None
                if known is not None:
                    return known
                names = self.names_of(queue)
                return len(names) if names is not None else None
        return None

    def _variable(self, tensor: Tensor) -> Array | None:
        if self.failure.handle is None:
            return None
        try:
            return _tensorflow.PreparedStep(self.failure.handle, [], [tensor])()[0]
        except (self.tf.errors.OpError, RuntimeError):
            return None  # not initialised, or the session is closing

    @functools.cached_property
    def record_files(self) -> dict[str, str]:
        """The TFRecord files of the whole pipeline behind the step, each with its compression."""
        return self._files_of("TFRecordReader", "compression_type")

    def _files_of(self, kind: str, compression: str) -> dict[str, str]:
        """The files that readers of a kind read, each with the value of an attribute."""
        queues = self.upstream
        if not self.demand.ops:
            queues = list(self.pipeline.queues.values())
        takes = [take for queue in queues for take in queue.takes if take.is_read]
        takes += [take for take in self.demand.takes if take.is_read]
        found: dict[str, str] = {}
        for take in dict.fromkeys(takes):
            reader = self.pipeline.reader_of(take.op)
            if reader is None or reader.kind != kind:
                continue
            if self.failure.runners_of(take.queue):
                how = reader.op.get_attr(compression).decode()
                found |= dict.fromkeys(self.names_of(take.queue) or [], how)
        return found

    @functools.cached_property
    def cut_files(self) -> dict[str, str]:
        """The files that are cut where TensorFlow sees the end of the data, and how they end."""
        fixed = self._files_of("FixedLengthRecordReader", "encoding")
        files = [(path, how, True) for path, how in self.record_files.items()]
        files += [(path, how, False) for path, how in fixed.items() if how]
        return endings.cut_files(files, time.monotonic() + endings.SECONDS)

    # -- what becomes of it ------------------------------------------------------------------

    @functools.cached_property
    def origins(self) -> silent_damage.Origins | None:
        """Which takes each op of the demand depends on; None where there are fewer than two."""
        # Each question about them is about two takes or more; most steps have one.
        return silent_damage.Origins(self.demand) if len(self.demand.takes) > 1 else None

    # -- variables ---------------------------------------------------------------------------

    def pattern_of(self, variable: Op) -> str | None:
        """The pattern of the `match_filenames_once` whose variable this is, as str, or None.

        Args:
            variable: The op that makes the variable.
        """
        return producers.pattern_of(self.pipeline, variable)

    def variables(self) -> list[Op]:
        """The ops that make the variables which the step reads."""
        return [op for op in self.demand.ops if op.type in VARIABLES]

    # -- how to say it -----------------------------------------------------------------------

    def line_of(self, op: Op | None) -> str | None:
        """`file:line: code` of the user's line that built `op`, or None."""
        where = _tensorflow.creation_line(op) if op is not None else None
        return f"{where[0]}:{where[1]}: {where[2]}".rstrip(": ") if where else None

    def label(self, queue: Queue) -> str:
        """A queue by its kind and name, as the user knows it."""
        return f"{queue.kind} '{queue.name}'"
