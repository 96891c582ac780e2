"""Which TensorFlow a program was written for, told from the names it uses.

Where two releases gave one call two meanings, the program's other names decide. Every name below
was looked up in the releases themselves (0.12.1 and 1.15.5), or in the release notes:
https://github.com/tensorflow/tensorflow/blob/r1.15/RELEASE.md
"""

from __future__ import annotations

import argparse
import ast
import dataclasses
import re

Version = tuple[int, ...]
_FIRST, _LAST = (0, 5), (1, 15)

# (first release that has the name, last release that has it): names below `tensorflow`
_UNTIL_0_12 = [
    "pack",
    "unpack",
    "mul",
    "sub",
    "neg",
    "inv",
    "select",
    "listdiff",
    "complex_abs",
    "concat_v2",
    "split_v",
    "batch_matmul",
    "scalar_summary",
    "image_summary",
    "histogram_summary",
    "audio_summary",
    "merge_summary",
    "merge_all_summaries",
    "train.SummaryWriter",
    "nn.seq2seq",
    "nn.rnn",
    "nn.bidirectional_rnn",
    "nn.state_saving_rnn",
    "nn.deconv2d",
    "python.platform.google",
]
_UNTIL_0_11 = ["image.per_image_whitening"]
_SINCE_0_12 = [
    "global_variables_initializer",
    "local_variables_initializer",
    "variables_initializer",
    "global_variables",
    "stack",
    "unstack",
    "multiply",
    "subtract",
    "negative",
    "summary.scalar",
    "summary.merge_all",
    "summary.FileWriter",
    "summary.image",
    "summary.histogram",
    "image.per_image_standardization",
]
_SINCE_1_0 = [
    "layers",
    "losses",
    "metrics",
    "tables_initializer",
    "glorot_uniform_initializer",
    "norm",
    "image.decode_image",
    "train.maybe_batch",
    "train.maybe_shuffle_batch",
]
_SINCE_1_2 = ["train.get_or_create_global_step", "train.create_global_step", "contrib.data"]
_SINCE_1_4 = ["data", "estimator", "keras", "feature_column"]
_SINCE_1_5 = [
    "nn.softmax_cross_entropy_with_logits_v2",
    "math",
    "io",
    "manip",
    "compat.v1",
    "strings.split",
    "disable_v2_behavior",
    "disable_eager_execution",
    "enable_eager_execution",
]
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
    **{name: (_FIRST, (0, 12)) for name in _UNTIL_0_12},
    **{name: (_FIRST, (0, 11)) for name in _UNTIL_0_11},
    **{name: ((0, 12), _LAST) for name in _SINCE_0_12},
    **{name: ((1, 0), _LAST) for name in _SINCE_1_0},
    **{name: ((1, 0), (1, 0)) for name in _ONLY_1_0},
    **{name: ((1, 0), (1, 1)) for name in _ONLY_1_0_AND_1_1},
    **{name: ((1, 2), _LAST) for name in _SINCE_1_2},
    **{name: ((1, 4), _LAST) for name in _SINCE_1_4},
    **{name: ((1, 5), _LAST) for name in _SINCE_1_5},
}


@dataclasses.dataclass(frozen=True)
class Era:
    """A range of TensorFlow releases, with the names that narrowed it.

    Attributes:
        low: The first release that the program can be from.
        high: The last one.
        why: The names that decided, as ``name (line)``.
        given: Whether ``--era`` set it.
        two: Whether the file is a TensorFlow 2 program, and to be left alone.
    """

    low: Version = _FIRST
    high: Version = _LAST
    why: tuple[str, ...] = ()
    given: bool = False
    two: bool = False

    @property
    def old(self) -> bool:
        """Surely before 1.0: the axis first, losses by (logits, labels)."""
        return self.high < (1, 0)

    @property
    def new(self) -> bool:
        """Surely 1.0 or later."""
        return self.low >= (1, 0)

    @property
    def one_initializer(self) -> bool:
        """It can be that the global initialiser was meant to set the local variables too."""
        return self.low <= (1, 0)

    @property
    def decided(self) -> bool:
        """Whether any name said something."""
        return self.low != _FIRST or self.high != _LAST

    def __str__(self) -> str:
        if self.two:
            return "TensorFlow 2"
        low, high = (".".join(map(str, version)) for version in (self.low, self.high))
        if not self.decided:
            return "any TensorFlow before 2"
        if self.low == self.high:
            text = f"TensorFlow {low}"
        elif self.low == _FIRST:
            text = f"TensorFlow up to {high}"
        elif self.high == _LAST:
            text = f"TensorFlow {low} or later"
        else:
            text = f"TensorFlow {low} to {high}"
        if self.given:
            return f"{text}: set by --era"
        return f"{text}: {', '.join(self.why[:4])}" if self.why else text


