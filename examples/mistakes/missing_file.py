"""A file's name is mistyped."""

import tfqueue.v1 as tf

names = tf.train.string_input_producer(["trian-0.tfrecord"])
key, record = tf.TFRecordReader().read(names)
batch = tf.train.batch([record], batch_size=4)

with tf.Session() as sess:
    coord = tf.train.Coordinator()
    threads = tf.train.start_queue_runners(sess, coord)
    sess.run(batch)
