"""The edges of the command line: closed streams, hostile names, little memory, odd input."""

import contextlib
import io
import itertools
import json
import os
import pathlib
import shutil
import subprocess
import sys
import threading

import numpy as np
import pytest
from google.protobuf.message import DecodeError

from tests.suite import samples
from tfqueue import cli, records
from tfqueue.records import files, messages, streams

ROOT = pathlib.Path(__file__).parent.parent
OLD = "import tensorflow as tf\nx = tf.pack([1])\n"
HOSTILE = "a\x1b]0;owned\x07\x1b[31m\u202e\x9b\nother: good, 9 records"


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A folder with a good file, a damaged one and an old program."""
    monkeypatch.chdir(tmp_path)
    records.write("good", [{"n": n} for n in range(3)])
    pathlib.Path("bad").write_bytes(pathlib.Path("good").read_bytes() + b"tail")
    pathlib.Path("old.py").write_text(OLD)
    pathlib.Path("new.py").write_text("x = 1\n")
    return tmp_path


COMMANDS = {
    ("--version",): 0,
    ("--help",): 0,
    ("check", "new.py"): 0,
    ("check", "old.py"): 1,
    ("check", "absent.py"): 2,
    ("port", "old.py"): 0,
    ("port", "-o", "-", "old.py"): 0,
    ("run", "new.py"): 0,
    ("completion", "bash"): 0,
    ("records", "--help"): 0,
    ("records", "head", "good"): 0,
    ("records", "schema", "good"): 0,
    ("records", "count", "good"): 0,
    ("records", "count", "bad"): 1,
    ("records", "verify", "--json", "good"): 0,
    ("records", "verify", "bad"): 1,
    ("records", "salvage", "bad", "-o", "saved"): 1,
    ("records", "verify", "absent"): 2,
}


CLOSED = [
    pytest.param(argv, closed, id=f"{' '.join(argv)}-{closed}")
    for argv, closed in itertools.product(COMMANDS, ([1], [1, 2], [0, 1, 2]))
]


@pytest.mark.parametrize(("argv", "closed"), samples.some(CLOSED, 5))
def test_a_stream_that_is_closed_changes_no_exit_status(argv, closed, place):
    done = subprocess.run(
        [sys.executable, "-m", "tfqueue", *argv],
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        preexec_fn=lambda: [os.close(number) for number in closed],
        text=True,
    )
    assert (done.returncode, "Traceback" in done.stderr) == (COMMANDS[argv], False), done.stderr


def test_no_file_gets_the_number_of_a_closed_stream(place):
    """What a library writes to stderr is not written to a file that the command opens."""
    code = "import os, sys; from tfqueue import cli; cli._open_what_is_closed(); "
    code += "file = open('new', 'w'); os.write(2, b'a warning'); sys.exit(file.fileno())"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        preexec_fn=lambda: [os.close(number) for number in (1, 2)],
    )
    assert done.returncode > 2
    assert os.path.getsize("new") == 0


def shown(capsys, *argv):
    """What a command prints, seen to hold nothing that a terminal obeys."""
    code = cli.main(list(argv))
    out, error = capsys.readouterr()
    for text in (out, error):
        odd = [c for c in text if not c.isprintable() and c != "\n"]
        assert not odd, text
        assert "\nother" not in text
    return code, out, error


NAMED = [
    ("records", "head", "{}", "--json"),
    ("records", "schema", "{}"),
    ("records", "count", "{}", "good"),
    ("records", "count", "{}", "--json"),
    ("records", "verify", "{}"),
    ("records", "verify", "{}", "--json"),
    ("records", "verify", "{}*absent"),
    ("records", "verify", "absent{}"),
    ("records", "salvage", "bad", "-o", "saved{}"),
    ("records", "salvage", "{}.bad", "-o", "saved"),
    ("records", "salvage", "{}", "-o", "good"),
    ("records", "salvage", "{}", "-o", "{}"),
    ("records", "head", "{}.bad"),
    ("records", "count", "{}.bad"),
    ("records", "write", "{}.csv", "-o", "x"),
    ("records", "images", "{}", "-o", "x"),
    ("check", "{}.py"),
    ("check", "{}.py", "--json"),
    ("check", "absent{}.py"),
    ("port", "{}.py"),
    ("port", "absent{}.py"),
    ("port", "{}.ipynb"),
    ("run", "absent{}.py"),
    ("run", "--{}"),
    ("draw", "absent{}.py"),
    ("bench", "absent{}.py"),
    ("{}",),
]


@pytest.mark.parametrize("argv", NAMED, ids=" ".join)
def test_a_name_is_one_line_whatever_is_in_it(argv, place, capsys):
    for source, suffix in (("good", ""), ("bad", ".bad"), ("old.py", ".py"), ("good", ".csv")):
        shutil.copy(source, HOSTILE + suffix)
    pathlib.Path(HOSTILE + ".ipynb").write_text("{")
    said = shown(capsys, *(word.replace("{}", HOSTILE) for word in argv))
    if "--json" in argv and said[1]:
        json.loads(said[1])


def test_an_error_of_records_is_one_line(place):
    with pytest.raises(records.SourceError) as caught:
        records.expand(HOSTILE + "*")
    assert "\\nother" in str(caught.value)
    assert str(caught.value).isprintable()


@pytest.mark.parametrize("command", ["head", "schema", "salvage", "images"])
def test_a_record_that_does_not_fit_is_one_line_and_2(command, place, capsys, monkeypatch):
    def full(stream, count):
        raise MemoryError

    monkeypatch.setattr(streams.PlainStream, "_read", full)
    more = ["-o", "new"] if command in ("salvage", "images") else []
    assert cli.main(["records", command, "good", "--compression", "none", *more]) == 2
    error = capsys.readouterr().err
    assert error.startswith("tfqueue records: good: a record of ")
    assert error.endswith(" bytes does not fit in memory\n")
    assert not os.path.exists("new")


@pytest.mark.parametrize("command", ["head", "schema", "images"])
def test_too_little_memory_to_parse_is_not_taken_for_bytes_that_are_no_example(
    command, place, capsys, monkeypatch
):
    records.write("large", [{"x": bytes(2 << 20)}, bytes(2 << 20)])

    def fails(data):
        raise DecodeError

    def none(*_):
        raise MemoryError

    monkeypatch.setattr(messages.SequenceExample, "FromString", fails, raising=False)
    monkeypatch.setattr(np, "empty", none)
    more = ["-o", "new"] if command == "images" else []
    assert cli.main(["records", command, "large", *more]) == 2
    assert capsys.readouterr().err == "tfqueue records: large: there is not enough memory\n"


def test_head_and_schema_show_a_bounded_number_of_keys(place, capsys):
    records.write("many", [{f"{n:05}": n for n in range(3000)} | {"k" * 5000: 1}])
    for command in ("head", "schema"):
        assert cli.main(["records", command, "many"]) == 0
        lines = capsys.readouterr().out.splitlines()
        assert len(lines) < 2100
        assert any("2,001 more keys" in line for line in lines)
        assert max(map(len, lines)) < 300
    assert cli.main(["records", "schema", "--json", "many"]) == 0
    assert len(json.loads(capsys.readouterr().out)["features"]) == 3001


def test_head_makes_no_json_unless_asked(place, capsys, monkeypatch):
    from tfqueue.records import display

    monkeypatch.setattr(display, "jsonable", lambda value: pytest.fail("JSON was made"))
    assert cli.main(["records", "head", "good"]) == 0


@pytest.mark.parametrize("command", ["head", "schema", "count", "verify"])
def test_a_pipe_is_read(command, place, capsys):
    os.mkfifo("pipe")
    data = pathlib.Path("good").read_bytes()
    writer = threading.Thread(target=lambda: pathlib.Path("pipe").write_bytes(data))
    writer.start()
    code = cli.main(["records", command, "pipe"])
    writer.join()
    assert code == 0
    assert "3" in capsys.readouterr().out or command == "head"


def test_a_file_that_is_removed_or_replaced_while_it_is_read_is_read_to_its_end(place):
    records.write("large", ([bytes([n]) * 300_000 for n in range(4)]))
    found = files.read("large")
    first = next(found)
    os.unlink("large")
    records.write("large", [b"another"])
    assert [first, *found] == [bytes([n]) * 300_000 for n in range(4)]


def test_a_file_that_is_cut_while_it_is_read_is_damaged(place):
    records.write("large", ([bytes([n]) * 300_000 for n in range(4)]))
    found = files.read("large")
    next(found)
    os.truncate("large", 700_000)
    next(found)
    with pytest.raises(records.DamagedRecordError, match="cut"):
        next(found)


def test_shards_on_a_full_disk_are_none(place):
    """The last bytes of each are written when all items are."""
    resource = pytest.importorskip("resource")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2000, limits[1]))
    try:
        with pytest.raises(OSError, match="too large"):
            records.write("s", [bytes(3000), b"", b""], shards=3)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert not [name for name in os.listdir() if name.startswith(("s-", "."))]


def test_a_file_below_dev_shm_is_replaced_only_with_force(place, capsys):
    if not os.path.isdir("/dev/shm"):
        pytest.skip("there is no /dev/shm here")
    path = f"/dev/shm/tfqueue-{os.getpid()}"
    try:
        shutil.copy("good", path)
        assert cli.main(["records", "salvage", "bad", "-o", path]) == 2
        assert cli.main(["records", "salvage", "bad", "-o", path, "--force"]) == 1
        assert records.count(path) == 3
        shutil.copy("old.py", path)
        assert cli.main(["port", "--in-place", path]) == 0
        assert "import tensorflow as tf" not in pathlib.Path(path).read_text()
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path)


def test_a_report_leaves_no_file_before_the_end(place):
    from tfqueue.watch.report import Report

    Report("page.html")
    assert not os.path.exists("page.html")


@pytest.mark.parametrize(
    ("command", "code"), [("check new.py", 1), ("records head good", 0), ("records verify bad", 0)]
)
def test_whoever_reads_may_have_read_enough(place, monkeypatch, command, code):
    class Closed(io.StringIO):
        def write(self, text):
            raise BrokenPipeError

    monkeypatch.setattr(sys, "stdout", Closed())
    assert cli.main(command.split()) == code
    assert sys.stdout is None  # nor does Python flush it at its end
