"""A name of TensorFlow or keras that is given as text, as `mock.patch("tensorflow.zeros")`, is one of tfqueue.v1.

https://docs.python.org/3/library/unittest.mock.html#patch
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfqueue.names import keras, ledger
from tfqueue.port.program import tensorflow_signs
from tfqueue.port.program.module import Module
from tfqueue.port.rules.tensorflow.imports import below_v1
from tfqueue.port.source.finding import Finding

WORDS = ("keras", "tensorflow")
_LOCATE = "pydoc.locate"
_IMPORT = "importlib.import_module"
_KERAS = "tfqueue.port.libraries.keras_methods"
_NAMES = ("tensorflow.__name__", "tensorflow.keras.__name__")
_PATCHES = ("patch", "patch.dict", "patch.multiple", "patch.object", "setattr", "delattr")
"""What a name as text is given to: functions of mock, and methods of the fixtures `mocker` and `monkeypatch`."""


def find(module: Module) -> Iterator[Finding]:
    """Finds calls that are given a name as text, or one that is put together, and what asks for a module's name."""
    of_keras = module.is_old and not module.has_own("keras")
    of_keras = of_keras and not tensorflow_signs.is_keras_3(module)
    for node, dotted in module.references:
        if dotted in _NAMES:
            name = dotted.removesuffix(".__name__")
            yield module.finding(node, f"the name of this module was {name}")
            module.replace(node, ast.Constant(name))
    for call in module.nodes[ast.Call]:
        if call.args and not isinstance(call.args[0], ast.Starred):
            yield from _call(module, call, call.args[0], of_keras)


def _call(module: Module, call: ast.Call, given: ast.expr, of_keras: bool) -> Iterator[Finding]:
    function = module.dotted(call.func) or ""
    plain = isinstance(call.func, ast.Name) and call.func.id == "__import__"
    text = given.value if isinstance(given, ast.Constant) else None
    if isinstance(text, str):
        imported = function == _IMPORT or plain
        known = imported or function == _LOCATE or _patches(call)
        whole = plain and len(call.args) == 1 and not call.keywords  # the first name's module
        old = imported and of_keras and f"{text}.".startswith("keras.")
        if old:
            new: str | None = keras.home_of("keras" if whole else text)
            module.use_module(_KERAS)
        else:
            new = _today(text) if known else None
        if new is None or (whole and not old and text != "tensorflow"):
            return
        yield module.finding(call, f"{text!r} is a name of TensorFlow 1: {new}")
        module.replace(given, ast.Constant(new))
        if whole:
            module.add_argument(call, "fromlist", "['Session']")
    elif function == _LOCATE:
        yield module.finding(call, "a name is looked up that may be one of TensorFlow 1's")
        module.replace(call.func, module.use("tfqueue.port.runtime", "locate"))
    elif function == _IMPORT and (found := _put_together(module, given)):
        if "tensorflow" not in found and not of_keras:
            return
        yield module.finding(call, "a name is imported that may be one of TensorFlow 1's")
        module.replace(call.func, module.use("tfqueue.port.runtime", "import_module"))
        if of_keras and "keras" in found:
            module.use_module(_KERAS)


def _patches(call: ast.Call) -> bool:
    function = ast.unparse(call.func)
    return any(f".{function}".endswith(f".{name}") for name in _PATCHES)


def _today(name: str) -> str | None:
    """The name below tfqueue.v1 of what TensorFlow 1 had, or None where it has none."""
    front, _, rest = name.partition(".")
    public = front == "tensorflow" and ledger.find(rest.partition(".")[0])
    return below_v1(name) or (f"tfqueue.v1.{rest}" if public else None)


def _put_together(module: Module, given: ast.expr) -> set[str]:
    """The packages below which a name may be: `"keras." + name`, or text elsewhere that a variable may have."""
    if isinstance(given, ast.Name):
        texts = [one.value for one in module.nodes[ast.Constant]]
        return {name for name in WORDS if name in texts or f"{name}." in texts}
    parts = [one.value for one in ast.walk(given) if isinstance(one, ast.Constant)]
    return {name for name in WORDS for one in parts if str(one).startswith(f"{name}.")}
