"""The model of a pipeline: what it reads off a graph."""

import pytest

import tfqueue
import tfqueue.v1 as tf
from tfqueue._tensorflow import op_building


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
