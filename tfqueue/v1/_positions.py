"""Functions that took their arguments in another order up to TensorFlow 0.12.

The order is one row. A program that is known to be from before 1.0 (`tfqueue.release`) gets it; any
other gets that of 1.15, which refused positions where the two could be confused.
"""

import functools
import inspect
from collections.abc import Callable
from typing import Any

from tfqueue import _tensorflow, release

_tf = _tensorflow.compat_v1()

_SAMPLED = (
    "weights biases inputs labels num_sampled num_classes num_true sampled_values "
    "remove_accidental_hits partition_strategy name"
)
UNTIL_0_12 = {
    "cond": "pred true_fn false_fn name",
    "nn.conv2d": "input filter strides padding use_cudnn_on_gpu data_format name",
    "nn.ctc_loss": "inputs labels sequence_length preprocess_collapse_repeated "
    "ctc_merge_repeated time_major",
    "nn.nce_loss": _SAMPLED,
    "nn.sampled_softmax_loss": _SAMPLED,
    "nn.sigmoid_cross_entropy_with_logits": "logits labels name",
    "nn.softmax_cross_entropy_with_logits": "logits labels dim name",
    "nn.sparse_softmax_cross_entropy_with_logits": "logits labels name",
    "nn.top_k": "input k sorted name",
    "nn.weighted_cross_entropy_with_logits": "logits labels pos_weight name",
    "scan": "fn elems initializer parallel_iterations back_prop swap_memory infer_shape name",
}
"""Dotted name below `tf` -> what its positions were, in the words of today."""

_BY_NAME = frozenset(
    f"nn.{kind}_cross_entropy_with_logits" for kind in ("sigmoid", "softmax", "sparse_softmax")
)
_RENAMED = {"nn.sigmoid_cross_entropy_with_logits": {"targets": "labels"}}


def _by_release(dotted: str, positions: str) -> Callable[..., Any]:
    """The function `tf.<dotted>`, with the order of arguments of the program's release."""
    function = _tf
    for part in dotted.split("."):
        function = getattr(function, part)
    words = positions.split()
    renamed = _RENAMED.get(dotted, {})

    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        for old, new in renamed.items():
            if old in kwargs:
                kwargs[new] = kwargs.pop(old)
        if args and release.before("1.0"):
            twice = set(words[: len(args)]) & set(kwargs)
            if twice or len(args) > len(words):
                what = f"{min(twice)!r} twice" if twice else f"{len(args)} arguments"
                raise TypeError(f"tf.{dotted} got {what}; up to 0.12 it took ({', '.join(words)})")
            kwargs.update(zip(words, args, strict=False))
            args = ()
        elif args and dotted in _BY_NAME:
            raise ValueError(
                f"tf.{dotted} takes its arguments by name since TensorFlow 1.0: labels=..., "
                "logits=... (by position, the logits came first up to 0.12)"
            )
        return function(*args, **kwargs)

    wrapper.__module__ = __name__
    vars(wrapper)["__signature__"] = inspect.signature(_tensorflow.undecorated(function))
    wrapper.__doc__ = (
        f"`tf.{dotted}`, with its arguments as in the release that the program is from.\n\n"
        f"    Up to 0.12 they were ({', '.join(words)}).\n    "
    )
    return wrapper


FUNCTIONS = {dotted: _by_release(dotted, words) for dotted, words in UNTIL_0_12.items()}
"""Dotted name below `tf` -> what is laid over it."""
