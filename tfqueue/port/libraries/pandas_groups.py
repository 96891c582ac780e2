"""Groups of a pandas frame as they were up to 0.25, for `tfqueue.port.libraries.pandas_frames`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def by_one(original: Any, self: Any, *args: Any, **words: Any) -> Any:
    """`groupby(["a"])`, whose groups have no tuple for their key; and an argument that is gone."""
    words.pop("squeeze", None)
    if args and _alone(args[0]):
        args = (args[0][0], *args[1:])
    for name in ("by", "level"):
        if _alone(words.get(name)):
            words[name] = words[name][0]
    return original(self, *args, **words)


def _alone(keys: Any) -> bool:
    return isinstance(keys, list) and len(keys) == 1


def size(original: Any, self: Any) -> Any:
    """A series, whatever `as_index` says."""
    found = original(self)
    if len(getattr(found, "columns", ())) < 2:
        return found
    *keys, last = found.columns
    return found.set_index(keys)[last].rename(None)


def numbers(original: Any, self: Any, *args: Any, **words: Any) -> Any:
    """A sum or a product, which leaves columns of text out."""
    if not args:
        words.setdefault("numeric_only", True)
    return original(self, *args, **words)


def renamed(original: Any, self: Any, *args: Any, **words: Any) -> Any:
    """`groups.column.agg({"name": function})`."""
    if len(args) == 1 and isinstance(args[0], dict) and not words:
        found = original(self, **{str(name): function for name, function in args[0].items()})
        found.columns = list(args[0])
        return found
    return original(self, *args, **words)


def columns(original: Any, self: Any, key: Any) -> Any:
    """`groups["a", "b"]`, which is a list today."""
    if isinstance(key, tuple) and len(key) > 1 and key not in self.obj.columns:
        key = list(key)
    return original(self, key)


def nth(original: Callable[[Any], Any], self: Any, n: Any, dropna: Any = None) -> Any:
    """The rows at a place of each group, labelled with the groups' keys and in their order.

    With `dropna` a row with missing values does not count, and a group that has no other gives missing values.
    """
    if not self.as_index:
        return original(self)(n, dropna)
    rows, labels = self._obj_with_exclusions, self.size().index
    number = self.ngroup().fillna(-1).astype("int64").reset_index(drop=True)
    counts = number >= 0
    if dropna:
        missing = rows.isna().to_numpy()
        counts &= ~(getattr(missing, dropna)(axis=1) if rows.ndim == 2 else missing)
    number = number[counts]
    places = number.groupby(number)
    wanted = n if isinstance(n, list) else [n]
    number = number[
        places.cumcount().isin(wanted) | (-1 - places.cumcount(ascending=False)).isin(wanted)
    ]
    if self.sort:
        number = number.sort_values(kind="stable")
    found = rows.iloc[number.index]
    found.index = labels.take(number)
    return found.reindex(labels) if dropna and not isinstance(n, list) else found


def apply(original: Any, self: Any, function: Any, *args: Any, **words: Any) -> Any:
    """Gives the function whole groups, and keeps the order of rows that each group keeps.

    A group of a frame that keeps its rows has the very index that it had; an equal one is another.
    """
    frame = hasattr(self.obj, "columns")
    whole = self
    if frame and self._selection is None:
        whole = self[list(self.obj.columns)]
        whole.as_index = True
    kept: list[bool] = []

    def one(group: Any, *args: Any, **words: Any) -> Any:
        index = group.index
        made = function(group, *args, **words)
        now = getattr(made, "index", None)
        kept.append((now is index and made.ndim == 2) if frame else _equal(now, index))
        return made

    found = original(whole, function if isinstance(function, str) else one, *args, **words)
    if kept and all(kept) and self.obj.index.is_unique:
        more = found.index.nlevels - self.obj.index.nlevels
        return found.droplevel(list(range(more))).reindex(self.obj.index)
    if whole is self:
        return found
    if found.ndim == 1 and isinstance(found.name, tuple):
        found.name = None  # that of all columns
    return found if self.as_index else _numbered(whole, found)


def _equal(one: Any, other: Any) -> bool:
    return hasattr(one, "equals") and bool(one.equals(other))


def _numbered(groups: Any, found: Any) -> Any:
    """What a function has given, with the numbers of the groups in place of their keys."""
    import pandas as pd

    labels, index = groups.size().index, found.index
    keys, inner = list(range(labels.nlevels)), list(range(labels.nlevels, index.nlevels))
    if not inner:
        return found.reset_index(drop=True) if len(keys) == 1 else found
    number = labels.get_indexer(index.droplevel(inner))
    found.index = pd.MultiIndex.from_arrays([number, index.droplevel(keys)])
    return found
