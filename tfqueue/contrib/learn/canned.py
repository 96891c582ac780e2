"""The canned estimators of `tf.contrib.learn`: linear models, networks, and both together.

The variables have TensorFlow 1's names, so that a checkpoint of then is trained on and used. Needs
the extra `slim`.
"""

import math
from collections.abc import Callable
from typing import Any

from tfqueue import _tensorflow
from tfqueue.contrib import layers as _layers
from tfqueue.contrib import lookup as _lookup
from tfqueue.contrib.layers import feature_column as _columns
from tfqueue.contrib.learn import estimators as _estimators
from tfqueue.contrib.learn import exports as _exports
from tfqueue.contrib.learn.graph_actions import ModeKeys
from tfqueue.v1 import _layer_base
from tfqueue.v1 import train as _train

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
_DNN_RATE, _LINEAR_RATE = 0.05, 0.2


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

    def __init__(self, weight_column_name, centered):
        if centered:
            raise NotImplementedError(
                "enable_centered_bias is not here; a model has a bias anyway."
            )
        self._weight_column = weight_column_name

    def _loss(self, labels, logits):
        """The loss of each example, of shape (batch, n)."""
        raise NotImplementedError

    def _predictions(self, logits):
        raise NotImplementedError

    def _metrics(self, predictions, labels, weights):
        return {}

    def _served(self, predictions):
        """The `ProblemType` of an export, and what is served."""
        raise NotImplementedError

    def _labels(self, labels):
        if isinstance(labels, dict):
            if len(labels) != 1:
                raise ValueError(f"labels has to be one tensor, not {sorted(labels)}")
            labels = next(iter(labels.values()))
        if isinstance(labels, _tf.SparseTensor):
            raise ValueError("SparseTensor is not supported as labels.")
        return _tf.convert_to_tensor(labels)

    def _weights(self, features):
        if not self._weight_column:
            return None
        if self._weight_column not in features:
            raise ValueError(f"Weights {self._weight_column} missing from features.")
        weights = _tf.cast(features[self._weight_column], _tf.float32)
        return _tf.reshape(weights, [-1, 1]) if weights.shape.ndims == 1 else weights

    def _losses(self, labels, logits, weights):
        """The loss to train with, a mean over the examples, and the one that is told."""
        loss = self._loss(labels, logits)
        if weights is None:
            mean = _tf.reduce_mean(loss)
            return mean, mean
        weights = _tf.broadcast_to(weights, _tf.shape(loss))
        weighted = loss * weights
        average = _tf.div(_tf.reduce_sum(weighted), _tf.reduce_sum(weights))
        return _tf.reduce_mean(weighted), average

    def ops(self, features, labels, mode, logits, train):
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
                with _tf.name_scope(None, "train_op"):  # stands in names of Adam's variables
                    train_op = train(loss)
            metrics = {"loss": _tf.metrics.mean(average)}
            metrics.update(self._metrics(predictions, labels, weights))
            return _estimators.ModelFnOps(mode, predictions, loss, train_op, metrics)


class _Regression(_Head):
    scope = "regression_head"

    def __init__(self, label_dimension, weight_column_name, centered):
        super().__init__(weight_column_name, centered)
        self.width = label_dimension

    def _loss(self, labels, logits):
        labels = labels[:, None] if labels.shape.ndims == 1 else labels
        logits.shape.assert_is_compatible_with(labels.shape)
        return _tf.squared_difference(logits, _tf.cast(labels, _tf.float32))

    def _predictions(self, logits):
        scores = _tf.squeeze(logits, [1], name="scores") if self.width == 1 else logits
        return {PredictionKey.SCORES: _tf.identity(scores)}

    def _served(self, predictions):
        return _exports.ProblemType.LINEAR_REGRESSION, predictions


def _served_classes(predictions, keys=None):
    """The probabilities, and beside each of them the name of its class."""
    probabilities = predictions[PredictionKey.PROBABILITIES]
    with _tf.name_scope(None, "_classification_output_alternatives"):
        names = keys or _tf.as_string(_tf.range(_tf.shape(probabilities)[1]))
        times = [_tf.shape(probabilities)[0], 1]
        classes = _tf.tile(_tf.expand_dims(names, 0), times, name="classes_tensor")
    return {PredictionKey.PROBABILITIES: probabilities, PredictionKey.CLASSES: classes}


