"""The same inputs as an expert writes them for tf.data today: vectorised where that can be.

Every function takes `tf` in TensorFlow 2 mode and the folder, and gives a dataset.
"""

import glob
import os

import numpy as np


def _records(tf, data, name):
    return tf.data.TFRecordDataset(os.path.join(data, name)).repeat()


def _calls():
    """One for each core; on one core two, so that it computes while a file is read."""
    return max(2, len(os.sched_getaffinity(0)))


def _done(tf, dataset):
    return dataset.prefetch(2)


def _parse_mnist(tf, batch):
    parsed = tf.io.parse_example(
        batch,
        {
            "image_raw": tf.io.FixedLenFeature([], tf.string),
            "label": tf.io.FixedLenFeature([], tf.int64),
        },
    )
    image = tf.io.decode_raw(parsed["image_raw"], tf.uint8)
    return tf.cast(image, tf.float32) * (1.0 / 255) - 0.5, tf.cast(parsed["label"], tf.int32)


def mnist_bytes(tf, data):
    batches = _records(tf, data, "mnist.tfrecord").shuffle(1128).batch(128, drop_remainder=True)
    return _done(tf, batches.map(lambda b: _parse_mnist(tf, b), num_parallel_calls=_calls()))


def mnist_in_order(tf, data):
    batches = _records(tf, data, "mnist.tfrecord").batch(128, drop_remainder=True)
    return _done(tf, batches.map(lambda b: _parse_mnist(tf, b), num_parallel_calls=_calls()))


def mnist_int64(tf, data):
    fixed = tf.io.FixedLenFeature

    def parse(batch):
        parsed = tf.io.parse_example(
            batch, {"image": fixed([784], tf.int64), "label": fixed([1], tf.int64)}
        )
        return tf.cast(parsed["image"], tf.float32) * (1.0 / 255), parsed["label"]

    batches = _records(tf, data, "mnist_int64.tfrecord").shuffle(1128)
    return _done(
        tf, batches.batch(128, drop_remainder=True).map(parse, num_parallel_calls=_calls())
    )


def _cifar(tf, data):
    return tf.data.FixedLengthRecordDataset(os.path.join(data, "cifar.bin"), 3073).repeat()


def _decode_cifar(tf, batch):
    record = tf.io.decode_raw(batch, tf.uint8)
    image = tf.transpose(tf.reshape(record[:, 1:], [-1, 3, 32, 32]), [0, 2, 3, 1])
    return tf.cast(image, tf.float32), tf.cast(record[:, 0], tf.int32)


def cifar_eval(tf, data):
    def parse(batch):
        image, label = _decode_cifar(tf, batch)
        image = tf.image.resize_with_crop_or_pad(image, 24, 24)
        return tf.image.per_image_standardization(image), label

    batches = _cifar(tf, data).batch(128, drop_remainder=True)
    return _done(tf, batches.map(parse, num_parallel_calls=_calls()))


def cifar_distorted(tf, data):
    def one(record):
        image, label = _decode_cifar(tf, record[None])
        image = tf.image.random_crop(image[0], [24, 24, 3])
        image = tf.image.random_flip_left_right(image)
        image = tf.image.random_brightness(image, 63)
        image = tf.image.random_contrast(image, 0.2, 1.8)
        return tf.image.per_image_standardization(image), label[0]

    examples = _cifar(tf, data).shuffle(1128).map(one, num_parallel_calls=_calls())
    return _done(tf, examples.batch(128, drop_remainder=True))


def csv_cond(tf, data):
    def parse(batch):
        columns = tf.io.decode_csv(batch, [[1.0]] * 4 + [[""]] + [[1]])
        history = tf.where(columns[4] == "Present", 1.0, 0.0)
        return tf.stack([*columns[:4], history], 1), columns[5]

    lines = tf.data.TextLineDataset(os.path.join(data, "heart.csv")).skip(1).repeat()
    batches = lines.shuffle(564).batch(64, drop_remainder=True)
    return _done(tf, batches.map(parse, num_parallel_calls=_calls()))


def csv_default_capacity(tf, data):
    def parse(batch):
        columns = tf.io.decode_csv(batch, [[1.0]] * 4 + [[""]] + [[1]])
        return tf.stack(columns[:4], 1), columns[5]

    lines = tf.data.TextLineDataset(os.path.join(data, "heart.csv")).skip(1).repeat()
    return _done(tf, lines.batch(64, drop_remainder=True).map(parse, num_parallel_calls=_calls()))


def slices_default_capacity(tf, data):
    return slices(tf, data, 128)


def slices(tf, data, batch=64):
    rng = np.random.RandomState(0)
    values = rng.rand(20000, 10).astype(np.float32)
    labels = rng.randint(0, 10, 20000).astype(np.int32)
    rows = tf.data.Dataset.from_tensor_slices((values, labels)).shuffle(20000).repeat()
    batches = rows.batch(batch, drop_remainder=True)
    return _done(tf, batches.map(lambda v, n: (v * 2 - 1, n), num_parallel_calls=_calls()))


def _voc(tf, data, name):
    fixed = tf.io.FixedLenFeature

    def one(value):
        parsed = tf.io.parse_single_example(
            value,
            {
                "height": fixed([], tf.int64),
                "width": fixed([], tf.int64),
                "image_raw": fixed([], tf.string),
                "mask_raw": fixed([], tf.string),
            },
        )
        found = []
        for key, channels in (("image_raw", 3), ("mask_raw", 1)):
            raw = tf.io.decode_raw(parsed[key], tf.uint8)
            raw = tf.reshape(raw, [parsed["height"], parsed["width"], channels])
            found.append(tf.image.resize_with_crop_or_pad(raw, 224, 224))
        return tuple(found)

    examples = _records(tf, data, name).shuffle(28).map(one, num_parallel_calls=_calls())
    return _done(tf, examples.batch(8, drop_remainder=True))


def voc_one_size(tf, data):
    return _voc(tf, data, "voc_one.tfrecord")


def voc_many_sizes(tf, data):
    return _voc(tf, data, "voc_many.tfrecord")


def padded_sequences(tf, data):
    def one(value):
        context, lists = tf.io.parse_single_sequence_example(
            value,
            {"length": tf.io.FixedLenFeature([], tf.int64)},
            {"tokens": tf.io.FixedLenSequenceFeature([], tf.int64)},
        )
        return context["length"], lists["tokens"]

    examples = _records(tf, data, "sequences.tfrecord").map(one, num_parallel_calls=_calls())
    return _done(tf, examples.padded_batch(64, drop_remainder=True))


def jpeg_files(tf, data):
    paths = sorted(glob.glob(os.path.join(data, "jpeg", "*.jpg")))

    def one(path):
        image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
        return (tf.image.resize_with_crop_or_pad(image, 224, 224),)

    files = tf.data.Dataset.from_tensor_slices(paths).shuffle(len(paths)).repeat()
    return _done(tf, files.map(one, num_parallel_calls=_calls()).batch(16, drop_remainder=True))


def jpeg_one_thread(tf, data):
    return jpeg_files(tf, data)


def fifo_one_by_one(tf, data):
    # A tuple of one, as the pipeline returns a list of one: Python takes longer over it.
    made = tf.data.Dataset.range(1).repeat().map(lambda _: (tf.random.normal([200, 4]),))
    return _done(tf, made.unbatch().batch(1))
