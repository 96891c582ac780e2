"""tfqueue.explain.silent_damage: what damages data, and what only looks like it, read from the graph."""

import pytest
from tensorflow.python.ops import control_flow_util

import tfqueue.v1 as tf
from tfqueue.explain import silent_damage
from tfqueue.explain.case import Case
from tfqueue.explain.failure import Failure
from tfqueue.explain.stories import silent as rows
from tfqueue.graph.model import Pipeline
from tfqueue.graph.tasks import Cluster


def demand_of(*fetches):
    return Pipeline.of(tf.get_default_graph()).demand(
        [getattr(each, "op", each) for each in fetches]
    )


def origins_of(*fetches):
    return silent_damage.Origins(demand_of(*fetches))


def case_of(*fetches):
    pipeline = Pipeline.of(tf.get_default_graph())
    facts = {"demand": demand_of(*fetches), "fetched": fetches}
    return Case(Failure(pipeline, Cluster({}, None), **facts))


@pytest.fixture
def queue():
    return tf.FIFOQueue(9, [tf.float32, tf.float32], [[], []], name="q")


def names(takes):
    return sorted(take.op.name for take in takes)


# -- two dequeues ----------------------------------------------------------------------------------


def test_two_dequeues_of_one_queue(queue):
    one, other = queue.dequeue(name="one"), queue.dequeue(name="other")
    assert names(silent_damage.two_dequeues(origins_of(one[0], other[1]))) == ["one", "other"]
    assert silent_damage.two_dequeues(origins_of(*one)) == []
    told = rows.AT_PLAN[0].say(case_of(one[0], other[1]))
    assert told.startswith("one run executes 2 dequeue ops of FIFOQueue 'q' (one, other, built at ")
    assert told.count(", built at ") == 1


def test_dequeues_of_two_queues():
    both = [tf.FIFOQueue(9, tf.float32, [[]]).dequeue() for _ in range(2)]
    assert silent_damage.two_dequeues(origins_of(*both)) == []
    assert case_of(*both).origins.takes
    assert case_of(both[0]).origins is None


@pytest.mark.parametrize(("towers", "damaged"), [(0, True), (1, True), (2, False)])
def test_towers_with_a_model_of_their_own(towers, damaged, queue):
    weight = tf.get_variable("weight", initializer=1.0)
    taken = [queue.dequeue(name=f"take{number}")[0] for number in range(2)]
    used = [each * weight if number < towers else each for number, each in enumerate(taken)]
    assert bool(silent_damage.two_dequeues(origins_of(*used))) == damaged


def test_a_model_of_both_is_no_tower(queue):
    weight = tf.get_variable("weight", initializer=1.0)
    one, other = queue.dequeue()[0], queue.dequeue()[0]
    assert silent_damage.two_dequeues(origins_of((one + other) * weight))


def test_towers_on_devices_of_their_own(queue):
    taken = []
    for number in range(2):
        with tf.device(f"/device:CPU:{number}"):
            taken.append(queue.dequeue()[0])
    assert silent_damage.two_dequeues(origins_of(*taken)) == []


# -- a cond ----------------------------------------------------------------------------------------


@pytest.fixture
def two():
    """What was taken of two queues."""
    return [tf.FIFOQueue(9, tf.float32, [[]], name=name).dequeue() for name in ("a", "b")]


def chosen(condition, then, other):
    return tf.cond(condition, lambda: tf.identity(then), lambda: tf.identity(other))


@pytest.mark.parametrize("new", [False, True])
def test_a_cond_between_two_that_were_taken_outside(new, two, own_graph, monkeypatch):
    flag = tf.placeholder_with_default(True, [])
    monkeypatch.setattr(control_flow_util, "ENABLE_CONTROL_FLOW_V2", new)
    found = chosen(flag, *two)
    op, then, other = silent_damage.eager_cond(origins_of(found), own_graph)
    assert op.type in (("If", "StatelessIf") if new else ("Switch", "RefSwitch"))
    assert [take.queue.name for take in (*then, *other)] == ["a", "b"]
    told = rows.AT_PLAN[1].say(case_of(found))
    assert "chooses between elements of FIFOQueue 'a' and of FIFOQueue 'b', but both" in told
    assert " at " in told.partition("chooses")[0]


