"""What is watched, live in a terminal: a few lines at its bottom, redrawn in place.

The lines stand below the terminal's scrolling region, so that whatever the
program prints, by whatever means, scrolls above them. Everything goes to stderr.
"""

import os
import textwrap

from tfqueue.watch import words
from tfqueue.watch.verdict import is_full, is_starved, past, state, verdict

_LINES_EVERY = 10.0
"""Seconds between two lines where there is no terminal."""
_NAME = 26
"""The longest name of a queue that is shown in full."""
_STATE = 23
"""Columns kept for who waits for whom, before a bar gets any."""
_FEWEST_ROWS = 8
"""A terminal with fewer rows keeps them for the program."""


def display(stream):
    """The output that suits `stream`: live lines on a terminal, else a line now and then."""
    try:
        terminal = stream.isatty() and os.environ.get("TERM", "dumb") != "dumb"
        if terminal and _size(stream.fileno())[1] >= _FEWEST_ROWS:
            return Live(stream)
    except (AttributeError, ValueError, OSError):
        pass  # no stream, or one that is closed: it is no terminal
    return Lines(stream)


def _size(file):
    columns, rows = os.get_terminal_size(file)
    return columns or 80, rows or 24


class Style:
    """How things are drawn on a stream: with colours or without, in Unicode or ASCII.

    Args:
      stream: A text stream.
    """

    def __init__(self, stream):
        self.colours = not os.environ.get("NO_COLOR")
        encoding = (getattr(stream, "encoding", None) or "ascii").lower()
        self.unicode = encoding.replace("-", "") == "utf8"

    def paint(self, text, code):
        """`text` in a colour."""
        return f"\x1b[{code}m{text}\x1b[0m" if self.colours and text else text

    def bar(self, part, width):
        """A bar of `width` characters, `part` of it filled."""
        if not self.unicode:
            done = round(part * width)
            return "#" * done + "." * (width - done)
        eighths = round(part * width * 8)
        whole, rest = divmod(eighths, 8)
        text = "█" * whole + (" ▏▎▍▌▋▊▉"[rest] if rest else "")
        return text + "·" * (width - len(text))


