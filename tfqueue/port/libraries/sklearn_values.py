"""scikit-learn as it was up to 0.19: classes and functions that are there, and gave other values.

Translated programs import these. scikit-learn is imported where one is asked for.
"""

from __future__ import annotations

import numbers
from collections.abc import Callable
from typing import Any

import numpy as np

from tfqueue.port.libraries import installed


def precision_recall_curve(
    y_true: Any, y_score: Any, pos_label: Any = None, sample_weight: Any = None
) -> Any:
    """Stands for ``sklearn.metrics.precision_recall_curve``, which ended where all positives are found."""
    from sklearn import metrics

    precision, recall, thresholds = metrics.precision_recall_curve(
        y_true, y_score, pos_label=pos_label, sample_weight=sample_weight
    )
    first = max(int((recall == recall[0]).sum()) - 1, 0)  # the last one that finds all
    return precision[first:], recall[first:], thresholds[first:]


def _by_column(name: str) -> Callable[..., Any]:
    """An error of numbers, whose weights `sample_weight` [n, outputs] may be those of the numbers."""

    def function(
        y_true: Any, y_pred: Any, sample_weight: Any = None, multioutput: Any = "uniform_average"
    ) -> Any:
        from sklearn import metrics

        error = getattr(metrics, name)
        columns = [np.asarray(y).reshape(len(y), -1).T for y in (y_true, y_pred)]
        weights = np.asarray(sample_weight).T
        raw = isinstance(multioutput, str) and multioutput == "raw_values"
        average = not isinstance(multioutput, str) or multioutput == "uniform_average"
        if weights.shape != columns[0].shape or not (raw or average):
            return error(y_true, y_pred, sample_weight=sample_weight, multioutput=multioutput)
        found = np.array(
            [error(a, b, sample_weight=c) for a, b, c in zip(*columns, weights, strict=True)]
        )
        given = None if isinstance(multioutput, str) else multioutput
        return found if raw else np.average(found, weights=given)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = (
        f"Stands for ``sklearn.metrics.{name}``, whose weights had one for each number."
    )
    return function


explained_variance_score, mean_absolute_error, mean_squared_error, mean_squared_log_error = map(
    _by_column,
    (
        "explained_variance_score",
        "mean_absolute_error",
        "mean_squared_error",
        "mean_squared_log_error",
    ),
)


def load_iris(return_X_y: bool = False) -> Any:
    """Stands for ``sklearn.datasets.load_iris``, of whose flowers two were others."""
    from sklearn import datasets

    found = datasets.load_iris()
    found.data[34, 3] = 0.1
    found.data[37, 1:3] = 3.1, 1.5
    return (found.data, found.target) if return_X_y else found


class _Signed:
    """What decomposes samples: the largest number of each column of the results is positive."""

    def _turn(self: Any, found: Any) -> Any:
        rows = np.abs(found).argmax(axis=0)
        below = found[rows, range(found.shape[1])] < 0
        signs = np.where(below, -1, 1).astype(found.dtype)
        self.components_ = self.components_ * signs[:, None]
        return found * signs

    def fit(self: Any, X: Any, y: Any = None) -> Any:
        """Learns from samples `X` [n, features]."""
        self.fit_transform(X)
        return self

    def fit_transform(self: Any, X: Any, y: Any = None) -> Any:
        """Learns from samples `X` [n, features] and gives them, [n, components]."""
        return self._turn(super().fit_transform(X))  # type: ignore[misc]


class _PCA(_Signed):
    """`PCA`, which chose its solver by the largest size alone, and the signs by the samples."""

    def fit_transform(self: Any, X: Any, y: Any = None) -> Any:
        """Learns from samples `X` [n, features] and gives them, [n, components]."""
        solver, shape, count = self.svd_solver, np.shape(X), self.n_components
        if solver == "auto" and len(shape) == 2:
            number = isinstance(count, int | float | np.number) and count >= 1
            near = max(shape) > 500 and number and count < 0.8 * min(shape)
            self.svd_solver = "randomized" if near else "full"
        try:
            return super().fit_transform(X)
        finally:
            self.svd_solver = solver


