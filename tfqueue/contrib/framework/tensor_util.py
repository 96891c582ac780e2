"""`tf.contrib.framework`'s functions of tensors, where TensorFlow has others of the name."""

from __future__ import annotations

from typing import Any

from tensorflow.python.ops import confusion_matrix

from tfqueue import _tensorflow
from tfqueue.v1._types import Tensor

_tf = _tensorflow.compat_v1()


def remove_squeezable_dimensions(
    predictions: Any, labels: Any, name: str | None = None
) -> tuple[Tensor, Tensor]:
    """Predictions and labels of one rank (`tf.contrib.framework.remove_squeezable_dimensions`).

    TensorFlow's own function of this name takes and gives the labels first.

    Args:
        predictions: A tensor.
        labels: One whose rank is the same, or one more or less; the last dimension of the longer one is dropped if it is 1.

    Returns:
        The predictions, and the labels.
    """
    with _tf.name_scope(name, "remove_squeezable_dimensions", [predictions, labels]):
        labels, predictions = confusion_matrix.remove_squeezable_dimensions(labels, predictions)
    return predictions, labels
