"""Whether two recordings are of the same program: values, elements, variables, files and the end.

What differs by nature is not held against a program. A value depends on its *sources*: the variables
that it reads, the elements that were taken for it, the draws. Where a source is drawn without a seed,
or its order is left to threads or to a shuffle, the value is compared by dtype and number of
dimensions only, and counted as not compared. A replayed run has no such sources.
"""

from __future__ import annotations

import collections
import dataclasses
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from tfqueue.recording import record_tf1
from tfqueue.recording.recording import Fetches, Recording, Rows, Step, Take, TracedOp, Value
from tfqueue.records.printing import printable

RTOL = 1e-5
_FIRST = "the first value of "
_TINY = 1e-7  # what rounding leaves where numbers near one cancel out
_SIGMAS = 6.0  # how far mean and deviation of two draws of the same distribution may be apart
_GRAPH_SEED = 87654321
# Their values tell nothing of their inputs' values.
_OF_SHAPES = frozenset(["Shape", "ShapeN", "Rank", "Size", "ZerosLike", "OnesLike"])

# An order by which each run has other elements -> why.
_BY_CHANCE = {
    "shared": "elements of a queue from which several ops of a step take",
    "drawn": "elements of a dataset that shuffles, draws or calls Python",
    "random": "elements for which something is drawn or Python is called",
}


@dataclasses.dataclass(frozen=True)
class Difference:
    """One thing that differs.

    Attributes:
        what: What it is about: an op, a variable, a file, the end.
        old: What was recorded, in words.
        new: What is there today, in words.
        step: The number of the step from 0, or None.
        line: ``file:line`` of the program, or an empty string.
    """

    what: str
    old: str
    new: str
    step: int | None = None
    line: str = ""

    def __str__(self) -> str:
        where = f"step {self.step}: " if self.step is not None else ""
        line = f" ({self.line})" if self.line else ""
        return printable(f"{where}{self.what}{line} is {self.new}, was {self.old}")


@dataclasses.dataclass
class Largest:
    """The largest difference of a value that counts as the same.

    Attributes:
        name: The fetch or variable.
        ulp: The difference in units in the last place.
        step: The step, or None for a variable.
    """

    name: str = ""
    ulp: float = 0.0
    step: int | None = None


@dataclasses.dataclass
class Verdict:
    """What a comparison found.

    Attributes:
        differences: What differs, in the order of the program.
        first_op: The first op whose inputs agree and whose output does not, or None.
        compared: How many things of each kind were compared and are the same.
        not_compared: From a reason to how many things could not be compared for it.
        largest: The largest difference of a float that counts as the same.
        by_fetch: From a fetch's name to its largest difference.
    """

    differences: list[Difference] = dataclasses.field(default_factory=list)
    first_op: Difference | None = None
    compared: collections.Counter[str] = dataclasses.field(default_factory=collections.Counter)
    not_compared: collections.Counter[str] = dataclasses.field(default_factory=collections.Counter)
    largest: Largest = dataclasses.field(default_factory=Largest)
    by_fetch: dict[str, Largest] = dataclasses.field(default_factory=dict)

    @property
    def same(self) -> bool:
        """Whether nothing differs."""
        return not self.differences

    def __bool__(self) -> bool:
        return self.same

    def __str__(self) -> str:
        return "\n".join(map(printable, self._lines()))

    def _lines(self, shown: int = 8) -> Iterable[str]:
        counts = ", ".join(f"{count} {kind}" for kind, count in self.compared.items())
        if self.same:
            yield f"the same: {counts or 'nothing was compared'}"
            if self.largest.ulp:
                step = f" at step {self.largest.step}" if self.largest.step is not None else ""
                yield f"  largest difference: {self.largest.ulp:.0f} ulp, {self.largest.name}{step}"
        else:
            yield f"different: {self.differences[0]}"
            if self.first_op is not None:
                yield f"  first op that differs: {self.first_op}"
            for each in self.differences[1:shown]:
                yield f"  {each}"
            if len(self.differences) > shown:
                yield f"  and {len(self.differences) - shown} more"
            if counts:
                yield f"  the same: {counts}"
        for reason, count in self.not_compared.most_common():
            yield f"  not compared: {count} {reason}"


