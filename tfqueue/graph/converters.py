"""pfor converters that TensorFlow lacks, one row each.

They go into TensorFlow's own registry, which is this process's: once, when
first needed, and only where TensorFlow has none of its own. Every op here
takes a batch by itself, so its converter runs it on the stacked inputs.
"""

import contextlib
import logging
import threading

from tfqueue import _tensorflow
from tfqueue._tensorflow import op_building
from tfqueue.graph import rounding, statefulness

_lock = threading.Lock()
_done = False


def _rowwise(pfor_input, raw_op, stacked, plain=(), attrs=()):
    """Runs an op that maps over any leading dimensions of some of its inputs.

    Args:
      pfor_input: pfor's view of the op.
      raw_op: The function of `tf.raw_ops`.
      stacked: Names of the inputs that may be stacked, in the op's order.
      plain: Names of the inputs behind them, which must be the same for all.
      attrs: Names of attributes.
    """
    pfor = op_building.pfor_module()
    pfor_input.stack_inputs(list(range(len(stacked))))
    arguments = {name: pfor_input.stacked_input(i) for i, name in enumerate(stacked)}
    arguments |= {
        name: pfor_input.unstacked_input(len(stacked) + i) for i, name in enumerate(plain)
    }
    arguments |= {name: _attr(pfor_input, name) for name in attrs}
    return pfor.wrap(raw_op(**arguments), True)


def _attr(pfor_input, name):
    value = pfor_input.get_attr(name)
    return value.decode() if isinstance(value, bytes) else value


# op: (inputs that may be stacked, inputs that may not, attributes)
ROWS = {
    "DecodeRaw": (["bytes"], [], ["out_type", "little_endian"]),
    "DecodePaddedRaw": (["input_bytes"], ["fixed_length"], ["out_type", "little_endian"]),
    "StringToNumber": (["string_tensor"], [], ["out_type"]),
    "StringToHashBucket": (["string_tensor"], [], ["num_buckets"]),
    "StringToHashBucketFast": (["input"], [], ["num_buckets"]),
    "StringToHashBucketStrong": (["input"], [], ["num_buckets", "key"]),
    "StringLength": (["input"], [], ["unit"]),
    "StringStrip": (["input"], [], []),
    "StringLower": (["input"], [], ["encoding"]),
    "StringUpper": (["input"], [], ["encoding"]),
    "RegexReplace": (["input"], ["pattern", "rewrite"], ["replace_global"]),
    "StaticRegexReplace": (["input"], [], ["pattern", "rewrite", "replace_global"]),
    "RegexFullMatch": (["input"], ["pattern"], []),
    "StaticRegexFullMatch": (["input"], [], ["pattern"]),
    "AsString": (["input"], [], ["precision", "scientific", "shortest", "width", "fill"]),
    "DecodeBase64": (["input"], [], []),
    "EncodeBase64": (["input"], [], ["pad"]),
    "DecodeCompressed": (["bytes"], [], ["compression_type"]),
    "RGBToHSV": (["images"], [], []),
    "HSVToRGB": (["images"], [], []),
}


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
_OF_COMPLEX = frozenset(
    ["Const", "Placeholder", "Identity", "IdentityN", "StopGradient", "DecodeRaw", "Complex"]
    + ["Real", "Imag", "Conj", "Neg", "Add", "AddV2", "AddN", "Sub", "Equal", "NotEqual"]
    + ["Pack", "Unpack", "ConcatV2", "Split", "SplitV", "Tile", "Pad", "Fill"]
    + ["Slice", "StridedSlice", "GatherV2", "GatherNd", "Transpose", "ReverseV2"]
    + ["Reshape", "Squeeze", "ExpandDims", "Shape", "Size", "Rank", "ZerosLike", "OnesLike"]
    + ["Select", "SelectV2", "Switch", "Merge", "If", "StatelessIf"]
    + ["QueueDequeueV2", "QueueDequeueManyV2", "QueueEnqueueV2", "QueueEnqueueManyV2"]
)


def refusal(graph, ops):
    """Why pfor computes something else for many examples than `ops` do for each; None if it does not.

    Args:
      graph: Their graph.
      ops: Operations, in the order they were built.
    """
    for op in ops:
        # `_slice` is not asked within functions, which is what branches become, too.
        if op.type == "Slice" and op_building.cond_context(op) is not None and not _takes_some(op):
            return f"Slice {op.name!r} may take nothing, in a branch"
        for depth, node in enumerate(statefulness.nodes_within(graph, [op])):
            if depth and node.op == "Slice":
                return f"Slice {node.name!r} may take nothing, in a function"
            reason = _refusal_of(node)
            if reason is not None:
                return reason
    return rounding.refusal(graph, ops)


def _takes_some(op):
    sizes = _tensorflow.compat_v1().get_static_value(op.inputs[2])
    return sizes is not None and 0 not in sizes


