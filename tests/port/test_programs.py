"""Programs in the manner of each era, run for real through the rules."""

import json
import logging
import pathlib
import sys
import threading

import pytest
from absl import flags
from absl import logging as absl_logging

from tfqueue import cli

PROGRAMS = pathlib.Path(__file__).parent / "programs"

# program, its arguments ({} is an empty folder), exit code, what it prints
RUNS = [
    pytest.param(
        "era_0_8/train.py",
        ["{}"],
        0,
        # 20 examples of two epochs in batches of four; 5 / 2 == 2; bytes of a str
        "files 2\nshape [2, 4] loss 0.6931\nsteps 5 half 2\n0 12 1 8\ndone\n",
    ),
    pytest.param("era_0_12.py", [], 3, "loss 0.6931 rows 4\naborted\n"),
    pytest.param("era_1_0.py", ["{}"], 0, "[[6, 20, 6, 20], [9, 35, 9, 35]]\n"),
    pytest.param("era_1_4.py", [], 0, "[0, 2, 4, 10, 30, 50]\n"),
    pytest.param("era_1_15.py", [], 0, "[[0, 1], [1, 2]]\n[[2, 3], [3, 4]]\n[[4, 5]]\n"),
]


@pytest.fixture(autouse=True)
def own_flags():
    """Programs define flags, and `tf.app.run` turns up the log; here they share one process."""
    kept, root = dict(flags.FLAGS._flags()), logging.getLogger()
    level, handler = root.level, absl_logging.get_absl_handler()
    had_it = handler in root.handlers
    yield
    for name in set(flags.FLAGS._flags()) - set(kept):
        delattr(flags.FLAGS, name)
    flags.FLAGS["verbosity"].unparse()
    if not had_it:
        root.removeHandler(handler)
    root.setLevel(level)


def run(program, *args):
    before = set(threading.enumerate())
    modules, argv, path = set(sys.modules), list(sys.argv), list(sys.path)
    code = cli.main(["run", str(program), *args])
    left = set(threading.enumerate()) - before
    # A thread of TensorFlow's own that called Python is listed as well, and does not end.
    left = [thread for thread in left if not isinstance(thread, threading._DummyThread)]
    assert not left, "a thread of the program is alive"
    assert (sys.argv, sys.path) == (argv, path)
    new = {
        sys.modules[name].__spec__.loader
        for name in set(sys.modules) - modules
        if getattr(sys.modules[name], "__spec__", None)
    }
    assert not [loader for loader in new if type(loader).__module__ == "tfqueue.port.run.importer"]
    return code


@pytest.mark.parametrize(("program", "args", "code", "output"), RUNS)
def test_runs(program, args, code, output, tmp_path, capsys):
    assert run(PROGRAMS / program, *(arg.format(tmp_path) for arg in args)) == code
    assert capsys.readouterr().out.replace("np.int32(2)", "2").replace("np.int32(4)", "4") == output


@pytest.mark.parametrize(("program", "args", "code", "output"), RUNS)
def test_ported_it_runs_without_any_rule(
    program, args, code, output, tmp_path, capsys, monkeypatch
):
    target = tmp_path / "ported"
    source = PROGRAMS / program
    source = source.parent if source.parent != PROGRAMS else source
    assert cli.main(["port", "--output", str(target / source.name), str(source)]) == 0
    ported = target / program
    data = tmp_path / "data"
    data.mkdir()
    for file in target.rglob("*.py"):
        before = file.read_text()
        assert cli.main(["port", "--in-place", str(file)]) == 0
        assert file.read_text() == before, "porting twice changes nothing more"
    monkeypatch.setattr("tfqueue.port.rules.all_rules", lambda: ())
    assert run(ported, *(arg.format(data) for arg in args)) == code
    out = capsys.readouterr().out.replace("np.int32(2)", "2").replace("np.int32(4)", "4")
    assert out == output


def test_a_notebook_keeps_new_outputs_and_pictures(tmp_path, capsys):
    cells = [
        "%matplotlib inline\nimport tensorflow as tf\nimport matplotlib.pyplot as plt\nprint 'one'",
        "x = tf.train.batch([tf.train.range_input_producer(4, 1, shuffle=False).dequeue()], 2)",
        "with tf.Session() as sess:\n"
        "    sess.run(tf.initialize_all_variables())\n"
        "    coord = tf.train.Coordinator()\n"
        "    threads = tf.train.start_queue_runners(sess, coord)\n"
        "    y = sess.run(x).tolist()\n"
        "    coord.request_stop(); coord.join(threads)\n"
        "y",
        "lines = !echo $HOME_OF_NOBODY shell\nplt.plot([1, 2])\nplt.show()\nlines",
        "%%bash\necho bash",
    ]
    notebook = {
        "cells": [
            {
                "cell_type": "code",
                "source": cell,
                "outputs": [1],
                "execution_count": 9,
                "metadata": {},
            }
            for cell in cells
        ],
        "metadata": {},
        "nbformat": 4,
        "nbformat_minor": 2,
    }
    path, output = tmp_path / "nb.ipynb", tmp_path / "out.ipynb"
    path.write_text(json.dumps(notebook))
    assert run(path, "-o", str(output)) == 0
    assert json.loads(path.read_text()) == notebook
    ran = json.loads(output.read_text())
    assert [cell["source"] for cell in ran["cells"]] == cells
    assert [cell["execution_count"] for cell in ran["cells"]] == [1, 2, 3, 4, 5]
    kept = [cell["outputs"] for cell in ran["cells"]]
    assert kept[0] == [{"output_type": "stream", "name": "stdout", "text": ["one\n"]}]
    assert kept[1] == []
    assert kept[2][-1]["data"] == {"text/plain": ["[0, 1]"]}
    picture = next(one for one in kept[3] if one["output_type"] == "display_data")
    assert picture["data"]["image/png"].startswith("iVBOR")
    assert kept[3][-1]["data"] == {"text/plain": ["['shell']"]}
    assert kept[4][0]["text"] == ["bash\n"]
    assert capsys.readouterr().out.startswith("one\n")


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("tf.contrib.timeseries.ARRegressor()", "tf.contrib.timeseries is gone since TensorFlow 2"),
        (
            "import tensorflow.tensorboard; tensorflow.tensorboard.main()",
            "old.py:3: tf.tensorboard is gone since TensorFlow 1.4",
        ),
    ],
)
def test_what_cannot_be_helped_ends_in_its_sentence(line, sentence, tmp_path, capsys):
    program = tmp_path / "old.py"
    program.write_text(f"import tensorflow as tf\n\n{line}\n")
    assert run(program) == 1
    error = capsys.readouterr().err
    assert sentence in error
    assert error.count("is gone since") == 1
