"""Moves a few examples in one step: a loop reads, computes and puts them, in the order they are read.

For examples that cannot be computed many at once: photographs to be decoded, features of
any length, images too big for a chunk. The per-example ops become the body of a loop of TensorFlow's:
one iteration reads after the other and puts after the other, and between the two as many
compute as there are cores. An example costs less than with the op itself, since one session step does
for many. Where the ops of an example take less time than it takes to wake another thread, the
runner's thread computes one iteration after the other; or the helpers of `chunks` do, if they can read
for it.

A record is kept until its element is in the queue. Where a step fails, those that are left are given
to the runner's own op, which raises what it raises.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from tfqueue import _tensorflow
from tfqueue._tensorflow import op_building
from tfqueue._tensorflow.types import Op, Tensor
from tfqueue.accelerate import build
from tfqueue.accelerate.build import Outside
from tfqueue.accelerate.helper_threads import cores
from tfqueue.accelerate.mover import CountingMover
from tfqueue.accelerate.region import Region
from tfqueue.accelerate.replay import Replay, named
from tfqueue.explain import diagnosis

_tf = _tensorflow.compat_v1()

_NOT_READY = "no error: tfqueue has this step prepared before it runs"


class LoopOps:
    """Ops of the user's graph that read, compute and put some examples.

    They keep records, so that each thread needs its own.

    Args:
        region: A `Region` that can be looped.
        count: How many examples a step has.
        inline: Whether one thread computes all of them.

    Attributes:
        ready: The op after which `move` may be run; before it, that fails and does nothing.
        is_ready: Whether that op has been run in this session.
        move: The op that puts `count` elements, one after the other.
        put: How many of them the last run has put.
        left: How many records it has read that are still kept.
        lowest: The first record that is kept, a tensor for each output of the source; no longer kept
            then.
    """

    def __init__(self, region: Region, count: int, inline: bool = False) -> None:
        found = build.grafted(region, lambda *where: _steps(region, count, inline, *where))
        self.ready, self.is_ready, self.move, self.put, self.left, *self.lowest = found


def _steps(
    region: Region, count: int, inline: bool, outside: Outside, prefix: str
) -> list[Op | Tensor]:
    """The ops and tensors that `LoopOps` names, in its order."""
    outputs = region.source.outputs
    records = {"dtypes": [t.dtype for t in outputs], "shared_name": f"{prefix}/records"}
    done = {"dtypes": [_tf.bool], "shared_name": f"{prefix}/put"}
    indices = _tf.constant([*range(len(outputs))], _tf.int32)
    yes, only = _tf.constant(True), _tf.constant([0], _tf.int32)
    ready, is_ready, first = _begun(f"{prefix}/ready", yes, only, [records, done])
    outside = outside.with_constants(region.op.graph, region.inside)
    # What is the same for every iteration is made once: each op in the loop costs.
    fixed = {
        "indices": indices,
        "yes": yes,
        "only": only,
        "one": _tf.constant(1, _tf.int64),
        "count": _tf.constant(count, _tf.int64),
    }

    def one(given: dict[str, Tensor], number: Tensor, put: Tensor, *read: Tensor) -> list[Tensor]:
        """An iteration; `read` and `put` are there once the one before has come so far.

        One thread reads once the one before has put, and needs no `read`.
        """
        inside = outside.replaced(given)
        with _tf.control_dependencies(read or [put]):
            record = build.read_one(region, inside)
        keep = _tf.raw_ops.OrderedMapStage(
            key=number, indices=given["indices"], values=record, **records
        )
        with _tf.control_dependencies([keep]):
            record = [_tf.identity(value) for value in record]
            read = tuple(_tf.identity(number) for _ in read)
        element = build.elements_of(region, inside, record, after=number)
        with _tf.control_dependencies([put]):
            enqueued = _tf.raw_ops.QueueEnqueueV2(
                handle=inside.of(region.op.inputs[0]), components=element, name="put"
            )
        return [number + given["one"], _noted(given, number, enqueued, records, done), *read]

    last = op_building.dataflow_loop(
        lambda given, number, *_: number < given["count"],
        one,
        [_tf.constant(0, _tf.int64), first] + ([] if inline else [first]),
        outside.stand_ins | fixed,
        # One more than are computed, which waits for its turn to be put. More would take memory.
        1 if inline else -(-cores() // region.threads) + 1,
        f"{prefix}/loop",
    )
    return [
        ready,
        is_ready,
        _tf.group(last),
        _tf.raw_ops.OrderedMapSize(**done),
        _tf.raw_ops.OrderedMapSize(**records),
        *_tf.raw_ops.OrderedMapUnstageNoKey(indices=indices, **records).values,
    ]


def _begun(name: str, yes: Tensor, only: Tensor, kept: list[dict[str, Any]]) -> list[Any]:
    """What makes the loop ready, whether it is, and -1, for which all that is kept is cleared."""
    waiting = {"dtypes": [_tf.bool], "shared_name": name}
    ready = _tf.raw_ops.MapStage(
        key=_tf.constant(0, _tf.int64), indices=only, values=[yes], **waiting
    )
    is_ready = _tf.raw_ops.MapSize(**waiting) > 0
    with _tf.control_dependencies([_tf.raw_ops.Assert(condition=is_ready, data=[_NOT_READY])]):
        cleared = [_tf.raw_ops.OrderedMapClear(**each) for each in kept]
    with _tf.control_dependencies(cleared):
        return [ready, is_ready, _tf.constant(-1, _tf.int64)]


def _noted(
    given: dict[str, Tensor],
    number: Tensor,
    enqueued: Op,
    records: dict[str, Any],
    done: dict[str, Any],
) -> Tensor:
    """`number`, once its element is put: noted as such, and its record no longer kept.

    Once something fails nothing more is put; but what follows on a put is still run.
    """
    with _tf.control_dependencies([enqueued]):
        noted = _tf.raw_ops.OrderedMapStage(
            key=number, indices=given["only"], values=[given["yes"]], **done
        )
        dropped = _tf.raw_ops.OrderedMapUnstage(key=number, indices=given["indices"], **records)
    with _tf.control_dependencies([noted, *dropped]):
        return _tf.identity(number)


class LoopMover(CountingMover):
    """Puts `count` examples a call.

    Args:
        region: A `Region` that can be looped.
        handle: The `SessionHandle` of the session.
        count: How many examples a step has.
        number: Which of the threads of the region's op runs it.
        inline: Whether this thread computes all of it, one example after the other.
        rest: Function that is called between the two halves of the work, which take about as long.

    Raises:
        CannotBuild: If TensorFlow cannot build it.
    """

    grain: int | None = None  # no property, as in `Mover`

    def __init__(
        self,
        region: Region,
        handle: _tensorflow.SessionHandle,
        count: int,
        number: int = 0,
        inline: bool = False,
        rest: Callable[[], object] = lambda: None,
    ) -> None:
        self._region = region
        self.grain = self._many = count
        with build.building():
            key = ("loop", region.op.name, count, number, inline)
            make = functools.partial(LoopOps, region, count, inline)
            ops = build.kept_with(region.op.graph, key, make)
            self._step = _tensorflow.PreparedStep(handle, [ops.move], inline=inline)
            self._counts = _tensorflow.PreparedStep(handle, [], [ops.put, ops.left])
            self._lowest = _tensorflow.PreparedStep(handle, [], ops.lowest)
            self._replay = Replay(region, handle)
        rest()
        # TensorFlow prepares a step when it is first run, which takes long: not in the runner's way.
        if not _tensorflow.PreparedStep(handle, [], [ops.is_ready])()[0]:
            try:
                self._step()
            except _tf.errors.InvalidArgumentError as error:
                if _NOT_READY not in error.message:
                    raise build.CannotBuild(diagnosis.first_line(error)) from error
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
            records = [self._lowest() for _ in range(left)]
        except (_tf.errors.OpError, RuntimeError):
            raise told from None  # the session is closed
        self.count(put)
        self._replay.put(list(zip(*records, strict=True)), self)
        if not records or told.op is self._region.source:
            raise told from None
