"""What is in order is compared in order; what threads, shuffles and generators decide accuses nobody."""

from __future__ import annotations

import random
import threading

import numpy as np
import pytest
import tensorflow as tf2
from tensorflow.python.ops import control_flow_ops

from tests.recording import kit
from tfqueue.recording import comparison, record_tf1, recording

tf = tf2.compat.v1
NUMBERS = np.arange(64.0, dtype=np.float32)


def _by_runner(queue, threads):
    """A queue runner that is in no collection, as `QueueRunner.create_threads` needs none."""
    runner = tf.train.QueueRunner(queue, [queue.enqueue_many([NUMBERS])] * threads)

    def start(sess):
        coord = tf.train.Coordinator()
        started = runner.create_threads(sess, coord, start=True)
        return lambda: (coord.request_stop(), coord.join(started))

    return start


def _by_hand(queue, threads):
    """Threads of the program's own."""
    given = tf.placeholder(tf.float32, [])
    put = queue.enqueue([given])

    def start(sess):
        def fill(numbers):
            for number in numbers:
                sess.run(put, {given: number})

        started = [
            threading.Thread(target=fill, args=(each,)) for each in np.split(NUMBERS, threads)
        ]
        for each in started:
            each.start()
        return lambda: [each.join() for each in started]

    return start


@pytest.mark.parametrize("threads", [1, 4])
@pytest.mark.parametrize("filled", [_by_runner, _by_hand])
def test_as_many_threads_as_enqueue(tmp_path, filled, threads):
    path = tmp_path / "a.recording"
    with tf.Graph().as_default(), kit.recorder(path):
        # The first of two queues: what is behind it is in no other order.
        queue = tf.FIFOQueue(100, tf.float32, [])
        start = filled(queue, threads)
        number = queue.dequeue(name="number")
        with tf.Session() as sess:
            join = start(sess)
            for _ in NUMBERS:
                sess.run(number)
            join()
    found = recording.read(path)
    order = {step.fetches.takes["number"].order for step in found.steps if step.taken}
    several = "any" if filled is _by_runner else "which"
    assert order == {"in order" if threads == 1 else several}
    assert comparison.compare(found, found).same


def _unseeded(number):
    return number + tf.random_uniform([], maxval=1000, dtype=tf.int32)


def _seeded(number):
    return number + tf.random_uniform([], maxval=1000, dtype=tf.int32, seed=5)


def _python(number):
    return tf.py_func(lambda x: x, [number], tf.int32)


def _numbers():
    return tf.data.Dataset.from_tensor_slices(np.arange(64, dtype=np.int32))


DATASETS = {
    "plain": (lambda: _numbers().map(lambda x: x * 2).batch(4), "in order"),
    "seeded": (lambda: _numbers().map(_seeded).batch(4), "in order"),
    "shuffled": (lambda: _numbers().shuffle(64).batch(4), "drawn"),
    "shuffled and repeated": (lambda: _numbers().shuffle(64).repeat(2).batch(4), "drawn"),
    "drawn": (lambda: _numbers().map(_unseeded).batch(4), "drawn"),
    "drawn further in": (
        lambda: _numbers().flat_map(lambda x: tf.data.Dataset.from_tensors(x).map(_unseeded)),
        "drawn",
    ),
    "python": (lambda: _numbers().map(_python), "drawn"),
}


@pytest.mark.parametrize("is_one_shot", [False, True])
@pytest.mark.parametrize("name", DATASETS)
def test_a_dataset_that_draws_is_not_accused(tmp_path, name, is_one_shot):
    made, order = DATASETS[name]
    found = []
    for number in range(2):
        path = tmp_path / str(number)
        with tf.Graph().as_default(), kit.recorder(path):
            dataset = made()
            if is_one_shot:
                iterator = tf.data.make_one_shot_iterator(dataset)
            else:
                iterator = tf.data.make_initializable_iterator(dataset)
            batch = iterator.get_next(name="batch")
            with tf.Session() as sess:
                if not is_one_shot:
                    sess.run(iterator.initializer)
                for _ in range(16):
                    sess.run(batch)
        found.append(recording.read(path))
    outcome = comparison.compare(*found)
    assert outcome.same, str(outcome)
    (kept,) = [step.fetches.takes["batch"].order for step in found[0].steps if step.taken][:1]
    assert kept == order
    assert (outcome.compared["elements in order"] == 16) is (order == "in order")
    drawn = "elements of a dataset that shuffles, draws or calls Python"
    assert outcome.not_compared[drawn] == (16 if order == "drawn" else 0)


