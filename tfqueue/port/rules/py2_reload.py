"""`reload(sys)` and `sys.setdefaultencoding` go: text is UTF-8; other modules go through importlib.

https://docs.python.org/3/whatsnew/3.0.html#builtins
"""

import ast

WORDS = ("reload", "setdefaultencoding")


def find(module):
    """Finds the Python 2 ritual around the default encoding, and other uses of `reload`."""
    for call in module.nodes[ast.Call]:
        statement = module.parents[call]
        alone = isinstance(statement, ast.Expr)
        if module.dotted(call.func) == "sys.setdefaultencoding" and alone:
            message = "sys.setdefaultencoding is gone: text is UTF-8 in Python 3"
            yield module.finding(call, message, [module.replace(statement, "pass")])
        elif module.is_builtin(call.func, "reload") and len(call.args) == 1:
            if alone and module.dotted(call.args[0]) == "sys":
                message = "reload(sys) has no use in Python 3"
                yield module.finding(call, message, [module.replace(statement, "pass")])
            else:
                new = '__import__("importlib").reload'
                message = "reload moved to importlib"
                yield module.finding(call, message, [module.replace(call.func, new)])
