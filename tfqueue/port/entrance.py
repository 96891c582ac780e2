"""The entrance: a program's file is read, parsed, judged and translated once, here.

What comes out is a `Script` or a `notebook.notebook.Notebook`. Both have a `path`, the file's `source`,
a `translation`, ``place(line)``, which says where a line of it stands for the user, and ``text()``, the
new text of the file.
"""

from __future__ import annotations

import dataclasses
import sys
from typing import TYPE_CHECKING

from tfqueue.port.program.era import Era
from tfqueue.port.program.verdict import Verdict, of_parsed
from tfqueue.port.rules import engine
from tfqueue.port.source.files import Source, decode, read
from tfqueue.port.source.parsing import parse

if TYPE_CHECKING:
    from tfqueue.port.notebook.notebook import Notebook

Given = tuple[int | None, Era | None]
"""Which Python and which TensorFlow the user said that a program is from, or None for each."""
NOTHING: Given = (None, None)


@dataclasses.dataclass
class Script:
    """A program that is one file of Python.

    Attributes:
        source: Its file.
        translation: What the rules made of it.
    """

    source: Source
    translation: engine.Translation

    @property
    def path(self) -> str:
        """Its file, as the user named it."""
        return self.source.path

    def place(self, line: int) -> tuple[str, int]:
        """Where a line stands: the file, and the line."""
        return self.path, line

    def text(self) -> str:
        """Its new text."""
        return self.translation.text


def opened(
    path: str, *, given: Given = NOTHING, verdict: Verdict | None = None, package: str | None = None
) -> Script | Notebook:
    """Reads a program or a notebook, and takes it through the rules.

    Args:
        path: The file.
        given: Which Python and which TensorFlow the user said.
        verdict: What is known of the program that it is a part of; found out when None.
        package: See `Module`.

    Raises:
        Unreadable: It cannot be read or parsed.
    """
    source = read(path)
    if path.endswith(".ipynb"):
        from tfqueue.port.notebook import notebook  # here: programs are translated without it

        return notebook.translate(source, verdict=verdict, given=given)
    return _script(source, given, verdict, package)


def from_stdin(given: Given) -> Script:
    """Reads a program from standard input; see `opened`.

    Raises:
        Unreadable: It cannot be parsed.
    """
    return _script(decode(sys.stdin.buffer.read(), "<stdin>"), given, None, "")


def _script(source: Source, given: Given, verdict: Verdict | None, package: str | None) -> Script:
    parsed = parse(source.text, source.path)
    verdict = (verdict or of_parsed(parsed)).overridden(*given)
    return Script(source, engine.apply(parsed, verdict, package))
