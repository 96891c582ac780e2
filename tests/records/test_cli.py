"""tfqueue.records.cli: what a person and a script see of `tfqueue records`."""

import argparse
import contextlib
import gzip
import io
import json
import logging
import os
import pathlib
import re
import resource
import subprocess
import sys
import threading

import numpy as np
import pytest

from tests import command_lines, damaged_files
from tfqueue import records
from tfqueue.records import cli, streams

ROOT = pathlib.Path(__file__).parents[2]
COMMANDS = ("head", "schema", "count", "verify", "salvage", "images", "write")


def parser():
    made = argparse.ArgumentParser(prog="tfqueue records")
    cli.add_arguments(made)
    return made


@pytest.fixture
def tool(capsys):
    """Runs a command; returns its exit code, stdout, stderr."""

    def run(*argv):
        code = cli.run(parser().parse_args([str(arg) for arg in argv]))
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


@pytest.fixture
def good(tmp_path):
    path = tmp_path / "good.tfrecord"
    examples = [{"name": f"n{n}", "n": n, "x": [0.5] * n, "raw": b"\xff\0"} for n in range(5)]
    records.write(path, examples)
    return path


@pytest.fixture
def bad(tmp_path, good):
    path = tmp_path / "bad.tfrecord"
    path.write_bytes(good.read_bytes() + damaged_files.record(b"tail")[:7])
    return path


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_fits_80_columns(monkeypatch, capsys, command):
    monkeypatch.setenv("COLUMNS", "80")
    with pytest.raises(SystemExit) as caught:
        parser().parse_args([*filter(None, [command]), "--help"])
    assert caught.value.code == 0
    text = capsys.readouterr().out
    assert max(map(len, text.splitlines())) <= 80
    if not command:
        assert all(f"\n    {name} " in text for name in COMMANDS)


def test_the_help_s_examples_parse():
    lines = re.findall(r"^  tfqueue records (.*)$", cli.EPILOG, re.MULTILINE)
    assert len(lines) >= 5
    for line in lines:
        parser().parse_args(line.replace("'", "").split())


@pytest.mark.parametrize(
    "argv",
    [
        [],
        ["nope"],
        ["count"],
        ["head", "-n", "0", "x"],
        ["head", "-n", "a", "x"],
        ["salvage", "x"],
        ["images", "x", "-o", "y", "--shape", "3"],
        ["count", "x", "--compression", "lz4"],
    ],
)
def test_bad_usage_is_2(argv, capsys):
    with pytest.raises(SystemExit) as caught:
        parser().parse_args(argv)
    assert caught.value.code == 2
    assert "error:" in capsys.readouterr().err


def test_head(tool, good):
    code, out, err = tool("head", "-n", 2, good)
    assert (code, err) == (0, "")
    assert out.splitlines() == [
        *("record 0", "  n     0", "  name  'n0'", "  raw   <2 B>", "  x     []"),
        *("record 1", "  n     1", "  name  'n1'", "  raw   <2 B>", "  x     0.5"),
    ]
    code, out, _ = tool("head", "--json", good)
    found = json.loads(out)
    assert len(found) == 3
    assert found[2] == {"n": [2], "name": ["n2"], "x": [0.5, 0.5], "raw": [{"base64": "/wA="}]}


def test_head_of_long_and_odd_values(tool, tmp_path):
    path = tmp_path / "a"
    records.write(
        path,
        [
            {"long": range(1000), "text": "x" * 500, "nan": [np.nan, np.inf, 1]},
            ({"c": 1}, {"steps": range(9)}),
            b"\xff\xff",
        ],
    )
    code, out, _ = tool("head", path)
    assert code == 0
    assert "[0, 1, 2, 3, 4, 5, 6, 7, ... (992 more)]" in out
    assert "9 steps" in out
    assert "(no Example)" in out
    assert max(map(len, out.splitlines())) <= 80
    found = json.loads(tool("head", "--json", path)[1])
    assert found[0]["nan"] == ["nan", "inf", 1]
    assert found[1] == [{"c": [1]}, {"steps": [[n] for n in range(9)]}]
    assert found[2] == {"base64": "//8="}


ODD = {"größe": "ü", "two\nlines": 1, "\x1b[31m": 2}


