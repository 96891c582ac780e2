"""Classes and functions of scikit-learn of before 0.22. Expected values are scikit-learn 0.19.2's."""

import sys
import types

import numpy as np
import pytest

from tfqueue.port.libraries import sklearn_folds, sklearn_learners

GROUPS = np.array([0, 0, 1, 1, 1, 0, 1, 0, 0, 0, 2, 2, 2, 2])
NUMBERS = np.array([[0, 1, 2], [1, 0, 2], [3, 2, 0]])


class Base:
    pass


class Mixin:
    def fit_transform(self, X):
        return self.fit(X).transform(X)


def roc_curve(y_true, y_score, **words):
    return np.array([0.0, 1.0]), np.array([0.0, 1.0]), np.array([np.inf, 0.8, 0.1])


def log_loss(y_true, y_pred, **words):
    return -np.log(y_pred[np.arange(len(y_true)), y_true]).mean()


@pytest.fixture
def stub(monkeypatch):
    def module(name, **members):
        made = types.ModuleType(name)
        vars(made).update(members)
        monkeypatch.setitem(sys.modules, name, made)
        return made

    metrics = module(
        "sklearn.metrics",
        accuracy_score=lambda a, b, **words: (a == b).mean(),
        log_loss=log_loss,
        roc_curve=roc_curve,
    )
    base = module("sklearn.base", BaseEstimator=Base, TransformerMixin=Mixin)
    module("sklearn", metrics=metrics, base=base)
    sklearn_learners.__getattr__.cache_clear()
    yield
    sklearn_learners.__getattr__.cache_clear()


@pytest.mark.usefixtures("stub")
def test_whole_numbers_become_columns():
    encoder = sklearn_learners.OneHotEncoder
    assert encoder.__module__ == "tfqueue.port.libraries.sklearn_learners"
    assert encoder("auto", sparse=False).fit_transform(NUMBERS).tolist() == [
        [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0],
        [0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0],
        [0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0],
    ]
    made = encoder([5, 3, 3]).fit(NUMBERS)
    assert made.feature_indices_.tolist() == [0, 5, 8, 11]
    assert made.transform(NUMBERS[:1]).toarray().tolist() == [[1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1]]
    some = encoder(categorical_features=[0, 2], sparse=False).fit(NUMBERS)
    assert some.transform([[3, 5.5, 0]]).tolist() == [[0.0, 0.0, 1.0, 1.0, 0.0, 5.5]]
    with pytest.raises(ValueError, match="unknown categorical feature"):
        some.transform([[4, 0, 0]])
    ignoring = encoder(3, handle_unknown="ignore", sparse=False).fit([[2]])
    assert ignoring.transform([[3], [1]]).tolist() == [[0, 0, 0], [0, 1, 0]]
    for numbers, values in (([[-1]], "auto"), ([[3]], 3)):
        with pytest.raises(ValueError, match="OneHotEncoder: "):
            encoder(values).fit(numbers)


@pytest.mark.usefixtures("stub")
def test_metrics():
    assert sklearn_learners.log_loss([0, 0, 1, 1], [0, 1.0, 1, 1]) == pytest.approx(8.634894)
    assert sklearn_learners.log_loss([0, 1, 2], np.eye(3)[[0, 1, 1]]) == pytest.approx(11.512925)
    assert sklearn_learners.roc_curve([0, 1], [0.1, 0.8])[2].tolist() == [1.8, 0.8, 0.1]
    assert sklearn_learners.jaccard_similarity_score([0, 1, 2], [0, 1, 1]) == pytest.approx(2 / 3)
    several = np.array([[0, 1], [1, 1]])
    assert sklearn_learners.jaccard_similarity_score(several, np.ones((2, 2))) == 0.75
    assert sklearn_learners.jaccard_similarity_score(several, np.ones((2, 2)), False) == 1.5
    with pytest.raises(AttributeError, match="no attribute 'Perceptron'"):
        _ = sklearn_learners.Perceptron


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (sklearn_learners.load_boston, "lib.stat.cmu.edu"),
        (lambda: sklearn_learners.fetch_mldata("MNIST original"), "fetch_openml"),
        (lambda: sklearn_learners.GMM(3), r"no sklearn.mixture.GMM today. GaussianMixture"),
        (lambda: sklearn_learners.LSHForest(n_estimators=3), "NearestNeighbors"),
    ],
)
def test_what_is_gone_is_refused_with_what_helps(call, sentence):
    with pytest.raises(NotImplementedError, match=sentence):
        call()


