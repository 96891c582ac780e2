"""A tensor was one object for numpy: `np.sum([loss, penalty])` added them, `np.abs(x)` was `abs(x)`.

https://github.com/tensorflow/tensorflow/blob/v1.15.5/tensorflow/python/framework/ops.py
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfqueue.port.program.module import Module
from tfqueue.port.source.finding import Finding

WORDS = ("numpy",)
_LIKE = ("numpy.ones_like", "numpy.zeros_like")
_FUNCTIONS = (
    "abs absolute add all any append array array_equal array_split asanyarray asarray atleast_1d concatenate cumprod "
    "cumsum dot expand_dims flip hstack max min multiply ndim negative power prod ravel repeat reshape shape size square "
    "squeeze stack subtract sum swapaxes take tile transpose vstack"
)
# What tensorflow has below these names gives no tensors.
_OTHERS = (
    "ConfigProto Dimension Graph InteractiveSession Session TensorShape all_variables app "
    "estimator flags get_collection gfile global_variables local_variables logging python_io "
    "summary test train trainable_variables"
)
_DEPTH = 4


def find(module: Module) -> Iterator[Finding]:
    """Finds calls of numpy's functions with tensors, in programs that import TensorFlow.

    A list of tensors was an array of objects up to TensorFlow 1.15, a tensor alone up to 1.4.
    """
    if not module.has_tensorflow:
        return
    for call, dotted in module.calls:
        home, _, name = dotted.rpartition(".")
        if home != "numpy" or not call.args or isinstance(call.args[0], ast.Starred):
            continue
        if dotted in _LIKE:
            if module.era.low >= (1, 15) or not _may_be_tensor(module, call.args[0]):
                continue
        elif name not in _FUNCTIONS.split() or not any(_is_made(module, arg) for arg in call.args):
            continue
        yield module.finding(
            call, "numpy no longer takes tensors for objects, as up to TensorFlow 1.15"
        )
        new = module.call("of_tensors", call.func, *call.args, home="tfqueue.port.runtime")
        new.keywords = call.keywords
        module.replace(call, new)


def _may_be_tensor(module: Module, value: ast.expr) -> bool:
    made = module.dotted(value.func) if isinstance(value, ast.Call) else None
    return not isinstance(value, ast.List | ast.Constant) and not (made or "").startswith("numpy.")


def _is_made(module: Module, node: ast.AST, asked: tuple[str, ...] = ()) -> bool:
    """Whether an expression is seen to be made by a function of tensorflow, or is a list of such."""
    if isinstance(node, ast.Call):
        names = (module.dotted(node.func) or "").split(".")
        return names[0] == "tensorflow" and names[1] not in _OTHERS.split()
    if isinstance(node, ast.List | ast.Tuple):
        return any(_is_made(module, one, asked) for one in node.elts)
    if isinstance(node, ast.ListComp):
        return _is_made(module, node.elt, asked)
    if isinstance(node, ast.BinOp):
        return _is_made(module, node.left, asked) or _is_made(module, node.right, asked)
    if isinstance(node, ast.UnaryOp):
        return _is_made(module, node.operand, asked)
    if isinstance(node, ast.Subscript):
        return _is_made(module, node.value, asked)
    if not isinstance(node, ast.Name) or node.id in asked or len(asked) == _DEPTH:
        return False
    asked = (*asked, node.id)
    held = [module.parents.get(place) for place in module.bindings(node, node.id)]
    values = [each.value for each in held if isinstance(each, ast.Assign)]
    return any(_is_made(module, value, asked) for value in (*values, *_appended(module, node)))


def _appended(module: Module, name: ast.Name) -> Iterator[ast.expr]:
    """What is appended to a list."""
    for use in module.uses(name, name.id):
        method = module.parents[use]
        call = module.parents[method]
        if isinstance(method, ast.Attribute) and method.attr == "append":
            if isinstance(call, ast.Call) and call.func is method:
                yield from call.args
