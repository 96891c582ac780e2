"""Which names below `tf` a program uses and calls, and which of that there is not.

TensorFlow is not imported here. Most names stand in the files of its API, which are read. The others
are looked up in one process that imports `tfqueue.v1`.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import importlib.util
import inspect
import json
import os
import re
import sys
from collections.abc import Iterable, Iterator

from tfqueue.names import gone, ledger, moved
from tfqueue.port.program.module import Module
from tfqueue.port.program.objects import Objects

_BOUND = re.compile(r"^\s*(?:from \S+ import (?:\S+ as )?|import \S+ as )(\w+)", re.MULTILINE)
_INNER = "tensorflow.python."
_PACKAGES = (_INNER, "tensorflow_estimator.")
# what an arg_scope, which may stand in another module, can give any argument to
_SCOPED = frozenset(
    "add_loss avg_pool2d avg_pool3d batch_norm bias_add conv1d conv2d conv2d_in_plane "
    "conv2d_transpose conv3d conv3d_transpose convolution convolution1d convolution2d "
    "convolution2d_in_plane convolution2d_transpose convolution3d convolution3d_transpose "
    "dense_to_sparse dropout flatten fully_connected group_norm images_to_sequence instance_norm "
    "layer_norm max_pool2d max_pool3d maxout model_variable one_hot_encoding pool separable_conv2d "
    "separable_convolution2d sequence_to_images softmax spatial_softmax unit_norm variable".split()
)
Arguments = tuple[int, tuple[str, ...]]
"""What a call gives: how many arguments by position, and the names of the others."""
Asked = tuple[str, int, int, str]
"""A name that a program reads: (path, line, column, name)."""
Called = tuple[str, int, int, str, Arguments]
"""A call that may fit no form of its function: (path, line, column, name, arguments)."""


def asked(module: Module, lines: list[int]) -> list[Asked]:
    """The names below `tf` that a translated program reads or imports.

    Args:
        module: The program after the rules.
        lines: For each line of the module's text (from 0) the number of the user's line.
    """
    if module.era.two and not module.python2:
        return []
    module.index()
    found: list[Asked] = [
        (*_place(module, lines, alias, statement), dotted)
        for statement, alias, dotted in _imported(module)
        if not _provided_for(module, statement)
    ]
    found += [
        (*_place(module, lines, node, node), dotted)
        for node, dotted in _references(module)
        if not _provided_for(module, node)
    ]
    return sorted(set(found), key=lambda row: row[1:3])


def called(module: Module, lines: list[int]) -> list[Called]:
    """The calls below `tf` of a translated program that TensorFlow 1.15 would not have taken.

    Whether tfqueue takes them, as another release did, is for `today.refused` to say.

    Args:
        module: As for `asked`, after that.
        lines: As for `asked`.
    """
    if module.era.two and not module.python2:
        return []
    found: list[Called] = []
    dotted_of = dict(_references(module, inside=True))
    objects = Objects(module, dotted_of)
    for call in module.nodes[ast.Call]:
        dotted, method = dotted_of.get(call.func), None
        if dotted is None:
            dotted = method = objects.method(call.func)
        stars = any(isinstance(each, ast.Starred) for each in call.args)
        if dotted is None or stars or any(word.arg is None for word in call.keywords):
            continue
        words = tuple(str(word.arg) for word in call.keywords)
        if not _is_doubtful(dotted, len(call.args), words):
            continue
        if not _provided_for(module, call) and not _catches_type_error(module, call):
            place = _place(module, lines, call, call)
            # a method is called with its object
            found.append((*place, dotted, (len(call.args) + (method is not None), words)))
    return found


def _is_doubtful(dotted: str, count: int, words: Iterable[str]) -> bool:
    """Whether TensorFlow 1.15 is not seen to take a call."""
    name = dotted.removeprefix("tensorflow.")
    scoped = is_scoped(dotted)
    signature = ledger.signature(name, "1.15")
    if signature is not None:
        return not _binds(signature, count, words, partly=scoped)
    if ".python." not in f".{name}":
        return False
    # what stands inside is a public function or class under another name, as a rule
    known = [
        ledger.signature(each, "1.15") for each in _by_last_part().get(name.rpartition(".")[2], ())
    ]
    return not any(each and _binds(each, count, words, partly=scoped) for each in known)


def is_scoped(dotted: str) -> bool:
    """Whether an arg_scope can give a function below ``tensorflow`` the arguments that a call lacks."""
    return dotted.startswith("tensorflow.contrib.") and dotted.rpartition(".")[2] in _SCOPED


@functools.cache
def _by_last_part() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name in ledger.public():
        found.setdefault(name.rpartition(".")[2], []).append(name)
    return found


def _binds(signature: inspect.Signature, count: int, words: Iterable[str], *, partly: bool) -> bool:
    bind = signature.bind_partial if partly else signature.bind
    try:
        bind(*[None] * count, **dict.fromkeys(words))
    except TypeError:
        return False
    return True


def _catches_type_error(module: Module, node: ast.AST) -> bool:
    return any(
        isinstance(parent, ast.Try)
        and any(h.type is None or "TypeError" in ast.unparse(h.type) for h in parent.handlers)
        for parent in module.ancestors(node)
    )


def _place(
    module: Module, lines: list[int], where: ast.expr | ast.alias, node: ast.expr | ast.stmt
) -> tuple[str, int, int]:
    line = min(where.lineno or node.lineno, len(lines))
    return module.path, lines[line - 1], (where.col_offset or 0) + 1


def _references(module: Module, *, inside: bool = False) -> Iterator[tuple[ast.expr, str]]:
    """The names of TensorFlow's own that a module reads, without what it puts there itself.

    Args:
        inside: Whether those below ``tensorflow.python`` count, too.
    """
    own = {
        module.dotted(node)
        for node in module.nodes[ast.Attribute]
        if isinstance(node.ctx, ast.Store)
    }
    for node, dotted in module.references:
        if not dotted.startswith("tensorflow."):
            continue
        if dotted.startswith(("tensorflow.core", "tensorflow.tools")):
            continue
        if dotted.startswith(_INNER) and not inside:
            continue
        if not any(dotted == name or dotted.startswith(f"{name}.") for name in own if name):
            yield node, dotted


def _provided_for(module: Module, node: ast.AST) -> bool:
    return module.guarded(node) or _tested(module, node)


def _imported(module: Module) -> Iterable[tuple[ast.stmt, ast.alias, str]]:
    """What the import statements of a translated module bring from below `tensorflow`."""
    for node in module.nodes[ast.ImportFrom]:
        if not node.level and f"{node.module}.".startswith(_PACKAGES):
            for alias in node.names:
                dotted = f"{node.module}.{alias.name}".removesuffix(".*")
                yield node, alias, dotted
        if node.level or not f"{node.module}.".startswith("tfqueue.v1."):
            continue
        home = "tensorflow" + node.module.removeprefix("tfqueue.v1")
        for alias in node.names:
            if alias.name != "*":
                yield node, alias, f"{home}.{alias.name}"
    for node in module.nodes[ast.Import]:
        for alias in node.names:
            if alias.name.startswith("tfqueue.v1."):
                yield node, alias, f"tensorflow{alias.name.removeprefix('tfqueue.v1')}"
            elif alias.name.startswith(_PACKAGES):
                yield node, alias, alias.name


def _tested(module: Module, node: ast.AST) -> bool:
    """Whether a program asks whether a name is there before it reads it."""
    return any(
        isinstance(parent, ast.If | ast.IfExp)
        and re.search(r"hasattr\(|__version__|VERSION|version", ast.unparse(parent.test))
        for parent in module.ancestors(node)
    )


@functools.cache
def _folder() -> str | None:
    spec = importlib.util.find_spec("tensorflow")
    if spec is None or not spec.origin:
        return None
    return os.path.join(os.path.dirname(spec.origin), "_api", "v2", "compat", "v1")


@functools.cache
def _bound(folder: str) -> frozenset[str]:
    try:
        with open(os.path.join(folder, "__init__.py"), encoding="utf-8") as file:
            return frozenset(_BOUND.findall(file.read()))
    except OSError:
        return frozenset()


def _is_inside(name: str) -> bool:
    """Whether the files of TensorFlow show a module below `tensorflow.python`, or mention a name of one."""
    spec = importlib.util.find_spec("tensorflow")
    if spec is None or not spec.origin:
        return True
    at = os.path.join(os.path.dirname(spec.origin), *name.split(".")[1:])
    if os.path.isdir(at) or os.path.isfile(f"{at}.py"):
        return True
    home, last = os.path.split(at)
    for file in (f"{home}.py", os.path.join(home, "__init__.py")):
        with contextlib.suppress(OSError), open(file, encoding="utf-8") as text:
            return re.search(rf"\b{re.escape(last)}\b", text.read()) is not None
    return False


def _is_there(name: str) -> bool:
    """Whether the files of TensorFlow's API show a name; attributes of classes are not checked."""
    folder = _folder()
    if name.startswith(_INNER):
        return _is_inside(name)
    if name.startswith(_PACKAGES):
        return False
    parts = name.split(".")[1:]
    rest = ".".join(parts)
    if rest in moved.BY_OLD_NAME and rest not in gone.BY_NAME:
        return True
    while folder and parts:
        part = parts.pop(0)
        if part not in _bound(folder):
            return False
        folder = os.path.join(folder, part)
        if not os.path.isdir(folder):
            # a function, or a class, of which any name may be an attribute
            return not parts or not part.islower()
    return not parts


def _answer(asked: str) -> str | None:
    """What the module `today` says in a process of its own; None where that fails."""
    import subprocess  # here: few programs have a doubtful name

    done = subprocess.run(
        [sys.executable, "-m", "tfqueue.port.program.today"],
        input=asked,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": "-1"},
    )
    return None if done.returncode else done.stdout.splitlines()[-1]


def missing(
    names: Iterable[str], calls: Iterable[Called] = ()
) -> tuple[dict[str, str], dict[Called, str]]:
    """Which names do not exist, and which calls fit no form, each with what is the matter.

    Args:
        names: Dotted names below ``tensorflow``.
        calls: What `called` gave.
    """
    doubtful, doubted = sorted(name for name in set(names) if not _is_there(name)), list(calls)
    if not (doubtful or doubted) or _folder() is None:
        return {}, {}
    asked = json.dumps({"names": doubtful, "calls": [call[3:] for call in doubted]})
    answer = _answer(asked)
    if answer is None:
        return {}, {}
    found = json.loads(answer)
    said = zip(doubted, found["calls"], strict=True)
    return found["names"], {call: why for call, why in said if why}
