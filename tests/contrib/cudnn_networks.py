"""Cells that compute what cuDNN's networks do, several of them over sequences.

`python cudnn_networks.py > cudnn_networks_115.json` with TensorFlow 1.15.5 records what they give.
"""

import json
import os

import numpy as np

CELLS = {
    "lstm": lambda tf: tf.contrib.cudnn_rnn.CudnnCompatibleLSTMCell(3),
    "gru": lambda tf: tf.contrib.cudnn_rnn.CudnnCompatibleGRUCell(3),
    "rnn_tanh": lambda tf: tf.nn.rnn_cell.BasicRNNCell(3),
    "rnn_relu": lambda tf: tf.nn.rnn_cell.BasicRNNCell(3, tf.nn.relu),
}
LENGTHS = [4, 1]


def inputs():
    """A batch of two sequences, [time, batch, inputs]."""
    return np.sin(np.arange(4 * 2 * 2) * 1.3).reshape(4, 2, 2).astype(np.float32)


def weights(name, shape):
    """What a variable of a name begins with."""
    start = sum(map(ord, name)) % 97
    return np.cos(start + np.arange(np.prod(shape)) * 0.7).reshape(shape).astype(np.float32)


def run(tf, mode, both, lengths):
    """Outputs, states, what the inputs do to their squares, and the names of the variables."""
    with tf.Graph().as_default(), tf.Session() as sess, tf.variable_scope("net"):
        x = tf.constant(inputs())
        words = {"dtype": tf.float32, "time_major": True, "sequence_length": lengths}
        make = CELLS[mode]
        if both:
            cells = [[make(tf) for _ in range(2)] for _ in range(2)]
            outputs, *ends = tf.contrib.rnn.stack_bidirectional_dynamic_rnn(*cells, x, **words)
            states = [end[at] for at in range(2) for end in ends]
        else:
            cell = tf.nn.rnn_cell.MultiRNNCell([make(tf) for _ in range(2)])
            outputs, states = tf.nn.dynamic_rnn(cell, x, **words)
        slope = tf.gradients(tf.reduce_sum(outputs * outputs), x)[0]
        variables = tf.trainable_variables()
        for one in variables:
            one.load(weights(one.op.name, one.shape.as_list()), sess)
        outputs, states, slope = sess.run([outputs, list(states), slope])
    states = [[one.h for one in states], [one.c for one in states]] if mode == "lstm" else [states]
    return {
        "variables": {one.op.name: one.shape.as_list() for one in variables},
        "outputs": outputs.tolist(),
        "states": np.array(states).tolist(),
        "slope": slope.tolist(),
    }


CASES = {
    " ".join([mode, "both" if both else "one", "cut" if lengths else "whole"]): (
        mode,
        both,
        lengths,
    )
    for mode in sorted(CELLS)
    for both in (False, True)
    for lengths in (None, LENGTHS)
}


def recorded():
    """What TensorFlow 1.15.5 gave, by case; under `keras` what its layers gave."""
    with open(os.path.join(os.path.dirname(__file__), "cudnn_networks_115.json")) as file:
        return json.load(file)


def of_keras(mode):
    """The weights of `CuDNNLSTM(3)` or `CuDNNGRU(3)` of Keras, for inputs of two features."""
    gates = {"lstm": 4, "gru": 3}[mode]
    shapes = {"kernel": [2, 3 * gates], "recurrent": [3, 3 * gates], "bias": [6 * gates]}
    return [weights(name, shapes[name]) for name in ("kernel", "recurrent", "bias")]


def run_keras(tf, mode):
    """What the layer computes that Keras says is the same, with the weights as Keras converts them."""
    from tensorflow.python.keras.saving import hdf5_format

    layers, x = tf.keras.layers, inputs().transpose(1, 0, 2)
    words = {"return_sequences": True, "return_state": True, "recurrent_activation": "sigmoid"}
    layer = layers.LSTM(3, **words) if mode == "lstm" else layers.GRU(3, reset_after=True, **words)
    given = tf.keras.Input(x.shape[1:])
    model = tf.keras.Model(given, layer(given))
    layer.set_weights(hdf5_format._convert_rnn_weights(layer, of_keras(mode)))
    return [one.tolist() for one in model.predict(x)]


if __name__ == "__main__":
    import tensorflow

    found = {name: run(tensorflow, *CASES[name]) for name in CASES}
    found["keras"] = {mode: run_keras(tensorflow, mode) for mode in ("lstm", "gru")}
    print(json.dumps(found, sort_keys=True))
