"""`tf.contrib.solvers.linear_equations`: `conjugate_gradient`."""

from typing import Any, NamedTuple

from tfqueue import _tensorflow
from tfqueue.contrib.solvers import util
from tfqueue.v1 import _call_forms
from tfqueue.v1._types import Size, Tensor

_tf = _tensorflow.compat_v1()


class CGState(NamedTuple):
    """What `conjugate_gradient` ends with.

    Attributes:
        i: int32 scalar, how many steps were made.
        x: `[n]`, the solution.
        r: `[n]`, the residual.
        p: `[n]`, the direction of the next step.
        gamma: Scalar, the product of the residual with itself, or with what the preconditioner makes of it.
    """

    i: Any
    x: Any
    r: Any
    p: Any
    gamma: Any


def conjugate_gradient(
    operator: Any,
    rhs: Tensor,
    preconditioner: Any = None,
    x: Tensor | None = None,
    tol: Any = 1e-4,
    max_iter: Size = 20,
    name: str = "conjugate_gradient",
) -> CGState:
    """Solves `A x = rhs` (`tf.contrib.solvers.linear_equations.conjugate_gradient`).

    Args:
        operator: The operator of `A`, self-adjoint and positive definite.
        rhs: `[n]`, the right-hand side.
        preconditioner: An operator that is about the inverse of `A`, or None.
        x: `[n]`, where to begin, or None for zeros.
        tol: The share of the first residual's norm that ends it.
        max_iter: The largest number of steps.

    >>> import tfqueue.v1 as tf
    >>> matrix = util.create_operator(tf.constant([[2.0, 0.0], [0.0, 4.0]]))
    >>> with tf.Session() as sess:
    ...     print(sess.run(conjugate_gradient(matrix, tf.constant([2.0, 2.0])).x).round(4).tolist())
    [1.0, 0.5]
    """
    squared = _call_forms.reaches("1.5")  # the norm's square was compared, which rounds otherwise

    def of_residual(r: Tensor) -> tuple[Any, Any]:
        better = r if preconditioner is None else preconditioner.apply(r)
        return better, util.l2norm_squared(r) if squared else util.dot(r, better)

    def goes_on(i: Tensor, state: CGState) -> Any:
        left = state.gamma if squared else _tf.norm(state.r)
        return _tf.logical_and(i < max_iter, left > tol)

    def step(i: Tensor, state: CGState) -> Any:
        z = operator.apply(state.p)
        alpha = state.gamma / util.dot(state.p, z)
        x = state.x + alpha * state.p
        r = state.r - alpha * z
        better, gamma = of_residual(r)
        p = better + gamma / state.gamma * state.p
        return i + 1, CGState(i + 1, x, r, p, gamma)

    with _tf.name_scope(name):
        rhs = _tf.expand_dims(rhs, -1)
        if x is None:
            x = _tf.expand_dims(_tf.zeros(operator.shape[1:], dtype=rhs.dtype.base_dtype), -1)
            r = rhs
        else:
            x = _tf.expand_dims(x, -1)
            r = rhs - operator.apply(x)
        p, gamma = of_residual(r)
        tol = tol * tol * gamma if squared else tol * _tf.norm(r)
        i = _tf.constant(0, dtype=_tf.int32)
        _, state = _tf.while_loop(goes_on, step, [i, CGState(i, x, r, p, gamma)])
        i, x, r, p, gamma = state
        return CGState(i, _tf.squeeze(x), _tf.squeeze(r), _tf.squeeze(p), gamma)
