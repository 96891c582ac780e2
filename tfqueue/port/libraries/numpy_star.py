"""What ``from numpy import *`` brought up to numpy 1.26: translated programs take it from here.

The names that numpy 2 added are not among them. They would hide Python's own (``max``, ``min``, ``round``, ``abs``,
``pow``, ``bool``) and what another ``import *`` brought. Names that numpy gave up are, where something stands for them.
`np.float` and its kin are changed in the program's text: `tfqueue.port.rules.numpy.aliases`.
"""

from __future__ import annotations

import math
from typing import Any

import numpy

from tfqueue.names.libraries import NUMPY
from tfqueue.port import runtime

_LATER = frozenset(
    (
        "__array_namespace_info__ abs acos acosh asin asinh astype atan atan2 atanh bitwise_count bitwise_invert "
        "bitwise_left_shift bitwise_right_shift bool concat core cumulative_prod cumulative_sum dtypes exceptions f2py "
        "isdtype lib long matrix_transpose matvec max min permute_dims polynomial pow round strings test testing "
        "trapezoid typing ulong unique_all unique_counts unique_inverse unique_values unstack vecdot vecmat"
    ).split()
)
_OURS = ("asfarray", "asscalar", "in1d", "msort", "trapz")

_names: dict[str, Any] = {old: getattr(numpy, new) for old, new in NUMPY.items()}
_names |= {name: getattr(runtime, name) for name in _OURS}
_names |= {"NINF": -numpy.inf, "alen": len, "math": math}
_names |= {name: getattr(numpy, name) for name in numpy.__all__ if name not in _LATER}
globals().update(_names)
__all__ = sorted(_names)
