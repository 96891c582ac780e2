"""`sklearn.cross_validation`, and in which fold a sample was up to scikit-learn 0.21.

Translated programs import these, and `tfqueue.port.libraries.sklearn_methods`, which calls `install`.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np


class _Splits:
    """Pairs of the places for training and those for a test, as a loop got them."""

    def __init__(self, splitter: Any, count: int, y: Any = None, groups: Any = None) -> None:
        self.n, self.y = count, y
        self._splitter = splitter
        self._given = np.zeros(count), np.zeros(count) if y is None else np.asarray(y), groups
        self._pairs: list[Any] | None = None
        if getattr(splitter, "shuffle", False):  # it was shuffled once
            self._pairs = list(splitter.split(*self._given))

    def __len__(self) -> int:
        return int(self._splitter.get_n_splits(*self._given))

    def __iter__(self) -> Iterator[tuple[Any, Any]]:
        return iter(self._pairs) if self._pairs else iter(self._splitter.split(*self._given))


def _splitter(name: str, *args: Any, **words: Any) -> Any:
    from sklearn import model_selection

    return getattr(model_selection, name)(*args, **words)


def KFold(n: int, n_folds: int = 3, shuffle: bool = False, random_state: Any = None) -> Any:
    """Stands for ``sklearn.cross_validation.KFold``."""
    words = {"shuffle": shuffle, "random_state": random_state if shuffle else None}
    return _Splits(_splitter("KFold", n_folds, **words), n)


def StratifiedKFold(
    y: Any, n_folds: int = 3, shuffle: bool = False, random_state: Any = None
) -> Any:
    """Stands for ``sklearn.cross_validation.StratifiedKFold``."""
    install()
    words = {"shuffle": shuffle, "random_state": random_state if shuffle else None}
    return _Splits(_splitter("StratifiedKFold", n_folds, **words), len(y), y)


def LabelKFold(labels: Any, n_folds: int = 3) -> Any:
    """Stands for ``sklearn.cross_validation.LabelKFold``."""
    return _Splits(_splitter("GroupKFold", n_folds), len(labels), groups=labels)


def LeaveOneOut(n: int) -> Any:
    """Stands for ``sklearn.cross_validation.LeaveOneOut``."""
    return _Splits(_splitter("LeaveOneOut"), n)


def LeavePOut(n: int, p: int) -> Any:
    """Stands for ``sklearn.cross_validation.LeavePOut``."""
    return _Splits(_splitter("LeavePOut", p), n)


def LeaveOneLabelOut(labels: Any) -> Any:
    """Stands for ``sklearn.cross_validation.LeaveOneLabelOut``."""
    return _Splits(_splitter("LeaveOneGroupOut"), len(labels), groups=labels)


def ShuffleSplit(
    n: int,
    n_iter: int = 10,
    test_size: Any = 0.1,
    train_size: Any = None,
    random_state: Any = None,
) -> Any:
    """Stands for ``sklearn.cross_validation.ShuffleSplit``."""
    words = {"test_size": test_size, "train_size": train_size, "random_state": random_state}
    return _Splits(_splitter("ShuffleSplit", n_iter, **words), n)


def StratifiedShuffleSplit(
    y: Any,
    n_iter: int = 10,
    test_size: Any = 0.1,
    train_size: Any = None,
    random_state: Any = None,
) -> Any:
    """Stands for ``sklearn.cross_validation.StratifiedShuffleSplit``."""
    words = {"test_size": test_size, "train_size": train_size, "random_state": random_state}
    return _Splits(_splitter("StratifiedShuffleSplit", n_iter, **words), len(y), y)


def _make_test_folds(original: Callable[..., Any]) -> Callable[..., Any]:
    def function(self: Any, X: Any, y: Any = None) -> Any:
        from sklearn.utils import check_random_state

        unmoved = copy.copy(self)
        unmoved.shuffle, unmoved.random_state = False, None
        found = original(unmoved, X, y)  # it looks at what it is given
        _, kinds = np.unique(np.asarray(y).ravel(), return_inverse=True)
        for kind, count in enumerate(np.bincount(kinds)):
            # each class was split by itself, the first folds one larger than the others
            total = max(count, self.n_splits)
            places = np.arange(total)
            if self.shuffle:  # a number seeds each class anew
                check_random_state(self.random_state).shuffle(places)
            folds = np.empty(total, int)
            for fold, part in enumerate(np.array_split(places, self.n_splits)):
                folds[part] = fold
            found[kinds == kind] = folds[:count]
        return found

    vars(function)["_tfqueue"] = True
    return function


def install() -> None:
    """Has `StratifiedKFold`, and what splits by it, put samples in the folds of before 0.22."""
    from sklearn.model_selection import StratifiedKFold

    original = StratifiedKFold._make_test_folds
    if not getattr(original, "_tfqueue", False):
        StratifiedKFold._make_test_folds = _make_test_folds(original)
