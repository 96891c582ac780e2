"""`np.int`, `np.float`, `np.NaN` and other names that numpy gave up.

https://numpy.org/doc/stable/release/1.24.0-notes.html#expired-deprecations
"""

WORDS = ("numpy",)
_NEW = {
    # what the alias was: Python's own type, which numpy takes as its 64-bit or default one
    "int": "int_",
    "float": "float64",
    "bool": "bool_",
    "complex": "complex128",
    "object": "object_",
    "str": "str_",
    "long": "int64",
    "unicode": "str_",
    "float_": "float64",
    "complex_": "complex128",
    "unicode_": "str_",
    "string_": "bytes_",
    "bool8": "bool_",
    "object0": "object_",
    "int0": "intp",
    "Inf": "inf",
    "Infinity": "inf",
    "infty": "inf",
    "PINF": "inf",
    "NaN": "nan",
    "product": "prod",
    "cumproduct": "cumprod",
    "alltrue": "all",
    "sometrue": "any",
    "in1d": "isin",
    "row_stack": "vstack",
    "trapz": "trapezoid",
    "round_": "round",
    "random.random_integers": None,
    "asscalar": None,
}
_BUILTIN = frozenset(["int", "float", "bool", "complex", "object", "str"])


def find(module):
    """Finds the names that are gone."""
    calls = {id(call.func): call for call, _ in module.calls}
    for node, dotted in module.references:
        head, _, name = dotted.partition(".")
        if head != "numpy" or name not in _NEW or not hasattr(node, "attr"):
            continue
        call = calls.get(id(node))
        alias = module.source(module.base(node, dotted, "numpy"))
        message = f"np.{name} is gone from numpy"
        if name == "asscalar":
            if call and len(call.args) == 1 and module.is_line(call):
                new = f"({module.source(call.args[0])}).item()"
                yield module.finding(node, message, [module.replace(call, new)])
        elif name == "random.random_integers":
            if call and call.args and not call.keywords and module.is_line(call):
                yield from _integers(module, node, call, alias, message)
        elif name in _BUILTIN and (name not in module.bound and name not in module.imported):
            # np.int was int itself: int(x), and dtype=int, go on meaning the same
            yield module.finding(node, message, [module.replace(node, name)])
        else:
            yield module.finding(node, message, [module.replace(node, f"{alias}.{_NEW[name]}")])


def _integers(module, node, call, alias, message):
    """`random_integers(low, high)` included the upper end."""
    low, high = ("1", call.args[0]) if len(call.args) == 1 else (None, call.args[1])
    low = low or module.source(call.args[0])
    rest = "".join(f", {module.source(arg)}" for arg in call.args[2:])
    new = f"{alias}.random.randint({low}, {module.source(high)} + 1{rest})"
    yield module.finding(node, message, [module.replace(call, new)])
