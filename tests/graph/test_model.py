"""The model of a pipeline: what it reads off a graph."""

import pytest

import tfqueue
import tfqueue.v1 as tf
from tfqueue._tensorflow import op_building
from tfqueue.graph import model


def tfrecords(name="input_producer"):
    names = tf.train.string_input_producer(["a", "b", "c"], name=name)
    reader = tf.TFRecordReader(name="reader")
    _, value = reader.read(names)
    return value


def test_queues_readers_and_runners_of_a_textbook_pipeline(own_graph):
    batch = tf.train.shuffle_batch(
        [tfrecords()], 4, capacity=50, min_after_dequeue=10, num_threads=3
    )
    pipeline = tfqueue.pipeline(own_graph)
    producer, shuffle = pipeline.queues.values()
    assert (producer.kind, producer.capacity, producer.name) == ("FIFOQueue", 32, "input_producer")
    assert (shuffle.kind, shuffle.capacity, shuffle.min_after_dequeue) == (
        "RandomShuffleQueue",
        50,
        10,
    )
    (reader,) = pipeline.readers.values()
    assert (reader.kind, reader.name) == ("TFRecordReader", "reader")
    assert [op.type for op in reader.reads] == ["ReaderReadV2"]
    assert [(runner.queue, runner.threads) for runner in pipeline.runners] == [
        (producer, 1),
        (shuffle, 3),
    ]
    demand = pipeline.demand([batch.op])
    assert [(take.queue, take.amount, take.is_read) for take in demand.takes] == [
        (shuffle, 4, False)
    ]
    assert demand.blocks
    assert not demand.puts
    assert pipeline.upstream(demand) == [shuffle, producer]


def test_the_model_grows_with_its_graph(own_graph):
    pipeline = tfqueue.pipeline(own_graph)
    assert not pipeline.queues
    queue = tf.FIFOQueue(3, tf.int32, name="late")
    put = queue.enqueue(1)
    demand = pipeline.demand([put])
    assert [(op, q.name) for op, q in demand.puts] == [(put, "late")]
    assert list(pipeline.queues) == ["late"]
    assert pipeline.feeds_by_hand(pipeline.queues["late"]) == [put]


def test_a_step_that_is_fed_takes_nothing(own_graph):
    taken = tf.FIFOQueue(3, tf.float32, shapes=[[]]).dequeue()
    doubled = taken * 2
    pipeline = tfqueue.pipeline(own_graph)
    assert pipeline.demand([doubled.op]).blocks
    assert not pipeline.demand([doubled.op], [taken.name]).blocks


def test_control_inputs_and_sizes_count(own_graph):
    queue = tf.FIFOQueue(3, tf.int32, shapes=[[]])
    with tf.control_dependencies([queue.dequeue()]):
        after = tf.constant(1)
    pipeline = tfqueue.pipeline(own_graph)
    assert pipeline.demand([after.op]).blocks
    assert not pipeline.demand([queue.size().op]).blocks


@pytest.mark.parametrize("cond", [tf.cond, op_building.functional_cond], ids=["old", "new"])
def test_queue_ops_inside_branches_are_seen_as_conditional(own_graph, cond):
    a = tf.FIFOQueue(3, tf.int32, shapes=[[]], name="a")
    b = tf.FIFOQueue(3, tf.int32, shapes=[[]], name="b")

    def nested():
        return cond(tf.constant(True), b.dequeue, lambda: tf.constant(0))

    out = cond(tf.placeholder(tf.bool, []), a.dequeue, nested)
    pipeline = tfqueue.pipeline(own_graph)
    takes = pipeline.demand([out.op]).takes
    assert {(take.queue.name, take.conditional) for take in takes} == {("a", True), ("b", True)}


def in_a_map(queue):
    return tf.map_fn(lambda _: queue.dequeue(), tf.range(3))


def in_a_condition(queue):
    return tf.while_loop(lambda i: queue.dequeue() < 3, lambda i: i + 1, [tf.constant(0)])


def in_a_loop_of_loops(queue):
    return tf.map_fn(lambda _: in_a_map(queue), tf.range(2))


def in_a_branch_of_a_loop(queue):
    return tf.map_fn(lambda i: tf.cond(i > 1, queue.dequeue, lambda: i), tf.range(3))


@pytest.mark.parametrize(
    "build", [in_a_map, in_a_condition, in_a_loop_of_loops, in_a_branch_of_a_loop]
)
def test_queue_ops_inside_loops_are_seen_as_conditional(own_graph, build):
    queue = tf.FIFOQueue(3, tf.int32, shapes=[[]], name="a")
    out = build(queue)
    after = tf.map_fn(lambda i: i + 1, queue.dequeue_many(3))  # taken once, outside the loop
    pipeline = tfqueue.pipeline(own_graph)
    assert [take.conditional for take in pipeline.demand([out.op]).takes] == [True]
    assert [take.conditional for take in pipeline.demand([after.op]).takes] == [False]


