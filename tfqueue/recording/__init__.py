"""Recordings of what programs compute, and whether two of them are the same.

`tfqueue recorder` writes `record_tf1.py`, which records a program in its old environment; `tfqueue
compare` runs the program again and compares. From a test:

    tfqueue.recording.check("old.recording")

* `record_tf1` is that script; `again` runs a program under it today, and `recording` reads what it writes.
* `comparison` goes through two recordings: `tolerances` says which values are the same, `elements` which
  elements; `first_op` names the op with which a difference begins, `outcome` is the result. `page` shows it.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tfqueue.recording.recording import RecordingError

if TYPE_CHECKING:
    from tfqueue.recording.outcome import Outcome

__all__ = ["RecordingError", "check", "compare"]


def compare(
    old: str | os.PathLike[str],
    program: str | os.PathLike[str] | None = None,
    arguments: Sequence[str] | None = None,
    *,
    ported: bool = False,
    replay: bool = False,
    first_step: bool | None = None,
    rtol: float = 1e-5,
    steps: int | None = None,
) -> Outcome:
    """Runs a recorded program again, in a process of its own, and compares.

    Args:
        old: The recording.
        program: The program; the recorded one, below the current folder, when None.
        arguments: Its arguments; the recorded ones when None.
        ported: Run the program as it is, with Python, in place of `tfqueue run`.
        replay: Start from the recorded initial values and feed the recorded elements and draws; the
            recording was made with ``--with-data``.
        first_step: Trace one step, to name the first op that differs; where the recording has a
            trace when None.
        rtol: How far floats may be apart, relative to the largest of the value's.
        steps: Compare only so many steps.

    Returns:
        The outcome: true if nothing differs.

    Raises:
        OSError: If a file cannot be read.
        RecordingError: If the recording is damaged, lacks the data for a replay, or names a program
            outside the current folder.

    >>> compare("missing.recording")
    Traceback (most recent call last):
    ...
    FileNotFoundError: [Errno 2] No such file or directory: 'missing.recording'
    """
    from tfqueue.recording import again, comparison, recording

    before = recording.read(old)
    steps = recording.steps_of(before, steps, replay)
    if steps is not None:
        before = recording.beginning(before, steps)
    after = again.run(
        before,
        os.fspath(program) if program is not None else None,
        arguments,
        ported=ported,
        replay=os.fspath(old) if replay else None,
        first_step=bool(before.trace) if first_step is None else first_step,
        steps=steps,
    )
    return comparison.compare(before, after, rtol=rtol)


def check(
    old: str | os.PathLike[str],
    program: str | os.PathLike[str] | None = None,
    arguments: Sequence[str] | None = None,
    *,
    ported: bool = False,
    replay: bool = False,
    rtol: float = 1e-5,
    steps: int | None = None,
) -> None:
    """Asserts that a recorded program still computes the same. For pytest.

    Args:
        old: The recording.
        program: As for `compare`.
        arguments: As for `compare`.
        ported: As for `compare`.
        replay: As for `compare`.
        rtol: As for `compare`.
        steps: As for `compare`.

    Raises:
        AssertionError: If something differs; its text is the outcome.
        OSError: As `compare` does.
        RecordingError: As `compare` does.

    >>> check("missing.recording")
    Traceback (most recent call last):
    ...
    FileNotFoundError: [Errno 2] No such file or directory: 'missing.recording'
    """
    outcome = compare(old, program, arguments, ported=ported, replay=replay, rtol=rtol, steps=steps)
    if not outcome:
        raise AssertionError(str(outcome))