def _fed(path, offset=0.0, **options):
    """Feeds what NumPy and Python draw without a seed."""
    with tf.Graph().as_default(), kit.recorder(path, **options):
        given = tf.placeholder(tf.float32, [4], name="given")
        twice = tf.multiply(given, 2.0, name="twice")
        with tf.Session() as sess:
            for _ in range(8):
                sess.run(twice, {given: np.random.randn(4) + random.random() + offset})
    return recording.read(path)


def test_a_replay_draws_what_numpy_and_python_drew(tmp_path):
    states = np.random.get_state(), random.getstate()
    try:
        np.random.seed(), random.seed()
        old = _fed(tmp_path / "old", with_data=True)
        np.random.seed(), random.seed()
        replay = str(tmp_path / "old")
        assert not comparison.compare(old, _fed(tmp_path / "other")).same
        np.random.seed(), random.seed()
        found = comparison.compare(old, _fed(tmp_path / "new", replay=replay))
        assert found.same, str(found)
        assert found.compared["values"] == 8
        wrong = comparison.compare(old, _fed(tmp_path / "wrong", offset=1e-3, replay=replay))
        assert "what is fed to given:0" in str(wrong)
    finally:
        np.random.set_state(states[0])
        random.setstate(states[1])


def test_the_recorder_draws_nothing(tmp_path):
    before = np.random.get_state()[2], random.getstate()[1][-1]
    with kit.recorder(tmp_path / "a", with_data=True):
        pass
    assert (np.random.get_state()[2], random.getstate()[1][-1]) == before


STATE = record_tf1.generators()


@pytest.mark.parametrize(
    "wrong",
    [
        {"numpy": [*STATE["numpy"][:2], 625, 0, 0.0]},
        {"numpy": [*STATE["numpy"][:2], -1, 0, 0.0]},
        {"numpy": ["MT19937", [1] * 600, 0, 0, 0.0]},
        {"numpy": ["MT19937", [-1] * 624, 0, 0, 0.0]},
        {"numpy": ["MT19937", [1 << 32] * 624, 0, 0, 0.0]},
        {"numpy": ["PCG64", [1] * 624, 0, 0, 0.0]},
        {"numpy": ["MT19937", [1] * 624, 0, 0, "a"]},
        {"python": [3, [1] * 624 + [625], None]},
        {"python": [2, [1] * 625, None]},
        {"python": [3, [1] * 625, "a"]},
        {"python": [3, [1] * 625]},
        {"more": 3},
    ],
)
def test_states_that_are_none_are_refused(wrong):
    recording._check_generators(**STATE)
    with pytest.raises((ValueError, TypeError)):
        recording._check_generators(**{**STATE, **wrong})


def test_a_place_outside_of_a_state_is_not_set():
    for wrong in (
        {"numpy": [*STATE["numpy"][:2], 10**6, 0, 0.0]},
        {"python": [3, [1] * 624 + [10**6], None]},
    ):
        with pytest.raises(ValueError, match="no state of a generator"):
            record_tf1.set_generators({**STATE, **wrong})


@pytest.fixture
def old_control_flow():
    """Branches and loops of Switch and Merge, as TensorFlow 1 has them."""
    was = tf.control_flow_v2_enabled()
    tf.disable_control_flow_v2()
    yield
    if was:
        tf.enable_control_flow_v2()


@pytest.mark.usefixtures("old_control_flow")
def test_tracing_leaves_branches_and_loops_alone(tmp_path):
    path = tmp_path / "a.recording"
    with tf.Graph().as_default(), kit.recorder(path, first_step=True):
        count = tf.Variable(0, name="count")
        more = tf.identity(tf.assign_add(count, 1), name="more")
        branch = tf.cond(more > 5, lambda: more * 2, lambda: more * 3)
        with tf.control_dependencies([branch]):
            _, total = tf.while_loop(lambda k, _: k < 3, lambda k, s: (k + 1, s + k), [0, more])
        off, on = control_flow_ops.switch(more, more > 5)
        merged = control_flow_ops.merge([off * 2, on * 3])[0]
        result = tf.add_n([branch, total, merged], name="result")
        with tf.Session() as sess:
            sess.run(count.initializer)
            assert sess.run(result) == 9
    found = recording.read(path)
    traced = {op.name for op in found.trace}
    assert {"more", "result"} <= traced
    assert found.error is None


