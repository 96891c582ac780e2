"""`np.load` of an old program: arrays of objects are read, and the first time is told."""

import io
import pickle

import numpy as np
import pytest

from tfqueue import cli
from tfqueue.port.differences import pickles

WARNS = (
    "as before numpy 1.16.3. A pickle can run code: run the program only on files that you trust\n"
)
MAIN = """\
import numpy as np
import tensorflow as tf

print(np.load('plain.npy').sum())
archive = np.load('both.npz')
print(archive['plain'].sum(), archive.files)
for name in ('rows.npy', 'both.npz'):
    rows = np.load(name)
    rows = rows if name == 'rows.npy' else rows['rows']
    print(len(rows[1]), rows.dtype)
"""
SHOWN = "6\n6 ['plain', 'rows']\n2 object\n2 object\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = np.array([[1], [2, 3], [4]], dtype=object)
    np.save("plain.npy", np.arange(4))
    np.save("rows.npy", rows, allow_pickle=True)
    np.savez("both.npz", plain=np.arange(4), rows=rows)
    (tmp_path / "main.py").write_text(MAIN)
    return tmp_path


def test_run_tells_the_first_pickle(folder, capsys):
    assert cli.main(["run", "main.py"]) == 0
    out, err = capsys.readouterr()
    assert out == SHOWN
    assert err == f"tfqueue: main.py:8: np.load unpickles the objects in rows.npy, {WARNS}"


def test_check_names_each_call(folder, capsys):
    assert cli.main(["check", "main.py"]) == 1
    found = [line for line in capsys.readouterr().out.splitlines() if "np-load" in line]
    assert [line.split(":")[1] for line in found] == ["4", "5", "8"]


def test_port_writes_the_argument(folder, capsys):
    assert cli.main(["port", "-o", "new.py", "main.py"]) == 0
    text = (folder / "new.py").read_text()
    assert text.count("np.load(") == text.count(", allow_pickle=True)") == 3
    assert "pickles" not in text
    capsys.readouterr()
    assert cli.main(["run", "new.py"]) == 0
    assert capsys.readouterr() == (SHOWN, ""), "who reads that text has been told"


def test_a_program_of_any_day_is_refused_as_today(folder, capsys):
    (folder / "main.py").write_text("import numpy as np\nnp.load('rows.npy')\n")
    assert cli.main(["run", "main.py"]) == 1
    assert "allow_pickle=False" in capsys.readouterr().err


@pytest.mark.parametrize("key", ["rows", "plain"])
def test_an_archive_is_told_when_its_pickle_is_read(folder, key, capsys):
    archive = pickles.load(folder / "both.npz", allow_pickle=True)
    assert type(archive).__name__ == "NpzFile"
    assert len(archive[key]) == {"rows": 3, "plain": 4}[key]
    said = capsys.readouterr().err
    assert said.count("both.npz") == (key == "rows"), said
    assert len(archive.f.rows) == 3
    archive.close()


def test_a_pickle_that_is_no_array_is_told(capsys):
    file = io.BytesIO(pickle.dumps({"a": 1}))
    assert pickles.load(file, allow_pickle=True) == {"a": 1}
    assert "unpickles the objects in an open file, " in capsys.readouterr().err


def test_an_open_file_goes_by_its_name(folder, capsys):
    with open("rows.npy", "rb") as file:
        pickles.load(file, allow_pickle=True)
    assert "the objects in rows.npy, " in capsys.readouterr().err
