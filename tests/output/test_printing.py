"""How names and messages are printed: one line, with nothing that a terminal obeys."""

import io
import types

import pytest

from tfqueue.output import printing


@pytest.mark.parametrize(
    ("encoding", "expected"),
    [("utf-8", True), ("UTF8", True), ("ascii", False), ("latin-1", False), (None, False)],
)
def test_a_stream_of_all_of_unicode(encoding, expected):
    assert printing.is_utf8(types.SimpleNamespace(encoding=encoding)) is expected


def test_a_stream_without_an_encoding():
    assert not printing.is_utf8(types.SimpleNamespace(encoding=""))
    assert printing.is_utf8(io.TextIOWrapper(io.BytesIO(), "utf-8"))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("", ""),
        ("größe \u961f", "größe \u961f"),
        ("a\tb\r\n", "a\\tb\\r\\n"),
        ("\x00\x1b[0m\x7f\x9b", "\\x00\\x1b[0m\\x7f\\x9b"),
        ("\u2028\u202e\u200b", "\\u2028\\u202e\\u200b"),
        ("\U000e0001", "\\U000e0001"),
        # bytes that are no UTF-8: those of C1 controls alone are escaped
        ("\udc80\udc9f\udca0\udcff", "\\udc80\\udc9f\udca0\udcff"),
        ("\ud800\udd00", "\\ud800\\udd00"),
        ("back\\slash", "back\\slash"),
    ],
)
def test_text_on_one_line(text, shown):
    assert printing.printable(text) == shown
    assert printing.printable(shown) == shown
    assert printing.short(text) == shown


@pytest.mark.parametrize(
    ("length", "most", "shown"),
    [
        (4, 4, "aaaa"),
        (5, 4, "aaaa... (5 characters)"),
        (1234, 4, "aaaa... (1,234 characters)"),
        (1, 0, "... (1 characters)"),
    ],
)
def test_text_that_is_cut(length, most, shown):
    assert printing.short("a" * length, most) == shown


def test_how_much_is_shown():
    assert printing.short("\n" * 200) == "\\n" * 200
    assert printing.short("\n" * 201) == "\\n" * 200 + "... (201 characters)"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ('{"a": "ü~ \u961f"}\n', '{"a": "ü~ \u961f"}\n'),
        ("\x7f\x9b", "\\u007f\\u009b"),
        ("\u2028\u202e", "\\u2028\\u202e"),
        ("\U000e0001", "\\udb40\\udc01"),
        ("\udc80", "\\udc80"),
        ("\r", "\\u000d"),
    ],
)
def test_json_for_a_terminal(text, shown):
    assert printing.json_printable(text) == shown


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (ValueError(" two\nlines "), "two\\nlines"),
        (ValueError(), ""),
        (OSError("only words"), "only words"),
        (OSError(5, "Input/output error"), "Input/output error"),
        (FileNotFoundError(2, "No such file", "a\nb"), "a\\nb: No such file"),
        (FileNotFoundError(2, "No such file", b"a\xffb"), "a\udcffb: No such file"),
        (OSError(2, "", "name"), "name: [Errno 2] : 'name'"),
        (PermissionError(13, "Denied", "from", None, "to"), "from: Denied"),
    ],
)
def test_an_error_on_one_line(error, line):
    assert printing.line_of(error) == line
