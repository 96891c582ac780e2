"""Chooses how the threads of a runner move their elements, and changes over while they run.

Each begins with the enqueue op itself, one example a step, so that the first batch
is not delayed. Once that is delivered, a sample of examples is kept as they
pass, and a thread beside the runner builds the step of a chunk and computes the sample
with it. If it agrees, all threads of the op go over to chunks. What cannot be vectorised is
computed a few examples a step where that is sound; all else stays as it was. What was chosen
is noted, in words, for `print(tfqueue.pipeline(graph))`. How many threads compute ahead of a runner's
is not chosen here: `helper_threads.helpers_of`.
"""

from __future__ import annotations

import functools
import os
import statistics
import threading
import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeAlias

import numpy as np

from tfqueue import _tensorflow, errors
from tfqueue._tensorflow.types import Array, Graph, Op, Tensor
from tfqueue.accelerate import build, chunk_size
from tfqueue.accelerate.chunk_size import ChunkSize, Sample
from tfqueue.accelerate.chunks import (
    BacklogMover,
    ChunkMover,
    ChunkSteps,
    PrefetchMover,
)
from tfqueue.accelerate.helper_threads import cores, helpers_of
from tfqueue.accelerate.looped import LoopMover
from tfqueue.accelerate.mover import (
    ChangingMover,
    CountingMover,
    Mover,
    RunnerTask,
    StepMover,
    Strategy,
)
from tfqueue.accelerate.region import Region, examine
from tfqueue.explain import diagnosis
from tfqueue.graph import traversal
from tfqueue.graph.model import Pipeline
from tfqueue.graph.op_types import (
    COUNTERS,
    ENQUEUES,
    LOOKUPS,
    QUEUE_KINDS,
    READER_KINDS,
    READS,
    VARIABLES,
    Runner,
)
from tfqueue.graph.statefulness import RANDOM

_tf = _tensorflow.compat_v1()

_SAMPLE = 16
"""Examples in the sample that is computed both ways, and whose cost is looked at."""
_LIGHT = 1e-4
"""Seconds that the ops of an example take up to which one thread computes all of a step: to hand them
to others would take longer."""
_MANY_OPS, _PAUSE = 64, 1.0
"""Ops of an example whose copying and preparing take a tenth of a second; on the only core it is done in
different seconds, so many apart."""

_INLINE = frozenset(
    {*QUEUE_KINDS, *READER_KINDS, "HashTableV2", "ReadVariableOp", "Assert", "ReadFile"}
    | (ENQUEUES | READS | VARIABLES | COUNTERS | LOOKUPS | RANDOM)
)
"""Ops with a state in a step that its own thread may compute."""

_SHARED = "another runner takes from its source"


def setting_of(value: Any) -> int | None:
    """How chunks are set.

    Args:
        value: What `managed_session(chunks=...)` was given; None for what the environment's
            `TFQUEUE_CHUNKS` says, `auto` where it is not set.

    Returns:
        False for one example a step, an int for chunks of that size, None to find out what is best.

    Raises:
        ValueError: If it is neither a number nor a switch.
    """
    if value is None:
        value = os.environ.get("TFQUEUE_CHUNKS") or "auto"
    if value is True or value == "auto":
        return None
    try:
        number = int(value)
    except (TypeError, ValueError):
        number = -1
    if number < 0:
        raise ValueError(
            f"chunks (or TFQUEUE_CHUNKS) is the number of examples in a step, 0 for one at a "
            f"time, or 'auto'; got {value!r}"
        )
    return number or False


def movers_for(task: RunnerTask) -> list[Mover]:
    """A list of `Mover`s, one for each of `task.ops`; `task` is a `RunnerTask`."""
    tuners: dict[Op, Tuner] = {}
    movers: list[Mover] = []
    begun = [each.share_source() for each in task.rivals]
    for op in task.ops:
        reason = _left_alone(task, op)
        if reason is not None:
            note(task.pipeline.graph, task.name, op, Strategy.SINGLE, reason)
            movers.append(StepMover(op, task.handle, begun, _is_inline(task, op)))
            continue
        if op not in tuners:
            tuners[op] = Tuner(task, op)
        movers.append(TunedMover(tuners[op]))
    return movers


