"""A recorded program run again in a process of its own, and recorded."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence

from tfqueue.recording import record_tf1
from tfqueue.recording.recording import Recording, RecordingError, read


def run(
    old: Recording,
    program: str | None,
    arguments: Sequence[str] | None,
    *,
    ported: bool = False,
    replay: str | None = None,
    first_step: bool = False,
    steps: int | None = None,
) -> Recording:
    """Runs a program as `tfqueue run` does, or with Python alone, and records it.

    Args:
        old: The recording to compare with.
        program: The program, or None for the recorded one.
        arguments: Its arguments, or None for the recorded ones.
        ported: Whether it runs with Python alone.
        replay: The recording to replay, or None.
        first_step: Whether one step is traced.
        steps: After how many steps the program is ended, or None.

    Returns:
        The new recording.

    Raises:
        RecordingError: If there is nothing to replay, if the recorded program stands outside the
            current folder, or if the program wrote no recording.
    """
    if replay is not None and not old.has_data:
        raise RecordingError(
            f"{replay}: it was made without --with-data, so nothing can be replayed"
        )
    options = [f"--replay={os.path.abspath(replay)}"] if replay is not None else []
    options += ["--first-step"] if first_step else []
    options += [f"--steps={steps}"] if steps is not None else []
    named = [program] if program is not None else recorded_program(old)
    words = [*named, *(old.arguments if arguments is None else arguments)]
    with tempfile.TemporaryDirectory(prefix="tfqueue-") as folder:
        path = os.path.join(folder, "new.recording")
        if ported:
            script = os.path.abspath(record_tf1.__file__)
            command = [sys.executable, script, "-o", path, *options, *words]
        else:
            command = [sys.executable, "-m", "tfqueue", "run", "--record", path, *options, *words]
        status = subprocess.run(command, check=False).returncode
        if not os.path.exists(path):
            raise RecordingError(
                f"{' '.join(named)}: it ended with exit status {status}, unrecorded"
            )
        return read(path)


def recorded_program(old: Recording) -> list[str]:
    """The recorded program, in the words of `tfqueue run`.

    Raises:
        RecordingError: If it does not stand below the current folder: a recording may come from
            somebody else, and is not to choose what is run.
    """
    if old.is_module:
        raise RecordingError(f"the recorded program is a module, {old.program!r}: give its file")
    inside = os.path.realpath(old.program).startswith(os.path.realpath(os.getcwd()) + os.sep)
    if os.path.isabs(old.program) or not inside:
        raise RecordingError(
            f"the recorded program {old.program!r} is not below this folder: give the program"
        )
    if not os.path.isfile(old.program):
        raise RecordingError(f"the recorded program {old.program!r} is not here: give the program")
    return [old.program]
