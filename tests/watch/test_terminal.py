"""tfqueue.watch.terminal: the lines of a watch, and what a terminal is told to do."""

import io
import types

import pytest

from tests.watch.watched import STARVED, log_of, spent
from tfqueue.watch import terminal
from tfqueue.watch.counts import Level, Place
from tfqueue.watch.log import Failure, Sample, SessionLog
from tfqueue.watch.watcher import failure


def watch_of(*logs, now=75.0):
    sessions = [types.SimpleNamespace(log=log) for log in logs]
    watch = types.SimpleNamespace(sessions=sessions, broken=None, now=now)
    watch.clock = lambda: watch.now
    return watch


def numbered(log, number, **facts):
    log.number = number
    for name, value in facts.items():
        setattr(log, name, value)
    return log


def shown(*logs, width=80, most=20):
    console = terminal.console(io.StringIO(), colours=False)
    return terminal.block(watch_of(*logs), console, width, most)


def wide(count):
    """A log of so many queues that are neither empty nor full."""
    log = SessionLog(1, 0.0)
    for number in range(count):
        name = f"q{number}"
        log.places[name] = Place(name, "FIFOQueue", 100, 0, 1, (), None, number == 0)
    log.add(Sample(0.0, {name: Level(40, None) for name in log.places}))
    return log


IDLE = "no step takes from q0 just now"


def test_the_lines_of_a_session():
    title, *lines = shown(log_of(STARVED, shares=spent(8.0, Cast=2.0)))
    assert title.startswith("tfqueue 1:15, first batch after 100 ms ──")
    assert lines == [
        "names ━━━━━━ 32/32  in -  out -  full: 1 thread waits",
        "batch        0/100  in -  out -  step waits for 10",
        "reading holds it back: TFRecordReader takes 80% of the time of its 1 thread;",
        "batch was empty 100% of the time",
    ]


@pytest.mark.parametrize(
    ("width", "row"),
    [
        (29, "q0                     40/100"),
        (30, "q0 40/100"),
        (49, "q0 40/100"),
        (50, "q0 40/100  in -  out -"),
        (69, "q0 40/100  in -  out -"),
        (70, "q0 ━━     40/100  in -  out -"),
        (99, "q0 ━━     40/100  in -  out -"),
        (100, "q0 ━━━━╸        40/100  in -  out -"),
    ],
)
def test_columns_for_which_there_is_room(width, row):
    assert shown(wide(1), width=width)[1] == row


@pytest.mark.parametrize(
    ("count", "most", "queues", "more"),
    [
        (3, 20, 3, None),
        (3, 5, 3, None),
        (3, 4, 1, "and 2 more queues"),
        (9, 7, 4, "and 5 more queues"),
        (9, 3, 0, "and 9 more queues"),
    ],
)
def test_queues_for_which_there_are_rows(count, most, queues, more):
    lines = shown(wide(count), most=most)
    assert sum(line.startswith("q") for line in lines) == queues
    assert [line for line in lines if "more queues" in line] == ([more] if more else [])
    assert len(lines) <= most
    if most > 3:
        assert lines[-1] == IDLE


def test_sessions_that_are_open_share_the_rows():
    ended = numbered(wide(1), 1, ended=3.0)
    empty = numbered(SessionLog(2, 0.0), 2)
    third, fourth = numbered(wide(2), 3, first_batch=2.0), numbered(wide(2), 4)
    lines = shown(ended, empty, third, fourth)
    assert [line.partition(" ─")[0] for line in lines if line.startswith("tfqueue")] == [
        "tfqueue 1:15, session 3, first batch after 2.0 s",
        "tfqueue 1:15, session 4",
    ]
    assert len(lines) == 8
    assert shown(ended) == []
    assert shown() == []


def test_a_long_name_is_shortened():
    log = wide(1)
    name = "a_long_name_" * 5
    log.places = {name: Place(name, "FIFOQueue", -1, 0, 1, (), None, True)}
    log.add(Sample(1.0, {name: Level(40, None)}))
    cells = [shown(log, width=width)[1].split()[0] for width in (20, 60, 200)]
    assert [len(cell) for cell in cells] == [8, 15, 26]
    assert "━" not in shown(log, width=200)[1]


