"""Computes a few examples side by side in one step, and puts them in the order they were read.

For examples that cannot be computed many at once: photographs to be decoded, features of
any length, images too big for a chunk. The per-example ops become a function that the step
calls several times: TensorFlow reads one record after the other, computes one example a core at
a time, and puts each as soon as those in front of it are in the queue. An example costs no
more than with the op itself, and one session step does for several. Where the ops of an example take
less time than it takes to wake another thread, the runner's thread computes them one after the other.

The records of a step are kept until the next. Where one fails, those whose elements are
not in the queue are given to the runner's own op, which raises what it raises.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tfqueue import _tensorflow
from tfqueue._tensorflow.types import Op, Tensor
from tfqueue.accelerate import build
from tfqueue.accelerate.build import Outside
from tfqueue.accelerate.chunks import cores
from tfqueue.accelerate.mover import CountingMover
from tfqueue.accelerate.region import Region
from tfqueue.accelerate.replay import Replay, named
from tfqueue.explain import diagnosis

_tf = _tensorflow.compat_v1()

_NOT_READY = "no error: tfqueue has this step prepared before it runs"


class UnrolledOps:
    """Ops of the user's graph that read, compute and put some examples.

    They keep records, so that each thread needs its own.

    Args:
        region: A `Region` that can be unrolled.
        count: How many examples a step has.
        inline: Whether one thread computes all of them.

    Attributes:
        ready: The op after which `move` may be run; before it, that fails and does nothing.
        is_ready: Whether that op has been run in this session.
        move: The op that puts `count` elements, one after the other.
        put: How many of them the last run has put.
        left: How many records it has read that are still kept.
        given: Placeholders for a record, a tensor for each output of the source; none if `inline`.
        compute: The op that computes the element of that record, and nothing else; none if `inline`.
        lowest: The first record that is kept, a tensor for each output of the source; no longer kept
            then.
    """

    def __init__(self, region: Region, count: int, inline: bool = False) -> None:
        found = build.grafted(region, lambda *where: _steps(region, count, inline, *where))
        self.ready, self.is_ready, self.move, self.put, self.left, self.compute, *rest = found
        record = len(region.source.outputs)
        self.given, self.lowest = rest[:-record], rest[-record:]


def _steps(
    region: Region, count: int, inline: bool, outside: Outside, prefix: str
) -> list[Op | Tensor]:
    """The ops and tensors that `UnrolledOps` names, in its order."""
    outputs = region.source.outputs
    indices, dtypes = _tf.range(len(outputs)), [t.dtype for t in outputs]
    records = {"dtypes": dtypes, "shared_name": f"{prefix}/records"}
    done = {"dtypes": [_tf.bool], "shared_name": f"{prefix}/put"}
    waiting = {"dtypes": [_tf.bool], "shared_name": f"{prefix}/ready"}
    ready = _tf.raw_ops.MapStage(
        key=_tf.constant(0, _tf.int64), indices=[0], values=[_tf.constant(True)], **waiting
    )
    is_ready = _tf.raw_ops.MapSize(**waiting) > 0
    before_put = _tf.raw_ops.Assert(condition=is_ready, data=[_NOT_READY])
    with _tf.control_dependencies([before_put]):
        before_read = [
            _tf.raw_ops.OrderedMapClear(**records),
            before_put := _tf.raw_ops.OrderedMapClear(**done),
        ]

    # Kept as a function unless its ops take less than a call: while TensorFlow prepares a step, which
    # takes long where there are many ops, no other step of the session begins.
    attributes = None if inline else {"_noinline": True}

    @_tf.function(autograph=False, experimental_attributes=attributes)
    def element_of(*record: Any) -> list[Tensor]:
        return build.elements_of(region, outside, record)

    computed = []
    at_once = cores()  # more would only take more memory than the caches hold
    for number in range(count):
        key = _tf.constant(number, _tf.int64)
        with _tf.control_dependencies(before_read):
            record = build.read_one(region, outside)
            keep = _tf.raw_ops.OrderedMapStage(key=key, indices=indices, values=record, **records)
        with _tf.control_dependencies([keep]):
            record = [_tf.identity(value) for value in record]
        element = element_of(*record)
        with _tf.control_dependencies(element):
            computed.append(_tf.no_op())
        with _tf.control_dependencies([before_put]):
            put = _tf.raw_ops.QueueEnqueueV2(
                handle=outside.of(region.op.inputs[0]), components=element, name="put"
            )
        # Once something fails nothing more is put; but what follows on a put is still run.
        with _tf.control_dependencies([put]):
            before_put = _tf.raw_ops.OrderedMapStage(
                key=key, indices=_tf.range(1), values=[_tf.constant(True)], **done
            )
        before_read = [keep]
        if number + 1 >= at_once:
            before_read.append(computed[number + 1 - at_once])
    lowest = _tf.raw_ops.OrderedMapUnstageNoKey(indices=indices, **records)
    given = [] if inline else [_tf.placeholder(t.dtype, t.shape, name="given") for t in outputs]
    return [
        ready,
        is_ready,
        before_put,
        _tf.raw_ops.OrderedMapSize(**done),
        _tf.raw_ops.OrderedMapSize(**records),
        _tf.group(*element_of(*given)) if given else _tf.no_op(),
        *given,
        *lowest.values,
    ]


class UnrolledMover(CountingMover):
    """Puts `count` examples a call.

    Args:
        region: A `Region` that can be unrolled.
        handle: The `SessionHandle` of the session.
        count: How many examples a step has.
        number: Which of the threads of the region's op runs it.
        inline: Whether this thread computes all of it, one example after the other.
        record: A record that has been read, the values of the source's outputs; or none.

    Raises:
        CannotBuild: If TensorFlow cannot build it.
    """

    grain: int | None = 1

    def __init__(
        self,
        region: Region,
        handle: _tensorflow.SessionHandle,
        count: int,
        number: int = 0,
        inline: bool = False,
        record: Sequence[Any] = (),
    ) -> None:
        self._region = region
        self.grain = self._many = count
        with build.building():
            key = ("unrolled", region.op.name, count, number, inline)
            ops = build.kept_with(region.op.graph, key, lambda: UnrolledOps(region, count, inline))
            self._step = _tensorflow.PreparedStep(handle, [ops.move], inline=inline)
            self._counts = _tensorflow.PreparedStep(handle, [], [ops.put, ops.left])
            self._lowest = _tensorflow.PreparedStep(handle, [], ops.lowest)
            self._replay = Replay(region, handle)
        # TensorFlow prepares a step when it is first run, which takes long: not in the runner's way.
        if not _tensorflow.PreparedStep(handle, [], [ops.is_ready])()[0]:
            try:
                self._step()
            except _tf.errors.InvalidArgumentError as error:
                if _NOT_READY not in error.message:
                    raise build.CannotBuild(diagnosis.first_line(error)) from error
            if record and not inline:
                # And a function when it is first called.
                _tensorflow.PreparedStep(handle, [ops.compute])(
                    dict(zip(ops.given, record, strict=True))
                )
            _tensorflow.PreparedStep(handle, [ops.ready])()

    def steps(self) -> list[_tensorflow.PreparedStep]:
        return [self._step]

    def move(self) -> int:
        before = self.elements
        try:
            self._step()
        except _tf.errors.OpError as error:
            self._after(error)
        else:
            self.count(self._many)
        return self.elements - before

    def _after(self, error: BaseException) -> None:
        """Puts what a failed step has read but not put, and raises what the op would raise."""
        told = named(self._region, error)
        try:
            put, left = (int(count) for count in self._counts())
            records = [self._lowest() for _ in range(left)][put:]
        except (_tf.errors.OpError, RuntimeError):
            raise told from None  # the session is closed
        self.count(put)
        self._replay.put(list(zip(*records, strict=True)), self)
        if not records or told.op is self._region.source:
            raise told from None
