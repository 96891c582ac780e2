"""Conditions and assertions of a lifted step: the values are the queues', the text says them."""

import pytest

import tfqueue
import tfqueue.v1 as tf


def number():
    return tf.train.range_input_producer(6, num_epochs=1, shuffle=False).dequeue()


def known(which):
    """A condition whose value the graph tells, with two tensors from outside."""
    one = number()
    two, three = one * 10, one * 100
    return tf.train.batch(
        [tf.cond(tf.constant(which), lambda: two - three, lambda: three - two)], 3
    )


def unknown():
    one = number()
    two, three = one * 10, one * 100
    return tf.train.batch([tf.cond(one % 2 > 0, lambda: two - three, lambda: three - two)], 3)


def asserted(summarize):
    one = number()
    checked = tf.Assert(one < 9, [tf.identity(one), one + 1], summarize=summarize)
    with tf.control_dependencies([checked]):
        one = tf.identity(one)
    return tf.train.batch([one], 3)


def three_ways(inputs, *args):
    """What queues, lift and written program give."""
    with tf.Graph().as_default():
        batch = inputs(*args)
        with tfqueue.managed_session() as sess:
            queues = [step.tolist() for step in sess.batches(batch)]
    with tfqueue.eager():
        lifted = [step.tolist() for step in tfqueue.dataset(inputs, *args).as_numpy_iterator()]
        names: dict = {}
        exec(tfqueue.dataset.source(inputs, *args), names)
        written = [step.tolist() for step in names["dataset"]().as_numpy_iterator()]
    return queues, lifted, written


@pytest.mark.parametrize("which", [True, False])
def test_a_branch_that_is_known(which):
    sign = -90 if which else 90
    expected = [[0, sign, 2 * sign], [3 * sign, 4 * sign, 5 * sign]]
    assert three_ways(known, which) == (expected, expected, expected)


def test_a_branch_that_is_not():
    expected = [[0, -90, 180], [-270, 360, -450]]
    assert three_ways(unknown) == (expected, expected, expected)


@pytest.mark.parametrize("summarize", [None, 3, 4])
def test_an_assertion_shows_as_many_values(summarize):
    expected = [[0, 1, 2], [3, 4, 5]]
    assert three_ways(asserted, summarize) == (expected, expected, expected)
    with tfqueue.eager():
        text = tfqueue.dataset.source(asserted, summarize)
    assert "Assert(" in text
    assert ("summarize=4" in text) == (summarize == 4)
    assert "summarize=3" not in text