@pytest.mark.parametrize("command", ["head", "schema"])
def test_a_key_is_one_line_whatever_is_in_it(tool, tmp_path, command):
    records.write(tmp_path / "a", [ODD])
    _, out, _ = tool(command, tmp_path / "a")
    assert "\x1b" not in out
    assert r"two\nlines" in out
    assert "größe" in out


def test_a_terminal_that_does_not_have_the_letters(tmp_path):
    records.write(tmp_path / "a", [ODD])
    said = {}
    for options in ((), ("--json",)):
        done = subprocess.run(
            [sys.executable, "-m", "tfqueue", "records", "head", *options, tmp_path / "a"],
            capture_output=True,
            env={**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONPATH": str(ROOT)},
        )
        assert (done.returncode, done.stderr) == (0, b"")
        said[options] = done.stdout.decode("ascii")
    assert r"gr\xf6\xdfe" in said[()]
    assert json.loads(said[("--json",)])[0]["größe"] == ["ü"]


def test_a_table_of_tabs(tool, tmp_path):
    (tmp_path / "t.tsv").write_text("a\tb\n1\tx,y\n")
    assert tool("write", tmp_path / "t.tsv", "--delimiter", r"\t", "-o", tmp_path / "a")[0] == 0
    assert records.head(tmp_path / "a") == [{"a": np.array([1]), "b": [b"x,y"]}]


def test_schema(tool, good):
    code, out, err = tool("schema", good)
    assert (code, err) == (0, "")
    assert "5 Examples" in out
    assert re.search(r"^x +float +0\.\.4 +- +100%$", out, re.MULTILINE)
    assert "features={\n    'n': tf.FixedLenFeature([], tf.int64),\n" in out
    found = json.loads(tool("schema", "--json", "--limit", 2, good)[1])
    assert found["records"] == 2
    assert found["features"]["n"]["kind"] == "int64"
    assert found["features"]["n"]["share"] == 1
    assert "tf.FixedLenFeature" in found["code"]


def test_schema_says_that_it_is_of_a_sample(tool, tmp_path):
    path = tmp_path / "many"
    records.write(path, ({"n": n} for n in range(6000)))
    code, out, _ = tool("schema", path)
    assert code == 0
    first = out.partition("\n")[0]
    assert first.endswith(" Examples looked at, of 6,000 records; --all looks at every one")
    found = json.loads(tool("schema", "--json", path)[1])
    assert found["read"] == 6000
    assert 2000 < found["records"] < 5000
    assert first.startswith(f"{found['records']:,} ")
    assert tool("schema", "--all", path)[1].startswith("6,000 Examples\n")
    found = json.loads(tool("schema", "--json", "--limit", 5000, path)[1])
    assert (found["read"], found["records"]) == (5000, 5000)


def test_count(tool, good, tmp_path):
    records.write(tmp_path / "more.tfrecord", [b""] * 1200)
    code, out, err = tool("count", tmp_path / "*.tfrecord")
    assert (code, err) == (0, "")
    assert [line.split()[0] for line in out.splitlines()] == ["5", "1,200", "1,205"]
    found = json.loads(tool("count", "--json", good)[1])
    assert found == {"records": 5, "files": {str(good): 5}}


def test_verify(tool, good, bad):
    code, out, err = tool("verify", good)
    assert (code, err) == (0, "")
    assert out.startswith(f"{good}: good, 5 records, ")
    code, out, err = tool("verify", good, bad)
    assert (code, err) == (1, "")
    size = os.path.getsize(good)
    assert f"{bad}: DAMAGED at byte {size}, after 5 good records: the file is cut: " in out
    assert "7 trailing bytes" in out
    assert out.endswith("2 files, 1 damaged\n")
    code, out, _ = tool("verify", "--json", bad)
    (found,) = json.loads(out)
    assert code == 1
    assert (found["good"], found["first_bad"], found["trailing_bytes"]) == (False, size, 7)
    assert (found["records"], found["kind"]) == (5, "cut-header")


def test_what_cannot_be_opened_does_not_stop_the_others(tool, good, bad, tmp_path):
    code, out, err = tool("verify", tmp_path / "nope", bad, tmp_path, "nope*", good)
    assert code == 2
    assert [line.partition(":")[0] for line in out.splitlines()] == [
        *(str(bad), str(good), "2 files, 1 damaged")
    ]
    assert [line.rpartition(": ")[2] for line in err.splitlines()] == [
        *("No such file or directory", "Is a directory", "no file matches nope*")
    ]
    found = json.loads(tool("verify", "--json", tmp_path / "nope", good)[1])
    assert [one["path"] for one in found] == [str(good)]
    code, out, err = tool("count", bad, tmp_path / "nope", good)
    assert (code, out.split()) == (2, ["5", str(good)])
    assert err.count("\n") == 2
    assert tool("count", bad, good)[0] == 1


def test_salvage_replaces_a_file_only_when_told_to(tool, good, bad, tmp_path):
    saved = tmp_path / "saved"
    saved.write_text("precious")
    code, out, err = tool("salvage", bad, "-o", saved)
    assert (code, out) == (2, "")
    assert err == f"tfqueue records: {saved}: the file exists; --force replaces it\n"
    assert saved.read_text() == "precious"
    assert tool("salvage", bad, "-o", saved, "--force")[0] == 1
    assert saved.read_bytes() == good.read_bytes()
    assert tool("salvage", bad, "-o", os.devnull)[0] == 1  # nothing is lost there


@pytest.mark.parametrize("command", ["head", "schema", "count", "verify", "images"])
def test_a_pipe_is_read(tool, tmp_path, command):
    records.write(tmp_path / "a", [{"image": bytes(4)}] * 3)
    os.mkfifo(tmp_path / "pipe")
    data = (tmp_path / "a").read_bytes()
    feeder = threading.Thread(target=(tmp_path / "pipe").write_bytes, args=(data,))
    feeder.start()
    more = ["-o", tmp_path / "sheet.png"] if command == "images" else []
    try:
        assert tool(command, tmp_path / "pipe", *more)[0] == 0
    finally:
        feeder.join()


def test_a_pipe_is_read_beside_many_open_files(tool, tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    feeder = threading.Thread(target=path.write_bytes, args=(damaged_files.record(b"data"),))
    with contextlib.ExitStack() as stack:
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(limits[0], 2048), limits[1]))
        stack.callback(resource.setrlimit, resource.RLIMIT_NOFILE, limits)
        for _ in range(1024):
            stack.callback(os.close, os.open(os.devnull, os.O_RDONLY))
        feeder.start()
        stack.callback(feeder.join)
        assert tool("count", path)[0] == 0


