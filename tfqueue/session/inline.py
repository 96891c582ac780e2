"""Small steps computed by the thread that runs them, in place of TensorFlow's pool of threads.

`Session.run` hands every step to a pool, whose threads hand each other its ops.
For a step of a few small ops, such as an enqueue, that takes several times
longer than the ops. A step with large ops that can be computed side by side
needs the pool. So both are timed, in turns, and the faster one stays.
"""

import time

from tfqueue import _tensorflow
from tfqueue.graph import op_types
from tfqueue.graph.statefulness import RANDOM

_WARM_UP = 4
"""Steps at the beginning that tell nothing."""
_BLOCK = 3
"""Steps of one kind in a row, for each thread."""
_JUDGED = 9
"""Steps of each kind that are compared."""
_PATIENCE = 40
"""Blocks after which the pool is kept, for want of clean measurements."""
_READS_BLOCK = 32
"""Steps of one kind in a row, of those that read."""
_LOOKS_EVERY = 256
"""So many steps apart it is looked whether a step that reads is still fast inline."""
_LOOKED_AT = 16
"""Steps in such a look."""
_TRIALS = 4
"""How often the ways of a step that reads are compared at the most."""
_SMALL = 64
"""Ops of a program's own step, up to which it may be computed inline at all."""
_TAKES = 16
"""Queue ops in one step: each that need not wait calls what comes after it."""

# Stateful by TensorFlow's book, but none waits for another op of the same step.
_NEVER_WAIT = (
    RANDOM
    | op_types.ENQUEUES
    | op_types.DEQUEUES
    | op_types.CLOSES
    | op_types.READS
    | frozenset(op_types.QUEUE_KINDS)
    | frozenset(op_types.READER_KINDS)
    | frozenset(
        [
            "Assert",
            "AssignAddVariableOp",
            "AssignSubVariableOp",
            "AssignVariableOp",
            "CountUpTo",
            "HashTable",
            "HashTableV2",
            "LookupTableFind",
            "LookupTableFindV2",
            "MutableHashTable",
            "MutableHashTableV2",
            "QueueSize",
            "QueueSizeV2",
            "ReadVariableOp",
            "ReaderNumRecordsProduced",
            "ReaderNumRecordsProducedV2",
            "ReaderNumWorkUnitsCompleted",
            "ReaderNumWorkUnitsCompletedV2",
            "ResourceCountUpTo",
            "SampleDistortedBoundingBox",
            "SampleDistortedBoundingBoxV2",
            "VarHandleOp",
            "VarIsInitializedOp",
            "Variable",
            "VariableV2",
        ]
    )
)
_PYTHON = frozenset(["PyFunc", "PyFuncStateless", "EagerPyFunc"])
# Inline, an op that ends at once calls the next one: a loop of such ops would never come back.
_LOOPS = frozenset(["Enter", "RefEnter", "While", "StatelessWhile"])


def possible(demand):
    """Whether a step means the same when one thread computes all of it.

    It does unless an op of it holds the thread while it waits for another op of
    the step. Queue ops and readers do not: what comes after them is taken up by
    whoever ends their wait.

    Args:
      demand: The step's `Demand`.
    """
    types = {op.type for op in demand.ops}
    if types & _LOOPS or len(demand.takes) + len(demand.puts) > _TAKES:
        return False
    stateful = {kind for kind in types if _tensorflow.is_stateful(kind)} | types & _PYTHON
    if stateful - _NEVER_WAIT - _PYTHON:
        return False
    # A function of the user's may wait for whatever it likes; not in a thread that others need.
    own = [op for op in demand.ops if op.type in _PYTHON]
    return not own or (len(own) == 1 and not demand.takes and not demand.reads)


def trial_for(demand, remote=False, threads=1, small=False):
    """The `Trial` for a step, or None if it is left to the pool.

    Args:
      demand: The step's `Demand`.
      remote: Whether the session is in another process.
      threads: How many threads run the step at a time.
      small: Whether only a step of a few ops comes into question.
    """
    if remote or (small and len(demand.ops) > _SMALL) or not possible(demand):
        return None
    if demand.reads:
        # Inline, what comes after a read is computed by the reader's own thread: one for all.
        return ReadTrial() if threads == 1 else None
    return Trial(threads)


class Trial:
    """Runs the first steps both ways and finds out which is faster.

    Args:
      threads: How many threads run the step at a time; they take turns together.
    """

    _first, _least = _BLOCK, _JUDGED

    def __init__(self, threads=1):
        self.settled = False
        self.options = None
        """What to run with, once it is settled."""
        self._block = self._first * threads
        self._unsteady = 0
        self._count = -_WARM_UP * threads
        self._seconds = ([], [])

    @property
    def over(self):
        """Whether `options` will stay what they are, and nobody need come by here any more."""
        return self.settled

    def run(self, step):
        """Runs a step one of the two ways.

        Args:
          step: Function of the options for `TF_SessionRun`.

        Returns:
          What `step` returns.
        """
        if self.settled:
            return step(self.options)
        turn, place = divmod(self._count, self._block)
        self._count += 1
        inline = turn % 2
        options = _tensorflow.inline_options() if inline else None
        began = time.perf_counter()
        values = step(options)
        seconds = time.perf_counter() - began
        # With several threads it counts only if all did the same meanwhile.
        together = self._count // self._block in (turn, turn + 1)
        if turn >= 0 and place >= self._unsteady and together:
            self._timed(inline, seconds, turn)
        return values

    def _timed(self, inline, seconds, turn):
        self._seconds[inline].append(seconds)
        if min(map(len, self._seconds)) >= self._least:
            pool, own = (_quartile(part) for part in self._seconds)
            self._settle(_tensorflow.inline_options() if own < pool else None)
        elif turn > _PATIENCE:
            self._settle(None)

    def _settle(self, options):
        self.options, self.settled = options, True


class ReadTrial(Trial):
    """The trial of a step that reads, which one thread runs.

    Such a step is handed to the reader's thread and back. Inline that takes 10 microseconds while
    the system keeps the two threads on one core, and 100 once it moves one of them, where the pool
    takes 80. So each way is given time to get going, and the comparison is made again when
    inline has become slower than the pool was, or takes twice as long as it did.
    """

    _first, _least = _READS_BLOCK, _READS_BLOCK

    def __init__(self):
        super().__init__()
        self._unsteady = self._block // 2
        self._left = _TRIALS

    @property
    def over(self):
        return self.settled and (self.options is None or not self._left)

    def run(self, step):
        if not self.settled:
            return super().run(step)
        self._count += 1
        if self._count < _LOOKS_EVERY or self.over:
            return step(self.options)
        began = time.perf_counter()
        values = step(self.options)
        self._seconds[1].append(time.perf_counter() - began)
        if len(self._seconds[1]) == _LOOKED_AT:
            self._look(_quartile(self._seconds[1]))
        return values

    def _look(self, own):
        self._count = 0
        self._seconds = ([], [])
        if own > self._limit:
            self.settled = False

    def _settle(self, options):
        if options is not None:
            pool, own = (_quartile(part) for part in self._seconds)
            self._limit = min(pool, 2 * own)
        self._count, self._seconds = 0, ([], [])
        self._left -= 1
        super()._settle(options)


def _quartile(seconds):
    """Below it lies a quarter: a step that had to wait for its queue does not count."""
    return sorted(seconds)[len(seconds) // 4]
