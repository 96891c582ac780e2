"""What programs took from the modules of `tensorflow.python.estimator.canned`.

Those were `head`, `optimizers`, `dnn`, `linear`, `dnn_linear_combined`, `metric_keys` and
`prediction_keys`.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Sequence

from tfqueue import _tensorflow
from tfqueue.contrib import estimator as _contrib
from tfqueue.estimator import _heads
from tfqueue.estimator._canned import (
    DNNClassifier,
    DNNEstimator,
    DNNLinearCombinedClassifier,
    DNNLinearCombinedEstimator,
    DNNLinearCombinedRegressor,
    DNNRegressor,
    LinearClassifier,
    LinearEstimator,
    LinearRegressor,
    dnn_logit_fn_builder,
    get_optimizer_instance,
    linear_logit_fn_builder,
)
from tfqueue.estimator._heads import LossSpec
from tfqueue.v1._types import Column, Tensor

_tf = _tensorflow.compat_v1()
_SUM = _tf.losses.Reduction.SUM

__all__ = [
    "DNNClassifier",
    "DNNEstimator",
    "DNNLinearCombinedClassifier",
    "DNNLinearCombinedEstimator",
    "DNNLinearCombinedRegressor",
    "DNNRegressor",
    "LinearClassifier",
    "LinearEstimator",
    "LinearRegressor",
    "LossSpec",
    "MetricKeys",
    "PredictionKeys",
    "dnn_logit_fn_builder",
    "get_optimizer_instance",
    "linear_logit_fn_builder",
]
_Head = _heads.Head
_dnn_logit_fn_builder, _linear_logit_fn_builder = dnn_logit_fn_builder, linear_logit_fn_builder
MetricKeys = types.SimpleNamespace(
    LOSS="loss",
    LOSS_MEAN="average_loss",
    LOSS_REGULARIZATION="regularization_loss",
    ACCURACY="accuracy",
    PRECISION="precision",
    RECALL="recall",
    ACCURACY_BASELINE="accuracy_baseline",
    AUC="auc",
    AUC_PR="auc_precision_recall",
    LABEL_MEAN="label/mean",
    PREDICTION_MEAN="prediction/mean",
    ACCURACY_AT_THRESHOLD="accuracy/positive_threshold_%g",
    PRECISION_AT_THRESHOLD="precision/positive_threshold_%g",
    RECALL_AT_THRESHOLD="recall/positive_threshold_%g",
)
"""The names of the heads' metrics."""
PredictionKeys = types.SimpleNamespace(
    CLASSES="classes",
    CLASS_IDS="class_ids",
    ALL_CLASSES="all_classes",
    ALL_CLASS_IDS="all_class_ids",
    LOGISTIC="logistic",
    LOGITS="logits",
    PREDICTIONS="predictions",
    PROBABILITIES="probabilities",
    TOP_K="top_k",
)
"""The names of the heads' predictions."""


def _binary_logistic_head_with_sigmoid_cross_entropy_loss(
    weight_column: Column | None = None,
    thresholds: Sequence[float] | None = None,
    label_vocabulary: Sequence[str] | None = None,
    loss_reduction: str = _SUM,
    loss_fn: Callable[..., Tensor] | None = None,
    name: str | None = None,
) -> _heads.Head:
    """`tf.contrib.estimator.binary_classification_head`, whose loss is a sum."""
    given = weight_column, thresholds, label_vocabulary, loss_reduction, loss_fn, name
    return _contrib.binary_classification_head(*given)


def _multi_class_head_with_softmax_cross_entropy_loss(
    n_classes: int,
    weight_column: Column | None = None,
    label_vocabulary: Sequence[str] | None = None,
    loss_reduction: str = _SUM,
    loss_fn: Callable[..., Tensor] | None = None,
    name: str | None = None,
) -> _heads.Head:
    """`tf.contrib.estimator.multi_class_head`, whose loss is a sum."""
    given = weight_column, label_vocabulary, loss_reduction, loss_fn, name
    return _contrib.multi_class_head(n_classes, *given)


def _binary_logistic_or_multi_class_head(
    n_classes: int,
    weight_column: Column | None,
    label_vocabulary: Sequence[str] | None,
    loss_reduction: str,
) -> _heads.Head:
    return _heads.Classes(n_classes, weight_column, None, label_vocabulary, loss_reduction)


def _regression_head(
    weight_column: Column | None = None,
    label_dimension: int = 1,
    loss_reduction: str = _SUM,
    loss_fn: Callable[..., Tensor] | None = None,
    inverse_link_fn: Callable[[Tensor], Tensor] | None = None,
    name: str | None = None,
) -> _heads.Head:
    """`tf.contrib.estimator.regression_head`, whose loss is a sum."""
    given = weight_column, label_dimension, loss_reduction, loss_fn, inverse_link_fn, name
    return _contrib.regression_head(*given)


_regression_head_with_mean_squared_error_loss = _regression_head  # its name before 1.8
