"""The canned estimators of `tf.contrib.learn`: linear models, networks, and both together.

The variables have TensorFlow 1's names, so that its checkpoints can be trained on and used. Needs
the extra `slim`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from tfqueue import _tensorflow
from tfqueue.contrib import layers as _layers
from tfqueue.contrib import lookup as _lookup
from tfqueue.contrib.layers import feature_column as _columns
from tfqueue.contrib.learn import estimators as _estimators
from tfqueue.contrib.learn import exports as _exports
from tfqueue.contrib.learn.graph_actions import ModeKeys
from tfqueue.estimator import _models
from tfqueue.v1 import _layer_base
from tfqueue.v1 import train as _train
from tfqueue.v1._signatures import constructor, takes
from tfqueue.v1._types import Arrays, Column, Features, Metric, Op, Scope, Tensor, Tensors

_tf = _tensorflow.compat_v1()

__all__ = [
    "DNNClassifier",
    "DNNLinearCombinedClassifier",
    "DNNLinearCombinedRegressor",
    "DNNRegressor",
    "LinearClassifier",
    "LinearRegressor",
    "PredictionKey",
    "infer_real_valued_columns_from_input",
    "infer_real_valued_columns_from_input_fn",
]


class PredictionKey:
    """The names of what an estimator predicts (`tf.contrib.learn.PredictionKey`)."""

    CLASSES = "classes"
    PROBABILITIES = "probabilities"
    LOGITS = "logits"
    LOGISTIC = "logistic"
    SCORES = "scores"
    TOP_K = "top_k"
    GENERIC = "output"


class _Head:
    """From logits to a loss, predictions and what is measured.

    Attributes:
        scope: The name of its variables' scope.
        width: How many logits an example has.
    """

    scope: str
    width: int

    def __init__(self, weight_column_name: str | None, centered: bool) -> None:
        if centered:
            raise NotImplementedError(
                "enable_centered_bias is not here; a model has a bias anyway."
            )
        self._weight_column = weight_column_name

    def _loss(self, labels: Tensor, logits: Tensor) -> Tensor:
        """The loss of each example, of shape (batch, n)."""
        raise NotImplementedError

    def _predictions(self, logits: Tensor) -> dict[str, Tensor]:
        raise NotImplementedError

    def _metrics(
        self, predictions: dict[str, Tensor], labels: Tensor, weights: Tensor | None
    ) -> dict[str, Metric]:
        return {}

    def _served(self, predictions: dict[str, Tensor]) -> tuple[int, dict[str, Tensor]]:
        """The `ProblemType` of an export, and what is served."""
        raise NotImplementedError

    def _labels(self, labels: Tensors) -> Tensor:
        if isinstance(labels, dict):
            if len(labels) != 1:
                raise ValueError(f"labels has to be one tensor, not {sorted(labels)}")
            labels = next(iter(labels.values()))
        if isinstance(labels, _tf.SparseTensor):
            raise ValueError("SparseTensor is not supported as labels.")
        return _tf.convert_to_tensor(labels)

    def _weights(self, features: dict[str, Tensor]) -> Tensor | None:
        if not self._weight_column:
            return None
        if self._weight_column not in features:
            raise ValueError(f"Weights {self._weight_column} missing from features.")
        weights = _tf.cast(features[self._weight_column], _tf.float32)
        return _tf.reshape(weights, [-1, 1]) if weights.shape.ndims == 1 else weights

    def _losses(
        self, labels: Tensor, logits: Tensor, weights: Tensor | None
    ) -> tuple[Tensor, Tensor]:
        """The loss to train with, a mean over the examples, and the one that is told."""
        loss = self._loss(labels, logits)
        if weights is None:
            mean = _tf.reduce_mean(loss)
            return mean, mean
        weights = _tf.broadcast_to(weights, _tf.shape(loss))
        weighted = loss * weights
        average = _tf.div(_tf.reduce_sum(weighted), _tf.reduce_sum(weights))
        return _tf.reduce_mean(weighted), average

    def ops(
        self,
        features: dict[str, Tensor],
        labels: Tensors | None,
        mode: str,
        logits: Tensor,
        train: Callable[[Tensor], Op],
    ) -> _estimators.ModelFnOps:
        """The `ModelFnOps`; `train` is a function of a loss."""
        with _tf.variable_scope(None, default_name=self.scope):
            with _tf.name_scope(None, "predictions"):
                predictions = self._predictions(logits)
            if mode == ModeKeys.INFER or labels is None:
                heads = {None: self._served(predictions)}
                return _estimators.ModelFnOps(mode, predictions, output_alternatives=heads)
            labels = self._labels(labels)
            weights = self._weights(features)
            loss, average = self._losses(labels, logits, weights)
            train_op = None
            if mode == ModeKeys.TRAIN:
                with _tf.name_scope(None, "train_op"):  # the names of Adam's variables contain it
                    train_op = train(loss)
            metrics = {"loss": _tf.metrics.mean(average)}
            metrics.update(self._metrics(predictions, labels, weights))
            return _estimators.ModelFnOps(mode, predictions, loss, train_op, metrics)


class _Regression(_Head):
    scope = "regression_head"

    def __init__(
        self, label_dimension: int, weight_column_name: str | None, centered: bool
    ) -> None:
        super().__init__(weight_column_name, centered)
        self.width = label_dimension

    def _loss(self, labels: Tensor, logits: Tensor) -> Tensor:
        labels = labels[:, None] if labels.shape.ndims == 1 else labels
        logits.shape.assert_is_compatible_with(labels.shape)
        return _tf.squared_difference(logits, _tf.cast(labels, _tf.float32))

    def _predictions(self, logits: Tensor) -> dict[str, Tensor]:
        scores = _tf.squeeze(logits, [1], name="scores") if self.width == 1 else logits
        return {PredictionKey.SCORES: _tf.identity(scores)}

    def _served(self, predictions: dict[str, Tensor]) -> tuple[int, dict[str, Tensor]]:
        return _exports.ProblemType.LINEAR_REGRESSION, predictions


def _served_classes(
    predictions: dict[str, Tensor], keys: Sequence[str] | None = None
) -> dict[str, Tensor]:
    """The probabilities, and beside each of them the name of its class."""
    probabilities = predictions[PredictionKey.PROBABILITIES]
    with _tf.name_scope(None, "_classification_output_alternatives"):
        names = keys or _tf.as_string(_tf.range(_tf.shape(probabilities)[1]))
        times = [_tf.shape(probabilities)[0], 1]
        classes = _tf.tile(_tf.expand_dims(names, 0), times, name="classes_tensor")
    return {PredictionKey.PROBABILITIES: probabilities, PredictionKey.CLASSES: classes}


class _Binary(_Head):
    scope, width = "binary_logistic_head", 1

    def _loss(self, labels: Tensor, logits: Tensor) -> Tensor:
        labels = _tf.cast(labels, _tf.float32)
        labels = labels[:, None] if labels.shape.ndims == 1 else labels
        return _tf.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits)

    def _predictions(self, logits: Tensor) -> dict[str, Tensor]:
        two = _tf.concat([_tf.zeros_like(logits), logits], 1)
        return {
            PredictionKey.LOGITS: logits,
            PredictionKey.LOGISTIC: _tf.sigmoid(logits, name="logistic"),
            PredictionKey.PROBABILITIES: _tf.nn.softmax(two, name="probabilities"),
            PredictionKey.CLASSES: _tf.argmax(two, 1),
        }

    def _served(self, predictions: dict[str, Tensor]) -> tuple[int, dict[str, Tensor]]:
        return _exports.ProblemType.LOGISTIC_REGRESSION, _served_classes(predictions)

    def _metrics(
        self, predictions: dict[str, Tensor], labels: Tensor, weights: Tensor | None
    ) -> dict[str, Metric]:
        metrics = _tf.metrics
        logistic = predictions[PredictionKey.LOGISTIC]
        classes = predictions[PredictionKey.CLASSES]
        # The labels and the logistic have a second axis, which the classes need not have.
        positive = _tf.cast(labels, _tf.bool)
        mean = metrics.mean(
            _tf.cast(labels, _tf.float32),
            None if weights is None else _tf.broadcast_to(weights, _tf.shape(labels)),
        )
        at_half = _tf.cast(logistic >= 0.5, _tf.float32)
        precision = metrics.precision_at_thresholds(labels, logistic, [0.5], weights)
        recall = metrics.recall_at_thresholds(labels, logistic, [0.5], weights)
        return {
            "accuracy": metrics.accuracy(labels, classes, weights),
            "labels/prediction_mean": metrics.mean(logistic, weights),
            "labels/actual_label_mean": mean,
            "accuracy/baseline_label_mean": mean,
            "auc": metrics.auc(positive, logistic, weights),
            "auc_precision_recall": metrics.auc(positive, logistic, weights, curve="PR"),
            "accuracy/threshold_0.500000_mean": metrics.accuracy(labels, at_half, weights),
            "precision/positive_threshold_0.500000_mean": tuple(map(_tf.squeeze, precision)),
            "recall/positive_threshold_0.500000_mean": tuple(map(_tf.squeeze, recall)),
        }


class _MultiClass(_Head):
    scope = "multi_class_head"

    def __init__(
        self,
        n_classes: int,
        weight_column_name: str | None,
        centered: bool,
        label_keys: Sequence[str] | None,
    ) -> None:
        super().__init__(weight_column_name, centered)
        if label_keys and len(label_keys) != n_classes:
            raise ValueError("Length of label_keys must equal n_classes.")
        self.width, self._keys = n_classes, label_keys

    def _loss(self, labels: Tensor, logits: Tensor) -> Tensor:
        if self._keys:
            labels = _lookup.index_table_from_tensor(self._keys).lookup(labels)
        if not labels.dtype.is_integer:
            raise ValueError(f"Labels dtype should be integer Instead got {labels.dtype}.")
        flat = _tf.squeeze(labels, [1]) if labels.shape.ndims == 2 else labels
        loss = _tf.nn.sparse_softmax_cross_entropy_with_logits(labels=flat, logits=logits)
        return loss[:, None] if labels.shape.ndims == 2 else loss

    def _predictions(self, logits: Tensor) -> dict[str, Tensor]:
        classes = _tf.argmax(logits, 1)
        if self._keys:
            classes = _lookup.index_to_string_table_from_tensor(self._keys).lookup(classes)
        return {
            PredictionKey.LOGITS: logits,
            PredictionKey.PROBABILITIES: _tf.nn.softmax(logits, name="probabilities"),
            PredictionKey.CLASSES: classes,
        }

    def _served(self, predictions: dict[str, Tensor]) -> tuple[int, dict[str, Tensor]]:
        return _exports.ProblemType.CLASSIFICATION, _served_classes(predictions, self._keys)

    def _metrics(
        self, predictions: dict[str, Tensor], labels: Tensor, weights: Tensor | None
    ) -> dict[str, Metric]:
        classes = predictions[PredictionKey.CLASSES]
        return {"accuracy": _tf.metrics.accuracy(labels, classes, weights)}


def _classes(
    n_classes: int,
    weight_column_name: str | None,
    centered: bool,
    label_keys: Sequence[str] | None,
) -> _Head:
    if not isinstance(n_classes, int) or n_classes < 2:
        raise ValueError(f"n_classes must be > 1 for classification: {n_classes}.")
    if n_classes == 2:
        if label_keys:
            raise ValueError("label_keys is not supported for n_classes=2.")
        return _Binary(weight_column_name, centered)
    return _MultiClass(n_classes, weight_column_name, centered, label_keys)


def _is_old(feature_columns: Sequence[Column]) -> bool:
    """Whether columns are those of `tf.contrib.layers`, and not of `tf.feature_column`."""
    old = [isinstance(column, _columns.FeatureColumn) for column in feature_columns]
    if any(old) and not all(old):
        raise ValueError(
            "feature_columns has columns of tf.contrib.layers and of tf.feature_column. "
            "Take all of them from one of the two."
        )
    return all(old)


def _dnn_logits(model: _models.Model, features: Features, mode: str, width: int) -> Tensor:
    columns = model.dnn_columns

    def input_layer(scope: Scope) -> Tensor:
        if _is_old(columns):
            return _columns.input_from_feature_columns(
                features, columns, weight_collections=["dnn"], scope=scope
            )
        return _tf.feature_column.input_layer(features, columns, weight_collections=["dnn"])

    def dense(
        net: Tensor, units: int, activation: Callable[[Tensor], Tensor], scope: Scope
    ) -> Tensor:
        return _layers.fully_connected(
            net, units, activation_fn=activation, variables_collections=["dnn"], scope=scope
        )

    def between(net: Tensor, index: int) -> Tensor:
        if model.dnn_dropout is None or mode != ModeKeys.TRAIN:
            return net
        return _layers.dropout(net, keep_prob=1.0 - model.dnn_dropout)

    with _tf.variable_scope("dnn", partitioner=_models.partitioner()):
        return model.network(width, input_layer, dense, between)


def _linear_logits(
    features: Features, columns: Sequence[Column], width: int, scope: Scope
) -> Tensor:
    if _is_old(columns):
        return _columns.weighted_sum_from_feature_columns(
            features, columns, width, weight_collections=["linear"], scope=scope
        )[0]
    return _layer_base.linear_model(features, columns, width, weight_collections=["linear"])


def _multipliers(by_column: dict[Column, float] | None) -> dict[Tensor, float] | None:
    """The factor of each embedding's gradient."""
    found = {}
    for column, factor in (by_column or {}).items():
        scope = f"dnn/input_from_feature_columns/{column.name}/"
        every = _tf.get_collection("dnn", scope)
        if not every:
            raise ValueError(f"Couldn't find a variable for column {column}")
        found.update(dict.fromkeys(every, factor))
    return found or None


