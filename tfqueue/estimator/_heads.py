"""Heads: from a model's logits to an `EstimatorSpec`.

The canned estimators have one each. A program gets one from `tf.contrib.estimator`, or from
`tensorflow.python.estimator.canned.head`, and can make its own of `Head`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from tensorflow.python.feature_column import feature_column as _columns
from tensorflow.python.ops import lookup_ops

from tfqueue import _tensorflow
from tfqueue import estimator as _estimator
from tfqueue.estimator import _export
from tfqueue.v1 import train as _train
from tfqueue.v1._signatures import constructor
from tfqueue.v1._types import Metric, Op, Tensor

_tf = _tensorflow.compat_v1()
_DEFAULT = _tf.saved_model.DEFAULT_SERVING_SIGNATURE_DEF_KEY
_SUM = _tf.losses.Reduction.SUM
_CLASSES = (
    "n_classes weight_column=None thresholds=None label_vocabulary=None "
    "loss_reduction='weighted_sum' loss_fn=None {} name=None"
)


class LossSpec(NamedTuple):
    """What `create_loss` returns."""

    training_loss: Tensor
    """The loss of the batch, a scalar."""
    unreduced_loss: Tensor
    """The loss of each example, before its weight."""
    weights: Tensor | float
    """The weight of each example."""
    processed_labels: Tensor
    """The labels that the loss was computed from."""


class Head:
    """What every head has. A program's own class defines these names."""

    @property
    def name(self) -> str | None:
        """The head's name, or None."""
        raise NotImplementedError("A head has a name")

    @property
    def logits_dimension(self) -> int:
        """How many logits an example has."""
        raise NotImplementedError("A head has a logits_dimension")

    def create_loss(self, features: Any, mode: str, logits: Tensor, labels: Tensor) -> Any:
        """The loss, as a `LossSpec`."""
        raise NotImplementedError("A head has a create_loss")

    def create_estimator_spec(self, *args: Any, **kwargs: Any) -> Any:
        """The `EstimatorSpec`."""
        raise NotImplementedError("A head has a create_estimator_spec")


