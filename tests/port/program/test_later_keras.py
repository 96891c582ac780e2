"""A program that imports keras is for Keras 2.2 and TensorFlow 1, unless something came later."""

import pytest

from tests.suite import children
from tfqueue.names.keras import KERAS_LATER
from tfqueue.port.program import later_keras
from tfqueue.port.program.module import Module
from tfqueue.port.program.written_for import of_file, of_parsed
from tfqueue.port.source.parsing import parse

KERAS = "from keras import layers, losses, optimizers, utils\nfrom keras.models import Sequential\n"


@pytest.mark.parametrize(
    ("text", "later"),
    [
        ("layers.LSTM(4, input_shape=(3, 2))\n", False),
        ("layers.MultiHeadAttention(2, 2)\n", True),
        ("own.MultiHeadAttention(2, 2)\n", False),
        ("from keras.layers import Rescaling\n", True),
        ("from layers import Rescaling\n", False),
        ("from keras import ops\n", True),
        ("from keras import backend\n", False),
        ("import keras\nclass Own(keras.layers.Layer): pass\n", False),
        ("import keras\nclass Own(keras.Layer): pass\n", True),
        ("losses.mean_squared_error(x, y)\n", False),
        ("losses.MeanSquaredError()\n", True),
        ("from keras.applications import EfficientNetB0\n", True),
        ("from keras.applications.resnet50 import ResNet50\n", False),
        ("import torch\n", False),
        ("import keras_tuner\n", True),
        ("import os\nos.environ['KERAS_BACKEND'] = 'jax'\n", True),
        ("import os\nos.environ['KERAS_BACKEND'] = 'theano'\n", False),
        ("import keras\nm = Sequential([keras.Input(shape=(3,)), layers.Dense(1)])\n", True),
        ("from keras import Input\nm.add(Input(shape=(3,)))\n", True),
        ("from keras.layers import Input\nx = Input(shape=(3,))\nx = add(x)\n", False),
        ("m = Sequential([layers.Dense(1, input_shape=(3,))])\n", False),
        ("from keras.layers.experimental import preprocessing\n", True),
        ("from keras.applications.efficientnet import EfficientNetB1\n", True),
        ("from keras.layers import *\nMultiHeadAttention(2, 2)\n", True),
        ("from keras.layers import *\nclass Attention(Layer): pass\nAttention()\n", False),
        ("class Own(layers.Layer):\n    def train_step(self, d): pass\n", False),
        (
            "try:\n    from keras.layers import LayerNormalization\nexcept ImportError:\n"
            "    from own import LayerNormalization\nx = LayerNormalization()\n",
            False,
        ),
        ("try:\n    import keras_tuner\nexcept ImportError:\n    keras_tuner = None\n", False),
        ("optimizers.Adam(learning_rate=0.1)\n", True),
        ("optimizers.Adam(0.1)\n", False),
        ("own.Adam(learning_rate=0.1)\n", False),
        ("m.compile('sgd', 'mse', run_eagerly=True)\n", True),
        ("m.fit(x, y, validation_batch_size=3)\n", True),
        ("m.fit(x, y, epochs=3)\n", False),
        ("m.save('weights.keras')\n", True),
        ("m.save('weights.h5')\n", False),
        ("m.save(filepath='out/weights.keras')\n", True),
        ("callbacks.ModelCheckpoint('a.keras')\n", True),
        ("p = os.path.join(home, '.keras')\nload_model('/root/.keras')\n", False),
        ("'A text that ends in my.keras'\n", False),
        ("m.compile(metrics=['accuracy'])\nh.history['val_accuracy']\n", True),
        ("m.compile(metrics=['accuracy'])\nh.history['val_acc']\n", False),
        ("m.compile(metrics=['accuracy'])\nlogs.get('accuracy')\n", False),
        ("m.compile(metrics=['accuracy'])\nhistory['accuracy'].append(acc)\n", False),
        ("names = ['accuracy']\nEarlyStopping(monitor='val_accuracy')\n", False),
        ("m.compile(metrics=['accuracy'])\nEarlyStopping(monitor='val_accuracy')\n", True),
        ("if (n := 3) > 2: pass\n", True),
        ("def f(a, /): pass\n", True),
        ("match n:\n    case 1: pass\n", True),
        ("print(f'{n}')\n", False),
    ],
)
def test_what_came_later(text, later):
    assert later_keras.is_shown_by(Module(KERAS + text)) == later
    era = of_parsed(parse(KERAS + text)).era
    assert (era.is_taken_for_1, era.later_keras) == (not later, later)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "from keras import layers\n",
            "any TensorFlow before 2 (a guess: nothing shows which Keras)",
        ),
        ("from keras import layers\nimport tensorflow as tf\n", "any TensorFlow before 2"),
        ("from keras import layers\nm.fit_generator(x)\n", "any TensorFlow before 2"),
        ("from keras import ops\n", "Keras 2.3 or later"),
        ("from keras import ops\nimport tensorflow as tf\n", "any TensorFlow before 2"),
        ("from other import layers\n", "any TensorFlow before 2"),
        ("from tensorflow import keras\ntf.function(f)\n", "any TensorFlow before 2"),
    ],
)
def test_what_is_said_of_the_era(text, said):
    assert str(of_parsed(parse(text)).era) == said