class _Training:
    """The train op of a model.

    Args:
        model: The parts.
        clip: float, global norm that gradients are clipped to, or None.
        multipliers: Dict from an embedding column to a factor of its gradients, or None.
        counts_once: Whether a step of a model with both parts counts as one.
    """

    def __init__(
        self,
        model: _models.Model,
        clip: float | None,
        multipliers: dict[Column, float] | None,
        counts_once: bool,
    ) -> None:
        self._model, self._clip, self._multipliers = model, clip, multipliers
        self._counts_once = counts_once
        self._step = _train.get_global_step()

    def _optimizer(self, given: Any, default: str, rate: float) -> Any:
        """What `optimize_loss` takes: an optimizer, or the name of one."""
        given = given or default
        return given if isinstance(given, str) else _models.optimizer_of(given, rate, {})

    def _optimized(self, loss: Tensor, name: str, rate: float, **how: Any) -> Op:
        return _layers.optimize_loss(
            loss,
            self._step,
            learning_rate=rate,
            clip_gradients=self._clip,
            name=name,
            summaries=[],
            **how,
        )

    def linear(self, loss: Tensor) -> Op:
        """The op of a linear model alone."""
        variables = _tf.get_collection("linear")
        gradients = _tf.gradients(loss, variables)
        if self._clip:
            gradients, _ = _tf.clip_by_global_norm(gradients, self._clip)
        optimizer = self._model.linear_optimizer
        if optimizer is None:
            optimizer = _tf.train.FtrlOptimizer(self._model.linear_rate())
        else:
            classes = _layers.OPTIMIZER_CLS_NAMES
            optimizer = _models.optimizer_of(optimizer, _models.LINEAR_RATE, classes)
        return optimizer.apply_gradients(zip(gradients, variables, strict=True), self._step)

    def dnn(self, loss: Tensor, **how: Any) -> Op:
        """The op of a network, alone or beside a linear model."""
        return self._optimized(
            loss,
            "dnn",
            _models.DNN_RATE,
            optimizer=self._optimizer(self._model.dnn_optimizer, "Adagrad", _models.DNN_RATE),
            gradient_multipliers=_multipliers(self._multipliers),
            **how,
        )

    def both(self, loss: Tensor) -> Op:
        """The op of both; as TensorFlow had it, each counts the step."""
        counting = {"increment_global_step": not self._counts_once}
        optimizer = self._optimizer(self._model.linear_optimizer, "Ftrl", _models.LINEAR_RATE)
        ops = [
            self.dnn(loss, variables=_tf.get_collection("dnn"), **counting),
            self._optimized(
                loss,
                "linear",
                self._model.linear_rate(),
                optimizer=optimizer,
                variables=_tf.get_collection("linear"),
                **counting,
            ),
        ]
        return _models.counted(self._step, ops) if self._counts_once else _tf.group(*ops)


