"""Functions of `tf.estimator` and `tf.contrib.estimator` that work on estimators and on models of one's own."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from tfqueue import _tensorflow
from tfqueue import estimator as _estimator
from tfqueue.estimator import _heads
from tfqueue.v1._types import Column, DType, Estimator, Features, Metric, Tensors

_tf = _tensorflow.compat_v1()


def call_logit_fn(
    logit_fn: Callable[..., Tensors], features: Features, mode: str, params: Any, config: Any
) -> Tensors:
    """The logits of a function, given those of the arguments that it takes.

    Args:
        logit_fn: Function of `features`, and maybe `mode`, `params` and `config`.
        others: What it is given.

    Raises:
        ValueError: If it does not return a tensor, or a dict of tensors by name.
    """
    logits = _called(logit_fn, features=features, mode=mode, params=params, config=config)
    every = logits if isinstance(logits, dict) else {"": logits}
    if not all(isinstance(k, str) and isinstance(v, _tf.Tensor) for k, v in every.items()):
        raise ValueError(f"logit_fn should return a Tensor or a dict of them. It gave: {logits}")
    return logits


def _called(function: Callable[..., Any], **given: Any) -> Any:
    """The result of a function, given those of the arguments that it takes."""
    taken = inspect.signature(function).parameters
    return function(**{name: value for name, value in given.items() if name in taken})


def add_metrics(estimator: Estimator, metric_fn: Callable[..., dict[str, Metric]]) -> Estimator:
    """An estimator with further metrics (`tf.estimator.add_metrics`).

    Args:
        metric_fn: Function of any of `features`, `labels`, `predictions` and `config`: a dict from
            name to metric.

    Raises:
        ValueError: If the function takes something else.
    """
    others = {*inspect.signature(metric_fn).parameters}
    others -= {"features", "labels", "predictions", "config"}
    if others:
        raise ValueError(f"metric_fn ({metric_fn}) takes what it is not given: {sorted(others)}")

    def model_fn(features: Features, labels: Tensors, mode: str, config: Any) -> Any:
        spec = estimator.model_fn(features, labels, mode, config)
        if mode != _estimator.ModeKeys.EVAL:
            return spec
        more = _called(
            metric_fn,
            features=features,
            labels=labels,
            predictions=spec.predictions,
            config=config,
        )
        return spec._replace(eval_metric_ops={**(spec.eval_metric_ops or {}), **more})

    return like(estimator, model_fn, estimator._warm_start)


def like(estimator: Estimator, model_fn: Callable[..., Any], warm_start: Any = None) -> Estimator:
    """An estimator in another one's folder."""
    return _estimator.Estimator(model_fn, estimator.model_dir, estimator.config, None, warm_start)


def classifier_parse_example_spec(
    feature_columns: list[Column],
    label_key: str,
    label_dtype: DType = _tf.int64,
    label_default: Any = None,
    weight_column: str | Column | None = None,
) -> dict[str, Any]:
    """What `tf.parse_example` takes for a classifier (`tf.estimator.classifier_parse_example_spec`).

    Args:
        feature_columns: Columns of `tf.feature_column`.
        label_key: Name of the label, of which an example has one.
        label_dtype: Its dtype.
        label_default: What stands for a missing one; such an example is an error when None.
        weight_column: Name of the feature, or a numeric column, that weighs the examples.

    Returns:
        Dict from name to `tf.FixedLenFeature` or `tf.VarLenFeature`.

    Raises:
        ValueError: If the label or the weight is a feature, too, or the weight is another column.
    """
    label = _tf.FixedLenFeature((1,), label_dtype, label_default)
    return _with_label(feature_columns, label_key, label, weight_column)


def regressor_parse_example_spec(
    feature_columns: list[Column],
    label_key: str,
    label_dtype: DType = _tf.float32,
    label_default: Any = None,
    label_dimension: int = 1,
    weight_column: str | Column | None = None,
) -> dict[str, Any]:
    """What `tf.parse_example` takes for a regressor (`tf.estimator.regressor_parse_example_spec`).

    Args:
        label_dimension: How many numbers the label of an example has.
        others: As for `classifier_parse_example_spec`.

    Returns:
        As there.

    Raises:
        ValueError: As there.
    """
    label = _tf.FixedLenFeature((label_dimension,), label_dtype, label_default)
    return _with_label(feature_columns, label_key, label, weight_column)


def _with_label(
    columns: list[Column], label_key: str, label: Any, weight_column: Any
) -> dict[str, Any]:
    spec: dict[str, Any] = _tf.feature_column.make_parse_example_spec(columns)
    if label_key in spec:
        raise ValueError(f"The label {label_key!r} is a feature, too: {sorted(spec)}")
    spec[label_key] = label
    if weight_column is None:
        return spec
    weight_column = _heads.numeric_column(weight_column, ValueError)
    if weight_column.key in spec:
        raise ValueError(f"The weight {weight_column.key!r} is a feature, too: {sorted(spec)}")
    return {**spec, **weight_column.parse_example_spec}