@pytest.mark.parametrize("opened", [False, True], ids=["nobody writes", "nothing is written"])
@pytest.mark.parametrize("command", ["head", "count", "verify"])
def test_a_silent_pipe_is_told_of(tool, tmp_path, monkeypatch, command, opened):
    path = tmp_path / "pi\x1bpe"
    os.mkfifo(path)
    told = []

    def write():
        if not opened:
            log.event.wait(60)
        with path.open("wb") as file:  # comes back when the command has opened the pipe too
            log.event.wait(60)
            file.write(damaged_files.record(b"data"))

    class Log(logging.Handler):
        event = threading.Event()

        def emit(self, record):
            told.append(record.getMessage())
            self.event.set()

    log = Log()
    monkeypatch.setattr(streams, "_SILENT_SECONDS", 0)
    monkeypatch.setattr(logging.getLogger("tfqueue"), "handlers", [log])
    writer = threading.Thread(target=write)
    writer.start()
    try:
        assert tool(command, path)[0] == 0
    finally:
        log.event.set()
        writer.join()
    assert told == [
        f"{tmp_path}/pi\\x1bpe is a pipe, and nothing has come from it yet; waiting for what writes to it"
    ]


@pytest.mark.parametrize("source", ["pipe", "pipe.npy", "/dev/zero"])
@pytest.mark.parametrize("command", ["salvage", "write"])
def test_what_must_be_read_twice_is_no_pipe(tool, tmp_path, command, source):
    path = tmp_path / source
    if not path.exists():
        os.mkfifo(path)  # nobody writes to it: whoever opens it waits
    code, out, err = tool(command, path, "-o", tmp_path / "x")
    assert (code, out) == (2, "")
    assert err == f"tfqueue records: {path}: no regular file; it cannot be read twice\n"
    assert not (tmp_path / "x").exists()


