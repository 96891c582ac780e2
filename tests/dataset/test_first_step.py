"""A program named by its path alone: what its first step takes from the queues."""

import textwrap

import pytest

import tfqueue
from tests.dataset.lifted import values, written
from tfqueue import errors

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


ASSIGNS = """
import tensorflow as tf

value = tf.placeholder_with_default(1.0, [])
mean = tf.Variable(value, trainable=False, use_resource={resource})
other = tf.Variable(0.0)
number = tf.train.range_input_producer(4, num_epochs=1, shuffle=False).dequeue()
batch = tf.train.batch([tf.to_float(number) - mean], 2)
more = other.assign(3.0)
saver = tf.train.Saver([other{saved}])
with tf.Session() as sess:
    sess.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
    {assign}
    tf.train.start_queue_runners(sess)
    sess.run(batch)
"""
"""In TensorFlow 1.15 the batches are [-mean, 1 - mean] and [2 - mean, 3 - mean], of the value that is assigned."""


@pytest.mark.parametrize("resource", [False, True])
@pytest.mark.parametrize(
    ("assign", "saved"),
    [
        ("mean.load(2.5, sess)", ""),
        ("sess.run(mean.initializer, {value: 2.5})", ""),
        ("sess.run(tf.global_variables_initializer(), {value: 2.5})", ""),
        ("sess.run(tf.assign(mean, 2.5))", ""),
        ("saver.restore(sess, saver.save(sess, folder + '/saved'))", ", mean"),
    ],
    ids=["load", "fed", "all fed", "assigned", "restored"],
)
def test_a_variable_that_is_assigned_before_the_first_step(resource, assign, saved, tmp_path):
    path = tmp_path / "old.py"
    assign = assign.replace("folder", repr(str(tmp_path)))
    path.write_text(ASSIGNS.format(resource=resource, assign=assign, saved=saved))
    with tfqueue.eager():
        for ask in (
            lambda: tfqueue.dataset(str(path)),
            lambda: tfqueue.dataset(str(path), engine="session"),
            lambda: tfqueue.dataset.check(str(path)),
            lambda: tfqueue.dataset.source(str(path)),
        ):
            with pytest.raises(
                errors.CannotLiftError, match=r"'Variable' .*is assigned before the"
            ):
                ask()


@pytest.mark.parametrize(
    "assign",
    ["pass", "other.load(2.5, sess)", "sess.run(more)", "sess.run(mean, {value: 2.5})"],
)
def test_a_variable_that_has_its_first_value(assign, tmp_path):
    path = tmp_path / "old.py"
    path.write_text(ASSIGNS.format(resource=False, assign=assign, saved=""))
    with tfqueue.eager():
        assert values(tfqueue.dataset(str(path))) == [-1.0, 0.0, 1.0, 2.0]
        assert tfqueue.dataset.check(str(path))
