"""A tf.data service on loopback: a dispatcher and two workers, of this process or of another."""

import contextlib
import os
import subprocess
import threading

import tensorflow

from tests.suite import children

SERVICE = tensorflow.data.experimental.service


@contextlib.contextmanager
def running(workers=2):
    """Within the block there is a service; its address."""
    dispatcher = SERVICE.DispatchServer()
    address = dispatcher.target.split("://")[1]
    config = SERVICE.WorkerConfig(dispatcher_address=address, heartbeat_interval_ms=100)
    started = [SERVICE.WorkerServer(config) for _ in range(workers)]
    try:
        yield dispatcher.target
    finally:
        for worker in started:
            worker._stop()
        dispatcher._stop()


@contextlib.contextmanager
def running_beside():
    """As `running`, in a process of its own: to end a job without an end takes seconds each."""
    reader, writer = os.pipe()
    with contextlib.ExitStack() as stack:
        said = stack.enter_context(open(reader))
        with open(writer, "wb") as answers:
            files = subprocess.DEVNULL, answers, 2
            stack.enter_context(children.started(["-m", __name__], files=files))
        yield said.readline().strip()


if __name__ == "__main__":
    with running() as target:
        print(target, flush=True)
        threading.Event().wait()
