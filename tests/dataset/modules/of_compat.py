"""An old module that was moved to compat.v1 by hand."""

import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()


def inputs(path, batch_size=4, num_epochs=1):
    names = tf.train.string_input_producer([path], num_epochs=num_epochs, shuffle=False)
    _, record = tf.TFRecordReader().read(names)
    features = tf.parse_single_example(
        record,
        features={
            "x": tf.FixedLenFeature([3], tf.float32),
            "label": tf.FixedLenFeature([], tf.int64),
        },
    )
    assert tf.get_default_graph() is features["x"].graph
    xs, labels = tf.train.batch(
        [features["x"], features["label"]], batch_size, allow_smaller_final_batch=True
    )
    assert xs.get_shape()[1].value == 3
    return xs, labels
