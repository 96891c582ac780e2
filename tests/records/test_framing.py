"""tfqueue.records.framing, .streams and .checksum: files to records, and what is wrong with them."""

import gzip
import os
import pickle
import random
import select
import selectors
import subprocess
import sys
import threading
import tracemalloc
import zlib

import numpy as np
import pytest

from tests import damaged_files
from tfqueue.records import (
    Damage,
    DamagedRecordError,
    SourceError,
    check_at,
    checksum,
    framing,
    salvaging,
    streams,
    verify,
)
from tfqueue.records.streams import compression_name

FORMS = ("", "GZIP", "ZLIB")


def records_of(path, compression=None):
    return [data for _, data in framing.records(path, compression)]


def sample(seed=0, sizes=(0, 1, 5, 100, 3000, 262_144, 262_160, 700_000)):
    rng = random.Random(seed)
    return [rng.randbytes(rng.choice(sizes)) for _ in range(30)]


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "some.tfrecord")


def put(path, data):
    with open(path, "wb") as file:
        file.write(data)


# --- checksums


# Vectors of RFC 3720, appendix B.4.
VECTORS = [
    (b"", 0),
    (b"123456789", 0xE3069283),
    (bytes(32), 0x8A9136AA),
    (b"\xff" * 32, 0x62A8AB43),
    (bytes(range(32)), 0x46DD794E),
    (bytes(range(31, -1, -1)), 0x113FDB5C),
]


@pytest.mark.parametrize(("data", "crc"), VECTORS)
def test_crc_vectors(data, crc):
    assert checksum.value(data) == crc
    assert checksum.extend(0, data) == crc


def test_crc_of_every_length_and_in_parts():
    rng = random.Random(1)
    for length in [
        *range(200),
        *range(1000, 1060),
        *range(2040, 2060),
        70_000,
        65_536,
        65_537,
        66_562,
        140_001,
    ]:
        data = rng.randbytes(length)
        plain = damaged_files.masked_crc(data)
        cut = rng.randrange(length + 1)
        assert checksum.mask(checksum.value(data)) == plain
        assert checksum.mask(checksum.extend(checksum.value(data[:cut]), data[cut:])) == plain


def test_crc_of_eight_bytes_at_many_places():
    data = np.frombuffer(random.Random(2).randbytes(500), np.uint8)
    starts = np.arange(len(data) - 7)
    expected = [checksum.value(data[start : start + 8].tobytes()) for start in starts]
    assert salvaging.eight_byte_crcs(data, starts).tolist() == expected


def test_import_loads_no_tensorflow():
    code = """
import sys
from tfqueue import records
assert not {'numpy', 'google', 'rich'} & set(sys.modules)
assert {*records._HOMES} == {*records.__all__}
assert [name for name in records.__all__ if not hasattr(records, name)] == []
import tfqueue.records.cli
assert not {'tensorflow', 'PIL', 'rich'} & set(sys.modules)
"""
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True)


# --- good files


@pytest.mark.parametrize("form", FORMS)
def test_reads_what_was_framed(path, form):
    records = sample()
    framed = [framing.frame(data) for data in records]
    assert framed == [damaged_files.record(data) for data in records]
    put(path, damaged_files.compress(b"".join(framed), form))
    for compression in (None, form, form.lower()):
        assert records_of(path, compression) == records
    starts = [sum(map(len, framed[:index])) for index in range(len(framed))]
    assert [offset for offset, _ in framing.records(path)] == starts
    report = verify(path)
    assert report.good
    assert report.compression == form
    assert report.records == len(records)
    assert report.bytes == sum(map(len, records))
    assert report.largest == max(map(len, records))
    assert report.file_bytes == os.path.getsize(path)
    assert report.trailing_bytes == 0
    for start in starts:
        assert check_at(path, start) is None


def test_same_as_tensorflow(path):
    import tensorflow as tf

    records = sample(3)
    for form in FORMS:
        with tf.io.TFRecordWriter(path, form) as writer:
            for data in records:
                writer.write(data)
        assert records_of(path) == records
        put(path, damaged_files.compress(b"".join(map(framing.frame, records)), form))
        with tf.Graph().as_default(), tf.compat.v1.Session() as session:
            dataset = tf.data.TFRecordDataset(path, form)
            element = tf.compat.v1.data.make_one_shot_iterator(dataset).get_next()
            assert [session.run(element) for _ in records] == records
            with pytest.raises(tf.errors.OutOfRangeError):
                session.run(element)


