"""What Keras 2 gives for several batches: the package keras, and `tf.keras` up to 1.12, counted each as often as it has examples.

| of | up to 1.12, and the package keras up to 2.2 | since 1.13 |
|---|---|---|
| a metric that gives one number for a batch | counts examples | counts batches |
| a metric of weighted or masked examples | averages batches; weights are divided by how many are not 0 (1.11 and 1.12: by their sum) | averages all examples |
| the loss of one of several outputs | counts examples | counts batches |
| the loss of a generator's batches, evaluated | counts examples | counts batches |
| metrics of a batch alone, behind `fit` or `evaluate` | of that batch (in 1.13, too) | of what was counted before, too |
| the arrays `fit_generator` evaluates | all of them | `validation_steps` batches |
| the examples `fit` evaluates | as they stand | shuffled, with numpy's state |
| an epoch of `fit` shuffles | the order of the epoch before | the first order |
| what an epoch and `evaluate` give | float64, all of it | float64, and float32 of metrics |

Up to 1.15 callbacks get these as numpy's numbers, whose `item` some of them call.
"""

from __future__ import annotations

import contextvars
import functools
import importlib
import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from tfqueue import _tensorflow
from tfqueue._tensorflow import patches
from tfqueue.graph import traversal
from tfqueue.v1 import _call_forms

_tf = _tensorflow.compat_v1()
_ENGINE = "tf_keras.src.engine"
_LOOPS = ("evaluate", "evaluate_generator", "fit", "fit_generator")
_order: contextvars.ContextVar[dict[int, Any] | None] = contextvars.ContextVar(
    "order", default=None
)

_mask: contextvars.ContextVar[Any] = contextvars.ContextVar("mask", default=None)


class _Outputs(list[Any]):
    """What a step gave for a batch, and how many examples it had."""

    examples = 0


def install() -> None:
    """Has averages of batches be those of the program's release."""
    utils: Any = importlib.import_module(f"{_ENGINE}.training_utils_v1")
    utils.MetricsAggregator.aggregate = _counting(utils.MetricsAggregator.aggregate)
    aggregator = utils.OutputsAggregator
    aggregator.create = _for_each_example(aggregator.create)
    aggregator.aggregate = _for_each_example(aggregator.aggregate)
    utils.get_metric_function = _of_each_example(utils.get_metric_function)
    utils.call_metric_function = _with_a_mask_besides(utils.call_metric_function)
    utils.metrics_module = patches.copy_of(utils.metrics_module, MeanMetricWrapper=_of_batches())
    modules: Any = (
        importlib.import_module(f"{_ENGINE}.training{name}_v1")
        for name in ("", "_arrays", "_generator")
    )
    training, arrays, generators = modules
    callbacks: Any = importlib.import_module("tf_keras.src.callbacks")
    vars(arrays)["np"] = patches.copy_of(np, arange=_arange)
    for home, name, change in (
        (training.Model, "_set_metric_attributes", _with_weighted_losses),
        *((training.Model, name, _forgetting) for name in _LOOPS),
        (arrays, "fit_loop", _shuffled_on),
        (arrays, "model_iteration", _as_they_stand),
        (arrays, "test_loop", _as_they_stand),
        (arrays, "predict_loop", _as_they_stand),
        (generators, "model_iteration", _evaluated_whole),
        (generators, "_make_execution_function", _telling_examples),
        (callbacks.CallbackList, "_process_logs", _numbers_of_numpy),
        (callbacks.BaseLogger, "on_batch_end", _summed_exactly),
        (callbacks.BaseLogger, "on_epoch_end", _told_exactly),
    ):
        own = getattr(home, name)
        setattr(home, name, functools.wraps(own)(change(own)))


def _counts_examples() -> bool:
    return _call_forms.reaches("1.12", keras=True)


def _forgetting(loop: Callable[..., Any]) -> Callable[..., Any]:
    """A method behind which metrics begin anew, as up to 1.13: those of a batch alone had what they had counted before."""

    def looped(self: Any, *args: Any, **named: Any) -> Any:
        found = loop(self, *args, **named)
        if _call_forms.reaches("1.13", keras=True) and self.built:
            self.reset_metrics()
        return [_exact(one) for one in found] if isinstance(found, list) else _exact(found)

    return looped


def _exact(number: Any) -> Any:
    """A float32 of numpy's as the float64 that it was up to 1.12; anything else as it is."""
    return np.float64(number) if isinstance(number, np.float32) and _counts_examples() else number


def _numbers_of_numpy(original: Callable[..., Any]) -> Any:
    """What callbacks are told: numpy's numbers; they were made Python's."""

    def _process_logs(self: Any, logs: Any, *rest: Any, **named: Any) -> Any:
        if logs is None or any(map(_tf.is_tensor, logs.values())):
            return original(self, logs, *rest, **named)
        return logs

    return _process_logs


