"""Which functions of a program build its input pipeline and return what a step fetches of it.

This is read off the text: nothing is run.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

_TAKES = frozenset(
    "batch batch_join maybe_batch maybe_batch_join maybe_shuffle_batch maybe_shuffle_batch_join "
    "shuffle_batch shuffle_batch_join slice_input_producer".split()
)
"""Functions that give what is taken from a queue."""
_TAKES_BY_METHOD = {"dequeue": 0, "dequeue_many": 1, "dequeue_up_to": 1, "read": 1, "read_up_to": 2}
"""Methods that do, and how many arguments they have at the least."""


def builders(text: str) -> list[ast.FunctionDef]:
    """The functions of a program that return what they take from queues.

    Of functions that call each other it is the outermost.

    Args:
        text: The program, in Python 3.

    Returns:
        Their definitions, in their order.

    >>> [found.name for found in builders('''
    ... def read(queue):
    ...     return tf.TFRecordReader().read(queue)[1]
    ... def inputs(paths):
    ...     return tf.train.batch([read(tf.train.string_input_producer(paths))], 8)
    ... def train():
    ...     batch = inputs(["a"])
    ... ''')]
    ['inputs']
    """
    functions = {node.name: node for node in ast.parse(text).body if type(node) is ast.FunctionDef}
    called = {
        name: {call.func.id for call in _calls(node) if isinstance(call.func, ast.Name)}
        for name, node in functions.items()
    }
    taking = {name for name, node in functions.items() if any(map(_takes, _calls(node)))}
    while more := {name for name in functions if called[name] & taking} - taking:
        taking |= more
    found = {name for name in taking if _returns(functions[name])}
    inner = {each for name in found for each in called[name] - {name}}
    return [functions[name] for name in functions if name in found - inner]


def required(function: ast.FunctionDef) -> list[str]:
    """The names of the parameters that have no default."""
    given = function.args
    by_place = [*given.posonlyargs, *given.args]
    by_name = zip(given.kwonlyargs, given.kw_defaults, strict=True)
    found = by_place[: len(by_place) - len(given.defaults)]
    return [each.arg for each in [*found, *(each for each, value in by_name if value is None)]]


def _own(function: ast.FunctionDef) -> Iterator[ast.AST]:
    """What stands in a function itself, and not in one inside it."""
    todo: list[ast.AST] = list(function.body)
    while todo:
        node = todo.pop()
        yield node
        if not isinstance(node, (ast.FunctionDef, ast.Lambda, ast.ClassDef)):
            todo += ast.iter_child_nodes(node)


def _calls(function: ast.FunctionDef) -> list[ast.Call]:
    return [node for node in ast.walk(function) if isinstance(node, ast.Call)]


def _takes(call: ast.Call) -> bool:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    given = len(call.args) + len(call.keywords)
    return name in _TAKES or given >= _TAKES_BY_METHOD.get(name, given + 1)


def _returns(function: ast.FunctionDef) -> bool:
    return any(isinstance(node, ast.Return) and node.value is not None for node in _own(function))
