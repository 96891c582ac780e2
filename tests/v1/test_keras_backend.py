"""Functions of `keras.backend` whose numbers changed with the release.

The expected ones were printed by TensorFlow 1.5.0, 1.13.2, 1.14.0 and 1.15.5, and by Keras 2.2.4.
"""

import numpy as np
import pytest

import tfqueue.v1 as tf
from tfqueue import release
from tfqueue.port.py2 import operators

pytest.importorskip("tf_keras", reason="needs tf_keras: pip install 'tfqueue[keras]'")
pytestmark = pytest.mark.filterwarnings("ignore:the graph grew")
SURE = np.array([[0.0, 30, -30], [9, -9, 0]], "f")
CLIPPED, WHOLE = [16.1181, 16.1181], [30, 18.0001]


@pytest.fixture(autouse=True)
def without_a_session():
    yield
    tf.keras.backend.set_session(None)


def value(tensor):
    return tf.keras.backend.get_session().run(tensor)


def of_the_package(when):
    release.assume_keras(when is None)
    release.assume(when)


@pytest.mark.parametrize(
    ("when", "flat", "deep", "deep_of_the_backend"),
    [
        (None, CLIPPED, CLIPPED, CLIPPED),
        ("1.13", CLIPPED, CLIPPED, CLIPPED),
        ("1.14", WHOLE, CLIPPED, WHOLE),
        ("1.15", WHOLE, CLIPPED, WHOLE),
    ],
    ids=["keras", "1.13", "1.14", "1.15"],
)
def test_the_cross_entropy_of_a_sure_softmax(when, flat, deep, deep_of_the_backend):
    of_the_package(when)
    K, softmax = tf.keras.backend, tf.keras.activations.softmax
    x, y = K.constant(SURE), K.constant(np.eye(3)[[0, 1]])
    cross = K.categorical_crossentropy
    found = [
        cross(y, softmax(x)),
        K.sparse_categorical_crossentropy(K.constant([0, 1]), softmax(x)),
        cross(y[None], softmax(x[None]))[0],
        cross(y[None], K.softmax(x[None]))[0],
        cross(y, K.softmax(x), from_logits=True),
    ]
    expected = [flat, flat, deep, deep_of_the_backend, [1.5514, 1.5514]]
    for one, numbers in zip(value(found), expected, strict=True):
        assert one == pytest.approx(numbers, abs=1e-3)


@pytest.mark.parametrize(
    ("when", "expected"),
    [
        (None, [0, 1, 2, 2, 4, 5, 6, 6]),
        ("1.14", [0, 1, 2, 2, 4, 5, 6, 6]),
        ("1.15", [0, 0.5, 1.5, 2, 4, 4.5, 5.5, 6]),
    ],
    ids=["keras", "1.14", "1.15"],
)
@pytest.mark.parametrize("order", ["channels_last", "channels_first"])
@pytest.mark.parametrize("known", [True, False], ids=["known", "unknown"])
def test_where_bilinear_pictures_begin(when, expected, order, known):
    of_the_package(when)
    K = tf.keras.backend
    picture = np.arange(8.0).reshape(1, 2, 2, 2)
    if order == "channels_first":
        picture = picture.transpose(0, 3, 1, 2)
    x = tf.placeholder_with_default(picture.astype("f"), picture.shape if known else [None] * 4)
    found = value(K.resize_images(x, 1, 2, order, "bilinear"))
    found = np.moveaxis(found, 1, -1) if order == "channels_first" else found
    assert found.shape == (1, 2, 4, 2)
    assert found[..., 0].ravel().tolist() == expected
    assert found[..., 1].ravel().tolist() == [one + 1 for one in expected]


def test_batch_dot_of_rows():
    K = tf.keras.backend
    columns = K.batch_dot(K.constant([[1], [2]]), K.constant([[3], [5]]))
    square = K.constant([[1, 2], [3, 4]])
    assert value(columns).tolist() == [[8], [16]]
    assert value(K.batch_dot(square, square, axes=(1, 0))).tolist() == [[7], [22]]
    assert value(K.batch_dot(square, square, axes=1)).tolist() == [[5], [25]]


def test_a_range_up_to_a_tensor():
    K = tf.keras.backend
    assert value(K.arange(K.shape(K.zeros((3, 1)))[0])).tolist() == [0, 1, 2]
    assert value(K.arange(tf.constant(-2), dtype="float32")).tolist() == []