class _Weighing(Head):
    """A head whose loss is one of each example, weighted and reduced.

    Args:
        width: How many logits an example has.
        given: The arguments of the head: `weight_column`, name of the feature, or a numeric column,
            that weighs the examples; `loss_reduction`, a `tf.losses.Reduction` of the examples'
            losses, not `NONE`; `loss_fn`, function of labels, logits and maybe features: the loss of
            each example; `name`, which stands behind the names of summaries and metrics, and is the
            scope of the ops.

    Raises:
        ValueError: If the reduction, or a parameter of the function, is another.
    """

    _label_width = 1
    _loss_width = 1
    _weight_of_each_logit = False
    _is_true: Callable[..., Tensor] = staticmethod(_tf.greater_equal)
    """Whether a score reaches a threshold."""
    _area: dict[str, str] = {}
    """How the area below a curve of precisions is summed up: arguments of `tf.metrics.auc`."""

    def __init__(self, width: int, given: dict[str, Any]) -> None:
        loss_reduction, loss_fn = given["loss_reduction"], given["loss_fn"]
        reductions = _tf.losses.Reduction
        if loss_reduction not in reductions.all() or loss_reduction == reductions.NONE:
            raise ValueError(f"Invalid loss_reduction: {loss_reduction}")
        if loss_fn is not None:
            taken = set(inspect.signature(loss_fn).parameters)
            if not {"labels", "logits"} <= taken <= {"labels", "logits", "features"}:
                raise ValueError(
                    "loss_fn must take labels and logits, and may take features. "
                    f"It takes: {sorted(taken)}"
                )
        self._width, self._name = width, given["name"]
        self._weight_column, self._reduction = given["weight_column"], loss_reduction
        self._loss_fn = loss_fn

    @property
    def name(self) -> str | None:
        """The head's name, or None."""
        return self._name

    @property
    def logits_dimension(self) -> int:
        """How many logits an example has."""
        return self._width

    def _key(self, name: str) -> str:
        return f"{name}/{self._name}" if self._name else name

    def _weights(self, features: dict[str, Tensor], logits: Tensor) -> Tensor | float:
        column = self._weight_column
        if column is None:
            return 1.0
        column = numeric_column(column, TypeError)
        weights = column._get_dense_tensor(_columns._LazyBuilder(features))
        weights, shape = _tf.cast(weights, _tf.float32), _tf.shape(logits)
        if _is_one_less(weights, logits):
            weights = weights[..., None]
        fits = [_tf.concat([shape[:-1], [1]], 0)]
        fits += [shape] if self._weight_of_each_logit else []
        same = [_same_shape(_tf.shape(weights), fit) for fit in fits]
        data = ["The weights' shape is not that of the logits:", _tf.shape(weights), shape]
        with _tf.control_dependencies([_tf.Assert(_tf.reduce_any(same), data)]):
            return _tf.identity(weights)

    def _labels(self, labels: Tensor | None, logits: Tensor) -> Tensor:
        """The labels, of the shape of the logits but for the last dimension."""
        if labels is None:
            raise ValueError("You must provide a labels Tensor. Given: None.")
        if isinstance(labels, _tf.SparseTensor):
            raise ValueError("SparseTensor labels are not supported.")
        labels = _tf.convert_to_tensor(labels)
        if _is_one_less(labels, logits):
            labels = labels[..., None]
        if labels.shape.ndims:
            known = _tf.dimension_value(labels.shape[-1])
            if known not in (None, self._label_width):
                raise ValueError(
                    f"Mismatched label shape: the last dimension must be equal to {self._label_width}, "
                    f"and is {known}."
                )
        shape = _tf.concat([_tf.shape(logits)[:-1], [self._label_width]], 0)
        checked = _tf.debugging.assert_equal(
            shape, _tf.shape(labels), message="The labels' shape is not that of the logits"
        )
        with _tf.control_dependencies([checked]):
            return _tf.identity(labels)

    def _numbers(self, labels: Tensor) -> Tensor:
        """The labels, as what the loss is computed from."""
        raise NotImplementedError

    def _losses(self, labels: Tensor, logits: Tensor) -> Tensor:
        """The loss of each example."""
        raise NotImplementedError

    def _predictions(self, logits: Tensor) -> dict[str, Tensor]:
        raise NotImplementedError

    def _metrics(
        self, labels: Tensor, predictions: dict[str, Tensor], weights: Tensor | float
    ) -> dict[str, Metric]:
        raise NotImplementedError

    def _exports(self, predictions: dict[str, Tensor]) -> dict[str, _export.ExportOutput]:
        """Name of the signature to its output, the default one first, without `predict`."""
        raise NotImplementedError

    def _given_loss(self, labels: Tensor, logits: Tensor, features: Any) -> Tensor:
        """The loss of each example, by the program's own function."""
        given = self._loss_fn
        assert given is not None
        more = {"features": features} if "features" in inspect.signature(given).parameters else {}
        losses = given(labels=labels, logits=logits, **more)
        shape = _tf.concat([_tf.shape(logits)[:-1], [self._loss_width]], 0)
        data = ["loss_fn must return a loss of each example:", _tf.shape(losses), shape]
        checked = _tf.Assert(_same_shape(_tf.shape(losses), shape), data)
        with _tf.control_dependencies([checked]):
            return _tf.identity(losses)

    def create_loss(self, features: Any, mode: str, logits: Tensor, labels: Tensor) -> LossSpec:
        """The loss, and what it was computed from.

        Args:
            features: Dict from name to tensor.
            mode: Not used.
            logits: Of shape `[..., logits_dimension]`.
            labels: Of shape `[..., 1]` or `[..., logits_dimension]`; a last 1 may be missing.

        Raises:
            ValueError: If there are no labels, or the labels or weights have another shape.
        """
        del mode
        logits = _tf.convert_to_tensor(logits)
        labels = self._numbers(self._labels(labels, logits))
        if self._loss_fn:
            losses = self._given_loss(labels, logits, features)
        else:
            losses = self._losses(labels, logits)
        weights = self._weights(features, logits)
        loss = _tf.losses.compute_weighted_loss(losses, weights, reduction=self._reduction)
        return LossSpec(loss, losses, weights, labels)

    def _logits(self, logits: Tensor) -> Tensor:
        logits = _tf.cast(logits, _tf.float32)
        known = _tf.dimension_value(logits.shape[-1]) if logits.shape.ndims else None
        if logits.shape.ndims in (0, 1) or known not in (None, self._width):
            raise ValueError(
                "logits shape must be [D0, D1, ... DN, logits_dimension] with "
                f"logits_dimension={self._width}, got {logits.shape}."
            )
        if known is None:
            checked = _tf.debugging.assert_equal(self._width, _tf.shape(logits)[-1])
            with _tf.control_dependencies([checked]):
                logits = _tf.identity(logits)
        return logits

    def create_estimator_spec(
        self,
        features: Any,
        mode: str,
        logits: Tensor,
        labels: Tensor | None = None,
        optimizer: Any = None,
        train_op_fn: Callable[[Tensor], Op] | None = None,
        regularization_losses: Sequence[Tensor] | None = None,
    ) -> _estimator.EstimatorSpec:
        """The `EstimatorSpec`.

        Args:
            features: Dict from name to tensor.
            mode: One of `tf.estimator.ModeKeys`.
            logits: Of shape `[..., logits_dimension]`.
            labels: As for `create_loss`; not needed to predict.
            optimizer: Minimizes the loss and counts the step. In training this or the next is given.
            train_op_fn: Function of a loss: the op of one step.
            regularization_losses: Scalars that are added to the loss.

        Raises:
            ValueError: If both or none of `optimizer` and `train_op_fn` are given in training.
        """
        with _tf.name_scope(self._name, "head"):
            logits = self._logits(logits)
            with _tf.name_scope(None, "predictions"):
                predictions = self._predictions(logits)
            if mode == _estimator.ModeKeys.PREDICT:
                outputs = self._exports(predictions)
                outputs[_DEFAULT] = next(iter(outputs.values()))
                outputs["predict"] = _export.PredictOutput(predictions)
                return _estimator.EstimatorSpec(mode, predictions, export_outputs=outputs)
            made = self.create_loss(features, mode, logits, labels)
            more = _tf.add_n(regularization_losses) if regularization_losses else None
            loss = made.training_loss if more is None else made.training_loss + more
            if mode == _estimator.ModeKeys.EVAL:
                metrics = self._all_metrics(made, predictions, more)
                return _estimator.EstimatorSpec(mode, predictions, loss, eval_metric_ops=metrics)
            step = step_of(loss, optimizer, train_op_fn)
            updates = _tf.get_collection(_tf.GraphKeys.UPDATE_OPS)  # of batch normalization
            step = _tf.group(step, *updates) if updates else step
            mean = None
            if self._reduction == _SUM:
                each = made.weights * _tf.ones_like(made.unreduced_loss)
                mean = made.training_loss / _tf.reduce_sum(each)
        self._summarize(loss, mean, more)
        return _estimator.EstimatorSpec(mode, predictions, loss, step)

    def _all_metrics(
        self, made: LossSpec, predictions: dict[str, Tensor], more: Tensor | None
    ) -> dict[str, Metric]:
        with _tf.name_scope(None, "metrics"):
            metrics = {"average_loss": _tf.metrics.mean(made.unreduced_loss, made.weights)}
            metrics.update(self._metrics(made.processed_labels, predictions, made.weights))
            if more is not None:
                metrics["regularization_loss"] = _tf.metrics.mean(more)
            return {self._key(name): metric for name, metric in metrics.items()}

    def _summarize(self, loss: Tensor, mean: Tensor | None, more: Tensor | None) -> None:
        with _tf.name_scope(""):
            _tf.summary.scalar(self._key("loss"), loss)
            if mean is not None:
                _tf.summary.scalar(self._key("average_loss"), mean)
            if more is not None:
                _tf.summary.scalar(self._key("regularization_loss"), more)


