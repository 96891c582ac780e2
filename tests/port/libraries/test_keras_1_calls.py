"""What translated programs of Keras 1 call, on a stand-in for `tf.keras`."""

import types

import numpy as np
import pytest

from tfqueue import release
from tfqueue.port.libraries import keras_1


class Keras:
    """Notes what is made: a name, its arguments."""

    def __init__(self):
        self.format = "channels_last"
        self.backend = types.SimpleNamespace(
            image_data_format=lambda: self.format,
            set_image_data_format=lambda format: setattr(self, "format", format),
            int_shape=lambda x: ("shape of", x),
        )
        self.layers = self.optimizers = self

    def __getattr__(self, name):
        def make(*args, **words):
            made = name, args, words
            return lambda *inputs: (made, *inputs)

        return make


@pytest.fixture
def keras(monkeypatch):
    stands = Keras()
    monkeypatch.setattr(keras_1, "_keras", lambda: stands)
    monkeypatch.setattr(keras_1, "_told", set())
    return stands


def test_the_order_of_dimensions(keras):
    assert keras_1.image_dim_ordering() == "tf"
    keras_1.set_image_dim_ordering("th")
    assert (keras.format, keras_1.image_dim_ordering()) == ("channels_first", "th")
    keras_1.set_image_dim_ordering("tf")
    assert keras.format == "channels_last"
    assert keras_1.get_variable_shape("x") == ("shape of", "x")


@pytest.mark.parametrize(
    ("name", "rate"), [("Adadelta", 1.0), ("Adagrad", 0.01), ("Adamax", 0.002), ("Nadam", 0.002)]
)
def test_optimizers_begin_as_in_keras_2_2(name, rate):
    pytest.importorskip("tf_keras", reason="needs tf_keras: pip install 'tfqueue[keras]'")
    for given in (name, name.lower(), name.upper()):
        made = keras_1.optimizer(given)
        assert type(made).__name__ == name
        config = made.get_config()
        assert (config["learning_rate"], config.get("initial_accumulator_value", 0)) == (rate, 0)


@pytest.mark.parametrize(
    ("batch_shape", "expected"), [((2, 3), {"batch_shape": (2, 3)}), (None, {"shape": (4,)})]
)
def test_an_input_of_a_batch(keras, batch_shape, expected):
    made, *_ = keras_1.input_of((4,), batch_shape, name="a")()
    assert made == ("Input", (), {**expected, "name": "a"})


def test_other_optimizers_stay_as_they_are(keras):
    own = object()
    assert [keras_1.optimizer(given) for given in ("sgd", "Adam", own)] == ["sgd", "Adam", own]


def test_batch_normalization_of_keras_1(keras):
    made = keras_1.batch_normalization(1, mode=0, axis=2)
    assert made("x") == (("BatchNormalization", (1,), {"axis": 2}), "x")


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ((3, 5), ((3, 5),)),
        (((3, 5), 2), ((3, 5), 2)),
        ((3, (2, 2)), (3, (2, 2))),
        (("x", "y"), ("x", "y")),
        ((np.int64(3), 5), ((np.int64(3), 5),)),
        ((3, np.int32(5)), ((3, np.int32(5)),)),
    ],
)
def test_the_size_of_a_kernel(given, expected):
    assert keras_1.kernel(*given) == expected


def test_the_size_of_a_kernel_of_keras_1():
    release.assume_keras_1()
    assert keras_1.kernel("x", "y") == (("x", "y"),)


@pytest.mark.parametrize(
    ("given", "made"),
    [
        ({}, ("add", {})),
        ({"mode": "sum", "concat_axis": 3, "dot_axes": 4}, ("add", {})),
        ({"mode": "mul"}, ("multiply", {})),
        ({"mode": "ave"}, ("average", {})),
        ({"mode": "max", "arguments": None}, ("maximum", {})),
        ({"mode": "concat"}, ("concatenate", {"axis": -1})),
        ({"mode": "concat", "concat_axis": 1}, ("concatenate", {"axis": 1})),
        ({"mode": "dot"}, ("dot", {"axes": -1})),
        ({"mode": "dot", "dot_axes": (1, 2)}, ("dot", {"axes": (1, 2)})),
    ],
)
def test_layers_that_merge(keras, given, made):
    name, words = made
    for called in (None, "m"):
        found = keras_1.merge(["a", "b"], **given, **({"name": called} if called else {}))
        assert found() == ((name, (["a", "b"],), {"name": called, **words}),)


