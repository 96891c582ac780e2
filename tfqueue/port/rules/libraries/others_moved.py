"""Names of pandas, matplotlib, PyYAML, nibabel and tensorboard that moved, and of `json` and `unittest`.

https://pandas.pydata.org/docs/whatsnew/v1.0.0.html#removal-of-prior-version-deprecations-changes
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfqueue.port.program.module import Module
from tfqueue.port.rules import moved_names
from tfqueue.port.source.finding import Finding

WORDS = (
    *("as_matrix", "matplotlib", "yaml", "nibabel"),
    *("json", "assert", "pandas", "tensorboard.plugins"),
)
_ROWS = {
    # TensorFlow no longer brings the package tensorboard
    "tensorboard.plugins.projector": "tfqueue.v1.contrib.tensorboard.plugins.projector",
}
_ASSERTS = {
    "assertEquals": "assertEqual",
    "assertNotEquals": "assertNotEqual",
    "assertItemsEqual": "assertCountEqual",
    "assertAlmostEquals": "assertAlmostEqual",
    "assertRegexpMatches": "assertRegex",
    "assertRaisesRegexp": "assertRaisesRegex",
}
# Arguments of `pandas.read_csv`: what their value True or False is today
_READ_CSV = {
    ("delim_whitespace", True): ("sep", r"\s+", "2.2"),
    ("error_bad_lines", False): ("on_bad_lines", "warn", "2.0"),
}
_NIBABEL = {"get_affine": "affine", "get_header": "header"}


def find(module: Module) -> Iterator[Finding]:
    """Finds moved names and methods, and arguments that came or went."""
    yield from moved_names.find(module, _ROWS)
    heads = {target.partition(".")[0] for target in module.imported.values()}
    for call in module.nodes[ast.Call]:
        if isinstance(call.func, ast.Attribute):
            yield from _method(module, call, call.func, heads)
    for call, dotted in module.calls:
        words = {keyword.arg for keyword in call.keywords}
        if dotted == "matplotlib.pyplot.hold" and isinstance(module.parents[call], ast.Expr):
            yield module.finding(call, "plt.hold is gone since matplotlib 3.0: plots always add")
            module.replace(module.parents[call], "pass")
        elif dotted in ("yaml.load", "yaml.load_all") and _only_stream(call):
            yield module.finding(call, "yaml.load takes a Loader since PyYAML 6.0")
            if isinstance(call.func, ast.Attribute):
                loader = module.attribute(module.base(call.func, dotted, "yaml"), "FullLoader")
            else:
                loader = module.use("yaml", "FullLoader")
            keyword = ast.keyword("Loader", loader)
            call.keywords.append(keyword)
            module.settle(keyword, call, call)
        elif dotted == "pandas.value_counts" and call.args:
            yield module.finding(call, "pandas.value_counts is a method since pandas 3.0")
            series = ast.Call(module.use("pandas", "Series"), call.args[:1], [])
            new = ast.Call(ast.Attribute(series, "value_counts", ast.Load()), call.args[1:], [])
            new.keywords = call.keywords
            module.replace(call, new)
        elif dotted in ("pandas.read_csv", "pandas.read_table"):
            yield from _read_csv(module, call)
        elif dotted in ("json.loads", "json.load", "json.dumps", "json.dump") and (
            "encoding" in words
        ):
            yield module.finding(call, "json has no encoding since Python 3.9: its text is unicode")
            call.keywords = [k for k in call.keywords if k.arg != "encoding"]
            module.changed()
    if "pandas" in heads:
        for node in module.nodes[ast.Attribute]:
            if node.attr == "delta" and getattr(node.value, "attr", "") == "freq":
                yield module.finding(node, "freq.delta is Timedelta(freq) since pandas 3.0")
                module.replace(node, ast.Call(module.use("pandas", "Timedelta"), [node.value], []))


def _only_stream(call: ast.Call) -> bool:
    """Whether `yaml.load` is given what it reads, and nothing else."""
    return len(call.args) + len(call.keywords) == 1 and all(
        keyword.arg == "stream" for keyword in call.keywords
    )


def _read_csv(module: Module, call: ast.Call) -> Iterator[Finding]:
    for keyword in call.keywords:
        word, value = keyword.arg or "", getattr(keyword.value, "value", None)
        if isinstance(value, bool) and (word, value) in _READ_CSV:
            new, said, since = _READ_CSV[word, value]
            yield module.finding(call, f"{word}={value} is {new}={said!r}: pandas {since}")
            keyword.arg = new
            module.replace(keyword.value, ast.Constant(said))


def _method(
    module: Module, call: ast.Call, func: ast.Attribute, heads: set[str]
) -> Iterator[Finding]:
    bare = not call.args and not call.keywords
    if func.attr == "as_matrix" and bare:
        yield module.finding(call, "as_matrix is to_numpy since pandas 1.0")
        module.rename(func, "to_numpy")
    elif func.attr in _ASSERTS and getattr(func.value, "id", "") == "self":
        yield module.finding(call, f"{func.attr} is {_ASSERTS[func.attr]} since Python 3.12")
        module.rename(func, _ASSERTS[func.attr])
    elif "pandas" in heads and func.attr == "sort" and _of_columns(call):
        yield module.finding(call, "sort is sort_values since pandas 0.20")
        for keyword in call.keywords:
            keyword.arg = "by" if keyword.arg == "columns" else keyword.arg
        module.rename(func, "sort_values")
    elif "nibabel" in heads and func.attr in _NIBABEL and bare:
        yield module.finding(call, f"{func.attr}() is .{_NIBABEL[func.attr]} since nibabel 4.0")
        module.replace(call, ast.Attribute(func.value, _NIBABEL[func.attr], ast.Load()))


def _of_columns(call: ast.Call) -> bool:
    """Whether a call of `sort` names columns, as only a frame's does."""
    if any(keyword.arg in ("columns", "by") for keyword in call.keywords):
        return True
    columns = call.args[0] if call.args else None
    if isinstance(columns, ast.Constant):
        return isinstance(columns.value, str)
    return isinstance(columns, ast.List | ast.Tuple) or (
        isinstance(columns, ast.Name | ast.Attribute)
        and any(keyword.arg in ("ascending", "inplace") for keyword in call.keywords)
    )
