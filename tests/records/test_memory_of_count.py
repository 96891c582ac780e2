"""Records are counted and checked without being held."""

import tracemalloc

import pytest

from tfqueue import records
from tfqueue.records import framing


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