class _Comparison:
    """Goes through two recordings side by side."""

    def __init__(self, old: Recording, new: Recording, rtol: float) -> None:
        self.old = old
        self.new = new
        self.rtol = rtol
        self.verdict = Verdict()
        self.free: dict[str, str] = {}  # source that differs by nature -> why
        self.updates: collections.Counter[str] = collections.Counter()
        self.told: set[str] = set()  # of these a difference has been noted
        self.renamed = _renamed({**old.final, **old.initial}, {**new.final, **new.initial})
        self.takes = same_takes(old.steps, new.steps)

    # -- sources

    def reason(self, sources: Iterable[str]) -> str | None:
        """Why a value with these sources may differ by nature, or None."""
        for source in sorted(sources):
            if source in self.free:
                return self.free[source]
        return None

    def note_draws(self) -> None:
        """Compares seeds, and frees what draws without one."""
        if self.new.replayed:
            return
        for op, (first, second, line) in self.new.seeds.items():
            seeds = self.old.seeds.get(op)
            if not first and not second:
                self.free[f"drawn:{op}"] = "that depend on draws without a seed"
            if seeds is None:
                continue
            if (
                (bool(first) or bool(second)) != (bool(seeds[0]) or bool(seeds[1]))
                or (None not in (second, seeds[1]) and (first, second) != seeds[:2])
                or first != seeds[0]
            ):
                self.differ(
                    f"the seed of {op}", _seed(seeds[:2]), _seed((first, second)), line=line
                )
            elif second is None or seeds[1] is None:
                self.free[f"drawn:{op}"] = "that depend on seeds which TensorFlow counts by its ops"
        self._note_orders()

    def _note_orders(self) -> None:
        """Frees what is taken in an order that the original left open, and no other order.

        Whether threads that the program starts itself put in elements by the end may be chance, so
        only what the graph plans today is held against the original.
        """
        why = "that depend on the order of shuffled elements"
        old, new = _takes(self.old.steps), _takes(self.new.steps)
        for op, takes in new.items():
            before = old.get(self.takes.get(op, ""), [])
            was_fixed = bool(before) and all(take.order == "in order" for take in before)
            planned = {take.planned for take in takes}
            if was_fixed and not planned.isdisjoint(("any", "which")):
                line = takes[0].line
                self.differ(f"the order of what {op} gives", "fixed", "left to chance", line=line)
                self.free[f"taken:{op}"] = why
            elif was_fixed and not planned.isdisjoint(("random", "drawn")):
                continue  # the original drew nothing: the elements are compared
            elif any(take.order != "in order" for take in (*before, *takes)):
                self.free[f"taken:{op}"] = why

    def differ(
        self, what: str, old: str, new: str, step: int | None = None, line: str = ""
    ) -> None:
        """Notes one difference."""
        self.verdict.differences.append(Difference(what, old, new, step, line))

    # -- values

    def value(
        self, name: str, old: Value, new: Value, sources: Iterable[str], step: int | None, line: str
    ) -> bool:
        """Compares two values; returns whether they are the same or cannot be compared."""
        if old.dtype != new.dtype:
            self.differ(name, old.dtype, new.dtype, step, line)
            return False
        why = self.reason(sources)
        if why is not None:
            if len(old.shape) != len(new.shape):
                self.differ(name, f"of shape {old.shape}", f"of shape {new.shape}", step, line)
                return False
            self.verdict.not_compared[f"values {why}"] += 1
            return True
        updates = max((self.updates[s] for s in sources), default=0)
        told = difference(old, new, self.rtol, updates)
        if told is None:
            self._measure(name, old, new, step)
            return True
        if any(source.startswith("python:") for source in sources):
            self.verdict.not_compared["values that a Python function gives"] += 1
            return True
        self.differ(name, told[0], told[1], step, line)
        return False

    def _measure(self, name: str, old: Value, new: Value, step: int | None) -> None:
        if old.digest == new.digest or not old.sample:
            return
        distance = ulps(old, new)
        best = self.verdict.by_fetch.setdefault(name, Largest(name))
        for largest in (best, self.verdict.largest):
            if distance > largest.ulp:
                largest.name, largest.ulp, largest.step = name, distance, step

    # -- variables

    def initial(self) -> None:
        """Compares the variables as they were initialised."""
        old = {self.renamed.get(name, name): value for name, value in self.old.initial.items()}
        new = self.new.initial
        if self.renamed:
            self.verdict.not_compared["names of variables, which are others today"] += len(
                self.renamed
            )
        for name in sorted(old.keys() - new.keys()):
            line = self.old.lines.get(name, "")
            self.differ(f"variable {name}", "there", "missing", line=line)
        for name in sorted(new.keys() - old.keys()):
            line = self.new.lines.get(name, "")
            self.differ(f"variable {name}", "missing", "there", line=line)
        for name in sorted(old.keys() & new.keys()):
            self._initial(name, old[name], new[name])

    def _initial(self, name: str, old: Value, new: Value) -> None:
        sources = self.new.sources.get(name, frozenset()) - {f"variable:{name}"}
        line = self.new.lines.get(name, "")
        if self.reason(sources) is None:
            if self.value(f"{_FIRST}{name}", old, new, (), None, line):
                self.verdict.compared["initial values"] += 1
            return
        if difference(old, new, self.rtol) is None:
            return  # a replay, or a draw that came out the same
        self.free[f"variable:{name}"] = "that depend on initial values drawn at random"
        self.verdict.not_compared["initial values drawn at random"] += 1
        told = other_distribution(old, new)
        if told is not None:
            self.differ(f"{_FIRST}{name}", *told, line=line)

    def final(self) -> None:
        """Compares the variables at the end."""
        old = {self.renamed.get(name, name): value for name, value in self.old.final.items()}
        began = {self.renamed.get(name, name): v for name, v in self.old.initial.items()}
        new = self.new.final
        for name in sorted(old.keys() & new.keys()):
            source = f"variable:{name}"
            why = self.reason([source])
            line = self.new.lines.get(name, "")
            if name in self.new.by_threads and difference(old[name], new[name], self.rtol):
                self.verdict.not_compared["variables that queue runners change"] += 1
                continue
            if why is None:
                if self.value(
                    f"the last value of {name}", old[name], new[name], [source], None, line
                ):
                    self.verdict.compared["variables at the end"] += 1
                continue
            self.verdict.not_compared[f"variables {why}"] += 1
            before, after = began.get(name), self.new.initial.get(name)
            if before is not None and after is not None:
                changed = before.digest != old[name].digest
                changes = after.digest != new[name].digest
                if changed != changes:
                    words = {True: "changed by the program", False: "never changed"}
                    self.differ(f"variable {name}", words[changed], words[changes], line=line)

    # -- steps

    def steps(self) -> None:
        """Compares the steps one by one, as long as the two programs go the same way."""
        for number, (old, new) in enumerate(zip(self.old.steps, self.new.steps, strict=False)):
            if not self.step(number, old, new):
                return
        one, other = len(self.old.steps), len(self.new.steps)
        if one == other:
            self.verdict.compared["steps"] += one
        elif self.free and self._decides():
            self.verdict.not_compared["number of steps, which may follow from values drawn"] += 1
        else:
            self.differ("the number of steps", str(one), str(other))

    def _decides(self) -> bool:
        """Whether a value that differs by nature can have ended the program."""
        ends = {self.old.steps[-1].error if self.old.steps else None}
        ends.add(self.new.steps[-1].error if self.new.steps else None)
        fetches = {id(step.fetches): step.fetches for step in self.new.steps}
        seen = [each.sources[place] for each in fetches.values() for place in each.tensors]
        return ends == {None} and any(self.reason(sources) is not None for sources in seen)

    def step(self, number: int, old: Step, new: Step) -> bool:
        """Compares one step; returns whether the next ones can be compared."""
        if old.fetches.names != new.fetches.names and not _alike(old.fetches, new.fetches):
            if self.free:
                reason = (
                    "steps behind one that takes another way, which may follow from values drawn"
                )
                self.verdict.not_compared[reason] += len(self.old.steps) - number
            else:
                names = ", ".join(old.fetches.names), ", ".join(new.fetches.names)
                line = new.fetches.lines[0] if new.fetches.lines else ""
                self.differ("what is fetched", _short(names[0]), _short(names[1]), number, line)
            return False
        if old.error != new.error:
            words = [error or "good" for error in (old.error, new.error)]
            last = number == len(self.new.steps) - 1
            self.differ("its end", words[0], words[1], number, self.new.line if last else "")
            return False
        self._taken(number, old, new)
        for name in sorted((old.fed.keys() & new.fed.keys()) - self.told):
            told = difference(old.fed[name], new.fed[name], self.rtol)
            if told is not None and not self.free:
                self.differ(f"what is fed to {name}", *told, step=number)
                self.told.add(name)
        if old.values or new.values:
            self._values(number, old, new)
        for name, sources in new.fetches.writes.items():
            why = self.reason(sources)
            if why is not None:
                self.free.setdefault(f"variable:{name}", why)
            self.updates[f"variable:{name}"] += 1
        return True

    def _values(self, number: int, old: Step, new: Step) -> None:
        places = old.fetches.tensors, new.fetches.tensors
        names = [
            [step.fetches.names[place] for place in found]
            for step, found in zip((old, new), places, strict=True)
        ]
        for before, after in pairs(*names):
            if before >= len(old.values) or after >= len(new.values):
                continue
            place = places[1][after]
            name, line = new.fetches.names[place], new.fetches.lines[place]
            sources = new.fetches.sources[place]
            if name in self.told:
                self.verdict.not_compared["values behind one that differs"] += 1
            elif self.value(name, old.values[before], new.values[after], sources, number, line):
                self.verdict.compared["values"] += 1
            else:
                self.told.add(name)

    # -- elements

    def _taken(self, number: int, old: Step, new: Step) -> None:
        for name, before in self.takes.items():
            if before not in old.taken or name not in new.taken:
                continue
            one, other = old.taken[before], new.taken[name]
            line = new.fetches.takes[name].line
            is_free = f"taken:{name}" in self.free  # so an element of another length may be next
            if _kinds(one.types) != _kinds(other.types) or (
                one.types != other.types and not is_free
            ):
                types = ", ".join(one.types), ", ".join(other.types)
                self.differ(f"an element of {name}", *types, step=number, line=line)
            elif not is_free:
                self._in_order(name, number, one, other, line)

    def _in_order(self, name: str, number: int, one: Rows, other: Rows, line: str) -> None:
        if name in self.told:
            return
        if len(one.rows) != len(other.rows):
            counts = f"{len(one.rows)} elements", f"{len(other.rows)} elements"
            self.differ(f"what {name} gives", *counts, step=number, line=line)
            self.told.add(name)
            return
        for row in range(len(one.rows)):
            if not same_row(one, row, other, row, self.rtol):
                where = f"element {row} of what {name} gives"
                old, new = "/".join(one.rows[row]), "/".join(other.rows[row])
                self.differ(where, f"({_short(old)})", f"({_short(new)})", number, line)
                self.told.add(name)
                return
        self.verdict.compared["elements in order"] += len(one.rows)

    def multisets(self) -> None:
        """Compares elements whose order is free, over the whole run."""
        for name, before in sorted(self.takes.items()):
            if f"taken:{name}" in self.free:
                old, new = _all_rows(self.old.steps, before), _all_rows(self.new.steps, name)
                self._in_any_order(name, old, new)
        known = set(self.takes.values())
        for step in self.old.steps:
            for name in step.taken.keys() - known:
                reason = "elements of ops that are missing today, or give other types"
                self.verdict.not_compared[reason] += len(step.taken[name].rows)

    def _in_any_order(
        self, name: str, old: list[tuple[Rows, int]], new: list[tuple[Rows, int]]
    ) -> None:
        before = self.takes[name]
        ended = _ended(self.old.steps, before) and _ended(self.new.steps, name)
        # Chance that the original left nothing to is a difference, and compared.
        orders = {s.fetches.takes[before].order for s in self.old.steps if before in s.taken}
        takes = [s.fetches.takes[name] for s in self.new.steps if name in s.fetches.takes]
        batch = max((len(s.taken[name].rows) for s in self.new.steps if name in s.taken), default=1)
        slack = self._slack(old, new, ended, max(t.held for t in takes), max(batch, 1))
        for chance in sorted(orders & _BY_CHANCE.keys()):
            self.verdict.not_compared[_BY_CHANCE[chance]] += len(old)
            return
        if slack is not None and not ended:
            if any(take.order == "which" for take in takes):
                slack = None
            elif self._decides():
                slack += abs(len(old) - len(new))
        one, other = matched(old, new, self.rtol)
        missing, extra = sum(one.values()), sum(other.values())
        if slack is None:
            reason = "elements of an order that is free, whose end was not reached"
            self.verdict.not_compared[reason] += len(old)
        elif max(missing, extra) > slack:
            was = f"{len(old)} elements"
            told = f"{len(new)} elements, of which {extra} are new and {missing} are missing"
            self.differ(f"what {name} gives", was, told, line=takes[0].line)
        else:
            self.verdict.compared["elements in any order"] += len(new)

    @staticmethod
    def _slack(
        old: Sequence[object], new: Sequence[object], ended: bool, held: int, batch: int
    ) -> int | None:
        """How many elements may differ, as chance decides which are left in the queues."""
        if ended:
            # The last batch is dropped, whichever elements are in it.
            return 0 if len(old) % batch or len(new) % batch else batch - 1
        slack = 2 * (held + batch)
        return slack if slack < min(len(old), len(new)) // 2 else None

    # -- files and the end

    def files(self) -> None:
        """Compares what was written."""
        for path, one in sorted(self.old.files.items()):
            other = self.new.files.get(path)
            if other is None and one.timed:
                self.verdict.not_compared["checkpoints that time decided on"] += 1
            elif other is None:
                self.differ(f"file {path}", "written", "not written")
            elif one.error is None and other.error is None:
                if one.kind == "records" and one.rows != other.rows:
                    self._records(path, one.rows, other.rows)
                self._checkpoint(path, one.values, other.values)
                self.verdict.compared["files"] += 1
            else:
                self.verdict.not_compared["files that were gone or damaged at the end"] += 1

    def _checkpoint(self, path: str, old: Mapping[str, Value], new: Mapping[str, Value]) -> None:
        old = {self.renamed.get(name, name): value for name, value in old.items()}
        for name in sorted(old.keys() & new.keys()):
            if self.reason([f"variable:{name}"]) is None and name not in self.new.by_threads:
                what = f"{name} in checkpoint {path}"
                self.value(what, old[name], new[name], [f"variable:{name}"], None, "")
        if old.keys() != new.keys():
            names = [
                _short(", ".join(sorted(some)) or "none")
                for some in (old.keys() - new.keys(), new.keys() - old.keys())
            ]
            self.differ(f"checkpoint {path}", f"with {names[0]}", f"with {names[1]} in place of it")

    def _records(self, path: str, old: tuple[str, ...], new: tuple[str, ...]) -> None:
        if self.free and self.verdict.not_compared:
            self.verdict.not_compared["files, which may follow from values drawn"] += 1
            return
        place = next(
            (k for k, pair in enumerate(zip(old, new, strict=False)) if pair[0] != pair[1]),
            min(len(old), len(new)),
        )
        told = f"{len(old)} records", f"{len(new)} records, other from record {place} on"
        if collections.Counter(old) == collections.Counter(new):
            told = f"{len(old)} records", f"the same in another order, from record {place} on"
        self.differ(f"file {path}", *told)

    def has_no_step(self) -> bool:
        """Whether the program ended otherwise before its first step, so that all else follows."""
        ends = (self.old.error, self.old.status) != (self.new.error, self.new.status)
        return ends and bool(self.old.steps) and not self.new.steps

    def end(self) -> None:
        """Compares how the programs ended."""
        if "Enough" in (self.old.error, self.new.error):
            return
        if (self.old.error, self.old.status) != (self.new.error, self.new.status):
            words = [
                f"{recording.error or 'good'} (exit status {recording.status})"
                for recording in (self.old, self.new)
            ]
            self.differ("the end of the program", words[0], words[1], line=self.new.line)

    # -- one step's every op

    def trace(self) -> None:
        """Names the first op whose inputs agree and whose output does not, before what differs.

        Ops that lead to no fetch that differs are passed over: gradients and constants are built
        in other ways from release to release.
        """
        if not self.verdict.same:
            self.verdict.first_op = self._first_op(self._before_differing()) or self._first_op(
                {op.name for op in self.new.trace if not op.name.startswith("gradients")}
            )

    def _first_op(self, wanted: set[str]) -> Difference | None:
        """The first of some ops whose inputs agree and whose output does not."""
        old = {self._today(op.name): op for op in self.old.trace}
        values = {_rounded(value) for op in self.old.trace for value in op.outputs.values()}
        traced = {op.name for op in self.new.trace}
        agreed: set[str] = set()
        for op in self.new.trace:
            if op.name not in wanted:
                continue
            before = old.get(op.name)
            if before is None:  # an op of another name agrees where its values are known
                agrees = not op.inputs or all(_rounded(v) in values for v in op.outputs.values())
            else:
                agrees = self._op_agrees(before, op)
            if agrees:
                agreed.update(f"{op.name}:{place}" for place in op.outputs)
            elif all(name in agreed or self._is_given(name, traced) for name in op.inputs):
                if before is not None:
                    found = self._about(before, op)
                elif self._comes_right(op, old):
                    found = None  # TensorFlow builds this in another way today
                else:
                    found = Difference(f"op {op.name}", "missing", f"a {op.type}", line=op.line)
                if found is not None:
                    return found
        return None

    def _today(self, name: str) -> str:
        """The name of an op or a tensor, where a variable is called otherwise today that variable's."""
        op, colon, place = name.partition(":")
        variable, slash, rest = op.rpartition("/")
        if op in self.renamed:
            return self.renamed[op] + colon + place
        return self.renamed.get(variable, variable) + slash + rest + colon + place

    def _is_given(self, name: str, traced: set[str]) -> bool:
        """Whether a tensor is no traced op's, and no variable's that differs by nature."""
        op = name.partition(":")[0]
        variable = op.removesuffix("/read").partition("/ReadVariableOp")[0]
        return op not in traced and f"variable:{variable}" not in self.free

    def _comes_right(self, op: TracedOp, old: Mapping[str, TracedOp]) -> bool:
        """Whether all that comes of an op which only the new program has agrees again."""
        behind = {op.name}
        for each in self.new.trace:
            if each.type in _OF_SHAPES or behind.isdisjoint(
                name.partition(":")[0] for name in each.inputs
            ):
                continue
            if each.name not in old:
                behind.add(each.name)
            elif not self._op_agrees(old[each.name], each):
                return False
        return True

    def _before_differing(self) -> set[str]:
        """The names of the traced ops that lead to the first fetch that differs, or of all."""
        ops = {op.name: op for op in self.new.trace}
        told = [each.what.partition(":")[0] for each in self.verdict.differences]
        ends = [name for name in told if name in ops][:1] or list(ops)
        if told[0].startswith(_FIRST):
            ends = list(ops)  # the initialisation stands before all
        found: set[str] = set()
        while ends:
            name = ends.pop()
            if name in ops and name not in found:
                found.add(name)
                ends.extend(tensor.partition(":")[0] for tensor in ops[name].inputs)
        return found

    def _op_agrees(self, old: TracedOp, new: TracedOp) -> bool:
        return old.type == new.type and all(
            place in new.outputs and difference(value, new.outputs[place], self.rtol) is None
            for place, value in old.outputs.items()
        )

    def _about(self, old: TracedOp, new: TracedOp) -> Difference | None:
        names = [f"{kind}:{new.name}" for kind in ("drawn", "taken", "python")]
        variable = f"variable:{new.name.removesuffix('/read')}"
        if any(name in self.free for name in [*names, variable]) or self._is_source(new):
            return None
        if old.type != new.type:
            return Difference(f"op {new.name}", f"a {old.type}", f"a {new.type}", line=new.line)
        inputs = tuple(map(self._today, old.inputs))
        if inputs != new.inputs:
            given = ", ".join(inputs), ", ".join(new.inputs)
            return Difference(
                f"op {new.name}", f"given ({given[0]})", f"given ({given[1]})", line=new.line
            )
        for place, value in old.outputs.items():
            if place in new.outputs:
                told = difference(value, new.outputs[place], self.rtol)
                if told is not None:
                    return Difference(f"op {new.name}", *told, line=new.line)
        return None

    def _is_source(self, op: TracedOp) -> bool:
        return not op.inputs and op.type not in ("Const", "Placeholder")