def test_gzip_of_several_members_and_padding(path):
    records = sample(4)
    framed = b"".join(map(framing.frame, records))
    cut = len(framed) // 3
    put(path, gzip.compress(framed[:cut]) + gzip.compress(framed[cut:]) + bytes(700))
    assert records_of(path) == records
    put(path, gzip.compress(framed[:cut]) + bytes(700) + gzip.compress(framed[cut:]))
    with gzip.open(path) as file:
        assert file.read() == framed
    assert records_of(path) == records


def test_flushed_zlib_stream(path):
    packer = zlib.compressobj()
    parts = [
        packer.compress(framing.frame(data)) + packer.flush(zlib.Z_FULL_FLUSH)
        for data in (b"one", b"two")
    ]
    put(path, b"".join(parts) + packer.flush())
    assert records_of(path) == [b"one", b"two"]
    put(path, b"".join(parts))  # the writer died: its records are there, and the end is not
    assert verify(path).kind == "stream"
    assert verify(path).records == 2


@pytest.mark.parametrize("form", FORMS)
def test_file_of_no_bytes_has_no_records(path, form):
    put(path, b"")
    assert verify(path, form).good
    put(path, damaged_files.compress(b"", form))
    assert verify(path, form).good
    assert verify(path).good


def test_a_compressed_pipe_is_told_from_a_damaged_one(tmp_path):
    path = str(tmp_path / "pipe")
    os.mkfifo(path)
    data = gzip.compress(framing.frame(b"abc"))  # in one write: the reader may stop early
    for compression, reason in ((None, "begins like a gzip file"), ("GZIP", None)):
        feeder = threading.Thread(target=put, args=(path, data))
        feeder.start()
        try:
            found = framing.verify(path, compression).reason
        finally:
            feeder.join()
        assert found is None if reason is None else reason in found


def test_reads_a_pipe(tmp_path):
    path = str(tmp_path / "pipe")
    os.mkfifo(path)
    records = sample(5)
    feeder = threading.Thread(target=put, args=(path, b"".join(map(framing.frame, records))))
    feeder.start()
    try:
        assert records_of(path) == records
    finally:
        feeder.join()


def test_a_pipe_that_speaks_in_time_is_not_told_of(monkeypatch, caplog):
    class Clock:
        """A timer whose time comes once it is waited for."""

        def __init__(self, seconds, call, words):
            self.call, self.words = call, words

        def start(self):
            pass

        def cancel(self):
            self.call = None

        def join(self):
            if self.call is not None:
                self.call(*self.words)

    monkeypatch.setattr(streams, "Timer", Clock)
    with streams._TellingOfSilence("pipe"):
        pass
    assert caplog.messages == []


def test_a_pipe_is_silent_until_something_has_come_from_it(tmp_path, monkeypatch):
    path = str(tmp_path / "pipe")
    os.mkfifo(path)
    come = []

    class Clock:
        """A timer that notes whether something has come when it is told to stop."""

        def __init__(self, *_):
            self.start = self.join = lambda: None

        def cancel(self):
            come.append(bool(select.select([writer], [], [], 0)[0]))

    class Selector(selectors.DefaultSelector):
        def select(self):
            os.write(writer, b"a")  # not before it is waited for
            return super().select()

    monkeypatch.setattr(streams, "Timer", Clock)
    monkeypatch.setattr(selectors, "DefaultSelector", Selector)
    writer = os.open(path, os.O_RDWR)
    try:
        streams._opened(path).close()
    finally:
        os.close(writer)
    assert come == [True]


@pytest.mark.parametrize("form", ["GZIP", "ZLIB"])
@pytest.mark.parametrize("size", [1000, 17_000_000])
def test_reads_a_compressed_pipe(tmp_path, form, size):
    path = str(tmp_path / "pipe")
    os.mkfifo(path)
    data = damaged_files.compress(framing.frame(bytes(size)) * 2, form)
    for packed, error in ((data, None), (data[:-20], "cut")):
        feeder = threading.Thread(target=put, args=(path, packed))
        feeder.start()
        try:
            report = verify(path, form)
        finally:
            feeder.join()
        assert report.good == (error is None)
        assert error is None or error in report.reason