UNKNOWN = Era()


def parse(text: str) -> Era:
    """Returns the era that ``--era`` names.

    Raises:
        ValueError: The text is no TensorFlow release before 2.

    >>> parse("0.12").old, parse("1.4").new
    (True, True)
    """
    match = re.fullmatch(r"([01])\.(\d+|x)(\.\d+)?", text)
    if not match:
        raise ValueError(f"{text!r} is not a TensorFlow release before 2.0, such as 0.12 or 1.4")
    if match[2] == "x":
        return Era((1, 0), _LAST, given=True) if match[1] == "1" else Era(high=(0, 12), given=True)
    version = (int(match[1]), int(match[2]))
    return Era(version, version, given=True)


# Keywords that only one of two orders had: {function: {keyword: releases}}
_KEYWORDS = {
    "SparseTensor": {"shape": (_FIRST, (0, 12)), "dense_shape": ((1, 0), _LAST)},
    "SparseTensorValue": {"shape": (_FIRST, (0, 12)), "dense_shape": ((1, 0), _LAST)},
    "concat": {"concat_dim": (_FIRST, (0, 12))},
    "reverse": {"dims": (_FIRST, (0, 12))},
    "split": {"split_dim": (_FIRST, (0, 12)), "num_or_size_splits": ((1, 0), _LAST)},
}


def _row(name: str) -> tuple[Version, Version] | None:
    while name:
        if name in ROWS:
            return ROWS[name]
        name = name.rpartition(".")[0]
    return None


def evidence(module) -> list[tuple[str, int, Version, Version]]:
    """Returns what a module's names say: (name, line, first release, last release)."""
    found = {}
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
            found.setdefault(node.attr, (f"FLAGS.{node.attr}", node.lineno, _FIRST, (1, 4)))
    return list(found.values())


def _call_order(call: ast.Call, dotted: str):
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
            return "tf.concat(axis, values)", (_FIRST, (0, 12))
        if isinstance(first, ast.List | ast.Tuple):
            return "tf.concat(values, axis)", ((1, 0), _LAST)
    elif dotted == "tensorflow.split" and number and len(call.args) > 2:
        return "tf.split(axis, num, value)", (_FIRST, (0, 12))
    elif dotted.endswith("_cross_entropy_with_logits") and len(call.args) > 1:
        return f"{dotted.rpartition('.')[2]} by position", (_FIRST, (0, 12))
    elif dotted == "tensorflow.image.resize_images" and takes_height_and_width(call):
        return "tf.image.resize_images(images, height, width)", (_FIRST, (0, 11))
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


def sides(module) -> tuple[bool, bool]:
    """Whether a module has names that only TensorFlow 2 has, and such as only TensorFlow 1 has."""
    names = [d.partition(".")[2] for _, d in module.references if d.startswith("tensorflow.")]
    heads = {name.partition(".")[0] for name in names}
    one = any("compat.v1" in value for value in module.imported.values())
    one = one or any(_ONE.match(".".join(name.split(".")[:n])) for name in names for n in (1, 2))
    one = one or any((row := _row(name)) and row[1] < (1, 0) for name in names)
    keras = heads & {"keras"} and not heads & {"nn", "Variable", "train", "reduce_mean"}
    return bool(heads & _TWO) or bool(keras), one


def tell(found: list[tuple[str, int, Version, Version]]) -> Era:
    """Narrows the era by evidence. Where it disagrees, the majority of names has it.

    >>> tell([("tf.pack", 3, (0, 5), (0, 12))]).old
    True
    """
    before = [row for row in found if row[3] < (1, 0)]
    after = [row for row in found if row[2] >= (1, 0)]
    if before and after:
        # a program with both was ported by half: names are ported before call orders, and the
        # words that came later can't have been there earlier
        found = [row for row in found if row not in (before if len(after) > len(before) else after)]
    low = max([row[2] for row in found], default=_FIRST)
    high = min([row[3] for row in found], default=_LAST)
    if low > high:
        low = high = max(low, (0, 12)) if low < (1, 0) else low
    decisive = [row for row in found if row[2] == low != _FIRST or row[3] == high != _LAST]
    why = tuple(f"{name} (line {line})" for name, line, *_ in sorted(decisive, key=lambda r: r[1]))
    return Era(low, high, why)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options by which the user says what a program was written for."""
    parser.add_argument(
        "--python", type=int, choices=(2, 3), help="the Python that it was written for"
    )
    parser.add_argument("--era", metavar="RELEASE", help="the TensorFlow it is from, such as 0.12")
