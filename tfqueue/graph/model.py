"""What a graph's input pipeline is: queues, readers, runners, and who feeds whom.

`Pipeline` reads a graph once and, as it grows, only what is new. `session`, `explain`,
`accelerate`, `dataset`, `draw`, `watch`, `port.run` and `commands` all use this model. What it leaves out, such as what an
example is computed from, they read with the functions of `traversal`.
"""

from __future__ import annotations

import threading
from collections.abc import Collection, Iterable, Sequence, Sized
from typing import TYPE_CHECKING, Any, TypeAlias

from tfqueue import _tensorflow
from tfqueue._tensorflow import op_building, op_edits
from tfqueue._tensorflow.types import Graph, Op, Tensor
from tfqueue.graph import statefulness, traversal
from tfqueue.graph.op_types import (
    CALLERS,
    CLOSES,
    DEQUEUES,
    ENQUEUES,
    PASSES,
    QUEUE_KINDS,
    READER_KINDS,
    READS,
    Demand,
    Queue,
    Reader,
    Runner,
    Take,
    redefined,
    runner_name,
)

if TYPE_CHECKING:
    from typing_extensions import Self

_QUEUE_OPS = ENQUEUES | DEQUEUES | CLOSES
_KNOWN = _QUEUE_OPS | READS | CALLERS | frozenset(QUEUE_KINDS) | frozenset(READER_KINDS)
_USERS = READS | CALLERS | PASSES
"""Ops besides a queue's own of which it is known what they do with a queue."""
Use: TypeAlias = Take | tuple[str, Queue]
"""What an op does with a queue: it takes from it, or `"put"` or `"close"` and the queue."""
_sharing = threading.RLock()


