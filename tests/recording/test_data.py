"""What `--with-data` keeps, up to where the user is asked, and what a replay makes of it."""

from __future__ import annotations

import gzip
import io

import pytest
import tensorflow as tf2

from tests.recording import kit
from tfqueue.recording import comparison, record_tf1, recording

tf = tf2.compat.v1


def _train(path, count, **options):
    """Records a few steps of a program that draws without a seed."""
    with tf.Graph().as_default(), kit.recorder(path, **options):
        drawn = tf.random_uniform([4, 3], name="drawn")
        weights = tf.Variable(tf.random_normal([3]), name="weights")
        change = tf.assign_add(weights, tf.reduce_mean(drawn, 0), name="change")
        with tf.Session() as sess:
            sess.run(weights.initializer)
            try:
                for _ in range(count):
                    sess.run(change)
            except record_tf1.Enough:
                pass
    return recording.read(path)


class Terminal(io.StringIO):
    """Standard input with somebody before it."""

    def isatty(self):
        return True


def test_a_replay_computes_the_same(tmp_path):
    old = _train(tmp_path / "old", 4, with_data=True)
    replayed = _train(tmp_path / "new", 4, replay=str(tmp_path / "old"))
    found = comparison.compare(old, replayed)
    assert found.same, str(found)
    assert not found.not_compared
    assert found.compared["values"] == 4
    other = comparison.compare(old, _train(tmp_path / "other", 4))
    assert other.same
    assert other.not_compared["values that depend on draws without a seed"] == 4


@pytest.mark.parametrize(
    ("stdin", "yes", "kept"),
    [
        (io.StringIO("y\n"), False, 1),  # nobody is there to ask
        (None, False, 1),
        (Terminal("n\n"), False, 1),
        (Terminal("\n"), False, 1),
        (Terminal(""), False, 1),
        (Terminal("y\n"), False, None),
        (io.StringIO(""), True, None),
    ],
)
def test_above_a_size_the_user_is_asked(tmp_path, monkeypatch, capsys, stdin, yes, kept):
    monkeypatch.setattr(record_tf1, "ASK_ABOVE", 40)
    monkeypatch.setattr(record_tf1.sys, "stdin", stdin)
    old = _train(tmp_path / "old", 4, with_data=True, yes=yes)
    said = capsys.readouterr().err
    assert "keeps 48 bytes a step" in said
    assert ("[y/N]" in said) is not yes
    assert ("only digests" in said) is (kept is not None)
    assert old.data_steps == kept
    # As many steps are replayed as there are data for; they are the same.
    steps = recording.steps_of(old, None, replay=True)
    replayed = _train(tmp_path / "new", 4, replay=str(tmp_path / "old"), steps=steps)
    assert len(replayed.steps) == (kept or 4)
    some = old if steps is None else recording.beginning(old, steps)
    found = comparison.compare(some, replayed)
    assert found.same, str(found)
    assert found.compared["values"] == (kept or 4)


def test_without_data_no_value_of_a_draw_is_kept(tmp_path):
    _train(tmp_path / "old", 2)
    with_data = _train(tmp_path / "with", 2, with_data=True)
    assert with_data.has_data
    assert b'"data"' not in gzip.decompress((tmp_path / "old").read_bytes())
    assert b'"data"' in gzip.decompress((tmp_path / "with").read_bytes())
