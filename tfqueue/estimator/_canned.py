"""The canned estimators of `tf.estimator`, on the columns of `tf.feature_column`.

The variables have the names of TensorFlow 1.15, so that a checkpoint of then is trained on and used.
"""

import math
from typing import Any

from tensorflow.python.ops import lookup_ops

from tfqueue import _tensorflow
from tfqueue import estimator as _estimator
from tfqueue.estimator import _export
from tfqueue.v1 import _layer_base
from tfqueue.v1 import layers as _layers
from tfqueue.v1 import train as _train

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
_SUM = _tf.losses.Reduction.SUM
_DNN_RATE, _LINEAR_RATE = 0.05, 0.2
_COMBINED_DNN_RATE, _COMBINED_LINEAR_RATE = 0.001, 0.005


class _Head:
    """From logits to an `EstimatorSpec`.

    Attributes:
      width: How many logits an example has.
    """

    width: int

    def __init__(self, weight_column, loss_reduction):
        self._weight_column, self._reduction = weight_column, loss_reduction

    def _weights(self, features):
        column = self._weight_column
        if column is None:
            return 1.0
        if isinstance(column, str):
            column = _tf.feature_column.numeric_column(column)
        return _tf.feature_column.input_layer(features, [column])

    def _labels(self, labels):
        """The labels, of shape (batch, n)."""
        if labels is None:
            raise ValueError("You must provide a labels Tensor. Given: None.")
        labels = _tf.convert_to_tensor(labels)
        labels = labels[:, None] if labels.shape.ndims == 1 else labels
        labels.shape.assert_is_compatible_with([None, self._label_width()])
        return labels

    def _label_width(self):
        return 1

    def _loss(self, labels, logits):
        raise NotImplementedError

    def _predictions(self, logits):
        raise NotImplementedError

    def _metrics(self, labels, predictions, weights):
        raise NotImplementedError

    def _exports(self, predictions):
        """Name of the signature to its output, the default one first, without `predict`."""
        raise NotImplementedError

    def spec(self, features, labels, mode, logits, train):
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
    def __init__(self, label_dimension, *args):
        super().__init__(*args)
        self.width = label_dimension

    def _label_width(self):
        return self.width

    def _loss(self, labels, logits):
        return _tf.squared_difference(logits, _tf.cast(labels, _tf.float32))

    def _predictions(self, logits):
        return {"predictions": logits}

    def _exports(self, predictions):
        return {"regression": _export.RegressionOutput(predictions["predictions"])}

    def _metrics(self, labels, predictions, weights):
        mean = _tf.metrics.mean
        return {
            "prediction/mean": mean(predictions["predictions"], weights),
            "label/mean": mean(_tf.cast(labels, _tf.float32), weights),
        }


