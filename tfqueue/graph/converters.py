"""pfor converters, one row each. What must not be vectorised is in `exactness`.

Those that TensorFlow lacks go into its own registry, which is this process's, once, when first needed:
their ops take a batch as they take one example. Those of `BETTER` replace TensorFlow's for single ops.
"""

from __future__ import annotations

import contextlib
import logging
import threading
from collections.abc import Iterable, Iterator
from typing import Any

from tfqueue import _tensorflow
from tfqueue._tensorflow import op_building
from tfqueue._tensorflow.types import Op, Tensor

_tf = _tensorflow.compat_v1()
_lock = threading.Lock()


def _all_stacked(tensor: Tensor) -> Any:
    """What a converter gives: a tensor that holds the results of all examples."""
    return op_building.pfor_module().wrap(tensor, True)


def _not_possible(reason: str) -> Exception:
    """The error after which TensorFlow loops over the examples."""
    return op_building.pfor_module().ConversionNotImplementedError(reason)


def _rowwise(pfor_input: Any) -> Any:
    """Runs an op of `ROWS`, which maps over any leading dimensions of its first input."""
    stacked, plain, attrs = ROWS[pfor_input.op.type]
    arguments = {stacked: pfor_input.stacked_input(0)}
    arguments |= {name: pfor_input.unstacked_input(i) for i, name in enumerate(plain, 1)}
    arguments |= {name: _attr(pfor_input, name) for name in attrs}
    return _all_stacked(getattr(_tf.raw_ops, pfor_input.op.type)(**arguments))


def _attr(pfor_input: Any, name: str) -> Any:
    value = pfor_input.get_attr(name)
    return value.decode() if isinstance(value, bytes) else value


# op: (first input, which is stacked; those behind it, which must be the same for all; attributes)
ROWS = {
    "DecodeRaw": ("bytes", [], ["out_type", "little_endian"]),
    "DecodePaddedRaw": ("input_bytes", ["fixed_length"], ["out_type", "little_endian"]),
    "StringToNumber": ("string_tensor", [], ["out_type"]),
    "StringToHashBucket": ("string_tensor", [], ["num_buckets"]),
    "StringToHashBucketFast": ("input", [], ["num_buckets"]),
    "StringToHashBucketStrong": ("input", [], ["num_buckets", "key"]),
    "StringLength": ("input", [], ["unit"]),
    "StringStrip": ("input", [], []),
    "StringLower": ("input", [], ["encoding"]),
    "StringUpper": ("input", [], ["encoding"]),
    "RegexReplace": ("input", ["pattern", "rewrite"], ["replace_global"]),
    "StaticRegexReplace": ("input", [], ["pattern", "rewrite", "replace_global"]),
    "RegexFullMatch": ("input", ["pattern"], []),
    "StaticRegexFullMatch": ("input", [], ["pattern"]),
    "AsString": ("input", [], ["precision", "scientific", "shortest", "width", "fill"]),
    "DecodeBase64": ("input", [], []),
    "EncodeBase64": ("input", [], ["pad"]),
    "DecodeCompressed": ("bytes", [], ["compression_type"]),
    "RGBToHSV": ("images", [], []),
    "HSVToRGB": ("images", [], []),
}


def register() -> None:
    """Registers the converters that TensorFlow has none for."""
    added = dict.fromkeys(ROWS, _rowwise) | {"LookupTableFindV2": _lookup, "Substr": _substr}
    with _lock:
        for name, convert in added.items():
            if not op_building.has_converter(name):
                op_building.pfor_module().RegisterPFor(name)(convert)


def _substr(pfor_input: Any) -> Any:
    """`Substr` takes positions and lengths of the input's shape, or scalars."""
    unit = _attr(pfor_input, "unit")
    if pfor_input.input(1).is_stacked or pfor_input.input(2).is_stacked:
        pfor_input.stack_inputs([0, 1, 2])
        pfor_input.expanddim_inputs_for_broadcast()
        text, start, length = (pfor_input.stacked_input(i) for i in range(3))
    else:
        text = pfor_input.stacked_input(0)
        start, length = pfor_input.unstacked_input(1), pfor_input.unstacked_input(2)
        if start.shape.rank != 0:
            raise _not_possible("Substr with a position for each string")
    result = _tf.raw_ops.Substr(input=text, pos=start, len=length, unit=unit)
    return _all_stacked(result)


