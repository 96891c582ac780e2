"""`tf.contrib.slim.queues`: the queue runners of a graph for the length of a `with` block."""

import contextlib
from collections.abc import Iterator
from typing import Any

from tfqueue import _tensorflow
from tfqueue.session import runner
from tfqueue.session.coordinator import Coordinator
from tfqueue.v1 import _lazy_names
from tfqueue.v1._types import Session

_tf = _tensorflow.compat_v1()

__all__ = ["NestedQueueRunnerError", "QueueRunners"]

NestedQueueRunnerError = _lazy_names.slim(
    "tf_slim.queues", "tf.contrib.slim.queues"
).NestedQueueRunnerError
_running: list[Any] = []


@contextlib.contextmanager
def QueueRunners(session: Session) -> Iterator[Any]:
    """Starts the queue runners, and stops and joins them when the block ends.

    Unlike tf_slim's own it raises the error of a runner that failed.

    Args:
        session: The session to run in.

    Raises:
        NestedQueueRunnerError: Inside a block for the same session.
    """
    if any(other is session for other in _running):
        raise NestedQueueRunnerError("QueueRunners cannot be nested")
    _running.append(session)
    coord = Coordinator()
    threads = []
    try:
        with session.graph.as_default():
            threads = runner.start_queue_runners(session, coord)
        yield
    finally:
        _running[:] = [other for other in _running if other is not session]
        coord.request_stop()
        coord.join(threads, stop_grace_period_secs=120)