def numeric_column(column: Any, error: type[Exception]) -> Any:
    """The column of a weight, which may be given by its name; `error` is what is raised for anything else."""
    if isinstance(column, str):
        column = _tf.feature_column.numeric_column(column)
    if not hasattr(column, "normalizer_fn"):
        raise error(
            f"The weight column must be a string or a numeric column. Given type: {type(column)}"
        )
    return column


def _is_one_less(tensor: Tensor, logits: Tensor) -> bool:
    """Whether a tensor lacks the last dimension of the logits."""
    rank = tensor.shape.ndims
    return rank is not None and logits.shape.ndims == rank + 1


def _same_shape(one: Tensor, other: Tensor) -> Tensor:
    return _tf.reduce_all(_tf.equal(one, other))


def step_of(loss: Tensor, optimizer: Any, train_op_fn: Callable[[Tensor], Op] | None) -> Op:
    """The op of one step, by one of the two."""
    if optimizer is not None and train_op_fn is not None:
        raise ValueError("train_op_fn and optimizer cannot both be set.")
    if optimizer is not None:
        return optimizer.minimize(loss, global_step=_train.get_global_step())
    if train_op_fn is not None:
        return train_op_fn(loss)
    raise ValueError("train_op_fn and optimizer cannot both be None.")


class Regression(_Weighing):
    """A head of numbers.

    Args:
        label_dimension: How many numbers an example has.
        inverse_link_fn: Function from logits to what is predicted.
        others: As for `_Weighing`.
    """

    _weight_of_each_logit = True

    __init__ = constructor(
        "weight_column=None label_dimension=1 loss_reduction='weighted_sum' loss_fn=None "
        "inverse_link_fn=None name=None"
    )

    def _init_with(self, given: dict[str, Any]) -> None:
        count = given["label_dimension"]
        if count < 1:
            raise ValueError(f"Invalid label_dimension {count}.")
        super().__init__(count, given)
        self._label_width = self._loss_width = count
        self._inverse_link = given["inverse_link_fn"]

    def _numbers(self, labels: Tensor) -> Tensor:
        return _tf.cast(labels, _tf.float32)

    def _losses(self, labels: Tensor, logits: Tensor) -> Tensor:
        return _tf.squared_difference(logits, labels)

    def _predictions(self, logits: Tensor) -> dict[str, Tensor]:
        if self._inverse_link:
            return {"predictions": self._inverse_link(logits), "logits": logits}
        return {"predictions": logits}

    def _exports(self, predictions: dict[str, Tensor]) -> dict[str, _export.ExportOutput]:
        return {"regression": _export.RegressionOutput(predictions["predictions"])}

    def _metrics(
        self, labels: Tensor, predictions: dict[str, Tensor], weights: Tensor | float
    ) -> dict[str, Metric]:
        mean = _tf.metrics.mean
        return {
            "prediction/mean": mean(predictions["predictions"], weights),
            "label/mean": mean(labels, weights),
        }


