"""pandas as it was up to 0.25: what frames and series lack today, and what they take otherwise.

Translated programs import `tfqueue.port.libraries.pandas_methods`, which calls `install`.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import re
import sys
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from tfqueue.names import libraries
from tfqueue.port.libraries import pandas_groups, pandas_order

_FREQUENCIES = {
    "M": "ME",
    "Q": "QE",
    "A": "YE",
    "Y": "YE",
    "BM": "BME",
    "BQ": "BQE",
    "BA": "BYE",
    "H": "h",
    "T": "min",
    "S": "s",
    "L": "ms",
    "U": "us",
    "N": "ns",
}
_FREQUENCY = re.compile(r"(\d*)([A-Z]{1,2})(-[A-Z]{3})?")
_STATISTICS = ("mean", "median", "quantile", "std", "var", "sem", "skew", "kurt")


class _Ix:
    """`frame.ix[...]`: by label, and by place where a whole number is no label."""

    def __init__(self, owner: Any) -> None:
        self._owner = owner

    def _keys(self, key: Any) -> Any:
        if not isinstance(key, tuple):
            return self._labels(key, self._owner.axes[0])
        return tuple(map(self._labels, key, self._owner.axes))

    def _labels(self, key: Any, index: Any) -> Any:
        if index.dtype.kind in "iu":
            return key  # whole numbers are labels
        if isinstance(key, slice):
            bounds = key.start, key.stop
            by_place = all(one is None or isinstance(one, int | np.integer) for one in bounds)
        else:
            first = key[0] if isinstance(key, list) and key else key
            by_place = isinstance(first, int | np.integer)
        return index[key] if by_place else key

    def __getitem__(self, key: Any) -> Any:
        return self._owner.loc[self._keys(key)]

    def __setitem__(self, key: Any, value: Any) -> None:
        self._owner.loc[self._keys(key)] = value


class _Column:
    """A column of a frame; what is written into it stands in the frame."""

    def __init__(self, frame: Any, name: Any) -> None:
        self._frame, self._name = frame, name

    def __getitem__(self, key: Any) -> Any:
        return _item(lambda column, key: column[key], self._frame[self._name], key)

    def __setitem__(self, key: Any, value: Any) -> None:
        column = self._frame[self._name].copy()
        if type(key) is int and column.index.dtype.kind not in "iuf" and key not in column.index:
            key = column.index[key]  # by place, where the labels are no numbers
        try:
            with warnings.catch_warnings():
                warnings.filterwarnings("error", ".*incompatible dtype", FutureWarning)
                column[key] = value
        except (TypeError, FutureWarning):  # of pandas 3 and 2: a float among whole numbers
            kinds = column.dtype, np.asarray(value).dtype
            numbers = all(isinstance(one, np.dtype) and one.kind in "biuf" for one in kinds)
            if numbers and np.isscalar(key) and np.isfinite(value):
                value = column.dtype.type(value)  # one alone was cut off
            else:
                column = column.astype(np.result_type(*kinds) if numbers else object)
            column[key] = value
        self._frame[self._name] = column

    def __getattr__(self, name: str) -> Any:
        """A method of the column; with `inplace=True` its result stands in the frame."""

        def method(*args: Any, **words: Any) -> Any:
            inplace = words.pop("inplace", False)
            found = getattr(self._frame[self._name], name)(*args, **words)
            if not inplace:
                return found
            self._frame[self._name] = found
            return None

        return method


def column(owner: Any, name: Any) -> Any:
    """Stands for `owner[name]` in `owner[name][row] = x`, which pandas 3 keeps out of a frame.

    >>> table = {"a": [1, 2]}
    >>> column(table, "a")[0] = 5
    >>> table
    {'a': [5, 2]}
    """
    found = owner[name]
    pandas = sys.modules.get("pandas")
    if pandas and isinstance(owner, pandas.DataFrame) and isinstance(found, pandas.Series):
        return _Column(owner, name)
    return found


def attribute(owner: Any, name: str) -> Any:
    """Stands for `owner.name` where `owner[name]` may be meant, as in `frame.age[row] = x`; see `column`."""
    found = getattr(owner, name)
    pandas = sys.modules.get("pandas")
    if pandas and isinstance(owner, pandas.DataFrame) and name in owner.columns:
        return column(owner, name)
    return found


def _append(self: Any, other: Any, ignore_index: bool = False, **words: Any) -> Any:
    import pandas as pd

    if isinstance(other, dict):
        other = pd.Series(other)
    if isinstance(self, pd.DataFrame) and isinstance(other, pd.Series):
        other = other.to_frame().T.infer_objects()
    others = other if isinstance(other, list | tuple) else [other]
    return pd.concat([self, *others], ignore_index=ignore_index, sort=words.get("sort") or False)


def _rolling(name: str) -> Callable[..., Any]:
    def function(
        arg: Any, window: int, min_periods: int | None = None, center: bool = False
    ) -> Any:
        return getattr(arg.rolling(window, min_periods=min_periods, center=center), name)()

    return function


def _mad(self: Any) -> Any:
    return (self - self.mean()).abs().mean()


def _set_value(self: Any, index: Any, column: Any, value: Any) -> Any:
    self.loc[index, column] = value
    return self


def wrap(owner: Any, name: str, adapt: Callable[..., Any], mark: str = "_tfqueue") -> None:
    """Lays a function over a method or function of pandas: it gets the original and the arguments.

    Args:
        mark: The attribute of what has one already.
    """
    original = getattr(owner, name)
    if getattr(original, mark, False):
        return

    @functools.wraps(original)
    def function(*args: Any, **words: Any) -> Any:
        return adapt(original, *args, **words)

    vars(function)[mark] = True
    setattr(owner, name, function)


def _name_arguments(owner: Any) -> None:
    """Has methods take by position what they took so, and take by name alone today."""
    home = f"pandas.{owner.__name__}."
    for dotted, row in libraries.orders().items():
        name = dotted.removeprefix(home)
        if name == dotted or not hasattr(owner, name):
            continue
        original = getattr(owner, name)
        free, _, rest = row.partition("|")
        held = inspect.signature(inspect.unwrap(original)).parameters.values()
        count = sum(one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD) for one in held)
        if count == len(free.split()) + 1:  # else what stands there is another argument today
            adapt = functools.partial(_named, count - 1, rest.split())
            wrap(owner, name, adapt, "_tfqueue_named")


def _named(count: int, names: list[str], original: Any, self: Any, *args: Any, **words: Any) -> Any:
    over = dict(zip(names, args[count:], strict=False))
    if len(args) > count + len(over) or over.keys() & words.keys():
        return original(self, *args, **words)  # which says what is wrong
    return original(self, *args[:count], **words, **over)


def _fillna(original: Any, self: Any, *args: Any, **words: Any) -> Any:
    """`fillna(method="ffill")`."""
    method = words.pop("method", None)
    if method is None:
        return original(self, *args, **words)
    forwards = method in ("ffill", "pad")
    return (self.ffill if forwards else self.bfill)(**words)


def numbers_alone(original: Any, self: Any, *args: Any, **words: Any) -> Any:
    """`mean` and `corr`, and `sum(axis=1)` and its kin: columns of text are left out."""
    try:
        return original(self, *args, **words)
    except (TypeError, ValueError):
        if "numeric_only" in words:
            raise
        return original(self, *args, numeric_only=True, **words)


def _statistic(original: Any, self: Any, *args: Any, **words: Any) -> Any:
    return _each_column(functools.partial(numbers_alone, original), self, *args, **words)


def _each_column(original: Any, self: Any, *args: Any, **words: Any) -> Any:
    """`np.max(frame)` asks for `axis=None`, which was each column."""
    if words.get("axis", 0) is None:
        del words["axis"]
    return original(self, *args, **words)


def _get_dummies(original: Any, *args: Any, **words: Any) -> Any:
    """Small whole numbers, not truth values."""
    if words.get("dtype") is None and len(args) < 8:
        words["dtype"] = "uint8"
    return original(*args, **words)


def _is_place(series: Any, key: Any) -> bool:
    """Whether a key of a series is a place or several, where no label is a number."""
    several = key if isinstance(key, list) and key else [key]
    whole = all(isinstance(one, int | np.integer) and not isinstance(one, bool) for one in several)
    return (
        whole and series.index.dtype.kind not in "biuf" and getattr(series.index, "nlevels", 1) == 1
    )


def _item(original: Any, self: Any, key: Any) -> Any:
    """`series[0]` by place, where the labels are no whole numbers."""
    try:
        return original(self, key)
    except KeyError:
        if not _is_place(self, key):
            raise
        return self.iloc[key]


def _set_item(original: Any, self: Any, key: Any, value: Any) -> None:
    """`series[0] = x` by place, where the labels are no whole numbers; it is one more label today."""
    if _is_place(self, key) and not self.index.isin(key if isinstance(key, list) else [key]).any():
        self.iloc[key] = value
    else:
        original(self, key, value)


def _labels(original: Any, self: Any, key: Any) -> Any:
    """`frame.loc[labels]` where some labels are missing: their values are missing, too."""
    try:
        return original(self, key)
    except KeyError:
        found, keys = self.obj, list(key) if isinstance(key, tuple) else [key]
        for axis, one in enumerate(keys):
            if not hasattr(one, "__iter__") or isinstance(one, str | tuple):
                continue
            wanted, index = list(one), found.axes[axis]
            if all(isinstance(each, bool | np.bool_) for each in wanted):  # a mask
                continue
            if not index.is_unique or not index.isin(wanted).any():
                raise
            found, keys[axis] = found.reindex(wanted, axis=axis), slice(None)
        return original(found.loc, tuple(keys))


def _frequency(original: Any, *args: Any, **words: Any) -> Any:
    """Names of frequencies: `M` is `ME` today, and `12H` is `12h`."""
    for key in ("freq", "rule"):
        if key in words:
            words[key] = _new_frequency(words[key])
    return original(*map(_new_frequency, args), **words)


def _new_frequency(name: Any) -> Any:
    found = _FREQUENCY.fullmatch(name) if isinstance(name, str) else None
    if not found or found[2] not in _FREQUENCIES:
        return name
    return f"{found[1]}{_FREQUENCIES[found[2]]}{found[3] or ''}"


def _without(*names: str) -> Callable[..., Any]:
    def adapt(original: Any, *args: Any, **words: Any) -> Any:
        return original(*args, **{k: v for k, v in words.items() if k not in names})

    return adapt


def _value_counts(original: Any, self: Any, *args: Any, **words: Any) -> Any:
    """Numbers under the name of the column, by values under none."""
    found = original(self, *args, **words)
    if self.ndim == 1:
        found.name, found.index.name = self.name, None
    return found


def _to_csv(original: Any, *args: Any, **words: Any) -> Any:
    if "line_terminator" in words:
        words["lineterminator"] = words.pop("line_terminator")
    return original(*args, **words)


_OF_COLUMN = ("path_or_buf", "index", "sep", "na_rep", "float_format", "header", "index_label")
_OF_FRAME = ("path_or_buf", "sep", "na_rep", "float_format", "columns", "header", "index")


def _column_to_csv(original: Any, self: Any, *args: Any, **words: Any) -> Any:
    """A column without its name at the top, where it is not asked for.

    The second argument was `index` up to 0.23, and `sep` since 0.24, which told them apart so.
    """
    if "path" in words:
        words["path_or_buf"] = words.pop("path")
    is_letter = len(args) > 1 and isinstance(args[1], str) and len(args[1]) == 1
    over = dict(zip(_OF_FRAME if is_letter else _OF_COLUMN, args, strict=False))
    if len(args) > len(over) or over.keys() & words.keys():
        return original(self, *args, **words)  # which says what is wrong
    words |= over
    if words.get("header") is None:
        words["header"] = False
    return original(self, **words)


def add(owner: Any, **members: Any) -> None:
    """Gives a class or module of pandas what it lacks."""
    for name, member in members.items():
        if not hasattr(owner, name):
            setattr(owner, name, member)


def _install_groups(pd: Any) -> None:
    if not hasattr(pd.api, "typing"):
        return
    of_frame, of_series = pd.api.typing.DataFrameGroupBy, pd.api.typing.SeriesGroupBy
    for owner in (of_frame, of_series):
        wrap(owner, "size", pandas_groups.size)
        wrap(owner, "apply", pandas_groups.apply)
    wrap(of_frame, "__getitem__", pandas_groups.columns)
    for name in ("agg", "aggregate"):
        wrap(of_series, name, pandas_groups.renamed)
    for name in ("prod", "sum"):
        wrap(of_frame, name, pandas_groups.numbers)


def install() -> None:
    """Gives pandas back what it lacks, and has it take what it took."""
    import datetime

    import pandas as pd

    with contextlib.suppress(KeyError), warnings.catch_warnings():
        # text is of dtype object; an option of 2.1 to 3
        warnings.simplefilter("ignore")
        pd.set_option("future.infer_string", False)
    frame, series = pd.DataFrame, pd.Series
    both = {
        "ix": property(_Ix),
        "append": _append,
        "iteritems": lambda self: self.items(),
        "get_values": lambda self: self.values,
        "mad": _mad,
    }
    add(frame, **both, applymap=lambda self, *args, **words: self.map(*args, **words))
    add(frame, get_value=lambda self, row, column: self.at[row, column], set_value=_set_value)
    add(
        series,
        **both,
        ravel=lambda self, order="C": self.to_numpy(copy=True).ravel(order),
        nonzero=lambda self: self.to_numpy().nonzero(),
        reshape=lambda self, *shape: self.to_numpy(copy=True).reshape(*shape),
        get_value=lambda self, label: self.at[label],
    )
    rolled = {f"rolling_{n}": _rolling(n) for n in ("mean", "std", "sum", "max", "min", "median")}
    add(pd, **rolled, datetime=datetime.datetime, Int64Index=pd.Index, Float64Index=pd.Index)
    add(pd, scatter_matrix=pd.plotting.scatter_matrix)
    for owner in (frame, series):
        wrap(owner, "fillna", _fillna)
        wrap(owner, "to_csv", _to_csv)
        wrap(owner, "resample", _frequency)
        wrap(owner, "asfreq", _frequency)
        wrap(owner, "groupby", pandas_groups.by_one)
        wrap(owner, "value_counts", _value_counts)
    groups = pd.api.typing.DataFrameGroupBy if hasattr(pd.api, "typing") else None
    for name in ("max", "min", "prod", "sum"):
        wrap(frame, name, _each_column)
    for owner in filter(None, (frame, groups)):
        for name in _STATISTICS:
            if hasattr(owner, name):
                wrap(owner, name, _statistic)
    _install_groups(pd)
    pandas_order.install(pd, wrap)
    for owner in (frame, series):
        _name_arguments(owner)  # over what takes them by name
    wrap(series, "to_csv", _column_to_csv, "_tfqueue_column")
    wrap(series, "__getitem__", _item)
    wrap(series, "__setitem__", _set_item)
    if hasattr(pd, "core"):
        wrap(pd.core.indexing._LocIndexer, "__getitem__", _labels)
    wrap(pd, "get_dummies", _get_dummies)
    wrap(pd, "date_range", _frequency)
    wrap(pd, "to_datetime", _without("infer_datetime_format"))
