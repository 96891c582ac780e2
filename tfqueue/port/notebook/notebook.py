"""Notebooks: cells in order in one namespace, through the same rules as scripts.

For the rules a notebook is one program: its code cells, one after the other. Magics and shell
lines are put aside first, as calls of `tfq_magic`, and stand in their places again afterwards.
"""

from __future__ import annotations

import ast
import copy
import dataclasses
import json
import re
from typing import Any

from tfqueue.port.program import era
from tfqueue.port.program import verdict as program
from tfqueue.port.rules import engine, writer
from tfqueue.port.source import python2_syntax
from tfqueue.port.source.files import Unreadable

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
    raw: dict


@dataclasses.dataclass
class Notebook:
    """A notebook after the rules.

    Attributes:
        path: Its file.
        document: The JSON, as read.
        cells: Its code cells.
        magics: The lines and cells put aside, by number.
        translation: What the rules made of the cells together.
        indent: How the file indents its JSON.
        tail: What stands behind the JSON: a line break, or nothing.
        document_text: The file's text.
    """

    path: str
    document: dict
    cells: list[Cell]
    magics: list[str]
    translation: engine.Translation
    indent: int | str
    tail: str
    document_text: str

    def place(self, line: int) -> tuple[str, int]:
        """The cell and the line in it of a line of the joined program."""
        cell = self._cell(line)
        return f"{self.path}[{cell.number}]", line - cell.start + 1

    def _cell(self, line: int) -> Cell:
        return next((c for c in reversed(self.cells) if c.start <= line), self.cells[0])

    def sources(self) -> list[str]:
        """The new text of each code cell, with its magics back in place."""
        module, lines = self.translation.module, self.translation.lines
        parts = dict.fromkeys((cell.number for cell in self.cells), "")
        starts = [module.offset(number, 0) for number in range(1, len(module.lines) + 1)]
        edits = writer.edits(module)
        for number, start in enumerate(starts):
            cell = self._cell(lines[number])
            end = starts[number + 1] if number + 1 < len(starts) else len(module.text)
            parts[cell.number] += writer.part(module.text, start, end, edits)
        return [self._restored(parts[cell.number].removesuffix("\n")) for cell in self.cells]

    def _restored(self, text: str) -> str:
        lines = text.split("\n")
        at = 0
        while at < len(lines):
            match = _PUT_ASIDE.search(lines[at])
            if match:
                magic = self.magics[int(match[1])]
                lines[at] = lines[at][: match.start()] + magic + lines[at][match.end() :]
                # what is put back over several lines left blank ones behind
                del lines[at + 1 : at + 1 + magic.count("\n")]
            at += 1
        return "\n".join(lines)

    def text(self) -> str:
        """The notebook's JSON with ported cells; outputs and all else as they were."""
        if not self.cells or not self.translation.changed:
            return self.document_text
        document = copy.deepcopy(self.document)
        for cell, source in zip(_code_cells(document), self.sources(), strict=True):
            key = "source" if "source" in cell else "input"
            if source != _joined(cell[key]):
                cell[key] = (
                    source.splitlines(keepends=True) if isinstance(cell[key], list) else source
                )
        return json.dumps(document, indent=self.indent, ensure_ascii=False) + self.tail


def _joined(source: str | list[str]) -> str:
    return source if isinstance(source, str) else "".join(source)


def _code_cells(document: dict) -> list[dict]:
    """The code cells of any version of the format: before 4 they stood in worksheets."""
    return [cell for cell in _all_cells(document) if cell.get("cell_type") == "code"]


def code(text: str) -> dict[int, str]:
    """The code cells of a notebook's JSON, by their place among all cells, from 1.

    >>> code('{"cells": [{"cell_type": "code", "source": ["x = 1"]}]}')
    {1: 'x = 1\\n'}
    """
    cells = enumerate(_all_cells(json.loads(text)), 1)
    return {
        number: _joined(cell.get("source", cell.get("input", ""))).rstrip("\n") + "\n"
        for number, cell in cells
        if cell.get("cell_type") == "code"
    }


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


def _can_be_parsed(source: str, path: str) -> bool:
    try:
        engine.parse(source)
        return True
    except SyntaxError as error:
        try:
            python2_syntax.convert(source, path, error)
            return True
        except Unreadable:
            return False


def translate(
    text: str,
    path: str,
    *,
    verdict: program.Verdict | None = None,
    given: tuple[int | None, era.Era | None] = (None, None),
) -> Notebook:
    """Reads a notebook and takes its cells through the rules.

    Args:
        text: The JSON.
        path: Its file.
        verdict: See `engine.translate`.
        given: Which Python and which TensorFlow the user said.

    Raises:
        Unreadable: It is no notebook.
    """
    try:
        document = json.loads(text)
        found = _code_cells(document)
        sources = [_joined(cell.get("source", cell.get("input", ""))) for cell in found]
    except (ValueError, AttributeError, KeyError, TypeError) as error:
        raise Unreadable(path, f"is no notebook: {error}") from None
    magics: list[str] = []
    cells, pieces, line = [], [], 1
    numbers = {id(cell): number for number, cell in enumerate(_all_cells(document), 1)}
    for cell, source in zip(found, sources, strict=True):
        masked = _put_aside(source, magics)
        if not _can_be_parsed(masked + "\n", path):
            # prose, or half a thought: it would fail in the notebook too, alone
            magics.append(source)
            masked = f"{MAGIC}({len(magics) - 1})" + "\n" * source.count("\n")
        count = masked.count("\n") + 1
        cells.append(Cell(numbers[id(cell)], line, count, source, cell))
        pieces.append(masked)
        line += count
    joined = "\n".join(pieces)
    verdict = (verdict or program.of_text(joined, path)).overridden(*given)
    translation = engine.translate(joined, path, verdict=verdict)
    match = re.search(r'^\{\n?([ \t]+)"', text)
    indent: Any = match[1] if match and "\n" in match[0] else 1
    tail = "\n" if text.endswith("\n") else ""
    return Notebook(path, document, cells, magics, translation, indent, tail, text)


def _all_cells(document: dict) -> list[dict]:
    cells = document.get("cells")
    if cells is None:
        cells = [cell for sheet in document.get("worksheets", []) for cell in sheet["cells"]]
    return cells


def statements(notebook: Notebook) -> dict[int, list[ast.stmt]]:
    """The statements of each cell, by the cell's number, with lines counted within the cell."""
    from tfqueue.port.run.importer import placed

    tree = placed(notebook.translation)
    held: dict[int, list[ast.stmt]] = {cell.number: [] for cell in notebook.cells}
    for node in tree.body:
        cell = notebook._cell(node.lineno)
        ast.increment_lineno(node, 1 - cell.start)
        held[cell.number].append(node)
    return held


def run(path, args, options, ended, output=None) -> int:
    """Runs a notebook; see `tfqueue.port.notebook.cells`."""
    from tfqueue.port.notebook import cells

    return cells.run(path, args, options, ended, output)
