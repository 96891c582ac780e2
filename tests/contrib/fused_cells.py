"""Cells of `tf.contrib.rnn` that run over a sequence by themselves, and the phased LSTM.

`python fused_cells.py > fused_cells_115.json` with TensorFlow 1.15.5 records what they give.
"""

import json

import numpy as np


def _fused(make, **words):
    def build(tf, x):
        outputs, state = make(tf.contrib.rnn, tf)(x, dtype=tf.float32, **words)
        return [outputs, *state]

    return build


def _phased(**words):
    def build(tf, x):
        cell = tf.contrib.rnn.PhasedLSTMCell(2, period_init_min=3.0, period_init_max=3.0, **words)
        times = tf.constant([[[0.1], [0.5]], [[1.1], [1.2]], [[2.9], [4.05]]])
        outputs, state = tf.nn.dynamic_rnn(cell, (times, x), dtype=tf.float32, time_major=True)
        return [outputs, *state]

    return build


def _twice(tf, x):
    first, second = (tf.contrib.rnn.LSTMBlockFusedCell(2) for _ in range(2))
    for cell in (first, first, second):
        x, _ = cell(x, dtype=tf.float32)
    return [x]


def _begun(tf, x):
    start = (tf.fill([2, 2], 0.25), tf.fill([2, 2], -0.5))
    outputs, state = tf.contrib.rnn.LSTMBlockFusedCell(2)(
        x, initial_state=start, sequence_length=[0, 2]
    )
    return [outputs, *state]


CASES = {
    "plain": _fused(lambda rnn, tf: rnn.LSTMBlockFusedCell(2)),
    "peephole": _fused(
        lambda rnn, tf: rnn.LSTMBlockFusedCell(
            2, cell_clip=0.5, use_peephole=True, forget_bias=0.5
        ),
        sequence_length=[2, 0],
    ),
    "reversed": _fused(
        lambda rnn, tf: rnn.TimeReversedFusedRNN(rnn.LSTMBlockFusedCell(2)),
        sequence_length=[2, 3],
    ),
    "reversed_whole": _fused(lambda rnn, tf: rnn.TimeReversedFusedRNN(rnn.LSTMBlockFusedCell(2))),
    "dynamic": _fused(
        lambda rnn, tf: rnn.FusedRNNCellAdaptor(
            tf.nn.rnn_cell.BasicLSTMCell(2), use_dynamic_rnn=True
        ),
    ),
    "static": _fused(
        lambda rnn, tf: rnn.FusedRNNCellAdaptor(tf.nn.rnn_cell.BasicLSTMCell(2)),
    ),
    "twice": _twice,
    "begun": _begun,
    "phased": _phased(ratio_on=0.6),
    "phased_peephole": _phased(
        use_peepholes=True, ratio_on=0.9, leak=0.01, trainable_ratio_on=False
    ),
}


def run(tf, name):
    """Variables, outputs and states, and the sums of the gradients of a case."""
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.constant(np.sin(np.arange(12) * 1.7).reshape(3, 2, 2), tf.float32)
        with tf.variable_scope("s", initializer=tf.constant_initializer(0.3)):
            found = CASES[name](tf, x)
        variables = tf.trainable_variables()
        total = tf.add_n([tf.reduce_sum(one) for one in found])
        gradients = [g for g in tf.gradients(total, variables) if g is not None]
        sess.run(tf.global_variables_initializer())
        # where a phase begins is drawn
        for variable in tf.global_variables():
            if variable.op.name.endswith("/phase"):
                sess.run(variable.assign([0.2, 0.7]))
        values, slopes = sess.run([found, gradients])
    return {
        "variables": [variable.op.name for variable in variables],
        "values": [np.ravel(one).tolist() for one in values],
        "slopes": [float(np.sum(one)) for one in slopes],
    }


if __name__ == "__main__":
    import tensorflow

    print(json.dumps({name: run(tensorflow, name) for name in CASES}, indent=1, sort_keys=True))
