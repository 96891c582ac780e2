"""A PNG is handed to the reader of TFRecord files."""

import tfqueue.v1 as tf

names = tf.train.string_input_producer(["cat.png"])
key, record = tf.TFRecordReader().read(names)
batch = tf.train.batch([record], batch_size=4)

with tf.Session() as sess:
    tf.train.start_queue_runners(sess)
    sess.run(batch)
