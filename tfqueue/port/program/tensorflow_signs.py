"""What in a module shows which TensorFlow it was written for: names and calls that one release had.

Where two releases gave one call two meanings, the program's other names decide. Every name below
was looked up in the releases themselves (0.12.1 and 1.15.5), or in the release notes:
https://github.com/tensorflow/tensorflow/blob/r1.15/RELEASE.md

`of_keras_2` finds what Keras 3 refuses; `written_for` puts the modules of a program together.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tfqueue.names.keras import (
    KERAS_NAMES,
    KERAS_PARTS,
    KERAS_STEPS,
    KERAS_WORDS,
    OPTIMIZERS,
)
from tfqueue.port.program import index_generators, keras_signs
from tfqueue.port.program.era import FIRST, LAST, Evidence, Version
from tfqueue.port.program.module import Module

# (first release that has the name, last release that has it): names below `tensorflow`
_UNTIL_0_12 = (
    "pack unpack mul sub neg inv select listdiff complex_abs concat_v2 split_v batch_matmul "
    "scalar_summary image_summary histogram_summary audio_summary merge_summary "
    "merge_all_summaries train.SummaryWriter nn.seq2seq nn.rnn nn.bidirectional_rnn "
    "nn.state_saving_rnn nn.deconv2d python.platform.google"
).split()
_UNTIL_0_11 = ["image.per_image_whitening"]
_SINCE_0_12 = (
    "global_variables_initializer local_variables_initializer variables_initializer "
    "global_variables stack unstack multiply subtract negative summary.scalar summary.merge_all "
    "summary.FileWriter summary.image summary.histogram image.per_image_standardization"
).split()
_SINCE_1_0 = (
    "layers losses metrics tables_initializer glorot_uniform_initializer norm image.decode_image "
    "train.maybe_batch train.maybe_shuffle_batch"
).split()
_SINCE_1_2 = ["train.get_or_create_global_step", "train.create_global_step", "contrib.data"]
_SINCE_1_4 = ["data", "estimator", "keras", "feature_column"]
_SINCE_1_5 = (
    "nn.softmax_cross_entropy_with_logits_v2 math io manip compat.v1 strings.split "
    "disable_v2_behavior disable_eager_execution enable_eager_execution"
).split()
# Files and functions of 1.0 that were gone in 1.1 or 1.2
_ONLY_1_0 = [
    "contrib.seq2seq.attention_decoder_fn_train",
    "contrib.seq2seq.attention_decoder_fn_inference",
    "contrib.seq2seq.dynamic_rnn_decoder",
    "contrib.seq2seq.prepare_attention",
    "contrib.seq2seq.simple_decoder_fn_inference",
    "contrib.seq2seq.simple_decoder_fn_train",
]
_ONLY_1_0_AND_1_1 = [
    "contrib.rnn.python.ops.core_rnn",
    "contrib.rnn.python.ops.core_rnn_cell_impl",
    "contrib.seq2seq.DynamicAttentionWrapper",
]
# Modules that stood elsewhere since 0.8, where these raised an ImportError
_MODULES_UNTIL_0_7 = frozenset(
    f"tensorflow.models.rnn.{name}" for name in ("linear", "rnn", "rnn_cell", "seq2seq")
)
# What was in the object FLAGS before it was absl's
_FLAGS_UNTIL_1_4 = ("_parse_flags", "__flags")
# Only under TensorFlow 2's own behaviour: a file with these, and nothing of queues and sessions,
# is left to TensorFlow 2.
_TWO = frozenset(["function", "GradientTape", "enable_v2_behavior", "distribute"])
_ONE = re.compile(
    r"^(Session|InteractiveSession|placeholder|Graph|reset_default_graph|get_collection"
    r"|(padding_|priority_|random_shuffle_)?fifo_?queue|\w*Queue|\w*Reader|app|flags|contrib"
    r"|get_variable|variable_scope|train\.(start_queue_runners|\w*input_producer|\w*batch(_join)?"
    r"|Coordinator|QueueRunner|Supervisor|Monitored\w+|SummaryWriter|Saver)|layers|python_io"
    r"|parse_single_\w+|decode_\w+|read_file|global_variables\w*|initialize_\w+|local_var\w*)$",
    re.IGNORECASE,
)

ROWS: dict[str, tuple[Version, Version]] = {
    **{name: (FIRST, (0, 12)) for name in _UNTIL_0_12},
    **{name: (FIRST, (0, 11)) for name in _UNTIL_0_11},
    **{name: ((0, 12), LAST) for name in _SINCE_0_12},
    **{name: ((1, 0), LAST) for name in _SINCE_1_0},
    **{name: ((1, 0), (1, 0)) for name in _ONLY_1_0},
    **{name: ((1, 0), (1, 1)) for name in _ONLY_1_0_AND_1_1},
    **{name: ((1, 2), LAST) for name in _SINCE_1_2},
    **{name: ((1, 4), LAST) for name in _SINCE_1_4},
    **{name: ((1, 5), LAST) for name in _SINCE_1_5},
}


# Keywords that only one of two orders had: {function: {keyword: releases}}
_KEYWORDS = {
    "SparseTensor": {"shape": (FIRST, (0, 12)), "dense_shape": ((1, 0), LAST)},
    "SparseTensorValue": {"shape": (FIRST, (0, 12)), "dense_shape": ((1, 0), LAST)},
    "concat": {"concat_dim": (FIRST, (0, 12))},
    "reverse": {"dims": (FIRST, (0, 12))},
    "split": {"split_dim": (FIRST, (0, 12)), "num_or_size_splits": ((1, 0), LAST)},
}


def _row(name: str) -> tuple[Version, Version] | None:
    while name:
        if name in ROWS:
            return ROWS[name]
        name = name.rpartition(".")[0]
    return None


def evidence(module: Module) -> list[Evidence]:
    """Returns what a module's names say: (name, line, first release, last release)."""
    found: dict[str, Evidence] = {}
    for node, dotted in module.references:
        head, _, name = dotted.partition(".")
        row = _row(name) if head == "tensorflow" else None
        if row:
            found.setdefault(name, (f"tf.{name}", node.lineno, *row))
    compat = [
        node.lineno
        for node in module.nodes[ast.ImportFrom] + module.nodes[ast.Import]
        if "compat.v1" in ast.unparse(node) or "compat import v1" in ast.unparse(node)
    ]
    if compat:
        found["compat.v1"] = ("tf.compat.v1", compat[0], *ROWS["compat.v1"])
    found.update(_old_modules(module))
    for call, dotted in module.calls:
        said = _call_order(call, dotted)
        if said and not compat:
            found.setdefault(said[0], (said[0], call.lineno, *said[1]))
    values = any(node.attr == "value" for node in module.nodes[ast.Attribute])
    for node in module.nodes[ast.Attribute]:
        if node.attr not in _FLAGS_UNTIL_1_4 or not module.imports("tensorflow"):
            continue
        # `FLAGS.__flags` held the values; since 1.5 it holds flags, whose `.value` is asked for
        if node.attr != "__flags" or not values:
            found.setdefault(node.attr, (f"FLAGS.{node.attr}", node.lineno, FIRST, (1, 4)))
    return list(found.values())


