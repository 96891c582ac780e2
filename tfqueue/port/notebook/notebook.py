"""A notebook through the rules: its code cells are one program, one cell after the other."""

from __future__ import annotations

import ast
import copy
import dataclasses
import types
from typing import Any

from tfqueue.port.code import compilation
from tfqueue.port.code.execution import Ended, Join
from tfqueue.port.notebook.document import Cell, Document, code_cells, joined
from tfqueue.port.rules import engine, writer
from tfqueue.port.source.files import Source


@dataclasses.dataclass
class Notebook:
    """A program whose file is a notebook.

    Attributes:
        document: Its file.
        translation: What the rules made of its cells together.
        ran: The JSON with the outputs of its last run; None before it was run.
        code_file: None: each cell has a file name of its own in tracebacks.
    """

    document: Document
    translation: engine.Translation
    ran: dict[str, Any] | None = None
    code_file: None = None

    @property
    def source(self) -> Source:
        """Its file as it is."""
        return self.document.source

    @property
    def path(self) -> str:
        """Its file, as the user named it."""
        return self.document.source.path

    def place(self, line: int) -> tuple[str, int]:
        """The cell and the line in it of a line of the joined program."""
        cell = self.document.cell_of(line)
        return f"{self.path}[{cell.number}]", line - cell.start + 1

    def sources(self) -> list[str]:
        """The new text of each code cell, with its magics back in place."""
        module, lines = self.translation.module, self.translation.lines
        cells = self.document.cells
        parts = dict.fromkeys((cell.number for cell in cells), "")
        starts = [module.offset(number, 0) for number in range(1, len(module.lines) + 1)]
        edits = writer.edits(module)
        for number, start in enumerate(starts):
            cell = self.document.cell_of(lines[number])
            end = starts[number + 1] if number + 1 < len(starts) else len(module.text)
            parts[cell.number] += writer.part(module.text, start, end, edits)
        return [self.document.put_back(parts[cell.number].removesuffix("\n")) for cell in cells]

    def text(self) -> str:
        """The notebook's JSON with ported cells; outputs and all else as they were."""
        if not self.document.cells or not self.translation.changed:
            return self.source.text
        document = copy.deepcopy(self.document.json)
        for cell, source in zip(code_cells(document), self.sources(), strict=True):
            key = "source" if "source" in cell else "input"
            if source != joined(cell[key]):
                cell[key] = (
                    source.splitlines(keepends=True) if isinstance(cell[key], list) else source
                )
        return self.document.dumped(document, self.document.tail)

    def text_with_outputs(self) -> str:
        """The notebook's JSON as it was, with the outputs of its last run."""
        return self.document.dumped(self.ran or self.document.json, "\n")

    def statements(self) -> dict[int, list[ast.stmt]]:
        """The statements of each cell, by the cell's number, with lines counted within the cell."""
        tree = compilation.placed(self.translation)
        held: dict[int, list[ast.stmt]] = {cell.number: [] for cell in self.document.cells}
        for node in tree.body:
            cell: Cell = self.document.cell_of(node.lineno)
            ast.increment_lineno(node, 1 - cell.start)
            held[cell.number].append(node)
        return held

    def execute(self, main: types.ModuleType, ended: Ended, join: Join) -> int:
        """Runs the cells in the namespace of a module; returns the exit code.

        Args:
            ended: See `execution.Ended`.
            join: See `execution.Join`.
        """
        from tfqueue.port.notebook import cell_runner  # here: to port a notebook takes none of it

        runner = cell_runner.Runner(self.document, self.translation.written_for, main.__dict__)
        result, self.ran = runner.run(self.statements(), ended, join)
        return result
