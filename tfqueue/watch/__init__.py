"""Queues live: `tfqueue run --watch`, and `with tfqueue.watch():` in a program of one's own.

The package can be called: `tfqueue.watch(...)` makes a `watch`. `watcher` takes samples of `counts` and
keeps them in a `log`; `shares` says what runners spend their time on and `bottleneck` what limits the
pipeline; `terminal`, `report` and `summaries` show it.
"""

from __future__ import annotations

import os
import sys
import types
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TextIO

if TYPE_CHECKING:
    from tfqueue.watch.watcher import Output, Watch

__all__ = ["watch"]


class watch:
    """Watches the queues of all sessions in its block, and shows them.

    On a terminal a few lines on stderr show for each queue how full it is, how many elements go in
    and out a second, and who waits for it. A last line says what limits the pipeline. Without a
    terminal a line is printed every ten seconds.

    A thread of its own takes a sample a few times a second, and ends with the block. What was put and
    taken are counters that the session keeps in any case; for the sizes of queues it runs a step.

    Args:
        live: Whether to show anything while the program runs; False for a report only.
        report: Path of an HTML page to write at the end, or None.
        summaries: Folder for event files that TensorBoard reads, or None.
        stream: Text stream to show things on; `sys.stderr` when None.
        program: What the page calls the program, a list of str; `sys.argv` when None.

    Raises:
        OSError: If the page or the event files cannot be written.

    >>> import io, tfqueue, tfqueue.v1 as tf
    >>> seen = io.StringIO()
    >>> with tf.Graph().as_default(), tfqueue.watch(stream=seen):
    ...     names = tf.train.string_input_producer(["a", "b"], num_epochs=1, shuffle=False)
    ...     name = names.dequeue()
    ...     with tfqueue.managed_session() as sess:
    ...         print([value for value in sess.batches(name)])
    [b'a', b'b']
    >>> "input_producer  2 in, 2 out  capacity 32" in seen.getvalue()
    True
    """

    def __init__(
        self,
        live: bool = True,
        report: str | os.PathLike[str] | None = None,
        summaries: str | os.PathLike[str] | None = None,
        stream: TextIO | None = None,
        program: Sequence[str] | None = None,
    ) -> None:
        self._chosen = live, report, summaries, stream, program
        self._watch: Watch | None = None

    def __enter__(self) -> watch:
        from tfqueue.watch import terminal
        from tfqueue.watch.watcher import Watch

        live, report, summaries, stream, program = self._chosen
        outputs: list[Output] = []
        if summaries is not None:
            from tfqueue.watch.summaries import Summaries

            outputs.append(Summaries(summaries))
        if report is not None:
            from tfqueue.watch.report import Report

            outputs.append(Report(report, program))
        if live:
            outputs.append(terminal.display(stream if stream is not None else sys.stderr))
        self._watch = Watch(outputs).start()
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, traceback: Any) -> None:
        assert self._watch is not None
        if error is not None and not isinstance(error, SystemExit):
            self._watch.failed(error)
        self._watch.stop()

    def failed(self, error: BaseException) -> None:
        """Notes the exception that ended the program, for the report."""
        assert self._watch is not None, "the block has not been entered"
        self._watch.failed(error)


class _Callable(types.ModuleType):
    """A package that stands for its main class."""

    def __call__(self, *args: Any, **kwargs: Any) -> watch:
        """Makes a `watch`; see there."""
        return watch(*args, **kwargs)


sys.modules[__name__].__class__ = _Callable
