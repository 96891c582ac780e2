"""Python text laid out as ruff formats it, in lines of at most 100 characters."""

from __future__ import annotations

import ast
import io
import textwrap
import tokenize
from collections.abc import Sequence
from typing import TypeAlias, TypeGuard

_WIDTH = 100

Node: TypeAlias = "ast.expr | ast.keyword | _Pair | _Item"


def laid_out(text: str) -> str:
    """A program, formatted.

    Args:
        text: A program of assignments, returns, calls, functions and `with` blocks, each statement
            in one line however long.

    >>> print(laid_out("def f( a ):\\n  return tf.stack(" + repr(["x" * 40] * 3) + ", axis = 0)"))
    def f(a):
        return tf.stack(
            [
                "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
                "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
                "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
            ],
            axis=0,
        )
    <BLANKLINE>
    """
    return "\n".join(_block(ast.parse(text).body, 0)) + "\n"


def indented(text: str) -> str:
    """The text, one level deeper."""
    return textwrap.indent(text, "    ")


def quoted(value: str | bytes) -> str:
    r"""A str or bytes literal in double quotes, or in single ones where that saves backslashes.

    >>> print(quoted("a'b"), quoted('a"b'), quoted(b"\x00\""), quoted("a\nb"))
    "a'b" 'a"b' b'\x00"' "a\nb"
    """
    text = repr(value)
    prefix, quote, inner = text[: text[0] == "b"], text[-1], text[1 + (text[0] == "b") : -1]
    if quote == "'" and '"' not in inner:
        return f'{prefix}"{inner}"'.replace("\\'", "'")
    if quote == "'" and inner.count("\\'") >= inner.count('"'):
        escaped = inner.replace("\\'", "'").replace('"', '\\"')
        return f'{prefix}"{escaped}"'
    return text


# -- statements -----------------------------------------------------------------------------------


def _block(statements: Sequence[ast.stmt], depth: int) -> list[str]:
    lines = []
    for place, statement in enumerate(statements):
        before = statements[place - 1] if place else None
        lines += [""] * _blank_lines(before, statement, depth)
        lines += _statement(statement, depth, first=not place)
    return lines


def _blank_lines(before: ast.stmt | None, statement: ast.stmt, depth: int) -> int:
    if before is None:
        return 0
    imports = (ast.Import, ast.ImportFrom)
    if isinstance(statement, ast.FunctionDef) or isinstance(before, ast.FunctionDef):
        return 1 if depth else 2
    if depth:
        return 0
    if isinstance(before, imports):
        return 0 if isinstance(statement, imports) else 1
    return int(_is_docstring(before))


def _is_docstring(statement: ast.stmt) -> TypeGuard[ast.Expr]:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _statement(statement: ast.stmt, depth: int, first: bool) -> list[str]:
    pad = "    " * depth
    if isinstance(statement, ast.FunctionDef):
        decorators = [f"{pad}@{_flat(each)}" for each in statement.decorator_list]
        head = _signature(statement.name, _parameters(statement.args), depth)
        return decorators + head + _block(statement.body, depth + 1)
    if isinstance(statement, ast.With):
        (item,) = statement.items
        head = _line("with ", item.context_expr, ":", depth)
        return head + _block(statement.body, depth + 1)
    if isinstance(statement, (ast.Import, ast.ImportFrom)):
        return [pad + ast.unparse(statement)]
    if first and _is_docstring(statement):
        return [pad + _docstring(ast.literal_eval(statement.value))]
    if isinstance(statement, ast.Assign):
        (target,) = statement.targets
        return _line(_flat(target, bare=True) + " = ", statement.value, "", depth)
    assert isinstance(statement, (ast.Return, ast.Expr))
    assert statement.value is not None
    return _line("return " * isinstance(statement, ast.Return), statement.value, "", depth)


def _docstring(text: str) -> str:
    escaped = "".join(
        {"\\": "\\\\", '"': '\\"'}.get(c, c if c.isprintable() else ascii(c)[1:-1]) for c in text
    )
    return f'"""{escaped}"""'


def _parameters(arguments: ast.arguments) -> list[str]:
    listed = [each.arg for each in arguments.args]
    if arguments.vararg:
        listed.append(f"*{arguments.vararg.arg}")
    elif arguments.kwonlyargs:
        listed.append("*")
    return listed + [each.arg for each in arguments.kwonlyargs]


def _signature(name: str, parameters: Sequence[str], depth: int) -> list[str]:
    """`def name(parameters):`, broken over lines where it is long."""
    pad, inner = "    " * depth, "    " * (depth + 1)
    head, flat = f"{pad}def {name}(", ", ".join(parameters)
    if len(f"{head}{flat}):") <= _WIDTH:
        return [f"{head}{flat}):"]
    if len(inner + flat) <= _WIDTH:
        return [head, inner + flat, f"{pad}):"]
    return [head, *(f"{inner}{each}," for each in parameters), f"{pad}):"]


# -- expressions ----------------------------------------------------------------------------------


def _line(before: str, value: Node, after: str, depth: int) -> list[str]:
    """The lines of `before value after`."""
    pad = "    " * depth
    flat = f"{pad}{before}{_flat(value, bare=True)}{after}"
    if len(flat) <= _WIDTH and not _long_strings(value):
        return [flat]
    opening, items, closing, listed = _split(value)
    if opening is None:
        return [flat]
    inner = pad + "    "
    line = ", ".join(_flat(item) for item in items)
    if not listed and len(inner + line) <= _WIDTH and not any(map(_long_strings, items)):
        body = [inner + line]
    else:
        comma = "," if listed or len(items) > 1 else ""
        body = [each for item in items for each in _line(*_labelled(item), comma, depth + 1)]
    return [f"{pad}{before}{opening}", *body, f"{pad}{closing}{after}"]


