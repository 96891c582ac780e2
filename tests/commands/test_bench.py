"""`tfqueue bench`: an old program's own pipeline, drained in turn by plain TensorFlow and by tfqueue, on all cores and on one."""

import io
import json
import os
import subprocess
import sys

import pytest

from tests.suite import children
from tfqueue import cli
from tfqueue.commands import bench

pytestmark = pytest.mark.slow

PROGRAM = """
import sys
import tensorflow as tf
print "building", sys.argv[1]
number = tf.train.range_input_producer(1000, {epochs}shuffle=False).dequeue()
batch = tf.train.batch([number * 2], 8, capacity=64)
weight = tf.Variable(1.0)
train = weight.assign_add(tf.reduce_sum(tf.to_float(batch)))
with tf.Session() as sess:
    sess.run(tf.initialize_all_variables())
    coord = tf.train.Coordinator()
    threads = tf.train.start_queue_runners(sess=sess, coord=coord)
    sess.run(train)
    open(sys.argv[1], "w").write("trained")
"""


@pytest.fixture
def program(tmp_path):
    def write(text=None, epochs=""):
        path = tmp_path / "old.py"
        path.write_text(PROGRAM.format(epochs=epochs) if text is None else text)
        return str(path)

    return write


def order(way, path, seconds=0.1):
    """What one process is told, at most, for a program that gets one argument."""
    told = {"program": path, "args": [path + ".out"], "era": None, "seconds": seconds}
    return {"way": way, "cores": 0, **told}


@pytest.mark.parametrize("way", ["plain", "single", "chunks"])
def test_each_way_drains_the_pipeline_of_the_programs_step(way, program, tmp_path, capfd):
    path = program()
    told = bench._measure(order(way, path))
    assert told["takes"] == [{"queue": "batch/fifo_queue", "amount": 8}]
    assert told["step"].endswith("old.py:13")
    assert told["examples_per_second"] > 0
    assert not told["data_ended"]
    assert [queue["name"] for queue in told["queues"]] == (
        [] if way == "plain" else ["input_producer", "batch/fifo_queue"]
    )
    if way == "single":
        assert told["queues"][1]["how"] == ["one at a time: switched off"]
    # What the program prints is no part of the report, and nothing was trained.
    assert capfd.readouterr().out == ""
    assert not (tmp_path / "old.py.out").exists()


def test_the_end_of_the_data_ends_the_measurement(program):
    told = bench._measure(order("single", program(epochs="num_epochs=2, "), seconds=60.0))
    assert told["data_ended"]


CANNOT = {
    "import tensorflow as tf\nprint(tf.__version__)\n": "came to its end without a step",
    (
        "import tensorflow as tf\nn = tf.placeholder(tf.int32, [])\n"
        "q = tf.FIFOQueue(9, tf.int32, shapes=[])\nbatch = q.dequeue_many(n)\n"
        "with tf.Session() as sess:\n    sess.run(q.enqueue(1))\n    sess.run(batch, {n: 1})\n"
    ): "depends on a placeholder",
}


@pytest.mark.parametrize("text", CANNOT)
def test_what_cannot_be_measured_is_said(text, program):
    with pytest.raises(bench._CannotMeasure, match=CANNOT[text]):
        bench._measure(order("single", program(text)))


@pytest.fixture
def quick_processes(monkeypatch):
    """All processes of a run but its first are forked from one that has imported TensorFlow."""
    original, commands = subprocess.run, []

    def run(command, *, env, stdout, **rest):
        commands.append(command)
        if len(commands) == 1:
            return original(command, env=env, stdout=stdout, **rest)
        done = children.run(command[1:], env=env)
        stdout.write(done.stdout + done.stderr)
        return done

    monkeypatch.setattr(bench.subprocess, "run", run)
    yield
    assert len(commands) == 5


class Progress(list):
    """Stands for a progress bar: the numbers that it is told."""

    def __init__(self, *words):
        self.words = words
        Progress.last = self

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.append("end")

    __call__ = list.append


