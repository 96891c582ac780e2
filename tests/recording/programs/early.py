"""Reads records with the names of TensorFlow 0.12, shuffles them and trains. early.py FOLDER"""

import os
import sys

import tensorflow as tf

path = os.path.join(sys.argv[1], "numbers.tfrecord")
writer = tf.python_io.TFRecordWriter(path)
for number in range(40):
    values = [number * 0.1, number * 0.2 + 1, number * -0.5, 1]
    feature = {
        "x": tf.train.Feature(float_list=tf.train.FloatList(value=values)),
        "y": tf.train.Feature(int64_list=tf.train.Int64List(value=[number % 3])),
    }
    example = tf.train.Example(features=tf.train.Features(feature=feature))
    writer.write(example.SerializeToString())
writer.close()

names = tf.train.string_input_producer([path], num_epochs=2)
_, record = tf.TFRecordReader().read(names)
parsed = tf.parse_single_example(
    record, {"x": tf.FixedLenFeature([4], tf.float32), "y": tf.FixedLenFeature([], tf.int64)}
)
x, y = tf.train.shuffle_batch([parsed["x"], parsed["y"]], 8, 40, 10)
weights = tf.Variable(tf.truncated_normal([4, 3], stddev=0.1), name="weights")
bias = tf.Variable(tf.zeros([3]), name="bias")
logits = tf.matmul(tf.nn.dropout(x, 0.5), weights) + bias
losses = tf.nn.sparse_softmax_cross_entropy_with_logits(logits=logits, labels=y)
loss = tf.reduce_mean(losses)
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)

with tf.Session() as sess:
    sess.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
    coord = tf.train.Coordinator()
    threads = tf.train.start_queue_runners(sess, coord)
    try:
        while not coord.should_stop():
            _, value = sess.run([train, loss])
    except tf.errors.OutOfRangeError:
        print("done")
    coord.request_stop()
    coord.join(threads)
