"""`tf.train`: what is handed on to TensorFlow's functions, and what is refused with the fix."""

import functools

import numpy as np
import pytest

import tfqueue.v1 as tf
from tfqueue.v1 import _file_patterns, train

PRODUCER = {
    "num_epochs": None,
    "shuffle": True,
    "seed": None,
    "capacity": 32,
    "shared_name": None,
    "name": None,
    "cancel_op": None,
}
MIXED = {
    "num_threads": 1,
    "seed": None,
    "enqueue_many": False,
    "shapes": None,
    "allow_smaller_final_batch": False,
    "shared_name": None,
    "name": None,
}
BATCH = {
    "num_threads": 1,
    "capacity": 32,
    "enqueue_many": False,
    "shapes": None,
    "dynamic_pad": False,
    "allow_smaller_final_batch": False,
    "shared_name": None,
    "name": None,
}


@pytest.mark.parametrize(
    ("name", "needed", "others"),
    [
        ("string_input_producer", [["a"]], PRODUCER),
        ("shuffle_batch", [["x"], 3, 9, 4], MIXED),
        ("batch", [["x"], 3], BATCH),
    ],
)
def test_arguments_are_handed_on(monkeypatch, name, needed, others):
    """The defaults are those of 1.15.5."""
    calls = []
    monkeypatch.setattr(train._train, name, lambda *args, **given: calls.append((args, given)))
    function = getattr(tf.train, name)
    function(*needed)
    given = {key: object() for key in others}
    function(*needed, **given)
    function(*needed, *given.values())
    needed = tuple(needed)
    assert calls == [(needed, others), (needed, given), (needed, given)]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (["a", "b"], ["a", "b"]),
        (("a",), ("a",)),
        ({"a": 1, "b": 2}.keys(), ["a", "b"]),
        (map(str, [1, 2]), ["1", "2"]),
        (np.array(["a", "b"]), ["a", "b"]),
    ],
)
def test_names_are_a_list(given, expected):
    found = train._names(given, "f")
    assert (type(found), found) == (type(expected), expected)


def test_names_are_a_tensor():
    tensor = tf.constant(["a"])
    assert train._names(tensor, "f") is tensor
    refers = tf.Variable(["a"], use_resource=False)
    assert train._names(refers, "f") is refers
    found = train._names(tf.Variable(["a", "b"], use_resource=True), "f")
    assert (tf.is_tensor(found), found.dtype, found.shape.as_list()) == (True, tf.string, [2])
    assert isinstance(found, tf.Tensor)


@pytest.mark.parametrize("name", ["a", b"a"])
def test_one_name_is_no_list(name):
    with pytest.raises(ValueError) as caught:
        tf.train.string_input_producer(name)
    assert str(caught.value) == (
        "string_input_producer: string_tensor must be a list of names, got one string "
        f"{name!r}; did you mean [{name!r}]?"
    )


@pytest.mark.parametrize("empty", [[], (), {}.keys(), np.array([])])
@pytest.mark.parametrize(
    ("pattern", "says"),
    [
        (None, "Did the pattern it came from (tf.gfile.Glob, glob.glob) match nothing?"),
        ("*.x", "The last tf.gfile.Glob, of '*.x', matched no file"),
        ("", "The last tf.gfile.Glob, of '', matched no file"),
    ],
)
def test_no_names(monkeypatch, empty, pattern, says):
    monkeypatch.setattr(_file_patterns, "matched_nothing", lambda: pattern)
    with pytest.raises(ValueError) as caught:
        tf.train.string_input_producer(empty)
    assert str(caught.value) == f"string_input_producer: the list of files is empty. {says}"


NOTE = (
    "tfqueue: a batch needs tensors of one known shape. Give the tensor its shape "
    "(x.set_shape([...]), tf.image.resize_images, tf.image.resize_image_with_crop_or_pad) or, "
    "where sizes really differ, say batch(..., dynamic_pad=True). "
)


