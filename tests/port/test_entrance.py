"""A program's file is read, parsed and translated once, and travels as what that gave."""

import json

import pytest

from tfqueue.port import entrance
from tfqueue.port.notebook.notebook import Notebook
from tfqueue.port.source import files, parsing, python2_syntax

OLD = "import tensorflow as tf\nprint tf.pack([7 / 2])\n"
NEW = (
    "from tfqueue.port.py2 import print_statement as print\n"
    "from tfqueue.release import assume\nimport tfqueue.v1 as tf\nassume('0.12')\nprint(tf.stack([7 // 2]))\n"
)


@pytest.fixture
def counted(monkeypatch):
    """Counts the calls of what reads a file and of what makes Python 3 of Python 2."""
    calls = []

    def count(home, name):
        original = getattr(home, name)

        def called(*args):
            calls.append(name)
            return original(*args)

        monkeypatch.setattr(home, name, called)

    count(entrance, "read")
    count(files, "decode")
    count(python2_syntax, "convert")
    return calls


def test_a_script_is_read_and_converted_once(tmp_path, counted):
    path = tmp_path / "old.py"
    path.write_text(OLD)
    program = entrance.opened(str(path))
    assert counted == ["read", "decode", "convert"]
    assert isinstance(program, entrance.Script)
    assert program.text() == NEW
    assert program.source.text == OLD
    assert program.place(2) == (str(path), 2)
    assert program.translation.written_for.python2
    assert counted == ["read", "decode", "convert"]


def test_a_notebook_is_read_once(tmp_path, counted):
    path = tmp_path / "old.ipynb"
    cells = [{"cell_type": "code", "source": line, "metadata": {}} for line in OLD.splitlines()]
    path.write_text(json.dumps({"cells": cells, "metadata": {}, "nbformat": 4}))
    program = entrance.opened(str(path))
    assert counted[:2] == ["read", "decode"]
    # one look at the cell that Python 3 cannot parse, and one at all cells together
    assert counted[2:] == ["convert", "convert"]
    assert isinstance(program, Notebook)
    assert program.place(2) == (f"{path}[2]", 1)
    assert [cell["source"] for cell in json.loads(program.text())["cells"]] == [
        "from tfqueue.port.py2 import print_statement as print\n"
        "from tfqueue.release import assume\nimport tfqueue.v1 as tf\nassume('0.12')",
        "print(tf.stack([7 // 2]))",
    ]


def test_what_cannot_be_parsed_is_one_line_with_its_place(tmp_path):
    path = tmp_path / "old.py"
    path.write_text("x = 1\nprint 'a' 'b' c\n")
    with pytest.raises(files.Unreadable, match=r"old\.py:2: can't be parsed, neither as"):
        entrance.opened(str(path))
    assert not parsing.can_be_parsed("print 'a' 'b' c\n")
