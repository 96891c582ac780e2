"""Written programs are what they were, to the letter; see `written_programs.py`."""

import pytest

from tests.dataset import written_programs as programs


@pytest.mark.parametrize("inputs", programs.INPUTS, ids=lambda inputs: inputs.__name__)
def test_a_program_is_what_it_was(inputs):
    kept = (programs.FOLDER / f"{inputs.__name__}.txt").read_text("utf-8")
    assert programs.text(inputs) == kept, "look: python -m tests.dataset.written_programs"
