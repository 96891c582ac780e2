"""What is computed of an example: strings, numbers, sparse values, images, shapes."""

import numpy as np

from ..kit import program


def _of_a_line(name, compute, size=9, **options):
    """A program that batches what `compute` makes of a line of text."""

    def run(tf, s):
        found = compute(tf, s.line(170))
        s.run(tf.train.batch(list(found) if isinstance(found, tuple) else [found], size, **options))

    run.__name__ = name
    program(run)


def _of_a_number(name, compute, size=8, close=False, **options):
    """A program that batches what `compute` makes of a number."""

    def run(tf, s):
        found = compute(tf, s.number())
        s.run(tf.train.batch(list(found) if isinstance(found, tuple) else [found], size, **options))

    run.__name__ = name
    program(run, close=close)


_of_a_line("substrings", lambda tf, x: tf.strings.substr(x, -2, 2))
_of_a_line("lengths", lambda tf, x: (tf.strings.length(x), x))
_of_a_line("joined_strings", lambda tf, x: tf.string_join([x, "b", x], "-"))
_of_a_line("replaced", lambda tf, x: tf.strings.regex_replace(x, r"(\d)\.", r"<\1>"))
_of_a_line("matched", lambda tf, x: tf.strings.regex_full_match(x, r".*7"))
_of_a_line("numbers_of_strings", lambda tf, x: tf.string_to_number(x, tf.float64))
_of_a_line("hashed", lambda tf, x: tf.strings.to_hash_bucket_fast(x, 1000))
_of_a_line("hashed_strongly", lambda tf, x: tf.strings.to_hash_bucket_strong(x, 1000, [1, 2]))
_of_a_line("split_in_two", lambda tf, x: tf.reshape(tf.string_split([x], ".").values, [2]))
_of_a_line("upper_and_lower", lambda tf, x: tf.strings.upper(tf.string_join([x, "aB"])))
_of_a_line("stripped", lambda tf, x: tf.strings.strip(tf.string_join(["  ", x, " "])))
_of_a_line("base64", lambda tf, x: tf.decode_base64(tf.encode_base64(x)))
_of_a_line("unicode", lambda tf, x: tf.strings.unicode_decode(x, "UTF-8"), size=7, dynamic_pad=True)
_of_a_line(
    "bytes_of_strings",
    lambda tf, x: tf.decode_raw(tf.strings.substr(tf.string_join([x, "    "]), 0, 4), tf.uint8),
    shapes=[[4]],
)
_of_a_line(
    "packed_and_parsed",
    lambda tf, x: tf.parse_tensor(tf.serialize_tensor(x), tf.string),
    shapes=[[]],
)
_of_a_line("joined_by_reduce", lambda tf, x: tf.reduce_join(tf.stack([x, x, x]), 0))