class _Classes(_Head):
    def __init__(self, n_classes, vocabulary, *args):
        super().__init__(*args)
        if not isinstance(n_classes, int) or n_classes < 2:
            raise ValueError(f"n_classes must be >= 2: {n_classes}.")
        if vocabulary and len(vocabulary) != n_classes:
            raise ValueError("Length of label_vocabulary must be equal to n_classes.")
        self._count, self._vocabulary = n_classes, vocabulary
        self.width = 1 if n_classes == 2 else n_classes

    def _ids(self, labels):
        if self._vocabulary:
            return lookup_ops.index_table_from_tensor(self._vocabulary).lookup(labels)
        if self._count > 2 and not labels.dtype.is_integer:
            raise ValueError(f"Labels dtype should be integer. Instead got {labels.dtype}.")
        return labels

    def _loss(self, labels, logits):
        ids = self._ids(labels)
        top = _tf.cast(self._count - 1, ids.dtype)
        checks = [
            _tf.debugging.assert_less_equal(ids, top, message="Labels must be <= n_classes - 1"),
            _tf.debugging.assert_non_negative(ids, message="Labels must be >= 0"),
        ]
        with _tf.control_dependencies(checks):
            ids = _tf.identity(ids)
        if self._count == 2:
            ids = _tf.cast(ids, _tf.float32)
            return _tf.nn.sigmoid_cross_entropy_with_logits(labels=ids, logits=logits)
        ids = _tf.squeeze(ids, [1])
        return _tf.nn.sparse_softmax_cross_entropy_with_logits(labels=ids, logits=logits)[:, None]

    def _predictions(self, logits):
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

    def _names(self, scores):
        """The names of all classes, for each example."""
        names = self._vocabulary or _tf.as_string(_tf.range(self._count))
        return _tf.tile(_tf.expand_dims(names, 0), [_tf.shape(scores)[0], 1])

    def _exports(self, predictions):
        scores = predictions["probabilities"]
        found = {"classification": _export.ClassificationOutput(scores, self._names(scores))}
        if self._count == 2:
            found["regression"] = _export.RegressionOutput(predictions["logistic"])
        return found

    def _metrics(self, labels, predictions, weights):
        metrics, ids = _tf.metrics, self._ids(labels)
        classes = predictions["class_ids"]
        found = {"accuracy": metrics.accuracy(ids, classes, weights)}
        if self._count > 2:
            return found
        logistic = predictions["logistic"]
        mean = metrics.mean(_tf.cast(ids, _tf.float32), weights)
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


def _optimizer(given, rate):
    """An optimizer, of a name, of a function or of one that is made already."""
    if isinstance(given, str):
        if given not in _OPTIMIZERS:
            raise ValueError(
                f"Unsupported optimizer name: {given}. Supported names are: {sorted(_OPTIMIZERS)}"
            )
        return _OPTIMIZERS[given](learning_rate=rate)
    return given() if callable(given) else given


def _partitioner(least=256 << 10):
    return _tf.min_max_variable_partitioner(max_partitions=0, min_slice_size=least)


def _told(value, name):
    _tf.summary.scalar(f"{name}/fraction_of_zero_values", _tf.nn.zero_fraction(value))
    _tf.summary.histogram(f"{name}/activation", value)


def _dnn_logits(features, mode, params, width):
    training = mode == _estimator.ModeKeys.TRAIN
    with _tf.variable_scope("input_from_feature_columns", partitioner=_partitioner(64 << 20)):
        net = _tf.feature_column.input_layer(features, params["dnn_columns"])
    for index, units in enumerate(params["hidden_units"]):
        with _tf.variable_scope(f"hiddenlayer_{index}") as scope:
            net = _layers.dense(
                net,
                units,
                activation=params["activation_fn"],
                kernel_initializer=_tf.glorot_uniform_initializer(),
                name=scope,
            )
            if params["dropout"] is not None and training:
                net = _layers.dropout(net, rate=params["dropout"], training=True)
            if params["batch_norm"]:
                net = _layers.batch_normalization(
                    net, momentum=0.999, training=training, name=f"batchnorm_{index}"
                )
        _told(net, scope.name)
    with _tf.variable_scope("logits") as scope:
        logits = _layers.dense(
            net, width, kernel_initializer=_tf.glorot_uniform_initializer(), name=scope
        )
    _told(logits, scope.name)
    return logits


