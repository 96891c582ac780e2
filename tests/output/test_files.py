"""tfqueue.output.files: files that are written whole, and streams."""

import os
import pathlib
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import types

import pytest

from tfqueue.output import files
from tfqueue.output.files import WholeFile, is_stream, write_whole

ROOT = pathlib.Path(__file__).parents[2]


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def mode(path):
    return stat.S_IMODE(os.stat(path).st_mode)


@pytest.fixture
def shared_memory():
    """A folder on `/dev/shm`, below a path that begins as devices' do."""
    if not os.path.isdir("/dev/shm"):
        pytest.skip("there is no /dev/shm here")
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        yield folder


def test_a_file_on_shared_memory_is_a_file(shared_memory):
    path = os.path.join(shared_memory, "a")
    for data in (b"long content", b"short"):
        write_whole(path, data)
        assert not is_stream(path)
    assert pathlib.Path(path).read_bytes() == b"short"
    os.symlink(path, os.path.join(shared_memory, "link"))
    assert not is_stream(os.path.join(shared_memory, "link"))


def test_what_is_a_stream_its_type_tells(place):
    os.mkfifo("pipe")
    os.symlink("pipe", "link")
    with socket.socket(socket.AF_UNIX) as held:
        held.bind("socket")
    pathlib.Path("fd").mkdir()
    pathlib.Path("fd/1").touch()  # named as an open file is, and none
    with open("file", "w") as file:
        os.symlink(f"/proc/self/fd/{file.fileno()}", "opened")
        streams = {
            name: is_stream(name)
            for name in ("pipe", "link", "socket", "opened", "/dev/null", "file", "fd/1", "fd", "0")
        }
    found = {name for name, is_it in streams.items() if is_it}
    assert found == {"pipe", "link", "socket", "opened", "/dev/null"}
    assert not is_stream("opened")  # nothing has this number now


def test_an_open_file_goes_on_where_it_is(place):
    with open("file", "w+b", buffering=0) as file:
        file.write(b"one two")
        file.seek(4)
        write_whole(f"/dev/fd/{file.fileno()}", b"TWO")
        file.write(b"!")
    assert pathlib.Path("file").read_bytes() == b"one TWO!"


@pytest.mark.parametrize("mask", [0o022, 0o077])
def test_a_new_file_has_the_mode_of_the_umask_and_another_that_of_the_old(mask, place):
    before = os.umask(mask)
    try:
        write_whole("new", b"")
        assert mode("new") == 0o666 & ~mask
        for bits in (0o600, 0o755, 0o660):
            os.chmod("new", bits)
            write_whole("new", b"x")
            assert mode("new") == bits
    finally:
        os.umask(before)


def test_nobody_else_can_open_what_replaces_a_private_file(place, monkeypatch):
    pathlib.Path("a").touch(mode=0o600)
    seen = []
    monkeypatch.setattr(WholeFile, "_take_over", lambda self, before: seen.append(self._draft))
    with WholeFile("a"):
        assert mode(seen[0]) == 0o600


@pytest.mark.skipif(sys.platform == "win32", reason="files have no such owner there")
@pytest.mark.parametrize("other", [("st_uid",), ("st_gid",), ("st_uid", "st_gid"), ()])
@pytest.mark.parametrize("refused", [False, True])
def test_a_new_file_has_the_owner_of_the_old_as_far_as_that_is_allowed(
    place, monkeypatch, other, refused
):
    path = place / "file"
    path.write_bytes(b"old")
    path.chmod(0o640)
    found = os.stat(path)
    owner = {name: getattr(found, name) + (name in other) for name in ("st_uid", "st_gid")}
    given = []

    def chown(draft, *owner):
        given.append((os.path.dirname(draft), *owner))
        if refused:
            raise PermissionError

    monkeypatch.setattr(files.os, "chown", chown)
    whole = WholeFile(path)
    whole._draft = str(place / "draft")
    (place / "draft").write_bytes(b"new")
    whole._take_over(types.SimpleNamespace(st_mode=found.st_mode, **owner))
    assert given == ([(str(place), *owner.values())] if other else [])
    assert stat.S_IMODE(os.stat(place / "draft").st_mode) == 0o640


