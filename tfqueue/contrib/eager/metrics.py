"""`tf.contrib.eager.metrics`: means and shares over many batches, in eager mode and in graphs.

A metric is called with each batch. In eager mode that counts it; in a graph it gives what a session
runs to count it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from tfqueue import _tensorflow
from tfqueue.contrib import eager
from tfqueue.contrib import summary as _summary
from tfqueue.v1 import _lazy_names

_tf = _tensorflow.compat_v1()
_Trackable: Any = _lazy_names.resolve("tensorflow.python.trackable.base:Trackable")
__all__ = ["Accuracy", "BinaryAccuracy", "CategoricalAccuracy", "Mean", "Metric", "SparseAccuracy"]


class Metric(_Trackable):
    """What all metrics are (`tf.contrib.eager.metrics.Metric`): `build`, `call` and `result` are a subclass's.

    Args:
        name: What its variables and its summary begin with; without it, the class's name.
        use_global_variables: Whether a graph has the variables among the global ones, not the local ones.
    """

    def __init__(self, name: str | None = None, use_global_variables: bool = False) -> None:
        self._built = False
        self._vars: list[Any] = []
        self._began: list[Any] = []
        self._use_global_variables = use_global_variables
        name = name or type(self).__name__
        scope_name = re.sub(r"[^A-Za-z0-9.]", "_", name)
        with _tf.variable_scope(scope_name, use_resource=True, reuse=False) as scope:
            self._name = name + scope.name[scope.name.rfind(scope_name) + len(scope_name) :]
            self._scope = scope
        if not _tf.executing_eagerly():
            self.call = eager.defun(self.call)  # type: ignore[method-assign]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Counts a batch: what `call` gives, of one op in a graph."""
        if not self._built:
            with _tf.variable_scope(self._scope):
                self.build(*args, **kwargs)
            self._built = True
        return self.call(*args, **kwargs)

    @property
    def name(self) -> str:
        """The name, with a number where the graph has it already."""
        return self._name

    @property
    def variables(self) -> list[Any]:
        """What it counts in."""
        return self._vars

    def init_variables(self) -> Any:
        """Begins anew: at once in eager mode, by the op that is returned in a graph."""
        if not _tf.executing_eagerly():
            return _tf.group([variable.initializer for variable in self._vars])
        for variable, value in zip(self._vars, self._began, strict=True):
            variable.assign(value)
        return None

    def build(self, *args: Any, **kwargs: Any) -> None:
        """Makes the variables, with `add_variable`, from the first batch."""
        raise NotImplementedError("Metrics must define a build() member function")

    def call(self, *args: Any, **kwargs: Any) -> Any:
        """Counts a batch in the variables."""
        raise NotImplementedError("Metrics must define a call() member function")

    def result(self) -> Any:
        """The number so far."""
        raise NotImplementedError("Metrics must define a result() member function")

    def value(self) -> Any:
        """`result`, in eager mode; what it gives, in a graph."""
        return self.result if _tf.executing_eagerly() else self.result()

    def aggregate(self, metrics: Sequence[Metric]) -> None:
        """Adds what other metrics of this class have counted.

        Raises:
            TypeError: They are of different classes.
            ValueError: Their variables have other names.
        """
        if {type(metric) for metric in metrics} - {type(self)}:
            raise TypeError("All metrics must be the same type.")
        for number, variable in enumerate(self._vars):
            others = [metric.variables[number] for metric in metrics]
            if any(other.name != variable.name for other in others):
                raise ValueError("All metrics must have variables in the same order.")
            variable.assign_add(_tf.add_n(others))

    def add_variable(
        self, name: str, shape: Any = None, dtype: Any = None, initializer: Any = None
    ) -> Any:
        """Makes a variable that `init_variables` sets back.

        Raises:
            RuntimeError: Outside of `build`.
        """
        if self._built:
            raise RuntimeError("Can't call add_variable() except in build().")
        keys = _tf.GraphKeys
        kind = keys.GLOBAL_VARIABLES if self._use_global_variables else keys.LOCAL_VARIABLES
        made = _tf.get_variable(
            name,
            shape,
            dtype,
            initializer,
            trainable=False,
            use_resource=True,
            collections=None if _tf.executing_eagerly() else [kind, keys.METRIC_VARIABLES],
        )
        self._track_trackable(made, name=name)
        self._vars.append(made)
        self._began.append(made.numpy() if _tf.executing_eagerly() else None)
        return made


