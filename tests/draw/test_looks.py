"""Pictures are what they were, to the letter; see `looks.py`."""

import json

import pytest

from tests.draw import looks

KEPT = json.loads((looks.FOLDER / "svg.json").read_text("utf-8"))


@pytest.mark.parametrize("make", looks.LOOKS, ids=lambda make: make.__name__)
def test_a_picture_is_what_it_was(make):
    text, digests = looks.drawn(make)
    assert text == (looks.FOLDER / f"{make.__name__}.txt").read_text("utf-8")
    assert digests == KEPT[make.__name__], "look at it, then: python -m tests.draw.looks"
