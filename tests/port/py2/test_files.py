"""What Python 2's files and prints do beside what `python2/*.txt` shows."""

import io
import pickle
import sys

import numpy as np
import pytest

from tfqueue.port.differences import telling
from tfqueue.port.py2 import files
from tfqueue.port.py2.modules import cPickle


class Flushed(io.StringIO):
    times = 0

    def flush(self):
        self.times += 1


@pytest.mark.parametrize(("words", "times"), [({}, 0), ({"flush": False}, 0), ({"flush": True}, 1)])
def test_the_function_print_flushes_where_it_is_told_to(words, times):
    out = Flushed()
    files.print_function("a", 0.1 + 0.2, file=out, **words)
    assert (out.getvalue(), out.times) == ("a 0.3\n", times)


@pytest.mark.parametrize("show", [files.print_function, files.print_statement])
def test_without_a_terminal_nothing_is_printed(show, monkeypatch):
    monkeypatch.setattr(sys, "stdout", None)
    assert show("a") is None


def test_arguments_of_python_3_make_a_file_of_python_3(tmp_path):
    path = str(tmp_path / "a")
    with files.open(path, "w", encoding="latin1") as out:
        assert type(out) is io.TextIOWrapper
        out.write("é")
    with files.open(path, "rb") as found:
        assert found.read() == b"\xe9"
    with files.open(path, "r", -1, "latin1") as found:
        assert found.read() == "é"


@pytest.mark.parametrize(("mode", "buffering"), [("w", 0), ("wb", 0), ("w+b", 0), ("ab", 0)])
def test_what_has_no_buffer_is_written_at_once(mode, buffering, tmp_path):
    path = tmp_path / "a"
    with files.open(str(path), mode, buffering) as out:
        out.write("text")
        assert path.read_bytes() == b"text"
        out.write(b"\xff")
        assert path.read_bytes() == b"text\xff"
    with files.open(str(path), mode) as out:
        before = path.read_bytes()
        out.write("more")
        assert path.read_bytes() == before


def test_a_file_of_text_that_bytes_were_written_to_is_read_as_bytes(tmp_path):
    with files.open(str(tmp_path / "a"), "w+") as out:
        out.write(b"text ")
        out.seek(0)
        assert out.read() == "text "
        out.write(b"\xff\xfe")
        out.seek(0)
        assert out.read() == b"text \xff\xfe"


def test_lines_of_bytes_are_read_from_standard_input():
    stdin = files.bytes_within(io.TextIOWrapper(io.BytesIO(b"\xff one\ntwo\nthree")))
    assert (stdin.readline(), stdin.readline(2), stdin.read(2), stdin.readline()) == (
        *(b"\xff one\n", b"tw"),
        *(b"o\n", b"three"),
    )


PICTURE = b"\x89PNG\r\n\0\xff\n\xc3"


def test_a_file_that_begins_with_bytes_is_read_as_bytes(tmp_path):
    """What Python 2 gave for a picture that is opened as text: all of it, whatever its line ends."""
    path = tmp_path / "a"
    path.write_bytes(PICTURE * 3000)
    with files.open(str(path)) as found:
        assert (found.read(4), found.readline(), found.readline()) == (
            *(PICTURE[:4], PICTURE[4:6]),
            PICTURE[6:9],
        )
        assert found.read() == PICTURE[9:] + PICTURE * 2999
    with files.open(str(path)) as found:
        assert (next(found), found.readlines()[0]) == (PICTURE[:6], PICTURE[6:9])


@pytest.mark.parametrize("held", [b"caf\xe9\x1b\r\n", b"a\0b", "\u00e9".encode() * 70000 + b"\0"])
def test_other_text_stays_text(held, tmp_path):
    """A letter of another encoding, a zero, and a letter that the buffer cuts."""
    path = tmp_path / "a"
    path.write_bytes(b"\0"[: len(held) > 9] + held)
    with files.open(str(path)) as found:
        text = found.read()
    assert isinstance(text, str)
    assert text.encode("utf-8", "surrogateescape") == path.read_bytes()


def test_a_gfile_opened_as_text_gives_what_it_holds(tmp_path):
    gfile = pytest.importorskip("tensorflow.compat.v1").gfile
    (tmp_path / "a").write_bytes(PICTURE)
    (tmp_path / "b").write_text("text")
    for kind in (gfile.GFile, gfile.FastGFile):
        with kind(str(tmp_path / "a"), "r") as file:
            assert (files.read_gfile(file, 6), files.read_gfile(file)) == (PICTURE[:6], PICTURE[6:])
        with kind(str(tmp_path / "b")) as file:
            assert files.read_gfile(file) == "text"
        with kind(str(tmp_path / "b"), "rb") as file:
            assert files.read_gfile(file) == b"text"


def test_words_of_a_gfile_are_cut_at_spaces_of_ascii(tmp_path):
    gfile = pytest.importorskip("tensorflow.compat.v1").gfile
    path = tmp_path / "a"
    path.write_text("a\u00a0b c\n\u3000d e\n", encoding="utf-8")
    with gfile.GFile(str(path)) as file:
        assert [len(line.split()) for line in files.text_lines(file)] == [2, 2]
    with gfile.GFile(str(path), "r") as file:
        assert len(files.file_texts(file.readline()).split()) == 2
        assert [len(line.split()) for line in files.file_texts(file.readlines())] == [2]
    with gfile.GFile(str(path), "r") as file:
        assert len(files.read_gfile(file).split()) == 4


