"""tfqueue.records.files: whole files written and read."""

import gzip
import os
import random
import subprocess
import sys
import threading
import zlib

import pytest

from tfqueue import records
from tfqueue.records import DamagedRecordError, ExampleError, SourceError, framing, streams

FORMS = ("", "GZIP", "ZLIB")


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "some.tfrecord")


def test_names_are_listed_before_they_are_loaded():
    code = "from tfqueue import records; print(sorted({*records.__all__} - {*dir(records)}))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


@pytest.mark.parametrize("form", [None, *FORMS, 2])
def test_write_and_read(path, form):
    data = [b"", b"one", bytes(5000)]
    assert records.write(path, data, form) == [path]
    assert list(records.read(path)) == data
    assert list(records.read([path, path], form or "")) == data * 2
    assert records.count([path, path]) == 6
    assert records.verify(path).good
    assert os.listdir(os.path.dirname(path)) == ["some.tfrecord"]


def test_how_many_records_there_are(tmp_path):
    names = [str(tmp_path / name) for name in "abc"]
    for name, count in zip(names, (2, 0, 1), strict=True):
        records.write(name, [b"x"] * count)
    assert [records.count(name) for name in names] == [2, 0, 1]
    assert records.count(names) == 3
    os.truncate(names[2], 3)
    with pytest.raises(DamagedRecordError) as caught:
        records.count(names)
    assert (caught.value.path, caught.value.records) == (names[2], 0)


@pytest.mark.parametrize("more", [0, 1])
def test_what_is_left_of_a_stream_is_known_behind_pieces_read_whole(tmp_path, monkeypatch, more):
    monkeypatch.setattr(streams, "_LARGE", 0)
    path = tmp_path / "zeros.gz"
    path.write_bytes(gzip.compress(bytes(3 * streams.BLOCK)))
    with streams.open_stream(path, "GZIP") as stream:
        assert stream.read(2 * streams.BLOCK) == bytes(2 * streams.BLOCK)
        assert stream.holds(streams.BLOCK + more) is not bool(more)
        assert stream.read(streams.BLOCK + more) == bytes(streams.BLOCK)
        assert not stream.holds(1)
        assert stream.read(1) == b""


def decompressed(data):
    """What zlib gives of damaged GZIP data, a byte at a time, before it raises."""
    inflater, found, piece = zlib.decompressobj(31), b"", b""
    while data or piece:
        try:
            piece = inflater.decompress(data, 1)
        except zlib.error:
            break
        found, data = found + piece, inflater.unconsumed_tail
    return found


def test_of_damaged_data_all_is_read_that_stands_in_front_of_the_damage(tmp_path):
    whole = gzip.compress(random.Random(3).randbytes(60) + b"ab" * 300 + bytes(99), mtime=0)
    path = tmp_path / "damaged.gz"
    for place in range(10, len(whole)):
        for flipped in (1, 255):
            data = bytearray(whole)
            data[place] ^= flipped
            path.write_bytes(data)
            with streams.open_stream(path, "GZIP") as stream:
                found = stream.read(5000)
            before = decompressed(bytes(data))  # zlib reads on when it gives the last byte
            assert found[: len(before)] == before, (place, flipped)
            assert len(found) - len(before) in (0, 1)


def test_write_takes_all_forms(path):
    message = records.to_example({"n": 3})
    items = [{"n": 1}, ({"n": 2}, {"steps": [1, 2]}), records.encode({"n": 2}), message]
    records.write(path, items)
    one, two, three, four = records.head(path, 9)
    assert [one["n"].item(), three["n"].item(), four["n"].item()] == [1, 2, 3]
    assert two[0]["n"].item() == 2
    assert [step.item() for step in two[1]["steps"]] == [1, 2]
    assert len(records.head(path)) == 1


@pytest.mark.parametrize("shards", [1, 3])
def test_shards(tmp_path, shards):
    names = records.write(tmp_path / "a.tfrecord", ({"n": n} for n in range(7)), shards=shards)
    assert len(names) == shards
    assert os.path.basename(names[0]) == f"a-00000-of-{shards:05d}.tfrecord"
    assert records.expand(tmp_path / "a-*") == names
    found = [example["n"].item() for example in records.examples(tmp_path / "a-*")]
    assert found == [n for shard in range(shards) for n in range(shard, 7, shards)]


def test_a_failed_write_leaves_what_was_there(path):
    records.write(path, [b"old"])
    for shards in (None, 2):
        with pytest.raises(ExampleError, match="example 1: feature 'x': an Example holds no None"):
            records.write(path, [{"x": 1}, {"x": None}], shards=shards)
    assert list(records.read(path)) == [b"old"]
    assert os.listdir(os.path.dirname(path)) == ["some.tfrecord"]


