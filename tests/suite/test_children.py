"""A forked child behaves as an interpreter that was started for the program."""

import contextlib
import os
import pathlib
import select
import shutil
import signal
import subprocess
import sys

import pytest

from tests.suite import children

pytestmark = pytest.mark.xdist_group("children")

LOOKS = """
import os, random, signal, sys, threading
print(sys.argv, sys.orig_argv[1:], sys.path[:3], os.getcwd(), __name__, sorted(globals()))
print(sys.stdin.read(), sys.stdout.encoding, sys.warnoptions, os.environ.get("GIVEN"))
print([s for s in signal.Signals if signal.getsignal(s) != signal.SIG_DFL])
print(len(os.listdir("/proc/self/fd")), threading.active_count())
print([name for name in sys.modules if name.partition(".")[0] in ("tests", "tfqueue", "pytest")])
"""
ENDS = """
import atexit, sys, threading
atexit.register(print, "at exit")
ended = threading.Event()
threading.Thread(target=lambda: (ended.wait(), print("the thread"))).start()
def ends():
    ended.set()
    {}
ends()
"""
PROGRAMS = {
    "looks": LOOKS,
    "raises": ENDS.format("1 / 0"),
    "has a hook": "import sys; sys.excepthook = lambda *e: print('hook', e[1])\n1 / 0",
    "exits": ENDS.format("sys.exit(3)"),
    "says why it exits": ENDS.format("sys.exit('words')"),
    "is no program": "x =",
    "is interrupted": "import signal\nsignal.raise_signal(signal.SIGINT)",
    "is killed": "import os\nprint('lost')\nos.kill(os.getpid(), 9)",
    "warns": "import warnings\nfor w in 'heard', 'unheard': warnings.warn(w)\nassert (0, 'x')",
    "forks": "import os\nif not os.fork():\n    os._exit(0)\nprint(os.wait()[1])",
}


@pytest.fixture
def both(tmp_path):
    """What a child and an interpreter of its own do with the same arguments."""

    def run(*arguments):
        env = {**os.environ, "PYTHONPATH": "beside", "GIVEN": "1"}
        env["PYTHONWARNINGS"] = "default,ignore:unheard:UserWarning"
        ours = children.run(arguments, env=env, cwd=tmp_path)
        quiet = {"stdin": subprocess.DEVNULL, "capture_output": True, "text": True}
        theirs = subprocess.run([sys.executable, *arguments], env=env, cwd=tmp_path, **quiet)
        return [(done.returncode, done.stdout, done.stderr) for done in (ours, theirs)]

    return run


@pytest.mark.parametrize("name", PROGRAMS)
def test_it_is_as_an_interpreter(name, both, tmp_path):
    ours, theirs = both("-c", PROGRAMS[name], "an argument", "-c")
    assert ours == theirs
    (tmp_path / "program.py").write_text(PROGRAMS[name])
    ours, theirs = both("program.py", "-m")
    assert ours == theirs


def test_a_module_is_run(both, tmp_path):
    (tmp_path / "beside").mkdir()
    (tmp_path / "beside" / "module.py").write_text(LOOKS)
    ours, theirs = both("-m", "module", "an argument")
    assert ours == theirs


def test_tensorflow_is_there_and_unused():
    program = """
import sys
before = "tensorflow" in sys.modules
import tensorflow
from tensorflow.python.eager import context
print(before, context.context_safe() is None or not context.context()._initialized)
print(tensorflow.constant(2).numpy() + 1)
"""
    done = children.run(["-c", program])
    assert done.stdout == "True True\n3\n", done.stderr


@pytest.fixture
def small_server(tmp_path, monkeypatch):
    """A server of its own, which takes a file for TensorFlow."""
    package = tmp_path / "tensorflow" / "compat"
    package.mkdir(parents=True)
    (package.parent / "__init__.py").touch()
    (package / "__init__.py").touch()
    (package / "v1.py").write_text("import numpy.random\n")
    copy = shutil.copy(children._SERVER, tmp_path)
    monkeypatch.setattr(children, "_SERVER", pathlib.Path(copy))
    monkeypatch.setattr(children, "_servers", {})
    yield
    children._end_all()


def test_one_that_is_not_waited_for_any_more_is_killed(small_server, tmp_path, monkeypatch):
    """As by Ctrl-C, or by a limit of time."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)

    class Interrupted(Exception):
        pass

    def send_fds(*args):
        original(*args)
        with open(pipe) as begun:
            pids.append(int(begun.readline()))
        raise Interrupted

    pids, original = [], children.socket.send_fds
    program = f"import os\nprint(os.getpid(), file=open({str(pipe)!r}, 'w'), flush=True)\n"
    program += "import signal\nwhile True:\n    signal.pause()"
    with monkeypatch.context() as patch, pytest.raises(Interrupted):
        patch.setattr(children.socket, "send_fds", send_fds)
        children.run(["-c", program])
    with pytest.raises(ProcessLookupError):
        os.kill(pids[0], 0)
    assert children.run(["-c", "print(1)"]).stdout == "1\n"


WAITS = """
import os, signal
print(os.getpid() == os.getpgid(0), flush=True)
while True:
    signal.pause()
"""


@pytest.fixture
def begun(small_server):
    """Starts a program that waits for a signal, and has begun to."""
    with contextlib.ExitStack() as stack:

        def start():
            reader, writer = os.pipe()
            files = (subprocess.DEVNULL, writer, writer)
            child = stack.enter_context(children.started(["-c", WAITS], files=files))
            os.close(writer)
            with open(reader) as said:
                assert said.readline() == "True\n"
            return child

        start.end_all = stack.close
        yield start


def test_one_that_is_started_hears_signals_while_another_runs(begun):
    first, second = begun(), begun()
    first.send_signal(signal.SIGINT)
    assert first.wait(60) == first.poll() == -signal.SIGINT
    assert second.poll() is None
    with pytest.raises(subprocess.TimeoutExpired):
        second.wait(0)
    second.terminate()
    assert second.wait(60) == -signal.SIGTERM
    assert children.run(["-c", "print(1)"]).stdout == "1\n"


def test_one_that_is_started_ends_with_its_block(begun):
    child = begun()
    ended = os.pidfd_open(child.pid)
    begun.end_all()
    assert select.select([ended], [], [], 60)[0]
    os.close(ended)


def test_a_server_that_has_been_killed_is_started_anew(small_server):
    """`processes.py` kills what a test has started that fails."""
    for _ in range(2):
        assert children.run(["-c", "print(1)"]).stdout == "1\n"
        [(server, _)] = children._servers.values()
        server.kill()
        server.wait()