def compare(old: Recording, new: Recording, *, rtol: float = RTOL) -> Verdict:
    """Compares two recordings.

    Args:
        old: What the original did.
        new: What is done today; where it was replayed, all is compared.
        rtol: How far floats may be apart, relative to the largest of the value's. A value behind n
            updates of a variable may be n + 1 times as far.

    Returns:
        The verdict.
    """
    comparison = _Comparison(old, new, rtol)
    if comparison.has_no_step():
        comparison.end()
        return comparison.verdict
    comparison.note_draws()
    comparison.initial()
    comparison.steps()
    comparison.multisets()
    comparison.final()
    comparison.files()
    comparison.end()
    comparison.trace()
    return comparison.verdict


# ---- values


def difference(old: Value, new: Value, rtol: float, updates: int = 0) -> tuple[str, str] | None:
    """What differs between two values, in words for each; None if nothing does.

    Args:
        old: The recorded value.
        new: Today's.
        rtol: How far floats may be apart, relative to the largest.
        updates: How often a variable was changed before; each time adds its rounding.

    >>> one = Value("int32", (2,), "ab")
    >>> difference(one, one, 1e-5) is None
    True
    >>> difference(one, Value("int64", (2,), "ab"), 1e-5)
    ('int32', 'int64')
    """
    if old.dtype != new.dtype:
        return old.dtype, new.dtype
    if old.shape != new.shape:
        return f"of shape {_shape(old)}", f"of shape {_shape(new)}"
    if old.tags != new.tags:
        return f"of tags {', '.join(old.tags)}", f"of tags {', '.join(new.tags)}"
    if old.digest == new.digest:
        return None
    if not old.sample or len(old.sample) != len(new.sample):
        return f"digest {old.digest}", f"digest {new.digest}"
    one, other = np.array(old.sample), np.array(new.sample)
    scale, tiny = _scale(old, new), _tiny(old) * (1 + 4 * updates)
    rtol *= 1 + updates
    close = np.isclose(other, one, rtol=rtol, atol=rtol * scale + tiny, equal_nan=True)
    if not close.all():
        place = int(np.argmin(close))
        return f"{one[place]:.9g}", f"{other[place]:.9g}"
    if not old.moments or not new.moments:
        return None
    if old.moments[5] != new.moments[5]:
        return f"with {old.moments[5]:.0f} not finite", f"with {new.moments[5]:.0f} not finite"
    for place, what in ((0, "minimum"), (1, "maximum")):
        if abs(old.moments[place] - new.moments[place]) > rtol * scale + tiny:
            return f"of {what} {old.moments[place]:.9g}", f"of {what} {new.moments[place]:.9g}"
    # The sum of n numbers may be apart by rtol times the sum of their absolute values.
    bound = rtol * math.sqrt(old.size * max(old.moments[3], new.moments[3])) + tiny * old.size
    bound += 1e-30
    if abs(old.moments[2] - new.moments[2]) > bound:
        return f"of sum {old.moments[2]:.9g}", f"of sum {new.moments[2]:.9g}"
    for by_place in zip(old.moments[6:], new.moments[6:], strict=False):
        if abs(by_place[0] - by_place[1]) > bound:
            return f"of sum by place {by_place[0]:.9g}", f"of sum by place {by_place[1]:.9g}"
    return None


