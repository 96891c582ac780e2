"""What a comparison of two recordings found, and how it is told."""

from __future__ import annotations

import collections
import dataclasses
from collections.abc import Iterable

from tfqueue.output.printing import printable

_SHOWN = 8
"""How many differences are told."""


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
class Outcome:
    """What a comparison found.

    Attributes:
        differences: What differs, in the order of the program.
        first_op: The first op whose inputs agree and whose output does not, or None.
        compared: How many things of each kind were compared and are the same.
        not_compared: From a reason to how many things could not be compared for it.
        largest: The largest difference of a float that counts as the same.
        by_fetch: From the name of a fetch, a variable or an entry of a checkpoint to its largest difference.
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

    def _lines(self) -> Iterable[str]:
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
            for each in self.differences[1:_SHOWN]:
                yield f"  {each}"
            if len(self.differences) > _SHOWN:
                yield f"  and {len(self.differences) - _SHOWN} more"
            if counts:
                yield f"  the same: {counts}"
        for reason, count in self.not_compared.most_common():
            yield f"  not compared: {count} {reason}"