def _lookup(pfor_input: Any) -> Any:
    """`LookupTableFindV2` looks up keys of any shape."""
    found = _tf.raw_ops.LookupTableFindV2(
        table_handle=pfor_input.unstacked_input(0),
        keys=pfor_input.stacked_input(1),
        default_value=pfor_input.unstacked_input(2),
    )
    return _all_stacked(found)


def _squeeze(pfor_input: Any) -> Any:
    """`Squeeze` of all dimensions of size 1, but for that of the examples, where there is only one."""
    shape = pfor_input.op.inputs[0].shape
    axes = pfor_input.get_attr("squeeze_dims")
    if not axes and not shape.is_fully_defined():
        raise _not_possible("Squeeze of a tensor of unknown shape")
    axes = axes or [axis for axis, size in enumerate(shape) if size == 1]
    given = pfor_input.stacked_input(0)
    if not axes:
        return _all_stacked(given)
    return _all_stacked(_tf.squeeze(given, [axis % shape.rank + 1 for axis in axes]))


def _contrast(pfor_input: Any) -> Any:
    """`AdjustContrastv2` with a factor for each image, which TensorFlow's converter would loop."""
    if not pfor_input.input(1).is_stacked:
        return op_building.convert(pfor_input)
    pfor_input.stack_inputs([0, 1])
    images, factors = pfor_input.stacked_input(0), pfor_input.stacked_input(1)
    if images.shape.rank is None:
        raise _not_possible("AdjustContrastv2 of an image of unknown rank")
    mean = _tf.reduce_mean(images, [-3, -2], keepdims=True)
    factors = _tf.reshape(factors, [-1] + [1] * (images.shape.rank - 1))
    return _all_stacked((images - mean) * _tf.cast(factors, images.dtype) + mean)


def _slice(pfor_input: Any) -> Any:
    """`Slice` from a place of each example's own, such as a random crop: a gather a dimension.

    TensorFlow's converter would gather scalar by scalar.
    """
    whole, begin, size = (pfor_input.input(k) for k in range(3))
    sizes = None if size.is_stacked else _tf.get_static_value(size.t)
    dims = whole.t.shape.as_list()[1:] if whole.t.shape.rank is not None else None
    if begin.is_stacked and (sizes is None or 0 in sizes):
        # TensorFlow's converter would take nothing from a place outside, too.
        raise _not_possible("Slice of no elements")
    if not (whole.is_stacked and begin.is_stacked) or dims is None:
        return op_building.convert(pfor_input)
    if sizes is None or not all(each > 0 for each in sizes):
        return op_building.convert(pfor_input)
    # Asserted, and not left to the gathers: on a GPU they give zeros for what is outside.
    last = _tf.shape(whole.t, out_type=begin.t.dtype)[1:] - _tf.constant(sizes, begin.t.dtype)
    inside = _tf.reduce_all((begin.t >= 0) & (begin.t <= last))
    check = _tf.raw_ops.Assert(condition=inside, data=["Slice outside of the input"])
    with _tf.control_dependencies([check]):
        result = _tf.identity(whole.t)
    for axis, each in enumerate(sizes):
        if dims[axis] != each:
            places = begin.t[:, axis, None] + _tf.range(each, dtype=begin.t.dtype)
            result = _tf.gather(result, places, axis=1 + axis, batch_dims=1)
    return _all_stacked(result)


def _pick(pfor_input: Any) -> Any:
    """A cond whose branches only hand on a constant or an input: one `where` for all examples.

    TensorFlow's converter would split the examples by the condition and put them together again.
    """
    op = pfor_input.op
    sides = [_handed_on(op, name) for name in ("then_branch", "else_branch")]
    if None in sides or not pfor_input.input(0).is_stacked or pfor_input.input(0).t.shape.rank != 1:
        return op_building.convert(pfor_input)
    picked = []
    for ends in zip(*sides, strict=True):
        values = []
        for end in ends:
            value, stacked = end, False
            if isinstance(end, int):
                value, stacked, _ = pfor_input.input(1 + end)
            values.append(value if stacked else _tf.expand_dims(value, 0))
        shapes = [value.shape[1:] for value in values]
        if not shapes[0].is_fully_defined() or shapes[0] != shapes[1]:
            return op_building.convert(pfor_input)
        chosen = _tf.reshape(pfor_input.input(0).t, [-1] + [1] * shapes[0].rank)
        result = _tf.raw_ops.SelectV2(condition=chosen, t=values[0], e=values[1])
        picked.append(_all_stacked(result))
    return picked


