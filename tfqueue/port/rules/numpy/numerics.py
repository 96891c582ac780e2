"""`np.fft`, `np.linspace` of whole numbers, `np.linalg.solve` and `lstsq`: other numbers since numpy 1.20 and 2.0.

https://numpy.org/doc/stable/release/2.0.0-notes.html
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfqueue.port.program.module import Module, argument
from tfqueue.port.source.finding import Finding

WORDS = ("fft", "linspace", "lstsq", "solve")
_TRANSFORMS = frozenset(
    "fft fft2 fftn hfft ifft ifft2 ifftn ihfft irfft irfft2 irfftn rfft rfft2 rfftn".split()
)
_HOME = "tfqueue.port.runtime"


def find(module: Module) -> Iterator[Finding]:
    """Finds calls in old programs that kept their form and give other numbers."""
    if not module.is_old:
        return
    for call, dotted in module.calls:
        home, _, name = dotted.rpartition(".")
        words = {keyword.arg: keyword for keyword in call.keywords}
        if None in words or not call.args or any(isinstance(a, ast.Starred) for a in call.args):
            continue
        if home == "numpy.fft" and name in _TRANSFORMS:
            yield module.finding(call, f"{name} computes in 32 bits for such numbers since 2.0")
            new = module.call("in_double", call.func, *call.args, home=_HOME)
            new.keywords = call.keywords
            module.replace(call, new)
        elif dotted == "numpy.linalg.lstsq" and argument(call, 2, "rcond") is None:
            yield module.finding(call, "lstsq took no columns for dependent up to numpy 1.26")
            module.add_argument(call, "rcond", "-1")
        elif dotted == "numpy.linalg.solve":
            yield module.finding(call, "solve took a vector for each matrix up to numpy 1.26")
            module.replace(call.func, module.use(_HOME, "np_solve"))
        elif dotted == "numpy.linspace" and "dtype" in words and len(call.args) < 5:
            kind = words["dtype"]
            none = isinstance(kind.value, ast.Constant) and kind.value.value is None
            if none or "retstep" in words:
                continue
            yield module.finding(call, "linspace cut what is behind the point up to numpy 1.19")
            plain = [keyword for keyword in call.keywords if keyword is not kind]
            made = ast.Call(call.func, call.args, plain)
            module.replace(call, ast.Call(module.attribute(made, "astype"), [kind.value], []))
