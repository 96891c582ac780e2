"""Finds what damages data in a graph without an error, from the takes of one `Demand`.

A `Demand` is what a step of the program, or a runner's enqueue op, takes from queues.
The rows of `stories.silent` use the functions here.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from tfqueue import _tensorflow
from tfqueue._tensorflow import op_building
from tfqueue._tensorflow.types import Graph, Op, Tensor
from tfqueue.graph.model import Pipeline
from tfqueue.graph.op_types import VARIABLES, Demand, Queue, Take

if TYPE_CHECKING:
    from tfqueue.explain.case import Case

_CHOOSES = frozenset(
    {"If", "StatelessIf", "Case", "StatelessCase", "Select", "SelectV2", "Merge", "Switch"}
)
_GATHERS = _CHOOSES | frozenset({"MergeSummary", "NoOp"})


Parts: TypeAlias = tuple[Take, frozenset[Tensor]]
"""The take of an example, and the tensors that a step fetches of it."""


class Origins:
    """Which takes of a demand each of its ops depends on."""

    def __init__(self, demand: Demand) -> None:
        self.demand = demand
        graph = next(iter(demand.ops)).graph if demand.ops else None
        # In the order they were built, so that what an op needs comes before it. The one way
        # back in a graph, a loop's, brings nothing that did not enter at its beginning.
        operations = graph.get_operations() if graph is not None else []
        ops = [op for op in operations if op in demand.ops]
        place = {op: number for number, op in enumerate(ops)}
        unconditional = [take for take in demand.takes if not take.conditional]
        self.takes = sorted(unconditional, key=lambda take: place[take.op])
        self._model = 1 << len(self.takes)
        self._masks: dict[Op, int] = {}
        own: dict[Op, int] = {}
        for number, take in enumerate(self.takes):
            own[take.op] = own.get(take.op, 0) | 1 << number
        for op in ops:
            mask = own.get(op, 0) | (self._model if op.type in VARIABLES else 0)
            for tensor in op.inputs:
                mask |= self._masks.get(tensor.op, 0)
            self._masks[op] = mask

    def of(self, tensor: Tensor) -> int:
        """The takes that a tensor depends on, as bits, without the bit for a model."""
        return self._masks.get(tensor.op, 0) & ~self._model

    def takes_in(self, mask: int) -> list[Take]:
        """The takes that stand for the bits of `mask`."""
        return [take for number, take in enumerate(self.takes) if mask >> number & 1]

    def bit(self, take: Take) -> int:
        """The bit of a take."""
        return 1 << self.takes.index(take)

    def meets_model(self, take: Take) -> bool:
        """Whether what was taken goes, alone, into ops that use variables."""
        return (self.bit(take) | self._model) in self._masks.values()

    def plain(self, tensor: Tensor) -> bool:
        """Whether a tensor is data only: no variable was used to compute it."""
        return not self._masks.get(tensor.op, 0) & self._model

    def joined(self, one: Take, other: Take) -> bool:
        """Whether some op puts what two takes gave beside each other, as parts of one thing."""
        a, b = self.bit(one), self.bit(other)
        for op in self.demand.ops:
            if op.type not in _GATHERS:
                masks = [self.of(tensor) for tensor in op.inputs]
                if any(m & a and not m & b for m in masks) and any(
                    m & b and not m & a for m in masks
                ):
                    return True
        return False


def two_dequeues(origins: Origins) -> list[Take]:
    """Dequeue ops of one queue that one run executes side by side.

    Several towers that take a batch each, and take it through a model of their
    own or on a device of their own, mean it so.

    Args:
        origins: The `Origins` of a demand.

    Returns:
        The `Take`s, at least two, or an empty list.
    """
    by_queue: dict[Queue, list[Take]] = {}
    for take in origins.takes:
        if not take.is_read:
            by_queue.setdefault(take.queue, []).append(take)
    for takes in by_queue.values():
        if len({take.op for take in takes}) < 2 or len({take.op.device for take in takes}) > 1:
            continue
        if not all(origins.meets_model(take) for take in takes):
            return takes
    return []


def eager_cond(origins: Origins, graph: Graph) -> tuple[Op, list[Take], list[Take]] | None:
    """A `tf.cond` whose two branches each use what was taken for it outside.

    Args:
        origins: The `Origins` of a demand.
        graph: The graph, whose library has the branches.

    Returns:
        `(op, takes only for then, takes only for else)`, or None.
    """
    for op, condition, then, other in _branches(origins, graph):
        then, other = then & ~condition, other & ~condition
        if then & ~other and other & ~then:
            return op, origins.takes_in(then & ~other), origins.takes_in(other & ~then)
    return None


def _branches(origins: Origins, graph: Graph) -> Iterator[tuple[Op, int, int, int]]:
    """Yields `(op, takes of the condition, of the one branch, of the other)` of each `tf.cond`."""
    switches: dict[Tensor, list[Op]] = {}
    for op in origins.demand.ops:
        if op.type in ("If", "StatelessIf"):
            sides = []
            for branch in ("then_branch", "else_branch"):
                used = _tensorflow.used_arguments(graph, op.get_attr(branch).name)
                sides.append(_union(origins.of(op.inputs[position + 1]) for position in used))
            yield op, origins.of(op.inputs[0]), *sides
        elif op.type in ("Switch", "RefSwitch") and op.inputs[1].op.type != "LoopCond":
            switches.setdefault(op.inputs[1], []).append(op)
    for condition, ops in switches.items():
        # A Switch lets its value out on one side; which side is used says whose branch it is for.
        sides = [
            _union(origins.of(op.inputs[0]) for op in ops if _is_used(op.outputs[side], origins))
            for side in (1, 0)
        ]
        yield ops[0], origins.of(condition), *sides


def _is_used(tensor: Tensor, origins: Origins) -> bool:
    return any(op in origins.demand.ops for op in op_building.consumers(tensor))


def _union(masks: Iterable[int]) -> int:
    found = 0
    for mask in masks:
        found |= mask
    return found


def unpaired_shuffles(
    origins: Origins, case: Case, leaves: Iterable[Any]
) -> tuple[Queue, Queue, int] | None:
    """Two producers of one length that shuffle each for itself, and end up in one batch.

    Args:
        origins: The `Origins` of a demand.
        case: A `Case` of the pipeline.
        leaves: The tensors that the demand's run gives.

    Returns:
        `(queue, queue, length)`, or None.
    """
    sources = {take: _shuffled(case, take) for take in origins.takes}
    plain = 0
    for leaf in leaves:
        if origins.plain(leaf):
            mask = origins.of(leaf)
            plain |= mask if mask.bit_count() == 1 else 0
    for number, one in enumerate(origins.takes):
        for other in origins.takes[number + 1 :]:
            pair = sources[one], sources[other]
            if len(pair[0]) != 1 or len(pair[1]) != 1:
                continue
            (first, first_shuffle), (second, second_shuffle) = pair[0][0], pair[1][0]
            if first is second or _same_seed(first_shuffle, second_shuffle):
                continue
            both = origins.bit(one) | origins.bit(other)
            if not (origins.joined(one, other) or plain & both == both):
                continue
            length = case.names_per_epoch(first)
            if length is not None and length > 1 and length == case.names_per_epoch(second):
                return first, second, length
    return None


def _shuffled(case: Case, take: Take) -> list[tuple[Queue, Op]]:
    """The producers behind a take that shuffle: `(queue, RandomShuffle op)` pairs."""
    found, seen, todo = [], set(), [take.queue]
    while todo:
        queue = todo.pop()
        if queue in seen:
            continue
        seen.add(queue)
        for op in case.pipeline.enqueues_of(queue):
            demand = case.pipeline.demand([op])
            todo += [inner.queue for inner in demand.takes]
            if not demand.takes:
                found += [(queue, each) for each in demand.ops if each.type == "RandomShuffle"]
    return found


def _same_seed(one: Op, other: Op) -> bool:
    seeds = [(op.get_attr("seed"), op.get_attr("seed2")) for op in (one, other)]
    return seeds[0] == seeds[1] != (0, 0)


def parts(demand: Demand, leaves: Sequence[Any], pipeline: Pipeline) -> Parts | None:
    """What a step fetches of the one example it takes, if that is all it does.

    Args:
        leaves: What it fetches.

    Returns:
        `(take, tensors)`, or None where the step does more than
        look at data: it uses variables, runs ops, takes several times.
    """
    if len(demand.takes) != 1 or demand.puts or demand.takes[0].conditional:
        return None
    if not all(hasattr(leaf, "op") for leaf in leaves):
        return None
    if any(op.type in VARIABLES or op.type in ("Placeholder",) for op in demand.ops):
        return None
    take = demand.takes[0]
    kept = [
        leaf for leaf in leaves if take.op in pipeline.demand([leaf.op]).ops
    ]  # constants beside it are no part of the example
    return (take, frozenset(kept)) if kept else None


def computed_from(
    wanted: Iterable[Tensor], given: Collection[Tensor], take: Take, pipeline: Pipeline
) -> bool:
    """Whether `wanted` can be computed from the tensors `given` without taking again."""
    names = tuple(tensor.name for tensor in given)
    ops = [tensor.op for tensor in wanted if tensor not in given]
    return take.op not in pipeline.demand(ops, names).ops


class SplitWatch:
    """Notices when parts of one example are fetched by two runs, one after the other.

    Args:
        said: Called once, with the take, when that happened.
    """

    def __init__(self, pipeline: Pipeline, said: Callable[[Take], None]) -> None:
        self._pipeline = pipeline
        self._said = said
        self._last: dict[tuple[int, Op], tuple[frozenset[Tensor], int]] = {}
        self._done = False

    def ran(self, found: Parts, thread: int) -> None:
        """A step that fetches `found` (see `parts`) is run in `thread`, its ident."""
        if self._done:
            return
        take, tensors = found
        key = thread, take.op
        last = self._last.get(key)
        if last is not None and last[0] == tensors:
            self._last[key] = tensors, last[1] + 1
            return
        self._last[key] = tensors, 1
        # Two parts that are fetched once each, one after the other, are parts of one example. Many
        # of one and then many of the other are two passes over the data.
        if last is None or last[1] != 1:
            return
        if computed_from(tensors, last[0], take, self._pipeline):
            return
        if computed_from(last[0], tensors, take, self._pipeline):
            return
        self._said(take)
        self._done = True
