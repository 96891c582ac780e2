"""scikit-learn as it was up to 0.21: classes and functions that are gone or give something else.

Translated programs import these. scikit-learn is imported where one is asked for.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from tfqueue.port.libraries import installed


class _LogisticRegression:
    """`LogisticRegression`: by liblinear, and one class against the rest, where nothing else is said."""

    def __init__(
        self,
        penalty: str = "l2",
        dual: bool = False,
        tol: float = 1e-4,
        C: float = 1.0,
        fit_intercept: bool = True,
        intercept_scaling: float = 1,
        class_weight: Any = None,
        random_state: Any = None,
        solver: str = "liblinear",
        max_iter: int = 100,
        multi_class: str = "ovr",
        verbose: int = 0,
        warm_start: bool = False,
        n_jobs: int | None = 1,
    ) -> None:
        self.penalty, self.dual, self.tol, self.C = penalty, dual, tol, C
        self.fit_intercept, self.intercept_scaling = fit_intercept, intercept_scaling
        self.class_weight, self.random_state, self.solver = class_weight, random_state, solver
        self.max_iter, self.multi_class, self.verbose = max_iter, multi_class, verbose
        self.warm_start, self.n_jobs = warm_start, n_jobs

    def _new(self, class_weight: Any) -> Any:
        """Today's, for one fit."""
        from sklearn.linear_model import LogisticRegression

        names = inspect.signature(LogisticRegression).parameters
        words = {name: value for name, value in vars(self).items() if name in names}
        words["class_weight"] = class_weight
        if names["penalty"].default == "deprecated" and self.penalty in ("l1", "l2"):
            del words["penalty"]  # since 1.8
            words["l1_ratio"] = float(self.penalty == "l1")
        elif self.penalty == "none":
            words["penalty"] = None
        words.pop("n_jobs", None)  # it changes no number
        return LogisticRegression(**words)

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        """Fits it to samples `X` [n, features] of the classes `y` [n]."""
        from sklearn.utils.class_weight import compute_class_weight

        y = np.asarray(y)
        classes = np.unique(y)
        if len(classes) <= 2 or self.multi_class == "multinomial":
            fitted = self._new(self.class_weight).fit(X, y, sample_weight)
            vars(self).update({n: v for n, v in vars(fitted).items() if n.endswith(("_", "_in_"))})
            return self
        weights = self.class_weight
        if weights is not None and (self.solver == "liblinear" or isinstance(weights, dict)):
            weights = compute_class_weight(weights, classes=classes, y=y)
        fits = []
        for at, one in enumerate(classes):
            weight, samples = weights, sample_weight
            if isinstance(weight, np.ndarray) and self.solver == "liblinear":
                weight = {False: 1.0, True: weight[at]}  # the rest had no weight of its own
            elif isinstance(weight, np.ndarray):
                samples = weight[np.searchsorted(classes, y)] * (
                    1 if samples is None else np.asarray(samples)
                )
                weight = None
            fits.append(self._new(weight).fit(X, y == one, samples))
        vars(self).update({n: v for n, v in vars(fits[0]).items() if n.endswith("_in_")})
        self.classes_ = classes
        self.coef_ = np.concatenate([fit.coef_ for fit in fits])
        self.intercept_ = np.concatenate([fit.intercept_ for fit in fits])
        counts = np.concatenate([fit.n_iter_ for fit in fits])
        self.n_iter_ = counts[:1].clip(counts.max()) if self.solver == "liblinear" else counts
        return self

    def predict_proba(self: Any, X: Any) -> Any:
        """The probability of each class, [n, classes]."""
        if self.multi_class == "multinomial":
            return super().predict_proba(X)  # type: ignore[misc]
        return self._predict_proba_lr(X)


