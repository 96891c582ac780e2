"""What the rules about moved names share: a table of rows, read for imports and references alike."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from tfqueue.port.edits import Finding

# A new home that starts with this is a function of `tfqueue.port.runtime`.
RUNTIME = "tfqueue.port.runtime."


def find(module, table: Mapping[str, str], why: Mapping[str, str] | str) -> Iterator[Finding]:
    """Yields what has to be changed for names that moved.

    Args:
        module: A `Module`.
        table: Dotted name -> dotted name, both with their module in front.
        why: The message, or the message per old name.

    >>> from tfqueue.port.module import Module
    >>> module = Module("from collections import Mapping, deque\\n")
    >>> [found] = find(module, {"collections.Mapping": "collections.abc.Mapping"}, "moved")
    >>> found.edits[0].new
    'from collections import deque; from collections.abc import Mapping'
    """

    def message(old: str) -> str:
        return why if isinstance(why, str) else why[old]

    modules = {old.rpartition(".")[0] for old in table}
    repaired = set()
    for node in module.nodes[ast.ImportFrom]:
        if node.level or node.module not in modules or module.guarded(node):
            continue
        moved = {a.name: table.get(f"{node.module}.{a.name}") for a in node.names}
        if not any(moved.values()):
            continue
        new = _import(node, moved)
        breaks = node.end_lineno - node.lineno
        if breaks:
            # an import over several lines keeps their number: the rest of them become blank
            new = _spread(new, breaks)
        old = next(f"{node.module}.{name}" for name, to in moved.items() if to)
        repaired.update(a.asname or a.name for a in node.names if moved[a.name])
        yield module.finding(node, message(old), [module.replace(node, new)])
    for node, dotted in module.references:
        old = dotted
        while old and old not in table:
            old = old.rpartition(".")[0]
        if not old or module.guarded(node):
            continue
        target = module.base(node, dotted, old)
        if not isinstance(target, ast.Attribute):
            continue
        yield from _reference(module, target, old, table[old], message(old))


def _import(node: ast.ImportFrom, moved: Mapping[str, str | None]) -> str:
    kept = [
        f"{a.name} as {a.asname}" if a.asname else a.name for a in node.names if not moved[a.name]
    ]
    parts = [f"from {node.module} import {', '.join(kept)}"] if kept else []
    homes: dict[str, list[str]] = {}
    for alias in node.names:
        if to := moved[alias.name]:
            home, _, name = to.rpartition(".")
            known_as = alias.asname or alias.name
            homes.setdefault(home, []).append(name + (f" as {known_as}" * (known_as != name)))
    for home, names in homes.items():
        parts.append(f"from {home} import {', '.join(names)}" if home else f"import {names[0]}")
    return "; ".join(parts)


def _spread(text: str, breaks: int) -> str:
    """Puts line breaks into an import, at its end, where nothing follows on the line."""
    head, _, names = text.rpartition(" import ")
    return f"{head} import (" + "\n" * breaks + f"{names})"


def _reference(module, node: ast.Attribute, old: str, new: str, message: str) -> Iterator[Finding]:
    home, _, name = new.rpartition(".")
    old_home = old.rpartition(".")[0]
    if new.startswith(RUNTIME):
        edit = module.replace(node, f"tfq_runtime.{new[len(RUNTIME) :]}")
        yield module.finding(node, message, [edit], needs=(new[len(RUNTIME) :],))
    elif home == old_home:
        edit = module.replace(node, f"{module.source(node.value)}.{name}")
        yield module.finding(node, message, [edit])
    elif home.startswith(old_home + ".") and module.imports(home):
        below = home[len(old_home) :]
        edit = module.replace(node, f"{module.source(node.value)}{below}.{name}")
        yield module.finding(node, message, [edit])
    else:
        # the new home need not be imported here
        text = f"__import__({home!r}, fromlist=[{name!r}]).{name}" if home else name
        local = module.local_name(home)
        edit = module.replace(node, f"{local}.{name}" if local else text)
        yield module.finding(node, message, [edit])