def _refusal_of(node):
    tf = _tensorflow.compat_v1()
    if node.op in _NOT_FOR_PFOR:
        return f"TensorFlow has no true vectorised form of {node.op} {node.name!r}"
    if node.op not in _OF_COMPLEX and any(
        tf.as_dtype(kind).is_complex
        for attr in node.attr.values()
        for kind in [attr.type, *attr.list.type]
        if kind
    ):
        return f"{node.op} {node.name!r} is of complex numbers"
    if node.op == "DecodeCSV" and node.attr["na_value"].s:
        return f"TensorFlow's vectorised form of DecodeCSV {node.name!r} knows no na_value"
    if node.op == "Cast":
        given, to = (tf.as_dtype(node.attr[name].type) for name in ("SrcT", "DstT"))
        if given.is_floating and to.is_integer and to not in (tf.int32, tf.int64):
            # What is out of range comes out one way in a vector register, and another beside it.
            return f"{node.name!r} makes {to.name} of {given.name}, which may be out of its range"
        if node.attr["Truncate"].b:
            return f"TensorFlow's vectorised form of Cast {node.name!r} rounds"
    return None


def register():
    """Registers the rows that TensorFlow has no converter for."""
    global _done
    pfor = op_building.pfor_module()
    with _lock:
        if _done:
            return
        for name, (stacked, plain, attrs) in ROWS.items():
            if not op_building.has_converter(name):
                _register_row(pfor, name, stacked, plain, attrs)
        if not op_building.has_converter("Substr"):
            pfor.RegisterPFor("Substr")(_substr)
        if not op_building.has_converter("LookupTableFindV2"):
            pfor.RegisterPFor("LookupTableFindV2")(_lookup)
        _done = True


def _register_row(pfor, name, stacked, plain, attrs):
    raw_op = getattr(_tensorflow.compat_v1().raw_ops, name)

    def convert(pfor_input):
        return _rowwise(pfor_input, raw_op, stacked, plain, attrs)

    pfor.RegisterPFor(name)(convert)


def _substr(pfor_input):
    """`Substr` wants position and length of the input's shape, or scalars."""
    pfor = op_building.pfor_module()
    tf = _tensorflow.compat_v1()
    unit = _attr(pfor_input, "unit")
    if pfor_input.input(1).is_stacked or pfor_input.input(2).is_stacked:
        pfor_input.stack_inputs([0, 1, 2])
        pfor_input.expanddim_inputs_for_broadcast()
        text, start, length = (pfor_input.stacked_input(i) for i in range(3))
    else:
        text = pfor_input.stacked_input(0)
        start, length = pfor_input.unstacked_input(1), pfor_input.unstacked_input(2)
        if start.shape.rank != 0:
            raise pfor.ConversionNotImplementedError("Substr with a position for each string")
    result = tf.raw_ops.Substr(input=text, pos=start, len=length, unit=unit)
    return pfor.wrap(result, True)


def _lookup(pfor_input):
    """`LookupTableFindV2` looks up keys of any shape."""
    pfor = op_building.pfor_module()
    tf = _tensorflow.compat_v1()
    found = tf.raw_ops.LookupTableFindV2(
        table_handle=pfor_input.unstacked_input(0),
        keys=pfor_input.stacked_input(1),
        default_value=pfor_input.unstacked_input(2),
    )
    return pfor.wrap(found, True)


def _squeeze(pfor_input):
    """`Squeeze` of all dimensions of size 1, which of a single example would drop the example's."""
    pfor = op_building.pfor_module()
    tf = _tensorflow.compat_v1()
    shape = pfor_input.op.inputs[0].shape
    axes = pfor_input.get_attr("squeeze_dims")
    if not axes and not shape.is_fully_defined():
        raise pfor.ConversionNotImplementedError("Squeeze of a tensor of unknown shape")
    axes = axes or [axis for axis, size in enumerate(shape) if size == 1]
    given = pfor_input.stacked_input(0)
    if not axes:
        return pfor.wrap(given, True)
    return pfor.wrap(tf.squeeze(given, [axis % shape.rank + 1 for axis in axes]), True)


def _contrast(pfor_input):
    """`AdjustContrastv2` with a factor for each image, which TensorFlow's converter would loop."""
    pfor = op_building.pfor_module()
    tf = _tensorflow.compat_v1()
    if not pfor_input.input(1).is_stacked:
        return op_building.convert(pfor_input)
    pfor_input.stack_inputs([0, 1])
    images, factors = pfor_input.stacked_input(0), pfor_input.stacked_input(1)
    if images.shape.rank is None:
        raise pfor.ConversionNotImplementedError("AdjustContrastv2 of an image of unknown rank")
    mean = tf.reduce_mean(images, [-3, -2], keepdims=True)
    factors = tf.reshape(factors, [-1] + [1] * (images.shape.rank - 1))
    return pfor.wrap((images - mean) * tf.cast(factors, images.dtype) + mean, True)