class _Binary(_Head):
    scope, width = "binary_logistic_head", 1

    def _loss(self, labels, logits):
        labels = _tf.cast(labels, _tf.float32)
        labels = labels[:, None] if labels.shape.ndims == 1 else labels
        return _tf.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits)

    def _predictions(self, logits):
        two = _tf.concat([_tf.zeros_like(logits), logits], 1)
        return {
            PredictionKey.LOGITS: logits,
            PredictionKey.LOGISTIC: _tf.sigmoid(logits, name="logistic"),
            PredictionKey.PROBABILITIES: _tf.nn.softmax(two, name="probabilities"),
            PredictionKey.CLASSES: _tf.argmax(two, 1),
        }

    def _served(self, predictions):
        return _exports.ProblemType.LOGISTIC_REGRESSION, _served_classes(predictions)

    def _metrics(self, predictions, labels, weights):
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

    def __init__(self, n_classes, weight_column_name, centered, label_keys):
        super().__init__(weight_column_name, centered)
        if label_keys and len(label_keys) != n_classes:
            raise ValueError("Length of label_keys must equal n_classes.")
        self.width, self._keys = n_classes, label_keys

    def _loss(self, labels, logits):
        if self._keys:
            labels = _lookup.index_table_from_tensor(self._keys).lookup(labels)
        if not labels.dtype.is_integer:
            raise ValueError(f"Labels dtype should be integer Instead got {labels.dtype}.")
        flat = _tf.squeeze(labels, [1]) if labels.shape.ndims == 2 else labels
        loss = _tf.nn.sparse_softmax_cross_entropy_with_logits(labels=flat, logits=logits)
        return loss[:, None] if labels.shape.ndims == 2 else loss

    def _predictions(self, logits):
        classes = _tf.argmax(logits, 1)
        if self._keys:
            classes = _lookup.index_to_string_table_from_tensor(self._keys).lookup(classes)
        return {
            PredictionKey.LOGITS: logits,
            PredictionKey.PROBABILITIES: _tf.nn.softmax(logits, name="probabilities"),
            PredictionKey.CLASSES: classes,
        }

    def _served(self, predictions):
        return _exports.ProblemType.CLASSIFICATION, _served_classes(predictions, self._keys)

    def _metrics(self, predictions, labels, weights):
        classes = predictions[PredictionKey.CLASSES]
        return {"accuracy": _tf.metrics.accuracy(labels, classes, weights)}


def _classes(n_classes, weight_column_name, centered, label_keys):
    if not isinstance(n_classes, int) or n_classes < 2:
        raise ValueError(f"n_classes must be > 1 for classification: {n_classes}.")
    if n_classes == 2:
        if label_keys:
            raise ValueError("label_keys is not supported for n_classes=2.")
        return _Binary(weight_column_name, centered)
    return _MultiClass(n_classes, weight_column_name, centered, label_keys)


def _is_old(feature_columns):
    """Whether columns are those of `tf.contrib.layers`, and not of `tf.feature_column`."""
    old = [isinstance(column, _columns.FeatureColumn) for column in feature_columns]
    if any(old) and not all(old):
        raise ValueError(
            "feature_columns has columns of tf.contrib.layers and of tf.feature_column. "
            "Take all of them from one of the two."
        )
    return all(old)


def _partitioner(least=256 << 10):
    """That of a model without a parameter server: one part, which shows in names of slots."""
    return _tf.min_max_variable_partitioner(max_partitions=0, min_slice_size=least)


def _told(value, name):
    _tf.summary.scalar(f"{name}/fraction_of_zero_values", _tf.nn.zero_fraction(value))
    _tf.summary.histogram(f"{name}/activation", value)


