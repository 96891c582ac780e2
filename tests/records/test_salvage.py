"""tfqueue.records.rescue: what is saved of damaged files."""

import pathlib
import random

import pytest

from tests import damage
from tfqueue import records
from tfqueue.records import SourceError


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "some.tfrecord")


def test_salvage_of_each_kind_of_damage(tmp_path, path):
    data = [bytes([n]) * 50 for n in range(5)]
    framed = list(map(damage.record, data))
    good = b"".join(framed)
    size = len(framed[0])

    def saved(contents):
        pathlib.Path(path).write_bytes(contents)
        result = records.salvage(path, tmp_path / "saved")
        found = list(records.read(tmp_path / "saved"))
        assert result.records == len(found)
        assert result.path == path
        return found, result

    found, result = saved(good)
    assert found == data
    assert result.good

    flipped = bytearray(good)
    flipped[size + 30] ^= 1  # in the data: the record is lost
    found, result = saved(bytes(flipped))
    assert found == [data[0], *data[2:]]
    assert [(loss.start, loss.end) for loss in result.lost] == [(size, 2 * size)]
    assert result.lost_bytes == size

    for place in (0, 5, 9):  # in the length or its CRC: the data's own CRC saves it
        flipped = bytearray(good)
        for index in (1, 4):
            flipped[index * size + place] ^= 4
        found, result = saved(bytes(flipped))
        assert found == data
        assert (result.repaired, result.lost) == (2, ())
        assert not result.good

    flipped = bytearray(good)
    for index in (1, 2):  # no good header behind the first tells its end; its length still does
        flipped[index * size + 9] ^= 4
    found, result = saved(bytes(flipped))
    assert found == data
    assert result.repaired == 2

    outer = bytearray(damage.record(b"outer " + good))  # records inside a record's data
    outer[14] ^= 1
    found, result = saved(bytes(outer) + good)
    assert found == data
    assert result.lost_bytes == len(outer)

    found, result = saved(good[: size * 2] + b"garbage" * 9 + good[size * 2 :])
    assert found == data
    assert result.lost_bytes == 63

    found, result = saved(good[:-20])
    assert found == data[:4]
    assert result.lost[0].end == len(good) - 20

    found, result = saved(good[: size + 20] + good[size + 25 :])  # bytes gone
    assert found == [data[0], *data[2:]]

    found, result = saved(good[:size] + bytes(3_000_000) + good[size:])  # beyond one search
    assert found == data
    assert result.lost_bytes == 3_000_000

    found, result = saved(b"")
    assert found == []


@pytest.mark.parametrize("more", range(-14, 4))
def test_salvage_finds_a_header_across_two_searches(tmp_path, path, more):
    good = damage.record(b"data")
    pathlib.Path(path).write_bytes(bytes((1 << 20) + more) + good)
    result = records.salvage(path, tmp_path / "saved")
    assert list(records.read(tmp_path / "saved")) == [b"data"]
    assert result.lost_bytes == (1 << 20) + more


@pytest.mark.parametrize("form", ["GZIP", "ZLIB"])
def test_salvage_of_compressed_files(tmp_path, path, form):
    data = [random.Random(n).randbytes(900) for n in range(100)]
    framed = b"".join(map(damage.record, data))
    flipped = bytearray(framed)
    flipped[916 * 3 + 40] ^= 1
    pathlib.Path(path).write_bytes(damage.compress(bytes(flipped), form))
    result = records.salvage(path, tmp_path / "saved")
    assert list(records.read(tmp_path / "saved", form)) == data[:3] + data[4:]
    assert result.reason is None

    packed = damage.compress(framed, form)
    pathlib.Path(path).write_bytes(packed[: len(packed) // 2])
    result = records.salvage(path, tmp_path / "saved", output_compression="")
    assert 40 < result.records < 60
    assert list(records.read(tmp_path / "saved", "")) == data[: result.records]
    assert "cut" in result.reason


@pytest.mark.parametrize("first", range(0, 1500, 100))
def test_salvage_of_damaged_files(tmp_path, path, first):
    for case in damage.cases(range(first, first + 100)):
        pathlib.Path(path).write_bytes(case.data)
        report = records.verify(path, case.compression)
        result = records.salvage(path, tmp_path / "saved", case.compression)
        saved = list(records.read(tmp_path / "saved", case.compression))
        assert result.records == len(saved) >= report.records, case
        assert saved[: case.front] == list(case.records[: case.front]), case
        assert result.good == report.good, case
        if case.delivered is not None and case.kind not in ("removed", "garbage"):
            assert set(saved) <= set(case.records), case
        if case.kind in ("none", "flip", "swapped", "garbage", "trailing", "length"):
            # Three flips or one insertion touch three records at most; the rest is there again.
            assert len(saved) >= len(case.records) - 3, case


def test_salvage_refuses_its_own_file(path):
    records.write(path, [b"x"])
    with pytest.raises(SourceError, match="must not be the damaged one"):
        records.salvage(path, path)
    assert list(records.read(path)) == [b"x"]
    with pytest.raises(FileNotFoundError):
        records.salvage(path + "x", path)
    assert list(records.read(path)) == [b"x"]
