"""`tf.contrib.estimator`: heads for models of one's own, and what wraps an estimator.

The heads are those of the canned estimators (`tfqueue.estimator`), with the defaults of
TensorFlow 1.15. Up to 1.7 the loss was a sum, and is with `--era 1.7`.

`canned` is what programs took from `tensorflow.python.estimator.canned`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tfqueue import _tensorflow, release
from tfqueue.estimator import _export, _heads
from tfqueue.estimator._canned import (
    DNNEstimator,
    DNNLinearCombinedEstimator,
    LinearEstimator,
    dnn_logit_fn_builder,
    linear_logit_fn_builder,
)
from tfqueue.estimator._extensions import add_metrics, call_logit_fn, like
from tfqueue.v1 import _lazy_names
from tfqueue.v1._signatures import takes
from tfqueue.v1._types import Estimator, Features, Op, Tensor, Tensors

_tf = _tensorflow.compat_v1()

__all__ = [
    "DNNEstimator",
    "DNNLinearCombinedEstimator",
    "LinearEstimator",
    "add_metrics",
    "binary_classification_head",
    "call_logit_fn",
    "clip_gradients_by_norm",
    "dnn_logit_fn_builder",
    "forward_features",
    "linear_logit_fn_builder",
    "logistic_regression_head",
    "multi_class_head",
    "multi_label_head",
    "poisson_regression_head",
    "regression_head",
]
_STOPS = (
    "make_early_stopping_hook read_eval_metrics stop_if_higher_hook stop_if_lower_hook "
    "stop_if_no_decrease_hook stop_if_no_increase_hook"
)
__getattr__, __dir__ = _lazy_names.attributes(
    __name__,
    {
        **_lazy_names.rows_of("tfqueue.estimator", {"_early_stopping": _STOPS}),
        "multi_head": "tfqueue.estimator._multi_head:multi_head",
    },
)
_MEAN = "loss_reduction='weighted_sum_over_batch_size'"


def _of_the_release() -> dict[str, Any]:
    """The reduction of a head that is given none, up to 1.7: a sum."""
    return {"loss_reduction": _tf.losses.Reduction.SUM} if release.before("1.8") else {}


@takes(
    f"weight_column=None thresholds=None label_vocabulary=None {_MEAN} loss_fn=None name=None",
    _of_the_release,
)
def binary_classification_head(given: dict[str, Any]) -> _heads.Head:
    """A head of two classes, with one logit (`tf.contrib.estimator.binary_classification_head`).

    Args:
        weight_column: Name of the feature, or a numeric column, that weighs the examples.
        thresholds: Probabilities from which on the metrics of each call an example true.
        label_vocabulary: The two strings that labels are; otherwise labels are from 0 to 1.
        loss_reduction: A `tf.losses.Reduction` of the examples' losses, not `NONE`.
        loss_fn: Function of labels, logits and maybe features: the loss of each example.
        name: Stands behind the names of summaries and metrics, and is the scope of the ops.

    Raises:
        ValueError: If a threshold, the reduction or a parameter of the function can't be.
    """
    return _heads.Classes(2, **given)


@takes(
    f"n_classes weight_column=None label_vocabulary=None {_MEAN} loss_fn=None name=None",
    _of_the_release,
)
def multi_class_head(given: dict[str, Any]) -> _heads.Head:
    """A head of more than two classes (`tf.contrib.estimator.multi_class_head`).

    Args:
        n_classes: How many classes there are, and so many logits an example has.
        label_vocabulary: The strings that labels are; otherwise labels are 0 and up.
        others: As for `binary_classification_head`.

    Raises:
        ValueError: If there are no more than two classes, and as there.
    """
    if given["n_classes"] is None or given["n_classes"] <= 2:
        raise ValueError(f"n_classes must be > 2: {given['n_classes']}.")
    return _heads.Classes(**given)


@takes(
    f"n_classes weight_column=None thresholds=None label_vocabulary=None {_MEAN} loss_fn=None "
    "classes_for_class_based_metrics=None name=None",
    _of_the_release,
)
def multi_label_head(given: dict[str, Any]) -> _heads.Head:
    """A head of classes of which an example has any number (`tf.contrib.estimator.multi_label_head`).

    Args:
        n_classes: How many classes there are, and so many logits an example has.
        label_vocabulary: The strings that labels are. Labels are sparse, or 0 and 1 for each class.
        classes_for_class_based_metrics: Classes, by number or by name, that have metrics of their own.
        others: As for `binary_classification_head`.

    Raises:
        ValueError: If there are less than two classes, and as there.
    """
    return _heads.Labels(**given)


@takes(
    f"weight_column=None label_dimension=1 {_MEAN} loss_fn=None inverse_link_fn=None name=None",
    _of_the_release,
)
def regression_head(given: dict[str, Any]) -> _heads.Head:
    """A head of numbers, with the squared error (`tf.contrib.estimator.regression_head`).

    Args:
        label_dimension: How many numbers an example has.
        inverse_link_fn: Function from logits to what is predicted.
        others: As for `binary_classification_head`.

    Raises:
        ValueError: If an example has no number, and as there.
    """
    return _heads.Regression(**given)


@takes(
    f"weight_column=None label_dimension=1 {_MEAN} compute_full_loss=True name=None",
    _of_the_release,
)
def poisson_regression_head(given: dict[str, Any]) -> _heads.Head:
    """A head of counts, whose logits are logarithms (`tf.contrib.estimator.poisson_regression_head`).

    Args:
        compute_full_loss: Whether the loss has the term that depends on the labels alone.
        others: As for `regression_head`.
    """
    loss = _heads.poisson_loss(given.pop("compute_full_loss"))
    return _heads.Regression(**given, loss_fn=loss, inverse_link_fn=_tf.exp)


@takes(f"weight_column=None {_MEAN} name=None", _of_the_release)
def logistic_regression_head(given: dict[str, Any]) -> _heads.Head:
    """A head of numbers from 0 to 1 (`tf.contrib.estimator.logistic_regression_head`).

    The arguments are as for `regression_head`.
    """
    loss = _heads.logistic_loss
    return _heads.Regression(**given, loss_fn=loss, inverse_link_fn=_tf.sigmoid)


def forward_features(
    estimator: Estimator,
    keys: str | Sequence[str] | None = None,
    sparse_default_values: dict[str, Any] | None = None,
) -> Estimator:
    """An estimator whose predictions have features, too (`tf.contrib.estimator.forward_features`).

    Args:
        keys: Name or names of the features; all of them when None.
        sparse_default_values: Dict from a sparse feature's name to what stands for a missing value.

    Raises:
        TypeError: If a key is no string.
        ValueError: While the model is built, if a feature is missing, sparse or a prediction already.
    """
    names = [keys] if isinstance(keys, str) else keys
    if names is not None and not all(isinstance(name, str) for name in names):
        raise TypeError(f"keys should be a string or a list of strings. Given: {keys}")
    dense = sparse_default_values or {}

    def model_fn(features: Features, labels: Tensors, mode: str, config: Any) -> Any:
        spec = estimator.model_fn(features, labels, mode, config)
        if not isinstance(spec.predictions, dict):
            raise ValueError("Predictions should be a dict to be able to forward features.")
        more = {}
        for name in features if names is None else names:
            if name not in features or name in spec.predictions:
                raise ValueError(f"Cannot forward {name!r}: no feature, or a prediction already.")
            more[name] = _dense(name, features[name], dense)
        outputs = spec.export_outputs or {}
        for signature in ("predict", _tf.saved_model.DEFAULT_SERVING_SIGNATURE_DEF_KEY):
            if isinstance(outputs.get(signature), _export.PredictOutput):
                outputs[signature].outputs.update(more)
        return spec._replace(predictions={**spec.predictions, **more})

    return like(estimator, model_fn)


def _dense(name: str, feature: Tensor, defaults: dict[str, Any]) -> Tensor:
    if isinstance(feature, _tf.SparseTensor) != (name in defaults):
        raise ValueError(f"sparse_default_values must name the sparse features: {name!r}")
    if name in defaults:
        return _tf.sparse_tensor_to_dense(feature, defaults[name])
    return _tf.convert_to_tensor(feature)


class _ClippingOptimizer(_tf.train.Optimizer):
    """What `clip_gradients_by_norm` returns."""

    def __init__(self, optimizer: Any, clip_norm: Any) -> None:
        super().__init__(False, f"ClipByNorm{optimizer.get_name()}")
        self._optimizer, self._norm = optimizer, clip_norm

    def compute_gradients(self, *args: Any, **kwargs: Any) -> list[tuple[Tensor, Any]]:
        """The gradients, not yet clipped."""
        found: list[tuple[Tensor, Any]] = self._optimizer.compute_gradients(*args, **kwargs)
        return found

    def apply_gradients(
        self,
        grads_and_vars: Sequence[tuple[Tensor, Any]],
        global_step: Any = None,
        name: Any = None,
    ) -> Op:
        """Applies the gradients, clipped by the norm of all."""
        gradients, variables = zip(*grads_and_vars, strict=True)
        clipped = _tf.clip_by_global_norm(gradients, self._norm)[0]
        pairs = list(zip(clipped, variables, strict=True))
        return self._optimizer.apply_gradients(pairs, global_step, name)

    def get_slot(self, *args: Any, **kwargs: Any) -> Any:
        """A slot of the optimizer inside."""
        return self._optimizer.get_slot(*args, **kwargs)

    def get_slot_names(self, *args: Any, **kwargs: Any) -> Any:
        """The names of the slots of the optimizer inside."""
        return self._optimizer.get_slot_names(*args, **kwargs)


def clip_gradients_by_norm(optimizer: Any, clip_norm: Any) -> Any:
    """An optimizer that clips the gradients by the norm of all before it applies them.

    Args:
        clip_norm: The largest norm, a float or a scalar.
    """
    return _ClippingOptimizer(optimizer, clip_norm)
