"""Has a program that is run say when `np.load` reads a pickle for it.

It changes no text, so it is no rule: only what `tfqueue run` compiles. What `port` writes says
`allow_pickle=True` (`rules.numpy.load`).
"""

from __future__ import annotations

import ast
import copy

_FUNCTION = "__import__('tfqueue.port.differences.pickles', fromlist=['load']).load"


def watched(tree: ast.Module) -> ast.Module:
    """A program's tree in which `np.load` says the first time that it reads a pickle.

    Args:
        tree: The tree after the rules, which stays as it is.
    """
    if not any(map(_is_changed, ast.walk(tree))):
        return tree
    new = copy.deepcopy(tree)
    for node in list(ast.walk(new)):
        if isinstance(node, ast.Call) and _is_changed(node):
            function = ast.parse(_FUNCTION, mode="eval").body
            for inner in ast.walk(function):
                ast.copy_location(inner, node.func)
            node.func = function
    return new


def _is_changed(node: ast.AST) -> bool:
    """Whether it is a call to which `rules.numpy.load` added, which stands where the call begins."""
    return isinstance(node, ast.Call) and any(
        word.arg == "allow_pickle"
        and (word.lineno, word.col_offset) == (node.lineno, node.col_offset)
        for word in node.keywords
    )