def block(watch, style, width, most):
    """The lines for all sessions that are open.

    Args:
      watch: The `Watch`.
      style: A `Style`.
      width: How many columns there are.
      most: How many lines at the most.

    Returns:
      A list of str, none longer than `width` as shown.
    """
    logs = [each.log for each in watch.sessions if each.log.ended is None and each.log.places]
    lines = []
    for log in logs:
        title = f"tfqueue {words.clock(watch.clock())}"
        if len(watch.sessions) > 1:
            title += f", session {log.number}"
        if log.first_batch is not None:
            title += f", first batch after {words.duration(log.first_batch)}"
        lines.append(style.paint(_rule(title, width, style), "2"))
        found = verdict(log)
        told = textwrap.wrap(found.sentence, width)[:3] if found else []
        colour = "1;31" if found and found.kind == "failed" else "1"
        room = max(1, (most - len(lines) - len(told) * len(logs)) // len(logs))
        lines += _rows(log, style, width, room)
        lines += [style.paint(line, colour) for line in told]
    return lines[:most]


def _rule(title, width, style):
    dash = "─" if style.unicode else "-"
    text = f"{dash * 2} {title} "[:width]
    return text + dash * (width - len(text))


def _rows(log, style, width, most):
    """A line for each queue, its columns as wide as they must be."""
    places = list(log.places.values())
    left_out = len(places) - most
    if left_out > 0:
        places = places[: most - 1]
    name = min(_NAME, max((len(place.short) for place in places), default=0), max(8, width // 4))
    cells = []
    for place in places:
        rates = log.rates(place.name)
        put, taken = (rates.put, rates.taken) if rates else (None, None)
        cells.append((_level(log, place), words.rate(put), words.rate(taken)))
    widths = [max(map(len, column), default=0) for column in zip(*cells, strict=True)]
    rows = []
    for place, (level, put, taken) in zip(places, cells, strict=True):
        flow = f"in {put:>{widths[1]}}  out {taken:>{widths[2]}}"
        title = words.shortened(place.short, name).ljust(name)
        rows.append(_row(log, place, style, width, [title, level.rjust(widths[0]), flow]))
    if left_out > 0:
        rows.append(style.paint(f"and {left_out + 1} more queues"[:width], "2"))
    return rows


def _level(log, place):
    level = log.last(place.name)
    return words.level(level.size if level else None, place.capacity)


def _row(log, place, style, width, cells):
    """One queue: what fits into the width, the most important first."""
    now = log.last(place.name)
    said = state(log, place)
    colour = "32"
    if said.startswith("failed"):
        colour = "31"
    elif now is not None and is_starved(place, now):
        colour = "33"
    elif now is not None and is_full(place, now):
        colour = "36"
    title, level, flow = cells
    room = width - len(title) - len(level) - len(flow) - 4
    bar = min(12, room - _STATE)
    text, used = title, len(title)
    if bar >= 4:
        drawn = " " * bar
        if place.capacity > 0 and now is not None:
            drawn = style.bar(min(1.0, now.size / place.capacity), bar)
        text += " " + style.paint(drawn, colour)
        used += bar + 1
    for gap, piece, paint in ((" ", level, None), ("  ", flow, None), ("  ", said, colour)):
        room = width - used - len(gap)
        if piece and (len(piece) <= room or (piece is said and room >= 12)):
            piece = words.shortened(piece, room)
            text += gap + (style.paint(piece, paint) if paint else piece)
            used += len(gap) + len(piece)
    return text


class Live:
    """Draws the lines at the bottom of a terminal, and leaves a summary.

    Args:
      stream: The terminal's text stream.
    """

    def __init__(self, stream):
        self._stream = stream
        # One of our own: TensorFlow's start-up lines are kept off the terminal by holding back the
        # descriptor itself for the moment.
        self._file = os.dup(stream.fileno())
        self._style = Style(stream)
        self._rows = 0
        self._screen = None
        self._gone = False

    def update(self, watch):
        """Draws what there is to be seen now."""
        if self._gone:
            return
        try:
            width, height = _size(self._file)
            lines = block(watch, self._style, width, min(height - 4, height // 2 + 2))
            self._draw(lines, width, height)
        except OSError:
            self._gone = True  # the terminal was closed

    def _draw(self, lines, width, height):
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

    def _take(self, rows, height):
        """Makes the lowest `rows` rows ours; the cursor and what was printed move out of them."""
        more = max(0, rows - self._rows)
        text = "\x1bD" * more + (f"\x1b[{more}A" if more else "") + "\x1b7"
        for row in range(height - self._rows + 1, height + 1):
            text += f"\x1b[{row};1H\x1b[2K"
        self._rows = rows
        return text + f"\x1b[1;{height - rows}r\x1b8"

    def _let_go(self):
        """Gives all rows back to the program. Below the cursor is nothing but ours."""
        self._rows, self._screen = 0, None
        return "\x1b7\x1b[r\x1b8\x1b[J"

    def _clear(self):
        if self._rows:
            self._write(self._let_go())

    def _write(self, text):
        data = text.encode(errors="replace")
        while data:
            data = data[os.write(self._file, data) :]

    def finish(self, watch):
        """Takes the lines away and prints the summary."""
        try:
            if not self._gone:
                self._clear()
                width = _size(self._file)[0]
                text = "".join(f"{line}\n" for line in summary(watch, self._style, width))
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

    def __init__(self, stream):
        self._stream = stream
        self._style = Style(stream)
        self._style.colours = False
        self._next = _LINES_EVERY / 2

    def update(self, watch):
        """Prints where it is time."""
        if watch.clock() < self._next:
            return
        self._next = watch.clock() + _LINES_EVERY
        for each in watch.sessions:
            log = each.log
            if log.ended is None and log.places:
                say(self._stream, f"{self._line(watch, log)}\n")

    def _line(self, watch, log):
        parts = []
        for place in log.places.values():
            rates = log.rates(place.name)
            flow = f" in {words.rate(rates.put)} out {words.rate(rates.taken)}" if rates else ""
            parts.append(f"{place.short} {_level(log, place)}{flow}")
        found = verdict(log)
        who = f" session {log.number}" if len(watch.sessions) > 1 else ""
        said = f"; {found.sentence}" if found else ""
        return f"tfqueue {words.clock(watch.clock())}{who}: {', '.join(parts)}{said}"

    def finish(self, watch):
        """Prints the summary."""
        say(self._stream, "".join(f"{line}\n" for line in summary(watch, self._style, 100)))


def say(stream, text):
    """Writes to a stream that may be closed, or nobody's."""
    try:
        stream.write(text)
        stream.flush()
    except (AttributeError, ValueError, OSError):
        return  # a program may close its stderr: then there is nobody to tell


def summary(watch, style, width):
    """What was seen in all, as lines."""
    logs = [each.log for each in watch.sessions if each.log.places and each.log.history]
    lines = []
    for log in logs:
        title = f"tfqueue: session {log.number}" if len(logs) > 1 else "tfqueue"
        title += f", {words.duration((log.ended or watch.clock()) - log.began)}"
        if log.first_batch is not None:
            title += f", first batch after {words.duration(log.first_batch)}"
        lines.append(style.paint(_rule(title, width, style), "2"))
        name = min(_NAME, max(len(place.short) for place in log.places.values()))
        for place in log.places.values():
            put, taken = log.totals(place.name)
            text = words.shortened(place.short, name).ljust(name)
            if put is not None:
                text += f"  {put:,} in, {taken:,} out"
            text += f"  capacity {place.capacity:,}" if place.capacity >= 0 else ""
            lines.append(text[:width])
        found = verdict(log, whole=True)
        if found is not None:
            lines += [style.paint(line, "1") for line in textwrap.wrap(past(found), width)]
    if watch.broken is not None:
        kind = type(watch.broken).__name__
        lines.append(f"tfqueue: the watch itself failed: {kind}: {watch.broken}")
    return lines
