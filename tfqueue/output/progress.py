"""A progress bar for commands that may take long."""

from __future__ import annotations

import os
import sys
from threading import Timer
from typing import Any

DELAY = 2.0  # seconds of work after which the bar appears


class ProgressBar:
    """A bar on stderr, for work that takes longer than `DELAY`; none where stderr is no terminal.

    It is a context manager: at the end of the block the bar is wiped. Call it with the number of
    things done so far; without that, or without a total, it shows that the work goes on.

    Args:
        doing: What is done, such as `"counting"`.
        unit: What is counted, in the plural; empty if nothing is.
        total: How many there are to be; None where that is not known.
    """

    def __init__(self, doing: str, unit: str = "", total: int | None = None) -> None:
        self._doing, self._unit, self._total = doing, unit, total
        self._count = 0
        self._timer: Timer | None = None
        self._bar: Any = None
        self._task: Any = None

    def __enter__(self) -> ProgressBar:
        stream = sys.stderr
        if stream is not None and stream.isatty() and os.environ.get("TERM") != "dumb":
            self._timer = Timer(DELAY, self._show)
            self._timer.daemon = True
            self._timer.start()
        return self

    def __call__(self, count: int) -> None:
        self._count = count
        if self._task is not None:
            self._bar.update(self._task, completed=count)

    def _show(self) -> None:
        from rich import progress
        from rich.console import Console

        columns: list[Any] = [progress.TextColumn("{task.description}"), progress.BarColumn()]
        if self._unit:
            of = " of {task.total:,}" if self._total else ""
            columns.append(progress.TextColumn("{task.completed:,}" + f"{of} {self._unit}"))
        columns.append(progress.TimeElapsedColumn())
        # What is written to stdout is not for the terminal's bar: it may be a file.
        console = Console(file=sys.stderr)
        self._bar = progress.Progress(
            *columns, console=console, transient=True, redirect_stdout=False
        )
        self._task = self._bar.add_task(self._doing, total=self._total, completed=self._count)
        self._bar.start()

    def __exit__(self, *exc_info: object) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer.join()
        if self._bar is not None:
            self._bar.stop()
