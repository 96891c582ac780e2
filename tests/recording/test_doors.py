"""Whatever a program runs its steps through, they are recorded, and its graph gets no op."""

from __future__ import annotations

import os
import pathlib
import shutil

import pytest

from tests.recording import kit
from tests.suite import children
from tfqueue.recording import comparison, record_tf1, recording

ORIGINAL = pathlib.Path(__file__).with_name("originals") / "doors_115_py37.recording"
RECORDER = record_tf1.__file__


@pytest.fixture(scope="module")
def outputs(tmp_path_factory):
    """What `doors.py` prints with the recorder and without it, and its recording."""
    folder = tmp_path_factory.mktemp("doors")
    program = str(kit.PROGRAMS / "doors.py")
    path = folder / "doors.recording"
    given = str(folder / "files")
    options = ["--record", str(path), "--with-data", "--first-step"]
    said = []
    for more in (options, []):
        done = children.run(["-m", "tfqueue", "run", *more, program, given], cwd=str(folder))
        assert done.returncode == 0, done.stderr
        said.append(done.stdout)
        shutil.rmtree(given)
    return said, recording.read(path)


def _steps(found, name):
    return [step for step in found.steps if name in step.fetches.names]


def test_the_graph_gets_no_op_and_the_program_prints_the_same(outputs):
    (with_recorder, without), _ = outputs
    assert with_recorder == without
    assert with_recorder.count("[") >= 9


def test_the_original_recorded_the_same(outputs):
    found = kit.outcome(recording.read(ORIGINAL), outputs[1])
    assert found.same, str(found)
    assert found.compared["steps"] == 36
    assert found.compared["elements in order"] == 22
    assert found.compared["files"] == 2


def test_a_monitored_session_and_its_hooks(outputs):
    steps = _steps(outputs[1], "twice:0")
    assert len(steps) == 11
    assert steps[-1].error == "OutOfRangeError"
    # What hooks fetch beside it, such as summaries at some steps, is none of the program's.
    assert {step.fetches.names for step in steps} == {("twice:0", "AssignAdd:0")}
    assert [len(step.taken["number"].rows) for step in steps[:-1]] == [1] * 10


def test_what_a_session_manager_initialises_is_known(outputs):
    assert "global_step" in outputs[1].initial
    assert outputs[1].final["global_step"].dtype == "int64"


def test_a_supervisor(outputs):
    steps = _steps(outputs[1], "number_and_hundred:0")
    assert len(steps) == 11
    assert steps[-1].error == "OutOfRangeError"


def test_callables_with_feeds_and_without(outputs):
    (fed,) = _steps(outputs[1], "sum_of:0")
    assert fed.fed["given:0"].sample == (1.0, 2.0)
    assert fed.values[0].sample == (3.0,)
    assert _steps(outputs[1], "nothing:0")[0].values[0].sample == (1.5, 2.5)


def test_eval_and_run_of_an_interactive_session(outputs):
    assert _steps(outputs[1], "square:0")[0].values[0].sample == (1.0, 4.0)
    assert _steps(outputs[1], "given_anew")
    assert outputs[1].initial["weight"].sample == (1.0, 2.0)
    assert outputs[1].final["weight"].sample == (3.0, 4.0)


def test_a_step_in_parts_is_passed_through(outputs):
    assert "2.0\n6.0\n" in outputs[0][0]
    assert not _steps(outputs[1], "first_part:0")


def test_steps_of_the_programs_threads_are_counted(outputs):
    assert outputs[1].others == 4
    assert len(_steps(outputs[1], "behind_threads:0")) == 1


def test_a_session_of_another_graph(outputs):
    assert len(_steps(outputs[1], "in_another_graph:0")) == 2


def test_a_dequeue_in_a_branch_or_a_loop_is_left_alone(outputs):
    steps = _steps(outputs[1], "total:0")
    # Only the dequeue outside is seen; no element is taken twice: 12 are there, 10 are taken.
    assert [list(step.taken) for step in steps] == [["outside"], ["outside"]]
    assert [step.error for step in steps] == [None, None]
    assert {step.fetches.takes["outside"].order for step in steps} == {"shared"}


def test_elements_that_are_strings(outputs):
    (step,) = _steps(outputs[1], "two_names:0")
    (rows,) = step.taken.values()
    assert rows.types == ("string[]", "string[2, 1]")
    of_a, of_bc = (row[0] for row in rows.rows)
    assert of_a == record_tf1.digest(b"\1" + b"\0" * 7 + b"a")
    assert of_bc == record_tf1.digest(b"\2" + b"\0" * 7 + b"bc")