def test_an_enqueue_in_a_branch_belongs_to_its_runner(own_graph):
    number = tf.train.range_input_producer(10, shuffle=False).dequeue()
    tf.train.maybe_batch([number], number > 3, 2)
    pipeline = tfqueue.pipeline(own_graph)
    queue = pipeline.queues["batch/fifo_queue"]
    (runner,) = pipeline.runners_of(queue)
    takes = pipeline.demand_of(runner).takes
    assert [take.queue.name for take in takes] == ["input_producer"]
    assert pipeline.feeds_by_hand(queue) == []


def test_two_queues_in_a_row(own_graph):
    first = tf.train.batch([tfrecords()], 2, name="first")
    second = tf.train.batch([first], 4, enqueue_many=True, name="second")
    pipeline = tfqueue.pipeline(own_graph)
    upstream = pipeline.upstream(pipeline.demand([second.op]))
    assert [queue.name for queue in upstream] == [
        "second/fifo_queue",
        "first/fifo_queue",
        "input_producer",
    ]


def test_an_imported_graph_reads_the_same(own_graph):
    batch = tf.train.batch([tfrecords()], 2)
    exported = tf.train.export_meta_graph()
    with tf.Graph().as_default() as graph:
        tf.train.import_meta_graph(exported)
        pipeline = tfqueue.pipeline(graph)
        assert list(pipeline.queues) == list(tfqueue.pipeline(own_graph).queues)
        assert [runner.queue.name for runner in pipeline.runners] == [
            "input_producer",
            "batch/fifo_queue",
        ]
    assert batch.op.type == "QueueDequeueManyV2"


def test_the_model_of_a_graph_is_kept_and_shared(own_graph):
    pipeline = model.Pipeline.of(own_graph)
    tf.FIFOQueue(3, tf.int32, name="late")
    assert list(pipeline.queues) == []
    assert model.Pipeline.of(own_graph) is pipeline
    assert list(pipeline.queues) == ["late"]
    assert model.Pipeline().graph is own_graph


def test_a_demand_is_worked_out_once_and_anew_for_what_is_fed(own_graph):
    taken = tf.FIFOQueue(3, tf.int32, shapes=[[]]).dequeue()
    pipeline = tfqueue.pipeline(own_graph)
    demand = pipeline.demand([taken.op])
    assert pipeline.demand([taken.op]) is demand
    assert pipeline.demand([taken.op], [taken.name]) is not demand


@pytest.mark.parametrize(
    ("build", "known"),
    [
        (lambda queue: tf.identity(queue.queue_ref), True),
        (lambda queue: queue.enqueue(1), True),
        (lambda queue: queue.size(), True),
        (lambda queue: tf.cond(tf.placeholder(tf.bool, []), queue.dequeue, lambda: 1), True),
        (lambda queue: tf.stack([queue.queue_ref]), False),
        (lambda queue: tf.QueueBase.from_list(tf.placeholder(tf.int32, []), [queue]), False),
    ],
    ids=["handed on", "put", "size", "branch", "stacked", "chosen"],
)
def test_whether_all_users_of_a_queue_are_known(own_graph, build, known):
    queue = tf.FIFOQueue(3, tf.int32, shapes=[[]], name="mine")
    build(queue)
    pipeline = tfqueue.pipeline(own_graph)
    assert pipeline.knows_users_of(pipeline.queues["mine"]) == known


def test_closes_reads_and_waits_are_demanded(own_graph):
    names = tf.FIFOQueue(3, tf.string, shapes=[[]], name="names")
    value = tf.TextLineReader().read(names)[1]
    close = names.close()
    area = tf.contrib.staging.StagingArea([tf.int32])
    staged = area.get()
    pipeline = tfqueue.pipeline(own_graph)
    demand = pipeline.demand([close, value.op])
    assert [queue.name for queue in demand.closes] == ["names"]
    assert [op.type for op in demand.reads] == ["ReaderReadV2"]
    assert pipeline.demand([staged[0].op]).blocks
    assert not pipeline.demand([close]).blocks
    assert pipeline.demand([close]).reads == []


def test_the_ops_between_some_and_their_sources_in_the_order_they_were_built(own_graph):
    first = tf.constant(1, name="first")
    last = tf.add(tf.negative(first, name="middle"), tf.constant(2, name="other"), name="last")
    pipeline = tfqueue.pipeline(own_graph)
    found = pipeline.between([last.op], [first.op])
    assert [op.name for op in found] == ["middle", "other", "last"]
    assert pipeline.in_order(reversed(found)) == found