def _dnn_logits(features, mode, params, width):
    columns, layers = params["dnn_columns"], params["hidden_units"]
    with _tf.variable_scope("dnn", partitioner=_partitioner()):
        with _tf.variable_scope(
            "input_from_feature_columns", partitioner=_partitioner(64 << 20)
        ) as scope:
            if _is_old(columns):
                net = _columns.input_from_feature_columns(
                    features, columns, weight_collections=["dnn"], scope=scope
                )
            else:
                net = _tf.feature_column.input_layer(features, columns, weight_collections=["dnn"])
        for index, units in enumerate(layers):
            with _tf.variable_scope(f"hiddenlayer_{index}") as scope:
                net = _layers.fully_connected(
                    net,
                    units,
                    activation_fn=params["activation_fn"],
                    variables_collections=["dnn"],
                    scope=scope,
                )
                if params["dropout"] is not None and mode == ModeKeys.TRAIN:
                    net = _layers.dropout(net, keep_prob=1.0 - params["dropout"])
            _told(net, scope.name)
        with _tf.variable_scope("logits") as scope:
            logits = _layers.fully_connected(
                net, width, activation_fn=None, variables_collections=["dnn"], scope=scope
            )
        _told(logits, scope.name)
    return logits


def _linear_logits(features, columns, width, scope):
    if _is_old(columns):
        return _columns.weighted_sum_from_feature_columns(
            features, columns, width, weight_collections=["linear"], scope=scope
        )[0]
    return _layer_base.linear_model(features, columns, width, weight_collections=["linear"])


def _multipliers(by_column):
    """The factor of each embedding's gradient."""
    found = {}
    for column, factor in (by_column or {}).items():
        scope = f"dnn/input_from_feature_columns/{column.name}/"
        every = _tf.get_collection("dnn", scope)
        if not every:
            raise ValueError(f"Couldn't find a variable for column {column}")
        found.update(dict.fromkeys(every, factor))
    return found or None


def _made(optimizer, rate):
    """An optimizer, of a name, of a function or of one that is made already."""
    if isinstance(optimizer, str):
        return _layers.OPTIMIZER_CLS_NAMES[optimizer](learning_rate=rate)
    return optimizer() if callable(optimizer) else optimizer


def _rate_of(columns):
    return min(_LINEAR_RATE, 1.0 / math.sqrt(len(columns)))


def _model_fn(features, labels, mode, params):
    head = params["head"]
    features = features if isinstance(features, dict) else {"": features}
    linear, dnn = params["linear_columns"], params["dnn_columns"]
    step = _train.get_global_step()
    clip = params["gradient_clip_norm"]
    if linear and not dnn:
        with _tf.variable_scope("linear", partitioner=_partitioner(64 << 20)) as scope:
            logits = _linear_logits(features, linear, head.width, scope)

            def train(loss):
                variables = _tf.get_collection("linear")
                gradients = _tf.gradients(loss, variables)
                if clip:
                    gradients, _ = _tf.clip_by_global_norm(gradients, clip)
                optimizer = params["linear_optimizer"]
                if optimizer is None:
                    made = _tf.train.FtrlOptimizer(_rate_of(linear))
                else:
                    made = _made(optimizer, _LINEAR_RATE)
                return made.apply_gradients(zip(gradients, variables, strict=True), step)

            return head.ops(features, labels, mode, logits, train)

    def optimized(loss, name, rate, **how):
        return _layers.optimize_loss(
            loss,
            step,
            learning_rate=rate,
            clip_gradients=clip,
            name=name,
            summaries=[],
            **how,
        )

    dnn_optimizer = params["dnn_optimizer"] or "Adagrad"
    if not isinstance(dnn_optimizer, str):
        dnn_optimizer = _made(dnn_optimizer, _DNN_RATE)
    if not linear:
        logits = _dnn_logits(features, mode, params, head.width)
        # The scope of before, not a second one: it stands in names of Adam's variables.
        with _tf.variable_scope("dnn", auxiliary_name_scope=False), _tf.name_scope("dnn/"):
            return head.ops(
                features,
                labels,
                mode,
                logits,
                lambda loss: optimized(
                    loss,
                    "dnn",
                    _DNN_RATE,
                    optimizer=dnn_optimizer,
                    gradient_multipliers=_multipliers(params["multipliers"]),
                ),
            )
    logits = _dnn_logits(features, mode, params, head.width)
    with _tf.variable_scope("linear", partitioner=_partitioner(64 << 20)) as scope:
        wide = _linear_logits(features, linear, head.width, scope)
        _told(wide, scope.name)

    def train(loss):
        # As TensorFlow had it: both count the step, unless that is fixed.
        fixed = params["fixed"]
        linear_optimizer = params["linear_optimizer"] or "Ftrl"
        if not isinstance(linear_optimizer, str):
            linear_optimizer = _made(linear_optimizer, _LINEAR_RATE)
        ops = [
            optimized(
                loss,
                "dnn",
                _DNN_RATE,
                optimizer=dnn_optimizer,
                gradient_multipliers=_multipliers(params["multipliers"]),
                variables=_tf.get_collection("dnn"),
                increment_global_step=not fixed,
            ),
            optimized(
                loss,
                "linear",
                _rate_of(linear),
                optimizer=linear_optimizer,
                variables=_tf.get_collection("linear"),
                increment_global_step=not fixed,
            ),
        ]
        if not fixed:
            return _tf.group(*ops)
        with _tf.control_dependencies(ops):
            return _tf.assign_add(step, 1).op

    return head.ops(features, labels, mode, logits + wide, train)


