"""From the model of an old graph to the plan of a dataset that gives the same elements."""

from __future__ import annotations

import dataclasses
import fractions
import math
import secrets
from collections.abc import Sequence
from typing import Any

from tfqueue import _tensorflow
from tfqueue._tensorflow import op_building
from tfqueue._tensorflow.types import Graph, Op, Tensor
from tfqueue.dataset import buckets, equivalence, known_values, plan, steps
from tfqueue.dataset.steps import Given, refuse
from tfqueue.graph import op_types
from tfqueue.graph.model import Pipeline
from tfqueue.graph.op_types import ENQUEUES, Demand, Queue, Reader, Take, redefined

_tf = _tensorflow.compat_v1()

_MANY = 1000
"""Where the consumers' shares repeat after more elements than this, each gets one in turn."""
_ADD = "register the runner with tf.train.add_queue_runner"


def lift(
    graph: Graph,
    results: list[Tensor],
    structure: Any,
    shard: tuple[int, int] | None,
    python: bool,
) -> plan.Node:
    """The plan of the elements that a graph's queues give to some tensors.

    Args:
        graph: The old function's graph.
        results: Tensors of it, flat.
        structure: How they are nested.
        shard: `(n, i)` for each n-th row of the producers only.
        python: Whether the steps may call Python functions.

    Returns:
        A `plan.Node`.

    Raises:
        errors.CannotLiftError: Something in it has no tf.data op.
    """
    for result in results:
        if result.graph is not graph:
            refuse(
                f"{result.name!r} is there on one side of a tf.cond only, or in a function", None
            )
    lifter = _Lifter(graph, shard, results, python)
    return lifter.step(results, structure=structure)


@dataclasses.dataclass(eq=False)
class _Group:
    """Enqueue ops that do the same with elements of the same queues."""

    op: Op
    count: int
    threads: int
    """How many threads run the enqueue ops of the queue at the same time."""