def first_apart(
    old: np.ndarray[Any, Any],
    new: np.ndarray[Any, Any],
    rtol: float,
    scale: float | None = None,
) -> int | None:
    """The place of the first value that differs between two arrays of one shape, or None.

    Args:
        old: An array of any dtype.
        new: The array that it is compared with.
        rtol: How far floats may be apart, relative to `scale`; others are compared exactly.
        scale: The largest absolute value; that of the arrays when None.

    Returns:
        The place in the flat array.

    >>> first_apart(np.array([[1.0, 2.0]]), np.array([[1.0, 2.5]]), 1e-5)
    1
    """
    one, other = old.ravel(), new.ravel()
    if record_tf1.is_float(one):
        wide = np.complex128 if "c" in (one.dtype.kind, other.dtype.kind) else np.float64
        one, other = one.astype(wide), other.astype(wide)
        if scale is None:
            scale = max(largest(one), largest(other))
        apart = ~np.isclose(other, one, rtol=rtol, atol=rtol * scale, equal_nan=True)
    else:
        apart = one != other
    return int(np.argmax(apart)) if np.any(apart) else None


def largest(array: np.ndarray[Any, Any]) -> float:
    """The largest absolute value of an array of floats, of those that are finite."""
    sizes = np.abs(array).astype(np.float64)
    return float(np.max(sizes, where=np.isfinite(sizes), initial=0.0))


