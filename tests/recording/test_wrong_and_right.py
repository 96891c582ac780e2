"""Programs with one thing wrong are found, most at the right line; right ones are not accused."""

from __future__ import annotations

import pytest

from tests.recording import kit

PROGRAM = "training.py"
TRACED = ("--first-step",)

# change -> the text of the line that the verdict must name; None where no line can be known
WRONG = {
    "seed": "first = tf.truncated_normal",
    "epoch": None,
    "batch": "batch = tf.train.batch(",
    "dtype": "batch = tf.train.batch(",
    "label": "batch = tf.train.batch(",
    "lost": "batch = tf.train.batch(",
    "doubled": "batch = tf.train.batch(",
    "order": "batch = tf.train.batch(",
    "scaled_records": "batch = tf.train.batch(",
    "crop": "batch = tf.train.batch(",
    "divisor": "numbers_of = tf.cast(images",
    "floored": "numbers_of = tf.cast(tf.cast(images",
    "scale": "scaled = joined",
    "swapped": "shifted = pick(",
    "half": "stored = tf.cast(shifted",
    "spread": "first = tf.truncated_normal",
    "uniform": "weights = tf.Variable(",
    "bias": "bias = tf.Variable(",
    "activation": "hidden = pick(",
    "transposed": "logits = tf.reverse(",
    "smoothed": "hot = tf.one_hot(",
    "arguments": "train = optimizer.minimize",  # which raises: there is no gradient
    "summed": "loss = pick(",
    "rate": "train = optimizer.minimize",
    "optimizer": "train = optimizer.minimize",
    "dependency": "mean = tf.Variable(",
    "step": "step = tf.Variable(",
    "raises": None,
    "status": None,
}
RIGHT = ("", "capacity", "unused")
FREE = (
    "free",
    "free_threads",
    "free_many",
    "free_capacity",
    "free_reserve",
    "free_dropout",
    "free_dropout_again",
)
FREE_WRONG = {
    "free_spread": "weights = tf.Variable(",
    "free_dependency": "mean = tf.Variable(",
}


@pytest.fixture(scope="module")
def right(tmp_path_factory):
    """The recording of the program without a change."""
    return kit.recorded(tmp_path_factory.mktemp("right"), PROGRAM, options=TRACED)


@pytest.fixture(scope="module")
def free(tmp_path_factory):
    """The recording of the program with shuffled names, a shuffling queue and no seeds."""
    return kit.recorded(tmp_path_factory.mktemp("free"), PROGRAM, "free", options=TRACED)


@pytest.mark.slow
@pytest.mark.parametrize("change", WRONG)
def test_what_is_wrong_is_found(tmp_path, right, change):
    new = kit.recorded(tmp_path, PROGRAM, change, options=TRACED)
    found = kit.verdict(right, new)
    assert not found.same
    if WRONG[change] is not None:
        assert kit.line_of(PROGRAM, WRONG[change]) in str(found)


@pytest.mark.slow
@pytest.mark.parametrize("change", RIGHT)
def test_what_is_right_is_not_accused(tmp_path, right, change):
    found = kit.verdict(right, kit.recorded(tmp_path, PROGRAM, change, options=TRACED))
    assert found.same, str(found)
    assert found.compared["steps"] == len(right.steps) == 16


@pytest.mark.slow
@pytest.mark.parametrize("change", FREE)
@pytest.mark.parametrize("time", range(3))
def test_threads_and_shuffles_are_not_accused(tmp_path, free, change, time):
    found = kit.verdict(free, kit.recorded(tmp_path, PROGRAM, change, options=TRACED))
    assert found.same, str(found)
    assert found.compared["elements in any order"] == 120
    assert found.not_compared


@pytest.mark.slow
@pytest.mark.parametrize("change", FREE_WRONG)
def test_what_is_wrong_is_found_without_seeds(tmp_path, free, change):
    found = kit.verdict(free, kit.recorded(tmp_path, PROGRAM, change, options=TRACED))
    assert not found.same
    assert kit.line_of(PROGRAM, FREE_WRONG[change]) in str(found)