def _cast(pfor_input: Any) -> Any:
    """`Cast` of transposed bytes: they are cast first, since TensorFlow transposes bytes slowly."""
    given, dtype = pfor_input.input(0), pfor_input.get_attr("DstT")
    is_only_use = len(pfor_input.op.inputs[0].consumers()) == 1
    if not (given.is_stacked and is_only_use and given.t.op.type == "Transpose"):
        return op_building.convert(pfor_input)
    if not given.t.dtype.size == 1 < dtype.size:
        return op_building.convert(pfor_input)
    whole, axes = given.t.op.inputs
    cast = _tf.raw_ops.Cast(x=whole, DstT=dtype, Truncate=pfor_input.get_attr("Truncate"))
    # TensorFlow's optimizer would exchange the two again, which moves fewer bytes, were they neighbours.
    return _all_stacked(_tf.transpose(_tf.ensure_shape(cast, whole.shape), axes))


def _handed_on(op: Op, branch: str) -> list[Any] | None:
    """For each output of a branch the position of the input it is, or a constant; None if computed."""
    function = op_building.function_of(op.graph, op.get_attr(branch).name)
    if function is None or not op.outputs:
        return None
    if not {each.type for each in function.graph.get_operations()} <= _HAND_ON:
        return None  # an assertion, too, which nothing but a control edge may lead to
    places = {t.name: k for k, t in enumerate(function.graph.inputs)}
    found = []
    for tensor in function.graph.outputs:
        while tensor.name not in places and tensor.op.type == "Identity":
            tensor = tensor.op.inputs[0]
        if tensor.name in places:
            found.append(places[tensor.name])
        elif tensor.op.type == "Const" and not tensor.op.control_inputs:
            found.append(_tf.constant(_tf.get_static_value(tensor), tensor.dtype))
        else:
            return None
    return found


_HAND_ON = {"Const", "Identity", "NoOp", "Placeholder"}
"""The types of ops that compute nothing and never fail."""

BETTER = {
    "AdjustContrastv2": _contrast,
    "Cast": _cast,
    "If": _pick,
    "Slice": _slice,
    "Squeeze": _squeeze,
    "StatelessIf": _pick,
}
"""Converters that do more than TensorFlow's own. They are attached to the ops of our copies, and
TensorFlow's registry keeps what it has."""


def attach(ops: Iterable[Op]) -> None:
    """Gives pfor the better converters for the ops that are about to be converted."""
    for op in ops:
        if op.type in BETTER:
            op.pfor_converter = BETTER[op.type]


def note(tensor: Tensor, found: dict[str, Tensor], name: str) -> None:
    """Lets pfor note in `found`, by `name`, what it makes of a tensor for all examples together."""
    op, before = tensor.op, getattr(tensor.op, "pfor_converter", None) or op_building.convert

    def convert(pfor_input: Any) -> Any:
        converted = before(pfor_input)
        outputs = converted if isinstance(converted, list) else [converted]
        if outputs[tensor.value_index].is_stacked:
            found[name] = outputs[tensor.value_index].t
        return converted

    op.pfor_converter = convert


def element(stacked: Tensor, i: Tensor) -> Tensor:
    """Element `i` of a tensor, in the body of a pfor: converted, the tensor itself and no copy."""
    found = _tf.gather(stacked, i)
    found.op.pfor_converter = lambda pfor_input: _all_stacked(pfor_input.unstacked_input(0))
    return found


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Within the block TensorFlow logs no error for an op that pfor cannot convert."""
    me = threading.get_ident()
    logger = logging.getLogger("tensorflow")

    def passes(record: logging.LogRecord) -> bool:
        return record.thread != me

    logger.addFilter(passes)
    try:
        yield
    finally:
        logger.removeFilter(passes)
