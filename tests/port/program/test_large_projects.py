"""What it costs to find the files of a program does not grow faster than their number."""

import os

import pytest

from tfqueue.port.program import project, written_for


@pytest.fixture
def entries(monkeypatch):
    """The entries of folders that were looked at."""
    seen, read = [], project._entries

    def counted(folder):
        for entry in read(folder):
            seen.append(entry.name)
            yield entry

    monkeypatch.setattr(project, "_entries", counted)
    return seen


def written(folder, name, text="import os\n"):
    path = folder / name
    path.parent.mkdir(exist_ok=True, parents=True)
    path.write_text(text)
    return os.path.realpath(path)


def test_a_folder_is_read_until_there_are_too_many_programs(tmp_path, entries):
    for number in range(1000):
        written(tmp_path, f"m{number}.py")
    first = str(tmp_path / "m0.py")
    assert project.Project(first).files == [os.path.realpath(first)]
    assert len(entries) == project._MOST_FILES + 1


def test_a_folder_is_read_until_there_are_too_many_entries(tmp_path, entries):
    folder = tmp_path / "whole"  # what is in the folder above it is read first
    folder.mkdir()
    path = written(folder, "inner/m.py")
    written(folder, "inner/__init__.py")
    written(folder, "__init__.py")
    for number in range(project._MOST_ENTRIES + 500):
        (folder / f"{number}.jpeg").touch()
    assert project.Project(path).files == [path]
    assert len(entries) == project._MOST_ENTRIES + 1


_FROM_ABOVE = """
import os, sys
sys.path.append(os.path.join(os.path.dirname(__file__), '..'))
import net
"""


def test_all_programs_around_one_are_looked_through(tmp_path):
    path = written(tmp_path, "net.py")
    inner = written(tmp_path, "tools/train.py", _FROM_ABOVE)
    beside = written(tmp_path, "test.py", "import net\n")
    written(tmp_path, ".hidden/other.py", "import net\n")
    written(tmp_path, "__pycache__/other.py", "import net\n")
    os.symlink(tmp_path / "tools", tmp_path / "link")
    assert project.Project(path).files == [path, *sorted([beside, inner])]


def test_a_folder_that_cannot_be_read_has_nothing(tmp_path, monkeypatch):
    path = written(tmp_path, "net.py")
    beside = written(tmp_path, "test.py", "import net\n")
    closed, scan = str(tmp_path / "closed"), os.scandir
    os.mkdir(closed)

    def scandir(folder):
        if folder == closed:
            raise PermissionError(13, "Permission denied", folder)
        return scan(folder)

    monkeypatch.setattr(os, "scandir", scandir)
    assert project.Project(path).files == [path, beside]


def test_files_of_one_program_are_read_once_each(tmp_path, monkeypatch):
    """A text is kept for fewer files than this program has."""
    count = project._text.cache_info().maxsize + 100
    files = [
        written(tmp_path, f"m{n}.py", f"import m{(n + 1) % count}\nfor i in xrange(2): pass\n")
        for n in range(count)
    ]
    assert written_for.of_file(files[0]).python2
    opened, read = [], project.read

    def counted(path):
        opened.append(path)
        return read(path)

    monkeypatch.setattr(project, "read", counted)
    assert written_for.of_file(files[1]).python2
    assert not opened
