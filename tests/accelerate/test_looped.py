"""Examples computed side by side in one step: what that gives, at the end, at errors, at a stop."""

import re

import numpy as np
import pytest

import tfqueue
import tfqueue.v1 as tf
from tests.suite import samples
from tfqueue import _tensorflow, accelerate
from tfqueue._tensorflow import SessionHandle
from tfqueue.accelerate import Strategy, helper_threads, looped, tuner
from tfqueue.accelerate.looped import LoopMover, LoopOps
from tfqueue.accelerate.region import examine
from tfqueue.graph.model import Pipeline

RECORDS = 43


pytestmark = pytest.mark.filterwarnings("ignore::tfqueue.errors.DroppedElementsWarning")


@pytest.fixture(autouse=True, params=["inline", "pool", "ahead"])
def threads(request, monkeypatch):
    """Examples are computed by the runner's thread, as cheap ones are, by TensorFlow's, or by helpers."""
    monkeypatch.setattr(tuner, "_LIGHT", 0.0 if request.param == "pool" else float("inf"))
    monkeypatch.setattr(helper_threads, "cores", lambda: 2 if request.param == "ahead" else 1)


def _ragged(value):
    return tf.range(tf.string_to_number(value, tf.int32, name="number") % 7)


def _python(value):
    doubled = tf.py_func(lambda text: np.float32(float(text) * 2), [value], tf.float32)
    doubled.set_shape([])
    return doubled


def _counter(value):
    """Draws of one seeded op: the same in the same order, in TensorFlow 1 and here."""
    return tf.string_to_number(value) + tf.random_uniform([], seed=5)


def source(paths, epochs=None, kind="TFRecordReader"):
    names = tf.train.string_input_producer(paths, num_epochs=epochs, shuffle=False)
    reader = getattr(tf, kind)(name="reader")
    return reader, *reader.read(names)


def chosen():
    return list(accelerate.reports_of(tf.get_default_graph()).values())[-1].copy().popitem()[1]


def outcome(build, setting):
    """What was delivered, and the class, message, op and notes of what ended it."""
    delivered, told = [], None
    with tf.Graph().as_default():
        fetches = build()
        try:
            with tfqueue.managed_session(chunks=setting) as sess:
                for batch in sess.batches(fetches):
                    delivered.append([part.tolist() for part in batch])
        except tf.errors.OpError as error:
            notes = [n for n in error.__notes__ if "record" in n]
            told = (type(error), re.sub(r"_\d+_", "_N_", error.message), error.op.name, notes)
        return delivered, told, chosen()


def numbers(records, bad=None, name="numbers", count=RECORDS):
    return records([b"oops" if i == bad else b"%d" % i for i in range(count)], name)


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("make", [_ragged, _python, _counter], ids=lambda f: f.__name__)
@pytest.mark.parametrize("setting", samples.some([2, 8, 64], 3, 1))
def test_it_gives_what_single_examples_give(setting, make, threads, records):
    """Each record of each epoch, to the last, and in the order where there is one."""
    paths = [numbers(records), numbers(records, name="more", count=5)]

    def build():
        _, key, value = source(paths, 2)
        return tf.train.batch(
            [key, make(value)],
            4,
            num_threads=threads,
            capacity=24,
            dynamic_pad=make is _ragged,
            allow_smaller_final_batch=True,
        )

    expected, end, _ = outcome(build, False)
    found, found_end, (strategy, text) = outcome(build, setting)
    if make is _counter and threads > 1:
        assert strategy == Strategy.CHUNK  # in no order, so that it need not be the same draws
        return
    assert strategy == (Strategy.LOOP if make is _ragged else Strategy.SINGLE), text
    assert end is None
    assert found_end is None
    if threads == 1:
        assert found == expected
    else:
        keys = [sorted(k for keys, _ in batches for k in keys) for batches in (found, expected)]
        assert keys[0] == keys[1]
        assert len(keys[0]) == 2 * (RECORDS + 5)


