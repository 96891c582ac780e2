"""Which ops give other values for many examples at once than for each: these must not be vectorised.

Some that pfor computes in another way, most of complex numbers, and what would show that floats may differ
in their last digits. A vector register, or a sum in another order, rounds in another way. Such a float is as
good as the other; but a whole number or a comparison made of it jumps: `floor(log(8.0) / log(2.0))` is 3 or 2.

The sets of ops: `_NOT_FOR_PFOR` is refused, and of complex numbers all but `_EXACT_OF_COMPLEX`. What is in `_EXACT` gives
the same floats however many are computed at once, what is in `_JUMPS` jumps, and `_BLIND` does neither; an op in none of
them counts as one whose floats may differ.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from tfqueue import _tensorflow
from tfqueue._tensorflow import op_building
from tfqueue._tensorflow.types import Graph, Op, Tensor
from tfqueue.graph import statefulness
from tfqueue.graph.statefulness import RANDOM

_tf = _tensorflow.compat_v1()

# pfor pads with zeros, rolls along the examples where an axis is negative, formats all of them in
# one text, and where an index is out of range uses the numbers of another example. What is no
# square has a diagonal there, and indices of too few dimensions pick rows.
_NOT_FOR_PFOR = frozenset(
    ["PadV2", "Roll", "StringFormat", "DiagPart", "TensorScatterUpdate"]
    + [f"UnsortedSegment{kind}" for kind in ("Sum", "Prod", "Min", "Max")]
    + [f"SparseSegment{kind}" for kind in ("Sum", "Mean", "SqrtN")]
    + [f"SparseSegment{kind}WithNumSegments" for kind in ("Sum", "Mean", "SqrtN")]
)
# What only moves complex numbers, makes them of their parts or adds part by part. Most else differs
# between a vector register and what is left beside it: products, quotients and logarithms of huge
# numbers are nan in a register, and others differ in their last digits.
_EXACT_OF_COMPLEX = frozenset(
    ["Const", "Placeholder", "Identity", "IdentityN", "StopGradient", "DecodeRaw", "Complex"]
    + ["Real", "Imag", "Conj", "Neg", "Add", "AddV2", "AddN", "Sub", "Equal", "NotEqual"]
    + ["Pack", "Unpack", "ConcatV2", "Split", "SplitV", "Tile", "Pad", "Fill"]
    + ["Slice", "StridedSlice", "GatherV2", "GatherNd", "Transpose", "ReverseV2"]
    + ["Reshape", "Squeeze", "ExpandDims", "Shape", "Size", "Rank", "ZerosLike", "OnesLike"]
    + ["Select", "SelectV2", "Switch", "Merge", "If", "StatelessIf"]
    + ["QueueDequeueV2", "QueueDequeueManyV2", "QueueEnqueueV2", "QueueEnqueueManyV2"]
)
# Jumps where its operand is a whole number, and gives a float again.
_JUMPS = frozenset(
    ["Floor", "Ceil", "Round", "Rint", "Sign", "FloorDiv", "FloorMod", "Mod", "TruncateDiv"]
    + ["TruncateMod", "QuantizeAndDequantizeV2", "FakeQuantWithMinMaxArgs", "LookupTableFindV2"]
)
# The floats that these give are the same however many are computed at once: moved, picked, or
# rounded as IEEE 754 says. What is drawn differs from run to run anyway.
_EXACT = (RANDOM | _JUMPS).union(
    ["Const", "Placeholder", "ReadVariableOp", "Identity", "IdentityN", "StopGradient", "Switch"],
    ["Merge", "Select", "SelectV2", "EnsureShape", "CheckNumerics", "ZerosLike", "OnesLike"],
    ["Pack", "Unpack", "ConcatV2", "Split", "SplitV", "Tile", "Pad", "MirrorPad", "Fill"],
    ["BroadcastTo", "OneHot", "Slice", "StridedSlice", "GatherV2", "GatherNd", "Transpose"],
    ["ReverseV2", "Reshape", "Squeeze", "ExpandDims", "DepthToSpace", "SpaceToDepth"],
    ["MatrixDiagV3", "MatrixDiagPartV3", "MatrixSetDiagV3", "MatrixBandPart", "Diag"],
    ["Add", "AddV2", "Sub", "Mul", "Div", "RealDiv", "Neg", "Abs", "Square", "SquaredDifference"],
    ["Maximum", "Minimum", "Max", "Min", "ClipByValue", "Relu", "Relu6", "MaxPool", "TopKV2"],
    ["Cast", "Bitcast", "Complex", "Real", "Imag", "Conj", "StringToNumber"],
    ["DecodeRaw", "DecodePaddedRaw", "DecodeCSV", "ParseTensor"],
    ["ParseExample", "ParseExampleV2", "ParseSingleExample"],
    ["ParseSequenceExample", "ParseSequenceExampleV2", "ParseSingleSequenceExample"],
)
# Gives no float, and whatever the floats are that it is given. Of `Merge` it is the side taken.
_BLIND = frozenset(["Shape", "ShapeN", "Size", "Rank", "Merge", "Assert", "Print", "PrintV2"])
_CALLERS = frozenset(["If", "StatelessIf", "Case", "StatelessCase"])
_CALLERS |= {"PartitionedCall", "StatefulPartitionedCall"}


def refusal(graph: Graph, ops: Sequence[Op]) -> str | None:
    """Why pfor computes something else for many examples than `ops` do for each; None if it does not.

    Args:
        graph: Their graph.
        ops: Operations, in the order they were built.
    """
    for op in ops:
        # The converter `_slice` is not asked within functions, which is what branches become, too.
        if op.type == "Slice" and op_building.cond_context(op) is not None and not _takes_some(op):
            return f"Slice {op.name!r} may take nothing, in a branch"
        for depth, node in enumerate(statefulness.nodes_within(graph, [op])):
            if depth and node.op == "Slice":
                return f"Slice {node.name!r} may take nothing, in a function"
            reason = _refusal_of(node)
            if reason is not None:
                return reason
    return _show(graph, ops, set())


def _takes_some(op: Op) -> bool:
    sizes = _tf.get_static_value(op.inputs[2])
    return sizes is not None and 0 not in sizes


def _refusal_of(node: Any) -> str | None:
    if node.op in _NOT_FOR_PFOR:
        return f"TensorFlow has no true vectorised form of {node.op} {node.name!r}"
    if node.op not in _EXACT_OF_COMPLEX and any(
        _tf.as_dtype(kind).is_complex
        for attr in node.attr.values()
        for kind in [attr.type, *attr.list.type]
        if kind
    ):
        return f"{node.op} {node.name!r} is of complex numbers"
    if node.op == "DecodeCSV" and node.attr["na_value"].s:
        return f"TensorFlow's vectorised form of DecodeCSV {node.name!r} knows no na_value"
    if node.op == "Cast":
        given, to = (_tf.as_dtype(node.attr[name].type) for name in ("SrcT", "DstT"))
        if given.is_floating and to.is_integer and to not in (_tf.int32, _tf.int64):
            # What is out of range comes out one way in a vector register, and another beside it.
            return f"{node.name!r} makes {to.name} of {given.name}, which may be out of its range"
        if node.attr["Truncate"].b:
            return f"TensorFlow's vectorised form of Cast {node.name!r} rounds"
    return None


def _show(graph: Graph, ops: Iterable[Op], rounded: set[str]) -> str | None:
    """Why `ops`, in the order they were built, show how a float was rounded; None if they do not.

    It adds to `rounded` the names of floats whose last digits may differ.
    """
    for op in ops:
        given = any(t.name in rounded for t in op.inputs)
        if op.type in _CALLERS:
            reason = _show_within(graph, op, rounded)
            if reason is not None:
                return reason
            continue
        jumps = op.type in _JUMPS or not all(map(_is_float, op.outputs))
        if given and jumps and op.type not in _BLIND:
            return f"{op.type} {op.name!r} may jump where floats differ in their last digits"
        if given or op.type not in _EXACT:
            rounded.update(t.name for t in op.outputs if _is_float(t))
    return None


def _show_within(graph: Graph, op: Op, rounded: set[str]) -> str | None:
    for called in op_building.functions_called(op.node_def):
        function = op_building.function_of(graph, called)
        if function is None:  # nobody can build it anew, either
            continue
        inner = function.graph
        taken = list(op.inputs)[len(op.inputs) - len(inner.inputs) :]
        within = {
            t.name for t, outer in zip(inner.inputs, taken, strict=True) if outer.name in rounded
        }
        reason = _show(inner, inner.get_operations(), within)
        if reason is not None:
            return reason
        rounded.update(
            outer.name
            for t, outer in zip(inner.outputs, op.outputs, strict=True)
            if t.name in within
        )
    return None


def _is_float(tensor: Tensor) -> bool:
    return tensor.dtype.is_floating or tensor.dtype.is_complex
