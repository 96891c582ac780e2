"""matplotlib: names, keywords and values of the day that are gone.

https://matplotlib.org/stable/api/prev_api_changes/api_changes_3.9.0.html
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from tfqueue.port.program.module import Module
from tfqueue.port.rules import call_forms, moved_names
from tfqueue.port.source.finding import Finding

WORDS = ("matplotlib", "pylab", "mpl_toolkits")
_HOME = "tfqueue.port.libraries.matplotlib_functions"
_MAPS = {
    "spectral": "nipy_spectral",
    "spectral_r": "nipy_spectral_r",
    **{f"Vega{name}": f"tab{name}" for name in ("10", "20", "20b", "20c")},
}
_ROWS = {
    **{
        f"{home}.{old}": f"{home}.{new}"
        for home in ("matplotlib.cm", "matplotlib.pyplot.cm")
        for old, new in _MAPS.items()
    },
    "matplotlib.cm.get_cmap": "matplotlib.pyplot.get_cmap",
    "matplotlib.pyplot.cm.get_cmap": "matplotlib.pyplot.get_cmap",
    "matplotlib.animation.writers": f"{_HOME}.writers",
    "matplotlib.cm.register_cmap": f"{_HOME}.register_cmap",
    "matplotlib.pyplot.register_cmap": f"{_HOME}.register_cmap",
    "matplotlib.colors.DivergingNorm": "matplotlib.colors.TwoSlopeNorm",
    "matplotlib.mlab.normpdf": f"{_HOME}.normpdf",
    "matplotlib.mlab.bivariate_normal": f"{_HOME}.bivariate_normal",
    "mpl_toolkits.axes_grid": "mpl_toolkits.axes_grid1",
}
# methods that have no other owner
_METHODS = {"set_axis_bgcolor": "set_facecolor", "get_axis_bgcolor": "get_facecolor"}
_CONTOURS = frozenset(["contour", "contourf", "tricontour", "tricontourf"])
_AXES = {"w_xaxis": "xaxis", "w_yaxis": "yaxis", "w_zaxis": "zaxis"}
# (name of the function or method, keyword): its name today, or None where it means nothing more
_KEYWORDS = {
    **{(name, "axisbg"): "facecolor" for name in ("subplot", "add_subplot", "axes", "add_axes")},
    ("grid", "b"): "visible",
    ("hist", "normed"): "density",
    ("hist2d", "normed"): "density",
    ("use", "warn"): None,
    ("stem", "use_line_collection"): None,
}
# the same for functions of pyplot alone
_PYPLOT = {
    ("title", "s"): "label",
    ("suptitle", "s"): "t",
    ("xlabel", "s"): "xlabel",
    ("ylabel", "s"): "ylabel",
}
# What `savefig` knew. It passed over any other word, such as a slip for `dpi`. The last three changed the
# file: they are left where they are, and refused.
_OF_SAVEFIG = frozenset(
    "fname dpi facecolor edgecolor orientation format transparent bbox_inches pad_inches "
    "bbox_extra_artists backend metadata pil_kwargs quality optimize progressive".split()
)
_DRAW_ONLY = ("agg", "cairo", "nbagg", "pdf", "pgf", "ps", "svg", "template", "webagg")
_PREAMBLES = ("pgf.preamble", "text.latex.preamble")
_STYLES = "matplotlib.pyplot.style.use", "matplotlib.style.use", "matplotlib.style.context"
_FORMS = call_forms.Forms("matplotlib", "matplotlib 3", {}, {}, {})


def find(module: Module) -> Iterator[Finding]:
    """Finds old names, methods, keywords and values in modules that import matplotlib."""
    yield from moved_names.find(module, _ROWS, _why)
    yield from call_forms.find(module, _FORMS)
    if module.packages.isdisjoint(WORDS):
        return
    for node in module.nodes[ast.Attribute]:
        if node.attr in _AXES and not module.dotted(node):
            yield module.finding(node, f"{node.attr} is {_AXES[node.attr]} since matplotlib 3.1")
            module.rename(node, _AXES[node.attr])
    yield from _collections(module)
    yield from _preambles(module)
    for call in module.nodes[ast.Call]:
        dotted = module.dotted(call.func) or ""
        if dotted.startswith(("pylab.", "matplotlib.pylab.")):
            dotted = "matplotlib.pyplot." + dotted.rpartition("pylab.")[2]
        head = dotted.partition(".")[0]
        if head and head != "matplotlib":
            continue  # another library's function of the same name
        for part in (_methods, _keywords, _values):
            yield from part(module, call, dotted)


def _collections(module: Module) -> Iterator[Finding]:
    """The artists of contours, where contours are drawn."""
    drawn = {
        getattr(call.func, "attr", getattr(call.func, "id", "")) for call in module.nodes[ast.Call]
    }
    if drawn.isdisjoint(_CONTOURS):
        return
    for node in module.nodes[ast.Attribute]:
        read = node.attr == "collections" and isinstance(node.ctx, ast.Load)
        if read and not module.dotted(node):
            yield module.finding(node, "contours have no collections since matplotlib 3.10")
            module.replace(node, module.call("collections", node.value, home=_HOME))


def _preambles(module: Module) -> Iterator[Finding]:
    """The lines that LaTeX is given first: in a dict of settings, or set one by one."""
    pairs: list[tuple[ast.expr | None, ast.expr]] = [
        pair for node in module.nodes[ast.Dict] for pair in zip(node.keys, node.values, strict=True)
    ]
    pairs += [
        (target.slice, node.value)
        for node in module.nodes[ast.Assign]
        for target in node.targets
        if isinstance(target, ast.Subscript)
    ]
    for key, value in pairs:
        if getattr(key, "value", None) in _PREAMBLES and isinstance(value, ast.List | ast.Tuple):
            yield module.finding(value, "a preamble is a text since matplotlib 3.3, not a list")
            join = ast.Attribute(ast.Constant("\n"), "join", ast.Load())
            module.replace(value, ast.Call(join, [value], []))


def _why(old: str, new: str) -> str:
    return f"{old} is {new.replace(_HOME, 'gone, and')} today"


def _methods(module: Module, call: ast.Call, dotted: str) -> Iterator[Finding]:
    func = call.func
    backend = str(getattr(call.args[0], "value", "")).lower() if call.args else ""
    if dotted == "matplotlib.use" and backend not in _DRAW_ONLY:
        yield module.finding(call, "matplotlib.use fails where a backend can't be had")
        module.replace(func, module.use(_HOME, "use"))
    if not isinstance(func, ast.Attribute):
        return
    name, owner = func.attr, func.value
    if not dotted and module.is_old and _is_of_axes(owner):
        for told in call_forms.name_arguments(module, call, f"matplotlib.pyplot.{name}"):
            yield module.finding(call, f"{name} in matplotlib 3: {told}")
    if name in _METHODS:
        yield module.finding(call, f"{name} is {_METHODS[name]} since matplotlib 2.2")
        module.rename(func, _METHODS[name])
    elif name == "set_color_cycle" and len(call.args) == 1:
        yield module.finding(call, "set_color_cycle is set_prop_cycle since matplotlib 2.0")
        module.rename(func, "set_prop_cycle")
        module.name_arguments(call, ["color"])
    elif name == "set_window_title" and getattr(owner, "attr", "") == "canvas":
        yield module.finding(call, "set_window_title is the manager's since matplotlib 3.6")
        module.replace(owner, ast.Attribute(owner, "manager", ast.Load()))
    elif name == "axis" and module.is_old and not dotted and _is_equal(call):
        yield module.finding(
            call, "axes that share both limits refuse 'equal' since matplotlib 2.2"
        )
        module.replace(call, module.call("equal_axes", owner, home=_HOME))
    elif name == "tostring_rgb" and not call.args:
        yield module.finding(call, "tostring_rgb is gone since matplotlib 3.10")
        module.replace(call, module.call("canvas_rgb", owner, home=_HOME))
    elif name == "gca" and any(keyword.arg == "projection" for keyword in call.keywords):
        yield module.finding(call, "gca takes no projection since matplotlib 3.6")
        new = module.call("gca", owner, home=_HOME)
        new.keywords = call.keywords
        module.replace(call, new)
    elif name in ("subplot", "add_subplot") and _is_one_place(module, call):
        yield module.finding(call, "the place of a subplot is no text since matplotlib 3.4")
        module.replace(call.args[0], module.call("place", call.args[0], home=_HOME))
    elif name == "hold" and isinstance(module.parents[call], ast.Expr):
        switch = all(isinstance(getattr(each, "value", None), bool) for each in call.args)
        if dotted == "matplotlib.pyplot.hold" or (not dotted and switch):
            yield module.finding(call, "hold is gone since matplotlib 3.0: plots always add")
            module.replace(module.parents[call], "pass")


def _is_of_axes(owner: ast.expr) -> bool:
    """Whether an expression is called axes: `ax`, `self.axis`, `axes[0, 1]`."""
    while isinstance(owner, ast.Subscript):
        owner = owner.value
    return str(getattr(owner, "id", getattr(owner, "attr", ""))).startswith("ax")


def _is_one_place(module: Module, call: ast.Call) -> bool:
    """Whether a subplot is given its place in one value that may be a text, as `"231"`."""
    (given,) = call.args if len(call.args) == 1 else (None,)
    if isinstance(given, ast.Constant):
        return isinstance(given.value, str)
    if isinstance(given, ast.Call):
        whole = module.is_builtin(given.func, "int")
        return not whole and module.dotted(given.func) != f"{_HOME}.place"
    return not isinstance(given, ast.Starred | ast.Subscript | None)


def _is_equal(call: ast.Call) -> bool:
    given = [getattr(one, "value", None) for one in call.args]
    return given == ["equal"] and not call.keywords


def _keywords(module: Module, call: ast.Call, dotted: str) -> Iterator[Finding]:
    name = getattr(call.func, "attr", "") or dotted.rpartition(".")[2]
    rows = {**_KEYWORDS, **(_PYPLOT if dotted.startswith("matplotlib.pyplot.") else {})}
    owner = getattr(getattr(call.func, "value", None), "id", "")
    # a class of the program's own may have a `savefig`, too
    if name == "savefig" and (dotted or owner.startswith("fig")):
        words = {word.arg for word in call.keywords if word.arg}
        rows |= {("savefig", word): None for word in words - _OF_SAVEFIG}
    yield from moved_names.keywords(module, call, name, rows, "matplotlib")


def _values(module: Module, call: ast.Call, dotted: str) -> Iterator[Finding]:
    for keyword in call.keywords:
        if keyword.arg == "cmap":
            yield from _renamed(module, keyword.value, _MAPS.get, "colour map")
    if dotted in _STYLES and call.args:
        listed = call.args[0]
        for one in listed.elts if isinstance(listed, ast.List | ast.Tuple) else [listed]:
            yield from _renamed(module, one, _style, "style")
    if getattr(call.func, "attr", "") == "tick_params":
        for keyword in call.keywords:
            if getattr(keyword.value, "value", None) in ("on", "off") and keyword.arg not in (
                *("axis", "which", "direction"),
            ):
                yield module.finding(keyword.value, "'off' counts as true since matplotlib 3.1")
                shown = getattr(keyword.value, "value", None) == "on"
                module.replace(keyword.value, ast.Constant(shown))


def _style(name: str) -> str | None:
    old = name == "seaborn" or (name.startswith("seaborn-") and "v0_8" not in name)
    return name.replace("seaborn", "seaborn-v0_8", 1) if old else None


def _renamed(
    module: Module, node: ast.expr, today: Callable[[str], str | None], kind: str
) -> Iterator[Finding]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        if new := today(node.value):
            yield module.finding(node, f"the {kind} {node.value} is {new} today")
            module.replace(node, ast.Constant(new))
