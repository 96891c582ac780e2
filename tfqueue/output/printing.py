"""How names and messages reach a terminal: one line each, with nothing in it that is obeyed."""

from __future__ import annotations

import codecs
import re
from typing import Any, TextIO


def is_utf8(stream: TextIO) -> bool:
    """Whether a stream can write all of Unicode."""
    return codecs.lookup(stream.encoding or "ascii").name == "utf-8"


def _is_shown(char: str) -> bool:
    # A byte of a file's name that is no UTF-8 is written as that byte: only C1 controls are obeyed.
    return char.isprintable() or "\udca0" <= char <= "\udcff"


def printable(text: str) -> str:
    """Text as one line shows it: control and bidi characters and line ends are escaped.

    Whatever prints the name of a file or a key of a record prints it so. What is printable already
    stays as it is, so that a message may hold names that went through here before.

    >>> printable("größe"), printable("a\\nb\\x1b[31m\\u202e")
    ('größe', 'a\\\\nb\\\\x1b[31m\\\\u202e')
    """
    if text.isprintable():
        return text
    return "".join(
        char if _is_shown(char) else char.encode("unicode_escape").decode() for char in text
    )


def short(text: str, most: int = 200) -> str:
    """As `printable`, cut to `most` characters.

    >>> short("a" * 9, 4)
    'aaaa... (9 characters)'
    """
    shown = printable(text[:most])
    return shown if len(text) <= most else f"{shown}... ({len(text):,} characters)"


_IN_JSON = re.compile(r"[^ -~]")


def json_printable(text: str) -> str:
    """JSON whose strings hold nothing that a terminal obeys.

    Args:
        text: JSON, as `json.dumps` writes it without `ensure_ascii`.

    >>> json_printable('["ü", "\\u202e"]')
    '["ü", "\\\\u202e"]'
    """
    return _IN_JSON.sub(lambda found: _json_char(found[0]), text)


def _json_char(char: str) -> str:
    if char.isprintable() or char == "\n":
        return char
    octets = char.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{octets[at : at + 2].hex()}" for at in range(0, len(octets), 2))


def line_of(error: BaseException) -> str:
    """What an error says, as one line; an error of a file begins with the file's name.

    >>> line_of(FileNotFoundError(2, "No such file or directory", "a\\n.py"))
    'a\\\\n.py: No such file or directory'
    """
    message: Any = str(error)
    if isinstance(error, OSError):
        message = error.strerror or message
        if error.filename is not None:
            name = error.filename
            name = name.decode("utf-8", "surrogateescape") if isinstance(name, bytes) else name
            message = f"{name}: {message}"
    return printable(message.strip())
