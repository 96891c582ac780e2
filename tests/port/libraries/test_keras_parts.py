"""Names of Keras 2.2 that `tf.keras` has in another place, or not in public."""

import importlib
import operator

import pytest

from tfqueue.names.keras import KERAS_APPLICATIONS, KERAS_IMPORTED, KERAS_NAMES, KERAS_PARTS
from tfqueue.port.libraries import keras_parts
from tfqueue.port.rules import engine

pytest.importorskip("tf_keras", reason="needs tf_keras: pip install 'tfqueue[keras]'")


NAMES = [
    *KERAS_NAMES,
    *KERAS_PARTS,
    *(f"applications.{name}" for name in KERAS_APPLICATIONS if "." in name),
    *(f"engine.topology.{name}" for name in KERAS_IMPORTED),
]


@pytest.mark.parametrize(
    "guard", ["{}", "try: {}\nexcept ImportError: {}"], ids=["plain", "guarded"]
)
@pytest.mark.parametrize("dotted", NAMES)
def test_an_import_finds_it(dotted, guard):
    home, _, name = dotted.rpartition(".")
    line = f"from keras.{home} import {name} as found"
    text = f"import tensorflow as tf\n{guard.replace('{}', line)}\n"
    lines = engine.translate(text, "old.py").text.splitlines()
    line = next(line for line in lines if "found" in line).removeprefix("try: ")
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


def test_helpers_of_one_module_are_found_in_another():
    import tfqueue.v1 as tf

    keras = tf.keras
    one, other = keras.layers.Input([3]), keras.layers.Masking()(keras.layers.Input([4, 5]))
    assert keras_parts._collect_input_shape(one) == (None, 3)
    assert keras_parts._collect_input_shape([one, other]) == [(None, 3), (None, 4, 5)]
    masks = keras_parts._collect_previous_mask([one, other])
    assert masks[0] is None
    assert masks[1].shape.as_list() == [None, 4]
    assert keras_parts._EPSILON == 1e-7
    assert keras_parts._FLOATX == "float32"
    with pytest.raises(ValueError, match="'th'"):
        keras_parts.transpose_shape((1, 2, 3), "th", (0, 1))


def test_what_a_name_of_keras_1_stands_for():
    table = {"twice": lambda x=2: 2 * x, "list": list}
    find = keras_parts.get_from_module
    assert find("twice", table, "function")(3) == 6
    assert find("list", table, "class", instantiate=True) == []
    assert find("twice", table, "function", instantiate=True, kwargs={"x": 5}) == 10
    assert find({"name": "twice", "x": 4}, table, "function") == 8
    assert find(len, {}, "nothing") is len
    for unknown in ("thrice", {"name": "thrice"}):
        with pytest.raises(ValueError, match="Invalid function: "):
            find(unknown, table, "function")


def test_the_counts_of_layer_names_are_those_of_the_graph():
    import tfqueue.v1 as tf

    with tf.Graph().as_default():
        assert tf.keras.layers.Dense(1).name == "dense"
        assert dict(keras_parts._UID_PREFIXES) == {"dense": 1}
        for prefix in keras_parts._UID_PREFIXES:
            keras_parts._UID_PREFIXES[prefix] = 0
        assert tf.keras.layers.Dense(1).name == "dense"
        assert len(keras_parts._UID_PREFIXES) == 1
        del keras_parts._UID_PREFIXES["dense"]
        assert "dense" not in list(keras_parts._UID_PREFIXES)


def test_blocks_of_a_resnet():
    """The names and shapes that keras 2.0.8 and 2.2.4 give."""
    import tfqueue.v1 as tf
    from tfqueue.port.libraries import keras_applications as applications

    keras = tf.keras
    with tf.Graph().as_default():
        given = keras.layers.Input([32, 32, 8])
        x = applications.conv_block(given, 3, (4, 5, 8), 2, "a")
        x = applications.identity_block(x, (5, 5), (4, 4, 8), 2, "b")
        model = keras.Model(given, applications.relu6(x))
        sizes = {layer.name: layer.count_params() for layer in model.layers if layer.weights}
        assert x.shape.as_list() == [None, 16, 16, 8]
        assert sizes == {
            "res2a_branch2a": 36,
            "res2a_branch2b": 185,
            "res2a_branch2c": 48,
            "res2a_branch1": 72,
            "bn2a_branch2a": 16,
            "bn2a_branch2b": 20,
            "bn2a_branch2c": 32,
            "bn2a_branch1": 32,
            "res2b_branch2a": 36,
            "res2b_branch2b": 404,
            "res2b_branch2c": 40,
            "bn2b_branch2a": 16,
            "bn2b_branch2b": 16,
            "bn2b_branch2c": 32,
        }


def test_what_modules_shared_hides_no_public_name():
    """`initializers.identity` and `backend.count_params` are others than those of one name elsewhere."""
    from tfqueue.port.rules.libraries import keras_moved
    from tfqueue.port.rules.tensorflow.python_keras import public_names

    own = {*KERAS_NAMES, *KERAS_PARTS, *(f"utils.{name}" for name in KERAS_IMPORTED)}
    hidden = [
        f"{home}.{name}"
        for home, names in public_names().items()
        for name in names
        if f"tensorflow.keras.{home}.{name}" in keras_moved._ROWS and f"{home}.{name}" not in own
    ]
    assert not hidden


def test_modules_of_a_keras_that_another_file_hands_on():
    import tfqueue.v1.keras as keras

    importlib.import_module("tfqueue.port.libraries.keras_methods")
    layers = keras.layers
    assert keras.engine.InputSpec is keras.engine.topology.InputSpec is layers.InputSpec
    assert keras.engine.Model is keras.engine.Container is keras.models.Model
    assert keras.engine.training._collect_metrics is keras_parts.collect_metrics
    assert keras.legacy.interfaces is keras_parts.interfaces
    assert keras.objectives.mse is keras.losses.mse
    for name in ("no_such_name", "__path__"):
        with pytest.raises(AttributeError):
            getattr(keras.engine, name)
