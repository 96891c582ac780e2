"""What `tfqueue.port.libraries.pandas_frames` lays over pandas, asked of objects that note how they are called.

What pandas itself gives is in `test_pandas_frames.py`, which needs it.
"""

import functools
import sys
import types

import numpy as np
import pytest

from tfqueue.port.libraries import pandas_frames, pandas_groups


class Noting:
    """An object whose `loc` and `iloc` note their keys."""

    def __init__(self, *indexes):
        self.axes = [np.array(index) for index in indexes]
        self.index = self.axes[0]
        self.keys = []
        self.loc = self.iloc = self

    def __getitem__(self, key):
        self.keys.append(key)
        return "found"

    def __setitem__(self, key, value):
        self.keys.append((key, value))


NAMED = functools.partial(pandas_frames._named, 1, ["axis", "level"])
TEXT, WHOLE = ["a", "b", "c"], [5, 6, 7]


@pytest.mark.parametrize(
    ("indexes", "key", "asked"),
    [
        ([TEXT], "b", "b"),
        ([TEXT], 1, "b"),
        ([TEXT], np.int64(2), "c"),
        ([TEXT], [2, 0], ["c", "a"]),
        ([TEXT], [], []),
        ([TEXT], ["b"], ["b"]),
        ([TEXT], slice(1, None), ["b", "c"]),
        ([TEXT], slice(None, 2), ["a", "b"]),
        ([TEXT], slice("a", "b"), slice("a", "b")),
        ([TEXT], slice(1, "b"), slice(1, "b")),
        ([WHOLE], 5, 5),
        ([WHOLE], slice(5, 6), slice(5, 6)),
        ([WHOLE, TEXT], (5, 0), (5, "a")),
        ([WHOLE, TEXT], (6, "c"), (6, "c")),
    ],
)
def test_ix_asks_by_label_and_by_place(indexes, key, asked):
    owner = Noting(*indexes)

    def plain(value):
        return [str(one) for one in value] if isinstance(value, np.ndarray) else value

    assert pandas_frames._Ix(owner)[key] == "found"
    pandas_frames._Ix(owner)[key] = 3
    [read, (written, value)] = owner.keys
    assert (plain(read), plain(written), value) == (asked, asked, 3)


def noted(*args, **words):
    return args, words


@pytest.mark.parametrize(
    ("adapt", "args", "words", "given"),
    [
        (NAMED, ("df", "a"), {}, (("df", "a"), {})),
        (NAMED, ("df", "a", 1), {}, (("df", "a"), {"axis": 1})),
        (NAMED, ("df", "a", 1, 2), {}, (("df", "a"), {"axis": 1, "level": 2})),
        (NAMED, ("df", "a", 1, 2, 3), {}, (("df", "a", 1, 2, 3), {})),
        (NAMED, ("df", "a", 1), {"axis": 0}, (("df", "a", 1), {"axis": 0})),
        (NAMED, ("df",), {"columns": ["a"]}, (("df",), {"columns": ["a"]})),
        (pandas_frames._fillna, ("df", 0), {"inplace": True}, (("df", 0), {"inplace": True})),
        (pandas_frames._fillna, ("df",), {"method": None, "value": 1}, (("df",), {"value": 1})),
        (pandas_frames._get_dummies, ("df",), {}, (("df",), {"dtype": "uint8"})),
        (pandas_frames._get_dummies, ("df",), {"dtype": float}, (("df",), {"dtype": float})),
        (pandas_frames._get_dummies, tuple("abcdefgh"), {}, (tuple("abcdefgh"), {})),
        (pandas_frames._get_dummies, tuple("abcdefg"), {}, (tuple("abcdefg"), {"dtype": "uint8"})),
        (pandas_frames._frequency, (1,), {"freq": "M"}, ((1,), {"freq": "ME"})),
        (pandas_frames._frequency, (1,), {"rule": "H"}, ((1,), {"rule": "h"})),
        (pandas_frames._frequency, (1,), {"freq": "D"}, ((1,), {"freq": "D"})),
        (pandas_frames._without("squeeze"), (1,), {"squeeze": True, "by": 2}, ((1,), {"by": 2})),
        (pandas_groups.by_one, (1, ["a"], 0), {"squeeze": True}, ((1, "a", 0), {})),
        (pandas_groups.by_one, (1,), {"by": ["a"], "level": [0]}, ((1,), {"by": "a", "level": 0})),
        (pandas_groups.by_one, (1, ["a", "b"]), {}, ((1, ["a", "b"]), {})),
        (pandas_groups.by_one, (1,), {"by": ("a",)}, ((1,), {"by": ("a",)})),
        (pandas_groups.numbers, ("df",), {}, (("df",), {"numeric_only": True})),
        (pandas_groups.numbers, ("df", False), {}, (("df", False), {})),
        (pandas_groups.renamed, (1, "sum"), {}, ((1, "sum"), {})),
        (pandas_frames._to_csv, (1,), {"line_terminator": "n"}, ((1,), {"lineterminator": "n"})),
        (pandas_frames._to_csv, (1,), {"index": False}, ((1,), {"index": False})),
    ],
)
def test_old_arguments_are_todays(adapt, args, words, given):
    assert adapt(noted, *args, **words) == given


