"""What a picture's legend says, and how a notebook shows a picture."""

import tfqueue
import tfqueue.v1 as tf
from tfqueue import draw

BY_HAND = "run by the program itself"


def test_a_notebook_is_given_the_picture_and_a_terminal_is_not():
    picture = draw.Picture("<svg/>")
    assert picture._repr_svg_() == "<svg/>"
    assert repr(picture) == "<Picture>"


def test_the_legend_says_what_is_run_by_hand_where_something_is(own_graph):
    queue = tf.FIFOQueue(9, tf.int32, [[]])
    queue.enqueue(1)
    queue.dequeue()
    assert BY_HAND in draw.as_svg(tfqueue.pipeline(own_graph))
    with tf.Graph().as_default() as graph:
        tf.train.batch([tf.train.range_input_producer(4).dequeue()], 2)
    assert BY_HAND not in draw.as_svg(tfqueue.pipeline(graph))