class _OneHotEncoder:
    """`OneHotEncoder` for whole numbers, which says how many there are or which columns hold them."""

    def __init__(
        self,
        n_values: Any = "auto",
        categorical_features: Any = "all",
        dtype: Any = float,
        sparse: bool = True,
        handle_unknown: str = "error",
    ) -> None:
        self.n_values, self.categorical_features, self.dtype = n_values, categorical_features, dtype
        self.sparse, self.handle_unknown = sparse, handle_unknown

    def _parts(self, X: Any) -> tuple[Any, Any]:
        X, chosen = np.asarray(X), self.categorical_features
        if X.ndim != 2:
            raise ValueError(f"OneHotEncoder: expected 2D array, got an array of shape {X.shape}")
        mask = np.zeros(X.shape[1], bool)
        mask[slice(None) if isinstance(chosen, str) else chosen] = True
        return X[:, mask].astype(int), X[:, ~mask]

    def fit(self, X: Any, y: Any = None) -> Any:
        """Learns from whole numbers `X` [n, columns]."""
        chosen, _ = self._parts(X)
        if (chosen < 0).any():
            raise ValueError("OneHotEncoder: X needs to contain only non-negative integers")
        automatic = isinstance(self.n_values, str)
        counts = chosen.max(axis=0) + 1 if automatic else self.n_values
        self.n_values_ = np.zeros(chosen.shape[1], int) + counts
        if (chosen >= self.n_values_).any():
            raise ValueError("OneHotEncoder: a feature is out of bounds for n_values")
        self.feature_indices_ = np.cumsum([0, *self.n_values_])
        if automatic:
            self.active_features_ = np.unique(chosen + self.feature_indices_[:-1])
        return self

    def transform(self, X: Any) -> Any:
        """A column for each value, and behind them the columns that are no categories."""
        import scipy.sparse

        chosen, rest = self._parts(X)
        known = (chosen >= 0) & (chosen < self.n_values_)
        if self.handle_unknown == "error" and not known.all():
            raise ValueError("OneHotEncoder: unknown categorical feature present in transform")
        rows, _ = np.nonzero(known)
        columns = (chosen + self.feature_indices_[:-1])[known]
        shape = len(chosen), self.feature_indices_[-1]
        made = scipy.sparse.coo_matrix((np.ones(len(rows), self.dtype), (rows, columns)), shape)
        made = made.tocsr()
        if isinstance(self.n_values, str):
            made = made[:, self.active_features_]
        if rest.shape[1]:
            made = scipy.sparse.hstack([made, scipy.sparse.csr_matrix(rest)], "csr")
        return made if self.sparse else made.toarray()


class _Imputer:
    """`Imputer`, which fills in columns (`axis=0`) or rows."""

    def __init__(
        self,
        missing_values: Any = "NaN",
        strategy: str = "mean",
        axis: int = 0,
        verbose: int = 0,
        copy: bool = True,
    ) -> None:
        self.missing_values, self.strategy, self.axis = missing_values, strategy, axis
        self.verbose, self.copy = verbose, copy

    def fit(self, X: Any, y: Any = None) -> Any:
        """Learns what stands in for missing values of `X` [n, columns]; with `axis=1` nothing."""
        from sklearn.impute import SimpleImputer

        missing = np.nan if self.missing_values in ("NaN", np.nan) else self.missing_values
        self._filler = SimpleImputer(missing_values=missing, strategy=self.strategy, copy=self.copy)
        if self.axis == 0:
            self._filler.fit(X)
            self.statistics_ = self._filler.statistics_
        return self

    def transform(self, X: Any) -> Any:
        """`X` with its missing values filled in."""
        if self.axis == 0:
            return self._filler.transform(X)
        return self._filler.fit_transform(np.asarray(X).T).T


def log_loss(
    y_true: Any,
    y_pred: Any,
    eps: float = 1e-15,
    normalize: bool = True,
    sample_weight: Any = None,
    labels: Any = None,
) -> Any:
    """Stands for ``sklearn.metrics.log_loss``, which kept `eps` away from 0 and 1."""
    from sklearn import metrics

    clipped = np.clip(np.asarray(y_pred, float), eps, 1 - eps)
    if clipped.ndim == 1 or clipped.shape[1] == 1:
        clipped = np.stack([1 - clipped.ravel(), clipped.ravel()], axis=1)
    clipped = clipped / clipped.sum(axis=1, keepdims=True)
    return metrics.log_loss(
        y_true, clipped, normalize=normalize, sample_weight=sample_weight, labels=labels
    )


