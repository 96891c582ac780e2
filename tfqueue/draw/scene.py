"""What there is to draw: cards and the arrows between them, as the pipeline's model has them.

A card is a queue, a source of names or data, what a runner's thread does with one element, or what
the program's step does. Where things stand on a page is decided in `layout`.
"""

from __future__ import annotations

import collections
import os
import re
from collections.abc import Mapping, Sequence
from typing import Any

from tfqueue import accelerate
from tfqueue._tensorflow import op_building
from tfqueue._tensorflow.types import Op
from tfqueue.draw import broken_place, folded_ops
from tfqueue.draw.broken_place import Place
from tfqueue.draw.cards import Card, Edge, Scene, Section
from tfqueue.graph import producers
from tfqueue.graph.model import Pipeline
from tfqueue.graph.op_types import CALLERS, Demand, Queue, Reader, Runner, StepRequest, Take
from tfqueue.output.printing import printable

_TIMES = "\N{MULTIPLICATION SIGN}"
_SHOWN = 3
"""Names, shapes or ops that a closed card lists."""
_UPDATES = ("Apply", "ResourceApply", "ResourceSparseApply", "SparseApply", "AssignSub")


def build(
    pipeline: Pipeline,
    *,
    step: StepRequest | None = None,
    error: BaseException | None = None,
    notes: Mapping[str, str] | None = None,
    title: str | None = None,
) -> Scene:
    """The scene of a pipeline.

    Args:
        step: The program's step, with `ops`, `leaves` and `place`
            (`tfqueue.graph.op_types.StepRequest`); None where it is not known.
        error: The exception that a step or a runner raised, to mark the place.
        notes: Dict of queue name to a line to put on it, such as `37 of 50`.
        title: What the picture shows; "Input pipeline" when None.

    Returns:
        A `Scene`.
    """
    return _Builder(pipeline, step, broken_place.place(pipeline, error), notes or {}).scene(
        title or "Input pipeline"
    )


