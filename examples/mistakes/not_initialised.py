"""`num_epochs` makes a local variable, and only the global ones are initialised."""

import tfqueue.v1 as tf

names = tf.train.string_input_producer(["train-0.tfrecord"], num_epochs=2)
key, record = tf.TFRecordReader().read(names)
batch = tf.train.batch([record], batch_size=4)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    coord = tf.train.Coordinator()
    threads = tf.train.start_queue_runners(sess, coord)
    sess.run(batch)
