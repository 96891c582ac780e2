"""Up to TensorFlow 1.0 the global initialiser also set matched file names and epoch counters.

https://github.com/tensorflow/tensorflow/releases/tag/v0.12.0
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfqueue.port.program import project
from tfqueue.port.program.module import Module, argument
from tfqueue.port.source.files import Unreadable, read
from tfqueue.port.source.finding import Finding

WORDS = ("initialize_all_variables", "global_variables_initializer", "initialize_variables")
_GLOBAL = ("tensorflow.initialize_all_variables", "tensorflow.global_variables_initializer")
_LOCAL = frozenset(["local_variables_initializer", "initialize_local_variables"])
# Where producers take num_epochs by position.
_POSITIONS = {
    "string_input_producer": 1,
    "slice_input_producer": 1,
    "range_input_producer": 1,
    "limit_epochs": 1,
    "input_producer": 2,
}
# They run the local initialisers themselves.
_MANAGED = frozenset(
    [
        "Supervisor",
        "MonitoredTrainingSession",
        "MonitoredSession",
        "SingularMonitoredSession",
        "managed_session",
    ]
)


def _holds_local(module: Module) -> bool:
    """Whether the program can have local variables: epochs are counted or names matched."""
    if "match_filenames_once" in module.words:
        return True
    for call in module.nodes[ast.Call]:
        name = (module.dotted(call.func) or "").removeprefix("tensorflow.train.")
        epochs = argument(call, _POSITIONS.get(name, len(call.args)), "num_epochs")
        if epochs is not None and not (isinstance(epochs, ast.Constant) and epochs.value is None):
            return True
    return False


def _beside_holds_local(module: Module) -> bool:
    """Whether a module that it imports from its own folder has them."""
    texts = []
    for path in project.imported_files(module.path):
        try:
            texts.append(read(path).text)
        except Unreadable:
            continue
    if any(word in text for text in texts for word in _LOCAL | _MANAGED):
        return False
    return any("match_filenames_once" in text or "num_epochs=" in text for text in texts)


def find(module: Module) -> Iterator[Finding]:
    """Finds the one initialiser of a program that never runs the local one."""
    if module.ported or module.era.low > (1, 0) or module.words & (_LOCAL | _MANAGED):
        return
    if not _holds_local(module) and not _beside_holds_local(module):
        return
    for call, dotted in module.calls:
        if dotted not in _GLOBAL or call.args or call.keywords:
            continue
        yield module.finding(
            call,
            "the global initialiser set epoch counters and matched file names until TensorFlow 1.0",
        )
        alias = module.below(call.func, dotted)
        group, local = (
            ast.unparse(module.attribute(alias, name) if alias else module.use("tfqueue.v1", name))
            for name in ("group", "local_variables_initializer")
        )
        module.replace(call, module.expression(f"{group}(initial, {local}())", initial=call))