@pytest.mark.xdist_group("children")
def test_the_command_prints_the_ratios(program, capfd, quick_processes, monkeypatch):
    monkeypatch.setattr(bench, "ProgressBar", Progress)
    path = program()
    assert cli.main(["bench", "--json", "--seconds", "0.2", path, path + ".out"]) == 0
    out, err = capfd.readouterr()
    report = json.loads(out)
    alone = [f"{bench.PLAIN}, one core", f"{bench.CHUNKS}, one core"]
    assert list(report["ways"]) == [bench.PLAIN, bench.SINGLE, bench.CHUNKS, *alone]
    assert report["ways"][bench.PLAIN]["ratio"] == report["ways"][alone[0]]["ratio"] == 1
    assert report["ways"][bench.CHUNKS]["ratio"] > 0
    assert err.count("building") == 5
    assert (Progress.last, Progress.last.words) == (
        [1, 2, 3, 4, 5, "end"],
        ("measuring", "runs", 5),
    )
    report["ways"][bench.CHUNKS]["by_second"] = [1_234_567.8] * 9
    table = bench._table(report)
    assert max(map(len, table.splitlines()[2:15])) <= 80
    assert f"{bench.CHUNKS:22}" + " 1,234,568" * 5 + "\n" in table
    assert "8 from batch/fifo_queue" in table


def test_a_program_that_does_not_come_to_a_step_is_given_up(program, capsys, monkeypatch):
    def never(command, timeout, **_):
        raise subprocess.TimeoutExpired(command, timeout)

    monkeypatch.setattr(bench.subprocess, "run", never)
    assert cli.main(["bench", "--timeout", "5", program()]) == 2
    assert "--timeout gives it more" in capsys.readouterr().err


def test_medians_and_ratios_are_those_of_the_rounds():
    def one(rate):
        return {
            "examples_per_second": rate,
            "first_batch_seconds": 1.0,
            "cpu_seconds_per_example": 1e-6,
            "data_ended": False,
            "by_second": [rate],
            "queues": [],
            "step": "x:1",
            "takes": [],
        }

    rounds = {
        bench.PLAIN: [one(10.0), one(20.0), one(1000.0)],
        bench.SINGLE: [one(20.0), one(40.0), one(2000.0)],
        bench.CHUNKS: [one(30.0), one(100.0), one(4000.0)],
        f"{bench.PLAIN}, one core": [one(5.0), one(5.0), one(5.0)],
        f"{bench.CHUNKS}, one core": [one(15.0), one(15.0), one(20.0)],
    }
    ways = bench._summed_up("x", rounds)["ways"]
    assert [ways[way]["ratio"] for way in rounds] == [1, 2, 4, 1, 3]
    assert ways[bench.CHUNKS]["by_second"] == [4000.0]
    assert ways[bench.PLAIN]["examples_per_second"] == 20


def test_each_second_has_its_rate(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(bench.time, "perf_counter", lambda: now[0])
    rates = bench._Rates()
    for passed, examples in ((0.5, 10), (0.5, 30), (2.0, 10), (0.5, 7)):
        now[0] += passed
        assert rates.note(examples) == examples
    assert rates.full == [40, 5]


def test_what_was_printed_is_out_when_a_measurement_ends_its_process(monkeypatch, tmp_path):
    streams = {name: io.TextIOWrapper(io.BytesIO()) for name in ("stdout", "stderr")}

    def measure(order):
        for name in streams:
            getattr(sys, name).write(name)  # no line, so it waits in a buffer
        raise bench._CannotMeasure("because")

    def ended(code):
        out.append((code, *(stream.buffer.getvalue() for stream in streams.values())))

    out, result = [], tmp_path / "result.json"
    monkeypatch.setattr(bench, "_measure", measure)
    monkeypatch.setattr(os, "_exit", ended)
    for name, stream in streams.items():
        monkeypatch.setattr(sys, name, stream)
    bench._main({"result": str(result)})
    assert out == [(0, b"stdout", b"stderr")]
    assert json.loads(result.read_text()) == {"problem": "because"}


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="cores cannot be chosen here")
def test_a_way_on_one_core_is_bound_to_one(program, monkeypatch):
    bound = []
    monkeypatch.setattr(os, "sched_setaffinity", lambda which, cores: bound.append((which, cores)))
    with pytest.raises(bench._CannotMeasure):
        bench._measure(order("plain", program("print(1)")) | {"cores": 1})
    assert bound == [(0, [max(os.sched_getaffinity(0))])]