def test_values_of_every_kind(outputs):
    step = next(step for step in outputs[1].steps if "bool:0" in step.fetches.names)
    found = dict(zip(step.fetches.names, step.values, strict=True))
    assert found["bool:0"].dtype == "bool"
    assert found["empty:0"].shape == (0, 3)
    assert found["complex:0"].sample == (1.0, 2.0, 3.0, -4.0)
    assert str(found["odd:0"].sample) == "(nan, inf, -inf, 1.0)"
    assert found["odd:0"].moments[:6] == (1.0, 1.0, 1.0, 1.0, 1.0, 3.0)
    assert (found["half:0"].dtype, found["half:0"].sample) == ("bfloat16", (1.0, 2.0))
    assert found["double:0"].moments[:3] == (-1e300, 1e300, 0.0)
    assert found["again:0"].dtype == "string"
    assert found["dense:0"].sample == (5.0, 0.0)
    assert {name: value.shape for name, value in step.fed.items()} == {
        "sparse/indices:0": (1, 2),
        "sparse/values:0": (1,),
        "sparse/shape:0": (2,),
        "words:0": (2,),
    }


@pytest.mark.parametrize(
    ("how", "error", "status", "text"),
    [
        ("well", None, 0, None),
        ("none", None, 0, None),
        ("status0", None, 0, None),
        ("status3", "SystemExit", 3, "int(how[6:])"),
        ("text", "SystemExit", 1, '"a text"'),
        ("raises", "ValueError", 1, "a mistake"),
        ("op", "InvalidArgumentError", 1, "check_numerics"),
        ("interrupted", "KeyboardInterrupt", 130, None),
    ],
)
@pytest.mark.parametrize("way", ["alone", "run"])
def test_how_a_program_ends(tmp_path, way, how, error, status, text):
    path = tmp_path / "ends.recording"
    program = str(kit.PROGRAMS / "ends.py")
    words = {
        "alone": [RECORDER, "-o", str(path), program, how],
        "run": ["-m", "tfqueue", "run", "--record", str(path), program, how],
    }[way]
    done = children.run(words, cwd=str(tmp_path))
    # `run` ends by the signal itself, as Python does.
    assert done.returncode in ((130, -2) if status == 130 else (status,)), done.stderr
    found = recording.read(path)
    assert (found.error, found.status) == (error, status)
    if how == "interrupted":
        assert len(found.steps) >= 2
    else:
        assert len(found.steps) == (3 if how == "op" else 2)
    assert found.final["weight"].sample[0] >= 3.0
    if text is not None:
        assert found.line == kit.line_of("ends.py", text)
    if how == "raises":
        assert "ValueError: a mistake" in done.stderr
        assert "record_tf1.py" not in done.stderr
    if how == "text":
        assert "a text" in done.stderr


@pytest.mark.parametrize("way", ["alone", "run"])
def test_a_module(tmp_path, way):
    package = tmp_path / "package"
    package.mkdir()
    (package / "__init__.py").touch()
    shutil.copy(kit.PROGRAMS / "ends.py", package / "module.py")
    path = tmp_path / "module.recording"
    words = {
        "alone": [RECORDER, "-o", str(path), "-m", "package.module", "status3"],
        "run": ["-m", "tfqueue", "run", "--record", str(path), "-m", "package.module", "status3"],
    }[way]
    done = children.run(words, cwd=str(tmp_path))
    assert done.returncode == 3, done.stderr
    found = recording.read(path)
    assert (found.program, found.is_module) == ("package.module", True)
    assert found.line.startswith("package/module.py:")
    assert len(found.steps) == 2


def test_a_program_in_a_folder_called_like_tensorflow(tmp_path):
    folder = tmp_path / "tensorflow"
    folder.mkdir()
    (folder / "train.py").write_text(
        "import os, tensorflow as tf\n"
        "tf.compat.v1.disable_eager_execution()\n"
        "def start():\n"
        "    os.chdir('..')\n"
        "    return tf.compat.v1.Session().run(tf.constant(1, name='one'))\n"
        "start()\n",
        "utf-8",
    )
    done = children.run([RECORDER, "train.py"], cwd=str(folder))
    assert done.returncode == 0, done.stderr
    found = recording.read(folder / "train.recording")
    assert [step.fetches.names for step in found.steps] == [("one:0",)]
    assert found.steps[0].fetches.lines == ("train.py:5",)


