"""Which queues of a pipeline are buckets, and what fills them and takes whole batches from them."""

import pytest

import tfqueue.v1 as tf
from tfqueue.dataset import buckets
from tfqueue.graph.model import Pipeline


@pytest.fixture(autouse=True)
def building(eager):
    """A graph of the mode that datasets are lifted in, where a cond is one op."""
    with tf.Graph().as_default():
        yield


def source():
    """A number and its double, read out of a queue."""
    number = tf.train.range_input_producer(8, num_epochs=1, shuffle=False).dequeue(name="number")
    return number, tf.multiply(number, 2, name="double")


def described(fill):
    """The fields of a `BucketEnqueue`, by names."""
    return {
        "op": fill.op.name,
        "threads": fill.threads,
        "which": fill.which.name,
        "components": [tensor.name for tensor in fill.components],
        "keep": [tensor.name for tensor in fill.keep],
        "waits": [op.name for op in fill.waits],
        "numbers": {queue.name: number for queue, number in fill.numbers.items()},
    }


def emptying(pipeline):
    """The enqueue ops for the batches of the buckets."""
    found = [runner.queue_runner.enqueue_ops for runner in pipeline.runners]
    return next(ops for ops in found if len({*ops}) > 1)


@pytest.mark.parametrize("kept", [False, True])
@pytest.mark.parametrize("threads", [1, 3])
def test_the_buckets_of_training(kept, threads):
    number, double = source()
    keep = tf.greater(number, 1, name="keep") if kept else True
    tf.contrib.training.bucket(
        [number, double], number % 3, 2, 3, threads, keep_input=keep, name="b"
    )
    pipeline = Pipeline(tf.get_default_graph())
    found = buckets.find(pipeline)
    names = [f"b/bucket_queue_{number}" for number in range(3)]
    assert [queue.name for queue in found] == names
    fill = found[pipeline.queues[names[0]]]
    assert {*found.values()} == {fill}
    [runner] = [each for each in pipeline.runners if each.queue.name == names[0]]
    assert described(fill) == {
        "op": getattr(runner.queue_runner.enqueue_ops[0], "op", fill.op).name,
        "threads": threads,
        "which": "b/which_bucket:0" if number.dtype != tf.int32 else fill.which.name,
        "components": ["number:0", "double:0"],
        "keep": ["keep:0"] if kept else [],
        "waits": [],
        "numbers": {name: number for number, name in enumerate(names)},
    }
    assert fill.which.op.type in ("FloorMod", "Cast")
    filled, takes = buckets.emptied(pipeline, emptying(pipeline), found)
    assert filled is fill
    assert [take.queue.name for take in takes] == names
    assert [take.is_up_to for take in takes] == [False] * 3
    backwards = buckets.emptied(pipeline, emptying(pipeline)[::-1], found)
    assert [take.queue.name for take in backwards[1]] == names


def test_batches_that_may_be_smaller():
    number, _ = source()
    tf.contrib.training.bucket([number], number % 2, 4, 2, allow_smaller_final_batch=True)
    pipeline = Pipeline(tf.get_default_graph())
    _, takes = buckets.emptied(pipeline, emptying(pipeline), buckets.find(pipeline))
    assert [take.is_up_to for take in takes] == [True, True]


def by_hand(
    *,
    test=tf.equal,
    numbers=(0, 1),
    which=None,
    values=None,
    otherwise=tf.no_op,
    more=(),
    shared=False,
):
    """Two queues that a runner fills by hand-written conditions; the queues and the tensors."""
    number, double = source()
    queues = [tf.FIFOQueue(8, tf.int32, [[]], name=f"q{at}") for at in range(2)]
    whiches = which(number) if which else [number % 2] * 2
    given = values(number, double) if values else [number] * 2
    ops = [
        tf.cond(test(each, at), lambda queue=queue, value=value: queue.enqueue(value), otherwise)
        for queue, each, at, value in zip(
            queues[:1] * 2 if shared else queues, whiches, numbers, given, strict=True
        )
    ]
    fill = tf.group(*ops, *more)
    tf.train.add_queue_runner(tf.train.QueueRunner(queues[0], [fill]))
    return queues


