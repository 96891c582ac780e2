"""The bytes were written as uint8 and are decoded as float32."""

import tfqueue.v1 as tf

names = tf.train.string_input_producer(["train-0.tfrecord"])
key, record = tf.TFRecordReader().read(names)
features = tf.parse_single_example(record, {"image_raw": tf.FixedLenFeature([], tf.string)})
image = tf.reshape(tf.decode_raw(features["image_raw"], tf.float32), [4, 4])
batch = tf.train.batch([image], batch_size=4)

with tf.Session() as sess:
    tf.train.start_queue_runners(sess)
    sess.run(batch)
