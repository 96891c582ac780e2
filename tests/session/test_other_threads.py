"""Which threads and signals of the process may end a wait: `other_threads.threads_that_may_act`."""

import functools
import gc
import pathlib
import signal
import sys
import threading
import time
import warnings
from unittest import mock

import pytest

import tfqueue
from tfqueue.port.run import interrupts
from tfqueue.session import other_threads


@pytest.fixture
def ended():
    """Set at the end; the threads that `start` has begun, and that wait for it, are joined then."""
    event = threading.Event()
    event.threads = []

    def start(function, **given):
        event.threads.append(threading.Thread(target=function, **given))
        event.threads[-1].start()
        return event.threads[-1]

    event.start = start
    yield event
    event.set()
    for thread in event.threads:
        thread.join(60)
        assert not thread.is_alive()


def _within(thread, name):
    """Waits until `thread` is in a function of `threading` that is called `name`."""
    while True:
        frame = sys._current_frames().get(thread.ident)
        while frame is not None:
            if frame.f_code.co_name == name and frame.f_code.co_filename == threading.__file__:
                return
            frame = frame.f_back
        time.sleep(0)


@pytest.mark.parametrize("seconds", [None, 300], ids=["for_good", "for_a_while"])
def test_who_joins_for_a_while_goes_on_after_it(seconds, ended):
    stuck = ended.start(ended.wait)
    joiner = ended.start(lambda: stuck.join(seconds), name="joiner")
    _within(joiner, "join")
    assert ("joiner" in other_threads.threads_that_may_act({stuck})) == (seconds is not None)


def test_a_name_like_ours_is_no_reason_to_trust_a_thread(ended):
    ended.start(ended.wait, name="tfqueue-reader")
    assert "tfqueue-reader" in other_threads.threads_that_may_act()


def test_what_listens_for_ctrl_c_is_closed_with_it():
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        with interrupts.listening(True):
            listener = {thread.name: thread for thread in threading.enumerate()}["tfqueue-listener"]
        listener.join(60)
        del listener
        gc.collect()
    assert told == []


def test_all_threads_of_the_package_are_known():
    """But for those that run what the program gave them: it may feed whatever the program has."""
    package = pathlib.Path(tfqueue.__file__).parent
    modules = {
        ".".join(("tfqueue", *path.relative_to(package).with_suffix("").parts))
        for path in package.rglob("*.py")
        if "threading.Thread(" in path.read_text()
    }
    assert len(modules) > 5
    unknown = [
        module for module in modules if not other_threads._are_in([module], other_threads._OURS)
    ]
    assert sorted(unknown) == [
        "tfqueue.contrib.training.feeding_queue_runner",
        "tfqueue.dataset.service",
        "tfqueue.dataset.session_feed",
    ]


def test_a_debugger_begins_the_threads_of_the_program_too(ended):
    names = {"__name__": "_pydev_bundle.pydev_monkey"}
    exec("def run(function): function()", names)
    ended.start(names["run"], args=(lambda: ended.wait(),), name="mine")
    assert "mine" in other_threads.threads_that_may_act()


class Handler:
    """A handler that is an object."""

    def __call__(self, *_):
        """Would be called by the signal."""

    def method(self, *_):
        """The same."""


HANDLERS = {
    "function": lambda *_: None,
    "partial": functools.partial(lambda *_: None, 1),
    "object": Handler(),
    "method": Handler().method,
    "builtin": signal.default_int_handler,
    "library": mock.Mock(side_effect=ValueError),
}


@pytest.mark.parametrize("number", [signal.SIGALRM, signal.SIGUSR1, signal.SIGTERM])
@pytest.mark.parametrize("handler", HANDLERS)
def test_a_signal_handler_may_feed(number, handler):
    before = signal.signal(number, HANDLERS[handler])
    try:
        assert "a signal handler" in other_threads.threads_that_may_act()
    finally:
        signal.signal(number, before)
    assert "a signal handler" not in other_threads.threads_that_may_act()


def test_a_handler_of_coverage_feeds_nothing():
    names = {"__name__": "coverage.control"}
    exec("class Coverage:\n def on_sigterm(self, *_): pass", names)
    before = signal.signal(signal.SIGTERM, names["Coverage"]().on_sigterm)
    try:
        assert "a signal handler" not in other_threads.threads_that_may_act()
    finally:
        signal.signal(signal.SIGTERM, before)


@pytest.mark.parametrize("handler", [signal.default_int_handler, signal.SIG_IGN, signal.SIG_DFL])
def test_ctrl_c_brings_nothing(handler):
    before = signal.signal(signal.SIGINT, handler)
    try:
        assert "a signal handler" not in other_threads.threads_that_may_act()
    finally:
        signal.signal(signal.SIGINT, before)