def test_an_estimator(tmp_path):
    (tmp_path / "program.py").write_text(
        "import tensorflow as tf\n"
        "def model(features, labels, mode):\n"
        "    weight = tf.get_variable('weight', [], initializer=tf.ones_initializer())\n"
        "    loss = tf.square(weight * features - 2.0)\n"
        "    step = tf.train.get_global_step()\n"
        "    train = tf.train.GradientDescentOptimizer(0.1).minimize(loss, step)\n"
        "    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train)\n"
        "def inputs():\n"
        "    return tf.train.range_input_producer(3, shuffle=False).dequeue() * 0 + 1, None\n"
        "def floats():\n"
        "    return tf.cast(inputs()[0], tf.float32), None\n"
        "tf.estimator.Estimator(model, 'model').train(floats, steps=5)\n",
        "utf-8",
    )
    path = tmp_path / "program.recording"
    words = ["-m", "tfqueue", "run", "--record", str(path), "program.py"]
    done = children.run(words, cwd=str(tmp_path))
    assert done.returncode == 0, done.stderr
    found = recording.read(path)
    assert len(found.steps) == 5
    assert all(len(step.taken) == 1 for step in found.steps)
    assert found.initial["weight"].sample == (1.0,)
    assert found.final["weight"].sample != (1.0,)


EVALUATED = """
import sys
import tensorflow as tf
def model(features, labels, mode):
    weight = tf.get_variable('weight', [], initializer=tf.ones_initializer())
    loss = tf.square(weight * features - 2.0)
    step = tf.train.get_global_step()
    train = tf.train.GradientDescentOptimizer(0.1).minimize(loss, step)
    found = {'mean': tf.metrics.mean(features * float(sys.argv[1]))}
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train, eval_metric_ops=found)
def floats():
    number = tf.train.range_input_producer(6, shuffle=False, num_epochs=1).dequeue()
    return tf.cast(number, tf.float32) * 0.1, None
made = tf.estimator.Estimator(model, 'model')
made.train(floats)
print(made.evaluate(floats))
"""


def test_an_evaluation_is_compared_by_what_it_gives(tmp_path):
    (tmp_path / "program.py").write_text(EVALUATED, "utf-8")
    found = []
    for place, factor in enumerate((1, 1, 2)):
        path = tmp_path / f"{place}.recording"
        words = ["-m", "tfqueue", "run", "--record", str(path), "program.py"]
        done = children.run([*words, str(factor)], cwd=str(tmp_path))
        assert done.returncode == 0, done.stderr
        shutil.rmtree(tmp_path / "model")
        found.append(recording.read(path))
    names = "evaluation:global_step", "evaluation:loss", "evaluation:mean"
    last = found[0].steps[-1]
    assert last.fetches.names == names
    assert last.values[2].sample == (0.25,)
    assert comparison.compare(found[0], found[1]).same
    assert "evaluation:mean" in str(comparison.compare(found[0], found[2]))


ODD = """
import os, sys
import tensorflow as tf
tf = tf.compat.v1
with tf.Graph().as_default():
    weight = tf.Variable(1.0, name="weight")
    step = tf.assign_add(weight, 1.0, name="step")
    sess = tf.Session()
    sess.run(weight.initializer)
    sess.run(step)
    if sys.argv[1] == "forks" and os.fork() == 0:
        sys.exit(4)
    if sys.argv[1] == "closes its output":
        sys.stdout.close()
    if sys.argv[1] == "goes elsewhere":
        os.chdir(os.path.dirname(os.path.abspath(__file__)))
        with tf.python_io.TFRecordWriter("ä.tfrecord".encode()) as writer:
            writer.write(b"one")
    if sys.argv[1] == "forks":
        print(os.WEXITSTATUS(os.wait()[1]))
    sess.run(step)
"""


@pytest.mark.parametrize(
    "how", ["forks", "closes its output", "goes elsewhere", "has bytes \udcff for an argument"]
)
def test_odd_programs(tmp_path, how):
    folder = tmp_path / "süb"
    folder.mkdir()
    (folder / "prögram.py").write_text(ODD, "utf-8")
    done = children.run([RECORDER, os.path.join("süb", "prögram.py"), how], cwd=str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert done.stdout == ("4\n" if how == "forks" else "")
    found = recording.read(tmp_path / "prögram.recording")
    assert len(found.steps) == 2
    assert found.final["weight"].sample == (3.0,)
    assert list(found.files) == (["süb/ä.tfrecord"] if how == "goes elsewhere" else [])
    assert comparison.compare(found, found).same
