"""Warps of images and cells of `tf.contrib` give what they gave in TensorFlow 1.15.5."""

import json
import pathlib

import numpy as np
import pytest

import tfqueue.v1 as tf
from tests.contrib import warps_and_cells
from tfqueue import release

pytestmark = pytest.mark.slow

RECORDED = json.loads((pathlib.Path(__file__).parent / "warps_and_cells_115.json").read_text())


@pytest.mark.parametrize("name", warps_and_cells.CASES)
def test_gives_what_1_15_gave(name):
    found, expected = warps_and_cells.run(tf, name), RECORDED[name]
    assert found["variables"] == expected["variables"]
    assert found["shapes"] == expected["shapes"]
    for what in ("values", "gradients"):
        assert len(found[what]) == len(expected[what])
        for one, other in zip(found[what], expected[what], strict=True):
            np.testing.assert_allclose(one, other, rtol=2e-5, atol=3e-6)


@pytest.mark.parametrize("name", warps_and_cells.CASES)
def test_begins_as_in_1_15_with_a_seed_of_the_graph(name):
    release.assume("1.15")
    try:
        found = warps_and_cells.first_values(tf, name)
    finally:
        release.assume(None)
    for one, other in zip(found, RECORDED[name]["first"], strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-7)


def test_a_block_has_one_number_of_units():
    for words in ({}, {"num_units": 2, "cell_size": 2}):
        with pytest.raises(ValueError, match="Exactly one of num_units or cell_size"):
            tf.contrib.rnn.GRUBlockCell(**words)


@pytest.mark.parametrize(("of", "weight"), [("1.1", 0.5), (None, 0.25)])
def test_an_initializer_of_the_coupled_cell_is_looked_at_up_to_1_1(of, weight):
    start = tf.constant_initializer(0.5)
    cell = tf.contrib.rnn.CoupledInputForgetGateLSTMCell(2, initializer=start)
    release.assume(of)
    try:
        with tf.variable_scope("s", initializer=tf.constant_initializer(0.25)):
            cell(tf.ones([1, 3]), cell.zero_state(1, tf.float32))
    finally:
        release.assume(None)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        assert set(sess.run(tf.trainable_variables()[0]).ravel()) == {weight}


def test_an_image_of_one_row_is_not_warped():
    warped = tf.contrib.image.dense_image_warp(tf.zeros([1, 1, 3, 1]), tf.zeros([1, 1, 3, 2]))
    with tf.Session() as sess, pytest.raises(tf.errors.InvalidArgumentError, match="too small"):
        sess.run(warped)
