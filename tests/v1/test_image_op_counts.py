"""Changes of images count as in the release, for the seeds of what is random behind them.

The numbers are those of TensorFlow 1.4.1, 1.5.0, 1.8.0, 1.9.0, 1.13.2, 1.14.0 and 1.15.5.
"""

import pytest

import tfqueue.v1 as tf
from tfqueue import release

RELEASES = ("1.4", "1.5", "1.8", "1.9", "1.13", "1.14", "1.15")
FLOAT, BYTES = (tf.float32, [8, 8, 3]), (tf.uint8, [8, 8, 3])
WIDE, DECODED = (tf.float32, [None, 8, 3]), (tf.float32, [None, None, None])
BATCH = (tf.float32, [None, 8, 8, 3])
GREY = (tf.float32, [None, None, 1])
ROWS = [  # function, image, the other arguments; how many ops that is in each release that has it
    ("per_image_standardization", FLOAT, (), (18, 18, 18, 18, 22, 22, 23)),
    ("per_image_standardization", BYTES, (), (19, 19, 19, 19, 23, 23, 32)),
    ("per_image_standardization", DECODED, (), (26, 26, 26, 26, 30, 42, 45)),
    ("per_image_standardization", BATCH, (), (None, None, None, None, 30, 42, 45)),
    ("resize_image_with_crop_or_pad", FLOAT, (6, 6), (14, 14, 14, 14, 14, 14, 14)),
    ("resize_image_with_crop_or_pad", BYTES, (6, 6), (14, 14, 14, 14, 14, 14, 14)),
    ("resize_image_with_crop_or_pad", DECODED, (6, 6), (136, 136, 136, 136, 136, 172, 178)),
    ("resize_image_with_crop_or_pad", WIDE, (6, 6), (97, 97, 97, 97, 97, 133, 139)),
    ("resize_image_with_crop_or_pad", BATCH, (6, 6), (43, 43, 43, 43, 43, 79, 85)),
    ("pad_to_bounding_box", FLOAT, (1, 1, 10, 10), (8, 8, 8, 8, 8, 8, 8)),
    ("pad_to_bounding_box", DECODED, (1, 1, 10, 10), (38, 38, 38, 38, 38, 50, 52)),
    ("pad_to_bounding_box", BATCH, (1, 1, 10, 10), (15, 15, 15, 15, 15, 27, 29)),
    ("crop_to_bounding_box", FLOAT, (1, 1, 4, 4), (7, 7, 7, 7, 7, 7, 7)),
    ("crop_to_bounding_box", DECODED, (1, 1, 4, 4), (27, 27, 27, 27, 27, 39, 41)),
    ("crop_to_bounding_box", BATCH, (1, 1, 4, 4), (14, 14, 14, 14, 14, 26, 28)),
    ("central_crop", FLOAT, (0.5,), (43, 43, 43, 4, 4, 4, 4)),
    ("central_crop", DECODED, (0.5,), (51, 51, 51, 44, 44, 56, 58)),
    ("central_crop", WIDE, (0.5,), (51, 51, 51, 31, 31, 43, 45)),
    ("central_crop", BATCH, (0.5,), (None, None, None, 12, 12, 24, 26)),
    ("flip_left_right", FLOAT, (), (3, 3, 3, 3, 3, 3, 3)),
    ("flip_left_right", DECODED, (), (11, 11, 11, 11, 11, 23, 25)),
    ("random_flip_left_right", FLOAT, (), (19, 19, 19, 19, 19, 19, 19)),
    ("random_flip_left_right", BYTES, (), (19, 19, 19, 19, 19, 19, 19)),
    ("random_flip_left_right", DECODED, (), (27, 27, 27, 27, 27, 39, 41)),
    ("rot90", FLOAT, (), (77, 63, 63, 63, 63, 63, 63)),
    ("rot90", DECODED, (), (85, 71, 71, 71, 71, 83, 85)),
    ("random_brightness", FLOAT, (0.3,), (10, 10, 10, 10, 10, 9, 9)),
    ("random_brightness", BYTES, (0.3,), (18, 18, 18, 18, 18, 18, 18)),
    ("random_brightness", DECODED, (0.3,), (10, 10, 10, 10, 10, 9, 9)),
    ("random_contrast", FLOAT, (0.2, 1.8), (10, 10, 10, 10, 10, 9, 9)),
    ("random_contrast", BYTES, (0.2, 1.8), (18, 18, 18, 18, 18, 18, 18)),
    ("random_hue", FLOAT, (0.1,), (27, 10, 10, 10, 10, 9, 9)),
    ("random_hue", BYTES, (0.1,), (31, 14, 14, 14, 14, 14, 14)),
    ("random_saturation", FLOAT, (0.5, 1.5), (27, 10, 10, 10, 10, 9, 9)),
    ("random_saturation", BYTES, (0.5, 1.5), (31, 14, 14, 14, 14, 14, 14)),
    ("adjust_gamma", FLOAT, (2.0,), (7, 7, 7, 7, 7, 5, 5)),
    ("grayscale_to_rgb", GREY, (), (13, 13, 13, 13, 13, 44, 46)),
    ("rgb_to_grayscale", FLOAT, (), (10, 10, 16, 16, 16, 16, 16)),
    ("rgb_to_grayscale", DECODED, (), (10, 10, 46, 46, 30, 30, 30)),
    ("convert_image_dtype", FLOAT, (tf.uint8, True), (7, 7, 7, 7, 7, 7, 7)),
    ("resize_image_with_pad", DECODED, (6, 6), (None, None, None, None, 92, 116, 120)),
    ("resize_image_with_pad", BATCH, (6, 6), (None, None, None, None, 93, 117, 121)),
]


