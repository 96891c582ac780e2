"""What `tfqueue.port.libraries.pandas_frames` gives back to pandas: values are those of pandas 0.25.3, and of 0.22 for `rolling_mean`."""

import importlib.util

import numpy as np
import pytest

from tfqueue.port.libraries import pandas_frames

pytestmark = pytest.mark.filterwarnings("ignore::FutureWarning")
"""Pandas 2 warns of what pandas 3 refuses."""


@pytest.fixture
def pd():
    if importlib.util.find_spec("pandas") is None:
        pytest.skip("pandas is not installed")
    pandas_frames.install()
    import pandas

    return pandas


@pytest.fixture
def frame(pd):
    return pd.DataFrame({"a": [1, 2, 3], "b": [4.0, 5.0, 6.0], "c": list("xyx")})


def test_ix_goes_by_label_and_by_place(pd, frame):
    assert frame.ix[0, "b"] == 4.0
    assert frame.ix[0:1, ["a"]].a.tolist() == [1, 2]
    assert frame.ix[:, 0].tolist() == [1, 2, 3]
    named = frame.set_index("c").drop("x")
    assert named.ix[0].tolist() == named.ix["y"].tolist() == [2.0, 5.0]
    frame.ix[1, "a"] = 7
    assert frame.a.tolist() == [1, 7, 3]


def test_what_is_written_into_a_column_stands_in_the_frame(pd, frame):
    """The values are those of pandas 0.25.3."""
    rows = frame["a"] > 1
    pandas_frames.column(frame, "a")[rows] = 7
    pandas_frames.column(frame, "b")[0] += 0.5
    assert frame.a.tolist() == [1, 7, 7]
    assert frame.b.tolist() == [4.5, 5.0, 6.0]
    pandas_frames.column(frame, "a")[0] = 1.5
    pandas_frames.column(frame, "c")[1:] = "z"
    assert (frame.a.tolist(), str(frame.a.dtype)) == ([1, 7, 7], "int64")
    pandas_frames.column(frame, "a")[rows] = 2.5
    assert frame.a.tolist() == [1.0, 2.5, 2.5]
    assert frame.c.tolist() == ["x", "z", "z"]
    assert pandas_frames.column(frame, ["a", "b"]) is not frame
    held = {"k": np.zeros(2)}
    pandas_frames.column(held, "k")[1] = 3
    assert held["k"].tolist() == [0, 3]


def test_a_row_of_a_column_goes_by_place_where_labels_are_no_numbers(pd, frame):
    """The values are those of pandas 0.25.3."""
    frame.index = list("pqr")
    pandas_frames.column(frame, "a")["q"] = 8
    pandas_frames.column(frame, "a")[0] += 6
    pandas_frames.column(frame, "a")[-1] = 9
    assert frame.a.tolist() == [7, 8, 9]


def test_the_values_of_missing_labels_are_missing(pd, frame):
    """As pandas 0.23.4 had it; where none of the labels is there it was an error, too."""
    frame.index = list("xyz")
    assert repr(frame.loc[["x", "q"], "a"].tolist()) == "[1.0, nan]"
    assert repr(frame.a.loc[["q", "z", "q"]].tolist()) == "[nan, 3.0, nan]"
    assert repr(frame.loc["x", ["b", "d"]].tolist()) == "[4.0, nan]"
    assert repr(frame.loc[frame.a > 1, ["a", "d"]].values.tolist()) == "[[2.0, nan], [3.0, nan]]"
    for key in (["q"], "q", (["q"], ["a"]), (["x"], ["d"])):
        with pytest.raises(KeyError):
            frame.loc[key]
    with pytest.raises(KeyError):  # which of both is meant
        pd.concat([frame, frame]).loc[["x", "q"]]


def test_numpy_counts_each_column(pd, frame):
    """The values are those of pandas 0.25.3; `np.std` gives no `ddof` of 1 there either."""
    frame = frame[["a", "b"]]
    assert np.max(frame)[0] == 3.0
    assert np.mean(frame).tolist() == [2.0, 5.0]
    assert np.sum(frame).tolist() == [6.0, 15.0]
    assert np.prod(frame).tolist() == [6.0, 120.0]
    np.testing.assert_allclose(np.std(frame), [0.816496580927726] * 2)
    assert frame.max(axis=1).tolist() == [4.0, 5.0, 6.0]


def test_append_gives_another_one(pd, frame):
    assert len(frame.append(frame)) == 6
    more = frame.append({"a": 9, "b": 1.0, "c": "z"}, ignore_index=True)
    assert more.a.tolist() == [1, 2, 3, 9]
    assert frame.a.append(frame.a).tolist() == [1, 2, 3, 1, 2, 3]


