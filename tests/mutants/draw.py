"""Which changes are drawn, and which tests are the nearest to one."""

from __future__ import annotations

import collections
import dataclasses
import functools
import itertools
import pathlib
import random
import re

from tests.mutants import changes
from tests.mutants.changes import Change

PACKAGE = "tfqueue"


def modules(root: pathlib.Path, only: str = "") -> dict[str, bytes]:
    """The sources of the package's modules whose path holds `only`, by their path from the root."""
    paths = sorted((root / PACKAGE).rglob("*.py"))
    named = {path.relative_to(root).as_posix(): path for path in paths}
    return {name: path.read_bytes() for name, path in named.items() if only in name}


def test_files(root: pathlib.Path) -> list[pathlib.Path]:
    """The files of tests, and the modules with examples that run as tests."""
    with_examples = (root / PACKAGE).rglob("*.py")
    examples = [path for path in with_examples if ">>> " in path.read_text("utf-8")]
    return sorted([*(root / "tests").rglob("test_*.py"), *examples])


def drawn(sources: dict[str, bytes], count: int, seed: int) -> list[Change]:
    """Changes of so many lines, drawn with the seed; of a line that is drawn, one of its changes.

    Args:
        sources: The modules, as `modules` gives them.
        count: How many; all lines that offer a change if there are fewer.
        seed: The same seed draws the same changes of the same sources.
    """
    by_line = collections.defaultdict(list)
    for name, source in sources.items():
        for change in changes.of(name, source):
            by_line[name, change.line].append(change)
    rng = random.Random(seed)
    lines = rng.sample([*by_line.values()], min(count, len(by_line)))
    return [rng.choice(offered) for offered in lines]


@dataclasses.dataclass(frozen=True)
class Observed:
    """What a file of tests does without a change.

    Attributes:
        file: Its path from the root of the repository.
        slow: Whether its slow tests were run, or its other ones.
        digest: Of its text.
        seconds: By node id of each test that passes, the time that it takes.
        reached: By number of a change, the node ids of the tests that reach it; an empty one if it
            is reached as the file, or its own module, is imported.
    """

    file: str
    slow: bool
    digest: str
    seconds: dict[str, float]
    reached: dict[int, list[str]]


def nearest(
    number: int, change: Change, observed: list[Observed], root: pathlib.Path, limit: float
) -> dict[str, float]:
    """The tests to try a change with: node ids, in the order to run them in, and their seconds.

    Of the tests that reach the change, the nearest files' come first, and in a file the fastest.
    Where an import reaches it, as with a constant of a module, all others of near files follow.

    Args:
        number: The change's number.
        change: The change.
        observed: The files of tests.
        root: The root of the repository.
        limit: The seconds that they may take together; at least one is taken.
    """
    files = []
    for tests in observed:
        near = nearness(root, tests.file, change.file)
        nodeids = tests.reached.get(number, [])
        reaching = {id_: tests.seconds[id_] for id_ in nodeids if id_ in tests.seconds}
        if reaching:
            files.append((-near, min(reaching.values()), tests.file, reaching))
        others = {id_: time for id_, time in tests.seconds.items() if id_ not in reaching}
        if "" in nodeids and near and others:
            files.append((10 - near, min(others.values()), tests.file, others))
    ordered = sorted(files, key=lambda row: row[:3])
    chosen: dict[str, float] = {}
    for nodeid, seconds in itertools.chain.from_iterable(
        sorted(row[3].items(), key=lambda item: item[1]) for row in ordered
    ):
        if not chosen or sum(chosen.values()) + seconds <= limit:
            chosen[nodeid] = seconds
    return chosen


def near(root: pathlib.Path, files: list[str], module: str, most: bool) -> list[str]:
    """The files of tests that are looked at before all others for a module.

    Args:
        root: The root of the repository.
        files: All files of tests.
        module: The module.
        most: Whether those whose folder has the name of one of its folders are left out if there
            are others, which import it or have a word of its name in theirs.
    """
    found = {file: nearness(root, file, module) for file in files}
    least = 2 if most and max(found.values()) >= 2 else 1
    return [file for file, value in found.items() if value >= least]


@functools.cache
def nearness(root: pathlib.Path, tests: str, module: str) -> int:
    """How near a file of tests is to a module.

    4 for importing it by its name, or where programs do for its public name, such as `contrib.crf`;
    1 for a folder of the same name, and 2 more there, or where no folder is, for a word that both
    paths have beside their folders' names.
    """
    path = pathlib.PurePath(module).with_suffix("")
    parts = path.parts[:-1] if path.name == "__init__" else path.parts
    test_path = pathlib.PurePath(tests).with_suffix("")
    text = text_of(root / tests)
    from_parent = rf"from {'.'.join(parts[:-1])} import (\([^)]*|[^\n]*)\b{parts[-1]}\b"
    imports = ".".join(parts) in text or (len(parts) > 1 and re.search(from_parent, text))
    imports = imports or (parts[1:2] == ("contrib",) and ".".join(parts[1:3]) in text)
    words = {word for part in parts[2:] for word in part.split("_")}
    words &= {*test_path.name.split("_")} - {"test", ""}
    folders = {*parts[1:-1], parts[min(1, len(parts) - 1)]} & {*test_path.parts[:-1]}
    words_count = bool(words) and (bool(folders) or len(test_path.parts) == 2)
    return 4 * bool(imports) + 2 * words_count + bool(folders)


@functools.cache
def text_of(path: pathlib.Path) -> str:
    """The text of a file of tests, and of the programs in folders beside it that hold no tests."""
    programs = [
        program
        for folder in path.parent.glob("[!_.]*/")
        if path.name.startswith("test_") and not any(folder.rglob("test_*.py"))
        for program in sorted(folder.rglob("*.py"))
    ]
    return "".join(each.read_text("utf-8") for each in [path, *programs])
