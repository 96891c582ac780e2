"""The list of mutants: one-line changes of tfqueue, each with the tests that fail with it."""

from __future__ import annotations

import dataclasses
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIST = pathlib.Path(__file__).with_name("list")


class Stale(Exception):
    """An entry does not fit the code any more."""


@dataclasses.dataclass(frozen=True)
class Mutant:
    """One change.

    Attributes:
        number: The line of the list at which it begins.
        file: The module, from the root of the repository.
        guard: What the line that is changed is there for.
        old: A part of the module that occurs once in it, without its line's indentation.
        new: What takes its place; of the same number of lines.
        tests: What pytest is given; one of these tests fails.
    """

    number: int
    file: str
    guard: str
    old: str
    new: str
    tests: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.file}: {self.guard}"

    def applied(self, text: str) -> str:
        """The module's text with the change.

        Raises:
            Stale: If the old text is not there exactly once.
        """
        found = text.count(self.old)
        if found != 1:
            raise Stale(f"list:{self.number}: {self}: {self.old!r} is there {found} times")
        return text.replace(self.old, self.new)


def read(path: pathlib.Path = LIST) -> list[Mutant]:
    """All entries of a list.

    An entry is a line `file: guard`, a line `- old`, a line `+ new`, and one or more lines of tests.
    Entries are parted by an empty line. A line of `#` is a comment.

    Raises:
        ValueError: If an entry has another form.
    """
    found, block, begins = [], [], 0
    lines = [*path.read_text("utf-8").splitlines(), ""]
    for number, line in enumerate(lines, 1):
        if line.startswith("#"):
            continue
        if line:
            begins = begins if block else number
            block.append(line)
        elif block:
            found.append(_entry(begins, block))
            block = []
    return found


def _entry(number: int, block: list[str]) -> Mutant:
    if len(block) < 4 or not (block[1].startswith("- ") and block[2].startswith("+")):
        raise ValueError(f"list:{number}: not `file: guard`, `- old`, `+ new`, tests")
    file, _, guard = block[0].partition(": ")
    tests = tuple(word for line in block[3:] for word in line.split(" && "))
    return Mutant(number, file, guard, block[1][2:], block[2][2:], tests)
