"""A file that is no whole recording is one line and exit status 2, and nothing is run."""

from __future__ import annotations

import gzip
import json
import pathlib
import random
import tracemalloc

import pytest

from tfqueue import cli
from tfqueue.recording import RecordingError, comparison, recording

ORIGINALS = pathlib.Path(__file__).with_name("originals")
WHOLE = ORIGINALS / "012_py27.recording"


def _events():
    with gzip.open(WHOLE, "rb") as file:
        return [json.loads(line) for line in file]


def _write(path, events):
    with gzip.open(path, "wt", encoding="utf-8") as file:
        for event in events:
            file.write(event if isinstance(event, str) else json.dumps(event) + "\n")
    return path


def _changed(**changes):
    """The events with others in place of some fields: ``kind_field=value``."""
    events = _events()
    for place, value in changes.items():
        kind, _, field = place.partition("_")
        for event in events:
            if event["e"] == kind:
                event[field] = value
    return events


HUGE = "9" * 5000
EVENTS = {
    "nothing": [],
    "no start": _events()[1:],
    "no end": _events()[:-1],
    "a list": [[1, 2]],
    "a number": ["17\n"],
    "no JSON": ["{]\n"],
    "no text": ["\x00\n"],
    "deep": ["[" * 100_000 + "\n"],
    "deep in an event": [*_events()[:1], '{"e": ' + '{"a": ' * 100_000 + "\n"],
    "a huge number": [*_events()[:1], '{"e": "end", "status": ' + HUGE + "}\n"],
    "an infinite status": _changed(end_status=float("inf")),
    "a status of text": _changed(end_status="bad"),
    "another format": _changed(start_format=2),
    "a format of an object": _changed(start_format={"a": 1}),
    "no program": [{"e": "start", "format": 1}],
    "arguments of a number": _changed(start_arguments=3),
    "fetches of nothing": _changed(run_fetches=10_000),
    "fetches of a list": _changed(run_fetches=[]),
    "values of numbers": _changed(run_values=[1]),
    "a value without a shape": _changed(run_values=[{"t": "float32", "h": ""}]),
    "a shape of text": _changed(run_values=[{"t": "float32", "s": ["a"], "h": ""}]),
    "a shape below zero": _changed(run_values=[{"t": "float32", "s": [-3], "h": ""}]),
    "a huge shape": _changed(run_values=[{"t": "float32", "s": [1 << 60], "h": ""}]),
    "moments of one": _changed(run_values=[{"t": "float32", "s": [], "h": "", "m": [1]}]),
    "elements of no op": _changed(run_taken={"none": {"rows": [], "floats": {}, "types": []}}),
    "rows of numbers": _changed(run_taken={"none": 3}),
    "data of text": _changed(run_data={"a": "b"}),
    "data of another size": _changed(run_data={"a": [{"t": "int32", "s": [3], "b": "AAAA"}]}),
    "data of objects": _changed(run_data={"a": [{"t": "O", "s": [1 << 40], "b": ""}]}),
    "data of no dtype": _changed(variables_data={"a": {"t": "nothing", "s": [], "b": ""}}),
    "names that do not fit": _changed(fetches_lines=[]),
    "seeds of text": _changed(fetches_seeds={"a": ["b", "c", "d"]}),
    "takes of nothing": _changed(fetches_takes={"a": {}}),
    "a file without a path": [*_events()[:-1], {"e": "file"}, _events()[-1]],
    "an event of a later format": [*_events()[:-1], {"e": "later", "steps": 1}, _events()[-1]],
    "a trace of text": [*_events()[:-1], {"e": "trace", "ops": "abc"}, _events()[-1]],
}


