"""Recurrent layers of `tf.keras` count as in the release, for the seeds of what is random behind them.

The numbers are those of TensorFlow 1.9.0, 1.10.0, 1.12.3, 1.13.2, 1.14.0 and 1.15.5.
"""

import json

import pytest

from tests.suite import children

pytest.importorskip("tf_keras", reason="needs tf_keras: pip install 'tfqueue[keras]'")
pytestmark = pytest.mark.slow

PROGRAM = """
import json
import tensorflow as tf

tf.set_random_seed(7)
layers = tf.keras.layers
known, unknown = tf.placeholder(tf.float32, [None, 5, 6]), tf.placeholder(tf.float32, [None, None, 6])
batch, film = tf.placeholder(tf.float32, [2, 5, 6]), tf.placeholder(tf.float32, [None, 5, 8, 8, 3])
words, mask = tf.placeholder(tf.int32, [None, 5]), tf.placeholder(tf.bool, [None, 5])
state = tf.placeholder(tf.float32, [None, 4])
CALLS = [
    lambda: layers.LSTM(4)(known),
    lambda: layers.LSTM(4)(unknown),
    lambda: layers.LSTM(4, use_bias=False)(known),
    lambda: layers.LSTM(4, dropout=0.2, recurrent_dropout=0.3)(known),
    lambda: layers.LSTM(4, dropout=0.2)(known, training=False),
    lambda: layers.LSTM(4, unroll=True)(known),
    lambda: layers.LSTM(4, unroll=True)(known, mask=mask),
    lambda: layers.LSTM(4, stateful=True)(batch),
    lambda: layers.LSTM(4, implementation=2)(known),
    lambda: layers.LSTM(4)(known, mask=mask),
    lambda: layers.LSTM(4)(known, initial_state=[state, state]),
    lambda: layers.Bidirectional(layers.LSTM(4))(known, mask=mask),
    lambda: layers.Bidirectional(layers.LSTM(4, return_sequences=True))(known, mask=mask),
    lambda: layers.GRU(4)(layers.Embedding(9, 6, mask_zero=True)(words)),
    lambda: layers.GRU(4, dropout=0.2)(known, training=True),
    lambda: layers.GRU(4, implementation=2)(known),
    lambda: layers.SimpleRNN(4, recurrent_dropout=0.2)(known),
    lambda: layers.RNN([layers.LSTMCell(4), layers.LSTMCell(3), layers.LSTMCell(5)])(known),
    lambda: layers.RNN([layers.GRUCell(4), layers.GRUCell(3)])(unknown),
    lambda: layers.LSTMCell(4)(state, [state, state]),
    lambda: layers.ConvLSTM2D(4, 3)(film),
    lambda: layers.ConvLSTM2D(4, 3, padding="same", return_sequences=True)(film),
    lambda: layers.BatchNormalization()(film),
    lambda: layers.BatchNormalization()(film, training=True),
]

def drawn():
    tf.random_normal([2])
    found = [op for op in tf.get_default_graph().get_operations() if op.type == "RandomStandardNormal"]
    return found[-1].get_attr("seed2")

counts, before = [], drawn()
for call in CALLS:
    call()
    counts.append(drawn() - before)
    before += counts[-1]
print(json.dumps(counts))
"""

COUNTS = {
    "1.9": "350 337 292 550 362 591 732 362 244 378 341 756 758 330 340 250 167 892 480 152 315 315 92 56",
    "1.10": "350 337 292 550 362 591 732 362 244 394 341 788 790 338 340 250 167 892 480 152 315 315 96 60",
    "1.12": "362 349 304 562 374 603 744 362 256 406 341 812 814 345 346 256 173 938 497 152 315 315 96 60",
    "1.13": "363 350 305 579 375 608 659 363 257 396 342 794 796 339 353 257 176 929 493 152 316 316 92 56",
    "1.14": "299 286 273 515 311 448 499 299 231 332 278 664 668 339 353 257 176 737 493 120 249 249 92 56",
    "1.15": "286 286 260 502 298 448 499 286 218 319 265 638 642 326 340 244 163 724 493 120 249 249 92 56",
}


@pytest.mark.parametrize("release", COUNTS)
def test_recurrent_layers_count_as_in_the_release(release, tmp_path):
    (tmp_path / "old.py").write_text(PROGRAM)
    done = children.run(["-m", "tfqueue", "run", "--era", release, "old.py"], cwd=tmp_path)
    assert json.loads(done.stdout.splitlines()[-1]) == [*map(int, COUNTS[release].split())], (
        done.stderr
    )


def test_the_variance_of_a_volume_is_that_of_the_batch(tmp_path):
    """The value of 1.15.5, which has no fused op for it: that would give an unbiased one, 1.0622271."""
    (tmp_path / "old.py").write_text(
        "import numpy as np\nimport tensorflow as tf\n"
        "volume = tf.placeholder(tf.float32, [None, 5, 8, 8, 3])\n"
        "layer = tf.keras.layers.BatchNormalization()\n"
        "layer(volume, training=True)\n"
        "fed = {volume: np.random.RandomState(0).rand(2, 5, 8, 8, 3)[:1] * 9}\n"
        "with tf.Session() as session:\n"
        "    session.run(tf.global_variables_initializer())\n"
        "    session.run(layer.updates, fed)\n"
        "    print(session.run(layer.moving_variance)[0])\n"
    )
    done = children.run(["-m", "tfqueue", "run", "old.py"], cwd=tmp_path)
    assert float(done.stdout.split()[-1]) == pytest.approx(1.0620015, abs=2e-6), done.stderr
