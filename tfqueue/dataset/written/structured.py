"""Ops that are written as more than a call: parsing, slices, branches, loops. One row a type."""

import numpy as np

from tfqueue import _tensorflow, errors
from tfqueue._tensorflow import op_building
from tfqueue.dataset import tables
from tfqueue.dataset.written import literals, spelling
from tfqueue.dataset.written.expression import Expression

_tf = _tensorflow.compat_v1()


def _groups(op, arguments, tensors):
    """Dict from the name of an op's inputs or outputs to the list of tensors under it."""
    found, place = {}, 0
    for argument in arguments:
        count = 1
        if argument.number_attr:
            count = op.get_attr(argument.number_attr)
        elif argument.type_list_attr:
            count = len(op.get_attr(argument.type_list_attr))
        found[argument.name] = list(tensors)[place : place + count]
        place += count
    return found


def _keys(tensor):
    return [literals.text(key) for key in np.ravel(_tf.get_static_value(tensor)).tolist()]


def _dense(body, dtype, shape, default):
    """The feature that a dense output was asked for with."""
    known = _tf.TensorShape(shape)
    kind = literals.dtype(dtype)
    if known.rank and known.as_list()[0] is None:
        return f"tf.io.FixedLenSequenceFeature({known.as_list()[1:]}, {kind}, allow_missing=True)"
    value = _tf.get_static_value(default)
    if value is None or not value.size:
        return f"tf.io.FixedLenFeature({known.as_list()}, {kind})"
    written = literals.value(value)
    return f"tf.io.FixedLenFeature({known.as_list()}, {kind}, default_value={written})"


def _example(body, op):
    takes = _groups(op, op.op_def.input_arg, op.inputs)
    gives = _groups(op, op.op_def.output_arg, op.outputs)
    if op.get_attr("ragged_value_types"):
        raise errors.CannotLiftError(f"{op.name!r} parses ragged features: not to be written yet")
    features, named = [], []
    shapes, kinds = op.get_attr("dense_shapes"), op.get_attr("Tdense")
    sparse = zip(_keys(takes["sparse_keys"][0]), op.get_attr("sparse_types"), strict=True)
    for k, (key, kind) in enumerate(sparse):
        features.append((key, f"tf.io.VarLenFeature({literals.dtype(kind)})"))
        parts = ("sparse_indices", "sparse_values", "sparse_shapes")
        named.append((key, tuple(gives[part][k] for part in parts)))
    for k, key in enumerate(_keys(takes["dense_keys"][0])):
        default = takes["dense_defaults"][k]
        features.append((key, _dense(body, kinds[k], shapes[k], default)))
        named.append((key, gives["dense_values"][k]))
    record = takes["serialized"][0]
    function = "parse_single_example" if record.shape.rank == 0 else "parse_example"
    lines = "".join(f"\n        {key}: {feature}," for key, feature in sorted(features))
    call = f"tf.io.{function}(\n    {body.of(record)},\n    {{{lines}\n    }},\n)"
    _features(body, body.let(op, call), named)


def _features(body, name, named):
    """Notes where the parsed features are found."""
    for key, value in named:
        if isinstance(value, tuple):
            body.sparse[tuple(t.name for t in value)] = Expression(f"{name}[{key}]")
            for t, part in zip(value, ("indices", "values", "dense_shape"), strict=True):
                body.expressions[t.name] = Expression(f"{name}[{key}].{part}")
        else:
            body.expressions[value.name] = Expression(f"{name}[{key}]")


def _sequence_example(body, op):
    takes = _groups(op, op.op_def.input_arg, op.inputs)
    gives = _groups(op, op.op_def.output_arg, op.outputs)
    if op.get_attr("context_ragged_value_types") or op.get_attr("feature_list_ragged_value_types"):
        raise errors.CannotLiftError(f"{op.name!r} parses ragged features: not to be written yet")
    written, named = {}, {}
    for part, types in (
        ("context", "Tcontext_dense"),
        ("feature_list", "feature_list_dense_types"),
    ):
        features = written.setdefault(part, [])
        found = named.setdefault(part, [])
        sparse = _keys(takes[f"{part}_sparse_keys"][0])
        for k, key in enumerate(sparse):
            kind = literals.dtype(op.get_attr(f"{part}_sparse_types")[k])
            features.append(f"{key}: tf.io.VarLenFeature({kind})")
            outputs = [gives[f"{part}_sparse_{p}"][k] for p in ("indices", "values", "shapes")]
            found.append((key, tuple(outputs)))
        shapes = op.get_attr(f"{part}_dense_shapes")
        for k, key in enumerate(_keys(takes[f"{part}_dense_keys"][0])):
            kind = op.get_attr(types)[k]
            if part == "context":
                feature = _dense(body, kind, shapes[k], takes["context_dense_defaults"][k])
            else:
                shape = _tf.TensorShape(shapes[k]).as_list()
                missing = np.ravel(
                    _tf.get_static_value(takes["feature_list_dense_missing_assumed_empty"][0])
                )
                allowed = ", allow_missing=True" if k < len(missing) and missing[k] else ""
                kind = literals.dtype(kind)
                feature = f"tf.io.FixedLenSequenceFeature({shape}, {kind}{allowed})"
            features.append(f"{key}: {feature}")
            found.append((key, gives[f"{part}_dense_values"][k]))
    record = takes["serialized"][0]
    single = "single_" if record.shape.rank == 0 else ""
    context, lists = (body.name(wanted) for wanted in ("context", "lists"))
    blocks = ""
    for keyword, part in (("context_features", "context"), ("sequence_features", "feature_list")):
        inner = "".join(f"\n        {feature}," for feature in sorted(written[part]))
        blocks += f"\n    {keyword}={{{inner}\n    }}," if inner else f"\n    {keyword}={{}},"
    rest = ", _" if not single else ""
    body.lines.append(
        f"{context}, {lists}{rest} = tf.io.parse_{single}sequence_example("
        f"\n    {body.of(record)},{blocks}\n)"
    )
    _features(body, context, named["context"])
    _features(body, lists, named["feature_list"])


