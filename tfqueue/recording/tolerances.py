"""How far two recorded values may be apart and still be the same, or draws of one distribution."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tfqueue.recording import record_tf1
from tfqueue.recording.recording import Value

RTOL = 1e-5  # how far floats may be apart, relative to the largest, where nobody says otherwise
TINY = 1e-7  # what rounding leaves where numbers near one cancel out
_SIGMAS = 6.0  # how far mean and deviation of two draws of the same distribution may be apart


def difference(old: Value, new: Value, rtol: float, updates: int = 0) -> tuple[str, str] | None:
    """What differs between two values, in words for each; None if nothing does.

    Args:
        old: The recorded value.
        new: Today's.
        rtol: How far floats may be apart, relative to the largest.
        updates: How often a variable was changed before; each time adds its rounding.

    >>> one = Value("int32", (2,), "ab")
    >>> difference(one, one, 1e-5) is None
    True
    >>> difference(one, Value("int64", (2,), "ab"), 1e-5)
    ('int32', 'int64')
    """
    if old.dtype != new.dtype:
        return old.dtype, new.dtype
    if old.shape != new.shape:
        return f"of shape {_shape(old)}", f"of shape {_shape(new)}"
    if old.tags != new.tags:
        return f"of tags {', '.join(old.tags)}", f"of tags {', '.join(new.tags)}"
    if old.digest == new.digest:
        return None
    if not old.sample or len(old.sample) != len(new.sample):
        return f"digest {old.digest}", f"digest {new.digest}"
    one, other = np.array(old.sample), np.array(new.sample)
    scale, tiny = _scale(old, new), _tiny(old) * (1 + 4 * updates)
    rtol *= 1 + updates
    close = np.isclose(other, one, rtol=rtol, atol=rtol * scale + tiny, equal_nan=True)
    if not close.all():
        place = int(np.argmin(close))
        return f"{one[place]:.9g}", f"{other[place]:.9g}"
    if not old.moments or not new.moments:
        return None
    if old.moments[5] != new.moments[5]:
        return f"with {old.moments[5]:.0f} not finite", f"with {new.moments[5]:.0f} not finite"
    for place, what in ((0, "minimum"), (1, "maximum")):
        if abs(old.moments[place] - new.moments[place]) > rtol * scale + tiny:
            return f"of {what} {old.moments[place]:.9g}", f"of {what} {new.moments[place]:.9g}"
    # The sum of n numbers may be apart by rtol times the sum of their absolute values.
    bound = rtol * math.sqrt(old.size * max(old.moments[3], new.moments[3])) + tiny * old.size
    bound += 1e-30
    if abs(old.moments[2] - new.moments[2]) > bound:
        return f"of sum {old.moments[2]:.9g}", f"of sum {new.moments[2]:.9g}"
    for by_place in zip(old.moments[6:], new.moments[6:], strict=False):
        if abs(by_place[0] - by_place[1]) > bound:
            return f"of sum by place {by_place[0]:.9g}", f"of sum by place {by_place[1]:.9g}"
    return None


def first_apart(
    old: np.ndarray[Any, Any],
    new: np.ndarray[Any, Any],
    rtol: float,
    scale: float | None = None,
) -> int | None:
    """The place of the first value that differs between two arrays of one shape, or None.

    Args:
        old: An array of any dtype.
        new: The array that it is compared with.
        rtol: How far floats may be apart, relative to `scale`; others are compared exactly.
        scale: The largest absolute value; that of the arrays when None.

    Returns:
        The place in the flat array.

    >>> first_apart(np.array([[1.0, 2.0]]), np.array([[1.0, 2.5]]), 1e-5)
    1
    """
    one, other = old.ravel(), new.ravel()
    if record_tf1.is_float(one):
        wide = np.complex128 if "c" in (one.dtype.kind, other.dtype.kind) else np.float64
        one, other = one.astype(wide), other.astype(wide)
        if scale is None:
            scale = max(largest(one), largest(other))
        apart = ~np.isclose(other, one, rtol=rtol, atol=rtol * scale, equal_nan=True)
    else:
        apart = one != other
    return int(np.argmax(apart)) if np.any(apart) else None


def largest(array: np.ndarray[Any, Any]) -> float:
    """The largest absolute value of an array of floats, of those that are finite."""
    sizes = np.abs(array).astype(np.float64)
    return float(np.max(sizes, where=np.isfinite(sizes), initial=0.0))


def _scale(old: Value, new: Value) -> float:
    """The largest finite number of two values."""
    numbers = (*old.moments[:2], *new.moments[:2], *old.sample, *new.sample)
    return max((abs(m) for m in numbers if math.isfinite(m)), default=0.0)


def _tiny(value: Value) -> float:
    return 0.0 if value.dtype in ("float64", "complex128") else TINY


def ulps(old: Value, new: Value) -> float:
    """The largest difference of two samples in units in the last place of the dtype."""
    kind = np.dtype(old.dtype) if old.dtype in ("float16", "float32", "float64") else np.dtype("f4")
    one, other = (np.array(value.sample, kind) for value in (old, new))
    finite = np.isfinite(one) & np.isfinite(other)
    if not finite.any():
        return 0.0
    one, other = one[finite], other[finite]
    spacing = np.spacing(np.maximum(np.abs(one), np.abs(other)))
    return float(np.max(np.abs(one.astype("f8") - other.astype("f8")) / spacing.astype("f8")))


def other_distribution(old: Value, new: Value) -> tuple[str, str] | None:
    """What tells that two random values are of different distributions, or None.

    Mean and deviation of n draws are apart by chance; the bound is six times what is usual.
    """
    if old.shape != new.shape:
        return f"of shape {_shape(old)}", f"of shape {_shape(new)}"
    if not old.moments or not new.moments or old.size < 8:
        return None
    means, deviations, kurtosis = [], [], 3.0
    for value in (old, new):
        total, squares, fourths = value.moments[2:5]
        mean = total / value.size
        means.append(mean)
        deviations.append(math.sqrt(max(0.0, squares / value.size - mean * mean)))
        if squares:
            kurtosis = max(kurtosis, fourths * value.size / (squares * squares))
    wide = max(deviations)
    if abs(means[0] - means[1]) > _SIGMAS * wide * math.sqrt(2 / old.size) + TINY:
        return f"of mean {means[0]:.3g}", f"of mean {means[1]:.3g}"
    if min(deviations) <= TINY < wide:
        return f"of deviation {deviations[0]:.3g}", f"of deviation {deviations[1]:.3g}"
    # The logarithm of the deviation of n draws is apart by sqrt((kurtosis - 1) / 4n) by chance.
    bound = _SIGMAS * math.sqrt((kurtosis - 1) / (2 * old.size))
    if wide > TINY and abs(math.log(deviations[0] / deviations[1])) > bound:
        return f"of deviation {deviations[0]:.3g}", f"of deviation {deviations[1]:.3g}"
    return None


def rounded(value: Value) -> tuple[object, ...]:
    """What two values have in common that are the same but for the last digits of floats."""
    exact = tuple(float(f"{each:.3g}") for each in value.sample) if value.sample else value.digest
    return value.dtype, value.shape, exact


def _shape(value: Value) -> str:
    return f"({', '.join(map(str, value.shape))})"