class _RandomizedPCA(_Signed):
    """`RandomizedPCA`: `PCA` by its randomized solver."""

    def __init__(
        self,
        n_components: int | None = None,
        copy: bool = True,
        iterated_power: int = 2,
        whiten: bool = False,
        random_state: Any = None,
    ) -> None:
        super().__init__(  # type: ignore[call-arg]
            n_components,
            copy=copy,
            iterated_power=iterated_power,
            whiten=whiten,
            random_state=random_state,
            svd_solver="randomized",
        )


class _NMF:
    """`NMF`, which began with `nndsvd` where there are fewer components than features."""

    def fit_transform(self: Any, X: Any, y: Any = None, W: Any = None, H: Any = None) -> Any:
        """Learns from samples `X` [n, features] and gives them, [n, components]."""
        begun, features = self.init, np.shape(X)[1]
        if begun is None:
            few = isinstance(self.n_components, numbers.Integral) and self.n_components < features
            few = few and self.n_components <= np.shape(X)[0]
            self.init = "nndsvd" if few else "random"
        try:
            return super().fit_transform(X, y, W, H)  # type: ignore[misc]
        finally:
            self.init = begun


def _path_lengths(counts: Any) -> Any:
    """How far down a sample of so many stands on the average."""
    many = np.maximum(counts, 2.0)
    found = 2.0 * (np.log(many - 1.0) + 0.5772156649) - 2.0 * (many - 1.0) / many
    return np.where(counts <= 1, 1.0, found)


class _IsolationForest:
    """`IsolationForest`: what its trees decide is not moved to where the outliers begin."""

    def fit(self: Any, X: Any, y: Any = None, sample_weight: Any = None) -> Any:
        """Learns from samples `X` [n, features]."""
        super().fit(X, y, sample_weight)  # type: ignore[misc]
        share = 0.1 if self.contamination == "auto" else self.contamination
        self.threshold_ = np.percentile(self.decision_function(X), 100.0 * share)
        return self

    def decision_function(self: Any, X: Any) -> Any:
        """How normal each sample is, [n], around 0."""
        X, depths = np.asarray(X, np.float32), 0.0
        for tree, features in zip(self.estimators_, self.estimators_features_, strict=True):
            part = X[:, features]
            steps = np.asarray(tree.decision_path(part).sum(axis=1)).ravel()
            depths += steps - 1.0 + _path_lengths(tree.tree_.n_node_samples[tree.apply(part)])
        depths = depths / len(self.estimators_)
        return 0.5 - 2.0 ** (-depths / _path_lengths(np.array(float(self.max_samples_))))

    def predict(self: Any, X: Any) -> Any:
        """1 for what is normal, -1 for an outlier, [n]."""
        return np.where(self.decision_function(X) <= self.threshold_, -1, 1)


class _OneClassSVM:
    """`OneClassSVM`, whose distances were a column."""

    def decision_function(self: Any, X: Any) -> Any:
        """The distance of each sample to the border, [n, 1]."""
        return super().decision_function(X).reshape(-1, 1)  # type: ignore[misc]


