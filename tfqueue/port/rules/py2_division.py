"""`/` between whole numbers gave a whole number in Python 2.

https://peps.python.org/pep-0238/
"""

import ast

from tfqueue.port.edits import Edit
from tfqueue.port.source import lines_of

WORDS = ("/",)
PYTHON2 = True
_WHOLE_CALLS = frozenset(["len", "int", "ord"])
_REAL_CALLS = frozenset(
    [
        "float",
        "math.sqrt",
        "math.exp",
        "math.log",
        "numpy.sqrt",
        "numpy.float32",
        "numpy.float64",
        "numpy.exp",
        "numpy.mean",
        "numpy.log",
        "numpy.std",
        "time.time",
        "random.random",
        "random.uniform",
    ]
)


def find(module):
    """Finds divisions that can be of whole numbers.

    Where both sides are seen to be whole it becomes `//`; where one is seen to be a float nothing
    has to be done; the rest is left to run time.
    """
    if module.imported.get("division") == "__future__.division":
        return
    for node in module.nodes[ast.BinOp]:
        if isinstance(node.op, ast.Div):
            yield from _division(module, node)
    for node in module.nodes[ast.AugAssign]:
        if isinstance(node.op, ast.Div):
            yield from _augmented(module, node)


def _kind(module, node):
    """ "whole", "real", or None where only run time can tell."""
    if isinstance(node, ast.Constant):
        if isinstance(node.value, float):
            return "real"
        return "whole" if isinstance(node.value, int) else None
    if isinstance(node, ast.UnaryOp):
        return _kind(module, node.operand)
    if isinstance(node, ast.Call):
        name = module.dotted(node.func) or getattr(node.func, "id", "")
        if name in _REAL_CALLS:
            return "real"
        return "whole" if name in _WHOLE_CALLS else None
    if isinstance(node, ast.BinOp):
        kinds = {_kind(module, node.left), _kind(module, node.right)}
        if "real" in kinds and not isinstance(node.op, ast.Mod):
            return "real"
        plain = isinstance(node.op, ast.Add | ast.Sub | ast.Mult | ast.FloorDiv | ast.Mod | ast.Div)
        return "whole" if kinds == {"whole"} and plain else None
    return None


_MESSAGE = "Python 2 divides whole numbers to the whole number below"


def _division(module, node):
    kinds = (_kind(module, node.left), _kind(module, node.right))
    if "real" in kinds:
        return
    slash = _slash(module, module.end(node.left), module.start(node.right))
    if slash is None:
        return
    if kinds == ("whole", "whole"):
        yield module.finding(node, _MESSAGE, [Edit(slash, slash + 1, "//")])
        return
    start, end = module.start(node), module.end(node)
    left = module.text[start:slash].rstrip()
    # the blank before the slash goes, so that `a / b` becomes `div(a, b)`
    edits = [
        Edit(start, start, "tfq_runtime.div("),
        Edit(start + len(left), slash + 1, ","),
        Edit(end, end, ")"),
    ]
    yield module.finding(node, f"{_MESSAGE}: left to run time", edits, needs=("div",))


def _augmented(module, node):
    if _kind(module, node.value) == "real":
        return
    simple = isinstance(node.target, ast.Name | ast.Attribute)
    text = module.source(node.target)
    if not simple or "(" in text or "\n" in text:
        return
    slash = _slash(module, module.end(node.target), module.start(node.value))
    end = module.end(node)
    if slash is None:
        return
    edits = [Edit(slash, slash + 2, f"= tfq_runtime.div({text},"), Edit(end, end, ")")]
    yield module.finding(node, f"{_MESSAGE}: left to run time", edits, needs=("div",))


def _slash(module, start, end):
    """Where the operator stands between its two sides; there can be comments."""
    between = module.text[start:end]
    for line in lines_of(between):
        code = line.partition("#")[0]
        if "/" in code:
            return start + code.index("/")
        start += len(line)
    return None
