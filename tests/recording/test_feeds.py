"""What is fed is compared in programs that draw without a seed, too, as far as no draw can have led to it."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf2

from tests.recording import kit
from tfqueue.recording import recording

tf = tf2.compat.v1
WORDS = "feeds, which may follow from values drawn"


def _recorded(path, feeds, fetches_draws=True, name="data"):
    """A program whose weight is drawn; `feeds` makes of a number what is fed in that step."""
    with tf.Graph().as_default(), kit.recorder(path):
        given = tf.placeholder(tf.float32, [2], name=name)
        weight = tf.Variable(tf.random_normal([]), name="weight")
        product, double = given * weight, given * 2.0
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            for step in range(3):
                sess.run(product if fetches_draws else double, {given: feeds(step)})
    return recording.read(path)


def _first(step):
    return np.array([step, 3], np.int64) / 2


def _in_second(step):
    return _first(step) + (step == 1)


@pytest.mark.parametrize("fetches_draws", [True, False])
@pytest.mark.parametrize(
    ("feeds", "step"),
    [
        (lambda step: np.array([step, 3], np.int64) // 2, 0),
        (lambda step: _first(step) + 1, 0),
        (_in_second, 1),
    ],
    ids=["dtype", "values", "second step"],
)
def test_other_data_is_a_difference(tmp_path, feeds, step, fetches_draws):
    old = _recorded(tmp_path / "old", _first, fetches_draws)
    outcome = kit.outcome(old, _recorded(tmp_path / "new", feeds, fetches_draws))
    found = [each for each in outcome.differences if each.what == "what is fed to data:0"]
    if fetches_draws and step:  # the program has seen what was drawn before it fed this
        assert not found
        assert outcome.not_compared[WORDS] == 1
    else:
        assert [each.step for each in found] == [step]
        assert WORDS not in outcome.not_compared


def test_the_same_data_is_none(tmp_path):
    old = _recorded(tmp_path / "old", _first)
    outcome = kit.outcome(old, _recorded(tmp_path / "new", _first))
    assert not outcome.differences
    assert not [why for why in outcome.not_compared if why.startswith("feeds")]


def test_feeds_without_a_counterpart_are_counted(tmp_path):
    old = _recorded(tmp_path / "old", _first)
    outcome = kit.outcome(old, _recorded(tmp_path / "new", _first, name="other"))
    assert outcome.not_compared["feeds of which the other program has none by that name"] == 6


def test_another_type_is_no_chance(tmp_path):
    old = _recorded(tmp_path / "old", _first)
    new = _recorded(tmp_path / "new", lambda step: _first(step) if not step else [step, 3])
    assert [each.step for each in kit.outcome(old, new).differences] == [1]