class _Lifter:
    def __init__(
        self, graph: Graph, shard: tuple[int, int] | None, results: Sequence[Tensor], python: bool
    ) -> None:
        self._pipeline = Pipeline(graph)
        self._shard = shard
        self._python = python
        self._buckets = buckets.find(self._pipeline)
        self._fetched = {t.name for t in results}
        self._nodes: dict[Queue, plan.Node] = {}
        self._open: list[Queue] = []
        self._found: dict[Queue, list[_Group]] = {}
        self._users: dict[Queue | Reader, list[Op | None]] = {}
        """The steps that take from each queue and reader: enqueue ops, None for the program's."""
        self._amounts: dict[tuple[Queue | Reader, Op | None], int | None] = {}
        self._survey([t.op for t in results], None)

    # -- a step -----------------------------------------------------------------------------------

    def step(
        self,
        results: Sequence[Tensor | tuple[Tensor, ...]],
        targets: Sequence[Op] = (),
        structure: Any = None,
        group: _Group | None = None,
        waits: Sequence[Op] = (),
    ) -> plan.Node:
        """The plan of what one step makes of the elements it takes.

        Args:
            results: Tensors that it gives, or triples of them for sparse ones.
            targets: Ops that are run with them.
            structure: How the results are nested.
            group: The `_Group` of enqueue ops that the step is one run of; None for the program's.
            waits: Ops that are run besides.
        """
        flat = [t for r in results for t in (r if isinstance(r, tuple) else [r])]
        waits = [*waits, *(c for op in targets for c in op.control_inputs)]
        demand = self._pipeline.demand([*(t.op for t in flat), *targets, *waits])
        takes = _each_once(demand)
        sources, given, cut = [], [], {take.op for take in takes}
        for together in self._together(takes):
            take = self._take if len(together) == 1 else self._take_several
            node, names = take(together, group)
            sources.append(node)
            given += names
        restoring = [n[0].split(":")[0] for n in given if isinstance(n, tuple)]
        cut |= set(map(self._pipeline.graph.get_operation_by_name, restoring))
        runs = [t.op for t in flat if t.op not in cut] + waits
        ops = self._pipeline.between(runs, cut)
        constants, ops = self._constants(ops, runs, cut)
        counts = [op for op in ops if op.type in op_types.COUNTERS]
        if counts:
            behind = {op for count in counts for op in self._pipeline.between([count], ())}
            if takes:
                refuse(f"{counts[0].type} {counts[0].name!r} ends the data", counts[0])
            ops = [op for op in ops if op not in behind]
        if not sources:
            sources = [plan.Count(min((op.get_attr("limit") for op in counts), default=None))]
        source = sources[0] if len(sources) == 1 else plan.Zip(sources)
        waits = [op.name for op in waits if op in set(ops)]
        fixed = frozenset(take.op.outputs[1].name for take in takes if self._is_fixed(take))
        threads = group.threads if group else 1
        made = steps.OldStep(
            self._pipeline.graph,
            given,
            ops,
            list(results),
            structure,
            waits,
            constants,
            fixed,
            threads,
        )
        steps.check(made, self._python)
        return plan.Apply(source, made)

    def _is_fixed(self, take: Take) -> bool:
        """Whether a step reads records of one length."""
        reader = self._pipeline.reader_of(take.op) if take.is_read else None
        return reader is not None and reader.kind == "FixedLengthRecordReader"

    def _constants(
        self, ops: list[Op], runs: list[Op], cut: set[Op]
    ) -> tuple[dict[str, Any], list[Op]]:
        """The values of variables that no op assigns, by the names of their reads; the other ops."""
        found: dict[str, Any] = {}
        for op in ops:
            if op.type not in op_types.VARIABLES:
                continue
            variable = known_values.unassigned(self._pipeline, op)
            if variable is None:
                continue
            reads = [
                user
                for user in op_building.consumers(op.outputs[0])
                if user.type == "ReadVariableOp"
            ]
            reads = [read.outputs[0] for read in reads] if reads else [op.outputs[0]]
            (value,) = known_values.evaluate(self._pipeline, reads[:1], variables=[variable])
            found |= {read.name: value for read in reads}
        if not found:
            return {}, ops
        known = {name.split(":")[0] for name in found}
        known = {op for op in ops if op.name in known}
        return found, self._pipeline.between([op for op in runs if op not in known], cut | known)

    def _together(self, takes: Sequence[Take]) -> list[list[Take]]:
        """The takes of a step, in one list for each queue and each reader."""
        found: dict[Queue | Reader, list[Take]] = {}
        for take in takes:
            if take.conditional:
                op = take.op
                refuse(f"{op.type} {op.name!r} takes from {take.queue.name!r} in a branch", op)
            found.setdefault(self._taken_from(take), []).append(take)
        return list(found.values())

    def _taken_from(self, take: Take) -> Queue | Reader:
        """The reader or the queue that a take gets its elements from."""
        reader = self._pipeline.reader_of(take.op) if take.is_read else None
        return reader or take.queue

    def _take_several(
        self, takes: list[Take], group: _Group | None
    ) -> tuple[plan.Node, list[Given]]:
        """The node of what a step takes at several places from one queue or reader."""
        given, sizes, op = [], [], takes[0].op
        for take in takes:
            given += [_given(t) for t in take.op.outputs]
            sizes.append(self._amount(take))
        total = sum(size or 1 for size in sizes)
        queue, count = takes[0].queue, len(op.outputs)
        ragged = queue.kind == "PaddingFIFOQueue" and any(None in s for s in _shapes(queue))
        up_to = any("UpTo" in take.op.type for take in takes)
        if ragged or up_to or queue.kind == "PriorityQueue" or any(type(n) is tuple for n in given):
            refuse(f"{op.type} {op.name!r} is one of {len(takes)} in a step", op)
        if takes[0].is_read:
            node, _ = self._read(takes[0], group, keys=True)
        else:
            node = self._shared(queue, _step_of(group), self.queue(queue))
            node = self._mixed(queue, node, total)
        return plan.Split(plan.Batch(node, total, False), sizes, count), given

    def _amount(self, take: Take) -> int | None:
        """How many elements a take gets at once; None for one without a batch dimension."""
        if take.op.type.startswith(("QueueDequeueMany", "QueueDequeueUpTo")):
            return known_values.number(self._pipeline, take.op.inputs[1])
        return None

    def _take(self, takes: list[Take], group: _Group | None) -> tuple[plan.Node, list[Given]]:
        """The node of a step's elements, and the names of the tensors that are its components."""
        (take,) = takes
        op, queue = take.op, take.queue
        if take.is_read:
            return self._read(take, group)
        size = self._amount(take)
        node = self._shared(queue, _step_of(group), self.queue(queue))
        node = self._mixed(queue, node, 1 if size is None else size)
        if size is not None:
            padded = _shapes(queue) if queue.kind == "PaddingFIFOQueue" else None
            node = plan.Batch(node, size, op.type.startswith("QueueDequeueUpTo"), padded)
        return node, [_given(tensor) for tensor in op.outputs]

    def _mixed(self, queue: Queue, node: plan.Node, taken: int) -> plan.Node:
        """The elements in the order in which a queue gives them, `taken` at a time."""
        if queue.kind != "RandomShuffleQueue":
            return node
        seeds = queue.op.get_attr("seed"), queue.op.get_attr("seed2")
        return plan.Shuffle(node, queue.min_after_dequeue + taken, known_values.seed(*seeds))

    def _read(
        self, take: Take, group: _Group | None, keys: bool = False
    ) -> tuple[plan.Node, list[Given]]:
        op, reader = take.op, self._pipeline.reader_of(take.op)
        if reader is None:
            refuse(f"the reader of {op.name!r} is not one of TensorFlow's own", op)
        if reader.kind == "LMDBReader":
            refuse(f"LMDBReader {reader.name!r} has no dataset, nor a TensorFlow that reads it", op)
        key, value = op.outputs
        keys = keys or bool(op_building.consumers(key)) or key.name in self._fetched
        keys = keys or len(reader.reads) > 1
        names = self._shared(take.queue, reader.op, self.queue(take.queue))
        options = {
            name: reader.op.get_attr(name)
            for name in (
                "skip_header_lines record_bytes header_bytes footer_bytes hop_bytes encoding compression_type"
            ).split()
            if name in reader.op.node_def.attr
        }
        up_to = None
        if op.type.startswith("ReaderReadUpTo"):
            up_to = known_values.number(self._pipeline, op.inputs[2])
        whole = reader.kind != "FixedLengthRecordReader" or known_values.fit(names, options)
        files = group.count if group else 1
        records = plan.Read(names, reader.kind, options, keys, up_to, files, whole)
        node = self._shared(reader, _step_of(group), records)
        return node, [key.name, value.name] if keys else [value.name]

    # -- a queue ----------------------------------------------------------------------------------

    def queue(self, queue: Queue) -> plan.Node:
        """The plan of the elements that are put into a queue, in their order."""
        if queue in self._nodes:
            return self._nodes[queue]
        if queue in self._open:
            refuse(f"{queue!r} is filled with what is taken from it", queue.op)
        self._open.append(queue)
        node = self._filled(queue)
        if queue.kind == "PriorityQueue":
            if plan.endless(node) or any(None in shape for shape in _shapes(queue)):
                refuse(f"PriorityQueue {queue.name!r} gives elements by their priority", queue.op)
            node = plan.Sort(node, len(_shapes(queue)))
        self._open.pop()
        self._nodes[queue] = node
        return node

    def _filled(self, queue: Queue) -> plan.Node:
        groups = self._groups(queue)
        bucketed = self._bucketed(groups)
        if bucketed is not None:
            return bucketed
        nodes = [self._put(group, queue) for group in groups]
        return nodes[0] if len(nodes) == 1 else plan.Merge(nodes)

    def _groups(self, queue: Queue) -> list[_Group]:
        """The enqueue ops of the queue's runners, equivalent ones as one group."""
        if queue not in self._found:
            self._found[queue] = self._find_groups(queue)
        return self._found[queue]

    def _bucketed(self, groups: Sequence[_Group]) -> plan.Node | None:
        """The plan of batches out of buckets; None where the queue has no such batches."""
        found = buckets.emptied(self._pipeline, [group.op for group in groups], self._buckets)
        if found is None:
            return None
        filled, takes = found
        source = _Group(filled.op, 1, filled.threads)
        results = [*filled.keep, filled.which, *filled.components]
        node = self.step(results, group=source, waits=filled.waits)
        node = plan.Filter(node) if filled.keep else node
        first = takes[0].queue
        padded = _shapes(first) if first.kind == "PaddingFIFOQueue" else None
        sizes = [known_values.number(self._pipeline, take.op.inputs[1]) for take in takes]
        return plan.Bucket(node, sizes, takes[0].is_up_to, padded)

    def _find_groups(self, queue: Queue) -> list[_Group]:
        if queue in self._buckets:
            filled = self._buckets[queue]
            return [_Group(filled.op, 1, filled.threads)]
        runners = self._pipeline.runners_of(queue)
        by_hand = self._pipeline.feeds_by_hand(queue)
        for runner in self._pipeline.registered:
            own = redefined(runner.queue_runner) if runner.queue is queue else ()
            if own:
                refuse(
                    f"{queue.kind} {queue.name!r} is filled by a runner of the class "
                    f"{type(runner.queue_runner).__name__}, which has a {own[0]!r} of its own",
                    queue.op,
                )
        if not runners:
            refuse(f"{queue.kind} {queue.name!r} has no QueueRunner that fills it", queue.op, _ADD)
        if by_hand:
            refuse(
                f"{queue.kind} {queue.name!r} is filled by hand, with {by_hand[0].type} "
                f"{by_hand[0].name!r}",
                by_hand[0],
                "leave it to a QueueRunner",
            )
        each = [item for runner in runners for item in runner.queue_runner.enqueue_ops]
        groups: dict[int, list[Op]] = {}
        for op in dict.fromkeys(getattr(item, "op", item) for item in each):
            groups.setdefault(equivalence.form(self._pipeline, op), []).append(op)
        found = []
        for members in groups.values():
            # Equivalent ops take from the same queues. Ops that take from none may draw with
            # different seeds.
            if len(members) > 1 and self._pipeline.demand([members[0]]).takes:
                found.append(_Group(members[0], len(members), len(each)))
            else:
                found += [_Group(op, 1, len(each)) for op in members]
        return found

    def _put(self, group: _Group, queue: Queue) -> plan.Node:
        """The plan of the elements that a group of enqueue ops puts."""
        if queue in self._buckets:
            refuse(f"{queue.kind} {queue.name!r} is filled on a condition", group.op)
        puts = self._pipeline.demand([group.op]).puts
        if len(puts) != 1 or puts[0][1] is not queue:
            refuse(f"{group.op.type} {group.op.name!r} puts into {len(puts)} queues", group.op)
        put = puts[0][0]
        if put.type in ("If", "StatelessIf"):
            return self._put_if(put, group)
        many = put.type.startswith("QueueEnqueueMany")
        rows = known_values.rows(self._pipeline, put, self._shard) if many else None
        if rows is not None:
            return rows
        node = self.step([_stored(t) for t in list(put.inputs)[1:]], [put], group=group)
        return plan.Unbatch(node) if many else node

    def _put_if(self, put: Op, group: _Group) -> plan.Node:
        """`maybe_batch`: an enqueue op in the branch of a cond."""
        branch, inner = _enqueueing_branch(self._pipeline.graph, put)
        values = list(inner.inputs)[1:]
        outer = dict(zip((t.name for t in branch.inputs), list(put.inputs)[1:], strict=True))
        behind = Pipeline(branch).between([t.op for t in values], ())
        used = [t for t in branch.inputs if t.op in behind and t.dtype != _tf.resource]
        passed = self.step([put.inputs[0], *(outer[t.name] for t in used)], group=group)
        ops = [op for op in behind if op not in {t.op for t in used}]
        made = steps.OldStep(branch, [t.name for t in used], ops, values)
        steps.check(made)
        node = plan.Apply(plan.Filter(passed), made)
        return plan.Unbatch(node) if inner.type.startswith("QueueEnqueueMany") else node

    # -- shares -----------------------------------------------------------------------------------

    def _survey(
        self, ops: Sequence[Op], step: Op | None, seen: frozenset[Queue] = frozenset()
    ) -> None:
        """Notes which steps take from each queue and read from each reader.

        Args:
            ops: What one run of the step runs.
            step: The enqueue op that the step is a run of; None for the program's.
            seen: Queues that are being looked through.
        """
        for take in _each_once(self._pipeline.demand(ops)):
            reader = self._pipeline.reader_of(take.op) if take.is_read else None
            if reader:
                self._note(reader, step, 1)
                self._note(take.queue, reader.op, None)
            else:
                self._note(take.queue, step, self._amount(take) or 1)
            if take.queue not in self._found and take.queue not in seen:
                for group in self._groups(take.queue):
                    self._survey([group.op], group.op, seen | {take.queue})

    def _note(self, thing: Queue | Reader, user: Op | None, amount: int | None) -> None:
        users = self._users.setdefault(thing, [])
        if user not in users:
            users.append(user)
        before = self._amounts.get((thing, user), 0)
        both = None if before is None or amount is None else before + amount
        self._amounts[thing, user] = both

    def _shared(self, thing: Queue | Reader, user: Op | None, node: plan.Node) -> plan.Node:
        """The part of `node` that a step gets, where several take from `thing`.

        Args:
            user: The enqueue op that the step is a run of, None for the program's; of a reader that
                takes names, its op.
            node: The plan of all elements.
        """
        users = self._users[thing]
        if len(users) < 2:
            return node
        for each in plan.walk(node):
            self._steady(each, thing)
        return plan.Share(node, len(users), users.index(user), self._weights(thing, users))

    def _steady(self, node: plan.Node, thing: Queue | Reader) -> None:
        """Makes a node give the same elements each time it is iterated over.

        Each consumer reads all elements and keeps its share of them.
        """
        if isinstance(node, (plan.Rows, plan.Shuffle)):
            node.steady = True
            if node.seed is None:
                node.seed = secrets.randbelow(1 << 31)
        if isinstance(node, plan.Filter):
            for each in plan.walk(node):
                if isinstance(each, plan.Apply) and each.step.draws:
                    refuse(
                        f"{thing.name!r} is shared, and which elements it gets is random", thing.op
                    )

    def _weights(self, thing: Queue | Reader, users: Sequence[Op | None]) -> list[int] | None:
        """How many elements in a row each consumer gets; None for one each."""
        rates: list[fractions.Fraction] = []
        for user in users:
            rate = self._rate(thing, user)
            if rate is None:
                return None
            rates.append(rate)
        scale = math.lcm(*(rate.denominator for rate in rates))
        weights = [int(rate * scale) for rate in rates]
        common = math.gcd(*weights)
        weights = [weight // common for weight in weights]
        return weights if 0 < sum(weights) < _MANY and len(set(weights)) > 1 else None

    def _rate(self, thing: Queue | Reader, user: Op | None) -> fractions.Fraction | None:
        """How many elements a step takes for one run of the program's step; None if not known."""
        runs, amount = self._runs(user), self._amounts[thing, user]
        return None if runs is None or amount is None else runs * amount

    def _runs(self, step: Op | None) -> fractions.Fraction | None:
        """How many runs of a step one run of the program's step needs.

        None where it is not known: how many names a reader takes depends on the files.
        """
        if step is None:
            return fractions.Fraction(1)
        needed = fractions.Fraction(0)
        for queue, groups in self._found.items():
            if not any(group.op is step for group in groups):
                continue
            many = [p for p, _ in self._pipeline.demand([step]).puts if "Many" in p.type]
            rows = many[0].inputs[1].shape[0] if many and many[0].inputs[1].shape.rank else 1
            rows = _tf.dimension_value(rows) or 1
            for user in self._users.get(queue, ()):
                if isinstance(user, _tf.Operation) and user.name in self._pipeline.readers:
                    return None
                rate = self._rate(queue, user)
                if rate is None:
                    return None
                needed += rate / len(groups) / rows
        return needed


def _step_of(group: _Group | None) -> Op | None:
    return group.op if group is not None else None


def _each_once(demand: Demand) -> list[Take]:
    """The takes of a step, one an op, in the order in which the ops were built."""
    by_op = {take.op: take for take in demand.takes}
    places = {op: k for k, op in enumerate(by_op)}
    if by_op:
        graph = next(iter(by_op)).graph
        places = {op: k for k, op in enumerate(graph.get_operations())}
    return [by_op[op] for op in sorted(by_op, key=places.__getitem__)]


def _given(tensor: Tensor) -> Given:
    """The name of a dequeued component; the three names of a sparse tensor that it stands for."""
    for consumer in op_building.consumers(tensor):
        if consumer.type == "Squeeze":
            for user in op_building.consumers(consumer.outputs[0]):
                if user.type == steps.TAKES_SPARSE:
                    return tuple(t.name for t in user.outputs)
    return tensor.name


def _stored(tensor: Tensor) -> Tensor | tuple[Tensor, ...]:
    """An enqueued component; the three parts of a sparse tensor that it stands for."""
    if tensor.op.type == "ExpandDims" and tensor.op.inputs[0].op.type in steps.ADDS_SPARSE:
        return tuple(tensor.op.inputs[0].op.inputs)[:3]
    return tensor


def _shapes(queue: Queue) -> plan.Shapes:
    """The shapes of a queue's components, None for what is not known."""
    return [
        [None if d.size < 0 else d.size for d in shape.dim] for shape in queue.op.get_attr("shapes")
    ]


def _enqueueing_branch(graph: Graph, op: Op) -> tuple[Graph, Op]:
    """The graph of the branch of a cond that puts, and the op there that does."""
    function = op_building.function_of(graph, op.get_attr("then_branch").name)
    branch = function.graph if function is not None else None
    inner = [o for o in branch.get_operations() if o.type in ENQUEUES] if branch else []
    if len(inner) != 1:
        refuse(f"{op.type} {op.name!r} puts in a way of its own", op)
    return branch, inner[0]
