"""A program named by its path alone: what its first step takes from the queues."""

import textwrap

import pytest

import tfqueue
from tests.dataset.lifted import values, written

READS = """
import tensorflow as tf

names = tf.train.string_input_producer([{path!r}], num_epochs=2, shuffle=False)
_, line = tf.TextLineReader().read(names)
number = tf.string_to_number(line, tf.int32)
batch = tf.train.batch([number, number * number], 3)
"""
FETCHES = """
with tf.Session() as sess:
    sess.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
    coord = tf.train.Coordinator()
    threads = tf.train.start_queue_runners(sess, coord)
    print sess.run(batch)
    raise SystemExit("the program went on behind its first step")
"""
TRAINS = """
weight = tf.Variable(0.0)
scale = tf.placeholder(tf.float32, [])
loss = tf.reduce_mean(scale * weight * tf.to_float(batch[0]) - tf.to_float(batch[1]))
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
with tf.Session() as sess:
    sess.run(tf.initialize_all_variables())
    sess.run(tf.initialize_local_variables())
    tf.train.start_queue_runners()
    sess.run([train, loss], {{scale: 1.0}})
    raise SystemExit("the program went on behind its first step")
"""


@pytest.fixture
def program(tmp_path):
    lines = tmp_path / "lines.txt"
    lines.write_text("".join(f"{k}\n" for k in range(6)))

    def make(*parts):
        path = tmp_path / "old.py"
        path.write_text(textwrap.dedent("".join(parts)).format(path=str(lines)))
        return str(path)

    return make


@pytest.mark.parametrize("step", [FETCHES, TRAINS], ids=["fetches", "trains"])
def test_is_lifted(step, program):
    path = program(READS, step)
    with tfqueue.eager():
        dataset = tfqueue.dataset(path)
        by_hand = written(tfqueue.dataset.source(path))
        assert dataset.element_spec == by_hand.element_spec
        assert len(dataset.element_spec) == 2
        assert values(dataset) == values(by_hand) == [*range(6)] * 2
        assert str(tfqueue.dataset.check(path)) == "the same: 4 elements, compared in order"


def test_takes_no_arguments(program):
    path = program(READS, FETCHES)
    with tfqueue.eager(), pytest.raises(ValueError, match="without arguments; or name its func"):
        tfqueue.dataset(path, 3)


def test_without_a_step_that_takes_is_told(program):
    path = program(READS, "with tf.Session() as sess:\n    sess.run(tf.constant(1))\n")
    with tfqueue.eager(), pytest.raises(ValueError, match="no step takes from a queue; name the"):
        tfqueue.dataset(path)


def test_that_fails_raises_what_it_raised(program):
    path = program(READS, "raise KeyError('no such key')\n")
    with tfqueue.eager(), pytest.raises(KeyError, match="no such key"):
        tfqueue.dataset(path)
