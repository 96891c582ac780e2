"""`tf.gfile` opened as text gave bytes to `.decode()` until TensorFlow 0.12.

https://github.com/tensorflow/tensorflow/releases/tag/v0.12.0
"""

import ast

from tfqueue.port.edits import Edit

WORDS = ("gfile",)
FILES = frozenset(
    f"tensorflow.gfile.{name}" for name in ("GFile", "FastGFile", "Open", "_GFile")
) | {"tensorflow.io.gfile.GFile"}


def find(module):
    """Finds files whose text is decoded although it is text already."""
    decoded = {
        node.func.value.func.value.id
        for node in module.nodes[ast.Call]
        if isinstance(node.func, ast.Attribute)
        and node.func.attr == "decode"
        and isinstance(node.func.value, ast.Call)
        and isinstance(node.func.value.func, ast.Attribute)
        and node.func.value.func.attr in ("read", "readline")
        and isinstance(node.func.value.func.value, ast.Name)
    }
    for call, dotted in module.calls:
        if dotted not in FILES or not call.args or _name(module, call) not in decoded:
            continue
        message = "text of a gfile is text since TensorFlow 0.12: opened as bytes for its decode()"
        mode = call.args[1] if len(call.args) > 1 else None
        if mode is None and not call.keywords:
            end = module.end(call.args[0])
            yield module.finding(call, message, [Edit(end, end, ', "rb"')])
        elif isinstance(mode, ast.Constant) and mode.value == "r":
            yield module.finding(call, message, [module.replace(mode, '"rb"')])


def _name(module, call):
    parent = module.parents[call]
    if isinstance(parent, ast.withitem) and isinstance(parent.optional_vars, ast.Name):
        return parent.optional_vars.id
    if isinstance(parent, ast.Assign) and isinstance(parent.targets[0], ast.Name):
        return parent.targets[0].id
    return None
