"""The canned estimators of `tf.estimator`, on the columns of `tf.feature_column`.

The variables have the names of TensorFlow 1.15, so that its checkpoints can be trained on and used.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from tensorflow.python.ops import lookup_ops

from tfqueue import _tensorflow
from tfqueue import estimator as _estimator
from tfqueue.estimator import _export, _models
from tfqueue.v1 import _layer_base
from tfqueue.v1 import layers as _layers
from tfqueue.v1 import train as _train
from tfqueue.v1._signatures import constructor
from tfqueue.v1._types import Column, Features, Metric, Op, Scope, Tensor

_tf = _tensorflow.compat_v1()

__all__ = [
    "DNNClassifier",
    "DNNLinearCombinedClassifier",
    "DNNLinearCombinedRegressor",
    "DNNRegressor",
    "LinearClassifier",
    "LinearRegressor",
]
_DEFAULT = _tf.saved_model.DEFAULT_SERVING_SIGNATURE_DEF_KEY
_COMBINED_DNN_RATE, _COMBINED_LINEAR_RATE = 0.001, 0.005


class _Head:
    """From logits to an `EstimatorSpec`.

    Attributes:
        width: How many logits an example has.
    """

    width: int

    def __init__(self, weight_column: Column | None, loss_reduction: str) -> None:
        self._weight_column, self._reduction = weight_column, loss_reduction

    def _weights(self, features: dict[str, Tensor]) -> Tensor | float:
        column = self._weight_column
        if column is None:
            return 1.0
        if isinstance(column, str):
            column = _tf.feature_column.numeric_column(column)
        return _tf.feature_column.input_layer(features, [column])

    def _labels(self, labels: Tensor | None) -> Tensor:
        """The labels, of shape (batch, n)."""
        if labels is None:
            raise ValueError("You must provide a labels Tensor. Given: None.")
        labels = _tf.convert_to_tensor(labels)
        labels = labels[:, None] if labels.shape.ndims == 1 else labels
        labels.shape.assert_is_compatible_with([None, self._label_width()])
        return labels

    def _label_width(self) -> int:
        return 1

    def _loss(self, labels: Tensor, logits: Tensor) -> Tensor:
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

    def spec(
        self,
        features: dict[str, Tensor],
        labels: Tensor | None,
        mode: str,
        logits: Tensor,
        train: Callable[[Tensor], Op],
    ) -> _estimator.EstimatorSpec:
        """The `EstimatorSpec`; `train` is a function of a loss."""
        with _tf.name_scope(None, "head"):
            with _tf.name_scope(None, "predictions"):
                predictions = self._predictions(logits)
            if mode == _estimator.ModeKeys.PREDICT:
                outputs = self._exports(predictions)
                outputs[_DEFAULT] = next(iter(outputs.values()))
                outputs["predict"] = _export.PredictOutput(predictions)
                return _estimator.EstimatorSpec(mode, predictions, export_outputs=outputs)
            labels = self._labels(labels)
            losses, weights = self._loss(labels, logits), self._weights(features)
            loss = _tf.losses.compute_weighted_loss(losses, weights, reduction=self._reduction)
            if mode == _estimator.ModeKeys.TRAIN:
                return _estimator.EstimatorSpec(mode, predictions, loss, train(loss))
            metrics = {"average_loss": _tf.metrics.mean(losses, weights)}
            metrics.update(self._metrics(labels, predictions, weights))
            return _estimator.EstimatorSpec(mode, predictions, loss, eval_metric_ops=metrics)


class _Regression(_Head):
    def __init__(self, label_dimension: int, *args: Any) -> None:
        super().__init__(*args)
        self.width = label_dimension

    def _label_width(self) -> int:
        return self.width

    def _loss(self, labels: Tensor, logits: Tensor) -> Tensor:
        return _tf.squared_difference(logits, _tf.cast(labels, _tf.float32))

    def _predictions(self, logits: Tensor) -> dict[str, Tensor]:
        return {"predictions": logits}

    def _exports(self, predictions: dict[str, Tensor]) -> dict[str, _export.ExportOutput]:
        return {"regression": _export.RegressionOutput(predictions["predictions"])}

    def _metrics(
        self, labels: Tensor, predictions: dict[str, Tensor], weights: Tensor | float
    ) -> dict[str, Metric]:
        mean = _tf.metrics.mean
        return {
            "prediction/mean": mean(predictions["predictions"], weights),
            "label/mean": mean(_tf.cast(labels, _tf.float32), weights),
        }


class _Classes(_Head):
    def __init__(self, n_classes: int, vocabulary: Sequence[str] | None, *args: Any) -> None:
        super().__init__(*args)
        if not isinstance(n_classes, int) or n_classes < 2:
            raise ValueError(f"n_classes must be >= 2: {n_classes}.")
        if vocabulary and len(vocabulary) != n_classes:
            raise ValueError("Length of label_vocabulary must be equal to n_classes.")
        self._count, self._vocabulary = n_classes, vocabulary
        self.width = 1 if n_classes == 2 else n_classes

    def _ids(self, labels: Tensor) -> Tensor:
        if self._vocabulary:
            labels = lookup_ops.index_table_from_tensor(self._vocabulary).lookup(labels)
        if self._count == 2:
            return _tf.cast(labels, _tf.float32)  # of bool, too
        if not self._vocabulary and not labels.dtype.is_integer:
            raise ValueError(f"Labels dtype should be integer. Instead got {labels.dtype}.")
        return labels

    def _loss(self, labels: Tensor, logits: Tensor) -> Tensor:
        ids = self._ids(labels)
        top = _tf.cast(self._count - 1, ids.dtype)
        checks = [
            _tf.debugging.assert_less_equal(ids, top, message="Labels must be <= n_classes - 1"),
            _tf.debugging.assert_non_negative(ids, message="Labels must be >= 0"),
        ]
        with _tf.control_dependencies(checks):
            ids = _tf.identity(ids)
        if self._count == 2:
            return _tf.nn.sigmoid_cross_entropy_with_logits(labels=ids, logits=logits)
        ids = _tf.squeeze(ids, [1])
        return _tf.nn.sparse_softmax_cross_entropy_with_logits(labels=ids, logits=logits)[:, None]

    def _predictions(self, logits: Tensor) -> dict[str, Tensor]:
        found = {"logits": logits}
        if self._count == 2:
            found["logistic"] = _tf.sigmoid(logits, name="logistic")
            logits = _tf.concat([_tf.zeros_like(logits), logits], 1)
        every = _tf.tile(_tf.range(self._count)[None], [_tf.shape(logits)[0], 1])
        names = self._names(logits)
        ids = _tf.expand_dims(_tf.argmax(logits, 1), 1)
        if self._vocabulary:
            table = lookup_ops.index_to_string_table_from_tensor(self._vocabulary)
            classes = table.lookup(ids)
        else:
            classes = _tf.as_string(ids, name="str_classes")
        found["probabilities"] = _tf.nn.softmax(logits, name="probabilities")
        found.update(class_ids=ids, classes=classes, all_class_ids=every, all_classes=names)
        return found

    def _names(self, scores: Tensor) -> Tensor:
        """The names of all classes, for each example."""
        names = self._vocabulary or _tf.as_string(_tf.range(self._count))
        return _tf.tile(_tf.expand_dims(names, 0), [_tf.shape(scores)[0], 1])

    def _exports(self, predictions: dict[str, Tensor]) -> dict[str, _export.ExportOutput]:
        scores = predictions["probabilities"]
        found: dict[str, _export.ExportOutput] = {
            "classification": _export.ClassificationOutput(scores, self._names(scores))
        }
        if self._count == 2:
            found["regression"] = _export.RegressionOutput(predictions["logistic"])
        return found

    def _metrics(
        self, labels: Tensor, predictions: dict[str, Tensor], weights: Tensor | float
    ) -> dict[str, Metric]:
        metrics, ids = _tf.metrics, self._ids(labels)
        classes = predictions["class_ids"]
        found = {"accuracy": metrics.accuracy(ids, classes, weights)}
        if self._count > 2:
            return found
        logistic = predictions["logistic"]
        mean = metrics.mean(ids, weights)
        return {
            **found,
            "precision": metrics.precision(ids, classes, weights),
            "recall": metrics.recall(ids, classes, weights),
            "prediction/mean": metrics.mean(logistic, weights),
            "label/mean": mean,
            "accuracy_baseline": tuple(_tf.maximum(each, 1 - each) for each in mean),
            "auc": metrics.auc(ids, logistic, weights),
            "auc_precision_recall": metrics.auc(ids, logistic, weights, curve="PR"),
        }


_OPTIMIZERS = {
    "Adagrad": _tf.train.AdagradOptimizer,
    "Adam": _tf.train.AdamOptimizer,
    "Ftrl": _tf.train.FtrlOptimizer,
    "RMSProp": _tf.train.RMSPropOptimizer,
    "SGD": _tf.train.GradientDescentOptimizer,
}


def _dnn_logits(
    model: _models.Model, batch_norm: bool, features: Features, mode: str, width: int
) -> Tensor:
    training = mode == _estimator.ModeKeys.TRAIN

    def dense(
        net: Tensor, units: int, activation: Callable[[Tensor], Tensor], scope: Scope
    ) -> Tensor:
        return _layers.dense(
            net,
            units,
            activation=activation,
            kernel_initializer=_tf.glorot_uniform_initializer(),
            name=scope,
        )

    def between(net: Tensor, index: int) -> Tensor:
        if model.dnn_dropout is not None and training:
            net = _layers.dropout(net, rate=model.dnn_dropout, training=True)
        if batch_norm:
            net = _layers.batch_normalization(
                net, momentum=0.999, training=training, name=f"batchnorm_{index}"
            )
        return net

    return model.network(
        width,
        lambda _: _tf.feature_column.input_layer(features, model.dnn_columns),
        dense,
        between,
    )


class _Training:
    """The train op of a model: each part is minimized by its own optimizer."""

    def __init__(self, model: _models.Model) -> None:
        self._both = bool(model.linear_columns and model.dnn_columns)
        self._step = _train.get_global_step()
        self._minimized: list[tuple[Any, str]] = []

    def add(self, optimizer: Any, rate: float, scope: str) -> None:
        """Adds a part, whose variables are those of a scope."""
        self._minimized.append((_models.optimizer_of(optimizer, rate, _OPTIMIZERS), scope))

    def op(self, loss: Tensor) -> Op:
        """The op of one step."""
        ops = [
            optimizer.minimize(
                loss,
                None if self._both else self._step,
                var_list=_tf.trainable_variables(scope) if self._both else None,
            )
            for optimizer, scope in self._minimized
        ]
        done = _tf.group(*ops, *_tf.get_collection(_tf.GraphKeys.UPDATE_OPS))
        return _models.counted(self._step, [done]) if self._both else done


def _model_fn(
    model: _models.Model,
    head: _Head,
    batch_norm: bool,
    features: Features,
    labels: Tensor | None,
    mode: str,
) -> _estimator.EstimatorSpec:
    if not isinstance(features, dict):
        raise ValueError(
            f"features should be a dictionary of `Tensor`s. Given type: {type(features)}"
        )
    linear, dnn = model.linear_columns, model.dnn_columns
    training, parts = _Training(model), []
    if dnn:
        rate = _COMBINED_DNN_RATE if linear else _models.DNN_RATE
        training.add(model.dnn_optimizer, rate, "dnn")
        with _tf.variable_scope("dnn", partitioner=_models.partitioner()):
            parts.append(_dnn_logits(model, batch_norm, features, mode, head.width))
            if not linear:
                return head.spec(features, labels, mode, parts[0], training.op)
    rate = _models.LINEAR_RATE
    if dnn:
        rate = min(_COMBINED_LINEAR_RATE, model.linear_rate())
    elif model.linear_optimizer == "Ftrl":
        rate = model.linear_rate()
    training.add(model.linear_optimizer, rate, "linear")
    with _tf.variable_scope("linear", partitioner=_models.partitioner(64 << 20)) as scope:
        logits = _layer_base.linear_model(
            features, linear, head.width, sparse_combiner=model.linear_sparse_combiner
        )
        _models.add_activation_summaries(logits, scope.name)
        if not dnn:
            return head.spec(features, labels, mode, logits, training.op)
    return head.spec(features, labels, mode, parts[0] + logits, training.op)


class _Canned(_estimator.Estimator):
    """What the canned estimators have in common."""

    def _build(self, given: dict[str, Any]) -> None:
        """Makes the estimator of its constructor's arguments."""
        weighing = given["weight_column"], given["loss_reduction"]
        head: _Head
        if "n_classes" in given:
            head = _Classes(given["n_classes"], given["label_vocabulary"], *weighing)
        else:
            head = _Regression(given["label_dimension"], *weighing)
        batch_norm = given.get("batch_norm", False)
        model_fn = functools.partial(_model_fn, _models.Model.of(given), head, batch_norm)
        super().__init__(
            model_fn, given["model_dir"], given["config"], None, given["warm_start_from"]
        )


