"""Python programs of the tests that import TensorFlow, without the four seconds that takes.

Each runs in a process of its own, forked from one that has imported TensorFlow and done nothing with
it: no thread and no device of TensorFlow's exists, and nothing of tfqueue is imported. Not for a
test of what happens as TensorFlow is imported, of an interpreter's options, or of a fork.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import pathlib
import select
import signal
import socket
import subprocess
import sys
import tempfile

_SERVER = pathlib.Path(__file__).with_name("fork_server.py")
_READ_ONCE = ("PYTHON", "TF_", "OMP_", "OPENBLAS_", "KERAS_", "CUDA_")
"""What variables begin with that an interpreter or TensorFlow reads as it starts."""
_READ_LATER = ("PYTHONPATH", "PYTHONWARNINGS")
"""But these the child obeys."""
_NOT_A_USERS = ("TF_CPP_MIN_LOG_LEVEL", "TF_ENABLE_ONEDNN_OPTS")
_servers: dict[tuple, tuple] = {}
"""By the values of those, a server's process and the socket to it."""


def run(arguments, *, env=None, cwd=None, given="") -> subprocess.CompletedProcess:
    """Runs Python as `subprocess.run([sys.executable, *arguments])` does.

    Args:
      arguments: Such as `["-c", code]`, `["-m", "tfqueue", "run", "old.py"]`, `["program.py"]`.
      env: The environment; this process's when None. What only the suite sets for TensorFlow is
        not handed on.
      cwd: The folder to start in; this process's when None.
      given: The text on stdin.

    Returns:
      The exit status, negative for a signal, and the text of stdout and of stderr.
    """
    arguments, env, cwd = _order(arguments, env, cwd)
    with contextlib.ExitStack() as stack:
        files = [stack.enter_context(tempfile.TemporaryFile()) for _ in range(3)]
        files[0].write(given.encode())
        files[0].seek(0)
        if hasattr(os, "pidfd_open"):
            status = _forked(arguments, env, cwd, files)
        else:  # not Linux
            command = [sys.executable, *arguments]
            plain = dict(zip(("stdin", "stdout", "stderr"), files, strict=True))
            status = subprocess.run(command, env=env, cwd=cwd, check=False, **plain).returncode
        for file in files[1:]:
            file.seek(0)
        said = [file.read().decode() for file in files[1:]]
    return subprocess.CompletedProcess([sys.executable, *arguments], status, *said)


class Child:
    """A program that has been started: what `subprocess.Popen` has of its process.

    Args:
      server: A socket to a server that serves no one else, such as `another_server` gives.
      arguments: As for `run`.
      env: Its environment.
      cwd: The folder to start in.
      files: Its stdin, stdout and stderr: files or descriptors.
    """

    def __init__(self, server, arguments, *, env, cwd, files) -> None:
        self.returncode: int | None = None
        self._server = server
        order = {"arguments": arguments, "env": env, "cwd": cwd}
        line = json.dumps(order).encode() + b"\n"
        numbers = [file if isinstance(file, int) else file.fileno() for file in files]
        server.sendall(line[socket.send_fds(server, [line], numbers) :])
        self.pid = self._answer()

    def _answer(self) -> int:
        line = b""
        while not line.endswith(b"\n"):  # and not a byte of the next, which `select` is to see
            byte = self._server.recv(1)
            assert byte, "the server of children has died"
            line += byte
        return int(line)

    def poll(self) -> int | None:
        """The exit status, or None while it runs."""
        if self.returncode is None and select.select([self._server], [], [], 0)[0]:
            self.wait()
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Waits for its end; gives the exit status."""
        if self.returncode is None:
            if not select.select([self._server], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired("a child", timeout)
            self.returncode = self._answer()
        return self.returncode

    def send_signal(self, number: int) -> None:
        """Sends a signal, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        """Asks it to end."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """Ends it."""
        self.send_signal(signal.SIGKILL)

    def close(self) -> None:
        """Closes the server's socket, which kills the program if it runs."""
        self._server.close()


@contextlib.contextmanager
def started(arguments, *, env=None, cwd=None, files=(subprocess.DEVNULL, 1, 2)):
    """Starts a program as `run` does; the `Child`, which the end of the block kills.

    Args:
      files: Its stdin, stdout and stderr: files or descriptors.
    """
    arguments, env, cwd = _order(arguments, env, cwd)
    with another_server(env) as server, open(os.devnull, "rb") as nothing:
        files = [nothing if file == subprocess.DEVNULL else file for file in files]
        child = Child(server, arguments, env=env, cwd=cwd, files=files)
        try:
            yield child
        finally:
            child.close()


def another_server(env=None) -> socket.socket:
    """A socket to a server of its own, which may be handed to another process; Linux only."""
    _, connection = _server(_order((), env, None)[1])
    ours, theirs = socket.socketpair()
    with theirs:
        socket.send_fds(connection, [b"null\n"], [theirs.fileno()])
    return ours


def _order(arguments, env, cwd) -> tuple[list[str], dict[str, str], str]:
    env = dict(os.environ if env is None else env)
    for name in _NOT_A_USERS:
        env.pop(name, None)
    return [os.fspath(each) for each in arguments], env, os.fspath(cwd or os.getcwd())


def _forked(arguments, env, cwd, files) -> int:
    key, connection = _server(env)
    try:
        return Child(connection, arguments, env=env, cwd=cwd, files=files).wait()
    except BaseException:
        _end(key)  # and with it the child
        raise


def _server(env) -> tuple:
    """The server for programs with this environment, started if there is none; its key too."""
    kept = {
        name: value
        for name, value in env.items()
        if name.startswith(_READ_ONCE) and name not in _READ_LATER
    }
    key = (os.getpid(), *sorted(kept.items()))
    if key in _servers and _servers[key][0].poll() is not None:
        _end(key)  # a test has failed that had started it
    if key not in _servers:
        ours, theirs = socket.socketpair()
        with theirs:
            process = subprocess.Popen(
                [sys.executable, _SERVER, str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                env={name: value for name, value in env.items() if name not in _READ_LATER},
                cwd=_SERVER.parent,
                stdin=subprocess.DEVNULL,
            )
        _servers[key] = process, ours
        if len(_servers) == 1:
            atexit.register(_end_all)
    return key, _servers[key][1]


def _end(key) -> None:
    process, connection = _servers.pop(key)
    connection.close()
    process.wait()


def _end_all() -> None:
    for key in list(_servers):
        if key[0] == os.getpid():
            _end(key)
