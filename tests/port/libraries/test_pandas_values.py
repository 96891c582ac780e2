"""What `tfqueue.port.libraries.pandas_values` gives back to pandas: values are those of pandas 0.23.4."""

import importlib.util
import io

import numpy as np
import pytest

from tfqueue import release
from tfqueue.port.differences import telling
from tfqueue.port.libraries import pandas_frames, pandas_values

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("pandas") is None, reason="pandas is not installed"
)
DAY = 1514851200000000000  # 2018-01-02, in nanoseconds


@pytest.fixture
def pd():
    pandas_frames.install()
    pandas_values.install()
    import pandas

    return pandas


@pytest.fixture
def frame(pd):
    return pd.DataFrame({"b": [3, 1, 2, 1], "a": [1.5, np.nan, 0.5, 2.0], "c": list("xyxz")})


def test_a_longer_pattern_is_a_regular_expression(frame):
    text = frame["c"].str
    assert text.replace("[xy]", "q").tolist() == list("qqqz")
    assert text.replace(".", "q").tolist() == list("xyxz")
    assert text.replace("x", lambda match: "w").tolist() == list("wywz")
    assert text.replace("[x]", "q", regex=False).tolist() == list("xyxz")


def test_missing_values(pd, frame):
    changes = frame["a"].pct_change().tolist()
    assert changes[1:] == pytest.approx([0.0, -2 / 3, 3.0])
    assert len(frame.stack()) == 11
    assert len(frame.stack(dropna=False)) == 12
    assert pd.read_csv(io.StringIO("a,b\n1,None\n2,n/a\n"))["b"].tolist()[0] == "None"


def test_times_are_counted_in_nanoseconds(pd):
    times = pd.to_datetime(["2018-01-02"])
    column = pd.Series(times)
    assert times.astype(np.int64).tolist() == column.astype(int).tolist() == [DAY]
    assert times.values.dtype == column.values.dtype == "M8[ns]"
    assert column.values.astype(np.int64).tolist() == [DAY]
    spans = pd.Series(pd.to_timedelta(["36 hours"]))
    assert spans.astype("timedelta64[D]").tolist() == [1.0]
    assert pd.to_timedelta(["36 hours"]).astype("timedelta64[h]").tolist() == [36]


def test_times_of_several_forms(pd):
    found = pd.to_datetime(pd.Series(["01/02/2018", "13/02/2018"]))
    assert found.astype(np.int64).tolist() == [DAY, 1518480000000000000]
    # the form of the first fits both, and gives another day of the second
    assert pd.to_datetime(["13/02/2018", "01/02/2018"])[1] == pd.Timestamp("2018-01-02")
    assert pd.to_datetime(["2018-01-02", "1/3/2018"], errors="coerce")[1].day == 3
    rows = "a,b\n13/02/2018,1\n01/02/2018,2\n"
    for named in ({"parse_dates": ["a"]}, {"parse_dates": True, "index_col": 0}):
        read = pd.read_csv(io.StringIO(rows), **named).reset_index()["a"]
        assert read[1] == pd.Timestamp("2018-01-02")
    kept = pd.read_csv(io.StringIO("a,b\n2018-01-02,1\nx,2\n"), parse_dates=["a"])["a"]
    assert kept.tolist() == ["2018-01-02", "x"]
    assert pd.Series(pd.to_datetime(["2018-01-02"])).dt.weekday_name.tolist() == ["Tuesday"]
    with pytest.raises(ValueError, match="format"):
        pd.to_datetime(["13/02/2018"], format="%m/%d/%Y")


def test_frequencies(pd):
    frame = pd.DataFrame({"v": range(3)}, index=pd.date_range("2018-01-01", periods=3, freq="12H"))
    assert len(frame.resample("6H").mean()) == 5
    assert frame.resample("M", how="sum")["v"].tolist() == [3]
    assert frame.resample("Q-NOV").sum()["v"].tolist() == [3]


def test_sorted_columns_are_told(pd, capsys):
    """pandas 0.25.3 gives b, a, c, and 0.24.2 a, b, c."""
    telling.forget()
    for rows in ([{"a": 1, "b": 2}], [{"b": 1, "a": 2}, {"c": 3}], [{"b": 1, "a": 2}]):
        assert list(pd.DataFrame(rows)) == sorted(name for row in rows for name in row)
    (line,) = capsys.readouterr().err.splitlines()
    assert "sorts its columns, as up to pandas 0.24" in line
    telling.forget()
    before = release.assume("1.13")
    try:
        assert list(pd.DataFrame([{"b": 1, "a": 2}])) == ["a", "b"]
    finally:
        release.assume(before)
    assert capsys.readouterr().err == ""