def test_conds_that_throw_nothing_away(two, own_graph):
    one, other = two
    flag = tf.placeholder_with_default(True, [])
    fine = [
        chosen(flag, one + other, other),
        chosen(flag, one, one * 2.0),
        chosen(flag, one, tf.constant(1.0)),
        chosen(one > other, one, other),
        chosen(other > 1.0, one, other),
    ]
    for found in fine:
        assert silent_damage.eager_cond(origins_of(found, one, other), own_graph) is None


# -- shuffles --------------------------------------------------------------------------------------


def producers(lengths=(10, 10), seeds=(None, None), shuffle=(True, True)):
    """What is taken of two producers."""
    return [
        tf.train.string_input_producer(
            [str(number) for number in range(length)],
            shuffle=mixed,
            seed=seed,
            name=name,
        ).dequeue(name=f"of_{name}")
        for name, length, seed, mixed in zip(("a", "b"), lengths, seeds, shuffle, strict=True)
    ]


def unpaired(*fetches, **given):
    made = producers(**given)
    return rows.AT_PLAN[2].when(case_of(*(fetches or made)))


@pytest.mark.parametrize(
    ("given", "length"),
    [
        ({}, 10),
        ({"seeds": (1, 2)}, 10),
        ({"seeds": (1, 1)}, None),
        ({"lengths": (10, 9)}, None),
        ({"lengths": (1, 1)}, None),
        ({"lengths": (2, 2)}, 2),
        ({"shuffle": (True, False)}, None),
        ({"shuffle": (False, True)}, None),
    ],
)
def test_producers_that_shuffle_each_for_itself(given, length):
    found = unpaired(**given)
    assert (found and [found[0].name, found[1].name, found[2]]) == (length and ["a", "b", length])


def test_producers_behind_a_batch():
    case = case_of(*[tf.train.batch([each], 2) for each in producers()])
    told = rows.AT_PLAN[2].say(case)
    assert told.startswith("'a' and 'b' have 10 elements each, shuffle them each in an order of")
    joined = case_of(tf.stack(producers()))
    assert rows.AT_PLAN[2].when(joined)


def test_only_producers_shuffle():
    """What a queue is filled with may be shuffled on its way, too: that is within an example."""
    shuffled, plain = (
        tf.train.string_input_producer(list("abcd"), shuffle=shuffle, name=name)
        for name, shuffle in (("a", True), ("b", False))
    )
    rows_of = [tf.random_shuffle(each.dequeue_many(2)) for each in (shuffled, plain)]
    found = case_of(tf.train.batch(rows_of, 2)[0])
    (take,) = found.demand.takes
    assert [(each.name, op.type) for each, op in silent_damage._shuffled(found, take)] == [
        ("a", "RandomShuffle")
    ]


def test_elements_of_two_producers_that_do_not_meet():
    weight = tf.get_variable("weight", initializer=1.0)
    one, other = (tf.string_to_number(each) for each in producers())
    assert not rows.AT_PLAN[2].when(case_of(one * weight, other))
    assert not rows.AT_PLAN[2].when(case_of(tf.group(one, other)))
    flag = tf.placeholder_with_default(True, [])
    assert not rows.AT_PLAN[2].when(case_of(tf.where(flag, one, other)))


def test_one_producer_that_is_taken_twice():
    queue = tf.train.string_input_producer(list("abc"))
    assert not rows.AT_PLAN[2].when(case_of(queue.dequeue(), queue.dequeue()))


# -- parts of one example --------------------------------------------------------------------------


def parts_of(*fetches):
    found = silent_damage.parts(demand_of(*fetches), fetches, Pipeline.of(tf.get_default_graph()))
    return found and (found[0].op.name, {tensor.name for tensor in found[1]})


def test_what_is_fetched_of_one_example(queue):
    one, other = queue.dequeue(name="take")
    assert parts_of(one, tf.constant(1.0)) == ("take", {"take:0"})
    assert parts_of(one, other * 2.0) == ("take", {"take:0", "mul:0"})


