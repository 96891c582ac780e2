"""Static shapes that ops of today leave open, and those of TensorFlow 1 knew; all as in 1.15.5."""

import numpy as np
import pytest

import tfqueue.v1 as tf

FLIPS = ["flip_left_right", "flip_up_down", "random_flip_left_right", "rot90", "transpose_image"]


@pytest.mark.parametrize("name", FLIPS)
@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (None, [None] * 3),
        ([None, None, 3], [None, None, 3]),
        ([2, None, None, 1], [2, None, None, 1]),
    ],
)
def test_an_image_that_is_turned_has_three_dimensions(name, given, expected):
    made = getattr(tf.image, name)(tf.placeholder(tf.float32, given))
    assert made.shape.as_list() == expected


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ([2, 4, 4, 1], [2, 4, 4, 1]),
        ([-1, 4, 4, 1], [None, 4, 4, 1]),
        ([0, 4, 4, 1], [0, 4, 4, 1]),
        (tf.TensorShape([2, 4, 4, 1]), [2, 4, 4, 1]),
        ("known", [2, 4, 4, 1]),
        ("part", None),
        ("unknown", None),
    ],
    ids=str,
)
@pytest.mark.parametrize("by_name", [False, True])
def test_what_is_deconvolved_has_the_shape_that_was_told(told, expected, by_name):
    if isinstance(told, str) and told == "known":
        told = tf.constant([2, 4, 4, 1])
    elif isinstance(told, str) and told == "part":
        told = [tf.placeholder(tf.int32, []), 4, 4, 1]
    elif isinstance(told, str):
        told = tf.placeholder(tf.int32, [4])
    images, kernel = tf.placeholder(tf.float32), tf.zeros([3, 3, 1, 5])
    if by_name:
        made = tf.nn.conv2d_transpose(images, kernel, output_shape=told, strides=[1, 2, 2, 1])
    else:
        made = tf.nn.conv2d_transpose(images, kernel, told, [1, 2, 2, 1])
    if expected is not None:
        assert made.shape.as_list() == expected
    else:
        assert made.shape.rank in (None, 4)


def test_contrast_of_half_floats():
    images = np.arange(27).reshape(3, 3, 3).astype(np.float16)
    with tf.Session() as sess:
        found = sess.run(tf.image.adjust_contrast(images, 0.5))
        whole = sess.run(tf.image.adjust_contrast(images.astype(np.float32), 0.5))
    assert (found.dtype, found.ravel()[:5].tolist()) == (np.float16, [6.0, 7.0, 8.0, 7.5, 8.5])
    assert (whole.dtype, whole.tolist()) == (np.float32, found.tolist())


@pytest.mark.parametrize("space", ["image", "io"])
@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ([[[3]]], 771),
        (np.array([[[3]]]), 771),
        (np.array([[[3.0]]]), 771),
        (np.array([[[300]]], np.uint16), 11308),
        ("tensor", 300),
        ("list", 300),
    ],
    ids=str,
)
def test_a_picture_that_is_no_tensor_is_one_of_bytes(space, given, expected):
    if isinstance(given, str):
        tensor = tf.constant([[[300]]], tf.uint16)
        given = tensor if given == "tensor" else [tensor[0]]
    read = tf.image.decode_png(getattr(tf, space).encode_png(given), dtype=tf.uint16)
    with tf.Session() as sess:
        assert sess.run(read).tolist() == [[[expected]]]
