"""The losses took (logits, labels) by position until TensorFlow 1.0, which forbade positions.

https://github.com/tensorflow/tensorflow/releases/tag/v1.0.0
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfqueue.port.program.era import Era
from tfqueue.port.program.module import Module
from tfqueue.port.source.finding import Finding

WORDS = ("_with_logits", "ctc_loss", "sampled_softmax_loss", "nce_loss", ".losses")
_LOSSES = {
    "sparse_softmax_cross_entropy_with_logits": "logits labels name",
    "softmax_cross_entropy_with_logits": "logits labels dim name",
    "sigmoid_cross_entropy_with_logits": "logits labels name",
}
# Positions stayed allowed for these: the era shows which order is meant, or else the values at run time.
_SAMPLED = (
    "weights biases inputs labels num_sampled num_classes num_true sampled_values "
    "remove_accidental_hits partition_strategy name"
)
_ORDERS = {
    "ctc_loss": "inputs labels sequence_length preprocess_collapse_repeated ctc_merge_repeated "
    "time_major",
    "sampled_softmax_loss": _SAMPLED,
    "nce_loss": _SAMPLED,
    "weighted_cross_entropy_with_logits": "logits labels pos_weight name",
}

_ONLY_OLD = "tensorflow.contrib.ctc"  # gone in 0.9
_HOMES = (
    *("tensorflow.nn", _ONLY_OLD),
    *(f"tensorflow.python.ops.{name}" for name in ("ctc_ops", "nn", "nn_impl", "nn_ops")),
)


def _order(name: str, era: Era) -> list[str] | None:
    """The words for a call's positions, or None where they mean the same today."""
    # 1.0 to 1.15 refused positions, 2.x takes them the other way round
    if name in _LOSSES and not era.new:
        return _LOSSES[name].split()
    if name in _ORDERS and era.old:
        return _ORDERS[name].split()
    return None


def find(module: Module) -> Iterator[Finding]:
    """Finds losses called by position, and the old keywords `targets` and `weight`."""
    for call, dotted in module.calls:
        parent, _, name = dotted.rpartition(".")
        if parent in ("tensorflow.contrib.losses", "tensorflow.contrib.slim.losses"):
            for keyword in call.keywords:
                if keyword.arg == "weight":
                    message = f"tf.contrib.losses.{name} calls it weights since TensorFlow 0.12"
                    yield module.finding(call, message)
                    module.rename(keyword, "weights")
            continue
        known = name in _LOSSES or name in _ORDERS
        if parent not in _HOMES or not known:
            continue
        if any(isinstance(arg, ast.Starred) for arg in call.args):
            continue
        order = None if module.ported else _order(name, module.era)
        if parent == _ONLY_OLD and name in _ORDERS:
            order = _ORDERS[name].split()
        targets = [keyword for keyword in call.keywords if keyword.arg == "targets"]
        renamed = order if order and 1 < len(call.args) <= len(order) else None
        alone = order and len(call.args) == 1 and bool(targets)
        if not (targets or renamed):
            continue
        first = "logits" if name.endswith("with_logits") else "inputs"
        yield module.finding(call, f"tf.nn.{name} took {first} before labels until TensorFlow 1.0")
        for keyword in targets:
            module.rename(keyword, "labels")
        if renamed:
            module.name_arguments(call, renamed)
        elif alone:
            module.name_arguments(call, ["logits"])
