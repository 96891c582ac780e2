"""The owners of this process's sessions: which there are, who observes them, and their end at exit.

There is one owner for each session that still exists. Observers (`tfqueue.watch` adds one) are
called when a session begins, when its pipeline grew, after its first step that took elements, and
before it ends. No other step calls them.

Sessions that are still open when the process ends are ended by a handler of `atexit`. It is registered
when this module is imported: handlers are called in the opposite order, so that those of the program may
still use its sessions. With the first owner, not by importing tfqueue, two hooks are installed: one ends
sessions before Python waits for threads, the other notes the error that a feeding thread died of. The
latter calls what was installed before it.
"""

from __future__ import annotations

import atexit
import functools
import gc
import os
import threading
import time
import weakref
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias

from tfqueue import errors
from tfqueue._tensorflow import op_building
from tfqueue._tensorflow.types import Graph, Session
from tfqueue.explain import uncaught_errors

if TYPE_CHECKING:
    from tfqueue.session.owner import Owner

_ENDING_SECONDS = 0.3
"""How long an older session that seems to be at work is given to turn out to be ending."""
_in_use: weakref.WeakSet[Owner] = weakref.WeakSet()
"""Owners whose runners did not end within that time: their sessions are in use beside others."""

_all: weakref.WeakKeyDictionary[Session, Owner] = weakref.WeakKeyDictionary()
_lock = threading.RLock()


class Observer(Protocol):
    """Methods that are called for all sessions of the process, in the thread in which it happens."""

    def began(self, owner: Owner) -> None:
        """A session was made."""

    def grew(self, owner: Owner) -> None:
        """A session has a new kind of step, or runners were started in it."""

    def first_batch(self, owner: Owner) -> None:
        """A step has taken elements, for the first time in the session."""

    def ending(self, owner: Owner) -> None:
        """A session is about to be closed."""


Event: TypeAlias = Literal["began", "grew", "first_batch", "ending"]
_observers: list[Observer] = []
ExceptHook: TypeAlias = Callable[[threading.ExceptHookArgs], Any]
_installed = False
_hook: ExceptHook | None = None
"""What stands in the place of `threading.excepthook` while a session is open."""
_earlier_hook: ExceptHook | None = None


def of(sess: Session, make: Callable[[Session], Owner]) -> Owner:
    """The owner of `sess`, made by `make(sess)` when first asked for."""
    with _lock:
        found = _all.get(sess)
        if found is None:
            found = _all[sess] = make(sess)
            _install()
            tell("began", found)
        return found


def everywhere() -> list[Owner]:
    """All owners of sessions that still exist."""
    with _lock:
        return list(_all.values())


def still_open() -> set[Owner]:
    """The owners of the sessions that are open now, as a set."""
    return {owner for owner in everywhere() if not owner.stopping}


def on(graph: Graph) -> list[Owner]:
    """The owners of this process's sessions on `graph` whose runners are at work."""
    if not any(_is_at_work_on(graph, each) for each in everywhere()):
        return []
    gc.collect()  # one that only a cycle still holds ends now, and its runners with it
    # A thread of ours may be holding it for the moment: then it ends there, right after.
    until = time.monotonic() + _ENDING_SECONDS
    found = [each for each in everywhere() if _is_at_work_on(graph, each)]
    for owner in found:
        ended = functools.partial(_has_no_work_on, graph, owner)
        owner.changed.wait_for(ended, max(0.0, until - time.monotonic()))
    return [each for each in found if _is_at_work_on(graph, each)]


def _is_at_work_on(graph: Graph, owner: Owner) -> bool:
    return (
        owner.graph is graph
        and not owner.remote
        and not owner.stopping
        and owner.session() is not None
        and any(run.working() for run in owner.runs)
    )


def _has_no_work_on(graph: Graph, owner: Owner) -> bool:
    return not _is_at_work_on(graph, owner)


def older(owner: Owner) -> list[Owner]:
    """The owners of sessions on the same graph, made earlier, with runners at work."""
    if owner.remote:
        return []
    order = everywhere()
    place = order.index(owner)
    before = [each for each in order[:place] if _is_at_work_on(owner.graph, each)]
    if not _in_use.issuperset(before):
        before = [each for each in on(owner.graph) if each in before]
        _in_use.update(before)
    return before


