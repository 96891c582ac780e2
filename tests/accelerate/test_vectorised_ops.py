"""Op by op: what input code computes is the same in chunks, and how each of them is run.

A row is an op and the strategy that it leaves open. Rows that are chunked alike are run together;
each element then holds the results of all of them.
"""

import numpy as np
import pytest

import tfqueue
import tfqueue.v1 as tf
from tfqueue import accelerate
from tfqueue.accelerate import Strategy, build
from tfqueue.accelerate.region import examine
from tfqueue.graph.model import Pipeline

COUNT = 50


def example(rng, i):
    """A serialized `Example` of fixed and of varying length."""
    feature, ints = tf.train.Feature, tf.train.Int64List
    values = {
        "bytes": feature(bytes_list=tf.train.BytesList(value=[rng.bytes(48)])),
        "text": feature(bytes_list=tf.train.BytesList(value=[b"%d,%d" % (i, i % 7 + 1)])),
        "label": feature(int64_list=ints(value=[i])),
        "floats": feature(float_list=tf.train.FloatList(value=rng.standard_normal(6))),
        "some": feature(int64_list=ints(value=range(i % 4))),
        # Of one length as far as a first chunk can see.
        "late": feature(int64_list=ints(value=range(5, 6 if i < 40 else 5 + i % 4))),
    }
    return tf.train.Example(features=tf.train.Features(feature=values)).SerializeToString()


