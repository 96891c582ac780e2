"""The notebooks for class: run from start to end in a kernel of their own, as a class would.

What they print, warn of and fail with must be what is kept in them; their pictures must say what
the kept ones say. `%load_ext tfqueue`, which they use, is tested here too.
"""

import os
import pathlib
import re
import subprocess
import sys
import types
import xml.etree.ElementTree as ET

import pytest

import tfqueue
import tfqueue.v1 as tf
from tests.suite import children

nbformat = pytest.importorskip("nbformat")
pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")

FOLDER = pathlib.Path(__file__).parents[2] / "examples" / "notebooks"
NOTEBOOKS = sorted(path.name for path in FOLDER.glob("*.ipynb"))
DOCUMENTS = ["000", "001", "002", "003", "004"]
TENSORFLOW = tuple(map(int, tf.__version__.split(".")[:2]))
# How the accelerator runs a runner is measured, and may differ from run to run.
WAYS = re.compile(r"(can be )?(vectorised|in parallel)|one at a time")


EXECUTE = f"""
import io, os, runpy, socket, sys
from jupyter_client import launcher
from tests.suite import children

def start(command, *, env, cwd, **_):
    with open(os.devnull) as nothing:
        child = children.Child(server, command[1:], env=env, cwd=cwd, files=(nothing, 1, 2))
    child.stdin, child.stdout, child.stderr = io.StringIO(), None, None
    return child

server = socket.socket(fileno=int(sys.argv.pop(1)))
launcher.Popen = start
sys.argv[0] = {str(FOLDER / "execute.py")!r}
runpy.run_path(sys.argv[0], run_name="__main__")
"""
"""Runs `execute.py`; its kernel is one of `children.py`'s programs."""


@pytest.fixture(scope="module")
def again(tmp_path_factory):
    """Runs a notebook in a fresh kernel; gives it with its new outputs."""
    folder = tmp_path_factory.mktemp("notebooks")
    startup = folder / "ipython" / "profile_default" / "startup"
    startup.mkdir(parents=True)
    (startup / "00.py").write_text("from tests.suite import patience\npatience.apply()\n")
    # Neither the user's IPython profile nor his running kernels have to do with it.
    env = {
        **os.environ,
        "IPYTHONDIR": str(folder / "ipython"),
        "JUPYTER_RUNTIME_DIR": str(folder / "runtime"),
        "PYTHONPATH": os.pathsep.join(
            filter(None, [str(FOLDER.parent.parent), os.environ.get("PYTHONPATH")])
        ),
    }

    def run(name):
        with children.another_server(env) as server:
            done = subprocess.run(
                [sys.executable, "-c", EXECUTE, str(server.fileno()), name, "--into", str(folder)],
                env=env,
                pass_fds=[server.fileno()],
                capture_output=True,
                text=True,
                check=False,
            )
        assert done.returncode == 0, done.stderr[-2000:]
        return nbformat.read(folder / name, as_version=4)

    return run


def without_reasons(lines):
    """Lines as TensorFlow 2.16 has them: without why a record cannot be parsed."""
    text = re.sub(r"(Can't parse serialized Example): [^:.]+\.", r"\1.", "\n".join(lines))
    return text.split("\n") if lines else []


def without_those_of_reasons(*all_pictures):
    """The pictures that show no record that cannot be parsed: the reason decides where its lines break."""
    return [[p for p in some if "serialized Example" not in " ".join(p)] for some in all_pictures]


def told(cell):
    """What a cell printed, what it warned of, the lines of its error, the words of its pictures."""
    streams = {o.name: o.text for o in cell.outputs if o.output_type == "stream"}
    errors = [
        re.sub(r"\d+ library frames", "N library frames", line)
        for o in cell.outputs
        if o.output_type == "error"
        for line in o.traceback
    ]
    pictures = []
    for output in cell.outputs:
        svg = output.get("data", {}).get("image/svg+xml")
        if svg:
            texts = ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")
            pictures.append([WAYS.sub("way", "".join(text.itertext())) for text in texts])
    kinds = sorted({kind for o in cell.outputs for kind in o.get("data", {})})
    if "numbers-vary" in cell.metadata.get("tags", []):
        # As many numbers; threads decide which.
        streams["stdout"] = re.sub(r"\d+(\.\d+)?", "N", streams["stdout"])
    return streams.get("stdout", ""), streams.get("stderr", ""), errors, pictures, kinds