def poisson_loss(full: bool) -> Callable[..., Tensor]:
    """The loss of counts, of labels and logits that are logarithms.

    Args:
        full: Whether it has the term that depends on the labels alone.
    """

    def loss(labels: Tensor, logits: Tensor) -> Tensor:
        return _tf.nn.log_poisson_loss(labels, logits, compute_full_loss=full)

    return loss


def logistic_loss(labels: Tensor, logits: Tensor) -> Tensor:
    """The loss of numbers from 0 to 1."""
    return _tf.nn.sigmoid_cross_entropy_with_logits(labels=in_range(labels, 2), logits=logits)


class _Vocabulary(_Weighing):
    """A head of classes, which may have names.

    Args:
        width: How many logits an example has.
        given: The arguments of the head: `n_classes`, how many classes there are; `label_vocabulary`,
            their names, which the labels are, or None; `thresholds`, probabilities from which on the
            metrics of each call a class true; others as for `_Weighing`.
    """

    def __init__(self, width: int, given: dict[str, Any]) -> None:
        super().__init__(width, given)
        vocabulary, thresholds = given["label_vocabulary"], given["thresholds"]
        if vocabulary is not None and not isinstance(vocabulary, (list, tuple)):
            # The head of two classes, which has one logit, has another class of error in TensorFlow 1.
            refused = TypeError if width == 1 else ValueError
            raise refused(
                f"label_vocabulary should be a list or tuple. Given type: {type(vocabulary)}"
            )
        if any(not 0 < each < 1 for each in thresholds or ()):
            raise ValueError(f"thresholds not in (0, 1): {thresholds}.")
        self._count, self._vocabulary = given["n_classes"], vocabulary
        self._thresholds = tuple(thresholds or ())

    def _table(self) -> Any:
        return lookup_ops.index_table_from_tensor(tuple(self._vocabulary or ()))

    def _names(self, scores: Tensor) -> Tensor:
        """The names of all classes, for each example."""
        names = self._vocabulary or _tf.as_string(_tf.range(self._count))
        return _tf.tile(_tf.expand_dims(names, 0), [_tf.shape(scores)[0], 1])

    def _exports(self, predictions: dict[str, Tensor]) -> dict[str, _export.ExportOutput]:
        scores = predictions["probabilities"]
        return {"classification": _export.ClassificationOutput(scores, self._names(scores))}

    def _at_thresholds(
        self, labels: Tensor, scores: Tensor, weights: Tensor | float
    ) -> dict[str, Metric]:
        metrics, found = _tf.metrics, {}
        for each in self._thresholds:
            true = _tf.cast(self._is_true(scores, each), _tf.float32)
            end = f"positive_threshold_{each:g}"
            found[f"accuracy/{end}"] = metrics.accuracy(labels, true, weights)
            for name in ("precision", "recall"):
                measure = getattr(metrics, f"{name}_at_thresholds")
                value, update = measure(labels, scores, (each,), weights)
                found[f"{name}/{end}"] = _tf.squeeze(value), _tf.squeeze(update)
        return found


