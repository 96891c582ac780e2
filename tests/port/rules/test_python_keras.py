"""`tensorflow.python.keras` where the package tf_keras is not installed."""

import pytest

from tfqueue.port.rules import engine
from tfqueue.port.rules.tensorflow import python_keras


@pytest.mark.parametrize(
    "line",
    ["from tensorflow.python import keras", "import tensorflow.python.keras as keras"],
)
def test_without_the_package_the_import_stays(monkeypatch, line):
    monkeypatch.setattr(python_keras, "public_names", dict)
    found = engine.translate(f"{line}\nx = keras.layers\n", "old.py")
    assert "tf-python-keras" not in {each.rule for each in found.findings}
    assert line in found.text


def test_what_a_program_of_any_day_imports_in_vain():
    """`tf.keras` alone shows no release, and today's `tensorflow.python.keras` has other names than 1.15's."""
    text = (
        "import tensorflow as tf\nfrom tensorflow.python.keras.utils import to_categorical, np_utils\n"
        "from tensorflow.python.keras import backend\nfrom tensorflow.python.keras.layers import Dense\n"
        "try:\n    from tensorflow.python.keras.utils import Sequence\nexcept ImportError:\n    pass\n"
        "x = tf.keras.layers.Dense(1)\n"
    )
    found = engine.translate(text, "old.py")
    assert found.text == text
    assert [(each.rule, each.line, each.helpless, each.message) for each in found.findings] == [
        (
            "tf-python-keras",
            2,
            True,
            "today's tensorflow.python.keras.utils has no to_categorical; TensorFlow 1's: --era 1.15",
        )
    ]
