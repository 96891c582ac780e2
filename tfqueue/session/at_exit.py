"""The ends that no session sees coming: the process's exit, a fork, a feeding thread's death.

Nothing here is installed by importing tfqueue. The first owned session
installs it and the hooks call what was there before.
"""

import atexit
import os
import threading
import weakref

from tfqueue import errors
from tfqueue.explain import uncaught

_lock = threading.RLock()
_watched = weakref.WeakSet()
_installed = False
_hook = None
"""What stands in the place of `threading.excepthook` while a session is open."""
_earlier_hook = None


def watch(owner):
    """Ends `owner`'s session when the process ends without having closed it."""
    global _installed, _hook, _earlier_hook
    with _lock:
        _watched.add(owner)
        if not _installed:
            _installed = True
            # Before Python waits for threads that are no daemons: they wait in our queues. This
            # is what concurrent.futures uses; should it go, such programs are ended by
            # `atexit`, which comes after that wait and so helps daemons only.
            getattr(threading, "_register_atexit", atexit.register)(end_all)
            uncaught.install()
        if threading.excepthook is not _hook:
            # A new one each time: what stands there now may call the one that was there before.
            _earlier_hook = threading.excepthook
            _hook = threading.excepthook = _hook_before(_earlier_hook)


def unwatch(owner):
    """The session was closed by itself; the last one takes the hook away.

    Not while threads that fed it by hand are still alive: they are about to meet the close.
    """
    with _lock:
        _watched.discard(owner)
        main = threading.main_thread()
        feeders = [t for fed in list(owner.queues.feeders.values()) for t in list(fed)]
        about_to_end = any(t.is_alive() and t is not main for t in feeders)
        if not _watched and not about_to_end and threading.excepthook is _hook:
            threading.excepthook = _earlier_hook


def mark_clean(error):
    """Marks `error` as the consequence of our own stop: a thread may die of it quietly."""
    error.tfqueue_clean_stop = True


def error_of(thread):
    """The exception that `thread` died of, if it was seen, else None."""
    return getattr(thread, "tfqueue_error", None)


def note_error(thread, error):
    """Remembers what ended a thread, for the step that waits for its elements."""
    # Kept by the thread, and goes with it: the error's frames may hold the thread and a session.
    # The main thread would keep them for good, and ends with the process.
    if thread is not threading.main_thread():
        thread.tfqueue_error = error


def _hook_before(earlier):
    def hook(args):
        clean = getattr(args.exc_value, "tfqueue_clean_stop", False)
        if args.thread is not None and args.exc_value is not None and not clean:
            note_error(args.thread, args.exc_value)
        if clean:
            return
        short = args.exc_value is not None and uncaught.is_wanted()
        if not short or earlier is not threading.__excepthook__:
            earlier(args)
        if short:
            name = args.thread.name if args.thread is not None else "unknown"
            uncaught.say(args.exc_value, f"Exception in thread {name}:")

    return hook


def watched():
    """The owners of the sessions that are open now."""
    with _lock:
        return set(_watched)


def end_all(but=()):
    """Ends the sessions that nobody has closed.

    Args:
      but: Owners whose sessions are left alone.

    Raises:
      ThreadsStillRunning: If a thread of one did not end; the others are ended all the same.
    """
    late = None
    for owner in watched().difference(but):
        sess = owner.session()
        if sess is None or owner.pid != os.getpid():
            continue
        try:
            if owner.is_ours:
                sess.end_at_exit()
            else:
                owner.shut_down(sess.close)
        except errors.ThreadsStillRunning as error:
            late = late or error
    if late is not None:
        raise late
