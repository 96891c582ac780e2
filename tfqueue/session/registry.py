"""The owners of this process: one for each session that still exists."""

import gc
import threading
import time
import weakref

_ENDING_SECONDS = 0.3
"""How long an older session that seems to be at work is given to turn out to be ending."""

_all = weakref.WeakKeyDictionary()
_lock = threading.RLock()


class OwnedSession:
    """What the session classes of ours have in common: each of their steps goes by their owner."""


def of(sess, make):
    """The owner of `sess`, made by `make(sess)` when first asked for."""
    with _lock:
        found = _all.get(sess)
        if found is None:
            found = _all[sess] = make(sess)
        return found


def everywhere():
    """All owners of sessions that still exist."""
    with _lock:
        return list(_all.values())


def on(graph):
    """The owners of this process's sessions on `graph` whose runners are at work."""

    def found():
        return [
            each
            for each in everywhere()
            if each.graph is graph
            and not each.remote
            and not each.stopping
            and each.session() is not None
            and any(run.working() for run in each.runs)
        ]

    if not found():
        return []
    gc.collect()  # one that only a cycle still holds ends now, and its runners with it
    # A thread of ours may be holding it for the moment: then it ends there, right after.
    until = time.monotonic() + _ENDING_SECONDS
    while (left := found()) and time.monotonic() < until:
        with left[0].changed:
            left[0].changed.wait(0.02)
    return left


def older(owner):
    """The owners of sessions on the same graph, made earlier, with runners at work."""
    if owner.remote:
        return []
    order = everywhere()
    place = order.index(owner)
    return [other for other in on(owner.graph) if order.index(other) < place]
