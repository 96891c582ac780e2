"""How many ops functions of `tf`, `tf.nn`, `tf.metrics` and `tf.signal` were in 1.4 to 1.15.

`tfqueue.v1._op_counts` says what for. A function that calls another one of these counts only what is its own.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np
from tensorflow.python.eager import context
from tensorflow.python.framework import dtypes, ops, tensor_shape, tensor_util
from tensorflow.python.framework.tensor_shape import dimension_value
from tensorflow.python.keras.optimizer_v2 import legacy_learning_rate_decay
from tensorflow.python.ops import (
    array_ops,
    check_ops,
    clip_ops,
    confusion_matrix,
    functional_ops,
    map_fn,
    math_ops,
    metrics_impl,
    nn_impl,
    nn_ops,
    parsing_ops,
    special_math_ops,
    string_ops,
    variables,
)
from tensorflow.python.ops.signal import dct_ops, shape_ops, spectral_ops
from tensorflow.python.util import nest

from tfqueue import release
from tfqueue._tensorflow import seeds
from tfqueue.v1._op_counts import with_more
from tfqueue.v1._random_ops import ours

_Count = Callable[..., int]


def _of(latest: int, *earlier: tuple[str, int]) -> _Count:
    """How many ops more a function was.

    Args:
        latest: In 1.15.
        *earlier: How many before a release, the latest release first.
    """

    def how_many(*args: Any, **kwargs: Any) -> int:
        number = latest
        for bound, before in earlier:
            if release.before(bound):
                number = before
        return number

    return how_many


def _where(applies: Callable[..., bool], how_many: _Count) -> _Count:
    """The same of calls with such arguments only."""
    return lambda *args, **kwargs: how_many() if applies(*args, **kwargs) else 0


def _known_rows(fn: Any, elems: Any, *args: Any, **kwargs: Any) -> bool:
    """Whether it is known how many elements a function is called with."""
    shape = tensor_shape.TensorShape(getattr(nest.flatten(elems)[0], "shape", None))
    return shape.rank is not None and dimension_value(shape[0]) is not None


def _over_elements(known: _Count, unknown: _Count) -> _Count:
    """The loop had no counter of its turns before it had `maximum_iterations`."""
    return lambda *args, **kwargs: (known if _known_rows(*args, **kwargs) else unknown)()


def _without_longest(lengths: Any, maxlen: Any = None, *args: Any, **kwargs: Any) -> bool:
    return maxlen is None


def _of_pairs(labels: Any, predictions: Any, num_classes: Any = None, *rest: Any, **kw: Any) -> int:
    """`confusion_matrix`."""
    if num_classes is None:
        return _of(3, ("1.7", 11))()
    return _of(2, ("1.7", 10), ("1.5", 6))()


def _reshaped(inputs: Any, compute_op: Any, dim: Any = -1, name: str | None = None) -> int:
    """`softmax` and `log_softmax` were those of a matrix."""
    rank = tensor_shape.TensorShape(getattr(inputs, "shape", None)).rank
    last = dim == -1 or (rank is not None and dim == rank - 1)
    if last:
        return 0 if rank == 2 else _of(0, ("1.11", 13))()
    return _of(0, ("1.13", -1), ("1.12", 0), ("1.11", 12))()


def _of_unknown_sizes(
    _sentinel: Any = None, labels: Any = None, logits: Any = None, name: str | None = None
) -> int:
    """`sparse_softmax_cross_entropy_with_logits` of more than a row for each example."""
    shape = tensor_shape.TensorShape(getattr(logits, "shape", None))
    if shape.is_fully_defined() or shape.rank == 2:
        return 0
    return _of(0, ("1.7", -18))()


def _of_unknown_shape(x: Any, *args: Any, **kwargs: Any) -> bool:
    return not tensor_shape.TensorShape(getattr(x, "shape", None)).is_fully_defined()


def _undilated(*args: Any, **kwargs: Any) -> bool:
    rate = kwargs.get("dilation_rate", args[4] if len(args) > 4 else None)
    return rate is None or (not tensor_util.is_tf_type(rate) and bool(np.all(np.equal(rate, 1))))


def _with_shape(dtype: Any, shape: Any = None, name: str | None = None) -> bool:
    return shape is not None


def _sliced(tensor: Any, slice_spec: Any, var: Any = None) -> int:
    """A slice with a tensor: a bound that it leaves out was a number, and the bounds of all axes one constant."""
    several = isinstance(slice_spec, (list, tuple))
    specs = list(slice_spec) if several else [slice_spec]
    bounds = [(each.start, each.stop, each.step) for each in specs if isinstance(each, slice)]
    given = [each for row in bounds for each in row if tensor_util.is_tf_type(each)]
    if not given or any(each.dtype.base_dtype != dtypes.int32 for each in given):
        return 0
    places = [each for each in specs if tensor_util.is_tf_type(each)]
    lacking = 0
    for which in range(3):
        packed = any(tensor_util.is_tf_type(row[which]) for row in bounds)
        packed = packed or (which < 2 and bool(places))
        left_out = any(
            row[which] is None and any(map(tensor_util.is_tf_type, row)) for row in bounds
        )
        lacking += len(specs) if left_out and not packed else 0
    return -lacking


def _parsed(original: Callable[..., Any], how_many: _Count) -> Callable[..., Any]:
    """A parser: it is asked with the number of sparse and of dense features."""

    @ours(original)
    def function(*args: Any, **kwargs: Any) -> Any:
        with seeds.built() as made:
            result = original(*args, **kwargs)
        for op in made:
            if op.type == "ParseExampleV2":
                seeds.more(how_many(op.get_attr("num_sparse"), len(op.get_attr("Tdense"))))
            elif op.type == "ParseSequenceExampleV2":
                kinds = ("Ncontext_sparse", "Nfeature_list_sparse")
                dense = ("Tcontext_dense", "feature_list_dense_types")
                keys = sum(op.get_attr(kind) for kind in kinds)
                seeds.more(keys + sum(len(op.get_attr(kind)) for kind in dense) - 6)
        return result

    return function


def _one_parsed(sparse: int, dense: int) -> int:
    """`parse_single_example` parsed a batch of one up to 1.5."""
    return 7 * sparse + 2 * dense - 1 if release.before("1.6") else -4


def _asserted(
    original: Callable[..., Any], plain: _Count, left_out: _Count, says: bool = True
) -> Callable[..., Any]:
    """A comparison that is asserted.

    Args:
        plain: What one was more that says nothing of its own.
        left_out: What one was more whose op is left out today, as it holds anyway.
        says: Whether a message counts: in TensorFlow's own functions their rows have it in them.
    """

    @ours(original)
    def function(
        x: Any,
        y: Any,
        data: Any = None,
        summarize: Any = None,
        message: Any = None,
        name: Any = None,
    ) -> Any:
        result = original(x, y, data, summarize, message, name)
        if getattr(result, "type", "") == "NoOp":
            seeds.more(left_out())
        elif release.before("1.15"):
            own = 0 if says and data is not None else plain()
            seeds.more(own - (2 if says and message else 0))
        return result

    return function


def _decayed(*args: Any, **kwargs: Any) -> int:
    if kwargs.get("cycle", args[5] if len(args) > 5 else False):
        return 5
    return 0 if release.before("1.10") else 1


_DIVIDED = _of(0, ("1.13", 2), ("1.8", 6), ("1.6", 4))
"""Of the two divisions of a mean."""
_MORE: dict[str, tuple[Any, _Count]] = {
    "boolean_mask": (array_ops, _of(0, ("1.5", -5))),
    "clip_by_value": (clip_ops, lambda *args, **kwargs: _of(0, ("1.9", -1), ("1.8", 0))()),
    "foldl": (
        functional_ops,
        _over_elements(_of(0, ("1.13", -13), ("1.9", -9)), _of(0, ("1.13", -11))),
    ),
    "foldr": (functional_ops, _over_elements(_of(0), _of(0, ("1.13", -12)))),
    "map_fn": (
        map_fn,
        _over_elements(_of(0, ("1.9", -13), ("1.8", -10)), _of(0, ("1.9", -11))),
    ),
    "matrix_diag": (array_ops, _of(-4)),
    "matrix_diag_part": (array_ops, _of(-2)),
    "matrix_set_diag": (array_ops, _of(-1)),
    "metrics.auc": (metrics_impl, _of(0, ("1.15", -4))),
    "metrics.mean": (metrics_impl, _DIVIDED),
    "metrics.mean_squared_error": (metrics_impl, _of(0, ("1.14", 1))),
    "nn.convolution": (nn_ops, _where(_undilated, _of(0, ("1.14", 1)))),
    "nn.sparse_softmax_cross_entropy_with_logits": (nn_ops, _of_unknown_sizes),
    "nn.sufficient_statistics": (nn_impl, _where(_of_unknown_shape, _of(-1))),
    "nn.swish": (nn_impl, _of(-2, ("1.15", -5))),
    "nn.zero_fraction": (nn_impl, _of(0, ("1.13", -21), ("1.8", -25), ("1.6", -21))),
    "regex_replace": (string_ops, _of(0, ("1.13", 2))),
    "scan": (functional_ops, _over_elements(_of(0, ("1.8", -10)), _of(0, ("1.8", -11)))),
    "sequence_mask": (array_ops, _where(_without_longest, _of(0, ("1.14", -2)))),
    "signal.dct": (dct_ops, _of(-1, ("1.10", -2))),
    "signal.frame": (shape_ops, _of(-4)),
    "signal.stft": (spectral_ops, _of(-1)),
    "train.polynomial_decay": (legacy_learning_rate_decay, _decayed),
    "sparse_placeholder": (array_ops, _where(_with_shape, _of(-1))),
}
"""By their names below `tf`: the module whose function it is, and what it was more."""
_ALIASES = {
    "spectral.dct": "signal.dct",
    "linalg.diag": "matrix_diag",
    "linalg.diag_part": "matrix_diag_part",
    "linalg.set_diag": "matrix_set_diag",
    "strings.regex_replace": "regex_replace",
}


def _home(name: str) -> tuple[Any, str]:
    return _MORE[name][0], name.rpartition(".")[2]


_COUNTING = {name: with_more(getattr(*_home(name)), _MORE[name][1]) for name in _MORE}
parse_example = _parsed(parsing_ops.parse_example, lambda sparse, dense: sparse + dense - 3)
parse_sequence = _parsed(parsing_ops.parse_single_sequence_example, lambda sparse, dense: 0)
_EQUAL = _of(2), _of(0, ("1.15", 11))
_ASSERTIONS = {
    "assert_equal": _asserted(check_ops.assert_equal, *_EQUAL),
    "assert_less": _asserted(check_ops.assert_less, _of(2, ("1.5", 0)), _of(0)),
    **{
        name: _asserted(getattr(check_ops, name), _of(0), _of(0))
        for name in ("assert_less_equal", "assert_greater", "assert_greater_equal")
    },
}
FUNCTIONS = {
    **_COUNTING,
    **{alias: _COUNTING[name] for alias, name in _ALIASES.items()},
    **_ASSERTIONS,
    **{f"debugging.{name}": function for name, function in _ASSERTIONS.items()},
    **dict.fromkeys(("parse_example", "io.parse_example"), parse_example),
    "parse_single_sequence_example": parse_sequence,
}
"""By their names below `tf`."""


def einsum(equation: str, *inputs: Any, **kwargs: Any) -> Any:
    """`tf.einsum` that is built as up to 1.15 where the seed of a graph counts: one op stands for many today.

    Three tensors and more are left to that op: TensorFlow 1 went through them in their order, which may take far longer.
    """
    axes = equation.replace(" ", "").partition("->")[0]
    counts = not context.executing_eagerly() and ops.get_default_graph().seed is not None
    once = "." not in axes and all(len({*each}) == len(each) for each in axes.split(","))
    if not counts or not once or len(inputs) > 2 or not all(map(_has_rank, inputs)):
        return special_math_ops.einsum(equation, *inputs, **kwargs)
    kwargs.pop("optimize", None)
    return special_math_ops._einsum_v1(equation, *inputs, **kwargs)


def _has_rank(tensor: Any) -> bool:
    kinds = (ops.Tensor, variables.Variable)
    return isinstance(tensor, kinds) and tensor.shape.rank is not None


def _always_transposed(original: Callable[..., Any]) -> Callable[..., Any]:
    """What `tf.einsum` transposes: in Python 3 everything up to 1.14, if only to what it is."""

    @ours(original)
    def transpose(tensor: Any, perm: list[int]) -> Any:
        if release.before("1.15") and perm == [*range(len(perm))]:
            return array_ops.transpose(tensor, perm)
        return original(tensor, perm)

    return transpose


def one_parsed(original: Callable[..., Any]) -> Callable[..., Any]:
    """`parse_single_example` that counts."""
    return _parsed(original, _one_parsed)


def install() -> None:
    """Puts them where TensorFlow's own functions look for them."""
    for name, function in _COUNTING.items():
        setattr(*_home(name), function)
    check_ops.assert_equal = _asserted(check_ops.assert_equal, *_EQUAL, says=False)
    special_math_ops._transpose_if_necessary = _always_transposed(
        special_math_ops._transpose_if_necessary
    )
    math_ops.reduce_logsumexp = with_more(math_ops.reduce_logsumexp, _of(0, ("1.6", -1)))
    confusion_matrix.confusion_matrix = with_more(confusion_matrix.confusion_matrix, _of_pairs)
    nn_ops.softmax_cross_entropy_with_logits_v2_helper = with_more(
        nn_ops.softmax_cross_entropy_with_logits_v2_helper, _of(0, ("1.5", -1))
    )
    nn_ops._wrap_2d_function = with_more(nn_ops._wrap_2d_function, _reshaped)
    tensor = ops.Tensor
    sliced = with_more(tensor.__getitem__, _sliced)
    vars(sys.modules[tensor.__getitem__.__module__])["_slice_helper"] = sliced  # of variables
    tensor.__getitem__ = sliced
