"""The command line: run behaves as Python does, check and port say what they do."""

import importlib
import io
import json
import os
import pathlib
import signal
import subprocess
import sys
import sysconfig
import textwrap
import types

import pytest

import tfqueue
from tests import command_lines
from tfqueue import cli
from tfqueue.commands import check
from tfqueue.output import progress
from tfqueue.port.program import era, folders
from tfqueue.port.program.written_for import of_parsed
from tfqueue.port.run import importer
from tfqueue.port.source import files
from tfqueue.port.source.parsing import parse

ROOT = pathlib.Path(__file__).parent.parent


def write(folder, **files):
    folder.mkdir(exist_ok=True)
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text)
    return folder


def test_the_version_is_a_success(capsys):
    assert cli._main(["--version"]) == 0
    assert capsys.readouterr().out == f"tfqueue {tfqueue.__version__}\n"


def test_neither_tensorflow_nor_numpy_is_imported(tmp_path):
    write(tmp_path, old="import tensorflow as tf\nprint tf.pack([1])\n")
    code = (
        "import sys, tfqueue, tfqueue.cli\n"
        f"assert tfqueue.cli.main(['check', {str(tmp_path)!r}]) == 1\n"
        f"assert tfqueue.cli.main(['port', {str(tmp_path)!r}]) == 0\n"
        "assert tfqueue.cli.main(['records', '--help']) == 0\n"
        "assert not {'tensorflow', 'numpy'} & set(sys.modules)\n"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], cwd=ROOT, capture_output=True
    )
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_check_and_a_refusal_load_little(tmp_path):
    write(tmp_path, old="import tensorflow as tf\nprint(tf.pack([1]))\n")
    unwanted = ["numpy", "tensorflow", "asyncio", "socket", "tfqueue.commands.run"]
    unwanted += ["tfqueue.port.run.importer", "tfqueue.port.notebook.notebook", "tfqueue.port.py2"]
    code = (
        "import sys\n"
        "before = set(sys.modules)\n"  # coverage's, where it is measured
        "import tfqueue.cli\n"
        f"assert tfqueue.cli.main(['check', {str(tmp_path / 'old.py')!r}]) == 1\n"
        f"print(*{{*{unwanted!r}}} & (set(sys.modules) - before))\n"
        "assert tfqueue.cli.main(['draw', 'none.py']) == 2\n"
        "print(*{'numpy', 'tensorflow', 'asyncio'} & (set(sys.modules) - before))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-2:] == ["", ""]


def test_help_fits_80_columns(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    assert cli.main(["--help"]) == 0
    for words, _ in command_lines.nodes():
        assert cli.main([*words, "--help"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 80
    assert any("tfqueue run [-h]" in line for line in lines)


@pytest.mark.parametrize(
    ("argv", "line"),
    [
        (
            ["nothing"],
            "tfqueue: no command 'nothing'; there are run, check, port, draw, bench, recorder",
        ),
        (["recrods"], "tfqueue: no command 'recrods'; did you mean 'records'?"),
        (
            ["records", "hed"],
            "tfqueue records: argument COMMAND: invalid choice: 'hed', did you mean 'head'?",
        ),
        (
            ["run", "prgoram.py"],
            "tfqueue: prgoram.py: no such file or directory (did you mean 'program.py'?)",
        ),
        (
            ["records", "head", "prgoram.py"],
            "tfqueue records: prgoram.py: No such file or directory (did you mean 'program.py'?)",
        ),
        (["check"], "tfqueue check: the following arguments are required: PATH"),
        (["check", "absent.py"], "tfqueue: absent.py: no such file or directory"),
        (["run", "absent.py"], "tfqueue: absent.py: no such file or directory"),
        (["run", "."], "tfqueue: .: is a directory"),
        (["check", "--era", "2.3", "x.py"], "tfqueue: '2.3' is not a TensorFlow release before 2"),
        (
            ["port", "--diff", "--in-place", "x.py"],
            "tfqueue port: argument --in-place: not allowed",
        ),
    ],
)
def test_errors_are_one_line(argv, line, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "program.py").touch()
    assert cli.main(argv) == 2
    error = capsys.readouterr().err
    assert error.startswith(line)
    assert error.count("\n") == 1


BAD = {
    "unparsable": (b"def f(:\n", "unparsable.py:1: can't be parsed"),
    "encoding": (b"# coding: klingon\n", "encoding.py: unknown encoding: klingon"),
    "bytes": (b"x = 1\ny = '\xff'\n", "bytes.py:2: is not utf-8"),
    "nulls": (b"x = '\0'\n", "nulls.py: holds null bytes"),
}


@pytest.mark.parametrize("command", [["check"], ["port"]])
def test_bad_input_is_one_line_and_the_others_are_done(command, tmp_path, capsys):
    for name, (data, _) in BAD.items():
        (tmp_path / f"{name}.py").write_bytes(data)
    (tmp_path / "loop").symlink_to(tmp_path)
    (tmp_path / "broken.ipynb").write_text("{")
    (tmp_path / "gone.py").symlink_to(tmp_path / "nowhere.py")
    write(tmp_path, good="import tensorflow as tf\n")
    assert cli.main([*command, str(tmp_path)]) == 2
    out, error = capsys.readouterr()
    lines = sorted(error.splitlines())
    assert len(lines) == len(BAD) + 3
    for _, sentence in BAD.values():
        assert sum(sentence in line for line in lines) == 1
    assert sum("loop: a link that leads back to a folder above it" in line for line in lines) == 1
    assert sum("broken.ipynb: is no notebook" in line for line in lines) == 1
    assert sum("gone.py: no such file" in line for line in lines) == 1
    assert "good.py" in out


def test_check_codes_and_report(tmp_path, capsys):
    write(tmp_path, fine="import os\n")
    assert cli.main(["check", str(tmp_path / "fine.py")]) == 0
    write(tmp_path, old="import tensorflow as tf\nq = tf.train.string_input_producer(f)\n")
    assert cli.main(["check", str(tmp_path / "old.py")]) == 1
    write(tmp_path, gone="import tensorflow as tf\nx = tf.estimator.BoostedTreesClassifier(f)\n")
    capsys.readouterr()
    assert cli.main(["check", str(tmp_path)]) == 2
    out = capsys.readouterr().out
    assert "fine.py" not in out
    assert f"{tmp_path}/old.py:1:8: tf-imports import tensorflow" in out
    assert f"{tmp_path}/old.py: pipeline in <module>: string_input_producer (2)\n" in out
    assert "gone.py:2:5: tf-gone tf.estimator.BoostedTreesClassifier is gone" in out
    assert "(can't be helped)" in out
    assert out.splitlines()[-1] == (
        "3 files: 1 as it is, 1 with changes, 1 with what can't be helped"
    )


def test_check_json(tmp_path, capsys):
    write(tmp_path, old="import tensorflow as tf\nprint tf.concat(0, [a])\n")
    (tmp_path / "bad.py").write_bytes(b"x = \0 1\n")
    assert cli.main(["check", "--json", str(tmp_path)]) == 2
    files = json.loads(capsys.readouterr().out)["files"]
    assert [pathlib.Path(file["path"]).name for file in files] == ["bad.py", "old.py"]
    assert files[0]["error"].endswith("holds null bytes, so it is no source file")
    assert (files[1]["code"], files[1]["python2"]) == (1, True)
    assert files[1]["era"] == "TensorFlow up to 0.12: tf.concat(axis, values) (line 2)"
    [finding] = [f for f in files[1]["findings"] if f["rule"] == "tf-concat-split"]
    assert (finding["line"], finding["col"], finding["helpless"]) == (2, 7, False)


def test_check_of_many_files_in_several_processes(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(check, "_MANY", 3)
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: {0, 1}, raising=False)
    write(tmp_path, **{f"f{n}": "import tensorflow as tf\n" for n in range(12)})
    assert cli.main(["check", str(tmp_path)]) == 1
    out = capsys.readouterr().out.splitlines()
    assert out[-1].startswith("12 files: 0 as it is, 12 with changes")
    assert [line.split(":")[0][-6:] for line in out[:2]] == ["/f0.py", "/f0.py"]


def test_port_shows_a_diff_and_writes_nothing(tmp_path, capsys):
    old = tmp_path / "old.py"
    old.write_bytes(b"# caf\xe9, coding: latin-1\r\nimport tensorflow as tf  # why\r\nx  = 1\r\n")
    before = old.read_bytes()
    assert cli.main(["port", str(old)]) == 0
    out = capsys.readouterr().out
    assert "-import tensorflow as tf  # why\n+import tfqueue.v1 as tf  # why\n" in out
    assert old.read_bytes() == before
    assert cli.main(["port", "--in-place", str(old)]) == 0
    assert old.read_bytes() == before.replace(b"import tensorflow", b"import tfqueue.v1")
    assert cli.main(["port", str(old)]) == 0
    assert capsys.readouterr().out == ""


def test_port_names_the_modules_that_are_left(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tools").mkdir()
    reach = "import sys\nsys.path.append('../')\nimport tensorflow as tf\nimport net, plain\n"
    write(tmp_path / "tools", train=reach)
    write(tmp_path, net="import deeper\nprint 1\n", deeper="x = 7L\n", plain="y = 1\n")
    assert cli.main(["port", "tools/train.py"]) == 0
    assert capsys.readouterr().err == ""
    assert cli.main(["port", "--in-place", "tools/train.py"]) == 0
    said = [f"tfqueue: {name}.py is imported and was not ported" for name in ("net", "deeper")]
    assert capsys.readouterr().err.splitlines() == said
    assert cli.main(["port", "--in-place", "tools/train.py", "net.py", "deeper.py"]) == 0
    assert capsys.readouterr().err == ""


def test_port_of_a_folder_keeps_its_shape(tmp_path):
    (tmp_path / "in" / "deep").mkdir(parents=True)
    write(tmp_path / "in" / "deep", old="import tensorflow as tf\n")
    assert cli.main(["port", "--output", str(tmp_path / "out"), str(tmp_path / "in")]) == 0
    assert (tmp_path / "out" / "deep" / "old.py").read_text() == "import tfqueue.v1 as tf\n"
    assert (tmp_path / "in" / "deep" / "old.py").read_text() == "import tensorflow as tf\n"


def test_the_era_is_told_or_set(tmp_path, capsys):
    write(tmp_path, old="import tensorflow as tf\nx = tf.concat(a, b)\n")
    path = str(tmp_path / "old.py")
    cli.main(["check", path])
    assert "nothing tells whether the axis comes first" in capsys.readouterr().out
    cli.main(["check", "--era", "0.12", path])
    out = capsys.readouterr().out
    assert "tf.concat took the axis first until TensorFlow 1.0" in out
    assert "written for Python 3 (a guess); TensorFlow 0.12: set by --era" in out


def test_the_era_of_a_module_beside_helps(tmp_path, capsys):
    write(
        tmp_path,
        old="import tensorflow as tf\nimport model\nx = tf.concat(a, b)\n",
        model="import tensorflow as tf\ny = tf.pack([1])\n",
    )
    cli.main(["check", str(tmp_path / "old.py")])
    assert "TensorFlow up to 0.12: tf.pack in model.py (line 2)" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([("tf.stack", 1, (0, 12), (1, 15))], ((0, 12), (1, 15))),
        ([("tf.pack", 1, (0, 5), (0, 12)), ("tf.stack", 2, (0, 12), (1, 15))], ((0, 12), (0, 12))),
        # a program that was ported by half: more names are new than old
        (
            [("tf.pack", 1, (0, 5), (0, 12))] + [(f"n{i}", i, (1, 4), (1, 15)) for i in range(2)],
            ((1, 4), (1, 15)),
        ),
    ],
)
def test_the_era_is_where_the_names_agree(rows, expected):
    told = era.narrowed(rows)
    assert (told.low, told.high) == expected


@pytest.mark.parametrize(
    ("call", "old"),
    [
        ("tf.SparseTensor(indices=i, values=v, shape=s)", True),
        ("tf.SparseTensor(indices=i, values=v, dense_shape=s)", False),
        ("tf.SparseTensorValue(i, v, shape=[2, 2])", True),
        ("tf.concat(concat_dim=0, values=x)", True),
        ("tf.split(split_dim=1, num_split=2, value=x)", True),
        ("tf.split(value=x, num_or_size_splits=2)", False),
        ("tf.reverse(x, dims=[True])", True),
    ],
)
def test_a_keyword_tells_the_era(call, old, tmp_path):
    path = str(tmp_path / "old.py")
    told = of_parsed(parse(f"import tensorflow as tf\ny = {call}\n", path)).era
    assert (told.old, told.new) == (old, not old)


def as_python(tmp_path, text, *args, **modules):
    """What `python old.py args` and `tfqueue run old.py args` do with Python 3 of no TensorFlow."""
    write(tmp_path, old=text, **modules)
    results = []
    for command in ([sys.executable], [sys.executable, "-m", "tfqueue", "run"]):
        done = subprocess.run(
            [*command, "old.py", *args],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
        )
        results.append((done.returncode, done.stdout, done.stderr))
    return results


def test_run_is_as_python(tmp_path):
    text = """\
import atexit, os, sys, threading, time
import beside
print(sys.argv, __name__, __file__, sys.path[0], os.getcwd(), __doc__, beside.__file__)
print(sys.modules['__main__'].beside is beside, sorted(n for n in vars() if n[:2] == '__'))
atexit.register(print, 'atexit')
started = threading.Event()
class T(threading.Thread):
    def run(self):
        started.wait()
        import late
        print(late.x)
T().start()
try:
    beside.fail()
except ZeroDivisionError as error:
    kept = error
started.set()
raise SystemExit(3) if len(sys.argv) > 5 else RuntimeError('no') from kept
"""
    beside = "def fail():\n    return (1 +\n            2) / 0\n"
    python, ours = as_python(tmp_path, text, "--era", "-o", beside=beside, late="x = 'late'\n")
    assert ours == python
    assert python[0] == 1
    assert "return (1 +" in ours[2]
    python, ours = as_python(tmp_path, text, *"abcde", beside=beside, late="x = 'late'\n")
    assert ours == python
    assert python[0] == 3


def test_ctrl_c_ends_it_as_python(tmp_path):
    write(tmp_path, old="import sys\nprint('here', flush=True)\nsys.stdin.read()\n")
    results = []
    for command in ([sys.executable], [sys.executable, "-m", "tfqueue", "run"]):
        program = subprocess.Popen(
            [*command, "old.py"],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert program.stdout.readline() == "here\n"
        program.send_signal(signal.SIGINT)
        _, error = program.communicate()
        results.append((program.returncode, error.splitlines()[-1]))
        assert "tfqueue" not in error
    assert results == [(-signal.SIGINT, "KeyboardInterrupt")] * 2


def test_a_traceback_shows_the_users_lines(tmp_path, capsys):
    write(
        tmp_path,
        old="import helper\nx = reduce(max, [1])\nhelper.go(3)\n",
        helper="def go(n):\n    for i in xrange(n):\n        print i,\n"
        "    raise ValueError, 'bug'\n",
    )
    assert cli.main(["run", str(tmp_path / "old.py")]) == 1
    out, error = capsys.readouterr()
    assert out == "0 1 2\n"
    lines = error.splitlines(keepends=True)
    # from 3.13 on, Python marks the call in a line that is nothing but a call
    assert "".join(line for line in lines if line.strip(" ~^\n")) == (
        "Traceback (most recent call last):\n"
        f'  File "{tmp_path}/old.py", line 3, in <module>\n'
        "    helper.go(3)\n"
        f'  File "{tmp_path}/helper.py", line 4, in go\n'
        "    raise ValueError, 'bug'\n"
        "ValueError: bug\n"
    )
    assert "helper" not in sys.modules
    assert not list(tmp_path.rglob("__pycache__")), "nothing of ours is cached on disk"


def test_libraries_are_not_rewritten(tmp_path, capsys):
    library = tmp_path / "site-packages"
    (tmp_path / "package").mkdir()
    library.mkdir()
    text = "import time\ndef clock():\n    return hasattr(time, 'clock')\nNAME = __file__\n"
    write(library, lib=text)
    write(tmp_path / "package", __init__="", inner="x = map(str, [1])[0], 3 / 2\ny = xrange\n")
    write(
        tmp_path,
        old="import sys\nsys.path.insert(0, sys.argv[1])\nimport lib\n"
        "from package import inner\nprint inner.x, type(lib.__loader__).__name__, "
        "type(inner.__loader__).__module__\n",
    )
    assert cli.main(["run", str(tmp_path / "old.py"), str(library)]) == 0
    assert capsys.readouterr().out == "('1', 1) SourceFileLoader tfqueue.port.run.importer\n"
    sys.modules.pop("lib")


def test_modules_above_the_program_are_its_own_where_it_finds_them(tmp_path, capsys):
    (tmp_path / "bin").mkdir()
    write(tmp_path, shared="x = [1, 2][xrange(1)[0]]\n")
    write(
        tmp_path / "bin",
        old="import os, sys\nsys.path.append(os.path.dirname(sys.path[0]))\n"
        "import shared\nprint shared.x\n",
    )
    program = str(tmp_path / "bin" / "old.py")
    assert cli.main(["run", program]) == 0
    assert capsys.readouterr().out == "1\n"
    assert cli.main(["run", "--root", str(tmp_path / "bin"), program]) == 1
    assert "name 'xrange' is not defined" in capsys.readouterr().err
    sys.modules.pop("shared", None)


def test_a_module_that_cannot_be_parsed_is_a_syntax_error_at_its_line(tmp_path, capsys):
    write(tmp_path, old="import bad\n", bad="x = 1\ndef f(:\n")
    assert cli.main(["run", str(tmp_path / "old.py")]) == 1
    error = capsys.readouterr().err
    assert f'File "{tmp_path}/bad.py", line 2\n' in error
    assert "SyntaxError: can't be parsed, neither as Python 3 nor as Python 2" in error


@pytest.mark.filterwarnings("ignore::ResourceWarning")  # as such programs are
def test_a_download_that_cannot_be_made_says_what_to_put_where(tmp_path, capsys, monkeypatch):
    program = """
        import os, urllib
        if not os.path.exists("data.bin"):
            urllib.urlretrieve("http://127.0.0.1:9/data.bin", "data.bin")
        with open("data.bin") as file:
            print file.read()
    """
    write(tmp_path, old=textwrap.dedent(program))
    monkeypatch.chdir(tmp_path)
    assert cli.main(["run", "old.py"]) == 1
    said = capsys.readouterr().err.splitlines()[-1]
    assert said.startswith(
        "tfqueue: the program downloads http://127.0.0.1:9/data.bin, which can't"
    )
    assert said.endswith(f"put it at {tmp_path}/data.bin")
    (tmp_path / "data.bin").write_text("here")
    assert cli.main(["run", "old.py"]) == 0
    assert capsys.readouterr().out == "here\n"


@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_a_downloaded_archive_is_to_be_unpacked_too(tmp_path, capsys, monkeypatch):
    program = "import urllib.request as r\nr.urlretrieve('file:///nosuch/a.tgz', 'a.tgz')\n"
    write(tmp_path, old=program)
    monkeypatch.chdir(tmp_path)
    assert cli.main(["run", "old.py"]) == 1
    said = capsys.readouterr().err.splitlines()[-1]
    assert said.endswith(f"put it at {tmp_path}/a.tgz, and unpack it there")


def test_all_is_undone_even_after_a_failure(tmp_path):
    before = list(sys.meta_path), sys.modules["__main__"], list(sys.path)
    main = types.ModuleType("__main__")
    program = str(write(tmp_path, old="") / "old.py")
    with (
        pytest.raises(RuntimeError),
        importer.running(importer.Options(root="/"), program, [], main),
    ):
        assert sys.modules["__main__"] is main
        raise RuntimeError
    assert (list(sys.meta_path), sys.modules["__main__"], list(sys.path)) == before


def test_the_folders_of_libraries_are_asked_for_before_the_finder_is_used(tmp_path, monkeypatch):
    """`sysconfig` may import a module to answer: this must not be found by asking it again."""
    asked, get_paths = [], sysconfig.get_paths

    def recording(*scheme):
        if not scheme:  # coverage asks for each
            asked.append([one for one in sys.meta_path if isinstance(one, importer.Finder)])
        return get_paths(*scheme)

    monkeypatch.setattr(sysconfig, "get_paths", recording)
    folders.library_folders.cache_clear()
    path = str(write(tmp_path, old="", beside="") / "old.py")
    with importer.running(importer.Options(), path, [], types.ModuleType("__main__")):
        importlib.import_module("beside")
    assert asked == [[]]


def test_a_file_is_replaced_whole(tmp_path, monkeypatch):
    path = tmp_path / "x.py"
    path.write_text("old\n")
    path.chmod(0o755)
    held = files.read(str(path))
    with pytest.raises(UnicodeEncodeError):
        files.write(files.Source(str(path), "", encoding="ascii"), "é\n")
    assert [file.name for file in tmp_path.iterdir()] == ["x.py"]
    assert path.read_text() == "old\n"
    files.write(held, "new\n")
    assert (path.read_text(), path.stat().st_mode & 0o777) == ("new\n", 0o755)


@pytest.mark.parametrize(
    ("argv", "shown"), [(["check"], "checking"), (["port", "-o", "n"], "porting")]
)
def test_a_progress_bar_on_a_terminal_only(argv, shown, tmp_path, monkeypatch):
    write(tmp_path / "old", a="import tensorflow as tf\n", b="import tensorflow as tf\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(progress, "Timer", command_lines.Immediately)
    for stream, expected in ((command_lines.Terminal(), True), (io.StringIO(), False)):
        monkeypatch.setattr(sys, "stderr", stream)
        cli.main([*argv, "old"])
        assert (shown in stream.getvalue()) == expected
