"""In the manner of TensorFlow 1.15, half ported: compat.v1 in places, switches, flags."""
import collections

import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
tf.compat.v1.disable_eager_execution()
FLAGS = tf.app.flags.FLAGS
tf.app.flags.DEFINE_integer('rows', 5, 'How many.')
Row = collections.namedtuple('Row', 'x y')


def main(_):
    with tf.Graph().as_default():
        x = tf.constant([[i, i + 1] for i in range(FLAGS.rows)])
        row = Row(*tf.compat.v1.train.slice_input_producer(
            [x, tf.range(FLAGS.rows)], num_epochs=1, shuffle=False))
        xs, ys = tf.train.batch(row, 2, allow_smaller_final_batch=True)
        loss = tf.nn.softmax_cross_entropy_with_logits(
            labels=tf.one_hot(ys, 2), logits=tf.cast(xs, tf.float32))
        assert not isinstance({}, collections.Sequence)
        with tf.Session() as sess:
            sess.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
            coord = tf.train.Coordinator()
            threads = tf.train.start_queue_runners(sess, coord)
            try:
                while True:
                    rows, _ = sess.run([xs, loss])
                    print(rows.tolist())
            except tf.errors.OutOfRangeError:
                coord.request_stop()
            coord.join(threads)


if __name__ == '__main__':
    tf.app.run()
