"""What would show that floats computed for many examples at once may differ in their last digits.

A vector register, or a sum in another order, rounds in another way. Such a float is as good as the
other; but a whole number or a comparison made of it jumps: `floor(log(8.0) / log(2.0))` is 3 or 2.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tfqueue._tensorflow import op_building
from tfqueue._tensorflow.types import Graph, Op, Tensor
from tfqueue.graph.statefulness import RANDOM

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
    ["Pack", "Unpack", "ConcatV2", "Split", "SplitV", "Tile", "Pad", "PadV2", "MirrorPad", "Fill"],
    ["BroadcastTo", "OneHot", "Slice", "StridedSlice", "GatherV2", "GatherNd", "Transpose"],
    ["ReverseV2", "Reshape", "Squeeze", "ExpandDims", "DepthToSpace", "SpaceToDepth"],
    ["MatrixDiagV3", "MatrixDiagPartV3", "MatrixSetDiagV3", "MatrixBandPart", "Diag", "DiagPart"],
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
    """Why `ops`, in the order they were built, show how a float was rounded; None if they do not."""
    return _show(graph, ops, set())


def _show(graph: Graph, ops: Iterable[Op], rounded: set[str]) -> str | None:
    """As `refusal`; adds to `rounded` the names of floats whose last digits may differ."""
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
