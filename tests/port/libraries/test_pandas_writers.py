"""`pandas.ExcelWriter`, on a stand-in for pandas, and with pandas itself where it is installed: as pandas 1.1.5 wrote."""

import importlib.util
import sys
import types

import pytest

from tfqueue.port.libraries import pandas_writers


class Sheet:
    def __init__(self, title):
        self.title = title


class Book:
    """A book that is saved as the names of its sheets."""

    def __init__(self, *titles):
        self.worksheets = [Sheet(title) for title in titles]

    def save(self, handle):
        handle.write(" ".join(sheet.title for sheet in self.worksheets).encode())


@pytest.fixture
def writer_class(monkeypatch):
    """The class of a writer that is made like pandas 3's: it empties its file, and is told its book by nobody."""

    class Writer:
        def __init__(self, path, mode="w"):
            self._mode, self._if_sheet_exists = f"{mode}+b", "error"
            self._handles = types.SimpleNamespace(handle=path.open(self._mode))
            self._book = Book()

        @property
        def book(self):
            return self._book

        @property
        def sheets(self):
            """All of them."""
            return {sheet.title: sheet for sheet in self._book.worksheets}

        def _save(self):
            self._book.save(self._handles.handle)

    pandas = types.SimpleNamespace(ExcelWriter=Writer)
    engine = types.SimpleNamespace(OpenpyxlWriter=Writer)
    for name in ("pandas", "pandas.io", "pandas.io.excel"):
        monkeypatch.setitem(sys.modules, name, pandas)
    monkeypatch.setitem(sys.modules, "pandas.io.excel._openpyxl", engine)
    pandas_writers.install()
    pandas_writers.install()
    return Writer


def test_a_file_stays_until_it_is_saved_and_is_saved_whole_each_time(writer_class, tmp_path):
    file = tmp_path / "a.xlsx"
    file.write_bytes(b"what was in it")
    writer = writer_class(file)
    assert file.read_bytes() == b"what was in it"
    for titles, held in ((["A", "B"], b"A B"), (["A", "B", "C"], b"A B C"), (["A"], b"A")):
        writer.book = Book(*titles)
        writer.save()
        assert file.read_bytes() == held
    writer._handles.handle.close()


def test_of_a_book_that_is_set_the_sheets_that_are_named_are_written_into(writer_class, tmp_path):
    writer = writer_class(tmp_path / "a.xlsx")
    writer._handles.handle.close()
    writer.book = book = Book("A", "B")
    assert writer.sheets == {}
    book.worksheets.append(Sheet("A1"))
    assert list(writer.sheets) == ["A1"]
    writer.sheets = {"B": book.worksheets[1]}
    assert list(writer.sheets) == ["B"]
    with pytest.raises(NotImplementedError, match="another name"):
        writer.sheets = {"C": book.worksheets[1]}


def test_with_pandas(tmp_path):
    for package in ("pandas", "openpyxl"):
        if importlib.util.find_spec(package) is None:
            pytest.skip(f"{package} is not installed")
    import openpyxl
    import pandas as pd

    pandas_writers.install()
    file, frame = tmp_path / "a.xlsx", pd.DataFrame({"a": [1], "b": [2]})
    writer = pd.ExcelWriter(file, engine="openpyxl")
    for name in "AB":
        frame.to_excel(writer, sheet_name=name)
        writer.save()
    writer.close()
    writer = pd.ExcelWriter(file, engine="openpyxl")
    writer.book = openpyxl.load_workbook(file)
    frame.to_excel(writer, sheet_name="A")
    writer.sheets = {sheet.title: sheet for sheet in writer.book.worksheets}
    (10 * frame).to_excel(writer, sheet_name="B", startrow=2, header=False)
    writer.save()
    writer._handles.handle.close()
    sheets = openpyxl.load_workbook(file).worksheets
    first = [[None, "a", "b"], [0, 1, 2]]
    assert {s.title: [[cell.value for cell in row] for row in s.rows] for s in sheets} == {
        "A": first,
        "B": [*first, [0, 10, 20]],
        "A1": first,
    }
