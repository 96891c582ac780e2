"""The ways of moving many examples a call, as steps of one session."""

import functools
import re

import numpy as np

from tfqueue import _tensorflow, accelerate, errors
from tfqueue.accelerate import trial, vector
from tfqueue.accelerate.source import Source
from tfqueue.explain import diagnosis

_tf = _tensorflow.compat_v1()


class FedWay:
    """Records read many at a time; the runner's own op is fed with one after the other.

    A step that reads a record hands over to a thread of the reader's, and back. A step that is fed
    with one need not, and the runner's thread can compute all of it.

    Attributes:
      source: The `Source` of the records.
      put_one: The runner's op, which is fed with a record.
      level: How many elements the queue holds, as a step.

    Args:
      region: The `Region`.
      handle: The session's `SessionHandle`.
      others_read: Function that tells whether someone reads from the reader, but not by a `Source`.

    Raises:
      CannotBuild: If TensorFlow cannot build its steps.
    """

    _ops = vector.Reading

    def __init__(self, region, handle, others_read):
        self._region = region
        self._made = self._ops(region)
        self.source = Source(
            region, self._made, handle, self.named, lambda: others_read(self.source)
        )
        self.put_one = _tensorflow.RawStep(handle, [region.op])
        self.level = _tensorflow.RawStep(handle, [], [self._made.level], inline=True)

    def steps(self):
        """The `RawStep`s that read and put."""
        return [*self.source.steps(), self.put_one]

    def named(self, error):
        """`error`, raised by an op of ours, as the user's op would have raised it."""
        return named(self._region, error)


class VectorWay(FedWay):
    """Chunks: read, computed at once, put; replayed by feeding one by one where that fails.

    Raises:
      CannotBuild: If TensorFlow cannot vectorise it.
    """

    _ops = vector.Vector

    def __init__(self, region, handle, others_read):
        super().__init__(region, handle, others_read)
        step = functools.partial(_tensorflow.RawStep, handle)
        # Put apart from computing: they may run side by side, and the step that computes need
        # not be made a second time.
        self._compute = step([self._made.compute], inline=not self._made.loops)
        self._take_made = step([], self._made.made)
        self._empty = step([self._made.empty])
        self._put = step([self._made.enqueue], inline=True)

    def compute(self, kept):
        """Computes the components of a chunk's elements, which the session keeps, too.

        Args:
          kept: The chunk, a `Kept`.
        """
        self._compute({self._made.key: kept.key})

    def put(self, kept):
        """Puts what `compute` made into the queue; the session keeps nothing of it then."""
        self._put({self._made.key: kept.key})

    def steps(self):
        """The `RawStep`s of a chunk."""
        return [*self.source.steps(), self._compute, self._put]

    def differs(self, name, sample):
        """Why the sample's examples, computed at once, are not what they were; None if they are.

        Args:
          name: The runner's name.
          sample: Rows of what `computed` fetches, one for each example.
        """
        columns = list(zip(*sample, strict=True))
        given = len(self._region.source.outputs)
        raw = [
            _column(t, values)
            for t, values in zip(self._region.source.outputs, columns, strict=False)
        ]
        kept = self.source.give(raw)
        try:
            self.compute(kept)
            together = self._take_made({self._made.key: kept.key})
        except _tf.errors.OpError as error:
            return f"it cannot be computed at once: {diagnosis.first_line(error)}"
        if not self._region.draws:
            wholes = dict(zip((t.name for t in self._region.components), together, strict=True))
            for tensor, parts in zip(computed(self._region), columns[given:], strict=True):
                if not _agree(wholes[tensor.name], parts):
                    diagnosis.warn(
                        f"the vectorised form of {name}'s pipeline gave another "
                        f"{tensor.name} than the pipeline itself: it is not used",
                        errors.AcceleratorWarning,
                    )
                    return f"its vectorised form gave another {tensor.name}"
        # The first run of a step is slow: no runner shall wait for it.
        self.compute(kept)
        self._empty({self._made.key: kept.key})
        self.put(kept)
        self.level()
        self._sample = raw
        return None

    def timed(self, many):
        """Seconds an example that computing `many` takes, the sample's over and over."""
        tiled = [np.resize(column, (many, *column.shape[1:])) for column in self._sample]
        kept = self.source.give(tiled)
        seconds = trial.timed(self.compute, kept)
        self._take_made({self._made.key: kept.key})
        self.source.take_back(kept)
        return seconds / many


