"""A loop that makes ops in each of its steps is told of once; what only looks like one is not."""

import pytest

import tfqueue.v1 as tf
from tfqueue import errors
from tfqueue.explain.growth import GrowthWatch


def watched(steps):
    """Calls each of `steps` between two looks of one watch, as runs of a session do."""
    watch = GrowthWatch(tf.get_default_graph())
    for step in steps:
        step()
        watch.look()


def make_ops():
    return tf.add(tf.constant(1), 2)


def test_ten_runs_in_a_row_are_told_of_once():
    with pytest.warns(errors.GrowingGraphWarning) as told:
        watched([make_ops] * 30)
    (warning,) = told
    assert "(by 3 ops in the last)" in str(warning.message)
    assert "AddV2 'Add_9' at" in str(warning.message)
    assert "return tf.add(tf.constant(1), 2)" in str(warning.message)


@pytest.mark.parametrize(
    "steps",
    [[make_ops] * 9, ([make_ops] * 9 + [lambda: None]) * 2],
    ids=["nine", "a run without new ops between"],
)
def test_fewer_are_not(steps):
    watched(steps)


def test_lines_that_build_and_run_piece_by_piece_are_not():
    pieces = [
        compile("\n" * line + "tf.constant(1) + 1", "pieces.py", "eval") for line in range(30)
    ]
    watched([lambda piece=piece: eval(piece, {"tf": tf}) for piece in pieces])


def test_a_loop_that_loads_one_variable_after_the_other_is_not():
    variables = [tf.Variable(float(number), trainable=False) for number in range(30)]
    watched([lambda variable=variable: tf.assign(variable, 0.0) for variable in variables])


def test_a_loop_that_assigns_to_one_variable_is():
    variable = tf.Variable(0.0, trainable=False)
    with pytest.warns(errors.GrowingGraphWarning, match="Assign"):
        watched([lambda: tf.assign(variable, 1.0)] * 12)
