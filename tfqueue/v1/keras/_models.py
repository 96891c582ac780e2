"""Models of `tf.keras`: the loss where examples are weighted or outputs masked, outputs that are set, and methods that are gone.

What the sum of the losses is divided by, of an output with a mask `m` and weights `w` of its examples:

| release | divisor |
|---|---|
| up to 1.10, and the package keras up to 2.2 | the mean of `m`, times the share of `w` that is not 0 |
| 1.11 and 1.12, and in 1.13 for functions and names but `mse` | the mean of `m * w` |
| 1.13 to 1.15, and keras 2.3 | none |
| TensorFlow 2 | the mean of `m` |
"""

from __future__ import annotations

import collections
import contextlib
import contextvars
import functools
import importlib
from collections.abc import Callable, Iterator
from typing import Any

from tfqueue import _tensorflow
from tfqueue._tensorflow import patches
from tfqueue.v1 import _call_forms

Divisor = Callable[[Any, Any], Any]
"""Takes the weights of an output's examples and its mask, of which one may be None; gives a scalar."""

_tf = _tensorflow.compat_v1()
_without_layers: contextvars.ContextVar[bool] = contextvars.ContextVar(
    "without_layers", default=False
)


def install(keras: Any) -> None:
    """Has models compute their loss as in the program's release, and sequential ones have the old methods.

    Args:
        keras: The module of Keras 2.
    """
    utils = importlib.import_module("tf_keras.src.utils.losses_utils")
    losses = importlib.import_module("tf_keras.src.losses")
    losses.losses_utils = patches.copy_of(  # type: ignore[attr-defined]
        utils,
        get_mask=lambda tensor: None,
        squeeze_or_expand_dimensions=_but_scalars(utils.squeeze_or_expand_dimensions),
    )
    training = importlib.import_module("tf_keras.src.engine.training_v1")
    training.losses_utils = patches.copy_of(  # type: ignore[attr-defined]
        utils,
        apply_valid_mask=lambda values, weights, mask, how: utils.apply_mask(values, weights, mask),
        compute_weighted_loss=_of_any_rank(utils.compute_weighted_loss),
    )
    of_losses: Any = importlib.import_module("tf_keras.src.engine.training_utils_v1")
    of_losses.logging = patches.copy_of(of_losses.logging, warning=_with_its_output)
    training.Model._prepare_total_loss = _as_in_its_release(training.Model._prepare_total_loss)
    weigh = training.Model._recompile_weights_loss_and_weighted_metrics
    training.Model._recompile_weights_loss_and_weighted_metrics = _for_all_steps(weigh)
    layers: Any = importlib.import_module("tf_keras.src.engine.base_layer_utils")
    layers.needs_keras_history = _where_layers_are_made(layers.needs_keras_history)
    generators: Any = importlib.import_module("tf_keras.src.engine.training_generator_v1")
    generators._make_execution_function = _of_lists(generators._make_execution_function)
    for name in ("fit_generator", "evaluate_generator", "predict_generator"):
        setattr(training.Model, name, _of_iterators(getattr(training.Model, name)))
    functional: Any = importlib.import_module("tf_keras.src.engine.functional").Functional
    functional._run_internal_graph = _of_its_outputs(functional._run_internal_graph)
    functional._conform_to_reference_input = _of_its_rank(functional._conform_to_reference_input)
    spec = functional.input_spec
    functional.input_spec = property(_of_any_shape(spec.fget), spec.fset)
    for name, method in (("predict_proba", _probabilities), ("predict_classes", _classes)):
        if not hasattr(keras.Sequential, name):
            setattr(keras.Sequential, name, method)