def test_there_is_one_for_each_document():
    assert [name[:3] for name in NOTEBOOKS] == DOCUMENTS


@pytest.mark.xdist_group("children")
@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_notebook_does_what_it_shows(name, again):
    kept = nbformat.read(FOLDER / name, as_version=4)
    new = again(name)
    mistakes = 0
    for before, after in zip(kept.cells, new.cells, strict=True):
        if before.cell_type != "code":
            continue
        out, err, errors, pictures, kinds = told(before)
        new_out, new_err, new_errors, new_pictures, new_kinds = told(after)
        if TENSORFLOW < (2, 21):  # 2.16.1 gives none, 2.21 does
            errors, new_errors = without_reasons(errors), without_reasons(new_errors)
            pictures, new_pictures = without_those_of_reasons(pictures, new_pictures)
        assert (new_out, new_err) == (out, err), before.source
        assert new_errors[:1] == errors[:1], before.source
        if sys.version_info >= (3, 11):  # before, only tfqueue's own errors show their notes
            assert new_errors == errors, before.source
        assert new_pictures == pictures, before.source
        assert new_kinds == kinds, before.source
        wanted = "raises-exception" in before.metadata.get("tags", [])
        assert bool(errors) == wanted, before.source
        mistakes += wanted
    assert mistakes >= 2
    assert any(told(cell)[3] for cell in kept.cells if cell.cell_type == "code")


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_what_is_kept_is_the_same_on_every_machine(name):
    text = (FOLDER / name).read_text("utf-8")
    assert not re.search(r"0x[0-9a-f]{8}|ipykernel_\d|/home/|/root/|/tmp/|site-packages", text)
    assert '"iopub.' not in text
    assert "image/jpeg" not in text
    assert len(text) < 150_000


# -- %load_ext tfqueue ----------------------------------------------------------------------------


class Shell:
    """What of IPython the extension uses."""

    def __init__(self):
        self.shown = []

    def set_custom_exc(self, kinds, handler):
        self.kinds, self.handler = kinds, handler

    def showtraceback(self, about, **_):
        error = about[1]
        self.shown.append(getattr(error, "_render_traceback_", lambda: None)())

    def run(self, function):
        try:
            function()
        except self.kinds as error:
            self.handler(self, type(error), error, error.__traceback__)


@pytest.fixture
def shell(monkeypatch):
    pictures = []
    shell = Shell()
    shell.pictures = pictures
    display = types.ModuleType("IPython.display")
    display.display = pictures.append
    monkeypatch.setitem(sys.modules, "IPython.display", display)
    tfqueue.load_ipython_extension(shell)
    return shell


def test_a_failure_is_short_and_has_its_picture(shell):
    names = tf.train.string_input_producer(["no_such_file"], shuffle=False)
    batch = tf.train.batch([tf.TextLineReader().read(names)[1]], 2)

    def train():
        with tfqueue.managed_session() as sess:
            sess.run(batch)

    shell.run(train)
    [lines] = shell.shown
    assert lines[0] == "NotFoundError: no_such_file; No such file or directory"
    assert lines[1].startswith("  there is no file 'no_such_file'")
    assert lines[-1].endswith("TFQUEUE_TRACEBACK=full shows them)")
    assert len(lines) <= 15
    [picture] = shell.pictures
    assert "tfq-badge tfq-failed" in picture._repr_svg_()


def test_a_failure_that_is_not_the_pipelines_has_no_picture(shell):
    wrong = tf.reshape(tf.placeholder(tf.float32, [None]), [2, 2])
    with tf.Session() as sess:
        shell.run(lambda: sess.run(wrong, {wrong.op.inputs[0]: [1.0, 2.0, 3.0]}))
    assert shell.shown[0][0].startswith("InvalidArgumentError: Input to reshape is a tensor with 3")
    assert shell.pictures == []


def test_a_user_s_own_error_is_ipython_s_to_show(shell):
    shell.run(lambda: {}["key"])
    assert shell.shown == [None]


def test_it_can_be_unloaded(shell):
    tfqueue.unload_ipython_extension(shell)
    assert shell.kinds == ()
