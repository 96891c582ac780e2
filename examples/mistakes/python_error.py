"""A Python function of the pipeline raises."""

import tfqueue.v1 as tf


def brightness(pixels):
    values = list(pixels)
    return sum(values) / len(values[16:])


names = tf.train.string_input_producer(["train-0.tfrecord"])
key, record = tf.TFRecordReader().read(names)
features = tf.parse_single_example(record, {"image_raw": tf.FixedLenFeature([], tf.string)})
mean = tf.py_func(brightness, [features["image_raw"]], tf.float64)
mean.set_shape([])
batch = tf.train.batch([mean], batch_size=4)

with tf.Session() as sess:
    tf.train.start_queue_runners(sess)
    sess.run(batch)
