"""What is said where Python 2 would have given something else."""

import numpy as np
import pytest

from tfqueue.port.differences import telling
from tfqueue.port.py2 import told


def test_what_a_print_with_brackets_would_have_shown(monkeypatch):
    said = []
    monkeypatch.setattr(told, "was_told", lambda kind: False)
    monkeypatch.setattr(told, "tell", lambda *words: said.append(words))
    assert told.printed(()) == ()
    assert told.printed((1, 2)) == (1, 2)
    assert said == [
        ("print", "print() shows a tuple", "it shows nothing", 2),
        (
            "print",
            "print(...) with several values in its brackets shows a tuple",
            "it shows the values",
            2,
        ),
    ]


@pytest.mark.parametrize(
    ("left", "right", "leaves"),
    [(4, 2, False), (3, 2, True), (0, 5, False), (-3, 2, True), (4, 0, False), (3.0, 2, False)]
    + [(np.array([4, 2]), 2, False), (np.array([3, 4]), 2, True), (np.array([4.5]), 2, False)],
)
def test_which_whole_numbers_leave_a_remainder(left, right, leaves):
    assert telling.leaves_remainder(left, right) is leaves
