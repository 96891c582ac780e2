# In the manner of TensorFlow 0.12: a feeder of one's own, which is ended by AbortedError.
from __future__ import print_function
import sys
import threading

import numpy as np
import tensorflow as tf

queue = tf.FIFOQueue(capacity=4, dtypes=[tf.float32, tf.float32], shapes=[[2], [2]])
x, y = tf.placeholder(tf.float32, [2]), tf.placeholder(tf.float32, [2])
enqueue = queue.enqueue([x, y])
logits, targets = queue.dequeue_many(2)
loss = tf.nn.sigmoid_cross_entropy_with_logits(logits, targets)
whole = tf.unpack(tf.concat(0, [logits, tf.neg(targets)]))
ended = []


def feed(sess):
    try:
        while True:
            sess.run(enqueue, feed_dict={x: np.zeros(2, np.float), y: np.ones(2, np.float)})
    except tf.errors.AbortedError:
        ended.append('aborted')


with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    feeder = threading.Thread(target=feed, args=(sess,))
    feeder.start()
    losses, rows = sess.run([loss, whole])
    print('loss %.4f' % np.mean(losses), 'rows', len(rows))
    sess.run(queue.close(cancel_pending_enqueues=True))
    while feeder.isAlive():
        feeder.join()
    print(ended[0])
sys.exit(3)
