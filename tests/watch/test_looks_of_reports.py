"""Reports are what they were, to the letter; see `looks.py`."""

import re

import pytest

from tests.watch import looks
from tfqueue.watch import report
from tfqueue.watch.shares import Shares


@pytest.mark.parametrize("name", looks.WATCHES)
def test_a_report_is_what_it_was(name):
    kept = (looks.FOLDER / f"{name}.html").read_text("utf-8")
    assert looks.shown(looks.WATCHES[name]()) == kept, "look at it: python -m tests.watch.looks"


def test_the_bar_of_a_queue_s_threads_adds_up_to_all_their_work():
    shares = Shares()
    assert report._shares(None) == report._shares(shares) == ""
    shares.reading = 5.0
    shares.putting, shares.waiting = 70.0, 80.0  # no work
    seconds = {"A": 20.0, "B": 30.0, "C": 10.0, "D": 9.0, "E": 8.0, "F": 7.0, "G": 1.0}
    shares.computing.update({**seconds, "Small": 10.0})
    bar = report._shares(shares)
    assert re.findall(r"</span>([^<]+)</li>", bar) == [
        *("reading 5%", "B 30%", "A 20%", "C 10%", "Small 10%", "D 9%", "other ops 16%")
    ]
    assert re.findall(r"flex:([\d.]+)", bar) == [
        "5.0",
        "30.0",
        "20.0",
        "10.0",
        "10.0",
        "9.0",
        "16.0",
    ]
    one = Shares()
    one.computing["Only"] = 3.0
    assert re.findall(r"</span>([^<]+)</li>", report._shares(one)) == ["Only 100%"]