@pytest.mark.parametrize("bad", [0, 1, 5, 9])
def test_a_bad_record(bad, records):
    """All in front of it is delivered, and the error names what the op itself would name."""
    path = numbers(records, bad, count=10)

    def build():
        _, key, value = source([path], 1)
        return tf.train.batch([key, _ragged(value)], 1, capacity=30, dynamic_pad=True)

    found, error, _ = outcome(build, 4)
    expected, per_example, _ = outcome(build, False)
    assert found == expected
    assert len(found) == bad
    assert error[:3] == per_example[:3]
    assert error[2] == "number"
    assert any(f"the record is {path}:{17 * bad}" in note for note in error[3]), error[3]


def test_a_bad_record_of_several_threads(records):
    """No record is delivered twice, the bad one is named, and what its thread has read before is there."""
    path = numbers(records, bad=30)

    def build():
        _, key, value = source([path], 1)
        return tf.train.batch(
            [key, _ragged(value)], 1, num_threads=2, capacity=100, dynamic_pad=True
        )

    found, error, (strategy, text) = outcome(build, 8)
    assert strategy == Strategy.LOOP, text
    keys = [keys[0] for keys, _ in found]
    assert len(set(keys)) == len(keys)
    assert error[0] is tf.errors.InvalidArgumentError
    assert any(f"the record is {path}:" in note for note in error[3]), error[3]


@pytest.mark.parametrize("threads_of_it", [1, 2, 5])
def test_each_thread_has_a_loop(threads_of_it, records):
    path = numbers(records)

    def build():
        _, key, value = source([path], 1)
        return tf.train.batch([key, _ragged(value)], 1, threads_of_it, 30, dynamic_pad=True)

    found, error, (strategy, text) = outcome(build, 8)
    assert error is None
    assert len({key for keys, _ in found for key in keys}) == len(found) == RECORDS
    assert strategy == Strategy.LOOP
    assert "8 examples a step" in text


def test_each_op_of_a_runner_has_a_loop(records):
    paths = [numbers(records, name="one"), numbers(records, name="other")]

    def build():
        parts = [[key, _ragged(value)] for _, key, value in (source([p], 1) for p in paths)]
        return tf.train.batch_join(parts, 1, 30, dynamic_pad=True)

    found, error, (strategy, text) = outcome(build, 8)
    assert error is None
    assert len({key for keys, _ in found for key in keys}) == len(found) == 2 * RECORDS
    assert strategy == Strategy.LOOP
    assert text.startswith("8 examples a step")


@pytest.mark.parametrize("threads", ["inline", "pool"], indirect=True)
def test_a_step_has_no_more_examples_than_the_stack_may_hold(records):
    path = numbers(records)

    def build():
        _, key, value = source([path], 1)
        return tf.train.batch([key, _ragged(value)], 1, capacity=30, dynamic_pad=True)

    found, error, (_, text) = outcome(build, 1000)
    assert error is None
    assert len(found) == RECORDS
    assert text.startswith("32 examples a step")


@pytest.mark.parametrize("use_resource", [True, False])
def test_a_value_that_is_loaded_is_seen_within_what_the_queue_holds(use_resource, records):
    """A step reads a variable once for all its examples."""
    _, _, value = source([numbers(records)])
    shift = tf.get_variable("shift", initializer=0, use_resource=use_resource, trainable=False)
    batch = tf.train.batch([_ragged(value), shift + 0], 1, capacity=2, dynamic_pad=True)
    with tfqueue.managed_session() as sess:
        sess.run(batch)
        while chosen()[0] != Strategy.LOOP:
            sess.run(batch)
        assert chosen()[1].startswith("2 examples a step")
        for now in range(1, 6):
            for _ in range(35):
                sess.run(batch)
            shift.load(now, sess)
            old = 0
            while sess.run(batch)[1][0] != now:
                old += 1
            # The queue's, and a step's that was being put or computed.
            assert old <= 2 + 2


def test_seeded_draws_of_several_threads_are_of_one_op(records):
    """Each copy of the op would draw the same numbers."""
    path = numbers(records)

    def build():
        _, _, value = source([path], 1)
        draw = tf.random_uniform([], seed=3)
        return tf.train.batch([draw, _ragged(value)], 1, num_threads=2, dynamic_pad=True)

    found, error, (strategy, text) = outcome(build, 8)
    assert error is None
    assert strategy == Strategy.SINGLE
    assert "its random ops have seeds" in text
    draws = [draw for batch, _ in found for draw in batch]
    assert len(set(draws)) == len(draws) == RECORDS


