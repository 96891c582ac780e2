"""Trains from a seed of the graph alone: TensorFlow derives the seeds of the ops. seeds.py FOLDER [OPS]"""

import sys

import tensorflow as tf

tf.set_random_seed(11)
for number in range(int((sys.argv + ["0"])[2])):
    tf.constant(number)  # an op more moves all seeds behind it
x = tf.random_normal([8, 4])
hidden = tf.layers.dense(x, 6, tf.nn.relu, name="hidden")
kept = tf.nn.dropout(hidden, 0.5)
logits = tf.layers.dense(kept, 3, name="out")
labels = tf.random_uniform([8], 0, 3, tf.int64)
losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
loss = tf.reduce_mean(losses)
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(5):
        sess.run([train, loss])
