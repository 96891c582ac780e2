"""Ops that are written as more than one call: parsing, slices, branches, loops; one row a type."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from tfqueue import _tensorflow
from tfqueue._tensorflow import op_building
from tfqueue._tensorflow.types import Array, Graph, Op, Tensor
from tfqueue.dataset import literals, op_calls, steps, tables
from tfqueue.dataset.layout import indented
from tfqueue.dataset.literals import Expression
from tfqueue.graph import op_types

if TYPE_CHECKING:
    from tfqueue.dataset.body import Body

_tf = _tensorflow.compat_v1()

Feature: TypeAlias = tuple[str, Tensor | tuple[Tensor, ...]]
"""The text of a feature's key, and its tensor, or the three parts of its sparse tensor."""

HANDLES = steps.TABLES | op_types.VARIABLES
"""Ops that are registered as stateful, and only return a handle."""


def taken(op: Op) -> list[Tensor]:
    """The tensors that the text of an op names."""
    if op.type == "Reshape" and _free_dimension(op.outputs[0]) is not None:
        return op.inputs[:1]
    return list(op.inputs)


def _free_dimension(tensor: Tensor) -> list[int] | None:
    """The shape with -1 for its only unknown dimension; None if it has more than one, or none."""
    if _tf.get_static_value(tensor.op.inputs[1]) is not None or tensor.shape.rank is None:
        return None
    dims = tensor.shape.as_list()
    others = [d for d in dims if d is not None]
    return (
        [-1 if d is None else d for d in dims]
        if len(dims) - len(others) == 1 and all(others)
        else None
    )


def _keys(tensor: Tensor) -> list[str]:
    return [literals.text(key) for key in np.ravel(_tf.get_static_value(tensor)).tolist()]


def _dense(body: Body, dtype: Any, shape: Any, default: Tensor) -> str | None:
    """The text of the feature of a dense output; None where its default is computed."""
    known = _tf.TensorShape(shape)
    kind = literals.dtype(dtype)
    value = body.value(default)
    if value is None:
        return None
    if known.rank and known.as_list()[0] is None:
        # Shorter examples of a batch are filled up with the default.
        filler = np.ravel(value)[:1]
        if (value != filler).any():
            return None
        more = f", default_value={literals.value(filler[0])}" if filler[0] else ""
        how = f"allow_missing=True{more}"
        return f"tf.io.FixedLenSequenceFeature({known.as_list()[1:]}, {kind}, {how})"
    if not value.size:
        return f"tf.io.FixedLenFeature({known.as_list()}, {kind})"
    written = literals.value(value)
    return f"tf.io.FixedLenFeature({known.as_list()}, {kind}, default_value={written})"


def _example(body: Body, op: Op) -> None:
    takes = op_calls.groups(op, op.op_def.input_arg, op.inputs)
    gives = op_calls.groups(op, op.op_def.output_arg, op.outputs)
    if op.get_attr("ragged_value_types"):
        body.call(op)
        return
    features: list[tuple[str, str]] = []
    named: list[Feature] = []
    shapes, kinds = op.get_attr("dense_shapes"), op.get_attr("Tdense")
    sparse = zip(_keys(takes["sparse_keys"][0]), op.get_attr("sparse_types"), strict=True)
    for k, (key, kind) in enumerate(sparse):
        features.append((key, f"tf.io.VarLenFeature({literals.dtype(kind)})"))
        parts = ("sparse_indices", "sparse_values", "sparse_shapes")
        named.append((key, tuple(gives[part][k] for part in parts)))
    for k, key in enumerate(_keys(takes["dense_keys"][0])):
        feature = _dense(body, kinds[k], shapes[k], takes["dense_defaults"][k])
        if feature is None:
            body.call(op)
            return
        features.append((key, feature))
        named.append((key, gives["dense_values"][k]))
    record = takes["serialized"][0]
    function = "parse_single_example" if record.shape.rank == 0 else "parse_example"
    written = ", ".join(f"{key}: {feature}" for key, feature in sorted(features))
    call = f"tf.io.{function}({body.of(record)}, {{{written}}})"
    _features(body, body.let(op, call), named)


def _features(body: Body, name: str, named: Iterable[Feature]) -> None:
    """Notes where the parsed features are found."""
    for key, value in named:
        if isinstance(value, tuple):
            body.sparse[tuple(t.name for t in value)] = Expression(f"{name}[{key}]")
            for t, part in zip(value, ("indices", "values", "dense_shape"), strict=True):
                body.expressions[t.name] = Expression(f"{name}[{key}].{part}")
        else:
            body.expressions[value.name] = Expression(f"{name}[{key}]")


