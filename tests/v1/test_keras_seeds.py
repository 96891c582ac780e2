"""What `np.random.seed` fixes: first values, dropout, noise and the order of examples.

What is expected was printed by Keras 2.2.4 and 1.2.2 on TensorFlow 1.12.3, and by TensorFlow 1.15.5.
"""

import copy
import pickle

import numpy as np
import pytest

from tests.suite import children

pytest.importorskip("tf_keras", reason="needs tf_keras: pip install 'tfqueue[keras]'")

BEGIN = """
import numpy as np
%s
x = np.sin(np.arange(60)).reshape(20, 3).astype("float32")
steps = np.sin(np.arange(300)).reshape(20, 5, 3).astype("float32")
y = (np.cos(np.arange(20)) > 0).astype("float32").reshape(-1, 1)

def show(*made, **compiled):
    np.random.seed(0)
    model = Sequential([one() for one in made] + [Dense(1, activation="sigmoid")])
    START
    model.compile(compiled.get("by", "sgd"), "binary_crossentropy")
    data = x if len(model.input_shape) == 2 else steps
    if compiled.get("ids"):
        data = (np.abs(steps[..., 0]) * 9).astype("int32")
    history = model.fit(data, y, EPOCHS=2, batch_size=4, verbose=0).history
    print(" ".join("%%.5f" %% one for one in history["loss"]), np.random.randint(1000))
"""

KERAS_2 = (
    BEGIN.replace("START", "").replace("EPOCHS", "epochs")
    % """
from keras import backend as K
from keras.models import Sequential
from keras.layers import AlphaDropout, Dense, Dropout, GaussianDropout, GaussianNoise, Flatten
from keras.layers import Conv1D, GRU, Lambda, LSTM, SimpleRNN, SpatialDropout1D, TimeDistributed
from keras.initializers import Identity, Orthogonal, VarianceScaling, glorot_uniform
K.get_session()
"""
    + """
def first():
    return Dense(8, input_dim=3, activation="tanh")

show(first)
show(first, by="adadelta")
show(lambda: Dense(8, input_dim=3, kernel_initializer="he_normal", bias_initializer="lecun_uniform"))
show(lambda: Dense(8, input_dim=3, kernel_initializer="normal", bias_initializer="uniform"))
show(lambda: Dense(8, input_dim=3, kernel_initializer=glorot_uniform(seed=5)))
for layer in (lambda: Dropout(0.5), lambda: Dropout(0.5, seed=3), lambda: GaussianDropout(0.5)):
    show(first, layer)
for layer in (lambda: GaussianNoise(0.5), lambda: AlphaDropout(0.5)):
    show(first, layer)
show(lambda: Conv1D(4, 2, input_shape=(5, 3)), lambda: SpatialDropout1D(0.5), Flatten)
show(lambda: TimeDistributed(Dense(4), input_shape=(5, 3)), lambda: TimeDistributed(Dropout(0.3)), Flatten)
words = dict(input_shape=(5, 3), dropout=0.3, recurrent_dropout=0.4, recurrent_initializer="glorot_uniform")
for layer in (LSTM, GRU):
    for way in (1, 2):
        show(lambda: layer(4, implementation=way, **words))
show(lambda: SimpleRNN(4, **words))
np.random.seed(0)
run = K.get_session().run
value = np.abs(run(K.variable(Orthogonal(gain=2.0)((2, 3, 4))).initialized_value()))
print(" ".join("%.5f" % one for one in value[0].ravel()[:4]), np.random.randint(1000))
run(K.variable(Orthogonal(seed=3)((4, 3))).initialized_value())
print(np.random.randint(1000))
print(run(K.variable(Identity(2.0)((2, 4))).initialized_value()).tolist())
"""
)

KERAS_1 = (
    BEGIN.replace("START", "").replace("EPOCHS", "nb_epoch")
    % """
from keras.models import Sequential
from keras.layers import Convolution1D, Dense, Dropout, Embedding, Flatten, GRU, LSTM
"""
    + """
for init in ("glorot_uniform", "he_normal", "normal", "uniform", "orthogonal"):
    show(lambda: Dense(3, input_dim=3, init=init, activation="tanh"), by="adadelta")
show(lambda: Convolution1D(4, 2, input_shape=(5, 3)), lambda: Dropout(0.5), Flatten)
words = dict(input_shape=(5, 3), inner_init="glorot_uniform")
for way in ("cpu", "gpu"):
    for layer in (LSTM, GRU):
        show(lambda: layer(4, consume_less=way, **words))
    show(lambda: LSTM(4, consume_less=way, dropout_W=0.3, dropout_U=0.2, **words))
show(lambda: LSTM(4, dropout_W=0.3, **words))
show(lambda: Embedding(10, 4, input_length=5, dropout=0.2), Flatten, ids=True)
"""
)