def _same(value):
    return value


@pytest.mark.parametrize("make", [_ragged, _same], ids=["unroll", "chunk"])
def test_an_op_that_two_runners_run(make, records):
    """Such an op is run as it is: where its reader stands is known of one runner only."""
    with tf.Graph().as_default():
        _, key, value = source([numbers(records)], 2)
        queue = tf.FIFOQueue(50, [tf.string, make(value).dtype])
        put = queue.enqueue([key, make(value)])
        for _ in range(2):
            tf.train.add_queue_runner(
                tf.train.QueueRunner(queue, [put], close_op=tf.no_op(name="leave_open"))
            )
        taken = queue.dequeue()
        refused = examine(Pipeline.of(put.graph), put).refusals
        assert set(refused.values()) == {f"its source also feeds {queue.name!r}"}
        with tfqueue.managed_session(chunks=8) as sess:
            keys = [sess.run(taken)[0] for _ in range(2 * RECORDS)]
        assert chosen() == (Strategy.SINGLE, "another runner takes from its source")
    assert sorted(keys) == sorted(2 * list(dict.fromkeys(keys)))


@pytest.mark.parametrize("bad", [None, 300], ids=["sound", "damaged"])
@pytest.mark.parametrize("same", [True, False], ids=["same op", "same record"])
@pytest.mark.parametrize("make", [_ragged, _same], ids=["unroll", "chunk"])
def test_a_runner_that_begins_when_another_has_gone_over(make, same, bad, records, monkeypatch):
    """The first goes back to single examples: nothing is lost or doubled, up to the damage."""
    monkeypatch.setenv("TFQUEUE_CHUNKS", "8")
    path = records([b"%03d" % i for i in range(600)])
    if bad is not None:
        with open(path, "r+b") as file:
            file.seek(19 * bad + 12)
            file.write(b"~")
    keys = []
    with tf.Graph().as_default():
        _, key, value = source([path], 1)
        queue = tf.FIFOQueue(50, [tf.string, make(value).dtype])
        put = queue.enqueue([key, make(value)])
        again = put if same else queue.enqueue([key, make(value)])
        leave = tf.no_op(name="leave_open") if bad is None else None
        first, second = (tf.train.QueueRunner(queue, [op], close_op=leave) for op in (put, again))
        taken = queue.dequeue()
        with tf.Session() as sess:
            sess.run(tf.local_variables_initializer())
            coord = tf.train.Coordinator()
            threads = tf.train.start_queue_runners(sess, coord)
            threads += first.create_threads(sess, coord=coord, start=True)
            while len(keys) < 20 or chosen()[0] == Strategy.SINGLE:
                keys.append(sess.run(taken)[0])
            assert chosen()[0] == (Strategy.LOOP if make is _ragged else Strategy.CHUNK), chosen()
            threads += second.create_threads(sess, coord=coord, start=True)
            assert chosen() == (Strategy.SINGLE, "another runner takes from its source")
            if bad is None:
                keys += [sess.run(taken)[0] for _ in range(600 - len(keys))]
                coord.request_stop()
                coord.join(threads)
            else:
                with pytest.raises(tf.errors.DataLossError):
                    while True:
                        keys.append(sess.run(taken)[0])
                with pytest.raises(tf.errors.DataLossError):
                    coord.join(threads)
    expected = [f"{path}:{19 * i}".encode() for i in range(600 if bad is None else bad)]
    assert len(set(keys)) == len(keys)
    missing = set(expected) ^ set(keys)
    # What the other runner holds when one fails is lost in TensorFlow 1 too, and is one element.
    assert len(missing) <= (bad is not None)


