"""Programs of Python 2 give what Python 2.7.18 gave: under `run`, and after `port`.

`record_python2.py` recorded it; the programs stand in `python2/*.txt`.
"""

import collections
import contextlib
import io
import json
import os
import shutil
import sys

import numpy as np
import pytest

from tests.port.record_python2 import HERE, programs
from tfqueue.port.code.compilation import compile_translation
from tfqueue.port.program.written_for import WrittenFor
from tfqueue.port.py2 import files, methods, strings, text, wrapping
from tfqueue.port.rules import engine
from tfqueue.port.run import importer

PYTHON2 = WrittenFor(python2=True)
PROGRAMS = [
    pytest.param(name, text, *golden[name], id=name)
    for path in sorted(HERE.glob("*.txt"))
    for golden in [json.loads(path.with_suffix(".json").read_text("utf-8"))]
    for name, text in programs(path)
]
# what can't be the same, each with its reason
LATER = "print takes all that it prints before it writes the first of it"
LONG = "there is one kind of whole number; only those above sys.maxint are shown with an L"
DIFFERENT = {
    "setdefault and get": LATER,
    "finally and else": LATER,
    "generators and yield": LATER,
    "bucket by sha1": LONG,
    "print of tuples of longs": LONG,
}


def run(code):
    """The exit code, and what is printed, of a program in a process of its own in all but name."""
    main = importer.main_module("program.py")
    out = io.TextIOWrapper(io.BytesIO(), "utf-8", "surrogateescape", newline="\n")
    kept = sys.modules["__main__"], sys.argv
    sys.modules["__main__"], sys.argv = main, ["program.py"]
    result = 0
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
            try:
                exec(code, main.__dict__)
            except SystemExit as ended:
                held = ended.code
                result = held if isinstance(held, int) else int(held is not None)
            except Exception:  # noqa: BLE001  (as Python ends with any)
                result = 1
            files.flush_lines()
            out.flush()
    finally:
        sys.modules["__main__"], sys.argv = kept
    return result, out.buffer.getvalue().decode("utf-8", "replace")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::DeprecationWarning")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize(("name", "text", "code", "out"), PROGRAMS)
def test_as_python_2(name, text, code, out, folder, request):
    if name in DIFFERENT:
        request.applymarker(pytest.mark.xfail(strict=True, reason=DIFFERENT[name]))
    translation = engine.translate(text, "program.py", written_for=PYTHON2)
    assert run(compile_translation(translation, "program.py")) == (code, out)


@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::DeprecationWarning")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize(("name", "text", "code", "out"), PROGRAMS)
def test_ported_it_is_the_same(name, text, code, out, folder):
    translation = engine.translate(text, "program.py", written_for=PYTHON2)
    under_run = run(compile_translation(translation, "program.py"))
    ported = translation.text
    for file in os.listdir():
        shutil.rmtree(file) if os.path.isdir(file) else os.unlink(file)
    assert run(compile(ported, "program.py", "exec")) == under_run
    again = engine.translate(ported, "program.py", written_for=PYTHON2).text
    assert again == ported, "porting twice changes nothing more"


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (np.float64(0.1) + np.float64(0.2), "0.3"),
        (np.float32(0.1), "0.1"),
        ([np.float64(0.5), np.int32(3), b"a"], "[0.5, 3, 'a']"),
        (np.array([b"a.txt", b"b"], object), "['a.txt' 'b']"),
        (np.array([b"x"]), "['x']"),
        (np.array([1, "x"], object), "[1 'x']"),
    ],
)
def test_what_sessions_give_is_shown_as_text(value, shown):
    assert text.text(value) == shown


