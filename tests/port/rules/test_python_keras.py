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
