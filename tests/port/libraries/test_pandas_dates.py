"""What `tfqueue.port.libraries.pandas_dates` gives back to pandas: values are those of pandas 0.23.4."""

import datetime
import importlib.util
import io

import numpy as np
import pytest

from tfqueue.port.libraries import pandas_frames, pandas_values

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("pandas") is None, reason="pandas is not installed"
)
MONTHS = "month,k\n1949-01,1\n1949-02,2\n"
HOURS = "d,t,v\n2018-01-02,10:00,1\n2018-01-03,11:30,2\n"
TIMES = ["2018-01-02 10:00:00", "2018-01-03 11:30:00"]


@pytest.fixture
def pd():
    pandas_frames.install()
    pandas_values.install()
    import pandas

    return pandas


def _texts(values):
    return [str(one) for one in values]


def _month(text):
    return datetime.datetime.strptime(text, "%Y-%m")


@pytest.mark.parametrize(
    "words",
    [
        {"parse_dates": ["month"]},
        {"parse_dates": [0]},
        {"parse_dates": ["month"], "index_col": "month"},
        {"parse_dates": [0], "index_col": 0},
        {"parse_dates": True, "index_col": [0]},
        {"parse_dates": True, "index_col": 0},
    ],
    ids=str,
)
def test_a_parser_of_dates(pd, words):
    frames = [pd.read_csv(io.StringIO(MONTHS), date_parser=_month, **words)]
    frames.append(
        pd.read_csv(
            io.StringIO(MONTHS), date_parser=lambda x: pd.to_datetime(x, format="%Y-%m"), **words
        )
    )
    for frame in frames:
        found = frame["month"] if "index_col" not in words else frame.index
        assert frame.columns.tolist() == (["k"] if "index_col" in words else ["month", "k"])
        assert _texts(found) == ["1949-01-01 00:00:00", "1949-02-01 00:00:00"]
        assert frame["k"].tolist() == [1, 2]


def _together(a, b):
    return datetime.datetime.strptime(f"{a} {b}", "%Y-%m-%d %H:%M")


def _joined(text):
    return datetime.datetime.strptime(text, "%Y-%m-%d %H:%M")


@pytest.mark.parametrize("parser", [None, _together, _joined])
def test_a_date_of_several_columns(pd, parser):
    words = {"date_parser": parser} if parser else {}
    found = pd.read_csv(io.StringIO(HOURS), parse_dates=[["d", "t"]], **words)
    assert found.columns.tolist() == ["d_t", "v"]
    assert _texts(found["d_t"]) == TIMES
    found = pd.read_csv(io.StringIO(HOURS), parse_dates=[[0, 1]], index_col=0, **words)
    assert (found.index.name, found.columns.tolist(), _texts(found.index)) == ("d_t", ["v"], TIMES)
    named = {"parse_dates": {"when": ["d", "t"]}, **words}
    found = pd.read_csv(io.StringIO(HOURS), index_col="when", **named)
    assert (found.columns.tolist(), _texts(found.index)) == (["v"], TIMES)
    found = pd.read_csv(io.StringIO(HOURS), keep_date_col=True, **named)
    assert found.columns.tolist() == ["when", "d", "t", "v"]
    assert found["t"].tolist() == ["10:00", "11:30"]


def test_numbers_of_several_columns_are_the_texts_of_the_file(pd):
    found = pd.read_csv(
        io.StringIO("y,m,d,v\n2010,01,2,5\n2011,3,4,6\n"),
        parse_dates=[["y", "m", "d"]],
        date_parser=lambda text: datetime.datetime.strptime(text, "%Y %m %d"),
    )
    assert _texts(found["y_m_d"]) == ["2010-01-02 00:00:00", "2011-03-04 00:00:00"]


