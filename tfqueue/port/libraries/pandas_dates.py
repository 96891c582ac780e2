"""Dates of pandas as they were up to 0.25: how they are read, and rows of a time that a text names.

For `tfqueue.port.libraries.pandas_values`.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Hashable
from typing import Any

import numpy as np

from tfqueue.port.libraries.callers import by_library

_HOME = "tfqueue.port.libraries.pandas_"


def to_datetime(original: Any, *args: Any, **words: Any) -> Any:
    """`to_datetime`: each text is read by itself, and not in the form of the first.

    With a unit a text is a number.
    """
    if "unit" in words and args and _is_text(args[0]):
        import pandas as pd

        args = (pd.to_numeric(args[0]), *args[1:])
    if words.keys().isdisjoint(("format", "infer_datetime_format", "unit")) and len(args) < 6:
        return original(*args, format="mixed", **words)
    try:
        return original(*args, **words)
    except ValueError as error:
        if "format" in words or "doesn't match format" not in str(error):
            raise
    return original(*args, format="mixed", **words)


def _is_text(values: Any) -> bool:
    several = np.iterable(values) and not isinstance(values, str)
    return several and all(isinstance(one, str) for one in values)


def read(original: Any, *args: Any, **words: Any) -> Any:
    """`read_csv` and its kin: each date of `parse_dates` is read by itself, and `date_parser` is called.

    An item of `parse_dates` may be a list of columns that give a date together.
    """
    dates = words.get("parse_dates")
    several = list(dates) if isinstance(dates, list | tuple | dict) else []
    nested = isinstance(dates, dict) or any(isinstance(one, list | tuple) for one in several)
    if not dates or not (nested or words.get("date_parser")):
        words.pop("date_parser", None)
        if dates and words.keys().isdisjoint(("date_format", "infer_datetime_format")):
            words["date_format"] = "mixed"
        return original(*args, **words)
    apart = any(words.get(one) is not None for one in ("chunksize", "usecols"))
    if apart or words.get("iterator") or original.__name__ == "read_excel":
        return original(*args, **words)  # which says what it does not take
    return _Dates(words).read(original, args)


class _Dates:
    """The columns of dates in a file that is read with `date_parser`, or from several columns each.

    Args:
        words: The arguments of `read_csv`; what is not for today's is taken out.
    """

    def __init__(self, words: dict[str, Any]) -> None:
        self._words = words
        self._parser = words.pop("date_parser", None)
        self._keeps = words.pop("keep_date_col", False)
        self._dayfirst = words.get("dayfirst", False)
        self._index = words.pop("index_col", None)
        dates = words.pop("parse_dates")
        if dates is True:
            dates = self._index if isinstance(self._index, list) else [self._index]
            dates = [one for one in dates if one is not None and one is not False]
        named = dates.items() if isinstance(dates, dict) else ((None, one) for one in dates)
        self._parts: list[tuple[Any, Any]] = list(named)
        """The name of a new column, if it has one, and of what it is made: a column or a list of some."""

    def read(self, original: Callable[..., Any], args: tuple[Any, ...]) -> Any:
        """The frame."""
        texts = {
            column: str for _, part in self._parts for column in _listed(part)
        }  # as they stand in the file
        words = {**self._words, "converters": {**texts, **(self._words.get("converters") or {})}}
        frame = original(*args, **words)
        used: list[Hashable] = []
        made: dict[Hashable, Any] = {}
        for name, part in self._parts:
            columns = [self._name(frame, column) for column in _listed(part)]
            found = self._parsed([frame[column] for column in columns])
            if name is None and not isinstance(part, list | tuple):
                frame[columns[0]] = found
                continue
            made["_".join(map(str, columns)) if name is None else name] = found
            used += columns
        if not self._keeps:
            frame = frame.drop(columns=used)
        for place, (label, found) in enumerate(made.items()):
            frame.insert(place, label, found)
        if self._index is None or self._index is False:
            return frame
        keys = [self._name(frame, column) for column in _listed(self._index)]
        return frame.set_index(keys if isinstance(self._index, list) else keys[0])

    @staticmethod
    def _name(frame: Any, column: Any) -> Any:
        if isinstance(column, int) and column not in frame.columns:
            return frame.columns[column]
        return column

    def _parsed(self, columns: list[Any]) -> Any:
        from pandas._libs import parsers

        missing = parsers.STR_NA_VALUES if self._words.get("keep_default_na", True) else set()
        texts = [
            np.array([np.nan if one in missing else one for one in column], object)
            for column in columns
        ]
        joined = texts[0]
        if len(texts) > 1:
            joined = np.array([" ".join(map(str, row)) for row in zip(*texts, strict=True)], object)
        if self._parser is None:
            return self._times(joined)
        try:
            found = self._times(self._parser(*texts))
            if not isinstance(found, datetime.datetime):
                return found
        except Exception:  # noqa: BLE001 - it is for one text, or it fails below, too
            found = None
        try:
            return self._times([one if one != one else self._parser(one) for one in joined])
        except Exception:  # noqa: BLE001 - it is for the values of one row
            return self._times([self._parser(*row) for row in zip(*texts, strict=True)])

    def _times(self, values: Any) -> Any:
        """Values as times; as they are, where they are no times."""
        import pandas as pd

        try:
            return pd.to_datetime(values, dayfirst=self._dayfirst)
        except (TypeError, ValueError):
            return values


def _listed(part: Any) -> list[Any]:
    return list(part) if isinstance(part, list | tuple) else [part]


def from_csv(path: Any, header: Any = 0, sep: str = ",", index_col: Any = 0, **words: Any) -> Any:
    """`DataFrame.from_csv`, and of a `Series` with `header=None`."""
    import pandas as pd

    words = {"parse_dates": True, **words}
    words.pop("tupleize_cols", None)
    words.pop("infer_datetime_format", None)
    if words["parse_dates"] is True and index_col is None:
        del words["parse_dates"]
    return pd.read_csv(path, header=header, sep=sep, index_col=index_col, **words)


def column_from_csv(path: Any, *args: Any, **words: Any) -> Any:
    """`Series.from_csv(path, sep=",", parse_dates=True, header=None, index_col=0)`."""
    words |= dict(zip(("sep", "parse_dates", "header", "index_col"), args, strict=False))
    found = from_csv(path, **{"header": None, **words}).iloc[:, 0]
    if words.get("header") is None:
        found.name = found.index.name = None
    return found


def _is_of_rows(frame: Any, key: Any) -> bool:
    """Whether a key of a frame is a text that names some time, such as "2018-01", with rows of it."""
    if not isinstance(key, str) or key in frame.columns or by_library(_HOME):
        return False
    if getattr(frame.index, "inferred_type", "") not in ("datetime64", "period"):
        return False
    try:
        return bool(frame.loc[key].ndim == frame.ndim)
    except (KeyError, TypeError, ValueError):
        return False


def rows(original: Any, self: Any, key: Any) -> Any:
    """`frame["2018-01"]`: the rows of that month, where no column is called so."""
    return self.loc[key] if _is_of_rows(self, key) else original(self, key)


def set_rows(original: Any, self: Any, key: Any, value: Any) -> None:
    """`frame["2018-01"] = x`: the rows of that month, where no column is called so."""
    if _is_of_rows(self, key):
        self.loc[key] = value
    else:
        original(self, key, value)
