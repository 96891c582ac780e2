"""`exec(open(f).read())` and `eval(text)` run text that no import brings: it is translated when it is run.

https://docs.python.org/3/whatsnew/3.0.html#builtins
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfqueue.port.program.module import Module, argument
from tfqueue.port.source.finding import Finding

WORDS = ("exec", "eval")
_HELPERS = ("tfqueue.port.runtime.old_code", "tfqueue.port.runtime.old_expression")


def find(module: Module) -> Iterator[Finding]:
    """Finds `exec` and `eval` of text that is not written there, and `compile` of such text, in Python 3."""
    if module.python2:
        return  # `exec` is Python 2's there
    if not module.is_old:
        return  # it may be from any day
    for call in module.nodes[ast.Call]:
        if module.is_builtin(call.func, "compile") and len(call.args) + len(call.keywords) == 3:
            mode = argument(call, 2, "mode")
            text, path = argument(call, 0, "source"), argument(call, 1, "filename")
            if not isinstance(mode, ast.Constant) or mode.value != "exec":
                continue
            if text is None or path is None or _is_written(module, text):
                continue
            yield module.finding(call, "text that the program runs is translated when it is run")
            module.replace(call, module.call("old_code", text, path, home="tfqueue.port.runtime"))
        elif module.is_builtin(call.func, "exec") and call.args:
            text = call.args[0]
            if _is_written(module, text) or isinstance(text, ast.Starred):
                continue
            yield module.finding(call, "text that the program runs is translated when it is run")
            module.replace(text, module.call("old_code", text, home="tfqueue.port.runtime"))
        elif module.is_builtin(call.func, "eval") and call.args:
            text = call.args[0]
            if _is_written(module, text) or isinstance(text, ast.Starred):
                continue
            yield module.finding(call, "text that the program evaluates is translated when it is")
            names = ast.Call(ast.Name("globals", ast.Load()), [], [])
            new = module.call("old_expression", text, names, home="tfqueue.port.runtime")
            module.replace(text, new)


def _is_written(module: Module, text: ast.expr) -> bool:
    """Whether a text stands in the program, or is taken care of."""
    if isinstance(text, ast.Call):
        if isinstance(text.func, ast.Attribute) and text.func.attr == "format":
            return _is_written(module, text.func.value)
        return module.is_builtin(text.func, "compile") or module.dotted(text.func) in _HELPERS
    if isinstance(text, ast.BinOp) and isinstance(text.op, ast.Mod):
        return _is_written(module, text.left)
    return isinstance(text, ast.Constant | ast.JoinedStr)
