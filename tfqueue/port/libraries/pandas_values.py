"""pandas as it was up to 0.25, where the same call gives other values today.

Translated programs import `tfqueue.port.libraries.pandas_methods`, which calls `install`.
"""

from __future__ import annotations

import collections
import functools
import inspect
import re
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tfqueue import release
from tfqueue.port.differences import telling
from tfqueue.port.libraries import pandas_dates, pandas_frames, pandas_groups
from tfqueue.port.libraries.callers import by_library

_HOME = "tfqueue.port.libraries.pandas_"
_LATER_MISSING = ("None", "<NA>")
"""Texts that `read_csv` takes for a missing value since pandas 2.0 and 1.0."""
_wrap = functools.partial(pandas_frames.wrap, mark="_tfqueue_values")


def _replace_text(original: Any, self: Any, pat: Any, *args: Any, **words: Any) -> Any:
    """`series.str.replace`: a pattern of more than one letter is a regular expression."""
    if "regex" not in words and len(args) < 5 and isinstance(pat, str):
        words["regex"] = len(pat) > 1 or bool(words.get("flags")) or callable([*args, None][0])
    return original(self, pat, *args, **words)


def _pct_change(original: Any, self: Any, *args: Any, **words: Any) -> Any:
    """`pct_change`: a missing value is the last one before it."""
    filled = self
    if words.get("fill_method", "pad") in ("pad", "ffill") and len(args) < 2:
        words.pop("fill_method", None)
        filled = self.ffill()
    return original(filled, *args, **words)


def _stack(original: Any, self: Any, level: Any = -1, dropna: bool = True) -> Any:
    """`stack`: missing values are left out."""
    if "future_stack" not in inspect.signature(original).parameters:  # it came with pandas 2.1
        return original(self, level, dropna=dropna)
    found = original(self, level, future_stack=True)
    if not dropna:
        return found
    return found.dropna(how="all") if getattr(found, "ndim", 1) == 2 else found.dropna()


def _in_nanoseconds(values: Any) -> Any:
    """Times of an array as whole nanoseconds since 1970, which they were in any array of times."""
    kind = getattr(getattr(values, "dtype", None), "kind", "")
    if isinstance(values, np.ndarray) and kind in "mM" and values.dtype.str[1:] != f"{kind}8[ns]":
        return values.astype(f"{kind}8[ns]")
    return values


def _values(original: property) -> property:
    def get(self: Any) -> Any:
        found = original.__get__(self)
        exact = _in_nanoseconds(found)
        return found if exact is found or by_library(_HOME) else exact

    vars(get)["_tfqueue_values"] = True
    return property(get, doc=original.__doc__)


def _astype(original: Any, self: Any, dtype: Any = None, *args: Any, **words: Any) -> Any:
    """`astype`: times as whole numbers are nanoseconds; spans as days are numbers of whole days."""
    kind = getattr(getattr(self, "dtype", None), "kind", "")
    if kind not in ("m", "M") or by_library(_HOME):
        return original(self, dtype, *args, **words)
    is_index = not hasattr(self, "dt")
    unit = re.fullmatch(r"timedelta64\[([A-Za-z]+)\]", dtype) if isinstance(dtype, str) else None
    if kind == "m" and unit and unit[1] not in ("ns", "us", "ms"):
        counts = self // np.ones(1, f"m8[{unit[1]}]")[0]
        return counts if is_index else counts.astype("float64")
    if dtype in (int, "int", "int64", np.int64) or (
        isinstance(dtype, np.dtype) and dtype.kind == "i"
    ):
        exact = self.as_unit("ns") if is_index else self.dt.as_unit("ns")
        return original(exact, dtype, *args, **words)
    return original(self, dtype, *args, **words)


