"""Rows whose true cause TensorFlow hides behind "is closed and has insufficient elements"."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import tfqueue.v1 as tf
from tfqueue import errors

from .kit import Stage, example, int64, raw, row

_NOT_THERE = (
    "there is no file '",
    "nope.tfrecord",
    "TFRecordReader",
    "ReaderReadV2",
    "shuffle_batch",
)


@row(
    "missing_file",
    raises=tf.errors.NotFoundError,
    says=_NOT_THERE,
    ways=("plain", "managed"),
    by_step=True,
)
@row(
    "missing_file_alone",
    raises=tf.errors.NotFoundError,
    says=_NOT_THERE,
    ways=("alone",),
    by_step=True,
)
@row(
    "done_before_failure",
    raises=tf.errors.NotFoundError,
    says=_NOT_THERE,
    ways=("plain",),
    by_step=True,
)
def missing_file(stage: Stage):
    stage.run(stage.shuffled(stage.missing(), None))
    raise AssertionError("'Done training' must not be reached")


@row(
    "wrong_key",
    raises=tf.errors.InvalidArgumentError,
    says=(
        "'labels'",
        "examples.tfrecord:0",
        "'label' (int64, 1 value)",
        "96 bytes",
        "did you mean",
    ),
)
def wrong_key(stage: Stage):
    stage.run(stage.parsed({"labels": tf.FixedLenFeature([], tf.int64)}))


@row(
    "wrong_dtype",
    raises=tf.errors.InvalidArgumentError,
    says=("'label' is wanted as float32 and is int64", "examples.tfrecord:0", "'image' (bytes"),
)
def wrong_dtype(stage: Stage):
    stage.run(stage.parsed({"label": tf.FixedLenFeature([], tf.float32)}))


@row(
    "wrong_shape",
    raises=tf.errors.InvalidArgumentError,
    says=("'label'", "shape [2]", "2 values", "has 1 value", "examples.tfrecord:0"),
)
def wrong_shape(stage: Stage):
    stage.run(stage.parsed({"label": tf.FixedLenFeature([2], tf.int64)}))


_BYTES = (
    "96 bytes = 12 float64",
    "24 float32",
    "was it written with another dtype",
    "examples.tfrecord:0",
)


def _image(stage: Stage):
    features = {"image": tf.FixedLenFeature([], tf.string)}
    return tf.parse_single_example(stage.records(stage.examples()), features)["image"]


@row("wrong_raw_dtype", raises=tf.errors.InvalidArgumentError, says=_BYTES)
def raw_reshaped(stage: Stage):
    pixels = tf.decode_raw(_image(stage), tf.float64)
    stage.run(tf.train.batch([tf.reshape(pixels, [4, 6])], 4))


@row("wrong_raw_dtype", raises=tf.errors.InvalidArgumentError, says=_BYTES)
def raw_with_shape_set(stage: Stage):
    pixels = tf.decode_raw(_image(stage), tf.float64)
    pixels.set_shape([24])
    stage.run(tf.train.batch([pixels], 4))


@row(
    "odd_shape",
    raises=tf.errors.InvalidArgumentError,
    says=("component 1", "'batch/fifo_queue'", "has the shape [2]", "has [3]", "odd.tfrecord:"),
)
def one_of_another_shape(stage: Stage):
    sizes = [2] * 30 + [3] + [2] * 10
    path = stage.tfrecord(
        [
            example(label=int64(i), image=raw(np.zeros(size, np.float32).tobytes()))
            for i, size in enumerate(sizes)
        ],
        "odd.tfrecord",
    )
    found = tf.parse_single_example(
        stage.records(path),
        {"label": tf.FixedLenFeature([], tf.int64), "image": tf.FixedLenFeature([], tf.string)},
    )
    image = tf.decode_raw(found["image"], tf.float32)
    image.set_shape([2])
    stage.run(tf.train.batch([found["label"], image], 3))


def _table(stage: Stage, lines: int, bad: int):
    text = "".join("1,2\n" if i == bad else f"{i},2,3\n" for i in range(1, lines + 1))
    path = stage.write("table.csv", text.encode())
    names = tf.train.string_input_producer([path], num_epochs=1)
    return tf.decode_csv(tf.TextLineReader().read(names)[1], [[0], [0], [0]])


@row(
    "csv_missing_column",
    raises=tf.errors.InvalidArgumentError,
    says=("table.csv:7", "line 7 of", "'1,2'", "2 fields", "3 columns"),
)
def a_column_is_missing(stage: Stage):
    stage.run(tf.train.batch(_table(stage, 20, 7), 4))


@row(
    "threads_die_singly",
    raises=tf.errors.InvalidArgumentError,
    says=("table.csv:7", "Expect 3 fields"),
)
def threads_on_bad_lines(stage: Stage):
    stage.run(tf.train.batch(_table(stage, 20, 7), 4, num_threads=3))


@row(
    "pattern_without_match",
    raises=tf.errors.InvalidArgumentError,
    says=("match_filenames_once('", "*.nope') matched no file", "input_producer"),
)
def pattern_matches_nothing(stage: Stage):
    found = tf.train.match_filenames_once(str(stage.folder / "*.nope"))
    names = tf.train.string_input_producer(found)
    stage.run(tf.train.batch([tf.TextLineReader().read(names)[1]], 4))


def _bad_three(number):
    if number == 3:
        raise KeyError("bad three")
    return number


@row(
    "python_function_raises",
    raises=tf.errors.OpError,
    cause=KeyError,
    says=("bad three", "hidden.py", "QueueRunner 'shuffle_batch"),
)
def py_func_raises(stage: Stage):
    number = tf.train.range_input_producer(10, num_epochs=1, shuffle=False).dequeue()
    doubled = tf.py_func(_bad_three, [number], tf.int32)
    doubled.set_shape([])
    stage.run(tf.train.shuffle_batch([doubled], 4, 10, 1))


@row(
    "undecodable_image",
    raises=tf.errors.InvalidArgumentError,
    says=("broken.jpg", "19 bytes", "b'not an image"),
)
def no_image(stage: Stage):
    path = stage.write("broken.jpg", b"not an image at all")
    names = tf.train.string_input_producer([path], num_epochs=1)
    image = tf.image.decode_jpeg(tf.WholeFileReader().read(names)[1], 3)
    image.set_shape([2, 2, 3])
    stage.run(tf.train.batch([image], 2))


@row(
    "placeholder_in_runner",
    raises=tf.errors.InvalidArgumentError,
    says=("QueueRunner 'input_producer' needs placeholder 's'", "feed_dict"),
)
def placeholder_behind_a_runner(stage: Stage):
    names = tf.train.string_input_producer(tf.placeholder(tf.string, [3], name="s"))
    stage.run(tf.train.batch([names.dequeue()], 2))


# -- damaged files --------------------------------------------------------------------------------


def _delivered(stage: Stage, path: str):
    """Runs to the failure; what was delivered before it stands in `stage.got`."""
    stage.got = 0
    batch = tf.train.batch([stage.records(path, 1)], 1)
    counted = tf.py_func(
        lambda b: setattr(stage, "got", stage.got + len(b)) or b, [batch], tf.string
    )
    try:
        stage.run(counted)
    finally:
        # The textbook's loop too, which asks its Coordinator before each step.
        assert stage.got == stage.expected


@row(
    "corrupt_record",
    raises=tf.errors.DataLossError,
    says=("bad.tfrecord", "byte 360", "20 examples", "checksum"),
)
def corrupt_record(stage: Stage):
    data = bytearray(Path(stage.numbers()).read_bytes())
    data[360 + 13] ^= 255  # the 21st record, 18 bytes each
    stage.expected = 20
    _delivered(stage, stage.write("bad.tfrecord", bytes(data)))


@row(
    "truncated_record",
    raises=tf.errors.DataLossError,
    says=("cut.tfrecord", "byte 702", "39 examples", "cut"),
)
def cut_record(stage: Stage):
    data = Path(stage.numbers()).read_bytes()
    stage.expected = 39
    _delivered(stage, stage.write("cut.tfrecord", data[:-5]))


@row(
    "cut_header",
    warns=errors.TruncatedFileWarning,
    says=("h.tfrecord: 7 trailing bytes", "truncated"),
    gives=10,
)
def cut_header(stage: Stage):
    data = Path(stage.numbers()).read_bytes()
    path = stage.write("h.tfrecord", data + b"1234567")
    return len(stage.run(tf.train.batch([stage.records(path)], 4)))


@row(
    "cut_header",
    warns=errors.TruncatedFileWarning,
    says=("h.tfrecord: 7 trailing bytes",),
    gives=15,
)
def cut_header_of_an_endless_pipeline(stage: Stage):
    data = Path(stage.numbers()).read_bytes()
    path = stage.write("h.tfrecord", data + b"1234567")
    return len(stage.run(tf.train.batch([stage.records(path, None)], 4), 15))


@row(
    "files_without_records",
    raises=errors.NoRecordsError,
    says=("no record in any of 2 files", "a.tfrecord", "b.tfrecord"),
)
def no_records(stage: Stage):
    paths = [stage.write(f"{name}.tfrecord", b"") for name in "ab"]
    stage.run(tf.train.batch([stage.records(paths, None)], 4))
