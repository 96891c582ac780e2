"""Calls in the forms of old releases, on functions whose arguments have moved since.

What the calls give is what TensorFlow 0.12.1 and 1.4.1 gave; where each argument belongs is the ledger's.
"""

import inspect

import numpy as np
import pytest

import tfqueue.v1 as tf
from tests.ledger import measure
from tfqueue.names import forms, ledger
from tfqueue.names.sentence import GoneArgumentError
from tfqueue.v1 import _call_forms


def value(tensor):
    with tf.Session() as sess:
        return sess.run(tensor)


X = [[1.0, 2.0], [3.0, 4.0]]
ROWS = [name for name in forms.old_forms() if not name.startswith("contrib.")]


@pytest.mark.parametrize("name", ROWS)
def test_each_form_of_a_row_means_the_same_or_is_refused(name):
    for last, text in forms.old_forms()[name]:
        if not any(entry.signature == text for entry in ledger.find(name)):
            continue  # of before 0.12
        for state, why in measure.state_of_calls(name, ledger.parsed(text), last):
            assert state in ("works", "refused"), (last, text, why)


def test_a_name_may_stand_where_it_stood():
    assert tf.nn.softmax(X, "prob").op.name == "prob"
    assert value(tf.nn.softmax(X, 0)).sum(axis=0).tolist() == pytest.approx([1, 1])
    total = tf.scan(lambda a, b: a + b, tf.range(4), None, 10, True, False, True, "running")
    assert total.op.name.startswith("running/")
    assert value(total).tolist() == [0, 1, 3, 6]
    assert tf.nn.conv3d(tf.zeros([1, 2, 2, 2, 1]), tf.zeros([1, 1, 1, 1, 1]), [1] * 5, "SAME", "c").op.name == "c"  # fmt: skip
    layer = tf.layers.dense(tf.constant(X), 3, None, True, None, tf.zeros_initializer(), None, None, None, True, "old")  # fmt: skip
    assert layer.op.name.startswith("old/")


def test_what_did_nothing_any_more_is_left_out():
    cell = tf.nn.rnn_cell.GRUCell(4, 3)  # input_size, up to 1.1
    assert (cell.state_size, cell._activation.__name__) == (4, "tanh")
    words = {"labels": [1], "logits": [[1.0, 2.0]]}
    loss = tf.nn.sparse_softmax_cross_entropy_with_logits(_sentinel=None, name="loss", **words)
    assert value(loss).tolist() == pytest.approx([0.3132617])


def test_an_argument_that_is_no_more_is_refused_by_its_name():
    assert value(tf.convert_to_tensor(3, as_ref=False)) == 3
    with pytest.raises(GoneArgumentError, match=r"'as_ref' of tf\.convert_to_tensor is gone"):
        tf.convert_to_tensor(3, as_ref=True)


def test_the_release_decides_where_both_orders_fit(written_for):
    # up to 1.1 the sixth was time_major, and then ignore_longer_outputs_than_inputs
    forms_of = tf.nn.ctc_loss._tfqueue_forms.forms
    call = (["labels"], ["inputs"], ["lengths"], False, True, False), {}
    assert forms_of.translated(*call)[1]["ignore_longer_outputs_than_inputs"] is False
    written_for("1.1")
    assert forms_of.translated(*call)[1]["time_major"] is False


def test_a_call_of_today_is_todays(written_for):
    for when in (None, "0.12", "1.4"):
        written_for(when)
        assert value(tf.concat([X, X], 1)).shape == (2, 4)
        assert value(tf.concat(1, [X, X])).shape == (2, 4)
        assert [len(value(part)) for part in tf.split(X, 2)] == [1, 1]
        assert [len(value(part)) for part in tf.split(0, 2, X)] == [1, 1]
        assert value(tf.reduce_sum(X, 1, True)).tolist() == [[3.0], [7.0]]
        assert value(tf.reduce_sum(X, axis=1, keepdims=True)).tolist() == [[3.0], [7.0]]


@pytest.mark.parametrize(
    ("name", "argument"),
    [("while_loop", "maximum_iterations"), ("nn.dropout", "rate"), ("map_fn", "swap_memory")],
)
def test_which_arguments_a_function_has_can_be_asked(name, argument):
    """As `inspect` told of TensorFlow 1.15: programs ask so which release they run on."""
    function = tf
    for part in name.split("."):
        function = getattr(function, part)
    assert argument in inspect.getfullargspec(function).args
    assert argument in inspect.signature(function).parameters


def test_a_function_with_two_names_is_one():
    assert tf.app.flags.DEFINE_string is tf.flags.DEFINE_string
    assert tf.nn.top_k is tf.math.top_k