class _Builder:
    def __init__(
        self, pipeline: Pipeline, step: StepRequest | None, place: Place, notes: Mapping[str, str]
    ) -> None:
        self.pipeline, self.step, self.place, self.notes = pipeline, step, place, notes
        self.cards: dict[str, Card] = {}
        self.edges: list[Edge] = []
        self.run_by_runners: set[Op] = set()
        for runner in pipeline.runners:
            ops = [getattr(op, "op", op) for op in runner.queue_runner.enqueue_ops]
            self.run_by_runners |= pipeline.demand(ops).ops

    def scene(self, title: str) -> Scene:
        for queue in self.pipeline.queues.values():
            for filler in self._fillers(queue):
                self._filler(queue, *filler)
            self._queue(queue)
        self._steps()
        if self.place.kind and not self._elsewhere():
            for queue in self.place.filled:
                self.cards[_key(queue)].sections[0].bad = self.place.kind
        if self.pipeline.queues:
            described = "; ".join(_said(card) for card in self.cards.values())
        else:
            described = "This graph has no queue."
            self.cards["nothing"] = Card("nothing", "source", [Section("no queue in this graph")])
        place = self.place
        return _printable(
            Scene(self.cards, self.edges, title, described, place.message, place.kind)
        )

    # -- queues and who fills them -----------------------------------------------------------

    def _queue(self, queue: Queue) -> None:
        most = "no limit" if queue.capacity < 0 else f"capacity {queue.capacity}"
        lines = [queue.name, most]
        strip = 0.0 if queue.capacity > 0 else None
        if queue.min_after_dequeue:
            lines.append(f"min_after_dequeue {queue.min_after_dequeue}")
            if queue.capacity > 0:
                strip = min(1.0, queue.min_after_dequeue / queue.capacity)
        if queue.shared_name:
            lines.append(f"shared as {queue.shared_name}")
        if queue.name in self.notes:
            lines.append(self.notes[queue.name])
        hint = f"{queue.kind} '{queue.name}', {most}"
        section = Section(queue.kind, lines, hint, strip=strip)
        section.bad = self.place.kind if queue in self.place.queues else ""
        self.cards[_key(queue)] = Card(_key(queue), "queue", [section])

    def _fillers(self, queue: Queue) -> list[tuple[Op, Runner | None, int, int]]:
        """`(op, Runner or None, threads, ops alike)` for each different op that fills `queue`."""
        found = []
        for runner in self.pipeline.runners_of(queue):
            ops = [getattr(op, "op", op) for op in runner.queue_runner.enqueue_ops]
            alike: dict[tuple[Any, ...], list[Op]] = {}
            for op in ops:
                alike.setdefault(self._look(op), []).append(op)
            found += [(same[0], runner, len(same), len(set(same))) for same in alike.values()]
        by_hand = [op for op in queue.enqueues if op not in self.run_by_runners]
        return found + [(op, None, 0, 1) for op in by_hand]

    def _look(self, op: Op) -> tuple[Any, ...]:
        """What two enqueue ops must share to be drawn as one: `batch_join` has many alike."""
        demand = self.pipeline.demand([op])
        readers = sorted(
            (reader.kind, _settings(reader))
            for read in demand.reads
            if (reader := self.pipeline.reader_of(read))
        )
        queues = sorted(take.queue.name for take in demand.takes)
        parts = [str(part) for part in folded_ops.parts_of(self._inside(demand))]
        return tuple(readers), tuple(queues), tuple(parts)

    def _filler(
        self, queue: Queue, op: Op, runner: Runner | None, threads: int, alike: int
    ) -> None:
        demand = self.pipeline.demand([op])
        if demand.takes:
            sections = self._work(demand, alike=alike)
            card = Card(f"work {op.name}", "work", sections, alike)
            if not self._batches(demand, card) and not sections:
                sections.append(Section("moved on as it is"))
        else:
            section = self._source(demand, op)
            if self.place.op is not None and self.place.op in demand.ops:
                section.bad = self.place.kind
            card = Card(f"source {op.name}", "source", [section])
        self.cards[card.key] = card
        self.edges += self._puts(queue, op, runner, threads, demand, card)

    def _puts(
        self, queue: Queue, op: Op, runner: Runner | None, threads: int, demand: Demand, card: Card
    ) -> list[Edge]:
        """The arrows from a card to the queues that its step fills, the runner's own first."""
        targets = {queue: False}
        for put, each in demand.puts:
            conditional = put.type in CALLERS or op_building.cond_context(put) is not None
            targets[each] = targets.get(each, False) or conditional
        edges: list[Edge] = []
        for each, conditional in targets.items():
            edge = Edge(card.key, _key(each), 0 if edges else threads, conditional=conditional)
            said = []
            if edges:
                edge.hint = edges[0].hint
            elif runner is not None:
                said.append(_counted(threads, "thread"))
                edge.hint = f"QueueRunner '{runner.name}', {said[0]}"
                if demand.takes:
                    strategy, text, known = accelerate.strategy_of(self.pipeline, runner, op)
                    edge.strategy = strategy.value
                    if not known and strategy is not accelerate.Strategy.SINGLE:
                        edge.strategy = f"can be {edge.strategy}"
                    edge.hint += f": {text}"
            else:
                said.append("by hand")
                edge.hint = f"the program itself runs '{op.name}'"
            if conditional:
                if not edges:
                    said.append("conditional")
                if not (edges and edges[0].conditional):
                    edge.hint += "; each element goes where its condition holds"
            edge.label = ", ".join(said)
            if each in self.place.queues and self.place.runner_missing:
                edge.bad, edge.label = self.place.kind, "not started"
            edges.append(edge)
        return edges

    def _batches(self, demand: Demand, card: Card) -> bool:
        """Shows the batches that a card's step takes; returns whether there are any.

        A single one stands on the card itself; of several each is a box of its own.
        """
        batches = [take for take in demand.takes if _takes_many(take) and not take.is_read]
        if len(batches) > 1:
            for take in self.pipeline.in_order({each.op for each in batches}):
                each = next(one for one in batches if one.op is take)
                key = f"batch {take.name} of {card.key}"
                self.cards[key] = Card(key, "work", [self._batch(each)])
                self.edges += [Edge(_key(each.queue), key), Edge(key, card.key)]
        else:
            card.sections[:0] = [self._batch(take) for take in batches]
        alone = [take for take in demand.takes if len(batches) < 2 or take not in batches]
        for queue in dict.fromkeys(take.queue for take in alone):
            self.edges.append(Edge(_key(queue), card.key))
        return bool(batches)

    def _inside(self, demand: Demand) -> list[Op]:
        """The ops between what is taken and what is put, in the order they were built."""
        outside = {take.op for take in demand.takes} | {op for op, _ in demand.puts}
        outside |= {queue.op for queue in self.pipeline.queues.values()}
        outside |= {reader.op for reader in self.pipeline.readers.values()}
        return [op for op in self.pipeline.in_order(demand.ops) if op not in outside]

    def _work(
        self, demand: Demand, title: str = "for each example", alike: int = 1
    ) -> list[Section]:
        sections = []
        readers: collections.Counter[tuple[str, str]] = collections.Counter()
        for read in self.pipeline.in_order(demand.reads):
            reader = self.pipeline.reader_of(read)
            if reader is not None:
                readers[reader.kind, _settings(reader)] += 1
                if self.place.op in (read, reader.op):
                    readers[reader.kind, "failed"] = 0
        for (kind, settings), count in readers.items():
            if not count:
                continue
            name = kind if count * alike == 1 else f"{kind} {_TIMES}{count * alike}"
            bad = self.place.kind if (kind, "failed") in readers else ""
            sections.append(Section(name, [settings] if settings else [], name, bad=bad))
        inside = self._inside(demand)
        parts = folded_ops.parts_of(inside)
        if parts:
            section = _folded(title, parts)
            if self.place.op in inside:
                section.bad = self.place.kind
                named = [part for part in parts if self.place.op in part.ops]
                if named and str(named[0]) not in section.lines:
                    section.lines[-1:] = [str(named[0])]
            sections.append(section)
        return sections

    def _source(self, demand: Demand, op: Op) -> Section:
        if op.type.startswith("QueueEnqueueMany"):
            produced = producers.production(self.pipeline, op)
            often = ", ".join(
                [_epochs(produced.epochs), *(["shuffled"] if produced.shuffled else [])]
            )
            if produced.names is not None:
                names = [os.path.basename(name) or name for name in produced.names]
                lines = _some(names, _SHOWN)
                lines.append(often)
                hint = ", ".join(produced.names)
                return Section(_counted(len(names), "file"), lines, hint)
            if produced.pattern is not None:
                lines = [produced.pattern, often]
                return Section("files that match", lines, produced.pattern)
            if produced.numbers is not None:
                lines = [f"0 to {produced.numbers - 1}", often]
                return Section("numbers", lines, f"the numbers {', '.join(lines)}")
        fed = [
            each
            for each in self.pipeline.in_order(demand.ops)
            if each.type.startswith("Placeholder")
        ]
        many = op.type.startswith("QueueEnqueueMany")
        shapes = []
        for tensor in list(op.inputs)[1:]:
            dims = tensor.shape.dims
            shapes.append(folded_ops.of_shape(dims[1:] if many and dims else dims, tensor.dtype))
        if fed:
            return Section("feed_dict", _some(shapes, _SHOWN), ", ".join(each.name for each in fed))
        parts = folded_ops.parts_of(self._inside(demand))
        if parts:
            return _folded("made in the graph", parts)
        first = op.inputs[1].shape
        known = many and first.rank and first[0] is not None
        count = getattr(first[0], "value", first[0]) if known else None
        title = _counted(count, "element") if count else "constant"
        return Section(title, _some(shapes, _SHOWN), f"'{op.name}' puts constants")

    # -- the program's own steps -------------------------------------------------------------

    def _steps(self) -> None:
        left = self.pipeline.taken_by_program()
        if self.step is not None:
            demand = self.pipeline.demand(self.step.ops, self.step.fed)
            self._one_step("step", demand, self.step)
            taken = {take.op for take in demand.takes}
            left = [take for take in left if take.op not in taken]
        ends = {take: self.pipeline.endings(take.op) for take in left}
        while left:
            # What has an ending in common is one step, as far as anyone can know.
            group = [left.pop(0)]
            ops = set(ends[group[0]])
            for take in list(left):
                if ops & set(ends[take]):
                    group.append(take)
                    ops |= set(ends[take])
                    left.remove(take)
            demand = self.pipeline.demand(self.pipeline.in_order(ops))
            self._one_step(f"step {group[0].op.name}", demand, None)

    def _one_step(self, key: str, demand: Demand, step: StepRequest | None) -> None:
        sections = []
        batched = [take for take in demand.takes if not take.is_read]
        single = [take for take in batched if not _takes_many(take)]
        for take in sorted(single, key=lambda take: take.op.name):
            sections.append(self._batch(take))
        trains = any(op.type.startswith(_UPDATES) for op in demand.ops)
        later = [] if trains or step is None else self._updates(demand)
        # A model's ops are not the pipeline's: what a training step does is not listed.
        work = self._work(demand, "in the same step" if batched else "for each example")
        sections += [part for part in work if not part.rows or not (trains or later)]
        lines = []
        if step is not None and not later:
            names = [re.split("[/:]", leaf.name)[0] for leaf in step.leaves]
            lines += _some(list(dict.fromkeys(names)), 2)
            if step.place is not None:
                lines.append(f"{os.path.basename(step.place[0])}:{step.place[1]}")
        lines += _some([op.name for op in later], 2)
        title = "training step" if trains or later else "Session.run"
        hint = f"{title}: " + (", ".join(leaf.name for leaf in step.leaves) if step else "")
        last = Section(title, lines, hint.rstrip(": "))
        if self.place.op is not None and self.place.op in demand.ops:
            if not any(section.bad for section in sections) and not self._elsewhere():
                last.bad = self.place.kind
        sections.append(last)
        card = Card(key, "step", sections)
        self._batches(demand, card)
        self.cards[key] = card

    def _updates(self, demand: Demand) -> list[Op]:
        """The ops that train on what a step takes, where that step only looks at it."""
        ends = [end for take in demand.takes for end in self.pipeline.endings(take.op)]
        found = []
        for end in dict.fromkeys(ends):
            if any(op.type.startswith(_UPDATES) for op in self.pipeline.demand([end]).ops):
                found.append(end)
        return found

    def _elsewhere(self) -> bool:
        """Whether the broken op has been marked on a card already."""
        return any(section.bad for card in self.cards.values() for section in card.sections)

    def _batch(self, take: Take) -> Section:
        op = take.op
        amount = take.amount
        if not _takes_many(take):
            title = "one element"
        else:
            upto = "up to " if "UpTo" in op.type else ""
            title = f"batch of {upto}{amount if amount is not None else '?'}"
        shapes = [folded_ops.of_tensor(tensor) for tensor in op.outputs]
        section = Section(title, _some(shapes, _SHOWN), f"'{op.name}': {', '.join(shapes)}")
        return section