class LinearClassifier(_Canned):
    """A linear model that tells classes apart (`tf.estimator.LinearClassifier`).

    Args:
        feature_columns: Columns of `tf.feature_column`.
        model_dir: Folder of the checkpoints and summaries; a new one when None.
        n_classes: int, how many classes; labels are 0 and up.
        weight_column: Name of the feature, or a numeric column, that weighs the examples.
        label_vocabulary: List of strings that labels are.
        optimizer: An optimizer, its name, or a function that makes it.
        config: A `RunConfig`.
        partitioner: Not used.
        warm_start_from: A checkpoint, or `WarmStartSettings`, with the first values of the variables.
        loss_reduction: A `tf.losses.Reduction` of the examples' losses.
        sparse_combiner: How the ids of an example are added up: `"sum"`, `"mean"` or `"sqrtn"`.

    Raises:
        ValueError: If there are no columns, or fewer than two classes.
    """

    __init__ = constructor(
        "feature_columns model_dir=None n_classes=2 weight_column=None label_vocabulary=None "
        "optimizer='Ftrl' config=None partitioner=None warm_start_from=None "
        "loss_reduction='weighted_sum' sparse_combiner='sum'"
    )


class LinearRegressor(_Canned):
    """A linear model of numbers (`tf.estimator.LinearRegressor`).

    `label_dimension` is how many numbers an example has; the rest is as for `LinearClassifier`.
    """

    __init__ = constructor(
        "feature_columns model_dir=None label_dimension=1 weight_column=None optimizer='Ftrl' "
        "config=None partitioner=None warm_start_from=None loss_reduction='weighted_sum' "
        "sparse_combiner='sum'"
    )


