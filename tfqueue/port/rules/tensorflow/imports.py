"""`import tensorflow as tf` becomes `import tfqueue.v1 as tf`, in all its forms.

https://www.tensorflow.org/guide/migrate/tf1_vs_tf2
"""

from __future__ import annotations

import ast
import itertools
import os
import re
from collections.abc import Iterator

from tfqueue.port.program.module import Module
from tfqueue.port.rules.siblings import import_here, in_package
from tfqueue.port.rules.tensorflow import gone
from tfqueue.port.source.finding import Finding

WORDS = ("tensorflow",)
# Below these names tfqueue.v1 has what the old wheel had. TensorFlow 2 has some of them, too, with
# other functions: `tensorflow.strings.split`.
_OURS = (
    *("app", "audio", "autograph", "bitwise", "config", "contrib", "data", "debugging"),
    *("distribute", "distributions", "dtypes", "errors", "estimator", "examples", "experimental"),
    *("feature_column", "flags", "gfile", "graph_util", "image", "initializers", "io", "keras"),
    *("layers", "linalg", "lite", "logging", "lookup", "losses", "manip", "math", "metrics"),
    *("mixed_precision", "models.rnn.ptb", "nest", "nn", "profiler", "python_io", "quantization"),
    *("queue", "ragged", "random", "raw_ops", "resource_loader", "saved_model", "sets", "signal"),
    *("sparse", "spectral", "strings", "summary", "sysconfig", "test", "tpu", "train"),
    *("user_ops", "version", "xla"),
)
# The first tutorials stood elsewhere.
_MOVED = {
    "tensorflow.g3doc.tutorials": "tensorflow.examples.tutorials",
    "tensorflow.contrib.skflow": "tensorflow.contrib.learn",
}
# `from tensorflow.models.rnn import x` of 0.5 and 0.6: what to say instead
_RNN = {
    "linear": "from tfqueue.v1 import rnn_cell as {0}",
    "rnn": "from tfqueue.v1.models.rnn import rnn as {0}",
    "rnn_cell": "from tfqueue.v1 import rnn_cell as {0}",
    "seq2seq": "from tfqueue.v1.contrib import legacy_seq2seq as {0}",
}

_RNN_MODULES = {
    "tensorflow.models.rnn.linear": "tfqueue.v1.rnn_cell",
    "tensorflow.models.rnn.rnn": "tfqueue.v1.models.rnn.rnn",
    "tensorflow.models.rnn.rnn_cell": "tfqueue.v1.rnn_cell",
    "tensorflow.models.rnn.seq2seq": "tfqueue.v1.contrib.legacy_seq2seq",
}

_INNER = re.compile(r"tensorflow\.(python|core)\b")
# Those that build ops or run them.
_BUILDING = re.compile(
    r"tensorflow\.python\.(ops|training|framework|layers|client\.session|\w+_ops$)\b"
)


def below_v1(name: str) -> str | None:
    """The name below tfqueue.v1 of a module of TensorFlow 1, or None where it has none."""
    if name in ("tensorflow", "tensorflow.compat.v1"):
        return "tfqueue.v1"
    name = name.replace("tensorflow.compat.v1.", "tensorflow.", 1)
    for old, new in _MOVED.items():
        if name == old or name.startswith(f"{old}."):
            name = new + name[len(old) :]
    for prefix in _OURS:
        if name == f"tensorflow.{prefix}" or name.startswith(f"tensorflow.{prefix}."):
            return "tfqueue.v1" + name[len("tensorflow") :]
    return None


def _beside(module: Module, name: str) -> str | None:
    """The last part of `tensorflow.models.x.y` where that module stands beside the program."""
    folder, last = os.path.dirname(module.path), name.rpartition(".")[2]
    there = os.path.join(folder, last)
    if os.path.basename(module.path) == f"{last}.py":
        return None  # the module itself
    return last if os.path.isfile(there + ".py") or os.path.isdir(there) else None


def _used_bare(module: Module) -> bool:
    return any(node.id == "tensorflow" for node in module.nodes[ast.Name])


def _import(module: Module, alias: ast.alias) -> list[tuple[str, str | None]]:
    """What comes in the place of an alias: (name, as) of each; nothing where it stays."""
    name, known_as = alias.name, alias.asname
    ours = below_v1(name)
    ours = _RNN_MODULES.get(name) if known_as and name in _RNN_MODULES else ours
    if ours and known_as:
        return [(ours, known_as)]
    whole: tuple[str, str | None] = ("tfqueue.v1", "tensorflow")
    if ours == "tfqueue.v1":
        return [whole]
    if ours:
        return [(ours, None), whole] if _used_bare(module) else [(ours, None)]
    if not known_as and name.startswith("tensorflow.") and _used_bare(module):
        # `import tensorflow.python.platform` of the first tutorials binds `tensorflow` too
        return [(name, None), whole]
    return []