def _init(original: Any, self: Any, data: Any = None, *args: Any, **words: Any) -> None:
    """`DataFrame([{...}, ...])`: the columns are sorted, as up to 0.24, unless the rows have an order of their own."""
    rows = data if isinstance(data, list) else []
    dicts = bool(rows) and all(isinstance(row, dict) for row in rows)
    ordered = any(isinstance(row, collections.OrderedDict) for row in rows)
    said = len(args) > 1 or words.get("columns") is not None
    if dicts and not ordered and not said and not by_library(_HOME):
        names = list(dict.fromkeys(name for row in rows for name in row))
        try:
            words["columns"] = sorted(names)
            if words["columns"] != names and not release.before("1.14"):  # of the same summer
                telling.tell_columns()
        except TypeError:
            words.pop("columns", None)
    original(self, data, *args, **words)


def _concat(original: Any, objs: Any, *args: Any, **words: Any) -> Any:
    """`concat`: columns, or rows, that are not the same in all parts are sorted."""
    import pandas as pd

    axis = words.get("axis", [*args, 0][0])
    outer = "join" not in words and len(args) < 2
    if isinstance(objs, Iterator):
        objs = list(objs)
    if outer and "sort" not in words and not by_library(_HOME):
        parts = list(objs.values()) if isinstance(objs, dict) else objs
        other = "columns" if axis in (0, "index") else "index"
        kinds = pd.DataFrame if other == "columns" else pd.DataFrame | pd.Series
        labels = [getattr(part, other) for part in parts if isinstance(part, kinds)]
        if any(not each.equals(labels[0]) for each in labels):
            words["sort"] = True
    kept = words.pop("join_axes", None)
    found = original(objs, *args, **words)
    return (
        found if kept is None else found.reindex(kept[0], axis=0 if axis in (1, "columns") else 1)
    )


def _widest(held: Any, value: Any) -> Any:
    given = np.asarray(value).dtype
    numbers = all(isinstance(one, np.dtype) and one.kind in "iuf" for one in (held, given))
    return np.result_type(held, given) if numbers else object


def _set_part(original: Any, self: Any, key: Any, value: Any) -> None:
    """`frame.loc[rows, column] = x`: a column takes a value of another type, and becomes as wide."""
    try:
        original(self, key, value)
    except TypeError as error:
        frame = self.obj
        if "Invalid value" not in str(error) or getattr(frame, "ndim", 1) != 2:
            raise
        chosen = key[1] if isinstance(key, tuple) and len(key) == 2 else slice(None)
        part = getattr(frame, "iloc" if "iLoc" in type(self).__name__ else "loc")
        found = part[:, [chosen] if np.isscalar(chosen) else chosen]
        for name in found.columns:
            frame[name] = frame[name].astype(_widest(frame[name].dtype, value))
        original(self, key, value)


def _resample(original: Any, self: Any, *args: Any, **words: Any) -> Any:
    """`resample(rule, how="sum")`."""
    how = words.pop("how", None)
    found = original(self, *args, **words)
    return found if how is None else found.agg(how)


_OF_LEVELS = "all any count max mean median min prod std sum var".split()


def _of_level(original: Any, self: Any, *args: Any, **words: Any) -> Any:
    """`sum(level=0)` and its kin: of the rows of each label, in the order that they come in."""
    level = words.pop("level", None)
    if level is None:
        return original(self, *args, **words)
    if len(args) > 1 or words.pop("axis", [*args, 0][0]) not in (0, "index", None):
        raise TypeError(
            f"{original.__name__}(level=) is taken for rows alone, with its arguments by name"
        )
    groups = self.groupby(level=level, sort=original.__name__ == "count")
    return getattr(groups, original.__name__)(**words)


def _lookup(self: Any, row_labels: Any, col_labels: Any) -> Any:
    return np.array([self.at[pair] for pair in zip(row_labels, col_labels, strict=True)])


_OF_SETS = {"__and__": "intersection", "__or__": "union", "__xor__": "symmetric_difference"}


def _of_sets(name: str) -> Callable[..., Any]:
    """What an operator of an index is: one of sets, of labels."""

    def operate(original: Any, self: Any, other: Any) -> Any:
        import pandas as pd

        if by_library(_HOME):
            return original(self, other)
        if not isinstance(other, pd.Index):
            other = pd.Index(other)
        if name == "__and__" and not self.is_unique:
            return self[self.isin(other)]
        flat = name == "__or__" and self.nlevels == 1
        kind = pd.api.types.infer_dtype(self.append(other)) if flat else ""
        if kind in ("mixed", "mixed-integer"):
            return self.union(other, sort=False)  # labels that can't be compared stay as they stand
        return getattr(self, _OF_SETS[name])(other)

    return operate