def test_what_nothing_else_uses_is_where_an_op_ends(own_graph):
    taken = tf.FIFOQueue(3, tf.int32, shapes=[[]]).dequeue()
    once = tf.negative(taken, name="once")
    twice = tf.negative(once, name="twice")
    with tf.control_dependencies([once]):
        after = tf.no_op(name="after")
    with tf.name_scope(op_building.CHUNK_SCOPE):
        tf.negative(twice)
    pipeline = tfqueue.pipeline(own_graph)
    assert pipeline.endings(taken.op) == [after]
    assert pipeline.endings(after) == [after]


def test_what_the_programs_steps_take(own_graph):
    numbers = tf.train.range_input_producer(3)
    batch = tf.train.batch([numbers.dequeue()], 2)
    aside = numbers.dequeue()
    pipeline = tfqueue.pipeline(own_graph)
    assert [take.op for take in pipeline.taken_by_program()] == [aside.op, batch.op]


def test_a_runner_with_a_way_of_its_own_is_registered_and_no_runner(own_graph):
    class Mine(tf.train.QueueRunner):
        def create_threads(self, *args, **named):
            return []

    queue = tf.FIFOQueue(3, tf.int32, shapes=[[]], name="mine")
    put = queue.enqueue(1)
    tf.train.add_queue_runner(Mine(queue, [put]))
    pipeline = tfqueue.pipeline(own_graph)
    assert [runner.name for runner in pipeline.registered] == ["mine"]
    assert pipeline.runners == []
    assert pipeline.feeds_by_hand(pipeline.queues["mine"]) == [put]


def test_an_op_that_a_runner_runs_and_the_queue_does_not_know_is_one_that_puts(own_graph):
    queue = tf.FIFOQueue(3, tf.int32, shapes=[[]], name="mine")
    put = queue.enqueue(1)
    with tf.control_dependencies([put]):
        told = tf.constant(True)
    tf.train.add_queue_runner(tf.train.QueueRunner(queue, [told, put]))
    pipeline = tfqueue.pipeline(own_graph)
    assert pipeline.enqueues_of(pipeline.queues["mine"]) == [put, told.op]
    assert pipeline.feeds_by_hand(pipeline.queues["mine"]) == []


def test_the_reader_behind_a_read_op_is_known_also_in_a_branch(own_graph):
    names = tf.FIFOQueue(3, tf.string, shapes=[[]])
    reader = tf.TextLineReader(name="lines")
    value = reader.read(names)[1]
    tf.cond(tf.placeholder(tf.bool, []), lambda: reader.read(names)[1], lambda: "")
    pipeline = tfqueue.pipeline(own_graph)
    assert pipeline.reader_of(value.op).name == "lines"
    assert len(pipeline.readers["lines"].reads) == 2
    given = tf.placeholder(tf.resource, [])
    read = tf.raw_ops.ReaderReadV2(reader_handle=given, queue_handle=names.queue_ref)
    assert pipeline.reader_of(read.key.op) is None


def test_queue_ops_of_unknown_queues_are_no_uses(own_graph):
    handle = tf.placeholder(tf.resource, [])
    taken = tf.raw_ops.QueueDequeueV2(handle=handle, component_types=[tf.int32])
    called = tf.function(lambda: tf.constant(1))()
    pipeline = tfqueue.pipeline(own_graph)
    assert not pipeline.demand([taken[0].op, called.op]).takes


def test_uses_in_the_functions_of_a_call(own_graph):
    queue = tf.FIFOQueue(3, tf.int32, shapes=[[]], name="a")

    def use():
        put, shut = queue.enqueue(2), queue.close()
        with tf.control_dependencies([put, shut]):
            return queue.dequeue()

    called = tf.function(use)()
    chosen = op_building.functional_cond(
        tf.placeholder(tf.bool, []), lambda: [use()], lambda: [tf.constant(1)]
    )
    pipeline = tfqueue.pipeline(own_graph)
    for tensor in (called, chosen[0]):
        demand = pipeline.demand([tensor.op])
        assert [(take.queue.name, take.conditional, take.amount) for take in demand.takes] == [
            ("a", True, None)
        ]
        assert [name.name for _, name in demand.puts] == ["a"]
        assert [queue.name for queue in demand.closes] == ["a"]


def test_what_was_built_after_the_model_is_taken_too(own_graph):
    pipeline = tfqueue.pipeline(own_graph)
    taken = tf.FIFOQueue(3, tf.int32, shapes=[[]]).dequeue()
    assert [take.op for take in pipeline.taken_by_program()] == [taken.op]
