"""What the tests of recordings share: a program recorded today, in a process of its own."""

from __future__ import annotations

import pathlib

from tests.suite import children
from tfqueue.recording import comparison, recording

PROGRAMS = pathlib.Path(__file__).with_name("programs")


def recorded(
    folder: pathlib.Path, program: str, *arguments: str, options: tuple[str, ...] = ()
) -> recording.Recording:
    """The recording of a program that `tfqueue run` runs.

    Args:
        folder: Where the program writes, and the recording is put.
        program: The name of a file in `PROGRAMS`.
        *arguments: Its arguments behind the folder.
        options: Options of the recorder.
    """
    path = folder / "-".join([pathlib.Path(program).stem, *arguments, "recording"])
    words = ["run", "--record", str(path), *options, str(PROGRAMS / program), str(folder)]
    done = children.run(["-m", "tfqueue", *words, *arguments], cwd=str(folder))
    assert path.exists(), done.stderr
    return recording.read(path)


def verdict(old: recording.Recording, new: recording.Recording) -> comparison.Verdict:
    """What comparing two recordings finds."""
    return comparison.compare(old, new)


def line_of(program: str, text: str) -> str:
    """``file:line`` of the one line of a program that holds a text."""
    lines = (PROGRAMS / program).read_text("utf-8").splitlines()
    found = [number for number, line in enumerate(lines, 1) if text in line]
    assert len(found) == 1, (text, found)
    return f"{program}:{found[0]}"