def test_a_second_runner_waits_for_what_the_first_was_reading():
    sizes = []

    class Lock:
        def __enter__(self):
            sizes.append(sess.run(size))

        def __exit__(self, *error):
            sizes.append("released")

    with tf.Graph().as_default():
        queue = tf.FIFOQueue(5, [tf.int32], shapes=[[]])
        put, size = queue.enqueue([7]), queue.size()
        with tf.Session() as sess:
            mover = accelerate.StepMover(put, sess, [None, Lock(), Lock()])
            mover.move()
            mover.move()
            assert sizes == [0, "released", 0, "released"]
            assert sess.run(size) == 2


@pytest.mark.parametrize("bad", [0, 1, 2, 6, 9])
def test_a_damaged_record(bad, records):
    """What was read together with the damage is delivered, and the error is the reader's own."""
    path = numbers(records, count=10)
    with open(path, "r+b") as file:
        file.seek(17 * bad + 12)
        file.write(b"~")

    def build():
        _, key, value = source([path], 1)
        return tf.train.batch([key, _ragged(value)], 1, capacity=30, dynamic_pad=True)

    found, error, _ = outcome(build, 64)
    expected, per_example, _ = outcome(build, False)
    assert found == expected
    assert len(found) == bad
    assert error[:3] == per_example[:3]
    assert error[0] is tf.errors.DataLossError


def test_a_missing_file_between_others(records, tmp_path):
    """The reader would go on to the next file: the error of a read is not passed over."""
    paths = [numbers(records, count=6), str(tmp_path / "none"), numbers(records, name="more")]

    def build():
        _, key, value = source(paths, 1)
        return tf.train.batch([key, _ragged(value)], 1, capacity=30, dynamic_pad=True)

    found, error, (strategy, text) = outcome(build, 8)
    expected, per_example, _ = outcome(build, False)
    assert strategy == Strategy.LOOP, text
    assert len(found) == 6
    assert found == expected
    assert error[:3] == per_example[:3]
    assert error[0] is tf.errors.NotFoundError


def runner_of(paths, capacity):
    """The queue of a runner whose examples cannot be vectorised, and the `Region` of its op."""
    _, key, value = source(paths, 1)
    queue = tf.FIFOQueue(capacity, [tf.string, tf.int32])
    put = queue.enqueue([key, _ragged(value)])
    tf.train.add_queue_runner(tf.train.QueueRunner(queue, [put]))
    return queue, examine(tfqueue.pipeline(tf.get_default_graph()), put)


def with_names(sess):
    """Fills the queue of file names of a session whose runners are not started."""
    sess.run(tf.local_variables_initializer())
    names = tf.get_collection(tf.GraphKeys.QUEUE_RUNNERS)[0]
    sess.run(names.enqueue_ops[0])


def test_what_stands_in_front_of_a_missing_file_is_put_before_it_is_told(records, tmp_path):
    """The queue has room for two of the three, so that one is still to be put then."""
    paths = [numbers(records, count=3), str(tmp_path / "none"), numbers(records, name="more")]
    _, region = runner_of(paths, capacity=2)
    with tf.Session() as sess:
        with_names(sess)
        mover, rest = LoopMover(region, SessionHandle.of(sess), 8), []
        mover._replay.put = lambda columns, of: rest.extend(zip(*columns, strict=True))
        with pytest.raises(tf.errors.NotFoundError):
            mover.move()
    assert mover.elements <= 2
    assert mover.elements + len(rest) == 3


@pytest.mark.parametrize(
    ("cores", "runs", "inline", "expected"),
    [(1, 1, False, 2), (3, 1, False, 4), (3, 2, False, 3), (20, 4, False, 6), (20, 1, True, 1)],
)
def test_as_many_examples_are_computed_at_once_as_there_are_cores(
    cores, runs, inline, expected, records, monkeypatch
):
    """The threads of a runner share them. One example more waits to be put."""
    monkeypatch.setattr(looped, "cores", lambda: cores)
    _, region = runner_of([numbers(records)], capacity=50)
    region.threads = runs
    ops = LoopOps(region, 6, inline)
    loops = [op for op in ops.move.graph.get_operations() if op.type == "Enter"]
    assert {op.get_attr("parallel_iterations") for op in loops} == {expected}