@pytest.mark.parametrize(
    ("given", "numbers"),
    [
        ({}, {"q0": 0, "q1": 1}),
        ({"numbers": (1, 0)}, {"q0": 1, "q1": 0}),
        ({"numbers": (4, 7)}, {"q0": 4, "q1": 7}),
        ({"test": tf.not_equal}, {}),
        ({"which": lambda number: [number % 2, number % 3]}, {}),
        ({"values": lambda number, double: [number, double]}, {}),
        ({"shared": True}, {}),
    ],
)
def test_conditions_written_by_hand(given, numbers):
    by_hand(**given)
    pipeline = Pipeline(tf.get_default_graph())
    found = buckets.find(pipeline)
    assert {queue.name: fill.numbers[queue] for queue, fill in found.items()} == numbers


def test_one_condition_is_no_bucket():
    number, _ = source()
    queue = tf.FIFOQueue(8, tf.int32, [[]])
    put = tf.cond(tf.equal(number, 1), lambda: queue.enqueue(number), tf.no_op)
    tf.train.add_queue_runner(tf.train.QueueRunner(queue, [put]))
    assert buckets.find(Pipeline(tf.get_default_graph())) == {}


def test_a_condition_beside_an_enqueue_is_no_bucket():
    number, _ = source()
    queues = [tf.FIFOQueue(8, tf.int32, [[]], name=f"q{at}") for at in range(2)]
    put = tf.cond(tf.equal(number, 1), lambda: queues[0].enqueue(number), tf.no_op)
    fill = tf.group(put, queues[1].enqueue(number))
    tf.train.add_queue_runner(tf.train.QueueRunner(queues[0], [fill]))
    assert buckets.find(Pipeline(tf.get_default_graph())) == {}


def test_a_number_that_is_not_known_is_no_bucket():
    limit = tf.placeholder(tf.int32, [])
    by_hand(numbers=(0, limit))
    assert buckets.find(Pipeline(tf.get_default_graph())) == {}


def test_what_runs_besides():
    seen = tf.assign_add(tf.Variable(0, name="seen"), 1, name="count")
    by_hand(more=[seen])
    pipeline = Pipeline(tf.get_default_graph())
    [fill] = {*buckets.find(pipeline).values()}
    assert fill.waits == [seen.op]


def taken(
    *,
    first=(0, 1),
    amounts=(4, 4),
    up_to=(False, False),
    single=False,
    computed=False,
    waits=False,
    most=2,
):
    """What `emptied` finds of two batches that a third queue holds."""
    queues = by_hand()
    ready = tf.PaddingFIFOQueue(8, [tf.int32, tf.int32], [[], [] if single else [None]])
    ops = []
    for queue, number, amount, part in zip(queues, first, amounts, up_to, strict=True):
        take = queue.dequeue_up_to if part else queue.dequeue_many
        batch = queue.dequeue() if single else take(amount)
        given = [tf.constant(number), batch + 1 if computed else batch]
        with tf.control_dependencies([tf.no_op()] if waits else []):
            ops.append(ready.enqueue(given))
    pipeline = Pipeline(tf.get_default_graph())
    found = buckets.emptied(pipeline, ops[:most], buckets.find(pipeline))
    return found and [take.queue.name for take in found[1]]


@pytest.mark.parametrize(
    ("given", "queues"),
    [
        ({}, ["q0", "q1"]),
        ({"amounts": (4, 3)}, ["q0", "q1"]),
        ({"up_to": (True, True)}, ["q0", "q1"]),
        ({"up_to": (True, False)}, None),
        ({"first": (1, 0)}, None),
        ({"first": (0, 0)}, None),
        ({"single": True}, None),
        ({"computed": True}, None),
        ({"waits": True}, None),
        ({"most": 1}, None),
    ],
)
def test_whole_batches_of_buckets(given, queues):
    assert taken(**given) == queues


def test_what_takes_from_no_bucket():
    queues = by_hand()
    number, _ = source()
    other = tf.FIFOQueue(8, tf.int32, [[]])
    pipeline = Pipeline(tf.get_default_graph())
    found = buckets.find(pipeline)
    assert buckets.emptied(pipeline, [], found) is None
    for op in (
        other.enqueue(number),
        other.enqueue(3),
        other.enqueue(queues[0].dequeue() + queues[1].dequeue()),
    ):
        assert buckets.emptied(pipeline, [op], found) is None