def _model_fn(
    given: dict[str, Any],
    model: _models.Model,
    head: _Head,
    features: Features,
    labels: Tensors | None,
    mode: str,
) -> _estimators.ModelFnOps:
    features = features if isinstance(features, dict) else {"": features}
    linear = model.linear_columns
    training = _Training(
        model,
        given["gradient_clip_norm"],
        given.get("embedding_lr_multipliers"),
        given.get("fix_global_step_increment_bug", False),
    )
    if not model.dnn_columns:
        with _tf.variable_scope("linear", partitioner=_models.partitioner()) as scope:
            logits = _linear_logits(features, linear, head.width, scope)
            return head.ops(features, labels, mode, logits, training.linear)
    logits = _dnn_logits(model, features, mode, head.width)
    if not linear:
        # The same scope again, not a second one: the names of Adam's variables contain it.
        with _tf.variable_scope("dnn", auxiliary_name_scope=False), _tf.name_scope("dnn/"):
            return head.ops(features, labels, mode, logits, training.dnn)
    with _tf.variable_scope("linear", partitioner=_models.partitioner()) as scope:
        wide = _linear_logits(features, linear, head.width, scope)
        _models.add_activation_summaries(wide, scope.name)
    return head.ops(features, labels, mode, logits + wide, training.both)


