"""Warps of images and cells of `tf.contrib`, in the words of any release.

`python warps_and_cells.py > warps_and_cells_115.json` with TensorFlow 1.15.5 records what they give.
"""

import json

import numpy as np


def _cell(make, **words):
    def build(tf):
        x = tf.constant(np.sin(np.arange(12) * 1.7).reshape(2, 3, 2), tf.float32)
        outputs, state = tf.nn.dynamic_rnn(make(tf.contrib.rnn), x, dtype=tf.float32, **words)
        return [outputs] + (list(state) if isinstance(state, tuple) else [state])

    return build


def _image(tf, scale=1.0):
    shape = [2, 3, 4, 2]
    start = np.cos(np.arange(48) * 0.7).reshape(shape) * scale
    return tf.get_variable("image", shape, initializer=tf.constant_initializer(start))


def _resampled(places):
    def build(tf):
        start = np.array(places, np.float32)
        warp = tf.get_variable("warp", start.shape, initializer=tf.constant_initializer(start))
        return [tf.contrib.resampler.resampler(_image(tf), warp)]

    return build


def _warped(tf):
    start = np.sin(np.arange(48) * 1.3).reshape(2, 3, 4, 2) * 3
    start[0, 0, 0] = [0, 1]
    flow = tf.get_variable("flow", start.shape, initializer=tf.constant_initializer(start))
    return [tf.contrib.image.dense_image_warp(_image(tf), flow)]


def _constant(shape, dtype=None, partition_info=None):
    count = int(np.prod(shape))
    return (np.cos(np.arange(count) * 0.8).reshape(shape) * 0.6).astype("float32")


def _coupled(units=2, **words):
    return _cell(lambda rnn: rnn.CoupledInputForgetGateLSTMCell(units, **words))


CASES = {
    "gru_block": _cell(lambda rnn: rnn.GRUBlockCell(2)),
    "gru_block_old_name": _cell(lambda rnn: rnn.GRUBlockCell(cell_size=3, name="mine")),
    "sru": _cell(lambda rnn: rnn.SRUCell(2)),
    "sru_lengths": _cell(lambda rnn: rnn.SRUCell(3), sequence_length=[1, 3]),
    "coupled": _coupled(),
    "coupled_peepholes": _coupled(use_peepholes=True, forget_bias=0.5),
    "coupled_projection": _coupled(
        num_proj=3, proj_clip=0.1, num_unit_shards=2, num_proj_shards=2, state_is_tuple=False
    ),
    "coupled_norm": _coupled(5, layer_norm=True, norm_gain=0.5, norm_shift=0.1, use_peepholes=True),
    "ind_rnn": _cell(lambda rnn: rnn.IndRNNCell(2)),
    "ind_rnn_words": _cell(lambda rnn: rnn.IndRNNCell(3, abs, name="a", dtype="float32")),
    "indy_gru": _cell(lambda rnn: rnn.IndyGRUCell(2), sequence_length=[1, 3]),
    "indy_gru_words": _cell(lambda rnn: rnn.IndyGRUCell(2, None, None, _constant, _constant, "b")),
    "indy_lstm": _cell(lambda rnn: rnn.IndyLSTMCell(2)),
    "indy_lstm_words": _cell(
        lambda rnn: rnn.IndyLSTMCell(2, 0.5, None, None, _constant, _constant, name="c")
    ),
    "group_lstm": _cell(lambda rnn: rnn.GLSTMCell(2)),
    "group_lstm_of_two": _cell(
        lambda rnn: rnn.GLSTMCell(4, _constant, number_of_groups=2, forget_bias=0.5)
    ),
    "group_lstm_projection": _cell(lambda rnn: rnn.GLSTMCell(4, num_proj=6, number_of_groups=2)),
    "resampler": _resampled(
        [
            [[0.0, 0.0], [1.25, 0.5], [2.9, 1.9], [3.0, 2.0], [3.5, 1.0]],
            [[-0.25, 2.75], [-1.0, 1.0], [4.0, 0.0], [9.0, -7.0], [0.5, 2.0]],
        ]
    ),
    "resampler_grid": _resampled(np.arange(24).reshape(2, 3, 2, 2) * 0.37 - 1.5),
    "dense_image_warp": _warped,
}


def run(tf, name):
    """The variables, the values and the gradients of a case."""

    def start(shape, dtype=None, partition_info=None):
        count = int(np.prod(shape))
        return tf.constant(np.sin(np.arange(count) * 0.9 + 1.0).reshape(shape) * 0.5, dtype)

    with tf.Graph().as_default(), tf.Session() as sess:
        with tf.variable_scope("s", initializer=start):
            found = CASES[name](tf)
        variables = tf.trainable_variables()
        total = tf.add_n([tf.reduce_sum(one * one) for one in found])
        slopes = [g for g in tf.gradients(total, variables) if g is not None]
        sess.run(tf.global_variables_initializer())
        for one in variables:
            if one.op.name.endswith("_u"):  # they start at random
                sess.run(tf.assign(one, start(one.shape.as_list(), tf.float32)))
        values, gradients = sess.run([found, [tf.convert_to_tensor(one) for one in slopes]])
    return {
        "variables": [[v.op.name] + v.shape.as_list() for v in variables],
        "values": [np.ravel(one).tolist() for one in values],
        "shapes": [list(one.shape) for one in values],
        "gradients": [np.ravel(one).tolist() for one in gradients],
    }


if __name__ == "__main__":
    import tensorflow

    print(json.dumps({name: run(tensorflow, name) for name in CASES}, sort_keys=True))
