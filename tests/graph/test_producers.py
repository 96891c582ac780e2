"""What a producer puts into its queue, as far as the graph tells."""

import numpy as np
import pytest

import tfqueue
import tfqueue.v1 as tf
from tfqueue.graph import producers


def production_of(queue):
    pipeline = tfqueue.pipeline(tf.get_default_graph())
    (model,) = pipeline.queues.values()
    (put,) = model.enqueues
    return producers.production(pipeline, put)


@pytest.mark.parametrize(
    ("make", "found"),
    [
        (
            lambda: tf.train.string_input_producer(["a", "b"], num_epochs=3),
            (["a", "b"], None, None, 3, True),
        ),
        (
            lambda: tf.train.string_input_producer(["a", "b"], shuffle=False),
            (["a", "b"], None, None, None, False),
        ),
        (
            lambda: tf.train.string_input_producer(tf.train.match_filenames_once("x-*")),
            (None, "x-*", None, None, True),
        ),
        (
            lambda: tf.train.string_input_producer(
                tf.train.match_filenames_once(["x-*", "y"]), shuffle=False, num_epochs=1
            ),
            (None, "x-*, y", None, 1, False),
        ),
        (
            lambda: tf.train.range_input_producer(5, shuffle=False),
            (None, None, 5, None, False),
        ),
        (
            lambda: tf.train.range_input_producer(5, num_epochs=2),
            (None, None, 5, 2, True),
        ),
        (
            lambda: tf.train.range_input_producer(tf.placeholder(tf.int32, [])),
            (None, None, None, None, True),
        ),
        (
            lambda: tf.train.input_producer(np.float32([1, 2, 3]), shuffle=False),
            (None, None, None, None, False),
        ),
        (
            lambda: tf.train.string_input_producer(tf.placeholder(tf.string, [2])),
            (None, None, None, None, True),
        ),
    ],
    ids=["names", "in order", "pattern", "patterns", "range", "epochs", "limit", "floats", "fed"],
)
def test_what_one_run_puts(make, found):
    made = production_of(make())
    assert (made.names, made.pattern, made.numbers, made.epochs, made.shuffled) == found


def names(given, read=lambda tensor: None):
    tf.train.string_input_producer(given)
    (queue,) = tfqueue.pipeline(tf.get_default_graph()).queues.values()
    return producers.names_of(queue, read)


def test_names_are_text_also_where_they_are_no_utf_8():
    assert names([b"a", b"\xff"]) == ["a", "\ufffd"]


def test_names_of_a_variable_are_read():
    asked = []

    def read(tensor):
        asked.append(tensor.op.type)
        return np.array([b"a", b"b"], object)

    assert names(tf.train.match_filenames_once("x-*"), read) == ["a", "b"]
    assert len(asked) == 1


def test_the_pattern_of_a_resource_variable_is_known():
    found = tf.Variable(tf.matching_files("x-*"), validate_shape=False, use_resource=True)
    tf.train.string_input_producer(found)
    pipeline = tfqueue.pipeline(tf.get_default_graph())
    (queue,) = pipeline.queues.values()
    assert producers.production(pipeline, queue.enqueues[0]).pattern == "x-*"
    assert producers.names_of(queue, lambda tensor: np.array([b"x-1"], object)) == ["x-1"]


def test_names_that_are_not_known_are_none():
    assert names(tf.train.match_filenames_once("x-*")) is None


def test_what_is_fed_is_not_asked_of_a_variable():
    def read(tensor):
        raise AssertionError(tensor)

    assert names(tf.placeholder(tf.string, [2]), read) is None


def test_numbers_are_no_names_and_one_element_a_run_is_no_epoch():
    queue = tf.FIFOQueue(5, tf.int32, [[]])
    queue.enqueue_many([[1, 2]])
    words = tf.FIFOQueue(5, tf.string, [[]])
    words.enqueue(["a"][0])
    pipeline = tfqueue.pipeline(tf.get_default_graph())
    for model in pipeline.queues.values():
        assert producers.names_of(model, lambda tensor: None) is None


@pytest.mark.parametrize("resource", [False, True])
def test_a_variable_that_no_pattern_fills_has_none(resource):
    variable = tf.Variable(["a"], use_resource=resource)
    pipeline = tfqueue.pipeline(tf.get_default_graph())
    op = variable.handle.op if resource else variable.op
    assert producers.pattern_of(pipeline, op) is None
    assert producers.pattern_of(pipeline, None) is None


def test_a_pattern_that_is_fed_is_not_known():
    variable = tf.Variable(tf.matching_files(tf.placeholder(tf.string, [])), validate_shape=False)
    pipeline = tfqueue.pipeline(tf.get_default_graph())
    assert producers.pattern_of(pipeline, variable.op) is None
