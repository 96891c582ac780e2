"""The parts of a pipeline, and which runners run in a way of their own."""

import pytest

import tfqueue
import tfqueue.v1 as tf
from tfqueue.graph import op_types

PLAIN = op_types._tensorflow.compat_v1().train.QueueRunner
"""TensorFlow's own class."""


class Ours(tf.train.QueueRunner):
    pass


class OursThatRuns(tf.train.QueueRunner):
    def _run(self, *args):
        pass


class OursThatStarts(tf.train.QueueRunner):
    def create_threads(self, *args, **named):
        return []


class Theirs(PLAIN):
    pass


class OursWithMore(tf.train.QueueRunner):
    def more(self):
        pass


@pytest.mark.parametrize(
    ("cls", "found"),
    [
        (PLAIN, []),
        (tf.train.QueueRunner, []),
        (Ours, []),
        (OursWithMore, []),
        (OursThatRuns, ["_run"]),
        (OursThatStarts, ["create_threads"]),
        (Theirs, ["create_threads"]),
    ],
)
def test_what_a_runner_does_in_its_own_way(cls, found):
    queue = tf.FIFOQueue(3, tf.int32, [[]])
    assert op_types.redefined(cls(queue, [queue.enqueue(1)])) == found


def test_an_attribute_that_is_set_counts_and_another_class_starts_its_own():
    queue = tf.FIFOQueue(3, tf.int32, [[]])
    runner = PLAIN(queue, [queue.enqueue(1)])
    runner._run, runner.other = print, 1
    assert op_types.redefined(runner) == ["_run"]
    assert op_types.redefined(object()) == ["create_threads"]


def test_a_runner_is_called_like_its_queue_in_each_mode():
    with tf.name_scope("scope"):
        queue = tf.FIFOQueue(3, tf.int32, [[]], name="mine")
    runner = tf.train.QueueRunner(queue, [queue.enqueue(1)] * 2)
    tf.train.add_queue_runner(runner)
    assert op_types.runner_name(runner) == "scope/mine"
    (found,) = tfqueue.pipeline(tf.get_default_graph()).runners
    assert (found.name, found.threads, found.queue.name) == ("scope/mine", 2, "scope/mine")
    assert found.queue.handle is queue.queue_ref


def test_a_runner_made_of_a_message_has_its_own_name():
    queue = tf.FIFOQueue(3, tf.int32, [[]], name="mine")
    made = tf.train.QueueRunner(queue, [queue.enqueue(1)]).to_proto()
    assert op_types.runner_name(tf.train.QueueRunner.from_proto(made)) == "mine"
    assert op_types.runner_name(PLAIN.from_proto(made)) == "mine"


def test_takes_that_read_and_takes_of_up_to_so_many():
    names = tf.FIFOQueue(3, tf.string, [[]])
    tf.TextLineReader().read(names)
    numbers = tf.FIFOQueue(3, tf.int32, [[]])
    numbers.dequeue_up_to(2)
    numbers.dequeue_many(2)
    pipeline = tfqueue.pipeline(tf.get_default_graph())
    takes = [take for queue in pipeline.queues.values() for take in queue.takes]
    assert [(take.is_read, take.is_up_to) for take in takes] == [
        (True, False),
        (False, True),
        (False, False),
    ]


def test_the_ops_behind_what_a_step_fetches():
    number = tf.constant(1)
    request = op_types.StepRequest(
        graph=tf.get_default_graph(),
        fetches=[number, number.op],
        leaves=(number, number.op),
        feed_dict=None,
        fed=(),
        place=None,
    )
    assert request.ops == [number.op, number.op]
