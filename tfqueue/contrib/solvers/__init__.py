"""`tf.contrib.solvers`: iterative solvers that ask a matrix only for its products with vectors.

`linear_equations` has the method of conjugate gradients, `least_squares` the same for the normal equations,
`lanczos` a bidiagonalization, `util` makes operators of matrices. An operator has the attributes `shape`, a list
or an int32 tensor of two sizes, `dtype`, and `apply` and `apply_adjoint`, functions of a column `[n, 1]`.
"""

from tfqueue.v1 import _lazy_names

_ROWS = {
    name: f"{__name__}.{name}" for name in ("lanczos", "least_squares", "linear_equations", "util")
}
__getattr__, __dir__ = _lazy_names.attributes(__name__, _ROWS)
