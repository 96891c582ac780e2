"""How one op leads to another."""

import pytest

import tfqueue.v1 as tf
from tfqueue._tensorflow import op_building
from tfqueue.graph import traversal


@pytest.fixture
def queue():
    return tf.FIFOQueue(9, tf.int32, [[]], name="numbers")


@pytest.mark.parametrize(
    ("take", "amount"),
    [
        (lambda queue: queue.dequeue(), 1),
        (lambda queue: queue.dequeue_many(3), 3),
        (lambda queue: queue.dequeue_up_to(4), 4),
        (lambda queue: queue.dequeue_many(tf.placeholder(tf.int32, [])), None),
    ],
    ids=["one", "many", "up to", "fed"],
)
def test_how_many_elements_a_dequeue_op_takes(queue, take, amount):
    assert traversal.amount(take(queue).op) == amount


def test_a_put_in_a_branch_is_of_no_known_number(queue):
    switch = tf.raw_ops.Switch(data=queue.queue_ref, pred=tf.placeholder(tf.bool, []))
    put = tf.raw_ops.QueueEnqueueV2(handle=switch.output_true, components=[tf.constant(1)])
    assert traversal.put_amount(put) is None
    assert traversal.source_and_switch(switch.output_true) == (queue.queue_ref.op, True)
    entered = tf.raw_ops.Enter(data=queue.queue_ref, frame_name="loop")
    assert traversal.source_and_switch(entered) == (queue.queue_ref.op, True)
    assert traversal.source(entered) is queue.queue_ref.op


def test_rows_of_unknown_rank_are_of_no_known_number():
    queue = tf.FIFOQueue(9, tf.int32)
    rows = tf.placeholder(tf.int32)
    assert traversal.put_amount(queue.enqueue_many([rows])) is None


def test_handles_of_queues_and_readers_have_a_source(queue):
    reader = tf.TextLineReader()
    assert traversal.source(reader.reader_ref) is reader.reader_ref.op
    assert traversal.source(tf.placeholder(tf.resource, [])) is None


def test_what_runs_with_an_op(queue):
    first = tf.constant(1, name="first")
    with tf.control_dependencies([queue.dequeue(name="before")]):
        last = tf.add(first, tf.constant(2, name="second"), name="last")

    def names(**options):
        return {op.name for op in traversal.ancestors([last.op, "no op"], **options)}

    everything = {"first", "second", "last", "before", "numbers"}
    assert names() == everything
    assert names(fed=["first:0"]) == everything - {"first"}
    assert names(stop=[first.op]) == everything - {"first"}
    # A step may be fed what it waits for by a control edge: the op runs all the same.
    assert names(fed=["before:0"]) == everything


def test_a_name_of_a_tensor_is_its_ops():
    assert traversal.op_name("queue:0") == traversal.op_name("queue") == "queue"


def test_an_enqueue_op_may_stand_there_as_a_tensor(queue):
    put = queue.enqueue(1)
    with tf.control_dependencies([put]):
        told = tf.constant(True)
    assert traversal.as_op(put) is put
    assert traversal.as_op(told) is told.op


# -- what runs while one op does not come back ---------------------------------------------------


def without(missing, *last, fed=()):
    graph = tf.get_default_graph()
    ops = traversal.ancestors([each.op for each in last])
    found = traversal.runs_without(ops, graph.get_operation_by_name(missing), fed)
    return {op.name for op in found}


def test_only_what_does_not_need_the_missing_op_runs(queue):
    taken = queue.dequeue(name="taken")
    beside = tf.constant(1, name="beside")
    once = tf.negative(taken, name="once")
    with tf.control_dependencies([once]):
        after = tf.identity(beside, name="after")
    assert without("taken", after) == {"numbers", "beside"}
    assert without("taken", after, fed=["taken:0"]) == {"numbers", "beside", "once", "after"}
    assert without("beside", after) == {"numbers", "taken", "once"}


