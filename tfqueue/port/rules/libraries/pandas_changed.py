"""pandas: methods, arguments and values of before 1.0 that today's lacks or means otherwise.

https://pandas.pydata.org/docs/whatsnew/v2.0.0.html#removal-of-prior-version-deprecations-changes
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tfqueue.names import libraries
from tfqueue.port.program.module import Module
from tfqueue.port.source.finding import Finding

WORDS = ("pandas",)
_INSTALLS = "tfqueue.port.libraries.pandas_methods"
_NAMES = (
    *("applymap", "dtype", "dtypes", "get_dummies", "get_value", "get_values", "iloc", "iteritems"),
    *(
        "iterrows",
        "ix",
        "loc",
        "mad",
        "rolling_mean",
        "rolling_std",
        "rolling_sum",
        "select_dtypes",
        "set_value",
    ),
    *("clip_lower", "clip_upper", "get_dtype_counts", "is_monotonic", "lookup", "pct_change"),
    *("from_csv", "nth", "stack", "weekday_name", "weekofyear"),
)
_TIMES = re.compile(r"to_datetime|parse_dates|date_range|Timestamp|DatetimeIndex|to_timedelta")
_READERS = (
    "pandas.concat",
    "pandas.read_csv",
    "pandas.read_excel",
    "pandas.read_table",
    "pandas.to_datetime",
)
_STATISTICS = ("all", "any", "count", "max", "min", "prod", "sum")
_OF_COLUMNS = frozenset(
    f"numpy.{name}" for name in ("amax", "amin", "max", "mean", "min", "prod", "std", "sum", "var")
)
_OWN = tuple(
    f"pandas.{name}"
    for name in (
        *("datetime", "ExcelWriter", "Float64Index", "Int64Index", "TimeGrouper", "np"),
        *("io.json.json_normalize", "scatter_matrix"),
    )
)


def find(module: Module) -> Iterator[Finding]:
    """Finds the first use of what run time gives back to pandas, in modules that import it."""
    if not module.is_old:
        return  # it may be from any day, and what run time gives back changes values, too
    if "pandas" not in module.packages or module.imports(_INSTALLS):
        return
    kinds: tuple[type[ast.AST], ...] = (ast.Attribute, ast.Call, ast.BinOp)
    for node in (node for kind in kinds for node in module.nodes[kind]):
        why = _why(module, node)
        if why:
            yield module.finding(node, f"{why} is not what it was in pandas")
            module.use_module(_INSTALLS)
            return


def _writes_otherwise(module: Module, owner: ast.expr, words: set[str | None]) -> bool:
    """Whether `to_csv` may be a column's, which wrote its name only where that was asked for."""
    return "line_terminator" in words or ("header" not in words and not _is_frame(module, owner))


def _is_frame(module: Module, node: ast.expr) -> bool:
    if isinstance(node, ast.Call):
        return module.dotted(node.func) in ("pandas.DataFrame", "pandas.read_csv")
    if not isinstance(node, ast.Name):
        return False
    places = [module.parents.get(place) for place in module.bindings(node, node.id)]
    return bool(places) and all(
        isinstance(place, ast.Assign)
        and isinstance(place.value, ast.Call)
        and _is_frame(module, place.value)
        for place in places
    )


def _is_index(module: Module, node: ast.BinOp) -> bool:
    """Whether an operand is `x.index`, `x.columns`, or `pd.Index(...)`."""
    for side in (node.left, node.right):
        made = module.dotted(side.func) if isinstance(side, ast.Call) else None
        if getattr(side, "attr", "") in ("columns", "index") or made == "pandas.Index":
            return True
    return False


def _by_position(name: str) -> float:
    """How many arguments a method of frames or series takes without their names, where it took more."""
    rows = (libraries.orders().get(f"pandas.{kind}.{name}") for kind in ("DataFrame", "Series"))
    counts = [len(row.partition("|")[0].split()) for row in rows if row]
    return max(counts, default=float("inf"))


def _why(module: Module, node: ast.AST) -> str:
    if isinstance(node, ast.Attribute):
        dotted = module.dotted(node) or ""
        if node.attr in ("astype", "values") and not dotted and _TIMES.search(module.text):
            return f"{node.attr} of times"
        if node.attr in _NAMES and dotted.partition(".")[0] in ("", "pandas"):
            return node.attr
        return dotted if dotted in _OWN else ""
    if isinstance(node, ast.BinOp):
        is_of_bits = isinstance(node.op, ast.BitAnd | ast.BitOr | ast.BitXor)
        return "an operator of an index" if is_of_bits and _is_index(module, node) else ""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return ""
    name, words = node.func.attr, {keyword.arg for keyword in node.keywords}
    dotted = module.dotted(node.func) or "pandas"
    if dotted in _OF_COLUMNS and len(node.args) == 1 and "axis" not in words:
        return f"np.{name} of a frame"
    if not dotted.startswith("pandas"):
        return ""
    if len(node.args) > _by_position(name) or dotted in _READERS:
        return name
    if name == "replace" and getattr(node.func.value, "attr", "") == "str":
        return "str.replace"
    if dotted == "pandas.DataFrame" and not isinstance((*node.args, None)[0], ast.Dict):
        return "DataFrame" if "columns" not in words else ""
    old = (
        (name == "append" and not isinstance(module.parents[node], ast.Expr))
        or (name == "fillna" and "method" in words)
        or (name == "to_csv" and _writes_otherwise(module, node.func.value, words))
        or (name == "to_datetime" and "infer_datetime_format" in words)
        or (name in ("mean", "std", "median", "var") and not node.args and not words)
        or name == "quantile"
        or (name in ("asfreq", "corr", "cov", "date_range", "groupby", "resample", "value_counts"))
        or (name in ("max", "min", "prod", "sum") and "axis" in words)
        or (name in _STATISTICS and "level" in words)
    )
    return name if old else ""
