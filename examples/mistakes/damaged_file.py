"""One byte of a file has changed on the way."""

import tfqueue.v1 as tf

names = tf.train.string_input_producer(["damaged.tfrecord"], num_epochs=1)
key, record = tf.TFRecordReader().read(names)
batch = tf.train.batch([record], batch_size=4)

with tf.Session() as sess:
    sess.run(tf.local_variables_initializer())
    tf.train.start_queue_runners(sess)
    while True:
        sess.run(batch)
