"""The readers, written out: one row a kind, as in `read`."""

import dataclasses

from tfqueue.dataset import plan, read
from tfqueue.dataset.written import literals


def write(writer, node):
    """Writes a `plan.Read` and all before it; the name of its dataset."""
    if read.by_element(node):
        return _by_element(writer, node)
    names, again = node.names, ""
    if isinstance(names, plan.Rows) and names.in_order is None and node.files == 1:
        again = "" if names.epochs == 1 else f".repeat({names.epochs or ''})"
        names = dataclasses.replace(names, epochs=1, name="files")
    call = _FILES[node.kind](writer, node)
    if read.of_one_file(node):
        file = writer.let("file", literals.value(names.values[0][0]))
        made = call.removeprefix("lambda file: ").replace("(file", f"({file}")
        return writer.let("records", (made if made != call else f"{call}({file})") + again)
    files = writer.node(names)
    how = (
        f"flat_map({call})" if node.files == 1 else f"interleave({call}, cycle_length={node.files})"
    )
    return writer.let("records", f"{files}.{how}{again}")


def _by_element(writer, node):
    files = writer.node(node.names)
    content = "tf.io.read_file(file)" if node.kind == "WholeFileReader" else "file"
    listed = (lambda text: f"tf.expand_dims({text}, 0)") if node.up_to is not None else str
    parts = [listed("file"), listed(content)] if node.keys else [listed(content)]
    given = f"({', '.join(parts)})" if len(parts) > 1 else parts[0]
    return writer.let("contents", f"{files}.map(lambda file: {given})")


def _batched(node, text):
    return text if node.up_to is None else f"{text}.batch({node.up_to})"


def _define(writer, wanted, lines):
    name = writer.name(wanted)
    text = "\n".join(f"    {line}" for line in lines)
    writer.functions.append(f"def {name}(file):\n{text}")
    return name


def _tfrecords(writer, node):
    compression = node.options["compression_type"].decode()
    more = f", {compression!r}" if compression else ""
    made = f"tf.data.TFRecordDataset(file{more})"
    if node.keys:
        return _define(
            writer,
            "records_with_keys",
            [
                "def numbered(offset, record):",
                "    after = offset + 16 + tf.cast(tf.strings.length(record), tf.int64)",
                '    return after, (tf.strings.join([file, tf.strings.as_string(offset)], ":"), record)',
                "",
                f"return {_batched(node, f'{made}.scan(tf.constant(0, tf.int64), numbered)')}",
            ],
        )
    if not compression and node.up_to is None:
        return "tf.data.TFRecordDataset"
    return f"lambda file: {_batched(node, made)}"


def _counted(writer, node, made, first):
    if not node.keys:
        return f"lambda file: {_batched(node, made)}"
    key = 'tf.strings.join([file, tf.strings.as_string(i)], ":")'
    counted = f"{made}.enumerate({first}).map(lambda i, record: ({key}, record))"
    return _define(writer, "records_with_keys", [f"return {_batched(node, counted)}"])


def _lines(writer, node):
    skipped = node.options["skip_header_lines"]
    made = "tf.data.TextLineDataset(file)" + (f".skip({skipped})" if skipped else "")
    if not skipped and not node.keys and node.up_to is None:
        return "tf.data.TextLineDataset"
    return _counted(writer, node, made, 1 + skipped)


def _fixed(writer, node):
    options = node.options
    size, hop = options["record_bytes"], options["hop_bytes"] or options["record_bytes"]
    head, foot = options["header_bytes"], options["footer_bytes"]
    if node.whole:
        around = f", header_bytes={head}" if head else ""
        around += f", footer_bytes={foot}" if foot else ""
        made = f"tf.data.FixedLengthRecordDataset(file, {size}{around})"
        return _counted(writer, node, made, 0)
    encoding = options["encoding"].decode()
    content = ["content = tf.io.read_file(file)"]
    if encoding:
        content.append(f"content = tf.io.decode_compressed(content, {encoding!r})")
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
    if not node.keys and node.up_to is None:
        return name
    return _counted(writer, node, f"{name}(file)", 0)


_FILES = {
    "TFRecordReader": _tfrecords,
    "TextLineReader": _lines,
    "FixedLengthRecordReader": _fixed,
}
