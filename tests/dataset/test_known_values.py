"""What a lift knows before it reads: the rows of producers, sizes, variables, files of whole records."""

import numpy as np
import pytest

import tfqueue.v1 as tf
from tfqueue.dataset import known_values, plan
from tfqueue.errors import CannotLiftError
from tfqueue.graph.model import Pipeline

NAMES = ["a", "b", "c"]


def rows_of(queue, shard=None):
    """The rows of the producer that fills a queue, by the names of their fields."""
    graph = queue.queue_ref.graph
    [put] = [
        op
        for op in graph.get_operations()
        if op.type.startswith("QueueEnqueueMany") and op.inputs[0] is queue.queue_ref
    ]
    found = known_values.rows(Pipeline(graph), put, shard)
    return found and vars(found)


def plain(*values, epochs=None, **more):
    """The fields of rows that are not shuffled."""
    fields = vars(plan.Rows(list(values), epochs, False, name="input_producer"))
    return {**fields, **more}


def same(found, expected):
    values = found["values"], expected["values"]
    assert [each.tolist() for each in values[0]] == [
        np.asarray(each).tolist() for each in values[1]
    ]
    assert {**found, "values": 0} == {**expected, "values": 0}


@pytest.mark.parametrize("epochs", [None, 2])
@pytest.mark.parametrize("shard", [None, (2, 1)])
def test_rows_in_their_order(epochs, shard):
    queue = tf.train.string_input_producer(NAMES, epochs, shuffle=False)
    expected = plain([b"a", b"b", b"c"], epochs=epochs, shard=shard)
    same(rows_of(queue, shard), expected)


def test_rows_of_a_range_and_of_a_table():
    same(
        rows_of(tf.train.range_input_producer(4, 1, shuffle=False, name="of/x")),
        plain([0, 1, 2, 3], epochs=1, name="of"),
    )
    table = [[1.5, 2.0], [3.0, 4.0]]
    same(rows_of(tf.train.input_producer(table, shuffle=False, name="t")), plain(table, name="t"))


def test_rows_of_several_columns():
    queue = tf.FIFOQueue(9, [tf.int32, tf.string], [[], []])
    queue.enqueue_many([[1, 2], ["x", "y"]], name="both")
    same(rows_of(queue), plain([1, 2], [b"x", b"y"], name="both"))


def test_shuffled_rows():
    same(
        rows_of(tf.train.string_input_producer(NAMES, 2), (3, 0)),
        plain([b"a", b"b", b"c"], epochs=2, shuffled=True, shard=(3, 0)),
    )
    # in any order the same
    one = tf.train.string_input_producer(["a"], 2, name="one")
    same(rows_of(one), plain([b"a"], epochs=2, name="one"))
    none = tf.train.input_producer(tf.zeros([0, 2]), element_shape=[2], seed=3, name="none")
    same(rows_of(none), plain(np.zeros([0, 2]), name="none"))


def test_rows_in_the_order_of_a_seed(monkeypatch):
    queue = tf.train.range_input_producer(5, 3, seed=7)
    [shuffle] = [op for op in tf.get_default_graph().get_operations() if op.type == "RandomShuffle"]
    seeds = shuffle.get_attr("seed"), shuffle.get_attr("seed2")
    found, again = rows_of(queue), rows_of(queue)
    (order,), (order_again,) = found.pop("in_order"), again.pop("in_order")
    assert order.tolist() == order_again.tolist()
    assert [sorted(epoch) for epoch in order.reshape(3, 5).tolist()] == [[0, 1, 2, 3, 4]] * 3
    assert len({*map(tuple, order.reshape(3, 5).tolist())}) > 1, "each epoch has its own"
    common = {"shuffled": True, "seed": known_values.seed(*seeds)}
    expected = plain([0, 1, 2, 3, 4], epochs=3, **common)
    del expected["in_order"]
    same(found, expected)
    # of each process of several, without end, and of more bytes: shuffled while they are read
    same(rows_of(queue, (2, 0)), plain([0, 1, 2, 3, 4], epochs=3, shard=(2, 0), **common))
    monkeypatch.setattr(known_values, "_MOST", 5 * 4 * 3)
    assert rows_of(queue)["in_order"] is not None
    monkeypatch.setattr(known_values, "_MOST", 5 * 4 * 3 - 1)
    same(rows_of(queue), plain([0, 1, 2, 3, 4], epochs=3, drawn=seeds, **common))
    monkeypatch.undo()
    with tf.Graph().as_default():
        endless = rows_of(tf.train.range_input_producer(5, seed=7))
        assert (endless["in_order"], endless["drawn"] is None) == (None, False)


def _read():
    """A number that comes out of a queue."""
    queue = tf.FIFOQueue(5, tf.int32, [[]])
    tf.train.add_queue_runner(tf.train.QueueRunner(queue, [queue.enqueue(1)]))
    return queue.dequeue()


@pytest.mark.parametrize(
    "values",
    [
        lambda: [_read()],
        lambda: tf.random_uniform([3]),
        lambda: tf.random_shuffle(tf.random_shuffle([1, 2])),
        lambda: tf.random_shuffle([1, 2]) + 1,
        lambda: tf.py_func(lambda: np.zeros(3, np.float32), [], tf.float32),
    ],
)
def test_rows_that_are_read_or_drawn(values):
    value = tf.convert_to_tensor(values())
    queue = tf.FIFOQueue(9, value.dtype, [[]])
    queue.enqueue_many([value])
    assert rows_of(queue) is None


