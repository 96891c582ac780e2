"""What the canned estimators of `tf.estimator` and of `tf.contrib.learn` have in common.

Both build a linear model, a network, or both together, from the same arguments; they differ in their
layers, in what a head measures and in how they count steps.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Mapping
from typing import Any

from tfqueue import _tensorflow
from tfqueue.v1 import _function_op_counts
from tfqueue.v1._types import Column, Op, Scope, Tensor

_tf = _tensorflow.compat_v1()
zero_fraction = _function_op_counts.FUNCTIONS["nn.zero_fraction"]
"""`tf.nn.zero_fraction`, which counts as in the release for the seeds behind it."""

LINEAR_RATE, DNN_RATE = 0.2, 0.05
"""The rates of a linear model's and of a network's own optimizer."""


@dataclasses.dataclass(frozen=True)
class Model:
    """The two parts of a model, one of which may be missing, and how they are trained.

    Attributes:
        linear_columns: Columns of the linear model.
        linear_optimizer: Its optimizer, that one's name, or a function that makes it.
        linear_sparse_combiner: How the ids of an example are added up.
        dnn_columns: Columns of the network.
        dnn_optimizer: Its optimizer, likewise.
        dnn_hidden_units: The width of each hidden layer.
        dnn_activation_fn: Of the hidden layers.
        dnn_dropout: float, the part of a hidden layer that is left out in training.
    """

    linear_columns: tuple[Column, ...]
    linear_optimizer: Any
    linear_sparse_combiner: str
    dnn_columns: tuple[Column, ...]
    dnn_optimizer: Any
    dnn_hidden_units: Any
    dnn_activation_fn: Callable[..., Any] | None
    dnn_dropout: float | None

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> Model:
        """The model that the arguments of a constructor describe.

        Args:
            given: Name to value. An estimator of one part has `feature_columns`, one of both
                `linear_feature_columns` and `dnn_feature_columns`, and so on.

        Raises:
            ValueError: If there are no columns, or columns of a network without a layer.
        """
        only = "dnn" if "hidden_units" in given else "linear"
        alone = "feature_columns" in given

        def value(part: str, name: str) -> Any:
            if alone:
                return given.get(name) if part == only else None
            return given.get(f"{part}_{name}")

        activation = value("dnn", "activation_fn")  # None is linear
        model = cls(
            linear_columns=tuple(value("linear", "feature_columns") or ()),
            linear_optimizer=value("linear", "optimizer"),
            linear_sparse_combiner=value("linear", "sparse_combiner") or "sum",
            dnn_columns=tuple(value("dnn", "feature_columns") or ()),
            dnn_optimizer=value("dnn", "optimizer"),
            dnn_hidden_units=value("dnn", "hidden_units"),
            dnn_activation_fn=_tf.nn.relu if activation == "relu" else activation,
            dnn_dropout=value("dnn", "dropout"),
        )
        if not model.linear_columns and not model.dnn_columns:
            raise ValueError(
                "Either linear_feature_columns or dnn_feature_columns must be defined."
            )
        if model.dnn_columns and not model.dnn_hidden_units:
            raise ValueError(
                "dnn_hidden_units must be defined when dnn_feature_columns is specified."
            )
        return model

    def linear_rate(self) -> float:
        """The rate of the linear model's own optimizer: the more columns, the smaller."""
        return min(LINEAR_RATE, 1.0 / math.sqrt(len(self.linear_columns)))

    def network(
        self,
        width: int,
        input_layer: Callable[[Scope], Tensor],
        dense: Callable[[Tensor, int, Any, Scope], Tensor],
        between: Callable[[Tensor, int], Tensor],
    ) -> Tensor:
        """Builds the network.

        Args:
            width: How many logits an example has.
            input_layer: Function of a scope: the tensor of the columns.
            dense: Function of a tensor, a number of units, an activation and a scope: a layer.
            between: Function of a layer's tensor and its index: what follows it.

        Returns:
            The logits, of shape `[batch, width]`.
        """
        with _tf.variable_scope("input_from_feature_columns", partitioner=partitioner()) as scope:
            net = input_layer(scope)
        for index, units in enumerate(self.dnn_hidden_units):
            with _tf.variable_scope(f"hiddenlayer_{index}") as scope:
                net = between(dense(net, units, self.dnn_activation_fn, scope), index)
            add_activation_summaries(net, scope.name)
        with _tf.variable_scope("logits") as scope:
            logits = dense(net, width, None, scope)
        add_activation_summaries(logits, scope.name)
        return logits


def partitioner() -> Any:
    """The partitioner without a parameter server: one part, which the names of slots show."""
    return _tf.min_max_variable_partitioner(max_partitions=1)


def add_activation_summaries(value: Tensor, name: str) -> None:
    """Adds the summaries of a layer's tensor."""
    _tf.summary.scalar(f"{name}/fraction_of_zero_values", zero_fraction(value))
    _tf.summary.histogram(f"{name}/activation", value)


def optimizer_of(given: Any, rate: float, classes: Mapping[str, Callable[..., Any]]) -> Any:
    """An optimizer, from a name, from a function that makes it, or as it is.

    Args:
        given: One of the three.
        rate: The learning rate of one that has a name.

    Raises:
        ValueError: If there is no optimizer of that name.
    """
    if isinstance(given, str):
        if given not in classes:
            raise ValueError(
                f"Unsupported optimizer name: {given}. Supported names are: {sorted(classes)}"
            )
        return classes[given](learning_rate=rate)
    return given() if callable(given) else given


def counted(step: Tensor, ops: list[Op]) -> Op:
    """An op that runs others, and then counts one step.

    Args:
        step: The global step.
        ops: What is run before.
    """
    with _tf.control_dependencies(ops):
        return _tf.assign_add(step, 1).op