def _scale(old: Value, new: Value) -> float:
    """The largest finite number of two values."""
    numbers = (*old.moments[:2], *new.moments[:2], *old.sample, *new.sample)
    return max((abs(m) for m in numbers if math.isfinite(m)), default=0.0)


def _tiny(value: Value) -> float:
    return 0.0 if value.dtype in ("float64", "complex128") else _TINY


def ulps(old: Value, new: Value) -> float:
    """The largest difference of two samples in units in the last place of the dtype."""
    kind = np.dtype(old.dtype) if old.dtype in ("float16", "float32", "float64") else np.dtype("f4")
    one, other = (np.array(value.sample, kind) for value in (old, new))
    finite = np.isfinite(one) & np.isfinite(other)
    if not finite.any():
        return 0.0
    one, other = one[finite], other[finite]
    spacing = np.spacing(np.maximum(np.abs(one), np.abs(other)))
    return float(np.max(np.abs(one.astype("f8") - other.astype("f8")) / spacing.astype("f8")))


def other_distribution(old: Value, new: Value) -> tuple[str, str] | None:
    """What tells that two random values are of different distributions, or None.

    Mean and deviation of n draws are apart by chance; the bound is six times what is usual.
    """
    if old.shape != new.shape:
        return f"of shape {_shape(old)}", f"of shape {_shape(new)}"
    if not old.moments or not new.moments or old.size < 8:
        return None
    means, deviations, kurtosis = [], [], 3.0
    for value in (old, new):
        total, squares, fourths = value.moments[2:5]
        mean = total / value.size
        means.append(mean)
        deviations.append(math.sqrt(max(0.0, squares / value.size - mean * mean)))
        if squares:
            kurtosis = max(kurtosis, fourths * value.size / (squares * squares))
    wide = max(deviations)
    if abs(means[0] - means[1]) > _SIGMAS * wide * math.sqrt(2 / old.size) + _TINY:
        return f"of mean {means[0]:.3g}", f"of mean {means[1]:.3g}"
    if min(deviations) <= _TINY < wide:
        return f"of deviation {deviations[0]:.3g}", f"of deviation {deviations[1]:.3g}"
    # The logarithm of the deviation of n draws is apart by sqrt((kurtosis - 1) / 4n) by chance.
    bound = _SIGMAS * math.sqrt((kurtosis - 1) / (2 * old.size))
    if wide > _TINY and abs(math.log(deviations[0] / deviations[1])) > bound:
        return f"of deviation {deviations[0]:.3g}", f"of deviation {deviations[1]:.3g}"
    return None


