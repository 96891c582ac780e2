"""tfqueue.records.suggestions: the file that was meant."""

import pytest

from tfqueue.records import framing, suggestions


def test_a_file_of_nearly_the_same_name_is_told_with_its_folder(tmp_path):
    for name in ("train-00.tfrecord", "labels.csv"):
        (tmp_path / name).write_text("")
    found = suggestions.similar_file(str(tmp_path / "trian-00.tfrecord"))
    assert found == str(tmp_path / "train-00.tfrecord")
    assert suggestions.similar_file(str(tmp_path / "other.tfrecord")) is None
    assert suggestions.similar_file(str(tmp_path / "nowhere" / "train-00.tfrecord")) is None


@pytest.mark.parametrize(
    ("start", "kind"),
    [
        (b"\x89PNG\r\n\x1a\n", "a PNG"),
        (b"\xff\xd8\xff\xe0", "a JPEG"),
        (b"GIF87a..", "a GIF"),
        (b"GIF89a..", "a GIF"),
        (b"PK\x03\x04..", "a ZIP archive, or an .npz file"),
        (b"\x93NUMPY\x01", "an .npy file"),
        (b"\x89HDF\r\n\x1a\n", "an HDF5 file"),
        (b"\x1f\x8b\x08\x00", "a gzip file"),
        (b"BZh9", "a bzip2 file"),
        (b"\xfd7zXZ\x00", "an xz file"),
        (b"%PDF-1.4", "a PDF"),
        (b"SQLite format 3\x00", "an SQLite database"),
        (b"PAR1", "a Parquet file"),
        (b"\x00\x00\x08\x03\x00", "MNIST's images in IDX format"),
        (b"\x00\x00\x08\x01\x00", "MNIST's labels in IDX format"),
        (b"", None),
        (b"1234567", None),
        (b"12345678", "text"),
        ("größe\t1\r\n".encode(), "text"),
        (b"12345678\x00", None),
        (b"12345678\xff", None),
        (b"1234567\x1b", None),
        # the last character may have been cut in two, where no more was looked at
        (b"a" * 511 + b"\xc3", "text"),
        (b"a" * 510 + b"\xc3", None),
        (b"a" * 510 + b"\x00\xc3", None),
        (bytes(512), None),
        (framing.frame(b"GIF89a"), None),
        (framing.frame(b"words and words"), None),
        (b"GIF89a" + framing.frame(b"x"), "a GIF"),
    ],
)
def test_what_a_file_is_instead(tmp_path, start, kind):
    assert suggestions.other_kind(start) == kind
    path = tmp_path / "file"
    path.write_bytes(start)
    assert suggestions.kind_of_file(path) == kind
    if len(start) == 512:
        path.write_bytes(start + b"\x00" * 99)
        assert suggestions.kind_of_file(str(path)) == kind


@pytest.mark.parametrize(
    ("wanted", "names", "found"),
    [
        ("train", ["trian", "train_", "test"], "train_"),
        ("train", [], None),
        ("abcdefghij", ["abcdefgxyz"], "abcdefgxyz"),  # 0.7 of it
        ("abcdefghij", ["abcdefwxyz"], None),
    ],
)
def test_the_name_that_was_meant(wanted, names, found):
    assert suggestions.closest(wanted, iter(names)) == found


def test_a_file_that_was_meant(tmp_path, monkeypatch):
    for name in ("train.csv", "a.tfrecord"):
        (tmp_path / name).write_text("")
    # not alike for having the same extension
    assert suggestions.similar_file(str(tmp_path / "b.tfrecord")) is None
    assert suggestions.similar_file(str(tmp_path / "trian.tsv")) == str(tmp_path / "train.csv")
    assert suggestions.did_you_mean(str(tmp_path / "trian.csv")) == (
        f" (did you mean {str(tmp_path / 'train.csv')!r}?)"
    )
    assert suggestions.did_you_mean(str(tmp_path / "other")) == ""
    monkeypatch.chdir(tmp_path)
    assert suggestions.similar_file("trian.csv") == "train.csv"


def test_a_link_that_leads_nowhere_is_not_what_was_meant(tmp_path):
    (tmp_path / "train-0").symlink_to("gone")
    assert suggestions.similar_file(str(tmp_path / "train-0")) is None
    (tmp_path / "train-1").write_text("")
    assert suggestions.similar_file(str(tmp_path / "train-0")) == str(tmp_path / "train-1")
