"""A tf.data service of this process: a dispatcher and two workers on loopback."""

import contextlib

import tensorflow

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