@pytest.mark.usefixtures("old_control_flow")
@pytest.mark.parametrize(("number", "value"), [(0, 1.7), (1, 1.6), (2, 2.1)])
def test_gradients_of_a_branch_in_a_branch_are_traced(tmp_path, number, value):
    path = tmp_path / "a.recording"
    with tf.Graph().as_default(), kit.recorder(path, first_step=True):
        x = tf.Variable(2.0)
        n = tf.constant(number)
        y = tf.cond(
            tf.equal(n, 0),
            lambda: x * 3.0,
            lambda: tf.cond(tf.equal(n, 1), lambda: x * x, lambda: -x),
        )
        train = tf.train.GradientDescentOptimizer(0.1).minimize(y)
        with tf.Session() as sess:
            sess.run(x.initializer)
            sess.run(train)
            assert sess.run(x) == pytest.approx(value)
    found = recording.read(path)
    assert "gradients/AddN_2" in {op.name for op in found.trace}
    assert found.error is None


@pytest.mark.parametrize(("fetched", "is_found"), [("count", True), ("drawn", False)])
def test_only_a_value_that_differs_by_nature_can_end_a_program(tmp_path, fetched, is_found):
    found = []
    for steps in (3, 5):
        path = tmp_path / str(steps)
        with tf.Graph().as_default(), kit.recorder(path):
            drawn = tf.random_uniform([], name="drawn")
            count = tf.Variable(0, name="count")
            more = tf.assign_add(count, 1)
            values = {"count": more, "drawn": drawn}
            with tf.Session() as sess:
                sess.run(count.initializer)
                for _ in range(steps):
                    sess.run([values[fetched], drawn.op, more.op])
        found.append(recording.read(path))
    assert ("the number of steps is 5, was 3" in str(comparison.compare(*found))) is is_found


def _drain(batch):
    """Takes all batches of a pipeline of the graph that is being built."""
    with tf.Session() as sess:
        sess.run(tf.local_variables_initializer())
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(sess, coord)
        with pytest.raises(tf.errors.OutOfRangeError):
            while True:
                sess.run(batch)
        coord.request_stop()
        coord.join(threads)


def test_what_is_drawn_where_the_original_drew_nothing_is_different(tmp_path):
    def recorded(change):
        path = tmp_path / change.__name__
        with tf.Graph().as_default(), kit.recorder(path):
            names = tf.train.range_input_producer(40, num_epochs=2, shuffle=False)
            batch = tf.train.batch([change(names.dequeue())], 4)
            _drain(batch)
        return recording.read(path)

    plain, drawn, again = recorded(tf.identity), recorded(_unseeded), recorded(_unseeded)
    assert not comparison.compare(plain, drawn).same
    assert comparison.compare(drawn, again).same


def _reshuffled(name):
    return tf.random_shuffle([name, name + 500])


@pytest.mark.parametrize(
    ("given", "change", "order", "is_seen"),
    [
        ({"shuffle": True}, tf.identity, "which", True),
        ({"shuffle": True, "seed": 3}, tf.identity, "in order", True),
        ({"shuffle": False}, _reshuffled, "random", False),
    ],
)
def test_names_that_are_shuffled_are_those_of_an_epoch(tmp_path, given, change, order, is_seen):
    found = []
    for number, first in enumerate((0, 0, 1000)):
        path = tmp_path / str(number)
        with tf.Graph().as_default(), kit.recorder(path):
            names = tf.train.input_producer(range(first, first + 40), num_epochs=1, **given)
            batch = tf.train.batch([change(names.dequeue())], 4, allow_smaller_final_batch=True)
            _drain(batch)
        found.append(recording.read(path))
    assert {take.order for s in found[0].steps for take in s.fetches.takes.values()} == {order}
    assert comparison.compare(*found[:2]).same
    assert comparison.compare(found[0], found[2]).same is not is_seen


def _in_batches(path, batches, steps):
    """A few batches of a long queue, so that little has come when the program ends."""
    with tf.Graph().as_default(), kit.recorder(path):
        names = tf.train.range_input_producer(1000, shuffle=False)
        number = names.dequeue()
        batch = batches(number)
        with tf.Session() as sess:
            coord = tf.train.Coordinator()
            threads = tf.train.start_queue_runners(sess, coord)
            for _ in range(steps):
                sess.run(batch)
            coord.request_stop()
            sess.run(names.close(cancel_pending_enqueues=True))
            coord.join(threads)
    return recording.read(path)


