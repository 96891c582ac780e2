"""A program recorded as `tfqueue run` runs it, on today's TensorFlow."""

from __future__ import annotations

import argparse
import contextlib
import os
import traceback
from collections.abc import Callable, Iterator, Sequence

from tfqueue.recording import record_tf1

Ended = Callable[[BaseException | None, int], None]


@contextlib.contextmanager
def recording(
    path: str, program: str, arguments: Sequence[str], options: argparse.Namespace
) -> Iterator[Ended]:
    """Records the steps of `tfqueue.v1`'s sessions within the block.

    Args:
        path: Where the recording is written when the block ends.
        program: The program's path, or a module's name where ``options.module`` is true.
        arguments: The program's own arguments.
        options: What `record_tf1.add_options` adds to a parser, and ``module``.

    Yields:
        A function that is told how the program ended: the exception, or None, and the exit status.

    Raises:
        OSError: If the recording cannot be written.
    """
    import tfqueue.v1 as tf

    folder = os.getcwd() if options.module else os.path.dirname(os.path.abspath(program))
    writer = record_tf1.Writer(os.path.abspath(path))
    writer.write(record_tf1.start_event(tf, program, list(arguments), options))
    recorder = record_tf1.Recorder(tf, writer, folder, list(arguments), options)
    how: dict[str, object] = {"error": None, "status": 0, "line": ""}

    def ended(error: BaseException | None, status: int) -> None:
        how["status"] = status
        if error is not None and not (isinstance(error, SystemExit) and not status):
            how["error"] = type(error).__name__
            how["line"] = recorder.places.line_of(traceback.extract_tb(error.__traceback__))
        if isinstance(error, record_tf1.Enough):
            how["error"] = "Enough"

    recorder.install()
    try:
        yield ended
    finally:
        recorder.finish(how)
