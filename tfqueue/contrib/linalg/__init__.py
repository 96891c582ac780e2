"""`tf.contrib.linalg`, whose operators are in `tf.linalg`."""

import abc
from typing import Any

from tfqueue import _tensorflow
from tfqueue.v1 import _lazy_names
from tfqueue.v1._types import Tensor

_linalg = _tensorflow.compat_v1().linalg

# the operators of 1.0 to 1.3 and what they are now
_OLD = {
    "LinearOperatorComposition": "LinearOperatorComposition",
    "LinearOperatorDiag": "LinearOperatorDiag",
    "LinearOperatorFullMatrix": "LinearOperatorFullMatrix",
    "LinearOperatorIdentity": "LinearOperatorIdentity",
    "LinearOperatorMatrix": "LinearOperatorFullMatrix",
    "LinearOperatorScaledIdentity": "LinearOperatorScaledIdentity",
    "LinearOperatorTriL": "LinearOperatorLowerTriangular",
    "LinearOperatorUDVHUpdate": "LinearOperatorLowRankUpdate",
}
_ROWS = {
    "LinearOperator": "tf:linalg.LinearOperator",
    "LinearOperatorBlockDiag": "tf:linalg.LinearOperatorBlockDiag",
    "LinearOperatorCirculant": "tf:linalg.LinearOperatorCirculant",
    "LinearOperatorKronecker": "tf:linalg.LinearOperatorKronecker",
    "LinearOperatorLowRankUpdate": "tf:linalg.LinearOperatorLowRankUpdate",
    "LinearOperatorLowerTriangular": "tf:linalg.LinearOperatorLowerTriangular",
    "LinearOperatorZeros": "tf:linalg.LinearOperatorZeros",
    "adjoint": "tf:linalg.adjoint",
}


def _apply(self: Any, x: Tensor, adjoint: bool = False, name: str = "apply") -> Any:
    """`matmul`, as it was called up to TensorFlow 1.1.

    Args:
        x: Tensor of shape `[..., n, r]`, of the operator's dtype.
        adjoint: Whether the operator's adjoint is applied.

    Returns:
        A tensor of shape `[..., m, r]`.
    """
    return self.matmul(x, adjoint=adjoint, name=name)


def _old_operator(name: str, base: Any) -> Any:
    """A class of operators that have `apply`; an operator of `tf.linalg` is an instance, too."""

    def __subclasshook__(cls: type, other: type) -> Any:
        # issubclass would ask the base's subclasses, which this is one of
        return (cls is made and base in other.__mro__) or NotImplemented

    inside = {
        "__doc__": f"`tf.linalg.{base.__name__}`, with its methods of TensorFlow 1.1.",
        "__module__": __name__,
        "__subclasshook__": classmethod(__subclasshook__),
        "apply": _apply,
    }
    made = abc.ABCMeta(name, (base,), inside)
    return made


globals().update({name: _old_operator(name, getattr(_linalg, now)) for name, now in _OLD.items()})
__getattr__, __dir__ = _lazy_names.attributes(__name__, _ROWS)
