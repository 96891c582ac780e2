"""Calls in the forms of old releases, on functions whose arguments have moved since.

What the calls give is what TensorFlow 0.12.1 and 1.4.1 gave; where each argument belongs is the ledger's.
"""

import inspect

import pytest

import tfqueue.v1 as tf
from tests.ledger import measure
from tfqueue import release
from tfqueue.names import forms, ledger
from tfqueue.names.sentence import GoneArgumentError
from tfqueue.v1 import _call_forms


@pytest.fixture
def written_for():
    """Sets the release of the program, until the end of the test."""
    yield release.assume
    release.assume(None)


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
    ],
)
def test_what_speaks_against_an_argument(parameter, default, given, can_be):
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    one = inspect.Parameter(parameter, kind, default=default)
    assert _call_forms._can_be(one, given, beside_axis=False) is can_be
