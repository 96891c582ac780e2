"""Layers of `tf.keras` count as in the release, for the seeds of what is random behind them.

The numbers are those of TensorFlow 1.9.0, 1.12.3, 1.13.2 and 1.15.5.
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
rows, steps = tf.placeholder(tf.float32, [None, 6]), tf.placeholder(tf.float32, [None, 5, 6])
image = tf.placeholder(tf.float32, [None, 8, 8, 3])
wide = tf.placeholder(tf.float32, [None, None, 8, 3])
four = tf.placeholder(tf.float32, [4, 8, 8, 3])
words = tf.placeholder(tf.int32, [None, 5])
CALLS = [
    (layers.Conv2D(4, 3), image),
    (layers.Conv2D(4, 3, dilation_rate=2), image),
    (layers.Conv1D(4, 3), steps),
    (layers.Conv2DTranspose(4, 3), image),
    (layers.Conv2DTranspose(4, 3, padding="same"), image),
    (layers.Conv2DTranspose(4, 3), wide),
    (layers.Flatten(), image),
    (layers.Flatten(), four),
    (layers.UpSampling2D(), image),
    (layers.UpSampling2D(), wide),
    (layers.Embedding(9, 4), words),
    (layers.LeakyReLU(), rows),
    (layers.Masking(), steps),
    (layers.TimeDistributed(layers.Dense(3)), steps),
    (layers.BatchNormalization(), image),
    (layers.BatchNormalization(), rows),
    (layers.Dense(3), rows),
]

def drawn():
    tf.random_normal([2])
    found = [op for op in tf.get_default_graph().get_operations() if op.type == "RandomStandardNormal"]
    return found[-1].get_attr("seed2")

counts, before = [], drawn()
for layer, given in CALLS:
    for _ in range(2):
        layer(given)
        counts.append(drawn() - before)
        before += counts[-1]
for training in (True, False):
    layers.BatchNormalization()(image, training=training)
    counts.append(drawn() - before)
    before += counts[-1]
print(json.dumps(counts))
"""

COUNTS = {
    "1.9": "27 10 37 20 32 15 49 33 45 29 49 33 14 14 14 14 14 14 14 14 21 10 12 12 16 16 30 14 74 52 92 72 26 10 46 32",
    "1.12": "27 10 37 20 32 15 49 33 45 29 49 33 14 14 14 14 14 14 14 14 22 11 9 9 16 16 30 14 78 56 96 76 26 10 50 32",
    "1.13": "27 10 37 20 32 15 53 37 49 33 53 37 14 14 8 8 14 14 14 14 20 9 7 7 16 16 30 14 74 52 92 72 26 10 46 32",
    "1.15": "27 10 37 20 32 15 53 37 49 33 53 37 14 14 8 8 14 14 14 14 20 9 7 7 13 13 30 14 74 52 92 72 26 10 46 32",
}


@pytest.mark.parametrize("release", COUNTS)
def test_layers_count_as_in_the_release(release, tmp_path):
    (tmp_path / "old.py").write_text(PROGRAM)
    done = children.run(["-m", "tfqueue", "run", "--era", release, "old.py"], cwd=tmp_path)
    assert json.loads(done.stdout.splitlines()[-1]) == [*map(int, COUNTS[release].split())], (
        done.stderr
    )


COMPILED = """
import json
import tensorflow as tf

tf.set_random_seed(7)
keras, layers = tf.keras, tf.keras.layers

def drawn():
    tf.random_normal([2])
    found = [op for op in tf.get_default_graph().get_operations() if op.type == "RandomStandardNormal"]
    return found[-1].get_attr("seed2")

def compiled(model, *given, **named):
    before = drawn()
    model.compile(*given, **named)
    return drawn() - before

rows = keras.Input((3,))
model = keras.Sequential([layers.Dense(1, activation="sigmoid", input_shape=(3,))])
several = keras.Model(rows, [layers.Dense(1)(rows), layers.Dense(2)(rows)])
classes = keras.Sequential([layers.Dense(4, activation="softmax", input_shape=(3,))])
print(json.dumps([
    compiled(model, "sgd", "mse"),
    compiled(model, "adam", "binary_crossentropy", metrics=["accuracy"]),
    compiled(model, "sgd", lambda given, found: keras.backend.mean(given - found)),
    compiled(several, "sgd", ["mse", "mae"], loss_weights=[1.0, 0.5]),
    compiled(classes, keras.optimizers.Adam(0.1), "categorical_crossentropy"),
]))
"""


@pytest.mark.parametrize("release", ["1.14", "1.15"])
def test_a_model_that_is_compiled_counts_as_in_the_release(release, tmp_path):
    """A generator that is made behind a compiled discriminator begins as it did."""
    (tmp_path / "old.py").write_text(COMPILED)
    done = children.run(["-m", "tfqueue", "run", "--era", release, "old.py"], cwd=tmp_path)
    assert json.loads(done.stdout.splitlines()[-1]) == [30, 69, 21, 100, 59], done.stderr