def test_columns_of_text_are_objects_and_left_out_of_a_mean(pd, frame):
    assert frame.c.dtype == object
    assert frame.select_dtypes(include=["object"]).columns.tolist() == ["c"]
    assert frame.mean().tolist() == [2.0, 5.0]
    assert frame.mean().index.tolist() == ["a", "b"]
    assert frame.groupby("a").mean().columns.tolist() == ["b"]
    with pytest.raises(TypeError):
        frame.mean(numeric_only=False)


def test_dummies_are_small_whole_numbers(pd, frame):
    dummies = pd.get_dummies(frame.c)
    assert [str(dtype) for dtype in dummies.dtypes] == ["uint8", "uint8"]
    assert (1 - dummies).values.tolist() == [[0, 1], [1, 0], [0, 1]]


def test_arguments_by_position_and_by_old_names(pd, frame, tmp_path):
    assert frame.drop("c", 1).columns.tolist() == frame.drop(["c"], axis=1).columns.tolist()
    gaps = pd.Series([1.0, np.nan, 3.0])
    assert gaps.fillna(method="ffill").tolist() == [1.0, 1.0, 3.0]
    assert gaps.fillna(0).tolist() == [1.0, 0.0, 3.0]
    frame.to_csv(tmp_path / "a.csv", line_terminator="\n")
    assert len(pd.date_range("2016-01-01", "2016-03-31", freq="M")) == 3


@pytest.mark.parametrize(
    ("args", "words", "expected"),
    [
        ((), {}, "0,a;1,b;"),
        ((), {"index": False}, "a;b;"),
        ((), {"header": True}, ",Word;0,a;1,b;"),
        ((), {"header": None, "path": None}, "0,a;1,b;"),
        ((None, False), {}, "a;b;"),
        ((None, "|"), {}, "0|a;1|b;"),
        ((None, True, "|"), {}, "0|a;1|b;"),
        ((None, False, ",", "x", None, True), {}, "Word;a;b;"),
        ((None, "|", "x", None, None, True), {}, "|Word;0|a;1|b;"),
        ((None,), {"header": ["q"]}, ",q;0,a;1,b;"),
    ],
)
def test_a_column_is_written_without_its_name(pd, args, words, expected):
    """The texts of pandas 0.24.2 and 0.25.3."""
    text = pd.Series(["a", "b"], name="Word").to_csv(*args, **words)
    assert text.replace("\n", ";") == expected


def test_a_column_is_written_with_arguments_that_are_not_there(pd):
    with pytest.raises(TypeError):
        pd.Series(["a"]).to_csv(None, True, sep=",", index=False)


def test_a_series_goes_by_place_where_labels_are_text(pd):
    series = pd.Series([1, 2], index=["a", "b"])
    assert (series[0], series[-1], series["b"]) == (1, 2, 2)
    with pytest.raises(KeyError):
        pd.Series([1, 2], index=[5, 6])[0]


def test_what_pandas_0_24_took_by_position(pd, frame):
    """The values of pandas 0.24.2."""
    df = pd.DataFrame({"a": [1.0, 2, 3, np.nan], "b": list("xyzx"), "c": [4, 5, 6, 4]})
    assert df.drop("a", 1).columns.tolist() == ["b", "c"]
    assert (df.dropna(0, "any").shape, df.a.dropna(0).tolist()) == ((3, 3), [1, 2, 3])
    assert df.drop_duplicates(["b"], "last").index.tolist() == [1, 2, 3]
    assert df.fillna(0, None, 0)["a"].tolist() == [1, 2, 3, 0]
    assert df.sort_values("c", 0, False).index.tolist() == [2, 1, 0, 3]
    assert df.c.sort_values(0, False).tolist() == [6, 5, 4, 4]
    assert df.set_index("b", True).columns.tolist() == ["a", "c"]
    assert df.reset_index(0, True).shape == (4, 3)
    assert df.pivot("a", "c", "b").shape == (4, 3)
    assert df.where(df.c > 4, 0, False).c.tolist() == [0, 5, 6, 0]
    assert df.a.clip(0, 2, 0).tolist()[:3] == [1, 2, 2]
    assert df.to_csv(None, ";", "NA").splitlines()[1] == "0;1.0;x;4"
    assert df.quantile(0.5, 0).tolist() == [2, 4.5]
    with pytest.raises(TypeError):
        df.dropna(0, "any", None, None, False, 1)