def test_a_library_reads_bytes_of_a_gfile_that_was_opened_as_text(tmp_path):
    """Two pickles one after the other, and an array behind a line of text."""
    gfile = pytest.importorskip("tensorflow.compat.v1").gfile
    array = np.arange(300, dtype=np.float32)
    with open(tmp_path / "a", "wb") as file:
        pickle.dump(array, file, protocol=0)
        pickle.dump(["text", 200], file, protocol=2)
    with open(tmp_path / "b", "wb") as file:
        file.write(b"head\n")
        np.save(file, array)
    with gfile.FastGFile(str(tmp_path / "a"), "r") as file:
        first, second = cPickle.load(file), cPickle.load(file)
    assert (first.tolist(), second) == (array.tolist(), ["text", 200])
    with gfile.GFile(str(tmp_path / "b")) as file:
        assert file.readline() == "head\n"
        assert np.load(files.bytes_of(file)).tolist() == array.tolist()
        assert file.read() == ""
    with gfile.GFile(str(tmp_path / "b"), "rb") as file:
        assert files.bytes_of(file) is file


def test_what_is_written_after_a_file_was_opened_is_read(tmp_path):
    """Python 2.7 reads nothing before it is asked to."""
    path = tmp_path / "a"
    path.write_bytes(b"one old")
    with files.open(str(path)) as found:
        path.write_bytes(b"two new")
        assert found.read() == "two new"


def test_a_place_in_a_text_is_counted_from_here_or_from_the_end(tmp_path):
    """The values of Python 2.7 for the same bytes."""
    path = tmp_path / "a"
    path.write_bytes("höllo wörld\nend".encode())
    with files.open(str(path), "r+") as held:
        held.seek(-3, 2)
        assert (held.read(), held.tell()) == ("end", 17)
        held.seek(7)
        held.seek(-3, 1)
        assert (held.tell(), held.read(2)) == (4, "lo")
        held.seek(0, 2)
        held.write("!")
        held.seek(-2, 2)
        assert held.read() == "d!"


@pytest.mark.parametrize("protocol", [0, 2])
def test_text_that_was_read_as_bytes_is_text_behind_a_pickle(tmp_path, protocol):
    """In Python 2 both are `str`, and a dictionary has the one for the other."""
    from tfqueue.port.py2 import modules, wrapping

    path = tmp_path / "a"
    given = {wrapping.wrapped(b"a.jpg"): [wrapping.wrapped(b"b"), b"c", "d", 1]}
    with path.open("wb") as held:
        modules._dump(given, held, protocol)
    with path.open("rb") as held:
        found = modules._load(held)
    assert "a.jpg" in found
    assert found["a.jpg"][0] == "b"
    assert type(found["a.jpg"][1]) is bytes
    assert "a.jpg" in modules._loads(modules._dumps(given, protocol))
    with path.open("rb") as held:
        assert "a.jpg" in modules._unpickler(held).load()


@pytest.mark.parametrize("mode", ["a+", "ab+", "a+b"])
def test_a_file_to_append_to_is_read_from_its_beginning(tmp_path, mode):
    """What Python 2.7.18 gives; that of today begins at the end."""

    def as_text(data):
        return data.decode() if isinstance(data, bytes) else data

    path = tmp_path / "a"
    with files.open(path, mode) as file:
        file.write("new")
        file.seek(0)
        assert as_text(file.read()) == "new"
    path.write_text("abc\ndef\n")
    with files.open(path, mode) as file:
        assert (file.tell(), as_text(file.read()), file.tell()) == (0, "abc\ndef\n", 8)
    with files.open(path, mode) as file:
        assert [as_text(line) for line in file] == ["abc\n", "def\n"]
    with files.open(path, mode) as file:
        file.write("x")
        file.flush()
        assert (file.tell(), as_text(file.read())) == (9, "")
    with files.open(path, mode) as file:
        file.seek(3)
        file.truncate()
    assert path.read_text() == "abc"


def test_a_file_to_append_to_alone_stays_at_its_end(tmp_path):
    path = tmp_path / "a"
    path.write_text("abc")
    for mode in ("a", "ab"):
        with files.open(path, mode) as file:
            assert file.tell() == len(path.read_text())
            file.write("w")
    assert path.read_text() == "abcww"


def test_it_is_told_where_python_2_counted_bytes(tmp_path, capsys):
    def told(data):
        telling.forget()
        (tmp_path / "text").write_bytes(data)
        for _ in range(2):
            with files.open(str(tmp_path / "text")) as file:
                assert files.counted_text(file.read()) in (
                    data,
                    data.decode("utf-8", "surrogateescape"),
                )
        return capsys.readouterr().err.count("letters other than ASCII")

    assert told("h\xe9llo".encode()) == 1
    assert told(b"hello") == 0
    assert told(b"h\xe9llo") == 0, "not UTF-8: each byte is a character"
    assert told(PICTURE) == 0
