"""A step takes from a small queue as often as a chunk needs: each element comes, in order."""

import pytest

import tfqueue
import tfqueue.v1 as tf
from tfqueue.accelerate import build, chunk_size


@pytest.mark.parametrize("takes", [1, 2, 3, chunk_size._MOST_TAKES])
def test_each_element_comes_in_order(takes, monkeypatch):
    monkeypatch.setenv("TFQUEUE_CHUNKS", str(2 * chunk_size._WANTED))
    capacity = -(-chunk_size._WANTED // takes)
    number = tf.train.range_input_producer(
        2000, num_epochs=1, shuffle=False, capacity=capacity
    ).dequeue()
    batch = tf.train.batch([number * 2], 50, capacity=200)
    with tfqueue.managed_session() as sess:
        found = [int(each) for step in sess.batches(batch) for each in step]
    assert found == [2 * each for each in range(2000)]


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("many", range(1, 24, 2))
def test_nothing_is_lost_where_another_takes_what_a_look_has_found(many, threads, monkeypatch):
    """As if it did each time: the look finds two, until at the end of the data there are none."""
    monkeypatch.setenv("TFQUEUE_CHUNKS", "16")
    monkeypatch.setattr(build._tf.raw_ops, "QueueSizeV2", lambda handle: tf.constant(2))
    source, out = (tf.FIFOQueue(32, [tf.int32, tf.float32], [[], [3]]) for _ in range(2))
    numbers = tf.range(many)
    fill = source.enqueue_many([numbers, tf.fill([many, 3], 0.5)])
    tf.train.add_queue_runner(tf.train.QueueRunner(source, [tf.no_op()]))  # not fed by hand
    number, row = source.dequeue()
    put = out.enqueue([number * 2, row + 1])
    tf.train.add_queue_runner(runner := tf.train.QueueRunner(out, [put] * threads))
    take, close = out.dequeue(), source.close()
    with tf.Session() as sess:
        sess.run(fill)
        sess.run(close)
        threads = runner.create_threads(sess, start=True)
        found = []
        with pytest.raises(tf.errors.OutOfRangeError):
            while True:
                found.append(sess.run(take))
        for thread in threads:
            thread.join()
    assert sorted(int(each) for each, _ in found) == [2 * each for each in range(many)]
    assert {tuple(row) for _, row in found} == {(1.5, 1.5, 1.5)}