def _slice(pfor_input):
    """`Slice` from a place of each example's own, such as a random crop: a gather a dimension.

    TensorFlow's converter would gather scalar by scalar.
    """
    pfor = op_building.pfor_module()
    tf = _tensorflow.compat_v1()
    whole, begin, size = (pfor_input.input(k) for k in range(3))
    sizes = None if size.is_stacked else tf.get_static_value(size.t)
    dims = whole.t.shape.as_list()[1:] if whole.t.shape.rank is not None else None
    if begin.is_stacked and (sizes is None or 0 in sizes):
        # TensorFlow's converter would take nothing from a place outside, too.
        raise pfor.ConversionNotImplementedError("Slice of no elements")
    if not (whole.is_stacked and begin.is_stacked) or dims is None:
        return op_building.convert(pfor_input)
    if sizes is None or not all(each > 0 for each in sizes):
        return op_building.convert(pfor_input)
    # Asserted, and not left to the gathers: on a GPU they give zeros for what is outside.
    last = tf.shape(whole.t, out_type=begin.t.dtype)[1:] - tf.constant(sizes, begin.t.dtype)
    inside = tf.reduce_all((begin.t >= 0) & (begin.t <= last))
    check = tf.raw_ops.Assert(condition=inside, data=["Slice outside of the input"])
    with tf.control_dependencies([check]):
        result = tf.identity(whole.t)
    for axis, each in enumerate(sizes):
        if dims[axis] != each:
            places = begin.t[:, axis, None] + tf.range(each, dtype=begin.t.dtype)
            result = tf.gather(result, places, axis=1 + axis, batch_dims=1)
    return pfor.wrap(result, True)


def _pick(pfor_input):
    """A cond whose branches only hand on a constant or an input: one `where` for all examples.

    TensorFlow's converter would split the examples by the condition and put them together again.
    """
    pfor = op_building.pfor_module()
    tf = _tensorflow.compat_v1()
    op = pfor_input.op
    sides = [_handed_on(op, name) for name in ("then_branch", "else_branch")]
    if None in sides or not pfor_input.input(0).is_stacked or pfor_input.input(0).t.shape.rank != 1:
        return op_building.convert(pfor_input)
    picked = []
    for ends in zip(*sides, strict=True):
        values = []
        for end in ends:
            wrapped = pfor_input.input(1 + end) if isinstance(end, int) else None
            value = end if wrapped is None else wrapped.t
            stacked = wrapped is not None and wrapped.is_stacked
            values.append(value if stacked else tf.expand_dims(value, 0))
        shapes = [value.shape[1:] for value in values]
        if not shapes[0].is_fully_defined() or shapes[0] != shapes[1]:
            return op_building.convert(pfor_input)
        rank = values[0].shape.rank
        chosen = tf.reshape(pfor_input.input(0).t, [-1] + [1] * (rank - 1))
        result = tf.raw_ops.SelectV2(condition=chosen, t=values[0], e=values[1])
        picked.append(pfor.wrap(result, True))
    return picked


def _handed_on(op, branch):
    """For each output of a branch its value, or the position of the input it is; None if computed."""
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
        if tensor.op.control_inputs or (tensor.name not in places and tensor.op.type != "Const"):
            return None
        value = places.get(tensor.name)
        found.append(_tensorflow.compat_v1().get_static_value(tensor) if value is None else value)
    kinds = [t.dtype for t in op.outputs]
    tf = _tensorflow.compat_v1()
    return [
        end if isinstance(end, int) else tf.constant(end, kind)
        for end, kind in zip(found, kinds, strict=True)
    ]


_HAND_ON = {"Const", "Identity", "NoOp", "Placeholder"}
"""The types of ops that compute nothing, and fail never."""

BETTER = {
    "AdjustContrastv2": _contrast,
    "If": _pick,
    "Slice": _slice,
    "Squeeze": _squeeze,
    "StatelessIf": _pick,
}
"""Converters that do more than TensorFlow's own. They are attached to the ops of our copies, and
TensorFlow's registry keeps what it has."""


def attach(ops):
    """Gives pfor the better converters for the ops that are about to be converted."""
    for op in ops:
        if op.type in BETTER:
            op.pfor_converter = BETTER[op.type]


def note(tensor, found, name):
    """Lets pfor note in `found`, by `name`, what it makes of a tensor for all examples together."""
    op, before = tensor.op, getattr(tensor.op, "pfor_converter", None) or op_building.convert

    def convert(pfor_input):
        made = before(pfor_input)
        outputs = made if isinstance(made, list) else [made]
        if outputs[tensor.value_index].is_stacked:
            found[name] = outputs[tensor.value_index].t
        return made

    op.pfor_converter = convert


def element(stacked, i):
    """Element `i` of a tensor, in the body of a pfor: converted, the tensor itself and no copy."""
    pfor = op_building.pfor_module()
    tf = _tensorflow.compat_v1()
    found = tf.gather(stacked, i)
    found.op.pfor_converter = lambda pfor_input: pfor.wrap(pfor_input.unstacked_input(0), True)
    return found


@contextlib.contextmanager
def quiet():
    """pfor logs an error where it cannot convert an op: here that is an answer, not an error."""
    me = threading.get_ident()
    logger = logging.getLogger("tensorflow")

    def passes(record):
        return record.thread != me

    logger.addFilter(passes)
    try:
        yield
    finally:
        logger.removeFilter(passes)
