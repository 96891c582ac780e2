"""The rows of `tfqueue.v1.moved`, read without TensorFlow.

Importing `tfqueue.v1.moved` the usual way would import `tfqueue.v1`, and with it TensorFlow.
The file is plain data, so it is loaded by its path.
"""

from __future__ import annotations

import ast
import functools
import importlib.util
import pathlib
import types
from typing import Any


@functools.cache
def _table() -> types.ModuleType:
    path = pathlib.Path(__file__).parents[2] / "v1" / "moved.py"
    spec = importlib.util.spec_from_file_location("tfqueue_moved_rows", path)
    assert spec is not None, "the file's name ends in .py"
    assert spec.loader is not None, "a file has a loader"
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@functools.cache
def moved() -> dict[str, Any]:
    """Old name below ``tf`` -> its row.

    >>> moved()["pack"].new
    'stack'
    """
    return {row.old: row for row in _table().MOVED}


@functools.cache
def gone() -> dict[str, Any]:
    """Name below ``tf`` that has no successor -> its row.

    >>> gone()["estimator.BaselineClassifier"].removed
    '2.16'
    """
    return {row.old: row for row in _table().GONE}


@functools.cache
def contrib_gone() -> dict[str, tuple[str, str]]:
    """Name below ``tf.contrib`` that is not brought back -> (since when, what to use).

    The tables stand in `tfqueue.v1.contrib`; they are read, not imported.

    >>> contrib_gone()["lite"]
    ('2.0', 'tf.lite')
    """
    path = pathlib.Path(__file__).parents[2] / "v1" / "contrib" / "_gone.py"
    tree = ast.parse(path.read_text("utf-8"))
    # its one import would bring TensorFlow
    tree.body = [node for node in tree.body if not isinstance(node, ast.ImportFrom)]
    names = {"Gone": _table().Gone}
    exec(compile(tree, str(path), "exec"), names)
    rows = {row.old: (row.removed, row.use) for row in names["PACKAGES"]}
    for package, table in names.items():
        if package.isupper() and package != "PACKAGES" and isinstance(table, list):
            rows.update((f"{package.lower()}.{r.old}", (r.removed, r.use)) for r in table)
    return rows
