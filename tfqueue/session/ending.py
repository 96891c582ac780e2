"""The end of a session: stop, cancel, join, close, in this order, and say what nobody saw."""

import os
import threading
import time

from tfqueue import errors
from tfqueue.explain import diagnosis
from tfqueue.session import exits, observers

_JOIN_SECONDS = 120.0
"""How long `shut_down` waits for a thread before it says which one does not end."""

_GONE_SECONDS = 1.0
"""The same where a task of the cluster is gone: TensorFlow closes when it is back, or never."""


def shut_down(supervision, close):
    """See `Supervision.shut_down`."""
    with supervision.changed:
        first, supervision.closing = not supervision.closing, True
        supervision.changed.notify_all()
    if not first or os.getpid() != supervision.pid:
        close()
        return
    exits.forget(supervision)
    observers.tell("ending", supervision)
    late_news = diagnosis.at_close(supervision.failure())
    for run in supervision.runs:
        run.stop()
    for run in supervision.runs:
        run.cancel()
    me = threading.current_thread()
    mine = [t for run in supervision.runs for t in run.alive() if t is not me]
    # Closing ends whatever still waits in this session with CancelledError, but itself waits
    # for a py_func that does not return: then it must not be this thread that closes.
    gone = supervision.lost or bool(supervision.silent)
    if _join(mine, 0.2) or gone or any(not job.wait(0) for job in list(supervision.jobs)):
        closer = threading.Thread(target=close, name="tfqueue-close", daemon=True)
        closer.start()
        mine.append(closer)
    else:
        close()
    mine += [t for t in supervision.threads.end() if t is not me]
    late = _join(mine, _GONE_SECONDS if gone else _JOIN_SECONDS)
    supervision.closed, supervision.stuck = True, bool(late)
    supervision.forget()
    _report_unseen(supervision)
    if not late:
        supervision.forget_runs()
    for text, category in late_news:
        diagnosis.warn(text, category)
    if late and not gone:
        names = ", ".join(thread.name for thread in late)
        raise errors.ThreadsStillRunning(
            f"{names} did not end within {_JOIN_SECONDS:.0f} s after the session was closed: "
            "is a py_func waiting for something?"
        )


def _report_unseen(supervision):
    for run in supervision.runs:
        failure = run.failure
        if failure is None or run.coord is not None:
            continue
        if any(map(supervision.was_met, (failure, supervision.causes.get(run.queue_name)))):
            continue
        supervision.met(failure)
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