@pytest.mark.parametrize(
    "make",
    [
        lambda x: tf.train.batch([x], 2),
        lambda x: tf.train.shuffle_batch([x], 2, 9, 3),
        lambda x: tf.train.batch_join([[x]], 2),
        lambda x: tf.train.maybe_batch([x], True, 2),
    ],
)
def test_a_batch_of_unknown_shapes(make):
    with pytest.raises(ValueError, match="must be fully defined") as caught:
        make(tf.placeholder(tf.float32, [None], name="x"))
    [note] = caught.value.__notes__
    assert note.startswith(NOTE)
    assert "'x:0'" in note[len(NOTE) :]
    assert tf.get_collection(tf.GraphKeys.QUEUE_RUNNERS) == []


def test_other_errors_have_no_note():
    with pytest.raises(ValueError) as caught:
        tf.train.batch([], 2)
    assert not hasattr(caught.value, "__notes__")


@pytest.mark.parametrize(
    ("tensors", "empty"),
    [
        ([[]], True),
        ([["a"], []], True),
        ((np.zeros([0, 3]),), True),
        ([np.zeros([3, 0])], False),
        ([["a"], [1]], False),
        ([np.zeros([2])], False),
    ],
)
def test_slices_of_empty_lists(tensors, empty):
    for call in (
        functools.partial(tf.train.slice_input_producer, tensors),
        functools.partial(tf.train.slice_input_producer, tensor_list=tensors),
    ):
        if empty:
            with pytest.raises(ValueError) as caught:
                call()
            assert str(caught.value) == (
                "slice_input_producer: the lists are empty, there is no slice to be had. Did the "
                "folder or pattern they came from hold nothing?"
            )
        else:
            assert len(call()) == len(tensors)


@pytest.mark.parametrize(
    ("name", "summary"),
    [
        ("input_producer", "A queue of the rows of a tensor"),
        ("range_input_producer", "A queue of the numbers 0 to limit - 1"),
        ("maybe_shuffle_batch_join", "`shuffle_batch_join` of what `keep_input` lets through"),
    ],
)
def test_a_function_that_is_taken_over(name, summary):
    function = getattr(tf.train, name)
    assert (function.__name__, function.__qualname__) == (name, name)
    assert function.__module__ == "tfqueue.v1.train"
    assert function.__doc__ == (
        f"{summary} (`tf.train.{name}`).\n\n"
        f"Arguments and results are those of `tf.compat.v1.train.{name}`; the queue runner it\n"
        "registers is a supervised one.\n"
    )


def test_runners_are_ours():
    tf.train.range_input_producer(3)
    plain = train._train.QueueRunner(*_queue_and_ops())
    tf.train.add_queue_runner(plain, "own")
    runner = tf.train.QueueRunner(*_queue_and_ops())
    tf.train.add_queue_runner(runner)
    first, last = tf.get_collection(tf.GraphKeys.QUEUE_RUNNERS)
    assert (type(first), last) == (tf.train.QueueRunner, runner)
    [own] = tf.get_collection("own")
    assert (type(own), own.name) == (tf.train.QueueRunner, plain.name)


def _queue_and_ops():
    queue = tf.FIFOQueue(3, tf.int32, [[]])
    return queue, [queue.enqueue(1)]


def test_names_of_modules_that_are_here():
    listed = dir(tf.train)
    assert {"QueueRunner", "string_input_producer", "AdamOptimizer"} <= {*listed}
    assert {*train.OVERRIDDEN} <= {*train.__all__} <= {*listed}
    assert tf.train.queue_runner.QueueRunner is tf.train.QueueRunner
    assert tf.train.queue_runner.add_queue_runner is tf.train.add_queue_runner
    assert tf.train.queue_runner.start_queue_runners is tf.train.start_queue_runners


def test_the_pattern_that_matched_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr(_file_patterns, "_matched_nothing", None)
    (tmp_path / "b").write_text("")
    (tmp_path / "a").write_text("")
    found = [str(tmp_path / name) for name in "ab"]
    none = str(tmp_path / "*.x")
    for search in (_file_patterns.Glob, _file_patterns.glob):
        assert search(none) == []
        assert _file_patterns.matched_nothing() == none
        assert sorted(search(str(tmp_path / "*"))) == found
        assert _file_patterns.matched_nothing() is None
        assert search([none, str(tmp_path / "b")]) == found[1:]
    tf.gfile.Glob(none)
    with pytest.raises(
        ValueError, match=r"is empty\. The last tf\.gfile\.Glob, of '.*\*\.x', matched"
    ):
        tf.train.string_input_producer([])
