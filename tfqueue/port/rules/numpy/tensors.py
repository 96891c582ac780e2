"""`np.ones_like` of a tensor was a single number in TensorFlow 1.4, and is an error in 1.15.

https://github.com/tensorflow/tensorflow/blob/v1.15.5/tensorflow/python/framework/ops.py
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfqueue.port.program.module import Module
from tfqueue.port.source.finding import Finding

WORDS = ("ones_like", "zeros_like")
_ROWS = {"numpy.ones_like": "np_ones_like", "numpy.zeros_like": "np_zeros_like"}


def find(module: Module) -> Iterator[Finding]:
    """Finds calls with a value that may be a tensor, in programs that import TensorFlow."""
    if not module.imports("tensorflow") or module.era.low >= (1, 15):
        return
    for call, dotted in module.calls:
        if dotted not in _ROWS or not call.args or isinstance(call.args[0], ast.Starred):
            continue
        value = call.args[0]
        made = module.dotted(value.func) if isinstance(value, ast.Call) else None
        if isinstance(value, ast.List | ast.Constant) or (made or "").startswith("numpy."):
            continue
        yield module.finding(
            call, "numpy no longer takes a tensor for a single number, as in TensorFlow 1.4"
        )
        module.replace(call.func, module.use("tfqueue.port.runtime", _ROWS[dotted]))
