"""What recurrent layers of `tf.keras` put out where a mask hides a time, release by release.

The numbers were printed by TensorFlow 1.12.3 and 1.15.5 for the same calls.
"""

import numpy as np
import pytest

import tfqueue.v1 as tf
from tfqueue import release

pytest.importorskip("tf_keras", reason="needs tf_keras: pip install 'tfqueue[keras]'")
pytestmark = [
    pytest.mark.usefixtures("no_session_of_keras"),
    pytest.mark.filterwarnings("ignore:the graph grew"),
]
BEGIN = {
    "kernel_initializer": "ones",
    "recurrent_initializer": "ones",
    "bias_initializer": "zeros",
    "return_sequences": True,
}
HIDDEN = {
    "layer": ([[0.5, 0.5, 0.5, 0.5197], [0.5] * 4], [[0, 0.5, 0.5, 0.5197], [0] * 4]),
    "unrolled": ([[0, 0.5, 0.5, 0.5197], [0] * 4], [[0, 0.5, 0.5, 0.5197], [0] * 4]),
    "stack": ([[0, 0.2087, 0.6301, 0.3487], [0] * 4], [[0, 0.2087, 0.2087, 0.3487], [0] * 4]),
    "own cell": ([[0, -2, 2, -2.3], [0] * 4], [[0, -2, -2, -2.3], [0] * 4]),
    "function": ([[0.2, 1.5, 2, 2.5], [0.5] * 4], [[0.2, 0.2, 2, 2], [0] * 4]),
}


def loop(case, x, state):
    layers = tf.keras.layers
    if case == "layer":
        return layers.GRU(1, **BEGIN)(x, initial_state=[state])
    if case == "unrolled":
        return layers.GRU(1, unroll=True, **BEGIN)(x, initial_state=[state])
    if case == "stack":
        begin = {name: value for name, value in BEGIN.items() if name != "return_sequences"}
        cells = [layers.LSTMCell(1, **begin), layers.GRUCell(1, **begin)]
        return layers.RNN(cells, return_sequences=True)(x)
    if case == "own cell":
        return layers.RNN(Subtracting(), return_sequences=True)(x)
    shown = tf.reduce_any(tf.not_equal(x, 0), -1)
    return tf.keras.backend.rnn(doubling, x, [state], mask=shown, go_backwards=True)[1]


class Subtracting(tf.keras.layers.Layer):
    """A cell whose `call` is all that a layer uses: its `input_spec` is of a sequence."""

    state_size = 1

    def build(self, input_shape):
        self.kernel = self.add_weight(name="kernel", shape=(2, 1), initializer="ones")
        self.input_spec = tf.keras.layers.InputSpec(ndim=3)
        self.built = True

    def call(self, inputs, states):
        state = tf.matmul(inputs, self.kernel) + states[0]
        return -state, [state]


def doubling(inputs, states):
    return inputs[:, :1] * 2, [states[0] + 1]


@pytest.mark.parametrize("case", HIDDEN)
@pytest.mark.parametrize("when", ["1.12", "1.15"])
def test_a_loop_puts_out_what_its_release_did_where_a_mask_hides_a_time(case, when):
    release.assume(when)
    x, state = tf.keras.layers.Input((4, 2)), tf.keras.layers.Input((1,))
    given = np.zeros((2, 4, 2), "float32")
    given[0, 1], given[0, 3] = 1, (0.1, 0.2)
    found = loop(case, tf.keras.layers.Masking(0.0)(x), state)
    [found] = tf.keras.backend.function([x, state], [found])([given, np.full((2, 1), 0.5)])
    expected = HIDDEN[case][when == "1.15"]
    np.testing.assert_allclose(found[..., 0], expected, rtol=0, atol=5e-5)
