"""Names of layers that are given none: those of 1.8.0, 1.9.0 and Keras 2.1.6."""

import pytest

import tfqueue.v1 as tf
from tfqueue import release

pytest.importorskip("tf_keras", reason="needs tf_keras: pip install 'tfqueue[keras]'")
_layer_names = pytest.importorskip("tfqueue.v1.keras._layer_names")


def named():
    layers = tf.keras.layers
    given = layers.Input((3,))
    model = tf.keras.models.Model(given, layers.Dense(2)(given))
    return [layer.name for layer in model.layers] + [model.name, layers.Dense(2, name="mine").name]


@pytest.mark.parametrize(
    ("when", "names"),
    [("1.8", ["input_1", "dense_1", "model_1"]), ("1.9", ["input_1", "dense", "model"])],
)
def test_the_first_is_1_up_to_1_8(when, names):
    release.assume(when)
    try:
        assert named() == [*names, "mine"]
    finally:
        release.assume(None)


@pytest.mark.parametrize(
    ("text", "of_tensorflow"),
    [
        ("import keras\nimport tensorflow as tf\ntf.keras.layers.Dense(3)\n", False),
        (
            "from keras.utils import to_categorical\nfrom tensorflow.keras.layers import Dense\n",
            True,
        ),
        ("from keras import backend as K\nfrom tensorflow import keras\n", True),
        ("from keras import backend as K, layers\nfrom tensorflow import keras\n", False),
        (
            "from keras.layers.core import Dense\nfrom tensorflow.python.keras import backend\n",
            False,
        ),
        ("from keras.utils import np_utils\n", False),
    ],
)
def test_a_file_that_has_layers_of_tf_keras_alone(tmp_path, text, of_tensorflow):
    (tmp_path / "program.py").write_text(text)
    path = str(tmp_path / "program.py")
    assert _layer_names._makes_those_of_tensorflow(path) is of_tensorflow
