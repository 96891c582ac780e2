"""Searches with `tf.contrib.seq2seq.BeamSearchDecoder`, in the words of any release since 1.2.

`python beam_search.py` with TensorFlow 1.4.1, 1.5.1 and 1.8.0 records what they find; `beam_search.json` has it by release.
"""

import json
import sys

import numpy as np

CASES = [(seed, width) for seed in (0, 2, 3, 5) for width in (2, 4)]


def found(tf, dense, seed, width):
    """Ids, lengths, and of the last state lengths, finished and probabilities, of seven steps.

    Args:
        tf: The module.
        dense: The class of `tf.layers.dense`.
        seed: Says which weights the cell has, and whether long sequences are preferred.
        width: How many sequences are kept.
    """
    random = np.random.RandomState(seed)
    with tf.Graph().as_default(), tf.Session() as sess:
        table = tf.constant(random.randn(6, 4) * 2, tf.float32)
        cell = tf.contrib.rnn.GRUCell(4)
        decoder = tf.contrib.seq2seq.BeamSearchDecoder(
            cell,
            table,
            [0, 1, 2],
            5,
            cell.zero_state(3 * width, tf.float32),
            width,
            output_layer=dense(6),
            length_penalty_weight=0.5 * (seed % 2),
        )
        outputs, state, lengths = tf.contrib.seq2seq.dynamic_decode(decoder, maximum_iterations=7)
        sess.run(tf.global_variables_initializer())
        for variable in tf.trainable_variables():
            variable.load(random.randn(*variable.get_shape().as_list()) * 1.5, sess)
        wanted = [outputs.predicted_ids, lengths, state.lengths, state.finished, state.log_probs]
        return [(value * 1.0).round(4).tolist() for value in sess.run(wanted)]


if __name__ == "__main__":
    import tensorflow
    from tensorflow.python.layers import core

    json.dump([found(tensorflow, core.Dense, *case) for case in CASES], sys.stdout)
