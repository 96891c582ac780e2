"""Records that are not what the graph takes them for: keys, dtypes, shapes, bytes, fields, images.

And slices, which are of lists of different lengths.
"""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from tfqueue._tensorflow import op_building
from tfqueue._tensorflow.types import Op, Tensor
from tfqueue.explain import file_records
from tfqueue.explain.case import Case
from tfqueue.explain.stories.rows import Row, counted, sure

# -- keys of Examples -----------------------------------------------------------------------------

_EMPTY = (b"", b"\n\0")
"""An Example without features, and one whose features are none."""
_KINDS = {"bytes": "string", "float": "float32", "int64": "int64"}


def _example(case: Case) -> tuple[str, bytes] | None:
    """`(where it stands, its bytes)` of the bad record, or else of one beside it."""
    if case.record is not None:
        return f"record {case.key}", case.record[1]
    for path in case.files:
        for reader in case.readers:
            try:
                for key, value in file_records.records(reader, path):
                    return f"record {key.decode(errors='replace')}, for one,", value
            except (OSError, ValueError):
                continue
    return None


def _content(data: bytes) -> dict[str, tuple[str, Any]] | None:
    """`{key: (kind, values)}` of an Example or of a SequenceExample's context and lists, or None."""
    from tfqueue.records import ExampleError, messages

    try:
        found, lists = messages.parse(data)
    except ExampleError:
        return None
    for key, steps in (lists or {}).items():
        kind = steps[0][0] if steps else "empty"
        found[key] = f"list of {kind}", steps
    return found


def _described(key: str, kind: str, values: Any) -> str:
    many = counted(len(values), "step" if kind.startswith("list") else "value")
    if kind == "bytes" and len(values) == 1:
        many += f" of {counted(len(values[0]), 'byte')}"
    return f"'{key}' ({kind}, {many})"


def _wanted(case: Case) -> dict[str, tuple[str, list[int | None] | None, bool]]:
    """`{key: (dtype name, shape or None, whether it must be there)}` of a failed parsing op."""
    op, static = case.op, case.tf.get_static_value
    if op.type == "ParseExampleV2":
        dense, sparse = static(op.inputs[3]), static(op.inputs[2])
        shapes, types = op.get_attr("dense_shapes"), op.get_attr("Tdense")
        defaults = op.inputs[5 : 5 + len(types)]
        needed = [static(default) is not None and not static(default).size for default in defaults]
        sparse_types = op.get_attr("sparse_types")
    elif op.type == "ParseSequenceExampleV2":
        named = {item.name: place for place, item in enumerate(op.op_def.input_arg)}
        dense = static(op.inputs[named["context_dense_keys"]])
        sparse = static(op.inputs[named["context_sparse_keys"]])
        shapes, types = op.get_attr("context_dense_shapes"), op.get_attr("Tcontext_dense")
        needed = [True] * len(types)
        sparse_types = op.get_attr("context_sparse_types")
    else:
        return {}
    found = {}
    for key, kind, shape, must in zip(dense, types, shapes, needed, strict=True):
        known = case.tf.TensorShape(shape)
        sizes = known.as_list() if known.rank is not None else None
        found[key.decode()] = case.tf.as_dtype(kind).name, sizes, must
    for key, kind in zip(sparse, sparse_types, strict=True):
        found[key.decode()] = case.tf.as_dtype(kind).name, None, False
    return found


def _parse(case: Case) -> str:
    example = _example(case)
    if example is None:
        return ""
    where, data = example
    content = _content(data)
    if content is None or (not content and data not in _EMPTY):
        return f"{where} is no tf.train.Example: {counted(len(data), 'byte')}, {data[:20]!r}..."
    has = f"it has {', '.join(_described(key, *content[key]) for key in sorted(content))}"
    if not content:
        has = "it is empty"
    problems = []
    for key, (dtype, shape, must) in _wanted(case).items():
        if key not in content:
            if must:
                close = difflib.get_close_matches(key, content, 1)
                hint = f" (did you mean '{close[0]}'?)" if close else ""
                problems.append(f"key '{key}' ({dtype}) is wanted and is not there{hint}")
            continue
        kind, values = content[key]
        actual = _KINDS.get(kind, kind)
        if values is not None and len(values) and actual != dtype:
            problems.append(f"key '{key}' is wanted as {dtype} and is {actual}")
        elif (wanted := _size(shape)) is not None and wanted != len(values):
            problems.append(
                f"key '{key}' is wanted with shape {shape}, {counted(wanted, 'value')}, "
                f"and has {counted(len(values), 'value')} (VarLenFeature takes any number)"
            )
    return f"{where}: {'; '.join([*problems, has])}"


