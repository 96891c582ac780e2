"""`tf.contrib.linalg`, whose operators are in `tf.linalg`."""

from tfqueue.v1.contrib import _names

_ROWS = {
    "LinearOperator": "tf:linalg.LinearOperator",
    "LinearOperatorBlockDiag": "tf:linalg.LinearOperatorBlockDiag",
    "LinearOperatorCirculant": "tf:linalg.LinearOperatorCirculant",
    "LinearOperatorComposition": "tf:linalg.LinearOperatorComposition",
    "LinearOperatorDiag": "tf:linalg.LinearOperatorDiag",
    "LinearOperatorFullMatrix": "tf:linalg.LinearOperatorFullMatrix",
    "LinearOperatorIdentity": "tf:linalg.LinearOperatorIdentity",
    "LinearOperatorKronecker": "tf:linalg.LinearOperatorKronecker",
    # LowerTriangular, LowRankUpdate and FullMatrix up to 1.4
    "LinearOperatorMatrix": "tf:linalg.LinearOperatorFullMatrix",
    "LinearOperatorTriL": "tf:linalg.LinearOperatorLowerTriangular",
    "LinearOperatorUDVHUpdate": "tf:linalg.LinearOperatorLowRankUpdate",
    "LinearOperatorLowRankUpdate": "tf:linalg.LinearOperatorLowRankUpdate",
    "LinearOperatorLowerTriangular": "tf:linalg.LinearOperatorLowerTriangular",
    "LinearOperatorScaledIdentity": "tf:linalg.LinearOperatorScaledIdentity",
    "LinearOperatorZeros": "tf:linalg.LinearOperatorZeros",
    "adjoint": "tf:linalg.adjoint",
}

__getattr__ = _names.getter(__name__, _ROWS)
__dir__ = _names.lister(__name__, _ROWS)
