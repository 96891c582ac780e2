"""`tf.contrib.learn.preprocessing`: words to numbers."""

import collections
import itertools
import math
import pickle
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from tfqueue.v1._types import FileName

__all__ = [
    "ByteProcessor",
    "CategoricalProcessor",
    "CategoricalVocabulary",
    "VocabularyProcessor",
    "tokenizer",
]

_WORD = re.compile(r"[A-Z]{2,}(?![a-z])|[A-Z][a-z]+(?=[A-Z])|[\'\w\-]+", re.UNICODE)


def tokenizer(iterator: Any) -> Iterator[Any]:
    """Splits texts into words (`tf.contrib.learn.preprocessing.tokenizer`).

    Yields:
        A list of str for each.

    >>> list(tokenizer(["Don't stop, HTTPServer"]))
    [["Don't", 'stop', 'HTTP', 'Server']]
    """
    for text in iterator:
        yield _WORD.findall(text)


class CategoricalVocabulary:
    """Numbers of words (`tf.contrib.learn.preprocessing.CategoricalVocabulary`).

    Args:
        unknown_token: str, which has the number 0.
        support_reverse: Whether `reverse` gives the word of a number.
    """

    def __init__(self, unknown_token: str = "<UNK>", support_reverse: bool = True) -> None:
        self._unknown_token = unknown_token
        self._support_reverse = support_reverse
        self._freq: dict[str, int] = collections.defaultdict(int)
        self._freeze = False
        self._number([])

    def _number(self, words: Iterable[Any]) -> None:
        self._mapping = {self._unknown_token: 0}
        self._reverse_mapping = [self._unknown_token]
        for word in words:
            self._append(word)

    def _append(self, word: Any) -> None:
        self._mapping[word] = len(self._mapping)
        if self._support_reverse:
            self._reverse_mapping.append(word)

    def __len__(self) -> int:
        return len(self._mapping)

    def freeze(self, freeze: bool = True) -> None:
        """From now on the number of an unknown word is 0."""
        self._freeze = freeze

    def get(self, category: Any) -> Any:
        """The number of a word; a new one unless it is frozen."""
        if category not in self._mapping:
            if self._freeze:
                return 0
            self._append(category)
        return self._mapping[category]

    def add(self, category: Any, count: int = 1) -> None:
        """Counts a word."""
        if self.get(category) > 0:
            self._freq[category] += count

    def trim(self, min_frequency: int, max_frequency: int = -1) -> None:
        """Numbers the words anew, the most frequent first, without those that are too rare or frequent.

        Args:
            min_frequency: int; a word stays if it was counted more often.
            max_frequency: int; a word goes if it was counted as often. No limit when negative.
        """
        ordered = sorted(self._freq.items(), key=lambda item: (isinstance(item[0], str), item[0]))
        ordered.sort(key=lambda item: item[1], reverse=True)
        frequent = itertools.takewhile(lambda item: item[1] > min_frequency, ordered)
        kept = [item for item in frequent if max_frequency <= 0 or item[1] < max_frequency]
        self._number(word for word, _ in kept)
        self._freq = collections.defaultdict(int, kept)

    def reverse(self, class_id: Any) -> Any:
        """The word of a number.

        Raises:
            ValueError: If `support_reverse` is False.
        """
        if not self._support_reverse:
            raise ValueError("This vocabulary wasn't initialized with support_reverse")
        return self._reverse_mapping[class_id]


class CategoricalProcessor:
    """Categories to arrays of numbers (`tf.contrib.learn.preprocessing.CategoricalProcessor`).

    NaN has the number 0, like an unknown category.

    Args:
        min_frequency: int; where positive, a category is known if it comes more often.
        share: Whether all columns have one vocabulary.
        vocabularies: A `CategoricalVocabulary` for each column.

    >>> processor = CategoricalProcessor()
    >>> [ids.tolist() for ids in processor.fit_transform([["a", 3], ["b", 3], [float("nan"), 4]])]
    [[1, 1], [2, 1], [0, 2]]
    """

    def __init__(
        self, min_frequency: int = 0, share: bool = False, vocabularies: Any = None
    ) -> None:
        self.min_frequency, self.share = min_frequency, share
        self.vocabularies_ = vocabularies

    def freeze(self, freeze: bool = True) -> None:
        """From now on the number of an unknown category is 0."""
        for vocabulary in self.vocabularies_:
            vocabulary.freeze(freeze)

    def fit(self, x: Any, unused_y: Any = None) -> Any:
        """Learns the categories of each column.

        Args:
            x: Iterable of rows, or a `DataFrame`.
            unused_y: Not used, as scikit-learn has it.

        Returns:
            Itself.
        """
        del unused_y
        for row in _matrix(x):
            if self.vocabularies_ is None:
                shared = CategoricalVocabulary()
                self.vocabularies_ = [
                    shared if self.share else CategoricalVocabulary() for _ in row
                ]
            for vocabulary, value in zip(self.vocabularies_, row, strict=False):
                if not _is_nan(value):
                    vocabulary.add(value)
        if self.min_frequency > 0:
            for vocabulary in self.vocabularies_:
                vocabulary.trim(self.min_frequency)
        self.freeze()
        return self

    def fit_transform(self, x: Any, unused_y: Any = None) -> Iterator[Any]:
        """`fit`, then `transform`."""
        return self.fit(x, unused_y).transform(x)

    def transform(self, x: Any) -> Iterator[Any]:
        """Yields an int64 array of numbers for each row."""
        self.freeze()
        for row in _matrix(x):
            numbers = [
                0 if _is_nan(value) else vocabulary.get(value)
                for vocabulary, value in zip(self.vocabularies_, row, strict=False)
            ]
            yield np.array(numbers, dtype=np.int64)


