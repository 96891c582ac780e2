"""Which names below `tf` a program uses, and which of them do not exist.

TensorFlow is not imported here. Most names stand in the files of its API, which are read. The others
are looked up in one process that imports `tfqueue.v1`.
"""

from __future__ import annotations

import ast
import functools
import importlib.util
import json
import os
import re
import sys
from collections.abc import Iterable

from tfqueue.names import gone, moved
from tfqueue.port.program.module import Module

_BOUND = re.compile(r"^\s*(?:from \S+ import (?:\S+ as )?|import \S+ as )(\w+)", re.MULTILINE)
_ASK = """
import importlib, json, sys, types, warnings
warnings.simplefilter("ignore")
import tfqueue.v1 as tf
from tfqueue.names.sentence import GoneError
def why(name):
    here, at = tf, "tf"
    for part in name.split(".")[1:]:
        if not isinstance(here, types.ModuleType):
            return None  # what a class or a flag holds is not looked at
        try:
            here = getattr(here, part)
        except AttributeError as error:
            said = str(error) if isinstance(error, GoneError) else f"{at} has no {part}"
            try:  # a file of old, which is only imported
                here = importlib.import_module(f"tfqueue.v1{at[2:]}.{part}")
            except ImportError:
                return said
        except ImportError:
            return None
        at += "." + part
    return None
found = {name: why(name) for name in json.load(sys.stdin)}
print(json.dumps({name: said for name, said in found.items() if said}))
"""


Asked = tuple[str, int, int, str]
"""A name that a program reads: (path, line, column, name)."""


def asked(module: Module, lines: list[int]) -> list[Asked]:
    """The names below `tf` that a translated program reads or imports.

    Args:
        module: The program after the rules.
        lines: For each line of the module's text (from 0) the number of the user's line.
    """
    found: list[Asked] = []
    if module.era.two and not module.python2:
        return []
    module.index()

    def add(node: ast.expr | ast.stmt, where: ast.expr | ast.alias, dotted: str) -> None:
        if module.guarded(node) or _tested(module, node):
            return
        line = min(where.lineno or node.lineno, len(lines))
        found.append((module.path, lines[line - 1], (where.col_offset or 0) + 1, dotted))

    for statement, alias, dotted in _imported(module):
        add(statement, alias, dotted)
    own = {
        module.dotted(node)
        for node in module.nodes[ast.Attribute]
        if isinstance(node.ctx, ast.Store)
    }
    for node, dotted in module.references:
        if not dotted.startswith("tensorflow."):
            continue
        if dotted.startswith(("tensorflow.python", "tensorflow.core", "tensorflow.tools")):
            continue
        if any(dotted == name or dotted.startswith(f"{name}.") for name in own if name):
            continue  # the program puts it there
        add(node, node, dotted)
    return sorted(set(found), key=lambda row: row[1:3])


def _imported(module: Module) -> Iterable[tuple[ast.stmt, ast.alias, str]]:
    """What the import statements of a translated module bring from below `tensorflow`."""
    for node in module.nodes[ast.ImportFrom]:
        if node.level or not f"{node.module}.".startswith("tfqueue.v1."):
            continue
        home = "tensorflow" + node.module.removeprefix("tfqueue.v1")
        for alias in node.names:
            if alias.name != "*":
                yield node, alias, f"{home}.{alias.name}"
    for node in module.nodes[ast.Import]:
        for alias in node.names:
            if alias.name.startswith("tfqueue.v1."):
                yield node, alias, f"tensorflow{alias.name.removeprefix('tfqueue.v1')}"


def _tested(module: Module, node: ast.AST) -> bool:
    """Whether a program asks whether a name is there before it reads it."""
    return any(
        isinstance(parent, ast.If | ast.IfExp)
        and re.search(r"hasattr\(|__version__|VERSION|version", ast.unparse(parent.test))
        for parent in module.ancestors(node)
    )


@functools.cache
def _folder() -> str | None:
    spec = importlib.util.find_spec("tensorflow")
    if spec is None or not spec.origin:
        return None
    return os.path.join(os.path.dirname(spec.origin), "_api", "v2", "compat", "v1")


@functools.cache
def _bound(folder: str) -> frozenset[str]:
    try:
        with open(os.path.join(folder, "__init__.py"), encoding="utf-8") as file:
            return frozenset(_BOUND.findall(file.read()))
    except OSError:
        return frozenset()


def _is_there(name: str) -> bool:
    """Whether the files of TensorFlow's API show a name; attributes of classes are not checked."""
    folder = _folder()
    parts = name.split(".")[1:]
    rest = ".".join(parts)
    if rest in moved.BY_OLD_NAME and rest not in gone.BY_NAME:
        return True
    while folder and parts:
        part = parts.pop(0)
        if part not in _bound(folder):
            return False
        folder = os.path.join(folder, part)
        if not os.path.isdir(folder):
            # a function, or a class, of which any name may be an attribute
            return not parts or part[:1].isupper() or not part.islower()
    return not parts


def missing(names: Iterable[str]) -> dict[str, str]:
    """Which names do not exist, each with what is the matter.

    Args:
        names: Dotted names below ``tensorflow``.
    """
    doubtful = sorted(name for name in set(names) if not _is_there(name))
    if not doubtful or _folder() is None:
        return {}
    import subprocess  # here: few programs have a doubtful name

    done = subprocess.run(
        [sys.executable, "-c", _ASK],
        input=json.dumps(doubtful),
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": "-1"},
    )
    if done.returncode:
        return {}
    found: dict[str, str] = json.loads(done.stdout.splitlines()[-1])
    return found
