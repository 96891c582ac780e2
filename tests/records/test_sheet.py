"""tfqueue.records.sheet: what is drawn of images where nothing is given."""

import inspect

import numpy as np
import pytest

from tfqueue.records import sheet


def test_what_arguments_are_when_they_are_left_out():
    parameters = inspect.signature(sheet.images).parameters
    plain = {name: parameters[name].default for name in ("limit", "columns", "size", "dtype")}
    assert plain == {"limit": 64, "columns": None, "size": 96, "dtype": "uint8"}


@pytest.mark.parametrize(
    ("count", "example", "expected"),
    [
        (36, {}, (6, 6, 1)),
        (3 * 36, {}, (6, 6, 3)),
        (4 * 49, {}, (14, 14, 1)),
        (3 * 35, {}, None),
        (24, {"height": np.array([4]), "width": np.array([6])}, (4, 6, 1)),
        (72, {"height": np.array([4]), "width": np.array([6])}, (4, 6, 3)),
    ],
)
def test_sides_of_an_image_that_is_plain_bytes(count, example, expected):
    assert sheet._guess(count, example) == expected