def _model_fn(features, labels, mode, params):
    head = params["head"]
    if not isinstance(features, dict):
        raise ValueError(
            f"features should be a dictionary of `Tensor`s. Given type: {type(features)}"
        )
    linear, dnn = params["linear_columns"], params["dnn_columns"]
    step = _train.get_global_step()
    minimized, parts = [], []

    def minimizer(optimizer, scope):
        def minimize(loss):
            alone = not (linear and dnn)
            variables = None if alone else _tf.trainable_variables(scope)
            return optimizer.minimize(loss, step if alone else None, var_list=variables)

        return minimize

    def train(loss):
        ops = [minimize(loss) for minimize in minimized]
        updates = _tf.get_collection(_tf.GraphKeys.UPDATE_OPS)
        done = _tf.group(*ops, *updates)
        if len(ops) == 1:
            return done
        with _tf.control_dependencies([done]):
            return _tf.assign_add(step, 1).op

    if dnn:
        rate = _COMBINED_DNN_RATE if linear else _DNN_RATE
        minimized.append(minimizer(_optimizer(params["dnn_optimizer"], rate), "dnn"))
        with _tf.variable_scope("dnn", partitioner=_partitioner()) as scope:
            parts.append(_dnn_logits(features, mode, params, head.width))
            if not linear:
                return head.spec(features, labels, mode, parts[0], train)
    rate = _LINEAR_RATE
    if dnn:
        rate = min(_COMBINED_LINEAR_RATE, 1.0 / math.sqrt(len(linear)))
    elif params["linear_optimizer"] == "Ftrl":
        rate = min(_LINEAR_RATE, 1.0 / math.sqrt(len(linear)))
    minimized.append(minimizer(_optimizer(params["linear_optimizer"], rate), "linear"))
    with _tf.variable_scope("linear", partitioner=_partitioner(64 << 20)) as scope:
        logits = _layer_base.linear_model(
            features, linear, head.width, sparse_combiner=params["sparse_combiner"]
        )
        _told(logits, scope.name)
        if not dnn:
            return head.spec(features, labels, mode, logits, train)
    return head.spec(features, labels, mode, parts[0] + logits, train)


