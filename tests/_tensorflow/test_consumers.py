"""Who uses a tensor is known while another thread builds, too."""

import threading

import pytest

import tfqueue.v1 as tf
from tfqueue._tensorflow import op_building


def built_apart():
    """A graph that takes a queue's size."""
    graph = op_building.new_graph()
    with graph.as_default():
        handle = tf.raw_ops.Placeholder(dtype=tf.resource, shape=[], name="outside")
        tf.raw_ops.QueueSizeV2(handle=handle, name="size")
    return graph


def grafted_onto(queue):
    prefix = op_building.unique_prefix(queue.graph)
    op_building.graft(queue.graph, prefix, built_apart(), {"outside": queue}, ["size"])


def test_consumers_are_those_that_python_knows(monkeypatch):
    """In the midst of a graft C++ knows an op that Python does not; TensorFlow raises SystemError."""
    queue = tf.FIFOQueue(3, tf.int32, [[]])
    put = queue.enqueue(1)
    found = []

    def look(graph, names):
        with pytest.raises(SystemError):
            queue.queue_ref.consumers()
        op_building._renew_lock()  # as where no lock keeps them apart
        found.append(op_building.consumers(queue.queue_ref))

    with monkeypatch.context() as patch:
        patch.setattr(op_building, "_leave_out", look)
        patch.setattr(op_building, "_grafting", op_building._grafting)
        grafted_onto(queue.queue_ref)
    assert found == [[put]]
    assert op_building.consumers(queue.queue_ref) == queue.queue_ref.consumers()
    assert len(queue.queue_ref.consumers()) == 2


def test_a_graft_is_waited_for(monkeypatch):
    """C++ walks through what the graft changes."""
    queue = tf.FIFOQueue(3, tf.int32, [[]])
    found = []
    looker = threading.Thread(
        target=lambda: found.append(op_building.consumers(queue.queue_ref)), daemon=True
    )

    def look(graph, names):
        looker.start()
        assert op_building._grafting.locked()

    monkeypatch.setattr(op_building, "_leave_out", look)
    grafted_onto(queue.queue_ref)
    looker.join(60)
    assert [op.type for op in found[0]] == ["QueueSizeV2"]


def test_the_lock_is_held_while_consumers_are_read():
    held = []

    class Tensor:
        def consumers(self):
            held.append(op_building._grafting.locked())
            return []

    assert op_building.consumers(Tensor()) == []
    assert held == [True]


def test_where_python_cannot_tell_all_ops_are_asked():
    one, other = tf.unstack(tf.constant([1, 2]))
    uses, both = one * 2, one + other
    tf.identity(other)

    class Unknown:
        graph, op, value_index = one.graph, one.op, one.value_index

        def consumers(self):
            raise SystemError

    assert op_building.consumers(Unknown()) == [uses.op, both.op]
