"""Parts of the recorder and of the comparison, each on its own."""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import gzip
import json
import os
import pathlib
import re
import subprocess
import sys
import types

import numpy as np
import pytest
import tensorflow as tf2

from tests.recording import kit
from tfqueue.pages import charts
from tfqueue.recording import (
    again,
    comparison,
    elements,
    first_op,
    outcome,
    page,
    record_tf1,
    recording,
    tolerances,
)
from tfqueue.recording.outcome import Outcome
from tfqueue.recording.recording import Fetches, Recording, Seeds, Step, TracedOp, Value

tf = tf2.compat.v1


def _value(*numbers, dtype="float32"):
    return recording._value(record_tf1.described(np.array(numbers, dtype)))


# -- the recorder


def test_only_what_changes_a_variable_writes_it():
    with tf.Graph().as_default() as graph:
        for use_resource in (False, True):
            with tf.variable_scope(str(use_resource), use_resource=use_resource):
                variable = tf.get_variable("v", [2])
            holders = {getattr(variable, "handle", variable).op: variable}
            read = tf.identity(variable.read_value() * 2.0)
            known = tf.is_variable_initialized(variable)
            facts = record_tf1.GraphFacts(graph, [read, known], variables=holders)
            assert not facts.writes
            facts = record_tf1.GraphFacts(graph, [variable.assign_add(read)], variables=holders)
            assert list(facts.writes) == [variable.op.name]


def test_each_op_of_a_step_is_there_once_behind_its_inputs():
    with tf.Graph().as_default() as graph:
        first = tf.constant(1.0)
        left, right = first + 1.0, first + 2.0
        end = left * right + first
        order = record_tf1.GraphFacts(graph, [end, left]).order
    assert len(order) == len(set(order))
    for place, op in enumerate(order):
        assert all(order.index(tensor.op) < place for tensor in op.inputs)


@pytest.mark.parametrize("kind", [tf.Session, tf.InteractiveSession])
def test_sessions_of_both_kinds_are_recorded(tmp_path, kind):
    with tf.Graph().as_default():
        one, other = tf.constant(1.0), tf.constant(2.0, name="other")
        with kit.recorder(tmp_path / "recording"), contextlib.closing(kind()) as sess:
            sess.run(one)
            sess.make_callable(other)()
    found = recording.read(tmp_path / "recording")
    assert [step.fetches.names for step in found.steps] == [("Const:0",), ("other:0",)]


@pytest.mark.parametrize("names", [["__version__", "VERSION"], ["__version__"], ["VERSION"], []])
def test_a_recording_begins_with_its_tensorflow(names):
    """Early releases have one of the two names."""
    old = types.SimpleNamespace(**dict.fromkeys(names, "0.9"))
    options = argparse.Namespace(module=False, with_data=False, replay=None)
    event = record_tf1.start_event(old, "p.py", ["a"], options)
    assert (event["tensorflow"], event["arguments"]) == ("0.9" if names else "", ["a"])


def test_a_record_that_is_cut_off_is_told(tmp_path):
    path = str(tmp_path / "records")
    with tf.python_io.TFRecordWriter(path) as writer:
        writer.write(b"one")
        writer.write(b"another")
    assert list(record_tf1.records_of(path)) == [b"one", b"another"]
    for lost in (1, 5, 10):
        os.truncate(path, os.path.getsize(path) - lost)
        with pytest.raises(ValueError, match="ends within a record"):
            list(record_tf1.records_of(path))


def test_a_line_of_the_program_in_frames_of_both_pythons(tmp_path):
    places = record_tf1.Places(str(tmp_path))
    old = [("/usr/lib/ops.py", 7, "f", "x"), (str(tmp_path / "a.py"), 3, "inputs", "y = 1")]
    new = [argparse.Namespace(filename=name, lineno=line) for name, line, _, _ in old]
    assert places.line_of(old) == places.line_of(new) == "a.py:3"
    assert places.line_of(old[:1]) == places.line_of(None) == ""


def test_sessions_of_one_class_are_hooked_once(tmp_path):
    with kit.recorder(tmp_path / "recording") as made:
        with tf.Graph().as_default(), tf.Session():
            hooked = len(made._undo)
            run = tf.Session.run
        with tf.Graph().as_default(), tf.Session():
            assert len(made._undo) == hooked
            assert tf.Session.run is run