def test_columns_are_sorted_where_rows_or_parts_differ(pd, frame):
    assert list(pd.DataFrame([{"b": 1, "a": 2}, {"c": 3}])) == ["a", "b", "c"]
    assert list(pd.DataFrame([{"b": 1, "a": 2}], columns=["b", "a"])) == ["b", "a"]
    assert list(pd.DataFrame([{"b": 1, 2: 2}])) == ["b", 2]
    other = pd.DataFrame({"d": [1], "a": [2]})
    assert list(pd.concat([frame, other])) == ["a", "b", "c", "d"]
    assert list(pd.concat([frame, frame])) == ["b", "a", "c"]
    assert list(pd.concat([frame, other], join="inner")) == ["a"]
    assert pd.concat([frame, frame], join_axes=[frame.index[:2]], axis=1).shape == (2, 6)


def test_a_column_takes_what_is_of_another_type(pd, frame):
    frame.loc[frame.b > 1, "b"] = 0.5
    assert frame["b"].tolist() == [0.5, 1.0, 0.5, 1.0]
    frame.iloc[0, 0] = "s"
    assert frame["b"].tolist() == ["s", 1.0, 0.5, 1.0]
    with pytest.raises((IndexError, KeyError)):
        frame.iloc[9, 0] = 1


def test_what_is_filled_in_place_stands_in_the_frame(pd, frame):
    pandas_frames.column(frame, "a").fillna(0, inplace=True)
    assert frame["a"].tolist() == [1.5, 0.0, 0.5, 2.0]
    pandas_frames.attribute(frame, "b")[1] = 7
    assert frame["b"].tolist() == [3, 7, 2, 1]
    assert pandas_frames.attribute(frame, "shape") == (4, 3)
    assert pandas_frames.column(frame, "b").replace(7, 8).tolist() == [3, 8, 2, 1]


def test_columns_of_text_are_left_out(frame):
    assert frame.sum(axis=1).tolist() == [4.5, 1.0, 2.5, 3.0]
    assert frame.corr().shape == (2, 2)


def test_names_that_are_gone(pd, frame):
    assert frame[["b"]].clip_upper(2)["b"].tolist() == [2, 1, 2, 1]
    assert frame.lookup([0, 1], ["a", "b"]).tolist() == [1.5, 1.0]
    assert pd.np is np
    assert not frame["b"].is_monotonic


@pytest.mark.parametrize(
    ("one", "other", "both", "either", "alone"),
    [
        ([3, 1, 2], [2, 5, 3], [3, 2], [1, 2, 3, 5], [1, 5]),
        (list("bca"), list("cx"), ["c"], list("abcx"), list("abx")),
        ([0.5, 1.5], [3, 1, 2], [], [0.5, 1, 1.5, 2, 3], [0.5, 1, 1.5, 2, 3]),
        ([1, 1, 2], [1, 2], [1, 1, 2], [1, 1, 2], []),
        (list("bca"), [3, 1], [], ["b", "c", "a", 3, 1], [1, 3, "a", "b", "c"]),
    ],
)
def test_operators_of_an_index_are_those_of_sets(pd, one, other, both, either, alone):
    one = pd.Index(one)
    for right in (other, pd.Index(other)):
        assert (one & right).tolist() == both
        assert (one | right).tolist() == either
        assert (one ^ right).tolist() == alone


@pytest.mark.parametrize(
    ("place", "words", "rows"),
    [
        (0, {}, [("a", 2), ("b", 1), ("c", 5)]),
        (-1, {}, [("a", 4), ("b", 3), ("c", 5)]),
        (1, {}, [("a", 4), ("b", 3)]),
        (9, {}, []),
        ([0, 1], {}, [("a", 2), ("a", 4), ("b", 1), ("b", 3), ("c", 5)]),
        (0, {"dropna": "any"}, [("a", 4), ("b", 1), ("c", None)]),
        (0, {"sort": False}, [("b", 1), ("a", 2), ("c", 5)]),
    ],
)
def test_the_rows_at_a_place_of_each_group(pd, place, words, rows):
    frame = pd.DataFrame({"k": list("babac"), "v": range(1, 6), "w": [1, None, 3, 4, None]})
    sort = words.pop("sort", True)
    found = frame.groupby("k", sort=sort).nth(place, **words)
    assert found.columns.tolist() == ["v", "w"]
    values = [None if np.isnan(value) else value for value in found["v"]]
    assert list(zip(found.index, values, strict=True)) == rows
    if not words:
        column = frame.groupby("k", sort=sort)["v"].nth(place)
        assert list(column.items()) == rows
    kept = frame.groupby("k", as_index=False).nth(0)
    assert kept.index.tolist() == [0, 1, 4]
