"""The head of a package, its `__init__.py`'s docstring, names each of its modules."""

import ast
import fnmatch
import pathlib
import re

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
HEADS = sorted((ROOT / "tfqueue").rglob("__init__.py"))


def modules_of(folder: pathlib.Path) -> list[str]:
    """The names of the modules and packages in a folder, those that Python calls by itself left out."""
    files = [path.stem for path in folder.glob("*.py") if not path.stem.startswith("__")]
    return sorted(files + [path.parent.name for path in folder.glob("*/__init__.py")])


def not_named(package: str, head: str, modules: list[str]) -> list[str]:
    """Which modules of a package its head does not name.

    A module is named between backquotes: by itself, below its package (`tfqueue.graph.model`) or
    above one of its names (`model.Pipeline`). A pattern (`*_moved`) names the modules that it
    matches; only one that begins with an underscore names private ones.
    """
    named = set()
    for text in re.findall(r"`([\w.*/]+)`", head):
        named.add(text.removeprefix(f"{package}.").split(".")[0])
        named.add(text.split(".")[-1])

    def is_named(module: str) -> bool:
        return any(
            fnmatch.fnmatchcase(module, one)
            for one in named
            if one.startswith("_") or not module.startswith("_")
        )

    return [module for module in modules if not is_named(module)]


@pytest.mark.parametrize(
    "path", HEADS, ids=[path.parent.relative_to(ROOT).as_posix() for path in HEADS]
)
def test_a_head_names_each_module(path):
    package = ".".join(path.parent.relative_to(ROOT).parts)
    head = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    assert not_named(package, head, modules_of(path.parent)) == []


def test_what_a_head_leaves_out_is_seen():
    head = "`model`, `reading.Reader`, `tfqueue.graph.takes`, and a rule each: `*_moved`. Text names bare."
    modules = ["_own", "bare", "model", "reading", "scipy_moved", "takes", "tfqueue"]
    assert not_named("tfqueue.graph", head, modules) == ["_own", "bare", "tfqueue"]
