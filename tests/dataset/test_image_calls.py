"""Which ops of a step are one call of a function of `tf.image`."""

import pytest

import tfqueue.v1 as tf
from tfqueue.dataset import image_calls


def ops_behind(image):
    return [op for op in tf.get_default_graph().get_operations() if op is not image.op]


@pytest.mark.parametrize(
    ("function", "text"),
    [
        (
            lambda image: tf.image.resize_image_with_crop_or_pad(image, 4, 2),
            "tf.image.resize_with_crop_or_pad({}, 4, 2)",
        ),
        (tf.image.per_image_standardization, "tf.image.per_image_standardization({})"),
        (lambda image: tf.random_crop(image, [2, 3, 3]), "tf.image.random_crop({}, [2, 3, 3])"),
        (tf.image.random_flip_left_right, "tf.image.random_flip_left_right({})"),
        (tf.image.random_flip_up_down, "tf.image.random_flip_up_down({})"),
    ],
)
def test_a_call_is_found_with_its_argument_and_its_result(function, text):
    image = tf.placeholder(tf.float32, [5, 7, 3])
    result = function(image)
    ops = ops_behind(image)
    found = image_calls.find(ops, [result])
    [call] = set(found.values())
    assert (call.template, call.source, call.result) == (text, image, result)
    assert set(call.ops) == set(found) <= set(ops)
    assert result.op in found


def test_what_is_used_of_its_inside_keeps_a_call_apart():
    image = tf.placeholder(tf.float32, [5, 7, 3])
    result = tf.image.per_image_standardization(image)
    inside = next(op for op in ops_behind(image) if op.type == "Mean")
    assert image_calls.find(ops_behind(image), [result, inside.outputs[0]]) == {}


def test_a_seed_keeps_a_call_apart():
    image = tf.placeholder(tf.float32, [5, 7, 3])
    result = tf.image.random_flip_up_down(image, seed=3)
    assert image_calls.find(ops_behind(image), [result]) == {}


def test_a_function_of_the_programs_with_the_name_of_one_is_not_it():
    def random_crop(image):
        with tf.name_scope("random_crop"):
            return 2.0 * tf.image.per_image_standardization(image)

    image = tf.placeholder(tf.float32, [5, 7, 3])
    result = random_crop(image)
    assert image_calls.find(ops_behind(image), [result]) == {}


def test_a_call_within_a_call_is_a_part_of_it():
    image = tf.placeholder(tf.float32, [5, 7, 3])
    with tf.name_scope("outer"):
        cropped = tf.image.resize_image_with_crop_or_pad(image, 4, 2)
    result = tf.image.random_flip_up_down(cropped)
    found = image_calls.find(ops_behind(image), [result])
    assert sorted({call.template for call in found.values()}) == [
        "tf.image.random_flip_up_down({})",
        "tf.image.resize_with_crop_or_pad({}, 4, 2)",
    ]
    assert all(op in call.ops for op, call in found.items())