def test_steps_that_do_more_than_look_at_data(queue):
    one, _ = queue.dequeue()
    weight = tf.get_variable("weight", initializer=1.0)
    fed = tf.placeholder(tf.float32)
    nothing = tf.constant(1.0)
    for fetches in ([one, queue.dequeue()[0]], [one * weight], [one * fed], [nothing]):
        assert parts_of(*fetches) is None
    put = queue.enqueue([one, 1.0])
    pipeline = Pipeline.of(tf.get_default_graph())
    assert silent_damage.parts(pipeline.demand([put]), [put], pipeline) is None
    assert silent_damage.parts(demand_of(one), [one, one.op], pipeline) is None
    assert silent_damage.parts(demand_of(one), [nothing], pipeline) is None
    flag = tf.placeholder_with_default(True, [])
    within = tf.cond(flag, lambda: queue.dequeue()[0], lambda: 1.0)
    assert parts_of(within) is None


class Watched:
    """A `SplitWatch` of steps that fetch the parts of an example."""

    def __init__(self, queue):
        self.one, self.other = queue.dequeue(name="take")
        self.told = []
        self.pipeline = Pipeline.of(tf.get_default_graph())
        self.watch = silent_damage.SplitWatch(
            self.pipeline, lambda take: self.told.append(take.op.name)
        )

    def ran(self, *fetches, thread=1):
        self.pipeline = Pipeline.of(tf.get_default_graph())
        self.watch.ran(silent_damage.parts(demand_of(*fetches), fetches, self.pipeline), thread)
        return len(self.told)


def test_two_runs_that_take_an_example_apart(queue):
    seen = Watched(queue)
    assert seen.ran(seen.one) == 0
    assert seen.ran(seen.other) == 1
    assert seen.ran(seen.one) == 1  # it is said once
    assert seen.told == ["take"]


def test_two_passes_over_the_data_are_no_parts(queue):
    seen = Watched(queue)
    passes = [seen.one, seen.one, seen.other, seen.other, seen.one]
    assert [seen.ran(each) for each in passes] == [0, 0, 0, 0, 0]


def test_threads_take_examples_of_their_own(queue):
    seen = Watched(queue)
    assert seen.ran(seen.one, thread=1) == 0
    assert seen.ran(seen.other, thread=2) == 0
    assert seen.ran(seen.other, thread=1) == 1


def test_a_part_that_can_be_computed_is_no_other_one(queue):
    seen = Watched(queue)
    double = seen.one * 2.0
    assert [seen.ran(each) for each in (seen.one, double)] == [0, 0]
    assert [seen.ran(each) for each in (seen.one, seen.other)] == [0, 1]


# -- one example -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sizes", "expected"), [([1], True), ([2], False), ([1, 1], False), ([0], False), ([], False)]
)
def test_whether_the_data_is_one_example(sizes, expected, records):
    paths = [records([b"x"] * size, f"{number}") for number, size in enumerate(sizes)]
    found = tf.train.string_input_producer(paths or ["none"])
    _, record = tf.TFRecordReader().read(found)
    assert rows.only_one_example(case_of(tf.train.batch([record], 1))) == expected


@pytest.mark.parametrize(("count", "expected"), [(1, True), (2, False)])
def test_whether_a_producer_has_one_element(count, expected):
    numbers = tf.train.range_input_producer(count).dequeue()
    assert rows.only_one_example(case_of(tf.train.batch([numbers], 1))) == expected


def test_names_that_nobody_knows_are_many():
    names = tf.FIFOQueue(9, tf.string, [[]])
    _, record = tf.TFRecordReader().read(names)
    assert not rows.only_one_example(case_of(record))
    assert not rows.only_one_example(case_of(tf.FIFOQueue(9, tf.string, [[]]).dequeue()))


def test_what_is_said_of_parts(queue):
    one, _ = queue.dequeue(name="take")
    (take,) = demand_of(one).takes
    assert rows.split_example(case_of(one), take).startswith(
        "two runs fetched parts of one example: QueueDequeueV2 'take' was executed twice"
    )
