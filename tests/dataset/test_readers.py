"""The text of a program that reads files: one table for each kind of reader."""

import numpy as np
import pytest

from tfqueue.dataset import plan, readers


class Text:
    """What a program is written to; names are those that are wanted."""

    def __init__(self):
        self.functions = []

    def node(self, node):
        if not isinstance(node, plan.Rows):
            return "other"
        return f"{node.name}({len(node.values[0])} x {node.epochs})"

    def let(self, wanted, first, *calls):
        return f"{wanted} = {'.'.join([first, *calls])}"

    def name(self, wanted):
        return wanted


def rows(count=2, epochs=1, shuffled=False, **more):
    return plan.Rows([np.array([b"a", b"b", b"c"][:count], object)], epochs, shuffled, **more)


OPTIONS = {
    "TFRecordReader": {"compression_type": b""},
    "TextLineReader": {"skip_header_lines": 0},
    "FixedLengthRecordReader": {
        "record_bytes": 4,
        "hop_bytes": 0,
        "header_bytes": 0,
        "footer_bytes": 0,
        "encoding": b"",
    },
    "WholeFileReader": {},
    "IdentityReader": {},
}
RECORDS, LINES, FIXED = list(OPTIONS)[:3]


def read(kind, names=None, *, keys=False, up_to=None, files=1, whole=True, **options):
    names = rows() if names is None else names
    return plan.Read(names, kind, {**OPTIONS[kind], **options}, keys, up_to, files, whole)


def written(node):
    text = Text()
    return readers.write(text, node), text.functions


@pytest.mark.parametrize(
    ("kind", "given", "text"),
    [
        ("WholeFileReader", {}, "tf.io.read_file(file)"),
        ("IdentityReader", {}, "file"),
        ("WholeFileReader", {"keys": True}, "(file, tf.io.read_file(file))"),
        ("IdentityReader", {"keys": True}, "(file, file)"),
        ("WholeFileReader", {"up_to": 3}, "tf.expand_dims(tf.io.read_file(file), 0)"),
        (
            "IdentityReader",
            {"keys": True, "up_to": 3},
            "(tf.expand_dims(file, 0), tf.expand_dims(file, 0))",
        ),
    ],
)
def test_readers_of_whole_files(kind, given, text):
    node = read(kind, rows(2, 3), **given)
    assert readers.by_element(node)
    assert readers.element(node) == (["file"], (text, ""), given.get("keys", False))
    assert written(node) == (f"contents = rows(2 x 3).map(lambda file: {text})", [])


@pytest.mark.parametrize(
    ("node", "text"),
    [
        (read(RECORDS), "flat_map(tf.data.TFRecordDataset)"),
        (read(LINES), "flat_map(tf.data.TextLineDataset)"),
        (
            read(RECORDS, compression_type=b"GZIP"),
            "flat_map(lambda file: tf.data.TFRecordDataset(file, 'GZIP'))",
        ),
        (
            read(RECORDS, up_to=5),
            "flat_map(lambda file: tf.data.TFRecordDataset(file).batch(5))",
        ),
        (
            read(LINES, skip_header_lines=2),
            "flat_map(lambda file: tf.data.TextLineDataset(file).skip(2))",
        ),
        (
            read(LINES, skip_header_lines=2, up_to=3, files=4),
            "interleave(lambda file: tf.data.TextLineDataset(file).skip(2).batch(3), "
            "cycle_length=4)",
        ),
        (read(RECORDS, files=2), "interleave(tf.data.TFRecordDataset, cycle_length=2)"),
        (read(FIXED), "flat_map(lambda file: tf.data.FixedLengthRecordDataset(file, 4))"),
        (
            read(FIXED, header_bytes=1, footer_bytes=2, hop_bytes=4),
            "flat_map(lambda file: tf.data.FixedLengthRecordDataset(file, 4, header_bytes=1, "
            "footer_bytes=2))",
        ),
        (
            read(FIXED, footer_bytes=2),
            "flat_map(lambda file: tf.data.FixedLengthRecordDataset(file, 4, footer_bytes=2))",
        ),
    ],
)
def test_readers_of_records(node, text):
    assert not readers.by_element(node)
    assert written(node) == (f"records = files(2 x 1).{text}", [])


KEY = '(tf.strings.join([file, tf.strings.as_string({})], ":"), record)'