@pytest.mark.parametrize(
    ("method", "called"), [("ffill", "f"), ("pad", "f"), ("bfill", "b"), ("backfill", "b")]
)
def test_gaps_are_filled_from_one_side(method, called):
    frame = types.SimpleNamespace(
        ffill=lambda **words: ("f", words), bfill=lambda **words: ("b", words)
    )
    assert pandas_frames._fillna(noted, frame, method=method, limit=1) == (called, {"limit": 1})


def test_a_statistic_leaves_text_out_unless_it_is_told():
    def mean(frame, *args, numeric_only=False):
        if not numeric_only:
            raise TypeError("text")
        return frame, args

    assert pandas_frames._statistic(mean, "df", 0) == ("df", (0,))
    with pytest.raises(TypeError, match="text"):
        pandas_frames._statistic(mean, "df", numeric_only=False)
    assert pandas_frames._statistic(noted, "df") == (("df",), {})


def test_an_item_by_place_where_labels_are_no_numbers():
    def fails(series, key):
        raise KeyError(key)

    assert pandas_frames._item(noted, "s", 0) == (("s", 0), {})
    owner = Noting(TEXT)
    assert pandas_frames._item(fails, owner, -1) == "found"
    assert owner.keys == [-1]
    wrong = [(owner, "z"), (owner, True), (Noting(WHOLE), 0), (Noting([0.5]), 0)]
    for series, key in wrong:
        with pytest.raises(KeyError):
            pandas_frames._item(fails, series, key)


def test_an_item_is_set_by_place_where_labels_are_no_numbers():
    def sets(series, key, value):
        series.keys.append("by label")

    class Labels(np.ndarray):
        def isin(self, keys):
            return np.isin(self, keys)

    for index, key, asked in (
        (TEXT, 0, (0, "x")),
        (TEXT, [np.int64(1), 2], ([1, 2], "x")),
        (TEXT, "a", "by label"),
        (TEXT, True, "by label"),
        (TEXT, [], "by label"),
        (WHOLE, 0, "by label"),
        ([0.5], 0, "by label"),
    ):
        owner = Noting(index)
        owner.index = owner.index.view(Labels)
        pandas_frames._set_item(sets, owner, key, "x")
        assert owner.keys == [asked], (index, key)


def test_a_function_is_laid_over_once_and_members_are_added_where_there_are_none():
    class Owner:
        def drop(self, labels, axis=0):
            """Drops."""
            return labels, axis

        ix = "own"

    pandas_frames.wrap(Owner, "drop", NAMED)
    first = Owner.drop
    pandas_frames.wrap(Owner, "drop", NAMED)
    assert Owner.drop is first
    assert (Owner().drop("a", 1), Owner.drop.__doc__) == (("a", 1), "Drops.")
    pandas_frames.add(Owner, ix="ours", mad="added")
    assert (Owner.ix, Owner.mad) == ("own", "added")


def test_rows_are_appended(monkeypatch):
    class Series(list):
        def to_frame(self):
            return types.SimpleNamespace(T=self)

        def infer_objects(self):
            return "inferred"

    class DataFrame(list):
        pass

    pandas = types.SimpleNamespace(DataFrame=DataFrame, Series=Series, concat=noted)
    monkeypatch.setitem(sys.modules, "pandas", pandas)
    frame, series = DataFrame([1]), Series([2])
    plain = {"ignore_index": False, "sort": False}
    assert pandas_frames._append(frame, "other") == (([frame, "other"],), plain)
    assert pandas_frames._append(frame, series, True) == (
        ([frame, "inferred"],),
        {"ignore_index": True, "sort": False},
    )
    assert pandas_frames._append(frame, {"a": 1}) == (([frame, "inferred"],), plain)
    assert pandas_frames._append("series", ("a", "b"), sort=True) == (
        (["series", "a", "b"],),
        {"ignore_index": False, "sort": True},
    )


def test_a_rolling_mean_and_a_value_that_is_set():
    class Rolled:
        def rolling(self, window, min_periods, center):
            return types.SimpleNamespace(mean=lambda: (window, min_periods, center))

    assert pandas_frames._rolling("mean")(Rolled(), 3) == (3, None, False)
    assert pandas_frames._rolling("mean")(Rolled(), 3, 1, True) == (3, 1, True)
    owner = Noting(TEXT)
    assert pandas_frames._set_value(owner, "a", "b", 4) is owner
    assert owner.keys == [(("a", "b"), 4)]


