"""`tf.contrib.kernel_methods`: random features in place of a Gaussian kernel, and a loss for many classes."""

import abc
import math
from typing import Any

import numpy as np

from tfqueue import _tensorflow
from tfqueue.v1 import _lazy_names
from tfqueue.v1._types import Scope, Tensor

_tf = _tensorflow.compat_v1()

__all__ = ["RandomFourierFeatureMapper", "sparse_multiclass_hinge_loss"]
__getattr__, __dir__ = _lazy_names.attributes(__name__, {})


class InvalidShapeError(Exception):
    """A tensor has not the shape that a mapper takes."""


class DenseKernelMapper(abc.ABC):
    """What maps a tensor into the space of a kernel; a program's own ones are derived from it."""

    @abc.abstractmethod
    def map(self, input_tensor: Tensor) -> Any:
        """The mapped tensor."""

    @property
    @abc.abstractmethod
    def name(self) -> str:
        """The mapper's name."""

    @property
    @abc.abstractmethod
    def output_dim(self) -> int:
        """How many columns it gives."""


class RandomFourierFeatureMapper(DenseKernelMapper):
    """Columns whose products are about a Gaussian kernel (`tf.contrib.kernel_methods.RandomFourierFeatureMapper`).

    Args:
        input_dim: int, the columns that it takes.
        output_dim: int, the columns that it gives.
        stddev: The kernel's standard deviation.
        seed: int, of numpy's random numbers: `map` seeds numpy's global state, as the original does.
        name: The mapper's name.
    """

    def __init__(
        self,
        input_dim: int,
        output_dim: int,
        stddev: float = 1.0,
        seed: int = 1,
        name: str | None = None,
    ) -> None:
        self._dims, self._stddev, self._seed, self._name = (
            (input_dim, output_dim),
            stddev,
            seed,
            name,
        )

    @property
    def name(self) -> str:
        """The mapper's name, its id if it was given none."""
        return self._name or str(id(self))

    @property
    def input_dim(self) -> int:
        """How many columns it takes."""
        return self._dims[0]

    @property
    def output_dim(self) -> int:
        """How many columns it gives."""
        return self._dims[1]

    def map(self, input_tensor: Tensor) -> Any:
        """The cosines of random sums of the columns.

        Args:
            input_tensor: float32 `[batch, input_dim]`.

        Returns:
            float32 `[batch, output_dim]`.

        Raises:
            InvalidShapeError: If the tensor has another shape.
        """
        shape = input_tensor.shape.as_list()
        if len(shape) != 2:
            raise InvalidShapeError(
                f"The rank of the tensor should be 2. Got {len(shape)} instead."
            )
        if shape[1] not in (None, self.input_dim):
            raise InvalidShapeError(
                f"Invalid dimension: expected {self.input_dim} input features, got {shape[1]} instead."
            )
        np.random.seed(self._seed)
        weights = np.random.normal(scale=1.0 / self._stddev, size=self._dims)
        offsets = np.random.uniform(low=0.0, high=2 * np.pi, size=[self.output_dim])
        weights = _tf.constant(weights, dtype=_tf.float32)
        offsets = _tf.constant(offsets, dtype=_tf.float32)
        angles = _tf.add(_tf.matmul(input_tensor, weights), offsets)
        return math.sqrt(2.0 / self.output_dim) * _tf.cos(angles)


def sparse_multiclass_hinge_loss(
    labels: Tensor,
    logits: Tensor,
    weights: Tensor = 1.0,
    scope: Scope | None = None,
    loss_collection: str | None = _tf.GraphKeys.LOSSES,
    reduction: str = _tf.losses.Reduction.SUM_BY_NONZERO_WEIGHTS,
) -> Any:
    """By how much another class comes within one of the true one (`tf.contrib.kernel_methods.sparse_multiclass_hinge_loss`).

    Args:
        labels: int32 or int64 tensor `[batch]` or `[batch, 1]`, the true classes.
        logits: Float tensor `[batch, classes]`.
        weights: Scalar, `[batch]` or `[batch, 1]`.
        scope: A name for the ops.
        loss_collection: The collection that the loss goes into, or None.
        reduction: One of `tf.losses.Reduction`.

    Returns:
        float32, `[batch]` if it is not reduced.

    Raises:
        ValueError: If a shape or dtype is another one.
        tf.errors.InvalidArgumentError: In the session: if a label is too large.
    """
    with _tf.name_scope(scope, "sparse_multiclass_hinge_loss", (logits, labels)) as scope:
        if logits.shape.rank != 2:
            raise ValueError(f"logits should have rank 2, not {logits.shape.rank}")
        count, classes = _tf.unstack(_tf.shape(logits))
        logits = _tf.cast(logits, _tf.float32)
        if labels.dtype not in (_tf.int32, _tf.int64):
            raise ValueError(f"labels should be int32 or int64, not {labels.dtype}")
        if labels.shape.rank not in (1, 2):
            raise ValueError(f"labels should have rank 1 or 2, not {labels.shape.rank}")
        with _tf.control_dependencies([_tf.assert_less(labels, _tf.cast(classes, labels.dtype))]):
            labels = _tf.reshape(labels, [-1])
        weights = _tf.convert_to_tensor(weights)
        if weights.shape.rank not in (0, 1, 2):
            raise ValueError(
                f"weights should have rank 1 or 2, or be a scalar, not {weights.shape.rank}"
            )
        if weights.shape.rank:
            weights = _tf.reshape(weights, [-1])
            weights.shape.assert_is_compatible_with(labels.shape)
        places = _tf.stack([_tf.range(count), _tf.cast(labels, _tf.int32)], axis=1)
        true = _tf.reshape(_tf.gather_nd(logits, places), [count, 1])
        others = _tf.one_hot(labels, classes, on_value=0.0, off_value=1.0)
        losses = _tf.reduce_max(_tf.nn.relu(logits - true + others), axis=1)
        return _tf.losses.compute_weighted_loss(
            losses, weights, scope, loss_collection, reduction=reduction
        )