class _Canned(_estimators.Estimator):
    """What the canned estimators have in common."""

    def __init__(
        self,
        head,
        model_dir,
        config,
        feature_engineering_fn,
        *,
        linear_columns=(),
        linear_optimizer=None,
        dnn_columns=(),
        dnn_optimizer=None,
        hidden_units=None,
        activation_fn=None,
        dropout=None,
        gradient_clip_norm=None,
        multipliers=None,
        fixed=False,
    ):
        linear_columns, dnn_columns = tuple(linear_columns or ()), tuple(dnn_columns or ())
        if not linear_columns and not dnn_columns:
            raise ValueError(
                "Either linear_feature_columns or dnn_feature_columns must be defined."
            )
        if dnn_columns and not hidden_units:
            raise ValueError(
                "dnn_hidden_units must be defined when dnn_feature_columns is specified."
            )
        for optimizer in (linear_optimizer, dnn_optimizer):
            if type(optimizer).__name__ == "SDCAOptimizer":
                raise NotImplementedError("SDCAOptimizer is not here; the default is Ftrl.")
        params = {
            "head": head,
            "linear_columns": linear_columns,
            "linear_optimizer": linear_optimizer,
            "dnn_columns": dnn_columns,
            "dnn_optimizer": dnn_optimizer,
            "hidden_units": hidden_units,
            "activation_fn": activation_fn or _tf.nn.relu,
            "dropout": dropout,
            "gradient_clip_norm": gradient_clip_norm,
            "multipliers": multipliers,
            "fixed": fixed,
        }
        super().__init__(_model_fn, model_dir, config, params, feature_engineering_fn)

    def _one(self, key, x, input_fn, batch_size, as_iterable):
        found = super().predict(x, input_fn, batch_size, [key], as_iterable)
        return (row[key] for row in found) if as_iterable else found[key]


class _Classifier(_Canned):
    def predict(
        self,
        x: Any = None,
        input_fn: Callable[..., Any] | None = None,
        batch_size: Any = None,
        outputs: Any = None,
        as_iterable: bool = True,
        iterate_batches: bool = False,
    ) -> Any:
        """The classes; or, with `outputs`, dicts of these predictions.

        Args:
          x: As for `Estimator.predict`.
          input_fn: As there.
          batch_size: As there.
          outputs: Names, of `PredictionKey`.
          as_iterable: As there.
          iterate_batches: As there.
        """
        if not outputs:
            return self.predict_classes(x, input_fn, batch_size, as_iterable)
        return super().predict(x, input_fn, batch_size, outputs, as_iterable, iterate_batches)

    def predict_classes(
        self,
        x: Any = None,
        input_fn: Callable[..., Any] | None = None,
        batch_size: Any = None,
        as_iterable: bool = True,
    ) -> Any:
        """The class of each example."""
        return self._one(PredictionKey.CLASSES, x, input_fn, batch_size, as_iterable)

    def predict_proba(
        self,
        x: Any = None,
        input_fn: Callable[..., Any] | None = None,
        batch_size: Any = None,
        as_iterable: bool = True,
    ) -> Any:
        """The probability of each class, for each example."""
        return self._one(PredictionKey.PROBABILITIES, x, input_fn, batch_size, as_iterable)


