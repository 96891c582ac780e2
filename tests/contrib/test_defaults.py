"""What arguments of `tf.contrib` are when they are left out, as the ledger has it of TensorFlow 1."""

from tests.ledger.defaults import differing


def test_of_all_functions_and_classes():
    assert differing("contrib.") == []
