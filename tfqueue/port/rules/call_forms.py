"""Calls of libraries whose arguments changed: their order, their names, their values, their defaults.

A form is a text. Its words are what became of one argument each:

- ``old>new``: it has another name.
- ``old-``: it means nothing more.
- ``old=value``: the default that it had, which is given where a call does not give the argument.
  (Where it may stand by position, `names.libraries` has to know the function.)
- ``old=value?other``: the same, where a call gives neither of the two.
"""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Iterator, Mapping

from tfqueue.names import libraries
from tfqueue.port.program.module import Module
from tfqueue.port.rules import moved_names
from tfqueue.port.source.finding import Finding


@dataclasses.dataclass(frozen=True)
class Forms:
    """What changed in the calls of a library.

    Attributes:
        library: Its name.
        title: Its name in messages.
        moved: Dotted name -> dotted name; a function that became one of tfqueue's takes what it took.
        changes: Dotted name without the library -> its form.
        values: Name of a function, or ``""`` for all, and argument -> what its value is today by what it
            was; None: the argument goes.
    """

    library: str
    title: str
    moved: Mapping[str, str]
    changes: Mapping[str, str]
    values: Mapping[tuple[str, str], Mapping[object, str | None]]


def find(module: Module, forms: Forms) -> Iterator[Finding]:
    """Changes calls in old programs, and yields what it changed.

    >>> forms = Forms("lib", "lib 2", {}, {"f": "n>size how='fast' m-"}, {("f", "n"): {1: "'one'"}})
    >>> module = Module("import tensorflow, lib\\nlib.f(x, n=1, m=2)\\n")
    >>> _ = list(find(module, forms))
    >>> import ast
    >>> ast.unparse(module.tree.body[1])
    "lib.f(x, size='one', how='fast')"
    """
    if not module.is_old or module.has_own(forms.library):
        return
    for call, dotted in module.calls:
        if not dotted.startswith(f"{forms.library}."):
            continue
        name = moved_names.moved(forms.moved, dotted)
        if not name.startswith(f"{forms.library}."):
            continue
        short = name.removeprefix(f"{forms.library}.")
        told = [
            *name_arguments(module, call, name),
            *_change_values(module, call, short, forms.values),
            *_change_arguments(module, call, name, forms.changes.get(short, "").split()),
        ]
        if told:
            yield module.finding(call, f"{short} in {forms.title}: {', '.join(told)}")


def name_arguments(module: Module, call: ast.Call, name: str) -> Iterator[str]:
    """Names arguments of a call that may no longer be given by position.

    Args:
        name: The dotted name under which `names.libraries` has the function.
    """
    free, _, rest = libraries.orders().get(name, "").partition("|")
    count, words = len(free.split()), rest.split()
    over = call.args[count:]
    given = {keyword.arg for keyword in call.keywords}
    if any(isinstance(one, ast.Starred) for one in call.args) or given & set(words[: len(over)]):
        return
    if not 0 < len(over) <= len(words):
        return
    del call.args[count:]
    for word, value in zip(words, over, strict=False):
        module.add_argument(call, word, value)
    yield f"{', '.join(words[: len(over)])} by name"


def _change_values(
    module: Module,
    call: ast.Call,
    short: str,
    values: Mapping[tuple[str, str], Mapping[object, str | None]],
) -> Iterator[str]:
    for keyword in list(call.keywords):
        place = short.rpartition(".")[2], keyword.arg or ""
        table = values.get(place) or values.get(("", place[1])) or {}
        old = keyword.value
        if not isinstance(old, ast.Constant) or old.value not in table:
            continue
        if isinstance(old.value, int) and type(old.value) not in map(type, table):
            continue  # 1 is no True
        new = table[old.value]
        if new is None:
            call.keywords.remove(keyword)
            module.changed()
            yield f"no {keyword.arg}"
        else:
            module.replace(old, new)
            yield f"{keyword.arg}={new}"


def _change_arguments(module: Module, call: ast.Call, name: str, form: list[str]) -> Iterator[str]:
    given = {keyword.arg: keyword for keyword in call.keywords}
    free = libraries.orders().get(name, "").partition("|")[0].split()
    by_place = set(free[: len(call.args)])
    starred = any(isinstance(one, ast.Starred) for one in call.args)
    for word in form:
        argument, _, value = word.partition("=")
        if value:
            value, _, other = value.partition("?")
            if not (starred or argument in by_place or given.keys() & {argument, other}):
                yield give_default(module, call, argument, value)
            continue
        old, _, new = word.rstrip("-").partition(">")
        if old not in given:
            continue
        keyword = given.pop(old)
        if new:
            module.rename(keyword, new)
            given[new] = keyword
            yield f"{old} is {new}"
        else:
            call.keywords.remove(keyword)
            module.changed()
            yield f"no {old}"


def give_default(module: Module, call: ast.Call, name: str, value: str) -> str:
    """Gives a call an argument, unless its `**words` have it; returns what to say of it."""
    words = next((keyword for keyword in call.keywords if keyword.arg is None), None)
    if words is None:
        module.add_argument(call, name, value)
    elif not (isinstance(words.value, ast.Dict) and has(words.value, name)):
        default = ast.parse(value, mode="eval").body
        keys: list[ast.expr | None] = [ast.Constant(name), None]
        module.replace(words.value, ast.Dict(keys, [default, words.value]))
    return f"{name} was {value}"


def has(words: ast.Dict, name: str) -> bool:
    """Whether a written dict has a key of this name."""
    return any(getattr(key, "value", None) == name for key in words.keys)
