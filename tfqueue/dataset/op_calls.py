"""The calls that ops are written as, one row an op type.

An op without a row is written as `tf.raw_ops.<Type>(...)`.

In a row `{0}` is an input as an expression, `{0!c}` one whose constants need not say their dtype,
`{*}` all inputs as a list, `{*-1}` all but the last, `{name}` an attribute. After the call stand
attributes that are only written where they are not the default.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from tfqueue import _tensorflow, errors
from tfqueue._tensorflow.types import Op, Tensor
from tfqueue.dataset import literals
from tfqueue.graph.statefulness import RANDOM

_tf = _tensorflow.compat_v1()

Row: TypeAlias = tuple[str, dict[str, tuple[str, object]]]
"""The template of a call, and `(keyword, default)` by attribute."""

ROWS: dict[str, Row] = {
    "Cast": ("tf.cast({0}, {DstT})", {}),
    "Bitcast": ("tf.bitcast({0}, {type})", {}),
    "DecodeRaw": ("tf.io.decode_raw({0}, {out_type})", {"little_endian": ("little_endian", True)}),
    "EnsureShape": ("tf.ensure_shape({0}, {shape})", {}),
    "Reshape": ("tf.reshape({0}, {1!c})", {}),
    "Transpose": ("tf.transpose({0}, {1!c})", {}),
    "Pack": ("tf.stack({*})", {"axis": ("axis", 0)}),
    "ConcatV2": ("tf.concat({*-1}, axis={-1!c})", {}),
    "ExpandDims": ("tf.expand_dims({0}, {1!c})", {}),
    "Squeeze": ("tf.squeeze({0})", {"squeeze_dims": ("axis", [])}),
    "Shape": ("tf.shape({0})", {"out_type": ("out_type", "tf.int32")}),
    "Size": ("tf.size({0})", {"out_type": ("out_type", "tf.int32")}),
    "Rank": ("tf.rank({0})", {}),
    "Fill": ("tf.fill({0!c}, {1})", {}),
    "Tile": ("tf.tile({0}, {1!c})", {}),
    "Slice": ("tf.slice({0}, {1!c}, {2!c})", {}),
    "Pad": ("tf.pad({0}, {1!c})", {}),
    "PadV2": ("tf.pad({0}, {1!c}, constant_values={2!c})", {}),
    "GatherV2": ("tf.gather({0}, {1!c}, axis={2!c})", {}),
    "Range": ("tf.range({0}, {1}, {2})", {}),
    "OneHot": ("tf.one_hot({0}, {1!c}, on_value={2}, off_value={3})", {"axis": ("axis", -1)}),
    "Select": ("tf.where({0}, {1}, {2})", {}),
    "SelectV2": ("tf.where({0}, {1}, {2})", {}),
    "ZerosLike": ("tf.zeros_like({0})", {}),
    "OnesLike": ("tf.ones_like({0})", {}),
    "ReverseV2": ("tf.reverse({0}, {1!c})", {}),
    "Sum": ("tf.reduce_sum({0}, {1!c})", {"keep_dims": ("keepdims", False)}),
    "Mean": ("tf.reduce_mean({0}, {1!c})", {"keep_dims": ("keepdims", False)}),
    "Max": ("tf.reduce_max({0}, {1!c})", {"keep_dims": ("keepdims", False)}),
    "Min": ("tf.reduce_min({0}, {1!c})", {"keep_dims": ("keepdims", False)}),
    "All": ("tf.reduce_all({0}, {1!c})", {"keep_dims": ("keepdims", False)}),
    "Any": ("tf.reduce_any({0}, {1!c})", {"keep_dims": ("keepdims", False)}),
    "ArgMax": ("tf.argmax({0}, {1!c})", {"output_type": ("output_type", "tf.int64")}),
    "MatMul": ("tf.matmul({0}, {1})", {"transpose_a": ("transpose_a", False)}),
    "Maximum": ("tf.maximum({0!c}, {1!c})", {}),
    "Minimum": ("tf.minimum({0!c}, {1!c})", {}),
    "Neg": ("tf.negative({0})", {}),
    "Prod": ("tf.reduce_prod({0}, {1!c})", {"keep_dims": ("keepdims", False)}),
    "Sqrt": ("tf.sqrt({0})", {}),
    "Rsqrt": ("tf.math.rsqrt({0})", {}),
    "Square": ("tf.square({0})", {}),
    "Exp": ("tf.exp({0})", {}),
    "Log": ("tf.math.log({0})", {}),
    "Abs": ("tf.abs({0})", {}),
    "Round": ("tf.round({0})", {}),
    "Floor": ("tf.floor({0})", {}),
    "Tanh": ("tf.tanh({0})", {}),
    "Sigmoid": ("tf.sigmoid({0})", {}),
    "SquaredDifference": ("tf.math.squared_difference({0}, {1})", {}),
    "ReadFile": ("tf.io.read_file({0})", {}),
    "DecodeJpeg": (
        "tf.io.decode_jpeg({0}, channels={channels})",
        {"ratio": ("ratio", 1), "dct_method": ("dct_method", "''")},
    ),
    "DecodePng": ("tf.io.decode_png({0}, channels={channels}, dtype={dtype})", {}),
    "DecodeBmp": ("tf.io.decode_bmp({0}, channels={channels})", {}),
    "DecodeGif": ("tf.io.decode_gif({0})", {}),
    "StringToNumber": ("tf.strings.to_number({0}, {out_type})", {}),
    "StringToHashBucketFast": ("tf.strings.to_hash_bucket_fast({0}, {num_buckets})", {}),
    "StringLower": ("tf.strings.lower({0})", {}),
    "StringStrip": ("tf.strings.strip({0})", {}),
    "AsString": ("tf.strings.as_string({0})", {}),
    "RandomShuffle": ("tf.random.shuffle({0})", {}),
    "RandomUniform": ("tf.random.uniform({0!c})", {"dtype": ("dtype", "tf.float32")}),
    "RandomStandardNormal": ("tf.random.normal({0!c})", {"dtype": ("dtype", "tf.float32")}),
    "AdjustContrastv2": ("tf.image.adjust_contrast({0}, {1})", {}),
    "LogicalAnd": ("tf.logical_and({0}, {1})", {}),
    "LogicalOr": ("tf.logical_or({0}, {1})", {}),
    "LogicalNot": ("tf.logical_not({0})", {}),
    "Equal": ("tf.equal({0}, {1})", {}),
    "NotEqual": ("tf.not_equal({0}, {1})", {}),
}

OPERATORS = {
    "AddV2": "+",
    "Add": "+",
    "Sub": "-",
    "Mul": "*",
    "RealDiv": "/",
    "FloorDiv": "//",
    "FloorMod": "%",
    "Greater": ">",
    "GreaterEqual": ">=",
    "Less": "<",
    "LessEqual": "<=",
}


def is_operator(op: Op) -> bool:
    """Whether Python's operator makes this very op of such operands."""
    return op.type != "RealDiv" or op.inputs[0].dtype.is_floating