def _add_gone(pd: Any) -> None:
    add = pandas_frames.add

    def clip_upper(self: Any, threshold: Any, axis: Any = None) -> Any:
        return self.clip(upper=threshold, axis=axis)

    def clip_lower(self: Any, threshold: Any, axis: Any = None) -> Any:
        return self.clip(lower=threshold, axis=axis)

    def weekday(self: Any) -> Any:
        return self.day_name()

    def week(self: Any) -> Any:
        return self.isocalendar().week.astype("int64").rename(None)

    monotonic = property(lambda self: self.is_monotonic_increasing)
    for owner in (pd.DataFrame, pd.Series):
        add(owner, clip_upper=clip_upper, clip_lower=clip_lower)
    add(pd.DataFrame, lookup=_lookup, get_dtype_counts=lambda self: self.dtypes.value_counts())
    add(pd.Series, is_monotonic=monotonic, from_csv=staticmethod(pandas_dates.column_from_csv))
    add(pd.DataFrame, from_csv=staticmethod(pandas_dates.from_csv))
    add(pd.Index, is_monotonic=monotonic, get_values=lambda self: self.values)
    add(pd.Timestamp, weekday_name=property(weekday))
    times = pd.core.indexes.accessors.DatetimeProperties
    add(times, weekday_name=property(weekday), week=property(week), weekofyear=property(week))
    add(pd.DatetimeIndex, weekday_name=property(weekday))
    add(pd, np=np, TimeGrouper=lambda freq, **words: pd.Grouper(freq=freq, **words))
    add(pd.io.json, json_normalize=pd.json_normalize)


def install() -> None:
    """Has pandas give the values that it gave."""
    import pandas as pd
    from pandas._libs import parsers

    parsers.STR_NA_VALUES.difference_update(_LATER_MISSING)
    for owner in (pd.DataFrame, pd.Series):
        _wrap(owner, "pct_change", _pct_change)
        _wrap(owner, "resample", _resample)
    for name in ("corr", "cov", "max", "min", "prod", "sum"):
        _wrap(pd.DataFrame, name, pandas_frames.numbers_alone)
    _wrap(pd.DataFrame, "stack", _stack)
    _wrap(pd.DataFrame, "__init__", _init)
    _wrap(pd.DataFrame, "__getitem__", pandas_dates.rows)
    _wrap(pd.DataFrame, "__setitem__", pandas_dates.set_rows)
    for owner in (pd.DataFrame, pd.Series):
        for name in _OF_LEVELS:
            _wrap(owner, name, _of_level, mark="_tfqueue_level")
    _wrap(pd.core.strings.accessor.StringMethods, "replace", _replace_text)
    _wrap(pd, "to_datetime", pandas_dates.to_datetime)
    for name in ("read_csv", "read_excel", "read_table"):
        _wrap(pd, name, pandas_dates.read)
    _wrap(pd, "concat", _concat)
    for owner in (pd.Series, pd.DatetimeIndex, pd.TimedeltaIndex):
        _wrap(owner, "astype", _astype)
        if not getattr(owner.values.fget, "_tfqueue_values", False):
            owner.values = _values(owner.values)
    for owner in (pd.core.groupby.DataFrameGroupBy, pd.core.groupby.SeriesGroupBy):
        if isinstance(owner.nth, property):  # since 1.4: it takes `nth[0]`, too
            owner.nth = owner.nth.fget
            _wrap(owner, "nth", pandas_groups.nth)
    for name in _OF_SETS:
        _wrap(pd.Index, name, _of_sets(name))
    for owner in (pd.core.indexing._LocIndexer, pd.core.indexing._iLocIndexer):
        _wrap(owner, "__setitem__", _set_part)
    _add_gone(pd)