def find(module: Module) -> Iterator[Finding]:
    """Finds the imports of tensorflow."""
    for node in module.nodes[ast.Import]:
        for alias, behind in itertools.zip_longest(list(node.names), node.names[1:]):
            new = _import(module, alias)
            done = len(new) > 1 and behind is not None and behind.asname == "tensorflow"
            if new and not done:
                message = f"import {alias.name}: TensorFlow 1's names are in tfqueue.v1"
                yield module.finding(alias, message)
                at = node.names.index(alias)
                (alias.name, alias.asname), *more = new
                node.names[at + 1 : at + 1] = [ast.alias(*one) for one in more]
                for added in node.names[at + 1 : at + 1 + len(more)]:
                    module.settle(added, node, alias)
                module.changed()
    for node in module.nodes[ast.ImportFrom]:
        if not node.level and (node.module or "").startswith("tensorflow"):
            yield from _from(module, node)
    yield from _graph_mode(module)


def _graph_mode(module: Module) -> Iterator[Finding]:
    """What has its ops from TensorFlow's inner modules, and nothing else of it, is for graph mode too."""
    building = None
    for node in (*module.nodes[ast.Import], *module.nodes[ast.ImportFrom]):
        front = f"{node.module or ''}." if isinstance(node, ast.ImportFrom) else ""
        for alias in node.names:
            name = front + alias.name
            if name.startswith(("tfqueue", "tensorflow")) and not _INNER.match(name):
                return
            if building is None and _BUILDING.match(name):
                building = node
    if building is not None:
        yield module.finding(building, "its ops are for a graph: tfqueue.v1 switches to graph mode")
        module.use_module("tfqueue.v1")


def _from(module: Module, node: ast.ImportFrom) -> Iterator[Finding]:
    name = node.module or ""
    new = below_v1(name) if name != "tensorflow.contrib.ctc" else None
    if name.startswith("tensorflow.models") and _all_beside(module, node):
        new = None
    names = [alias.name for alias in node.names]
    if new:
        yield module.finding(node, f"from {name}: TensorFlow 1's names are in {new}")
        node.module = new
        module.changed()
    elif name == "tensorflow.compat" and names == ["v1"]:
        yield module.finding(
            node, "from tensorflow.compat import v1: TensorFlow 1's names are in tfqueue.v1"
        )
        node.module = "tfqueue"
        module.changed()
    elif name.startswith("tensorflow.models"):
        yield from _models(module, node)
    elif name == "tensorflow.contrib.ctc":
        node.module = "tensorflow.python.ops"
        yield module.finding(node, f"{name} is in {node.module} since TensorFlow 0.9")
        module.changed()


def _all_beside(module: Module, node: ast.ImportFrom) -> bool:
    return all(_beside(module, alias.name) for alias in node.names)


def _models(module: Module, node: ast.ImportFrom) -> Iterator[Finding]:
    names, home = [alias.name for alias in node.names], node.module or ""
    if node.module in _RNN_MODULES:
        node.module = _RNN_MODULES[node.module]
        yield module.finding(node, f"its names are in {node.module} since TensorFlow 0.7")
        module.changed()
        return
    if node.module == "tensorflow.models.rnn" and all(name in _RNN for name in names):
        message = f"{node.module}.{names[0]} is in tfqueue.v1 since TensorFlow 0.7"
        yield module.finding(node, message)
        new = "; ".join(_RNN[a.name].format(a.asname or a.name) for a in node.names)
        new = re.sub(r" import (\w+) as \1\b", r" import \1", new)
        module.replace(node, ast.parse(new).body)
        return
    # the wheels up to 0.8 carried the tutorials; their files now stand beside the program
    message = f"{node.module}: the tutorials left the wheel, their modules stand beside the program"
    if _all_beside(module, node):
        yield module.finding(node, message)
        _import_beside(module, node, ast.ImportFrom(None, node.names, 1), ast.Import(node.names))
    elif _beside(module, home):
        yield module.finding(node, message)
        beside = [ast.ImportFrom(_beside(module, home), node.names, level) for level in (1, 0)]
        _import_beside(module, node, *beside)
    else:
        gone_since = f"{node.module} left the wheel with TensorFlow 0.9"
        unused = [alias for alias in node.names if gone.is_unused(module, alias)]
        if len(unused) < len(node.names):
            missing = f"{gone_since}: put its module beside this file"
            yield module.finding(node, missing, helpless=True)
        for alias in unused if not module.guarded(node) else []:
            yield module.finding(alias, f"{gone_since}; it is imported here and not used")
            gone.leave_out(module, alias)


def _import_beside(module: Module, node: ast.stmt, relative: ast.stmt, absolute: ast.stmt) -> None:
    """Puts the import of modules beside this one in the place of `node`."""
    if in_package(module):
        import_here(module, node, [], [relative], absolute)
    else:
        module.replace(node, absolute)
