"""Reports are what they were, to the letter; see `looks.py`."""

import pytest

from tests.watch import looks


@pytest.mark.parametrize("name", looks.WATCHES)
def test_a_report_is_what_it_was(name):
    kept = (looks.FOLDER / f"{name}.html").read_text("utf-8")
    assert looks.shown(looks.WATCHES[name]()) == kept, "look at it: python -m tests.watch.looks"