class _Regressor(_Canned):
    def predict(
        self,
        x: Any = None,
        input_fn: Callable[..., Any] | None = None,
        batch_size: Any = None,
        outputs: Any = None,
        as_iterable: bool = True,
        iterate_batches: bool = False,
    ) -> Any:
        """The scores; or, with `outputs`, dicts of these predictions.

        Args:
          x: As for `Estimator.predict`.
          input_fn: As there.
          batch_size: As there.
          outputs: Names, of `PredictionKey`.
          as_iterable: As there.
          iterate_batches: As there.
        """
        if not outputs:
            return self.predict_scores(x, input_fn, batch_size, as_iterable)
        return super().predict(x, input_fn, batch_size, outputs, as_iterable, iterate_batches)

    def predict_scores(
        self,
        x: Any = None,
        input_fn: Callable[..., Any] | None = None,
        batch_size: Any = None,
        as_iterable: bool = True,
    ) -> Any:
        """The score of each example."""
        return self._one(PredictionKey.SCORES, x, input_fn, batch_size, as_iterable)


class LinearClassifier(_Classifier):
    """A linear model that tells classes apart (`tf.contrib.learn.LinearClassifier`).

    Args:
      feature_columns: Columns of `tf.contrib.layers`, or of `tf.feature_column`.
      model_dir: Folder of the checkpoints and summaries; a new one when None.
      n_classes: int, how many classes; labels are 0 and up.
      weight_column_name: Name of the feature that weighs the examples.
      optimizer: An optimizer, its name, or a function that makes it; Ftrl when None.
      gradient_clip_norm: float, global norm that gradients are clipped to.
      enable_centered_bias: Has to be False.
      _joint_weight: Has to be False.
      config: A `RunConfig`.
      feature_engineering_fn: Function of features and labels that gives both anew.
      label_keys: List of strings that labels are, for more than two classes.

    Raises:
      ValueError: If there are no columns, or fewer than two classes.
    """

    def __init__(
        self,
        feature_columns: Any,
        model_dir: str | None = None,
        n_classes: int = 2,
        weight_column_name: str | None = None,
        optimizer: Any = None,
        gradient_clip_norm: float | None = None,
        enable_centered_bias: bool = False,
        _joint_weight: bool = False,
        config: Any = None,
        feature_engineering_fn: Any = None,
        label_keys: Any = None,
    ) -> None:
        _not_joint(_joint_weight)
        super().__init__(
            _classes(n_classes, weight_column_name, enable_centered_bias, label_keys),
            model_dir,
            config,
            feature_engineering_fn,
            linear_columns=feature_columns,
            linear_optimizer=optimizer,
            gradient_clip_norm=gradient_clip_norm,
        )


class LinearRegressor(_Regressor):
    """A linear model of numbers (`tf.contrib.learn.LinearRegressor`).

    Args:
      feature_columns: As for `LinearClassifier`.
      model_dir: As there.
      weight_column_name: As there.
      optimizer: As there.
      gradient_clip_norm: As there.
      enable_centered_bias: As there.
      label_dimension: int, how many numbers an example has.
      _joint_weights: Has to be False.
      config: As there.
      feature_engineering_fn: As there.
    """

    def __init__(
        self,
        feature_columns: Any,
        model_dir: str | None = None,
        weight_column_name: str | None = None,
        optimizer: Any = None,
        gradient_clip_norm: float | None = None,
        enable_centered_bias: bool = False,
        label_dimension: int = 1,
        _joint_weights: bool = False,
        config: Any = None,
        feature_engineering_fn: Any = None,
    ) -> None:
        _not_joint(_joint_weights)
        super().__init__(
            _Regression(label_dimension, weight_column_name, enable_centered_bias),
            model_dir,
            config,
            feature_engineering_fn,
            linear_columns=feature_columns,
            linear_optimizer=optimizer,
            gradient_clip_norm=gradient_clip_norm,
        )


def _not_joint(joint):
    if joint:
        raise NotImplementedError("Joint weights of a linear model are not here.")