@pytest.mark.filterwarnings("ignore:'multi_class' was deprecated:FutureWarning")
def test_one_class_against_the_rest():
    pytest.importorskip("sklearn")
    X = np.random.RandomState(0).randn(60, 4)
    three = np.where(X[:, 0] > 0.5, 0, np.arange(60) % 3)
    two = (X[:, 0] + 0.3 * X[:, 1] > 0).astype(int)
    model = sklearn_learners.LogisticRegression().fit(X, three)
    assert model.coef_[0] == pytest.approx([1.939, -0.3081, 0.0877, -0.6227], abs=2e-4)
    assert model.predict_proba(X[:1])[0] == pytest.approx([0.7778, 0.2045, 0.0176], abs=2e-4)
    assert model.score(X, three) == 0.75
    model = sklearn_learners.LogisticRegression("l1", C=0.3).fit(X, two)
    assert model.coef_[0] == pytest.approx([2.5502, 0.0386, 0, 0], abs=1e-3)
    model = sklearn_learners.LogisticRegression(C=2.0, class_weight="balanced").fit(X, three)
    assert model.coef_[0] == pytest.approx([2.1983, -0.339, 0.1171, -0.7375], abs=2e-4)
    words = {"solver": "newton-cg", "tol": 1e-8}
    model = sklearn_learners.LogisticRegression(class_weight={0: 2.0, 1: 1, 2: 0.5}, **words)
    assert model.fit(X, three).coef_[0] == pytest.approx([1.7963, -0.2803, 0.047, -0.69], abs=2e-4)
    model = sklearn_learners.LogisticRegression(multi_class="multinomial", **words).fit(X, three)
    assert model.predict_proba(X[:1])[0] == pytest.approx([0.8658, 0.1185, 0.0157], abs=2e-4)


def test_missing_values_of_rows():
    pytest.importorskip("sklearn")
    holes = [[1, np.nan, 3.0], [4, 4, np.nan]]
    assert sklearn_learners.Imputer("NaN", "median", 1).fit_transform(holes).tolist() == [
        [1, 2, 3],
        [4] * 3,
    ]
    assert sklearn_learners.Imputer().fit_transform([[1, np.nan], [3, 4]]).tolist() == [
        [1, 4],
        [3, 4],
    ]


def places_of(splits):
    return [places.tolist() for _, places in splits]


def test_folds():
    selection = pytest.importorskip("sklearn.model_selection")
    sklearn_folds.install()
    plain = [[0, 1, 2, 3, 10, 11], [4, 5, 7, 12], [6, 8, 9, 13]]
    assert places_of(selection.StratifiedKFold(3).split(GROUPS, GROUPS)) == plain
    assert places_of(sklearn_folds.StratifiedKFold(GROUPS)) == plain
    shuffled = selection.StratifiedKFold(3, shuffle=True, random_state=np.random.RandomState(3))
    assert places_of(shuffled.split(GROUPS, GROUPS)) == [
        [4, 6, 7, 9, 10, 11],
        [1, 3, 8, 12],
        [0, 2, 5, 13],
    ]
    seeded = selection.StratifiedKFold(3, shuffle=True, random_state=3)
    assert places_of(seeded.split(GROUPS, GROUPS)) == [
        [3, 6, 7, 9, 11, 13],
        [1, 2, 8, 10],
        [0, 4, 5, 12],
    ]
    once = sklearn_folds.KFold(7, 3, True, 5)
    assert len(once) == 3
    assert places_of(once) == [[2, 4, 6], [0, 1], [3, 5]] == places_of(once)
    moving = sklearn_folds.KFold(9, 3, shuffle=True)
    assert places_of(moving) == places_of(moving)
    assert places_of(sklearn_folds.ShuffleSplit(9, n_iter=2, random_state=0)) == [[7], [3]]
    assert places_of(sklearn_folds.LabelKFold([1, 1, 2, 2, 3], 2)) == [[2, 3, 4], [0, 1]]
    assert places_of(sklearn_folds.LeaveOneLabelOut([1, 1, 2])) == [[0, 1], [2]]
    assert places_of(sklearn_folds.LeavePOut(3, 2)) == [[0, 1], [0, 2], [1, 2]]
    assert places_of(sklearn_folds.LeaveOneOut(2)) == [[0], [1]]
    stratified = sklearn_folds.StratifiedShuffleSplit(GROUPS, 2, test_size=0.3, random_state=0)
    assert places_of(stratified) == [[4, 3, 13, 9, 0], [0, 7, 13, 3, 6]]


def test_a_name_that_no_search_has():
    from tfqueue.port.libraries import sklearn_searches

    with pytest.raises(AttributeError, match="no attribute 'HalvingSearch'"):
        sklearn_searches.HalvingSearch  # noqa: B018


@pytest.mark.parametrize(
    ("default", "penalty", "given"),
    [
        ("deprecated", "l1", {"l1_ratio": 1.0}),
        ("deprecated", "l2", {"l1_ratio": 0.0}),
        ("l2", "l1", {"penalty": "l1"}),
        ("l2", "none", {"penalty": None}),
    ],
)
def test_a_penalty_is_told_in_the_words_of_the_day(default, penalty, given, monkeypatch):
    """Since scikit-learn 1.8 by the part of l1 in it."""

    class Todays:
        def __init__(self, penalty=default, l1_ratio=None, class_weight=None):
            self.given = {"penalty": penalty, "l1_ratio": l1_ratio}

        def fit(self, *_):
            told.append({key: held for key, held in self.given.items() if key in given})
            assert self.given == {"penalty": default, "l1_ratio": None, **given}
            return self

    told = []
    linear = types.SimpleNamespace(LogisticRegression=Todays)
    weights = types.SimpleNamespace(compute_class_weight=None)
    monkeypatch.setitem(sys.modules, "sklearn.linear_model", linear)
    monkeypatch.setitem(sys.modules, "sklearn.utils.class_weight", weights)
    sklearn_learners._LogisticRegression(penalty).fit(NUMBERS, [0, 1, 0])
    assert told == [given]