def _part(
    body: Body,
    op: Op,
    part: str,
    takes: Mapping[str, list[Tensor]],
    gives: Mapping[str, list[Tensor]],
) -> tuple[list[str], list[Feature]] | None:
    """The text of the features of one part of a `SequenceExample`, and their tensors.

    None where a default is computed.

    Args:
        body: What the op is written to.
        op: The op that parses.
        part: `"context"` or `"feature_list"`.
        takes: The op's inputs by name.
        gives: The op's outputs by name.
    """
    features: list[str] = []
    found: list[Feature] = []
    for k, key in enumerate(_keys(takes[f"{part}_sparse_keys"][0])):
        kind = literals.dtype(op.get_attr(f"{part}_sparse_types")[k])
        features.append(f"{key}: tf.io.VarLenFeature({kind})")
        outputs = [gives[f"{part}_sparse_{p}"][k] for p in ("indices", "values", "shapes")]
        found.append((key, tuple(outputs)))
    types = op.get_attr("Tcontext_dense" if part == "context" else "feature_list_dense_types")
    shapes = op.get_attr(f"{part}_dense_shapes")
    for k, key in enumerate(_keys(takes[f"{part}_dense_keys"][0])):
        feature: str | None
        if part == "context":
            feature = _dense(body, types[k], shapes[k], takes["context_dense_defaults"][k])
        else:
            shape = _tf.TensorShape(shapes[k]).as_list()
            missing = np.ravel(
                _tf.get_static_value(takes["feature_list_dense_missing_assumed_empty"][0])
            )
            allowed = ", allow_missing=True" if k < len(missing) and missing[k] else ""
            kind = literals.dtype(types[k])
            feature = f"tf.io.FixedLenSequenceFeature({shape}, {kind}{allowed})"
        if feature is None:
            return None
        features.append(f"{key}: {feature}")
        found.append((key, gives[f"{part}_dense_values"][k]))
    return features, found


def _sequence_example(body: Body, op: Op) -> None:
    takes = op_calls.groups(op, op.op_def.input_arg, op.inputs)
    gives = op_calls.groups(op, op.op_def.output_arg, op.outputs)
    if op.get_attr("context_ragged_value_types") or op.get_attr("feature_list_ragged_value_types"):
        body.call(op)
        return
    written: dict[str, list[str]] = {}
    named: dict[str, list[Feature]] = {}
    for part in ("context", "feature_list"):
        found = _part(body, op, part, takes, gives)
        if found is None:
            body.call(op)
            return
        written[part], named[part] = found
    record = takes["serialized"][0]
    single = "single_" if record.shape.rank == 0 else ""
    names = [body.name(wanted) for wanted in ("context", "lists", "lengths")[: 2 if single else 3]]
    blocks = ""
    for keyword, part in (("context_features", "context"), ("sequence_features", "feature_list")):
        blocks += f", {keyword}={{{', '.join(sorted(written[part]))}}}"
    body.line(
        f"{', '.join(names)} = tf.io.parse_{single}sequence_example({body.of(record)}{blocks})"
    )
    _features(body, names[0], named["context"])
    _features(body, names[1], named["feature_list"])
    lengths = zip(
        _keys(takes["feature_list_dense_keys"][0]), gives["feature_list_dense_lengths"], strict=True
    )
    _features(body, names[-1], lengths if not single else ())


def _csv(body: Body, op: Op) -> None:
    defaults = []
    for tensor in list(op.inputs)[1:]:
        known = body.value(tensor)
        if known is None:
            body.call(op)
            return
        value = np.ravel(known)
        kind = literals.dtype(tensor.dtype)
        plain = tensor.dtype.name in ("float32", "int32", "string") and value.size
        written = literals.value(value)
        defaults.append(written if plain else f"tf.constant({written}, {kind})")
    extra = ""
    for name, default in (
        ("field_delim", "','"),
        ("use_quote_delim", "True"),
        ("na_value", "''"),
        ("select_cols", "[]"),
    ):
        given = literals.attribute(op.node_def.attr[name])
        extra += f", {name}={given}" if given != default else ""
    call = f"tf.io.decode_csv({body.of(op.inputs[0])}, [{', '.join(defaults)}]{extra})"
    name = body.let(op, call)
    _outputs(body, op, name)


def _outputs(body: Body, op: Op, name: str) -> None:
    for k, output in enumerate(op.outputs):
        body.expressions[output.name] = Expression(f"{name}[{k}]")


