"""The lookup table of moved names, shared by the rules that rewrite imports and references."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from tfqueue.port.program.module import Module
from tfqueue.port.source.finding import Finding

# A new home that starts with this is a function of `tfqueue.port.runtime`.
RUNTIME = "tfqueue.port.runtime."


def find(
    module: Module, table: Mapping[str, str], why: Mapping[str, str] | str
) -> Iterator[Finding]:
    """Changes names that moved, and yields what it changed.

    Args:
        table: Dotted name -> dotted name, both with their module in front.
        why: The message, or the message per old name.

    >>> module = Module("from collections import Mapping, deque\\n")
    >>> _ = list(find(module, {"collections.Mapping": "collections.abc.Mapping"}, "moved"))
    >>> import ast
    >>> print(ast.unparse(module.tree))
    from collections import deque
    from collections.abc import Mapping
    """

    def message(old: str) -> str:
        return why if isinstance(why, str) else why[old]

    for node in module.nodes[ast.ImportFrom]:
        if node.level or not node.module or module.guarded(node):
            continue
        rows = {a.name: _row(table, f"{node.module}.{a.name}") for a in node.names}
        found = next(filter(None, rows.values()), None)
        if found:
            yield module.finding(node, message(found))
            moved = {
                name: table[row] + f"{node.module}.{name}".removeprefix(row) if row else None
                for name, row in rows.items()
            }
            _import(module, node, moved)
    for node in module.nodes[ast.Import]:
        for alias in node.names:
            row = _row(table, alias.name)
            if not row or module.guarded(node) or module.has_own(alias.name):
                continue
            yield module.finding(alias, message(row))
            head = row.partition(".")[0]
            if alias.asname or table[row].startswith(f"{head}."):
                module.rename(alias, table[row] + alias.name.removeprefix(row))
            else:  # only its head is bound; references to the rest are changed below
                module.rename(alias, head)
    for node, dotted in module.references:
        old = _row(table, dotted)
        if not old or module.guarded(node):
            continue
        target = module.base(node, dotted, old)
        if isinstance(target, ast.Attribute):
            yield module.finding(target, message(old))
            _reference(module, target, old, table[old])


def _row(table: Mapping[str, str], dotted: str) -> str:
    """The name in the table that a dotted name is or begins with, the longest one, or ""."""
    while dotted and dotted not in table:
        dotted = dotted.rpartition(".")[0]
    return dotted


def _import(module: Module, node: ast.ImportFrom, moved: Mapping[str, str | None]) -> None:
    homes: dict[str, list[ast.alias]] = {}
    for alias in node.names:
        home, _, name = (moved[alias.name] or f"{node.module}.{alias.name}").rpartition(".")
        known_as = alias.asname or alias.name
        homes.setdefault(home, []).append(ast.alias(name, known_as if known_as != name else None))
    if len(homes) == 1 and "" not in homes:
        [(home, aliases)] = homes.items()
        node.module = home
        for old, new in zip(node.names, aliases, strict=True):
            old.name, old.asname = new.name, new.asname
        module.changed()
        return
    module.replace(
        node,
        [
            ast.ImportFrom(home, aliases, 0) if home else ast.Import(aliases)
            for home, aliases in sorted(homes.items(), key=lambda pair: pair[0] != node.module)
        ],
    )


def _reference(module: Module, node: ast.Attribute, old: str, new: str) -> None:
    home, _, name = new.rpartition(".")
    old_home = old.rpartition(".")[0]
    if home == old_home:
        module.rename(node, name)
    elif home and home.startswith(old_home + ".") and module.imports(home):
        base = module.attribute(node.value, home[len(old_home) + 1 :])
        module.replace(node, module.attribute(base, name))
    elif home:
        module.replace(node, module.use(home, name))
    else:
        module.replace(node, f"__import__({name!r})")
