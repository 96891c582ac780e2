"""Programs of Python 3 stay as they are, to the byte."""

import pathlib

import pytest

from tests.port.record_python2 import programs
from tfqueue.port.program.written_for import of_parsed
from tfqueue.port.rules import engine
from tfqueue.port.source.parsing import parse

PROGRAMS = programs(pathlib.Path(__file__).parents[1] / "python3" / "programs.txt")


@pytest.mark.parametrize(("name", "text"), PROGRAMS, ids=[name for name, _ in PROGRAMS])
def test_untouched(name, text, tmp_path):
    path = str(tmp_path / "program.py")
    written_for = of_parsed(parse(text, path))
    assert not written_for.python2, written_for
    translation = engine.translate(text, path)
    assert (translation.text, translation.code) == (text, 0)
    assert translation.findings == []