class _Canned(_estimators.Estimator):
    """What the canned estimators have in common.

    Attributes:
        _default: The key of what `predict` gives.
    """

    _default: str

    def _init_with(self, given: dict[str, Any]) -> None:
        """Makes the estimator of its constructor's arguments."""
        if any(name.startswith("_joint") and value for name, value in given.items()):
            raise NotImplementedError("Joint weights of a linear model are not here.")
        weighing = given["weight_column_name"], given["enable_centered_bias"]
        head: _Head
        if "n_classes" in given:
            head = _classes(given["n_classes"], *weighing, given["label_keys"])
        else:
            head = _Regression(given["label_dimension"], *weighing)
        model = _models.Model.of(given)
        for optimizer in (model.linear_optimizer, model.dnn_optimizer):
            if type(optimizer).__name__ == "SDCAOptimizer":
                raise NotImplementedError("SDCAOptimizer is not here; the default is Ftrl.")
        super().__init__(
            functools.partial(_model_fn, given, model, head),
            given["model_dir"],
            given["config"],
            None,
            given["feature_engineering_fn"],
        )

    def predict(
        self,
        x: Arrays | None = None,
        input_fn: Callable[[], Any] | None = None,
        batch_size: int | None = None,
        outputs: Sequence[str] | None = None,
        as_iterable: bool = True,
        iterate_batches: bool = False,
    ) -> Any:
        """The classes or scores; or, with `outputs`, dicts of these predictions.

        Args:
            outputs: Names, of `PredictionKey`.
            others: As for `Estimator.predict`.
        """
        if not outputs:
            return self._one(self._default, x, input_fn, batch_size, as_iterable)
        return super().predict(x, input_fn, batch_size, outputs, as_iterable, iterate_batches)

    def _one(
        self,
        key: str,
        x: Arrays | None,
        input_fn: Callable[[], Any] | None,
        batch_size: int | None,
        as_iterable: bool,
    ) -> Any:
        """One of the predictions, of each example."""
        found = super().predict(x, input_fn, batch_size, [key], as_iterable)
        return (row[key] for row in found) if as_iterable else found[key]


