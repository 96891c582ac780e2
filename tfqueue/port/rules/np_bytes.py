"""`x.tostring()` is `x.tobytes()`, and binary `np.fromstring` is `np.frombuffer`.

https://numpy.org/doc/stable/release/2.3.0-notes.html#expired-deprecations
"""

import ast

from tfqueue.port.edits import Edit

WORDS = ("tostring", "fromstring")


def find(module):
    """Finds conversions between arrays and bytes under their old names."""
    for call in module.nodes[ast.Call]:
        if isinstance(call.func, ast.Attribute) and call.func.attr == "tostring":
            yield from _tostring(module, call)
    for call, dotted in module.calls:
        if dotted == "numpy.fromstring":
            yield from _fromstring(module, call)


def _tostring(module, call):
    owner = call.func.value
    dotted = module.dotted(call.func)
    if dotted and isinstance(owner, ast.Name):
        # ElementTree.tostring(tree): a function of a module
        return
    if any(not _order(argument) for argument in [*call.args, *(k.value for k in call.keywords)]):
        return
    message = "tostring is tobytes since numpy 2.3"
    if _is_array(module, owner):
        end = module.end(call.func)
        edit = Edit(end - len("tostring"), end, "tobytes")
        yield module.finding(call, message, [edit])
        return
    # an array's, an image's, or a class of the user's own: only run time can tell
    start, end = module.start(call), module.end(call)
    open_at = module.end(owner)
    between = ", " if call.args or call.keywords else ""
    inside = module.text.index("(", module.end(call.func)) + 1
    edits = [
        Edit(start, start, "tfq_runtime.tobytes("),
        Edit(open_at, inside, between),
    ]
    if "\n" in module.text[open_at:inside] or end < inside:
        return
    if module.parenthesised(owner):
        # the closing parenthesis stands between the owner and the dot
        close = module.text.rindex(")", open_at, module.end(call.func)) + 1
        edits[1] = Edit(close, inside, between)
    yield module.finding(call, f"{message}: left to run time", edits, needs=("tobytes",))


def _order(node):
    """An argument of ndarray.tostring: 'C', 'F', 'A' or None."""
    return isinstance(node, ast.Constant) and node.value in ("C", "F", "A", None)


def _is_array(module, node):
    """Whether an expression is seen to be a numpy array or an image."""
    if isinstance(node, ast.Call):
        dotted = module.dotted(node.func) or ""
        if dotted.startswith(("numpy.", "cv2.", "skimage.io.", "PIL.Image.", "scipy.misc.")):
            return True
        method = getattr(node.func, "attr", None)
        return method in ("astype", "reshape", "flatten", "ravel", "transpose")
    if isinstance(node, ast.Subscript):
        return _is_array(module, node.value)
    if isinstance(node, ast.Name):
        values = [
            assign.value
            for assign in module.nodes[ast.Assign]
            for target in assign.targets
            if isinstance(target, ast.Name) and target.id == node.id
        ]
        return (
            bool(values)
            and all(
                isinstance(value, ast.Call | ast.Subscript) and _is_array(module, value)
                for value in values
            )
            and not _is_parameter(module, node)
        )
    return False


def _is_parameter(module, node):
    return any(argument.arg == node.id for argument in module.nodes[ast.arg])


def _fromstring(module, call):
    if any(keyword.arg == "sep" for keyword in call.keywords) or len(call.args) > 3:
        return
    end, name = module.end(call), call.func
    if not isinstance(name, ast.Attribute):
        return
    at = module.end(name)
    # fromstring gave an array of its own, which could be written to
    edits = [Edit(at - len("fromstring"), at, "frombuffer"), Edit(end, end, ".copy()")]
    yield module.finding(call, "binary np.fromstring is np.frombuffer since numpy 2.3", edits)
