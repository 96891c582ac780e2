"""tfqueue.records.display: the lines in which `tfqueue records` shows what it found."""

import numpy as np
import pytest

from tfqueue.records import display, encode, encode_sequence
from tfqueue.records.framing import Report
from tfqueue.records.schemas import Schema


@pytest.mark.parametrize(
    ("count", "expected"),
    [
        (0, "0 B"),
        (999, "999 B"),
        (1000, "1.0 kB"),
        (1_250_000, "1.2 MB"),
        (999_000_000, "999.0 MB"),
        (3 * 10**12, "3.0 TB"),
        (5 * 10**15, "5000.0 TB"),
    ],
)
def test_sizes(count, expected):
    assert display.size(count) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (b"text", "text"),
        (b"\xff\x00", {"base64": "/wA="}),
        (b"a" * 4096 + b"\xff", {"base64": ("YWFh" * 1366)[:-4] + "Yf8="}),
        (np.array([1, 2]), [1, 2]),
        (np.array([0.5, np.nan, -np.inf]), [0.5, "nan", "-inf"]),
        ({"a": [b"x", np.array([1.5])]}, {"a": ["x", [1.5]]}),
        (({"a": [b"x"]}, {}), [{"a": ["x"]}, {}]),
        (3, 3),
    ],
)
def test_values_for_json(value, expected):
    assert display.jsonable(value) == expected


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([b"a" * 60], repr("a" * 60)),
        ([b"a" * 61], repr("a" * 57 + "...")),
        ([b"\xff\x00"], "<2 B>"),
        ([b"\xff\xd8\xff\xe0"], "<4 B, JPEG>"),
        ([b"a", b"b", b"c", b"d"], "['a', 'b', 'c', 'd']"),
        ([b"a"] * 1005, "['a', 'a', 'a', 'a', ... (1,001 more)]"),
        ([], "[]"),
        (np.array([1.0 / 3, 2.0]), "[0.333333, 2]"),
        (np.array([2.5]), "2.5"),
        (np.arange(8), "[0, 1, 2, 3, 4, 5, 6, 7]"),
        (np.arange(10), "[0, 1, 2, 3, 4, 5, 6, 7, ... (2 more)]"),
    ],
)
def test_values_of_a_key(values, expected):
    assert display.record({"k": values}) == [f"  k  {expected}"]


def test_a_record_is_in_the_order_of_its_keys():
    assert display.record(({"bb": [b"x"], "a": np.array([1])}, {})) == ["  a   1", "  bb  'x'"]
    assert display.record(b"plain") == ["  'plain'  (no Example)"]


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        (1, ["  c     'x'", "  list  1 step", "          0"]),
        (3, ["  c     'x'", "  list  3 steps", *["          0"] * 3]),
        (5, ["  c     'x'", "  list  5 steps", *["          0"] * 3, "          ... (2 more)"]),
    ],
)
def test_steps_of_a_sequence(steps, expected):
    assert display.record(({"c": [b"x"]}, {"list": [np.array([0])] * steps})) == expected


@pytest.mark.parametrize(
    ("count", "last"), [(1000, "  k0999  1"), (1001, "  ... (1 more key)")], ids=str
)
def test_of_very_many_keys_a_part_is_shown(count, last):
    lines = display.record({f"k{number:04}": np.array([1]) for number in range(count)})
    assert len(lines) == count
    assert lines[-1] == last
    key = "k" * 101
    assert display.record({key: [b"x"]}) == [f"  {key[:100]}... (101 characters)  'x'"]


def described(records):
    found = Schema()
    for record in records:
        found.add(record if isinstance(record, bytes) else encode(record))
    return found


def test_a_schema_is_a_table_and_what_to_paste():
    records = [{"label": 7, "name": b"ab"}, {"label": 8, "name": b"abcd"}, {"label": 9}]
    assert display.schema(described(records)) == [
        "3 Examples",
        "",
        "key    kind   values  bytes each  in      looks like",
        "label  int64  1       -           100%",
        "name   bytes  1       2..4        66.67%  text",
        "",
        "features={",
        "    'label': tf.FixedLenFeature([], tf.int64),",
        "    'name': tf.VarLenFeature(tf.string),",
        "}",
    ]


def test_a_schema_of_sequences_has_steps():
    records = [({"id": 1}, {"words": [[1, 2]] * count}) for count in (2, 3)]
    found = described([*(encode_sequence(*record) for record in records), b"\xff\xff"])
    assert display.schema(found)[:5] == [
        "2 SequenceExamples, 1 other record",
        "",
        "key    kind   values  steps  in",
        "id     int64  1       -      100%",
        "words  int64  2       2..3   100%",
    ]


def test_a_schema_of_nothing():
    assert display.schema(Schema()) == ["no record"]
    assert display.schema(described([b"\xff\xff"])) == ["1 other record"]


def test_a_schema_of_a_sample_says_so():
    found = described([{"a": 1}])
    found.read = 1200
    said = "1 Example looked at, of 1,200 records; --all looks at every one"
    assert display.schema(found)[0] == said


@pytest.mark.parametrize(
    ("share", "expected"), [(1, "100%"), (0.99999, "99.99%"), (1e-9, "0.01%"), (0.5, "50%")]
)
def test_a_share_is_all_or_nothing_only_if_it_is(share, expected):
    assert display._percent(share) == expected


@pytest.mark.parametrize(("count", "more"), [(1000, None), (1002, "2 more keys")])
def test_of_a_schema_with_very_many_keys_a_part_is_shown(count, more):
    lines = display.schema(described([{f"k{number:04}": 1 for number in range(count)}]))
    table, paste = lines[3:], lines[lines.index("features={") + 1 : -1]
    assert table[999].split() == ["k0999", "int64", "1", "100%"]
    assert table[1000] == (f"... ({more}; --json lists all)" if more else "")
    assert len(paste) == 1000 + bool(more)


def test_feature_lists_follow_the_features_where_not_all_are_shown():
    many = {f"k{number:04}": [[1]] for number in range(999)}
    found = Schema()
    found.add(encode_sequence({"z": 1, "zz": 1}, many))
    shown = [entry.key for entry in display._first(found)]
    assert (shown[:3], len(shown), shown[-1]) == (["z", "zz", "k0000"], 1000, "k0997")


@pytest.mark.parametrize(
    ("report", "expected"),
    [
        (Report("f", "", 1, 2000, 9, 9), "f: good, 1 record, 2.0 kB"),
        (Report("f", "GZIP", 0, 2, 9, 9), "f: good, 0 records, 2 B, GZIP"),
        (
            Report("f", "", 2, 2, 9, 9, 30, "cut", "it ends", 1),
            "f: DAMAGED at byte 30, after 2 good records: it ends (1 byte from there to the end)",
        ),
        (
            Report("f", "", 1, 2, 9, None, 0, "cut", "it ends", None),
            "f: DAMAGED at byte 0, after 1 good record: it ends",
        ),
    ],
)
def test_what_verify_says_of_a_file(report, expected):
    assert display.report(report) == expected