# The parameters of the constructors, with what tells classes from numbers.
_LINEAR = (
    "feature_columns model_dir=None {} weight_column_name=None optimizer=None "
    "gradient_clip_norm=None enable_centered_bias=False {} config=None feature_engineering_fn=None {}"
)
_DNN = (
    "hidden_units feature_columns model_dir=None {} weight_column_name=None optimizer=None "
    "activation_fn='relu' dropout=None gradient_clip_norm=None enable_centered_bias=False "
    "config=None feature_engineering_fn=None {} embedding_lr_multipliers=None "
    "input_layer_min_slice_size=None {}"
)
_COMBINED = (
    "model_dir=None {} weight_column_name=None linear_feature_columns=None linear_optimizer=None "
    "_joint_linear_weights=False dnn_feature_columns=None dnn_optimizer=None dnn_hidden_units=None "
    "dnn_activation_fn='relu' dnn_dropout=None gradient_clip_norm=None enable_centered_bias=False "
    "{} config=None feature_engineering_fn=None embedding_lr_multipliers=None "
    "input_layer_min_slice_size=None {} fix_global_step_increment_bug=False"
)


def _prediction(key: str) -> Callable[..., Any]:
    """A method that gives one of the predictions, of each example."""

    @takes("self x=None input_fn=None batch_size=None as_iterable=True")
    def predict(given: dict[str, Any]) -> Any:
        model = given.pop("self")
        return model._one(key, **given)

    return predict