def _old_modules(module: Module) -> Iterator[tuple[str, Evidence]]:
    """Imports of modules that were gone since 0.8, and that no `try` lets fail."""
    for node in module.nodes[ast.ImportFrom] + module.nodes[ast.Import]:
        if isinstance(module.parents.get(node), ast.Try):
            continue
        home: str = getattr(node, "module", None) or ""
        names = {home, *(f"{home}.{alias.name}".removeprefix(".") for alias in node.names)}
        for name in sorted(names & _MODULES_UNTIL_0_7):
            yield name, (name, node.lineno, FIRST, (0, 7))


_LOSS = re.compile(r"tensorflow\..*\b(sigmoid|softmax|sparse_softmax)_cross_entropy_with_logits")
"""The losses that 1.0 to 1.15 refused to take arguments by position."""


def _call_order(call: ast.Call, dotted: str) -> tuple[str, tuple[Version, Version]] | None:
    for keyword in call.keywords:
        releases = _KEYWORDS.get(dotted.removeprefix("tensorflow."), {}).get(keyword.arg or "")
        if releases:
            return f"{dotted.rpartition('.')[2]}({keyword.arg}=)", releases
    if not call.args:
        return None
    first = call.args[0]
    if isinstance(first, ast.UnaryOp):
        first = first.operand
    number = isinstance(first, ast.Constant) and isinstance(first.value, int)
    if dotted == "tensorflow.concat":
        if number:
            return "tf.concat(axis, values)", (FIRST, (0, 12))
        if isinstance(first, ast.List | ast.Tuple):
            return "tf.concat(values, axis)", ((1, 0), LAST)
    elif dotted == "tensorflow.split" and number and len(call.args) > 2:
        return "tf.split(axis, num, value)", (FIRST, (0, 12))
    elif _LOSS.fullmatch(dotted) and len(call.args) > 1:
        return f"{dotted.rpartition('.')[2]} by position", (FIRST, (0, 12))
    elif dotted == "tensorflow.image.resize_images" and takes_height_and_width(call):
        return "tf.image.resize_images(images, height, width)", (FIRST, (0, 11))
    return None


