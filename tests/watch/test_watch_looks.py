"""What a watch shows: lines in a terminal, the page of a report, event files."""

import html.parser
import io
import os
import pathlib
import pty
import re

import pytest

import tfqueue
import tfqueue.v1 as tf
from tests.suite import children
from tests.watch.watched import STARVED, log_of, spent
from tfqueue.watch import bottleneck, terminal
from tfqueue.watch.counts import Level, Place
from tfqueue.watch.report import page

ROOT = pathlib.Path(__file__).parents[2]


class FakeWatch:
    """As much of a `Watch` as what shows it needs."""

    broken = None
    failures = ()

    def __init__(self, *logs):
        self.sessions = [type("Watched", (), {"log": log, "pipeline": None}) for log in logs]

    def clock(self):
        return 75.0


def plain(line):
    return re.sub(r"\x1b\[[\d;]*m", "", line)


@pytest.mark.parametrize("width", [20, 40, 60, 80, 120])
def test_lines_fit_the_terminal(width, monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    console = terminal.console(io.TextIOWrapper(io.BytesIO(), encoding="utf-8"))
    log = log_of(STARVED, shares=spent(1, DecodeJpeg=6))
    busy = Level(98, 500, 400, 1, 10)
    lines = terminal.block(FakeWatch(log, log_of(busy)), console, width, 20)
    assert max(len(plain(line)) for line in lines) <= width
    assert any("\x1b[" in line for line in lines)
    text = "\n".join(map(plain, lines))
    assert "0/100" in text
    if width == 80:
        assert "━" in text.replace("── ", ""), "there is room for a bar as well"
    if width >= 80:
        assert "step waits for 10" in text
        assert "full: 1 thread waits" in text
    assert len(terminal.block(FakeWatch(log, log), console, width, 6)) <= 6


def test_no_color(monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    lines = terminal.block(FakeWatch(log_of(STARVED)), terminal.console(stream), 80, 20)
    assert "\x1b" not in "".join(lines)
    assert "".join(lines).isascii()


def test_the_terminal_is_given_back(monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    leader, follower = pty.openpty()
    stream = open(follower, "w", encoding="utf-8")  # noqa: SIM115
    try:
        shown = terminal.display(stream)
        assert isinstance(shown, terminal.Live)
        watch = FakeWatch(log_of(STARVED))
        shown.update(watch)
        drawn = os.read(leader, 65536).decode()
        ours = re.findall(r"\x1b\[(\d+);1H\x1b\[2K[^\x1b]*\x1b\[", drawn)
        assert ours
        assert f"\x1b[1;{int(ours[0]) - 1}r" in drawn, "what is printed scrolls above them"
        assert drawn.endswith("\x1b8")  # the cursor is back where the program had it
        shown.finish(watch)
        left = ""
        while "held it back" not in left:
            left += os.read(leader, 65536).decode()
        assert left.startswith("\x1b7\x1b[r\x1b8\x1b[J")
    finally:
        stream.close()
        os.close(leader)


class Page(html.parser.HTMLParser):
    """Checks that a page is well-formed and stands by itself."""

    EMPTY = ("meta", "line", "polygon", "!doctype")

    def __init__(self, text):
        super().__init__()
        self.open, self.text, self.points = [], [], []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        assert tag not in ("script", "img", "link", "iframe")
        assert not {"src", "href"} & set(given)
        if tag == "polyline":
            self.points.append([tuple(map(float, p.split(","))) for p in given["points"].split()])
        if tag not in self.EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in self.EMPTY:
            self.open.pop()

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)


WITH_PATIENCE = """
import runpy
from tests.suite import patience

patience.apply()
runpy.run_module("tfqueue", run_name="__main__", alter_sys=True)
"""


@pytest.mark.xdist_group("children")
def test_the_page_of_a_program_that_fails(tmp_path):
    (tmp_path / "rows.csv").write_text("1,2\n" * 50 + "5\n")
    (tmp_path / "old.py").write_text(
        "import tensorflow as tf\n"
        "names = tf.train.string_input_producer(['rows.csv'])\n"
        "_, line = tf.TextLineReader().read(names)\n"
        "batch = tf.train.batch(tf.decode_csv(line, [[0], [0]]), 10)\n"
        "with tf.Session() as sess:\n"
        "    coord = tf.train.Coordinator()\n"
        "    threads = tf.train.start_queue_runners(coord=coord)\n"
        "    while True:\n"
        "        print 'got', sess.run(batch)[0][0] # <b>\n"
    )
    done = children.run(
        ["-c", WITH_PATIENCE, "run", "--watch", "--report", "r.html", "--summaries", "events"]
        + ["old.py", "<i>"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert done.returncode == 1, done.stderr
    assert done.stdout == "got 1\n" * 5
    assert "batch           50 in, 50 out  capacity 32" in done.stderr
    found = Page((tmp_path / "r.html").read_text())
    text = "".join(found.text)
    assert "old.py <i>" in text
    assert "It ended with InvalidArgumentError" in text
    assert "line 51 of rows.csv is '5', 1 field" in text
    assert text.count("line 51 of rows.csv") == 1, "told once"
    assert found.points
    for points in found.points:
        assert all(0 <= x <= 480 and 0 <= y <= 190 for x, y in points)
    assert list((tmp_path / "events").iterdir())


def test_the_page_of_nothing_and_of_much(tmp_path):
    import datetime

    text = page(FakeWatch(), ["x.py"], datetime.datetime(2026, 1, 1))
    assert "No session with queues was seen." in "".join(Page(text).text)
    logs = [log_of(STARVED, shares=spent(1, DecodeJpeg=6)) for _ in range(25)]
    for log in logs:
        log.shares_of_run = log.shares
    shown = page(FakeWatch(*logs), ["x.py"], datetime.datetime(2026, 1, 1))
    assert shown.count('class="session"') == 20
    text = "".join(Page(shown).text)
    assert "Parsing held it back: DecodeJpeg took 86%" in text
    assert "5 more sessions are left out." in text


def test_what_tensorboard_reads(tmp_path):
    folder = tmp_path / "events"
    queue = tf.FIFOQueue(10, tf.int32, shapes=[[]], name="q")
    put = queue.enqueue_many([[1, 2, 3, 4, 5]])
    with tfqueue.watch(live=False, summaries=str(folder)), tf.Session() as sess:
        sess.run(put)
    [path] = folder.iterdir()
    values = {
        value.tag: value.simple_value
        for event in tf.train.summary_iterator(str(path))
        for value in event.summary.value
    }
    assert values["queues/q/fill"] == 0.5


@pytest.mark.parametrize(("wanted", "by_steps"), [(0, False), (0, True), (1, True)])
def test_an_empty_queue_that_no_step_takes_from_now_starves_nobody(wanted, by_steps):
    place = Place("batch", "FIFOQueue", 100, 0, 1, (), None, by_steps)
    assert bottleneck.is_starved(place, Level(0, 64, wanted=wanted)) == (wanted > 0 or not by_steps)
