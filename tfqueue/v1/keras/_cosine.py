"""The cosine of targets and predictions as a loss and a metric of `tf.keras`: its sign is that of the release.

It was negative up to TensorFlow 1.13 and in the package keras up to 2.2, positive in 1.14 and 1.15, and is negative
since 2.0, where the metric is positive. Up to 1.4, and in Keras 1, it was the mean of the products and not their sum.
"""

from __future__ import annotations

import importlib
from typing import Any

from tfqueue import _tensorflow, release
from tfqueue.v1 import _call_forms

_tf = _tensorflow.compat_v1()


def install(keras: Any) -> None:
    """Gives the losses and metrics of Keras 2 the function by all of its names."""
    names = ("cosine", "cosine_proximity", "cosine_similarity")
    for kind in ("losses", "metrics"):
        for module in (getattr(keras, kind), importlib.import_module(f"tf_keras.src.{kind}")):
            for name in names:
                setattr(module, name, cosine_proximity)


def cosine_proximity(y_true: Any, y_pred: Any, axis: int = -1) -> Any:
    """The cosine along an axis, of the sign that it has in the program's release."""
    product = _tf.nn.l2_normalize(y_true, axis) * _tf.nn.l2_normalize(y_pred, axis)
    if release.shows_keras_1() or _call_forms.reaches("1.4"):
        return -_tf.reduce_mean(product, axis)
    found = _tf.reduce_sum(product, axis)
    return -found if _call_forms.reaches("1.13", keras=True) else found
