"""The written-out lift: a program that needs TensorFlow alone and gives the same elements."""

import importlib.util
import pathlib
import re

import numpy as np
import pytest

import tfqueue
import tfqueue.v1 as tf
from tests.dataset.lifted import imported

pytestmark = pytest.mark.slow

BENCH = pathlib.Path(__file__).parents[1] / "benchmarks"


def bench_module(name):
    spec = importlib.util.spec_from_file_location(f"bench_{name}", BENCH / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


pipelines = bench_module("pipelines")


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """What the bench's pipelines read, less of it."""
    module = bench_module("data")
    module.MANY = 300
    folder = tmp_path_factory.mktemp("bench")
    with tfqueue.eager():
        module.write(str(folder))
    return str(folder)


def flat(element):
    import tensorflow

    return [np.asarray(part) for part in tensorflow.nest.flatten(element, expand_composites=True)]


def same(inputs, steps=20, values=True):
    """Checks that the program's dataset is the lifted one; its text."""
    with tfqueue.eager():
        text = tfqueue.dataset.source(inputs)
        assert "tfqueue" not in re.sub(r'""".*?"""', "", text, flags=re.DOTALL)
        one, other = tfqueue.dataset(inputs), imported(text)
        assert one.element_spec == other.element_spec
        pairs = list(zip(one.take(steps), other.take(steps), strict=True))
        assert pairs
        for lifted, by_hand in pairs if values else []:
            for a, b in zip(flat(lifted), flat(by_hand), strict=True):
                if a.dtype.kind == "f":
                    np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-5)
                else:
                    np.testing.assert_array_equal(a, b)
    return text


DRAWS = ("cifar_distorted", "fifo_one_by_one")


@pytest.mark.xdist_group("bench data")
@pytest.mark.parametrize("pipeline", pipelines.PIPELINES, ids=lambda p: p.__name__)
def test_of_the_bench(pipeline, data):
    def inputs():
        tf.set_random_seed(5)  # so that both mix in one order
        return pipeline(tf, data)

    same(inputs, steps=5, values=pipeline.__name__ not in DRAWS)


@pytest.mark.parametrize(
    "name", ["with  two spaces", "a, comma", 'it"s', "it's", "back\\", "(", "\u00fc"], ids=repr
)
@pytest.mark.parametrize("length", [3, 30])
def test_names_of_files_come_through(name, length, tmp_path):
    # Whatever stands in a name and wherever its line is broken.
    folder = tmp_path / ("x" * length)
    folder.mkdir()
    paths = [str(folder / f"{name} {number}") for number in range(8)]
    for number, path in enumerate(paths):
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"{number}\n")

    def inputs():
        names = tf.train.string_input_producer(paths, num_epochs=1, shuffle=False)
        key, line = tf.TextLineReader().read(names)
        return tf.train.batch([key, line], 2)

    same(inputs)


def test_autograph_is_left_out(caplog):
    """It would warn of functions whose source it does not find: `written` keeps none for it."""

    def inputs():
        number = tf.train.range_input_producer(6, 1, shuffle=False).dequeue()
        table = tf.lookup.KeyValueTensorInitializer(tf.range(6), tf.range(6) * 2)
        return tf.train.maybe_batch([tf.lookup.StaticHashTable(table, -1).lookup(number)], True, 2)

    text = same(inputs)
    assert "lambda" in text
    assert "AutoGraph" not in caplog.text
