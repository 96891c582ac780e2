"""Signals, child processes and ports of the tests."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import socket
import subprocess

import pytest

_FAILED = pytest.StashKey[bool]()


def use_default_interrupt() -> None:
    """Makes Ctrl-C raise KeyboardInterrupt here, and end the processes that tests start.

    A parent that ignores SIGINT, such as `nohup`, a background job of a shell or some CI runners,
    hands that on to its children. What is handled by a function here is set to its default in them.
    """
    if signal.getsignal(signal.SIGINT) in (signal.SIG_IGN, signal.SIG_DFL, None):
        signal.signal(signal.SIGINT, signal.default_int_handler)


def limit_threads() -> None:
    """Gives each of several workers, and what it starts, one core to compute on."""
    if os.environ.get("PYTEST_XDIST_WORKER"):
        for name in ("TF_NUM_INTRAOP_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
            os.environ.setdefault(name, "1")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item):
    """When a test fails, the processes it has started end and their pipes are closed.

    Else the next test would be blamed for them.
    """
    started: list[subprocess.Popen] = []
    initialise = subprocess.Popen.__init__

    def remember(process, *args, **kwargs):
        initialise(process, *args, **kwargs)
        started.append(process)

    subprocess.Popen.__init__ = remember
    try:
        return (yield)
    except BaseException:
        item.stash[_FAILED] = True
        for process in started:
            end(process)
        raise
    finally:
        subprocess.Popen.__init__ = initialise


def has_failed(item: pytest.Item) -> bool:
    """Whether a test has raised something, so that pytest keeps the variables of its frames."""
    return item.stash.get(_FAILED, False)


def end(process: subprocess.Popen) -> None:
    """Kills a process if it is alive, and closes this end of its pipes."""
    if process.poll() is None:
        process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            pipe.close()


def free_ports(count: int) -> list[int]:
    """Ports that nobody listens on, below those that the kernel gives to clients."""
    found: list[int] = []
    # Whatever seed a test has set: the server of an earlier one may still be ending. A server
    # listens on all addresses.
    for port in random.SystemRandom().sample(range(20000, 32000), 1000):
        with contextlib.suppress(OSError), contextlib.ExitStack() as probes:
            for family in (
                (socket.AF_INET, socket.AF_INET6) if socket.has_ipv6 else [socket.AF_INET]
            ):
                probe = probes.enter_context(contextlib.closing(socket.socket(family)))
                if family == socket.AF_INET6:
                    probe.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
                probe.bind(("", port))
                probe.listen()
            found.append(port)
        if len(found) == count:
            return found
    raise AssertionError("no free port")
