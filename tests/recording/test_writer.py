"""The writer of recordings where the disk is full: all of it, or an error with its name and nothing."""

import gzip
import os
import random
import resource

import pytest

from tfqueue.recording import record_tf1


@pytest.fixture
def limit_files():
    """Limits the size of files that this process writes, as a full disk would."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    yield lambda size: resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    resource.setrlimit(resource.RLIMIT_FSIZE, before)


def event(number):
    return {"n": random.Random(number).random()}  # hardly compressed


# At the header, at an event, at the end.
@pytest.mark.parametrize(("size", "events"), [(3, 0), (1000, 10_000), (20, 3)])
def test_what_cannot_be_written_is_told_with_its_path_and_leaves_nothing(
    size, events, tmp_path, limit_files
):
    path = str(tmp_path / "a.recording")

    def write():
        made.append(record_tf1.Writer(path))
        for number in range(events):
            made[0].write(event(number))
        made[0].close()

    made = []
    limit_files(size)
    with pytest.raises(OSError, match="File too large") as caught:
        write()
    assert caught.value.filename == path
    for writer in made:  # what goes on is told no second time
        writer.write(event(0))
        writer.close()
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("at", ["an event", "the end"])
def test_an_error_of_the_disk_removes_what_was_written(at, tmp_path, monkeypatch):
    def full(*args):
        raise OSError(28, "No space left on device")

    path = str(tmp_path / "a.recording")
    writer = record_tf1.Writer(path)
    writer.write(event(1))
    assert os.listdir(tmp_path) == ["a.recording.part"]
    monkeypatch.setattr(writer._file, "write" if at == "an event" else "close", full)
    with pytest.raises(OSError, match="No space left on device") as caught:
        writer.write(event(2))
        writer.close()
    assert (caught.value.errno, caught.value.filename) == (28, path)
    writer.close()
    assert os.listdir(tmp_path) == []


class Slow:
    """A file that takes three bytes at a time."""

    closed = False

    def __init__(self):
        self.data = b""

    def write(self, data):
        self.data += bytes(data[:3])
        return len(data[:3])


def test_a_file_that_takes_a_part_is_given_the_rest():
    file = Slow()
    with gzip.GzipFile("", "wb", 1, record_tf1.Unbuffered(file), 0) as packed:
        packed.write(b"all of it" * 9)
    assert gzip.decompress(file.data) == b"all of it" * 9


def test_a_recording_that_is_given_up_is_silent_when_it_is_collected(tmp_path):
    """The file may be collected before what packs it, which writes its end then."""
    file = (tmp_path / "given up").open("wb", buffering=0)
    packed = gzip.GzipFile("", "wb", 1, record_tf1.Unbuffered(file), 0)
    packed.write(b"data")
    file.close()
    packed.close()
    assert packed.closed