@pytest.mark.parametrize(
    ("level", "failed", "colour"),
    [
        (Level(40, 1), False, "green"),
        (Level(80, 1), False, "cyan"),
        (Level(0, 1, wanted=1), False, "yellow"),
        (Level(40, 1), True, "red"),
        (None, False, "green"),
    ],
)
def test_colours(level, failed, colour):
    log = wide(1)
    log.recent.clear()
    log.add(Sample(1.0, {"q0": level} if level else {}))
    if failed:
        log.errors.append(Failure("DataLossError", "x", (), "q0", 1.0))
    assert terminal._colour(log, log.places["q0"]) == colour
    bar = terminal._bar(log, log.places["q0"])
    assert bar == "" if level is None else bar.complete_style == bar.finished_style == colour


@pytest.mark.parametrize(("kind", "bold"), [(True, "1;31m"), (False, "[1m")])
def test_a_failure_is_red(kind, bold, monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    log = wide(1)
    if kind:
        log.errors.append(Failure("DataLossError", "corrupted", (), "q0", 1.0))
    lines = terminal.block(watch_of(log), terminal.console(io.StringIO()), 80, 20)
    assert bold in lines[-1]


# -- a terminal ------------------------------------------------------------------------------------


class Screen:
    """A file in place of a terminal of some size, and the `Live` that draws on it."""

    def __init__(self, path, monkeypatch, size=(60, 20)):
        self.size = size
        monkeypatch.setattr(terminal, "_size", lambda file: self.size)
        self.stream = path.open("w+", encoding="utf-8")
        self.live = terminal.Live(self.stream)
        self.path, self.seen = path, 0

    def drawn(self):
        """What was written since the last call."""
        text = self.path.read_text("utf-8")
        new, self.seen = text[self.seen :], len(text)
        return new


@pytest.fixture
def screen(tmp_path, monkeypatch):
    made = Screen(tmp_path / "terminal", monkeypatch)
    yield made
    made.stream.close()


def rows_of(text):
    return [int(part.partition(";")[0]) for part in text.split("\x1b[") if ";1H" in part]


def test_lines_stand_in_the_lowest_rows(screen):
    screen.live._draw(["a", "b"], 60, 20)
    assert screen.drawn() == (
        "\x1bD\x1bD\x1b[2A\x1b7\x1b[1;18r\x1b8\x1b7\x1b[19;1H\x1b[2Ka\x1b[20;1H\x1b[2Kb\x1b8"
    )
    screen.live._draw(["c", "d"], 60, 20)
    assert screen.drawn() == "\x1b7\x1b[19;1H\x1b[2Kc\x1b[20;1H\x1b[2Kd\x1b8"


def test_a_line_more_and_a_line_less(screen):
    screen.live._draw(["a"], 60, 20)
    screen.drawn()
    screen.live._draw(["a", "b", "c"], 60, 20)
    more = screen.drawn()
    assert more.startswith("\x1bD\x1bD\x1b[2A\x1b7\x1b[20;1H\x1b[2K\x1b[1;17r\x1b8\x1b7")
    screen.live._draw(["a"], 60, 20)
    less = screen.drawn()
    assert less.startswith(
        "\x1b7\x1b[18;1H\x1b[2K\x1b[19;1H\x1b[2K\x1b[20;1H\x1b[2K\x1b[1;19r\x1b8"
    )


def test_a_terminal_of_another_size_is_let_go_first(screen):
    screen.live._draw(["a"], 60, 20)
    screen.drawn()
    screen.live._draw(["a"], 61, 20)
    gone = "\x1b7\x1b[r\x1b8\x1b[J"
    assert screen.drawn().startswith(f"{gone}\x1bD\x1b[1A\x1b7")
    screen.live._draw(["a"], 61, 20)
    assert gone not in screen.drawn()
    screen.live._draw([], 61, 20)
    assert screen.drawn() == gone
    screen.live._draw([], 61, 20)
    assert screen.drawn() == ""


@pytest.mark.parametrize(("height", "rows"), [(8, 4), (10, 6), (12, 8), (20, 11), (40, 11)])
def test_how_many_rows_are_taken(height, rows, screen):
    screen.size = 60, height
    screen.live.update(watch_of(wide(9)))
    found = rows_of(screen.drawn().rpartition("\x1b7")[2])
    assert found == list(range(height - rows + 1, height + 1))


def test_the_summary_is_left(screen):
    watch = watch_of(wide(1))
    screen.live.update(watch)
    screen.drawn()
    screen.live.finish(watch)
    left = screen.drawn()
    assert left.startswith("\x1b7\x1b[r\x1b8\x1b[J")
    assert "capacity 100" in left
    with pytest.raises(OSError, match="Bad file descriptor"):
        terminal.os.fstat(screen.live._file)


def test_a_terminal_that_is_gone_is_not_drawn_on(screen, monkeypatch):
    def gone(file):
        raise OSError

    monkeypatch.setattr(terminal, "_size", gone)
    watch = watch_of(wide(1))
    screen.live.update(watch)
    monkeypatch.setattr(terminal, "_size", lambda file: (60, 20))
    screen.live.update(watch)
    screen.live.finish(watch)
    assert screen.drawn() == ""


def test_which_stream_is_a_terminal(monkeypatch, tmp_path):
    class Stream(io.StringIO):
        def isatty(self):
            return True

        def fileno(self):
            return 1

    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(terminal, "Live", lambda stream: "live")
    for rows, live in ((8, True), (7, False)):
        monkeypatch.setattr(terminal, "_size", lambda file, rows=rows: (80, rows))
        assert (terminal.display(Stream()) == "live") is live
    monkeypatch.setattr(terminal, "_size", lambda file: (80, 24))
    for other in (None, io.StringIO()):
        assert isinstance(terminal.display(other), terminal.Lines)
    monkeypatch.setenv("TERM", "dumb")
    assert isinstance(terminal.display(Stream()), terminal.Lines)
    monkeypatch.delenv("TERM")
    assert isinstance(terminal.display(Stream()), terminal.Lines)


# -- a log file ------------------------------------------------------------------------------------


def test_a_line_now_and_then():
    stream = io.StringIO()
    lines = terminal.Lines(stream)
    watch = watch_of(wide(2), now=4.9)
    seen = []
    for now in (4.9, 5.0, 14.9, 15.0):
        watch.now = now
        lines.update(watch)
        seen.append(stream.getvalue().count("\n"))
    assert seen == [0, 1, 1, 2]
    assert stream.getvalue().splitlines()[0] == f"tfqueue 0:05: q0 40/100, q1 40/100; {IDLE}"


def test_a_line_of_each_session_with_rates():
    stream = io.StringIO()
    lines = terminal.Lines(stream)
    busy = numbered(wide(1), 2)
    for number in range(1, 5):
        busy.add(Sample(float(number), {"q0": Level(40, 40 + 3 * number)}))
    lines.update(watch_of(numbered(wide(1), 1, ended=1.0), busy, SessionLog(3, 0.0)))
    (line,) = stream.getvalue().splitlines()
    assert line == (
        "tfqueue 1:15 session 2: q0 40/100 in 3/s out 3/s; input and training step keep pace: q0 was "
        "empty 0% of the time"
    )
    lines.finish(watch_of(busy))
    assert "capacity 100" in stream.getvalue()


def test_a_stream_that_cannot_be_written_is_left_alone():
    closed = io.StringIO()
    closed.close()
    for stream in (None, closed, object()):
        terminal.say(stream, "text")
    stream = io.StringIO()
    terminal.say(stream, "text")
    assert stream.getvalue() == "text"


def test_the_summary_of_what_is_not_known():
    log = numbered(wide(1), 1, ended=9.0, began=4.0)
    log.places["q1"] = Place("q1", "FIFOQueue", -1, 0, 1, (), None, False)
    other = SessionLog(2, 0.0)
    other.places = dict(log.places)
    console = terminal.console(io.StringIO(), colours=False)
    lines = terminal.summary(watch_of(log, other), console, 80)
    assert lines[0].startswith("tfqueue, 5.0 s ──")
    assert [line.split() for line in lines[1:3]] == [["q0", "capacity", "100"], ["q1"]]


# -- a failure -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("message", "text"),
    [
        ("one\ntwo", "one"),
        ("Graph execution error:\n\n  two", "  two"),
        ("\n \nGraph execution error:", "Graph execution error:"),
        ("", ""),
    ],
)
def test_the_line_that_tells_a_failure(message, text):
    error = ValueError(message)
    assert failure(error, "q", 1.5) == Failure("ValueError", text, (), "q", 1.5)
    error.__notes__ = ["a", "b"]
    error.message = "own"
    assert failure(error, None, 2.0) == Failure("ValueError", "own", ("a", "b"), None, 2.0)
