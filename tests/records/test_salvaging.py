"""tfqueue.records.salvaging: what is saved of damaged files."""

import errno
import gzip
import io
import os
import pathlib
import random
import tempfile

import pytest

from tests import damaged_files
from tfqueue import records
from tfqueue.records import SourceError, checksum, salvaging, streams


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "some.tfrecord")


def test_salvage_of_each_kind_of_damage(tmp_path, path):
    data = [bytes([n]) * 50 for n in range(5)]
    framed = list(map(damaged_files.record, data))
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

    outer = bytearray(damaged_files.record(b"outer " + good))  # records inside a record's data
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
    good = damaged_files.record(b"data")
    pathlib.Path(path).write_bytes(bytes((1 << 20) + more) + good)
    result = records.salvage(path, tmp_path / "saved")
    assert list(records.read(tmp_path / "saved")) == [b"data"]
    assert result.lost_bytes == (1 << 20) + more


@pytest.mark.parametrize("form", ["GZIP", "ZLIB"])
def test_salvage_of_compressed_files(tmp_path, path, form):
    data = [random.Random(n).randbytes(900) for n in range(100)]
    framed = b"".join(map(damaged_files.record, data))
    flipped = bytearray(framed)
    flipped[916 * 3 + 40] ^= 1
    pathlib.Path(path).write_bytes(damaged_files.compress(bytes(flipped), form))
    result = records.salvage(path, tmp_path / "saved")
    assert list(records.read(tmp_path / "saved", form)) == data[:3] + data[4:]
    assert result.reason is None

    packed = damaged_files.compress(framed, form)
    pathlib.Path(path).write_bytes(packed[: len(packed) // 2])
    result = records.salvage(path, tmp_path / "saved", output_compression="")
    assert 40 < result.records < 60
    assert list(records.read(tmp_path / "saved", "")) == data[: result.records]
    assert "cut" in result.reason


def saved_of(tmp_path, contents, compression=None):
    """Salvages; returns the data saved, and the result."""
    (tmp_path / "damaged").write_bytes(contents)
    result = records.salvage(tmp_path / "damaged", tmp_path / "saved", compression, "")
    return list(records.read(tmp_path / "saved")), result


@pytest.mark.parametrize("behind", [(0,), (4,), (20, 0, 24), (300_000, 4)])
def test_a_deletion_as_long_as_the_records_behind_it_loses_none_of_them(tmp_path, behind):
    first, broken, *rest = map(
        damaged_files.record, (b"a", b"b" * 400_000, *map(bytes, behind), b"z")
    )
    for count in range(1, len(rest) + 1):
        gone = sum(map(len, rest[:count]))
        contents = first + broken[:50] + broken[50 + gone :] + b"".join(rest)
        found, result = saved_of(tmp_path, contents)
        assert found == [b"a", *map(bytes, behind), b"z"]
        (loss,) = result.lost
        assert (loss.start, loss.end) == (len(first), len(first) + len(broken) - gone)


def test_a_deletion_over_a_header_that_ends_where_a_record_begins(tmp_path):
    framed = [damaged_files.record(bytes([n]) * 50) for n in range(6)]
    contents = b"".join(framed)
    size = len(framed[0])
    found, _ = saved_of(tmp_path, contents[: size + 20] + contents[3 * size + 20 :])
    assert found == [bytes([n]) * 50 for n in (0, 4, 5)]


@pytest.mark.parametrize("inner", [1, 3])
def test_records_inside_the_data_of_a_damaged_record_are_not_taken_for_the_file_s(tmp_path, inner):
    nested = b"".join(damaged_files.record(bytes([n])) for n in range(inner))
    for before, after in ((b"", b""), (b"front", b""), (b"", b"end"), (b"front", b"end")):
        outer = bytearray(damaged_files.record(before + nested + after))
        outer[-1] ^= 1
        found, result = saved_of(tmp_path, bytes(outer) + damaged_files.record(b"last"))
        assert found == [b"last"]
        assert result.lost_bytes == len(outer)


@pytest.mark.parametrize("inner", [1, 3])
def test_a_record_that_holds_records_is_repaired(tmp_path, inner):
    """Its length and its header's checksum are gone; each header inside may be the next record's."""
    nested = b"".join(damaged_files.record(bytes([n])) for n in range(inner))
    outer = bytearray(damaged_files.record(b"front" + nested + b"end"))
    outer[:12] = b"\xff" * 12
    found, result = saved_of(tmp_path, bytes(outer) + damaged_files.record(b"last"))
    assert found == [b"front" + nested + b"end", b"last"]
    assert (result.repaired, result.lost) == (1, ())


def test_salvage_goes_on_at_the_next_gzip_member(tmp_path):
    data = [random.Random(n).randbytes(900) for n in range(60)]
    parts = [b"".join(map(damaged_files.record, data[n : n + 20])) for n in (0, 20, 40)]
    first, second, third = map(gzip.compress, parts)

    bad_trailer = first[:-8] + bytes(4) + first[-4:]
    found, result = saved_of(tmp_path, bad_trailer + second + bad_trailer)
    assert found == data[:40] + data[:20]
    assert result.lost == ()
    assert "incorrect data check" in result.reason

    # A member cut short swallows the beginning of the next one.
    for cut in (len(first) // 2, len(first) - 3, 30, 12):
        found, result = saved_of(tmp_path, first[:cut] + second + third)
        assert found[-40:] == data[20:]
        assert found[:-40] == data[: len(found) - 40]
        assert result.reason

    # What stands in front of it breaks at once.
    found, result = saved_of(tmp_path, b"\x1f" + first, "GZIP")
    assert found == data[:20]

    found, result = saved_of(tmp_path, first + b"garbage" + second)
    assert found == data[:40]
    assert "do not belong" in result.reason

    found, result = saved_of(tmp_path, first + b"\x1f\x8b\x08\xff" + second)
    assert found == data[:40]


def test_salvage_of_a_pipe_is_refused_at_once(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(SourceError, match="no regular file"):
        records.salvage(tmp_path / "pipe", tmp_path / "saved")
    with pytest.raises(SourceError, match="no regular file"):
        records.salvage("/dev/zero", tmp_path / "saved")
    assert not (tmp_path / "saved").exists()


@pytest.mark.parametrize("first", range(0, 1500, 100))
def test_salvage_of_damaged_files(tmp_path, path, first):
    for case in damaged_files.cases(range(first, first + 100)):
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


def forged(count, length, gap=b""):
    """Headers that are good, with nothing behind them that their records could be."""
    framed = damaged_files.record(b"")[:12]
    size = count * (len(framed) + len(gap)) + 16
    parts = []
    for number in range(count):
        at = number * (len(framed) + len(gap))
        head = length(at, size).to_bytes(8, "little")
        parts.append(gap + head + checksum.masked(head).to_bytes(4, "little"))
    return b"".join(parts) + b"\1" * 16


FORGED = {
    "to the end": (lambda at, size: size - at - 17, b""),
    "half of the rest": (lambda at, size: (size - at - 17) // 2, b""),
    "behind a good record": (lambda at, size: size - at - 40, damaged_files.record(b"good")),
}


@pytest.mark.parametrize("kind", FORGED)
def test_salvage_reads_a_file_of_forged_headers_a_bounded_number_of_times(
    kind, tmp_path, monkeypatch
):
    read = []
    plain = streams.PlainStream._read

    def counted(stream, count):
        data = plain(stream, count)
        read.append(len(data))
        return data

    monkeypatch.setattr(streams.PlainStream, "_read", counted)
    count = 8000
    contents = forged(count, *FORGED[kind])
    found, result = saved_of(tmp_path, contents)
    assert found == [b"good"] * (count if FORGED[kind][1] else 0)
    assert result.lost_bytes + sum(len(damaged_files.record(each)) for each in found) == len(
        contents
    )
    # What a header costs does not depend on the size of the file, of which each claims much.
    assert sum(read) / count < 4 * salvaging._STEP < len(contents) / 5


def test_a_search_s_wrong_finds_are_one_loss(tmp_path):
    good = damaged_files.record(b"good")
    contents = good + b"~" * 20 + forged(5, lambda at, size: size - at - 17) + good
    found, result = saved_of(tmp_path, contents)
    assert found == [b"good", b"good"]
    (loss,) = result.lost
    assert (loss.start, loss.end) == (len(good), len(contents) - len(good))


def test_zeros_are_passed_over(tmp_path, monkeypatch):
    good = damaged_files.record(b"good")
    monkeypatch.setattr(salvaging, "_headers", lambda *_: pytest.fail("zeros were looked at"))
    found, result = saved_of(tmp_path, bytes(5 << 20))
    assert (found, result.lost_bytes) == ([], 5 << 20)
    monkeypatch.undo()
    assert saved_of(tmp_path, bytes(3 << 20) + good + bytes(3 << 20))[0] == [b"good"]


def test_the_checksum_of_any_stretch(tmp_path):
    data = random.Random(4).randbytes(50_000)
    (tmp_path / "a").write_bytes(data)
    with streams.open_stream(tmp_path / "a", "") as stream:
        checksums = salvaging._Checksums(stream)
        chosen = random.Random(5)
        for start, end in [(0, 50_000), (0, 0), (7, 7)] + [
            sorted(chosen.choices(range(50_001), k=2)) for _ in range(200)
        ]:
            assert checksums.of(start, end) == checksum.value(data[start:end])


def test_a_file_that_changes_while_it_is_saved_is_an_error_and_nothing_is_written(
    tmp_path, monkeypatch
):
    contents = bytearray(b"".join(damaged_files.record(bytes([n]) * 20_000) for n in range(3)))
    contents[20_016 + 9] ^= 4  # a record to be repaired
    (tmp_path / "damaged").write_bytes(contents)
    proves = salvaging._Checksums.proves

    def cut(self, start, length):
        good = proves(self, start, length)
        os.truncate(tmp_path / "damaged", 30_000)
        return good

    monkeypatch.setattr(salvaging._Checksums, "proves", cut)
    with pytest.raises(SourceError, match="it changed while it was read"):
        records.salvage(tmp_path / "damaged", tmp_path / "saved")
    assert os.listdir(tmp_path) == ["damaged"]


def test_no_room_for_what_is_unpacked_names_the_folder(tmp_path, monkeypatch):
    packed = damaged_files.compress(damaged_files.record(b"data") * 50, "GZIP")
    (tmp_path / "a").write_bytes(packed[:-12])

    class Full(io.BytesIO):
        def write(self, data):
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(tempfile, "TemporaryFile", Full)
    with pytest.raises(OSError, match="No space") as caught:
        records.salvage(tmp_path / "a", tmp_path / "saved")
    assert caught.value.filename == tempfile.gettempdir()
    assert os.listdir(tmp_path) == ["a"]


def test_the_search_for_a_header_says_how_far_it_is(tmp_path):
    """A stretch without records is gone through as long as one with many."""
    path = tmp_path / "holes"
    path.write_bytes(damaged_files.record(b"data") + bytes(5 << 20))
    told = []
    assert records.salvage(path, tmp_path / "saved", progress=told.append).records == 1
    assert len(told) >= 4
    assert 4 << 20 <= max(told) <= path.stat().st_size