def _matrix(x: Any) -> np.ndarray:
    """The rows of a pandas `DataFrame`; anything else as it is."""
    return x.to_numpy() if hasattr(x, "columns") and hasattr(x, "to_numpy") else x


def _is_nan(value: Any) -> bool:
    return isinstance(value, float) and math.isnan(value)


class ByteProcessor:
    """Documents to arrays of their bytes (`tf.contrib.learn.preprocessing.ByteProcessor`).

    Args:
        max_document_length: int; longer documents are cut, shorter ones filled up with 0.

    >>> processor = ByteProcessor(4)
    >>> [ids.tolist() for ids in processor.transform(["abc", b"bytes"])]
    [[97, 98, 99, 0], [98, 121, 116, 101]]
    """

    def __init__(self, max_document_length: int) -> None:
        self.max_document_length = max_document_length

    def fit(self, x: Any) -> None:
        """Does nothing: bytes need no vocabulary."""

    def fit_transform(self, x: Any) -> Iterator[Any]:
        """`transform`."""
        return self.transform(x)

    def reverse(self, x: Any) -> Iterator[str]:
        """Yields the text of each array of bytes; an empty one where it is not UTF-8."""
        for data in x:
            document = np.trim_zeros(data.astype(np.int8), trim="b").tobytes()
            try:
                yield document.decode("utf-8")
            except UnicodeDecodeError:
                yield ""

    def transform(self, x: Any) -> Iterator[Any]:
        """Yields an array of `max_document_length` bytes for each document, str or bytes."""
        for document in x:
            if isinstance(document, str):
                document = document.encode("utf-8")
            data = np.frombuffer(document, dtype=np.uint8)[: self.max_document_length]
            yield np.pad(data, (0, self.max_document_length - len(data)), "constant")


class VocabularyProcessor:
    """Documents to arrays of word numbers (`tf.contrib.learn.preprocessing.VocabularyProcessor`).

    Args:
        max_document_length: int; longer documents are cut, shorter ones filled up with 0.
        min_frequency: int; a word is known if it comes more often.
        vocabulary: A `CategoricalVocabulary`.
        tokenizer_fn: Function of an iterable of documents, which yields lists of words.

    >>> processor = VocabularyProcessor(4)
    >>> [ids.tolist() for ids in processor.fit_transform(["a dog", "a cat and a dog"])]
    [[1, 2, 0, 0], [1, 3, 4, 1]]
    >>> len(processor.vocabulary_)
    5
    """

    def __init__(
        self,
        max_document_length: int,
        min_frequency: int = 0,
        vocabulary: Any = None,
        tokenizer_fn: Callable[..., Any] | None = None,
    ) -> None:
        self.max_document_length = max_document_length
        self.min_frequency = min_frequency
        self.vocabulary_ = vocabulary or CategoricalVocabulary()
        self._tokenizer = tokenizer_fn or tokenizer

    def fit(self, raw_documents: Any, unused_y: Any = None) -> Any:
        """Learns the words of documents.

        Args:
            raw_documents: Iterable of str.
            unused_y: Not used, as scikit-learn has it.

        Returns:
            Itself.
        """
        for words in self._tokenizer(raw_documents):
            for word in words:
                self.vocabulary_.add(word)
        if self.min_frequency > 0:
            self.vocabulary_.trim(self.min_frequency)
        self.vocabulary_.freeze()
        return self

    def fit_transform(self, raw_documents: Any, unused_y: Any = None) -> Any:
        """`fit` and `transform` of the same documents."""
        self.fit(raw_documents)
        return self.transform(raw_documents)

    def transform(self, raw_documents: Any) -> Iterator[Any]:
        """Yields an int64 array `[max_document_length]` for each document."""
        for words in self._tokenizer(raw_documents):
            ids = np.zeros(self.max_document_length, np.int64)
            for place, word in enumerate(words[: self.max_document_length]):
                ids[place] = self.vocabulary_.get(word)
            yield ids

    def reverse(self, documents: Any) -> Iterator[Any]:
        """Yields the words of arrays of numbers, joined by spaces."""
        for ids in documents:
            yield " ".join(self.vocabulary_.reverse(each) for each in ids)

    def save(self, filename: FileName) -> None:
        """Writes it to a file, by pickle."""
        with open(filename, "wb") as file:
            pickle.dump(self, file)

    @classmethod
    def restore(cls, filename: FileName) -> Any:
        """Reads what `save` wrote. As with any pickle, only from a file that you trust."""
        with open(filename, "rb") as file:
            return pickle.load(file)
