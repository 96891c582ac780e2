"""`CuDNNLSTM` and `CuDNNGRU` of `tf.keras` where there is no GPU.

Expected values are those of TensorFlow 1.15.5's `LSTM` and `GRU`, with the weights as it converts them.
"""

import json

import numpy as np
import pytest

from tests.contrib import cudnn_networks
from tests.suite import children

pytest.importorskip("tf_keras", reason="needs tf_keras: pip install 'tfqueue[keras]'")
PROGRAM = """
import json
import tfqueue.v1 as tf
from tests.contrib import cudnn_networks
x = cudnn_networks.inputs().transpose(1, 0, 2)
found = {}
for mode, kind in (("lstm", tf.keras.layers.CuDNNLSTM), ("gru", tf.keras.layers.CuDNNGRU)):
    given = tf.keras.Input(x.shape[1:])
    layers = [kind(3, return_sequences=True, return_state=True), kind(3)]
    model = tf.keras.Model(given, [layer(given) for layer in layers])
    for layer in layers:
        layer.set_weights(cudnn_networks.of_keras(mode))
    found[mode] = [one.tolist() for one in model.predict(x)]
print(json.dumps(found))
"""


def test_the_layers_of_keras_run_without_a_gpu():
    done = children.run(["-c", PROGRAM])
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    for mode, original in cudnn_networks.recorded()["keras"].items():
        *whole, last = found[mode]
        for one, expected in zip(whole, original, strict=True):
            np.testing.assert_allclose(one, expected, rtol=2e-5, atol=1e-6)
        np.testing.assert_allclose(last, np.array(original[0])[:, -1], rtol=2e-5, atol=1e-6)