def takes_height_and_width(call: ast.Call) -> bool:
    """Whether `resize_images(images, height, width)` is meant, and not `(images, size, method)`.

    Two numbers, or two names that say so, are a height and a width; anything else may be a size.
    """
    if len(call.args) < 3 or isinstance(call.args[1], ast.List | ast.Tuple):
        return False
    height, width = call.args[1:3]
    if isinstance(height, ast.Constant) and isinstance(width, ast.Constant):
        return type(height.value) is type(width.value) is int and width.value > 3
    if isinstance(height, ast.Constant):
        return isinstance(height.value, int) and not _method(width)
    if isinstance(width, ast.Constant):
        return type(width.value) is int and width.value > 3
    if _method(width):
        return False
    if ast.unparse(height) == ast.unparse(width):
        return True
    return any(
        re.search(said, ast.unparse(node), re.IGNORECASE)
        for said, node in (
            (r"height|\bh\b|\brows?\b|_h\b|h_\b", height),
            (r"width|\bw\b|\bcols?\b|_w\b|w_\b", width),
        )
    )


def _method(node: ast.expr) -> bool:
    return bool(
        re.search(r"method|bilinear|bicubic|nearest|area", ast.unparse(node), re.IGNORECASE)
    )


def sides(module: Module) -> tuple[bool, bool]:
    """Whether a module has names that only TensorFlow 2 has, and such as only TensorFlow 1 has."""
    names = [d.partition(".")[2] for _, d in module.references if d.startswith("tensorflow.")]
    heads = {name.partition(".")[0] for name in names}
    one = any("compat.v1" in value for value in module.imported.values())
    one = one or any(_ONE.match(".".join(name.split(".")[:n])) for name in names for n in (1, 2))
    one = one or any((row := _row(name)) and row[1] < (1, 0) for name in names)
    one = one or not _KERAS_OF_1.isdisjoint(names) or _old_accuracy(module) is not None
    keras = heads & {"keras"} and not heads & {"nn", "Variable", "train", "reduce_mean"}
    return bool(heads & _TWO) or bool(keras), one


