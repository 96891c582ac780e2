"""h5py of its day. Expected values are of h5py 2.9.0 under Python 3.7."""

import h5py
import numpy as np
import pytest

from tfqueue.port.libraries import callers, h5py_files
from tfqueue.port.py2 import builtins as py2


@pytest.fixture(autouse=True)
def old_h5py(monkeypatch):
    """h5py is put back afterwards."""
    for owner, names in {
        h5py.Dataset: ("__array__", "__getitem__", "__iter__"),
        h5py.File: ("__init__",),
        h5py.Group: ("create_dataset",),
        h5py: ("special_dtype",),
        h5py.AttributeManager: ("__setitem__",),
    }.items():
        for name in names:
            monkeypatch.setattr(owner, name, vars(owner)[name])
    monkeypatch.setattr(h5py_files, "_python2", False)
    monkeypatch.setattr(h5py.Dataset, "value", None, raising=False)
    del h5py.Dataset.value
    h5py_files.install()


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "a.h5")


def test_a_file_is_made_and_written(path):
    with h5py.File(path) as file:
        file["a"] = [1, 2]
    with h5py.File(path) as file:
        assert (file.mode, file["a"].value.tolist()) == ("r+", [1, 2])
        file["b"] = 3
    with h5py.File(path, "r") as file:
        assert (file.mode, sorted(file)) == ("r", ["a", "b"])
    with h5py.File(path, mode="w") as file:
        assert not list(file)


def test_a_file_that_cannot_be_written_is_read(path, monkeypatch):
    with h5py.File(path) as file:
        file["a"] = 1
    original = h5py.File.__init__

    def refused(self, name, mode="r", **words):
        if mode == "r+":
            raise OSError("unable to lock file")
        original(self, name, mode, **words)

    monkeypatch.setattr(h5py.File, "__init__", h5py_files._opening(refused))
    with h5py.File(path) as file:
        assert (file.mode, file["a"].value) == ("r", 1)


def test_what_cannot_be_opened(tmp_path):
    with pytest.raises(OSError, match=r"No such file|unable to create"):
        h5py.File(str(tmp_path / "none" / "a.h5"))
    text = tmp_path / "a.txt"
    text.write_text("text")
    with pytest.raises(OSError, match="file signature not found"):
        h5py.File(str(text))
    assert text.read_text() == "text"


def test_text_is_text(path):
    with h5py.File(path, "w") as file:
        file["t"] = "abc"
        words = file.create_dataset("w", (3,), dtype=h5py.special_dtype(vlen=str))
        words[0], words[1] = "w", "\xe9"
        assert (file["t"].value, file["t"][()], words[0], words[1]) == ("abc", "abc", "w", "\xe9")
        assert list(words) == words.value.tolist() == words[:].tolist() == ["w", "\xe9", ""]
        assert words[[0, 2]].tolist() == ["w", ""]
        assert np.array(words).tolist() == ["w", "\xe9", ""]
        assert h5py_files.h5_value(words).tolist() == ["w", "\xe9", ""]


def test_bytes_are_bytes(path):
    with h5py.File(path, "w") as file:
        words = file.create_dataset("w", (2,), dtype=h5py.special_dtype(vlen=bytes))
        words[0] = b"w"
        file["fixed"] = np.array([b"q", b"r"])
        file["numbers"] = np.arange(4).reshape(2, 2)
        assert (words[0], words.value.tolist(), list(words)) == (b"w", [b"w", b""], [b"w", b""])
        assert (file["fixed"][0], file["fixed"].value.tolist()) == (b"q", [b"q", b"r"])
        assert file["numbers"][1].tolist() == [2, 3]
        assert np.array(file["numbers"]).tolist() == [[0, 1], [2, 3]]
        assert [row.tolist() for row in file["numbers"]] == [[0, 1], [2, 3]]


def test_attributes_that_are_lists_of_bytes(path):
    with h5py.File(path, "w") as file:
        file.attrs["names"] = [b"a", b"bc"]
        file.attrs["pair"] = (b"a",)
        file.attrs["empty"] = []
        file.attrs["words"] = ["a", "b"]
    with h5py.File(path, "r") as file:
        assert [name.decode() for name in file.attrs["names"]] == ["a", "bc"]
        assert file.attrs["pair"].tolist() == [b"a"]
        assert file.attrs["empty"].shape == (0,)
        assert file.attrs["words"].tolist() == ["a", "b"]


def test_a_library_has_the_h5py_of_today(path, monkeypatch):
    with h5py.File(path) as file:
        file["t"] = "abc"
        file["w"] = np.array(["x"], h5py.special_dtype(vlen=str))
    monkeypatch.setattr(callers, "_is_library", lambda path: True)
    with h5py.File(path) as file:
        assert (file.mode, file["t"][()], list(file["w"])) == ("r", b"abc", [b"x"])
        assert np.array(file["w"]).tolist() == [b"x"]
    with pytest.raises(FileNotFoundError):
        h5py.File(f"{path}.none")


def test_it_is_done_once():
    before = h5py.File.__init__
    h5py_files.install()
    assert h5py.File.__init__ is before


class Unicode(str):
    """As the stand-in for Python 2's `unicode` is a class of its own."""


def test_python_2(path):
    """What h5py 2.9.0 gives under Python 2.7: all bytes are text."""
    with h5py.File(path, "w") as file:
        file["bytes"] = np.array([b"ab", b"cde", b"\xe9"])
        with pytest.raises(TypeError, match="No conversion path for dtype"):
            file["words"] = np.array(["ab", "cde"])
    h5py_files.install(python2=True)
    with h5py.File(path) as file:
        file["words"] = np.array(["ab", "cde"])
        marked = file.create_dataset("marked", (2,), dtype=h5py.special_dtype(vlen=Unicode))
        marked[0] = "\xe9"
        plain = file.create_dataset("plain", (1,), dtype=h5py.special_dtype(vlen=bytes))
        plain[0] = b"w"
        assert (file["words"].dtype, file["words"][0], file["words"].value[1]) == (
            "S3",
            "ab",
            "cde",
        )
        assert file["words"][:].dtype == np.array(file["words"]).dtype == "U3"
        assert list(file["bytes"]) == ["ab", "cde", "\xe9"]
        assert py2.map(str.upper, file["bytes"]) == ["AB", "CDE", "\xc9"]
        assert py2.zip(file["bytes"], "a") == [("ab", "a")]
        assert (marked.value.tolist(), plain[0]) == (["\xe9", ""], "w")
        assert file.create_dataset("n", data=np.arange(3))[1] == 1


def test_the_value_of_what_has_one_and_of_what_has_none():
    class Old:
        value = "value"

    assert h5py_files.h5_value(Old()) == "value"
    assert h5py_files.h5_value({(): "all"}) == "all"
