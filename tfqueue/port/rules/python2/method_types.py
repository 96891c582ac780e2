"""`types.MethodType(function, None, cls)` made an unbound method, which Python 3 has not.

https://docs.python.org/3/whatsnew/3.0.html#operators-and-special-methods
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfqueue.port.program.module import Module
from tfqueue.port.source.finding import Finding

WORDS = ("MethodType",)
PYTHON2 = True
_TYPES = ("types.MethodType", "types.UnboundMethodType")
"""Two names of one class."""


def find(module: Module) -> Iterator[Finding]:
    """Finds calls with the class as a third argument, also in text for `exec`, which has no import."""
    for call in module.nodes[ast.Call]:
        name = ast.unparse(call.func)
        if module.binder(call, name.partition(".")[0]) is not None:
            name = module.dotted(call.func) or ""
        # the module is Python 2's own where the program asks for more of its names
        if (
            name.removeprefix("tfqueue.port.py2.modules.") in _TYPES
            and len(call.args) == 3
            and not call.keywords
        ):
            yield module.finding(call, "a method is of an object, not of a class, in Python 3")
            module.replace(call, module.call("instance_method", *call.args))