@pytest.mark.parametrize("shape", [(), (3,), (2, 2)])
def test_text_that_is_kept_whole_comes_back(shape):
    array = np.empty(shape, object)
    array[...] = b"\xffa"
    found = record_tf1.unpacked(json.loads(json.dumps(record_tf1.packed(array))))
    assert found.shape == shape
    assert found.tolist() == array.tolist()


@pytest.mark.parametrize("first_step", [False, True])
def test_a_step_is_traced_where_that_is_asked_for(tmp_path, first_step):
    with kit.recorder(tmp_path / "recording", first_step=first_step), tf.Graph().as_default():
        variable = tf.Variable(1.0, name="v")
        with tf.Session() as sess:
            sess.run(variable.initializer)
            sess.run(tf.assign_add(variable, 2.0, name="more"))
    trace = [op.name for op in recording.read(tmp_path / "recording").trace]
    assert ("more/value" in trace) is first_step
    assert bool(trace) is first_step


@pytest.mark.parametrize(
    ("graph_seed", "seed", "is_seeded"),
    [(None, None, False), (None, 5, True), (None, 0, True), (0, 0, True)],
)
def test_any_seed_of_the_programs_own_draws_the_same(graph_seed, seed, is_seeded):
    """As `tf.set_random_seed` says, 0 among them."""
    with tf.Graph().as_default():
        tf.set_random_seed(graph_seed)
        op = tf.random_uniform([], seed=seed).op
        while op.type != "RandomUniform":
            op = op.inputs[0].op
    assert record_tf1.is_seeded(op) is is_seeded


def test_the_number_of_a_summary_is_kept(tmp_path):
    found = []
    for number in (1.0, 1.0000001, 2.0):
        path = tmp_path / str(number)
        with tf.Graph().as_default(), kit.recorder(path), tf.Session() as sess:
            sess.run(tf.summary.scalar("loss", number))
        found.append(recording.read(path))
    (value,) = found[2].steps[0].values
    assert (value.tags, value.sample) == (("loss",), (2.0,))
    assert comparison.compare(*found[:2]).same
    assert not comparison.compare(*found[1:]).same


def test_variables_are_known_as_they_are_restored(tmp_path):
    with tf.Graph().as_default():
        variable = tf.get_variable("v", [2], initializer=tf.constant_initializer(3.0))
        saver = tf.train.Saver()
        with tf.Session() as sess:
            sess.run(variable.initializer)
            saved = saver.save(sess, str(tmp_path / "model"))
        with kit.recorder(tmp_path / "recording"), tf.Session() as sess:
            saver.restore(sess, saved)
            sess.run(variable)
            saver.save(sess, str(tmp_path / "again"))
    found = recording.read(tmp_path / "recording")
    assert found.initial["v"].sample == (3.0, 3.0)
    assert [len(step.values) for step in found.steps] == [1]  # the saver's own are none
    assert [(file.kind, file.timed) for file in found.files.values()] == [("checkpoint", False)]


@pytest.mark.parametrize(
    ("given", "timed"), [({"save_secs": 1000}, True), ({"save_steps": 1}, False)]
)
def test_which_checkpoints_time_decides_on(tmp_path, given, timed):
    """The last one of a hook stands at the end, whatever its time is."""
    with tf.Graph().as_default():
        step = tf.train.get_or_create_global_step().assign_add(1)
        with kit.recorder(tmp_path / "recording"):
            hook = tf.train.CheckpointSaverHook(str(tmp_path), **given)
            with tf.train.SingularMonitoredSession([hook]) as sess:
                sess.run(step)
        tf.summary.FileWriterCache.clear()
    files = recording.read(tmp_path / "recording").files
    assert {os.path.basename(path): file.timed for path, file in files.items()} == {
        "model.ckpt-0": timed,
        "model.ckpt-1": False,
    }


# -- a recording, and the program again


def test_variables_that_queue_runners_change_come_with_the_recording():
    found = recording.read(kit.ORIGINALS / "012_py27.recording")
    (name,) = found.by_threads
    assert name == "input_producer/limit_epochs/epochs"
    further = dataclasses.replace(found.final[name], digest="other", sample=(9.0,))
    other = dataclasses.replace(found, final={**found.final, name: further})
    outcome = comparison.compare(found, other)
    assert outcome.same
    assert outcome.not_compared["variables that queue runners change"] == 1


