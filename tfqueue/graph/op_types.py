"""What a pipeline consists of: the types of op that make it up, and the parts they become."""

from __future__ import annotations

import dataclasses
import itertools
from typing import Any

from tfqueue import _tensorflow
from tfqueue._tensorflow.types import Graph, Op, Tensor

QUEUE_KINDS = {
    "FIFOQueue": "FIFOQueue",
    "FIFOQueueV2": "FIFOQueue",
    "PaddingFIFOQueue": "PaddingFIFOQueue",
    "PaddingFIFOQueueV2": "PaddingFIFOQueue",
    "PriorityQueue": "PriorityQueue",
    "PriorityQueueV2": "PriorityQueue",
    "RandomShuffleQueue": "RandomShuffleQueue",
    "RandomShuffleQueueV2": "RandomShuffleQueue",
}
READER_KINDS = {
    f"{kind}Reader{version}": f"{kind}Reader"
    for kind in ("TextLine", "FixedLengthRecord", "WholeFile", "TFRecord", "Identity", "LMDB")
    for version in ("", "V2")
}
ENQUEUES = frozenset(f"QueueEnqueue{many}{v2}" for many in ("", "Many") for v2 in ("", "V2"))
DEQUEUES = frozenset(
    f"QueueDequeue{many}{v2}" for many in ("", "Many", "UpTo") for v2 in ("", "V2")
)
CLOSES = frozenset(["QueueClose", "QueueCloseV2"])
READS = frozenset(["ReaderRead", "ReaderReadV2", "ReaderReadUpTo", "ReaderReadUpToV2"])
READS_OF_FILES = frozenset(
    "RestoreV2 Restore RestoreSlice MergeV2Checkpoints LoadAndRemapMatrix ReadFile ImmutableConst "
    "InitializeTableFromTextFile InitializeTableFromTextFileV2".split()
)
"""Ops that read all they need of a file at once: where one is out of range, the file is cut."""
WRITES_OF_FILES = frozenset(["SaveV2", "Save", "SaveSlices", "WriteFile", "FlushSummaryWriter"])
"""Ops that write files: where one is out of range, a file has reached the largest size allowed."""
# Ops that run functions; their branches and bodies may hold queue ops.
CALLERS = frozenset(
    "If StatelessIf While StatelessWhile Case StatelessCase PartitionedCall "
    "StatefulPartitionedCall".split()
)
# Ops that hand a resource on as it is.
PASSES = frozenset(
    ["Identity", "Enter", "RefEnter", "Switch", "RefSwitch", "Merge", "RefMerge", "RefIdentity"]
)
VARIABLES = frozenset(["VarHandleOp", "VariableV2", "Variable"])
"""Ops that make a variable, of either kind."""
COUNTERS = frozenset(["CountUpTo", "ResourceCountUpTo"])
"""Ops that count a variable up to a limit: the epochs of a producer."""
CHANGES = ("Assign", "Apply", "Scatter", "CountUpTo", "Resource")
"""What the types of ops that change a variable begin with."""
LOOKUPS = frozenset(["LookupTableFindV2", "LookupTableSizeV2"])
"""Ops that read a table."""


@dataclasses.dataclass(eq=False)
class Queue:
    """One queue of the graph."""

    op: Op
    """The operation that makes the queue."""
    kind: str
    """`FIFOQueue`, `PaddingFIFOQueue`, `PriorityQueue` or `RandomShuffleQueue`."""
    capacity: int
    min_after_dequeue: int
    shared_name: str
    enqueues: list[Op] = dataclasses.field(default_factory=list)
    """Ops that put into it, in the order they were built."""
    takes: list[Take] = dataclasses.field(default_factory=list)
    """`Take`s from it: dequeue ops, and read ops that dequeue file names."""

    @property
    def name(self) -> str:
        """The queue op's name, such as `shuffle_batch/random_shuffle_queue`."""
        return self.op.name

    @property
    def handle(self) -> Tensor:
        """The tensor that names the queue to its ops."""
        return self.op.outputs[0]

    def __repr__(self) -> str:
        return f"<{self.kind} {self.name!r}>"


