"""Linear algebra of matrices that it cannot be done with: an error, as in TensorFlow 1.

TensorFlow 2 goes on with NaN, and a program that waits for the error does not get it. The functions of
TensorFlow that call these two, such as `tf.linalg.logdet`, find them in the modules of its ops.

The product with what has an unknown rank has the static shape of up to 1.13, where batches were not broadcast.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tensorflow.python.ops import gen_linalg_ops, linalg_ops

from tfqueue import _tensorflow
from tfqueue._tensorflow import seeds
from tfqueue.v1 import _call_forms
from tfqueue.v1._types import Tensor

_tf = _tensorflow.compat_v1()


def cholesky(input: Tensor, name: str | None = None) -> Any:
    """The lower triangles whose product with their own transpose is a matrix (`tf.cholesky`).

    Args:
        input: `[..., m, m]`.

    Returns:
        A tensor like it. A step that meets a matrix that is not positive definite ends in an
        `InvalidArgumentError`.

    >>> import tfqueue.v1 as tf
    >>> with tf.Session() as sess:
    ...     print(sess.run(tf.cholesky([[4.]])))
    [[2.]]
    """
    with _tf.name_scope(name, "Cholesky", [input]) as scope:
        given = _tf.convert_to_tensor(input, name="input")
        with seeds.standing_for(1):
            found = _tf.raw_ops.Cholesky(input=given)
            # the root of a number above 0, and what it is filled with: NaN, of complex numbers 0
            first, root = (_tf.math.real(one[..., :1, :1]) for one in (given, found))
            failed = (_tf.is_nan(root) | _tf.equal(root, 0)) & ~_tf.is_nan(first)
            with _unless(
                failed, "Cholesky decomposition was not successful. The input might not be valid."
            ):
                return _tf.identity(found, name=scope)


def matrix_triangular_solve(
    matrix: Tensor,
    rhs: Tensor,
    lower: bool = True,
    adjoint: bool = False,
    name: str | None = None,
) -> Any:
    """What triangular matrices are to be multiplied with (`tf.matrix_triangular_solve`).

    Args:
        matrix: `[..., m, m]`.
        rhs: `[..., m, k]`, the product.
        lower: Whether the lower triangles count.
        adjoint: Whether to take the adjoint of `matrix` first.

    Returns:
        A tensor like `rhs`. A step that meets a matrix with a 0 in its diagonal ends in an
        `InvalidArgumentError`.

    >>> import tfqueue.v1 as tf
    >>> with tf.Session() as sess:
    ...     print(sess.run(tf.matrix_triangular_solve([[4.]], [[2.]])))
    [[0.5]]
    """
    with _tf.name_scope(name, "MatrixTriangularSolve", [matrix, rhs]) as scope:
        matrix = _tf.convert_to_tensor(matrix)
        diagonal = _tf.linalg.diag_part(matrix)
        failed = _tf.equal(diagonal, 0) | _tf.is_nan(_tf.math.real(diagonal[..., :1]))
        with _unless(failed, "Input matrix is not invertible."):
            return _tf.raw_ops.MatrixTriangularSolve(
                matrix=matrix, rhs=rhs, lower=lower, adjoint=adjoint, name=scope
            )


@contextmanager
def _unless(failed: Tensor, message: str) -> Iterator[None]:
    """Lets an op begin once nothing is known to have failed."""
    check = _tf.Assert(~_tf.reduce_any(failed), [message])
    with _tf.control_dependencies([check] if check is not None else []):  # None: eager
        yield


def matmul(
    a: Any,
    b: Any,
    transpose_a: bool = False,
    transpose_b: bool = False,
    adjoint_a: bool = False,
    adjoint_b: bool = False,
    *more: Any,
    name: str | None = None,
    **words: Any,
) -> Any:
    """The product of matrices (`tf.matmul`), with the further arguments of TensorFlow's.

    Where the program is known to be from 1.13 at the latest, a product with a tensor of unknown rank is the op of then:
    its static shape has the rank of the other one, and a tensor of another rank is an error in the step.
    """
    turns = transpose_a, transpose_b, adjoint_a, adjoint_b
    late = not _call_forms.reaches("1.13")  # batches are broadcast since
    if late or any((*more, *words.values())) or not _is_of_1_13(a, b, *turns):
        return _tf.matmul(a, b, *turns, *more, name=name, **words)
    with _tf.name_scope(name, "MatMul", [a, b]) as scope:
        turned_a, turned_b = transpose_a or adjoint_a, transpose_b or adjoint_b
        if 2 in (a.shape.rank, b.shape.rank):
            return _tf.raw_ops.MatMul(
                a=a, b=b, transpose_a=turned_a, transpose_b=turned_b, name=scope
            )
        return _tf.raw_ops.BatchMatMul(x=a, y=b, adj_x=turned_a, adj_y=turned_b, name=scope)


vars(matmul)["__signature__"] = inspect.signature(_tensorflow.undecorated(_tf.matmul))
_NUMBERS = frozenset([_tf.float16, _tf.float32, _tf.float64, _tf.int32, _tf.int64])


def _is_of_1_13(
    a: Any, b: Any, transpose_a: bool, transpose_b: bool, adjoint_a: bool, adjoint_b: bool
) -> bool:
    """Whether a product has a static shape in 1.13 that it has not since."""
    ranks = [getattr(getattr(side, "shape", None), "rank", -1) for side in (a, b)]
    if ranks.count(None) != 1 or (transpose_a and adjoint_a) or (transpose_b and adjoint_b):
        return False
    known = max(rank for rank in ranks if rank is not None)
    dtypes = {_tf.as_dtype(side.dtype).base_dtype for side in (a, b) if known >= 0}
    return known >= 2 and len(dtypes) == 1 and dtypes <= _NUMBERS


FUNCTIONS = {
    **dict.fromkeys(("matmul", "linalg.matmul"), matmul),
    **dict.fromkeys(("cholesky", "linalg.cholesky"), cholesky),
    **dict.fromkeys(
        ("matrix_triangular_solve", "linalg.triangular_solve"), matrix_triangular_solve
    ),
}
"""By their names below `tf`."""


def install() -> None:
    """Puts them where TensorFlow's own functions look for them."""
    for module in (gen_linalg_ops, linalg_ops):
        module.cholesky, module.matrix_triangular_solve = cholesky, matrix_triangular_solve
