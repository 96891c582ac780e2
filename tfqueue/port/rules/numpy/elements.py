"""An array of one element that is put into an element of another array is a number only without dimensions.

https://numpy.org/doc/stable/release/2.4.0-notes.html#expired-deprecations
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfqueue.port.program.module import Module
from tfqueue.port.rules.arrays import Arrays, is_no_array, loaded
from tfqueue.port.rules.python2.division import is_pure
from tfqueue.port.source.finding import Finding

WORDS = ("numpy",)
_HOME = "tfqueue.port.runtime"
_WHY = "an array of one element is put into another's element as a number, as up to numpy 2.3"
_OPERATORS = {ast.Add: "iadd", ast.Sub: "isub", ast.Mult: "imul", ast.Pow: "ipow"}


def find(module: Module) -> Iterator[Finding]:
    """Finds `a[i] = value`, `a[i], b[j] = values` and `a[i] += value` in old programs, where numpy has made `a`."""
    if not module.is_old:
        return  # it may be from any day
    seen = Arrays(module)
    for node in module.nodes[ast.Assign]:
        if len(node.targets) == 1 and _may_fail(seen, node.targets[0], node.value):
            yield module.finding(node, _WHY)
            module.replace(node.value, _element(module, node.targets[0], node.value))
        elif len(node.targets) == 1 and isinstance(node.targets[0], ast.Tuple | ast.List):
            yield from _unpacked(seen, node, node.targets[0].elts)
    for node in module.nodes[ast.AugAssign]:
        name = _OPERATORS.get(type(node.op))
        if name and _may_fail(seen, node.target, node.value):
            yield module.finding(node, _WHY)
            new = module.call(f"np_{name}", loaded(node.target), node.value, home=_HOME)
            made = ast.Assign([node.target], _element(module, node.target, new))
            module.replace(node, ast.copy_location(made, node))


def _unpacked(seen: Arrays, node: ast.Assign, targets: list[ast.expr]) -> Iterator[Finding]:
    """Finds `a[i], b[j] = values`; a name that is bound on the way to an array may change which one it is."""
    module = seen.module
    bound = {one.id for one in targets if isinstance(one, ast.Name)}
    each: list[ast.expr] = [node.value] * len(targets)
    if isinstance(node.value, ast.Tuple | ast.List) and len(node.value.elts) == len(targets):
        each = node.value.elts
    if any(isinstance(one, ast.Starred) for one in [*targets, *each]) or _is_done(
        module, node.value
    ):
        return
    put = [
        one
        if _may_fail(seen, one, value)
        and isinstance(one, ast.Subscript)
        and not bound & {part.id for part in ast.walk(one.value) if isinstance(part, ast.Name)}
        else None
        for one, value in zip(targets, each, strict=True)
    ]
    if not any(put):
        return
    yield module.finding(node, _WHY)
    if each[0] is not node.value:
        for one, value in zip(put, each, strict=True):
            if one is not None:
                module.replace(value, _element(module, one, value))
        return
    arrays = [ast.Constant(None) if one is None else loaded(one.value) for one in put]
    module.replace(node.value, module.call("elements", node.value, *arrays, home=_HOME))


def _may_fail(seen: Arrays, target: ast.expr, value: ast.expr) -> bool:
    """Whether a target may be an element of an array, and what it is given an array of one."""
    if not isinstance(target, ast.Subscript) or not is_pure(target):
        return False
    index = target.slice.elts if isinstance(target.slice, ast.Tuple) else [target.slice]
    several = (ast.Slice, ast.List, ast.ListComp, ast.Compare)
    if any(isinstance(one, several) or _is_word(one) for one in index):
        return False
    if _is_done(seen.module, value):
        return False
    return seen.may_be(target.value) and not is_no_array(seen.module, value)


def _is_done(module: Module, value: ast.expr) -> bool:
    done = (f"{_HOME}.element", f"{_HOME}.elements")
    return isinstance(value, ast.Call) and module.dotted(value.func) in done


def _is_word(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and not isinstance(node.value, int)


def _element(module: Module, target: ast.expr, value: ast.expr) -> ast.expr:
    assert isinstance(target, ast.Subscript), "_may_fail has looked"
    return module.call("element", value, loaded(target.value), home=_HOME)