@pytest.mark.parametrize("name", EVENTS)
def test_events_that_are_none(tmp_path, name, capsys):
    path = _write(tmp_path / "bad.recording", EVENTS[name])
    with pytest.raises(RecordingError) as caught:
        recording.read(path)
    assert "\n" not in str(caught.value)
    assert cli.main(["compare", str(path)]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert "bad.recording: " in said.err


def _cut(data):
    return data[: len(data) // 2]


def _turned(data):
    return data[:200] + bytes([data[200] ^ 255]) + data[201:]


BYTES = {
    "empty": lambda data: b"",
    "cut": _cut,
    "cut in the head": lambda data: data[:5],
    "turned": _turned,
    "no gzip": lambda data: b"a text\n",
    "a pickle": lambda data: b"\x80\x04cos\nsystem\n.",
    "gzip of noise": lambda data: gzip.compress(random.Random(1).randbytes(1000)),
    "a later member": lambda data: data + b"\x1f\x8b\x08",
}


@pytest.mark.parametrize("name", BYTES)
def test_bytes_that_are_none(tmp_path, name, capsys):
    path = tmp_path / "bad.recording"
    path.write_bytes(BYTES[name](WHOLE.read_bytes()))
    assert cli.main(["compare", str(path)]) == 2
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
    assert "bad.recording: " in said.err


def test_few_bytes_take_no_memory(tmp_path, monkeypatch):
    monkeypatch.setattr(recording, "_MOST_FROM_NOTHING", 10_000)
    path = tmp_path / "bomb.recording"
    with gzip.open(path, "wb", 9) as file:
        file.write(json.dumps(_events()[0]).encode() + b"\n")
        for _ in range(20):
            file.write(b" " * 1_000_000)
    tracemalloc.start()
    try:
        with pytest.raises(RecordingError, match="damaged"):
            recording.read(path)
        assert tracemalloc.get_traced_memory()[1] < 15_000_000
    finally:
        tracemalloc.stop()


def test_an_event_of_another_kind(tmp_path):
    path = _write(tmp_path / "bad.recording", [*_events()[:-1], {"e": "none"}, _events()[-1]])
    with pytest.raises(RecordingError, match="damaged"):
        recording.read(path)


def _mutated(value, chance):
    """A JSON value with one part of it another."""
    if isinstance(value, dict) and value and chance.random() < 0.9:
        key = chance.choice(sorted(value))
        return {**value, key: _mutated(value[key], chance)}
    if isinstance(value, list) and value and chance.random() < 0.9:
        place = chance.randrange(len(value))
        return [*value[:place], _mutated(value[place], chance), *value[place + 1 :]]
    odd = [None, -1, 10**30, 1e308, float("nan"), "", "a\x1b[2J\n", [], {}, [[]], {"t": 1}, True]
    return chance.choice(odd)


@pytest.mark.parametrize("seed", range(40))
def test_drawn_changes_are_refused_or_compared(tmp_path, seed):
    chance = random.Random(seed)
    events = _events()
    for _ in range(chance.randint(1, 3)):
        place = chance.randrange(len(events))
        events[place] = _mutated(events[place], chance)
    path = _write(tmp_path / "bad.recording", events)
    whole = recording.read(WHOLE)
    found, told = None, ""
    try:
        found = recording.read(path)
    except RecordingError as error:
        told = str(error)
    if found is None:
        assert "\n" not in told
        return
    for pair in ((whole, found), (found, whole), (found, found)):
        text = str(comparison.compare(*pair))
        assert text.replace("\n", "").isprintable()


@pytest.mark.parametrize(
    ("program", "told"),
    [
        ("/etc/passwd", "is not below this folder"),
        ("../old.py", "is not below this folder"),
        ("sub/../../old.py", "is not below this folder"),
        ("link.py", "is not below this folder"),
        ("missing.py", "is not here"),
        ("old\n.py", "is not here"),
    ],
)
def test_a_program_outside_is_not_run(tmp_path, monkeypatch, capsys, program, told):
    outside = tmp_path / "old.py"
    outside.write_text("open('ran', 'w').close()\n", "utf-8")
    folder = tmp_path / "folder"
    (folder / "sub").mkdir(parents=True)
    (folder / "link.py").symlink_to(outside)
    monkeypatch.chdir(folder)
    path = _write(folder / "a.recording", _changed(start_program=program))
    assert cli.main(["compare", str(path)]) == 2
    said = capsys.readouterr().err
    assert told in said
    assert said.count("\n") == 1
    assert not list(tmp_path.rglob("ran"))


def test_a_module_is_not_run(tmp_path, capsys):
    path = _write(tmp_path / "a.recording", _changed(start_module=True, start_program="this"))
    assert cli.main(["compare", str(path)]) == 2
    assert "give its file" in capsys.readouterr().err


def test_a_replay_without_data_runs_nothing(tmp_path, capsys):
    path = ORIGINALS / "115_py37.recording"
    program = tmp_path / "old.py"
    program.write_text("open('ran', 'w').close()\n", "utf-8")
    assert cli.main(["compare", str(path), "--replay", str(program)]) == 2
    assert "made without --with-data" in capsys.readouterr().err


def test_a_program_that_cannot_be_recorded_is_told(tmp_path, capfd):
    program = tmp_path / "old.py"
    program.write_text("import os\nos._exit(7)\n", "utf-8")
    assert cli.main(["compare", str(WHOLE), str(program)]) == 2
    assert "exit status 7, unrecorded" in capfd.readouterr().err
