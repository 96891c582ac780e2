"""pandas: methods and arguments that have another name or form today, in whatever program.

https://pandas.pydata.org/docs/whatsnew/v1.0.0.html#removal-of-prior-version-deprecations-changes
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfqueue.port.program import objects
from tfqueue.port.program.module import Module
from tfqueue.port.rules import call_forms
from tfqueue.port.source.finding import Finding

WORDS = ("as_matrix", "inplace", "pandas")
# Arguments of `pandas.read_csv` that one value has another word for today
_READ_CSV = {
    ("delim_whitespace", "True"): ("sep", r"\s+", "2.2"),
    ("error_bad_lines", "False"): ("on_bad_lines", "warn", "2.0"),
    ("header", "-1"): ("header", None, "1.0"),
}
# What says what happens anyway, or only printed
_NOTHING = {
    *(
        (word, "False")
        for word in ("delim_whitespace", "keep_date_col", "squeeze", "tupleize_cols")
    ),
    *((word, "True") for word in ("error_bad_lines", "mangle_dupe_cols", "warn_bad_lines")),
    *(
        (word, str(value))
        for word in ("infer_datetime_format", "verbose")
        for value in (True, False)
    ),
}


def find(module: Module) -> Iterator[Finding]:
    """Finds old methods, and old arguments of functions."""
    known = "pandas" in module.packages
    for call in module.nodes[ast.Call]:
        if isinstance(call.func, ast.Attribute):
            yield from _method(module, call, call.func, known)
    for call, dotted in module.calls:
        if dotted.startswith("pandas."):
            for named in call_forms.name_arguments(module, call, dotted):
                yield module.finding(call, f"{dotted} takes {named} since pandas 2.0")
                call.keywords = [one for one in call.keywords if not _is_nothing(one)]
        if dotted == "pandas.value_counts" and call.args:
            yield module.finding(call, "pandas.value_counts is a method since pandas 3.0")
            series = ast.Call(module.use("pandas", "Series"), call.args[:1], [])
            new = ast.Call(ast.Attribute(series, "value_counts", ast.Load()), call.args[1:], [])
            new.keywords = call.keywords
            module.replace(call, new)
        elif dotted in ("pandas.read_csv", "pandas.read_table"):
            yield from _read_csv(module, call)
    for node in module.nodes[ast.Attribute] if known else ():
        if node.attr == "delta" and getattr(node.value, "attr", "") == "freq":
            yield module.finding(node, "freq.delta is Timedelta(freq) since pandas 3.0")
            module.replace(node, ast.Call(module.use("pandas", "Timedelta"), [node.value], []))


def _is_nothing(given: ast.keyword) -> bool:
    """Whether an argument is None that means nothing, or that there is no more."""
    none = isinstance(given.value, ast.Constant) and given.value.value is None
    return none and given.arg in ("delimiter", "join_axes")


def _read_csv(module: Module, call: ast.Call) -> Iterator[Finding]:
    given = {keyword.arg or "": ast.unparse(keyword.value) for keyword in call.keywords}
    for keyword in [*call.keywords]:
        word = keyword.arg or ""
        value = given[word]
        if (word, value) in _READ_CSV:
            new, said, since = _READ_CSV[word, value]
            if word == "error_bad_lines" and given.get("warn_bad_lines") == "False":
                said = "skip"
            yield module.finding(call, f"{word}={value} is {new}={said!r}: pandas {since}")
            keyword.arg = new
            module.replace(keyword.value, ast.Constant(said))
        elif (word, value) in _NOTHING or (word, value) == ("warn_bad_lines", "False"):
            yield module.finding(call, f"{word} is gone since pandas 3.0")
            call.keywords.remove(keyword)
            module.changes += 1
    if given.get("squeeze") == "True":
        yield module.finding(call, "squeeze=True is .squeeze('columns') since pandas 2.0")
        words = [keyword for keyword in call.keywords if keyword.arg != "squeeze"]
        method = ast.Attribute(ast.Call(call.func, call.args, words), "squeeze", ast.Load())
        module.replace(call, ast.Call(method, [ast.Constant("columns")], []))


def _method(module: Module, call: ast.Call, func: ast.Attribute, known: bool) -> Iterator[Finding]:
    if objects.is_of_the_file(module, func):
        return
    if func.attr == "as_matrix" and not call.args and not call.keywords:
        made = [getattr(one, "func", one) for one in objects.values(module, func.value)]
        if any((module.dotted(one) or "").startswith("scipy.spatial") for one in made):
            return  # a Rotation has such a method, too
        yield module.finding(call, "as_matrix is to_numpy since pandas 1.0")
        module.rename(func, "to_numpy")
    elif func.attr == "sort" and (known or _is_in_place(call)) and _of_columns(call):
        yield module.finding(call, "sort is sort_values since pandas 0.20")
        for keyword in call.keywords:
            keyword.arg = "by" if keyword.arg == "columns" else keyword.arg
        module.rename(func, "sort_values")


def _is_in_place(call: ast.Call) -> bool:
    """Whether a call has `inplace`, which no other `sort` has: a module may get its frames from another one."""
    return any(keyword.arg == "inplace" for keyword in call.keywords)


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