def test_what_is_set_by_place_stands_there(pd):
    """The values of pandas 0.24.2."""
    series = pd.Series([1, 2, 3], index=list("abc"))
    series[0] = 7
    series[[1, 2]] = 8
    assert (series.tolist(), series.index.tolist()) == ([7, 8, 8], ["a", "b", "c"])
    series["d"] = 9
    assert (series[[0, 3]].tolist(), series[np.int64(-1)]) == ([7, 9], 9)


def test_the_rest_of_what_is_gone(pd, frame):
    assert [name for name, _ in frame.iteritems()] == ["a", "b", "c"]
    assert frame.get_value(0, "a") == 1
    assert frame.set_value(0, "a", 8).a[0] == 8
    assert pd.rolling_mean(frame.b, 2).tolist()[1:] == [4.5, 5.5]
    assert frame.a.reshape(1, -1).shape == (1, 3)
    assert frame[["a"]].applymap(str).a[1] == "2"
    assert pd.datetime(2016, 1, 2).day == 2


@pytest.fixture
def rated(pd):
    return pd.DataFrame({"u": list("abacb"), "i": [1, 2, 3, 1, 1], "r": [1.0, 2, 3, 4, 5]})


@pytest.mark.parametrize("as_index", [True, False])
def test_the_size_of_groups_is_a_series(rated, as_index):
    count = rated[["u", "r"]].groupby("u", as_index=as_index).size()
    assert (count["a"], count.name, count.to_dict()) == (2, None, {"a": 2, "b": 2, "c": 1})
    both = rated.groupby(["u", "i"], as_index=as_index).size()
    assert (both["b", 2], both.index.names, len(both)) == (1, ["u", "i"], 5)


def test_a_list_of_one_key_is_that_key(rated):
    groups = rated.groupby(["u"])
    assert [key for key, _ in groups] == ["a", "b", "c"]
    assert groups.get_group("a").i.tolist() == [1, 3]
    assert [key for key, _ in rated.set_index("u").groupby(level=[0])] == ["a", "b", "c"]
    assert [key for key, _ in rated.groupby(by=["u"], squeeze=True)] == ["a", "b", "c"]
    assert groups["i", "r"].sum().columns.tolist() == ["i", "r"]


def test_a_function_gets_whole_groups(rated):
    groups = rated.groupby("u")
    first = groups.apply(lambda group: group.head(1))
    assert first.columns.tolist() == ["u", "i", "r"]
    assert list(first.index) == [("a", 0), ("b", 1), ("c", 3)]
    assert groups.apply(lambda group: group["u"].iloc[0]).tolist() == ["a", "b", "c"]
    arrays = groups.apply(lambda group, more: group.r.values + more, 1)
    assert (arrays.name, arrays["b"].tolist()) == (None, [3.0, 6.0])
    plain = rated.groupby("u", as_index=False)
    assert list(plain.apply(lambda group: group.head(1)).index) == [(0, 0), (1, 1), (2, 3)]
    assert plain.apply(lambda group: group.r.sum()).to_dict() == {0: 4.0, 1: 7.0, 2: 4.0}
    two = rated.groupby(["u", "i"], as_index=False)
    assert two.apply(lambda group: group.r.sum())["a", 3] == 3.0


def test_rows_that_groups_keep_stay_in_their_order(rated):
    groups = rated.groupby("u")
    share = groups.r.apply(lambda column: column / column.sum())
    assert share.tolist() == pytest.approx([1 / 4, 2 / 7, 3 / 4, 1.0, 5 / 7])
    assert list(share.index) == list(range(5))
    assert groups.apply(lambda group: group).equals(rated)

    def centred(group):
        group["r"] = group["r"] - group["r"].mean()
        return group

    assert groups.apply(centred).r.tolist() == [-1.0, -1.5, 1.0, 0.0, 1.5]
    keyed = groups.apply(lambda group: group.assign(k=1))
    assert list(keyed.index) == [("a", 0), ("a", 2), ("b", 1), ("b", 4), ("c", 3)]


def test_sums_leave_text_out_and_numbers_keep_the_name_of_their_column(rated):
    assert rated.groupby("i").sum().columns.tolist() == ["r"]
    assert rated.groupby("i").prod().r.tolist() == [20.0, 2.0, 3.0]
    counts = rated.i.value_counts()
    assert (counts.name, counts.index.name, counts[1]) == ("i", None, 3)
    assert counts.reset_index().columns.tolist() == ["index", "i"]
    named = rated.groupby("i").r.agg({"m": "mean", "n": "count"})
    assert named.m.tolist() == pytest.approx([10 / 3, 2.0, 3.0])
    assert named.n.tolist() == [3, 1, 1]