def _summed_exactly(original: Callable[..., Any]) -> Any:
    """The average of an epoch's batches, in float64 as numpy 1 had it."""

    def on_batch_end(self: Any, batch: Any, logs: Any = None) -> None:
        kept = self.stateful_metrics
        told = {
            name: np.float64(one) if isinstance(one, np.float32) and name not in kept else one
            for name, one in (logs or {}).items()
        }
        original(self, batch, told)

    return on_batch_end


def _told_exactly(original: Callable[..., Any]) -> Any:
    """What the first callback of an epoch tells the others."""

    def on_epoch_end(self: Any, epoch: Any, logs: Any = None) -> None:
        original(self, epoch, logs)
        if logs:
            logs.update({name: _exact(number) for name, number in logs.items()})

    return on_epoch_end


def _of_each_example(get: Callable[..., Any]) -> Callable[..., Any]:
    """Gives the function of a metric: where it gives one number for a batch, that number for each example."""

    @functools.wraps(get)
    def got(*args: Any, **named: Any) -> Any:
        metric = get(*args, **named)
        if not _counts_examples():
            return metric
        if getattr(metric, "stateful", False) and not isinstance(metric, _metric()):
            return _of_a_layer()(metric)
        if not inspect.isfunction(metric):
            return metric

        @functools.wraps(metric)
        def counted(y_true: Any, y_pred: Any, *rest: Any, **words: Any) -> Any:
            found = metric(y_true, y_pred, *rest, **words)
            single = _tf.is_tensor(found) and found.shape.rank == 0
            return _tf.fill(_tf.shape(y_pred)[:1], found) if single else found

        return counted

    return got


def _metric() -> Any:
    return importlib.import_module("tf_keras.src.metrics.base_metric").Metric


def _counts_weights() -> bool:
    return _call_forms.reaches("1.10", keras=True)


def _with_a_mask_besides(call: Callable[..., Any]) -> Callable[..., Any]:
    """Has a metric get its mask and its weights, where these are not one."""

    @functools.wraps(call)
    def called(
        metric_fn: Any, y_true: Any, y_pred: Any = None, weights: Any = None, mask: Any = None
    ) -> Any:
        apart = isinstance(metric_fn, _of_batches()) and _counts_weights()
        if not apart or weights is None or mask is None:
            return call(metric_fn, y_true, y_pred, weights, mask)
        before = _mask.set(mask)
        try:
            return call(metric_fn, y_true, y_pred, weights)
        finally:
            _mask.reset(before)

    return called


@functools.cache
def _of_batches() -> Any:
    """`MeanMetricWrapper`, which up to 1.12 averaged what batches gave, where weights and masks are, too."""
    base: Any = importlib.import_module("tf_keras.src.metrics.base_metric")

    class OfBatches(base.Mean):
        """An average in which a batch counts as often as it has examples."""

        def update_state(self, values: Any, sample_weight: Any = None) -> Any:
            """Takes what a metric gave for the examples of a batch in."""
            if not _counts_examples():
                return super().update_state(values, sample_weight=sample_weight)
            values = _tf.cast(values, self.dtype)
            examples = _tf.shape(values)[:1]
            mask = _mask.get()
            if mask is not None:
                values *= _tf.cast(mask, self.dtype)
                values /= _tf.reduce_mean(_tf.cast(mask, self.dtype))
            if sample_weight is not None:
                weights = _tf.cast(sample_weight, self.dtype)
                if weights.shape.rank == values.shape.rank + 1 and weights.shape[-1] == 1:
                    weights = weights[..., 0]
                values = _tf.reduce_mean(values, [*range(weights.shape.rank, values.shape.rank)])
                counted = (
                    _tf.cast(_tf.not_equal(weights, 0), self.dtype)
                    if _counts_weights()
                    else weights
                )
                values = values * weights / _tf.reduce_mean(counted)
            return super().update_state(_tf.fill(examples, _tf.reduce_mean(values)))

    # As one of tf_keras: the updates of another's metric are collected, and AutoGraph reads it.
    members = {"__module__": base.MeanMetricWrapper.__module__}
    return type("MeanMetricWrapper", (base.MeanMetricWrapper, OfBatches), members)


@functools.cache
def _of_a_layer() -> Any:
    """A class of metrics for layers with `stateful`, which counted for themselves in the package keras since 2.1.5 and up to 1.12."""

    class LastOfALayer(_metric()):  # type: ignore[misc]
        """What a layer gave for the last batch; its updates run behind that."""

        def __init__(self, layer: Any) -> None:
            super().__init__(name=layer.name, dtype="float32")
            self._layer = lambda: layer  # an attribute would be a part of this one
            self._last = self.add_weight(name="last", initializer="zeros")

        def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:
            """Computes the value for a batch, and then runs the updates of the layer."""
            layer = self._layer()
            before = list(layer._updates)
            value = _tf.cast(layer(y_true, y_pred), self.dtype)
            updates = [one for one in layer._updates if not any(one is old for old in before)]
            counted = {op.name for op in traversal.ancestors([value.op])}
            for one in updates:
                op = getattr(one, "op", one)
                if op.name not in counted:
                    op._add_control_inputs([value.op])
            with _tf.control_dependencies(updates):
                return self._last.assign(value)

        def result(self) -> Any:
            """The value for the last batch."""
            return self._last

        def reset_state(self) -> None:
            """Begins anew, and the layer does, too."""
            super().reset_state()
            self._layer().reset_states()

    return LastOfALayer