def test_what_waits_for_a_part_of_an_iteration_does(records):
    """A read for the one before, a put for the one before: whatever came into the loop with them."""
    _, region = runner_of([numbers(records)], capacity=50)
    ops = LoopOps(region, 6)
    inside = ops.move.graph.get_operations()
    read, put = (
        next(op for op in inside if op.name.endswith(f"/{name}") and op.type == kind)
        for name, kind in (("read", "ReaderReadV2"), ("put", "QueueEnqueueV2"))
    )
    for_read, for_put = {*read.control_inputs}, {*put.control_inputs}
    assert {op.inputs[0].op.type for op in for_read | for_put} == {"Switch"}
    assert len(for_put) == 1
    assert len(for_read) == 2  # it belongs to the iteration besides
    assert not for_put & for_read


def test_a_step_is_prepared_once_a_session_and_moves_nothing_by_it(records):
    """Also where the runner of a session is started again."""
    queue, region = runner_of([numbers(records)], capacity=50)
    with tf.Session() as sess:
        with_names(sess)
        handle = SessionHandle.of(sess)
        movers = [LoopMover(region, handle, 4) for _ in range(2)]
        assert sess.run(queue.size()) == 0
        assert movers[1].move() == 4
        assert sess.run(queue.size()) == 4
        assert [sess.run(queue.dequeue()[0]).rpartition(b":")[2] for _ in range(4)] == [
            b"0",
            b"17",
            b"34",
            b"51",
        ]


def test_each_thread_keeps_records_of_its_own(records):
    """Else one would put what another has read."""
    _, region = runner_of([numbers(records)], capacity=50)
    with tf.Session() as sess:
        with_names(sess)
        handle = SessionHandle.of(sess)
        for number in (0, 0, 1):
            LoopMover(region, handle, 2, number)
        kept = [op for op in sess.graph.get_operations() if op.type == "OrderedMapStage"]
        places = {op.get_attr("shared_name") for op in kept}
    assert len([place for place in places if place.endswith(b"/records")]) == 2


@pytest.mark.parametrize("threads", ["inline", "pool"], indirect=True)
def test_a_step_that_tensorflow_refuses_is_not_taken(records, monkeypatch):
    """What a step fails with when it is prepared is told, unless it is what it is to fail with."""
    monkeypatch.setattr(looped, "_NOT_READY", "another message")
    whole = _tensorflow.PreparedStep.__call__

    def refused(self, feeds=None):
        try:
            return whole(self, feeds)
        except tf.errors.InvalidArgumentError:
            raise tf.errors.InvalidArgumentError(None, None, "cannot be placed") from None

    monkeypatch.setattr(_tensorflow.PreparedStep, "__call__", refused)
    path = numbers(records)

    def build():
        _, key, value = source([path], 1)
        return tf.train.batch([key, _ragged(value)], 1, capacity=30, dynamic_pad=True)

    found, error, (strategy, text) = outcome(build, 8)
    assert error is None
    assert len(found) == RECORDS
    assert strategy == Strategy.SINGLE
    assert "cannot be placed" in text


def _ragged_batches(records):
    path = numbers(records)

    def build():
        _, key, value = source([path], 1)
        return tf.train.batch([key, _ragged(value)], 4, dynamic_pad=True)

    return build


@pytest.mark.parametrize("threads", ["inline", "pool"], indirect=True)
def test_what_an_example_costs_says_who_computes_it(records, monkeypatch):
    made = []

    def remember(self, *args, original=LoopMover.__init__, **named):
        made.append(named["inline"])
        original(self, *args, **named)

    monkeypatch.setattr(LoopMover, "__init__", remember)
    build = _ragged_batches(records)
    told = [outcome(build, 8)[2][1]]
    monkeypatch.setattr(tuner, "_LIGHT", 0.0 if tuner._LIGHT else float("inf"))
    told.append(outcome(build, 8)[2][1])
    inline = [how.startswith("8 examples a step, one after the other") for how in told]
    assert made == inline
    assert sorted(inline) == [False, True]