class Mean(Metric):
    """The mean of all values (`tf.contrib.eager.metrics.Mean`).

    Args:
        dtype: That of the sums, and of the result.
    """

    def __init__(
        self,
        name: str | None = None,
        dtype: Any = _tf.float64,
        use_global_variables: bool = False,
    ) -> None:
        super().__init__(name, use_global_variables)
        self.dtype = dtype

    def build(self, *args: Any, **kwargs: Any) -> None:
        """Makes the two sums."""
        self.numer = self.add_variable("numer", (), self.dtype, _tf.zeros_initializer)
        self.denom = self.add_variable("denom", (), self.dtype, _tf.zeros_initializer)

    def call(self, values: Any, weights: Any = None) -> Any:
        """Counts values of any shape, each with its weight, 1 without."""
        if weights is None:
            self.denom.assign_add(_tf.cast(_tf.size(values), self.dtype))
            total = _tf.reduce_sum(values)
            self.numer.assign_add(_tf.cast(total, self.dtype))
            return total
        weights = _tf.cast(weights, self.dtype)
        self.denom.assign_add(_tf.reduce_sum(weights))
        values = _tf.cast(values, self.dtype) * weights
        self.numer.assign_add(_tf.reduce_sum(values))
        return values, weights

    def result(self, write_summary: bool = True) -> Any:
        """The mean so far; nan where nothing has been counted.

        Args:
            write_summary: Whether the current summary writer has it, too.
        """
        mean = self.numer / self.denom
        if write_summary:
            _summary.scalar(self.name, mean)
        return mean

    def _count(self, matches: Any, *batch: Any, weights: Any) -> tuple[Any, ...]:
        Mean.call(self, _tf.cast(matches, self.dtype), weights)
        return batch if weights is None else (*batch, weights)


def _same_shape(labels: Any, predictions: Any) -> None:
    message = "Shapes of labels and predictions are unequal"
    _tf.assert_equal(_tf.shape(labels), _tf.shape(predictions), message=message)


class Accuracy(Mean):
    """The share of predictions that are their labels (`tf.contrib.eager.metrics.Accuracy`)."""

    def __init__(self, name: str | None = None, dtype: Any = _tf.float64) -> None:
        super().__init__(name, dtype)

    def call(self, labels: Any, predictions: Any, weights: Any = None) -> Any:  # type: ignore[override]
        """Counts labels and predictions of one shape and dtype."""
        _same_shape(labels, predictions)
        return self._count(_tf.equal(labels, predictions), labels, predictions, weights=weights)


class CategoricalAccuracy(Accuracy):
    """The share of rows whose largest number is at their label's (`tf.contrib.eager.metrics.CategoricalAccuracy`)."""

    def call(self, labels: Any, predictions: Any, weights: Any = None) -> Any:  # type: ignore[override]
        """Counts labels as one-hot rows, and logits or probabilities of their shape."""
        _same_shape(labels, predictions)
        labels, predictions = _tf.argmax(labels, axis=-1), _tf.argmax(predictions, axis=-1)
        return self._count(_tf.equal(labels, predictions), labels, predictions, weights=weights)


class BinaryAccuracy(Mean):
    """The share of numbers on their label's side of a threshold (`tf.contrib.eager.metrics.BinaryAccuracy`)."""

    def __init__(self, threshold: float, name: str | None = None, dtype: Any = _tf.float64) -> None:
        super().__init__(name, dtype)
        self.threshold = threshold

    def call(self, labels: Any, predictions: Any, weights: Any = None) -> Any:  # type: ignore[override]
        """Counts labels of 0 and 1, and numbers of their shape."""
        _same_shape(labels, predictions)
        predictions = _tf.convert_to_tensor(predictions) > self.threshold
        labels = _tf.cast(labels, _tf.bool)
        return self._count(_tf.equal(labels, predictions), labels, predictions, weights=weights)


class SparseAccuracy(Accuracy):
    """The share of rows whose largest number is at their label (`tf.contrib.eager.metrics.SparseAccuracy`)."""

    def call(self, labels: Any, predictions: Any, weights: Any = None) -> Any:  # type: ignore[override]
        """Counts labels of shape `[batch]`, and logits or probabilities of shape `[batch, classes]`."""
        message = "First axis of labels and predictions is unequal"
        _tf.assert_equal(_tf.shape(labels), _tf.shape(predictions)[0], message=message)
        predictions = _tf.argmax(predictions, axis=-1)
        labels = _tf.cast(labels, _tf.int64)
        return self._count(_tf.equal(labels, predictions), labels, predictions, weights=weights)
