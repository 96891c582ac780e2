"""Which Keras a program shows: its files together, since Keras 2 took the arguments of Keras 1, too."""

import pytest

from tests.suite import children
from tfqueue.port.program import keras_signs
from tfqueue.port.program.module import Module
from tfqueue.port.program.written_for import of_file

NETWORK = """
import numpy as np
from keras.layers import LSTM
from keras.models import Sequential


def made():
    model = Sequential()
    model.add(LSTM(input_dim=3, output_dim=40, return_sequences=True))
    return model
"""


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (NETWORK, (True, False)),
        ("import keras\nx = keras.layers.Dense(output_dim=3)\n", (True, False)),
        ("from keras.layers import Dense\nx = Dense(units=3)\n", (False, True)),
        ("from keras.layers import Dense\nx = Dense(3)\n", (False, False)),
        ("from keras.layers import *\nm.fit(x, y, epochs=3)\n", (False, True)),
        ("from keras.layers import *\nm.fit(x, y, nb_epoch=3)\n", (True, False)),
        ("from keras.layers import *\nm.fit_generator(x, samples_per_epoch=3)\n", (True, False)),
        ("import keras\nx = keras.layers.Convolution2D(8, 3, 3)\n", (True, False)),
        ("import keras\nx = keras.layers.Convolution2D(8, n, 3)\n", (False, False)),
        ("import keras\nx = keras.layers.Convolution2D(8, 3, n)\n", (False, False)),
        ("import keras\nx = keras.layers.Conv2D(8, (3, 3))\n", (False, True)),
        ("from keras.layers import Add\n", (False, True)),
        ("import keras\nx = keras.layers.concatenate([a, b])\n", (False, True)),
        ("from keras import backend as K\nx = K.concatenate([a, b])\n", (False, False)),
        ("from keras.backend import concatenate\n", (False, False)),
        ("from keras.layers import *\nx = layer.inner_init\n", (True, False)),
        ("from keras.layers import *\n\ndef get_output_shape_for(self, s): pass\n", (True, False)),
        (
            "from keras.layers import *\n\ndef get_output_shape_for(self, s): pass\n"
            "def compute_output_shape(self, s): pass\n",
            (False, False),
        ),
        ("model.fit_generator(g, steps_per_epoch=3)\n", (False, True)),
        ("model.fit_generator(g, nb_epoch=3, samples_per_epoch=9)\n", (False, False)),
        ("model.fit(x, y, epochs=3)\n", (False, False)),
        (
            "from .keras import layers\nm.fit(x, y, epochs=3)\nx = layers.Dense(units=3)\n",
            (False, False),
        ),
        ("model.my_generator(epochs=3)\nfit_generator(epochs=3)\n", (False, False)),
    ],
)
def test_a_file_shows(text, found):
    assert keras_signs.of_module(Module(text))[1:3] == found


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("model.fit_generator(gen(), steps_per_epoch=1, epochs=1)", True),
        ("model.fit_generator(gen(), samples_per_epoch=1, nb_epoch=1)", False),
    ],
)
def test_a_file_that_trains_says_which_keras_the_layers_of_another_are(tmp_path, line, shown):
    """Sums of kernels of Keras 2.2.4 and 1.2.2: in Keras 1 each gate has first values of its own."""
    (tmp_path / "network.py").write_text(NETWORK)
    (tmp_path / "run.py").write_text(
        "import numpy as np\nimport tensorflow as tf\nimport network\n\n\ndef gen():\n    while True:\n"
        "        yield np.zeros((1, 2, 3)), np.zeros((1, 2, 40))\n\n\n"
        "model = network.made()\nmodel.compile('sgd', 'mse')\n"
        f"print(round(float(abs(model.get_weights()[0]).max()), 1))\n{line}\n"
    )
    assert of_file(str(tmp_path / "run.py")).era.shows_keras_1 != shown
    done = children.run(["-m", "tfqueue", "run", "run.py"], cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[0] == ("0.2" if shown else "0.4")


COMPILED = """
import numpy as np
import tensorflow as tf
from network import made

x, y = np.arange(12.).reshape(4, 3) / 12, np.eye(2)[[0, 1, 1, 0]]
for how in ("rmsprop", "adadelta", "sgd"):
    model = made()
    model.compile(loss="categorical_crossentropy", optimizer=how)
    weights = np.array([1., 2., 0., 1.])
    print(how, [round(float(model.train_on_batch(x, y, sample_weight=weights)), 4) for _ in range(3)])
"""


class Other:
    def compile(self, *args, **words):
        return args, words

    fit = fit_generator = evaluate_generator = compile


def test_a_model_of_another_file_is_compiled_as_it_was(tmp_path):
    """The losses of Keras 2.2.4 on TensorFlow 1.12.3."""
    (tmp_path / "network.py").write_text(
        "import numpy as np\nfrom keras.layers import Dense\nfrom keras.models import Sequential\n\n\n"
        "def made():\n    model = Sequential([Dense(2, input_dim=3, activation='softmax')])\n"
        "    model.set_weights([np.linspace(-1, 1, 6).reshape(3, 2), np.zeros(2)])\n    return model\n"
    )
    (tmp_path / "run.py").write_text(COMPILED)
    done = children.run(["-m", "tfqueue", "run", "run.py"], cwd=tmp_path)
    assert done.stdout.splitlines() == [
        "rmsprop [1.0279, 1.0245, 1.0222]",
        "adadelta [1.0279, 1.0264, 1.0249]",
        "sgd [1.0279, 1.0264, 1.025]",
    ], done.stderr


def test_methods_of_other_classes_stay_as_they_are():
    pytest.importorskip("tf_keras", reason="needs tf_keras: pip install 'tfqueue[keras]'")
    from tfqueue.port.libraries import keras_1

    for name in ("compile", "fit", "fit_generator", "evaluate_generator"):
        given = keras_1.method(Other(), name)(3, callbacks=[], validation_data=4, loss=5)
        assert given == ((3,), {"callbacks": [], "validation_data": 4, "loss": 5})
