"""The estimators of `tf.estimator` that look at no feature: a bias for each logit."""

from __future__ import annotations

from typing import Any

from tfqueue import _tensorflow
from tfqueue import estimator as _estimator
from tfqueue.estimator import _canned
from tfqueue.v1 import train as _train
from tfqueue.v1._signatures import constructor
from tfqueue.v1._types import Features, Op, Tensor, Tensors

_tf = _tensorflow.compat_v1()

__all__ = ["BaselineClassifier", "BaselineEstimator", "BaselineRegressor"]
_RATE = 0.3
_REST = "optimizer='Ftrl' config=None"
_LOSS = "loss_reduction='weighted_sum'"


def _logits(features: Features, width: int, weight: Any) -> Tensor:
    """The bias, once for each example.

    Args:
        weight: Name of the feature, or the column, that weighs the examples, or None.

    Raises:
        InvalidArgumentError: In the run, if features have different numbers of examples.
    """
    weight = getattr(weight, "key", weight)
    counts = [_tf.shape(each)[0] for name, each in features.items() if name != weight]
    checks = [_tf.debugging.assert_equal(counts[0], count) for count in counts[1:]]
    with _tf.control_dependencies(checks), _tf.variable_scope("baseline"):
        bias = _tf.get_variable("bias", [width], initializer=_tf.zeros_initializer())
        return bias * _tf.ones([counts[0], width])


class _Baseline(_estimator.Estimator):
    """What the three have in common."""

    def _init_with(self, given: dict[str, Any]) -> None:
        """Makes the estimator of its constructor's arguments."""
        self._head = given.get("head") or _canned.head_of(given)
        self._arguments = given
        super().__init__(self._baseline, given["model_dir"], given["config"])

    def _baseline(
        self, features: Features, labels: Tensors | None, mode: str
    ) -> _estimator.EstimatorSpec:
        def train_op(loss: Tensor) -> Op:
            optimizer = _canned.get_optimizer_instance(self._arguments["optimizer"], _RATE)
            return optimizer.minimize(loss, global_step=_train.get_global_step())

        weight = self._arguments.get("weight_column")
        logits = _logits(features, self._head.logits_dimension, weight)
        spec: _estimator.EstimatorSpec = self._head.create_estimator_spec(
            features=features, mode=mode, logits=logits, labels=labels, train_op_fn=train_op
        )
        return spec


class BaselineClassifier(_Baseline):
    """Learns how often each class comes, whatever the features (`tf.estimator.BaselineClassifier`).

    Args:
        model_dir: Folder of the checkpoints and summaries; a new one when None.
        n_classes: int, how many classes; labels are 0 and up.
        weight_column: Name of the feature, or a numeric column, that weighs the examples.
        label_vocabulary: List of strings that labels are.
        optimizer: An optimizer, its name, or a function that makes it; a named one has the rate 0.3.
        config: A `tf.estimator.RunConfig`.
        loss_reduction: A `tf.losses.Reduction` of the examples' losses.

    Raises:
        ValueError: If there are fewer than two classes.
    """

    __init__ = constructor(
        f"model_dir=None n_classes=2 weight_column=None label_vocabulary=None {_REST} {_LOSS}"
    )


class BaselineRegressor(_Baseline):
    """Learns the mean of the labels, whatever the features (`tf.estimator.BaselineRegressor`).

    `label_dimension` is how many numbers an example has; the rest is as for `BaselineClassifier`.
    """

    __init__ = constructor(f"model_dir=None label_dimension=1 weight_column=None {_REST} {_LOSS}")


class BaselineEstimator(_Baseline):
    """A bias for each logit of a head of the program's own (`tf.estimator.BaselineEstimator`).

    `head` is one of `tf.estimator` or `tf.contrib.estimator`; the rest is as for `BaselineClassifier`.
    """

    __init__ = constructor(f"head model_dir=None {_REST}")
