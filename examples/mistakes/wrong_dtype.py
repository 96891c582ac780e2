"""The records hold int64, the graph asks for float32."""

import tfqueue.v1 as tf

names = tf.train.string_input_producer(["train-0.tfrecord"])
key, record = tf.TFRecordReader().read(names)
features = tf.parse_single_example(record, {"label": tf.FixedLenFeature([], tf.float32)})
batch = tf.train.shuffle_batch(features, 4, capacity=40, min_after_dequeue=10)

with tf.Session() as sess:
    tf.train.start_queue_runners(sess)
    sess.run(batch)
