"""Functions of numpy that kept their names and took other arguments, or gave something else.

https://numpy.org/doc/stable/release/2.0.0-notes.html
"""

from __future__ import annotations

import ast
import math
import warnings
from collections.abc import Iterator

from tfqueue.port.program.module import Module
from tfqueue.port.rules import moved_names
from tfqueue.port.rules.numpy import aliases
from tfqueue.port.source.finding import Finding

WORDS = ("numpy", "hist", "pylab")
_LIB = (
    "arraypad arraysetops function_base histograms index_tricks nanfunctions polynomial shape_base twodim_base "
    "type_check ufunclike"
)
_ROWS = {
    # modules that are private by now, whose names are public one level higher
    **{f"numpy.lib.{home}": "numpy" for home in _LIB.split()},
    **{
        f"numpy.lib.{home}.{name}": f"tfqueue.port.runtime.{name}"
        for home in _LIB.split()
        for name in aliases.RUNTIME
    },
    "numpy.linalg.linalg": "numpy.linalg",
    "numpy.fft.fftpack": "numpy.fft",
    "numpy.fft.helper": "numpy.fft",
    "numpy.testing.utils": "numpy.testing",
    "numpy.core.memmap.memmap": "numpy.memmap",
    "numpy.core.umath_tests": "tfqueue.port.libraries.numpy_umath_tests",
    "numpy.loads": "pickle.loads",
    **{f"numpy.{name}": name for name in ("math", "sys", "warnings")},
    **{f"numpy.math.{name}": f"math.{name}" for name in vars(math) if not name.startswith("_")},
    **{f"numpy.warnings.{name}": f"warnings.{name}" for name in warnings.__all__},
}
_KEYWORDS = {
    "unravel_index": ("dims", "shape", "numpy 1.21"),
    **dict.fromkeys(
        ["histogram", "histogram2d", "histogramdd"], ("normed", "density", "numpy 1.24")
    ),
    **dict.fromkeys(
        ["percentile", "quantile", "nanpercentile", "nanquantile"],
        ("interpolation", "method", "numpy 2.4"),
    ),
}
_STACKS = frozenset(["vstack", "hstack", "dstack", "stack", "column_stack", "row_stack"])
_VIEWS = frozenset(["keys", "values", "items"])
_BUILTIN = frozenset(["int", "float", "bool", "complex", "object", "str", "long", "unicode"])
_STAR = {"numpy.*": "tfqueue.port.libraries.numpy_star.*"}
_LINALG = (
    "LinAlgError cholesky cond det eig eigh eigvals eigvalsh inv lstsq matrix_power matrix_rank multi_dot norm pinv qr "
    "slogdet solve svd tensorinv tensorsolve"
)
# what `from numpy.linalg import *` hides since numpy 2.0, for stacks of matrices
_HIDDEN = "cross diagonal outer trace"


