"""What ``from numpy import *`` brought up to numpy 1.26: translated programs take it from here.

The names that numpy 2 added are not among them. They would hide Python's own (``max``, ``min``, ``round``, ``abs``,
``pow``, ``bool``) and what another ``import *`` brought. Names that numpy gave up are, where something stands for them.
"""

from __future__ import annotations

import math
from typing import Any

import numpy

from tfqueue.port import runtime

_LATER = frozenset(
    (
        "__array_namespace_info__ abs acos acosh asin asinh astype atan atan2 atanh bitwise_count bitwise_invert "
        "bitwise_left_shift bitwise_right_shift bool concat core cumulative_prod cumulative_sum dtypes exceptions f2py "
        "isdtype lib long matrix_transpose matvec max min permute_dims polynomial pow round strings test testing "
        "trapezoid typing ulong unique_all unique_counts unique_inverse unique_values unstack vecdot vecmat"
    ).split()
)
# Each name that is gone, and the one that is numpy's today
_RENAMED = (
    "Inf:inf Infinity:inf NAN:nan NaN:nan PINF:inf infty:inf alltrue:all bool8:bool_ cfloat:complex128 "
    "clongfloat:clongdouble complex_:complex128 cumproduct:cumprod float_:float64 int0:intp longcomplex:clongdouble "
    "longfloat:longdouble mat:asmatrix object0:object_ product:prod rank:ndim round_:round row_stack:vstack "
    "singlecomplex:complex64 sometrue:any string_:bytes_ trapz:trapezoid uint0:uintp unicode_:str_ void0:void"
)
_OURS = ("asfarray", "asscalar", "in1d", "msort")

_names: dict[str, Any] = {
    old: getattr(numpy, new) for old, new in (pair.split(":") for pair in _RENAMED.split())
}
_names |= {name: getattr(runtime, name) for name in _OURS}
_names |= {"NINF": -numpy.inf, "alen": len, "math": math}
_names |= {name: getattr(numpy, name) for name in numpy.__all__ if name not in _LATER}
globals().update(_names)
__all__ = sorted(_names)