def add_observer(observer: Observer) -> None:
    """Has an observer called for all sessions from now on."""
    _observers.append(observer)


def remove_observer(observer: Observer) -> bool:
    """Has an observer called no more; whether it was one."""
    if observer not in _observers:
        return False
    _observers.remove(observer)
    return True


def tell(event: Event, owner: Owner) -> None:
    """Calls the method of an event of all observers, in the current thread."""
    for observer in list(_observers):
        getattr(observer, event)(owner)


# -- ends that no session sees coming ----------------------------------------------------------


def _renew_locks() -> None:
    """In a forked child: the thread that held a lock may not be there."""
    global _lock
    _lock = threading.RLock()
    for owner in everywhere():
        op_building.renew_locks_of(owner.graph)


def _install() -> None:
    global _installed, _hook, _earlier_hook
    if not _installed:
        _installed = True
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=_renew_locks)
        # Python waits for threads that are no daemons before it calls the handlers of `atexit`. This
        # is what concurrent.futures uses; should it go, a program with such threads does not end.
        getattr(threading, "_register_atexit", atexit.register)(_end_for_threads)
        uncaught_errors.install()
    if threading.excepthook is not _hook:
        # A new one each time: what stands there now may call the one that was there before.
        _earlier_hook = threading.excepthook
        _hook = threading.excepthook = _hook_before(_earlier_hook)


def ending(owner: Owner) -> None:
    """A session is about to end; the last one takes the hook away.

    Not while threads that fed it by hand are still alive: they are about to meet the close.
    """
    about_to_end = set(owner.queues.live_feeders()) - {threading.main_thread()}
    with _lock:
        last = not still_open() and not about_to_end
        if last and threading.excepthook is _hook and _earlier_hook is not None:
            threading.excepthook = _earlier_hook
    tell("ending", owner)


def mark_clean(error: BaseException) -> None:
    """Marks `error` as the consequence of our own stop: a thread may die of it quietly."""
    vars(error)["tfqueue_clean_stop"] = True


def error_of(thread: threading.Thread) -> BaseException | None:
    """The exception that `thread` died of, if it was seen, else None."""
    return getattr(thread, "tfqueue_error", None)


def note_error(thread: threading.Thread, error: BaseException) -> None:
    """Remembers what ended a thread, for the step that waits for its elements."""
    # Kept by the thread, and goes with it: the error's frames may hold the thread and a session.
    # The main thread would keep them for good, and ends with the process.
    if thread is not threading.main_thread():
        vars(thread)["tfqueue_error"] = error


def _hook_before(earlier: ExceptHook) -> ExceptHook:
    def hook(args: threading.ExceptHookArgs) -> None:
        clean = getattr(args.exc_value, "tfqueue_clean_stop", False)
        if args.thread is not None and args.exc_value is not None and not clean:
            note_error(args.thread, args.exc_value)
        if clean:
            return
        short = args.exc_value is not None and uncaught_errors.is_wanted()
        if not short or earlier is not threading.__excepthook__:
            earlier(args)
        if short and args.exc_value is not None:
            name = args.thread.name if args.thread is not None else "unknown"
            uncaught_errors.say(args.exc_value, f"Exception in thread {name}:")

    return hook


def _end_for_threads() -> None:
    """Ends all sessions if Python is about to wait for a thread, which may wait in one of their queues.

    If not, the program's handlers of `atexit` may still use the sessions.
    """
    if others_are_waited_for({threading.main_thread()}):
        end_all()


def others_are_waited_for(threads: Collection[threading.Thread]) -> bool:
    """Whether there are threads beside the given ones that Python waits for before it ends."""
    return any(not each.daemon and each not in threads for each in threading.enumerate())


def end_all(but: Collection[Owner] = ()) -> None:
    """Ends the sessions that nobody has closed, but those of the owners in `but`, the last one first.

    Raises:
        ThreadsStillRunning: If a thread of one did not end; the others are ended all the same.
    """
    late = None
    # An interactive session can only be closed while it is the default one.
    for owner in reversed(everywhere()):
        sess = owner.session()
        if sess is None or owner.closed or owner in but or owner.pid != os.getpid():
            continue
        try:
            if owner.is_ours:
                sess._close_or_go_on()
            else:
                owner.shut_down(sess.close)
        except errors.ThreadsStillRunning as error:
            late = late or error
    if late is not None:
        raise late


atexit.register(end_all)
