"""Names of Keras 2.2 that `tf.keras` has in another place, or not in public."""

import importlib
import operator

import pytest

from tfqueue.names.libraries import KERAS_NAMES, KERAS_PARTS
from tfqueue.port.libraries import keras_parts
from tfqueue.port.rules import engine

pytest.importorskip("tf_keras", reason="needs tf_keras: pip install 'tfqueue[keras]'")


@pytest.mark.parametrize("dotted", [*KERAS_NAMES, *KERAS_PARTS])
def test_an_import_finds_it(dotted):
    home, _, name = dotted.rpartition(".")
    text = f"import tensorflow as tf\nfrom keras.{home} import {name} as found\n"
    line = engine.translate(text, "old.py").text.splitlines()[1]
    bound = {}
    exec(line, bound)
    assert bound["found"] is not None


def test_what_they_give():
    assert keras_parts.conv_utils.normalize_tuple(3, 2, "size") == (3, 3)
    assert keras_parts.has_arg(lambda x: x, "x")
    assert importlib.import_module("tf_keras.src.backend").identity is keras_parts.identity
    function = keras_parts.interfaces.legacy_get_updates_support(len)
    assert function is len
    for lacking in (keras_parts, keras_parts.interfaces):
        with pytest.raises(AttributeError, match="no_such_name"):
            operator.attrgetter("no_such_name")(lacking)
