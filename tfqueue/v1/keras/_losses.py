"""Losses and metrics of `tf.keras` by their release: the binary crossentropy, labels of a hinge, top k, activities.

| of | up to 1.13, and the package keras up to 2.2 | 1.14 and 1.15 |
|---|---|---|
| `binary_crossentropy` of probabilities | of the logits of the clipped ones | of the clipped ones, with epsilon in the logarithm |
| `hinge` and `squared_hinge` with labels 0 and 1 | as they are | as -1 and 1 |
| `top_k_categorical_accuracy`, also sparse, as a function | one number | a number for each example |
| the loss of an `activity_regularizer` (1.13 as 1.14) | of a batch | of an example |

Whether a crossentropy is made of the inputs of a softmax or a sigmoid, `_backend` decides.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable
from typing import Any

from tfqueue import _tensorflow
from tfqueue.v1 import _call_forms

_tf = _tensorflow.compat_v1()


def install(keras: Any) -> None:
    """Has them compute what they did in the program's release.

    Args:
        keras: The module of Keras 2.
    """
    backend: Any = importlib.import_module("tf_keras.src.backend")
    losses: Any = importlib.import_module("tf_keras.src.losses")
    losses._maybe_convert_labels = _as_in_its_release(losses._maybe_convert_labels)
    for module in (backend, keras.backend):
        module.binary_crossentropy = binary_crossentropy
    utils: Any = importlib.import_module("tf_keras.src.engine.training_utils_v1")
    utils.get_loss_function = _without_a_name(utils.get_loss_function, losses.Loss)
    for name in ("base_layer", "base_layer_v1"):
        layer: Any = importlib.import_module(f"tf_keras.src.engine.{name}").Layer
        layer._handle_activity_regularization = _of_all_examples(
            layer._handle_activity_regularization
        )
    for name in ("top_k_categorical_accuracy", "sparse_top_k_categorical_accuracy"):
        setattr(keras.metrics, name, _of_a_batch(getattr(keras.metrics, name)))


def _without_a_name(original: Callable[..., Any], kind: type) -> Callable[..., Any]:
    """What a loss of `compile` computes: a `functools.partial`, or an object, took labels and predictions alone."""

    @functools.wraps(original)
    def get_loss_function(loss: Any) -> Any:
        plain = callable(loss) and not hasattr(loss, "__name__") and not isinstance(loss, kind)
        if plain and _is_early():
            return original(lambda y_true, y_pred: loss(y_true, y_pred))
        return original(loss)

    return get_loss_function


def _is_early() -> bool:
    return _call_forms.reaches("1.13", keras=True)


def binary_crossentropy(target: Any, output: Any, from_logits: bool = False) -> Any:
    """The crossentropy of each element (`tf.keras.backend.binary_crossentropy`).

    Args:
        target: Labels from 0 to 1, of the shape of `output`.
        output: Probabilities, or logits.
        from_logits: Whether it is logits.

    Returns:
        A tensor of the shape of `output`.
    """
    backend: Any = importlib.import_module("tf_keras.src.backend")
    target, output = _tf.convert_to_tensor(target), _tf.convert_to_tensor(output)
    output, from_logits = backend._get_logits(output, from_logits, "Sigmoid", "binary_crossentropy")
    if from_logits:
        return _tf.nn.sigmoid_cross_entropy_with_logits(labels=target, logits=output)
    epsilon = _tf.cast(backend.epsilon(), output.dtype)
    output = _tf.clip_by_value(output, epsilon, 1 - epsilon)
    if _is_early():
        logits = _tf.log(output / (1 - output))
        return _tf.nn.sigmoid_cross_entropy_with_logits(labels=target, logits=logits)
    # No constant: 1 + epsilon, which today's TensorFlow would compute beforehand, has other digits.
    epsilon = _tf.placeholder_with_default(epsilon, ())
    found = target * _tf.log(output + epsilon) + (1 - target) * _tf.log(1 - output + epsilon)
    return -found


def _as_in_its_release(convert: Callable[[Any], Any]) -> Callable[[Any], Any]:
    @functools.wraps(convert)
    def converted(labels: Any) -> Any:
        return labels if _is_early() else convert(labels)

    return converted


def _of_a_batch(metric: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(metric)
    def found(*args: Any, **named: Any) -> Any:
        of_each = metric(*args, **named)
        if _is_early():
            return _tf.reduce_mean(of_each)
        # in 1.14 and 1.15 labels such as [[1], [0]] gave a number each, [2], and not [2, 1]
        column = of_each.shape.rank == 2 and of_each.shape[-1] == 1
        return _tf.reshape(of_each, [-1]) if column else of_each

    return found


def _of_all_examples(handle: Callable[..., None]) -> Callable[..., None]:
    @functools.wraps(handle)
    def handled(self: Any, inputs: Any, outputs: Any) -> None:
        if not _call_forms.reaches("1.12", keras=True):
            handle(self, inputs, outputs)
        elif self._activity_regularizer:
            for output in _tf.nest.flatten(outputs):
                self.add_loss(self._activity_regularizer(output), inputs=inputs)

    return handled
