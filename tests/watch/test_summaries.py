"""What the watch writes for TensorBoard of a queue."""

import glob
import types

import tensorflow.compat.v1

import tfqueue
import tfqueue.v1 as tf
from tfqueue.watch import summaries


def written(folder):
    """The last value of each tag."""
    found = {}
    for file in glob.glob(f"{folder}/events*"):
        for event in tensorflow.compat.v1.train.summary_iterator(file):
            found |= {value.tag: value.simple_value for value in event.summary.value}
    return found


def test_a_queue_s_fill_is_the_part_of_its_capacity(tmp_path):
    queue = tf.FIFOQueue(8, tf.int32, [[]], name="numbers")
    put = queue.enqueue_many([[1, 2]])
    with tfqueue.watch(live=False, summaries=str(tmp_path)), tf.Session() as sess:
        sess.run(put)
    assert written(tmp_path)["queues/numbers/fill"] == 0.25


def test_a_queue_that_was_not_looked_at_yet_has_none(tmp_path):
    place = types.SimpleNamespace(name="numbers", capacity=8)
    log = types.SimpleNamespace(
        places={"numbers": place}, last=lambda name: None, rates=lambda name: None, number=1
    )
    writer = summaries.Summaries(str(tmp_path))
    writer._write(log, 0.0)
    assert written(tmp_path) == {}