def test_salvage(tool, good, bad, tmp_path):
    code, out, err = tool("salvage", bad, "-o", tmp_path / "saved")
    assert (code, err) == (1, "")
    assert "5 records saved" in out
    assert "lost: 7 bytes" in out
    assert (tmp_path / "saved").read_bytes() == good.read_bytes()
    code, out, _ = tool("salvage", "--json", good, "-o", tmp_path / "again")
    assert code == 0
    assert json.loads(out)["good"] is True


def test_salvage_says_why_it_ends_early(tool, good, tmp_path):
    packed = gzip.compress(good.read_bytes())
    (tmp_path / "cut").write_bytes(packed[:-12])
    code, out, err = tool("salvage", tmp_path / "cut", "-o", tmp_path / "saved")
    assert (code, err) == (1, "")
    first, *_, last = out.splitlines()
    assert first.startswith(f"{tmp_path / 'saved'}: ")
    reason = records.salvage(tmp_path / "cut", tmp_path / "again").reason
    assert reason
    assert last == f"{reason}; what could be unpacked is saved"


@pytest.mark.parametrize("command", ["head", "schema", "count", "images"])
def test_damage_is_1_and_one_line(tool, bad, tmp_path, command):
    if command == "images":
        array = np.zeros((4, 4), np.uint8).tobytes()
        data = damaged_files.record(records.encode({"image": array}))
        bad.write_bytes(data + damaged_files.record(b"tail")[:7])
    more = {"head": ["-n", 9], "images": ["-o", tmp_path / "s.png"]}.get(command, [])
    code, out, err = tool(command, bad, *more)
    assert (code, out) == (1, "")
    assert err.startswith(f"tfqueue records: {bad}: the file is cut: 7 trailing bytes")
    assert err.count("\n") == 1
    assert not (tmp_path / "s.png").exists()


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["count", "{}/nope"], "/nope: No such file or directory"),
        (["count", "{}/nope*"], "no file matches"),
        (["verify", "{}"], "Is a directory"),
        (["write", "{}/nope.csv", "-o", "{}/x"], "No such file"),
        (["write", "{}/good.tfrecord", "-o", "{}/x"], "good.tfrecord:"),
        (["write", "{}/nope.csv", "-o", "{}/x", "--shuffle", "0"], "No such file"),
        (
            ["write", "{}/good.tfrecord", "-o", "{}/x", "--shuffle", "0"],
            "--shuffle is for a folder",
        ),
        (["write", "{}", "-o", "{}/x", "--raw"], "is read as a folder: --raw is for arrays"),
        (["write", "{}", "-o", "{}/x", "--no-header"], "--no-header is for a CSV table"),
        (["write", "{}", "-o", "{}/x", "--delimiter", ","], "--delimiter is for a CSV table"),
        (["write", "{}", "-o", "{}/x"], "no subfolder"),
        (["images", "{}/good.tfrecord", "-o", "{}/x", "--key", "q"], "no feature 'q'"),
        (["salvage", "{}/good.tfrecord", "-o", "{}/good.tfrecord"], "must not be"),
        (["count", "{}/good.tfrecord", "-o", "x"], None),
    ],
)
def test_bad_input_is_2_and_one_line(tool, good, tmp_path, argv, message):
    argv = [arg.format(tmp_path) for arg in argv]
    if message is None:
        with pytest.raises(SystemExit, match="2"):
            tool(*argv)
        return
    code, out, err = tool(*argv)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1
    assert not (tmp_path / "x").exists()


