"""Functions whose arguments stood in another order, or meant something else, in TensorFlow's first years.

Values and names are those of 0.12.1, 1.4.1 and 1.15.5, where they take the form.
"""

import collections

import numpy as np
import pytest

import tfqueue.v1 as tf
from tfqueue import release
from tfqueue.v1 import _old_functions, rnn_cell

IMAGE = np.arange(2 * 3 * 3).reshape([2, 3, 3]).astype(np.float32)


def value(tensor):
    with tf.Session() as sess:
        return sess.run(tensor)


@pytest.mark.parametrize(
    ("old", "today"),
    [
        ((4, 5), {}),
        ((4, 5, 1), {"method": 1}),
        ((4, 5, 0), {"method": 0}),
        ((4, 5, 1, True), {"method": 1, "align_corners": True}),
        ((4, 5, 0, True), {"align_corners": True}),
        ((np.int32(4), np.int64(5), 2), {"method": 2}),
    ],
)
def test_an_image_is_resized_to_two_numbers(old, today):
    made = tf.image.resize_images(IMAGE, *old)
    assert made.shape.as_list() == [4, 5, 3]
    assert np.array_equal(value(made), value(tf.image.resize_images(IMAGE, [4, 5], **today)))


def test_an_image_is_resized_to_two_tensors():
    made = tf.image.resize_images(IMAGE, tf.constant(4), tf.constant(5), 1)
    expected = tf.image.resize_images(IMAGE, [4, 5], 1)
    assert np.array_equal(value(made), value(expected))


def test_a_resized_image_may_keep_its_ratio():
    arguments = {"preserve_aspect_ratio": True, "align_corners": True}
    assert tf.image.resize_images(IMAGE, [4, 4], **arguments).shape.as_list() == [3, 4, 3]
    corners = value(tf.image.resize_images(IMAGE, [4, 5]))
    assert not np.array_equal(corners, value(tf.image.resize_images(IMAGE, [4, 5], 0, True)))


ROWS = [[1, 2], [3, 4]]


@pytest.mark.parametrize(
    ("how", "expected"),
    [
        ({"dims": [False, True]}, [[2, 1], [4, 3]]),
        ({"dims": np.array([True, False])}, [[3, 4], [1, 2]]),
        ({"axis": [1]}, [[2, 1], [4, 3]]),
        ({"axis": [-2]}, [[3, 4], [1, 2]]),
    ],
)
def test_rows_are_reversed(how, expected):
    assert value(tf.reverse(ROWS, **how)).tolist() == expected
    if "dims" in how:
        dims = tf.constant(how["dims"])
        assert value(tf.reverse(ROWS, dims=dims)).tolist() == expected


@pytest.mark.parametrize(
    "flags", [[False, True], (False, True), np.array([False, True]), "a tensor"], ids=str
)
def test_flags_are_dimensions_up_to_0_12_alone(flags):
    if isinstance(flags, str):
        flags = tf.constant([False, True])
    with pytest.raises(TypeError, match=r"up to 0\.12"):
        tf.reverse(ROWS, flags)
    release.assume("0.12")
    try:
        assert value(tf.reverse(ROWS, flags)).tolist() == [[2, 1], [4, 3]]
        assert value(tf.reverse(ROWS, [0])).tolist() == [[3, 4], [1, 2]]
    finally:
        release.assume(None)


@pytest.mark.parametrize(
    ("given", "dtype"),
    [
        (([2, 3],), tf.float32),
        (([2, 3], tf.int32), tf.int32),
        (((2, 3), tf.int32), tf.int32),
        ((tf.TensorShape([2, 3]),), tf.float32),
    ],
)
@pytest.mark.parametrize("name", ["zeros_initializer", "ones_initializer"])
def test_an_initializer_may_be_called_with_a_shape(name, given, dtype):
    initializer = getattr(tf, name)
    number = int(name.startswith("ones"))
    made = initializer(*given)
    assert made.dtype == dtype
    assert value(made).tolist() == [[number] * 3] * 2
    if dtype == tf.int32:
        assert initializer(shape=given[0], dtype=dtype).dtype == dtype
    of_today = initializer(tf.int64)
    assert isinstance(of_today, getattr(_old_functions._tf, name))
    assert value(of_today([2])).tolist() == [number] * 2
    assert of_today([2]).dtype == tf.int64


