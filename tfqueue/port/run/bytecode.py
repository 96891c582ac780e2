"""Modules that are there only as Python 2 compiled them: `utils/__init__.pyc` without its source."""

from __future__ import annotations

import importlib.machinery
import os

# How a file begins that Python 2.6 or 2.7 compiled.
_PYTHON2 = (b"\xd1\xf2\r\n", b"\x03\xf3\r\n")
_HEADER = 8  # the magic number and the time of the source
# The module's code object: its kind, four counts, and its code, which loads None and returns it.
_EMPTY = b"s\x04\x00\x00\x00d\x00\x00S"
_COUNTS = 17


def of_python2(spec: importlib.machinery.ModuleSpec, path: str) -> importlib.machinery.ModuleSpec:
    """What stands for a module that Python found as a compiled file.

    Args:
        spec: What Python found.
        path: The compiled file.

    Returns:
        `spec` where the file is of Python 3. A package without code of its own where it is an empty
        package of Python 2, as its modules can have their sources.

    Raises:
        ImportError: Python 2 compiled the file, and it holds code.
    """
    with open(path, "rb") as file:
        data = file.read(_HEADER + _COUNTS + len(_EMPTY))
    if not data.startswith(_PYTHON2):
        return spec
    if spec.submodule_search_locations is not None and data.endswith(_EMPTY):
        package = importlib.machinery.ModuleSpec(spec.name, None, is_package=True)
        package.submodule_search_locations = spec.submodule_search_locations
        return package
    shown = os.path.relpath(path)
    raise ImportError(
        f"{shown} was compiled by Python 2, and its source, {shown.removesuffix('c')}, is not there",
        name=spec.name,
        path=path,
    )
