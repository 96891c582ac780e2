"""The end of a session: stop, cancel, join, close, in this order, and say what nobody saw."""

import os
import threading
import time

from tfqueue import errors
from tfqueue.explain import diagnosis
from tfqueue.session import failures, registry

_JOIN_SECONDS = 120.0
"""How long `shut_down` waits for a thread before it says which one does not end."""

_GONE_SECONDS = 1.0
"""The same where a task of the cluster is gone: TensorFlow closes when it is back, or never."""


def shut_down(owner, close):
    """Stops, cancels, joins, closes: nothing of ours is alive afterwards.

    Args:
      owner: The session's `Owner`.
      close: Closes the TensorFlow session itself.

    Raises:
      ThreadsStillRunning: If a thread does not end (a `py_func` that never returns).
    """
    if not owner.stop() or os.getpid() != owner.pid:
        close()
        return
    registry.ending(owner)
    warnings = diagnosis.at_close(owner.failure())
    for run in owner.runs:
        run.stop()
    for run in owner.runs:
        run.cancel()
    me = threading.current_thread()
    threads = [t for run in owner.runs for t in run.alive() if t is not me]
    # Closing ends whatever still waits in this session with CancelledError, but itself waits
    # for a py_func that does not return: then it must not be this thread that closes.
    gone = owner.link.lost or bool(owner.link.silent)
    waited_for = any(not step.done() for step in list(owner.steps.under_way))
    if _join(threads, 0.2) or gone or waited_for:
        closer = threading.Thread(target=close, name="tfqueue-close", daemon=True)
        closer.start()
        threads.append(closer)
    else:
        close()
    threads += [t for t in owner.steps.end() if t is not me]
    late = _join(threads, _GONE_SECONDS if gone else _JOIN_SECONDS)
    owner.close()
    owner.has_late_threads = bool(late)
    _report_unseen(owner)
    if not late:
        owner.drop_runs()
    for text, category in warnings:
        diagnosis.warn(text, category)
    if late and not gone:
        names = ", ".join(thread.name for thread in late)
        raise errors.ThreadsStillRunning(
            f"{names} did not end within {_JOIN_SECONDS:.0f} s after the session was closed: "
            "is a py_func waiting for something?"
        )


def _report_unseen(owner):
    """Warns of failures of runners that no step and no coordinator has brought to the program."""
    for run in owner.runs:
        failure = run.failure
        if failure is None or run.coord is not None:
            continue
        cause = owner.queues.failures.get(run.queue_name)
        if failures.was_reported(failure) or failures.was_reported(cause):
            continue
        failures.mark_reported(failure)
        diagnosis.warn(
            f"QueueRunner {run.name} failed and no step came to tell: "
            f"{type(failure).__name__}: {diagnosis.first_line(failure)}",
            errors.UnseenFailureWarning,
        )


def _join(threads, seconds):
    """Joins started `threads` for up to `seconds` in all; returns those still alive."""
    deadline = time.monotonic() + seconds
    for thread in threads:
        if thread.ident is not None:
            thread.join(max(0.0, deadline - time.monotonic()))
    return [thread for thread in threads if thread.is_alive()]
