"""`np.int`, `np.float`, `np.NaN` and other names that numpy gave up.

https://numpy.org/doc/stable/release/1.24.0-notes.html#expired-deprecations
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfqueue.names.libraries import NUMPY
from tfqueue.port.program.module import Module
from tfqueue.port.rules import moved_names
from tfqueue.port.source.finding import Finding

WORDS = ("numpy",)
_LIB = (
    "angle append apply_along_axis apply_over_axes array_split asarray_chkfinite average bartlett "
    "bincount blackman broadcast_arrays broadcast_to c_ column_stack common_type copy corrcoef cov "
    "delete diag diag_indices diag_indices_from diagflat diff digitize dsplit dstack ediff1d "
    "expand_dims extract eye fill_diagonal fix flip fliplr flipud fromregex genfromtxt get_include "
    "gradient hamming hanning histogram histogram2d histogram_bin_edges histogramdd hsplit i0 imag "
    "index_exp info insert interp intersect1d iscomplex iscomplexobj isin isneginf isposinf isreal "
    "isrealobj issubdtype iterable ix_ kaiser kron load loadtxt mask_indices median meshgrid mgrid "
    "mintypecode nan_to_num nanargmax nanargmin nancumprod nancumsum nanmax nanmean nanmedian "
    "nanmin nanpercentile nanprod nanquantile nanstd nansum nanvar ndenumerate ndindex ogrid "
    "packbits percentile piecewise place poly poly1d polyadd polyder polydiv polyfit polyint "
    "polymul polysub polyval put_along_axis quantile r_ ravel_multi_index real real_if_close roots "
    "rot90 s_ save savetxt savez savez_compressed select setdiff1d setxor1d sinc sort_complex split "
    "take_along_axis tile tri tril tril_indices tril_indices_from trim_zeros triu triu_indices "
    "triu_indices_from typename union1d unique unpackbits unravel_index unwrap vander vectorize "
    "vsplit"
)
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
    **NUMPY,
    "lib.pad": "pad",
    "string0": "bytes_",
    "unicode0": "str_",
    "typeDict": "sctypeDict",
    "compare_chararrays": "char.compare_chararrays",
    "format_parser": "rec.format_parser",
    "byte_bounds": "lib.array_utils.byte_bounds",
    "testing.rand": "random.rand",
    "lib.emath": "emath",
    **{
        name: f"exceptions.{name}"
        for name in (
            *("AxisError", "ComplexWarning", "ModuleDeprecationWarning", "RankWarning"),
            *("TooHardError", "VisibleDeprecationWarning"),
        )
    },
    # what numpy.lib had of the whole package's names
    **{f"lib.{name}": name for name in _LIB.split()},
    "alen": None,
    "in1d": None,
    "trapz": None,
    "random.random_integers": None,
    "asscalar": None,
    "asfarray": None,
    "msort": None,
    "cast": None,
    "NINF": None,
    "sctypes": None,
}
_BUILTIN = frozenset(["int", "float", "bool", "complex", "object", "str"])


RUNTIME = ("asfarray", "asscalar", "in1d", "msort", "trapz")
"""What `tfqueue.port.runtime` has."""
_IMPORTED = {
    **{f"numpy.{name}": f"builtins.{name}" for name in _BUILTIN},
    **{
        f"numpy.{old}": f"numpy.{new}"
        for old, new in _NEW.items()
        if new is not None and old not in _BUILTIN
    },
    **{f"numpy.{name}": f"tfqueue.port.runtime.{name}" for name in RUNTIME},
}
"""What `from numpy import ...` gave."""


def find(module: Module) -> Iterator[Finding]:
    """Finds the names that are gone."""
    yield from moved_names.imports(module, _IMPORTED, "{old} is gone from numpy")
    for node, dotted in module.references:
        name = dotted.partition(".")[2]
        while name and name not in _NEW:
            name = name.rpartition(".")[0]
        if not dotted.startswith("numpy.") or not name:
            continue
        target = module.base(node, dotted, f"numpy.{name}")
        if not isinstance(target, ast.Attribute) or module.probed(node):
            continue
        alias = module.base(node, dotted, "numpy")
        user = module.parents[target]
        called = user if isinstance(user, ast.Call) and user.func is target else None
        found = module.finding(target, f"np.{name} is gone from numpy")
        if name == "sctypes":
            yield found
            module.replace(target, module.call("sctypes", home="tfqueue.port.runtime"))
        elif name == "NINF":
            yield found
            module.replace(target, module.expression("-np.inf", np=alias))
        elif name == "cast":
            # np.cast["float32"](x)
            if not isinstance(user, ast.Subscript):
                continue
            cast = module.parents[user]
            if isinstance(cast, ast.Call) and cast.func is user and len(cast.args) == 1:
                yield found
                text = "np.asarray(x).astype(dtype)"
                new = module.expression(text, np=alias, x=cast.args[0], dtype=user.slice)
                module.replace(cast, new)
        elif name in RUNTIME and not (called and _is_short(name, called)):
            yield found
            module.replace(target, module.use("tfqueue.port.runtime", name))
        elif (today := _NEW[name]) is None:
            if not called or not called.args or called.keywords:
                continue
            if any(isinstance(argument, ast.Starred) for argument in called.args):
                continue
            yield found
            module.replace(called, _call(module, name, called, alias))
        elif name in _BUILTIN and module.binder(node, name) is None:
            # np.int was int itself: int(x), and dtype=int, go on meaning the same
            yield found
            module.replace(target, ast.Name(name, ast.Load()))
        else:
            yield found
            module.replace(target, module.attribute(alias, today))


def _is_short(name: str, call: ast.Call) -> bool:
    """Whether a call of what is gone can be written with what numpy has."""
    if any(isinstance(argument, ast.Starred) for argument in call.args):
        return False
    return name != "trapz" and len(call.args) == 1 + (name == "in1d") and not call.keywords


def _call(module: Module, name: str, call: ast.Call, alias: ast.expr) -> ast.expr:
    first = call.args[0]
    if name == "asscalar":
        return module.expression("first.item()", first=first)
    if name == "alen":
        return module.expression("len(first)", first=first)
    if name == "msort":
        return module.expression("np.sort(first, axis=0)", np=alias, first=first)
    if name == "in1d":
        text = "np.isin(first, second).ravel()"
        return module.expression(text, np=alias, first=first, second=call.args[1])
    if name == "asfarray":
        return module.expression("np.asarray(first, dtype=float)", np=alias, first=first)
    # `random_integers(low, high)` included the upper end
    low, high, *size = call.args if len(call.args) > 1 else (ast.Constant(1), first)
    new = module.expression("np.random.randint(low, high + 1)", np=alias, low=low, high=high)
    if isinstance(new, ast.Call):
        new.args += size
    return new