SAME = frozenset(
    ["Identity", "StopGradient", "Snapshot", "PreventGradient", "PlaceholderWithDefault"]
)
"""Ops that return their first input unchanged."""


def row(op: Op) -> Row | None:
    """The row of an op, or None where it must be written as a raw op."""
    found = ROWS.get(op.type)
    if op.type in RANDOM and (op.get_attr("seed") or op.get_attr("seed2")):
        return None  # a raw op has both seeds as arguments
    if found and op.type in _FIXED:
        attribute, value = _FIXED[op.type]
        return found if op.get_attr(attribute) == value else None
    return found


_FIXED: dict[str, tuple[str, object]] = {
    "GatherV2": ("batch_dims", 0),
    "MatMul": ("transpose_b", False),
    "Equal": ("incompatible_shape_error", True),
    "NotEqual": ("incompatible_shape_error", True),
}
"""Attributes that the function of a row does not take, and what it has for them: `(name, value)`."""


def raw(op: Op, expression: Callable[[Tensor], str]) -> str:
    """An op as `tf.raw_ops.<Type>(name=...)`.

    Args:
        expression: Function from a tensor to its expression.
    """
    parts: list[str] = []
    inferred: set[str] = set()
    names = _names(op)
    taken = groups(op, op.op_def.input_arg, op.inputs)
    for argument in op.op_def.input_arg:
        inferred |= {argument.type_attr, argument.number_attr, argument.type_list_attr}
        text = ", ".join(map(expression, taken[argument.name]))
        text = text if _length(op, argument) is None else f"[{text}]"
        parts.append(f"{names[argument.name]}={text}")
    for attribute in op.op_def.attr:
        if attribute.name in inferred or attribute.name.startswith("_"):
            continue
        given = op.node_def.attr[attribute.name]
        if given == attribute.default_value:
            continue
        written = literals.attribute(given)
        if written is None:
            raise errors.CannotLiftError(
                f"{op.type} {op.name!r} has a {attribute.name!r} that is no text"
            )
        parts.append(f"{names[attribute.name]}={written}")
    if not hasattr(_tf.raw_ops, op.type):
        raise errors.CannotLiftError(f"{op.type} {op.name!r} is not one of tf.raw_ops")
    return f"tf.raw_ops.{op.type}({', '.join(parts)})"


def groups(op: Op, arguments: Iterable[Any], tensors: Iterable[Tensor]) -> dict[str, list[Tensor]]:
    """Dict from the name of an op's inputs or outputs to the list of tensors under it."""
    found, rest = {}, list(tensors)
    for argument in arguments:
        count = _length(op, argument)
        count = 1 if count is None else count
        found[argument.name], rest = rest[:count], rest[count:]
    return found


def _length(op: Op, argument: Any) -> int | None:
    """How many tensors an input or output of an op has that is a list of them; else None."""
    if argument.number_attr:
        return op.get_attr(argument.number_attr)
    return len(op.get_attr(argument.type_list_attr)) if argument.type_list_attr else None


def _names(op: Op) -> dict[str, str]:
    """Dict from an op's own names of inputs and attributes to those that `tf.raw_ops` has."""
    called = list(inspect.signature(getattr(_tf.raw_ops, op.type)).parameters)
    own = [a.name for a in [*op.op_def.input_arg, *op.op_def.attr]]
    # A few inputs have other names there, in the same order.
    others = [name for name in called if name not in own and name not in ("name", "ctx")]
    missing = [a.name for a in op.op_def.input_arg if a.name not in called]
    return {name: name for name in own} | dict(zip(missing, others, strict=False))


def places(op: Op) -> list[str]:
    """Where each output stands in what a raw op returns, such as `""`, `"[1]"`, `"[0][2]"`."""
    found: list[str] = []
    several = len(op.op_def.output_arg) > 1
    for at, argument in enumerate(op.op_def.output_arg):
        outer = f"[{at}]" if several else ""
        count = _length(op, argument)
        found += [outer] if count is None else [f"{outer}[{k}]" for k in range(count)]
    return found
