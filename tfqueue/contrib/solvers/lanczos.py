"""`tf.contrib.solvers.lanczos`: `lanczos_bidiag` and products with what it gives."""

from typing import Any, NamedTuple

from tfqueue import _tensorflow
from tfqueue.contrib.solvers import util
from tfqueue.v1._types import Size, Tensor

_tf = _tensorflow.compat_v1()


class LanczosBidiagState(NamedTuple):
    """`A V = U B`, where the bidiagonal matrix `B` has `alpha` on its diagonal and `beta` below it.

    Attributes:
        u: `[m, k + 1]`, orthonormal columns.
        v: `[n, k]`, orthonormal columns.
        alpha: `[k]`.
        beta: `[k]`.
    """

    u: Any
    v: Any
    alpha: Any
    beta: Any


def _column(rows: Any, i: Tensor) -> Any:
    return _tf.expand_dims(rows.read(i), -1)


def _orthogonal(count: Tensor, basis: Any, v: Tensor) -> Any:
    """`v` without what it shares with the first rows of `basis`, normalized, and its norm."""

    def without(j: Tensor, v: Tensor) -> Any:
        one = _column(basis, j)
        less = v - _tf.matmul(one, v, adjoint_a=True) * one
        less.set_shape(v.shape)
        return j + 1, less

    def once() -> Any:
        start = _tf.constant(0, dtype=_tf.int32)
        _, left = _tf.while_loop(lambda j, v: j < count, without, [start, v])
        return util.l2normalize(left)

    norm = util.l2norm(v)
    found, left = once()
    # by so much less it is rounded, so that it is done once more
    return _tf.cond(left < 0.7071 * norm, once, lambda: (found, left))


def lanczos_bidiag(
    operator: Any,
    k: Size,
    orthogonalize: bool = True,
    starting_vector: Tensor | None = None,
    name: str = "lanczos_bidiag",
) -> LanczosBidiagState:
    """Bidiagonalizes a matrix by the method of Lanczos (`tf.contrib.solvers.lanczos.lanczos_bidiag`).

    Args:
        operator: The operator of a matrix `A`, `[m, n]`.
        k: How many steps to make.
        orthogonalize: Whether each new column is made orthogonal to all before it.
        starting_vector: `[m]`, the direction of the first column of `u`, or None for a random one.
    """

    def step(i: Tensor, state: LanczosBidiagState) -> Any:
        u = _column(state.u, i)
        along = operator.apply_adjoint(u)
        r = _tf.cond(
            i > 0,
            lambda: along - state.beta.read(i - 1) * _column(state.v, i - 1),
            lambda: along,
        )
        r.set_shape(along.shape)
        v, alpha = _orthogonal(i - 1, state.v, r) if orthogonalize else util.l2normalize(r)
        p = operator.apply(v) - alpha * u
        u, beta = _orthogonal(i, state.u, p) if orthogonalize else util.l2normalize(p)
        return i + 1, LanczosBidiagState(
            state.u.write(i + 1, _tf.squeeze(u)),
            state.v.write(i, _tf.squeeze(v)),
            state.alpha.write(i, alpha),
            state.beta.write(i, beta),
        )

    with _tf.name_scope(name):
        dtype = operator.dtype
        if starting_vector is None:
            starting_vector = _tf.random_uniform(operator.shape[:1], -1, 1, dtype=dtype)
        first, _ = util.l2normalize(starting_vector)
        u, *others = (
            _tf.TensorArray(dtype, size=size, clear_after_read=False) for size in (k + 1, k, k, k)
        )
        state = LanczosBidiagState(u.write(0, _tf.squeeze(first)), *others)
        i = _tf.constant(0, dtype=_tf.int32)
        _, state = _tf.while_loop(lambda i, _: i < k, step, [i, state])
        u, v, alpha, beta = (one.stack() for one in state)
        return LanczosBidiagState(_tf.matrix_transpose(u), _tf.matrix_transpose(v), alpha, beta)


def bidiag_matmul(
    matrix: Tensor,
    alpha: Tensor,
    beta: Tensor,
    adjoint_b: bool = False,
    name: str = "bidiag_matmul",
) -> Any:
    """A matrix by a bidiagonal one (`tf.contrib.solvers.lanczos.bidiag_matmul`).

    Args:
        matrix: `[m, k + 1]`, with `adjoint_b` `[m, k]`.
        alpha: `[k]`, the diagonal of the bidiagonal matrix `[k + 1, k]`.
        beta: `[k]`, what is below it.
        adjoint_b: Whether to multiply by the transpose of it without its last row.

    Returns:
        `[m, k]`.
    """
    with _tf.name_scope(name):
        alpha = _tf.expand_dims(alpha, 0)
        if not adjoint_b:
            return matrix[:, :-1] * alpha + matrix[:, 1:] * _tf.expand_dims(beta, 0)
        zeros = _tf.zeros([_tf.shape(matrix)[0], 1], dtype=matrix.dtype)
        below = matrix[:, :-1] * _tf.expand_dims(beta[:-1], 0)
        return matrix * alpha + _tf.concat([zeros, below], 1)