def _of_any_shape(specs: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """What a model asks of its inputs: their number alone; its layers ask for shapes."""
    kind: Any = importlib.import_module("tf_keras.src.engine.input_spec").InputSpec

    def get(self: Any) -> Any:
        found = specs(self)
        if found is None or hasattr(self, "_manual_input_spec"):
            return found
        parts = [kind(name=one.name, optional=one.optional) for one in _tf.nest.flatten(found)]
        return _tf.nest.pack_sequence_as(found, parts)

    return get


def _of_its_rank(conform: Callable[..., Any]) -> Callable[..., Any]:
    """A tensor that a model is called on: it has the rank that it has, also where that is not the `Input`'s."""

    @functools.wraps(conform)
    def conformed(self: Any, tensor: Any, ref_input: Any) -> Any:
        if isinstance(tensor, _tf.Tensor):
            return _tf.cast(tensor, ref_input.dtype)
        return conform(self, tensor, ref_input)

    return conformed


def _for_all_steps(weigh: Callable[[Any], bool]) -> Callable[[Any], bool]:
    """Takes weights of examples in or out; a step that was made with the others is made anew, too."""

    @functools.wraps(weigh)
    def weighed(self: Any) -> bool:
        changed = weigh(self)
        if changed:
            self.train_function = self.test_function = None
        return changed

    return weighed


def _but_scalars(fit: Callable[..., Any]) -> Callable[..., Any]:
    """Fits the ranks of outputs and targets; an output that is one number, such as a loss that a layer computes, has none to fit."""

    @functools.wraps(fit)
    def fitted(y_pred: Any, y_true: Any = None, sample_weight: Any = None) -> Any:
        if sample_weight is None and y_true is not None and y_pred.shape.rank == 0:
            return y_pred, y_true
        return fit(y_pred, y_true, sample_weight)

    return fitted


def _of_any_rank(compute: Callable[..., Any]) -> Callable[..., Any]:
    """Weighs what a loss gives for a batch, and for more parts of an example than its weights have, as up to 1.13."""

    @functools.wraps(compute)
    def weighed(losses: Any, sample_weight: Any = None, **named: Any) -> Any:
        ranks = losses.shape.rank, getattr(getattr(sample_weight, "shape", None), "rank", None)
        if _call_forms.reaches("1.13", keras=True) and None not in ranks:
            if ranks[0] == 0 and ranks[1]:
                losses = _tf.fill(_tf.shape(sample_weight), losses)
            for _ in range(ranks[0] - ranks[1] if ranks[1] else 0):
                sample_weight = _tf.expand_dims(sample_weight, -1)
        return compute(losses, sample_weight=sample_weight, **named)

    return weighed


def _with_its_output(message: str, *args: Any) -> None:
    """Warns of an output without a loss by its name, which stands at the end; tf_keras leaves its first place unfilled."""
    name = message.rstrip(".").rpartition(" ")[2]
    _tf.logging.warning(message.replace("{0}", f'"{name}"'), *args)


@contextlib.contextmanager
def no_layers_of_ops() -> Iterator[None]:
    """In the block a layer that is called makes no layers of the ops before it, in this thread."""
    before = _without_layers.set(True)
    try:
        yield
    finally:
        _without_layers.reset(before)


def _where_layers_are_made(needs: Callable[..., bool]) -> Callable[..., bool]:
    @functools.wraps(needs)
    def needs_keras_history(*args: Any, **named: Any) -> bool:
        # In a loop or a condition there are none: their values would be asked of a session that waits for the loop.
        within = _tf.get_default_graph()._get_control_flow_context() is not None
        return not (_without_layers.get() or within) and needs(*args, **named)

    return needs_keras_history


def _of_its_outputs(original: Callable[..., Any]) -> Callable[..., Any]:
    """What a model computes when it is called: the outputs that it has by then, after `model.outputs = [...]` too."""

    @functools.wraps(original)
    def run(self: Any, *args: Any, **named: Any) -> Any:
        own = vars(self)
        made, counts = own["_nested_outputs"], own["_tensor_usage_count"]
        outputs = list(self.outputs)
        if list(map(id, outputs)) == list(map(id, _tf.nest.flatten(made))):
            return original(self, *args, **named)
        uses = collections.Counter(str(id(one)) for one in outputs)
        own["_nested_outputs"] = outputs[0] if len(outputs) == 1 else outputs
        own["_tensor_usage_count"] = collections.Counter(counts) + uses
        try:
            return original(self, *args, **named)
        finally:
            own["_nested_outputs"], own["_tensor_usage_count"] = made, counts

    return run


def _of_iterators(method: Callable[..., Any]) -> Callable[..., Any]:
    """A method whose generators can be objects that have `__next__` alone."""

    @functools.wraps(method)
    def called(self: Any, *args: Any, **named: Any) -> Any:
        named = {name: _iterated(value) for name, value in named.items()}
        return method(self, *map(_iterated, args), **named)

    return called


def _iterated(given: Any) -> Any:
    if not hasattr(type(given), "__next__") or hasattr(type(given), "__iter__"):
        return given

    return (one for one in iter(functools.partial(next, given), object()))


def _of_lists(make: Callable[..., Any]) -> Callable[..., Any]:
    """What makes the step of a batch that a generator gave: a list, too, had inputs, targets and weights.

    Only where a model has no targets it has inputs alone, as since 1.13.
    """

    @functools.wraps(make)
    def made(model: Any, mode: Any, *args: Any, **named: Any) -> Any:
        step = make(model, mode, *args, **named)
        if mode == "predict":
            return step

        def of_a_batch(*batch: Any) -> Any:
            given = batch[0] if len(batch) == 1 and isinstance(batch[0], list) else ()
            return step(*given if len(given) in (2, 3) and model._feed_targets else batch)

        return of_a_batch

    return made


def _as_in_its_release(original: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(original)
    def _prepare_total_loss(self: Any, masks: Any) -> Any:
        return total_loss(functools.partial(original, self), self, masks, _divisor)

    return _prepare_total_loss


def total_loss(
    original: Callable[[Any], Any],
    model: Any,
    masks: Any,
    divisor: Callable[[Any], Divisor | None],
) -> Any:
    """The loss of a compiled model.

    Args:
        original: Computes it with weights and masks that are factors and nothing else.
        masks: The mask of each output, or None.
        divisor: Gives for an output what its loss is divided by; None for nothing.
    """
    ends = model._training_endpoints
    given = [end.sample_weight for end in ends]
    for end, mask, weight in zip(ends, masks, given, strict=True):
        divides = divisor(end)
        if divides is None or mask is weight is None:
            continue
        mask = None if mask is None else _tf.cast(mask, end.output.dtype)
        end.sample_weight = (1.0 if weight is None else weight) / divides(weight, mask)
    try:
        return original(masks)
    finally:
        for end, weight in zip(ends, given, strict=True):
            end.sample_weight = weight


def shares_that_count(weights: Any, mask: Any) -> Any:
    """The share of steps that no mask hides, times that of examples whose weight is not 0.

    Where nothing counts it is 0, and the loss NaN.
    """
    share = 1.0 if mask is None else _tf.reduce_mean(mask)
    if weights is not None:
        share *= _tf.reduce_mean(_tf.cast(_tf.not_equal(weights, 0), weights.dtype))
    return share


def _mean_weight(weights: Any, mask: Any) -> Any:
    """The mean weight of a step, 0 where it is hidden; infinite where it is 0, so that the loss is 0."""
    if weights is not None and mask is not None:
        for _ in range(mask.shape.rank - weights.shape.rank):
            weights = _tf.expand_dims(weights, -1)
        weights *= mask
    mean = _tf.reduce_mean(mask if weights is None else weights)
    return _tf.where(_tf.equal(mean, 0), _tf.constant(float("inf"), mean.dtype), mean)


def _divisor(end: Any) -> Divisor | None:
    """What the loss of an output is divided by in the program's release."""
    if _call_forms.reaches("1.10"):
        return shares_that_count
    if _call_forms.reaches("1.12") or (_call_forms.reaches("1.13") and _is_function(end.loss_fn)):
        return _mean_weight
    return None


def _is_function(loss: Any) -> bool:
    """Whether a loss is a function or its name, and none that 1.13 had a class for by name: it had one for `mse`."""
    name = getattr(getattr(loss, "fn", None), "__name__", "mean_squared_error")
    return type(loss).__name__ == "LossFunctionWrapper" and name != "mean_squared_error"


def _probabilities(self: Any, x: Any, batch_size: int | None = None, verbose: int = 0) -> Any:
    """What `predict` gives (`tf.keras.Sequential.predict_proba`)."""
    return self.predict(x, batch_size, verbose)


def _classes(self: Any, x: Any, batch_size: int = 32, verbose: int = 0) -> Any:
    """The class of each example (`tf.keras.Sequential.predict_classes`).

    Returns:
        The place of the largest output along the last axis; where there is one output, int32, 1 if it is above 0.5.
    """
    found = self.predict(x, batch_size=batch_size, verbose=verbose)
    return found.argmax(axis=-1) if found.shape[-1] > 1 else (found > 0.5).astype("int32")