class Values(np.ndarray):
    def abs(self):
        return np.abs(self)


def test_the_mean_of_distances_from_the_mean():
    assert pandas_frames._mad(np.array([1.0, 2.0, 6.0]).view(Values)) == 2.0


def test_a_function_gets_the_columns_that_were_chosen():
    """Of a frame's groups without a choice, whole rows, the key too; else what `groups[["a"]]` has."""

    class Groups:
        def __init__(self, selection):
            self.obj = types.SimpleNamespace(columns=["k", "a"], index=Index())
            self._selection, self.as_index = selection, True

        def __getitem__(self, names):
            return Groups(names)

    class Index:
        is_unique, nlevels = True, 1

    asked = []

    def original(self, function):
        asked.append(self._selection)
        return types.SimpleNamespace(ndim=2, name=None)

    for selection in (None, ["a"]):
        pandas_groups.apply(original, Groups(selection), len)
    assert asked == [["k", "a"], ["a"]]


def test_what_is_installed(monkeypatch):
    """Into a pandas without the option for text, and with `append` of its own."""

    def kind(name, *methods):
        return type(
            name, (), {each: lambda self, *args, **words: (args, words) for each in methods}
        )

    changed = ("asfreq", "drop", "fillna", "to_csv", "resample", "sort_index", "sort_values")
    counted = ("max", "min", "prod", "sum")
    shown = ("groupby", "mean", "kurt", "items", "map", "append", "value_counts")
    frame = kind("DataFrame", *changed, *counted, *shown)
    series = kind(
        "Series", *changed, "__getitem__", "__setitem__", "groupby", "value_counts", "argsort"
    )
    for owner in (frame, series):  # what is taken by position counts
        owner.drop = lambda self, labels=None, *, axis=0: ((labels,), {"axis": axis})
    of_each = ("size", "apply", "agg", "aggregate")
    groups = kind("Groups", "mean", "sum", "prod", "__getitem__", *of_each)
    of_column = kind("GroupsOfAColumn", *of_each)
    pandas = types.SimpleNamespace(
        DataFrame=frame,
        Series=series,
        Index="index",
        plotting=types.SimpleNamespace(scatter_matrix="scatter"),
        api=types.SimpleNamespace(
            typing=types.SimpleNamespace(DataFrameGroupBy=groups, SeriesGroupBy=of_column)
        ),
        get_dummies=noted,
        date_range=lambda **words: words,
        to_datetime=lambda **words: words,
        set_option=lambda *_: {}["future.infer_string"],
    )
    monkeypatch.setitem(sys.modules, "pandas", pandas)
    pandas_frames.install()
    one, other = frame(), series()
    assert (one.iteritems(), one.applymap("f")) == (((), {}), (("f",), {}))
    assert one.append(1) == ((1,), {}), "its own"
    assert isinstance(one.ix, pandas_frames._Ix)
    assert isinstance(other.ix, pandas_frames._Ix)
    for held in (one, other):
        assert held.drop("a", 1) == (("a",), {"axis": 1})
        assert held.fillna(method=None, value=2) == ((), {"value": 2})
        assert held.resample(rule="M") == ((), {"rule": "ME"})
        assert hasattr(held, "get_values")
        assert hasattr(held, "mad")
    assert one.to_csv(line_terminator="n") == ((), {"lineterminator": "n"})
    assert other.to_csv(line_terminator="n") == ((), {"lineterminator": "n", "header": False})
    for name in counted:
        assert getattr(one, name)(axis=None, out=1) == ((), {"out": 1})
        assert getattr(one, name)(axis=1) == ((), {"axis": 1})
    assert one.groupby("a", squeeze=True) == (("a",), {})
    of_a_frame = groups()
    of_a_frame.obj = types.SimpleNamespace(columns=["a", "b", "c"])
    assert of_a_frame["a", "b"] == ((["a", "b"],), {})
    assert pandas.date_range(freq="Q") == {"freq": "QE"}
    assert pandas.to_datetime(infer_datetime_format=True, utc=1) == {"utc": 1}
    assert pandas.get_dummies("df") == (("df",), {"dtype": "uint8"})
    assert (pandas.Int64Index, pandas.scatter_matrix) == ("index", "scatter")
    names = ("mean", "std", "sum", "max", "min", "median")
    assert all(hasattr(pandas, f"rolling_{name}") for name in names)
    laid_over = [frame.mean, frame.kurt, groups.mean, series.__getitem__, pandas.date_range]
    assert all(each._tfqueue for each in laid_over)
    array = np.arange(4)
    other.to_numpy = lambda copy=False: array.copy() if copy else array
    assert other.reshape(2, 2).tolist() == [[0, 1], [2, 3]]
    assert other.ravel().tolist() == [0, 1, 2, 3]
    assert other.nonzero()[0].tolist() == [1, 2, 3]
