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
    lines = engine.translate(text, "old.py").text.splitlines()
    line = next(line for line in lines if line.startswith("from") and "found" in line)
    bound = {}
    exec(line, bound)
    assert bound["found"] is not None


def test_gradients_and_dropout():
    import numpy as np

    import tfqueue.v1 as tf

    session = tf.keras.backend.get_session()
    given = tf.constant([3.0, 4.0])
    short, whole, as_it_was = session.run(
        [keras_parts.clip_norm(given, most, tf.norm(given)) for most in (1.0, 6.0, 0.0)]
    )
    assert short == pytest.approx([0.6, 0.8])
    assert whole.tolist() == as_it_was.tolist() == [3, 4]
    masks = keras_parts._generate_dropout_mask(tf.ones([400]), 0.5, training=True, count=2)
    first, second = session.run(masks)
    assert set(first) == set(second) == {0.0, 2.0}
    assert not np.array_equal(first, second)
    assert set(session.run(keras_parts._generate_dropout_mask(tf.ones([9]), 0.5, False))) == {1.0}
    tf.keras.backend.set_session(None)


def test_what_they_give():
    assert keras_parts.conv_utils.normalize_tuple(3, 2, "size") == (3, 3)
    assert keras_parts.has_arg(lambda x: x, "x")
    lengths = [keras_parts.deconv_length(5, 2, 3, one) for one in ("valid", "same", "full")]
    assert lengths == [11, 10, 7]  # as 2.0.8 and 2.1.6
    assert keras_parts.deconv_length(None, 2, 3, "same") is None
    assert importlib.import_module("tf_keras.src.backend").identity is keras_parts.identity
    function = keras_parts.interfaces.legacy_get_updates_support(len)
    assert function is len
    for lacking in (keras_parts, keras_parts.interfaces):
        with pytest.raises(AttributeError, match="no_such_name"):
            operator.attrgetter("no_such_name")(lacking)