def roc_curve(
    y_true: Any,
    y_score: Any,
    pos_label: Any = None,
    sample_weight: Any = None,
    drop_intermediate: bool = True,
) -> Any:
    """Stands for ``sklearn.metrics.roc_curve``, whose first threshold was 1 more than the largest score."""
    from sklearn import metrics

    false, true, thresholds = metrics.roc_curve(
        y_true,
        y_score,
        pos_label=pos_label,
        sample_weight=sample_weight,
        drop_intermediate=drop_intermediate,
    )
    if np.isinf(thresholds[0]):
        thresholds = np.concatenate([thresholds[1:2] + 1, thresholds[1:]])
    return false, true, thresholds


def jaccard_similarity_score(
    y_true: Any, y_pred: Any, normalize: bool = True, sample_weight: Any = None
) -> Any:
    """Stands for ``sklearn.metrics.jaccard_similarity_score``, the accuracy but for several labels each."""
    from sklearn import metrics

    true, predicted = np.asarray(y_true), np.asarray(y_pred)
    if true.ndim < 2 or true.shape[1] == 1:
        return metrics.accuracy_score(
            true, predicted, normalize=normalize, sample_weight=sample_weight
        )
    both = np.logical_and(true, predicted).sum(axis=1)
    either = np.logical_or(true, predicted).sum(axis=1)
    scores = np.where(either == 0, 1.0, both / np.maximum(either, 1))
    if normalize:
        return np.average(scores, weights=sample_weight)
    return scores.sum() if sample_weight is None else np.dot(scores, sample_weight)


def load_boston(return_X_y: bool = False) -> Any:
    """Refuses ``sklearn.datasets.load_boston``.

    Raises:
        NotImplementedError: Always; it says where the data are.
    """
    raise NotImplementedError(
        "sklearn.datasets.load_boston is gone since scikit-learn 1.2, with its data. They are at "
        "http://lib.stat.cmu.edu/datasets/boston, and in sklearn.datasets.fetch_openml('boston', version=1)"
    )


def fetch_mldata(dataname: str, *args: Any, **words: Any) -> Any:
    """Refuses ``sklearn.datasets.fetch_mldata``.

    Raises:
        NotImplementedError: Always; it says where the data are.
    """
    raise NotImplementedError(
        f"sklearn.datasets.fetch_mldata({dataname!r}): mldata.org is gone since 2018. OpenML has most of its "
        "data: sklearn.datasets.fetch_openml('mnist_784', version=1) is 'MNIST original' with its digits in "
        "another order (mldata's were sorted by label, the first 60000 and the last 10000 each)"
    )


_REFUSED = {
    "DPGMM": "mixture BayesianGaussianMixture(weight_concentration_prior_type='dirichlet_process') is nearest to it",
    "GMM": "mixture GaussianMixture(n_components, covariance_type='diag', reg_covar=0.001, max_iter=100) is nearest to it: "
    "it starts from other means, and has covariances_ for covars_",
    "GaussianProcess": "gaussian_process GaussianProcessRegressor is nearest to it",
    "LSHForest": "neighbors NearestNeighbors finds the neighbours themselves, and not near ones",
    "RandomizedLasso": "linear_model Nothing stands for it",
    "RandomizedLogisticRegression": "linear_model Nothing stands for it",
    "VBGMM": "mixture BayesianGaussianMixture(weight_concentration_prior_type='dirichlet_distribution') is nearest to it",
    "lasso_stability_path": "linear_model Nothing stands for it",
}
"""What is gone since 0.20 and 0.21: a program may import it and not call it -> its home, and what is nearest."""


def _refusing(name: str) -> Callable[..., Any]:
    home, _, nearest = _REFUSED[name].partition(" ")

    def refused(*args: Any, **words: Any) -> Any:
        raise NotImplementedError(f"scikit-learn has no sklearn.{home}.{name} today. {nearest}")

    return refused


_ESTIMATOR = ("sklearn.base.TransformerMixin", "sklearn.base.BaseEstimator")
_class = installed.classes(
    __name__,
    {
        "LogisticRegression": (_LogisticRegression, "sklearn.linear_model.LogisticRegression"),
        "OneHotEncoder": (_OneHotEncoder, *_ESTIMATOR),
        "Imputer": (_Imputer, *_ESTIMATOR),
    },
)


@functools.cache
def __getattr__(name: str) -> Any:
    return _refusing(name) if name in _REFUSED else _class(name)
