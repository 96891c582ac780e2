"""`make matrix` covers what setup.py allows, and selects what it is told."""

import importlib.util
import pathlib
import re
import sys

import pytest

HERE = pathlib.Path(__file__).parent
SETUP = (HERE.parent / "setup.py").read_text()


@pytest.fixture(scope="module")
def matrix():
    spec = importlib.util.spec_from_file_location("matrix", HERE / "matrix.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def numbers(version):
    return tuple(map(int, version.split(".")))


def test_the_ends_are_those_that_setup_allows(matrix):
    oldest = re.search(r'"tensorflow>=([\d.]+)"', SETUP).group(1)
    python = re.search(r'python_requires=">=([\d.]+)"', SETUP).group(1)
    usual = [pair for pair in matrix.PAIRS if pair.usual]
    assert [wheel.python for wheel in matrix.WHEELS] == ["3.10", "3.11", "3.12", "3.13"]
    assert min(numbers(pair.tensorflow) for pair in usual)[:2] == numbers(oldest)
    assert min(numbers(pair.python) for pair in usual) == numbers(python)
    assert {numbers(pair.python)[1] for pair in matrix.PAIRS} == {10, 11, 12, 13}


def test_what_is_selected(matrix):
    assert [str(pair) for pair in matrix.selected(["2.16.1/3.10"])] == ["2.16.1/3.10"]
    assert {pair.python for pair in matrix.selected(["3.13"])} == {"3.13"}
    assert len(matrix.selected(["2.21.0", "3.13", "2.21.0/3.13"])) == 5
    assert matrix.selected(["wheel"]) == list(matrix.WHEELS)
    assert [str(wheel) for wheel in matrix.selected(["wheel/3.12"])] == ["wheel/3.12"]
    rest = matrix.selected([])[len(matrix.WHEELS) :]
    assert rest
    assert all(pair.usual for pair in rest)
    with pytest.raises(ValueError, match=r"3\.9: there are wheel/3\.10, .*, 2\.16\.1/3\.10, "):
        matrix.selected(["3.9"])


def test_this_python_is_found(matrix):
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    assert matrix.interpreter(version)
    assert matrix.interpreter("2.99") is None


def test_a_wheel_that_is_not_there_or_not_good(matrix, tmp_path, monkeypatch):
    monkeypatch.setattr(matrix, "HOME", tmp_path / ".matrix")
    monkeypatch.setattr(matrix, "ROOT", tmp_path)
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    assert matrix.smoke(matrix.Wheel(version))[1:] == (
        *("there is no wheel in dist/: make package", False),
    )
    (tmp_path / "dist").mkdir()
    (tmp_path / "dist" / "broken-1-py3-none-any.whl").touch()
    assert matrix.smoke(matrix.Wheel("2.99"))[1:] == ("there is no Python 2.99", False)
    monkeypatch.setattr(matrix, "interpreter", lambda version: "false")
    assert matrix.smoke(matrix.Wheel(version)).text.startswith("failed, see .matrix/wheel-py")


@pytest.mark.parametrize(
    ("program", "good", "text"),
    [
        ("def test_a(): pass\ndef test_b(): pass", True, "2 passed"),
        ("def test_a(): assert False", False, "1 failed"),
        ("x = nothing", False, "1 error"),
    ],
    ids=["passes", "fails", "cannot be imported"],
)
def test_the_table_tells_what_came_of_it(matrix, program, good, text, tmp_path, monkeypatch):
    (tmp_path / "test_it.py").write_text(program)
    monkeypatch.setattr(matrix, "HOME", tmp_path / ".matrix")
    monkeypatch.setattr(matrix, "ROOT", tmp_path)
    monkeypatch.setattr(matrix, "prepare", lambda pair, log: pathlib.Path(sys.executable))
    outcome = matrix.test(matrix.PAIRS[0], ["--rootdir", str(tmp_path), "test_it.py"])
    assert outcome.good is good
    assert outcome.text.startswith(text)
