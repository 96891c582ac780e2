"""The readers as datasets: one row a kind. Keys are those of TensorFlow 1: `file:record`."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Protocol, TypeAlias

from tfqueue.dataset import literals, plan

_FRAME = 16
"""Bytes around the payload of a TFRecord record: length, and two checksums."""
_KEY = 'tf.strings.join([file, tf.strings.as_string({})], ":")'


class Writer(Protocol):
    """What a program is written to."""

    functions: list[str]
    """The functions that stand before `dataset`, as text."""

    def node(self, node: plan.Node) -> str:
        """Writes a node and all before it; the name of its dataset."""

    def let(self, wanted: str, first: str, *calls: str) -> str:
        """Assigns a dataset to a name, `wanted` if it is free; the name."""

    def name(self, wanted: str) -> str:
        """A free name."""


Call: TypeAlias = tuple[list[str], tuple[str, str], bool]
"""A call: its parameters, its text before and behind its arguments, and whether it returns several
components."""


def by_element(node: plan.Read) -> bool:
    """Whether a `plan.Read` gives one record for each name, so that one op on the name reads it."""
    return node.kind in ("WholeFileReader", "IdentityReader")


def element(node: plan.Read) -> Call:
    """What `by_element` reads, as `_composed` has it: `(parameters, (text, keywords), several)`."""
    content = "tf.io.read_file(file)" if node.kind == "WholeFileReader" else "file"
    listed = "{}" if node.up_to is None else "tf.expand_dims({}, 0)"
    parts = [listed.format(part) for part in (["file"] if node.keys else []) + [content]]
    text = parts[0] if len(parts) == 1 else f"({', '.join(parts)})"
    return ["file"], (text, ""), len(parts) > 1


def of_one_file(node: plan.Read) -> bool:
    """Whether the records come from one known file, so that no dataset of names is needed."""
    names = node.names
    return (
        isinstance(names, plan.Rows)
        and names.in_order is None
        and names.shard is None
        and not names.served
        and len(names.values[0]) == 1
        and node.whole
        and not node.keys
    )


def write(writer: Writer, node: plan.Read) -> str:
    """Writes a `plan.Read` and all before it; the name of its dataset."""
    if by_element(node):
        _, (text, _), _ = element(node)
        return writer.let("contents", writer.node(node.names), f"map(lambda file: {text})")
    names, again = node.names, []
    fixed = isinstance(names, plan.Rows) and (names.in_order is not None or names.drawn)
    if isinstance(names, plan.Rows) and not fixed and not names.served:
        # The records are repeated, not the names: if no file has a record, `repeat` ends at once.
        if not (names.steady and names.shuffled and len(names.values[0]) > 1):
            again = [] if names.epochs == 1 else [f"repeat({names.epochs or ''})"]
            names = dataclasses.replace(names, epochs=1)
    if isinstance(names, plan.Rows):
        names = dataclasses.replace(names, name="files")
    if isinstance(names, plan.Rows) and of_one_file(node):
        file = writer.let("file", literals.value(names.values[0][0]))
        return writer.let("records", _FILES[node.kind](writer, node, file), *again)
    call = _call(writer, node)
    how = (
        f"flat_map({call})" if node.files == 1 else f"interleave({call}, cycle_length={node.files})"
    )
    return writer.let("records", writer.node(names), how, *again)


def _call(writer: Writer, node: plan.Read) -> str:
    """The text of a function from a file's name to the dataset of its records."""
    made = _FILES[node.kind](writer, node, "file")
    if made.endswith("(file)") and made.count("(") == 1:
        return made.removesuffix("(file)")
    return f"lambda file: {made}"


def _several(node: plan.Read, text: str) -> str:
    return text if node.up_to is None else f"{text}.batch({node.up_to})"


def _define(writer: Writer, wanted: str, lines: Sequence[str]) -> str:
    name = writer.name(wanted)
    writer.functions.append("\n    ".join([f"def {name}(file):", *lines]))
    return name


def _tfrecords(writer: Writer, node: plan.Read, file: str) -> str:
    compression = node.options["compression_type"].decode()
    more = f", {compression!r}" if compression else ""
    if not node.keys:
        return _several(node, f"tf.data.TFRecordDataset({file}{more})")
    lines = [
        "def numbered(offset, record):",
        f"    after = offset + {_FRAME} + tf.cast(tf.strings.length(record), tf.int64)",
        f"    return after, ({_KEY.format('offset')}, record)",
        f"records = tf.data.TFRecordDataset(file{more})",
        f"return {_several(node, 'records.scan(tf.constant(0, tf.int64), numbered)')}",
    ]
    return f"{_define(writer, 'records_with_keys', lines)}({file})"


def _counted(writer: Writer, node: plan.Read, made: str, file: str, first: int) -> str:
    """Records with their numbers as keys, from `first` on, if the keys are wanted."""
    if not node.keys:
        return _several(node, made)
    lines = [
        f"records = {made}",
        f"records = records.enumerate({first})",
        f"records = records.map(lambda i, record: ({_KEY.format('i')}, record))",
        f"return {_several(node, 'records')}",
    ]
    return f"{_define(writer, 'records_with_keys', lines)}({file})"


def _lines(writer: Writer, node: plan.Read, file: str) -> str:
    skipped = node.options["skip_header_lines"]
    made = f"tf.data.TextLineDataset({file})" + (f".skip({skipped})" if skipped else "")
    # Lines are counted from 1, those that are skipped too.
    return _counted(writer, node, made, file, 1 + skipped)


def _fixed(writer: Writer, node: plan.Read, file: str) -> str:
    options = node.options
    size, hop = options["record_bytes"], options["hop_bytes"] or options["record_bytes"]
    head, foot = options["header_bytes"], options["footer_bytes"]
    if node.whole:
        around = f", header_bytes={head}" if head else ""
        around += f", footer_bytes={foot}" if foot else ""
        made = f"tf.data.FixedLengthRecordDataset({file}, {size}{around})"
        return _counted(writer, node, made, file, 0)
    encoding = options["encoding"].decode()
    content = ["content = tf.io.read_file(file)"]
    if encoding:
        content.append(f"content = tf.io.decode_compressed(content, {encoding!r})")
    if head:  # as a reader does; a file without room for a record is none of its failures
        content.append(
            f"tf.debugging.Assert(tf.strings.length(content) >= {head}, "
            "[file, 'is cut inside its header'])"
        )
    name = _define(
        writer,
        "pieces",
        [
            f'"""{size} bytes, every {hop} bytes from {head} on, and not the last {foot}."""',
            *content,
            f"room = tf.cast(tf.strings.length(content), tf.int64) - {head + foot + size}",
            f"starts = tf.data.Dataset.range(tf.maximum(room // {hop} + 1, 0))",
            f"return starts.map(lambda i: tf.strings.substr(content, {head} + i * {hop}, {size}))",
        ],
    )
    return _counted(writer, node, f"{name}({file})", file, 0)


_FILES: dict[str, Callable[[Writer, plan.Read, str], str]] = {
    "TFRecordReader": _tfrecords,
    "TextLineReader": _lines,
    "FixedLengthRecordReader": _fixed,
}