def test_what_cannot_be_written(path):
    with pytest.raises(SourceError, match="not one dict"):
        records.write(path, {"a": 1})
    with pytest.raises(SourceError, match="shards"):
        records.write(path, [], shards=0)
    with pytest.raises(SourceError, match="lz4"):
        records.write(path, [], "lz4")
    with pytest.raises(ExampleError, match=r"example 0: a record is a dict.*not int"):
        records.write(path, [5])
    with pytest.raises(FileNotFoundError):
        records.write(path + "/no/folder", [b""])
    assert not os.path.exists(path)


def test_a_folder_is_no_file(tmp_path):
    (tmp_path / "folder").mkdir()
    with pytest.raises(IsADirectoryError) as caught:
        records.write(tmp_path / "folder", [b"x"])
    assert caught.value.filename == str(tmp_path / "folder")
    assert [name for name in os.listdir(tmp_path)] == ["folder"]


@pytest.mark.parametrize("compression", ["", "GZIP"])
def test_a_full_disk_leaves_no_part_and_names_the_file(path, compression, monkeypatch):
    resource = pytest.importorskip("resource")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2000, limits[1]))
    try:
        # What is short stays in a buffer up to the end of the block.
        for size in (3000, 3_000_000):
            with pytest.raises(OSError, match="too large") as caught:
                records.write(path, [os.urandom(size)], compression)
            assert caught.value.filename == path
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert os.listdir(os.path.dirname(path)) == []


def test_what_is_open_already_is_written_to(tmp_path):
    descriptor = os.open(tmp_path / "all", os.O_RDWR | os.O_CREAT)
    os.write(descriptor, b"before")
    records.write(f"/dev/fd/{descriptor}", [b"x"])
    os.close(descriptor)
    assert (tmp_path / "all").read_bytes() == b"before" + framing.frame(b"x")
    assert os.listdir(tmp_path) == ["all"]


def test_a_link_stays_a_link(path, tmp_path):
    os.symlink("real", path)
    records.write(path, [b"x"])
    assert os.path.islink(path)
    assert list(records.read(tmp_path / "real")) == [b"x"]


def test_writes_to_a_pipe(tmp_path):
    path = str(tmp_path / "pipe")
    os.mkfifo(path)
    found = []
    reader = threading.Thread(target=lambda: found.extend(records.read(path)))
    reader.start()
    records.write(path, [b"a", b"b"])
    reader.join()
    assert found == [b"a", b"b"]


def test_patterns(tmp_path):
    for name in ("b1", "a2", "a1", "[x]"):
        records.write(tmp_path / name, [name.encode()])
    (tmp_path / "a3").mkdir()
    assert list(records.read(tmp_path / "a*")) == [b"a1", b"a2"]
    assert list(records.read([tmp_path / "b?", str(tmp_path / "a[12]")])) == [b"b1", b"a1", b"a2"]
    assert list(records.read(tmp_path / "[x]")) == [b"[x]"]
    with pytest.raises(SourceError, match="no file matches"):
        records.expand(tmp_path / "c*")
    with pytest.raises(SourceError, match="no file was named"):
        records.expand([])
    with pytest.raises(FileNotFoundError):
        records.expand([tmp_path / "a1", tmp_path / "nope"])
    (tmp_path / "round").symlink_to("round")
    with pytest.raises(OSError, match="Too many levels"):
        records.expand(tmp_path / "round")


def test_a_record_that_is_no_example_is_named(path):
    records.write(path, [{"a": 1}, b"\xff"])
    found = records.examples(path)
    next(found)
    with pytest.raises(ExampleError, match=r"some.tfrecord: record 1 at byte .* does not parse"):
        next(found)
    records.write(path, [({}, {"a": [1]})])
    with pytest.raises(ExampleError, match="sequences"):
        next(records.examples(path))
    assert next(records.sequences(path))[1]["a"][0].item() == 1


def test_damage_in_the_second_file_is_named(tmp_path):
    names = [str(tmp_path / name) for name in ("a", "b")]
    for name in names:
        records.write(name, [b"1", b"2"])
    os.truncate(names[1], os.path.getsize(names[1]) - 10)
    got = []
    with pytest.raises(DamagedRecordError) as caught:
        for data in records.read(names):
            got.append(data)
    assert got == [b"1", b"2", b"1"]
    assert (caught.value.path, caught.value.records) == (names[1], 1)
    with pytest.raises(DamagedRecordError) as caught:
        records.count(names)
    assert (caught.value.path, caught.value.records) == (names[1], 1)


def test_progress_is_told(path):
    told = []
    records.write(path, [b""] * 5000, progress=told.append)
    assert told == sorted(told)
    assert told[-1] > 4000
    for function in (records.count, records.schema, records.verify):
        told.clear()
        function(path, progress=told.append)
        assert told == sorted(told)
        assert told[-1] > 4000