def test_what_begins_otherwise_is_no_recording(tmp_path):
    path = tmp_path / "other"
    path.write_bytes(gzip.compress(b'{"e": "fetches", "format": 1}\n'))
    with pytest.raises(recording.RecordingError, match=r"other: this is no recording$"):
        recording.read(path)


@pytest.mark.parametrize("ported", [False, True])
def test_what_is_asked_for_is_said_to_the_recorder(monkeypatch, ported):
    lines = []

    def run(line, check):
        lines.append(line)
        pathlib.Path(new_of(line)).write_bytes(b"")
        return subprocess.CompletedProcess(line, 3)

    def new_of(line):
        (path,) = (word for word in line if word.endswith("new.recording"))
        return path

    monkeypatch.setattr(again.subprocess, "run", run)
    monkeypatch.setattr(again, "read", lambda path: path)
    old = _recording()
    new = again.run(old, "p.py", ["a"], ported=ported, first_step=True, steps=7)
    assert new == new_of(lines[0])
    assert lines[0][-4:] == ["--first-step", "--steps=7", "p.py", "a"]
    assert ("tfqueue" in lines[0]) is not ported
    new = again.run(old, "p.py", None, ported=ported)
    assert lines[1][-2:] == [new, "p.py"]


@pytest.mark.parametrize("ported", [False, True])
def test_a_program_that_wrote_no_recording_is_told(monkeypatch, ported):
    monkeypatch.setattr(
        again.subprocess, "run", lambda line, check: subprocess.CompletedProcess(line, 3)
    )
    with pytest.raises(recording.RecordingError, match="it ended with exit status 3, unrecorded"):
        again.run(_recording(), "p.py", None, ported=ported)


# -- the comparison


def _recording(steps=(), **kwargs):
    return Recording("p.py", False, (), {}, False, False, steps=list(steps), **kwargs)


def _step(value, sources=(), writes=(), name="x:0"):
    written = {variable: frozenset() for variable in writes}
    fetches = Fetches((name,), ("p.py:1",), (frozenset(sources),), {}, {}, written)
    return Step(fetches, (value,), {}, {}, None)


def _compared(old, new, **kwargs):
    return comparison.compare(_recording(old, **kwargs), _recording(new, **kwargs))


def test_the_number_of_dimensions_is_compared_of_what_is_drawn():
    seeds = {"draw": Seeds(0, 0, "p.py:1", 0)}
    steps = [_step(Value("float32", shape, "a"), {"drawn:draw"}) for shape in ((2,), (3,), (2, 1))]
    assert _compared(steps[:1], steps[1:2], seeds=seeds).same
    found = _compared(steps[:1], steps[2:], seeds=seeds)
    assert not found.compared["values"]
    assert "x:0 (p.py:1) is of shape (2, 1), was of shape (2,)" in str(found)


def test_only_fetches_that_are_apart_are_measured():
    same, near = _value(1.0), _value(1.0000001)
    number = _value(3, dtype="int32")
    old = [_step(same), _step(same, name="y:0"), _step(number, name="n:0")]
    new = [_step(near), _step(same, name="y:0"), _step(number, name="n:0")]
    found = _compared(old, new)
    assert found.same
    assert list(found.by_fetch) == ["x:0"]
    assert found.largest.ulp == 1.0


def test_each_update_of_a_variable_may_add_its_rounding():
    # After three updates four times the tolerance is allowed, and no more.
    def steps(number):
        one = _step(_value(1.0), name="w:0", writes=["v"])
        return [one] * 3 + [_step(_value(number), {"variable:v"})]

    rtol = tolerances.RTOL
    # np.isclose adds what is relative to the number to what is relative to the largest.
    assert _compared(steps(1.0), steps(1.0 + 7 * rtol)).same
    assert not _compared(steps(1.0), steps(1.0 + 10 * rtol)).same


def test_what_is_fetched_is_told_of_both():
    found = _compared([_step(_value(1.0))], [_step(_value(1.0), name="y")])  # no tensor but an op
    assert str(found).startswith("different: step 0: what is fetched (p.py:1) is y, was x:0")


def test_initial_values_are_counted():
    values = {name: _value(1.0) for name in "ab"}
    found = comparison.compare(_recording(initial=values), _recording(initial=values))
    assert found.compared["initial values"] == 2