@pytest.mark.parametrize(
    ("when", "expected"), [("1.5", [4.6, 4.7]), ("1.6", [1, 2])], ids=["1.5", "1.6"]
)
def test_a_moving_average_begins(when, expected):
    of_the_package(when)
    K = tf.keras.backend
    average = K.variable([5.0, 5])
    update = K.moving_average_update(average, K.constant([1, 2]), 0.9)
    K.get_session().run(tf.global_variables_initializer())
    value(update)
    assert value(average) == pytest.approx(expected, abs=1e-4)


def test_a_separable_convolution_of_rows():
    of_the_package(None)
    from tfqueue.port.libraries.keras_parts import separable_conv1d

    K = tf.keras.backend
    kernels = (
        K.constant(np.arange(6.0).reshape(3, 2, 1)),
        K.constant(np.arange(4.0).reshape(1, 2, 2)),
    )
    x = np.arange(10.0).reshape(1, 5, 2)
    found = separable_conv1d(K.constant(x), *kernels, strides=2, padding="same")
    assert value(found).tolist() == [[[36, 62], [106, 191], [68, 118]]]
    x = K.constant(x.transpose(0, 2, 1))
    found = separable_conv1d(x, *kernels, dilation_rate=(2,), data_format="channels_first")
    assert value(found).tolist() == [[[122], [223]]]


def test_a_variable_is_not_changed_in_place():
    """Keras 2.0.8 and 2.2.4 printed these; a resource variable of TensorFlow 1 refused."""
    K = tf.keras.backend
    release.assume_keras()
    given = [K.variable(number) for number in (0.0, 6.0, 1.0, 8.0, 3.0)]
    loss, product, rest, half, square = given
    loss += K.constant(3.0)
    loss += 2
    product *= 2
    rest -= 0.5
    half /= 2
    square **= 2
    of_python_2 = K.variable(6.0), K.variable(7, dtype="int32")
    quarter, whole = operators.idiv(of_python_2[0], 4), operators.idiv(of_python_2[1], 2)
    with tf.Session() as session:
        session.run([one.initializer for one in (*given, *of_python_2)])
        assert session.run([quarter, whole, *of_python_2]) == [1.5, 3, 6, 7]
        assert session.run([loss, product, rest, half, square]) == [5, 12, 0.5, 4, 9]
        assert session.run(given) == [0, 6, 1, 8, 3]
    release.assume_keras(False)
    with pytest.raises(RuntimeError, match=r"`variable \+= value`"):
        given[0] += 1
    with pytest.raises(RuntimeError, match=r"`variable /= value`|`var /= value`"):
        operators.idiv(given[0], 2)


def test_paddings_of_one_number_for_both_sides():
    """Keras 1.2.2 printed these; `tf.keras` never took them."""
    from tfqueue.port.libraries import keras_1

    K = tf.keras.backend
    release.assume_keras()
    x = K.constant(np.arange(4.0).reshape(1, 2, 2, 1) + 1)
    row = K.constant(np.ones((1, 2, 1)))
    padded = [
        K.spatial_2d_padding(x, (1, 2)),
        K.spatial_2d_padding(x, padding=((0, 1), (1, 0))),
        K.temporal_padding(row, 2),
        keras_1.asymmetric_temporal_padding(row, 1, 2),
        keras_1.asymmetric_spatial_2d_padding(x, top_pad=0, left_pad=2),
        keras_1.asymmetric_spatial_2d_padding(x, 1, 0, 0, 1, "tf"),
    ]
    assert [value(one)[0, ..., 0].tolist() for one in padded] == [
        [[0] * 6, [0, 0, 1, 2, 0, 0], [0, 0, 3, 4, 0, 0], [0] * 6],
        [[0, 1, 2], [0, 3, 4], [0, 0, 0]],
        [0, 0, 1, 1, 0, 0],
        [0, 1, 1, 0, 0],
        [[0, 0, 1, 2, 0], [0, 0, 3, 4, 0], [0] * 5],
        [[0, 0, 0], [1, 2, 0], [3, 4, 0]],
    ]
    cube = K.spatial_3d_padding(K.constant(np.ones((1, 2, 2, 2, 1))), (1, 0, 2))
    assert cube.shape.as_list() == [1, 4, 2, 6, 1]
    release.assume_keras(False)
    with pytest.raises((TypeError, AssertionError)):
        K.spatial_2d_padding(x, (1, 2))
