"""`GridSearchCV` and `RandomizedSearchCV` of scikit-learn up to 0.21, which weighed folds by their size.

Translated programs import these. scikit-learn is imported where one is asked for.
"""

from __future__ import annotations

import collections
from collections.abc import Iterator
from typing import Any

import numpy as np

from tfqueue.port.libraries import installed

_Score = collections.namedtuple(
    "_Score", "parameters mean_validation_score cv_validation_scores"
)  # a line of `grid_scores_`


class _Counted:
    """What divides samples into folds, and notes how many are in the test of each."""

    def __init__(self, splitter: Any) -> None:
        self._splitter = splitter
        self.counts: list[int] = []

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """How many folds there are."""
        return int(self._splitter.get_n_splits(X, y, groups))

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[Any]:
        """The places for training and those for the test of each fold."""
        self.counts = []
        for train, test in self._splitter.split(X, y, groups):
            self.counts.append(len(test))
            yield train, test


class _Search:
    """A search among the parameters of an estimator.

    `iid` says whether the mean of a score over the folds weighs each by its size. Parameters of `fit` may be
    given as `fit_params`.
    """

    def fit(self: Any, X: Any, y: Any = None, groups: Any = None, **params: Any) -> Any:
        """Searches, by samples `X` [n, features] and what is to be found of them, `y`."""
        from sklearn.base import is_classifier
        from sklearn.model_selection import check_cv

        before = self.cv, self.return_train_score
        chosen = check_cv(
            3 if self.cv is None else self.cv, y, classifier=is_classifier(self.estimator)
        )
        self.cv, self.return_train_score = _Counted(chosen), bool(self.return_train_score)
        words = {**(self.fit_params or {}), **params}
        if groups is not None:
            words["groups"] = groups
        try:
            return super().fit(X, y, **words)  # type: ignore[misc]
        finally:
            self.cv, self.return_train_score = before

    def _format_results(
        self: Any, candidate_params: Any, n_splits: int, out: Any, more_results: Any = None
    ) -> Any:
        found = super()._format_results(candidate_params, n_splits, out, more_results)  # type: ignore[misc]
        for name in [key for key in found if self.iid and key.startswith("mean_test_")]:
            _weigh(found, name.removeprefix("mean_"), n_splits, self.cv.counts[:n_splits])
        return found

    @property
    def grid_scores_(self: Any) -> list[_Score]:
        """The parameters that were tried, each with its mean score and those of the folds."""
        found, names = self.cv_results_, [f"split{at}_test_score" for at in range(self.n_splits_)]
        scores = np.array([found[name] for name in names]).T
        return [
            _Score(*one)
            for one in zip(found["params"], found["mean_test_score"], scores, strict=True)
        ]


def _weigh(found: Any, name: str, splits: int, counts: list[int]) -> None:
    """Puts means, spreads and ranks of a score into results, with each fold weighed."""
    from scipy.stats import rankdata

    scores = np.array([found[f"split{at}_{name}"] for at in range(splits)])
    means = np.average(scores, axis=0, weights=counts)
    found[f"mean_{name}"] = means
    found[f"std_{name}"] = np.sqrt(np.average((scores - means) ** 2, axis=0, weights=counts))
    found[f"rank_{name}"] = rankdata(-means, method="min").astype(np.int32)


class _GridSearchCV(_Search):
    __doc__ = _Search.__doc__

    def __init__(
        self,
        estimator: Any,
        param_grid: Any,
        scoring: Any = None,
        fit_params: Any = None,
        n_jobs: int | None = 1,
        iid: bool = True,
        refit: Any = True,
        cv: Any = None,
        verbose: int = 0,
        pre_dispatch: Any = "2*n_jobs",
        error_score: Any = "raise",
        return_train_score: Any = "warn",
    ) -> None:
        self.estimator, self.param_grid = estimator, param_grid
        self.scoring, self.fit_params, self.n_jobs, self.iid = scoring, fit_params, n_jobs, iid
        self.refit, self.cv, self.verbose, self.pre_dispatch = refit, cv, verbose, pre_dispatch
        self.error_score, self.return_train_score = error_score, return_train_score


class _RandomizedSearchCV(_Search):
    __doc__ = _Search.__doc__

    def __init__(
        self,
        estimator: Any,
        param_distributions: Any,
        n_iter: int = 10,
        scoring: Any = None,
        fit_params: Any = None,
        n_jobs: int | None = 1,
        iid: bool = True,
        refit: Any = True,
        cv: Any = None,
        verbose: int = 0,
        pre_dispatch: Any = "2*n_jobs",
        random_state: Any = None,
        error_score: Any = "raise",
        return_train_score: Any = "warn",
    ) -> None:
        self.estimator, self.param_distributions = estimator, param_distributions
        self.n_iter, self.random_state = n_iter, random_state
        self.scoring, self.fit_params, self.n_jobs, self.iid = scoring, fit_params, n_jobs, iid
        self.refit, self.cv, self.verbose, self.pre_dispatch = refit, cv, verbose, pre_dispatch
        self.error_score, self.return_train_score = error_score, return_train_score


_MADE = {
    "GridSearchCV": (_GridSearchCV, "sklearn.model_selection.GridSearchCV"),
    "RandomizedSearchCV": (_RandomizedSearchCV, "sklearn.model_selection.RandomizedSearchCV"),
}
__getattr__ = installed.classes(__name__, _MADE)