@pytest.mark.parametrize(
    ("code", "name"),
    [
        ("def f():\n    x = 1\n    exec 'x = 2'\n    return x\nf()\n", "x"),
        ("y = 1\ndef f():\n    exec 'y = 2'\n    return y\nf()\n", "y"),
        ("def f():\n    z = 1\n    exec 'for z in [5]: pass'\n    return lambda: z\nf()\n", "z"),
    ],
)
def test_exec_that_binds_a_name_of_its_function_is_refused(code, name):
    translation = engine.translate(code, "program.py", written_for=PYTHON2)
    with pytest.raises(RuntimeError, match=rf"program.py:\d+: exec binds {name} in f\(\)"):
        exec(compile_translation(translation, "program.py"), {})


def test_what_encode_gives_is_bytes_for_others():
    data = methods.encode("\udc89PNG", "utf-8")
    assert isinstance(data, bytes)
    assert np.frombuffer(data, np.uint8).tolist() == [0x89, 0x50, 0x4E, 0x47]
    assert memoryview(data)[0] == 0x89
    assert np.array([data]).dtype == "S4"


def scaled(value, n, code):
    names = {"x": value, "n": n}
    translation = engine.translate(code, "program.py", written_for=PYTHON2)
    exec(compile_translation(translation, "program.py"), names)
    return names["x"]


def test_arrays_are_divided_in_place():
    floats, whole = np.array([2.0, 4.0]), np.array([7, 8])
    assert scaled(floats, 2, "def f(a):\n    a /= n\nf(x)\n") is floats
    assert floats.tolist() == [1.0, 2.0]
    assert scaled(whole, 2, "def f(a):\n    a[0] /= n\n    a /= n\nf(x)\n") is whole
    assert whole.tolist() == [1, 4]
    assert scaled(whole, 2, "x = x / n\n").dtype == whole.dtype
    assert scaled(floats, 2, "x = 1 / x\n").tolist() == [1.0, 0.5]


def test_what_ends_with_zeros_reaches_tensorflow_whole():
    """numpy's own bytes lose them; what `struct` and `zlib` give is looked at byte by byte."""
    import tfqueue.v1 as tf

    plain = b"ab\0\0"
    data = strings.ByteString(plain)
    fed = tf.placeholder(tf.string)
    with tf.Session() as sess:

        def everywhere(value):
            tensors = [
                tf.constant(value),
                tf.constant(value, tf.string),
                tf.constant(value, shape=[2]),
                tf.constant([value, b"x"]),
                tf.convert_to_tensor([[value]]),
                tf.decode_raw(value, tf.uint8),
                tf.decode_raw(fed, tf.uint8),
                tf.string_join([value, "x"]),
                tf.fill([2], value),
                tf.py_func(lambda: value, [], tf.string),
            ]
            return [
                found.tolist() if hasattr(found, "tolist") else found
                for found in sess.run(tensors, {fed: value})
            ]

        found = everywhere(data)
        assert found == everywhere(plain)
    assert found[0] == plain
    assert repr(data) == repr(plain)


def test_strings_that_a_session_gives_are_equal_to_text():
    pair = collections.namedtuple("pair", "keys ids")
    given = pair(np.array([[b"d/a"], [b"d/b"]], object), [np.arange(2), {"key": b"c"}])
    found = wrapping.fetched(given)
    assert type(found) is pair
    assert [key.split("/")[1] for key in found.keys.flat] == ["a", "b"]
    assert (found.keys == "d/a").tolist() == [[True], [False]]
    assert found.ids[1]["key"] in {"c": 1}
    assert found.ids[0] is given.ids[0]
    ordered = collections.OrderedDict([("b", b"d/a"), ("a", 1)])
    assert list(wrapping.fetched(ordered).items()) == [("b", "d/a"), ("a", 1)]
    assert type(wrapping.fetched(ordered)) is collections.OrderedDict
    assert type(ordered["b"]) is bytes
    assert type(given.keys[0, 0]) is bytes, "what was given is as it was"
    for other in ([1, "a"], (1, [2]), {"a": [1]}, np.array([1, "a", None], object)):
        assert wrapping.fetched(other) is other