class DNNClassifier(_Classifier):
    """A network that tells classes apart (`tf.contrib.learn.DNNClassifier`).

    Args:
      hidden_units: List of int, the width of each hidden layer.
      feature_columns: As for `LinearClassifier`, dense ones.
      model_dir: As there.
      n_classes: As there.
      weight_column_name: As there.
      optimizer: As there; Adagrad with a rate of 0.05 when None.
      activation_fn: Of the hidden layers; relu when None.
      dropout: float, the part of a hidden layer that is left out in training.
      gradient_clip_norm: As there.
      enable_centered_bias: As there.
      config: As there.
      feature_engineering_fn: As there.
      embedding_lr_multipliers: Dict from an embedding column to a factor of its gradients.
      input_layer_min_slice_size: Not used.
      label_keys: As there.
    """

    def __init__(
        self,
        hidden_units: Any,
        feature_columns: Any,
        model_dir: str | None = None,
        n_classes: int = 2,
        weight_column_name: str | None = None,
        optimizer: Any = None,
        activation_fn: Any = None,
        dropout: float | None = None,
        gradient_clip_norm: float | None = None,
        enable_centered_bias: bool = False,
        config: Any = None,
        feature_engineering_fn: Any = None,
        embedding_lr_multipliers: Any = None,
        input_layer_min_slice_size: Any = None,
        label_keys: Any = None,
    ) -> None:
        super().__init__(
            _classes(n_classes, weight_column_name, enable_centered_bias, label_keys),
            model_dir,
            config,
            feature_engineering_fn,
            dnn_columns=feature_columns,
            dnn_optimizer=optimizer,
            hidden_units=hidden_units,
            activation_fn=activation_fn,
            dropout=dropout,
            gradient_clip_norm=gradient_clip_norm,
            multipliers=embedding_lr_multipliers,
        )


class DNNRegressor(_Regressor):
    """A network of numbers (`tf.contrib.learn.DNNRegressor`).

    Args:
      hidden_units: As for `DNNClassifier`.
      feature_columns: As there.
      model_dir: As there.
      weight_column_name: As there.
      optimizer: As there.
      activation_fn: As there.
      dropout: As there.
      gradient_clip_norm: As there.
      enable_centered_bias: As there.
      config: As there.
      feature_engineering_fn: As there.
      label_dimension: int, how many numbers an example has.
      embedding_lr_multipliers: As there.
      input_layer_min_slice_size: Not used.
    """

    def __init__(
        self,
        hidden_units: Any,
        feature_columns: Any,
        model_dir: str | None = None,
        weight_column_name: str | None = None,
        optimizer: Any = None,
        activation_fn: Any = None,
        dropout: float | None = None,
        gradient_clip_norm: float | None = None,
        enable_centered_bias: bool = False,
        config: Any = None,
        feature_engineering_fn: Any = None,
        label_dimension: int = 1,
        embedding_lr_multipliers: Any = None,
        input_layer_min_slice_size: Any = None,
    ) -> None:
        super().__init__(
            _Regression(label_dimension, weight_column_name, enable_centered_bias),
            model_dir,
            config,
            feature_engineering_fn,
            dnn_columns=feature_columns,
            dnn_optimizer=optimizer,
            hidden_units=hidden_units,
            activation_fn=activation_fn,
            dropout=dropout,
            gradient_clip_norm=gradient_clip_norm,
            multipliers=embedding_lr_multipliers,
        )


class DNNLinearCombinedClassifier(_Classifier):
    """Wide and deep, for classes (`tf.contrib.learn.DNNLinearCombinedClassifier`).

    Args:
      model_dir: As for `LinearClassifier`.
      n_classes: As there.
      weight_column_name: As there.
      linear_feature_columns: Columns of the linear model.
      linear_optimizer: Its optimizer; Ftrl when None.
      _joint_linear_weights: Has to be False.
      dnn_feature_columns: Columns of the network, dense ones.
      dnn_optimizer: Its optimizer; Adagrad with a rate of 0.05 when None.
      dnn_hidden_units: The width of each of its hidden layers.
      dnn_activation_fn: Of these; relu when None.
      dnn_dropout: As for `DNNClassifier`.
      gradient_clip_norm: As there.
      enable_centered_bias: As there.
      config: As there.
      feature_engineering_fn: As there.
      embedding_lr_multipliers: As there.
      input_layer_min_slice_size: Not used.
      label_keys: As there.
      fix_global_step_increment_bug: Whether a step counts one. Otherwise it counts two where there
        are both a linear model and a network, as it did in TensorFlow: `steps=200` are 100 then.
    """

    def __init__(
        self,
        model_dir: str | None = None,
        n_classes: int = 2,
        weight_column_name: str | None = None,
        linear_feature_columns: Any = None,
        linear_optimizer: Any = None,
        _joint_linear_weights: bool = False,
        dnn_feature_columns: Any = None,
        dnn_optimizer: Any = None,
        dnn_hidden_units: Any = None,
        dnn_activation_fn: Any = None,
        dnn_dropout: float | None = None,
        gradient_clip_norm: float | None = None,
        enable_centered_bias: bool = False,
        config: Any = None,
        feature_engineering_fn: Any = None,
        embedding_lr_multipliers: Any = None,
        input_layer_min_slice_size: Any = None,
        label_keys: Any = None,
        fix_global_step_increment_bug: bool = False,
    ) -> None:
        _not_joint(_joint_linear_weights)
        super().__init__(
            _classes(n_classes, weight_column_name, enable_centered_bias, label_keys),
            model_dir,
            config,
            feature_engineering_fn,
            linear_columns=linear_feature_columns,
            linear_optimizer=linear_optimizer,
            dnn_columns=dnn_feature_columns,
            dnn_optimizer=dnn_optimizer,
            hidden_units=dnn_hidden_units,
            activation_fn=dnn_activation_fn,
            dropout=dnn_dropout,
            gradient_clip_norm=gradient_clip_norm,
            multipliers=embedding_lr_multipliers,
            fixed=fix_global_step_increment_bug,
        )


