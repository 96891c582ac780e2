"""Old calls of `tf.keras`; `keras_calls_115.json` and `_14.json` were printed by 1.15.5 and 1.4.1 (`keras_calls.py`)."""

import importlib
import inspect
import json
import pathlib

import numpy as np
import pytest

import tfqueue.v1 as tf
from tests.suite import samples
from tests.v1 import keras_calls
from tfqueue import release
from tfqueue.names.sentence import GoneArgumentError, GoneAttributeError, GoneImportError

pytest.importorskip("tf_keras", reason="needs tf_keras: pip install 'tfqueue[keras]'")
pytestmark = [
    pytest.mark.usefixtures("no_session_of_keras"),
    pytest.mark.filterwarnings("ignore:.*state_updates:UserWarning", "ignore:the graph grew"),
]
HERE = pathlib.Path(__file__).parent
RELEASES = {"1.4": "keras_calls_14.json", "1.15": "keras_calls_115.json"}


def recorded(when):
    release.assume(when)
    expected = json.loads((HERE / RELEASES[when]).read_text("utf-8"))
    return expected, tuple(int(part) for part in when.split("."))


def flat(value):
    return [one for each in value for one in flat(each)] if isinstance(value, list) else [value]


def assert_same(found, expected):
    assert found.keys() == expected.keys()
    for name, value in expected.items():
        got, wanted = flat(json.loads(json.dumps(found[name]))), flat(value)
        floats = [isinstance(one, float) for one in wanted]
        assert [isinstance(one, float) for one in got] == floats, name
        numbers = [(a, b) for a, b in zip(got, wanted, strict=True) if isinstance(b, float)]
        np.testing.assert_allclose(*zip(*[*numbers, (0, 0)], strict=True), atol=1e-4, err_msg=name)
        rest = [(a, b) for a, b in zip(got, wanted, strict=True) if not isinstance(b, float)]
        assert [a for a, _ in rest] == [b for _, b in rest], name


OPTIMIZERS = [
    *(("1.4", "optimizers", name) for name in keras_calls.of_old(0.1)),
    *(("1.4", "contrib", name) for name in keras_calls.of_old(0.1)),
    *(("1.15", "optimizers", name) for name in keras_calls.OPTIMIZERS_115),
    *(("1.15", "contrib", name) for name in keras_calls.of_old(0.0)),
]


@pytest.mark.slow
@pytest.mark.parametrize(("when", "home", "name"), samples.some(OPTIMIZERS, 3))
def test_an_optimizer_by_position_trains_as_it_did(when, home, name):
    expected, _ = recorded(when)
    calls = keras_calls.of_old(0.1 if when == "1.4" else 0.0)
    if (when, home) == ("1.15", "optimizers"):
        calls = keras_calls.OPTIMIZERS_115
    keras = tf.keras if home == "optimizers" else tf.contrib.keras
    found = keras_calls.optimizers(tf, keras, {name: calls[name]})
    assert_same(found, {how: expected[home][how] for how in found})
    assert f"{name} position" in found


@pytest.mark.slow
@pytest.mark.parametrize("when", RELEASES)
def test_layers_by_position_give_what_they_gave(when):
    expected, number = recorded(when)
    with keras_calls.apart(tf, tf.keras):
        assert_same(keras_calls.layers(tf.keras, number), expected["layers"])


@pytest.mark.parametrize("when", RELEASES)
def test_functions_and_objects_by_position(when, tmp_path, monkeypatch):
    expected, number = recorded(when)
    found = keras_calls.functions(tf, tf.keras, tf.keras.backend, number)
    assert_same(found, expected["functions"])
    monkeypatch.chdir(tmp_path)
    assert_same(keras_calls.asked(tf.keras, number), expected["asked"])


def config(made):
    return {key: value for key, value in made.get_config().items() if key != "name"}


def test_a_call_of_before_1_13_is_told_by_its_values():
    optimizers = tf.keras.optimizers
    assert config(optimizers.SGD(0.01, 0.9, 1e-6, True))["decay"] == 1e-6
    assert config(optimizers.RMSprop(0.01, 0.9, 1e-8, 0.0))["epsilon"] == 1e-8
    assert config(optimizers.RMSprop(0.01, 0.9, None, 1e-6))["decay"] == 1e-6
    old = config(optimizers.Adagrad(0.01, 1e-8, 0.0))
    assert (old["epsilon"], old["initial_accumulator_value"]) == (1e-8, 0)
    assert config(optimizers.RMSprop(0.01, 0.9, 0.5, 1e-8))["momentum"] == 0.5
    assert config(optimizers.Adagrad(0.01, 0.2))["initial_accumulator_value"] == 0.2


def test_what_an_optimizer_begins_with_is_the_releases():
    assert config(tf.keras.optimizers.Adagrad())["learning_rate"] == 0.001
    assert config(tf.contrib.keras.optimizers.Adagrad())["learning_rate"] == 0.01
    release.assume("1.12")
    for made in (tf.keras.optimizers.Adagrad(), tf.keras.optimizers.get("adagrad")):
        assert config(made)["learning_rate"] == 0.01
        assert config(made)["initial_accumulator_value"] == 0
    assert config(tf.keras.optimizers.Adadelta(rho=0.9))["learning_rate"] == 1
    assert config(tf.keras.optimizers.Adadelta(lr=0.5))["learning_rate"] == 0.5


