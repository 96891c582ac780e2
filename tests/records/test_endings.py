"""How files end where TensorFlow's readers see the end of the data.

What is expected of cut streams is what TensorFlow 1.15's readers did with the same files: where they ended as
if nothing were wrong, the file is cut; where they failed, the failure tells. Of a stream with another one
behind it today's reader reads both.
"""

from __future__ import annotations

import gzip
import time
import zlib

import pytest

from tfqueue.records import endings, framing

RECORDS = [framing.frame(b"record-%02d" % number) for number in range(6)]
SIZE = len(RECORDS[0])


def _packed(compression: str, upto: int) -> tuple[bytes, bytes]:
    """The records compressed: as far as so many bytes of them can be had, and as a whole."""
    packer = zlib.compressobj(9, zlib.DEFLATED, {"GZIP": 31, "ZLIB": 15}[compression])
    data = b"".join(RECORDS)
    head = packer.compress(data[:upto]) + packer.flush(zlib.Z_SYNC_FLUSH)
    return head, head + packer.compress(data[upto:]) + packer.flush()


def _end(tmp_path, content: bytes, compression: str, framed: bool = True):
    path = tmp_path / "file"
    path.write_bytes(content)
    return endings.compressed_end(str(path), time.monotonic() + 60, compression, framed)


@pytest.mark.parametrize("compression", ["GZIP", "ZLIB"])
@pytest.mark.parametrize(
    ("behind", "expected"),
    [
        (0, (0, True)),
        (1, (1, True)),
        (11, (11, True)),
        (12, (0, False)),
        (20, (0, False)),
        (3 * SIZE, (0, True)),
    ],
    ids=str,
)
def test_a_compressed_stream_that_is_cut_behind_a_record(behind, expected, compression, tmp_path):
    """Inside a record TensorFlow fails; elsewhere it sees the end."""
    head, _ = _packed(compression, 3 * SIZE + behind)
    assert _end(tmp_path, head, compression) == expected
    assert _end(tmp_path, head, compression, framed=False) == (0, True)


@pytest.mark.parametrize("framed", [True, False])
def test_which_streams_are_cut(framed, tmp_path):
    _, whole = _packed("GZIP", 6 * SIZE)
    half, _ = _packed("GZIP", 3 * SIZE)
    _, zlibs = _packed("ZLIB", 6 * SIZE)
    broken = bytearray(whole)
    broken[-6] ^= 255
    files = {
        "whole": whole,
        "two": whole + whole,
        "zeros": whole + bytes(16),
        "junk": whole + b"hello, some junk",
        "broken": bytes(broken),
        "empty": b"",
        "no checksum": whole[:-5],
        "header": whole[:5],
        "second": whole + half,
    }
    found = {name: _end(tmp_path, content, "GZIP", framed) for name, content in files.items()}
    cut = {name for name, end in found.items() if end == (0, True)}
    assert cut == {"no checksum", "header", "second"}
    assert set(found.values()) == {(0, True), (0, False)}
    for content, expected in [(zlibs, False), (zlibs + zlibs, False), (zlibs[:-2], True)]:
        assert _end(tmp_path, content, "ZLIB", framed) == (0, expected)


def test_no_time_is_no_finding(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(_packed("GZIP", 3 * SIZE)[0])
    for framed in (True, False):
        assert endings.compressed_end(str(path), 0.0, "GZIP", framed) == (0, False)
    assert endings.cut_files([(str(path), "GZIP", True)], 0.0) == {}


def test_a_large_file_is_gone_through_too(tmp_path):
    """Up to what the time allows, whatever its size."""
    data = bytes(range(256)) * 8 + zlib.compress(b"x" * 1000)
    content = b"".join(framing.frame(data) for _ in range(20))
    packed = gzip.compress(content, compresslevel=0) * 60
    assert len(packed) > 2 << 20
    assert _end(tmp_path, packed, "GZIP") == (0, False)
    assert _end(tmp_path, packed[:-2], "GZIP") == (0, True)


def test_what_is_said(tmp_path):
    names = {
        "plain": (b"".join(RECORDS) + b"1234567", "", True),
        "one": (b"".join(RECORDS) + b"1", "", True),
        "good": (b"".join(RECORDS), "", True),
        "packed": (_packed("GZIP", 3 * SIZE + 4)[0], "GZIP", True),
        "raw": (_packed("ZLIB", 3 * SIZE + 4)[0], "ZLIB", False),
        "text": (b"12345", "", False),
    }
    for name, (content, _, _) in names.items():
        (tmp_path / name).write_bytes(content)
    files = [(str(tmp_path / name), how, framed) for name, (_, how, framed) in names.items()]
    files.append((str(tmp_path / "missing"), "", True))
    found = endings.cut_files(files, time.monotonic() + 60)
    assert {path.rpartition("/")[2]: how for path, how in found.items()} == {
        "plain": "7 trailing bytes",
        "one": "1 trailing byte",
        "packed": "the end of its GZIP stream is missing",
        "raw": "the end of its ZLIB stream is missing",
    }
    text = endings.cut_text(found)
    assert f"{tmp_path}/plain: 7 trailing bytes, " in text
    assert "(4 in all)" in text
    assert "truncated" in text


@pytest.mark.parametrize(
    ("cut", "expected"),
    [(0, 0), (1, 0), (4, 0), (19, 0), (20, 11), (30, 1), (31, 0)],
    ids=lambda value: str(value),
)
def test_trailing_bytes(cut, expected, tmp_path):
    """Two records of 31 bytes: a cut in the second one's header alone goes unnoticed."""
    data = framing.frame(b"x" * 15) * 2
    shorter = tmp_path / "cut.tfrecord"
    shorter.write_bytes(data[: len(data) - cut])
    assert endings.trailing_bytes(str(shorter), time.monotonic() + 60) == expected


@pytest.mark.parametrize(("cut", "expected"), [(0, 0), (4, 0), (20, 11), (30, 1)])
def test_trailing_bytes_of_a_compressed_file(cut, expected, tmp_path):
    data = framing.frame(b"x" * 15) * 2
    packed = tmp_path / "cut.gz"
    packed.write_bytes(gzip.compress(data[: len(data) - cut]))
    found = endings.trailing_bytes(str(packed), time.monotonic() + 60, "GZIP")
    assert found == expected


def test_trailing_bytes_of_other_files(tmp_path):
    until = time.monotonic() + 60
    (tmp_path / "text").write_bytes(b"just some text, and not a little of it\n")
    (tmp_path / "gzip").write_bytes(gzip.compress(b"whatever"))
    (tmp_path / "empty").write_bytes(b"")
    (tmp_path / "short").write_bytes(b"12345")
    found = {path.name: endings.trailing_bytes(str(path), until) for path in tmp_path.iterdir()}
    assert found == {"text": 0, "gzip": 0, "empty": 0, "short": 5}
