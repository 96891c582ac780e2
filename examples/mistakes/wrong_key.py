"""The graph asks for a key that no record has."""

import tfqueue.v1 as tf

names = tf.train.string_input_producer(["train-0.tfrecord"])
key, record = tf.TFRecordReader().read(names)
features = tf.parse_single_example(record, {"image": tf.FixedLenFeature([], tf.string)})
batch = tf.train.batch(features, batch_size=4)

with tf.Session() as sess:
    tf.train.start_queue_runners(sess)
    sess.run(batch)