def _unpack(body: Body, op: Op) -> None:
    count, axis = op.get_attr("num"), op.get_attr("axis")
    _outputs(body, op, body.let(op, f"tf.unstack({body.of(op.inputs[0])}, {count}, axis={axis})"))


def _split(body: Body, op: Op) -> None:
    axis, value = (body.of(t, plain=True) for t in op.inputs)
    name = body.let(op, f"tf.split({value}, {op.get_attr('num_split')}, axis={axis})")
    _outputs(body, op, name)


def _strided_slice(body: Body, op: Op) -> None:
    """`x[1:3, ..., 0]`, where the places are known or one dimension's."""
    masks = {
        name: op.get_attr(f"{name}_mask")
        for name in ("begin", "end", "ellipsis", "new_axis", "shrink_axis")
    }
    edges = [_tf.get_static_value(t) for t in list(op.inputs)[1:]]
    if any(edge is None for edge in edges):
        body.put(op, op_calls.raw(op, body.of))
        return
    parts = []
    for k, (begin, end, step) in enumerate(zip(*(edge.tolist() for edge in edges), strict=True)):
        bit = 1 << k
        if masks["ellipsis"] & bit:
            parts.append("...")
        elif masks["new_axis"] & bit:
            parts.append("tf.newaxis")
        elif masks["shrink_axis"] & bit:
            parts.append(str(begin))
        else:
            first = "" if masks["begin"] & bit else str(begin)
            last = "" if masks["end"] & bit else str(end)
            parts.append(f"{first}:{last}" + (f":{step}" if step != 1 else ""))
    body.put(op, f"{body.operand(op.inputs[0])}[{', '.join(parts)}]")


def _branch(op: Op, attribute: str) -> Graph:
    function = op_building.function_of(op.graph, op.get_attr(attribute).name)
    return function.graph


def _function(
    body: Body, wanted: str, graph: Graph, given: Mapping[str, Expression], arguments: str = ""
) -> str:
    """Writes a function of the graph inside this one; its name."""
    inner = body.inner(given)
    inner.write(graph.get_operations(), graph.outputs, graph.control_outputs)
    returned = ", ".join(map(inner.tensor, graph.outputs))
    if not inner.lines and len(graph.outputs) == 1 and not arguments:
        return f"lambda: {returned}"
    name = body.name(wanted)
    text = [f"def {name}({arguments}):", *inner.lines, f"return {returned}"]
    body.line("\n".join([text[0], *map(indented, text[1:])]))
    return name


def _cond(body: Body, op: Op) -> None:
    guarded = steps.asserted(op)
    if guarded is not None:
        _asserted(body, op, *guarded)
        return
    known = body.value(op.inputs[0])
    if known is not None:
        _inline(body, op, _branch(op, "then_branch" if known else "else_branch"), op.inputs[1:])
        return
    outer = [body.expressions[t.name] for t in list(op.inputs)[1:]]
    names = []
    for attribute, wanted in (("then_branch", "if_true"), ("else_branch", "if_false")):
        graph = _branch(op, attribute)
        given = dict(zip((t.name for t in graph.inputs), outer, strict=True))
        names.append(_function(body, wanted, graph, given))
    body.put(op, f"tf.cond({body.of(op.inputs[0])}, {names[0]}, {names[1]})")


def _while(body: Body, op: Op) -> None:
    graphs = _branch(op, "cond"), _branch(op, "body")
    arguments = [body.name("v") for _ in op.inputs]
    names = []
    for graph, wanted in zip(graphs, ("goes_on", "turn"), strict=True):
        given = {t.name: Expression(a) for t, a in zip(graph.inputs, arguments, strict=True)}
        names.append(_function(body, wanted, graph, given, ", ".join(arguments)))
    first = ", ".join(map(body.tensor, op.inputs))
    changing = [a.shape.as_list() if a.shape.rank is not None else None for a in op.outputs]
    fixed = [a.shape.as_list() if a.shape.rank is not None else None for a in op.inputs]
    invariants = ""
    if changing != fixed:
        shapes = ", ".join(f"tf.TensorShape({shape})" for shape in changing)
        invariants = f", shape_invariants=[{shapes}]"
    places = [f"[{k}]" for k in range(len(op.outputs))]
    body.put(op, f"tf.while_loop({names[0]}, {names[1]}, [{first}]{invariants})", places=places)


