"""What a picture's legend says, and how a notebook shows a picture."""

import tfqueue
import tfqueue.v1 as tf
from tfqueue import draw

BY_HAND, BY_RUNNER = "run by the program itself", "a QueueRunner's threads"


def test_a_notebook_is_given_the_picture_and_a_terminal_is_not():
    picture = draw.Picture("<svg/>")
    assert picture._repr_svg_() == "<svg/>"
    assert repr(picture) == "<Picture>"


def test_the_legend_says_what_is_run_by_hand_where_something_is(own_graph):
    queue = tf.FIFOQueue(9, tf.int32, [[]])
    queue.enqueue(1)
    queue.dequeue()
    by_hand = draw.as_svg(tfqueue.pipeline(own_graph))
    assert BY_HAND in by_hand
    assert BY_RUNNER not in by_hand
    with tf.Graph().as_default() as graph:
        tf.train.batch([tf.train.range_input_producer(4).dequeue()], 2)
    by_runner = draw.as_svg(tfqueue.pipeline(graph))
    assert BY_HAND not in by_runner
    assert BY_RUNNER in by_runner
