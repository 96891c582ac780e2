"""`tf.contrib.solvers.util`: operators of matrices, and norms of vectors."""

from collections.abc import Callable
from typing import Any, NamedTuple

from tfqueue import _tensorflow
from tfqueue.v1._types import DType, Shape, Tensor

_tf = _tensorflow.compat_v1()


class LinearOperator(NamedTuple):
    """A matrix, by its products with columns."""

    shape: Shape
    dtype: DType
    apply: Callable[[Tensor], Any]
    apply_adjoint: Callable[[Tensor], Any]


def _shape(matrix: Tensor) -> Any:
    known = matrix.shape.is_fully_defined()
    return matrix.shape.as_list() if known else _tf.shape(matrix)


def create_operator(matrix: Tensor) -> LinearOperator:
    """The operator of a matrix (`tf.contrib.solvers.util.create_operator`)."""
    return LinearOperator(
        _shape(matrix),
        matrix.dtype,
        lambda v: _tf.matmul(matrix, v),
        lambda v: _tf.matmul(matrix, v, adjoint_a=True),
    )


def identity_operator(matrix: Tensor) -> LinearOperator:
    """The identity of a matrix's shape (`tf.contrib.solvers.util.identity_operator`)."""
    return LinearOperator(_shape(matrix), matrix.dtype, lambda v: v, lambda v: v)


def dot(x: Tensor, y: Tensor) -> Any:
    """The inner product, the first conjugated (`tf.contrib.solvers.util.dot`)."""
    return _tf.reduce_sum(_tf.conj(x) * y)


def l2norm_squared(v: Tensor) -> Any:
    """The sum of the squares of a tensor of floats (`tf.contrib.solvers.util.l2norm_squared`)."""
    return _tf.constant(2, dtype=v.dtype.base_dtype) * _tf.nn.l2_loss(v)


def l2norm(v: Tensor) -> Any:
    """The root of `l2norm_squared` (`tf.contrib.solvers.util.l2norm`)."""
    return _tf.sqrt(l2norm_squared(v))


def l2normalize(v: Tensor) -> tuple[Any, Any]:
    """A tensor by its norm, and the norm (`tf.contrib.solvers.util.l2normalize`)."""
    norm = l2norm(v)
    return v / norm, norm
