"""Correct programs hear nothing: what looks like a mistake and is none."""

from __future__ import annotations

import warnings

import pytest

import tfqueue
import tfqueue.v1 as tf
from tfqueue import errors
from tfqueue.explain import diagnosis
from tfqueue.session import registry


@pytest.fixture(autouse=True)
def no_broken_story():
    """A story that failed is seen by nobody; here it fails the test."""
    diagnosis.BROKEN.clear()
    yield
    assert not diagnosis.BROKEN


def _range(limit, **kwargs):
    return tf.train.range_input_producer(limit, shuffle=False, **kwargs)


def several_towers(sess_of):
    """A batch for each tower, through shared weights: cifar10_multi_gpu_train."""
    queue = tf.FIFOQueue(20, tf.float32, [[3]])
    runner = tf.train.QueueRunner(queue, [queue.enqueue(tf.ones([3]))])
    tf.train.add_queue_runner(runner)
    weight = tf.Variable(tf.ones([3]))
    losses = [tf.reduce_sum(queue.dequeue_many(2) * weight) for _ in range(3)]
    with sess_of() as sess:
        sess.run([tf.add_n(losses), losses[-1]])


def towers_on_devices(sess_of):
    """A batch for each device."""
    numbers = _range(10)
    taken = []
    for number in range(2):
        with tf.device(f"/cpu:{number}"):
            taken.append(numbers.dequeue())
    config = tf.ConfigProto(device_count={"CPU": 2})
    with tf.Session(config=config) as sess:
        sess.run(tf.local_variables_initializer())
        tf.train.start_queue_runners(sess)
        sess.run(taken)


def cond_with_dequeues_inside(sess_of):
    """Each branch takes from its own queue."""
    first, second = _range(10), _range(20)
    flag = tf.placeholder_with_default(True, [])
    chosen = tf.cond(flag, lambda: first.dequeue(), lambda: second.dequeue())
    with sess_of() as sess:
        assert [sess.run(chosen), sess.run(chosen, {flag: False})] == [0, 0]


def cond_on_what_was_taken(sess_of):
    """The larger of two: both are meant to be taken."""
    a, b = _range(10).dequeue(), _range(20).dequeue()
    larger = tf.cond(a > b, lambda: a + 0, lambda: b + 0)
    with sess_of() as sess:
        sess.run(larger)


def cond_whose_branches_use_both(sess_of):
    """The sum or the difference of two."""
    a, b = _range(10).dequeue(), _range(20).dequeue()
    flag = tf.placeholder_with_default(True, [])
    found = tf.cond(flag, lambda: a + b, lambda: a - b)
    with sess_of() as sess:
        assert [sess.run(found), sess.run(found, {flag: False})] == [0, 0]


def cond_on_one_example(sess_of):
    """An example, turned or not."""
    batch = tf.train.batch([_range(10).dequeue()], 2)
    maybe = tf.cond(tf.random_uniform([]) > 0.5, lambda: batch[::-1], lambda: batch + 0)
    with sess_of() as sess:
        sess.run([batch, maybe])


def same_seed(sess_of):
    """Two producers that shuffle alike."""
    names = [str(number) for number in range(10)]
    a = tf.train.string_input_producer(names, seed=7).dequeue()
    b = tf.train.string_input_producer(names, seed=7).dequeue()
    batch = tf.train.batch([a, b], 10)
    with sess_of() as sess:
        pairs = sess.run(batch)
        assert pairs[0].tolist() == pairs[1].tolist()


def sizes_differ(sess_of):
    """Two data sets mixed on purpose."""
    a = tf.train.string_input_producer(["a"] * 10).dequeue()
    b = tf.train.string_input_producer(["b"] * 11).dequeue()
    batch = tf.train.batch([a, b], 4)
    with sess_of() as sess:
        sess.run(batch)


def one_producer_of_slices(sess_of):
    """Images and labels by one producer, shuffled."""
    pair = tf.train.slice_input_producer([tf.range(10), tf.range(10)])
    batch = tf.train.batch(pair, 5)
    with sess_of() as sess:
        a, b = sess.run(batch)
        assert a.tolist() == b.tolist()


def one_queue_from_two_sources(sess_of):
    """Files of two kinds into one queue: nobody pairs them."""
    a = tf.train.string_input_producer(["a", "b"]).dequeue()
    b = tf.train.string_input_producer(["c", "d"]).dequeue()
    batch = tf.train.batch_join([[a], [b]], 4)
    with sess_of() as sess:
        sess.run(batch)


def training_and_validation(sess_of):
    """Both losses in one run, of as many files each."""
    losses = []
    for name in ("train", "test"):
        value = tf.train.string_input_producer([f"{name}1", f"{name}2"]).dequeue()
        weight = tf.Variable(2.0)
        losses.append(weight * tf.to_float(tf.size(tf.train.batch([value], 2))))
    with sess_of() as sess:
        sess.run(losses)


def loss_now_and_then(sess_of):
    """A step, and every now and then a look at the loss, each on a batch of its own."""
    weight = tf.Variable(1.0)
    loss = tf.reduce_sum(weight * tf.to_float(tf.train.batch([_range(100).dequeue()], 2)))
    step = weight.assign_add(loss)
    with sess_of() as sess:
        for _ in range(3):
            sess.run(step)
            sess.run(loss)