def _labelled(item: Node) -> tuple[str, Node]:
    """An item as what stands before its value, and the value."""
    if isinstance(item, ast.keyword):
        return (f"{item.arg}=" if item.arg else "**"), _Item(item.value)
    if isinstance(item, _Pair):
        return f"{_flat(item.key)}: ", _Item(item.value)
    return "", item if isinstance(item, _Item) else _Item(item)


class _Pair:
    """A key and a value of a dict."""

    def __init__(self, key: ast.expr, value: ast.expr) -> None:
        self.key = key
        self.value = value


def _pairs(value: ast.Dict) -> list[_Pair]:
    """The items of a dict, which has no `**`."""
    return [_Pair(k, v) for k, v in zip(value.keys, value.values, strict=True) if k is not None]


class _Item:
    """A value that keeps its parentheses, if it is a tuple."""

    def __init__(self, value: ast.expr) -> None:
        self.value = value


def _split(value: Node) -> tuple[str | None, Sequence[Node], str, bool]:
    """Where an expression is broken: `(opening, items, closing, listed)`; None where it is not.

    `listed` says that each item stands in a line of its own.
    """
    if isinstance(value, _Item):
        value = value.value
    if isinstance(value, ast.Constant):
        joiner = b"" if isinstance(value.value, bytes) else ""
        if not isinstance(value.value, (str, bytes)) or len(value.value) <= _PIECE:
            return None, [], "", False
        pieces = [value.value[at : at + _PIECE] for at in range(0, len(value.value), _PIECE)]
        parts = ast.List([ast.Constant(piece) for piece in pieces])
        return f"{quoted(joiner)}.join(", [parts], ")", False
    if isinstance(value, ast.Call):
        return _flat(value.func) + "(", [*value.args, *value.keywords], ")", False
    if isinstance(value, ast.Lambda):
        opening, items, closing, listed = _split(value.body)
        head = f"lambda {', '.join(_parameters(value.args))}: "
        return (head + opening if opening else None), items, closing, listed
    if isinstance(value, ast.List):
        return "[", value.elts, "]", True
    if isinstance(value, ast.Tuple):
        return "(", value.elts, ")", True
    if isinstance(value, ast.Dict):
        return "{", _pairs(value), "}", True
    if isinstance(value, ast.Starred):
        opening, items, closing, listed = _split(value.value)
        return ("*" + opening if opening else None), items, closing, listed
    return None, [], "", False


_PIECE = 60
"""Characters of a string in one line, where a string is too long for one."""


def _long_strings(value: Node) -> bool:
    """Whether a string in an expression is too long for any line of its own."""
    if isinstance(value, (_Item, ast.keyword, _Pair)):
        return _long_strings(value.value)
    return any(
        isinstance(node, ast.Constant)
        and isinstance(node.value, (str, bytes))
        and len(quoted(node.value)) > _LONGEST
        for node in ast.walk(value)
    )


_LONGEST = 76
"""Characters of the longest literal that still fits wherever it stands."""


def _flat(node: Node, bare: bool = False) -> str:
    """An expression in one line; `bare` tells that a tuple needs no parentheses."""
    if isinstance(node, _Pair):
        return f"{_flat(node.key)}: {_flat(node.value)}"
    if isinstance(node, _Item):
        return _flat(node.value)
    if isinstance(node, ast.keyword):
        return f"{node.arg}={_flat(node.value)}" if node.arg else f"**{_flat(node.value)}"
    if isinstance(node, ast.Constant):
        if isinstance(node.value, (str, bytes)):
            return quoted(node.value)
        return "..." if node.value is Ellipsis else repr(node.value)
    if isinstance(node, ast.Call):
        given: list[Node] = [*node.args, *node.keywords]
        return f"{_flat(node.func)}({', '.join(map(_flat, given))})"
    if isinstance(node, ast.Attribute):
        return f"{_flat(node.value)}.{node.attr}"
    if isinstance(node, ast.Subscript):
        return f"{_flat(node.value)}[{_flat(node.slice, bare=True)}]"
    if isinstance(node, ast.Slice):
        ends = [_flat(end) if end else "" for end in (node.lower, node.upper)]
        return ":".join(ends + ([_flat(node.step)] if node.step else []))
    if isinstance(node, ast.List):
        return f"[{', '.join(map(_flat, node.elts))}]"
    if isinstance(node, ast.Tuple):
        inner = ", ".join(map(_flat, node.elts)) + ("," if len(node.elts) == 1 else "")
        return inner if bare and len(node.elts) > 1 else f"({inner})"
    if isinstance(node, ast.Dict):
        return "{" + ", ".join(map(_flat, _pairs(node))) + "}"
    if isinstance(node, ast.Lambda):
        head = " ".join(["lambda", ", ".join(_parameters(node.args))]).rstrip()
        return f"{head}: {_flat(node.body)}"
    if isinstance(node, ast.Starred):
        return f"*{_flat(node.value)}"
    return _requoted(ast.unparse(node))  # operators, names


def _requoted(text: str) -> str:
    """An expression with its strings in the quotes of `quoted`."""
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    strings = [token for token in tokens if token.type == tokenize.STRING]
    for token in reversed(strings):
        begin, end = token.start[1], token.end[1]
        text = text[:begin] + quoted(ast.literal_eval(token.string)) + text[end:]
    return text
