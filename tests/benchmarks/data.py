"""Writes what the pipelines read: seeded, so that every run reads the same."""

import os

import numpy as np

MANY = 20000


def _example(tf, **values):
    features = {}
    for name, value in values.items():
        if isinstance(value, bytes):
            features[name] = tf.train.Feature(bytes_list=tf.train.BytesList(value=[value]))
        else:
            features[name] = tf.train.Feature(int64_list=tf.train.Int64List(value=value))
    return tf.train.Example(features=tf.train.Features(feature=features)).SerializeToString()


def _write(tf, path, records):
    with tf.io.TFRecordWriter(path) as writer:
        for record in records:
            writer.write(record)


def _sequence(tf, rng):
    tokens = rng.integers(0, 1000, rng.integers(5, 30))
    feature = [tf.train.Feature(int64_list=tf.train.Int64List(value=[t])) for t in tokens]
    length = tf.train.Feature(int64_list=tf.train.Int64List(value=[len(tokens)]))
    return tf.train.SequenceExample(
        context=tf.train.Features(feature={"length": length}),
        feature_lists=tf.train.FeatureLists(
            feature_list={"tokens": tf.train.FeatureList(feature=feature)}
        ),
    ).SerializeToString()


def _picture(rng, height, width):
    rows, columns = np.mgrid[:height, :width]
    smooth = (rows[..., None] + columns[..., None] * rng.integers(1, 4, 3)) % 256
    return (smooth + rng.integers(0, 8, (height, width, 3))).clip(0, 255).astype(np.uint8)


def write(folder):
    """Fills `folder`."""
    import tensorflow as tf

    rng = np.random.default_rng(0)
    at = lambda name: os.path.join(folder, name)  # noqa: E731
    _write(
        tf,
        at("mnist.tfrecord"),
        (_example(tf, label=[i % 10], image_raw=rng.bytes(784)) for i in range(MANY)),
    )
    _write(
        tf,
        at("mnist_int64.tfrecord"),
        (_example(tf, label=[i % 10], image=rng.integers(0, 256, 784)) for i in range(MANY // 2)),
    )
    with open(at("cifar.bin"), "wb") as out:
        for i in range(MANY // 2):
            out.write(bytes([i % 10]) + rng.bytes(3072))
    with open(at("heart.csv"), "w") as out:
        out.write("a,b,c,d,famhist,chd\n")
        for i in range(MANY):
            numbers = ",".join(f"{x:.3f}" for x in rng.random(4))
            out.write(f"{numbers},{'Present' if rng.random() < 0.5 else 'Absent'},{i % 2}\n")
    for name, sizes in (("voc_one", [(240, 320)]), ("voc_many", None)):

        def pairs(sizes=sizes):
            for _i in range(150):
                height, width = sizes[0] if sizes else rng.integers(180, 320, 2)
                image = _picture(rng, height, width)
                yield _example(
                    tf,
                    height=[height],
                    width=[width],
                    image_raw=image.tobytes(),
                    mask_raw=(image[..., 0] // 64).tobytes(),
                )

        _write(tf, at(f"{name}.tfrecord"), pairs())
    _write(tf, at("sequences.tfrecord"), (_sequence(tf, rng) for _ in range(MANY // 2)))
    os.mkdir(at("jpeg"))
    for i in range(100):
        encoded = tf.io.encode_jpeg(_picture(rng, 256, 256), quality=90).numpy()
        with open(at(f"jpeg/{i:03}.jpg"), "wb") as out:
            out.write(encoded)
    for size in (10, 100, 1000, 10000, 100000, 1000000):
        count = max(30, min(MANY // 2, 30_000_000 // size))
        _write(tf, at(f"size_{size}.tfrecord"), (rng.bytes(size) for _ in range(count)))
