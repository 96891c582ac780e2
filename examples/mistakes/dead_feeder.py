"""The thread that feeds a queue by hand dies."""

import threading

import tfqueue.v1 as tf

queue = tf.FIFOQueue(32, tf.int32, shapes=[])
number = tf.placeholder(tf.int32, [])
put, take = queue.enqueue(number), queue.dequeue_many(8)


def feed(sess):
    for text in ["1", "2", "three"]:
        sess.run(put, {number: int(text)})


with tf.Session() as sess:
    threading.Thread(target=feed, args=[sess]).start()
    sess.run(take)