class _Canned(_estimator.Estimator):
    """What the canned estimators have in common."""

    def __init__(
        self,
        head,
        model_dir,
        config,
        warm_start_from,
        *,
        linear_columns=(),
        linear_optimizer="Ftrl",
        dnn_columns=(),
        dnn_optimizer="Adagrad",
        hidden_units=None,
        activation_fn=None,
        dropout=None,
        batch_norm=False,
        sparse_combiner="sum",
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
        params = {
            "head": head,
            "linear_columns": linear_columns,
            "linear_optimizer": linear_optimizer,
            "dnn_columns": dnn_columns,
            "dnn_optimizer": dnn_optimizer,
            "hidden_units": hidden_units,
            "activation_fn": activation_fn or _tf.nn.relu,
            "dropout": dropout,
            "batch_norm": batch_norm,
            "sparse_combiner": sparse_combiner,
        }
        super().__init__(_model_fn, model_dir, config, None, warm_start_from)
        self.params = params  # as they are: columns and optimizers are not copied


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
      warm_start_from: A checkpoint, or `WarmStartSettings`, that a first training begins with.
      loss_reduction: A `tf.losses.Reduction` of the examples' losses.
      sparse_combiner: How the ids of an example are added up: `"sum"`, `"mean"` or `"sqrtn"`.

    Raises:
      ValueError: If there are no columns, or fewer than two classes.
    """

    def __init__(
        self,
        feature_columns: Any,
        model_dir: str | None = None,
        n_classes: int = 2,
        weight_column: Any = None,
        label_vocabulary: Any = None,
        optimizer: Any = "Ftrl",
        config: Any = None,
        partitioner: Any = None,
        warm_start_from: Any = None,
        loss_reduction: str = _SUM,
        sparse_combiner: str = "sum",
    ) -> None:
        super().__init__(
            _Classes(n_classes, label_vocabulary, weight_column, loss_reduction),
            model_dir,
            config,
            warm_start_from,
            linear_columns=feature_columns,
            linear_optimizer=optimizer,
            sparse_combiner=sparse_combiner,
        )


class LinearRegressor(_Canned):
    """A linear model of numbers (`tf.estimator.LinearRegressor`).

    Args:
      feature_columns: As for `LinearClassifier`.
      model_dir: As there.
      label_dimension: int, how many numbers an example has.
      weight_column: As there.
      optimizer: As there.
      config: As there.
      partitioner: Not used.
      warm_start_from: As there.
      loss_reduction: As there.
      sparse_combiner: As there.
    """

    def __init__(
        self,
        feature_columns: Any,
        model_dir: str | None = None,
        label_dimension: int = 1,
        weight_column: Any = None,
        optimizer: Any = "Ftrl",
        config: Any = None,
        partitioner: Any = None,
        warm_start_from: Any = None,
        loss_reduction: str = _SUM,
        sparse_combiner: str = "sum",
    ) -> None:
        super().__init__(
            _Regression(label_dimension, weight_column, loss_reduction),
            model_dir,
            config,
            warm_start_from,
            linear_columns=feature_columns,
            linear_optimizer=optimizer,
            sparse_combiner=sparse_combiner,
        )


class DNNClassifier(_Canned):
    """A network that tells classes apart (`tf.estimator.DNNClassifier`).

    Args:
      hidden_units: List of int, the width of each hidden layer.
      feature_columns: As for `LinearClassifier`, dense ones.
      model_dir: As there.
      n_classes: As there.
      weight_column: As there.
      label_vocabulary: As there.
      optimizer: As there.
      activation_fn: Of the hidden layers; relu when None.
      dropout: float, the part of a hidden layer that is left out in training.
      input_layer_partitioner: Not used.
      config: As there.
      warm_start_from: As there.
      loss_reduction: As there.
      batch_norm: Whether each hidden layer is normalized.
    """

    def __init__(
        self,
        hidden_units: Any,
        feature_columns: Any,
        model_dir: str | None = None,
        n_classes: int = 2,
        weight_column: Any = None,
        label_vocabulary: Any = None,
        optimizer: Any = "Adagrad",
        activation_fn: Any = None,
        dropout: float | None = None,
        input_layer_partitioner: Any = None,
        config: Any = None,
        warm_start_from: Any = None,
        loss_reduction: str = _SUM,
        batch_norm: bool = False,
    ) -> None:
        super().__init__(
            _Classes(n_classes, label_vocabulary, weight_column, loss_reduction),
            model_dir,
            config,
            warm_start_from,
            dnn_columns=feature_columns,
            dnn_optimizer=optimizer,
            hidden_units=hidden_units,
            activation_fn=activation_fn,
            dropout=dropout,
            batch_norm=batch_norm,
        )


class DNNRegressor(_Canned):
    """A network of numbers (`tf.estimator.DNNRegressor`).

    Args:
      hidden_units: As for `DNNClassifier`.
      feature_columns: As there.
      model_dir: As there.
      label_dimension: int, how many numbers an example has.
      weight_column: As there.
      optimizer: As there.
      activation_fn: As there.
      dropout: As there.
      input_layer_partitioner: Not used.
      config: As there.
      warm_start_from: As there.
      loss_reduction: As there.
      batch_norm: As there.
    """

    def __init__(
        self,
        hidden_units: Any,
        feature_columns: Any,
        model_dir: str | None = None,
        label_dimension: int = 1,
        weight_column: Any = None,
        optimizer: Any = "Adagrad",
        activation_fn: Any = None,
        dropout: float | None = None,
        input_layer_partitioner: Any = None,
        config: Any = None,
        warm_start_from: Any = None,
        loss_reduction: str = _SUM,
        batch_norm: bool = False,
    ) -> None:
        super().__init__(
            _Regression(label_dimension, weight_column, loss_reduction),
            model_dir,
            config,
            warm_start_from,
            dnn_columns=feature_columns,
            dnn_optimizer=optimizer,
            hidden_units=hidden_units,
            activation_fn=activation_fn,
            dropout=dropout,
            batch_norm=batch_norm,
        )


class DNNLinearCombinedClassifier(_Canned):
    """Wide and deep, for classes (`tf.estimator.DNNLinearCombinedClassifier`).

    Args:
      model_dir: As for `LinearClassifier`.
      linear_feature_columns: Columns of the linear model.
      linear_optimizer: Its optimizer.
      dnn_feature_columns: Columns of the network, dense ones.
      dnn_optimizer: Its optimizer. Of a name, it has the rate of 1.15: 0.001, which was 0.05 once.
      dnn_hidden_units: The width of each of its hidden layers.
      dnn_activation_fn: Of these; relu when None.
      dnn_dropout: As for `DNNClassifier`.
      n_classes: As there.
      weight_column: As there.
      label_vocabulary: As there.
      input_layer_partitioner: Not used.
      config: As there.
      warm_start_from: As there.
      loss_reduction: As there.
      batch_norm: As for `DNNClassifier`.
      linear_sparse_combiner: As `sparse_combiner` there.
    """

    def __init__(
        self,
        model_dir: str | None = None,
        linear_feature_columns: Any = None,
        linear_optimizer: Any = "Ftrl",
        dnn_feature_columns: Any = None,
        dnn_optimizer: Any = "Adagrad",
        dnn_hidden_units: Any = None,
        dnn_activation_fn: Any = None,
        dnn_dropout: float | None = None,
        n_classes: int = 2,
        weight_column: Any = None,
        label_vocabulary: Any = None,
        input_layer_partitioner: Any = None,
        config: Any = None,
        warm_start_from: Any = None,
        loss_reduction: str = _SUM,
        batch_norm: bool = False,
        linear_sparse_combiner: str = "sum",
    ) -> None:
        super().__init__(
            _Classes(n_classes, label_vocabulary, weight_column, loss_reduction),
            model_dir,
            config,
            warm_start_from,
            linear_columns=linear_feature_columns,
            linear_optimizer=linear_optimizer,
            dnn_columns=dnn_feature_columns,
            dnn_optimizer=dnn_optimizer,
            hidden_units=dnn_hidden_units,
            activation_fn=dnn_activation_fn,
            dropout=dnn_dropout,
            batch_norm=batch_norm,
            sparse_combiner=linear_sparse_combiner,
        )


class DNNLinearCombinedRegressor(_Canned):
    """Wide and deep, for numbers (`tf.estimator.DNNLinearCombinedRegressor`).

    Args:
      model_dir: As for `DNNLinearCombinedClassifier`.
      linear_feature_columns: As there.
      linear_optimizer: As there.
      dnn_feature_columns: As there.
      dnn_optimizer: As there.
      dnn_hidden_units: As there.
      dnn_activation_fn: As there.
      dnn_dropout: As there.
      label_dimension: int, how many numbers an example has.
      weight_column: As there.
      input_layer_partitioner: Not used.
      config: As there.
      warm_start_from: As there.
      loss_reduction: As there.
      batch_norm: As there.
      linear_sparse_combiner: As there.
    """

    def __init__(
        self,
        model_dir: str | None = None,
        linear_feature_columns: Any = None,
        linear_optimizer: Any = "Ftrl",
        dnn_feature_columns: Any = None,
        dnn_optimizer: Any = "Adagrad",
        dnn_hidden_units: Any = None,
        dnn_activation_fn: Any = None,
        dnn_dropout: float | None = None,
        label_dimension: int = 1,
        weight_column: Any = None,
        input_layer_partitioner: Any = None,
        config: Any = None,
        warm_start_from: Any = None,
        loss_reduction: str = _SUM,
        batch_norm: bool = False,
        linear_sparse_combiner: str = "sum",
    ) -> None:
        super().__init__(
            _Regression(label_dimension, weight_column, loss_reduction),
            model_dir,
            config,
            warm_start_from,
            linear_columns=linear_feature_columns,
            linear_optimizer=linear_optimizer,
            dnn_columns=dnn_feature_columns,
            dnn_optimizer=dnn_optimizer,
            hidden_units=dnn_hidden_units,
            activation_fn=dnn_activation_fn,
            dropout=dnn_dropout,
            batch_norm=batch_norm,
            sparse_combiner=linear_sparse_combiner,
        )
