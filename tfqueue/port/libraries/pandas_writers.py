"""`pandas.ExcelWriter` as up to 1.1: its `save`, a `book` and `sheets` that can be set, a file that stays until then."""

from __future__ import annotations

import functools
import os
import pathlib
from collections.abc import Callable
from typing import Any

_OTHERS = "_tfqueue_others"
"""The attribute with the sheets of a book that the writer does not know, by their ids."""


def install() -> None:
    """Gives the writers back what they had."""
    import pandas as pd
    from pandas.io.excel._openpyxl import OpenpyxlWriter

    if hasattr(pd.ExcelWriter, "save"):
        return
    pd.ExcelWriter.save = lambda writer: writer._save()
    writer: Any = OpenpyxlWriter
    writer.__init__ = _keeping(writer.__init__)
    writer._save = _from_the_start(writer._save)
    writer.book = writer.book.setter(_set_book)
    writer.sheets = property(_sheets, _set_sheets, doc=writer.sheets.__doc__)


def _keeping(original: Callable[..., None]) -> Callable[..., None]:
    """What the file holds stays in it until something is saved; it is emptied at once today."""

    @functools.wraps(original)
    def init(writer: Any, path: Any, *args: Any, **words: Any) -> None:
        named = isinstance(path, str | os.PathLike) and os.path.isfile(path)
        held = pathlib.Path(path).read_bytes() if named else b""
        original(writer, path, *args, **words)
        if held and "w" in writer._mode:
            writer._handles.handle.write(held)
            writer._handles.handle.flush()

    return init


def _from_the_start(original: Callable[[Any], None]) -> Callable[[Any], None]:
    """Each time the whole file is written."""

    @functools.wraps(original)
    def save(writer: Any) -> None:
        handle = writer._handles.handle
        handle.seek(0)
        original(writer)
        handle.truncate()
        handle.flush()

    return save


def _set_book(writer: Any, book: Any) -> None:
    """Sheets that were in the book are none that the writer knows: one of the same name is another one."""
    writer._book, writer._if_sheet_exists = book, "overlay"
    setattr(writer, _OTHERS, {id(sheet) for sheet in book.worksheets})


def _sheets(writer: Any) -> dict[str, Any]:
    others = getattr(writer, _OTHERS, ())
    return {one.title: one for one in writer.book.worksheets if id(one) not in others}


def _set_sheets(writer: Any, sheets: dict[str, Any]) -> None:
    """Sheets that are written into, each by its own name."""
    if any(name != sheet.title for name, sheet in sheets.items()):
        raise NotImplementedError("a sheet of an ExcelWriter that has another name than its own")
    writer._if_sheet_exists = "overlay"
    setattr(writer, _OTHERS, {id(one) for one in writer.book.worksheets if one.title not in sheets})
