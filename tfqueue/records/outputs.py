"""Where something is written to: a file, which is replaced whole, or a stream, which goes on."""

import codecs
import os
from typing import TextIO


def is_stream(path: str) -> bool:
    """Whether a path is a terminal, a pipe, a device or an open file (`/dev/stdout`, `/dev/fd/3`).

    Nothing can take the place of these; what is written is added.

    >>> is_stream("/dev/null"), is_stream("."), is_stream("absent.txt")
    (True, False, False)
    """
    if os.path.abspath(path).startswith(("/dev/", "/proc/")):
        # a link to whatever the shell has opened, which can be a file
        return os.path.exists(path)
    return os.path.exists(path) and not (os.path.isfile(path) or os.path.isdir(path))


def is_utf8(stream: TextIO) -> bool:
    """Whether a stream can write all of Unicode."""
    return codecs.lookup(stream.encoding or "ascii").name == "utf-8"
