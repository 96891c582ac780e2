"""How an error that nobody caught is printed, by whom, and what stays as it was."""

import importlib.util
import io
import pathlib
import re
import runpy
import sys
import textwrap
import threading
import types
import urllib.request

import pytest

import tfqueue.v1 as tf
from tfqueue import _tensorflow, records
from tfqueue.explain import pytest_plugin, uncaught_errors
from tfqueue.records import suggestions

pytest_plugins = ["pytester"]

ROOT = pathlib.Path(__file__).parents[2]
MISTAKES = ROOT / "examples" / "mistakes"
SPEC = importlib.util.spec_from_file_location("transcripts", MISTAKES / "transcripts.py")
transcripts = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(transcripts)


def failure(function):
    """What a function raises."""
    with pytest.raises(Exception) as caught:
        function()
    return caught.value


@pytest.fixture
def mistakes_folder(tmp_path, monkeypatch):
    transcripts.prepare(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


# -- the twelve mistakes ---------------------------------------------------------------------------


def kept():
    """The transcripts of docs/mistakes.md, by the names of the programs."""
    blocks = re.findall(r"```text\n(.*?)\n```", transcripts.PAGE.read_text("utf-8"), re.DOTALL)
    return dict(zip(transcripts.ORDER, blocks, strict=True))


def settled(text):
    """A transcript without the number of library frames, and without where lines are broken."""
    return " ".join(re.sub(r"\(\d+ library frames? .*\)", "", text).split())


def test_every_mistake_is_on_the_page():
    programs = {path.stem for path in MISTAKES.glob("*.py")} - {"transcripts"}
    assert programs == set(transcripts.ORDER)
    assert len(transcripts.ORDER) == 12
    for name, text in kept().items():
        assert len(text.splitlines()) <= 15, name
        assert max(map(len, text.splitlines())) <= 80, name


@pytest.mark.parametrize("name", transcripts.ORDER)
def test_a_mistake_prints_what_the_page_shows(name, mistakes_folder, monkeypatch):
    program = mistakes_folder / f"{name}.py"
    program.write_text((MISTAKES / program.name).read_text("utf-8"), "utf-8")
    printed = io.StringIO()
    monkeypatch.setattr(sys, "stderr", printed)
    monkeypatch.setattr(threading, "excepthook", threading.__excepthook__)
    error = failure(lambda: runpy.run_path(str(program), run_name="__main__"))
    trace = error.__traceback__
    while trace.tb_frame.f_code.co_filename != str(program):
        trace = trace.tb_next  # pytest's and runpy's frames
    uncaught_errors.say(error.with_traceback(trace))
    expected = settled(kept()[name])
    found = re.sub(r"Thread-\d+", "Thread-1", settled(printed.getvalue()))
    if not tf.__version__.startswith("2.21"):
        # The class and the story are tfqueue's; TensorFlow's own sentence differs by release.
        assert found.partition(":")[0] == expected.partition(":")[0]
        return
    assert found == expected


def test_a_script_prints_the_page_s_lines(mistakes_folder):
    printed = transcripts.printed("runners_not_started", mistakes_folder)
    assert settled(printed) == settled(kept()["runners_not_started"])
    assert printed.count("\n") <= 15


def test_the_readme_shows_one_of_them():
    text = (ROOT / "README.md").read_text("utf-8")
    blocks = re.findall(r"```text\n(.*?)\n```", text, re.DOTALL)
    assert settled(kept()["missing_file"]) in map(settled, blocks)


# -- what is printed -------------------------------------------------------------------------------


def test_the_exception_stays_what_it_was():
    wrong = tf.reshape(tf.placeholder(tf.float32, [None], name="x"), [2, 2])
    with tf.Session() as sess:
        error = failure(lambda: sess.run(wrong, {"x:0": [1.0, 2.0, 3.0]}))
    before = (type(error), error.__traceback__, list(getattr(error, "__notes__", ())), str(error))
    lines = uncaught_errors.lines_of(error)
    assert lines[0].startswith("InvalidArgumentError: Input to reshape is a tensor with 3 values")
    after = (type(error), error.__traceback__, list(getattr(error, "__notes__", ())), str(error))
    assert after == before


def test_a_user_s_own_error_is_python_s_to_print():
    assert not uncaught_errors.is_ours(failure(lambda: {}["key"]))
    assert not uncaught_errors.is_ours(failure(lambda: compile("a b", "x.py", "exec")))


@pytest.mark.parametrize("use", [bool, list], ids=["if", "for"])
def test_a_tensor_that_is_used_as_a_python_value(use):
    lines = uncaught_errors.lines_of(failure(lambda: use(tf.placeholder(tf.int32, [None]))))
    text = " ".join(" ".join(lines).split())
    assert "a tensor has no value while the graph is built" in text
    assert "Eager" not in text
    assert "AutoGraph" not in text


def test_full_tracebacks_on_request(monkeypatch):
    error = failure(lambda: tf.train.batch([tf.placeholder(tf.float32, [None])], 4))
    assert uncaught_errors.is_ours(error)
    monkeypatch.setenv("TFQUEUE_TRACEBACK", "full")
    assert not uncaught_errors.is_ours(error)


def deep(levels):
    if levels:
        deep(levels - 1)
    tf.constant("a") + tf.constant(1)


@pytest.mark.parametrize("notes", [0, 1, 5])
def test_it_fits_whatever_there_is_to_say(notes):
    error = failure(lambda: deep(30))
    for number in range(notes):
        _tensorflow.add_note(error, f"tfqueue: {number} " + "so much to say " * 200)
    error.__cause__ = failure(lambda: {}["k" * 1000])
    lines = uncaught_errors.lines_of(error)
    assert len(lines) <= 15
    assert all(len(line) <= 100 for line in lines if " " in line.strip())
    assert any("more of the program's frames" in line for line in lines)
    assert any(line.startswith("Caused by KeyError") for line in lines)


def test_control_characters_are_escaped():
    error = RuntimeError("a\x1b[31m")
    _tensorflow.add_note(error, "tfqueue: key 'b\x07'")
    assert uncaught_errors.lines_of(error) == [r"RuntimeError: a\x1b[31m", r"  key 'b\x07'"]


def test_an_error_while_another_is_handled_names_both():
    def handles():
        try:
            tf.constant("a") + tf.constant(1)
        except TypeError:
            {}["key"]

    lines = uncaught_errors.lines_of(failure(handles))
    assert lines[0] == "KeyError: 'key'"
    assert any(line.startswith("While handling TypeError: ") for line in lines)


def test_the_first_of_several_errors_of_one_step_is_the_headline():
    said = "2 root error(s) found.\n  (0) INVALID_ARGUMENT: no\n\t [[{{node a}}]]\n  (1) ABORTED: b"
    error = tf.errors.InvalidArgumentError(None, None, said)
    assert uncaught_errors.lines_of(error) == ["InvalidArgumentError: no"]


def test_earlier_exceptions_are_counted():
    error = KeyError("last")
    error.__cause__ = ValueError("middle")
    error.__cause__.__cause__ = TypeError("first")
    lines = uncaught_errors.lines_of(error)
    assert lines[:2] == ["KeyError: 'last'", "Caused by ValueError: middle"]
    assert lines[2] == "(1 earlier exception not shown; TFQUEUE_TRACEBACK=full shows it)"
    error.__cause__.__cause__.__cause__ = error
    assert len(uncaught_errors.lines_of(error)) == 3  # a circle ends


# -- who prints it ---------------------------------------------------------------------------------


@pytest.fixture
def hooks(monkeypatch):
    """Installs the hook over one that keeps what it is given; gives that list."""
    seen = []
    monkeypatch.setattr(sys, "excepthook", lambda *raised: seen.append(raised[1]))
    uncaught_errors.install()
    return seen


def test_other_errors_go_to_the_hook_that_was_there(hooks, capsys):
    error = failure(lambda: {}["key"])
    sys.excepthook(type(error), error, error.__traceback__)
    assert hooks == [error]
    assert capsys.readouterr().err == ""


def test_a_hook_of_somebody_else_s_is_called_too(hooks, capsys):
    error = failure(lambda: tf.constant("a") + tf.constant(1))
    sys.excepthook(type(error), error, error.__traceback__)
    assert hooks == [error]
    assert capsys.readouterr().err.startswith("TypeError: ")


def test_python_s_own_hook_is_replaced(monkeypatch, capsys):
    monkeypatch.setattr(sys, "excepthook", sys.__excepthook__)
    uncaught_errors.install()
    error = failure(lambda: tf.constant("a") + tf.constant(1))
    sys.excepthook(type(error), error, error.__traceback__)
    assert "Traceback (most recent call last)" not in capsys.readouterr().err


def test_the_backport_of_groups_prints_nothing_twice(hooks, monkeypatch, capsys):
    def backport(*args):
        raise AssertionError(args)

    backport.__module__ = "exceptiongroup._formatting"
    monkeypatch.setattr(sys, "excepthook", backport)
    uncaught_errors.install()
    error = failure(lambda: tf.constant("a") + tf.constant(1))
    sys.excepthook(type(error), error, error.__traceback__)
    assert capsys.readouterr().err.startswith("TypeError: ")


def test_it_is_installed_once(hooks):
    hook = sys.excepthook
    uncaught_errors.install()
    assert sys.excepthook is hook


def test_nothing_is_said_to_a_stream_that_is_closed(monkeypatch):
    closed = io.StringIO()
    closed.close()
    for stream in (None, closed):
        monkeypatch.setattr(sys, "stderr", stream)
        uncaught_errors.say(RuntimeError("no"))


def test_pytest_shows_the_test_s_lines(pytester):
    pytester.makepyfile(
        textwrap.dedent("""
        import tfqueue.v1 as tf

        def test_batch():
            image = tf.placeholder(tf.float32, [None])
            tf.train.batch([image], 4)

        def test_own():
            assert 1 == 2
        """)
    )
    plugins = ["-p", "tfqueue.explain.pytest_plugin", "-p", "no:cacheprovider"]
    result = pytester.runpytest_inprocess("-p", "no:tfqueue", *plugins)
    result.stdout.fnmatch_lines(
        [
            ">       tf.train.batch([[]image[]], 4)",
            "E   ValueError: All shapes must be fully defined: *",
            "*: ValueError",
            "E       assert 1 == 2",
            "FAILED *::test_batch - ValueError: All sh*",
        ]
    )
    assert "site-packages" not in result.stdout.str()
    whole = pytester.runpytest_inprocess("-p", "no:tfqueue", "--full-trace", *plugins)
    assert "site-packages" in whole.stdout.str()


# -- names that are nearly right, files of another kind --------------------------------------------


def test_a_file_beside_the_missing_one(tmp_path):
    (tmp_path / "train-0.tfrecord").touch()
    assert suggestions.similar_file(str(tmp_path / "trian-0.tfrecord")).endswith("train-0.tfrecord")
    assert suggestions.similar_file(str(tmp_path / "labels.csv")) is None
    assert suggestions.similar_file(str(tmp_path / "absent" / "train-0.tfrecord")) is None


def test_a_damaged_tfrecord_is_not_taken_for_another_kind(tmp_path):
    path = tmp_path / "a.tfrecord"
    records.write(path, [{"label": n} for n in range(3)])
    whole = path.read_bytes()
    for at in range(12):
        damaged = bytearray(whole)
        damaged[at] ^= 255
        assert suggestions.other_kind(bytes(damaged)) is None, at


def test_a_download_that_fails_is_printed_in_short():
    error = failure(lambda: urllib.request.urlopen("file:///nosuch/inception.tgz"))
    lines = uncaught_errors.lines_of(error)
    assert uncaught_errors.is_ours(error)
    assert lines[0].startswith("urllib.error.URLError: <urlopen error ")
    assert len(lines) <= 8
    assert "urllib/" not in "".join(lines[1:])  # no frame of the library


def test_pytest_is_shown_the_frames_of_the_program():
    with pytest.raises(ValueError, match="Cannot reshape") as caught:
        tf.reshape(tf.zeros([3]), [2])
    shown = pytest_plugin._own_frames(caught)
    assert [str(entry.path) for entry in shown] == [__file__]
    assert len(caught.traceback) > 1
    libraries = types.SimpleNamespace(traceback=caught.traceback[1:])
    assert pytest_plugin._own_frames(libraries) == libraries.traceback


# -- functions that AutoGraph converts --------------------------------------------------------------


def test_an_error_in_a_converted_function_says_what_it_is_and_where():
    def inner(x):
        return x.nothing

    def outer(x):
        return inner(x)

    error = failure(lambda: tf.data.Dataset.range(3).map(outer))
    assert str(error).startswith("in user code:")
    lines = uncaught_errors.lines_of(error)
    assert re.fullmatch(r"AttributeError: '\w*Tensor' object has no attribute 'nothing'", lines[0])
    assert [line.strip() for line in lines if "return " in line] == [
        "return inner(x)",
        "return x.nothing",
    ]
    assert "__autograph_generated_file" not in "".join(lines)


def test_an_error_of_an_op_in_a_converted_function_has_its_first_line():
    told = (
        'in user code:\n\n    File "old.py", line 7, in loss  *\n        f(x)\n'
        '    File "/lib/x.py", line 9, in call  **\n        g(x)\n\n'
        "    InvalidArgumentError: You must feed a value\n    \t [[{{node x}}]]\n"
    )
    lines = uncaught_errors.lines_of(tf.errors.InvalidArgumentError(None, None, told))
    assert lines == [
        "InvalidArgumentError: You must feed a value",
        '  File "old.py", line 7, in loss',
    ]
