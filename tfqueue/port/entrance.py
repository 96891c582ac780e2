"""The entrance: a program's file is read, parsed, judged and translated here, once.

What comes out, a `Program`, is a `Script` or a `notebook.notebook.Notebook`.
"""

from __future__ import annotations

import dataclasses
import os
import sys
import types
from typing import Protocol

from tfqueue.port.code import compilation, execution
from tfqueue.port.code.execution import Ended, Join
from tfqueue.port.program import facts
from tfqueue.port.program.era import Era
from tfqueue.port.program.project import Project
from tfqueue.port.program.written_for import WrittenFor, judge
from tfqueue.port.rules import engine
from tfqueue.port.source.files import Source, decode, read
from tfqueue.port.source.parsing import parse

Given = tuple[int | None, Era | None]
"""Which Python and which TensorFlow the user said that a program is from, or None for each."""
NOTHING: Given = (None, None)
_STDIN = "<stdin>"


class Program(Protocol):
    """A translated program."""

    @property
    def path(self) -> str:
        """Its file, as the user named it."""

    @property
    def source(self) -> Source:
        """Its file as it is."""

    @property
    def translation(self) -> engine.Translation:
        """What the rules made of it."""

    @property
    def code_file(self) -> str | None:
        """The file that tracebacks name for its code; None where there are several."""

    def place(self, line: int) -> tuple[str, int]:
        """Where a line of it stands for the user: the file or the cell, and the line there."""

    def text(self) -> str:
        """The new text of its file."""

    def execute(self, main: types.ModuleType, ended: Ended, join: Join) -> int:
        """Runs it in a module; returns the exit code."""


@dataclasses.dataclass
class Script:
    """A program that is one file of Python; see `Program`."""

    source: Source
    translation: engine.Translation

    @property
    def path(self) -> str:
        """Its file, as the user named it."""
        return self.source.path

    @property
    def code_file(self) -> str:
        """The file that tracebacks name for its code."""
        return self.path if self.path == _STDIN else os.path.abspath(self.path)

    def place(self, line: int) -> tuple[str, int]:
        """The file, and the line."""
        return self.path, line

    def text(self) -> str:
        """The new text of its file."""
        return self.translation.text

    def execute(self, main: types.ModuleType, ended: Ended, join: Join) -> int:
        """Runs it in a module; returns the exit code."""
        return execution.execute(
            compilation.compile_translation(self.translation, self.code_file), main, ended, join
        )


def _source(path: str) -> Source:
    if path == "-":
        return decode(sys.stdin.buffer.read(), _STDIN)
    return read(path)


def opened(
    path: str,
    *,
    given: Given = NOTHING,
    written_for: WrittenFor | None = None,
    package: str | None = None,
) -> Program:
    """Reads a script or a notebook, and takes it through the rules.

    Args:
        path: The file; ``-`` stands for a script on standard input.
        given: Which Python and which TensorFlow the user said.
        written_for: What is known of the program that it is a part of; found out when None.
        package: See `Module`.

    Raises:
        Unreadable: It cannot be read or parsed.
    """
    source = _source(path)
    text, document = source.text, None
    if path.endswith(".ipynb"):
        from tfqueue.port.notebook import notebook  # here: a script takes none of it
        from tfqueue.port.notebook.document import read_document

        document = read_document(source)
        text = document.text
    parsed = parse(text, source.path)
    shown = facts.of_parsed(parsed, document.python if document else None)
    project = Project(source.path, parsed.original, shown)
    written_for = (written_for or judge(project)).overridden(*given)
    translation = engine.apply(parsed, written_for, project.owns, package)
    if document:
        return notebook.Notebook(document, translation)
    return Script(source, translation)
