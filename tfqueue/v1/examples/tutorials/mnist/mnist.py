"""`tensorflow.examples.tutorials.mnist.mnist`: the tutorial's network of two hidden layers.

Four functions, each adding its part to the default graph: `inference` gives
the logits, `loss` the loss, `training` the op of one step, `evaluation` how
many of a batch were right.
"""

import math
from typing import Any

from tfqueue import _tensorflow
from tfqueue.v1._types import Tensor

_tf = _tensorflow.compat_v1()

__all__ = [
    "IMAGE_PIXELS",
    "IMAGE_SIZE",
    "NUM_CLASSES",
    "evaluation",
    "inference",
    "loss",
    "training",
]

NUM_CLASSES = 10
IMAGE_SIZE = 28  # pixels a side
IMAGE_PIXELS = IMAGE_SIZE * IMAGE_SIZE


def _affine(inputs: Tensor, units: int) -> Tensor:
    """`inputs` times a matrix of weights plus biases, variables `weights` and `biases`."""
    width = int(inputs.shape[-1])
    spread = 1.0 / math.sqrt(width)  # keeps the variance of the sums at about one
    weights = _tf.Variable(_tf.truncated_normal([width, units], stddev=spread), name="weights")
    biases = _tf.Variable(_tf.zeros([units]), name="biases")
    return _tf.matmul(inputs, weights) + biases


def inference(images: Tensor, hidden1_units: int, hidden2_units: int) -> Any:
    """The network up to its logits.

    Args:
        images: float32 tensor `[batch, IMAGE_PIXELS]`, 0 to 1.
        hidden1_units: int, the width of the first hidden layer.
        hidden2_units: int, the width of the second.

    Returns:
        float32 tensor `[batch, NUM_CLASSES]`.

    >>> import tfqueue.v1 as tf
    >>> with tf.Graph().as_default():
    ...     logits = inference(tf.zeros([5, IMAGE_PIXELS]), 128, 32)
    ...     print(logits.shape.as_list(), tf.trainable_variables()[0].name)
    [5, 10] hidden1/weights:0
    """
    with _tf.name_scope("hidden1"):
        hidden = _tf.nn.relu(_affine(images, hidden1_units))
    with _tf.name_scope("hidden2"):
        hidden = _tf.nn.relu(_affine(hidden, hidden2_units))
    with _tf.name_scope("softmax_linear"):
        return _affine(hidden, NUM_CLASSES)


def loss(logits: Tensor, labels: Tensor) -> Any:
    """The mean cross entropy of a batch.

    Args:
        logits: float tensor `[batch, NUM_CLASSES]`.
        labels: Integer tensor `[batch]`, 0 to NUM_CLASSES - 1.

    Returns:
        A float scalar tensor.
    """
    each = _tf.nn.sparse_softmax_cross_entropy_with_logits(
        labels=_tf.cast(labels, _tf.int64), logits=logits, name="xentropy"
    )
    return _tf.reduce_mean(each, name="xentropy_mean")


def training(loss: Tensor, learning_rate: float) -> Any:
    """One step of gradient descent; also a summary `loss` and the variable `global_step`.

    Args:
        loss: A float scalar tensor.

    Returns:
        The op of the step.
    """
    _tf.summary.scalar("loss", loss)
    step = _tf.Variable(0, name="global_step", trainable=False)
    return _tf.train.GradientDescentOptimizer(learning_rate).minimize(loss, global_step=step)


def evaluation(logits: Tensor, labels: Tensor) -> Any:
    """How many examples of a batch have their label as the largest logit.

    Args:
        logits: float tensor `[batch, NUM_CLASSES]`.
        labels: Integer tensor `[batch]`.

    Returns:
        An int32 scalar tensor.
    """
    right = _tf.nn.in_top_k(predictions=logits, targets=labels, k=1)
    return _tf.reduce_sum(_tf.cast(right, _tf.int32))