class DNNLinearCombinedRegressor(_Regressor):
    """Wide and deep, for numbers (`tf.contrib.learn.DNNLinearCombinedRegressor`).

    Args:
      model_dir: As for `DNNLinearCombinedClassifier`.
      weight_column_name: As there.
      linear_feature_columns: As there.
      linear_optimizer: As there.
      _joint_linear_weights: As there.
      dnn_feature_columns: As there.
      dnn_optimizer: As there.
      dnn_hidden_units: As there.
      dnn_activation_fn: As there.
      dnn_dropout: As there.
      gradient_clip_norm: As there.
      enable_centered_bias: As there.
      label_dimension: int, how many numbers an example has.
      config: As there.
      feature_engineering_fn: As there.
      embedding_lr_multipliers: As there.
      input_layer_min_slice_size: Not used.
      fix_global_step_increment_bug: As there.
    """

    def __init__(
        self,
        model_dir: str | None = None,
        weight_column_name: str | None = None,
        linear_feature_columns: Any = None,
        linear_optimizer: Any = None,
        _joint_linear_weights: bool = False,
        dnn_feature_columns: Any = None,
        dnn_optimizer: Any = None,
        dnn_hidden_units: Any = None,
        dnn_activation_fn: Any = None,
        dnn_dropout: float | None = None,
        gradient_clip_norm: float | None = None,
        enable_centered_bias: bool = False,
        label_dimension: int = 1,
        config: Any = None,
        feature_engineering_fn: Any = None,
        embedding_lr_multipliers: Any = None,
        input_layer_min_slice_size: Any = None,
        fix_global_step_increment_bug: bool = False,
    ) -> None:
        _not_joint(_joint_linear_weights)
        super().__init__(
            _Regression(label_dimension, weight_column_name, enable_centered_bias),
            model_dir,
            config,
            feature_engineering_fn,
            linear_columns=linear_feature_columns,
            linear_optimizer=linear_optimizer,
            dnn_columns=dnn_feature_columns,
            dnn_optimizer=dnn_optimizer,
            hidden_units=dnn_hidden_units,
            activation_fn=dnn_activation_fn,
            dropout=dnn_dropout,
            gradient_clip_norm=gradient_clip_norm,
            multipliers=embedding_lr_multipliers,
            fixed=fix_global_step_increment_bug,
        )


def infer_real_valued_columns_from_input_fn(input_fn: Callable[..., Any]) -> list[Any]:
    """A column for each feature of an input function, which is called in a graph of its own.

    Args:
      input_fn: Function without arguments: returns features and labels.
    """
    with _tf.Graph().as_default():
        features, _ = input_fn()
        return _columns.infer_real_valued_columns(features)


def infer_real_valued_columns_from_input(x: Any) -> list[Any]:
    """A column for each feature of arrays.

    Args:
      x: Array, or dict of arrays, one row an example.
    """
    return infer_real_valued_columns_from_input_fn(
        _estimators._input_fn_of(x, None, None, None, False)
    )
