"""What the tests of recordings share: a program recorded today, in a process of its own."""

from __future__ import annotations

import argparse
import contextlib
import pathlib
from collections.abc import Iterator

from tests.suite import children
from tfqueue.recording import comparison, record_tf1, recording

PROGRAMS = pathlib.Path(__file__).with_name("programs")
ORIGINALS = PROGRAMS.with_name("originals")


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
    folder.mkdir(exist_ok=True)
    path = folder / "-".join([pathlib.Path(program).stem, *arguments, "recording"])
    words = ["run", "--record", str(path), *options, str(PROGRAMS / program), str(folder)]
    done = children.run(["-m", "tfqueue", *words, *arguments], cwd=str(folder))
    assert path.exists(), done.stderr
    found = recording.read(path)
    assert found.steps or found.error, done.stderr
    return found


def outcome(old: recording.Recording, new: recording.Recording) -> comparison.Outcome:
    """What comparing two recordings finds."""
    return comparison.compare(old, new)


def line_of(program: str, text: str) -> str:
    """``file:line`` of the one line of a program that holds a text."""
    lines = (PROGRAMS / program).read_text("utf-8").splitlines()
    found = [number for number, line in enumerate(lines, 1) if text in line]
    assert len(found) == 1, (text, found)
    return f"{program}:{found[0]}"


@contextlib.contextmanager
def recorder(path: pathlib.Path, **options: object) -> Iterator[record_tf1.Recorder]:
    """Records the steps of the block, in this process, of `tensorflow.compat.v1`.

    Args:
        path: Where the recording is written.
        **options: The recorder's options, by their long names.
    """
    import tensorflow as tf

    given = {"with_data": False, "first_step": False, "steps": None, "replay": None, "yes": False}
    chosen = argparse.Namespace(**{**given, **options}, module=False)
    writer = record_tf1.Writer(str(path))
    writer.write(record_tf1.start_event(tf, "here.py", [], chosen))
    made = record_tf1.Recorder(tf.compat.v1, writer, str(PROGRAMS.parent), [], chosen)
    made.install()
    try:
        yield made
    finally:
        made.finish({"error": None, "status": 0, "line": ""})