def _for_each_example(take: Callable[..., None]) -> Callable[..., None]:
    """`OutputsAggregator` is given what a batch has put out: an output that is one number is that of each of its examples."""

    @functools.wraps(take)
    def taken(self: Any, outs: Any, start: int = 0, end: int | None = None) -> None:
        if not self.use_steps and isinstance(outs, list):
            count = 1 if end is None else end - start
            outs = [np.full(count, one) if isinstance(one, np.generic) else one for one in outs]
        take(self, outs, *(() if end is None else (start, end)))

    return taken


def _counting(aggregate: Callable[..., None]) -> Callable[..., None]:
    """`MetricsAggregator.aggregate`, which sums losses as float64, as numpy 1 did, and counts examples where a step tells them."""

    @functools.wraps(aggregate)
    def summed(self: Any, batch_outs: Any, *rest: Any, **named: Any) -> None:
        loss = np.float64(batch_outs[0])
        examples = getattr(batch_outs, "examples", 0)
        if examples:
            self.num_samples = (self.num_samples or 0) + examples
            loss *= examples
        aggregate(self, [loss, *batch_outs[1:]], *rest, **named)

    return summed


@functools.cache
def _loss_of_output() -> Any:
    """The class of the mean of an output's loss, in which a batch counts as often as it has examples."""
    mean: Any = importlib.import_module("tf_keras.src.metrics").Mean

    class LossOfOutput(mean):
        def __call__(self, loss: Any) -> Any:
            examples = _tf.cast(_tf.shape(self._examples_of)[0], loss.dtype)
            return super().__call__(loss, sample_weight=examples)

    return LossOfOutput


def _with_weighted_losses(original: Callable[..., Any]) -> Any:
    def _set_metric_attributes(self: Any) -> None:
        original(self)
        if not _counts_examples() or _tf.executing_eagerly():
            return
        for end in self._training_endpoints:
            metric = end.output_loss_metric
            if metric is not None:
                # one number has no examples; they are those of the inputs
                scalar = end.output.shape.rank == 0
                object.__setattr__(metric, "_examples_of", self.inputs[0] if scalar else end.output)
                metric.__class__ = _loss_of_output()

    return _set_metric_attributes


def _shuffled_on(original: Callable[..., Any]) -> Any:
    """The loop of `fit` over arrays, in which an epoch shuffles what the one before it had."""

    def fit_loop(*args: Any, **named: Any) -> Any:
        return _with_order({} if _counts_examples() else None, original, *args, **named)

    return fit_loop


def _as_they_stand(original: Callable[..., Any]) -> Any:
    """A loop over arrays that does not train; `fit` calls that for its validation by another name than its own."""

    def model_iteration(*args: Any, **named: Any) -> Any:
        if _counts_examples() and named.get("validation_in_fit"):
            named.setdefault("shuffle", False)
        return _with_order(None, original, *args, **named)

    return model_iteration


def _with_order(
    order: dict[int, Any] | None, loop: Callable[..., Any], *args: Any, **named: Any
) -> Any:
    before = _order.set(order)
    try:
        return loop(*args, **named)
    finally:
        _order.reset(before)


def _arange(examples: Any) -> Any:
    """The order of the examples, which an epoch shuffles in place."""
    kept = _order.get()
    return np.arange(examples) if kept is None else kept.setdefault(examples, np.arange(examples))


def _evaluated_whole(original: Callable[..., Any]) -> Any:
    """The loop over generators; `fit_generator` calls it by this name for its validation alone."""

    def model_iteration(model: Any, data: Any, batch_size: Any = None, **named: Any) -> Any:
        given = data if _counts_examples() and isinstance(data, list | tuple) else ()
        if len(given) not in (2, 3) or _tf.is_tensor(given[0]):
            return original(model, data, batch_size=batch_size, **named)
        x, y, weights = (*given, None)[:3]
        return model.evaluate(x, y, batch_size=batch_size, sample_weight=weights, verbose=0)

    return model_iteration


def _telling_examples(make: Callable[..., Any]) -> Any:
    def made(*args: Any, **named: Any) -> Any:
        step = make(*args, **named)
        if not _counts_examples():
            return step

        def of_a_batch(*batch: Any) -> Any:
            found = step(*batch)
            outputs = _Outputs(found if isinstance(found, list) else [found])
            outputs.examples = int(_tf.nest.flatten(batch)[0].shape[0])
            return outputs

        return of_a_batch

    return made
