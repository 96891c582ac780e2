"""The state of the queues in a terminal: a few lines at its bottom, drawn anew in place.

rich lays the lines out. They stand below the terminal's scrolling region, so that whatever the
program prints, by whatever means, scrolls above them; rich's own live display redraws only around
what Python prints, and replaces `sys.stdout` for it. Everything goes to stderr.
"""

from __future__ import annotations

import io
import os
import textwrap
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, TextIO

from rich.console import Console
from rich.progress_bar import ProgressBar
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from tfqueue.pages import words
from tfqueue.watch.bottleneck import bottleneck, is_full, is_starved, past, state

if TYPE_CHECKING:
    from tfqueue.watch.counts import Place
    from tfqueue.watch.log import SessionLog
    from tfqueue.watch.watcher import Watch

_LINES_EVERY = 10.0
"""Seconds between two lines where there is no terminal."""
_NAME = 26
"""The longest name of a queue that is shown in full."""
_FEWEST_ROWS = 8
"""A terminal with fewer rows keeps them for the program."""


def display(stream: TextIO | None) -> Live | Lines:
    """The output that suits `stream`: live lines on a terminal, else a line now and then."""
    if stream is None:
        return Lines(stream)
    try:
        terminal = stream.isatty() and os.environ.get("TERM", "dumb") != "dumb"
        if terminal and _size(stream.fileno())[1] >= _FEWEST_ROWS:
            return Live(stream)
    except (AttributeError, ValueError, OSError):
        pass  # a stream that is closed, or has no descriptor, is no terminal
    return Lines(stream)


def _size(file: int) -> tuple[int, int]:
    columns, rows = os.get_terminal_size(file)
    return columns or 80, rows or 24


def console(stream: TextIO | None, colours: bool = True) -> Console:
    """A `Console` that draws as suits `stream`: in Unicode or ASCII, with colours or without."""
    colours = colours and not os.environ.get("NO_COLOR")
    return Console(
        file=stream if stream is not None else io.StringIO(),
        color_system="standard" if colours else None,
        force_terminal=colours,
        legacy_windows=False,
        highlight=False,
        markup=False,
        emoji=False,
    )


def _drawn(console: Console, width: int, parts: Iterable[Any]) -> list[str]:
    """What rich makes of `parts`: a list of str, none longer than `width` as shown."""
    console.width = width
    with console.capture() as captured:
        for part in parts:
            console.print(part, overflow="crop")
    return [line.rstrip() for line in captured.get().splitlines()]


