"""Searches of scikit-learn of before 0.22. Expected values are scikit-learn 0.19.2's."""

import numpy as np
import pytest

pytest.importorskip("sklearn")

from sklearn.base import clone
from sklearn.model_selection import KFold
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor

from tfqueue.port.libraries import sklearn_searches

RANDOM = np.random.RandomState(0)
X = RANDOM.randn(20, 3)
Y = (X[:, 0] + 0.5 * RANDOM.randn(20) > 0).astype(int)
GRID = {"n_neighbors": [1, 3, 5]}


@pytest.mark.parametrize(
    ("made", "mean", "std", "rank"),
    [
        (
            lambda: sklearn_searches.GridSearchCV(KNeighborsRegressor(), GRID, cv=KFold(3)),
            [-0.12416667, 0.22342593, 0.12293333],
            [0.73864506, 0.37123939, 0.36680042],
            [3, 1, 2],
        ),
        (
            lambda: sklearn_searches.GridSearchCV(
                KNeighborsRegressor(), GRID, None, None, 1, False, cv=KFold(3)
            ),
            [-0.17777778, 0.19691358, 0.09755556],
            [0.75967017, 0.38120070, 0.37552150],
            [3, 1, 2],
        ),
        (
            lambda: sklearn_searches.GridSearchCV(KNeighborsClassifier(), GRID, scoring="accuracy"),
            [0.75, 0.8, 0.75],
            [0.08091736, 0.06362090, 0.13138457],
            [2, 1, 2],
        ),
        (
            lambda: sklearn_searches.RandomizedSearchCV(
                KNeighborsRegressor(), {"n_neighbors": [1, 2, 3, 5]}, 2, random_state=3, cv=KFold(6)
            ),
            [0.117, 0.02083333],
            [0.52074082, 0.54716758],
            [1, 2],
        ),
    ],
)
def test_a_mean_of_folds_weighs_them(made, mean, std, rank):
    search = clone(made()).fit(X, Y)
    found = search.cv_results_
    np.testing.assert_allclose(found["mean_test_score"], mean, atol=1e-7)
    np.testing.assert_allclose(found["std_test_score"], std, atol=1e-7)
    assert found["rank_test_score"].tolist() == rank
    assert "mean_train_score" in found
    assert search.best_score_ == pytest.approx(max(mean))
    assert search.return_train_score == "warn"
    line = search.grid_scores_[0]
    assert line.parameters == found["params"][0]
    assert line.mean_validation_score == pytest.approx(mean[0])
    folds = [found[f"split{at}_test_score"][0] for at in range(search.n_splits_)]
    assert line.cv_validation_scores.tolist() == folds


def test_what_fit_takes_may_be_given_before():
    given = {"sample_weight": None, "no_such": 1}
    search = sklearn_searches.GridSearchCV(KNeighborsRegressor(), GRID, fit_params=given)
    with pytest.raises(TypeError, match=r"no_such|sample_weight"):
        search.fit(X, Y)
    with pytest.raises(AttributeError, match="no attribute 'Other'"):
        _ = sklearn_searches.Other
