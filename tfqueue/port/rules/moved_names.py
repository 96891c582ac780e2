"""Rewrites imports and references of names that moved, by the tables of the rules."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

from tfqueue.port.program.module import Module
from tfqueue.port.source.finding import Finding

# A new home that starts with this is a function of `tfqueue.port.runtime`.
RUNTIME = "tfqueue.port.runtime."
_Why: TypeAlias = str | Callable[[str, str], str]


def find(
    module: Module,
    table: Mapping[str, str],
    why: _Why = "{old} is {new} today",
    always: bool = False,
) -> Iterator[Finding]:
    """Changes names that moved, and yields what it changed.

    Args:
        table: Dotted name -> dotted name, both with their module in front.
        why: The message, with `{old}` and `{new}` where the names are to stand, or a function of both.
        always: Whether names are changed, too, where a `try` has something else for them.

    >>> module = Module("from collections import Mapping, deque\\n")
    >>> _ = list(find(module, {"collections.Mapping": "collections.abc.Mapping"}, "moved"))
    >>> import ast
    >>> print(ast.unparse(module.tree))
    from collections import deque
    from collections.abc import Mapping
    """
    yield from imports(module, table, why, always)
    for node in module.nodes[ast.Import]:
        for alias in node.names:
            row = _row(table, alias.name)
            if not row or module.has_own(alias.name):
                continue
            if module.otherwise(node) and not always:
                continue
            yield module.finding(alias, _message(table, why, row))
            head = row.partition(".")[0]
            if alias.asname or table[row].startswith(f"{head}."):
                module.rename(alias, table[row] + alias.name.removeprefix(row))
            else:  # only its head is bound; references to the rest are changed below
                module.rename(alias, head)
    for node, dotted in module.references:
        old = _row(table, dotted)
        if not old or (module.probed(node) and not always):
            continue
        target = module.base(node, dotted, old)
        if isinstance(target, ast.Attribute):
            yield module.finding(target, _message(table, why, old))
            _reference(module, target, old, table[old])


def moved(table: Mapping[str, str], dotted: str) -> str:
    """What a dotted name is today.

    >>> moved({"lib.old": "lib.new"}, "lib.old.name")
    'lib.new.name'
    """
    row = _row(table, dotted)
    return table[row] + dotted.removeprefix(row) if row else dotted


def imports(
    module: Module, table: Mapping[str, str], why: _Why, always: bool = False
) -> Iterator[Finding]:
    """Changes what is imported by `from`, and yields what it changed; the arguments are `find`'s."""
    for node in module.nodes[ast.ImportFrom]:
        if node.level or not node.module or (module.otherwise(node) and not always):
            continue
        rows = {a.name: _row(table, f"{node.module}.{a.name}") for a in node.names}
        found = next(filter(None, rows.values()), None)
        if found:
            yield module.finding(node, _message(table, why, found))
            moved = {
                name: table[row] + f"{node.module}.{name}".removeprefix(row) if row else None
                for name, row in rows.items()
            }
            replace_import(module, node, moved)


def _message(table: Mapping[str, str], why: _Why, old: str) -> str:
    new = table[old]
    return why.format(old=old, new=new) if isinstance(why, str) else why(old, new)


def within(package: str, **names: str) -> dict[str, str]:
    """A table of names that moved within one package.

    >>> within("PIL.Image", CUBIC="BICUBIC")
    {'PIL.Image.CUBIC': 'PIL.Image.BICUBIC'}
    """
    return {f"{package}.{old}": f"{package}.{new}" for old, new in names.items()}


def keywords(
    module: Module,
    call: ast.Call,
    name: str,
    table: Mapping[tuple[str, str], str | None],
    library: str,
) -> Iterator[Finding]:
    """Changes arguments of a call, and yields what it changed.

    Args:
        name: What is called.
        table: (name, argument) -> its name today, or None where it means nothing more.
        library: Whose function it is.
    """
    for keyword in list(call.keywords):
        place = name, keyword.arg or ""
        if place not in table:
            continue
        new = table[place]
        yield module.finding(call, f"{name} has no argument {keyword.arg} in {library} today")
        if new is None:
            call.keywords.remove(keyword)
            module.changed()
        else:
            module.rename(keyword, new)


def installs(
    module: Module, library: str, home: str, why: str, proven: bool = False
) -> Iterator[Finding]:
    """Has an old program that imports a library import what gives that library back what it was.

    Args:
        library: The library's name.
        home: What is imported at the top.
        why: The message, at the first import of the library.
        proven: Whether the module is seen to be for the library of then, whatever the program is for.
    """
    if not (module.is_old or proven) or module.imports(home) or module.has_own(library):
        return
    for node in (*module.nodes[ast.Import], *module.nodes[ast.ImportFrom]):
        names = [alias.name for alias in node.names]
        if isinstance(node, ast.ImportFrom):
            names = [node.module or ""] if not node.level else []
        if any(name.partition(".")[0] == library for name in names):
            yield module.finding(node, why)
            module.use_module(home)
            return


def _row(table: Mapping[str, str], dotted: str) -> str:
    """The name in the table that a dotted name is or begins with, the longest one, or ""."""
    while dotted and dotted not in table:
        dotted = dotted.rpartition(".")[0]
    return dotted


def replace_import(module: Module, node: ast.ImportFrom, moved: Mapping[str, str | None]) -> None:
    """Has a statement import names from where they are.

    Args:
        moved: Each of its names -> its dotted name today, or None where that is the same.
    """
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