# -- shapes and bytes -----------------------------------------------------------------------------


def _size(shape: Sequence[int | None] | None) -> int | None:
    """How many values a shape has, or None if that is not known."""
    if shape is None:
        return None
    known = [size for size in shape if size is not None]
    return math.prod(known) if len(known) == len(shape) else None


class Misfit(NamedTuple):
    """A component of an enqueue op whose shape is not the queue's."""

    number: int
    tensor: Tensor
    wanted: list[int | None]
    actual: list[int | None]


def _misfit(case: Case) -> Misfit | None:
    """The component that a failed enqueue op could not put, or None."""
    told = re.search(
        r"Shape mismatch in tuple component (\d+)\. Expected \[([^]]*)\], got \[([^]]*)\]",
        case.message,
    )
    if told is None or not case.op_type.startswith("QueueEnqueue"):
        return None
    wanted, actual = (
        [int(size) if size.strip().isdigit() else None for size in told[n].split(",") if size]
        for n in (2, 3)
    )
    return Misfit(int(told[1]), case.op.inputs[1 + int(told[1])], wanted, actual)


def _component(case: Case) -> str:
    number, tensor, wanted, actual = sure(_misfit(case))
    queue = case.label(case.queue) if case.queue is not None else "the queue"
    line = case.line_of(tensor.op)
    text = (
        f"component {number} of {queue} has the shape {wanted}; this example's tensor "
        f"'{tensor.name}'{f', built at {line},' if line else ''} has {actual}"
    )
    return text + (f". It is {case.key}" if case.key is not None else "")


def _raw_behind(tensors: Iterable[Tensor]) -> Op | None:
    """The nearest decode_raw that one of `tensors` was made by."""
    todo, seen = [tensor.op for tensor in tensors], set()
    while todo:
        op = todo.pop(0)
        if op.type in ("DecodeRaw", "DecodePaddedRaw"):
            return op
        if op not in seen:
            seen.add(op)
            todo += [tensor.op for tensor in op.inputs]
    return None


def _raw(case: Case) -> Op | None:
    """The decode_raw behind a failure of sizes, or None."""
    if case.op_type == "DecodeRaw":
        return case.op
    if case.op_type == "Reshape":
        return _raw_behind(case.op.inputs[:1])
    misfit = _misfit(case)
    return _raw_behind([misfit.tensor]) if misfit else None


_SIZED = [  # bytes a value, and the dtypes of that size that images and labels are written in
    (8, ("float64", "int64")),
    (4, ("float32", "int32")),
    (2, ("int16", "uint16")),
    (1, ("uint8",)),
]