def test_of_a_merge_one_input_will_do(queue):
    taken = queue.dequeue(name="taken")
    one = tf.constant(1, name="one")
    tf.raw_ops.Merge(inputs=[taken, one], name="some")
    some = tf.get_default_graph().get_operation_by_name("some").outputs[0]
    assert without("taken", some) == {"numbers", "one", "some"}
    both = tf.raw_ops.Merge(inputs=[taken, taken], name="none").output
    assert without("taken", both) == {"numbers"}
    assert without("taken", both, fed=["taken:0"]) == {"numbers", "none"}


def test_an_op_without_inputs_and_a_call_without_any_run(queue):
    taken = queue.dequeue(name="taken")
    called = tf.function(lambda: tf.constant(1))()
    call = next(op for op in called.graph.get_operations() if "PartitionedCall" in op.type)
    found = without("taken", taken, called)
    assert call.name in found
    assert "taken" not in found


def test_a_call_may_be_put_in_the_place_of_its_function(queue):
    """Then each of its ops waits for its own inputs only."""
    taken = queue.dequeue(name="taken")
    beside = tf.constant(1, name="beside")
    called = tf.function(lambda a, b: (a + 1, b + 1))(taken, beside)
    call = next(op for op in called[0].graph.get_operations() if "PartitionedCall" in op.type)
    assert call.name in without("taken", *called)
    added = tf.add(taken, beside, name="added")
    assert "added" not in without("taken", added)


# -- the queue ops in functions --------------------------------------------------------------------


def uses(build, position=0, name="queue"):
    """`build(handle)` in a function of its own; what it does with the handle at a position."""
    graph = tf.get_default_graph()
    handle = tf.FIFOQueue(9, tf.int32, [[]]).queue_ref
    function = tf.function(build, autograph=False).get_concrete_function(
        tf.TensorSpec([], tf.int32), handle
    )
    function.add_to_graph(graph)
    return list(traversal.uses_in_function(graph, function.name, {position: name}))


def take(number, handle):
    return tf.raw_ops.QueueDequeueV2(handle=handle, component_types=[tf.int32])[0]


def put(number, handle):
    tf.raw_ops.QueueEnqueueV2(handle=handle, components=[number])


def close(number, handle):
    tf.raw_ops.QueueCloseV2(handle=handle)


def look(number, handle):
    return tf.raw_ops.QueueSizeV2(handle=handle)


def take_of_what_is_handed_on(number, handle):
    return take(number, tf.identity(handle))


def read(number, handle):
    reader = tf.raw_ops.TextLineReaderV2()
    return tf.raw_ops.ReaderReadV2(reader_handle=reader, queue_handle=handle)[1]


def put_in_a_branch(number, handle):
    return op_building.functional_cond(number < 3, lambda: [take(number, handle)], lambda: [number])


def close_in_a_function(number, handle):
    return tf.function(lambda number, handle: close(number, handle))(number, handle)


def take_in_a_loop(number, handle):
    def body(i):
        return tf.ensure_shape(i + take(i, handle), [])

    return tf.while_loop(lambda i: i < 3, body, [number])


@pytest.mark.parametrize(
    ("build", "kinds"),
    [
        (take, ["take"]),
        (put, ["put"]),
        (close, ["close"]),
        (look, []),
        (read, ["take"]),
        (take_of_what_is_handed_on, ["take"]),
        (put_in_a_branch, ["take"]),
        (close_in_a_function, ["close"]),
        (take_in_a_loop, ["take"]),
    ],
)
def test_the_uses_of_a_queue_in_a_function(build, kinds):
    assert uses(build, position=1) == [(kind, "queue") for kind in kinds]


@pytest.mark.parametrize("position", [0, 2, -1])
def test_what_is_no_handle_of_it_is_not_used(position):
    assert uses(take, position=position) == []


def test_a_function_that_is_not_there_uses_nothing():
    assert list(traversal.uses_in_function(tf.get_default_graph(), "none", {0: "queue"})) == []