@pytest.mark.parametrize("adj_x", [False, True])
@pytest.mark.parametrize("adj_y", [False, True])
def test_matrices_in_batches_may_be_adjoint(adj_x, adj_y):
    x = np.arange(8).reshape([2, 2, 2]) * (1 + 1j)
    y = x[::-1] + 1j

    def adjoint(matrices, turned):
        return matrices.conj().transpose(0, 2, 1) if turned else matrices

    found = tf.batch_matmul(x, y, adj_x, adj_y, "product")
    assert found.op.name == "product"
    assert np.allclose(value(found), adjoint(x, adj_x) @ adjoint(y, adj_y))
    assert np.allclose(value(tf.batch_matmul(x, y)), x @ y)


def test_a_scope_may_be_told_what_is_in_it():
    x = tf.constant(1.0)
    with tf.name_scope("loss", [x]):
        assert (x + 1).op.name == "loss/add"
    with tf.name_scope(None, "default", [x]):
        assert (x + 1).op.name == "default/add"
    with tf.name_scope("given", "default", [x]):
        assert (x + 1).op.name == "given/add"
    with tf.name_scope("given", None, [x]):
        assert (x + 1).op.name == "given_1/add"
    with pytest.raises(TypeError), tf.name_scope(None, [x]):
        pass


# -- what cells are made of ------------------------------------------------------------------------


def linear(*args, **kwargs):
    with tf.variable_scope("w", reuse=tf.AUTO_REUSE):
        made = rnn_cell._linear(*args, **kwargs)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        return sess.run(made).tolist()


ONES = tf.ones_initializer


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({"bias": False}, 10.0),
        ({"bias": True}, 10.0),
        ({"bias": True, "bias_start": 2.0}, 12.0),
        ({"bias": True, "bias_initializer": tf.constant_initializer(4.0)}, 14.0),
    ],
)
def test_inputs_are_joined_and_multiplied(more, expected):
    parts = [tf.constant([[1.0, 2.0]]), tf.constant([[3.0, 4.0]])]
    found = linear(parts, 3, kernel_initializer=ONES(), **more)
    assert found == [[expected] * 3]
    assert linear(tf.concat(parts, 1), 3, kernel_initializer=ONES(), **more) == found
    assert linear([tf.concat(parts, 1)], 3, kernel_initializer=ONES(), **more) == found


def test_a_number_where_the_bias_begins_is_its_start():
    """The fourth argument up to 1.1; an initializer of the bias stands there since."""
    for start in (3, 3.0):
        assert linear(tf.ones([1, 2]), 1, True, start, kernel_initializer=ONES()) == [[5.0]]


@pytest.mark.parametrize(
    ("build", "says"),
    [
        (lambda: None, "at least one tensor"),
        (list, "at least one tensor"),
        (lambda: [tf.zeros([1, 2]), None], "at least one tensor"),
        (lambda: tf.zeros([1, 2, 3]), "with n known"),
        (lambda: tf.placeholder(tf.float32, [1, None]), "with n known"),
        (lambda: [tf.zeros([1, 2]), tf.placeholder(tf.float32)], "with n known"),
    ],
)
def test_what_cannot_be_joined_is_refused(build, says):
    with pytest.raises(ValueError, match=says):
        rnn_cell._linear(build(), 3, False)


def test_a_cell_is_told_by_what_it_has():
    rnn_cell.assert_like_rnncell("cell", rnn_cell.GRUCell(3))
    with pytest.raises(TypeError, match=r"The argument 'cell' \(3\) is not an RNNCell"):
        rnn_cell.assert_like_rnncell("cell", 3)
    with pytest.raises(TypeError):
        rnn_cell.assert_like_rnncell("cell", abs)


@pytest.mark.parametrize(
    ("build", "width"),
    [
        (lambda: tf.zeros([2, 3]), 3),
        (lambda: tf.zeros([4]), 4),
        (lambda: tf.zeros([]), None),
        (lambda: tf.placeholder(tf.float32), None),
        (lambda: tf.placeholder(tf.float32, [2, None]), None),
        (lambda: np.zeros([2, 3]), None),
        (lambda: 3, None),
    ],
)
def test_how_many_columns_are_known(build, width):
    assert rnn_cell._width(build()) == width


@pytest.fixture
def old():
    former = release.assume("1.1")
    yield
    release.assume(former)


def branched(first, second):
    with tf.Graph().as_default(), tf.Session() as sess:
        both = tf.constant(1.0), tf.constant(2.0)
        pred = tf.placeholder(tf.bool, [])
        found = tf.cond(pred, lambda: first(both), lambda: second(both[::-1]))
        kind = type(found) if isinstance(found, (list, tuple)) else tf.Tensor
        return kind, [sess.run(found, {pred: value}) for value in (True, False)]


Pair = collections.namedtuple("Pair", "x y")
EVERY = [list, tuple, lambda both: Pair(*both)]