def test_classes_are_the_same_and_take_old_words():
    made = tf.TensorArray(tf.float32, 3, None, None, None, None, None, True, "array")
    assert isinstance(made, tf.TensorArray)
    assert made.handle.op.name == "array"
    assert isinstance(value(tf.SparseTensor([[0]], [1], shape=[2])), tf.SparseTensorValue)


@pytest.mark.parametrize(
    ("parameter", "default", "given", "can_be"),
    [
        ("name", None, "x", True),
        ("name", None, 3, False),
        ("axis", None, "x", False),
        ("axis", None, [0, 1], True),
        ("axis", None, [[1.0]], False),
        ("dtype", None, "int32", True),
        ("keep_dims", False, "x", False),
        ("keep_dims", False, 1, True),
        ("activation", None, 3, False),
        ("shared_name", None, "x", True),
        ("name", None, None, True),
        ("scope", None, b"x", True),
        ("keep_dims", False, 2.5, False),
        ("keep_dims", False, np.float32(1), True),
        ("keep_dims", False, np.zeros([2]), False),
        ("data_format", None, "NCHW", True),
        ("data_format", None, "channels_last", True),
        ("data_format", None, "x", False),
        ("x", inspect.Parameter.empty, "x", True),
        ("x", "y", "x", True),
        ("x", None, "no dtype", False),
        ("kernel_initializer", None, 1.5, False),
        ("kernel_initializer", None, True, False),
        ("kernel_initializer", None, abs, True),
        ("axis", None, 3, True),
        ("axis", None, [0, "x"], False),
        ("axis", None, [np.int64(1)], True),
        ("axis", None, np.array([1]), True),
        ("axis", None, np.array([1.0]), False),
        ("values", None, 3, True),
        ("x", None, 3, True),
    ],
)
def test_what_speaks_against_an_argument(parameter, default, given, can_be):
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    one = inspect.Parameter(parameter, kind, default=default)
    assert _call_forms._can_be(one, given, beside_axis=False) is can_be


@pytest.mark.parametrize(
    ("given", "is_axis"),
    [
        (lambda: tf.constant(1), True),
        (lambda: tf.constant([1, 2]), True),
        (lambda: tf.placeholder(tf.int32), True),
        (lambda: tf.constant([[1]]), False),
        (lambda: tf.constant(1.0), False),
        (list, True),
    ],
)
def test_which_tensors_may_be_an_axis(given, is_axis):
    assert _call_forms._is_axis(given()) is is_axis


@pytest.mark.parametrize("name", ["value", "values", "sp_input", "sp_inputs", "x"])
def test_beside_an_axis_what_is_taken_is_no_number(name):
    one = inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=None)
    assert _call_forms._can_be(one, 3, beside_axis=True) is (name == "x")
    assert _call_forms._can_be(one, [3], beside_axis=True)


@pytest.mark.parametrize("kind", ["VAR_POSITIONAL", "VAR_KEYWORD"])
def test_the_rest_of_the_arguments_may_be_anything(kind):
    one = inspect.Parameter("name", getattr(inspect.Parameter, kind))
    assert _call_forms._can_be(one, 3, beside_axis=False)


@pytest.mark.parametrize(
    ("default", "given", "expected"),
    [
        (inspect.Parameter.empty, None, True),
        (inspect.Parameter.empty, 3, False),
        (..., None, True),
        (..., 3, False),
        (3, 3, True),
        (3, 4, False),
        (1, True, False),
        (1, 1.0, False),
        (None, None, True),
        (None, 0, False),
        ((1, 2), (1, 2), True),
    ],
)
def test_whether_an_argument_is_what_it_is_when_left_out(default, given, expected):
    one = inspect.Parameter("x", inspect.Parameter.POSITIONAL_OR_KEYWORD, default=default)
    assert _call_forms._is_default(one, given) is expected


def test_the_release_behind_another():
    known = [*ledger.releases()]
    assert [_call_forms._after(one) for one in known[:-1]] == known[1:]
    assert _call_forms._after(known[-1]) == _call_forms._after("") == "2.0"


def test_calls_of_before_0_12_need_no_release_where_their_values_tell(written_for):
    x = tf.constant(X)
    with tf.variable_scope("shared"):
        first = tf.get_variable("w", [2])
    with tf.variable_scope("shared", True):
        assert tf.get_variable("w", [2]) is first
    assert tf.nn.moments(x, [0], "moments_of")[0].op.name.startswith("moments_of")
    assert tf.py_func(np.negative, [x], tf.float32, "negative").op.name == "negative"
    assert tf.pad(input=x, paddings=[[1, 0], [0, 0]]).shape == (3, 2)
    assert tf.where(x > 1, "found").op.name == "found"
    assert tf.train.batch(tensor_list=[x[0]], batch_size=3).shape == (3, 2)
    assert [each.shape for each in tf.unpack(x, 2, "parts")] == [(2,), (2,)]
    losses = [tf.constant([[1.0, 2.0]])], [tf.constant([1])], [tf.constant([2.0])]
    plain, old = (tf.nn.seq2seq.sequence_loss(*losses, *rest) for rest in ((), (2,)))
    assert value(plain) == value(old)