class _Classifier(_Canned):
    _default = PredictionKey.CLASSES
    predict_classes = _prediction(PredictionKey.CLASSES)
    predict_proba = _prediction(PredictionKey.PROBABILITIES)


class _Regressor(_Canned):
    _default = PredictionKey.SCORES
    predict_scores = _prediction(PredictionKey.SCORES)


class LinearClassifier(_Classifier):
    """A linear model that tells classes apart (`tf.contrib.learn.LinearClassifier`).

    Args:
        feature_columns: Columns of `tf.contrib.layers`, or of `tf.feature_column`.
        weight_column_name: Name of the feature that weighs the examples.
        optimizer: An optimizer, its name, or a function that makes it; Ftrl when None.
        gradient_clip_norm: float, global norm that gradients are clipped to.
        enable_centered_bias: Has to be False.
        _joint_weight: Has to be False.
        feature_engineering_fn: Function of features and labels that gives both anew.
        label_keys: List of strings that labels are, for more than two classes.
        others: As for `tf.estimator.LinearClassifier`.
    """

    __init__ = constructor(_LINEAR.format("n_classes=2", "_joint_weight=False", "label_keys=None"))


class LinearRegressor(_Regressor):
    """A linear model of numbers (`tf.contrib.learn.LinearRegressor`).

    `label_dimension` is how many numbers an example has; the rest is as for `LinearClassifier`.
    """

    __init__ = constructor(_LINEAR.format("", "label_dimension=1 _joint_weights=False", ""))


class DNNClassifier(_Classifier):
    """A network that tells classes apart (`tf.contrib.learn.DNNClassifier`).

    Args:
        feature_columns: As for `LinearClassifier`, dense ones.
        optimizer: As there; Adagrad with a rate of 0.05 when None.
        embedding_lr_multipliers: Dict from an embedding column to a factor of its gradients.
        input_layer_min_slice_size: Not used.
        others: As for `LinearClassifier` and `tf.estimator.DNNClassifier`.
    """

    __init__ = constructor(_DNN.format("n_classes=2", "", "label_keys=None"))


class DNNRegressor(_Regressor):
    """A network of numbers (`tf.contrib.learn.DNNRegressor`).

    `label_dimension` is how many numbers an example has; the rest is as for `DNNClassifier`.
    """

    __init__ = constructor(_DNN.format("", "label_dimension=1", ""))


class DNNLinearCombinedClassifier(_Classifier):
    """Wide and deep, for classes (`tf.contrib.learn.DNNLinearCombinedClassifier`).

    Args:
        linear_optimizer: Its optimizer; Ftrl when None.
        _joint_linear_weights: Has to be False.
        dnn_optimizer: Its optimizer; Adagrad with a rate of 0.05 when None.
        fix_global_step_increment_bug: Whether a step counts one. Otherwise it counts two where
            there are both a linear model and a network, as it did in TensorFlow: `steps=200` then
            trains 100 times.
        others: As for `DNNClassifier` and `tf.estimator.DNNLinearCombinedClassifier`.
    """

    __init__ = constructor(_COMBINED.format("n_classes=2", "", "label_keys=None"))


class DNNLinearCombinedRegressor(_Regressor):
    """Wide and deep, for numbers (`tf.contrib.learn.DNNLinearCombinedRegressor`).

    `label_dimension` is how many numbers an example has; the rest is as for `DNNLinearCombinedClassifier`.
    """

    __init__ = constructor(_COMBINED.format("", "label_dimension=1", ""))


def infer_real_valued_columns_from_input_fn(input_fn: Callable[[], Any]) -> list[Column]:
    """A column for each feature of an input function, which is called in a graph of its own.

    Args:
        input_fn: Function without arguments: returns features and labels.
    """
    with _tf.Graph().as_default():
        features, _ = input_fn()
        return _columns.infer_real_valued_columns(features)


def infer_real_valued_columns_from_input(x: Arrays) -> list[Column]:
    """A column for each feature of arrays.

    Args:
        x: Array, or dict of arrays, one row an example.
    """
    return infer_real_valued_columns_from_input_fn(
        _estimators._input_fn_of(x, None, None, None, False)
    )