TF_KERAS = (
    BEGIN.replace(
        "START",
        "model.set_weights([np.sin(np.arange(w.size)).reshape(w.shape) * 0.5 for w in model.get_weights()])",
    ).replace("EPOCHS", "epochs")
    % """
import tensorflow as tf
from tensorflow.keras.layers import AlphaDropout, Bidirectional, Dense, Dropout, GaussianDropout, GaussianNoise
from tensorflow.keras.layers import GRU, LSTM, SimpleRNN
Sequential = tf.keras.models.Sequential
tf.keras.backend.set_session(tf.Session())
"""
    + """
def first():
    return Dense(8, input_shape=(3,), activation="tanh")

for layer in (lambda: Dropout(0.5, seed=3), lambda: GaussianDropout(0.5), lambda: GaussianNoise(0.5)):
    show(first, layer)
show(first, lambda: AlphaDropout(0.5))
words = dict(input_shape=(5, 3), dropout=0.3, recurrent_dropout=0.4)
for layer in (LSTM, GRU):
    for way in (1, 2):
        show(lambda: layer(4, implementation=way, **words))
show(lambda: SimpleRNN(4, **words))
show(lambda: Bidirectional(LSTM(4, dropout=0.2), input_shape=(5, 3)))
"""
)
EXPECTED = {
    "KERAS_2": """
0.89472 0.88388 288
0.89322 0.88042 288
1.34474 1.29449 639
0.70446 0.70272 639
0.67918 0.68043 147
0.57416 0.76475 639
0.96630 0.97427 288
0.70127 0.65520 639
0.65676 0.61960 639
0.75314 0.79327 639
1.24507 1.16299 639
0.89106 0.85386 639
0.68067 0.69411 932
0.68841 0.68127 932
0.69324 0.71675 932
0.70616 0.68583 932
0.93138 0.78481 544
1.18782 1.14330 0.51059 0.37526 183
662
[[2.0, 0.0, 2.0, 0.0], [0.0, 2.0, 0.0, 2.0]]
""",
    "KERAS_1": """
0.68574 0.68553 288
0.79714 0.79609 288
0.69824 0.69789 288
0.69239 0.69213 288
0.81233 0.81155 932
0.82647 0.88645 639
0.70899 0.70813 544
0.66673 0.66564 544
0.69877 0.70579 42
0.69683 0.69609 288
0.70731 0.70582 288
0.69133 0.69592 932
0.70134 0.70382 932
0.69685 0.69270 639
""",
    "TF_KERAS": """
0.73059 0.70392 755
0.75846 0.65731 147
0.77051 0.79477 147
0.91360 0.73944 147
0.69379 0.69867 882
0.69080 0.68900 882
0.69799 0.70526 544
0.72928 0.74449 544
0.70592 0.73147 288
0.70631 0.71092 882
""",
}


def test_initializers_are_pickled():
    import tfqueue.v1 as tf

    for name in ("glorot_uniform", "he_normal", "orthogonal", "random_normal", "zeros"):
        made = tf.keras.initializers.get(name)
        assert type(pickle.loads(pickle.dumps(made))) is type(made) is type(copy.deepcopy(made))
        assert tf.keras.initializers.serialize(made).keys() == {"class_name", "config"}
    assert tf.glorot_uniform_initializer is not tf.keras.initializers.glorot_uniform


def test_a_shape_may_be_a_tensor_or_a_tensor_shape():
    import tfqueue.v1 as tf
    from tfqueue import release

    release.assume_keras()
    of_keras, x = tf.keras.initializers, tf.zeros((2, 3))
    made = [of_keras.get("normal")(tf.shape(x)), of_keras.get("he_normal")(x.shape)]
    made.append(of_keras.get("orthogonal")(x.shape))
    with tf.Session() as session:
        assert [value.shape for value in session.run(made)] == [(2, 3)] * 3
    with pytest.raises(ValueError, match="makes matrices"):
        of_keras.get("identity")((2, 3, 4))


@pytest.mark.parametrize(
    ("when", "deviation", "ends"), [("1.10", 1.0, (0, None)), ("1.11", 0.05, (-0.05, 0.05))]
)
def test_what_random_initializers_begin_with(when, deviation, ends):
    """Read from the configurations of 1.4.1, 1.8.0, 1.10.1 and 1.11.0."""
    import tfqueue.v1 as tf
    from tfqueue import release

    release.assume(when)
    of_keras = tf.keras.initializers
    for name in ("normal", "random_normal", "truncated_normal"):
        assert of_keras.get(name).get_config()["stddev"] == deviation
        assert getattr(of_keras, name)(2.0).get_config()["stddev"] == deviation
        assert getattr(of_keras, name)(2.0, 3.0).get_config()["stddev"] == 3.0
    found = of_keras.get("uniform").get_config()
    assert (found["minval"], found["maxval"]) == ends
    assert of_keras.RandomUniform(-2.0).get_config()["maxval"] == ends[1]
    assert tf.keras.layers.Embedding(3, 2).embeddings_initializer.get_config() == found


@pytest.mark.parametrize(
    ("program", "era"), [("KERAS_2", ()), ("KERAS_1", ()), ("TF_KERAS", ("--era", "1.15"))]
)
def test_a_seed_of_numpy_fixes_what_it_fixed(program, era, tmp_path):
    (tmp_path / "old.py").write_text(globals()[program])
    result = children.run(["-m", "tfqueue", "run", *era, "old.py"], cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    expected = EXPECTED[program].split("\n")[1:-1]
    found = result.stdout.splitlines()
    assert len(found) == len(expected)
    for line, (one, other) in enumerate(zip(found, expected, strict=True)):
        if "[" in other:
            assert one == other
            continue
        *numbers, drawn = other.split()
        assert one.split()[-1] == drawn, f"line {line}: {one} for {other}"
        assert np.allclose(
            [float(n) for n in one.split()[:-1]], [float(n) for n in numbers], atol=2e-4
        ), f"line {line}: {one} for {other}"
