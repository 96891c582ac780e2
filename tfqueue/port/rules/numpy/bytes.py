"""`x.tostring()` is `x.tobytes()`, and binary `np.fromstring` is `np.frombuffer`.

https://numpy.org/doc/stable/release/2.3.0-notes.html#expired-deprecations
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfqueue.port.program.module import Module
from tfqueue.port.source.finding import Finding

WORDS = ("tostring", "tobytes", "fromstring", "frombuffer")


def find(module: Module) -> Iterator[Finding]:
    """Finds conversions between arrays and bytes under their old names."""
    for call in module.nodes[ast.Call]:
        if isinstance(call.func, ast.Attribute) and call.func.attr == "tostring":
            yield from _tostring(module, call, call.func)
    old_text = module.python2 and not module.ported
    for call in list(module.nodes[ast.Call]) if old_text else ():
        func = call.func
        if not isinstance(func, ast.Attribute) or func.attr != "tobytes":
            continue
        if not _is_function(module, func):
            yield module.finding(call, "what tobytes gives was text: left to run time")
            _at_run_time(module, call, func)
    for call, dotted in module.calls:
        if dotted == "numpy.frombuffer" and old_text and call.args:
            yield module.finding(call, "np.frombuffer takes bytes; a str of Python 2 is text now")
            module.replace(call.args[0], module.call("encoded", call.args[0]))
        elif dotted == "numpy.fromstring" and isinstance(call.func, ast.Attribute):
            if any(keyword.arg == "sep" for keyword in call.keywords) or len(call.args) > 3:
                continue
            yield module.finding(call, "binary np.fromstring is np.frombuffer since numpy 2.3")
            module.rename(call.func, "frombuffer")
            if old_text and call.args:
                # what Python 2 read from a file was bytes, and is text now
                module.replace(call.args[0], module.call("encoded", call.args[0]))
            # fromstring gave an array of its own, which could be written to
            copied = ast.Call(ast.Attribute(call, "copy", ast.Load()), [], [])
            module.replace(call, copied)


def _tostring(module: Module, call: ast.Call, func: ast.Attribute) -> Iterator[Finding]:
    owner = func.value
    if _is_function(module, func):
        return
    if any(not _order(argument) for argument in [*call.args, *(k.value for k in call.keywords)]):
        return
    message = "tostring is tobytes since numpy 2.3"
    if module.python2 and not module.ported:
        yield module.finding(call, f"{message}: left to run time")
        _at_run_time(module, call, func)
        return
    if _is_array(module, owner):
        yield module.finding(call, message)
        module.rename(func, "tobytes")
        return
    # an array's, an image's, or a class of the user's own: only run time can tell
    yield module.finding(call, f"{message}: left to run time")
    new = module.call("tobytes", owner, *call.args, home="tfqueue.port.runtime")
    new.keywords = call.keywords
    module.replace(call, new)


def _is_function(module: Module, func: ast.Attribute) -> bool:
    """Whether it is a module's function: `ElementTree.tostring`."""
    return bool(module.dotted(func)) and isinstance(func.value, ast.Name)


def _at_run_time(module: Module, call: ast.Call, func: ast.Attribute) -> None:
    """An array of text held a byte a letter, and bytes were equal to text."""
    new = module.call("tostring", func.value, *call.args)
    new.keywords = call.keywords
    module.replace(call, new)


def _order(node: ast.AST) -> bool:
    """An argument of ndarray.tostring: 'C', 'F', 'A' or None."""
    return isinstance(node, ast.Constant) and node.value in ("C", "F", "A", None)


def _is_array(module: Module, node: ast.AST, asked: tuple[str, ...] = ()) -> bool:
    """Whether an expression is certainly a numpy array or an image."""
    if isinstance(node, ast.Call):
        dotted = module.dotted(node.func) or ""
        if dotted.startswith(("numpy.", "cv2.", "skimage.io.", "PIL.Image.", "scipy.misc.")):
            return True
        return getattr(node.func, "attr", None) in ("astype", "flatten", "ravel")
    if isinstance(node, ast.Subscript):
        return _is_array(module, node.value, asked)
    if isinstance(node, ast.Name) and node.id not in asked:  # `a = a[0]`
        places = [module.parents.get(place) for place in module.bindings(node, node.id)]
        return bool(places) and all(
            isinstance(place, ast.Assign)
            and isinstance(place.value, ast.Call | ast.Subscript)
            and _is_array(module, place.value, (*asked, node.id))
            for place in places
        )
    return False
