"""The pipelines of the bench, as TensorFlow-1 programs wrote them.

Every function takes `tf` (whichever TensorFlow plays that part; this file runs
under Python 3.7, too), the folder of the data, and gives what a step fetches.
The first tensor tells by its length how many examples a step brings.
"""

import glob
import os


def _read(tf, paths, reader):
    return reader.read(tf.train.string_input_producer(paths))[1]


def _mnist_bytes(tf, data):
    value = _read(tf, [os.path.join(data, "mnist.tfrecord")], tf.TFRecordReader())
    features = tf.parse_single_example(
        value,
        {
            "image_raw": tf.FixedLenFeature([], tf.string),
            "label": tf.FixedLenFeature([], tf.int64),
        },
    )
    image = tf.decode_raw(features["image_raw"], tf.uint8)
    image.set_shape([784])
    return tf.cast(image, tf.float32) * (1.0 / 255) - 0.5, tf.cast(features["label"], tf.int32)


def mnist_bytes(tf, data, batch=128, threads=1):
    return tf.train.shuffle_batch(
        _mnist_bytes(tf, data),
        batch,
        capacity=2000 + 3 * batch,
        min_after_dequeue=1000,
        num_threads=threads,
    )


def mnist_in_order(tf, data):
    return tf.train.batch(_mnist_bytes(tf, data), 128, capacity=2400)


def mnist_int64(tf, data):
    value = _read(tf, [os.path.join(data, "mnist_int64.tfrecord")], tf.TFRecordReader())
    features = tf.parse_single_example(
        value,
        {"image": tf.FixedLenFeature([784], tf.int64), "label": tf.FixedLenFeature([1], tf.int64)},
    )
    image = tf.cast(features["image"], tf.float32) * (1.0 / 255)
    return tf.train.shuffle_batch(
        [image, features["label"]], 128, capacity=2000, min_after_dequeue=1000
    )


def _cifar(tf, data):
    reader = tf.FixedLengthRecordReader(record_bytes=3073)
    value = _read(tf, [os.path.join(data, "cifar.bin")], reader)
    record = tf.decode_raw(value, tf.uint8)
    label = tf.cast(tf.strided_slice(record, [0], [1]), tf.int32)
    label.set_shape([1])
    major = tf.reshape(tf.strided_slice(record, [1], [3073]), [3, 32, 32])
    return tf.cast(tf.transpose(major, [1, 2, 0]), tf.float32), label


def cifar_eval(tf, data):
    image, label = _cifar(tf, data)
    image = tf.image.resize_image_with_crop_or_pad(image, 24, 24)
    image = tf.image.per_image_standardization(image)
    image.set_shape([24, 24, 3])
    images, labels = tf.train.batch([image, label], 128, capacity=2400)
    return images, tf.reshape(labels, [128])


def cifar_distorted(tf, data):
    image, label = _cifar(tf, data)
    image = tf.random_crop(image, [24, 24, 3])
    image = tf.image.random_flip_left_right(image)
    image = tf.image.random_brightness(image, max_delta=63)
    image = tf.image.random_contrast(image, lower=0.2, upper=1.8)
    image = tf.image.per_image_standardization(image)
    image.set_shape([24, 24, 3])
    images, labels = tf.train.shuffle_batch(
        [image, label], 128, capacity=2400, min_after_dequeue=1000
    )
    return images, tf.reshape(labels, [128])


def csv_cond(tf, data):
    reader = tf.TextLineReader(skip_header_lines=1)
    line = _read(tf, [os.path.join(data, "heart.csv")], reader)
    columns = tf.decode_csv(line, [[1.0]] * 4 + [[""]] + [[1]])
    history = tf.cond(tf.equal(columns[4], "Present"), lambda: 1.0, lambda: 0.0)
    return tf.train.shuffle_batch(
        [tf.stack(columns[:4] + [history]), columns[5]], 64, capacity=1000, min_after_dequeue=500
    )


def csv_default_capacity(tf, data):
    """As in the documents: no capacity is given, and 32 elements are less than a batch."""
    reader = tf.TextLineReader(skip_header_lines=1)
    columns = tf.decode_csv(
        _read(tf, [os.path.join(data, "heart.csv")], reader), [[1.0]] * 4 + [[""]] + [[1]]
    )
    return tf.train.batch([tf.stack(columns[:4]), columns[5]], 64)


def slices_default_capacity(tf, data):
    return slices(tf, data, 128)