@dataclasses.dataclass(frozen=True, eq=False)
class Take:
    """One op that takes elements from a queue."""

    op: Op
    queue: Queue
    amount: int | None
    """How many elements one run takes while the queue is open; None where only the run knows."""
    conditional: bool = False
    """Whether the op stands in a branch or loop body, so that a run may not reach it."""

    @property
    def is_read(self) -> bool:
        """Whether a reader takes file names here."""
        return self.op.type in READS

    @property
    def is_up_to(self) -> bool:
        """Whether it takes fewer elements once the queue is closed."""
        return self.op.type.startswith("QueueDequeueUpTo")


@dataclasses.dataclass(eq=False)
class Reader:
    """One reader of the graph."""

    op: Op
    kind: str
    """The name of its class, such as `TFRecordReader`."""
    reads: list[Op] = dataclasses.field(default_factory=list)
    """Its read ops."""

    @property
    def name(self) -> str:
        return self.op.name


def runner_name(queue_runner: Any) -> str:
    """The name of a `QueueRunner`, in whatever mode the thread is that asks.

    In eager mode a queue calls itself by the last part of its name only.
    """
    handle = getattr(queue_runner.queue, "queue_ref", None)
    return queue_runner.name if handle is None else handle.op.name


_RUNS = frozenset(
    "__getattribute__ _close_on_stop _run cancel_op close_op create_threads enqueue_ops "
    "exceptions_raised name queue queue_closed_exception_types".split()
)
"""Attributes of a `QueueRunner` on which it depends what its threads do."""


def redefined(queue_runner: Any) -> list[str]:
    """Those of `_RUNS` that are not TensorFlow's, nor ours: what a `QueueRunner` does in its own way.

    An object of another class, or of one derived from TensorFlow's own, makes its own threads.

    Returns:
        A sorted list of names; empty if its threads run its enqueue ops and nothing else.
    """
    original = _tensorflow.compat_v1().train.QueueRunner
    if type(queue_runner) is original:
        found: set[str] = set()
    elif not isinstance(queue_runner, original):
        return ["create_threads"]
    else:
        found, takes_ours = set(), False
        for cls in itertools.takewhile(lambda cls: cls is not original, type(queue_runner).__mro__):
            names = set(vars(cls))
            if "__original__" in names:  # ours
                takes_ours = True
                names.discard("create_threads")
            found |= names
        if not takes_ours:
            found.add("create_threads")
    return sorted(_RUNS & (found | set(vars(queue_runner))))


@dataclasses.dataclass(eq=False)
class Runner:
    """One `QueueRunner` of the graph's collection."""

    queue_runner: Any
    queue: Queue | None

    @property
    def name(self) -> str:
        """The runner's name, which is its queue's."""
        return runner_name(self.queue_runner)

    @property
    def threads(self) -> int:
        return len(self.queue_runner.enqueue_ops)


@dataclasses.dataclass(eq=False)
class Demand:
    """What a set of ops takes from queues, puts into them and reads, when it is run."""

    ops: frozenset[Op]
    takes: list[Take]
    puts: list[tuple[Op, Queue]]
    """`(enqueue op, Queue)` pairs."""
    reads: list[Op]
    """Read ops run by the step itself."""
    closes: list[Queue]
    blocks: bool
    """Whether running it can wait for other threads."""


@dataclasses.dataclass(frozen=True, eq=False)
class StepRequest:
    """A step that a program asks a session for."""

    graph: Graph
    """The session's `tf.Graph`."""
    fetches: Any
    """What was passed to `Session.run`, as it was passed."""
    leaves: tuple[Any, ...]
    """The tensors and operations in it."""
    feed_dict: dict[Any, Any] | None
    """What the step was to be fed with."""
    fed: tuple[str, ...]
    """The names of the tensors in `feed_dict`."""
    place: tuple[str, int] | None
    """`(file, line)` of the program's call, or None if no line of the program's was found."""

    @property
    def ops(self) -> list[Op]:
        """The operations behind `leaves`."""
        return [getattr(leaf, "op", leaf) for leaf in self.leaves]
