"""From the model of an old graph to the plan of a dataset that gives the same elements."""

import dataclasses

from tfqueue import _tensorflow
from tfqueue._tensorflow import op_building
from tfqueue.dataset import alike, plan, producers, steps
from tfqueue.dataset.steps import refuse
from tfqueue.graph.model import Pipeline
from tfqueue.graph.op_types import ENQUEUES

_tf = _tensorflow.compat_v1()

_ADD = "register the runner with tf.train.add_queue_runner"


def lift(graph, results, structure, shard=None):
    """The plan of what a graph's queues bring to some tensors.

    Args:
      graph: The old function's graph.
      results: Tensors of it, flat.
      structure: How they are nested.
      shard: `(n, i)` for each n-th row of the producers only.

    Returns:
      A `plan.Node`.

    Raises:
      errors.CannotLiftError: Something in it has no tf.data op.
    """
    lifter = _Lifter(graph, shard, results)
    return lifter.step(results, structure=structure)


@dataclasses.dataclass(eq=False)
class _Group:
    """Enqueue ops that do the same with what they take from the same places."""

    op: object
    count: int
    threads: int
    """How many threads run them, and others of the queue, side by side."""


class _Lifter:
    def __init__(self, graph, shard, results):
        self._pipeline = Pipeline(graph)
        self._shard = shard
        self._fetched = {t.name for t in results}
        self._nodes = {}
        self._open = []
        self._found = {}
        self._users = {}
        self._survey([t.op for t in results])

    # -- a step -----------------------------------------------------------------------------------

    def step(self, results, targets=(), structure=None, group=None):
        """The plan of what one step makes of the elements it takes.

        Args:
          results: Tensors that it gives, or triples of them for sparse ones.
          targets: Ops that are run with them.
          structure: How the results are nested.
          group: The `_Group` of enqueue ops that the step is one run of; None for the program's.
        """
        flat = [t for r in results for t in (r if isinstance(r, tuple) else [r])]
        demand = self._pipeline.demand([*(t.op for t in flat), *targets])
        takes = _each_once(demand)
        sources, given, cut = [], [], set()
        for take in takes:
            node, names = self._take(take, group.count if group else 1)
            sources.append(node)
            given += names
            cut.add(take.op)
        restoring = [n[0].split(":")[0] for n in given if isinstance(n, tuple)]
        cut |= set(map(self._pipeline.graph.get_operation_by_name, restoring))
        runs = [t.op for t in flat if t.op not in cut]
        runs += [c for op in targets for c in op.control_inputs]
        ops = self._pipeline.between(runs, cut)
        counts = [op for op in ops if op.type in steps.COUNTS]
        if counts:
            behind = {op for count in counts for op in self._pipeline.between([count], ())}
            if takes:
                refuse(f"{counts[0].type} {counts[0].name!r} ends the data", counts[0])
            ops = [op for op in ops if op not in behind]
        if not sources:
            sources = [plan.Count(min((op.get_attr("limit") for op in counts), default=None))]
        source = sources[0] if len(sources) == 1 else plan.Zip(sources)
        waits = [c.name for op in targets for c in op.control_inputs if c in set(ops)]
        fixed = frozenset(take.op.outputs[1].name for take in takes if self._is_fixed(take))
        threads = group.threads if group else 1
        made = steps.Step(
            self._pipeline.graph, given, ops, list(results), structure, waits, fixed, threads
        )
        steps.check(made)
        return plan.Apply(source, made)

    def _is_fixed(self, take):
        """Whether a step reads records of one length."""
        reader = self._pipeline.reader_of(take.op) if take.is_read else None
        return reader is not None and reader.kind == "FixedLengthRecordReader"

    def _take(self, take, parallel):
        """The node of what a step takes, and what its components stand for."""
        op = take.op
        if take.conditional:
            refuse(f"{op.type} {op.name!r} takes from {take.queue.name!r} in a branch", op)
        if take.is_read:
            return self._read(take, parallel)
        node = self._shared(take.queue, op, self.queue(take.queue))
        if op.type.startswith("QueueDequeueMany") or op.type.startswith("QueueDequeueUpTo"):
            size = producers.number(self._pipeline, op.inputs[1])
            queue = take.queue
            padded = _shapes(queue) if queue.kind == "PaddingFIFOQueue" else None
            smaller = op.type.startswith("QueueDequeueUpTo")
            node = plan.Batch(self._mixed(queue, node, size), size, smaller, padded)
        else:
            node = self._mixed(take.queue, node, 1)
        return node, [_given(tensor) for tensor in op.outputs]

    def _mixed(self, queue, node, taken):
        """The elements in the order in which a queue gives them, `taken` at a time."""
        if queue.kind != "RandomShuffleQueue":
            return node
        seeds = queue.op.get_attr("seed"), queue.op.get_attr("seed2")
        return plan.Shuffle(node, queue.min_after_dequeue + taken, producers.seed(*seeds))

    def _read(self, take, parallel):
        op, reader = take.op, self._pipeline.reader_of(take.op)
        if reader is None:
            refuse(f"the reader of {op.name!r} is not one of TensorFlow's own", op)
        if reader.kind == "LMDBReader":
            refuse(f"LMDBReader {reader.name!r} has no dataset, nor a TensorFlow that reads it", op)
        key, value = op.outputs
        keys = bool(key.consumers()) or key.name in self._fetched
        names = self._shared(take.queue, reader.op, self.queue(take.queue))
        options = {
            name: reader.op.get_attr(name)
            for name in (
                "skip_header_lines",
                "record_bytes",
                "header_bytes",
                "footer_bytes",
                "hop_bytes",
                "encoding",
                "compression_type",
            )
            if name in reader.op.node_def.attr
        }
        up_to = None
        if op.type.startswith("ReaderReadUpTo"):
            up_to = producers.number(self._pipeline, op.inputs[2])
        whole = reader.kind != "FixedLengthRecordReader" or producers.fit(names, options)
        node = plan.Read(names, reader.kind, options, keys, up_to, parallel, whole)
        node = self._shared(reader, op, node)
        return node, [key.name, value.name] if keys else [value.name]

    # -- a queue ----------------------------------------------------------------------------------

    def queue(self, queue):
        """The plan of the elements that are put into a queue, in their order."""
        if queue in self._nodes:
            return self._nodes[queue]
        if queue in self._open:
            refuse(f"{queue!r} is filled with what is taken from it", queue.op)
        self._open.append(queue)
        if queue.kind == "PriorityQueue":
            refuse(f"PriorityQueue {queue.name!r} gives elements by their priority", queue.op)
        node = self._filled(queue)
        self._open.pop()
        self._nodes[queue] = node
        return node

    def _filled(self, queue):
        groups = self._groups(queue)
        nodes = [self._put(group, queue) for group in groups]
        return nodes[0] if len(nodes) == 1 else plan.Merge(nodes)

    def _groups(self, queue):
        """What the queue's runners do, alike ops as one."""
        if queue not in self._found:
            self._found[queue] = self._find_groups(queue)
        return self._found[queue]

    def _find_groups(self, queue):
        runners = self._pipeline.runners_of(queue)
        by_hand = self._pipeline.feeds_by_hand(queue)
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
        groups = {}
        for op in dict.fromkeys(getattr(item, "op", item) for item in each):
            groups.setdefault(alike.form(self._pipeline, op), []).append(op)
        found = []
        for members in groups.values():
            shared = len(members) > 1 and alike.share_their_source(self._pipeline, members)
            if shared:
                found.append(_Group(members[0], len(members), len(each)))
            else:
                found += [_Group(op, 1, len(each)) for op in members]
        return found

    def _put(self, group, queue):
        """The plan of what one kind of enqueue op puts."""
        puts = self._pipeline.demand([group.op]).puts
        if len(puts) != 1 or puts[0][1] is not queue:
            refuse(f"{group.op.type} {group.op.name!r} puts into {len(puts)} queues", group.op)
        put = puts[0][0]
        if put.type in ("If", "StatelessIf"):
            return self._put_if(put, group)
        many = put.type.startswith("QueueEnqueueMany")
        rows = producers.rows(self._pipeline, put, self._shard) if many else None
        if rows is not None:
            return rows
        node = self.step([_stored(t) for t in list(put.inputs)[1:]], [put], group=group)
        return plan.Unbatch(node) if many else node

    def _put_if(self, put, group):
        """`maybe_batch`: an enqueue op in the branch of a cond."""
        branch, inner = _enqueueing_branch(self._pipeline.graph, put)
        values = [_stored(t) for t in list(inner.inputs)[1:]]
        outer = dict(zip((t.name for t in branch.inputs), list(put.inputs)[1:], strict=True))
        behind = Pipeline(branch).between([t.op for t in values], ())
        used = [t for t in branch.inputs if t.op in behind and t.dtype != _tf.resource]
        passed = self.step([put.inputs[0], *(outer[t.name] for t in used)], group=group)
        ops = [op for op in behind if op not in {t.op for t in used}]
        made = steps.Step(branch, [t.name for t in used], ops, values)
        steps.check(made)
        node = plan.Apply(plan.Filter(passed), made)
        return plan.Unbatch(node) if inner.type.startswith("QueueEnqueueMany") else node

    # -- who shares what --------------------------------------------------------------------------

    def _survey(self, ops, seen=frozenset()):
        """Notes who takes from each queue and reads from each reader."""
        for take in _each_once(self._pipeline.demand(ops)):
            reader = self._pipeline.reader_of(take.op) if take.is_read else None
            self._note(take.queue, reader.op if reader else take.op)
            if reader:
                self._note(reader, take.op)
            if take.queue not in self._found and take.queue not in seen:
                for group in self._groups(take.queue):
                    self._survey([group.op], seen | {take.queue})

    def _note(self, thing, user):
        users = self._users.setdefault(thing, [])
        if user not in users:
            users.append(user)

    def _shared(self, thing, user, node):
        """The part of `node` that `user` gets, where several take from `thing`."""
        users = self._users[thing]
        if len(users) < 2:
            return node
        return plan.Share(node, len(users), users.index(user))


