"""Programs with one thing wrong are found, most at the right line; right ones are not accused."""

from __future__ import annotations

import pytest

from tests.recording import kit
from tests.suite import samples

PROGRAM = "training.py"
TRACED = ("--first-step",)

BATCH = "batch = tf.train.batch(tensors, size, capacity=pick"
# change -> the text of the line that the outcome must name; None where no line can be known
WRONG = {
    "seed": "first = tf.truncated_normal",
    "epoch": None,
    "batch": BATCH,
    "dtype": BATCH,
    "label": BATCH,
    "lost": BATCH,
    "doubled": BATCH,
    "order": BATCH,
    "scaled_records": BATCH,
    "crop": BATCH,
    "divisor": "numbers_of = tf.cast(images, tf.float32) / pick",
    "floored": "numbers_of = tf.cast(images // 255",
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
    "renamed_uniform": "weights = tf.Variable(",
    "renamed_bias": "bias = tf.Variable(",
}
RIGHT = (
    "",
    "capacity",
    "unused",
    "compressed",
    "features",
    "reciprocal",
    "default",
    "double",
    "renamed",
    "got",
    "scoped",
    "by_hand",
    "callable",
    "named",
    "evaluated",
    "folder",
    "finalized",
    "config",
    "written",
    "watched",
)
# With threads and shuffles, ten times each; once in CI.
AGAIN = [pytest.param(time, marks=pytest.mark.exhaustive) for time in range(1, 10)]
FREE = (
    "free",
    "free_threads",
    "free_many",
    "free_capacity",
    "free_reserve",
    "free_dropout",
    "free_dropout_again",
    "free_join",
    "free_batch",
    "free_queue",
)
FREE_WRONG = {
    "free_spread": "weights = tf.Variable(",
    "free_dependency": "mean = tf.Variable(",
}


QUICK = (
    "seed",
    "lost",
    "order",
    "swapped",
    "spread",
    "arguments",
    "optimizer",
    "rate",
    "status",
    "renamed_bias",
    "",
    "features",
    "renamed",
)


def _some_slow(changes):
    slow = [pytest.param(each, marks=pytest.mark.slow) for each in changes if each not in QUICK]
    return [*(each for each in changes if each in QUICK), *samples.some(slow, 6)]


@pytest.fixture(scope="module")
def right(tmp_path_factory):
    """The recording of the program without a change."""
    return kit.recorded(tmp_path_factory.mktemp("right"), PROGRAM, options=TRACED)


@pytest.fixture(scope="module")
def free(tmp_path_factory):
    """The recording of the program with shuffled names, a shuffling queue and no seeds."""
    return kit.recorded(tmp_path_factory.mktemp("free"), PROGRAM, "free", options=TRACED)


@pytest.mark.parametrize("change", _some_slow(WRONG))
def test_what_is_wrong_is_found(tmp_path, right, change):
    new = kit.recorded(tmp_path, PROGRAM, change, options=TRACED)
    found = kit.outcome(right, new)
    assert not found.same
    if WRONG[change] is not None:
        assert kit.line_of(PROGRAM, WRONG[change]) in str(found)


@pytest.mark.parametrize("change", _some_slow(RIGHT))
def test_what_is_right_is_not_accused(tmp_path, right, change):
    found = kit.outcome(right, kit.recorded(tmp_path, PROGRAM, change, options=TRACED))
    assert found.same, str(found)
    assert found.compared["steps"] == len(right.steps) == 16


@pytest.mark.parametrize("change", samples.some(FREE, 6))
@pytest.mark.parametrize("time", [pytest.param(0, marks=pytest.mark.slow), *AGAIN])
def test_threads_and_shuffles_are_not_accused(tmp_path, free, change, time):
    found = kit.outcome(free, kit.recorded(tmp_path, PROGRAM, change, options=TRACED))
    assert found.same, str(found)
    assert found.compared["elements in any order"] == 120
    assert found.not_compared


@pytest.mark.slow
@pytest.mark.parametrize("change", FREE_WRONG)
def test_what_is_wrong_is_found_without_seeds(tmp_path, free, change):
    found = kit.outcome(free, kit.recorded(tmp_path, PROGRAM, change, options=TRACED))
    assert not found.same
    assert kit.line_of(PROGRAM, FREE_WRONG[change]) in str(found)


ENDLESS = "free_endless"
MORE = "free_endless_more"


@pytest.mark.slow
def test_a_replay_finds_an_epoch_more_of_an_endless_stream(tmp_path):
    """Without one the losses, which differ by nature, may have decided when the program ends."""
    options = (*TRACED, "--with-data")
    old = kit.recorded(tmp_path, PROGRAM, ENDLESS, options=options)
    again = kit.recorded(tmp_path / "again", PROGRAM, ENDLESS, options=TRACED)
    assert kit.outcome(old, again).same
    more = kit.recorded(tmp_path / "more", PROGRAM, MORE, options=TRACED)
    found = kit.outcome(old, more)
    assert found.same, str(found)
    assert found.not_compared["number of steps, which may follow from values drawn"] == 1
    path = tmp_path / f"training-{ENDLESS}-recording"
    options = (*TRACED, f"--replay={path}")
    replayed = kit.recorded(tmp_path / "replayed", PROGRAM, MORE, options=options)
    assert "the number of steps is 20, was 15" in str(kit.outcome(old, replayed))
