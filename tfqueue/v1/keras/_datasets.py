"""The data that Keras loads: shuffled by the draws of `np.random`, which went on from there, as up to TensorFlow 1.15 and Keras 2.2.

A program that seeds numpy and then loads `imdb`, `reuters` or `boston_housing` draws its own numbers, and
first values of its weights, from what their `seed` left.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable
from typing import Any

import numpy as np

from tfqueue import release
from tfqueue._tensorflow import patches
from tfqueue.v1 import _call_forms

_HOME = "tf_keras.src.datasets"
_IMDB = "https://storage.googleapis.com/tensorflow/tf-keras-datasets/imdb.npz"
_HASH = "69664113be75683a8fe16e3ed0ab59fda8886cb3cd7ada244f7d9544e4676b9f"


def install(keras: Any) -> None:
    """Has them be shuffled and cut as they were.

    Args:
        keras: The module of Keras 2.
    """
    drawn = patches.copy_of(np.random, RandomState=_of_numpy)
    for name in ("boston_housing", "reuters"):
        module: Any = importlib.import_module(f"{_HOME}.{name}")
        module.np = patches.copy_of(np, random=drawn)
    module = importlib.import_module(f"{_HOME}.imdb")
    module.load_data = keras.datasets.imdb.load_data = _imdb
    module = importlib.import_module(f"{_HOME}.cifar10")
    module.load_data = keras.datasets.cifar10.load_data = _with_whole_numbers(module.load_data)


def _of_numpy(seed: Any) -> Any:
    """Seeds numpy's own draws, and gives them."""
    np.random.seed(seed)
    return np.random


def _with_whole_numbers(load_data: Callable[..., Any]) -> Callable[..., Any]:
    """`cifar10.load_data`, whose labels of the second part were int64 up to 1.14, and not uint8."""

    @functools.wraps(load_data)
    def loaded(*args: Any, **words: Any) -> Any:
        train, (x, y) = load_data(*args, **words)
        early = _call_forms.reaches("1.14", keras=True)
        return train, (x, y.astype(np.int64) if early else y)

    return loaded


def _imdb(
    path: str = "imdb.npz",
    num_words: int | None = None,
    skip_top: int = 0,
    maxlen: int | None = None,
    seed: int = 113,
    start_char: int | None = 1,
    oov_char: int | None = 2,
    index_from: int = 3,
    **words: Any,
) -> Any:
    """Reviews of films as lists of words, and whether they are good (`tf.keras.datasets.imdb.load_data`).

    Args:
        path: What the file is called below `~/.keras/datasets`.
        num_words: Words from this one on, by how often they come, are left out, and so are the first `skip_top`.
        maxlen: Reviews of so many words, `start_char` counted, are left out; examples of the second part move up.
        seed: For the order; in TensorFlow up to 1.4 and in Keras 1 the second part had twice of it.
        start_char: The number in front of each review.
        oov_char: The number in place of a word that is left out.
        index_from: What is added to the number of each word.

    Raises:
        TypeError: There is another argument.
        ValueError: No review is short enough.
    """
    num_words = words.pop("nb_words", num_words)
    if words:
        raise TypeError(f"Unrecognized keyword arguments: {words}")
    imdb: Any = importlib.import_module(f"{_HOME}.imdb")
    with np.load(imdb.get_file(path, origin=_IMDB, file_hash=_HASH), allow_pickle=True) as stored:
        parts = [(stored[f"x_{part}"], stored[f"y_{part}"]) for part in ("train", "test")]
    reviews: list[list[int]] = []
    labels: list[Any] = []
    early = _call_forms.reaches("1.4") or release.shows_keras_1()
    for (x, y), own in zip(parts, (seed, seed * 2 if early else None), strict=True):
        if own is not None:
            np.random.seed(own)
        order = np.arange(len(x))
        np.random.shuffle(order)
        reviews += list(x[order])
        labels += list(y[order])
    begin = [] if start_char is None else [start_char]
    shift = index_from or 0
    reviews = [begin + [word + shift for word in one] for one in reviews]
    if maxlen:
        kept = [pair for pair in zip(reviews, labels, strict=True) if len(pair[0]) < maxlen]
        if not kept:
            raise ValueError(f"no review has fewer than {maxlen} words: increase maxlen")
        reviews, labels = ([one[place] for one in kept] for place in (0, 1))
    end = num_words or max(map(max, reviews))
    reviews = [
        [word if skip_top <= word < end else oov_char for word in one]
        if oov_char is not None
        else [word for word in one if skip_top <= word < end]
        for one in reviews
    ]
    first = len(parts[0][0])
    halves = (slice(first), slice(first, None))
    return tuple((_lists(reviews[half]), np.array(labels[half])) for half in halves)


def _lists(rows: list[list[int]]) -> Any:
    """An array of lists, whatever their lengths."""
    found = np.empty(len(rows), object)
    found[:] = rows
    return found
