"""What programs took from the modules of `tensorflow.python.estimator.canned`.

Those were `head`, `optimizers`, `dnn`, `linear`, `dnn_linear_combined`, `metric_keys` and
`prediction_keys`.
"""

from __future__ import annotations

import types
from typing import Any

from tfqueue.contrib import estimator as _contrib
from tfqueue.estimator import _heads
from tfqueue.estimator._canned import *  # noqa: F403  (all estimators)
from tfqueue.estimator._canned import __all__ as _estimators
from tfqueue.estimator._canned import (
    dnn_logit_fn_builder,
    get_optimizer_instance,
    linear_logit_fn_builder,
)
from tfqueue.estimator._heads import LossSpec
from tfqueue.v1._signatures import takes

__all__ = [
    *_estimators,
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
_PREDICTIONS = (
    "classes class_ids all_classes all_class_ids logistic logits predictions probabilities top_k"
)
PredictionKeys = types.SimpleNamespace(**{name.upper(): name for name in _PREDICTIONS.split()})
"""The names of the heads' predictions."""


@takes(
    "weight_column=None thresholds=None label_vocabulary=None loss_reduction='weighted_sum' "
    "loss_fn=None name=None"
)
def _binary_logistic_head_with_sigmoid_cross_entropy_loss(given: dict[str, Any]) -> _heads.Head:
    """`tf.contrib.estimator.binary_classification_head`, whose loss is a sum."""
    return _heads.Classes(2, **given)


@takes(
    "n_classes weight_column=None label_vocabulary=None loss_reduction='weighted_sum' "
    "loss_fn=None name=None"
)
def _multi_class_head_with_softmax_cross_entropy_loss(given: dict[str, Any]) -> _heads.Head:
    """`tf.contrib.estimator.multi_class_head`, whose loss is a sum."""
    return _contrib.multi_class_head(**given)


@takes("n_classes weight_column label_vocabulary loss_reduction")
def _binary_logistic_or_multi_class_head(given: dict[str, Any]) -> _heads.Head:
    return _heads.Classes(**given)


_regression_head = _heads.Regression
"""`tf.contrib.estimator.regression_head`, whose loss is a sum."""
_regression_head_with_mean_squared_error_loss = _regression_head  # its name before 1.8
