"""Orders of arrays, as numpy gave them up to 1.24: equal elements, and what stands beside a partition.

Since numpy 1.25 such an order depends on the processor: arrays of 32 and 64 bits are sorted by its vector instructions.
"""

from __future__ import annotations

from typing import Any

__all__ = ["argpartition", "argsort", "partition"]
_KINDS = (None, "quicksort", "introselect")


def argsort(*args: Any, **words: Any) -> Any:
    """Stands for ``np.argsort(a, ...)`` and ``a.argsort(...)``: equal elements stand as up to numpy 1.24.

    >>> argsort([1, 0, 0, 1])
    array([1, 2, 0, 3])
    """
    return _ordered("argsort", args, words, 2)


def argpartition(*args: Any, **words: Any) -> Any:
    """Stands for ``np.argpartition(a, kth, ...)`` and ``a.argpartition(kth, ...)``.

    >>> argpartition([3, 1, 2], 1)
    array([1, 2, 0])
    """
    return _ordered("argpartition", args, words, 3)


def partition(*args: Any, **words: Any) -> Any:
    """Stands for ``np.partition(a, kth, ...)``.

    >>> partition([3, 1, 2], 1)
    array([1, 2, 3])
    """
    return _ordered("partition", args, words, 3)


def _ordered(name: str, args: tuple[Any, ...], words: dict[str, Any], kind: int) -> Any:
    """Lets numpy compare numbers of more than 64 bits, for which it has no vector instructions.

    Args:
        args: The array, unless `words` has it as `a`, and what stands behind it.
        kind: Where among `args` the kind of sorting stands.
    """
    import numpy as np

    a, *rest = args or (words.pop("a"),)
    if not isinstance(a, np.ndarray):
        if hasattr(a, name):
            return getattr(a, name)(*rest, **words)
        a = np.asarray(a)
    plain = type(a) in (np.ndarray, np.matrix, np.memmap)
    if plain and a.dtype.kind in "iuf" and a.dtype.itemsize in (4, 8):
        quick = words.get("kind", args[kind] if len(args) > kind else None) in _KINDS
        if quick and np.finfo(np.longdouble).nmant >= 63:  # else whole numbers would be rounded
            wide = getattr(np, name)(a.astype(np.longdouble), *rest, **words)
            return wide.astype(a.dtype) if name == "partition" else wide
    return getattr(np, name)(a, *rest, **words)