def sequence(rng, i):
    """A serialized `SequenceExample` with three steps."""
    feature, ints = tf.train.Feature, tf.train.Int64List
    steps = [feature(int64_list=ints(value=rng.integers(0, 9, 2))) for _ in range(3)]
    return tf.train.SequenceExample(
        context=tf.train.Features(feature={"label": feature(int64_list=ints(value=[i]))}),
        feature_lists=tf.train.FeatureLists(
            feature_list={"items": tf.train.FeatureList(feature=steps)}
        ),
    ).SerializeToString()


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Paths of a file of examples and of one of sequences."""
    folder, rng, paths = tmp_path_factory.mktemp("ops"), np.random.default_rng(0), []
    for name, make in (("examples", example), ("sequences", sequence)):
        paths.append(str(folder / name))
        with tf.python_io.TFRecordWriter(paths[-1]) as writer:
            for i in range(COUNT):
                writer.write(make(rng, i))
    return paths


class Parts:
    """The tensors of one example, from which the rows compute."""

    def __init__(self, serialized):
        fixed = tf.FixedLenFeature
        self.serialized = serialized
        parsed = tf.parse_single_example(
            serialized,
            {
                "bytes": fixed([], tf.string),
                "text": fixed([], tf.string),
                "label": fixed([], tf.int64),
                "floats": fixed([6], tf.float32),
            },
        )
        self.bytes, self.text, self.label = parsed["bytes"], parsed["text"], parsed["label"]
        self.floats, self.number = parsed["floats"], tf.cast(parsed["label"], tf.int32)
        raw = tf.decode_raw(self.bytes, tf.uint8)
        raw.set_shape([48])
        self.image = tf.reshape(raw, [4, 4, 3])
        self.scaled = tf.cast(self.image, tf.float32) / 255.0
        self.odd = tf.equal(self.number % 2, 1)


def _decoded(kind):
    def decode(x):
        # Arbitrary bytes make floats that are no numbers, which compare as different.
        bytes_ = tf.as_string(x.number + 10**7) if kind.is_floating else x.bytes
        found = tf.decode_raw(bytes_, kind)
        found.set_shape([(8 if kind.is_floating else 48) // kind.size])
        return found

    return decode


def _fixed(tensor, shape):
    tensor.set_shape(shape)
    return tensor


NUMBERS = {
    "cast": lambda x: tf.cast(x.floats * 10, tf.int32),
    "one_hot": lambda x: tf.one_hot(x.number % 5, 5),
    "reshape": lambda x: tf.reshape(x.floats, [2, 3]),
    "transpose": lambda x: tf.transpose(tf.reshape(x.floats, [2, 3])),
    "slice": lambda x: tf.slice(x.floats, [1], [3]),
    "strided_slice": lambda x: x.floats[::2],
    "slice at a place of its own": lambda x: tf.slice(x.floats, [x.number % 3], [3]),
    "gather": lambda x: tf.gather(x.floats, [5, 0, x.number % 6]),
    "stack": lambda x: tf.stack([x.number, x.number * 2]),
    "split": lambda x: tf.split(x.floats, 3)[1],
    "unstack": lambda x: tf.unstack(x.floats)[4],
    "concat": lambda x: tf.concat([x.floats, x.scaled[0, 0]], 0),
    "pad": lambda x: tf.pad(x.floats, [[1, 2]]),
    "tile": lambda x: tf.tile(x.floats, [2]),
    "expand and squeeze": lambda x: tf.squeeze(tf.expand_dims(x.floats, 0), [0]),
    "squeeze of whatever has size 1": lambda x: tf.squeeze(x.floats[None, :, None]),
    "norm": lambda x: tf.norm(x.floats),
    "squeeze of nothing": lambda x: tf.squeeze(x.floats),
    "argmax": lambda x: tf.argmax(x.floats),
    "top_k": lambda x: tf.nn.top_k(x.floats, 2)[0],
    "mean": lambda x: tf.reduce_mean(x.floats),
    "max": lambda x: tf.reduce_max(x.scaled, [0, 1]),
    "moments": lambda x: tf.nn.moments(x.scaled, [0, 1])[1],
    "clip": lambda x: tf.clip_by_value(x.floats, -0.5, 0.5),
    "where": lambda x: tf.where(x.odd, x.floats, -x.floats),
    "matmul": lambda x: tf.matmul(x.scaled[:, :, 0], x.scaled[:, :, 1]),
    "l2_normalize": lambda x: tf.nn.l2_normalize(x.floats, 0),
    "sequence_mask": lambda x: tf.sequence_mask(x.number % 6, 6),
    "floordiv": lambda x: x.number // 3,
    "logical": lambda x: tf.logical_and(x.odd, tf.greater(x.number, 9)),
    "bitcast": lambda x: tf.bitcast(x.floats, tf.int32),
    "size and shape": lambda x: tf.shape(x.image) + tf.size(x.floats),
    "constant": lambda x: tf.constant([1.5, 2.5]),
    "lookup": lambda x: tf.gather(tf.constant([5, 7, 9]), x.number % 3),
}
STRINGS = {
    "to number": lambda x: tf.string_to_number(tf.as_string(x.number), tf.int64),
    "as_string": lambda x: tf.as_string(x.floats[0], precision=3),
    "decode_csv": lambda x: tf.stack(tf.decode_csv(x.text, [[1], [1]])),
    "join": lambda x: tf.string_join([x.text, "end"], "-"),
    "substr": lambda x: tf.substr(x.text, 0, 2),
    "length": lambda x: tf.strings.length(x.text),
    "strip and lower": lambda x: tf.strings.lower(tf.string_strip(tf.string_join([" A", x.text]))),
    "regex": lambda x: tf.regex_replace(x.text, "[,1]", "_"),
    "hash": lambda x: tf.string_to_hash_bucket_fast(x.text, 97),
    "base64": lambda x: tf.decode_base64(tf.encode_base64(x.bytes)),
    "split string": lambda x: tf.reduce_sum(
        tf.string_to_number(tf.string_split([x.text], ",").values, tf.int32)
    ),
    "equal": lambda x: tf.equal(x.text, "3,4"),
    "as read": lambda x: x.serialized,
    **{
        f"decode_raw {kind.name}": _decoded(kind)
        for kind in (tf.uint8, tf.int8, tf.int16, tf.int32, tf.int64, tf.float32, tf.float64)
    },
    "decode_raw, big end first": lambda x: _fixed(
        tf.decode_raw(x.bytes, tf.int32, little_endian=False), [12]
    ),
}
IMAGES = {
    "flip": lambda x: tf.image.flip_left_right(x.image),
    "flip up": lambda x: tf.image.flip_up_down(x.image),
    "rot90": lambda x: tf.image.rot90(x.image),
    "crop": lambda x: tf.image.crop_to_bounding_box(x.image, 1, 1, 2, 2),
    "central crop": lambda x: _fixed(tf.image.central_crop(x.image, 0.5), [2, 2, 3]),
    "pad image": lambda x: tf.image.pad_to_bounding_box(x.image, 1, 0, 6, 5),
    "crop or pad": lambda x: tf.image.resize_image_with_crop_or_pad(x.image, 3, 6),
    "slice at a place of its own": lambda x: tf.slice(
        x.image, tf.stack([x.number % 3, x.number % 2, 0]), [2, 3, 3]
    ),
    "numbers at a place of their own": lambda x: tf.slice(x.floats, [x.number % 4], [3]),
    "slice of none": lambda x: tf.reduce_sum(tf.slice(x.floats, [x.number % 4], [0])),
    "resize": lambda x: tf.image.resize_images(x.scaled, [3, 5]),
    "nearest": lambda x: tf.image.resize_nearest_neighbor(x.image[None], [5, 3])[0],
    "standardization": lambda x: tf.image.per_image_standardization(x.image),
    "grayscale": lambda x: tf.image.rgb_to_grayscale(x.scaled),
    "brightness": lambda x: tf.image.adjust_brightness(x.scaled, 0.1),
    "contrast": lambda x: tf.image.adjust_contrast(x.scaled, 0.7),
    "saturation": lambda x: tf.image.adjust_saturation(x.scaled, 0.7),
    "hue": lambda x: tf.image.adjust_hue(x.scaled, 0.1),
    "hsv": lambda x: tf.image.rgb_to_hsv(x.scaled),
    "convert": lambda x: tf.image.convert_image_dtype(x.image, tf.float32),
}
BRANCHES = {
    "cond": lambda x: tf.cond(x.odd, lambda: x.floats, lambda: -x.floats),
    "nested cond": lambda x: tf.cond(
        x.odd, lambda: tf.cond(x.number > 9, lambda: 1, lambda: 2), lambda: x.number
    ),
    "case": lambda x: tf.case(
        [(x.number < 9, lambda: x.floats[0]), (x.odd, lambda: x.floats[1])],
        default=lambda: x.floats[2],
    ),
}
OTHERWISE = {
    "floats to small numbers": (lambda x: tf.cast(x.floats * 10, tf.int16), Strategy.LOOP),
    "grayscale of bytes": (lambda x: tf.image.rgb_to_grayscale(x.image), Strategy.LOOP),
    "map_fn": (lambda x: tf.map_fn(lambda y: y * 2, x.floats), Strategy.SINGLE),
    "while": (
        lambda x: tf.while_loop(lambda i: i < 50, lambda i: i * 2 + 1, [x.number]),
        Strategy.SINGLE,
    ),
    "sparse feature": (
        lambda x: tf.reduce_sum(
            tf.parse_single_example(x.serialized, {"some": tf.VarLenFeature(tf.int64)})[
                "some"
            ].values
        ),
        Strategy.LOOP,
    ),
    "feature of any length": (
        lambda x: tf.size(
            tf.parse_single_example(
                x.serialized,
                {"late": tf.FixedLenSequenceFeature([], tf.int64, allow_missing=True)},
            )["late"]
        ),
        Strategy.LOOP,
    ),
}


def together(rows, path):
    """One element of the results of all rows."""
    names = tf.train.string_input_producer([path], num_epochs=2, shuffle=False)
    x = Parts(tf.TFRecordReader().read(names)[1])
    return tf.train.batch({name: row(x) for name, row in rows.items()}, 5, capacity=60)


def run(build, setting):
    with tf.Graph().as_default() as graph:
        batch = build()
        with tfqueue.managed_session(chunks=setting) as sess:
            got = list(sess.batches(batch))
    ((strategy, text),) = list(accelerate.reports_of(graph).values())[-1].values()
    return {name: np.concatenate([part[name] for part in got]) for name in batch}, strategy, text


def check(build, expected_strategy):
    expected, _, _ = run(build, False)
    found, strategy, text = run(build, 16)
    assert strategy == expected_strategy, text
    for name, column in expected.items():
        assert len(column) == 2 * COUNT
        assert found[name].dtype == column.dtype, name
        if column.dtype.kind == "f":
            np.testing.assert_allclose(found[name], column, rtol=1e-5, atol=1e-6, err_msg=name)
        else:
            np.testing.assert_array_equal(found[name], column, err_msg=name)
    assert any(len(np.unique(column)) > 2 for column in expected.values())


@pytest.mark.parametrize(
    "rows", [NUMBERS, STRINGS, IMAGES, BRANCHES], ids=["numbers", "strings", "images", "branches"]
)
def test_what_is_chunked(rows, files):
    check(lambda: together(rows, files[0]), Strategy.CHUNK)


@pytest.mark.parametrize("name", OTHERWISE)
def test_what_is_not_chunked(name, files):
    """Alone, since one such op keeps its whole element from it."""
    row, strategy = OTHERWISE[name]
    check(lambda: together({name: row}, files[0]), strategy)


@pytest.mark.parametrize("place", [[4, 0, 0], [-1, 0, 0], [0, 0, 1], [0, 3, 0]])
def test_a_slice_outside_of_its_example_fails_where_it_stands(place, files):
    """The third dimension is taken whole, so it is no gather that looks at its place."""

    def elements(setting):
        got = []
        with tf.Graph().as_default() as graph:
            names = tf.train.string_input_producer([files[0]], num_epochs=1, shuffle=False)
            x = Parts(tf.TFRecordReader().read(names)[1])
            start = tf.where(tf.equal(x.number, 20), place, [x.number % 3, 1, 0])
            batch = tf.train.batch([tf.slice(x.image, start, [2, 2, 3])], 1)
            with (
                pytest.raises(tf.errors.InvalidArgumentError, match=r"Expected (size|begin)"),
                tfqueue.managed_session(chunks=setting) as sess,
            ):
                got.extend(sess.batches(batch))
        (strategy, _) = list(accelerate.reports_of(graph).values())[-1].popitem()[1]
        return np.concatenate(got), strategy

    expected, _ = elements(False)
    found, strategy = elements(16)
    assert strategy == Strategy.CHUNK
    np.testing.assert_array_equal(found, expected)


def test_sequences_of_one_length_are_chunked(files):
    def build():
        names = tf.train.string_input_producer([files[1]], num_epochs=2, shuffle=False)
        context, lists = tf.parse_single_sequence_example(
            tf.TFRecordReader().read(names)[1],
            {"label": tf.FixedLenFeature([], tf.int64)},
            {"items": tf.FixedLenSequenceFeature([2], tf.int64)},
        )
        items = _fixed(lists["items"], [3, 2])
        return tf.train.batch({"label": context["label"], "items": items}, 5, capacity=60)

    check(build, Strategy.CHUNK)


def test_parts_of_as_many_texts_as_examples(monkeypatch):
    """Each example has one position for all of its texts."""
    monkeypatch.setenv("TFQUEUE_CHUNKS", "16")
    number = tf.train.range_input_producer(COUNT, num_epochs=1, shuffle=False).dequeue()
    texts = [f"{i:02}abcdef" for i in range(16)]
    parts = tf.substr(texts, tf.where(number < 20, 0, number % 5), 3)
    batch = tf.train.batch([number, parts], 1)
    with tfqueue.managed_session() as sess:
        found = {int(n): part.tolist() for [n], [part] in sess.batches(batch)}
    expected = [
        [text[i % 5 :][:3] if i >= 20 else text[:3] for text in texts] for i in range(COUNT)
    ]
    assert [[p.decode() for p in found[i]] for i in range(COUNT)] == expected


def test_a_factor_of_contrast_for_each_image_needs_no_loop(files):
    """TensorFlow's own converter would compute one image after the other."""
    with tf.Graph().as_default() as graph:
        names = tf.train.string_input_producer([files[0]], num_epochs=1, shuffle=False)
        x = Parts(tf.TFRecordReader().read(names)[1])
        tf.train.batch([tf.image.adjust_contrast(x.scaled, x.floats[0])], 5)
        put = tf.get_collection(tf.GraphKeys.QUEUE_RUNNERS)[-1].enqueue_ops[0]
        region = examine(Pipeline(graph), put)
        assert not build.ChunkOps(region).loops
