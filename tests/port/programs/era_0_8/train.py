#!/usr/bin/env python
# In the manner of TensorFlow 0.8 and Python 2: two files, one initialiser, losses by position.
import os
import sys

import numpy as np
import tensorflow as tf
from tensorflow.models.image.toy import toy_input

reload(sys)
sys.setdefaultencoding('utf-8')

flags = tf.app.flags
FLAGS = flags.FLAGS
folder = sys.argv[1]


def train():
    names = toy_input.write(folder, {'a': 6, 'b': 4})
    print 'files', len(names)
    images, labels = toy_input.inputs(os.path.join(folder, '*.tfrecords'), 4)
    logits = tf.mul(tf.reduce_sum(images, 1, keep_dims=True), tf.ones([1, 2]))
    both = tf.concat(1, [logits, logits])
    first, second = tf.split(1, 2, both)
    loss = tf.nn.sparse_softmax_cross_entropy_with_logits(first, tf.to_int32(labels))
    tf.scalar_summary('loss', tf.reduce_mean(loss))
    merged = tf.merge_all_summaries()
    packed = tf.pack([tf.shape(first)[1], tf.shape(second)[0]])
    init = tf.initialize_all_variables()
    sess = tf.Session()
    sess.run(init)
    coord = tf.train.Coordinator()
    threads = tf.train.start_queue_runners(sess=sess, coord=coord)
    writer = tf.train.SummaryWriter(folder, sess.graph)
    seen = []
    try:
        for step in xrange(100):
            l, y, p, s = sess.run([loss, labels, packed, merged])
            writer.add_summary(s, step)
            seen += map(int, y)
            if step == 0:
                print 'shape', list(p), 'loss %.4f' % l.mean()
    except tf.errors.OutOfRangeError, e:
        print 'steps', step, 'half', step / 2
    finally:
        coord.request_stop()
    coord.join(threads)
    writer.close()
    counts = dict((k, seen.count(k)) for k in set(seen))
    for k, v in sorted(counts.iteritems()):
        print >>sys.stdout, k, v,
    print
    if not counts.has_key(7) and 0777 <> 1:
        print 'done'


if __name__ == '__main__':
    train()