def test_what_a_parser_meets(pd):
    found = pd.read_csv(
        io.StringIO("a,b\n1949-01,1\n,2\n"),
        parse_dates=[0],
        date_parser=lambda x: pd.to_datetime(x, format="%Y-%m"),
    )
    assert _texts(found["a"]) == ["1949-01-01 00:00:00", "NaT"]
    found = pd.read_csv(
        io.StringIO("a,b\n1420070400,1\n1420070401,2\n"),
        parse_dates=[0],
        date_parser=lambda x: pd.to_datetime(x, unit="s"),
    )
    assert _texts(found["a"]) == ["2015-01-01 00:00:00", "2015-01-01 00:00:01"]
    with pytest.raises(ValueError, match="unconverted data remains"):
        pd.read_csv(
            io.StringIO(MONTHS),
            parse_dates=[0],
            date_parser=lambda x: datetime.datetime.strptime(x, "%d"),
        )
    unused = pd.read_csv(io.StringIO(MONTHS), date_parser=_month)
    assert unused["month"].tolist() == ["1949-01", "1949-02"]


def test_what_is_not_read_so_is_refused(pd):
    with pytest.raises(TypeError, match="date_parser"):
        pd.read_csv(io.StringIO(MONTHS), parse_dates=[0], date_parser=_month, chunksize=1)
    with pytest.raises(TypeError, match="date_parser"):
        pd.read_csv(io.StringIO(MONTHS), parse_dates=[0], date_parser=_month, usecols=[0])
    with pytest.raises(TypeError, match="date_parser"):
        pd.read_excel("no.xlsx", parse_dates=[0], date_parser=_month)


def test_rows_of_a_time(pd):
    days = pd.date_range("2018-01-30", periods=5)
    frame = pd.DataFrame({"v": np.arange(5), "2018": 5}, index=days)
    assert frame["2018-01"]["v"].tolist() == [0, 1]
    assert frame["Feb 2018"]["v"].tolist() == [2, 3, 4]
    assert frame["2018"].tolist() == [5] * 5
    assert frame.to_period("D")["2018-01"]["v"].tolist() == [0, 1]
    for key in ("2018-02-01", "2019", "x"):
        with pytest.raises(KeyError):
            frame[key]
    frame["2018-01"] = 7
    assert frame["v"].tolist() == [7, 7, 2, 3, 4]
    frame["2019"] = 1
    assert frame.columns.tolist() == ["v", "2018", "2019"]
    hours = pd.DataFrame({"v": range(48)}, index=pd.date_range("2018-01-01", periods=48, freq="h"))
    assert hours["2018-01-02"]["v"].sum() == 852


def test_frames_and_columns_from_files(pd, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("date,v,s\n2018-01-02,1,x\n13/01/2018,2,y\n")
    frame = pd.DataFrame.from_csv(path)
    assert (frame.index.name, frame.columns.tolist()) == ("date", ["v", "s"])
    assert _texts(frame.index) == ["2018-01-02 00:00:00", "2018-01-13 00:00:00"]
    assert pd.DataFrame.from_csv(path, index_col=None).columns.tolist() == ["date", "v", "s"]
    assert pd.DataFrame.from_csv(path, parse_dates=False).index.tolist()[0] == "2018-01-02"
    assert pd.Series.from_csv(path, header=0).name == "v"
    path.write_text("a,1\nb,2\n")
    column = pd.Series.from_csv(path)
    assert (column.name, column.index.name, dict(column)) == (None, None, {"a": 1, "b": 2})


def test_statistics_of_the_rows_of_a_label(pd):
    index = pd.MultiIndex.from_tuples([("b", 1), ("a", 1), ("b", 2), ("a", 2)], names=["x", "y"])
    frame = pd.DataFrame({"v": [1, 2, 3, 4], "w": [1.0, None, 3, 4]}, index=index)
    assert dict(frame["v"].sum(level=0)) == {"b": 4, "a": 6}
    assert list(frame.sum(level="x")["w"].items()) == [("b", 4), ("a", 4)]
    assert list(frame.mean(level="y")["w"].items()) == [(1, 1.0), (2, 3.5)]
    assert list(frame.count(level=0)["w"].items()) == [("a", 1), ("b", 2)]
    assert list(frame.max(level=["x"])["v"].items()) == [("b", 3), ("a", 4)]
    assert list(frame.sum(0, level=0)["v"].items()) == [("b", 4), ("a", 6)]
    kept = frame.sum(level=0, skipna=False)["w"]
    assert kept["b"] == 4
    assert np.isnan(kept["a"])
    with pytest.raises(TypeError, match=r"sum\(level=\) is taken for rows alone"):
        frame.T.sum(level=0, axis=1)
