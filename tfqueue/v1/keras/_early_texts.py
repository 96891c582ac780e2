"""What `Tokenizer` and `to_categorical` gave in programs for Keras 1 and for early releases.

| of | then | since |
|---|---|---|
| `Tokenizer`: the number of `oov_token` | behind those of all words; words beyond `num_words` are left out | 1.11: 1, which those are, too |
| `Tokenizer` of characters, and of texts that are lists of words | in their own case | 1.11: in lower case |
| `to_categorical`: the dtype | float64 | 1.9: float32 |
| `to_categorical` of an array of more than one dimension | a row for each number | 1.5: of its shape |
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from tfqueue.v1.keras._early_pictures import reaches


def install(keras: Any) -> None:
    """Has texts be numbered, and labels be vectors, as they were.

    Args:
        keras: The module of Keras 2.
    """
    tokenizer = keras.preprocessing.text.Tokenizer
    tokenizer.fit_on_texts = _fitted(tokenizer.fit_on_texts)
    tokenizer.texts_to_sequences_generator = _numbered(tokenizer.texts_to_sequences_generator)
    keras.utils.to_categorical = _of_its_release(keras.utils.to_categorical)


def _words(self: Any, texts: Iterable[Any]) -> Iterator[list[str]]:
    """The words of each text, or its characters."""
    split: Any = importlib.import_module("tf_keras.preprocessing.text").text_to_word_sequence
    for text in texts:
        if self.char_level or isinstance(text, list):
            yield list(text)
        else:
            yield split(text, filters=self.filters, lower=self.lower, split=self.split)


def _fitted(original: Callable[..., None]) -> Callable[..., None]:
    @functools.wraps(original)
    def fit_on_texts(self: Any, texts: Iterable[Any]) -> None:
        if not reaches("1.10"):
            original(self, texts)
            return
        given = {name: getattr(self, name) for name in ("lower", "oov_token")}
        words = list(_words(self, texts))
        self.lower, self.oov_token = False, None
        try:
            original(self, words)
        finally:
            vars(self).update(given)
        if self.oov_token is not None and self.oov_token not in self.word_index:
            last = self.word_index[self.oov_token] = len(self.word_index) + 1
            self.index_word[last] = self.oov_token

    return fit_on_texts


def _numbered(original: Callable[..., Iterator[Any]]) -> Callable[..., Iterator[Any]]:
    @functools.wraps(original)
    def texts_to_sequences_generator(self: Any, texts: Iterable[Any]) -> Iterator[Any]:
        if not reaches("1.10"):
            yield from original(self, texts)
            return
        for words in _words(self, texts):
            numbers = []
            for word in words:
                number = self.word_index.get(word)
                if number is None:
                    number = self.word_index.get(self.oov_token)
                elif self.num_words and number >= self.num_words:
                    number = None
                if number is not None:
                    numbers.append(number)
            yield numbers

    return texts_to_sequences_generator


def _of_its_release(original: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(original)
    def to_categorical(y: Any, num_classes: int | None = None, dtype: Any = None) -> Any:
        if reaches("1.4"):
            y = np.ravel(y)
        if dtype is None:
            dtype = "float64" if reaches("1.8") else "float32"
        return original(y, num_classes, dtype)

    return to_categorical