def find(module: Module) -> Iterator[Finding]:
    """Finds calls whose arguments are called otherwise today, or whose result is another one."""
    # `import *` from numpy would bring what such a module had not: sum, all
    starred = {
        node.module for node in module.nodes[ast.ImportFrom] if node.names[0].name == "*"
    } - {"numpy.linalg.linalg"}
    rows = {old: new for old, new in _ROWS.items() if old not in starred}
    yield from moved_names.find(module, rows, "{old} is {new} since numpy 1.25 and 2.0")
    # what changed its meaning is left alone in a program that may be from any day
    old = module.is_old
    if old:
        yield from _stars(module)
    for call, dotted in module.calls:
        head, _, name = dotted.rpartition(".")
        if head != "numpy" or any(isinstance(one, ast.Starred) for one in call.args):
            continue
        words = {keyword.arg: keyword for keyword in call.keywords}
        if name == "reshape" and "newshape" in words and len(call.args) == 1:
            yield module.finding(call, "reshape has no argument newshape since numpy 2.4")
            shape = words["newshape"]
            call.keywords.remove(shape)
            call.args.append(shape.value)
            module.changed()
        elif old and not module.python2 and _gave_bytes(name, words):
            yield module.finding(call, f"{name} read bytes where no encoding was said, up to 1.26")
            module.add_argument(call, "encoding", "'bytes'")
        elif name in _KEYWORDS:
            yield from _renamed(module, call, *_KEYWORDS[name])
        elif old and name == "array" and _may_share(words.get("copy")):
            yield module.finding(call, "copy=False refuses to copy since numpy 2.0")
            _share(module, words["copy"])
        elif name in _STACKS and call.args and _is_iterator(module, call.args[0]):
            yield module.finding(call, f"{name} takes no iterator since numpy 1.24")
            parts = call.args[0]
            listed: ast.expr = ast.Call(ast.Name("list", ast.Load()), [parts], [])
            if isinstance(parts, ast.GeneratorExp):
                listed = ast.ListComp(parts.elt, parts.generators)
            module.replace(parts, listed)
        elif (
            old
            and name == "issubdtype"
            and len(call.args) == 2
            and _was_wider(module, call.args[1])
        ):
            yield module.finding(call, "np.issubdtype took float for any floating type up to 1.19")
            new = module.call("issubdtype", *call.args, home="tfqueue.port.runtime")
            module.replace(call, new)
        elif old and name == "unique" and "axis" not in words and _wants_inverse(call, words):
            yield module.finding(call, "np.unique gives its inverse in another shape since 2.0")
            module.replace(call.func, module.use("tfqueue.port.runtime", "unique"))
        elif old and name == "expand_dims" and _is_far(call.args[1:], words.get("axis")):
            yield module.finding(call, "np.expand_dims took an axis that is too large up to 1.17")
            module.replace(call.func, module.use("tfqueue.port.runtime", "expand_dims"))
    yield from _sums_and_thresholds(module)
    yield from _ranges(module)


def _sums_and_thresholds(module: Module) -> Iterator[Finding]:
    """Finds sums of generators, and the threshold nan, which showed whole arrays."""
    for call, dotted in module.calls:
        if dotted == "numpy.sum" and len(call.args) == 1 and not call.keywords:
            own = module.binder(call, "sum") is not None
            if isinstance(call.args[0], ast.GeneratorExp) and not own:
                yield module.finding(call, "np.sum takes no generator since numpy 2.4")
                module.replace(call.func, ast.Name("sum", ast.Load()))
        for keyword in call.keywords if dotted == "numpy.set_printoptions" else ():
            if keyword.arg == "threshold" and _is_nan(module, keyword.value):
                yield module.finding(
                    call, "the threshold that shows all is np.inf since numpy 1.22"
                )
                numpy = getattr(call.func, "value", None) or module.use("numpy", "inf")
                whole = isinstance(call.func, ast.Attribute)
                new = module.attribute(numpy, "inf") if whole else numpy
                module.replace(keyword.value, new)


def _is_nan(module: Module, node: ast.AST) -> bool:
    """Whether it is `np.nan`, "nan" or `float("nan")`."""
    if isinstance(node, ast.Call) and ast.unparse(node.func) == "float" and node.args:
        node = node.args[0]
    if isinstance(node, ast.Constant):
        return str(node.value).lower() == "nan"
    return (module.dotted(node) or "").lower() == "numpy.nan"


def _ranges(module: Module) -> Iterator[Finding]:
    """Finds `array.ptp()`."""
    for call in module.nodes[ast.Call]:
        func = call.func
        if not isinstance(func, ast.Attribute) or func.attr != "ptp":
            continue
        if "ptp" not in module.bound and not module.dotted(func):
            yield module.finding(call, "arrays have no method ptp since numpy 2.0")
            new = ast.Call(module.use("numpy", "ptp"), [func.value, *call.args], call.keywords)
            module.replace(call, new)