def test_a_seed_is_told_without_the_one_that_tensorflow_sets():
    old, new = ({"draw": Seeds(graph, 5, "p.py:1", 5)} for graph in (3, 87654321))
    found = comparison.compare(_recording(seeds=old), _recording(seeds=new))
    assert str(found).startswith("different: the seed of draw (p.py:1) is 5, was 3/5")


def test_near_zero_counts_the_largest_of_both_arrays():
    old, new = np.array([0.0, 10.0]), np.array([5e-5, 0.0])
    assert tolerances.first_apart(old, new, 1e-5) == 1
    assert tolerances.first_apart(new, old, 1e-5) == 1


def _elements(*numbers):
    found = recording.rows_of(record_tf1.rows_of([np.array(numbers, np.float32)], True))
    return [(found, place) for place in range(len(numbers))]


def test_an_element_that_has_its_own_takes_no_other_one():
    old, new = _elements(1.0, 1.000001), _elements(1.0, 1.0000005)
    assert [side.total() for side in elements.matched(old, new, tolerances.RTOL)] == [0, 0]


def _traced(name, inputs, number, kind="Add"):
    return TracedOp(name, kind, inputs, f"p.py:{name}", {0: _value(number)})


def _first_op(old, new):
    """The name of the op that is told where the fetch `x` differs."""
    steps = [[_step(op[-1].outputs[0])] for op in (old, new)]
    one, other = (_recording(s, trace=t) for s, t in zip(steps, (old, new), strict=True))
    found = comparison.compare(one, other)
    assert not found.same
    if found.first_op is None:
        assert "first op" not in str(found)
        return None
    assert f"first op that differs: {found.first_op}" in str(found)
    return found.first_op.what


def test_the_first_op_stands_before_the_fetch_that_differs():
    def ops(aside, number):
        return [
            _traced("start", (), 1.0, "Const"),
            _traced("aside", ("start:0",), aside),
            _traced("middle", ("start:0",), number),
            _traced("x", ("middle:0",), number * 2),
        ]

    assert _first_op(ops(5.0, 2.0), ops(6.0, 3.0)) == "op middle"
    assert _first_op(ops(5.0, 2.0), ops(5.0, 3.0)) == "op middle"


@pytest.mark.parametrize(
    ("inputs", "told"),
    [
        (("start:0",), "op x (p.py:x) is 3, was 2"),
        (("start:0", "start:0"), "op x (p.py:x) is given (start:0, start:0), was given (start:0)"),
    ],
)
def test_what_is_told_of_the_first_op(inputs, told):
    old, new = (
        [_traced("start", (), 1.0, "Const"), _traced("x", given, number)]
        for given, number in ((("start:0",), 2.0), (inputs, 3.0))
    )
    one, other = (_recording([_step(t[-1].outputs[0])], trace=t) for t in (old, new))
    assert str(comparison.compare(one, other).first_op) == told


@pytest.mark.parametrize(("numbers", "told"), [((7.0, 8.0), "op more"), ((7.0, 2.0), "op x")])
def test_an_op_that_only_the_new_program_has(numbers, told):
    """It is not told where all that comes of it is as it was: TensorFlow builds in other ways."""
    old = [
        _traced("start", (), 1.0, "Const"),
        _traced("sum", ("start:0",), 2.0),
        _traced("x", ("start:0", "sum:0"), 4.0),
    ]
    new = [
        _traced("start", (), 1.0, "Const"),
        _traced("more", ("start:0",), numbers[0]),
        _traced("most", ("more:0",), 9.0),
        _traced("sum", ("most:0",), numbers[1]),
        _traced("x", ("start:0", "sum:0"), 5.0),
    ]
    assert _first_op(old, new) == told


@pytest.mark.parametrize("read", ["w/read:0", "w/ReadVariableOp:0", "w/ReadVariableOp_1:0", "w:0"])
def test_an_op_that_is_given_what_differs_by_nature_is_not_told(read):
    """What is given is named by its tensor, what differs by its variable."""
    old, new = ([_traced("x", (read,), number)] for number in (2.0, 3.0))
    one, other = (_recording([_step(t[-1].outputs[0])], trace=t) for t in (old, new))

    def found(free):
        search = first_op.Search(one, other, {}, dict.fromkeys(free, "why"), tolerances.RTOL)
        return search.before([outcome.Difference("x:0", "2", "3", 0, "")])

    assert found(["variable:w"]) is None
    assert str(found(["variable:v"])) == "op x (p.py:x) is 3, was 2"


