"""Tensors given to functions of numpy (recorded with TensorFlow 1.4.1 and 1.15.5)."""

import numpy as np
import pytest

import tfqueue.v1 as tf
from tfqueue.port.runtime import np_array, of_tensors


@pytest.fixture
def tensors():
    """A matrix and a number, in a graph with a session."""
    with tf.Graph().as_default(), tf.Session():
        yield tf.constant([[1.0, -2.0], [3.0, 4.0]]), tf.constant(2.0)


def test_a_tensor_is_a_single_number_for_ones_like():
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.placeholder(tf.int32, [None])
        one = of_tensors(np.ones_like, x)
        assert (one.shape, one.dtype, one.item()) == ((), object, 1)
        assert of_tensors(np.zeros_like, x, dtype=np.float32).dtype == np.float32
        assert of_tensors(np.ones_like, [x, x]).tolist() == [1, 1]
        equal, product = tf.equal(x, one), x * of_tensors(np.zeros_like, x)
        found = sess.run([equal, product], {x: [1, 2]})
    assert [part.tolist() for part in found] == [[True, False], [0, 0]]
    assert of_tensors(np.ones_like, np.zeros(2)).tolist() == [1.0, 1.0]


# (the call, the type of the op that it makes, its value)
RECORDED = [
    (lambda c, s: of_tensors(np.sum, [c, c]), "AddV2", [[2, -4], [6, 8]]),
    (lambda c, s: of_tensors(np.sum, [s, 1.0]), "AddV2", 3),
    (lambda c, s: of_tensors(np.prod, [s, s, 3]), "Mul", 12),
    (lambda c, s: of_tensors(np.sum, c), "Const", [[1, -2], [3, 4]]),
    (lambda c, s: of_tensors(np.max, c), "Const", [[1, -2], [3, 4]]),
    (lambda c, s: of_tensors(np.abs, c), "Abs", [[1, 2], [3, 4]]),
    (lambda c, s: of_tensors(np.square, c), "Mul", [[1, 4], [9, 16]]),
    (lambda c, s: of_tensors(np.power, c, 2), "Pow", [[1, 4], [9, 16]]),
    (lambda c, s: of_tensors(np.negative, s), "Neg", -2),
    (lambda c, s: of_tensors(np.multiply, 2, s), "Mul", 4),
    (lambda c, s: of_tensors(np.dot, [1.0, 2.0], [s, s]), "AddV2", 6),
]


@pytest.mark.parametrize(("call", "op", "value"), RECORDED, ids=range(len(RECORDED)))
def test_a_function_of_numpy_makes_a_tensor(tensors, call, op, value):
    found = call(*tensors)
    assert found.op.type == op
    assert np.array_equal(found.eval(), value)


# (the list, the array's shape)
ARRAYS = [
    (lambda c, s: c, ()),
    (lambda c, s: [c, c], (2,)),
    (lambda c, s: [s, 1.0, None], (3,)),
    (lambda c, s: [[s, s], (s, s)], (2, 2)),
    (lambda c, s: [[s, s], [s]], (2,)),
    (lambda c, s: [c, [c]], (2,)),
    (lambda c, s: [s, np.zeros(2)], (2,)),
    (lambda c, s: [[s, s], np.zeros(2)], (2, 2)),
]


@pytest.mark.parametrize(("make", "shape"), ARRAYS, ids=range(len(ARRAYS)))
def test_lists_of_tensors_are_arrays_of_objects(tensors, make, shape):
    value = make(*tensors)
    for found in (of_tensors(np.array, value), np_array(value)):
        assert (found.shape, found.dtype) == (shape, object)
        assert len(shape) != 1 or all(one is other for one, other in zip(found, value, strict=True))


def test_sums_go_along_an_axis(tensors):
    _, s = tensors
    assert [one.eval() for one in of_tensors(np.sum, [[s, 1.0], [s, s]], axis=0)] == [4, 3]
    assert of_tensors(np.concatenate, [[s], [s]]).shape == (2,)


def test_what_numpy_refuses_otherwise_is_refused():
    with pytest.raises(NotImplementedError, match="3"):
        np_array([Refusing()])


class Refusing:
    """What numpy cannot make an array of."""

    def __array__(self, *_args, **_words):
        raise NotImplementedError("3")


def test_what_numpy_tells_of_a_list_of_tensors(tensors):
    """A list of them is an array of objects; a tensor has a shape of its own."""
    c, s = tensors
    assert of_tensors(np.shape, [c, s]) == (2,)
    assert of_tensors(np.shape, [[c], [s]]) == (2, 1)
    assert of_tensors(np.shape, c) == (2, 2)
    assert (of_tensors(np.ndim, [c]), of_tensors(np.size, [c, s])) == (1, 2)
    assert of_tensors(np.array_equal, [c], [c])
    assert not of_tensors(np.array_equal, [c], [s])
    assert of_tensors(np.take, [c, s], 0) is c
    flipped = of_tensors(np.flip, [c, s], 0)
    assert [one is other for one, other in zip(flipped, [s, c], strict=True)] == [True, True]
    assert (flipped.dtype, of_tensors(np.repeat, [c], 2).shape) == (object, (2,))
    assert [part.shape for part in of_tensors(np.array_split, [c, s], 2)] == [(1,), (1,)]
