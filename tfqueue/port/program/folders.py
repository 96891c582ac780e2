"""Folders: where a program's modules are looked for, and where libraries are."""

from __future__ import annotations

import functools
import os
import sys
import sysconfig

from tfqueue.port.source.files import install_folder


def home(path: str) -> str:
    """The folder that a program's modules are looked for in: its own, behind any link to it."""
    return os.path.dirname(os.path.realpath(path))


def is_library(path: str) -> bool:
    """Whether a file is one of the standard library, of this package, or an installed one."""
    real = os.path.realpath(path)
    return install_folder(real) is not None or any(
        real.startswith(os.path.join(folder, "")) for folder in library_folders()
    )


@functools.cache
def library_folders() -> frozenset[str]:
    """The folders that Python's own modules, installed packages and tfqueue are in."""
    here = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    return frozenset(
        os.path.realpath(path)
        for path in {*sysconfig.get_paths().values(), here}
        if os.path.isabs(path)
    ) - {os.path.realpath(sys.prefix)}


def given_folders() -> list[str]:
    """The folder that the command is started from, and those of ``PYTHONPATH``."""
    named = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    return [os.getcwd(), *(os.path.abspath(folder) for folder in named if folder)]