def same_row(one: Rows, at: int, other: Rows, place: int, rtol: float) -> bool:
    """Whether two elements are the same; float components by their extremes and sums."""
    return all(
        old == new or _same_floats(one, at, other, place, component, rtol)
        for component, (old, new) in enumerate(zip(one.rows[at], other.rows[place], strict=True))
    )


def _same_floats(one: Rows, at: int, other: Rows, place: int, component: int, rtol: float) -> bool:
    """Whether one component of two elements is of floats that are nearly the same."""
    if component not in one.floats or component not in other.floats:
        return False
    old, new = one.floats[component][at], other.floats[component][place]
    if old[3:] != new[3:]:
        return False  # what is not finite
    tiny = 0.0 if one.types[component].startswith("float64") else _TINY
    extreme = max(map(abs, (*old[1:3], *new[1:3])))
    if extreme <= tiny:
        return True
    bound = 2 * rtol * extreme + tiny
    if not all(_close(*pair, bound) for pair in zip(old[1:3], new[1:3], strict=True)):
        return False
    by_place = [
        rows.places[component][row]
        for rows, row in ((one, at), (other, place))
        if component in rows.places
    ]
    # Positive and negative numbers cancel out in a sum; the rounding of each does not.
    usual = max(abs(old[0]), abs(new[0]), extreme)
    bound = rtol * max((absolute for _, absolute in by_place), default=usual) + tiny
    sums = [(old[0], new[0])]
    if len(by_place) == 2:
        sums.append((by_place[0][0], by_place[1][0]))
    return all(_close(*pair, bound) for pair in sums)