def test_write_and_images(tool, tmp_path):
    np.savez(tmp_path / "a.npz", x=np.zeros((6, 28, 28), np.uint8), y=np.arange(6))
    out = tmp_path / "a.tfrecord"
    code, text, err = tool(
        *("write", tmp_path / "a.npz", "-o", out, "--raw", "--shards", 2, "--compression", "gzip")
    )
    assert (code, err) == (0, "")
    assert text.startswith("6 records in 2 files:\n")
    code, text, _ = tool("images", tmp_path / "a-*", "-o", tmp_path / "s.png", "--shape", "28,28")
    assert (code, text) == (0, f"{tmp_path / 's.png'}: 6 images\n")
    (tmp_path / "t.csv").write_text("1\t2\n")
    code, text, _ = tool(
        *("write", "--json", tmp_path / "t.csv", "-o", out, "--no-header", "--delimiter", "\t")
    )
    assert json.loads(text) == {"records": 1, "files": [str(out)], "classes": []}
    assert next(records.examples(out))["column_1"].item() == 2


LONG = [
    (["schema", "{good}"], "looking at"),
    (["count", "{good}"], "counting"),
    (["verify", "{good}"], "checking"),
    (["salvage", "{good}", "-o", "{new}"], "saving"),
    (["images", "{good}", "-o", "{new}", "--key", "raw", "--shape", "1,2"], "drawing"),
    (["write", "{table}", "-o", "{new}"], "writing"),
]


@pytest.mark.parametrize(("argv", "shown"), LONG, ids=[argv[0] for argv, _ in LONG])
def test_a_progress_bar_on_a_terminal_only(good, tmp_path, monkeypatch, argv, shown):
    from tfqueue.output import progress

    (tmp_path / "t.csv").write_text("a\n1\n")
    names = {"good": good, "table": tmp_path / "t.csv", "new": tmp_path / "new"}
    argv = [word.format(**names) for word in argv]
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(progress, "Timer", command_lines.Immediately)
    for stream, expected in ((command_lines.Terminal(), True), (io.StringIO(), False)):
        (tmp_path / "new").unlink(missing_ok=True)
        with contextlib.redirect_stderr(stream), contextlib.redirect_stdout(io.StringIO()):
            assert cli.run(parser().parse_args(argv)) == 0
        assert (shown in stream.getvalue()) == expected
        if expected:
            assert stream.getvalue().endswith("\x1b[2K")  # the bar is wiped


def test_no_progress_bar_for_what_is_done_soon(good, monkeypatch):
    from tfqueue.output import progress

    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(progress, "DELAY", 1000.0)
    stream, before = command_lines.Terminal(), set(threading.enumerate())
    with contextlib.redirect_stderr(stream), contextlib.redirect_stdout(io.StringIO()):
        assert cli.run(parser().parse_args(["count", str(good)])) == 0
    assert stream.getvalue() == ""
    assert set(threading.enumerate()) <= before


def test_a_progress_bar_says_how_far_it_is(monkeypatch):
    from tfqueue.output import progress

    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(progress, "Timer", command_lines.Immediately)
    stream = command_lines.Terminal()
    out = io.StringIO()
    with contextlib.redirect_stderr(stream), contextlib.redirect_stdout(out):
        with progress.ProgressBar("writing", "records", 5000) as told:
            told(1234)
            print("a result")
            sys.stderr.write("a warning\n")
    assert "1,234 of 5,000 records" in stream.getvalue()
    assert "a warning" in stream.getvalue()
    assert out.getvalue() == "a result\n"


def test_salvage_says_how_many_bytes_of_how_many_it_has_seen(good, tmp_path, monkeypatch):
    from tfqueue.output import progress

    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(progress, "Timer", command_lines.Immediately)
    stream = command_lines.Terminal()
    with contextlib.redirect_stderr(stream), contextlib.redirect_stdout(io.StringIO()):
        argv = ["salvage", str(good), "-o", str(tmp_path / "new")]
        assert cli.run(parser().parse_args(argv)) == 0
    assert f"of {good.stat().st_size:,} bytes" in stream.getvalue()


def test_a_closed_pipe_is_no_error(good):
    code = f"""
import argparse, sys
from tfqueue.records import cli
made = argparse.ArgumentParser()
cli.add_arguments(made)
sys.stdin.readline()
sys.exit(cli.run(made.parse_args(["head", {str(good)!r}])))
"""
    with subprocess.Popen(
        [sys.executable, "-W", "error", "-c", code],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
    ) as process:
        process.stdout.close()
        process.stdin.write(b"go\n")
        process.stdin.close()
        assert process.stderr.read() == b""
        assert process.wait() == 0
