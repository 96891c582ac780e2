"""`tf.contrib.summary`; what is written was read from a file that TensorFlow 1.15.5 wrote."""

import pytest

import tfqueue.v1 as tf

pytestmark = pytest.mark.slow


def test_a_step_writes_what_1_15_wrote(tmp_path):
    summary = tf.contrib.summary
    with tf.Graph().as_default(), tf.Session() as sess:
        step = tf.train.get_or_create_global_step()
        x = tf.placeholder(tf.float32, [3])
        writer = summary.create_file_writer(str(tmp_path), flush_millis=10)
        with writer.as_default(), summary.record_summaries_every_n_global_steps(2):
            summary.scalar("loss", tf.reduce_sum(x))
            with tf.name_scope("in"):
                summary.scalar("most", tf.reduce_max(x), step=step)
        later = tf.assign_add(step, 1)
        with writer.as_default():
            sess.run(tf.global_variables_initializer())
            summary.initialize(graph=tf.get_default_graph())
            for number in range(4):
                sess.run(summary.all_summary_ops(), {x: [number, 1, 2]})
                sess.run(later)
            sess.run(writer.flush())
    [path] = tmp_path.iterdir()
    found = sorted(
        (event.step, value.tag, value.simple_value)
        for event in tf.train.summary_iterator(str(path))
        for value in event.summary.value
    )
    assert found == [(0, "in/most", 2), (0, "loss", 3), (2, "in/most", 2), (2, "loss", 5)]