def _shuffled(number):
    return tf.train.shuffle_batch([number], 4, 100, 50)


def _shuffled_with_a_seed(number):
    return tf.train.shuffle_batch([number], 4, 100, 50, seed=3)


def _by_threads(number):
    return tf.train.batch([number], 4, num_threads=3)


def _by_readers(number):
    return tf.train.batch_join([[number], [number + 0]], 4)


def _by_one_thread(number):
    return tf.train.batch([number], 4, capacity=60)


@pytest.mark.parametrize("batches", [_shuffled, _shuffled_with_a_seed, _by_threads, _by_readers])
@pytest.mark.parametrize("steps", [2, 100])
def test_an_order_that_was_fixed_and_is_left_to_chance_is_different(tmp_path, batches, steps):
    old = _in_batches(tmp_path / "old", _by_one_thread, steps)
    new = _in_batches(tmp_path / "new", batches, steps)
    assert "is left to chance, was fixed" in str(comparison.compare(old, new))
    again = comparison.compare(new, _in_batches(tmp_path / "again", batches, steps))
    assert again.same, str(again)


def test_an_order_that_is_fixed_today_is_not_accused(tmp_path):
    old = _in_batches(tmp_path / "old", _by_threads, 2)
    new = _in_batches(tmp_path / "new", _by_one_thread, 2)
    found = comparison.compare(old, new)
    assert found.same, str(found)


def test_how_many_of_the_programs_own_threads_came_in_time_is_not_held_against_it(tmp_path):
    found = []
    for name, threads in (("one", 1), ("four", 4)):
        path = tmp_path / name
        with tf.Graph().as_default(), kit.recorder(path):
            queue = tf.FIFOQueue(100, tf.float32, [])
            start = _by_hand(queue, threads)
            number = queue.dequeue(name="number")
            with tf.Session() as sess:
                join = start(sess)
                for _ in range(4):
                    sess.run(number)
                join()
        found.append(recording.read(path))
    outcome = comparison.compare(*found)
    assert outcome.same, str(outcome)


def _ops():
    """What TensorFlow 1 took as an op's seed where only the graph has one; today it counts draws."""
    return len(tf.get_default_graph().get_operations())


def _drawn_by_the_graphs_seed(is_old, epochs):
    number = tf.train.range_input_producer(40, epochs, shuffle=False).dequeue()
    seed = _ops() if is_old else None
    return tf.train.batch([number + tf.random_uniform([], 0, 1000, tf.int32, seed)], 4)


def _shuffled_by_the_graphs_seed(is_old, epochs):
    names = tf.train.range_input_producer(40, epochs, seed=_ops() if is_old else None)
    return tf.train.batch([names.dequeue()], 4)


@pytest.mark.parametrize("batches", [_drawn_by_the_graphs_seed, _shuffled_by_the_graphs_seed])
@pytest.mark.parametrize("is_ended", [False, True])
def test_seeds_that_tensorflow_counts_accuse_nobody(tmp_path, batches, is_ended):
    found, values = [], []
    for is_old in (True, False):
        path = tmp_path / str(is_old)
        with tf.Graph().as_default(), kit.recorder(path):
            tf.set_random_seed(4)
            tf.constant(0)
            batch = batches(is_old, 1 if is_ended else None)
            with tf.Session() as sess:
                sess.run(tf.local_variables_initializer())
                coord = tf.train.Coordinator()
                threads = tf.train.start_queue_runners(sess, coord)
                values.append([sess.run(batch).tolist() for _ in range(10)])
                if is_ended:
                    with pytest.raises(tf.errors.OutOfRangeError):
                        sess.run(batch)
                coord.request_stop()
                coord.join(threads)
        found.append(recording.read(path))
    assert values[0] != values[1]
    outcome = comparison.compare(*found)
    assert outcome.same, str(outcome)


