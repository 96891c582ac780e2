"""The mover of examples, one at a time or many, as its `tuner.Op` has found best."""

import statistics
import time

import numpy as np

from tfqueue import _tensorflow
from tfqueue.accelerate import movers, read_ahead
from tfqueue.accelerate.mover import Mover
from tfqueue.accelerate.trial import SINGLES, Trial, timed

_tf = _tensorflow.compat_v1()


class ChunkMover(Mover):
    """Moves examples into a runner's queue, one or many a call.

    Args:
      op: The `Op` that it shares with the threads that run the same.
      lead: Whether it counts for the loop that all of them share.
    """

    def __init__(self, op, lead):
        self._op = op
        self._handle = op.task.handle
        self._single = _tensorflow.RawStep(self._handle, [op.op])
        self._lead = lead
        self._moved = 0
        self._begun = False
        self._trial = Trial(op.way)
        self._ahead = None
        self._ahead_asked = False
        op.reads[self] = None
        queue = op._queue()
        free = queue.capacity if queue is not None else 0
        self._unhindered = (free if free >= 0 else 200) // len(op.task.ops)

    @property
    def elements(self):
        """How many elements it has put."""
        return self._moved + (self._op.looped() if self._lead else 0)

    @property
    def certain(self):
        """How many of them are in the queue for sure."""
        return self._moved + (self._op.loop.moved if self._lead and self._op.loop else 0)

    @property
    def grain(self):
        """By how much `elements` may lag behind what is in the queue."""
        return 1 if self._op.way in ("examples", "fed") else self._op.size

    def steps(self):
        """The `RawStep`s that a call runs, as things stand."""
        if self._op.way == "examples":
            return [self._single]
        return getattr(self._op, self._op.way).steps()

    def move(self, limit=None):
        before = self._moved
        self._move_some(limit)
        return self._moved - before

    def _move_some(self, limit):
        op = self._op
        if op.settled and op.way == "examples" and self._ahead is None:
            # By the shortest way: what gained nothing shall lose nothing.
            self._single()
            self._moved += 1
        elif self._ahead is not None:
            self._put_ahead()
        elif op.way == "vector" and op.settled and not self._ahead_asked:
            self._ahead_asked = True
            self._read_by(op.vector.source)
            count = read_ahead.workers_for(op)
            self._ahead = read_ahead.Ahead(op, count) if count else None
        else:
            self._move(min(self._wanted(), limit or self._wanted()))

    def _wanted(self):
        """How many examples the next call would like to move."""
        op = self._op
        if op.way != "examples":
            return op.size
        return op.first_chunk() if self._about_to_try() else 1

    def _about_to_try(self):
        op = self._op
        return (op.setting is not None or self._begun) and op.ready(self._moved)

    def _move(self, most):
        op = self._op
        if op.way == "examples":
            self._one(most)
        elif op.way == "vector":
            self._read_by(op.vector.source)
            self._chunk(min(most, op.size))
        elif op.way == "fed":
            self._read_by(op.fed.source)
            self._feed(min(most, op.size))
        else:
            self._loop(min(most, op.size))

    def finish(self):
        if self._ahead is not None:
            self._ahead.stop()
        while self._ahead is not None:
            self._put_ahead()

    def close(self):
        workers, self._ahead = self._ahead, None
        if workers is not None:
            workers.end()
        self._op.reads.pop(self, None)
        self._op.end()

    def _read_by(self, source):
        """From now on it reads by `source`; None for the op itself."""
        reads = self._op.reads
        if reads[self] is not source:
            if source is not None:
                source.left()
            reads[self] = source

    def _one(self, most):
        op = self._op
        self._read_by(None)
        if self._about_to_try() and op.enough(most) and op.claim():
            try:
                op.try_ways(self, most)
            finally:
                op.tried.set()
            return
        if op.setting is not None:
            op.tried.wait()  # a fixed size is a promise: the others do not run ahead
            if op.way != "examples":
                return
        self._begun = True
        if self._moved < self._unhindered:
            op.note(timed(self._single))
        else:
            self._single()
        self._moved += 1

    def sample(self, region, many):
        """Moves `many` examples as ever, and keeps what they were made of and what came out.

        Args:
          region: The `Region`.
          many: How many.

        Returns:
          A list of rows: the values of the source's outputs, and of `ways.computed`.
        """
        fetches = [*region.source.outputs, *movers.computed(region)]
        step = _tensorflow.RawStep(self._handle, [self._op.op], fetches)
        rows = []
        for _ in range(many):
            rows.append(step())
            self.moved(1)
        return rows

    def _chunk(self, size):
        op, trial = self._op, self._trial_of("vector")
        judged = not op.settled and size == op.size and trial.wants(op, size)
        if judged == "single":
            kept = op.vector.source.take(min(SINGLES, size))
            raw = op.vector.source.take_back(kept)
            trial.single.append(timed(self._put_each, op.vector, raw) / kept.count)
            return
        began = time.perf_counter()
        kept = op.vector.source.take(size)
        try:
            op.vector.compute(kept)
        except _tf.errors.OpError as error:
            self._replay(kept, error)
            return
        if self._deliver(kept) and (not op.settled or trial.steps % 16 == 0):
            self._learn(kept.count, time.perf_counter() - began, judged)

    def _put_ahead(self):
        """Puts the next chunk that was computed ahead."""
        op = self._op
        if op.way != "vector":
            self._ahead.stop()  # what is read by now is put, then the other way begins
        chunk = self._ahead.next()
        if chunk is None:
            self._ahead.end()
            self._ahead = None
            return
        if chunk.kept is None:
            raise chunk.error
        if chunk.error is not None:
            self._replay(chunk.kept, chunk.error)
            return
        put = self._deliver(chunk.kept)
        if put and self._trial.steps % 16 == 0:
            op.ran(chunk.kept.count, chunk.seconds, self._trial)

    def _deliver(self, kept):
        """Puts a computed chunk; whether that went well, and not one by one."""
        try:
            self._op.vector.put(kept)
        except _tf.errors.OpError as error:
            self._replay(kept, error)
            return False
        self.moved(kept.count)
        self._trial.steps += 1
        return True

    def _replay(self, kept, error):
        """A chunk failed: its records are put one by one, up to the one that is at fault."""
        if isinstance(error, _tf.errors.CancelledError):
            raise self._op.vector.named(error) from None
        if not isinstance(error, _tf.errors.OpError):
            raise error
        # Nothing of it is in the queue: the op that puts comes after all others.
        raw = self._op.vector.source.take_back(kept)
        with self._op.vector.source.paused():
            self._put_each(self._op.vector, raw)
        self._op.vector_failed(error)

    def _put_each(self, way, raw):
        """Puts records one by one; knows which one is the last."""
        for row in self._rows(raw):
            way.put_one(row)
            self._moved += 1

    def _feed(self, size):
        """Reads many records, and puts them one by one."""
        op, trial = self._op, self._trial_of("fed")
        judged = not op.settled and size == op.size and trial.wants(op, size)
        if judged == "single":
            with op.fed.source.aside():
                self._singly(trial, size)
            return
        began = time.perf_counter()
        source = op.fed.source
        raw = source.take_back(source.take(size))
        self._put_each(op.fed, raw)
        trial.steps += 1
        if not op.settled or trial.steps % 16 == 0:
            self._learn(len(raw[0]), time.perf_counter() - began, judged)
            op.read(sum(map(len, raw[-1])))

    def _singly(self, trial, size):
        singly = []
        for _ in range(min(SINGLES, size)):
            singly.append(timed(self._single))
            self._moved += 1
        trial.single.append(statistics.median(singly))

    def _learn(self, amount, seconds, judged):
        op, trial = self._op, self._trial
        if judged:
            trial.many.append(seconds / amount)
        op.ran(amount, seconds, trial)

    def _trial_of(self, way):
        if self._trial.way != way:
            self._trial = Trial(way)
        return self._trial

    def _rows(self, raw):
        """Feeds for the records of a chunk, one after the other."""
        tensors = self._op.region.source.outputs
        reader = self._op.region.reader is not None
        for row in zip(*raw, strict=True):
            if reader:
                self.record = row
            yield {
                t: np.asarray(v, t.dtype.as_numpy_dtype) for t, v in zip(tensors, row, strict=True)
            }
        self.record = None

    def moved(self, amount):
        self._moved += amount

    def _loop(self, size):
        op, trial = self._op, self._trial_of("loop")
        judged = not op.settled and size == op.size and trial.wants(op, size)
        if judged == "single":
            self._singly(trial, size)
            return
        began = time.perf_counter()
        op.loop.run(size)
        trial.steps += 1
        if not op.settled or trial.steps % 16 == 0:
            seconds = time.perf_counter() - began
            op.looped()
            self._learn(size, seconds, judged)