class Pipeline:
    """The input pipeline of one graph, kept up to date with it.

    Args:
        graph: A `tf.Graph`; the current default graph when None.
    """

    _kept_as = "_tfqueue_model"

    @classmethod
    def of(cls, graph: Graph) -> Self:
        """The pipeline of `graph` that all who ask share, so that it is read once.

        Args:
            graph: A `tf.Graph`, which keeps it.
        """
        with _sharing:
            found = getattr(graph, cls._kept_as, None)
            if found is None:
                found = cls(graph)
                setattr(graph, cls._kept_as, found)
            found._refresh()
            return found

    def __init__(self, graph: Graph | None = None) -> None:
        self.graph = graph if graph is not None else _tensorflow.compat_v1().get_default_graph()
        self.queues: dict[str, Queue] = {}
        """Queue by op name, in the order they were built."""
        self.readers: dict[str, Reader] = {}
        """Reader by op name."""
        self._seen = 0
        self._version: tuple[int, int] | None = None
        self._used: dict[Op, list[Use]] = {}
        """The queues that an op takes from, puts into or closes, for each op that does."""
        self._demands: dict[tuple[Any, ...], tuple[list[Op], Demand]] = {}
        self._calls_python: dict[Op, bool] = {}
        self._reading = threading.RLock()
        self._refresh()

    def __repr__(self) -> str:
        self._refresh()
        counts: dict[str, Sized] = {
            "queue": self.queues,
            "reader": self.readers,
            "runner": self.runners,
        }
        said = [f"{len(each)} {name}{'s' * (len(each) != 1)}" for name, each in counts.items()]
        return f"<Pipeline: {', '.join(said)}>"

    @property
    def runners(self) -> list[Runner]:
        """The graph's registered `Runner`s, in the order they were registered.

        But for those that run in a way of their own (`redefined`): what their threads do is the
        program's doing, and what they fill is fed by hand.
        """
        return [each for each in self.registered if not redefined(each.queue_runner)]

    @property
    def registered(self) -> list[Runner]:
        """All of the graph's registered `Runner`s, in the order they were registered."""
        keys = _tensorflow.compat_v1().GraphKeys.QUEUE_RUNNERS
        self._refresh()
        found = []
        for queue_runner in self.graph.get_collection_ref(keys):
            queue = self.queues.get(traversal.op_name(runner_name(queue_runner)))
            found.append(Runner(queue_runner, queue))
        return found

    def runners_of(self, queue: Queue) -> list[Runner]:
        """The registered runners that feed `queue`."""
        return [runner for runner in self.runners if runner.queue is queue]

    def knows_users_of(self, queue: Queue) -> bool:
        """Whether of all ops that get a queue it is known what they do with it.

        It is not where one of several is chosen (`QueueBase.from_list`), nor in a `Defun`.
        """
        users = [use for tensor in queue.op.outputs for use in op_building.consumers(tensor)]
        return all(op.type.startswith("Queue") or op.type in _USERS for op in users)

    def demand(self, ops: Iterable[Op], fed: Iterable[str] = ()) -> Demand:
        """What running `ops` takes, puts and reads.

        Args:
            ops: Operations of the graph.
            fed: Names of tensors that the run is fed with, behind which nothing runs.

        Returns:
            A `Demand`, not to be changed.
        """
        self._refresh()
        ops = list(ops)
        key = tuple(map(id, ops)), tuple(fed)
        demands = self._demands
        if key not in demands:
            demands[key] = ops, self._demand(ops, fed)  # kept, so that their ids stay theirs
        return demands[key][1]

    def _demand(self, ops: Sequence[Op], fed: Iterable[str]) -> Demand:
        seen = traversal.ancestors(ops, fed)
        takes, puts, reads, closes = [], [], [], []
        for op, uses in self._used.items():  # in the order in which they were built
            for use in uses if op in seen else ():
                if isinstance(use, Take):
                    takes.append(use)
                    if use.is_read:
                        reads.append(op)
                elif use[0] == "put":
                    puts.append((op, use[1]))
                else:
                    closes.append(use[1])
        blocks = bool(takes or puts) or any(op.type in traversal.WAITS for op in seen)
        return Demand(frozenset(seen), takes, puts, reads, closes, blocks)

    def python_among(self, ops: Collection[Op]) -> list[Op]:
        """Those of `ops` that are Python functions of the program's, or have one in their functions."""
        known = self._calls_python
        for op in ops:
            if op not in known:
                known[op] = statefulness.calls_python(op)
        return [op for op in ops if known[op]]

    def demand_of(self, runner: Any) -> Demand:
        """What the enqueue ops of a `Runner`, or of a `QueueRunner`, demand."""
        queue_runner = getattr(runner, "queue_runner", runner)
        return self.demand(list(map(traversal.as_op, queue_runner.enqueue_ops)))

    def between(self, ops: Iterable[Op], sources: Iterable[Op]) -> list[Op]:
        """The ops that run when `ops` run with `sources` already done.

        Args:
            ops: Operations of the graph.
            sources: Operations behind which nothing is looked for, themselves not among the result.

        Returns:
            A list of operations, in the order they were built.
        """
        order = {op: place for place, op in enumerate(self.graph.get_operations())}
        return sorted(traversal.ancestors(ops, stop=frozenset(sources)), key=order.__getitem__)

    def upstream(self, demand: Demand) -> list[Queue]:
        """Every queue that elements for `demand` come through, nearest first.

        Returns:
            A list of `Queue`s: those the step takes from, those that their
            enqueue ops take from, and so on.
        """
        found, todo = [], [take.queue for take in demand.takes]
        while todo:
            queue = todo.pop(0)
            if queue in found:
                continue
            found.append(queue)
            for op in self.enqueues_of(queue):
                todo += [take.queue for take in self.demand([op]).takes]
        return found

    def enqueues_of(self, queue: Queue) -> list[Op]:
        """The ops that put into `queue`: what its runners run, and what else the graph has."""
        ops = list(queue.enqueues)
        for runner in self.runners_of(queue):
            ops += [
                op for op in map(traversal.as_op, runner.queue_runner.enqueue_ops) if op not in ops
            ]
        return ops

    def feeds_by_hand(self, queue: Queue) -> list[Op]:
        """The enqueue ops of `queue` that no registered runner runs."""
        owned = {
            op
            for runner in self.runners_of(queue)
            for op in traversal.ancestors(map(traversal.as_op, runner.queue_runner.enqueue_ops))
        }
        return [op for op in queue.enqueues if op not in owned]

    def taken_by_program(self) -> list[Take]:
        """The `Take`s that no enqueue op of the graph stands behind: those of the program's steps."""
        self._refresh()
        putting = set()
        for queue in self.queues.values():
            putting |= traversal.ancestors(self.enqueues_of(queue))
        takes = [take for queue in self.queues.values() for take in queue.takes]
        return [take for take in takes if take.op not in putting]

    def endings(self, op: Op) -> list[Op]:
        """The ops that come of `op`, directly or not, and that nothing else in the graph uses.

        What a program may have fetched, where its own fetches are not known.
        """
        waiting: dict[Op, list[Op]] = {}
        for each in self.graph.get_operations():
            for before in each.control_inputs:
                waiting.setdefault(before, []).append(each)
        seen, todo, found = set(), [op], []
        while todo:
            current = todo.pop()
            if current in seen or _tensorflow.CHUNK_SCOPE in current.name:
                continue
            seen.add(current)
            after = [use for tensor in current.outputs for use in op_building.consumers(tensor)]
            after += waiting.get(current, [])
            todo += after
            if not after:
                found.append(current)
        return self.in_order(found)

    def in_order(self, ops: Iterable[Op]) -> list[Op]:
        """`ops` as a list, in the order in which they were built."""
        wanted = set(ops)
        return [op for op in self.graph.get_operations() if op in wanted]

    def reader_of(self, read_op: Op) -> Reader | None:
        """The `Reader` behind a read op, or None."""
        source = traversal.source(read_op.inputs[0])
        return self.readers.get(source.name) if source is not None else None

    # -- reading the graph -------------------------------------------------------------------

    def _refresh(self) -> None:
        # Several threads may ask at once: the program's, its runners', and those of steps that wait.
        with self._reading:
            version = (self.graph.version, op_edits.edits(self.graph))
            if version != self._version:
                self._read_new_ops()
                self._version, self._demands = version, {}

    def _read_new_ops(self) -> None:
        operations = self.graph.get_operations()
        new = [op for op in operations[self._seen :] if op.type in _KNOWN]
        # What the accelerator has built is another way of running what is there already.
        users = {op for op in new if _tensorflow.CHUNK_SCOPE not in op.name}
        for op in new:
            if op in users and op.type in QUEUE_KINDS:
                self.queues[op.name] = traversal.queue_of(op)
            elif op in users and op.type in READER_KINDS:
                self.readers[op.name] = Reader(op, READER_KINDS[op.type])
        self._seen = len(operations)
        for op in new:
            uses = self._uses(op)
            if uses:
                self._used[op] = uses
            if op not in users:
                continue
            for use in uses:
                if isinstance(use, Take):
                    use.queue.takes.append(use)
                elif use[0] == "put":
                    use[1].enqueues.append(op)
            if op.type in READS:
                reader = self.reader_of(op)
                if reader is not None:
                    reader.reads.append(op)

    def _uses(self, op: Op) -> list[Use]:
        """`Take`s, `("put", queue)` and `("close", queue)` that running `op` amounts to."""
        if op.type in _QUEUE_OPS:
            queue, in_branch = self._queue_and_branch(op.inputs[0])
            if queue is None:
                return []
            if op.type in ENQUEUES:
                return [("put", queue)]
            if op.type in CLOSES:
                return [("close", queue)]
            return [Take(op, queue, traversal.amount(op), in_branch)]
        if op.type in READS:
            # A reader takes one file name at a time, and only when it is through with the last.
            queue, in_branch = self._queue_and_branch(op.inputs[1])
            return [Take(op, queue, 1, in_branch)] if queue is not None else []
        if op.type in CALLERS:
            return self._uses_inside(op)
        return []

    def _uses_inside(self, op: Op) -> list[Use]:
        handles = {
            position: queue
            for position, tensor in enumerate(op.inputs)
            if (queue := self._queue_and_branch(tensor)[0]) is not None
        }
        if not handles:
            return []
        # The first input of an `If` or a `Case` is the condition, which the branches do not get.
        skipped = 1 if op.type.endswith(("If", "Case")) else 0
        uses = []
        for name in op_building.functions_called(op.node_def):
            arguments = {position - skipped: queue for position, queue in handles.items()}
            for kind, queue in traversal.uses_in_function(self.graph, name, arguments):
                uses.append(
                    Take(op, queue, None, conditional=True) if kind == "take" else (kind, queue)
                )
        return uses

    def _queue_and_branch(self, tensor: Tensor) -> tuple[Queue | None, bool]:
        source, switched = traversal.source_and_switch(tensor)
        return (self.queues.get(source.name) if source is not None else None), switched
