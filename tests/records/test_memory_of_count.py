"""Records are counted and checked without being held."""

import tracemalloc

import pytest

from tfqueue import records
from tfqueue.records import framing, streams


@pytest.mark.parametrize("compression", [None, "GZIP"])
def test_a_large_record_is_not_held(tmp_path, compression):
    path, size = tmp_path / "large.tfrecord", 1 << 26
    records.write(path, [bytes(size), b"small"], compression=compression)
    tracemalloc.start()
    try:
        assert records.count(path, compression) == 2
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < size / 2


@pytest.mark.parametrize("compression", [None, "GZIP"])
def test_a_large_record_is_not_held_where_one_place_is_looked_at(
    tmp_path, compression, monkeypatch
):
    path, size, asked = tmp_path / "large.tfrecord", 1 << 20, []
    records.write(path, [b"small", bytes(size)], compression=compression)
    for kind in (streams.PlainStream, streams.InflateStream):

        def read(stream, count, original=kind.read):
            asked.append(count)
            return original(stream, count)

        monkeypatch.setattr(kind, "read", read)
    assert framing.check_at(path, framing.HEADER + 5 + framing.FOOTER, compression) is None
    assert sum(asked) >= size
    assert max(asked) <= framing._BLOCK


@pytest.mark.parametrize("length", [1000, (1 << 17) + 1])
def test_no_more_is_read_at_a_time_however_long_a_file_is(tmp_path, length, monkeypatch):
    path, asked = tmp_path / "long.tfrecord", []
    records.write(path, [bytes(length)] * ((1 << 21) // length))

    def read(stream, count, original=streams.PlainStream.read):
        asked.append(count)
        return original(stream, count)

    monkeypatch.setattr(streams.PlainStream, "read", read)
    assert framing.verify(path).records == (1 << 21) // length
    assert sum(asked) >= path.stat().st_size
    assert max(asked) <= framing._BLOCK


def test_they_are_checked_all_the_same(tmp_path):
    path = tmp_path / "damaged.tfrecord"
    records.write(path, [bytes(1000), b"small"])
    text = bytearray(path.read_bytes())
    text[500] ^= 1
    path.write_bytes(text)
    with pytest.raises(records.DamagedRecordError):
        records.count(path)
    with framing.open_records(path, None) as stream:
        scanner = framing.Scanner(stream, payloads=False)
        assert len([*scanner]) == 0
        assert scanner.damage
