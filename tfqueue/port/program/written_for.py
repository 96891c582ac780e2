"""Which Python, and which TensorFlow, a whole program was written for.

Here it is decided, by what `python_signs`, `tensorflow_signs`, `keras_signs` and `later_keras` find in each module.
`5 / 2` in one file shows nothing; `xrange` in another shows that all of them are Python 2. A program that imports
keras alone is for Keras 2.2 unless it shows a later one.
"""

from __future__ import annotations

import dataclasses
import itertools
import os

from tfqueue.names.keras import KERAS_MODULES
from tfqueue.port.program import facts, python_signs
from tfqueue.port.program.era import UNKNOWN, Era, Evidence, narrowed
from tfqueue.port.program.facts import Facts
from tfqueue.port.program.module import CORE
from tfqueue.port.program.project import Project
from tfqueue.port.source.parsing import Parsed


@dataclasses.dataclass(frozen=True)
class WrittenFor:
    """Which Python and which TensorFlow a program is from.

    Attributes:
        python2: Whether it was written for Python 2.
        era: Its TensorFlow.
        why: What told the Python: ``what (file:line)``; empty where nothing did.
        given: Whether the user said which Python.
        proven: Whether `why` is proof, because only one Python can parse, import or run it.
    """

    python2: bool = False
    era: Era = UNKNOWN
    why: tuple[str, ...] = ()
    given: bool = False
    proven: bool = False

    def __str__(self) -> str:
        said = "set by --python" if self.given else ", ".join(self.why[:4])
        python = f"Python {2 if self.python2 else 3}"
        if self.guessed:
            python += " (a guess)"
        return f"{python}{': ' if said else ''}{said}; {self.era}"

    @property
    def guessed(self) -> bool:
        """Whether nothing proves which Python it is."""
        return not (self.given or self.proven)

    def overridden(self, python: int | None, era: Era | None) -> WrittenFor:
        """The same with what the user said in its place."""
        new = self
        if python is not None:
            new = dataclasses.replace(new, python2=python == 2, why=(), given=True)
        if era is not None:
            # the user said which day it is: no guess is left
            keras = {name: getattr(self.era, name) for name in ("imports_keras", "shows_keras_1")}
            new = dataclasses.replace(new, era=dataclasses.replace(era, **keras))
        return new


def of_parsed(parsed: Parsed) -> WrittenFor:
    """Which Python and TensorFlow a program is from of which one file, or a part of it, was parsed.

    >>> from tfqueue.port.source.parsing import parse
    >>> of_parsed(parse("for i in xrange(2): pass")).python2
    True
    """
    return judge(Project(parsed.path, parsed.original, facts.of_parsed(parsed)))


def of_file(path: str) -> WrittenFor:
    """Which Python and TensorFlow the program is from that a file belongs to."""
    return judge(Project(path))


def judge(project: Project) -> WrittenFor:
    """Which Python and TensorFlow the files of a program, together, are from.

    What proves a Python counts first, in the files of the program itself before others that share
    some of them; then names that only one Python has, in the files of the program. Such a name is
    proof where the program is seen to run it whatever happens: the other Python ends there. Where
    there is none, the first line of the given file is asked.
    """
    names = project.names

    def own(what: str) -> bool:
        words = what.removeprefix("import ").removeprefix("from ").split()
        return what.startswith(("import ", "from ")) and words[0] in names

    start = next(iter(project.shown))
    found = {
        file: dataclasses.replace(
            one,
            hard=tuple(row for row in one.hard if not own(row[0])) + project.implicit(file),
            soft=tuple(row for row in one.soft if not own(row[0])),
            run=tuple(
                row for row in (one.run_as_program if file == start else one.run) if not own(row[0])
            ),
            soft3=tuple(row for row in one.soft3 if row[0].partition(".")[0] not in names),
            run3=tuple(
                row
                for row in (one.run3_as_program if file == start else one.run3)
                if row[0].partition(".")[0] not in names
            ),
        )
        for file, one in project.shown.items()
    }
    python2, why, proven = _python(found, project)
    two = any(one.two[0] for one in found.values())
    if two and not any(one.two[1] for one in found.values()):
        return WrittenFor(python2, Era(two=True), why, proven=proven)
    era = _era(found)
    own_files = [one for file, one in found.items() if file in project.program]
    keras = [one.keras for one in own_files]
    imported = any(one.imported for one in keras) and not project.owns("keras")
    later = imported and not era.shown and any(one.later_keras for one in own_files)
    era = dataclasses.replace(
        era,
        later_keras=later,
        # what is proven to be for Python 2 has the libraries of its day
        guesses_keras_2=imported and not (era.shown or later or (python2 and proven)),
        imports_keras=imported,
        shows_keras_1=any(one.first for one in keras) and not any(one.second for one in keras),
    )
    return WrittenFor(python2, era, why, proven=proven)


def _python(found: dict[str, Facts], project: Project) -> tuple[bool, tuple[str, ...], bool]:
    """Whether a program is Python 2, what tells that, and whether it is proof."""
    inside = {file: one for file, one in found.items() if file in project.program}
    first = dict(itertools.islice(found.items(), 1))

    def told(files: dict[str, Facts], *kinds: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys(row for kind in kinds for row in _told(files, kind)))

    for files in (inside, found):
        hard, three = told(files, "hard"), told(files, "python3")
        if hard and three:  # no Python can import both: the given file decides, if it says anything
            hard = hard if told(first, "hard") or not told(first, "python3") else ()
        # of a program beside this one, which shares a module with it, it is a guess
        if hard:
            return True, told(files, "hard", "soft"), files is inside
        if three:
            return False, three, files is inside
        soft, three = told(inside, "soft"), told(inside, "soft3")
        run = {file: one for file, one in inside.items() if file in project.run}
        proof = told(run, "run") if soft else ()
        if three and not proof and not _has_aliases(found) and (ends := told(run, "run3")):
            return False, ends, True
        commas = {what for one in inside.values() for what, _ in one.soft} == {python_signs.COMMA}
        meant = three + told(inside, "tuples3") + told(first, "shebang3")
        if commas and meant and not told(first, "shebang2"):
            # it was rewritten for Python 3, and this was left of a print statement
            return False, meant, bool(told(first, "shebang3"))
        if soft:
            return True, tuple(dict.fromkeys((*proof, *soft))), bool(proof)
    two, three = told(first, "shebang2"), told(first, "shebang3") + three
    return (True, two, False) if two else (False, three, bool(told(first, "shebang3")))


def _has_aliases(found: dict[str, Facts]) -> bool:
    """Whether a program gives modules of Python 2 their names of Python 3."""
    home = "future.standard_library"
    return any(name.startswith(home) for one in found.values() for _, name in one.imports)


def _told(found: dict[str, Facts], kind: str) -> list[str]:
    return [
        f"{what} ({os.path.basename(file)}:{line})"
        for file, one in found.items()
        for what, line in getattr(one, kind)
    ]


def _era(found: dict[str, Facts]) -> Era:
    rows: list[Evidence] = []
    for number, (file, one) in enumerate(found.items()):
        beside = f" in {os.path.basename(file)}" if number else ""
        rows += ((said + beside, line, low, high) for said, line, low, high in one.era)
    keras = (f"keras.{name}" for name in KERAS_MODULES)
    names = {(0, name) for name in ("tensorflow", *CORE, *keras)}
    shows_tensorflow_1 = any(
        one.keras_2 or not names.isdisjoint(one.imports) for one in found.values()
    )
    return dataclasses.replace(narrowed(rows), shows_tensorflow_1=shows_tensorflow_1)