def slices(tf, data, batch=64):
    import numpy as np

    rng = np.random.RandomState(0)
    values = rng.rand(20000, 10).astype(np.float32)
    labels = rng.randint(0, 10, 20000).astype(np.int32)
    if batch == 64:
        value, label = tf.train.slice_input_producer([values, labels], capacity=256)
        return tf.train.batch([value * 2 - 1, label], 64, capacity=512)
    value, label = tf.train.slice_input_producer([values, labels])
    return tf.train.batch([value * 2 - 1, label], batch)


def _voc(tf, path):
    value = _read(tf, [path], tf.TFRecordReader())
    text, number = tf.FixedLenFeature([], tf.string), tf.FixedLenFeature([], tf.int64)
    features = tf.parse_single_example(
        value, {"height": number, "width": number, "image_raw": text, "mask_raw": text}
    )
    height, width = tf.cast(features["height"], tf.int32), tf.cast(features["width"], tf.int32)
    image = tf.reshape(tf.decode_raw(features["image_raw"], tf.uint8), tf.stack([height, width, 3]))
    mask = tf.reshape(tf.decode_raw(features["mask_raw"], tf.uint8), tf.stack([height, width, 1]))
    image = tf.image.resize_image_with_crop_or_pad(image, 224, 224)
    mask = tf.image.resize_image_with_crop_or_pad(mask, 224, 224)
    return tf.train.shuffle_batch([image, mask], 8, capacity=60, min_after_dequeue=20)


def voc_one_size(tf, data):
    return _voc(tf, os.path.join(data, "voc_one.tfrecord"))


def voc_many_sizes(tf, data):
    return _voc(tf, os.path.join(data, "voc_many.tfrecord"))


def padded_sequences(tf, data):
    value = _read(tf, [os.path.join(data, "sequences.tfrecord")], tf.TFRecordReader())
    context, lists = tf.parse_single_sequence_example(
        value,
        context_features={"length": tf.FixedLenFeature([], tf.int64)},
        sequence_features={"tokens": tf.FixedLenSequenceFeature([], tf.int64)},
    )
    return tf.train.batch([context["length"], lists["tokens"]], 64, capacity=1000, dynamic_pad=True)


def jpeg_one_thread(tf, data):
    return jpeg_files(tf, data, threads=1)


def jpeg_files(tf, data, threads=2):
    paths = sorted(glob.glob(os.path.join(data, "jpeg", "*.jpg")))
    image = tf.image.decode_jpeg(_read(tf, paths, tf.WholeFileReader()), channels=3)
    image = tf.image.resize_image_with_crop_or_pad(image, 224, 224)
    return [tf.train.batch([image], 16, num_threads=threads, capacity=64)]


def fifo_one_by_one(tf, data):
    queue = tf.FIFOQueue(2000, [tf.float32], shapes=[[4]])
    many = queue.enqueue_many([tf.random_normal([200, 4])])
    tf.train.add_queue_runner(tf.train.QueueRunner(queue, [many]))
    return [tf.reshape(queue.dequeue(), [1, 4])]


PIPELINES = [
    mnist_bytes,
    mnist_in_order,
    mnist_int64,
    cifar_eval,
    cifar_distorted,
    csv_cond,
    csv_default_capacity,
    slices,
    slices_default_capacity,
    voc_one_size,
    voc_many_sizes,
    padded_sequences,
    jpeg_files,
    jpeg_one_thread,
    fifo_one_by_one,
]


def sized(tf, data, size):
    """Records of one size, decoded."""
    value = _read(tf, [os.path.join(data, f"size_{size}.tfrecord")], tf.TFRecordReader())
    raw = tf.decode_raw(value, tf.uint8)
    raw.set_shape([size])
    return [tf.train.batch([raw], 8, capacity=64 if size >= 100000 else 512)]


# What is varied in the sweeps: label, a function of `tf` and `data`.
SWEEPS = {
    "bytes an example": {
        str(size): lambda tf, data, size=size: sized(tf, data, size)
        for size in (10, 100, 1000, 10000, 100000, 1000000)
    },
    "batch size": {
        str(batch): lambda tf, data, batch=batch: mnist_bytes(tf, data, batch=batch)
        for batch in (1, 8, 32, 128, 512)
    },
    "threads": {
        str(threads): lambda tf, data, threads=threads: mnist_bytes(tf, data, threads=threads)
        for threads in (1, 2, 4)
    },
}


def find(name):
    """The pipeline called `name`: a function's name, or `<sweep>=<value>`."""
    if "=" in name:
        sweep, _, value = name.partition("=")
        return SWEEPS[sweep][value]
    return {pipeline.__name__: pipeline for pipeline in PIPELINES}[name]