class LoopWay:
    """Loops in the graph.

    Attributes:
      moved: How many examples all threads have moved by it, as last known.
      level: How many elements the queue holds, as a step.

    Args:
      region: The `Region`.
      handle: The session's `SessionHandle`.

    Raises:
      CannotBuild: If TensorFlow cannot loop it.
    """

    def __init__(self, region, handle):
        self._region = region
        self._made = accelerate.Loop(region)
        _tensorflow.RawStep(handle, [self._made.reset])()
        self._run = _tensorflow.RawStep(handle, [self._made.run])
        self._count = _tensorflow.RawStep(handle, [], [self._made.count])
        self.level = _tensorflow.RawStep(handle, [], [self._made.level])
        self.moved = 0
        # The first run of a step is slow: no runner shall wait for it.
        self.run(0)
        self.count()
        self.level()

    def run(self, size):
        """Moves `size` examples."""
        try:
            self._run({self._made.size: size})
        except _tf.errors.OpError as error:
            raise named(self._region, error) from None

    def steps(self):
        """The `RawStep`s of a loop."""
        return [self._run]

    def count(self):
        """How many examples all threads have moved by it."""
        try:
            self.moved = int(self._count()[0])
        except (_tf.errors.OpError, RuntimeError):
            pass  # the session is closed: what was known last
        return self.moved


def computed(region):
    """The components that are computed, and not just as read."""
    given = {t.name for t in region.source.outputs}
    return [t for t in region.components if t.name not in given]


def named(region, error):
    """`error`, raised by an op of ours, as the user's op would have raised it."""
    names = {"read": region.source.name if region.sources else "", "put": region.op.name}

    def original(match):
        inner = match.group(1)
        return "{{node " + (names.get(inner) or inner.rpartition(accelerate.ONE + "/")[2]) + "}}"

    text = _OURS.sub(original, error.message)
    if text == error.message:
        return error
    plain = type(error)(None, None, text).with_traceback(error.__traceback__)
    return _tensorflow.with_op(plain, region.op.graph)


# How messages name our ops: as they stand in the user's graph, and in the body of a loop.
_OURS = re.compile(
    rf"(?:{{{{function_node [^}}]*}}}})?{{{{node (?:{_tensorflow.CHUNK_SCOPE}\d+/)?"
    rf"(read|put|[^}}]*{accelerate.ONE}/[^}}]+)}}}}"
)


def _column(tensor, values):
    """Values of one tensor as one array, the first dimension the examples."""
    if tensor.dtype != _tf.string:
        return np.stack([np.asarray(value) for value in values])
    whole = np.empty([len(values), *np.shape(values[0])], object)
    for k, value in enumerate(values):
        whole[k] = value
    return whole


def _agree(whole, parts):
    """Whether a stacked result is that of its parts; floats up to what summing in another order does."""
    if whole.dtype == object:  # strings, of which numpy would drop trailing zeros
        return whole.tolist() == [np.asarray(part, object).tolist() for part in parts]
    parts = np.stack([np.asarray(part) for part in parts])
    if whole.shape != parts.shape or whole.dtype != parts.dtype:
        return False
    if whole.dtype.kind not in "fc":
        return bool(np.array_equal(whole, parts))
    scale = np.max(np.abs(parts), initial=0, where=np.isfinite(parts))
    tolerance = 32 * np.finfo(whole.dtype).eps
    return bool(np.allclose(whole, parts, rtol=tolerance, atol=tolerance * scale, equal_nan=True))