@pytest.mark.parametrize("first", EVERY)
@pytest.mark.parametrize("second", EVERY)
def test_up_to_1_1_branches_are_any_sequences_of_one_length(old, first, second):
    assert branched(first, second) == (list, [[1.0, 2.0], [2.0, 1.0]])


@pytest.mark.parametrize(("first", "second"), [(list, tuple), (tuple, list)])
def test_a_list_and_a_tuple_are_branches_of_up_to_1_1(first, second):
    assert branched(first, second) == (list, [[1.0, 2.0], [2.0, 1.0]])


def test_branches_have_the_structure_that_1_15_gave_them():
    assert branched(tuple, tuple) == (tuple, [(1.0, 2.0), (2.0, 1.0)])
    assert branched(EVERY[2], EVERY[2]) == (Pair, [Pair(1.0, 2.0), Pair(2.0, 1.0)])
    assert branched(lambda both: [both[0]], lambda both: both[0]) == (tf.Tensor, [1.0, 2.0])
    with pytest.raises(TypeError, match="same nested structure"):
        branched(EVERY[2], list)
    with tf.Graph().as_default():
        found = tf.cond(
            tf.constant(True), lambda: [tf.constant(1.0)], lambda: [tf.constant(1.0)], strict=True
        )
        assert isinstance(found, list)


def test_branches_of_two_lengths_are_an_error(old):
    with pytest.raises(ValueError, match="same nested structure"):
        branched(list, lambda both: [both[0]])


@pytest.mark.parametrize("as_dict", [False, True])
@pytest.mark.parametrize(("first", "second"), [(list, tuple), (tuple, list)])
def test_branches_of_a_case_are_those_of_up_to_1_1(first, second, as_dict):
    with tf.Graph().as_default(), tf.Session() as sess:
        one, two = tf.constant(1.0), tf.constant(2.0)
        pred = tf.placeholder(tf.bool, [])
        pairs = [(pred, lambda: first([one, two]))]
        found = tf.case(dict(pairs) if as_dict else pairs, lambda: second([two, one]))
        assert isinstance(found, list)
        assert [sess.run(found, {pred: value}) for value in (True, False)] == [[1, 2], [2, 1]]
        assert isinstance(tf.case(pairs, lambda: first([two, one])), first)
        with pytest.raises(TypeError, match="must be callable"):
            tf.case([(pred, 3)], lambda: 4)


FLOWS = {
    "none": lambda x, pred: tf.log(x),
    "cond": lambda x, pred: tf.cond(pred, lambda: x * 2, lambda: x * 3),
    "behind": lambda x, pred: tf.log(tf.cond(pred, lambda: x * 2, lambda: x)),
    "loop": lambda x, pred: tf.while_loop(lambda i, _: i < 3, lambda i, v: (i + 1, v * 2), [0, x])[1],
}  # fmt: skip


@pytest.mark.parametrize(("flow", "found"), [("none", None), ("cond", -2), ("behind", np.nan)])
def test_checks_of_all_numbers_take_conditions_up_to_1_3(flow, found, recwarn):
    """As in 1.2.1; 1.3.0 has no check of conditions, 1.4.1 has it."""
    former = release.assume("1.3")
    try:
        with tf.Graph().as_default(), tf.Session() as sess:
            x, pred = tf.placeholder(tf.float32, []), tf.placeholder(tf.bool, [])
            made = FLOWS[flow](x, pred)
            step = [made, tf.add_check_numerics_ops()]
            if found is None:
                with pytest.raises(tf.errors.InvalidArgumentError, match="NaN"):
                    sess.run(step, {x: -1, pred: True})
            else:
                given = sess.run(step, {x: -1, pred: True})[0]
                assert given == pytest.approx(found, nan_ok=True)
            assert sess.run(step, {x: 1, pred: False})[1] is None
    finally:
        release.assume(former)
    assert ["may leave out" in str(each.message) for each in recwarn] == [True] * (flow != "none")


@pytest.mark.parametrize("known", ["1.3", "1.4", None])
@pytest.mark.parametrize("flow", ["cond", "loop"])
def test_checks_of_all_numbers_name_the_era(flow, known, recwarn):
    former = release.assume(known)
    try:
        with tf.Graph().as_default(), tf.Session() as sess:
            x, pred = tf.placeholder(tf.float32, []), tf.placeholder(tf.bool, [])
            made = FLOWS[flow](x, pred)
            if known != "1.3":
                with pytest.raises(ValueError, match=r"as with --era 1\.3"):
                    tf.add_check_numerics_ops()
            else:  # a loop ended the step in 1.2.1
                assert sess.run([made, tf.add_check_numerics_ops()], {x: 1, pred: True})[0] > 1
    finally:
        release.assume(former)
    assert len(recwarn) == (known == "1.3")