@pytest.mark.parametrize("threads", ["inline", "pool"], indirect=True)
def test_on_one_core_a_loop_is_computed_by_one_thread(records, monkeypatch):
    monkeypatch.setattr(tuner, "cores", lambda: 1)
    path = numbers(records, count=300)

    def build():
        _, key, value = source([path], 1)
        return tf.train.batch([key, _ragged(value)], 4, dynamic_pad=True)

    found, error, (strategy, text) = outcome(build, "auto")
    assert error is None
    assert len(found) == 75
    assert strategy == Strategy.LOOP
    assert text.startswith("32 examples a step, one after the other")


@pytest.mark.parametrize("threads", ["inline", "pool"], indirect=True)
@pytest.mark.parametrize(
    ("cores", "strategy"), [(1, Strategy.SINGLE), (2, Strategy.LOOP)], ids=["one core", "two"]
)
def test_on_one_core_what_takes_long_waits_unless_the_session_ends(
    cores, strategy, records, monkeypatch
):
    monkeypatch.setattr(tuner, "cores", lambda: cores)
    monkeypatch.setattr(tuner, "_MANY_OPS", 0)
    monkeypatch.setattr(tuner, "_PAUSE", 3600.0)
    path = numbers(records, count=300)

    def build():
        _, key, value = source([path], 1)
        return tf.train.batch([key, _ragged(value)], 4, dynamic_pad=True)

    found, error, (used, text) = outcome(build, "auto")
    assert error is None
    assert len(found) == 75
    assert used == strategy
    if strategy == Strategy.SINGLE:
        assert text.endswith("the session ended before")


@pytest.mark.parametrize("threads", ["inline", "pool"], indirect=True)
def test_it_rests_before_each_half_of_the_work(records, monkeypatch):
    rests = []
    monkeypatch.setattr(
        tuner.Tuner, "_leave_the_core", lambda self, region: rests.append(region.op.type)
    )
    path = numbers(records, count=300)

    def build():
        _, key, value = source([path], 1)
        return tf.train.batch([key, _ragged(value)], 4, dynamic_pad=True)

    found, error, (used, _) = outcome(build, "auto")
    assert (len(found), error, used) == (75, None, Strategy.LOOP)
    assert rests == ["QueueEnqueueV2"] * 2


def test_a_random_op_of_constants_draws_for_each_example(records):
    path = numbers(records, count=300)

    def build():
        _, _, value = source([path], 1)
        draw = tf.random_uniform([], maxval=2**62, dtype=tf.int64)
        return tf.train.batch([_ragged(value), draw], 4, dynamic_pad=True)

    found, error, (used, _) = outcome(build, 8)
    assert (error, used) == (None, Strategy.LOOP)
    assert len({draw for _, draws in found for draw in draws}) == 300


def test_constants_stand_in_front_of_the_loop_equal_ones_once(records):
    _, key, value = source([numbers(records)], 1)
    draw = tf.random_uniform([], maxval=7, dtype=tf.int32)
    words = tf.constant("a") + tf.constant("a") + tf.constant("b")
    tf.train.batch([key, _ragged(value), draw, words], 4, dynamic_pad=True)
    graph = tf.get_default_graph()
    (op,) = [op for op in graph.get_operations() if op.type == "QueueEnqueueV2"]
    region = examine(Pipeline(graph), op, 1)
    before = {*graph.get_operations()}
    LoopOps(region, 8)
    made = [each for each in graph.get_operations() if each not in before]

    def values(ops):
        return [each.get_attr("value").SerializeToString() for each in ops if each.type == "Const"]

    theirs = values(region.inside)
    assert theirs.count(max(theirs, key=theirs.count)) > 1
    enters = [each for each in made if each.type == "Enter" and each.get_attr("is_constant")]
    outside = values(each.inputs[0].op for each in enters)
    assert [outside.count(value) for value in {*theirs}] == [1] * len({*theirs})
    # None is made in an iteration, those of the loop itself neither: it would follow on its number.
    assert len(outside) > len({*theirs})
    constants = [each for each in made if each.type == "Const"]
    before = {each.type for constant in constants for each in constant.control_inputs}
    assert before == {"OrderedMapClear"}
    # What only constants lead to belongs to an iteration all the same: it draws once in each.
    (random,) = [each for each in made if each.type == "RandomUniformInt"]
    assert {t.op.type for t in random.inputs} == {"Enter"}
    assert len(random.control_inputs) == 1
