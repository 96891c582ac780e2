"""`tf.contrib.solvers.least_squares`: `cgls`."""

from typing import Any, NamedTuple

from tfqueue import _tensorflow
from tfqueue.contrib.solvers import util
from tfqueue.v1._types import Size, Tensor

_tf = _tensorflow.compat_v1()


class CGLSState(NamedTuple):
    """What `cgls` ends with.

    Attributes:
        i: int32 scalar, how many steps were made.
        x: `[n]`, the solution.
        r: `[m]`, the residual.
        p: `[n]`, the direction of the next step.
        gamma: Scalar, the squared norm of the residual of the normal equations.
    """

    i: Any
    x: Any
    r: Any
    p: Any
    gamma: Any


def cgls(
    operator: Any, rhs: Tensor, tol: Any = 1e-6, max_iter: Size = 20, name: str = "cgls"
) -> CGLSState:
    """The least squares of `A x - rhs` (`tf.contrib.solvers.least_squares.cgls`).

    Args:
        operator: The operator of `A`, `[m, n]`.
        rhs: `[m]`, the right-hand side.
        tol: The share that the residual of the normal equations may have of its first norm.
        max_iter: The largest number of steps.
    """

    def goes_on(i: Tensor, state: CGLSState) -> Any:
        return _tf.logical_and(i < max_iter, state.gamma > tol)

    def step(i: Tensor, state: CGLSState) -> Any:
        q = operator.apply(state.p)
        alpha = state.gamma / util.l2norm_squared(q)
        x = state.x + alpha * state.p
        r = state.r - alpha * q
        s = operator.apply_adjoint(r)
        gamma = util.l2norm_squared(s)
        p = s + gamma / state.gamma * state.p
        return i + 1, CGLSState(i + 1, x, r, p, gamma)

    with _tf.name_scope(name):
        rhs = _tf.expand_dims(rhs, -1)
        s = operator.apply_adjoint(rhs)
        gamma = util.l2norm_squared(s)
        tol = tol * tol * gamma
        x = _tf.expand_dims(_tf.zeros(operator.shape[1:], dtype=rhs.dtype.base_dtype), -1)
        i = _tf.constant(0, dtype=_tf.int32)
        _, state = _tf.while_loop(goes_on, step, [i, CGLSState(i, x, rhs, s, gamma)])
        i, x, r, p, gamma = state
        return CGLSState(i, _tf.squeeze(x), _tf.squeeze(r), _tf.squeeze(p), gamma)