def _csv(body, op):
    defaults = []
    for tensor in list(op.inputs)[1:]:
        value = np.ravel(_tf.get_static_value(tensor))
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
        written = literals.attribute(op.node_def.attr[name])
        extra += f", {name}={written}" if written != default else ""
    call = f"tf.io.decode_csv({body.of(op.inputs[0])}, [{', '.join(defaults)}]{extra})"
    name = body.let(op, call)
    _outputs(body, op, name)


def _outputs(body, op, name):
    for k, output in enumerate(op.outputs):
        body.expressions[output.name] = Expression(f"{name}[{k}]")


def _unpack(body, op):
    count, axis = op.get_attr("num"), op.get_attr("axis")
    _outputs(body, op, body.let(op, f"tf.unstack({body.of(op.inputs[0])}, {count}, axis={axis})"))


def _split(body, op):
    axis, value = (body.of(t, plain=True) for t in op.inputs)
    name = body.let(op, f"tf.split({value}, {op.get_attr('num_split')}, axis={axis})")
    _outputs(body, op, name)


def _strided_slice(body, op):
    """`x[1:3, ..., 0]`, where the places are known or one dimension's."""
    masks = {
        name: op.get_attr(f"{name}_mask")
        for name in ("begin", "end", "ellipsis", "new_axis", "shrink_axis")
    }
    edges = [_tf.get_static_value(t) for t in list(op.inputs)[1:]]
    if any(edge is None for edge in edges):
        body.put(op, spelling.raw(op, body.of))
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


def _branch(op, attribute):
    function = op_building.function_of(op.graph, op.get_attr(attribute).name)
    return function.graph


def _function(body, wanted, graph, given, arguments=""):
    """Writes a function of the graph inside this one; its name."""
    inner = body.inner(given)
    inner.write(graph.get_operations(), graph.outputs)
    returned = ", ".join(inner.of(t) for t in graph.outputs)
    if not inner.lines and len(graph.outputs) == 1 and not arguments:
        return f"lambda: {returned}"
    name = body.name(wanted)
    text = [f"def {name}({arguments}):", *inner.lines, f"return {returned}"]
    body.lines.append("\n".join([text[0], *(_indented(line) for line in text[1:])]))
    return name


def _indented(text):
    return "\n".join("    " + line if line else line for line in text.split("\n"))


def _cond(body, op):
    outer = [body.expressions[t.name] for t in list(op.inputs)[1:]]
    names = []
    for attribute, wanted in (("then_branch", "if_true"), ("else_branch", "if_false")):
        graph = _branch(op, attribute)
        given = dict(zip((t.name for t in graph.inputs), outer, strict=True))
        names.append(_function(body, wanted, graph, given))
    body.put(op, f"tf.cond({body.of(op.inputs[0])}, {names[0]}, {names[1]})")


def _while(body, op):
    graphs = _branch(op, "cond"), _branch(op, "body")
    arguments = [body.name("v") for _ in op.inputs]
    names = []
    for graph, wanted in zip(graphs, ("goes_on", "turn"), strict=True):
        given = {t.name: Expression(a) for t, a in zip(graph.inputs, arguments, strict=True)}
        names.append(_function(body, wanted, graph, given, ", ".join(arguments)))
    first = ", ".join(body.of(t) for t in op.inputs)
    body.put(op, f"tf.while_loop({names[0]}, {names[1]}, [{first}])")


def _table(body, op):
    keys, values = tables.contents(op)
    kinds = [op.get_attr("key_dtype"), op.get_attr("value_dtype")]
    parts = []
    for array, kind in zip((keys, values), kinds, strict=True):
        if array.size > literals.MOST:
            parts.append(f"tf.constant({body.parameter('table', array)}, {literals.dtype(kind)})")
        else:
            parts.append(f"tf.constant({literals.value(array)}, {literals.dtype(kind)})")
    default = "''" if values.dtype.kind in "OSU" else "0"
    fill = f"tf.lookup.KeyValueTensorInitializer({parts[0]}, {parts[1]})"
    name = body.outside("table", f"tf.lookup.StaticHashTable({fill}, {default})")
    body.expressions[op.outputs[0].name] = Expression(name)


def _look_up(body, op):
    handle = op.inputs[0].name

    def argument(tensor):
        found = body.of(tensor)
        return f"{found}.resource_handle" if tensor.name == handle else found

    body.put(op, spelling.raw(op, argument))


ROWS = {
    "HashTableV2": _table,
    "LookupTableFindV2": _look_up,
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
}
