"""A notebook's file: its cells as one program, with magics and shell lines put aside.

They stand in the program as calls of `tfq_magic`.
"""

from __future__ import annotations

import dataclasses
import json
import re
from typing import Any

from tfqueue.port.source.files import Source, Unreadable
from tfqueue.port.source.parsing import can_be_parsed

MAGIC = "tfq_magic"
_PUT_ASIDE = re.compile(MAGIC + r"\((\d+)\)")
# `!ls`, `%matplotlib inline`, `?name`, `name?`, `x = !ls`, `x = %time f()`
_LINE = re.compile(r"^(\s*)((?:[!%?]|[\w.\[\], ]+=\s*[!%]).*|[\w.]+\?{1,2}\s*)$")
_ASSIGN = re.compile(r"^([\w.\[\], ]+=\s*)([!%].*)$")
# Cell magics whose cell is Python all the same.
PYTHON_CELLS = frozenset(["time", "timeit", "capture", "prun", "python3", "python", "python2"])


@dataclasses.dataclass
class Cell:
    """One code cell.

    Attributes:
        number: Its place among all cells, from 1.
        start: The line of the joined program at which it begins, from 1.
        lines: How many lines it has there.
        source: Its text as it was.
        raw: Its part of the notebook's JSON.
    """

    number: int
    start: int
    lines: int
    source: str
    raw: dict[str, Any]


@dataclasses.dataclass
class Document:
    """The file of a notebook.

    Attributes:
        source: The file as it is.
        json: What stands in it.
        cells: Its code cells.
        magics: The lines and cells put aside, by number.
        text: The code cells, one after the other.
        indent: How the file indents its JSON.
        tail: What stands behind the JSON: a line break, or nothing.
    """

    source: Source
    json: dict[str, Any]
    cells: list[Cell]
    magics: list[str]
    text: str
    indent: int | str
    tail: str

    @property
    def python(self) -> int | None:
        """The Python of its kernel, 2 or 3, where the file tells it."""
        metadata = self.json.get("metadata")
        told = metadata if isinstance(metadata, dict) else {}
        for part, key in (("language_info", "version"), ("kernelspec", "name")):
            row = told.get(part)
            match = (
                re.match(r"(?:python)?([23])\b", str(row.get(key)))
                if isinstance(row, dict)
                else None
            )
            if match:
                return int(match[1])
        return None

    def cell_of(self, line: int) -> Cell:
        """The cell that a line of the text stands in."""
        return next((c for c in reversed(self.cells) if c.start <= line), self.cells[0])

    def put_back(self, text: str) -> str:
        """A cell's text with its magics back in place."""
        lines = text.split("\n")
        at = 0
        while at < len(lines):
            match = _PUT_ASIDE.search(lines[at])
            if match:
                magic = self.magics[int(match[1])]
                before, behind = lines[at][: match.start()], lines[at][match.end() :]
                if brings_names(magic):
                    # its imports take its place: the rules may have changed them
                    backend = " ".join(each for each in magic.split()[1:] if each[0] != "-")
                    magic = f"%matplotlib {backend}".rstrip()
                    behind = f"\n{before}{behind.removeprefix('; ')}"
                lines[at] = before + magic + behind
                # what is put back over several lines left blank ones behind
                del lines[at + 1 : at + 1 + magic.count("\n")]
            at += 1
        return "\n".join(lines)

    def dumped(self, document: dict[str, Any], tail: str) -> str:
        """The text of JSON, written as the file is."""
        return json.dumps(document, indent=self.indent, ensure_ascii=False) + tail


def joined(source: str | list[str]) -> str:
    """The text of a cell, which may be a list of lines."""
    return source if isinstance(source, str) else "".join(source)


def code_cells(document: dict[str, Any]) -> list[dict[str, Any]]:
    """The code cells of any version of the format: before 4 they stood in worksheets."""
    return [cell for cell in _all_cells(document) if cell.get("cell_type") == "code"]


def code(text: str) -> dict[int, str]:
    """The code cells of a notebook's JSON, by their place among all cells, from 1.

    >>> code('{"cells": [{"cell_type": "code", "source": ["x = 1"]}]}')
    {1: 'x = 1\\n'}
    """
    cells = enumerate(_all_cells(json.loads(text)), 1)
    return {
        number: joined(cell.get("source", cell.get("input", ""))).rstrip("\n") + "\n"
        for number, cell in cells
        if cell.get("cell_type") == "code"
    }


