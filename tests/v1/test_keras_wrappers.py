"""`tf.keras.wrappers.scikit_learn`, on a stand-in for a model; Keras 2.2.4 gave and was given the same."""

import importlib

import numpy as np
import pytest

import tfqueue.v1 as tf

learn = tf.keras.wrappers.scikit_learn


class Model:
    """Gives what its last `fit` was given, or numbers that are told."""

    metrics_names = ("loss", "acc")

    def __init__(self, loss="binary_crossentropy", gives=None):
        self.loss, self.gives = loss, gives

    def fit(self, x, y, **words):
        self.fitted = np.asarray(y).tolist(), words
        return "history"

    def predict(self, x, batch_size=None):
        return np.float32(self.gives)

    def predict_classes(self, x, batch_size=None):
        return np.argmax(self.gives, 1)

    def evaluate(self, x, y, **words):
        self.asked = np.asarray(y).tolist(), words
        return [0.5, 0.75] if len(self.metrics_names) == 2 else 0.5


def build(loss="binary_crossentropy", gives=None):
    return Model(loss, gives)


X = np.zeros([3, 2])


def test_it_is_a_module():
    assert importlib.import_module("tfqueue.v1.keras.wrappers.scikit_learn") is learn


def test_labels_are_counted():
    made = learn.KerasClassifier(build, epochs=3, batch_size=6, gives=[[0, 1], [1, 0], [0, 1]])
    assert made.fit(X, ["b", "a", "b"], shuffle=False) == "history"
    assert made.model.fitted == ([1, 0, 1], {"epochs": 3, "batch_size": 6, "shuffle": False})
    assert (made.classes_.tolist(), made.n_classes_) == (["a", "b"], 2)
    assert made.predict(X).tolist() == ["b", "a", "b"]
    assert made.score(X, ["a", "b", "b"], verbose=0) == 0.75
    assert made.model.asked == ([0, 1, 1], {"batch_size": 6, "verbose": 0})


def test_classes_as_vectors():
    made = learn.KerasClassifier(build, loss="categorical_crossentropy")
    made.fit(X, [5, 9, 7], sample_weight=[1, 2, 3])
    assert made.model.fitted == (
        [[1, 0, 0], [0, 0, 1], [0, 1, 0]],
        {"sample_weight": [1, 2, 3]},
    )
    made.score(X, [7, 7, 5])
    assert made.model.asked[0] == [[0, 1, 0], [0, 1, 0], [1, 0, 0]]
    made.fit(X, np.eye(3))
    assert (made.model.fitted[0], made.classes_.tolist()) == (np.eye(3).tolist(), [0, 1, 2])


def test_one_probability_is_that_of_the_second_class():
    made = learn.KerasClassifier(build, gives=[[0.25], [0.5], [1.0]])
    made.fit(X, [0, 1, 1])
    assert made.predict_proba(X).tolist() == [[0.75, 0.25], [0.5, 0.5], [0.0, 1.0]]
    made = learn.KerasClassifier(build, gives=[[0.25, 0.75]])
    made.fit(X, [0, 1, 1])
    assert made.predict_proba(X[:1]).tolist() == [[0.25, 0.75]]


def test_a_regressor():
    made = learn.KerasRegressor(build, gives=[[1.0], [2.0], [3.0]], nb_epoch=2)
    made.fit(X, [1, 2, 3])
    assert made.model.fitted == ([1, 2, 3], {"epochs": 2})
    assert made.predict(X).tolist() == [1.0, 2.0, 3.0]
    assert made.score(X, [1, 2, 3]) == -0.5


def test_arguments():
    made = learn.KerasClassifier(build, epochs=[1])
    given = made.get_params(deep=False)
    assert given == {"epochs": [1], "build_fn": build}
    assert given["epochs"] is not made.sk_params["epochs"]
    assert made.set_params(epochs=2) is made
    assert made.get_params() == {"epochs": 2, "build_fn": build}
    assert made.filter_sk_params(build, {"loss": "mse"}) == {"loss": "mse"}
    with pytest.raises(ValueError, match="nope is not a legal parameter"):
        learn.KerasClassifier(build, nope=1)
    with pytest.raises(ValueError, match="nope is not a legal parameter"):
        made.set_params(nope=1)


def test_what_builds_a_model():
    class Builder:
        def __call__(self, gives=None):
            return Model(gives=gives)

    class Own(learn.KerasRegressor):
        def __call__(self, gives=None):
            return Model(gives=gives)

    for made in (learn.KerasRegressor(Builder(), gives=[[4.0]]), Own(gives=[[4.0]])):
        made.fit(X, [1, 2, 3])
        assert made.predict(X) == [4.0]


def test_what_was_refused():
    made = learn.KerasClassifier(build)
    with pytest.raises(ValueError, match=r"Invalid shape for y: \(3, 1, 1\)"):
        made.fit(X, np.zeros([3, 1, 1]))
    made.fit(X, [0, 1, 1])
    made.model.metrics_names = ("loss",)
    with pytest.raises(ValueError, match="not configured to compute accuracy"):
        made.score(X, [0, 1, 1])