def test_rows_of_two_columns_are_not_shuffled_one_by_one():
    queue = tf.FIFOQueue(9, [tf.int32, tf.int32], [[], []])
    queue.enqueue_many([tf.random_shuffle([1, 2]), [3, 4]])
    assert rows_of(queue) is None
    handed_on = tf.FIFOQueue(9, tf.int32, [[]])
    handed_on.enqueue_many([tf.identity(tf.identity(tf.random_shuffle([1, 2])))])
    assert rows_of(handed_on)["shuffled"]


@pytest.mark.parametrize(
    ("one", "two", "seed"),
    [
        *[(0, 0, None), (0, 2, 2), (1, 0, 31), (3, 4, 97)],
        *[((1 << 31) - 1, 0, (1 << 31) - 31), ((1 << 31) - 1, 31, 0), (-1, 0, (1 << 31) - 31)],
    ],
)
def test_one_seed_of_two(one, two, seed):
    assert known_values.seed(one, two) == seed


def test_a_number_that_depends_on_no_element():
    pipeline = Pipeline(tf.get_default_graph())
    local = tf.get_variable(
        "local", initializer=3, trainable=False, collections=[tf.GraphKeys.LOCAL_VARIABLES]
    )
    for tensor, expected in [(tf.constant(5), 5), (local + 4, 7), (tf.size([1, 2]), 2)]:
        found = known_values.number(pipeline, tensor)
        assert (type(found), found) == (int, expected)
    with pytest.raises(CannotLiftError, match=r"^'read:0' depends on what is read \(built at "):
        known_values.number(pipeline, tf.identity(_read(), "read"))


def test_values_of_several_runs():
    pipeline = Pipeline(tf.get_default_graph())
    collections = [tf.GraphKeys.LOCAL_VARIABLES]
    counted = tf.get_variable("n", initializer=1, trainable=False, collections=collections)
    more = tf.get_variable("m", initializer=10)
    tensors = [counted.assign_add(1), tf.constant([5])]
    found = known_values.evaluate(pipeline, tensors, 3)
    assert [each.tolist() for each in found] == [2, [5], 3, [5], 4, [5]]
    assert known_values.evaluate(pipeline, [more + 1], variables=[more]) == [11]
    with pytest.raises(tf.errors.FailedPreconditionError):
        known_values.evaluate(pipeline, [more + 1])


@pytest.mark.parametrize("resource", [False, True])
@pytest.mark.parametrize("collection", ["variables", "local_variables"])
def test_a_variable_that_nothing_assigns(resource, collection):
    collections = [collection]
    made = tf.Variable(3, trainable=False, collections=collections, use_resource=resource)
    pipeline = Pipeline(made.graph)
    op = made.handle.op if resource else made.op
    made.value()
    assert known_values.unassigned(pipeline, op) is made
    assert known_values.unassigned(pipeline, tf.constant(1).op) is None
    made.assign_add(1)
    assert known_values.unassigned(pipeline, op) is None


@pytest.mark.parametrize(
    ("value", "change"),
    [
        (3, lambda made: made.count_up_to(5)),
        ([3.0], lambda made: tf.scatter_update(made, [0], [1.0])),
        (
            [3.0],
            lambda made: tf.train.GradientDescentOptimizer(1.0).apply_gradients([([1.0], made)]),
        ),
    ],
)
def test_a_variable_that_may_be_changed(value, change):
    made = tf.Variable(value, use_resource=False)
    pipeline = Pipeline(made.graph)
    assert known_values.unassigned(pipeline, made.op) is made
    change(made)
    assert known_values.unassigned(pipeline, made.op) is None


def test_a_function_may_change_a_variable(eager):
    with tf.Graph().as_default():
        _changed_by_a_function()


def _changed_by_a_function():
    made = tf.Variable(3, use_resource=True)
    pipeline = Pipeline(made.graph)
    assert known_values.unassigned(pipeline, made.handle.op) is made
    tf.cond(tf.placeholder(tf.bool, []), lambda: made + 1, lambda: 2)
    assert known_values.unassigned(pipeline, made.handle.op) is None


WHOLE = {"record_bytes": 4, "header_bytes": 1, "footer_bytes": 2, "hop_bytes": 0, "encoding": ""}


@pytest.mark.parametrize(
    ("lengths", "changed", "expected"),
    [
        ([11], {}, True),
        ([3], {}, True),
        ([11, 7], {}, True),
        ([2], {}, False),
        ([12], {}, False),
        ([11, 12], {}, False),
        ([12, 11], {}, False),
        ([8], {"header_bytes": 0, "footer_bytes": 0}, True),
        ([11], {"hop_bytes": 4}, True),
        ([11], {"hop_bytes": 2}, False),
        ([11], {"encoding": "ZLIB"}, False),
        ([11, None], {}, False),
    ],
)
def test_files_that_hold_whole_records(tmp_path, lengths, changed, expected):
    names = []
    for number, length in enumerate(lengths):
        path = tmp_path / f"{number}.bin"
        names.append(str(path).encode())
        if length is not None:
            path.write_bytes(bytes(length))
    rows = plan.Rows([np.array(names, object)], 1, False)
    assert known_values.fit(rows, {**WHOLE, **changed}) is expected
    assert known_values.fit(plan.Share(rows, 2, 0), {**WHOLE, **changed}) is expected
    assert not known_values.fit(plan.Zip([rows, rows]), {**WHOLE, **changed})
    assert not known_values.fit(plan.Count(1), {**WHOLE, **changed})
