"""`tf.keras.wrappers.scikit_learn`, which tf_keras has no more: models as estimators of scikit-learn."""

from __future__ import annotations

import copy
import inspect
import types
from collections.abc import Callable
from typing import Any

import numpy as np

_CATEGORICAL = "categorical_crossentropy"


class BaseWrapper:
    """An estimator of scikit-learn that makes and fits a model.

    Args:
        build_fn: Function or object that is called for a compiled model; None for the method `__call__` of a subclass.
        **sk_params: Arguments of `build_fn`, and of the model's `fit`, `predict_classes` and `evaluate`.

    Raises:
        ValueError: If nothing takes one of `sk_params`.
    """

    models: Any
    """The class of a model whose methods say which arguments there are; `install` sets it."""
    model: Any

    def __init__(self, build_fn: Any = None, **sk_params: Any) -> None:
        self.build_fn, self.sk_params = build_fn, sk_params
        self.check_params(sk_params)

    def _builder(self) -> Callable[..., Any]:
        if self.build_fn is None:
            return self.__call__  # type: ignore[operator]  # a subclass has it
        is_function = isinstance(self.build_fn, types.FunctionType | types.MethodType)
        return self.build_fn if is_function else self.build_fn.__call__

    def check_params(self, params: dict[str, Any]) -> None:
        """Refuses an argument that nothing takes."""
        steps = [self.models.fit, self.models.predict, self.models.predict_classes]
        steps += [self.models.evaluate, self._builder()]
        for name in params:
            if name != "nb_epoch" and not any(_takes(step, name) for step in steps):
                raise ValueError(f"{name} is not a legal parameter")

    def get_params(self, **params: Any) -> dict[str, Any]:
        """The arguments that it was made with; scikit-learn copies it by them."""
        return {**copy.deepcopy(self.sk_params), "build_fn": self.build_fn}

    def set_params(self, **params: Any) -> Any:
        """Changes arguments, and gives the estimator."""
        self.check_params(params)
        self.sk_params.update(params)
        return self

    def fit(self, x: Any, y: Any, **kwargs: Any) -> Any:
        """Makes a model and fits it; what its `fit` gave."""
        build = self._builder()
        self.model = build(**self.filter_sk_params(build))
        if _loss(self.model) == _CATEGORICAL and np.ndim(y) != 2:
            y = np.eye(int(np.max(y)) + 1, dtype=np.float32)[np.asarray(y, int)]
        given = self.filter_sk_params(self.models.fit)
        if "nb_epoch" in self.sk_params:  # Keras 1
            given.setdefault("epochs", self.sk_params["nb_epoch"])
        return self.model.fit(x, y, **{**copy.deepcopy(given), **kwargs})

    def filter_sk_params(
        self, fn: Callable[..., Any], override: dict[str, Any] | None = None
    ) -> dict[str, Any]:
        """Those of the arguments that a function takes, and `override` in their place."""
        given = {name: value for name, value in self.sk_params.items() if _takes(fn, name)}
        return {**given, **(override or {})}

    def __sklearn_tags__(self) -> Any:
        """What today's scikit-learn asks for: an estimator of no kind, as it was to that of then."""
        from sklearn import utils

        return utils.Tags(estimator_type=None, target_tags=utils.TargetTags(required=True))


class KerasClassifier(BaseWrapper):
    """A classifier of scikit-learn's interface.

    Args:
        build_fn: As for `BaseWrapper`, as are the others.
    """

    def fit(self, x: Any, y: Any, sample_weight: Any = None, **kwargs: Any) -> Any:
        """Fits it to labels: numbers or texts, or a row with one 1 for each example."""
        y = np.array(y)
        if y.ndim == 2 and y.shape[1] > 1:
            self.classes_ = np.arange(y.shape[1])
        elif y.ndim == 1 or (y.ndim == 2 and y.shape[1] == 1):
            self.classes_ = np.unique(y)
            y = np.searchsorted(self.classes_, y)
        else:
            raise ValueError(f"Invalid shape for y: {y.shape}")
        self.n_classes_ = len(self.classes_)
        if sample_weight is not None:
            kwargs["sample_weight"] = sample_weight
        return super().fit(x, y, **kwargs)

    def predict(self, x: Any, **kwargs: Any) -> Any:
        """The label of each example."""
        given = self.filter_sk_params(self.models.predict_classes, kwargs)
        return self.classes_[self.model.predict_classes(x, **given)]

    def predict_proba(self, x: Any, **kwargs: Any) -> Any:
        """For each example the probability of each class."""
        given = self.filter_sk_params(self.models.predict_classes, kwargs)
        found = self.model.predict(x, **given)
        return np.hstack([1 - found, found]) if found.shape[1] == 1 else found

    def score(self, x: Any, y: Any, **kwargs: Any) -> float:
        """The model's accuracy.

        Raises:
            ValueError: If the model was compiled without it.
        """
        y = np.searchsorted(self.classes_, y)
        if _loss(self.model) == _CATEGORICAL and y.ndim != 2:
            y = np.eye(len(self.classes_), dtype=np.float32)[y]
        found = self.model.evaluate(x, y, **self.filter_sk_params(self.models.evaluate, kwargs))
        for name, value in zip(self.model.metrics_names, np.atleast_1d(found), strict=True):
            if name in ("acc", "accuracy"):
                return float(value)
        raise ValueError(
            "The model is not configured to compute accuracy: compile it with metrics=['accuracy']"
        )


class KerasRegressor(BaseWrapper):
    """A regressor of scikit-learn's interface.

    Args:
        build_fn: As for `BaseWrapper`, as are the others.
    """

    def predict(self, x: Any, **kwargs: Any) -> Any:
        """What the model gives for each example, without its last axis of size 1."""
        given = self.filter_sk_params(self.models.predict, kwargs)
        return np.squeeze(self.model.predict(x, **given), axis=-1)

    def score(self, x: Any, y: Any, **kwargs: Any) -> float:
        """The model's loss, with the other sign: the more the better."""
        found = self.model.evaluate(x, y, **self.filter_sk_params(self.models.evaluate, kwargs))
        return -float(np.atleast_1d(found)[0])


def _takes(function: Callable[..., Any], name: str) -> bool:
    """Whether a function has an argument of that name that can be given by name."""
    found = inspect.signature(function).parameters.get(name)
    return found is not None and found.kind in (found.POSITIONAL_OR_KEYWORD, found.KEYWORD_ONLY)


def _loss(model: Any) -> str | None:
    """The name of a model's loss; None where it has several."""
    loss = model.loss
    return getattr(loss, "__name__", loss if isinstance(loss, str) else None)


def install(keras: Any) -> None:
    """Gives `tf.keras` its module `wrappers`.

    Args:
        keras: The package tf_keras.
    """
    wrappers = types.ModuleType(f"{keras.__name__}.wrappers")
    learn = types.ModuleType(f"{wrappers.__name__}.scikit_learn")
    BaseWrapper.models = keras.Sequential
    learn.__dict__.update(
        BaseWrapper=BaseWrapper, KerasClassifier=KerasClassifier, KerasRegressor=KerasRegressor
    )
    wrappers.__dict__.update(scikit_learn=learn)
    keras.wrappers = wrappers
