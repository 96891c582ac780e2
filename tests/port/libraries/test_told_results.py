"""Functions whose values are others today are told where they are called."""

import importlib

import pytest

from tfqueue.names import values
from tfqueue.port.differences import telling
from tfqueue.port.libraries import told_results


def test_a_function_is_told_once_and_called(capsys):
    telling.forget()
    assert [told_results.told("skimage.filters.frangi", abs)(-2) for _ in range(2)] == [2, 2]
    (line,) = capsys.readouterr().err.splitlines()
    assert "frangi weighs the image's second derivatives otherwise since scikit-image" in line


@pytest.mark.parametrize("name", values.WHY)
def test_what_is_told_is_there(name):
    pytest.importorskip(name.partition(".")[0])
    home, _, function = name.rpartition(".")
    assert callable(getattr(importlib.import_module(home), function))