def _stars(module: Module) -> Iterator[Finding]:
    """Finds star imports that bring more today: they would hide builtins and functions of numpy."""
    why = "`import *` brings more since numpy 2.0, and hides max, round and others"
    yield from moved_names.imports(module, _STAR, why)
    for node in module.nodes[ast.ImportFrom]:
        if node.names[0].name != "*" or node.level or module.has_own(node.module or ""):
            continue
        if node.module == "numpy.linalg":
            yield module.finding(node, "numpy.linalg has functions of numpy's names since 2.0")
            node.names = [ast.alias(name) for name in _LINALG.split()]
            for alias in node.names:
                module.settle(alias, node, node)
        elif node.module in ("pylab", "matplotlib.pylab") and not all(
            module.imported.get(name) == f"numpy.{name}" for name in _HIDDEN.split()
        ):
            yield module.finding(node, "pylab has trace and others of numpy.linalg since numpy 2.0")
            names = [ast.alias(name) for name in _HIDDEN.split()]
            star = ast.ImportFrom(node.module, [ast.alias("*")], 0)
            module.replace(node, [star, ast.ImportFrom("numpy", names, 0)])


def _gave_bytes(name: str, words: dict[str | None, ast.keyword]) -> bool:
    """Whether a call reads a text file, and hands on what it has read as bytes."""
    if {"encoding", None} & words.keys():
        return False
    return name == "genfromtxt" or (name == "loadtxt" and "converters" in words)


def _renamed(module: Module, call: ast.Call, old: str, new: str, since: str) -> Iterator[Finding]:
    for keyword in call.keywords:
        if keyword.arg == old:
            yield module.finding(call, f"{old} is {new} since {since}")
            module.rename(keyword, new)


def _may_share(copy: ast.keyword | None) -> bool:
    """Whether an array need not be a copy: of `copy=False`, or of what may be False."""
    if copy is None or isinstance(copy.value, ast.BoolOp):
        return False
    return getattr(copy.value, "value", False) not in (True, None)


def _share(module: Module, copy: ast.keyword) -> None:
    """Lets a copy be made where there is need of one: None is what False was."""
    none: ast.expr = ast.Constant(None)
    if not isinstance(copy.value, ast.Constant):
        none = ast.BoolOp(ast.Or(), [copy.value, none])
    module.replace(copy.value, none)


def _is_iterator(module: Module, node: ast.AST) -> bool:
    """Whether a node is certainly an iterator or a view: a generator, `map(...)`, `table.values()`."""
    if isinstance(node, ast.GeneratorExp):
        return True
    if not isinstance(node, ast.Call):
        return False
    if isinstance(node.func, ast.Attribute):
        return node.func.attr in _VIEWS and not node.args and not node.keywords
    return any(module.is_builtin(node.func, name) for name in ("map", "filter", "zip"))


def _was_wider(module: Module, node: ast.AST) -> bool:
    """Whether it may be Python's own type, or a type's name: these stood for all of their kind."""
    dotted = module.dotted(node) or ""
    if dotted.startswith("numpy."):
        return dotted.removeprefix("numpy.") in _BUILTIN
    return isinstance(node, ast.Constant | ast.Name)


def _is_far(given: list[ast.expr], keyword: ast.keyword | None) -> bool:
    """Whether an axis is a number that an image may be too small for."""
    axis = given[0] if given else keyword and keyword.value
    try:
        number = ast.literal_eval(axis) if isinstance(axis, ast.expr) else None
    except ValueError:
        return False
    return isinstance(number, int) and not -3 < number < 2


def _wants_inverse(call: ast.Call, words: dict[str | None, ast.keyword]) -> bool:
    if len(call.args) > 2:
        return getattr(call.args[2], "value", True) is not False
    inverse = words.get("return_inverse")
    return inverse is not None and getattr(inverse.value, "value", True) is not False