class _AdaBoostClassifier:
    """`AdaBoostClassifier`, which weighs probabilities (`SAMME.R`) where nothing else is said."""

    def __init__(
        self,
        base_estimator: Any = None,
        n_estimators: int = 50,
        learning_rate: float = 1.0,
        algorithm: str = "SAMME.R",
        random_state: Any = None,
    ) -> None:
        super().__init__(  # type: ignore[call-arg]
            base_estimator,
            n_estimators=n_estimators,
            learning_rate=learning_rate,
            random_state=random_state,
        )
        self.base_estimator, self.algorithm = base_estimator, algorithm

    def fit(self: Any, X: Any, y: Any, sample_weight: Any = None) -> Any:
        """Fits it to samples `X` [n, features] of the classes `y` [n]."""
        self.estimator = self.base_estimator  # which `set_params` may have changed
        return super().fit(X, y, sample_weight)  # type: ignore[misc]

    def _boost(
        self: Any, iboost: int, X: Any, y: Any, sample_weight: Any, random_state: Any
    ) -> Any:
        if self.algorithm != "SAMME.R":
            return super()._boost(iboost, X, y, sample_weight, random_state)  # type: ignore[misc]
        tree = self._make_estimator(random_state=random_state)
        tree.fit(X, y, sample_weight=sample_weight)
        likely = tree.predict_proba(X)
        if iboost == 0:
            self.classes_ = tree.classes_
            self.n_classes_ = len(self.classes_)
        wrong = self.classes_.take(likely.argmax(axis=1)) != y
        error = float(np.average(wrong, weights=sample_weight))
        if error <= 0:
            return sample_weight, 1.0, 0.0
        count = self.n_classes_
        codes = np.where(self.classes_ == np.asarray(y)[:, None], 1.0, -1.0 / (count - 1))
        logs = np.log(np.clip(likely, np.finfo(likely.dtype).eps, None))
        change = -self.learning_rate * ((count - 1.0) / count) * (codes * logs).sum(axis=1)
        if iboost != self.n_estimators - 1:
            counts = (sample_weight > 0) | (change < 0)
            sample_weight = sample_weight * np.exp(change * counts)
        return sample_weight, 1.0, error

    def _votes(self: Any, tree: Any, X: Any) -> Any:
        if self.algorithm != "SAMME.R":
            return (tree.predict(X)[:, None] == self.classes_).astype(float)
        likely = tree.predict_proba(X)
        logs = np.log(np.clip(likely, np.finfo(likely.dtype).eps, None))
        return (self.n_classes_ - 1) * (logs - logs.mean(axis=1, keepdims=True))

    def decision_function(self: Any, X: Any) -> Any:
        """How much speaks for each class, [n, classes], or for the second of two, [n]."""
        parts = zip(self.estimators_, self.estimator_weights_, strict=False)
        weigh = self.algorithm != "SAMME.R"
        votes = sum(self._votes(tree, X) * (w if weigh else 1.0) for tree, w in parts)
        votes = votes / self.estimator_weights_.sum()
        return votes[:, 1] - votes[:, 0] if self.n_classes_ == 2 else votes

    def predict(self: Any, X: Any) -> Any:
        """The class of each sample, [n]."""
        found = self.decision_function(X)
        if self.n_classes_ == 2:
            return self.classes_.take(found > 0, axis=0)
        return self.classes_.take(found.argmax(axis=1), axis=0)

    def predict_proba(self: Any, X: Any) -> Any:
        """The probability of each class, [n, classes]."""
        weights = self.estimator_weights_
        if self.algorithm == "SAMME.R":
            found = sum(self._votes(tree, X) for tree in self.estimators_)
        else:
            parts = zip(self.estimators_, weights, strict=False)
            found = sum(tree.predict_proba(X) * weight for tree, weight in parts)
        found = np.exp(found / weights.sum() / (self.n_classes_ - 1))
        return found / found.sum(axis=1, keepdims=True)


_MADE = {
    "AdaBoostClassifier": (_AdaBoostClassifier, "sklearn.ensemble.AdaBoostClassifier"),
    "PCA": (_PCA, "sklearn.decomposition.PCA"),
    "RandomizedPCA": (_RandomizedPCA, "sklearn.decomposition.PCA"),
    "TruncatedSVD": (_Signed, "sklearn.decomposition.TruncatedSVD"),
    "NMF": (_NMF, "sklearn.decomposition.NMF"),
    "IsolationForest": (_IsolationForest, "sklearn.ensemble.IsolationForest"),
    "OneClassSVM": (_OneClassSVM, "sklearn.svm.OneClassSVM"),
}
__getattr__ = installed.classes(__name__, _MADE)