def _close(one: float, other: float, bound: float) -> bool:
    """Whether two numbers are apart by no more than a bound; infinity is infinity."""
    return math.isclose(one, other, rel_tol=0.0, abs_tol=bound)


def matched(
    old: Sequence[tuple[Rows, int]],
    new: Sequence[tuple[Rows, int]],
    rtol: float,
    same: Callable[[Rows, int, Rows, int, float], bool] = same_row,
) -> tuple[collections.Counter[object], collections.Counter[object]]:
    """The elements of each that the other has not, as often as they are over.

    Args:
        old: Elements, each as `Rows` and its place in them.
        new: The elements that they are compared with.
        rtol: How far floats may be apart.
        same: Whether two elements of different digests are the same, as `same_row`.
    """
    one, other = (collections.Counter(_key(*each) for each in rows) for rows in (old, new))
    left, right = one - other, other - one
    if not left or not right or not any(rows.floats for rows, _ in old):
        return left, right
    groups = _groups([each for each in new if _key(*each) in right])
    for rows, place in old:
        key = _key(rows, place)
        group = groups.get(_exact(rows, place))
        if group is None or left[key] <= 0:
            continue
        for candidate, other_place in group.near(rows, place, rtol):
            found = _key(candidate, other_place)
            if right[found] > 0 and same(rows, place, candidate, other_place, rtol):
                left[key] -= 1
                right[found] -= 1
                break
    return +left, +right


class _Group:
    """Elements that agree in all components but those of floats."""

    def __init__(self, members: Sequence[tuple[Rows, int]]) -> None:
        self._members = members
        self._extremes = np.array([_extremes(*each) for each in members])
        self._largest = np.abs(self._extremes).max(axis=(0, -1))[:, np.newaxis]

    def near(self, rows: Rows, place: int, rtol: float) -> Iterator[tuple[Rows, int]]:
        """Yields the elements whose extremes are nearly those of a given one, the nearest first.

        The bound is that of the largest value of each component, so that no element is left out.
        """
        mine = np.array(_extremes(rows, place))
        if mine.shape != self._extremes.shape[1:]:
            return
        widest = np.maximum(self._largest, np.abs(mine).max(axis=-1, keepdims=True))
        bound = 2 * rtol * widest + _TINY
        with np.errstate(over="ignore"):  # infinity is the largest number here
            apart = np.abs(self._extremes - mine)
        close = np.flatnonzero((apart <= bound).all(axis=(1, 2)))
        for number in close[np.argsort(apart[close].max(axis=(1, 2)), kind="stable")].tolist():
            yield self._members[number]


