"""Programs beside which a file is left that Python 2 compiled, and not its source."""

import importlib.machinery
import pathlib
import sys

import pytest

from tfqueue import cli
from tfqueue.port.run import bytecode

# What Python 2.7.18 writes for a file `m` without a line, and for one with `x = 1`.
_HEAD = (
    b"\x03\xf3\r\n\x00\x00\x00\x00c\x00\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00@\x00\x00\x00"
)
EMPTY = _HEAD + b"s\x04\x00\x00\x00d\x00\x00S(\x01\x00\x00\x00N(\x00\x00\x00\x00"
ASSIGNS = _HEAD + b"s\n\x00\x00\x00d\x00\x00Z\x00\x00d\x01\x00S(\x02\x00\x00\x00i\x01\x00\x00\x00N"


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    before = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - before:
        if name.partition(".")[0] in ("tools", "things"):
            del sys.modules[name]


def test_an_empty_package_of_python_2(place, capsys):
    (place / "tools").mkdir()
    (place / "tools" / "__init__.pyc").write_bytes(EMPTY)
    (place / "tools" / "half.py").write_text("import twice\nprint 'half', twice.x / 4\n")
    (place / "tools" / "twice.py").write_text("x = 10\n")
    (place / "main.py").write_text("from tools.half import *\nfrom tools import twice\n")
    assert cli.main(["run", "main.py"]) == 0
    assert capsys.readouterr().out == "half 2\n"


@pytest.mark.parametrize("name", ["things.pyc", "things/__init__.pyc"])
def test_code_of_python_2_is_refused_by_name(place, capsys, name):
    path = pathlib.Path(name)
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(ASSIGNS)
    (place / "main.py").write_text("import things\nprint(things.x)\n")
    assert cli.main(["run", "main.py"]) == 1
    error = capsys.readouterr().err
    assert f"{name} was compiled by Python 2, and its source, {name[:-1]}, is not there" in error


def test_a_compiled_file_of_another_python_is_left_to_python(place):
    (place / "things.pyc").write_bytes(b"\x00\x00\r\n" + EMPTY[4:])
    spec = importlib.machinery.PathFinder.find_spec("things", [str(place)])
    assert bytecode.of_python2(spec, str(place / "things.pyc")) is spec
