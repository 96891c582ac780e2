"""Python programs of the tests that import TensorFlow, without the four seconds that takes.

Each runs in a process of its own, forked from one that has imported TensorFlow and done nothing with
it: no thread and no device of TensorFlow's exists, and nothing of tfqueue is imported. Not for a
test of what happens as TensorFlow is imported, of an interpreter's options, or of a fork.
"""

from __future__ import annotations

import atexit
import json
import os
import pathlib
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


def run(arguments, *, env=None, cwd=None) -> subprocess.CompletedProcess:
    """Runs Python as `subprocess.run([sys.executable, *arguments])` does, with nothing on stdin.

    Args:
      arguments: Such as `["-c", code]`, `["-m", "tfqueue", "run", "old.py"]`, `["program.py"]`.
      env: The environment; this process's when None. What only the suite sets for TensorFlow is
        not handed on.
      cwd: The folder to start in; this process's when None.

    Returns:
      The exit status, negative for a signal, and the text of stdout and of stderr.
    """
    arguments = [os.fspath(argument) for argument in arguments]
    env = dict(os.environ if env is None else env)
    for name in _NOT_A_USERS:
        env.pop(name, None)
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        if hasattr(os, "pidfd_open"):
            status = _forked(arguments, env, os.fspath(cwd or os.getcwd()), (out, err))
        else:  # not Linux
            command = [sys.executable, *arguments]
            plain = {"stdin": subprocess.DEVNULL, "stdout": out, "stderr": err}
            status = subprocess.run(command, env=env, cwd=cwd, check=False, **plain).returncode
        for file in (out, err):
            file.seek(0)
        said = [file.read().decode() for file in (out, err)]
    return subprocess.CompletedProcess([sys.executable, *arguments], status, *said)


def _forked(arguments, env, cwd, files) -> int:
    key, connection = _server(env)
    order = {"arguments": arguments, "env": env, "cwd": cwd}
    try:
        with open(os.devnull, "rb") as nothing:
            numbers = [file.fileno() for file in (nothing, *files)]
            line = json.dumps(order).encode() + b"\n"
            sent = socket.send_fds(connection, [line], numbers)
            connection.sendall(line[sent:])
        answer = connection.recv(100)
        assert answer, "the server of children has died"
        return int(answer)
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
