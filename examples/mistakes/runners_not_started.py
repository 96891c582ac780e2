"""`start_queue_runners` is forgotten."""

import tfqueue.v1 as tf

names = tf.train.string_input_producer(["train-0.tfrecord"])
key, record = tf.TFRecordReader().read(names)
batch = tf.train.batch([record], batch_size=4)

with tf.Session() as sess:
    sess.run(batch)
