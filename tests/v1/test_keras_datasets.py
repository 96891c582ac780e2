"""The data that Keras loads: its order, its parts and what numpy draws next.

The expected numbers were printed by TensorFlow 1.4.1 and 1.15.5, and by Keras 2.2.4, of the same files.
"""

import importlib
import pickle

import numpy as np
import pytest

import tfqueue.v1 as tf
from tfqueue import release

pytest.importorskip("tf_keras", reason="needs tf_keras: pip install 'tfqueue[keras]'")


def lists(count):
    found = np.empty(count, object)
    found[:] = [list(range(1, 2 + at % 5 + at // 3)) for at in range(count)]
    return found


@pytest.fixture
def datasets(tmp_path, monkeypatch):
    """`tf.keras.datasets`, which loads small files."""
    found = tf.keras.datasets
    for name, held in {
        "imdb": {
            "x_train": lists(5),
            "y_train": np.arange(5),
            "x_test": lists(4),
            "y_test": np.arange(4) + 10,
        },
        "reuters": {"x": lists(8), "y": np.arange(8)},
        "boston_housing": {"x": np.arange(6.0).reshape(6, 1), "y": np.arange(6.0)},
        "cifar10": {},
    }.items():
        np.savez(tmp_path / f"{name}.npz", **held)
        module = importlib.import_module(f"tf_keras.src.datasets.{name}")
        monkeypatch.setattr(module, "get_file", lambda path, *_, **__: str(tmp_path / path))
    return found


def told(parts):
    drawn = round(np.random.rand(), 6)
    (x, y), (more, labels) = parts
    return [list(x), list(y), list(more), list(labels), drawn]


TRAINED = [[1, 4, 5], [1, 4], [1, 4, 5, 6, 7, 8], [1, 4, 5, 6], [1, 4, 5, 6, 7, 8, 2]]


@pytest.mark.parametrize(
    ("when", "rest", "cut", "drawn"),
    [
        (
            "1.4",
            ([[1, 4, 5], [1, 4, 5, 6, 7, 8], [1, 4, 5, 6], [1, 4]], [11, 13, 12, 10]),
            ([[1, 4, 5], [1, 4, 5, 2]], [11, 12], [[1, 4]], [10]),
            0.05268,
        ),
        (
            "1.15",
            ([[1, 4], [1, 4, 5], [1, 4, 5, 6, 7, 8], [1, 4, 5, 6]], [10, 11, 13, 12]),
            ([[1, 4], [1, 4, 5]], [10, 11], [[1, 4, 5, 2]], [12]),
            0.127678,
        ),
    ],
)
def test_reviews_of_films(datasets, when, rest, cut, drawn):
    release.assume(when)
    expected = [TRAINED, [1, 0, 3, 2, 4], *rest, drawn]
    assert told(datasets.imdb.load_data()) == expected
    x, y, more, labels = cut
    short = [[[1, 4, 5], [1, 4], [1, 4, 5, 2], *x], [1, 0, 2, *y], more, labels, drawn]
    assert told(datasets.imdb.load_data(maxlen=5)) == short


def test_words_that_are_left_out(datasets):
    plain = {"start_char": None, "index_from": 0, "oov_char": None}
    found = told(datasets.imdb.load_data(num_words=3, **plain))
    assert found[0] == [[1, 2], [1], [1, 2], [1, 2], [1, 2]]
    assert found[2] == [[1], [1, 2], [1, 2], [1, 2]]
    with pytest.raises(TypeError, match="words"):
        datasets.imdb.load_data(words=3)
    with pytest.raises(ValueError, match="maxlen"):
        datasets.imdb.load_data(maxlen=1)


def test_what_numpy_draws_behind_other_data(datasets):
    np.random.seed(7)
    assert told(datasets.reuters.load_data())[1:5:2] == [[1, 3, 6, 0, 7, 2], [4, 5]]
    assert told(datasets.reuters.load_data())[-1] == 0.242661
    houses = told(datasets.boston_housing.load_data(seed=3))
    assert houses[1:] == [[3, 5, 4, 1], [[0], [2]], [0, 2], 0.510828]


@pytest.mark.parametrize(("when", "kind"), [("1.14", "int64"), ("1.15", "uint8")])
def test_labels_of_small_pictures(datasets, tmp_path, when, kind):
    release.assume(when)
    batch = {b"data": np.zeros((10000, 3072), np.uint8), b"labels": [3] * 10000}
    (tmp_path / "cifar-10-batches-py").mkdir()
    for name in (*(f"data_batch_{at}" for at in range(1, 6)), "test_batch"):
        (tmp_path / "cifar-10-batches-py" / name).write_bytes(pickle.dumps(batch))
    (_, first), (_, second) = datasets.cifar10.load_data()
    assert (str(first.dtype), str(second.dtype)) == ("uint8", kind)
