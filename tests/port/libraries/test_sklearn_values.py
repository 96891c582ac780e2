"""Classes and functions of scikit-learn that gave other values: expected ones are scikit-learn 0.19.2's."""

import numpy as np
import pytest

from tfqueue.port.libraries import sklearn_values

pytest.importorskip("sklearn")

X = np.array(
    [[1.0, 2, 0.5], [2, 1.5, 0.1], [3, 3.5, 0.9], [4, 3, 0.3], [5.5, 5, 0.7], [6, 7.5, 0.2]]
    + [[7, 6, 0.8], [8.5, 8, 0.4], [9, 9.5, 0.6], [1.5, 9, 0.55], [2.5, 8, 0.15], [3.5, 7, 0.95]]
)
Y = np.array([0, 1, 0, 1, 0, 0, 1, 1, 0, 1, 0, 1])
RANDOM = np.random.RandomState(1)
BIG = RANDOM.rand(60, 5)
TARGET = BIG.dot([1, 2, -1, 0.5, 0]) + 0.1 * RANDOM.randn(60)
CLASSES = (TARGET.mean() < TARGET).astype(int)


def test_components_have_the_signs_of_the_samples():
    pca = sklearn_values.PCA(2).fit(X)
    assert pca.components_[0] == pytest.approx([0.690098, 0.723628, 0.0113177], abs=1e-5)
    assert pca.components_[1] == pytest.approx([-0.723606, 0.690181, -0.00663028], abs=1e-5)
    assert pca.transform(X)[0] == pytest.approx([-5.16064, -0.143138], abs=1e-4)
    assert sklearn_values.PCA(2).fit_transform(X)[1] == pytest.approx(
        [-4.83688, -1.20918], abs=1e-5
    )
    assert sklearn_values.PCA(2).fit_transform(X.astype(np.float32)).dtype == np.float32
    by_chance = sklearn_values.RandomizedPCA(2, random_state=0).fit_transform(BIG)
    assert by_chance[0] == pytest.approx([-0.551063, 0.0924403], abs=1e-5)
    svd = sklearn_values.TruncatedSVD(2, random_state=0).fit_transform(X)
    assert svd[0] == pytest.approx([2.21713, 0.448362], abs=1e-4)


def test_the_largest_size_chooses_the_solver():
    many = np.random.RandomState(0).rand(1200, 40)
    pca = sklearn_values.PCA(3, random_state=0).fit(many)
    assert pca.svd_solver == "auto"
    assert pca._fit_svd_solver == "randomized"
    assert sklearn_values.PCA(0.9).fit(many)._fit_svd_solver == "full"


def test_nmf_begins_with_nndsvd():
    for count in (2, np.int64(2)):
        found = sklearn_values.NMF(count, random_state=0).fit_transform(X)
        assert found[0] == pytest.approx([0.27976, 0.498234], abs=1e-3)


def test_a_curve_ends_where_all_are_found():
    precision, recall, thresholds = sklearn_values.precision_recall_curve(
        [0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]
    )
    assert precision == pytest.approx([2 / 3, 0.5, 1, 1])
    assert recall.tolist() == [1.0, 0.5, 0.5, 0.0]
    assert thresholds.tolist() == [0.35, 0.4, 0.8]


def test_two_flowers_are_others():
    flowers, kinds = sklearn_values.load_iris(return_X_y=True)
    assert flowers.sum(axis=0) == pytest.approx([876.5, 458.1, 563.8, 179.8])
    assert sklearn_values.load_iris().target.tolist() == kinds.tolist()


def test_how_normal_a_sample_is():
    forest = sklearn_values.IsolationForest(
        n_estimators=100, contamination=0.1, random_state=0
    ).fit(BIG)
    assert forest.decision_function(BIG)[:2] == pytest.approx([-0.000978397, 0.00859527], abs=1e-6)
    assert forest.threshold_ == pytest.approx(-0.0309037, abs=1e-6)
    assert (forest.predict(BIG) == -1).sum() == 6
    svm = sklearn_values.OneClassSVM(gamma="auto").fit(BIG)
    assert svm.decision_function(BIG[:2]) == pytest.approx(
        np.array([[-0.303221], [0.526083]]), abs=1e-6
    )


def test_boosting_weighs_probabilities():
    boosted = sklearn_values.AdaBoostClassifier(random_state=0, n_estimators=5).fit(BIG, CLASSES)
    assert boosted.decision_function(BIG[:2]) == pytest.approx([1.33114, -0.420124], abs=1e-5)
    assert boosted.predict_proba(BIG[:1])[0] == pytest.approx([0.208971, 0.791029], abs=1e-5)
    by_class = sklearn_values.AdaBoostClassifier(
        random_state=0, n_estimators=5, algorithm="SAMME"
    ).fit(BIG, CLASSES)
    assert by_class.predict_proba(BIG[:1])[0] == pytest.approx([0.344422, 0.655578], abs=1e-5)
    assert by_class.predict(BIG[:2]).tolist() == [1, 0]


def test_any_other_name_is_none():
    with pytest.raises(AttributeError, match="KMeans"):
        sklearn_values.KMeans  # noqa: B018


@pytest.mark.parametrize(
    ("name", "mean", "columns", "weighed"),
    [
        ("explained_variance_score", 0.60683422, (0.57142857, 0.82407407, 0.425), 0.58242945),
        ("mean_absolute_error", 0.54722222, (2 / 3, 0.375, 0.6), 0.53611111),
        ("mean_squared_error", 0.4375, (0.5, 0.3125, 0.5), 0.4375),
        ("mean_squared_log_error", 0.04690325, (0.07177166, 0.01591647, 0.05302161), 0.04377824),
    ],
)
def test_each_number_has_a_weight(name, mean, columns, weighed):
    """Recorded with scikit-learn 0.24.2."""
    true = np.array([[1.0, 2, 3], [2, 4, 1], [0.5, 1, 2], [3, 3, 3]])
    given = np.array([[1.5, 2, 2], [2, 3, 1.5], [1, 1, 2], [2, 3.5, 4]])
    weights = np.array([[1, 0, 1], [0, 1, 1], [1, 2, 0.5], [1, 1, 0]])
    error = getattr(sklearn_values, name)
    assert error(true, given, weights) == pytest.approx(mean)
    assert error(true, given, weights, "raw_values") == pytest.approx(np.array(columns))
    assert error(true, given, sample_weight=weights, multioutput=[1, 2, 3]) == pytest.approx(
        weighed
    )
    assert error(true[:, 0], given[:, 0], weights[:, :1]) == pytest.approx(columns[0])


def test_each_sample_has_a_weight():
    """Recorded with scikit-learn 0.24.2; weights of another form are refused by both."""
    assert sklearn_values.mean_squared_error([1.0, 2, 3], [1, 1, 1], [1, 2, 0]) == pytest.approx(
        2 / 3
    )
    with pytest.raises((TypeError, ValueError)):
        sklearn_values.mean_squared_error(np.ones((2, 3)), np.ones((2, 3)), np.ones((2, 1)))
