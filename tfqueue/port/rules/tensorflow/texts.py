"""A name of TensorFlow that is given as text, as `mock.patch("tensorflow.zeros")`, is one of tfqueue.v1.

https://docs.python.org/3/library/unittest.mock.html#patch
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfqueue.names import ledger
from tfqueue.port.program.module import Module
from tfqueue.port.rules.tensorflow.imports import below_v1
from tfqueue.port.source.finding import Finding

WORDS = ("tensorflow",)
_LOCATE = "pydoc.locate"
_IMPORT = "importlib.import_module"
_PATCHES = ("patch", "patch.dict", "patch.multiple", "patch.object", "setattr", "delattr")
"""What a name as text is given to: functions of mock, and methods of the fixtures `mocker` and `monkeypatch`."""


def find(module: Module) -> Iterator[Finding]:
    """Finds calls that are given a name as text, or one that is put together."""
    for call in module.nodes[ast.Call]:
        if call.args and not isinstance(call.args[0], ast.Starred):
            yield from _call(module, call, call.args[0])


def _call(module: Module, call: ast.Call, given: ast.expr) -> Iterator[Finding]:
    function = module.dotted(call.func) or ""
    plain = isinstance(call.func, ast.Name) and call.func.id == "__import__"
    text = given.value if isinstance(given, ast.Constant) else None
    if isinstance(text, str):
        known = function in (_IMPORT, _LOCATE) or plain or _patches(call)
        new = _today(text) if known else None
        whole = plain and len(call.args) == 1 and not call.keywords  # the first name's module
        if new is None or (whole and text != "tensorflow"):
            return
        yield module.finding(call, f"{text!r} is a name of TensorFlow 1: {new}")
        module.replace(given, ast.Constant(new))
        if whole:
            module.add_argument(call, "fromlist", "['Session']")
    elif function == _LOCATE:
        yield module.finding(call, "a name is looked up that may be one of TensorFlow 1's")
        module.replace(call.func, module.use("tfqueue.port.runtime", "locate"))
    elif function == _IMPORT and isinstance(given, ast.Name) and _names_tensorflow(module):
        yield module.finding(call, "a name is imported that may be one of TensorFlow 1's")
        module.replace(call.func, module.use("tfqueue.port.runtime", "import_module"))


def _patches(call: ast.Call) -> bool:
    function = ast.unparse(call.func)
    return any(f".{function}".endswith(f".{name}") for name in _PATCHES)


def _today(name: str) -> str | None:
    """The name below tfqueue.v1 of what TensorFlow 1 had, or None where it is no business."""
    front, _, rest = name.partition(".")
    public = front == "tensorflow" and ledger.find(rest.partition(".")[0])
    return below_v1(name) or (f"tfqueue.v1.{rest}" if public else None)


def _names_tensorflow(module: Module) -> bool:
    """Whether names below TensorFlow are put together here: `"tensorflow." + name`."""
    return any(
        isinstance(node.value, str) and node.value in ("tensorflow", "tensorflow.")
        for node in module.nodes[ast.Constant]
    )
