"""The readers as datasets: one row a kind. Keys are those of TensorFlow 1: `file:record`."""

import dataclasses

from tfqueue import _tensorflow
from tfqueue.dataset import plan

_tf = _tensorflow.compat_v1()

_FRAME = 16
"""Bytes around the payload of a TFRecord record: length, and two checksums."""


def by_element(node):
    """Whether a `plan.Read` gives one record for each name, so that reading is an op on the name."""
    return node.kind in ("WholeFileReader", "IdentityReader")


def of_one_file(node):
    """Whether the records come from one file that is known, so that no dataset of names is needed."""
    names = node.names
    return (
        isinstance(names, plan.Rows)
        and names.in_order is None
        and names.shard is None
        and len(names.values[0]) == 1
        and node.whole
        and not node.keys
    )


def element(node):
    """What `by_element` reads: a function from the parts of a name to those of its record."""

    def read(parts):
        name = parts[0]
        value = _tf.io.read_file(name) if node.kind == "WholeFileReader" else name
        if node.up_to is not None:
            name, value = _tf.expand_dims(name, 0), _tf.expand_dims(value, 0)
            name.set_shape([None])
            value.set_shape([None])
        return (name, value) if node.keys else (value,)

    return read


def dataset(node):
    """The dataset of a `plan.Read`."""
    from tfqueue.dataset import build, functions

    if by_element(node):
        return build.build(node.names).map(
            functions.unconverted(lambda *parts: element(node)(parts))
        )
    names, epochs = node.names, 1
    if isinstance(names, plan.Rows) and names.in_order is None and node.files == 1:
        # An epoch as a whole again and again: then files without records end it, and do not spin.
        names, epochs = dataclasses.replace(names, epochs=1), names.epochs

    def of_file(name):
        records = _FILES[node.kind](node, name)
        return records if node.up_to is None else records.batch(node.up_to)

    if of_one_file(node):
        records = of_file(_tf.constant(names.values[0][0]))
        return records if epochs == 1 else records.repeat(epochs)
    files = build.build(names)
    if node.files == 1:
        records = files.flat_map(functions.unconverted(of_file))
    else:
        records = files.interleave(functions.unconverted(of_file), cycle_length=node.files)
    return records if epochs == 1 else records.repeat(epochs)


def _tfrecords(node, name):
    data = _tensorflow.datasets()
    records = data.TFRecordDataset(name, node.options["compression_type"].decode())
    if not node.keys:
        return records

    def numbered(offset, record):
        after = offset + _FRAME + _length(record)
        return after, (_key(name, offset), record)

    return records.scan(_tf.constant(0, _tf.int64), numbered)


def _lines(node, name):
    skipped = node.options["skip_header_lines"]
    lines = _tensorflow.datasets().TextLineDataset(name)
    lines = lines.skip(skipped) if skipped else lines
    # Lines are counted from 1, those that are skipped too.
    return _counted(node, name, lines, 1 + skipped)


def _fixed(node, name):
    options = node.options
    size, hop = options["record_bytes"], options["hop_bytes"] or options["record_bytes"]
    head, foot = options["header_bytes"], options["footer_bytes"]
    data = _tensorflow.datasets()
    encoding = options["encoding"].decode()
    if node.whole:
        records = data.FixedLengthRecordDataset(name, size, head, foot, None, encoding)
    else:
        content = _tf.io.read_file(name)
        if encoding:
            content = _tf.io.decode_compressed(content, encoding)
        room = _length(content) - head - foot - size
        count = _tf.maximum(room // hop + 1, 0)
        records = data.Dataset.range(count).map(
            lambda i: _tf.strings.substr(content, head + i * hop, size)
        )
    return _counted(node, name, records, 0)


def _counted(node, name, records, first):
    if not node.keys:
        return records
    return records.enumerate(first).map(lambda i, record: (_key(name, i), record))


def _length(text):
    return _tf.cast(_tf.strings.length(text), _tf.int64)


def _key(name, place):
    return _tf.strings.join([name, _tf.strings.as_string(place)], ":")


_FILES = {
    "TFRecordReader": _tfrecords,
    "TextLineReader": _lines,
    "FixedLengthRecordReader": _fixed,
}
