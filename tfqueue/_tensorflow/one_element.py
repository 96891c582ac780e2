"""Arrays of one element in the place of numbers, as numpy took them up to 1.23.

`[1.0, np.array([2.0])]` is what a program makes that adds an output of a network to some of its rewards,
and fed it was two numbers. Importing it does not load TensorFlow.
"""

from __future__ import annotations

import functools
import itertools
import operator
from collections.abc import Mapping
from typing import Any

import numpy as np

from tfqueue._tensorflow.types import Feeds, Graph


def as_numbers(value: Any, dtype: Any) -> np.ndarray[Any, Any] | None:
    """The array of numbers that numpy up to 1.23 made of what today's refuses; None where it refused, too.

    It has the dimensions that all parts of a list share. What is deeper must be an array of one element.
    """
    try:
        return _numbers(value, dtype)
    except (OverflowError, TypeError, ValueError):
        return None


def _numbers(value: Any, dtype: Any) -> np.ndarray[Any, Any] | None:
    shape = _shared(value)
    array = np.empty(shape, dtype)
    for index in np.ndindex(*shape):
        leaf = functools.reduce(operator.getitem, index, value)
        if isinstance(leaf, np.ndarray | np.generic) and leaf.size == 1:
            leaf = leaf.item()  # Python's number: numpy's own would be cast, whatever is lost
        if leaf is None or np.ndim(leaf):
            return None
        array[index] = leaf
    return array


def _shared(value: Any) -> tuple[int, ...]:
    if isinstance(value, np.ndarray):
        return value.shape
    if not isinstance(value, list | tuple):
        return ()
    columns = zip(*map(_shared, value), strict=False)
    same = itertools.takewhile(lambda sizes: len(set(sizes)) == 1, columns)
    return (len(value), *(sizes[0] for sizes in same))


def feeds(graph: Graph, feed_dict: Feeds) -> dict[Any, Any] | None:
    """A refused `feed_dict` with numbers where it had arrays of one; None where that mends nothing."""
    if not isinstance(feed_dict, Mapping):
        return None
    changed = {}
    for key, value in feed_dict.items():
        objects = isinstance(value, np.ndarray) and value.dtype.hasobject
        if not objects and not isinstance(value, list | tuple):
            continue
        try:
            dtype = graph.as_graph_element(key, allow_operation=False).dtype.as_numpy_dtype
        except (KeyError, TypeError, ValueError):
            continue  # what is fed is no tensor
        if dtype is object:
            continue
        try:
            np.asarray(value, dtype)
        except (TypeError, ValueError):
            changed[key] = as_numbers(value, dtype)
    if not changed or any(array is None for array in changed.values()):
        return None
    return {**feed_dict, **changed}
