"""What a runner sees of the movers that run its op as it is, or let others do so."""

import pytest

import tfqueue.v1 as tf
from tfqueue.accelerate.mover import ChangingMover, CountingMover, StepMover


def in_a_branch(queue):
    tf.cond(tf.constant(True), lambda: queue.enqueue(1), tf.no_op)
    operations = tf.get_default_graph().get_operations()
    return next(op for op in operations if op.type == "QueueEnqueueV2")


@pytest.mark.parametrize(
    ("put", "grain", "per_call", "certain"),
    [
        (lambda queue: queue.enqueue(1), 1, 1, 1),
        (lambda queue: queue.enqueue_many([[1, 2, 3]]), 3, 3, 3),
        (in_a_branch, None, 1, 0),
    ],
    ids=["one", "many", "in a branch"],
)
def test_what_one_call_puts(put, grain, per_call, certain):
    queue = tf.FIFOQueue(9, tf.int32, [[]])
    op = put(queue)
    with tf.Session() as sess:
        mover = StepMover(op, sess)
        steps = mover.steps()
        assert (mover.grain, mover.per_call, mover.elements, mover.certain) == (
            *(grain, per_call),
            *(0, 0),
        )
        assert mover.move() == per_call
        assert (mover.elements, mover.certain) == (per_call, certain)
        assert sess.run(queue.size()) == per_call
        assert mover.record is None
        traces = []
        (step,) = steps
        step.trace_next(traces.append)
        mover.move()
        assert len(traces) == 1
        assert mover.share_source() is None
        mover.finish()
        mover.close()


class Inner(CountingMover):
    grain = 7
    record = (b"key", b"value")

    def __init__(self, told):
        self.told = told

    def finish(self):
        self.told.append("finish")
        self.count(1)

    def close(self):
        self.told.append("close")

    def steps(self):
        return ["step"]

    def share_source(self):
        return "lock"


def test_one_that_changes_counts_what_all_of_them_have_put():
    told = []
    first, second = Inner(told), Inner(told)
    mover = ChangingMover(first)
    first.count(2)
    first.elements += 3
    assert (mover.elements, mover.certain, mover.per_call) == (5, 2, 1)
    assert first.per_call == 1
    assert (mover.grain, mover.record, mover.steps()) == (7, (b"key", b"value"), ["step"])
    assert mover.share_source() == "lock"
    mover.leave()
    assert told == ["finish", "close"]
    mover.go_on(lambda: second)
    assert (mover.elements, mover.certain) == (6, 6)
    second.count(4)
    assert (mover.elements, mover.certain) == (10, 10)
    mover.finish()
    mover.close()
    assert told == ["finish", "close"] * 2
    assert mover.elements == 11


def test_one_whose_rest_cannot_be_put_does_not_change():
    told = []
    inner = Inner(told)
    inner.finish = lambda: 1 / 0
    mover = ChangingMover(inner)
    with pytest.raises(ZeroDivisionError):
        mover.leave()
    assert told == []
    inner.count(2)
    assert mover.elements == 2