def a_look_first(sess_of):
    """The shape, then image and label together: what follows from what is no torn example."""
    number = _range(10).dequeue()
    image, label = tf.fill([2, 2], number), number % 3
    with sess_of() as sess:
        sess.run(tf.shape(image))
        sess.run(image)
        sess.run([image, label])
        sess.run(label)
        sess.run([image, label])


def steps_of_a_model_and_looks_at_labels(sess_of):
    """What a step makes of an example with its weights is no part of the example."""
    number = _range(10).dequeue()
    image, label = tf.fill([2, 2], number), number % 3
    weight = tf.Variable(2)
    with sess_of() as sess:
        for _ in range(5):
            sess.run(image * weight)
            sess.run(label)


def two_passes(sess_of):
    """All images, then all labels."""
    number = _range(10).dequeue()
    image, label = tf.fill([2, 2], number), number % 3
    with sess_of() as sess:
        for part in (image, label):
            for _ in range(10):
                sess.run(part)


def one_record_for_ever(sess_of, records):
    """002: one customer, shown field by field; every run shows the same."""
    path = records([b"1,2"])
    names = tf.train.string_input_producer([path], shuffle=False)
    value = tf.TFRecordReader().read(names)[1]
    fields = tf.decode_csv(value, [[0], [0]])
    with sess_of() as sess:
        assert [sess.run(field) for field in fields] == [1, 2]


def two_dequeue_ops_in_two_runs(sess_of):
    """What a program takes here and what it takes there."""
    numbers = _range(10)
    first, second = numbers.dequeue(), numbers.dequeue_many(2)
    with sess_of() as sess:
        sess.run(first)
        sess.run(second)
        sess.run(first)


def weights_loaded_one_by_one(sess_of):
    """A new op for each variable, once: vgg16's load_weights."""
    weights = [tf.Variable(0.0) for _ in range(30)]
    with sess_of() as sess:
        for number, weight in enumerate(weights):
            sess.run(weight.assign(number))


def a_script_that_builds_as_it_goes(sess_of):
    """Each line builds an op of its own and shows it."""
    with sess_of() as sess:
        x = tf.constant(2)
        lines = "\n".join(f"sess.run(x + {number})" for number in range(20))
        exec(compile(lines, "tutorial.py", "exec"), {"sess": sess, "x": x})


def the_data_fill_the_batches(sess_of):
    """Two epochs of 10 by 4: exact."""
    batch = tf.train.batch([_range(10, num_epochs=2).dequeue()], 4)
    with tfqueue.managed_session() as sess:
        assert len(list(sess.batches(batch))) == 5


def smaller_final_batch(sess_of):
    """The rest is delivered."""
    batch = tf.train.batch([_range(10, num_epochs=1).dequeue()], 4, allow_smaller_final_batch=True)
    with tfqueue.managed_session() as sess:
        assert [len(found) for found in sess.batches(batch)] == [4, 4, 2]


def stopped_by_the_program(sess_of):
    """What is left in the queue when the program has enough was not dropped."""
    batch = tf.train.batch([_range(10, num_epochs=1).dequeue()], 4)
    with tfqueue.managed_session() as sess:
        assert len(list(sess.batches(batch, 1))) == 1


def two_sessions_on_two_graphs(sess_of):
    """Training in one graph, evaluation in another, both at work."""
    with tf.Graph().as_default():
        inner = tf.train.batch([_range(10).dequeue()], 2)
        with tfqueue.managed_session() as evaluation:
            evaluation.run(inner)
            with tf.Graph().as_default():
                batch = tf.train.batch([_range(10).dequeue()], 2)
                with tfqueue.managed_session() as sess:
                    sess.run(batch)


def one_session_after_the_other(sess_of):
    """Each ends before the next."""
    batch = tf.train.batch([_range(10).dequeue()], 2)
    for _ in range(3):
        with sess_of() as sess:
            sess.run(batch)


CORRECT = [
    value
    for value in list(globals().values())
    if getattr(value, "__code__", None) and value.__code__.co_varnames[:1] == ("sess_of",)
]


@pytest.mark.parametrize("managed", [False, True], ids=["plain", "managed"])
@pytest.mark.parametrize("program", CORRECT, ids=lambda program: program.__name__)
def test_a_correct_program_hears_nothing(program, managed, records):
    class Plain(tf.Session):
        """Initialises and starts when entered, so that the programs are the same for both."""

        def __enter__(self):
            entered = super().__enter__()
            self.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
            tf.train.start_queue_runners(self)
            return entered

    arguments = [tfqueue.managed_session if managed else Plain]
    if program.__code__.co_argcount == 2:
        arguments.append(records)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        program(*arguments)


def test_a_session_in_use_beside_others_is_waited_for_once(monkeypatch):
    """One that trains goes on, and each evaluation has a session of its own on the same graph."""
    waits = []
    monkeypatch.setattr(registry.gc, "collect", lambda: waits.append(1))
    number = tf.train.range_input_producer(100, shuffle=False).dequeue()
    with tf.Session() as training, warnings.catch_warnings():
        warnings.simplefilter("ignore", errors.OldSessionWarning)
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(training, coord)
        training.run(number)
        for _ in range(3):
            with tf.Session() as evaluating:
                other = tf.train.Coordinator()
                others = tf.train.start_queue_runners(evaluating, other)
                assert evaluating.run(number) == 0
                other.request_stop()
                other.join(others)
        coord.request_stop()
        coord.join(threads)
    assert waits == [1]