def test_a_function_that_merges(keras):
    found = keras_1.merge("inputs", len, output_shape=(3,), arguments={"k": 2}, name="n")
    words = {"arguments": {"k": 2}, "output_shape": (3,), "name": "n"}
    assert found == (("Lambda", (len,), words), "inputs")
    with pytest.raises(ValueError) as caught:
        keras_1.merge([], "cos")
    assert str(caught.value) == (
        "merge has no mode 'cos' here; there are sum, mul, ave, max, concat, dot"
    )


def test_the_order_of_the_arguments_of_merge(keras):
    """It is that of Keras 1.1 and 1.2."""
    assert keras_1.merge("ab", "concat", 1)() == (
        ("concatenate", ("ab",), {"name": None, "axis": 1}),
    )
    assert keras_1.merge("ab", "dot", 1, 2)() == (("dot", ("ab",), {"name": None, "axes": 2}),)


def batches(count, size):
    """Batches of a size, of inputs and targets."""
    return iter([(np.ones((size, 2)), np.ones(size))] * count)


class Fitted:
    """Notes what its methods are given."""

    def fit_generator(self, generator, *args, **words):
        return len(list(generator)), args, words

    evaluate_generator = predict_generator = fit_generator


Fitted.fit_generator.__module__ = "tf_keras.stand_in"  # a method of the program's own is left alone


@pytest.mark.parametrize(
    ("name", "args", "words", "found"),
    [
        (
            "fit_generator",
            (),
            {"samples_per_epoch": 7, "nb_epoch": 2},
            {"steps_per_epoch": 3, "epochs": 2},
        ),
        (
            "fit_generator",
            (6, 5),
            {"nb_worker": 2},
            {"steps_per_epoch": 2, "epochs": 5, "workers": 2},
        ),
        (
            "evaluate_generator",
            (),
            {"val_samples": 3, "max_q_size": 1},
            {"steps": 1, "max_queue_size": 1},
        ),
        (
            "predict_generator",
            (),
            {"val_samples": 4, "pickle_safe": True},
            {"steps": 2, "use_multiprocessing": True},
        ),
    ],
)
def test_a_generator_is_counted_in_examples(name, args, words, found):
    done = keras_1.method(Fitted(), name)(batches(4, 3), *args, **words)
    assert done == (4, (), found)


def test_examples_to_validate():
    words = {"samples_per_epoch": 3, "validation_data": batches(5, 2), "nb_val_samples": 5}
    _, _, found = keras_1.method(Fitted(), "fit_generator")(batches(4, 3), **words)
    assert (found["validation_steps"], len(list(found["validation_data"]))) == (3, 5)


@pytest.mark.parametrize("data", [(np.ones(4), np.ones(4)), [np.ones(4), np.ones(4)], None])
def test_arrays_are_validated_as_a_whole(data):
    words = {"samples_per_epoch": 3, "validation_data": data, "nb_val_samples": 2}
    _, _, found = keras_1.method(Fitted(), "fit_generator")(batches(4, 3), **words)
    assert found == {"steps_per_epoch": 1, "validation_data": data}


@pytest.mark.parametrize(
    ("batch", "count"),
    [
        (([np.ones((4, 2)), np.ones((4, 3))], 0), 2),
        (({"a": np.ones((3, 2))}, 0), 2),
        ([np.ones((2, 2))], 3),
        (np.ones((5, 2)), 1),
    ],
)
def test_how_many_examples_a_batch_has(batch, count):
    assert keras_1.steps(iter([batch]), 5)[1] == count


def test_a_generator_that_says_how_long_its_batches_are():
    given = types.SimpleNamespace(batch_size=4)
    assert keras_1.steps(given, 11) == (given, 2)
    assert keras_1.steps(given, 3) == (given, 1)


@pytest.mark.parametrize(
    ("data", "examples", "count"), [(11, 11, 3), (8, 8, 2), (11, 22, 6), (11, 33, 9), (None, 11, 3)]
)
def test_an_epoch_of_keras_1_has_the_short_batch_at_the_end(data, examples, count):
    """It went on until it had seen them all; `data` is how many there are, if the iterator says it."""
    release.assume_keras_1()
    given = types.SimpleNamespace(batch_size=4)
    if data:
        vars(given).update(n=data, index_array=None)  # as those of Keras have
    assert keras_1.steps(given, examples) == (given, count)


def test_a_generator_of_pictures_is_fitted_as_it_says():
    """It takes no epochs: a model's `fit` alone trained for 10 of them."""
    pytest.importorskip("tf_keras")
    import tfqueue.v1 as tf

    generator = tf.keras.preprocessing.image.ImageDataGenerator(featurewise_center=True)
    keras_1.counting(generator, "fit")(np.full((2, 3, 3, 1), 7.0))
    assert generator.mean.ravel().tolist() == [7]