def _left_alone(task: RunnerTask, op: Op) -> str | None:
    """Why an op is run as it is, or None if it may be accelerated."""
    if task.rivals:
        return _SHARED
    if task.guarded:
        return "a file has a header that must not be read"
    if task.setting is False:
        return "switched off"
    if task.timed:
        # A step that is cut off may have put a part of its elements, and none can tell which.
        return "each step of the session has a deadline"
    if task.remote:
        # What a chunk takes at once, another process may be waiting for; and each of its ops would
        # have to be placed anew on the cluster's devices.
        return "the session runs on a server, whose queues other processes may share"
    if op.type.startswith("QueueEnqueueMany"):
        return "it puts many at a time"
    if op.type != "QueueEnqueueV2":
        return f"its op is {op.type}"
    return None


def _is_inline(task: RunnerTask, op: Op) -> bool:
    """Whether the thread that runs an op's step computes it: on the only core no other can meanwhile.

    Not where one of its ops may wait for another one of the step, as a Python function may. Nor where
    it takes from a queue: what follows would be computed by whoever puts the element there, and where
    elements go round in a circle, each call would stand upon the last.
    """
    if cores() > 1 or task.remote or task.timed:
        return False
    ops = task.pipeline.demand([op]).ops
    stateful = any(map(_tensorflow.is_stateful, {each.type for each in ops} - _INLINE))
    return not stateful and not task.pipeline.python_among(ops)


class TunedMover(ChangingMover):
    """Moves elements by the strategy of its `Tuner`, which all threads of the enqueue op share."""

    def __init__(self, tuner: Tuner) -> None:
        self._tuner = tuner
        self._make = tuner.make
        super().__init__(self._make())
        tuner.runs_itself(self, True)

    def move(self) -> int:
        tuner = self._tuner
        if self._make is tuner.make and tuner.is_claimed and tuner.setting is None:
            # Nothing is left to decide, and with one example a step each line here costs.
            return self._inner.move()
        before = self.elements
        if self._make is not tuner.make:
            self._change_over()
        elif tuner.claim(self.elements):
            tuner.choose(self)
        elif tuner.setting is not None and self._make is tuner.op_itself:
            tuner.chosen.wait()  # a fixed size is a promise: the others do not run ahead
        if self.elements == before:
            self._inner.move()
        return self.elements - before

    def _change_over(self) -> None:
        """Goes over to the tuner's strategy, once what was read by the earlier one is put."""
        self.leave()
        self._make = self._tuner.make
        self._tuner.changed_over(self)
        self.go_on(self._make)

    def share_source(self) -> threading.Lock | None:
        return self._tuner.share()

    def sample(self, region: Region, many: int, fetches: Sequence[Tensor]) -> tuple[Sample, float]:
        """Moves `many` examples one by one.

        Returns:
            The values of `fetches`, a row an example, and the seconds that the ops of an example
            take, reading and putting not among them.
        """
        step = _tensorflow.PreparedStep(self._tuner.task.handle, [self._tuner.op], fetches)
        but = {self._tuner.op.name, *(source.name for source in region.sources)}
        rows: Sample = []
        traces: list[bytes] = []
        for _ in range(many):
            step.trace_next(traces.append)
            rows.append(step())
            self._before += 1
        return rows, statistics.median(_tensorflow.op_seconds(trace, but) for trace in traces)

    def close(self) -> None:
        super().close()
        self._tuner.runs_itself(self, False)
        self._tuner.close()