class DNNClassifier(_Canned):
    """A network that tells classes apart (`tf.estimator.DNNClassifier`).

    Args:
        hidden_units: List of int, the width of each hidden layer.
        feature_columns: Columns of `tf.feature_column`, dense ones.
        activation_fn: Of the hidden layers; relu when None.
        dropout: float, the part of a hidden layer that is left out in training.
        input_layer_partitioner: Not used.
        batch_norm: Whether each hidden layer is normalized.
        others: As for `LinearClassifier`.
    """

    __init__ = constructor(
        "hidden_units feature_columns model_dir=None n_classes=2 weight_column=None "
        "label_vocabulary=None optimizer='Adagrad' activation_fn=None dropout=None "
        "input_layer_partitioner=None config=None warm_start_from=None "
        "loss_reduction='weighted_sum' batch_norm=False"
    )


class DNNRegressor(_Canned):
    """A network of numbers (`tf.estimator.DNNRegressor`).

    `label_dimension` is how many numbers an example has; the rest is as for `DNNClassifier`.
    """

    __init__ = constructor(
        "hidden_units feature_columns model_dir=None label_dimension=1 weight_column=None "
        "optimizer='Adagrad' activation_fn=None dropout=None input_layer_partitioner=None "
        "config=None warm_start_from=None loss_reduction='weighted_sum' batch_norm=False"
    )