def _arithmetic(case: Case) -> str:
    raw = sure(_raw(case))
    dtype = case.tf.as_dtype(raw.get_attr("out_type"))
    value, wanted, shape = case.value_of(raw.inputs[0]), None, None
    size = len(value.item()) if value is not None and value.ndim == 0 else None
    if case.op_type == "Reshape":
        told = re.search(
            r"a tensor with (\d+) values, but the requested shape has (\d+)", case.message
        )
        shape = case.tf.get_static_value(case.op.inputs[1])
        if told is not None:
            size = size if size is not None else int(told[1]) * dtype.size
            wanted = int(told[2])
    elif misfit := _misfit(case):
        shape = misfit.wanted
        wanted = _size(misfit.wanted)
        if size is None and (values := _size(misfit.actual)) is not None:
            size = values * dtype.size
    if size is None:
        told = re.search(r"length (\d+)", case.message)
        size = int(told[1]) if told else None
    if size is None:
        return ""
    ways = [(size // each, names) for each, names in _SIZED if size % each == 0]
    sums = ", ".join(f"{count:,} {' or '.join(names)}" for count, names in ways)
    text = f"{counted(size, 'byte')} = {sums}; decode_raw takes them for {dtype.name}"
    if wanted is not None:
        text += f", and {np.asarray(shape).tolist()} has {counted(wanted, 'value')}"
        fitting = [name for count, names in ways if count == wanted for name in names]
        if fitting and dtype.name not in fitting:
            return f"{text}: was it written with another dtype ({' or '.join(fitting)})?"
        return f"{text}: is it of another size, or was it written with another dtype?"
    return f"{text}: was it written with another dtype?"


def _counts(case: Case) -> bool:
    """Whether the number of bytes hints at the intended dtype: the sizes differ by a power of two."""
    raw = _raw(case)
    if raw is None:
        return False
    misfit = _misfit(case)
    if misfit is None:
        return True
    wanted, actual = _size(misfit.wanted), _size(misfit.actual)
    if wanted is None or not actual:
        return False
    ratio = wanted / actual
    return math.log2(ratio).is_integer() if ratio > 0 else False


# -- slices ---------------------------------------------------------------------------------------


def _sliced(case: Case) -> list[int | None]:
    """The numbers of rows of the tensors that one index takes, that of the failed op first."""
    told = re.search(r" is not in \[0, (\d+)\)", case.message)
    if case.op_type != "GatherV2" or told is None:
        return []
    gathers = [op for op in op_building.consumers(case.op.inputs[1]) if op.type == "GatherV2"]
    gathers = [case.op, *(op for op in gathers if op is not case.op)]
    rows = [
        case.tf.dimension_value(op.inputs[0].shape[0])
        for op in gathers
        if op.inputs[0].shape.rank and case.tf.get_static_value(op.inputs[2]) == 0
    ]
    return rows if rows[:1] == [int(told[1])] else []


def _lengths(case: Case) -> str:
    size, *others = _sliced(case)
    longest = max(other for other in others if other is not None)
    return (
        f"the tensors that are sliced together are of different lengths: this one has "
        f"{counted(sure(size), 'row')}, another has {longest:,}"
    )


# -- lines and images -----------------------------------------------------------------------------


def _csv(case: Case) -> str:
    if case.record is None:
        return ""
    line = case.record[1].decode(errors="replace")
    wanted = len(case.op.get_attr("OUT_TYPE"))
    delimiter = case.op.get_attr("field_delim").decode() or ","
    file, _, number = sure(case.key).rpartition(":")
    return (
        f"line {number} of {file} is {line[:80]!r}, "
        f"{counted(line.count(delimiter) + 1, 'field')}; "
        f"record_defaults has {counted(wanted, 'column')}"
    )


_IMAGES = re.compile(r"Decode(Jpeg|Png|Gif|Bmp|Image|WebP|AndCropJpeg)$")


def _image(case: Case) -> str:
    from tfqueue.records.schemas import looks_like

    data = case.value_of(case.op.inputs[0])
    if data is None or data.ndim:
        return ""
    data = data.item()
    seems = looks_like(data) if data else "nothing"
    return (
        f"the image of {case.key} cannot be decoded: {counted(len(data), 'byte')}, beginning with "
        f"{data[:12]!r}, {'which is ' + seems if seems != 'raw' else 'no image that is known'}"
    )


FAILURES = [
    Row(
        ("wrong_key", "wrong_dtype", "wrong_shape"),
        lambda case: case.op_type.startswith("Parse") and case.readers,
        _parse,
    ),
    Row(("odd_shape",), lambda case: _misfit(case) is not None, _component),
    Row(("wrong_raw_dtype",), _counts, _arithmetic),
    Row(("odd_shape",), lambda case: len({*_sliced(case)} - {None}) > 1, _lengths),
    Row(("csv_missing_column",), lambda case: case.op_type == "DecodeCSV", _csv),
    Row(("undecodable_image",), lambda case: _IMAGES.match(case.op_type), _image),
]