@pytest.mark.parametrize(
    ("node", "functions"),
    [
        (
            read(RECORDS, keys=True, compression_type=b"ZLIB", up_to=2),
            [
                "def records_with_keys(file):\n"
                "    def numbered(offset, record):\n"
                "        after = offset + 16 + tf.cast(tf.strings.length(record), tf.int64)\n"
                f"        return after, {KEY.format('offset')}\n"
                "    records = tf.data.TFRecordDataset(file, 'ZLIB')\n"
                "    return records.scan(tf.constant(0, tf.int64), numbered).batch(2)"
            ],
        ),
        (
            read(LINES, keys=True, skip_header_lines=3),
            [
                "def records_with_keys(file):\n"
                "    records = tf.data.TextLineDataset(file).skip(3)\n"
                "    records = records.enumerate(4)\n"
                f"    records = records.map(lambda i, record: {KEY.format('i')})\n"
                "    return records"
            ],
        ),
        (
            read(FIXED, keys=True, up_to=7),
            [
                "def records_with_keys(file):\n"
                "    records = tf.data.FixedLengthRecordDataset(file, 4)\n"
                "    records = records.enumerate(0)\n"
                f"    records = records.map(lambda i, record: {KEY.format('i')})\n"
                "    return records.batch(7)"
            ],
        ),
    ],
)
def test_records_with_keys(node, functions):
    assert written(node) == ("records = files(2 x 1).flat_map(records_with_keys)", functions)


@pytest.mark.parametrize(
    ("options", "unpacked", "numbers"),
    [
        ({}, "", ("4 bytes, every 4 bytes from 0 on, and not the last 0", 4, 4, "0 + i * 4, 4")),
        (
            {"hop_bytes": 3, "header_bytes": 1, "footer_bytes": 2},
            "    tf.debugging.Assert(tf.strings.length(content) >= 1, "
            "[file, 'is cut inside its header'])\n",
            ("4 bytes, every 3 bytes from 1 on, and not the last 2", 7, 3, "1 + i * 3, 4"),
        ),
        (
            {"encoding": b"GZIP"},
            "    content = tf.io.decode_compressed(content, 'GZIP')\n",
            ("4 bytes, every 4 bytes from 0 on, and not the last 0", 4, 4, "0 + i * 4, 4"),
        ),
    ],
)
def test_records_that_overlap_or_may_be_cut(options, unpacked, numbers):
    told, all_bytes, hop, piece = numbers
    function = (
        "def pieces(file):\n"
        f'    """{told}."""\n'
        "    content = tf.io.read_file(file)\n"
        f"{unpacked}"
        f"    room = tf.cast(tf.strings.length(content), tf.int64) - {all_bytes}\n"
        f"    starts = tf.data.Dataset.range(tf.maximum(room // {hop} + 1, 0))\n"
        f"    return starts.map(lambda i: tf.strings.substr(content, {piece}))"
    )
    node = read(FIXED, whole=False, **options)
    assert written(node) == ("records = files(2 x 1).flat_map(pieces)", [function])
    keyed, functions = written(read(FIXED, whole=False, keys=True, **options))
    assert keyed == "records = files(2 x 1).flat_map(records_with_keys)"
    assert functions[0] == function
    assert functions[1].startswith("def records_with_keys(file):\n    records = pieces(file)\n")


ORDERED = [np.array([b"b", b"a"], object)]


@pytest.mark.parametrize(
    ("names", "text"),
    [
        (rows(2, 1), "files(2 x 1).flat_map({})"),
        (rows(2, 3), "files(2 x 1).flat_map({}).repeat(3)"),
        (rows(2, None), "files(2 x 1).flat_map({}).repeat()"),
        (rows(2, 3, True), "files(2 x 1).flat_map({}).repeat(3)"),
        (rows(2, 3, True, steady=True), "files(2 x 3).flat_map({})"),
        (rows(2, 3, steady=True), "files(2 x 1).flat_map({}).repeat(3)"),
        (rows(2, 3, served=True), "files(2 x 3).flat_map({})"),
        (rows(2, 3, True, in_order=ORDERED), "files(2 x 3).flat_map({})"),
        (rows(2, 3, True, drawn=(1, 2)), "files(2 x 3).flat_map({})"),
        (plan.Count(3), "other.flat_map({})"),
        # one known file needs no dataset of names
        (rows(1, 1), "{}(file = 'a')"),
        (rows(1, 3), "{}(file = 'a').repeat(3)"),
        (rows(1, None), "{}(file = 'a').repeat()"),
        (rows(1, 3, True, steady=True), "{}(file = 'a').repeat(3)"),
        (rows(1, 3, served=True), "files(1 x 3).flat_map({})"),
        (rows(1, 3, shard=(2, 0)), "files(1 x 1).flat_map({}).repeat(3)"),
        (rows(1, 3, in_order=ORDERED), "files(1 x 3).flat_map({})"),
    ],
)
def test_epochs(names, text):
    node = read(LINES, names)
    assert written(node) == (f"records = {text.format('tf.data.TextLineDataset')}", [])
    assert readers.of_one_file(node) == text.startswith("{}")


@pytest.mark.parametrize("given", [{"keys": True}, {"whole": False}])
def test_what_one_file_does_not_have(given):
    node = read(LINES, rows(1), **given)
    assert not readers.of_one_file(node)
    assert written(node)[0].startswith("records = files(1 x 1).flat_map(")
