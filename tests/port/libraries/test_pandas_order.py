"""Equal rows of sorted frames and columns: values of pandas 0.25.3 beside numpy 1.18.5."""

import importlib.util

import numpy as np
import pytest

from tests.port.runtime.test_ordering import DRAWN, ORDER
from tfqueue.port.libraries import pandas_frames, pandas_order

needs_pandas = pytest.mark.skipif(
    importlib.util.find_spec("pandas") is None, reason="pandas is not installed"
)
UP = [*map(int, ORDER.split())]
DOWN = "0 11 37 8 19 38 30 29 28 25 22 20 39 2 3 4 6 24 36 7 12 33 15 16 13 27 18 5 34 32 21 14 35 17 31 9 10 1 23 26"
TIMES = "14 1 23 35 21 31 17 9 10 26 18 16 15 27 32 33 34 5 13 12 7 36 24 30 29 28 20 39 22 38 6 4 2 25 19 11 8 37 0 3"
DOWN_TIMES = "0 19 37 8 11 38 30 29 28 25 22 20 39 2 4 6 36 12 24 7 27 34 33 32 5 13 18 16 15 14 9 23 10 31 21 1 35 17 26 3"


def numbers(text):
    return [*map(int, text.split())]


@pytest.fixture
def frame():
    pandas_frames.install()
    import pandas as pd

    found = pd.DataFrame({"a": DRAWN, "t": pd.to_datetime(DRAWN, unit="s"), "n": range(40)})
    found.loc[3, "t"] = None
    return found


def test_orders_without_pandas():
    assert pandas_order._order(DRAWN, True).tolist() == UP
    assert pandas_order._order(DRAWN, False).tolist() == numbers(DOWN)
    column = pandas_order._order_of_column("quicksort")
    assert column(DRAWN, True).tolist() == UP
    assert column(DRAWN, False).tolist() == UP[::-1]


@needs_pandas
@pytest.mark.filterwarnings("ignore:The inplace keyword")  # of pandas 3.1
def test_frames(frame):
    assert frame.sort_values("a").index.tolist() == UP
    assert frame.sort_values(["a"], ascending=[False]).index.tolist() == numbers(DOWN)
    assert frame.sort_values("t").index.tolist() == numbers(TIMES)
    assert frame.sort_values("t", 0, False).index.tolist() == numbers(DOWN_TIMES)
    first = frame.sort_values("t", na_position="first").index.tolist()
    assert first == [3, *numbers(TIMES)[:-1]]
    assert frame.sort_values("a", kind="mergesort").index.tolist()[:3] == [1, 9, 10]
    assert frame.sort_values(["a", "n"]).n.tolist()[:3] == [1, 9, 10]
    frame.sort_values("a", inplace=True)
    assert frame.index.tolist() == UP


@needs_pandas
def test_columns(frame):
    assert frame.a.sort_values().index.tolist() == UP
    assert frame.a.sort_values(ascending=False).index.tolist() == UP[::-1]
    words = frame.a.astype(str).astype(object).sort_values(ascending=False)
    assert words.index.tolist() == UP[::-1]
    assert frame.a.astype("category").sort_values(ascending=False).index.tolist() == UP[::-1]
    zone = frame.t.dt.tz_localize("UTC").sort_values(ascending=False)
    assert zone.index.tolist() == [*numbers(TIMES)[-2::-1], 3]
    assert frame.a.argsort().tolist() == UP
    assert frame.a.value_counts().tolist() == sorted(frame.a.value_counts(), reverse=True)


@needs_pandas
def test_an_index(frame):
    rows = frame.set_index("a")
    assert rows.sort_index().n.tolist() == UP
    assert rows.sort_index(ascending=False).n.tolist() == numbers(DOWN)
    assert rows.n.sort_index().tolist() == UP
    again = rows.sort_index().assign(n=range(40))
    assert again.sort_index().n.tolist() == [*range(40)]  # sorted already: left alone
    assert frame.set_index(["a", "n"]).sort_index().index.get_level_values(1).tolist()[0] == 1
    names = frame.rename(columns={"a": "z"}).sort_index(axis=1)
    assert [*names] == ["n", "t", "z"]
    assert np.isnan(frame.assign(b=np.nan).sort_values("b").b).all()