# -- the page


@pytest.mark.parametrize(
    ("counts", "told"), [({}, "-"), ({"a": 2, "b": 2}, "2"), ({"a": 1, "b": 1200}, "1 to 1,200")]
)
def test_how_often_an_element_came(counts, told):
    assert page._often(page.collections.Counter(counts)) == told


def _scalar_steps(*numbers):
    return _recording([_step(_value(number)) for number in numbers])


def test_curves_go_from_the_first_step_to_the_last():
    same = _scalar_steps(1.08, 1.09, 1.1)
    shown = page._curves(same, _scalar_steps(1.08, 1.09))
    left, right = charts._LEFT, charts._WIDTH - charts._RIGHT
    ends = [
        [float(points.split()[place].partition(",")[0]) for place in (0, -1)]
        for points in re.findall(r'<polyline [^>]*points="([^"]*)"', shown)
    ]
    assert ends == [[left, (left + right) / 2], [left, right]]  # today's, the recorded


def test_the_page_leaves_out_what_there_is_none_of():
    one = _scalar_steps(1.0)
    assert page._curves(one, one) == ""
    whole = page.page("a.recording", one, one, Outcome())
    headings = ["Scalars by step", "Elements", "Differences that count", "Not compared"]
    assert not [heading for heading in headings if heading in whole]
    free = Outcome(not_compared=page.collections.Counter({"values drawn": 1200}))
    whole = page.page("a.recording", one, one, free)
    assert [heading for heading in headings if heading in whole] == ["Not compared"]
    assert '<td class="number">1,200</td><td class="number">values drawn</td>' in whole


def test_queues_in_a_circle_are_counted_once():
    with tf.Graph().as_default() as graph:
        first, second = tf.FIFOQueue(3, ["int32"], [[]]), tf.FIFOQueue(5, ["int32"], [[]])
        first.enqueue(second.dequeue())
        taken = first.dequeue()
        second.enqueue(taken)
        area = tf.raw_ops.Unstage(dtypes=["int32"])
        picked = tf.identity(area[0])
    assert record_tf1.capacity_before(graph, taken.op) == 8
    assert record_tf1.capacity_before(graph, picked.op) == 0


def test_of_a_variable_that_is_drawn_it_is_compared_whether_it_changes():
    seeds = {"draw": Seeds(0, 0, "p.py:1", 0)}

    def found(first, last):
        sources = {"v": frozenset(["drawn:draw"])}
        values = {"initial": {"v": _value(first)}, "final": {"v": _value(last)}}
        return _recording(sources=sources, seeds=seeds, **values)

    assert comparison.compare(found(1.0, 2.0), found(1.5, 3.0)).same
    assert comparison.compare(found(1.0, 1.0), found(1.5, 1.5)).same
    outcome = str(comparison.compare(found(1.0, 1.0), found(1.5, 3.0)))
    assert "variable v is changed by the program, was never changed" in outcome


def test_an_evaluation_has_a_number_that_no_fetches_have(tmp_path):
    with tf.Graph().as_default():
        one = tf.constant(1.0)
        with kit.recorder(tmp_path / "recording") as made, tf.Session() as sess:
            sess.run(one)
            made._write_evaluation({"mean": np.float32(0.5)})
            sess.run(one)
    names = [step.fetches.names for step in recording.read(tmp_path / "recording").steps]
    assert names == [("Const:0",), ("evaluation:mean",), ("Const:0",)]


def test_a_module_is_looked_for_where_the_program_is_started_first(tmp_path, monkeypatch):
    for folder, number in (("here", 1), ("there", 2)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "tfq_module.py").write_text(f"import sys\nsys.found = {number}\n")
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setattr("sys.path", [str(tmp_path / "there"), *sys.path])
    monkeypatch.setattr(sys, "found", 0, raising=False)
    monkeypatch.setattr("sys.argv", [])
    main = sys.modules["__main__"]
    try:
        record_tf1.execute("tfq_module", True, [])
    finally:
        sys.modules["__main__"] = main
    assert sys.found == 1
