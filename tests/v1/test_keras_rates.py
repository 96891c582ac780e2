"""What a `LearningRateScheduler` gives its schedule.

The expected rates were printed by Keras 1.2.2 and 2.2.4, and by TensorFlow 1.9.0 and 1.10.1 for `tf.keras`.
"""

import pytest

from tests.suite import children

pytest.importorskip("tf_keras", reason="needs tf_keras: pip install 'tfqueue[keras]'")

PROGRAM = """\
import numpy as np
import tensorflow as tf
KERAS
x = np.arange(8.).reshape(4, 2)
class Rates(object):
    def half(self, epoch, factor=.5):
        return .25 * factor
def one(epoch):
    return .25 / (epoch + 1)
def lr(epoch, lr=.125):
    return lr / 2
def start(epoch, start=.125):
    return start / (epoch + 1)
def mode(epoch, mode='half'):
    if mode == 'half':
        return .25 / (epoch + 1)
    return 1.
def many(*a):
    return .25 * len(a)
def rate(epoch, rate):
    return rate / 2
for schedule in (one, lr, start, mode, many, Rates().half, rate):
    model = keras.models.Sequential()
    model.add(keras.layers.Dense(DENSE, input_dim=2))
    model.compile(optimizer=keras.optimizers.SGD(lr=.0625), loss='mse')
    held = model.fit(x, x[:, 0], verbose=0, callbacks=[keras.callbacks.LearningRateScheduler(schedule)], EPOCHS=2)
    print(round(float(keras.backend.get_value(model.optimizer.lr)), 7), 'lr' in held.history)
"""


@pytest.mark.parametrize(
    ("era", "keras", "arguments", "rates", "logged"),
    [
        (None, "import keras", ("output_dim=1", "nb_epoch"), [0.125, 0.0625, 0.0625, 0.125, 0.25, 0.125], False),
        (None, "import keras", ("units=1", "epochs"), [0.125, 0.015625, 0.03125, 0.125, 0.5, 0.0039062], True),
        ("1.9", "from tensorflow import keras", ("1", "epochs"), [0.125, 0.0625, 0.0625, 0.125, 0.25, 0.125], False),
        ("1.10", "from tensorflow import keras", ("1", "epochs"), [0.125, 0.015625, 0.03125, 1.0, 0.5, 0.0039062], False),
    ],
)  # fmt: skip
def test_what_a_schedule_is_given(tmp_path, era, keras, arguments, rates, logged):
    text = PROGRAM.replace("KERAS", keras).replace("DENSE", arguments[0])
    (tmp_path / "old.py").write_text(text.replace("EPOCHS", arguments[1]))
    options = ["--era", era] if era else []
    done = children.run(["-m", "tfqueue", "run", *options, "old.py"], cwd=tmp_path)
    assert done.stdout.splitlines() == [f"{rate} {logged}" for rate in [*rates, 0.015625]]
    said = "gives its schedule the rate for start, as Keras 2.2 did; Keras 2.0 left it at 0.125"
    assert (said in done.stderr) == (logged and era is None)