def brings_names(magic: str) -> bool:
    """Whether a magic imports names into the notebook: `%pylab` does."""
    return magic.split()[:1] == ["%pylab"]


def pylab_imports(magic: str) -> str:
    """What `%pylab` imports, on one line.

    >>> pylab_imports("%pylab --no-import-all inline").count("*")
    0
    """
    plain = (
        "import numpy, matplotlib; import numpy as np; from matplotlib import pylab, mlab, pyplot;"
        " import matplotlib.pyplot as plt"
    )
    if "--no-import-all" in magic:
        return plain
    return f"{plain}; from pylab import *; from numpy import *"


def _put_aside(source: str, magics: list[str]) -> str:
    """Replaces magics and shell lines by calls, line for line."""
    lines = source.split("\n")
    first = next((at for at, line in enumerate(lines) if line.strip()), None)
    if first is not None and lines[first].startswith("%%"):
        name = (lines[first][2:].split() or [""])[0]
        if name not in PYTHON_CELLS:
            magics.append(source)
            return f"{MAGIC}({len(magics) - 1})" + "\n" * (len(lines) - 1)
        magics.append(lines[first])
        lines[first] = f"{MAGIC}({len(magics) - 1})"
    at, inside = 0, _string_lines("\n".join(lines))
    while at < len(lines):
        match = _LINE.match(lines[at])
        if match is None or at + 1 in inside:
            at += 1
            continue
        end = at
        while lines[end].endswith("\\") and end + 1 < len(lines):
            end += 1
        whole = "\n".join([match[2], *lines[at + 1 : end + 1]])
        assign = _ASSIGN.match(whole) if "\n" not in whole else None
        magics.append(assign[2] if assign else whole)
        call = f"{MAGIC}({len(magics) - 1})"
        if brings_names(whole):
            call += f"; {pylab_imports(whole)}"
        lines[at] = match[1] + (assign[1] if assign else "") + call
        lines[at + 1 : end + 1] = [""] * (end - at)
        at = end + 1
    return "\n".join(lines)


def _string_lines(text: str) -> set[int]:
    """Lines that stand inside a string of several lines, or continue an expression.

    A `%` or `!` that begins such a line is no magic.
    """
    inside: set[int] = set()
    open_string, depth = None, 0
    for number, line in enumerate(text.split("\n"), 1):
        if open_string or depth > 0:
            inside.add(number)
        at = 0
        while at < len(line):
            if open_string:
                at = line.find(open_string, at)
                if at < 0:
                    break
                at += 3
                open_string = None
                continue
            char = line[at]
            if char == "#":
                break
            if line[at : at + 3] in ('"""', "'''"):
                open_string = line[at : at + 3]
                at += 3
                continue
            if char in "\"'":
                end = at + 1
                while end < len(line) and line[end] != char:
                    end += 2 if line[end] == "\\" else 1
                at = end + 1
                continue
            depth += (char in "([{") - (char in ")]}")
            at += 1
        depth = max(depth, 0)
    return inside


def read_document(source: Source) -> Document:
    """Reads the file of a notebook.

    Raises:
        Unreadable: It is no notebook.
    """
    text = source.text
    try:
        document = json.loads(text)
        found = code_cells(document)
        sources = [joined(cell.get("source", cell.get("input", ""))) for cell in found]
    except (ValueError, AttributeError, KeyError, TypeError) as error:
        raise Unreadable(source.path, f"is no notebook: {error}") from None
    magics: list[str] = []
    cells, pieces, line = [], [], 1
    numbers = {id(cell): number for number, cell in enumerate(_all_cells(document), 1)}
    for cell, written in zip(found, sources, strict=True):
        masked = _put_aside(written, magics)
        if not can_be_parsed(masked + "\n"):
            # prose, or half a thought: it would fail in the notebook too, alone
            magics.append(written)
            masked = f"{MAGIC}({len(magics) - 1})" + "\n" * written.count("\n")
        count = masked.count("\n") + 1
        cells.append(Cell(numbers[id(cell)], line, count, written, cell))
        pieces.append(masked)
        line += count
    match = re.search(r'^\{\n?([ \t]+)"', text)
    indent: int | str = match[1] if match and "\n" in match[0] else 1
    tail = "\n" if text.endswith("\n") else ""
    return Document(source, document, cells, magics, "\n".join(pieces), indent, tail)


def _all_cells(document: dict[str, Any]) -> list[dict[str, Any]]:
    cells = document.get("cells")
    if cells is None:
        cells = [cell for sheet in document.get("worksheets", []) for cell in sheet["cells"]]
    return cells
