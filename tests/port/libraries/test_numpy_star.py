"""What ``from numpy import *`` brought up to numpy 1 (recorded with numpy 1.18.5)."""

import builtins
import importlib
import math

import numpy as np
import pytest

from tfqueue.port.libraries import numpy_star


def test_of_pythons_own_names_it_has_those_that_numpy_1_brought():
    assert set(numpy_star.__all__) & set(dir(builtins)) == {"all", "any", "divmod", "sum"}


def test_it_hides_nothing_that_another_star_import_brings():
    assert set(numpy_star.__all__).isdisjoint(["acos", "atan2", "concat", "pow", "test", "lib"])


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("NaN", "nan"),
        ("NINF", "-inf"),
        ("array", "<built-in function array>"),
        ("float_", "<class 'numpy.float64'>"),
        ("math", repr(math)),
        ("alen", "<built-in function len>"),
    ],
)
def test_names(name, value):
    assert repr(getattr(numpy_star, name)) == value


def test_in1d_is_flat():
    assert numpy_star.in1d(np.array([[1, 2], [3, 4]]), [3, 4]).tolist() == [0, 0, 1, 1]


def test_it_is_there_with_numpy_1_too(monkeypatch):
    monkeypatch.delattr(np, "trapezoid", raising=False)
    monkeypatch.setattr(np, "trapz", lambda y: ("trapz", y), raising=False)
    assert importlib.reload(numpy_star).trapz(3) == ("trapz", 3)