def table(body: Body, op: Op) -> Expression:
    """The expression of a table, which is made once, outside of the function."""
    keys, values = tables.contents(op)
    kinds = [op.get_attr("key_dtype"), op.get_attr("value_dtype")]
    parts = []
    for array, kind in zip((keys, values), kinds, strict=True):
        if array.size > literals.MOST:
            parts.append(body.parameter("table_values", array))
        else:
            parts.append(f"tf.constant({literals.value(array)}, {literals.dtype(kind)})")
    # Each look-up has a default of its own as an input, so this one is never used.
    default = "''" if values.dtype.kind in "OSU" else "0"
    fill = f"tf.lookup.KeyValueTensorInitializer({parts[0]}, {parts[1]})"
    made = Expression(f"tf.lookup.StaticHashTable({fill}, {default})")
    return Expression(body.bind(f"table_{op.name}", made))


def _look_up(body: Body, op: Op) -> None:
    handle = op.inputs[0].name

    def argument(tensor: Tensor) -> str:
        found = body.of(tensor)
        return f"{found}.resource_handle" if tensor.name == handle else found

    body.put(op, op_calls.raw(op, argument))


def _reshape(body: Body, op: Op) -> None:
    shape = _free_dimension(op.outputs[0])
    written = body.of(op.inputs[1], plain=True) if shape is None else shape
    body.put(op, f"tf.reshape({body.of(op.inputs[0])}, {written})")


def _assert(body: Body, op: Op) -> None:
    _asserted(body, op, op.inputs[0], list(op.inputs)[1:], op.get_attr("summarize"))


def _asserted(
    body: Body, op: Op, condition: Tensor, data: Sequence[Tensor | Array], summarize: int
) -> None:
    told = ", ".join(
        literals.value(item) if isinstance(item, np.ndarray) else body.of(item) for item in data
    )
    most = "" if summarize == 3 else f", summarize={summarize}"
    name = body.let(op, f"tf.debugging.Assert({body.of(condition)}, [{told}]{most})")
    made = Expression(name)
    body.expressions |= {f"^{op.name}": made} | {t.name: made for t in op.outputs}


def _grouped(body: Body, op: Op) -> None:
    """A `NoOp` is not written: its users get its control dependencies."""


def _called(body: Body, op: Op) -> None:
    _inline(body, op, _branch(op, "f"), op.inputs)


def _inline(body: Body, op: Op, graph: Graph, inputs: Iterable[Tensor]) -> None:
    """Writes the ops of a function where it is called."""
    outer = map(body.of, inputs)
    given = dict(zip((t.name for t in graph.inputs), outer, strict=True))
    inner = body.inner(given)
    inner.names = body.names
    inner.write(graph.get_operations(), graph.outputs, graph.control_outputs)
    for line in inner.lines:
        body.line(line)
    for output, t in zip(op.outputs, graph.outputs, strict=True):
        body.expressions[output.name] = inner.of(t)


def _python(body: Body, op: Op) -> None:
    """`py_func`: the Python function becomes a parameter of `dataset`."""
    function = op_building.python_function(op)
    name = body.bind(getattr(function, "__name__", "function"), function)
    call = "py_function" if op.type == "EagerPyFunc" else "numpy_function"
    kinds = ", ".join(map(literals.dtype, op.get_attr("Tout")))
    given = ", ".join(map(body.tensor, op.inputs))
    places = [f"[{k}]" for k in range(len(op.outputs))]
    body.put(op, f"tf.{call}({name}, [{given}], [{kinds}])", places=places)


def _pad(body: Body, op: Op) -> None:
    paddings = body.value(op.inputs[1])
    if paddings is not None and not np.any(paddings):
        body.hand_on(op)
    else:
        body.call(op)


ROWS: dict[str, Callable[[Body, Op], None]] = {
    "Pad": _pad,
    "PadV2": _pad,
    "LookupTableFindV2": _look_up,
    "LookupTableSizeV2": _look_up,
    "ParseExampleV2": _example,
    "ParseSequenceExampleV2": _sequence_example,
    "DecodeCSV": _csv,
    "Unpack": _unpack,
    "Split": _split,
    "StridedSlice": _strided_slice,
    "If": _cond,
    "StatelessIf": _cond,
    "While": _while,
    "StatelessWhile": _while,
    "PartitionedCall": _called,
    "StatefulPartitionedCall": _called,
    "Reshape": _reshape,
    "Assert": _assert,
    "NoOp": _grouped,
    "PyFunc": _python,
    "PyFuncStateless": _python,
    "EagerPyFunc": _python,
}