def test_all_files_of_a_program_are_asked(tmp_path):
    (tmp_path / "network.py").write_text("from keras.layers import Dense\n")
    (tmp_path / "train.py").write_text("import network\n")
    assert of_file(str(tmp_path / "train.py")).era.guesses_keras_2
    (tmp_path / "train.py").write_text("import network\nfrom keras.layers import Rescaling\n")
    assert not of_file(str(tmp_path / "train.py")).era.guesses_keras_2
    assert not of_file(str(tmp_path / "network.py")).era.guesses_keras_2


def test_a_keras_of_the_programs_own_is_none(tmp_path):
    (tmp_path / "train.py").write_text("from keras.layers import Dense\n")
    (tmp_path / "keras").mkdir()
    (tmp_path / "keras" / "__init__.py").write_text("")
    (tmp_path / "keras" / "layers.py").write_text("Dense = int\n")
    assert not of_file(str(tmp_path / "train.py")).era.guesses_keras_2


def test_python_2_is_no_guess():
    found = of_parsed(parse("from keras.layers import Dense\nprint 'x'\n"))
    assert not found.era.guesses_keras_2
    assert str(found.era) == "any TensorFlow before 2"


@pytest.mark.parametrize("module", KERAS_LATER)
def test_keras_has_the_later_names(module):
    """Of today's Keras, or of the one that tf_keras is; `legacy` and `experimental` were modules."""
    homes = []
    for name in ("keras", "tf_keras"):
        found = pytest.importorskip(name)
        homes.append(getattr(found, module) if module else found)
    for name in KERAS_LATER[module].split():
        assert any(hasattr(home, name) for home in homes), name


PROGRAM = """
import numpy as np
from keras import backend as K
from keras.layers import LSTM
from keras.models import Sequential

model = Sequential()
model.add(LSTM(1, input_shape=(1, 1)))
model.set_weights([np.ones((1, 4)), np.zeros((1, 4)), np.zeros(4)])
print("%.5f" % model.predict(np.ones((1, 1, 1)))[0, 0])
"""


def test_the_numbers_are_those_of_then_and_a_line_says_so(tmp_path):
    """Keras 2.2.4 on TensorFlow 1.12.3 prints 0.34143: its gates were `hard_sigmoid`."""
    (tmp_path / "old.py").write_text(PROGRAM)
    done = children.run(["-m", "tfqueue", "run", "old.py"], cwd=tmp_path)
    assert done.stdout.split() == ["0.34143"]
    told = [line for line in done.stderr.splitlines() if line.startswith("tfqueue: ")]
    assert told == [
        "tfqueue: old.py: nothing shows which Keras this is for. It is run as one for Keras 2.2, with the libraries "
        "of that day; --era 1.15 says that this is right. One for a later Keras is run with python"
    ]
    checked = children.run(["-m", "tfqueue", "check", "old.py"], cwd=tmp_path)
    assert "(a guess: nothing shows which Keras)" in checked.stdout


def test_port_says_the_guess_once(tmp_path):
    for name in ("a.py", "b.py"):
        (tmp_path / name).write_text("from keras.layers import Dense\n")
    for options, count in (([], 1), (["--era", "1.15"], 0)):
        done = children.run(["-m", "tfqueue", "port", *options, "a.py", "b.py"], cwd=tmp_path)
        assert done.stderr.count("It is ported as one for Keras 2.2") == count