_OF_BACKEND = "get_session set_session tf learning_phase asymmetric_spatial_2d_padding asymmetric_temporal_padding".split()
_OF_BACKEND += (
    "get_variable_shape has_arg image_dim_ordering set_image_dim_ordering transpose_shape".split()
)
_OF_KERAS_2 = {*KERAS_NAMES, *KERAS_PARTS, "layers.CuDNNGRU", "layers.CuDNNLSTM"}
_OF_KERAS_2 -= {"optimizers.Optimizer"}  # which Keras 3 has, too
_OF_KERAS_2 |= {f"backend.{one}" for one in _OF_BACKEND}
_KERAS_OF_1 = frozenset(
    f"keras.{one}"
    for one in ("backend.get_session", "backend.set_session", "layers.CuDNNGRU", "layers.CuDNNLSTM")
)
"""Names that `tf.keras` had in TensorFlow 1 and has not in 2."""
_OF_RECURRENT = dict.fromkeys(["ConvLSTM2D", "GRU", "LSTM", "SimpleRNN"], ("consume_less",))
_OF_KERAS_3 = frozenset(["KerasTensor", "config", "distribution", "ops", "saving", "tree"])


def is_keras_3(module: Module) -> bool:
    """Whether a module has parts of the package keras that only Keras 3 has."""
    found = [dotted for _, dotted in module.references] + list(module.imported.values())
    return any(one.startswith("keras.") and one.split(".")[1] in _OF_KERAS_3 for one in found)


def _old_accuracy(module: Module) -> int | None:
    """The line where the metric `accuracy` has the name `acc`, which it lost with TensorFlow 2 and Keras 2.3."""
    asked = keras_signs.accuracies(module)
    new = asked.keys() & {"accuracy", "val_accuracy"}
    return None if new else min(asked.values(), default=None)


def _has_star_of_keras(module: Module) -> bool:
    """Whether a name without an import can only be Keras's: no file of the program gives all that it has."""
    stars = [node for node in module.nodes[ast.ImportFrom] if node.names[0].name == "*"]
    if any(node.level or module.has_own(str(node.module).partition(".")[0]) for node in stars):
        return False
    return any(f"{node.module}.".startswith("keras.") for node in stars)


def of_keras_2(module: Module) -> Iterator[tuple[str, int]]:
    """What a module has of the package keras at which Keras 3 ends: (name or argument, line)."""
    if "keras" not in module.packages or module.has_own("keras") or is_keras_3(module):
        return
    for node, dotted in module.references:
        if dotted.startswith("keras.") and dotted.removeprefix("keras.") in _OF_KERAS_2:
            yield dotted, node.lineno
    for call, _, _ in index_generators.triples(module):
        yield "an index_generator of three values", call.lineno
    line = _old_accuracy(module)
    if line is not None:
        yield "the metric acc", line
    optimizers = {
        node for node, dotted in module.references if dotted == "keras.optimizers.Optimizer"
    }
    for cls in module.nodes[ast.ClassDef]:
        if not optimizers.isdisjoint(cls.bases):
            for method in cls.body:
                if isinstance(method, ast.FunctionDef) and method.name == "get_updates":
                    yield "Optimizer.get_updates", method.lineno
    classes = {
        call: dotted.rpartition(".")[2]
        for call, dotted in module.calls
        if dotted.startswith("keras.")
    }
    starred = _has_star_of_keras(module)
    for call in module.nodes[ast.Call]:
        words = {keyword.arg or "" for keyword in call.keywords}
        name = classes.get(call, "")
        if starred and isinstance(call.func, ast.Name) and not name:
            name = "" if module.binder(call.func, call.func.id) else call.func.id
        old = words & {*KERAS_WORDS.get(name, {}), *_OF_RECURRENT.get(name, ())}
        if name in OPTIMIZERS:
            old |= words & {"lr"}  # Keras 3 takes `decay`, and warns
        elif isinstance(call.func, ast.Attribute) and not name:
            name = call.func.attr
            old |= words & {"nb_epoch", *KERAS_STEPS}
            if name in keras_signs.GENERATORS:
                yield name, call.lineno
        for word in sorted(old):
            yield f"{name}({word}=)", call.lineno
