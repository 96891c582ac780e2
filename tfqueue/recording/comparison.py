"""Whether two recordings are of the same program: values, elements, variables, files and the end.

`tolerances.difference` compares two values.

What differs by nature is not held against a program. A value depends on its *sources*: the variables
that it reads, the elements that were taken for it, the draws. Where a source is drawn without a seed,
or its order is left to threads or to a shuffle, the value is compared by dtype and number of
dimensions only, and counted as not compared. A replayed run has no such sources.
"""

from __future__ import annotations

import collections
from collections.abc import Iterable, Mapping, Sequence

from tfqueue.recording.elements import all_rows, matched, same_row
from tfqueue.recording.first_op import FIRST_VALUE, Search
from tfqueue.recording.outcome import Difference, Largest, Outcome
from tfqueue.recording.recording import Fetches, Recording, Rows, Step, Take, Value
from tfqueue.recording.tolerances import RTOL, difference, other_distribution, ulps

_GRAPH_SEED = 87654321

# An order by which each run has other elements -> why.
_BY_CHANCE = {
    "shared": "elements of a queue from which several ops of a step take",
    "drawn": "elements of a dataset that shuffles, draws or calls Python",
    "random": "elements for which something is drawn or Python is called",
}


class _Comparison:
    """Goes through two recordings side by side."""

    def __init__(self, old: Recording, new: Recording, rtol: float) -> None:
        self.old = old
        self.new = new
        self.rtol = rtol
        self.outcome = Outcome()
        self.free: dict[str, str] = {}  # source that differs by nature -> why
        self.updates: collections.Counter[str] = collections.Counter()
        self.told: set[str] = set()  # of these a difference has been noted
        self.fetched_free = False  # whether the program has got a value that differs by nature
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
        for op, new in self.new.seeds.items():
            seeds = self.old.seeds.get(op)
            first, second = new[:2]
            if not first and not second:
                self.free[f"drawn:{op}"] = "that depend on draws without a seed"
            if seeds is None:
                continue
            if new.number is not None and (first, new.number) == (seeds.first, seeds.number):
                continue
            if (
                (bool(first) or bool(second)) != (bool(seeds[0]) or bool(seeds[1]))
                or (None not in (second, seeds[1]) and (first, second) != seeds[:2])
                or first != seeds[0]
            ):
                self.differ(
                    f"the seed of {op}", _seed(seeds[:2]), _seed((first, second)), line=new.line
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
        self.outcome.differences.append(Difference(what, old, new, step, line))

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
            self.outcome.not_compared[f"values {why}"] += 1
            return True
        updates = max((self.updates[s] for s in sources), default=0)
        told = difference(old, new, self.rtol, updates)
        if told is None:
            self._measure(name, old, new, step)
            return True
        if any(source.startswith("python:") for source in sources):
            self.outcome.not_compared["values that a Python function gives"] += 1
            return True
        self.differ(name, told[0], told[1], step, line)
        return False

    def _measure(self, name: str, old: Value, new: Value, step: int | None) -> None:
        if old.digest == new.digest or not old.sample:
            return
        distance = ulps(old, new)
        best = self.outcome.by_fetch.setdefault(name, Largest(name))
        for largest in (best, self.outcome.largest):
            if distance > largest.ulp:
                largest.name, largest.ulp, largest.step = name, distance, step

    # -- variables

    def initial(self) -> None:
        """Compares the variables as they were initialised."""
        old = {self.renamed.get(name, name): value for name, value in self.old.initial.items()}
        new = self.new.initial
        if self.renamed:
            self.outcome.not_compared["names of variables, which are others today"] += len(
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
            if self.value(f"{FIRST_VALUE}{name}", old, new, (), None, line):
                self.outcome.compared["initial values"] += 1
            return
        if difference(old, new, self.rtol) is None:
            return  # a replay, or a draw that came out the same
        self.free[f"variable:{name}"] = "that depend on initial values drawn at random"
        self.outcome.not_compared["initial values drawn at random"] += 1
        told = other_distribution(old, new)
        if told is not None:
            self.differ(f"{FIRST_VALUE}{name}", *told, line=line)

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
                self.outcome.not_compared["variables that queue runners change"] += 1
                continue
            if why is None:
                if self.value(
                    f"the last value of {name}", old[name], new[name], [source], None, line
                ):
                    self.outcome.compared["variables at the end"] += 1
                continue
            self.outcome.not_compared[f"variables {why}"] += 1
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
            self.outcome.compared["steps"] += one
        elif self.free and self._decides():
            self.outcome.not_compared["number of steps, which may follow from values drawn"] += 1
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
                self.outcome.not_compared[reason] += len(self.old.steps) - number
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
        self._fed(number, old, new)
        if old.values or new.values:
            self._values(number, old, new)
        for name, sources in new.fetches.writes.items():
            why = self.reason(sources)
            if why is not None:
                self.free.setdefault(f"variable:{name}", why)
            self.updates[f"variable:{name}"] += 1
        return True

    def _fed(self, number: int, old: Step, new: Step) -> None:
        """Compares what is fed, until the program has fetched a value that differs by nature.

        Before that nothing that was drawn in the graph can have reached the program.
        """
        for name in sorted((old.fed.keys() & new.fed.keys()) - self.told):
            told = difference(old.fed[name], new.fed[name], self.rtol)
            if told is None:
                continue
            is_kind = old.fed[name].dtype != new.fed[name].dtype
            if self.fetched_free and not is_kind:
                self.outcome.not_compared["feeds, which may follow from values drawn"] += 1
                continue
            self.differ(f"what is fed to {name}", *told, step=number)
            self.told.add(name)
        alone = len(old.fed.keys() ^ new.fed.keys())
        if alone:
            why = "feeds of which the other program has none by that name"
            self.outcome.not_compared[why] += alone
        fetched = (new.fetches.sources[place] for place in new.fetches.tensors)
        self.fetched_free |= any(self.reason(sources) is not None for sources in fetched)

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
                self.outcome.not_compared["values behind one that differs"] += 1
            elif self.value(name, old.values[before], new.values[after], sources, number, line):
                self.outcome.compared["values"] += 1
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
        self.outcome.compared["elements in order"] += len(one.rows)

    def multisets(self) -> None:
        """Compares elements whose order is free, over the whole run."""
        for name, before in sorted(self.takes.items()):
            if f"taken:{name}" in self.free:
                old, new = all_rows(self.old.steps, before), all_rows(self.new.steps, name)
                self._in_any_order(name, old, new)
        known = set(self.takes.values())
        for step in self.old.steps:
            for name in step.taken.keys() - known:
                reason = "elements of ops that are missing today, or give other types"
                self.outcome.not_compared[reason] += len(step.taken[name].rows)

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
            self.outcome.not_compared[_BY_CHANCE[chance]] += len(old)
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
            self.outcome.not_compared[reason] += len(old)
        elif max(missing, extra) > slack:
            was = f"{len(old)} elements"
            told = f"{len(new)} elements, of which {extra} are new and {missing} are missing"
            self.differ(f"what {name} gives", was, told, line=takes[0].line)
        else:
            self.outcome.compared["elements in any order"] += len(new)

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
                self.outcome.not_compared["checkpoints that time decided on"] += 1
            elif other is None:
                self.differ(f"file {path}", "written", "not written")
            elif one.error is None and other.error is None:
                if one.kind == "records" and one.rows != other.rows:
                    self._records(path, one.rows, other.rows)
                self._checkpoint(path, one.values, other.values)
                self.outcome.compared["files"] += 1
            else:
                self.outcome.not_compared["files that were gone or damaged at the end"] += 1

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
        if self.free and self.outcome.not_compared:
            self.outcome.not_compared["files, which may follow from values drawn"] += 1
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


def compare(old: Recording, new: Recording, *, rtol: float = RTOL) -> Outcome:
    """Compares two recordings.

    Args:
        old: What the original did.
        new: What is done today; where it was replayed, all is compared.
        rtol: How far floats may be apart, relative to the largest of the value's. A value behind n
            updates of a variable may be n + 1 times as far.

    Returns:
        The outcome.
    """
    comparison = _Comparison(old, new, rtol)
    if comparison.has_no_step():
        comparison.end()
        return comparison.outcome
    comparison.note_draws()
    comparison.initial()
    comparison.steps()
    comparison.multisets()
    comparison.final()
    comparison.files()
    comparison.end()
    if not comparison.outcome.same:
        search = Search(old, new, comparison.renamed, comparison.free, rtol)
        comparison.outcome.first_op = search.before(comparison.outcome.differences)
    return comparison.outcome


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


def _seed(seeds: tuple[int | None, ...]) -> str:
    given = [str(seed) for seed in seeds if seed is not None and seed != _GRAPH_SEED]
    return "/".join(given) if any(seeds) else "not set"


def _short(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:57]}..."