class Tuner:
    """What the threads that run one enqueue op of a runner have in common."""

    def __init__(self, task: RunnerTask, op: Op) -> None:
        self.task = task
        self.op = op
        self.setting = task.setting
        inline = _is_inline(task, op)
        self.op_itself = functools.partial(StepMover, op, task.handle, inline=inline)
        self.make: Callable[[], CountingMover | ChangingMover] = self.op_itself
        """Function that makes the `Mover` to be used."""
        self.chosen = threading.Event()
        self._singly: set[ChangingMover] = set()
        """The movers that run the op itself."""
        self._steps: ChunkSteps | None = None
        self._lock = threading.Lock()
        self._shared = False
        self._closed = threading.Event()
        self.is_claimed = False
        """Whether a thread chooses the strategy, or has chosen."""
        self._builder: threading.Thread | None = None
        self._failures = 0
        wanted = [
            queue.min_after_dequeue + 2 * (take.amount or 1)
            for _, queue in task.pipeline.demand([op]).puts
            for take in queue.takes
        ]
        self._first_batches = max(64, max(wanted, default=0) // len(task.ops))
        self._cost = 0.0
        """Seconds that the ops of an example take."""
        self.tell(Strategy.SINGLE, "one at a time so far")

    def claim(self, moved: int) -> bool:
        """Whether the caller is to choose, having moved so many examples; true for one only."""
        if self.is_claimed:
            return False
        if moved < self._first_batches and self.setting is None:
            return False
        with self._lock:
            first, self.is_claimed = not self.is_claimed, True
        return first

    def choose(self, mover: TunedMover) -> None:
        """Looks for the strategy, in the thread of `mover`, which goes on as it did meanwhile."""
        try:
            region = examine(self.task.pipeline, self.op, len(self.task.ops))
        except Exception as error:  # noqa: BLE001  (whatever TensorFlow has moved, it runs as it was)
            self.stay(f"it cannot be examined: {type(error).__name__}: {error}")
            self.chosen.set()
            return
        reason = region.refusals.get(Strategy.CHUNK) or self._too_large(region)
        sample: Sample = []
        many, fetches = min(self.setting or _SAMPLE, _SAMPLE), []
        if reason is None:
            fetches = [*region.source.outputs, *region.components, *region.draws]
        elif Strategy.LOOP in region.refusals or cores() == 1:
            many = 0  # what an example costs decides nothing
        elif self.setting is not None:
            many = 2  # the size is a promise
        if many:
            # Without fetches it is the step that TensorFlow has prepared.
            try:
                sample, self._cost = mover.sample(region, many, fetches)
                if reason is not None and self._cost < _LIGHT and self._helpers_may_loop(region):
                    sample, _ = mover.sample(
                        region, many, [*region.source.outputs, *region.components]
                    )
            except BaseException:
                self.chosen.set()
                raise
        if reason is not None:
            self._beside(lambda: self._loop(region, reason, sample))
        else:
            self._beside(lambda: self._chunk(region, sample))

    def _too_large(self, region: Region) -> str | None:
        if self.setting is None and chunk_size.is_too_large(region):
            return "its examples are too large for a chunk"
        return None

    def _beside(self, find: Callable[[], None]) -> None:
        """Runs `find` beside the runner, which goes on meanwhile; at once if a size is set."""

        def work() -> None:
            try:
                find()
            except Exception as error:  # noqa: BLE001  (said; the pipeline runs as it was)
                # The session is being closed; or it cannot be used as it seemed.
                self.stay(f"building it failed: {diagnosis.first_line(error)}")
            finally:
                self.chosen.set()

        if self.setting is not None:
            work()
            return
        # A daemon: the runner's threads wait for it, and they are what the process may wait for.
        builder = threading.Thread(
            target=work, name=f"{threading.current_thread().name}-builder", daemon=True
        )
        try:
            with self._lock:  # a sibling that ends joins it, and must not before it is started
                builder.start()
                self._builder = builder
        except RuntimeError as error:
            self.stay(str(error))  # the system gives no thread
            self.chosen.set()

    def close(self) -> None:
        """Waits until nothing is built any more; every thread of the op calls it last."""
        self._closed.set()
        with self._lock:
            builder = self._builder
        if builder is not None:
            builder.join()

    def _chunk(self, region: Region, sample: Sample) -> None:
        """Builds chunks and holds them to the sample; else looks for another strategy."""
        try:
            steps = ChunkSteps(region, self.task.handle, self._others_read)
        except build.CannotBuild as error:
            self._loop(region, f"TensorFlow cannot vectorise it: {error}", sample)
            return
        if self._closed.is_set():
            return
        if steps.ops.loops and self.setting is None:
            reason: str | None = "TensorFlow can only loop over its examples"
        else:
            reason = self._differs(region, steps, sample)
        if reason is not None:
            self._loop(region, reason, sample)
            return
        size = ChunkSize(self.setting, chunk_size.largest_chunk(region, sample))
        kind = PrefetchMover if steps.helpers else ChunkMover
        self._steps = steps
        make: Callable[[], CountingMover | ChangingMover]
        make = functools.partial(kind, steps, size, self._failed_at_once)
        if region.reader is None and self.setting is None:
            make = functools.partial(BacklogMover, make, self.op_itself, size, self.runs_itself)
        self._go(make, Strategy.CHUNK, f"chunks of up to {size.largest} examples")

    def changed_over(self, mover: TunedMover) -> None:
        """A mover has gone over to the strategy."""
        itself = self.make is self.op_itself
        if not itself and self._steps is not None and self._steps.position is not None:
            # Record the position now: other threads of this op read it after this one has stopped.
            self._steps.position.moved_elsewhere()
        self.runs_itself(mover, itself)

    def runs_itself(self, mover: ChangingMover, itself: bool) -> None:
        """A mover runs the op itself from now on, or does not any more.

        It waits until the first step of a chunk that had begun before is through: while a mover runs
        the op itself, a chunk takes no more than one element from a queue.
        """
        if not itself:
            self._singly.discard(mover)
            return
        self._singly.add(mover)
        if self._steps is None:
            return
        if self._steps.position is not None:
            self._steps.position.moved_elsewhere()
        elif self._steps.reading is not None:
            with self._steps.reading:
                pass

    def _differs(self, region: Region, steps: ChunkSteps, sample: Sample) -> str | None:
        """Why the sample, computed at once, is not what it was; None if it is."""
        columns = list(zip(*sample, strict=True))
        outputs, components = region.source.outputs, region.components
        raw = [_column(t, values) for t, values in zip(outputs, columns, strict=False)]
        drawn = zip(region.draws, columns[len(outputs) + len(components) :], strict=True)
        draws = {t.name: _column(t, values) for t, values in drawn if t.name in steps.ops.draws}
        try:
            together = steps.compute(raw, draws)
        except _tf.errors.OpError as error:
            return f"it cannot be computed at once: {diagnosis.first_line(error)}"
        chance = {tensor.name for tensor in region.left_to_chance(draws)}
        for tensor, whole, each in zip(components, together, columns[len(outputs) :], strict=False):
            if tensor.name not in chance and not _agree(whole, each):
                diagnosis.warn(
                    f"the vectorised form of {self.task.name}'s pipeline gave another "
                    f"{tensor.name} than the pipeline itself: it is not used",
                    errors.AcceleratorWarning,
                )
                return f"its vectorised form gave another {tensor.name}"
        return None

    def _helpers_may_loop(self, region: Region) -> bool:
        """Whether examples that are computed one after the other may be so by a helper's thread."""
        return Strategy.LOOP not in region.refusals and region.reads_many and helpers_of(region) > 0

    def _loop(self, region: Region, reason: str, sample: Sample) -> None:
        """Takes some examples a step; else leaves the op as it is."""
        why_not = region.refusals.get(Strategy.LOOP)
        if why_not is not None:
            self.stay(reason if why_not == reason else f"{reason}; not in a loop: {why_not}")
            return
        light = cores() == 1 or self._cost < _LIGHT
        count = chunk_size.of_loop(region, self.setting)
        if light and self._helpers_may_loop(region):
            together = chunk_size.of_list(sample, self.setting)
            if together >= count:
                self._have_helpers_loop(region, together, reason)
                return
        make = functools.partial(
            LoopMover,
            region,
            self.task.handle,
            count,
            inline=light,
            rest=lambda: self._leave_the_core(region),
        )
        try:
            self._leave_the_core(region)
            movers = [make(number) for number in range(self.task.ops.count(self.op))]
        except build.CannotBuild as error:
            self.stay(f"{reason}; TensorFlow cannot loop over it: {error}")
            return
        how = "one after the other" if light else "side by side"
        text = f"{count} examples a step, {how}, not vectorised: {reason}"
        self._go(movers.pop, Strategy.LOOP, text)  # each thread takes one

    def _have_helpers_loop(self, region: Region, count: int, reason: str) -> None:
        """Has helpers read some examples a step and compute them one after the other."""
        try:
            steps = ChunkSteps(region, self.task.handle, self._others_read, listed=True)
        except build.CannotBuild as error:
            self.stay(f"{reason}; TensorFlow cannot loop over it: {error}")
            return
        size = ChunkSize(count if self.setting else None, count)
        self._steps = steps
        make = functools.partial(PrefetchMover, steps, size, self._failed_at_once)
        text = f"up to {count} examples a step, one after the other, not vectorised: {reason}"
        self._go(make, Strategy.LOOP, text)

    def _leave_the_core(self, region: Region) -> None:
        """Waits `_PAUSE` seconds before work that takes long, if the runner has no other core.

        Raises:
            CannotBuild: If the session ends meanwhile.
        """
        if len(region.inside) > _MANY_OPS and cores() == 1 and self.setting is None:
            if self._closed.wait(_PAUSE):
                raise build.CannotBuild("the session ended before")

    def _go(
        self, make: Callable[[], CountingMover | ChangingMover], strategy: Strategy, text: str
    ) -> None:
        """Lets the threads go over to the movers that `make` makes."""
        with self._lock:
            if not self._shared:
                self.tell(strategy, text)
                self.make = make

    def share(self) -> threading.Lock | None:
        """Runs the op as it is from now on; what it returns is said at `Mover.share_source`."""
        with self._lock:
            self._shared = self.is_claimed = True
            self.tell(Strategy.SINGLE, _SHARED)
            self.make = self.op_itself
        self.chosen.set()
        return self._steps.reading if self._steps is not None else None

    def _others_read(self) -> bool:
        return self._shared or bool(self._singly)

    def _failed_at_once(self, error: BaseException) -> None:
        """A chunk failed whose examples all pass one by one: sizes differ, or worse."""
        with self._lock:
            self._failures += 1
            last = self._failures == 2
        if last:
            self.stay(f"it cannot be computed at once: {diagnosis.first_line(error)}")

    def stay(self, reason: str) -> None:
        """The op is run as it is, for good."""
        self._go(self.op_itself, Strategy.SINGLE, reason)

    def tell(self, strategy: Strategy, text: str) -> None:
        note(self.op.graph, self.task.name, self.op, strategy, text)


def _column(tensor: Tensor, values: Iterable[Any]) -> Array:
    """Values of one tensor as one array, the first dimension the examples."""
    return np.stack([np.asarray(value, tensor.dtype.as_numpy_dtype) for value in values])


def _agree(whole: Array, parts: Any) -> bool:
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


# -- what was chosen, in words ------------------------------------------------------------------

_Reports: TypeAlias = dict[str, dict[str, tuple[Strategy, str]]]
"""Runner's name -> op's name -> `(Strategy, text)`."""

_reports: weakref.WeakKeyDictionary[Graph, _Reports] = weakref.WeakKeyDictionary()


def note(graph: Graph, runner: str, op: Op, strategy: Strategy, text: str) -> None:
    """Notes by which `Strategy` an op of the runner of this name is run, and by how much, or why so."""
    _reports.setdefault(graph, {}).setdefault(runner, {})[op.name] = (strategy, text)


def reports_of(graph: Graph) -> _Reports:
    """How the runners of a graph were last run, as `note` was told: a copy."""
    return {runner: dict(ops) for runner, ops in list(_reports.get(graph, {}).items())}


def describe(pipeline: Pipeline) -> str:
    """A line for each queue, and below it one for each strategy by which its runners' ops are run.

    What has not been run yet is described by what could be done.
    """
    lines = []
    for queue in pipeline.queues.values():
        most = "no limit" if queue.capacity < 0 else f"capacity {queue.capacity}"
        lines.append(f"{queue.kind} '{queue.name}', {most}")
        runners = pipeline.runners_of(queue)
        for runner in runners:
            threads = f"{runner.threads} thread{'s' if runner.threads != 1 else ''}"
            told = dict.fromkeys(_strategies_of(pipeline, runner))
            lines += [f"  filled by a runner with {threads}, {text}" for text in told]
        if not runners:
            lines.append("  filled by hand")
    return "\n".join(lines) or "no queues"


def strategy_of(pipeline: Pipeline, runner: Runner, op: Op) -> tuple[Strategy, str, bool]:
    """How one op of a model `Runner` is run, or could be.

    Returns:
        `(strategy, text, run)`: a `Strategy`; how, or why so; and whether it has been run yet.
    """
    known = reports_of(pipeline.graph).get(runner.name, {})
    if op.name in known:
        return (*known[op.name], True)
    region = examine(pipeline, op, runner.threads)
    why_not = region.refusals.get(Strategy.CHUNK)
    if why_not is None:
        return Strategy.CHUNK, "can be vectorised", False
    if Strategy.LOOP not in region.refusals:
        return (
            Strategy.LOOP,
            f"a few can be computed in one step, not vectorised ({why_not})",
            False,
        )
    return Strategy.SINGLE, f"one at a time ({why_not})", False


def _strategies_of(pipeline: Pipeline, runner: Runner) -> Iterator[str]:
    queue_runner: Any = runner.queue_runner
    for op in queue_runner.enqueue_ops:
        operation = traversal.as_op(op)
        if getattr(operation, "name", None) is not None:
            strategy, text, run = strategy_of(pipeline, runner, operation)
            yield f"{strategy.value}: {text}" if run else f"not run yet: {text}"
