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


ALL_ONES = {name: value for name, value in BEGIN.items() if name != "return_sequences"}
LAST = [[0.3998, 0.3998], [-0.1387, -0.1387]]
MEMORIES = [[[0.3188], [-0.0882]], [[0.7203], [-0.1671]]]
STATES = {
    "1.10": [LAST, LAST, *MEMORIES],
    "1.12": [LAST, *MEMORIES, LAST],
    "1.13": [LAST, *MEMORIES, LAST],
    "keras": [LAST, *MEMORIES, LAST],
    "1.15": [LAST, MEMORIES, LAST],
}
"""What a stack of cells gives: shapes by TensorFlow 1.10.1, 1.12.3, 1.13.2 and 1.15.5, numbers by the package keras 2.2.4."""


def evaluated(given, outputs):
    return tf.keras.backend.function(given[0], outputs)(given[1])


def of_release(when):
    release.assume_keras(when == "keras")
    release.assume(None if when == "keras" else when)


@pytest.mark.parametrize("unroll", [False, True])
@pytest.mark.parametrize("when", STATES)
def test_a_stack_of_cells_gives_its_states_in_the_order_of_its_release(when, unroll):
    of_release(when)
    layers = tf.keras.layers
    x = layers.Input((3, 1))
    cells = [layers.LSTMCell(1, **ALL_ONES), layers.GRUCell(2, **ALL_ONES)]
    layer = layers.RNN(cells, return_state=True, unroll=unroll)
    outputs = layer(x)
    expected, given = STATES[when], ([x], [np.cos(np.arange(6.0)).reshape(2, 3, 1)])
    found = [evaluated(given, tf.nest.flatten(one)) for one in outputs]
    for values, one in zip(found, expected, strict=True):
        parts = one if len(values) == 2 else [one]
        for value, part in zip(values, parts, strict=True):
            np.testing.assert_allclose(value, part, rtol=0, atol=6e-5)
    again = layer(x, initial_state=outputs[1:])  # which takes them in this order, too
    assert len(again) == len(outputs)


def test_states_start_a_bidirectional_layer():
    """The numbers are of the package keras 2.2.4."""
    layers = tf.keras.layers
    x = layers.Input((3, 1))
    both = layers.Bidirectional(layers.LSTM(1, return_state=True, **ALL_ONES))(x)
    last = layers.Bidirectional(layers.GRU(1, **ALL_ONES))(x, initial_state=[both[1], both[3]])
    [found] = evaluated(([x], [np.cos(np.arange(6.0)).reshape(2, 3, 1)]), [last])
    expected = [[0.2001, 0.4118], [-0.2697, -0.6764]]
    np.testing.assert_allclose(found, expected, rtol=0, atol=6e-5)


def test_a_layer_of_each_time_is_given_the_mask():
    """The numbers are of the package keras 2.2.4."""
    layers = tf.keras.layers
    x = layers.Input((2, 3), dtype="int32")
    words = layers.Embedding(4, 1, mask_zero=True, embeddings_initializer="ones")
    y = layers.TimeDistributed(layers.GRU(1, **ALL_ONES))(layers.TimeDistributed(words)(x))
    [found] = evaluated(([x], [np.array([[[1, 2, 0], [3, 0, 0]]])]), [y])
    np.testing.assert_allclose(found[0, :, 0], [0.38, 0.2285], rtol=0, atol=6e-5)


@pytest.mark.filterwarnings("ignore:`Model.state_updates` will be removed")
@pytest.mark.parametrize(("when", "expected"), [("1.4", 2), ("1.8", 0), ("keras", 0), ("1.15", 0)])
def test_a_prediction_changes_states_of_a_bidirectional_layer_up_to_1_4_alone(when, expected):
    """As `len(model.state_updates)` of TensorFlow 1.4.1, 1.8.0 and 1.15.5 and of Keras 2.1.6 and 2.2.4 says."""
    of_release(when)
    layers = tf.keras.layers
    x = layers.Input(batch_shape=(2, 3, 1))
    layer = layers.Bidirectional(layers.SimpleRNN(1, stateful=True, **ALL_ONES))
    model = tf.keras.models.Model(x, layer(x))
    assert (len(model.state_updates), model.stateful) == (expected, bool(expected))
    assert len(layer.updates) == 2
    layer.reset_states([np.ones((2, 1)), np.zeros((2, 1))])
    states = [layer.forward_layer.states[0], layer.backward_layer.states[0]]
    assert [tf.keras.backend.get_value(one)[0, 0] for one in states] == [1, 0]