def _printable(scene: Scene) -> Scene:
    """The scene without characters that no picture can hold: names of files and keys are bytes.

    They would make the SVG unreadable, write to a terminal past the picture, or turn its words
    around; shown are their numbers.
    """
    for card in scene.cards.values():
        for section in card.sections:
            section.title, section.hint = printable(section.title), _escaped_lines(section.hint)
            section.lines = [printable(line) for line in section.lines]
            section.rows = [(printable(name), printable(gives)) for name, gives in section.rows]
    for edge in scene.edges:
        edge.label, edge.hint = printable(edge.label), _escaped_lines(edge.hint)
    scene.title, scene.description = printable(scene.title), printable(scene.description)
    scene.message = printable(scene.message)
    return scene


def _escaped_lines(text: str) -> str:
    return "\n".join(map(printable, text.split("\n")))


def _folded(title: str, parts: Sequence[folded_ops.Part]) -> Section:
    lines = _some([str(part) for part in parts], _SHOWN)
    rows = [(str(part), part.gives) for part in parts]
    hint = "\n".join(f"{name}: {gives}" if gives else name for name, gives in rows)
    return Section(title, lines, hint, rows)


def _takes_many(take: Take) -> bool:
    return take.op.type.startswith(("QueueDequeueMany", "QueueDequeueUpTo"))


def _settings(reader: Reader) -> str:
    """What a reader was told, in a few words."""
    told = []
    for name in ("skip_header_lines", "record_bytes", "header_bytes", "compression_type"):
        try:
            value = reader.op.get_attr(name)
        except ValueError:
            continue
        if value:
            told.append(f"{name} {value.decode() if isinstance(value, bytes) else value}")
    return ", ".join(told)


def _key(queue: Queue) -> str:
    return f"queue {queue.name}"


def _epochs(count: int | None) -> str:
    return "again and again" if count is None else _counted(count, "epoch")


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}{'s' if count != 1 else ''}"


def _some(items: Sequence[str], most: int) -> list[str]:
    if len(items) <= most:
        return list(items)
    return [*items[: most - 1], f"and {len(items) - most + 1} more"]


def _said(card: Card) -> str:
    return ", ".join(" ".join([section.title, *section.lines]) for section in card.sections)
