"""`tfqueue port`: what it says beside the program that it writes."""

import json

import pytest

from tfqueue import cli

START = """\
import tensorflow as tf
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    other()
"""
INPUTS = """\
import tensorflow as tf

def inputs():
    return tf.train.batch([tf.train.range_input_producer(4, num_epochs=1).dequeue()], 2)

x = inputs()
with tf.Session() as sess:
    sess.run(tf.local_variables_initializer())
    tf.train.start_queue_runners(sess)
    sess.run(x)
"""


def test_a_session_that_is_not_managed_is_named(tmp_path, capsys):
    (tmp_path / "old.py").write_text(START)
    cli.main(["port", "--managed", str(tmp_path / "old.py")])
    assert "old.py:2 (ported): session left as it is: " in capsys.readouterr().err


def test_modules_that_import_each_other_are_named_once(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "old.py").write_text("import one\nprint 1\n")
    (tmp_path / "one.py").write_text("import two\nprint 1\n")
    (tmp_path / "two.py").write_text("import one\nprint 2\n")
    assert cli.main(["port", "--in-place", "old.py"]) == 0
    said = capsys.readouterr().err
    assert said.count("one.py is imported and was not ported") == 1
    assert said.count("two.py is imported and was not ported") == 1


@pytest.mark.parametrize(("more", "told"), [([], 1), (["--era", "1.1"], 0)])
def test_what_a_run_tells_beforehand_is_told(tmp_path, capsys, monkeypatch, more, told):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "old.py").write_text(
        "import tensorflow as tf\ncell = tf.contrib.rnn.GRUCell(3)\nx = f([cell] * 2)\n"
    )
    assert cli.main(["port", *more, "--in-place", "old.py"]) == 0
    said = capsys.readouterr().err
    assert said.count("tfqueue: old.py:3: one cell for several layers") == told


@pytest.mark.parametrize("more", [["--function", "inputs"], ["--args", "()"]])
def test_a_function_is_called_in_the_era_of_its_file(tmp_path, capsys, more):
    (tmp_path / "old.py").write_text(INPUTS)
    words = ["port", "--to-tf-data", "--era", "1.4", *more, str(tmp_path / "old.py")]
    try:
        status = cli.main(words)
    except SystemExit as error:
        status = error.code
    assert status == 2
    assert "no --era here" in capsys.readouterr().err


@pytest.mark.parametrize("more", [["--function", "inputs"], ["--args", ""]])
def test_a_function_is_for_tf_data(tmp_path, capsys, more):
    (tmp_path / "old.py").write_text(INPUTS)
    assert cli.main(["port", *more, str(tmp_path / "old.py")]) == 2
    assert capsys.readouterr() == ("", f"tfqueue: {more[0]} goes with --to-tf-data\n")


def test_what_is_missing_keeps_nothing_from_the_others(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "old.py").write_text("print 1\n")
    assert cli.main(["port", "--in-place", "gone.py", "old.py"]) == 2
    assert "tfqueue: gone.py: no such file or directory\n" in capsys.readouterr().err
    assert (tmp_path / "old.py").read_text().endswith("print(1)\n")


def test_the_cells_of_a_notebook_have_a_diff_each(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    texts = ["import tensorflow as tf", "x = 1", "print tf.pack([x])"]
    cells = [
        {
            "cell_type": "code",
            "metadata": {},
            "outputs": [],
            "execution_count": None,
            "source": text,
        }
        for text in texts
    ]
    document = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 2}
    (tmp_path / "nb.ipynb").write_text(json.dumps(document))
    assert cli.main(["port", "nb.ipynb"]) == 0
    out = capsys.readouterr().out
    assert "--- nb.ipynb[3]\n+++ nb.ipynb[3] (ported)\n@@ -1 +1 @@\n-print tf.pack([x])\n" in out
    assert "nb.ipynb[2]" not in out
