"""How far a reader of TFRecord files has read, and records that are put one by one."""

import os
import types

import numpy as np
import pytest

import tfqueue.v1 as tf
from tfqueue._tensorflow import CHUNK_SCOPE
from tfqueue.accelerate import replay
from tfqueue.accelerate.mover import CountingMover


@pytest.fixture
def others():
    """Whether others read, which a test may change; `Position`s ask it."""
    return [False]


@pytest.fixture
def position(others):
    return replay.Position(lambda: others[0])


def key(path, offset):
    return f"{path}:{offset}".encode()


def test_the_first_record_of_a_file_is_read_alone(position, records):
    one, other = (records([b"aa", b"bb", b"cc"], name=name) for name in ("one:1", "other"))
    assert position.most(8) == 1
    position.read(key(one, 0), 2, 1)
    assert position.most(8) == 8
    position.read(key(one, 2 * 18), 2, 3)
    assert position.most(8) == 1, "the file is read"
    position.read(key(other, 0), 2, 4)
    assert position.most(8) == 8


@pytest.mark.parametrize(("more", "most"), [(b"", 1), (b"~" * 15, 1), (b"~" * 16, 8)])
def test_what_is_too_short_for_a_record_is_no_more_of_the_file(position, records, more, most):
    path = records([b"aa"])
    with open(path, "ab") as file:
        file.write(more)
    position.read(key(path, 0), 2, 1)
    assert position.most(8) == most


def test_of_a_file_that_is_gone_nothing_is_known(position, tmp_path):
    position.read(key(tmp_path / "none", 0), 2, 1)
    assert position.most(8) == 1


def test_how_long_a_file_is_is_asked_once(position, records, monkeypatch):
    asked, length = [], replay._length
    monkeypatch.setattr(replay, "_length", lambda path: (asked.append(path), length(path))[1])
    one, other = (records([b"aa", b"bb"], name=name) for name in ("one", "other"))
    for path, offset in ((one, 0), (one, 18), (other, 0), (other, 18), (one, 0)):
        position.read(key(path, offset), 2, 1)
    assert asked == [path.encode() for path in (one, other, one)]


def test_nothing_is_known_once_others_have_read(position, others, records):
    path = records([b"aa", b"bb", b"cc"])
    position.read(key(path, 0), 2, 1)
    others[0] = True
    assert position.most(8) == 1
    others[0] = False
    assert position.most(8) == 1
    position.read(key(path, 18), 2, 2)
    assert position.most(8) == 8
    position.moved_elsewhere()
    assert position.most(8) == 1
    assert [column.tolist() for column in position.lost(9, 8)] == [[], []]


@pytest.mark.parametrize(
    ("produced", "most", "found"),
    [
        (1, 8, []),
        (2, 8, [b"b"]),
        (3, 8, [b"b", b"ccc"]),
        (3, 1, [b"b"]),
        (9, 8, [b"b", b"ccc"]),  # the next one is damaged
    ],
)
def test_what_was_read_in_front_of_the_damage_is_read_again(
    position, records, produced, most, found
):
    path = records([b"aa", b"b", b"ccc", b"dd", b"ee"])
    offsets = np.cumsum([0, 18, 17, 19]).tolist()
    with open(path, "r+b") as file:
        file.seek(offsets[3] + 12)
        file.write(b"~")
    position.read(key(path, 0), 2, 1)
    keys, values = position.lost(produced, most)
    assert values.tolist() == found
    assert keys.tolist() == [key(path, offset) for offset in offsets[1 : 1 + len(found)]]
    assert keys.dtype == values.dtype == object
    assert position.most(8) == 1


def test_nothing_is_lost_in_front_of_the_first_record(position):
    assert [column.tolist() for column in position.lost(3, 8)] == [[], []]


def test_what_is_lost_of_a_file_that_is_gone_meanwhile(position, records):
    path = records([b"aa", b"b"])
    position.read(key(path, 0), 2, 1)
    os.remove(path)
    assert [column.tolist() for column in position.lost(2, 8)] == [[], []]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("{{node tfqueue_chunks/12/read}} bad", "{{node source}} bad"),
        ("{{node tfqueue_chunks/12/put_3}} bad", "{{node enqueue}} bad"),
        ("{{node tfqueue_chunks/12/put}}, {{node mine}}", "{{node enqueue}}, {{node mine}}"),
        ("{{node mine/read}} bad", None),
        ("{{node tfqueue_chunks/12/prepare}} bad", None),
    ],
)
def test_an_error_names_the_ops_of_the_program(text, named):
    source, put = tf.no_op(name="source"), tf.no_op(name="enqueue")
    region = types.SimpleNamespace(source=source, op=put)
    error = tf.errors.DataLossError(None, None, text.replace("tfqueue_chunks/", CHUNK_SCOPE))
    found = replay.named(region, error)
    assert (found is error) is (named is None)
    if named is not None:
        assert type(found) is tf.errors.DataLossError
        assert found.message.startswith(named)
        assert found.op is (source if "source" in named else put)


@pytest.mark.parametrize("reads", [True, False])
def test_records_are_put_by_the_ops_of_the_runner(reads):
    record = tf.placeholder(tf.string, []), tf.placeholder(tf.string, [])
    queue = tf.FIFOQueue(9, [tf.string], [[]])
    with tf.Session() as sess:
        made = object.__new__(replay.Replay)
        made._outputs, made._reads, put, mover = record, reads, [], CountingMover()

        def put_one(fed):
            assert (mover.elements, mover.certain) == (len(put), len(put))
            assert mover.record == ((fed[record[0]], fed[record[1]]) if reads else None)
            if fed[record[1]] == b"bad":
                raise ValueError
            put.append(fed[record[1]])

        made._put_one = put_one
        made.put([[b"1", b"2"], [b"a", b"b"]], mover)
        assert (put, mover.record, mover.elements) == ([b"a", b"b"], None, 2)
        with pytest.raises(ValueError):
            made.put([[b"3", b"4", b"5"], [b"c", b"bad", b"d"]], mover)
        assert (put, mover.elements) == ([b"a", b"b", b"c"], 3)
        assert mover.record == ((b"4", b"bad") if reads else None)
        assert sess.run(queue.size()) == 0