def block(watch: Watch, console: Console, width: int, most: int) -> list[str]:
    """The lines for all sessions that are open.

    Args:
        console: A `Console` that draws them.
        width: How many columns there are.
        most: How many lines at the most.

    Returns:
        A list of str, none longer than `width` as shown.
    """
    logs = [each.log for each in watch.sessions if each.log.ended is None and each.log.places]
    parts: list[Any] = []
    used = 0
    for log in logs:
        title = f"tfqueue {words.clock(watch.clock())}"
        if len(watch.sessions) > 1:
            title += f", session {log.number}"
        found = bottleneck(log)
        told = textwrap.wrap(found.sentence, width)[:3] if found else []
        room = max(1, (most - used - 1 - len(told) * len(logs)) // len(logs))
        places = list(log.places.values())
        left_out = len(places) - room
        if left_out > 0:
            places = places[: room - 1]
        parts += [_title(title, log), _queues(log, places, width)]
        if left_out > 0:
            parts.append(Text(f"and {left_out + 1} more queues", "dim"))
        style = "bold red" if found and found.kind == "failed" else "bold"
        parts += [Text(line, style) for line in told]
        used += 1 + min(room, len(log.places)) + len(told)
    return _drawn(console, width, parts)[:most]


def _title(text: str, log: SessionLog) -> Rule:
    if log.first_batch is not None:
        text += f", first batch after {words.duration(log.first_batch)}"
    return Rule(Text(text, "dim"), style="dim", align="left")


def _queues(log: SessionLog, places: Sequence[Place], width: int) -> Table:
    """A row for each queue, with as many columns as there is room for."""
    right = {"justify": "right"}
    columns: list[tuple[int, dict[str, Any], Callable[[Place], Any]]] = [
        (0, {}, lambda place: words.shortened(place.short, min(_NAME, max(8, width // 4)))),
        (70, {"width": 12 if width >= 100 else 6}, lambda place: _bar(log, place)),
        (0, right, lambda place: _level(log, place)),
        (50, right, lambda place: f" in {_rate(log, place, 'put')}"),
        (50, right, lambda place: f" out {_rate(log, place, 'taken')}"),
        (30, {"ratio": 1}, lambda place: Text(f" {state(log, place)}", _colour(log, place))),
    ]
    shown = [column for column in columns if width >= column[0]]
    table = Table.grid(padding=(0, 1), expand=True)
    for _, options, _ in shown:
        table.add_column(no_wrap=True, **options)
    for place in places:
        table.add_row(*[cell(place) for *_, cell in shown])
    return table


def _colour(log: SessionLog, place: Place) -> str:
    now = log.last(place.name)
    if state(log, place).startswith("failed"):
        return "red"
    if now is not None and is_starved(place, now):
        return "yellow"
    return "cyan" if now is not None and is_full(place, now) else "green"


def _bar(log: SessionLog, place: Place) -> ProgressBar | str:
    now = log.last(place.name)
    if now is None or now.size is None or place.capacity <= 0:
        return ""
    colour = _colour(log, place)
    return ProgressBar(place.capacity, now.size, complete_style=colour, finished_style=colour)


def _level(log: SessionLog, place: Place) -> str:
    level = log.last(place.name)
    return words.level(level.size if level else None, place.capacity)


def _rate(log: SessionLog, place: Place, which: str) -> str:
    return words.rate(getattr(log.rates(place.name), which, None))


class Live:
    """Draws the lines at the bottom of a terminal, and leaves a summary.

    Args:
        stream: The terminal's text stream.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        # A duplicate: while TensorFlow starts, the original descriptor is redirected, so that its
        # start-up lines are not shown.
        self._file = os.dup(stream.fileno())
        self._console = console(stream)
        self._rows = 0
        self._screen: tuple[int, int] | None = None
        self._gone = False

    def update(self, watch: Watch) -> None:
        """Draws the present state."""
        if self._gone:
            return
        try:
            width, height = _size(self._file)
            lines = block(watch, self._console, width, min(height - 4, height // 2 + 2))
            self._draw(lines, width, height)
        except OSError:
            self._gone = True  # the terminal was closed

    def _draw(self, lines: Sequence[str], width: int, height: int) -> None:
        if not lines:
            self._clear()
            return
        text = ""
        if self._screen not in (None, (width, height)):
            text += self._let_go()
        if self._rows != len(lines):
            text += self._take(len(lines), height)
        self._screen = (width, height)
        text += "\x1b7"
        for number, line in enumerate(lines):
            text += f"\x1b[{height - len(lines) + 1 + number};1H\x1b[2K{line}"
        self._write(text + "\x1b8")

    def _take(self, rows: int, height: int) -> str:
        """Reserves the lowest `rows` rows; the cursor and the printed text move above them."""
        more = max(0, rows - self._rows)
        text = "\x1bD" * more + (f"\x1b[{more}A" if more else "") + "\x1b7"
        for row in range(height - self._rows + 1, height + 1):
            text += f"\x1b[{row};1H\x1b[2K"
        self._rows = rows
        return text + f"\x1b[1;{height - rows}r\x1b8"

    def _let_go(self) -> str:
        """Gives all rows back to the program. Below the cursor only our lines stand."""
        self._rows, self._screen = 0, None
        return "\x1b7\x1b[r\x1b8\x1b[J"

    def _clear(self) -> None:
        if self._rows:
            self._write(self._let_go())

    def _write(self, text: str) -> None:
        data = text.encode(errors="replace")
        while data:
            data = data[os.write(self._file, data) :]

    def finish(self, watch: Watch) -> None:
        """Takes the lines away and prints the summary."""
        try:
            if not self._gone:
                self._clear()
                width = _size(self._file)[0]
                text = "".join(f"{line}\n" for line in summary(watch, self._console, width))
                say(self._stream, text)
        except OSError:
            self._gone = True
        finally:
            os.close(self._file)


class Lines:
    """Prints a line now and then, for a log file.

    Args:
        stream: A text stream, or None.
    """

    def __init__(self, stream: TextIO | None) -> None:
        self._stream = stream
        self._console = console(stream, colours=False)
        self._next = _LINES_EVERY / 2

    def update(self, watch: Watch) -> None:
        """Prints a line for each session, if the last one is long enough ago."""
        if watch.clock() < self._next:
            return
        self._next = watch.clock() + _LINES_EVERY
        for each in watch.sessions:
            log = each.log
            if log.ended is None and log.places:
                say(self._stream, f"{self._line(watch, log)}\n")

    def _line(self, watch: Watch, log: SessionLog) -> str:
        parts = []
        for place in log.places.values():
            rates = log.rates(place.name)
            flow = f" in {words.rate(rates.put)} out {words.rate(rates.taken)}" if rates else ""
            parts.append(f"{place.short} {_level(log, place)}{flow}")
        found = bottleneck(log)
        who = f" session {log.number}" if len(watch.sessions) > 1 else ""
        said = f"; {found.sentence}" if found else ""
        return f"tfqueue {words.clock(watch.clock())}{who}: {', '.join(parts)}{said}"

    def finish(self, watch: Watch) -> None:
        """Prints the summary."""
        say(self._stream, "".join(f"{line}\n" for line in summary(watch, self._console, 100)))


def say(stream: Any, text: str) -> None:
    """Writes to a stream. Nothing happens where it is closed, or there is none."""
    try:
        stream.write(text)
        stream.flush()
    except (AttributeError, ValueError, OSError):
        return  # a program may close its stderr, or have None there


def summary(watch: Watch, console: Console, width: int) -> list[str]:
    """The summary of a whole run, as lines."""
    logs = [each.log for each in watch.sessions if each.log.places and each.log.history]
    parts = []
    for log in logs:
        title = f"tfqueue: session {log.number}" if len(logs) > 1 else "tfqueue"
        title += f", {words.duration((log.ended or watch.clock()) - log.began)}"
        table = Table.grid(padding=(0, 2))
        for _ in range(3):
            table.add_column(no_wrap=True)
        for place in log.places.values():
            put, taken = log.totals(place.name)
            table.add_row(
                words.shortened(place.short, _NAME),
                f"{put:,} in, {taken:,} out" if put is not None else "",
                f"capacity {place.capacity:,}" if place.capacity >= 0 else "",
            )
        parts += [_title(title, log), table]
        found = bottleneck(log, whole=True)
        if found is not None:
            parts += [Text(line, "bold") for line in textwrap.wrap(past(found), width)]
    if watch.broken is not None:
        kind = type(watch.broken).__name__
        parts.append(Text(f"tfqueue: the watch itself failed: {kind}: {watch.broken}"))
    return _drawn(console, width, parts)