class DNNLinearCombinedClassifier(_Canned):
    """Wide and deep, for classes (`tf.estimator.DNNLinearCombinedClassifier`).

    Args:
        linear_feature_columns: Columns of the linear model.
        linear_optimizer: Its optimizer.
        linear_sparse_combiner: Its `sparse_combiner`, as for `LinearClassifier`.
        dnn_feature_columns: Columns of the network, dense ones.
        dnn_optimizer: Its optimizer. A named one has the rate of 1.15: 0.001, which was 0.05 once.
        dnn_hidden_units: As `hidden_units` for `DNNClassifier`, and so on.
        others: As for `DNNClassifier`.
    """

    __init__ = constructor(
        "model_dir=None linear_feature_columns=None linear_optimizer='Ftrl' "
        "dnn_feature_columns=None dnn_optimizer='Adagrad' dnn_hidden_units=None "
        "dnn_activation_fn=None dnn_dropout=None n_classes=2 weight_column=None "
        "label_vocabulary=None input_layer_partitioner=None config=None warm_start_from=None "
        "loss_reduction='weighted_sum' batch_norm=False linear_sparse_combiner='sum'"
    )


class DNNLinearCombinedRegressor(_Canned):
    """Wide and deep, for numbers (`tf.estimator.DNNLinearCombinedRegressor`).

    `label_dimension` is how many numbers an example has; the rest is as for `DNNLinearCombinedClassifier`.
    """

    __init__ = constructor(
        "model_dir=None linear_feature_columns=None linear_optimizer='Ftrl' "
        "dnn_feature_columns=None dnn_optimizer='Adagrad' dnn_hidden_units=None "
        "dnn_activation_fn=None dnn_dropout=None label_dimension=1 weight_column=None "
        "input_layer_partitioner=None config=None warm_start_from=None "
        "loss_reduction='weighted_sum' batch_norm=False linear_sparse_combiner='sum'"
    )