@pytest.mark.parametrize("form", FORMS)
def test_a_device_without_end_ends(form):
    report = verify("/dev/zero", form)
    assert (report.first_bad, report.records, report.trailing_bytes) == (0, 0, None)
    assert check_at("/dev/zero", 0, form) == Damage(report.kind, 0, report.reason)


def test_compression_names():
    assert [compression_name(name) for name in ("", "none", 0, 1, 2, "Zlib")] == [
        *("", "", "", "ZLIB", "GZIP", "ZLIB")
    ]
    for wrong in ("lz4", 3, b"GZIP"):
        with pytest.raises(SourceError, match="GZIP, ZLIB or NONE"):
            compression_name(wrong)


def test_missing_files_are_os_errors(tmp_path):
    for function in (verify, lambda path: list(framing.records(path))):
        with pytest.raises(FileNotFoundError):
            function(tmp_path / "nope")
        with pytest.raises(IsADirectoryError):
            function(tmp_path)


# --- damaged files


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("cut", range(1, 20))
def test_cut_at_every_place_of_the_last_record(path, form, cut):
    front = framing.frame(b"first")
    put(path, damaged_files.compress(front + framing.frame(b"last")[:cut], form))
    with pytest.raises(DamagedRecordError) as caught:
        records_of(path)
    error = caught.value
    assert (error.path, error.offset, error.records) == (path, len(front), 1)
    assert error.kind == ("cut-header" if cut < 12 else "cut-payload")
    assert path in str(error)
    assert str(len(front)) in str(error)
    assert str(pickle.loads(pickle.dumps(error))) == str(error)
    report = verify(path)
    assert (report.first_bad, report.kind, report.trailing_bytes) == (len(front), error.kind, cut)
    assert check_at(path, len(front)) == error.damage
    if cut < 12:
        assert f" {cut} trailing byte{'' if cut == 1 else 's'} where a record" in report.reason