def _sampled(loss, first, second):
    weights = tf.constant([[1.0, -2.0], [0.5, 3.0], [2.0, 1.0]])
    drawn = (tf.constant([2, 0], tf.int64), tf.ones([2, 1]), tf.ones([2]))
    return loss(weights, tf.zeros([3]), first, second, 2, 3, sampled_values=drawn)


@pytest.mark.parametrize("release", [None, "0.12", "1.4"])
def test_the_order_of_inputs_and_labels_is_told_by_their_kind(written_for, release):
    written_for(release)
    inputs, labels = tf.constant(X), tf.constant([[1], [1]])
    # TensorFlow 0.12.1 gave these for (inputs, labels), 1.12.3 for (labels, inputs)
    expected = {"nce_loss": [4.0682397, 10.0067625], "sampled_softmax_loss": [0.0789589, 0.0297504]}
    for name, numbers in expected.items():
        loss = getattr(tf.nn, name)
        for order in ((inputs, labels), (labels, inputs)):
            assert value(_sampled(loss, *order)).tolist() == pytest.approx(numbers, rel=1e-5)
        both = [tf.cast(labels, tf.float32), inputs]  # floats as labels: cast in the loss
        by_number = _sampled(loss, *(both[::-1] if release == "0.12" else both))
        assert value(by_number).tolist() == pytest.approx(numbers, rel=1e-5)
    sparse = tf.SparseTensor([[0, 0], [1, 0]], [1, 2], [2, 1])
    for order in ((tf.ones([5, 2, 4]), sparse), (sparse, tf.ones([5, 2, 4]))):
        assert value(tf.nn.ctc_loss(*order, [5, 5])).tolist() == pytest.approx([4.2234216] * 2)


def test_calls_of_before_0_12_whose_values_do_not_tell_need_the_release(written_for):
    def dynamic_rnn(*rest):
        cell = tf.nn.rnn_cell.BasicRNNCell(3)
        with tf.variable_scope(None, "rnn"):
            return tf.nn.dynamic_rnn(cell, tf.ones([4, 5, 2]), None, None, tf.float32, 32, *rest)[0]

    assert dynamic_rnn(True).shape == (4, 5, 3)  # swap_memory
    written_for("0.7")
    steps_first = dynamic_rnn(True)  # time_major
    assert steps_first.shape == (4, 5, 3)
    assert dynamic_rnn(False).op.type != steps_first.op.type  # turned round again at the end


def test_what_is_gone_since_0_7_says_so(written_for):
    with pytest.raises(GoneArgumentError, match=r"'dense_keys'.*since TensorFlow 0\.7: "):
        tf.parse_single_example("", dense_keys=["a"])
    with pytest.raises(GoneArgumentError, match=r"'min_value'.*since TensorFlow 0\.7: "):
        tf.image.adjust_contrast([[[1.0]]], 0.5, min_value=0.0)


def test_a_name_that_is_laid_out_after_a_call_brings_its_forms(monkeypatch):
    def function(x, axis=None, name=None):
        return x, axis, name

    rows = {"a.function": [("0.8", "x, name=None")], "b.function": [("0.9", "x, label=None")]}
    monkeypatch.setattr(_call_forms.forms, "old_forms", lambda: rows)
    monkeypatch.setitem(_call_forms.forms.PAIRS, "label", ("name",))
    first = _call_forms.adapted("a.function", function)
    assert first(1, "n") == (1, None, "n")
    assert _call_forms.adapted("b.function", function) is first
    assert first(1, label="n") == (1, None, "n")


def test_sizes_of_layers_may_be_whole_numbers_of_numpy():
    """As under Python 2, where `np.int64` is an `int`: shapes of 1.15.0 there."""
    images = tf.zeros([2, 8, 8, 3])
    two, three = np.int64(2), np.int32(3)
    made = [
        tf.layers.conv2d(images, np.int64(4), three, strides=two, padding="same"),
        tf.layers.max_pooling2d(images, two, two),
        tf.layers.dense(images, np.int64(5)),
    ]
    assert [each.shape.as_list() for each in made] == [[2, 4, 4, 4], [2, 4, 4, 3], [2, 8, 8, 5]]
    shapes = [each.shape.as_list() for each in tf.trainable_variables()]
    assert shapes == [[3, 3, 3, 4], [4], [3, 5], [5]]


def test_an_argument_that_is_taken_by_name_alone_has_no_position():
    forms = _call_forms.Forms("f", ledger.parsed("x, *, name=None"), [("1.4", "x, name=None")])
    assert forms.translated_where_it_differs((1, "n"), {}) == ((), {"x": 1, "name": "n"})
