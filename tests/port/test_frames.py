"""What `tfqueue.port.frames` gives back to pandas: values are those of pandas 0.25.3, and of 0.22 for `rolling_mean`."""

import importlib.util

import numpy as np
import pytest

from tfqueue.port import frames


@pytest.fixture
def pd():
    if importlib.util.find_spec("pandas") is None:
        pytest.skip("pandas is not installed")
    frames.install()
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
    frames.column(frame, "a")[rows] = 7
    frames.column(frame, "b")[0] += 0.5
    assert frame.a.tolist() == [1, 7, 7]
    assert frame.b.tolist() == [4.5, 5.0, 6.0]
    frames.column(frame, "a")[0] = 1.5
    frames.column(frame, "c")[1:] = "z"
    assert (frame.a.tolist(), str(frame.a.dtype)) == ([1, 7, 7], "int64")
    frames.column(frame, "a")[rows] = 2.5
    assert frame.a.tolist() == [1.0, 2.5, 2.5]
    assert frame.c.tolist() == ["x", "z", "z"]
    assert frames.column(frame, ["a", "b"]) is not frame
    held = {"k": np.zeros(2)}
    frames.column(held, "k")[1] = 3
    assert held["k"].tolist() == [0, 3]


def test_a_row_of_a_column_goes_by_place_where_labels_are_no_numbers(pd, frame):
    """The values are those of pandas 0.25.3."""
    frame.index = list("pqr")
    frames.column(frame, "a")["q"] = 8
    frames.column(frame, "a")[0] += 6
    frames.column(frame, "a")[-1] = 9
    assert frame.a.tolist() == [7, 8, 9]


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


def test_a_series_goes_by_place_where_labels_are_text(pd):
    series = pd.Series([1, 2], index=["a", "b"])
    assert (series[0], series[-1], series["b"]) == (1, 2, 2)
    with pytest.raises(KeyError):
        pd.Series([1, 2], index=[5, 6])[0]


def test_the_rest_of_what_is_gone(pd, frame):
    assert [name for name, _ in frame.iteritems()] == ["a", "b", "c"]
    assert frame.get_value(0, "a") == 1
    assert frame.set_value(0, "a", 8).a[0] == 8
    assert pd.rolling_mean(frame.b, 2).tolist()[1:] == [4.5, 5.5]
    assert frame.a.reshape(1, -1).shape == (1, 3)
    assert frame[["a"]].applymap(str).a[1] == "2"
    assert pd.datetime(2016, 1, 2).day == 2
