"""tfqueue.dataset(..., engine="session"): a managed session feeds what cannot be lifted."""

import threading

import numpy as np
import pytest
import tensorflow

import tfqueue
import tfqueue.v1 as tf
from tests.dataset.lifted import line_of, values
from tfqueue import accelerate
from tfqueue.accelerate import Strategy
from tfqueue.dataset import old_inputs, session_feed
from tfqueue.graph.model import Pipeline

pytestmark = pytest.mark.usefixtures("eager")


def by_python(number):
    return tf.py_func(lambda n: np.int32(n + 1), [number], tf.int32)


def test_a_session_feeds_what_cannot_be_lifted(files):
    def inputs():
        return tf.train.batch(
            [by_python(line_of(files, num_epochs=1, shuffle=False))], 4, shapes=[[]]
        )

    dataset = tfqueue.dataset(inputs, engine="session")
    assert dataset.element_spec == tensorflow.TensorSpec([4], tf.int32)
    for _ in range(2):  # a session each
        assert values(dataset) == list(range(1, 13))


def test_each_component_is_a_tensor_of_its_kind():
    def inputs():
        number = tf.train.range_input_producer(3, shuffle=False).dequeue() + 5
        sparse = tf.SparseTensor([[1]], tf.stack([number]), [2])
        ragged = tf.RaggedTensor.from_row_lengths(tf.range(3) + number, [1, 2])
        return {"sparse": sparse, "ragged": ragged, "plain": number, "nothing": None}

    whole = next(iter(tfqueue.dataset(inputs, engine="session")))
    assert tf.sparse.to_dense(whole["sparse"]).numpy().tolist() == [0, 5]
    assert whole["ragged"].to_list() == [[5], [6, 7]]
    elements = session_feed.elements(old_inputs.call(inputs, (), {}), tfqueue.managed_session)
    element = next(elements)
    elements.close()
    assert [part.tolist() for part in element["sparse"]] == [[[1]], [5], [2]]
    assert isinstance(element["ragged"], tf.RaggedTensor)
    assert element["ragged"].to_list() == [[5], [6, 7]]
    assert (element["plain"], element["nothing"]) == (5, None)


def test_the_sessions_threads_end_with_the_iterator(files):
    before = set(threading.enumerate())
    iterator = iter(tfqueue.dataset(lambda: by_python(line_of(files)), engine="session"))
    next(iterator)
    started = set(threading.enumerate()) - before
    # A thread of tf.data's own that calls Python is listed as well, and cannot be joined.
    started = {thread for thread in started if not isinstance(thread, threading._DummyThread)}
    assert any(thread.name == "tfqueue dataset" for thread in started)
    del iterator
    for thread in started:
        thread.join(60)
    assert not any(thread.is_alive() for thread in started)


def test_a_failure_of_the_session_is_no_end(files):
    def inputs():
        return line_of([*files, "no such file"], num_epochs=1, shuffle=False)

    seen = []
    with pytest.raises(tf.errors.NotFoundError, match="no such file") as caught:
        for number in tfqueue.dataset(inputs, engine="session"):
            seen.append(int(number))
    assert seen == list(range(12))
    assert "it reads with TextLineReader" in "".join(caught.value.__notes__)


def parsed():
    """Ops of many kinds, with functions and loops inside."""
    text, number = tf.train.slice_input_producer(
        [[f"{k},{'x' * (k % 3)}" for k in range(60)], tf.range(60)], num_epochs=2, shuffle=False
    )
    column, word = tf.decode_csv(text, [[0], [""]])
    sign = tf.cond(tf.equal(word, "x"), lambda: -column, lambda: column + 1)
    total = tf.while_loop(lambda i, s: i < 5, lambda i, s: (i + 1, s * 2 + i), [0, number])[1]
    return tf.train.batch([sign, total, tf.one_hot(number % 4, 4)], 5)


def test_the_session_is_accelerated(monkeypatch):
    monkeypatch.setenv("TFQUEUE_CHUNKS", "8")
    built = old_inputs.call(parsed, (), {})
    came = [
        [part.numpy().tolist() for part in parts]
        for parts in session_feed.dataset(built, tfqueue.managed_session)
    ]
    told = accelerate.reports_of(built.graph)["batch/fifo_queue"].values()
    assert [strategy for strategy, _ in told] == [Strategy.LOOP], list(told)
    lifted = tfqueue.dataset(parsed)
    assert came == [[part.numpy().tolist() for part in parts] for parts in lifted]


def test_runners_are_found_in_whatever_mode_the_thread_is():
    graph = old_inputs.call(parsed, (), {}).graph
    assert tensorflow.executing_eagerly()
    pipeline = Pipeline(graph)
    names = ["input_producer/input_producer", "batch/fifo_queue"]
    assert [runner.queue.name for runner in pipeline.runners] == names
    assert [runner.name for runner in pipeline.runners] == names