def _groups(rows: Sequence[tuple[Rows, int]]) -> dict[object, _Group]:
    found: dict[object, list[tuple[Rows, int]]] = {}
    for each in rows:
        found.setdefault(_exact(*each), []).append(each)
    return {exact: _Group(members) for exact, members in found.items()}


def _exact(rows: Rows, place: int) -> object:
    """The digests of the components that are no floats, and which those are."""
    return tuple(d for k, d in enumerate(rows.rows[place]) if k not in rows.floats), tuple(
        sorted(rows.floats)
    )


def _extremes(rows: Rows, place: int) -> list[tuple[float, ...]]:
    """Minimum and maximum of each float component of an element."""
    return [rows.floats[k][place][1:] for k in sorted(rows.floats)]


def _key(rows: Rows, place: int) -> object:
    return rows.rows[place]


def _all_rows(steps: Iterable[Step], name: str) -> list[tuple[Rows, int]]:
    return [
        (step.taken[name], place)
        for step in steps
        if name in step.taken
        for place in range(len(step.taken[name].rows))
    ]


def pairs(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """Which place of some names is which of others: by name, then what is left by place.

    >>> pairs(["a", "b", "c"], ["c", "x", "b"])
    [(0, 1), (1, 2), (2, 0)]
    """
    where = {name: place for place, name in enumerate(new)}
    found = {place: where[name] for place, name in enumerate(old) if name in where}
    taken = set(found.values())
    left = [place for place in range(len(old)) if place not in found]
    right = [place for place in range(len(new)) if place not in taken]
    found.update(zip(left, right, strict=False))
    return sorted(found.items())


def _renamed(old: Mapping[str, Value], new: Mapping[str, Value]) -> dict[str, str]:
    """From old names to new ones of variables that are called otherwise today.

    Those are taken for the same of which as many are left on both sides, by dtype and shape; the same
    values first.
    """
    found: dict[str, str] = {}
    left, right = (
        {name: one[name] for name in sorted(one.keys() - other.keys())}
        for one, other in ((old, new), (new, old))
    )
    kinds = [
        collections.Counter((v.dtype, v.shape) for v in some.values()) for some in (left, right)
    ]
    for name, value in left.items():
        kind = value.dtype, value.shape
        if kinds[0][kind] != kinds[1][kind]:
            continue
        alike = [n for n, v in right.items() if (v.dtype, v.shape) == kind]
        found[name] = min(alike, key=lambda n: (right[n].digest != value.digest, n))
        del right[found[name]]
    return found


def same_takes(old: Sequence[Step], new: Sequence[Step]) -> dict[str, str]:
    """From today's ops that take elements to the recorded ones: by name, else by types."""
    types: list[dict[str, list[tuple[str, int]]]] = [{}, {}]
    for found, steps in zip(types, (old, new), strict=True):
        for step in steps:
            for name, rows in step.taken.items():
                found.setdefault(name, _kinds(rows.types))
    pairs = {name: name for name in types[1] if name in types[0]}
    left = [name for name in sorted(types[0]) if name not in pairs]
    for name in sorted(types[1].keys() - pairs.keys()):
        before = next((each for each in left if types[0][each] == types[1][name]), None)
        if before is not None:
            pairs[name] = before
            left.remove(before)
    return pairs


def _takes(steps: Iterable[Step]) -> dict[str, list[Take]]:
    """From an op that takes elements to what is known of it, once for each kind of step."""
    found: dict[str, list[Take]] = {}
    for fetches in {id(step.fetches): step.fetches for step in steps}.values():
        for op, take in fetches.takes.items():
            found.setdefault(op, []).append(take)
    return found


def _kinds(types: Iterable[str]) -> list[tuple[str, int]]:
    """Dtypes and numbers of dimensions, of types such as ``float32[4, 13]``."""
    parts = [each.partition("[") for each in types]
    return [
        (dtype, len(shape.rstrip("]").split(", ")) if shape != "]" else 0)
        for dtype, _, shape in parts
    ]


def _ended(steps: Iterable[Step], name: str) -> bool:
    """Whether a step that takes by an op found the end of the data."""
    return any(step.error == "OutOfRangeError" and name in step.fetches.takes for step in steps)


def _alike(old: Fetches, new: Fetches) -> bool:
    """Whether fetches of other names may be the same: tensors and operations at the same places."""
    kinds = [[":" in name for name in fetches.names] for fetches in (old, new)]
    return kinds[0] == kinds[1]


def _rounded(value: Value) -> tuple[object, ...]:
    """What two values have in common that are the same but for the last digits of floats."""
    exact = tuple(float(f"{each:.3g}") for each in value.sample) if value.sample else value.digest
    return value.dtype, value.shape, exact


def _seed(seeds: tuple[int | None, ...]) -> str:
    given = [str(seed) for seed in seeds if seed is not None and seed != _GRAPH_SEED]
    return "/".join(given) if any(seeds) else "not set"


def _shape(value: Value) -> str:
    return f"({', '.join(map(str, value.shape))})"


def _short(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:57]}..."
