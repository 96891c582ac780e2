"""What is put into a queue, or taken from one, on a condition."""

import pytest

import tfqueue
import tfqueue.v1 as tf
from tfqueue import errors

pytestmark = pytest.mark.usefixtures("eager")


def numbers():
    return tf.train.range_input_producer(6, num_epochs=1, shuffle=False).dequeue()


def odd():
    """Only odd numbers, each beside its square, which nobody computes where it is not put."""
    number = numbers()
    return tf.train.maybe_batch([number, number * number], number % 2 > 0, 3)


def test_both_components_of_what_is_put_on_a_condition_are_lifted():
    expected = [([1, 3, 5], [1, 9, 25])]
    for engine in ("lift", "session"):
        dataset = tfqueue.dataset(odd, engine=engine)
        found = [tuple(part.tolist() for part in each) for each in dataset.as_numpy_iterator()]
        assert found == expected


def own(put):
    """A queue that a branch of a cond fills."""
    number = numbers()
    queue = tf.FIFOQueue(10, tf.int64, [[]])
    step = tf.cond(number % 2 > 0, lambda: queue.enqueue(put(number)), tf.no_op)
    tf.train.add_queue_runner(tf.train.QueueRunner(queue, [step]))
    return queue.dequeue()


def test_an_op_of_the_branch_that_cannot_be_lifted_is_refused():
    def called(number):
        made = tf.py_func(lambda value: value, [tf.cast(number, tf.int64)], tf.int64)
        made.set_shape([])
        return made

    assert [*tfqueue.dataset(own, lambda n: tf.cast(n, tf.int64)).as_numpy_iterator()] == [1, 3, 5]
    with pytest.raises(errors.CannotLiftError, match="PyFunc"):
        tfqueue.dataset(own, called)


def taken_in_a_branch():
    number = numbers()
    other = tf.train.range_input_producer(9, shuffle=False, name="other")
    taken = tf.cond(number % 2 > 0, other.dequeue, lambda: tf.constant(-1))
    return tf.train.batch([number, taken], 2)


def test_what_is_taken_on_a_condition_is_refused():
    with pytest.raises(errors.CannotLiftError, match="takes from 'other' in a branch"):
        tfqueue.dataset(taken_in_a_branch)
