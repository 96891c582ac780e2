"""The canned estimators of `tf.estimator`, on the columns of `tf.feature_column`.

The variables have the names of TensorFlow 1.15, so that its checkpoints can be trained on and used.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

from tfqueue import _tensorflow, release
from tfqueue import estimator as _estimator
from tfqueue._tensorflow import seeds
from tfqueue.estimator import _heads, _models
from tfqueue.v1 import _layer_base
from tfqueue.v1 import layers as _layers
from tfqueue.v1 import train as _train
from tfqueue.v1._signatures import constructor, takes
from tfqueue.v1._types import Features, Op, Scope, Tensor

_tf = _tensorflow.compat_v1()

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
]
_COMBINED_DNN_RATE, _COMBINED_LINEAR_RATE = 0.001, 0.005

# The parameters of the constructors, with what tells classes from numbers, and a head's loss.
_CLASSES = "n_classes=2 weight_column=None label_vocabulary=None"
_NUMBERS = "label_dimension=1 weight_column=None"
_LOSS = "warm_start_from=None loss_reduction='weighted_sum'"
_LINEAR = (
    "feature_columns model_dir=None {} optimizer='Ftrl' config=None partitioner=None {} "
    "sparse_combiner='sum'"
)
_DNN = (
    "hidden_units feature_columns model_dir=None {} optimizer='Adagrad' activation_fn='relu' "
    "dropout=None input_layer_partitioner=None config=None warm_start_from=None {} batch_norm=False"
)
_COMBINED = (
    "model_dir=None linear_feature_columns=None linear_optimizer='Ftrl' dnn_feature_columns=None "
    "dnn_optimizer='Adagrad' dnn_hidden_units=None dnn_activation_fn='relu' dnn_dropout=None {} "
    "input_layer_partitioner=None config=None {} linear_sparse_combiner='sum'"
)

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
        layer = _layers.dense(
            net,
            units,
            activation=activation,
            kernel_initializer=_tf.glorot_uniform_initializer(),
            name=scope,
        )
        # Its two variables were resources, which are one op more each when made and when read.
        seeds.more(0 if release.before("1.12") else 4)
        return layer

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


@takes(
    "units hidden_units feature_columns activation_fn dropout input_layer_partitioner "
    "batch_norm=False"
)
def dnn_logit_fn_builder(given: dict[str, Any]) -> Callable[..., Tensor]:
    """A function of features and a mode that gives the logits of a network.

    Args:
        units: int, how many logits an example has.
        others: As for `DNNClassifier`.
    """
    width = given["units"]
    if not isinstance(width, int):
        raise ValueError(f"units must be an int. Given type: {type(width)}")
    model, batch_norm = _models.Model.of(given), given["batch_norm"]

    def dnn_logit_fn(features: Features, mode: str) -> Tensor:
        return _dnn_logits(model, batch_norm, features, mode, width)

    return dnn_logit_fn


def _linear_logits(model: _models.Model, features: Features, width: int) -> Tensor:
    """The logits, and the summaries of what they are computed from."""
    variables: dict[Any, Any] = {}
    logits = _layer_base.linear_model(
        features,
        model.linear_columns,
        width,
        sparse_combiner=model.linear_sparse_combiner,
        cols_to_vars=variables,
    )
    bias = variables.pop("bias")
    if release.before("1.6"):
        return logits
    if width == 1:
        _tf.summary.scalar("bias", bias[0][0])
    else:
        _tf.summary.histogram("bias", bias)
    weights = [_tf.reshape(each, [-1]) for each in _tf.nest.flatten(list(variables.values()))]
    share = _models.zero_fraction(_tf.concat(weights, 0))
    _tf.summary.scalar("fraction_of_zero_weights", share)
    return logits


@takes("units feature_columns sparse_combiner='sum'")
def linear_logit_fn_builder(given: dict[str, Any]) -> Callable[..., Tensor]:
    """A function of features that gives the logits of a linear model.

    Args:
        units: int, how many logits an example has.
        others: As for `LinearClassifier`.
    """
    model, width = _models.Model.of(given), given["units"]

    def linear_logit_fn(features: Features) -> Tensor:
        return _linear_logits(model, features, width)

    return linear_logit_fn


def get_optimizer_instance(opt: Any, learning_rate: float | None = None) -> Any:
    """An optimizer, from its name, from a function that makes it, or as it is.

    Args:
        opt: One of the three.
        learning_rate: The rate of one that has a name.

    Raises:
        ValueError: If there is no such optimizer, or a named one has no rate.
    """
    if isinstance(opt, str) and not learning_rate and opt in _OPTIMIZERS:
        raise ValueError("learning_rate must be specified when opt is string.")
    found = _models.optimizer_of(opt, learning_rate or 0.0, _OPTIMIZERS)
    if not isinstance(found, _tf.train.Optimizer):
        raise ValueError(f"The given object is not an Optimizer instance. Given: {found}")
    return found


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
        done = _tf.group(*ops)
        return _models.counted(self._step, [done]) if self._both else done


def _spec(
    head: _heads.Head,
    features: Features,
    labels: Tensor | None,
    mode: str,
    logits: Tensor,
    training: _Training,
) -> _estimator.EstimatorSpec:
    spec: _estimator.EstimatorSpec = head.create_estimator_spec(
        features=features, mode=mode, logits=logits, labels=labels, train_op_fn=training.op
    )
    return spec


def _model_fn(
    model: _models.Model,
    head: _heads.Head,
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
            parts.append(_dnn_logits(model, batch_norm, features, mode, head.logits_dimension))
            if not linear:
                return _spec(head, features, labels, mode, parts[0], training)
    rate = _models.LINEAR_RATE
    if dnn:
        rate = min(_COMBINED_LINEAR_RATE, model.linear_rate())
    elif model.linear_optimizer == "Ftrl":
        rate = model.linear_rate()
    training.add(model.linear_optimizer, rate, "linear")
    with _tf.variable_scope("linear", partitioner=_models.partitioner()) as scope:
        logits = _linear_logits(model, features, head.logits_dimension)
        if not dnn:
            return _spec(head, features, labels, mode, logits, training)
        _models.add_activation_summaries(logits, scope.name)
    return _spec(head, features, labels, mode, parts[0] + logits, training)


def head_of(given: dict[str, Any]) -> _heads.Head:
    """The head that the arguments of a constructor describe."""
    kind = _heads.Classes if "n_classes" in given else _heads.Regression
    taken = inspect.signature(kind).parameters.keys() & given.keys()
    return kind(**{name: given[name] for name in taken})


class _Canned(_estimator.Estimator):
    """What the canned estimators have in common."""

    def _init_with(self, given: dict[str, Any]) -> None:
        """Makes the estimator of its constructor's arguments."""
        head = given.get("head") or head_of(given)
        batch_norm = given.get("batch_norm", False)
        model_fn = functools.partial(_model_fn, _models.Model.of(given), head, batch_norm)
        super().__init__(
            model_fn, given["model_dir"], given["config"], None, given.get("warm_start_from")
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
        partitioner: Not used.
        warm_start_from: A checkpoint, or `WarmStartSettings`, with the first values of the variables.
        loss_reduction: A `tf.losses.Reduction` of the examples' losses.
        sparse_combiner: How the ids of an example are added up: `"sum"`, `"mean"` or `"sqrtn"`.

    Raises:
        ValueError: If there are no columns, or fewer than two classes.
    """

    __init__ = constructor(_LINEAR.format(_CLASSES, _LOSS))


class LinearRegressor(_Canned):
    """A linear model of numbers (`tf.estimator.LinearRegressor`).

    `label_dimension` is how many numbers an example has; the rest is as for `LinearClassifier`.
    """

    __init__ = constructor(_LINEAR.format(_NUMBERS, _LOSS))


class DNNClassifier(_Canned):
    """A network that tells classes apart (`tf.estimator.DNNClassifier`).

    Args:
        hidden_units: List of int, the width of each hidden layer.
        feature_columns: Columns of `tf.feature_column`, dense ones.
        activation_fn: Of the hidden layers; relu unless it is given, and none when None.
        dropout: float, the part of a hidden layer that is left out in training.
        input_layer_partitioner: Not used.
        batch_norm: Whether each hidden layer is normalized.
        others: As for `LinearClassifier`.
    """

    __init__ = constructor(_DNN.format(_CLASSES, "loss_reduction='weighted_sum'"))


class DNNRegressor(_Canned):
    """A network of numbers (`tf.estimator.DNNRegressor`).

    `label_dimension` is how many numbers an example has; the rest is as for `DNNClassifier`.
    """

    __init__ = constructor(_DNN.format(_NUMBERS, "loss_reduction='weighted_sum'"))


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

    __init__ = constructor(_COMBINED.format(_CLASSES, f"{_LOSS} batch_norm=False"))


class DNNLinearCombinedRegressor(_Canned):
    """Wide and deep, for numbers (`tf.estimator.DNNLinearCombinedRegressor`).

    `label_dimension` is how many numbers an example has; the rest is as for `DNNLinearCombinedClassifier`.
    """

    __init__ = constructor(_COMBINED.format(_NUMBERS, f"{_LOSS} batch_norm=False"))


class LinearEstimator(_Canned):
    """A linear model with a head of the program's own (`tf.estimator.LinearEstimator`).

    `head` is one of `tf.contrib.estimator`; the rest is as for `LinearClassifier`.
    """

    __init__ = constructor("head " + _LINEAR.format("", ""))


class DNNEstimator(_Canned):
    """A network with a head of the program's own (`tf.estimator.DNNEstimator`).

    `head` is one of `tf.contrib.estimator`; the rest is as for `DNNClassifier`.
    """

    __init__ = constructor("head " + _DNN.format("", ""))


class DNNLinearCombinedEstimator(_Canned):
    """Wide and deep, with a head of the program's own (`tf.estimator.DNNLinearCombinedEstimator`).

    `head` is one of `tf.contrib.estimator`; the rest is as for `DNNLinearCombinedClassifier`.
    """

    __init__ = constructor("head " + _COMBINED.format("", ""))
