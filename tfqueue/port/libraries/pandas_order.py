"""`sort_values` and `sort_index` of pandas: equal rows stand as up to 0.25 and numpy 1.24.

Since numpy 1.25 the order of equal numbers depends on the processor (`tfqueue.port.runtime.ordering`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tfqueue.port.libraries.callers import by_library
from tfqueue.port.runtime.ordering import argsort

_HOME = "tfqueue.port.libraries.pandas_"


def sort_rows(original: Any, self: Any, by: Any = (), **words: Any) -> Any:
    """`frame.sort_values(by)`; several keys are sorted by an algorithm that is stable."""
    alone = not isinstance(by, list) or len(by) == 1
    if not alone or words.get("kind", "quicksort") != "quicksort" or _is_left(words):
        return original(self, by, **words)
    return original(self, by, key=_places(_is_ascending(words), _order), **words)


def sort_index(original: Any, self: Any, **words: Any) -> Any:
    """`sort_index()` by an index of one level."""
    one_level = all(axis.nlevels == 1 for axis in self.axes)
    if not one_level or words.get("kind") not in (None, "quicksort") or _is_left(words):
        return original(self, **words)
    return original(self, key=_places(_is_ascending(words), _order), **words)


def sort_column(original: Any, self: Any, **words: Any) -> Any:
    """`column.sort_values()`, which from the highest to the lowest had the rows the other way round."""
    if _is_left(words):
        return original(self, **words)
    kind = words.get("kind") or "quicksort"
    return original(self, key=_places(_is_ascending(words), _order_of_column(kind), True), **words)


def argsort_column(original: Any, self: Any, *args: Any, **words: Any) -> Any:
    """`column.argsort()`."""
    kind = words.get("kind", args[1] if len(args) > 1 else None)
    values = self.to_numpy()
    if kind not in (None, "quicksort") or values.dtype.kind not in "iuf" or by_library(_HOME):
        return original(self, *args, **words)
    return original(_places(True, _order)(self), *args, **words)


def _is_left(words: dict[str, Any]) -> bool:
    """Whether the order is left alone: a `key`, which is of today, says it, or a library sorts."""
    return words.get("key") is not None or by_library(_HOME)


def _is_ascending(words: dict[str, Any]) -> bool:
    ascending = words.get("ascending", True)
    return bool(ascending[0] if isinstance(ascending, list | tuple) else ascending)


def _places(
    ascending: bool, order: Callable[[Any, bool], Any], of_column: bool = False
) -> Callable[[Any], Any]:
    """A key that gives each value its own place among all: sorted by any algorithm, they stand in this order.

    Args:
        of_column: Whether `order` is that of types of pandas's own, too.
    """
    import pandas as pd

    def key(values: Any) -> Any:
        is_index = not hasattr(values, "index")
        sorted_already = ("decreasing", "increasing")[ascending]
        if is_index and getattr(values, f"is_monotonic_{sorted_already}"):
            return values  # and is left as it is
        if not isinstance(values.dtype, np.dtype):
            plain = _plain(values) if of_column else None
            if plain is None:
                return values  # which has the order that it had
            values = plain
        there = ~np.asarray(values.isna())
        known = np.asarray(values)[there]
        found = order(known.view("i8") if known.dtype.kind in "mM" else known, ascending)
        places = np.full(len(values), np.nan)
        rows = np.flatnonzero(there)[found if ascending else found[::-1]]
        places[rows] = np.arange(len(rows))
        return pd.Index(places) if is_index else pd.Series(places, values.index)

    return key


def _plain(column: Any) -> Any:
    """Categories as numbers, and times of a zone without it; None: what else numpy has no type for."""
    if hasattr(column, "cat"):
        codes = column.cat.codes
        return codes.astype(float).mask(codes < 0)
    return column.dt.tz_convert(None) if hasattr(column, "dt") else None


def _order(known: Any, ascending: bool) -> Any:
    """The order of all but missing values, as it is to stand."""
    if ascending:
        return argsort(known)
    return (len(known) - 1 - argsort(known[::-1]))[::-1]


def _order_of_column(kind: str) -> Callable[[Any, bool], Any]:
    def order(known: Any, ascending: bool) -> Any:
        found = argsort(known, kind=kind)
        return found if ascending else found[::-1]

    return order


def install(pd: Any, wrap: Callable[..., None]) -> None:
    """Has frames and columns keep the order that they had."""
    wrap(pd.DataFrame, "sort_values", sort_rows)
    wrap(pd.Series, "sort_values", sort_column)
    wrap(pd.Series, "argsort", argsort_column)
    for owner in (pd.DataFrame, pd.Series):
        wrap(owner, "sort_index", sort_index)