def test_a_seed_that_looks_like_a_counted_one_accuses_nobody(tmp_path):
    """Of ops with both seeds nothing tells for sure that the second is the program's."""
    found = []
    for before in (60, 0):  # as releases make other numbers of ops
        path = tmp_path / str(before)
        with tf.Graph().as_default(), kit.recorder(path):
            tf.set_random_seed(4)
            for number in range(before):
                tf.constant(number)
            names = tf.train.string_input_producer(["a", "b", "c"], seed=3)
            batch = tf.train.batch([names.dequeue()], 3)
            with tf.Session() as sess:
                coord = tf.train.Coordinator()
                threads = tf.train.start_queue_runners(sess, coord)
                sess.run(batch)
                coord.request_stop()
                coord.join(threads)
        found.append(recording.read(path))
    orders = [
        {take.order for step in each.steps for take in step.fetches.takes.values()}
        for each in found
    ]
    assert orders == [{"in order"}, {"random"}]
    outcome = comparison.compare(*found)
    assert outcome.same, str(outcome)


def test_lengths_of_elements_whose_order_is_free_differ_by_nature(tmp_path):
    found = []
    for name, lengths in (("old", [3, 1, 2, 4]), ("new", [4, 2, 1, 3])):
        path = tmp_path / name
        with tf.Graph().as_default(), kit.recorder(path):
            queue = tf.RandomShuffleQueue(10, 0, tf.float32)
            given = tf.placeholder(tf.float32)
            put, element = queue.enqueue([given]), queue.dequeue(name="element")
            with tf.Session() as sess:
                for length in lengths:
                    sess.run(put, {given: np.arange(length)})
                    sess.run(element)
        found.append(recording.read(path))
    outcome = comparison.compare(*found)
    assert not [each for each in outcome.differences if each.what.startswith("an element")]
    ranks = tmp_path / "ranks"
    with tf.Graph().as_default(), kit.recorder(ranks):
        queue = tf.RandomShuffleQueue(10, 0, tf.float32)
        put, element = queue.enqueue([tf.zeros([2, 1])]), queue.dequeue(name="element")
        with tf.Session() as sess:
            sess.run(put)
            sess.run(element)
    assert "an element of element" in str(comparison.compare(found[0], recording.read(ranks)))


@pytest.mark.parametrize(
    ("counts", "ended", "batch", "allowed"),
    [
        # one held and batches of one: four may be apart, of more than eight
        ((10, 10), False, 1, 4),
        ((10, 99), False, 1, 4),
        ((99, 9), False, 1, None),
        ((99, 99), False, 3, 8),
        # at the end only the rest of the last batch is chance
        ((6, 6), True, 3, 2),
        ((6, 7), True, 3, 0),
        ((7, 6), True, 3, 0),
        ((6, 6), True, 1, 0),
    ],
)
def test_how_many_elements_may_be_apart(counts, ended, batch, allowed):
    old, new = map(range, counts)
    assert comparison._Comparison._slack(old, new, ended, 1, batch) == allowed


def _number_by_number(path, numbers):
    """The elements of a shuffled queue, to its end."""
    with tf.Graph().as_default(), kit.recorder(path):
        queue = tf.RandomShuffleQueue(20, 0, tf.float32, [], name="queue")
        put, close = queue.enqueue_many([[float(number) for number in numbers]]), queue.close()
        batch = queue.dequeue_many(4, name="batch")
        with tf.Session() as sess:
            sess.run(put)
            sess.run(close)
            with pytest.raises(tf.errors.OutOfRangeError):
                while True:
                    sess.run(batch)
    return recording.read(path)


@pytest.mark.parametrize(("other", "same"), [(3, True), (4, False)])
def test_what_the_last_batch_may_have_dropped_is_not_missed(tmp_path, other, same):
    """Eight elements of each come, so up to three others may have been left of either."""
    old = _number_by_number(tmp_path / "old", range(8))
    new = _number_by_number(tmp_path / "new", [*range(8 - other), *range(20, 20 + other)])
    found = comparison.compare(old, new)
    assert found.same == same, str(found)
    assert found.compared["elements in any order"] == (8 if same else 0)
    told = f"8 elements, of which {other} are new and {other} are missing"
    assert (told in str(found)) != same


def test_another_seed_of_the_graph_is_told(tmp_path):
    """Also where TensorFlow counts the seeds of the ops."""
    found = []
    for seed in (4, 5):
        path = tmp_path / str(seed)
        with tf.Graph().as_default(), kit.recorder(path):
            tf.set_random_seed(seed)
            drawn = tf.random_uniform([], name="drawn")
            with tf.Session() as sess:
                sess.run(drawn)
        found.append(recording.read(path))
    assert "the seed of drawn" in str(comparison.compare(*found))