_of_a_number("text_of_numbers", lambda tf, n: tf.as_string(n, width=5, fill="0"))
_of_a_number("one_hot", lambda tf, n: tf.one_hot(n % 6, 6))
_of_a_number("divided", lambda tf, n: (n // 7, n % 7, tf.truediv(n, 7), tf.floordiv(-n, 7)))
_of_a_number(
    "cast_to_many",
    lambda tf, n: tuple(
        tf.cast(n, t)
        for t in (tf.uint8, tf.int8, tf.int16, tf.uint16, tf.int64, tf.float64, tf.bool)
    ),
)
_of_a_number("half_precision", lambda tf, n: tf.cast(n, tf.float16) / 3)
_of_a_number("brain_floats", lambda tf, n: tf.cast(tf.cast(n, tf.bfloat16) / 3, tf.float32))
_of_a_number("complex_numbers", lambda tf, n: tf.complex(tf.cast(n, tf.float32), 1.5))
_of_a_number("transposed", lambda tf, n: tf.transpose(n + tf.reshape(tf.range(6), [2, 3])))
_of_a_number("stacked", lambda tf, n: tf.stack([n, n + 1, n + 2])[::-1])
_of_a_number("strided", lambda tf, n: (n + tf.range(10))[1:9:3])
_of_a_number("expanded", lambda tf, n: tf.tile(tf.expand_dims([n, -n], 1), [1, 3]))
_of_a_number("split", lambda tf, n: tuple(tf.split(n + tf.range(6), 3)))
_of_a_number("concatenated", lambda tf, n: tf.concat([[n], tf.range(2), [n, n]], 0))
_of_a_number(
    "reduced",
    lambda tf, n: tuple(
        reduce(n + tf.reshape(tf.range(6), [2, 3]), axis=1)
        for reduce in (tf.reduce_sum, tf.reduce_max, tf.reduce_min, tf.reduce_prod)
    ),
)
_of_a_number("compared", lambda tf, n: (n > 50, tf.equal(n % 3, 0), tf.logical_not(n < 9)))
_of_a_number("gathered", lambda tf, n: tf.gather(tf.range(0, 1000, 5), [n, n % 3]))
_of_a_number("gathered_nd", lambda tf, n: tf.gather_nd([[1, 2], [3, 4]], [n % 2, (n // 2) % 2]))
_of_a_number("scattered", lambda tf, n: tf.scatter_nd([[n % 4]], [n], [4]))
_of_a_number("sorted_values", lambda tf, n: tf.sort((n + tf.range(5)) * 7 % 11))
_of_a_number("best_three", lambda tf, n: tuple(tf.nn.top_k((n + tf.range(6)) * 5 % 13, 3)))
_of_a_number(
    "largest_place", lambda tf, n: tf.argmax((n + tf.range(6)) * 5 % 13, output_type=tf.int32)
)
_of_a_number("cumulated", lambda tf, n: tf.cumsum(n + tf.range(4), exclusive=True))
_of_a_number("reversed_rows", lambda tf, n: tf.reverse(n + tf.reshape(tf.range(4), [2, 2]), [1]))
_of_a_number(
    "padded_rows", lambda tf, n: tf.pad(n + tf.reshape(tf.range(4), [2, 2]), [[1, 0], [0, 2]])
)
_of_a_number("clipped", lambda tf, n: tf.clip_by_value(n, 20, 120))
_of_a_number("no_elements", lambda tf, n: (tf.zeros([2, 0]) + tf.cast(n, tf.float32), n))
_of_a_number("no_elements_of_strings", lambda tf, n: (tf.fill([0], tf.as_string(n)), n))
_of_a_number("unique_values", lambda tf, n: tf.unique((n + tf.range(6)) % 4)[0], dynamic_pad=True)
_of_a_number(
    "where_it_holds", lambda tf, n: tf.where(tf.equal((n + tf.range(6)) % 3, 0)), dynamic_pad=True
)
_of_a_number("filled", lambda tf, n: tf.fill([2, 2], n))
_of_a_number("in_bits", lambda tf, n: tf.bitwise.bitwise_xor(n, 85))
_of_a_number("of_the_shape", lambda tf, n: (tf.shape(tf.fill([n % 5, 2], 1)), tf.size([n, n])))
_of_a_number("constant_only", lambda tf, n: (tf.constant(4), tf.constant("x"), n))
_of_a_number("square_roots", lambda tf, n: tf.sqrt(tf.cast(n, tf.float32)), close=True)
_of_a_number(
    "products_of_matrices",
    lambda tf, n: tf.matmul(
        tf.cast(n + tf.reshape(tf.range(6), [2, 3]), tf.float32), tf.ones([3, 2])
    ),
    close=True,
)
_of_a_number(
    "softmax", lambda tf, n: tf.nn.softmax(tf.cast((n + tf.range(4)) % 5, tf.float32)), close=True
)
_of_a_number(
    "means_and_deviations",
    lambda tf, n: tuple(tf.nn.moments(tf.cast((n + tf.range(8)) % 9, tf.float32), [0])),
    close=True,
)
_of_a_number(
    "inverted",
    lambda tf, n: tf.linalg.inv(tf.eye(2) * (1.0 + tf.cast(n, tf.float32)) + 0.25),
    close=True,
)
_of_a_number(
    "a_python_function",
    lambda tf, n: tf.reshape(tf.py_func(lambda v: np.int32([v, v * v]), [n], tf.int32), [2]),
)
_of_a_number(
    "a_convolution",
    lambda tf, n: tf.nn.conv2d(
        tf.reshape(tf.cast((n + tf.range(16)) % 7, tf.float32), [1, 4, 4, 1]),
        tf.ones([2, 2, 1, 1]),
        [1, 1, 1, 1],
        "VALID",
    )[0],
    close=True,
)
_of_a_number(
    "pooled",
    lambda tf, n: tf.nn.max_pool(
        tf.reshape(tf.cast((n + tf.range(16)) * 5 % 7, tf.float32), [1, 4, 4, 1]),
        [1, 2, 2, 1],
        [1, 2, 2, 1],
        "VALID",
    )[0],
)


# -- parsed examples ------------------------------------------------------------------------------


@program
def parsed_features(tf, s):
    found = s.parsed("id", "pair", "raw")
    s.run(tf.train.batch(found, 9))


@program
def parsed_with_defaults(tf, s):
    tf_features = {
        "id": tf.FixedLenFeature([], tf.int64),
        "none": tf.FixedLenFeature([2], tf.float32, [1.5, 2.5]),
    }
    s.run(tf.train.batch(tf.parse_single_example(s.serialized(), tf_features), 9))


@program
def parsed_sequences_of_features(tf, s):
    features = {"some": tf.FixedLenSequenceFeature([], tf.int64, allow_missing=True)}
    found = tf.parse_single_example(s.serialized(), features)["some"]
    s.run(tf.train.batch([found], 9, dynamic_pad=True))


@program
def parsed_sparse_features(tf, s):
    features = {"f": tf.SparseFeature("some", "some", tf.int64, 9)}
    s.run(tf.train.batch([tf.parse_single_example(s.serialized(), features)["f"]], 9))


@program
def sparse_made_dense(tf, s):
    found = s.parsed("some")["some"]
    s.run(tf.train.batch([tf.sparse_tensor_to_dense(found, -1)], 9, dynamic_pad=True))


@program
def sparse_made_dense_of_one_shape(tf, s):
    found = tf.sparse_to_indicator(s.parsed("some")["some"], 4)
    s.run(tf.train.batch([found], 9))


@program
def sparse_reduced(tf, s):
    found = s.parsed("some", "id")
    s.run(tf.train.batch([tf.sparse_reduce_sum(found["some"]), found["id"]], 9, shapes=[[], []]))


@program
def sparse_serialized(tf, s):
    packed = tf.serialize_sparse(s.parsed("some")["some"])
    batch = tf.train.batch([packed], 8)
    s.run(tf.deserialize_many_sparse(batch, tf.int64, 1))


@program
def parsed_sequence_examples(tf, s):
    def made(i):
        steps = [tf.train.Feature(int64_list=tf.train.Int64List(value=[j])) for j in range(i % 4)]
        lists = tf.train.FeatureLists(feature_list={"t": tf.train.FeatureList(feature=steps)})
        context = tf.train.Features(
            feature={"n": tf.train.Feature(int64_list=tf.train.Int64List(value=[i]))}
        )
        return tf.train.SequenceExample(context=context, feature_lists=lists).SerializeToString()

    paths = s.records([made(i) for i in range(160)])
    context, lists = tf.parse_single_sequence_example(
        tf.TFRecordReader().read(s.names(paths))[1],
        {"n": tf.FixedLenFeature([], tf.int64)},
        {"t": tf.FixedLenSequenceFeature([], tf.int64)},
    )
    s.run(tf.train.batch([context["n"], lists["t"]], 8, dynamic_pad=True))


@program
def raw_bytes_of_features(tf, s):
    raw = tf.decode_raw(s.parsed("raw")["raw"], tf.uint8)
    s.run(tf.train.batch([tf.reshape(raw, [2, 2])], 9))


@program
def raw_bytes_of_two_byte_order(tf, s):
    raw = tf.decode_raw(s.parsed("raw")["raw"], tf.int16, little_endian=False)
    s.run(tf.train.batch([tf.reshape(raw, [2])], 9))


@program
def raw_bytes_of_unlike_length(tf, s):
    paths = s.records([bytes(range(i % 9)) for i in range(160)])
    value = tf.TFRecordReader().read(s.names(paths))[1]
    s.run(tf.train.batch([tf.decode_raw(value, tf.uint8)], 8, dynamic_pad=True))


@program
def json_examples(tf, s):
    text = '{"features":{"feature":{"n":{"int64List":{"value":["%d"]}}}}}'
    path = s.file("j", "".join(text % i + "\n" for i in range(100)))
    packed = tf.decode_json_example(tf.TextLineReader().read(s.names([path]))[1])
    found = tf.parse_single_example(packed, {"n": tf.FixedLenFeature([], tf.int64)})
    s.run(tf.train.batch([found["n"]], 9))


@program
def decompressed(tf, s):
    import zlib

    paths = s.records([zlib.compress(b"%d" % i) for i in range(150)])
    value = tf.TFRecordReader().read(s.names(paths))[1]
    s.run(tf.train.batch([tf.io.decode_compressed(value, "ZLIB")], 8, shapes=[[]]))


# -- images ---------------------------------------------------------------------------------------


def _images(tf, s, count=90, sizes=False):
    """One PNG image of `count`: 3 by 4, or of sizes that change."""
    with tf.Graph().as_default(), tf.Session() as sess:
        pixels = tf.placeholder(tf.uint8, [None, None, 3])
        packed = tf.image.encode_png(pixels)
        made = []
        for i in range(count):
            shape = (2 + i % 3, 3 + i % 2, 3) if sizes else (3, 4, 3)
            made.append(
                sess.run(packed, {pixels: (np.arange(np.prod(shape)) * 7 + i).reshape(shape) % 256})
            )
    value = tf.TFRecordReader().read(s.names(s.records(made)))[1]
    return tf.image.decode_png(value, 3)


@program
def png_images(tf, s):
    image = _images(tf, s)
    image.set_shape([3, 4, 3])
    s.run(tf.train.batch([image], 6))


@program
def images_as_floats(tf, s):
    image = tf.image.convert_image_dtype(_images(tf, s), tf.float32)
    s.run(tf.train.batch([tf.reshape(image, [3, 4, 3])], 30))


@program
def images_of_many_sizes_padded(tf, s):
    s.run(tf.train.batch([_images(tf, s, sizes=True)], 5, dynamic_pad=True))


@program(close=True)
def images_of_many_sizes_resized(tf, s):
    image = tf.image.resize_images(_images(tf, s, 40, True), [2, 2])
    s.run(tf.train.batch([image], 8))


@program
def images_resized_to_the_nearest(tf, s):
    image = tf.image.resize_nearest_neighbor(_images(tf, s, sizes=True)[None], [2, 3])[0]
    s.run(tf.train.batch([tf.reshape(image, [2, 3, 3])], 6))


@program
def images_cut_or_padded(tf, s):
    image = tf.image.resize_image_with_crop_or_pad(_images(tf, s, sizes=True), 3, 3)
    s.run(tf.train.batch([image], 6))


@program(close=True)
def images_standardised(tf, s):
    image = tf.reshape(_images(tf, s, 24), [3, 4, 3])
    s.run(tf.train.batch([tf.image.per_image_standardization(image)], 6))


@program
def images_in_gray(tf, s):
    image = tf.reshape(tf.image.rgb_to_grayscale(_images(tf, s)), [3, 4, 1])
    s.run(tf.train.batch([image], 6))


@program
def images_encoded_again(tf, s):
    image = tf.image.flip_up_down(tf.reshape(_images(tf, s), [3, 4, 3]))
    s.run(tf.train.batch([tf.strings.length(tf.image.encode_png(image))], 6))


@program
def images_with_labels_by_condition(tf, s):
    image = tf.reshape(_images(tf, s), [3, 4, 3])
    label = tf.reduce_sum(tf.cast(image, tf.int32)) % 2
    turned = tf.cond(label > 0, lambda: tf.reverse(image, [1]), lambda: image)
    s.run(tf.train.batch([turned, label], 6))