def test_check_at_names_each_kind(path):
    good = framing.frame(b"some data")
    flipped = bytearray(good)
    flipped[14] ^= 1
    wrong_crc = bytearray(good)
    wrong_crc[9] ^= 1
    parts = [good, bytes(flipped), good, bytes(wrong_crc)]
    put(path, b"".join(parts))
    size = len(good)
    assert check_at(path, 0) is None
    assert check_at(path, size).kind == "data-crc"
    assert check_at(path, size).length == 9
    assert check_at(path, 2 * size) is None
    assert check_at(path, 3 * size).kind == "length-crc"
    assert check_at(path, 1).kind == "length-crc"
    assert check_at(path, 4 * size).kind == "no-record"
    assert check_at(path, 9999).kind == "no-record"
    with pytest.raises(ValueError, match="at least 0"):
        check_at(path, -1)
    put(path, good + damaged_files.header(2**64 - 1))
    assert check_at(path, size).kind == "length"
    put(path, good + damaged_files.header(10**6) + bytes(10))
    assert check_at(path, size).kind == "cut-payload"
    put(path, gzip.compress(good) + b"tail")
    assert check_at(path, size).kind == "stream"
    assert "follow" in check_at(path, size).reason


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("size", [200, 262_128, 262_144, 262_145, 700_000])
def test_a_flipped_bit_is_found_wherever_it_is(path, form, size):
    data = random.Random(size).randbytes(size)
    good = framing.frame(b"first") + framing.frame(data) + framing.frame(b"last")
    start = len(framing.frame(b"first"))
    front = start + framing.HEADER
    for place in (front, front + size // 2, front + size - 1, front + size, front + size + 3):
        flipped = bytearray(good)
        flipped[place] ^= 0x10
        put(path, damaged_files.compress(bytes(flipped), form))
        expected = Damage("data-crc", start, "the checksum of a record's data does not match", size)
        report = verify(path)  # reads a large record piece by piece
        assert (report.records, report.first_bad, report.kind) == (1, start, "data-crc")
        assert report.trailing_bytes == len(good) - start
        assert check_at(path, start) == expected
        with pytest.raises(DamagedRecordError) as caught:
            records_of(path)  # reads it whole
        assert (caught.value.damage, caught.value.records) == (expected, 1)


TRAILERS = [("GZIP", -8), ("GZIP", -5), ("GZIP", -4), ("GZIP", -1), ("ZLIB", -4), ("ZLIB", -1)]


@pytest.mark.parametrize(("form", "place"), TRAILERS)
def test_a_bad_trailer_costs_no_record(path, form, place):
    records = [random.Random(n).randbytes(40) for n in range(50)]
    packed = bytearray(damaged_files.compress(b"".join(map(framing.frame, records)), form))
    packed[place] ^= 1
    put(path, packed)
    report = verify(path)
    assert (report.records, report.kind) == (50, "stream")
    assert "incorrect" in report.reason


@pytest.mark.parametrize("first", range(0, 3000, 100))
def test_damaged_files(path, first):
    for case in damaged_files.cases(range(first, first + 100)):
        put(path, case.data)
        got, error = [], None
        try:
            for _, data in framing.records(path, case.compression):
                got.append(data)
        except DamagedRecordError as caught:
            error = caught
        assert got[: case.front] == list(case.records[: case.front]), case
        if case.delivered is not None:
            assert got == list(case.delivered), case
        if case.clean is not None:
            assert (error is None) == case.clean, case
        report = verify(path, case.compression)
        assert (report.records, report.good) == (len(got), error is None), case
        if error:
            assert error.records == len(got), case
            assert report.first_bad == error.offset, case
            assert check_at(path, error.offset, case.compression) == error.damage, case


def peak(function):
    """What a call allocates at most, in bytes."""
    function()  # tables and caches are made once
    tracemalloc.start()
    try:
        function()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def all_of(path):
    with pytest.raises(DamagedRecordError):
        records_of(path)


@pytest.mark.parametrize("length", damaged_files.LENGTHS)
def test_a_length_is_not_trusted(path, length):
    put(path, framing.frame(bytes(1000)) + damaged_files.header(length) + bytes(10_000))
    assert peak(lambda: all_of(path)) < 2_000_000
    assert verify(path).records == 1


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("length", [2**64 - 1, 2**41, 2**27, 2**25])
def test_a_length_is_not_trusted_whatever_follows(path, form, length):
    # 30 MB, of which a record claims more; compressed, they are a small file.
    put(path, damaged_files.compress(damaged_files.header(length) + bytes(30_000_000), form))
    assert peak(lambda: verify(path)) < 4_000_000
    if length > 30_000_000:
        assert peak(lambda: all_of(path)) < 4_000_000


@pytest.mark.parametrize("form", ["GZIP", "ZLIB"])
def test_all_in_front_of_damage_in_a_compressed_stream_is_delivered(path, form):
    rng = random.Random(6)
    data = [bytes(rng.choices(b"abcdefgh", k=300)) for _ in range(3000)]
    framed = b"".join(map(framing.frame, data))
    packed = bytearray(damaged_files.compress(framed, form))
    place = len(packed) * 2 // 3
    packed[place : place + 40] = b"\xff" * 40
    put(path, packed)
    # What can be had, by feeding one byte after the other.
    inflater, there = zlib.decompressobj(31 if form == "GZIP" else 15), bytearray()
    with pytest.raises(zlib.error):
        for byte in packed:
            there += inflater.decompress(bytes([byte]))
    expected, _ = damaged_files.parse(bytes(there))
    assert len(expected) > 1500
    report = verify(path)
    assert not report.good
    assert report.records >= len(expected)


@pytest.mark.parametrize("form", ["GZIP", "ZLIB"])
def test_large_records_that_do_not_compress(path, form, monkeypatch):
    """Whether the file holds one is tried on a copy of the decompressor, which reads the file too."""
    monkeypatch.setattr(streams, "_LARGE", 1 << 20)
    records = [random.Random(n).randbytes(2_500_000) for n in range(2)]
    put(path, damaged_files.compress(b"".join(map(framing.frame, records)), form))
    assert records_of(path) == records


@pytest.mark.parametrize("form", FORMS)
def test_memory_is_that_of_one_record(path, form):
    size = 8_000_000
    put(path, damaged_files.compress(framing.frame(bytes(size)) * 3, form))
    assert peak(lambda: verify(path)) < 4_000_000

    def read():
        for _, data in framing.records(path):
            assert len(data) == size
            del data

    # A compressed one is collected piece by piece, which takes an eighth more.
    assert peak(read) < (size * 1.2 if form else size) + 4_000_000
