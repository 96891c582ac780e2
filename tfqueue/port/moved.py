"""The rows of `tfqueue.v1.moved`, read without TensorFlow.

Importing `tfqueue.v1.moved` the usual way would import `tfqueue.v1`, and with it TensorFlow.
The file is plain data, so it is loaded by its path.
"""

from __future__ import annotations

import functools
import importlib.util
import pathlib
import types


@functools.cache
def _table() -> types.ModuleType:
    path = pathlib.Path(__file__).parent.parent / "v1" / "moved.py"
    spec = importlib.util.spec_from_file_location("tfqueue_moved_rows", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@functools.cache
def moved() -> dict:
    """Old name below ``tf`` -> its row.

    >>> moved()["pack"].new
    'stack'
    """
    return {row.old: row for row in _table().MOVED}


@functools.cache
def gone() -> dict:
    """Name below ``tf`` that has no successor -> its row.

    >>> gone()["estimator"].removed
    '2.16'
    """
    return {row.old: row for row in _table().GONE}