def test_a_file_that_may_not_be_written_is_not_replaced(place, monkeypatch):
    pathlib.Path("a").write_bytes(b"old")
    monkeypatch.setattr(os, "access", lambda path, how: False)
    with pytest.raises(PermissionError):
        write_whole("a", b"new")
    assert pathlib.Path("a").read_bytes() == b"old"


@pytest.mark.parametrize("length", [244, 250, 255])
def test_a_name_as_long_as_may_be(length, place):
    write_whole("n" * length, b"x")
    assert os.listdir() == ["n" * length]
    with pytest.raises(OSError, match="too long") as caught:
        write_whole("n" * 256, b"x")
    assert caught.value.filename == "n" * 256


def test_links(place):
    os.symlink("absent", "link")
    write_whole("link", b"x")
    assert os.path.islink("link")
    assert pathlib.Path("absent").read_bytes() == b"x"
    os.symlink("round", "round")
    with pytest.raises(OSError, match="symbolic links"):
        write_whole("round", b"x")
    assert os.path.islink("round")


@pytest.mark.parametrize("name", ["", "folder", "absent/", "absent/a", "file/a"])
def test_what_cannot_be_a_file_is_an_error_that_names_it(name, place):
    os.mkdir("folder")
    pathlib.Path("file").touch()
    for write in (write_whole, lambda path, data: files.require_writable(path)):
        with pytest.raises(OSError) as caught:
            write(name, b"x")
        assert caught.value.filename == name
    assert sorted(os.listdir()) == ["file", "folder"]


def test_whether_a_file_can_be_written_is_asked_without_writing(place):
    files.require_writable("a")
    assert os.listdir() == []
    pathlib.Path("a").write_bytes(b"old")
    files.require_writable("a")
    assert pathlib.Path("a").read_bytes() == b"old"


def test_a_full_disk_keeps_the_old_file_and_names_it(place):
    resource = pytest.importorskip("resource")
    pathlib.Path("a").write_bytes(b"old")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2000, limits[1]))
    try:
        for size in (3000, 3_000_000):
            with pytest.raises(OSError, match="too large") as caught:
                write_whole("a", bytes(size))
            assert caught.value.filename == "a"
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert (os.listdir(), pathlib.Path("a").read_bytes()) == (["a"], b"old")


# What the interrupted call has opened, nobody has.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_an_interrupt_at_any_call_leaves_nothing(place, monkeypatch):
    """Ctrl-C just behind each call of the operating system that a file needs."""
    pathlib.Path("a").write_bytes(b"old")

    def interrupted(call):
        def run(*args, **kwargs):
            call(*args, **kwargs)
            raise KeyboardInterrupt

        return run

    for name in ("open", "fdopen", "stat", "chmod", "replace"):
        with monkeypatch.context() as patch:
            patch.setattr(os, name, interrupted(getattr(os, name)))
            with pytest.raises(KeyboardInterrupt):
                write_whole("a", b"new")
        assert os.listdir() == ["a"], name


WAITS = """
import os, sys
from tfqueue.output.files import WholeFile, ended_in_order
with ended_in_order(), WholeFile("a") as file:
    file.write(b"half")
    print(len(os.listdir()), flush=True)
    sys.stdin.read()
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
@pytest.mark.parametrize("ignored", [False, True], ids=["", "ignored"])
def test_a_signal_leaves_nothing_behind(number, ignored, place):
    def start():
        signal.signal(number, signal.SIG_IGN if ignored else signal.SIG_DFL)

    child = subprocess.Popen(
        [sys.executable, "-c", WAITS],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        preexec_fn=start,
    )
    assert child.stdout.readline() == b"1\n"
    child.send_signal(number)
    child.communicate()
    assert os.listdir() == (["a"] if ignored else [])
    assert child.returncode == (0 if ignored else -number)


def test_signals_are_as_before_and_those_of_the_program_stay(place):
    def handler(*_):
        pass

    before = signal.signal(signal.SIGHUP, handler)
    try:
        with files.ended_in_order():
            assert signal.getsignal(signal.SIGHUP) is handler
            assert signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL
        assert signal.getsignal(signal.SIGHUP) is handler
        assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    finally:
        signal.signal(signal.SIGHUP, before)