def in_range(labels: Tensor, count: int) -> Tensor:
    """Labels of which none is below 0, or as high as the number of classes."""
    top = _tf.cast(count - 1, labels.dtype)
    checks = [
        _tf.debugging.assert_less_equal(labels, top, message="Labels must be <= n_classes - 1"),
        _tf.debugging.assert_non_negative(labels, message="Labels must be >= 0"),
    ]
    with _tf.control_dependencies(checks):
        return _tf.identity(labels)


class Classes(_Vocabulary):
    """A head of classes of which an example has one; labels are 0 and up, or names.

    Args:
        n_classes: How many classes there are; of two, an example has one logit.
        others: As for `_Vocabulary` and `_Weighing`.
    """

    __init__ = constructor(_CLASSES.format(""))

    def _init_with(self, given: dict[str, Any]) -> None:
        count = given["n_classes"]
        if not isinstance(count, int) or count < 2:
            raise ValueError(f"n_classes must be >= 2: {count}.")
        super().__init__(1 if count == 2 else count, given)

    def _numbers(self, labels: Tensor) -> Tensor:
        if self._vocabulary:
            if labels.dtype != _tf.string:
                raise ValueError(
                    f"Labels dtype should be string if there is a vocabulary, not {labels.dtype}."
                )
            labels = self._table().lookup(labels)
        if self._count == 2:
            labels = _tf.cast(labels, _tf.float32)  # of bool, too
        elif not labels.dtype.is_integer:
            raise ValueError(f"Labels dtype should be integer. Instead got {labels.dtype}.")
        return in_range(labels, self._count)

    def _losses(self, labels: Tensor, logits: Tensor) -> Tensor:
        if self._count == 2:
            return _tf.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits)
        labels = _tf.squeeze(labels, [-1])
        return _tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)[
            ..., None
        ]

    def _predictions(self, logits: Tensor) -> dict[str, Tensor]:
        found = {"logits": logits}
        if self._count == 2:
            found["logistic"] = _tf.sigmoid(logits, name="logistic")
            logits = _tf.concat([_tf.zeros_like(logits), logits], -1)
        every = _tf.tile(_tf.range(self._count)[None], [_tf.shape(logits)[0], 1])
        names = self._names(logits)
        ids = _tf.expand_dims(_tf.argmax(logits, -1), -1)
        if self._vocabulary:
            table = lookup_ops.index_to_string_table_from_tensor(self._vocabulary)
            classes = table.lookup(ids)
        else:
            classes = _tf.as_string(ids, name="str_classes")
        found["probabilities"] = _tf.nn.softmax(logits, name="probabilities")
        found.update(class_ids=ids, classes=classes, all_class_ids=every, all_classes=names)
        return found

    def _exports(self, predictions: dict[str, Tensor]) -> dict[str, _export.ExportOutput]:
        found = super()._exports(predictions)
        if self._count == 2:
            found["regression"] = _export.RegressionOutput(predictions["logistic"])
        return found

    def _metrics(
        self, labels: Tensor, predictions: dict[str, Tensor], weights: Tensor | float
    ) -> dict[str, Metric]:
        metrics, classes = _tf.metrics, predictions["class_ids"]
        found = {"accuracy": metrics.accuracy(labels, classes, weights)}
        if self._count > 2:
            return found
        logistic = predictions["logistic"]
        mean = metrics.mean(labels, weights)
        return {
            **found,
            "precision": metrics.precision(labels, classes, weights),
            "recall": metrics.recall(labels, classes, weights),
            "prediction/mean": metrics.mean(logistic, weights),
            "label/mean": mean,
            "accuracy_baseline": tuple(_tf.maximum(each, 1 - each) for each in mean),
            "auc": metrics.auc(labels, logistic, weights),
            "auc_precision_recall": metrics.auc(
                labels, logistic, weights, curve="PR", **self._area
            ),
            **self._at_thresholds(labels, logistic, weights),
        }