def test_classes_are_the_same_by_name_by_config_and_derived():
    for keras in (tf.keras, tf.contrib.keras):
        made = keras.optimizers.Adam(0.002, 0.8, 0.99, 1e-3, 0.5)
        assert isinstance(made, tf.keras.optimizers.Adam)
        assert config(type(made).from_config(made.get_config())) == config(made)
        again = keras.optimizers.deserialize(keras.optimizers.serialize(made))
        assert isinstance(again, tf.keras.optimizers.Adam)
        assert config(again) == config(made)
    assert tf.contrib.keras.optimizers.Optimizer is tf.keras.optimizers.Optimizer
    assert type(tf.keras.optimizers.get("adam")) is tf.keras.optimizers.Adam

    class Mine(tf.keras.layers.Conv2D):
        def __init__(self, filters):
            super().__init__(filters, 3, 1, "same", None, 1, "relu", False)

    class MySGD(tf.keras.optimizers.SGD):
        def __init__(self):
            super().__init__(0.1, 0.9, 0.5, True)

    found = Mine(4).get_config()
    assert (found["activation"], found["use_bias"], found["groups"]) == ("relu", False, 1)
    assert config(MySGD())["decay"] == 0.5
    again = tf.keras.layers.Conv2D.from_config(found)
    assert again.get_config() == found
    assert tf.keras.layers.Convolution2D is tf.keras.layers.Conv2D
    assert tf.keras.layers.Conv2D(4, 3, groups=2, input_shape=(8, 8, 4)).groups == 2
    assert "activation" in inspect.getfullargspec(tf.keras.layers.Conv2D.__init__).args


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # its __del__
def test_an_argument_that_is_no_more_is_refused_by_its_name():
    generator = tf.keras.utils.GeneratorEnqueuer([], False, 0.05, 3)
    assert generator.random_seed == 3
    with pytest.raises(GoneArgumentError, match=r"'wait_time' of tf\.keras\.utils\.Gen"):
        tf.keras.utils.GeneratorEnqueuer([], False, 0.5, 3)
    x = np.zeros([1, 2, 2, 3])
    vgg16 = tf.keras.applications.vgg16
    assert vgg16.preprocess_input(x.copy(), None, "caffe").ravel()[0] == pytest.approx(-103.939)
    with pytest.raises(GoneArgumentError, match="'mode'"):
        vgg16.preprocess_input(x, mode="tf")


@pytest.mark.parametrize(
    ("program", "use"),
    [
        ("tf.contrib.keras.utils.HDF5Matrix", "h5py"),
        ("tf.keras.mixed_precision.experimental.Policy", "graph_rewrite"),
        ("tf.keras.preprocessing.image.flip_axis", r"numpy\.flip"),
    ],
)
def test_what_is_gone_is_said(program, use):
    with pytest.raises(GoneAttributeError, match=use):
        eval(program)
    assert not hasattr(tf.keras.utils, "no_such_name")


def test_an_import_of_what_is_gone_is_refused():
    with pytest.raises(GoneImportError, match="graph_rewrite"):
        importlib.import_module("tfqueue.v1.keras.mixed_precision.experimental")


def test_the_release_decides_which_came_first(tmp_path):
    backend = tf.contrib.keras.backend
    target, output = tf.constant([[0.0, 1.0]]), tf.constant([[0.25, 0.75]])
    with tf.Session() as sess:
        release.assume("1.1")
        old = sess.run(backend.categorical_crossentropy(output, target))
        release.assume("1.4")
        new = sess.run(backend.categorical_crossentropy(target, output))
    np.testing.assert_allclose([old, new], -np.log([[0.75], [0.75]]), rtol=1e-5)


def test_an_object_is_written_and_read_as_in_1_15():
    utils = tf.keras.utils
    layer = tf.keras.layers.Dense(3, name="dense")
    found = utils.serialize_keras_object(layer)
    assert found.keys() == {"class_name", "config"}
    again = utils.deserialize_keras_object(found, {"Dense": tf.keras.layers.Dense}, None, "layer")
    assert again.get_config() == layer.get_config()
    with pytest.raises(ValueError, match="Unknown layer"):
        utils.deserialize_keras_object("Nothing", {}, None, "layer")


def test_a_rate_by_position_leaves_the_rest_as_it_was():
    """Accumulators began with 0 up to 1.12, and in `tf.contrib.keras` up to 1.15."""
    kept = importlib.import_module("tfqueue.v1.contrib.keras.optimizers")  # by its path, too
    for when, began in ((None, 0.1), ("1.15", 0.1), ("1.12", 0.0), ("1.4", 0.0)):
        release.assume(when)
        made = tf.keras.optimizers.Adagrad(0.02)
        assert made.get_config()["initial_accumulator_value"] == began
        made = kept.Adagrad(0.02).get_config()
        assert (made["learning_rate"], made["initial_accumulator_value"]) == (0.02, 0.0)
        made = kept.Adagrad(0.02, 1e-3).get_config()
        assert (made["epsilon"], made["initial_accumulator_value"]) == (1e-3, 0.0)


def test_calls_by_position_where_keras_1_is_understood_too():
    """What takes Keras 1's arguments stands between the program and the layer."""
    importlib.import_module("tfqueue.port.libraries.keras_methods")
    release.assume_keras(False)
    release.assume("1.4")
    layer = tf.keras.layers.SeparableConv2D(2, 2, 1, "same", None, 1, "tanh", True)
    assert layer.activation is tf.keras.activations.tanh
    assert layer.dilation_rate == (1, 1)
