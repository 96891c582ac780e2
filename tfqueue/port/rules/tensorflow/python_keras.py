"""`tensorflow.python.keras` was `tf.keras`, and is another Keras today: its public names are those of `tf.keras`.

https://github.com/tensorflow/tensorflow/blob/r1.15/RELEASE.md
"""

from __future__ import annotations

import ast
import dataclasses
import functools
import importlib.util
import pathlib
import re
from collections.abc import Iterator

from tfqueue.port.program.module import Module
from tfqueue.port.rules import moved_names
from tfqueue.port.source.finding import Finding

WORDS = ("tensorflow.python",)
_NAME = "tf-python-keras"
_OLD = "tensorflow.python.keras"
_NEW = "tfqueue.v1.keras"
_WHY = "{} is {}: one Keras for the whole program"
_BOUND = re.compile(r"^from \S+ import (?:\S+ as )?(\w+)$", re.MULTILINE)


def find(module: Module) -> Iterator[Finding]:
    """Finds imports below `tensorflow.python.keras` of what `tf.keras` has, and the backend that its modules called K."""
    for node, dotted in module.references:
        home, K, _ = f"{dotted}.".partition(".K.")
        if not K or not home.startswith(f"{_OLD}.") or not public_names():
            continue
        backend = module.base(node, dotted, f"{home}.K")
        if isinstance(backend, ast.Attribute):
            yield module.finding(node, _WHY.format(f"{home}.K", f"{_NEW}.backend"))
            module.replace(backend, module.use(_NEW, "backend"))
    for node in module.nodes[ast.ImportFrom]:
        new = {each.name: _today(f"{node.module}.{each.name}") for each in node.names}
        first = next((name for name in new if new[name]), None)
        if first and not node.level:
            yield module.finding(node, _WHY.format(f"{node.module}.{first}", new[first]))
            moved_names.replace_import(module, node, new)
    for node in module.nodes[ast.Import]:
        for alias in node.names:
            if alias.asname and (today := _today(alias.name)):
                yield module.finding(alias, _WHY.format(alias.name, today))
                module.rename(alias, today)


def lacking(module: Module) -> Iterator[Finding]:
    """Finds imports below it of what today's has not, in a program that nothing shows to be old."""
    for node in module.nodes[ast.ImportFrom]:
        home = str(node.module)
        if node.level or not f"{home}.".startswith(f"{_OLD}.") or module.guarded(node):
            continue
        bound = _bound(home)
        for alias in node.names:
            if bound and not bound & {alias.name, "*"} and alias.name != "*":
                why = f"today's {home} has no {alias.name}; TensorFlow 1's: --era 1.15"
                yield dataclasses.replace(module.finding(alias, why, helpless=True), rule=_NAME)


@functools.cache
def _bound(home: str) -> frozenset[str]:
    """The names that a module below `tensorflow` binds, as its file shows them; none where there is no file."""
    spec = importlib.util.find_spec("tensorflow")
    if spec is None or not spec.origin:
        return frozenset()
    place = pathlib.Path(spec.origin).parent.joinpath(*home.split(".")[1:])
    file = place / "__init__.py" if place.is_dir() else place.with_suffix(".py")
    if not file.is_file():
        return frozenset()
    found = {each.stem for each in place.glob("*")}
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            found |= {each.asname or each.name for each in node.names}
        elif isinstance(node, ast.Name):
            found.add(node.id)
    return frozenset(found)


def _today(dotted: str) -> str | None:
    """The name below `tf.keras` of one below `tensorflow.python.keras`, or None."""
    if not f"{dotted}.".startswith(f"{_OLD}."):
        return None
    inner = dotted.removeprefix(_OLD).removeprefix(".")
    public = public_names()
    if not inner:
        return _NEW if public else None
    if inner.endswith(".K"):
        return f"{_NEW}.backend" if public else None
    space, _, name = inner.rpartition(".")
    if name in public.get(space, ()):
        return f"{_NEW}.{inner}"
    homes = [home for home, names in public.items() if name in names]
    near = [home for home in homes if home == space.partition(".")[0]]
    if not near and name[0].isupper():
        near = [home for home in homes if not home] or homes
    return f"{_NEW}.{near[0]}.{name}".replace("..", ".") if near else None


@functools.cache
def public_names() -> dict[str, frozenset[str]]:
    """Each namespace of `tf.keras` with its names, as the files of the package tf_keras show them."""
    spec = importlib.util.find_spec("tf_keras")
    if spec is None or not spec.origin:
        return {}
    root = pathlib.Path(spec.origin).parent / "api" / "_v1" / "keras"
    found = {}
    for file in sorted(root.rglob("__init__.py")):
        inner = ".".join(file.parent.relative_to(root).parts)
        if not inner.startswith("__"):
            found[inner] = frozenset(_BOUND.findall(file.read_text("utf-8")))
    return found
