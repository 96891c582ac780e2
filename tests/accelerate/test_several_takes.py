"""A step takes from a small queue as often as a chunk needs: each element comes, in order."""

import pytest

import tfqueue
import tfqueue.v1 as tf
from tfqueue.accelerate import build


@pytest.mark.parametrize("takes", [1, 2, 3, build._MOST_TAKES])
def test_each_element_comes_in_order(takes, monkeypatch):
    monkeypatch.setenv("TFQUEUE_CHUNKS", str(2 * build._WANTED))
    capacity = -(-build._WANTED // takes)
    number = tf.train.range_input_producer(
        2000, num_epochs=1, shuffle=False, capacity=capacity
    ).dequeue()
    batch = tf.train.batch([number * 2], 50, capacity=200)
    with tfqueue.managed_session() as sess:
        found = [int(each) for step in sess.batches(batch) for each in step]
    assert found == [2 * each for each in range(2000)]