@pytest.fixture(params=RELEASES)
def known(request):
    """The release that the program is known to be from."""
    former = release.assume(request.param)
    yield request.param
    release.assume(former)


def drawn_behind(function, *arguments):
    """The seed of what is drawn behind a function of placeholders, as a distance from the one before it."""
    with tf.Graph().as_default():
        tf.set_random_seed(7)
        given = [tf.placeholder(*argument) for argument in arguments]
        before = tf.get_seed(None)[1]
        function(*given)
        return tf.get_seed(None)[1] - before


@pytest.mark.parametrize(("name", "image", "others", "expected"), ROWS)
def test_what_changes_an_image_counts_as_in_the_release(name, image, others, expected, known):
    count = expected[RELEASES.index(known)]
    if count is not None:
        function = getattr(tf.image, name)
        assert drawn_behind(lambda given: function(given, *others), image) == count


@pytest.mark.parametrize(("of", "expected"), [("1.4", (12, 39)), ("1.15", (26, 67))])
def test_the_draw_inside_stands_where_it_stood(of, expected):
    """The seed of a flip of a decoded image, and of one behind it."""
    former = release.assume(of)
    try:
        with tf.Graph().as_default() as graph:
            tf.set_random_seed(7)
            image = tf.placeholder(*DECODED)
            before = tf.get_seed(None)[1]
            tf.image.random_flip_left_right(image)
            tf.image.random_flip_up_down(image)
            draws = [op for op in graph.get_operations() if op.type == "RandomUniform"]
            assert tuple(op.get_attr("seed2") - before for op in draws) == expected
    finally:
        release.assume(former)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("adjust_contrast", {"images": [[[1.0]]], "contrast_factor": 2.0}),
        ("rgb_to_grayscale", {"images": [[[1.0, 2.0, 3.0]]]}),
        ("per_image_standardization", {"image": [[[1.0, 2.0, 3.0]]]}),
        ("central_crop", {"image": [[[1.0]]], "central_fraction": 1.0}),
    ],
)
def test_an_image_may_be_a_list_and_named(name, words):
    assert getattr(tf.image, name)(**words).shape.rank == 3


def test_what_is_cast_within_its_bounds_counts_as_then():
    counts = [
        drawn_behind(lambda x, kind=kind: tf.saturate_cast(x, kind), (given, [3]))
        for given, kind in [(tf.float32, tf.uint8), (tf.uint8, tf.int32), (tf.int32, tf.int32)]
    ]
    assert counts == [5, 1, 0]