def _each_once(demand):
    """The takes of a step, one an op, in the order in which the ops were built."""
    by_op = {take.op: take for take in demand.takes}
    places = {op: k for k, op in enumerate(by_op)}
    if by_op:
        graph = next(iter(by_op)).graph
        places = {op: k for k, op in enumerate(graph.get_operations())}
    return [by_op[op] for op in sorted(by_op, key=places.__getitem__)]


def _given(tensor):
    """What a dequeued component stands for: its name, or those of the sparse tensor kept for it."""
    for consumer in tensor.consumers():
        if consumer.type == "Squeeze":
            for user in consumer.outputs[0].consumers():
                if user.type == steps.TAKES_SPARSE:
                    return tuple(t.name for t in user.outputs)
    return tensor.name


def _stored(tensor):
    """The parts of the sparse tensor that an enqueued component stands for, or the component."""
    if tensor.op.type == "ExpandDims" and tensor.op.inputs[0].op.type in steps.ADDS_SPARSE:
        return tuple(tensor.op.inputs[0].op.inputs)[:3]
    return tensor


def _shapes(queue):
    """The shapes of a queue's components, None for what is not known."""
    return [
        [None if d.size < 0 else d.size for d in shape.dim] for shape in queue.op.get_attr("shapes")
    ]


def _enqueueing_branch(graph, op):
    """The graph of the branch of a cond that puts, and the op there that does."""
    function = op_building.function_of(graph, op.get_attr("then_branch").name)
    branch = function.graph if function is not None else None
    inner = [o for o in branch.get_operations() if o.type in ENQUEUES] if branch else []
    if len(inner) != 1:
        refuse(f"{op.type} {op.name!r} puts in a way of its own", op)
    return branch, inner[0]
