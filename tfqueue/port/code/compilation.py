"""A translation compiled, with the line numbers of the user's file."""

from __future__ import annotations

import ast
import copy
import types
import warnings
from collections.abc import Mapping, Sequence

from tfqueue.port.code import pickle_loads, source_lines, told_differences
from tfqueue.port.program.module import PLACED
from tfqueue.port.program.written_for import WrittenFor
from tfqueue.port.rules import engine
from tfqueue.port.source import parsing
from tfqueue.port.source.files import Unreadable


def compile_translation(translation: engine.Translation, path: str) -> types.CodeType:
    """Compiles a program so that its tracebacks show the lines of the user's file.

    Who reads the source of its functions again gets the translated one (`source_lines`).

    Args:
        translation: What `engine.translate` returned.
        path: The file name to put in the code.

    >>> code = compile_translation(engine.translate("print 1, 2\\n"), "old.py")
    >>> code.co_filename
    'old.py'
    """
    tree = placed(translation)
    plain = tree is translation.tree and not translation.changed
    source_lines.show(path, translation.original, None if plain else tree)
    return compiled(tree, path, "exec")


def compiled(
    tree: ast.Module | ast.Expression | ast.Interactive, path: str, mode: str
) -> types.CodeType:
    """Compiles a tree without the compiler's remarks on old ways to write, such as `x is 'a'`."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)
        code: types.CodeType = compile(tree, path, mode, dont_inherit=True)
    return code


def placed(translation: engine.Translation) -> ast.Module:
    """The tree of a program, with the line numbers of the user's file."""
    tree = translation.tree
    if translation.module.text != translation.original:
        tree = copy.deepcopy(tree)
        restore_lines(tree, translation)
    proven = not translation.written_for.guessed or parsing.is_python2(translation.original)
    return pickle_loads.watched(tree if proven else told_differences.watched(translation, tree))


class _Inline(ast.NodeTransformer):
    """Puts what a module would import into its expressions: code without a module's top."""

    def __init__(self, added: dict[str, dict[str, str]]) -> None:
        self._homes = {
            known: (home, name) for home, names in added.items() for name, known in names.items()
        }

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id not in self._homes or not isinstance(node.ctx, ast.Load):
            return node
        home, name = self._homes[node.id]
        text = f"__import__({home!r}, fromlist=[{name!r}]).{name}"
        new = ast.parse(text, mode="eval").body
        for inner in ast.walk(new):
            ast.copy_location(inner, node)
        return new


def _is_added(node: ast.ImportFrom, added: dict[str, dict[str, str]]) -> bool:
    """Whether an import is there for what the rules use, and not the program's own."""
    names = {alias.name: alias.asname or alias.name for alias in node.names}
    return node.module is not None and added.get(node.module) == names


PYTHON2 = WrittenFor(python2=True, given=True)


def compile_text(
    text: str,
    path: str,
    mode: str,
    written_for: WrittenFor | None,
    futures: Sequence[str] = (),
    modules: Mapping[str, str] = {},
) -> types.CodeType:
    """Compiles text of a program for `eval` and `exec`, which binds no other names than its own.

    Args:
        text: What the program evaluates or runs.
        path: The file name to put in the code.
        mode: "eval", "exec" or "single".
        written_for: What is known of the program; found out by the text when None.
        futures: What of Python 3 is in force in a program of Python 2: names of `__future__`.
        modules: What the program imported under the names that an expression has, by these names.

    >>> eval(compile_text("7 / 2", "<string>", "eval", PYTHON2))
    3
    """
    if futures:
        between = "; " if mode == "eval" else "\n"
        text = f"from __future__ import {', '.join(futures)}{between}{text}"
    if modules:
        imports = (f"import {home} as {name}" for name, home in modules.items())
        text = "; ".join([*imports, text])
    try:
        translation = engine.translate(text, path, written_for=written_for)
    except Unreadable as error:
        raise SyntaxError(error.reason, (path, error.line or None, None, None)) from None
    tree = placed(translation)
    added = translation.module.added
    tree.body = [
        node
        for node in tree.body
        if not (
            isinstance(node, ast.ImportFrom)
            and (_is_added(node, added) or (futures and node.module == "__future__"))
        )
    ]
    tree = _Inline(added).visit(tree)
    if mode == "eval":
        tree.body = [node for node in tree.body if not isinstance(node, ast.Import)]
        if len(tree.body) != 1 or not isinstance(tree.body[0], ast.Expr):
            raise SyntaxError("invalid syntax", (path, 1, 1, text))
        return compiled(ast.Expression(tree.body[0].value), path, "eval")
    return compiled(ast.Interactive(tree.body) if mode == "single" else tree, path, mode)


def restore_lines(tree: ast.Module, translation: engine.Translation) -> None:
    """Gives every node the line numbers of the user's file."""
    lines = translation.lines
    now = translation.module.lines
    before = translation.original.split("\n")

    def old(number: int) -> int:
        return lines[min(number, len(lines)) - 1]

    same = [
        number <= len(now)
        and old(number) <= len(before)
        and now[number - 1] == before[old(number) - 1]
        for number in range(1, len(now) + 1)
    ]
    for node in ast.walk(tree):
        if not isinstance(node, PLACED):
            continue
        first, last = node.lineno, node.end_lineno or node.lineno
        node.lineno, node.end_lineno = old(first), max(old(last), old(first))
        # Columns would point into a line that the user does not see: the whole line instead,
        # for which Python draws no carets.
        if not same[first - 1]:
            line = _line(before, node.lineno)
            node.col_offset = len(line) - len(line.lstrip())
        if not same[last - 1]:
            node.end_col_offset = len(_line(before, node.end_lineno).rstrip().encode())
        if node.lineno == node.end_lineno and (node.end_col_offset or 0) < node.col_offset:
            node.end_col_offset = node.col_offset


def _line(lines: list[str], number: int) -> str:
    return lines[number - 1] if number <= len(lines) else ""
