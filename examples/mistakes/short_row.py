"""A row of a CSV file lacks a column."""

import tfqueue.v1 as tf

names = tf.train.string_input_producer(["rows.csv"])
key, line = tf.TextLineReader().read(names)
width, height = tf.decode_csv(line, record_defaults=[[0], [0]])
batch = tf.train.batch([width, height], batch_size=2)

with tf.Session() as sess:
    tf.train.start_queue_runners(sess)
    for _ in range(10):
        sess.run(batch)