class Labels(_Vocabulary):
    """A head of classes of which an example has any number.

    Args:
        n_classes: How many classes there are, and so many logits an example has.
        classes_for_class_based_metrics: Classes, by number or by name, that have metrics of their own.
        others: As for `_Vocabulary` and `_Weighing`.
    """

    __init__ = constructor(_CLASSES.format("classes_for_class_based_metrics=None"))

    def _init_with(self, given: dict[str, Any]) -> None:
        count, names = given["n_classes"], given["label_vocabulary"] or ()
        if count is None or count < 2:
            raise ValueError(f"n_classes must be > 1 for many labels. Given: {count}")
        super().__init__(count, given)
        if names and len(names) != count:
            raise ValueError(f"Length of label_vocabulary must be n_classes ({count}).")
        chosen = given["classes_for_class_based_metrics"]
        self._measured = [names.index(one) if isinstance(one, str) else one for one in chosen or ()]
        if any(not 0 <= one < count for one in self._measured):
            raise ValueError(
                f"All classes_for_class_based_metrics must be in range [0, {count - 1}]. "
                f"Given: {chosen}"
            )
        self._label_width = count

    def _labels(self, labels: Tensor | None, logits: Tensor) -> Tensor:
        if isinstance(labels, _tf.SparseTensor):
            values = labels.values
            if values.dtype == _tf.string:
                values = self._table().lookup(values)
            else:
                values = in_range(values, self._count)
            found = _tf.SparseTensor(labels.indices, values, labels.dense_shape)
            labels = _tf.cast(_tf.sparse_to_indicator(found, self._count), _tf.int64)
        elif labels is not None:
            labels = in_range(_tf.convert_to_tensor(labels), 2)
        return super()._labels(labels, logits)

    def _numbers(self, labels: Tensor) -> Tensor:
        return labels

    def _losses(self, labels: Tensor, logits: Tensor) -> Tensor:
        labels = _tf.cast(labels, logits.dtype)
        losses = _tf.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits)
        return _tf.reduce_mean(losses, -1, keepdims=True)

    def _predictions(self, logits: Tensor) -> dict[str, Tensor]:
        return {"logits": logits, "probabilities": _tf.sigmoid(logits, name="probabilities")}

    def _metrics(
        self, labels: Tensor, predictions: dict[str, Tensor], weights: Tensor | float
    ) -> dict[str, Metric]:
        metrics, scores = _tf.metrics, predictions["probabilities"]
        found = {
            "auc": metrics.auc(labels, scores, weights),
            "auc_precision_recall": metrics.auc(labels, scores, weights, curve="PR", **self._area),
            **self._at_thresholds(labels, scores, weights),
        }
        for one in self._measured:
            end = self._vocabulary[one] if self._vocabulary else f"class{one}"
            true, score = labels[..., one : one + 1], scores[..., one : one + 1]
            found[f"probability_mean/{end}"] = metrics.mean(score, weights)
            found[f"auc/{end}"] = metrics.auc(true, score, weights)
            area = metrics.auc(true, score, weights, curve="PR", **self._area)
            found[f"auc_precision_recall/{end}"] = area
        return found
