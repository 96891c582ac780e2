"""In the manner of TensorFlow 1.0: CSV lines, epochs, and only the global initialiser."""
import sys
import time

import numpy as np
import tensorflow as tf

path = sys.argv[1] + '/rows.csv'
with open(path, 'w') as f:
    f.write('a,b\n' + ''.join('%d,%d\n' % (i, i * i) for i in range(6)))

queue = tf.train.string_input_producer(map(str, [path]), num_epochs=1)
key, value = tf.TextLineReader(skip_header_lines=1).read(queue)
a, b = tf.decode_csv(value, [[0], [0]])
batch = tf.train.batch([tf.stack([a, b])], batch_size=2)
both = tf.concat([batch, batch], 1)

started = time.clock() if hasattr(time, 'clock') else 0
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    coord = tf.train.Coordinator()
    threads = tf.train.start_queue_runners(sess=sess, coord=coord)
    total = np.zeros([2, 4], np.int)
    try:
        while not coord.should_stop():
            total += sess.run(both)
    except tf.errors.OutOfRangeError:
        print(total.tolist())
    finally:
        coord.request_stop()
        coord.join(threads)
