"""The C++ session outlives every call in it, however the end of the Python session was interrupted.

A thread is held inside of a call of TensorFlow's C API; the deletion of sessions is noted.
"""

from __future__ import annotations

import contextlib
import gc
import signal
import subprocess
import sys
import threading
import weakref

import numpy as np
import pytest
from tensorflow.python.client import pywrap_tf_session as c_api
from tensorflow.python.client import session as tf_session
from tensorflow.python.ops import data_flow_ops

import tfqueue
import tfqueue.v1 as tf
from tests.session.test_wakeups import ctrl_c  # noqa: F401  (a fixture)
from tfqueue import _tensorflow, errors
from tfqueue.session import registry, starvation, step, wakeups
from tfqueue.session.owner import Owner


@pytest.fixture(autouse=True, scope="module")
def few_objects_to_look_through():
    """The tests look for garbage hundreds of times: what is there before them is left out."""
    gc.collect()
    gc.freeze()


class Native:
    """Notes when sessions that are made from now on are deleted, and holds a call."""

    def __init__(self, patch):
        self.deleted = []
        """For each of these C++ sessions that was deleted, how many threads were held."""
        self._made = []
        self.inside = wakeups.Event()
        """Set once a thread is held."""
        self.go = wakeups.Event()
        self.calls = 0
        """How many threads are held."""
        self._patch = patch
        patch.setattr(c_api, "TF_DeleteSession", self._delete)
        patch.setattr(c_api, "TF_NewSessionRef", self._new)

    _original_delete = staticmethod(c_api.TF_DeleteSession)
    _original_new = staticmethod(c_api.TF_NewSessionRef)

    def _new(self, *args):
        self._made.append(self._original_new(*args))
        return self._made[-1]

    def _delete(self, pointer):
        # A session of an earlier test may end as late as this.
        if any(each is pointer for each in self._made):
            self.deleted.append(self.calls)
        self._original_delete(pointer)

    def hold(self, name, thread):
        """Holds the call `name` in a thread whose name holds `thread`, until `go` is set."""
        plain = getattr(c_api, name)

        def held(*args):
            if thread not in threading.current_thread().name:
                return plain(*args)
            self.calls += 1
            try:
                self.inside.set()
                assert self.go.wait(60)
                return plain(*args)
            finally:
                self.calls -= 1

        self._patch.setattr(c_api, name, held)


@pytest.fixture
def native(monkeypatch):
    gc.collect()  # the sessions of earlier tests
    made = Native(monkeypatch)
    yield made
    made.go.set()


def _numbers():
    number = tf.train.range_input_producer(1000, shuffle=False, capacity=1000).dequeue()
    return tf.train.batch([number * 2], 8)


def _begin(native, thread):
    """A session and its threads, one of which is held in a call."""
    batch = _numbers()
    sess, coord = tf.Session(), tf.train.Coordinator()
    name = "ExtendSession" if thread == "-builder" else "TF_SessionRun_wrapper"
    native.hold(name, thread)
    threads = tf.train.start_queue_runners(sess, coord)
    if thread == "-builder":
        while not native.inside.is_set():
            sess.run(batch)
    assert native.inside.wait(60)
    return sess, coord, threads


def _join(threads):
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive()


def _join_closers():
    """Those that close sessions: one that lets go of a session last leaves its end to another."""
    names = "tfqueue-close", "tfqueue-delete", "SessionCloseThread"
    while closers := [each for each in threading.enumerate() if each.name in names]:
        _join(closers)


def close(sess, coord):
    sess.close()


def leave(sess, coord):
    with sess:
        pass


def leave_with_an_error(sess, coord):
    with sess:
        raise ZeroDivisionError


def join(sess, coord):
    with sess:
        coord.request_stop()
        coord.join()


@pytest.mark.parametrize("thread", ["-builder", "QueueRunnerThread-batch"])
@pytest.mark.parametrize(
    ("end", "number"),
    [
        (close, 0),
        (close, 1),
        (leave, 0),
        (leave, 1),
        (leave_with_an_error, 0),
        (join, 0),
        (join, 1),
    ],
)
def test_an_interrupted_end_frees_nothing_under_a_call(end, number, thread, native, monkeypatch):
    sess, coord, threads = _begin(native, thread)
    joins = []

    def interrupted(self, timeout=None, original=threading.Thread.join):
        if threading.current_thread() is threading.main_thread():
            joins.append(self)
            if len(joins) > number:
                raise KeyboardInterrupt  # each time: somebody is impatient
        original(self, timeout)

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(threading.Thread, "join", interrupted)
        end(sess, coord)
    dropped = weakref.ref(sess)
    del sess
    gc.collect()
    assert not native.deleted
    native.go.set()
    _join(threads)
    _join_closers()
    gc.collect()
    assert dropped() is None
    assert native.deleted == [0]


def test_an_interrupt_anywhere_in_a_close_frees_nothing_under_a_call(
    ctrl_c,  # noqa: F811
    native,
    monkeypatch,
):
    ended = 0

    def join(threads, seconds, original=step.join):
        if seconds > 1:  # the last wait, for what is held
            assert len(native.deleted) == ended
            native.go.set()
        return original(threads, seconds if seconds > 1 else 0)

    monkeypatch.setattr(step, "join", join)
    _numbers()
    native.hold("TF_SessionRun_wrapper", "QueueRunnerThread-batch")
    while True:
        native.inside.clear()
        native.go.clear()
        sess = tf.Session()
        threads = tf.train.start_queue_runners(sess, tf.train.Coordinator())
        assert native.inside.wait(60)
        with contextlib.suppress(KeyboardInterrupt), ctrl_c:
            sess.close()
        del sess
        gc.collect()
        if not native.go.is_set():
            assert len(native.deleted) == ended, ctrl_c.place
            native.go.set()
        _join(threads)
        _join_closers()
        gc.collect()
        ended += 1
        assert native.deleted == [0] * ended, ctrl_c.place
        if ctrl_c.place is None:
            break
    assert ended > 20


def test_a_closing_thread_that_is_late_closes_the_session_that_it_was_given(native, monkeypatch):
    """It is held behind the look at whether the session is there; meanwhile that is dropped."""
    sess, _, threads = _begin(native, "QueueRunnerThread-batch")
    begins, given, plain = threading.Event(), [], c_api.TF_CloseSession

    def look(module, name):
        if name == "TF_CloseSession" and threading.current_thread().name == "tfqueue-close":
            begins.set()
            assert native.go.wait(60)
        return getattr(c_api, name)

    def note(pointer):
        given.append(pointer)
        if pointer is not None:  # a crash
            plain(pointer)

    monkeypatch.setattr(c_api, "TF_CloseSession", note)
    monkeypatch.setattr(tf_session, "tf_session", type("", (), {"__getattr__": look})())

    def join(threads, seconds, original=step.join):
        if seconds > 1:
            assert begins.wait(60)
            raise KeyboardInterrupt
        return original(threads, seconds)

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(step, "join", join)
        sess.close()
    sess._delete()
    del sess
    native.go.set()
    _join(threads)
    _join_closers()
    gc.collect()
    assert len(given) == 1
    assert given[0] is not None
    assert native.deleted == [0]


def test_a_callable_that_is_released_runs_to_its_end(native, monkeypatch):
    """Ctrl-C has ended the wait for it, and the session is dropped."""
    take = tf.FIFOQueue(4, tf.int32, [[]]).dequeue()
    sess = tf.Session()
    native.hold("TF_SessionRunCallable", "tfqueue-step")
    released, plain = [], c_api.TF_SessionReleaseCallable

    def release(*args):
        released.append(native.calls)
        plain(*args)

    monkeypatch.setattr(c_api, "TF_SessionReleaseCallable", release)
    call = sess._make_callable_from_options(_callable_options(take))

    def interrupt(watch):
        assert native.inside.wait(60)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(starvation.WaitWatch, "look", interrupt)
        call()
    steps = [each for each in threading.enumerate() if each.name.startswith("tfqueue-step")]
    del call
    gc.collect()
    assert not released
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(step, "join", interrupt_last)
        sess.close()
    del sess
    gc.collect()
    assert not released
    assert not native.deleted
    native.go.set()
    _join(steps)
    _join_closers()
    gc.collect()
    assert native.deleted == [0]


def interrupt_last(threads, seconds, original=step.join):
    """`step.join`, whose last wait is interrupted."""
    if seconds > 1:
        raise KeyboardInterrupt
    return original(threads, seconds)


def _callable_options(fetched):
    from tensorflow.core.protobuf import config_pb2

    return config_pb2.CallableOptions(fetch=[fetched.name])


AT_EXIT = """
import threading
import numpy as np
import tfqueue.v1 as tf
from tfqueue.session import owner

inside = threading.Event()

def never():
    inside.set()
    threading.Event().wait()

number = tf.py_func(never, [], tf.int32)
number.set_shape([])
tf.train.batch([number], 1)
sess = tf.Session()
tf.train.start_queue_runners(sess)
assert inside.wait(60)
owner._JOIN_SECONDS = 0.1
print("at its end", flush=True)
"""


def test_a_process_ends_while_a_thread_is_in_a_call():
    done = subprocess.run(
        [sys.executable, "-c", AT_EXIT], capture_output=True, text=True, timeout=240
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == "at its end\n"
    assert "ThreadsStillRunning" in done.stderr


# -- `__del__` ---------------------------------------------------------------------------------


def test_nothing_is_printed_of_a_session_that_can_not_be_closed(native, monkeypatch, capfd):
    """Its server was restarted, and knows no such session."""
    sess = tf.Session()

    def aborted(pointer):
        raise tf.errors.AbortedError(None, None, "Session handle is not found")

    with monkeypatch.context() as patch:
        patch.setattr(c_api, "TF_CloseSession", aborted)
        del sess
        gc.collect()
    assert native.deleted == [0]
    assert capfd.readouterr().err == ""


def test_the_error_of_a_close_is_raised_once_all_has_ended(monkeypatch):
    _numbers()
    sess = tf.Session()
    threads = tf.train.start_queue_runners(sess)
    plain = c_api.TF_CloseSession

    def aborted(pointer):
        plain(pointer)
        raise tf.errors.AbortedError(None, None, "Session handle is not found")

    with monkeypatch.context() as patch, pytest.raises(tf.errors.AbortedError):
        patch.setattr(c_api, "TF_CloseSession", aborted)
        sess.close()
    assert not any(thread.is_alive() for thread in threads)
    assert sess._owner.closed
    sess.close()


def test_ctrl_c_in_del_is_heard_behind_it(native, monkeypatch, capfd):
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    _numbers()
    sess, waits = tf.Session(), threading.Event()
    threads = tf.train.start_queue_runners(sess)

    def interrupted(which, seconds, original=step.join):
        if threading.current_thread() is threading.main_thread():
            signal.raise_signal(signal.SIGINT)
        return original(which, seconds)

    monkeypatch.setattr(step, "join", interrupted)
    # hypothesis has one here: an interrupt that Python delivers inside is lost
    callbacks, gc.callbacks[:] = gc.callbacks[:], []
    try:
        with pytest.raises(KeyboardInterrupt):
            del sess
            gc.collect()
            assert waits.wait(60)
    finally:
        gc.callbacks[:] = callbacks
        signal.signal(signal.SIGINT, before)
    _join(threads)
    _join_closers()
    gc.collect()
    assert native.deleted == [0]
    assert capfd.readouterr().err == ""


def test_a_session_that_goes_in_a_py_func_of_its_own_is_ended(native):
    """Python may collect it in one of TensorFlow's threads, which its runner waits for."""
    inside, go = threading.Event(), threading.Event()

    def collect():
        inside.set()
        assert go.wait(60)
        gc.collect()
        return np.int32(1)

    number = tf.py_func(collect, [], tf.int32)
    number.set_shape([])
    tf.train.batch([number], 1)
    sess = tf.Session()
    sess.itself = sess
    dropped = weakref.ref(sess)
    threads = tf.train.start_queue_runners(sess)
    assert inside.wait(60)
    gc.disable()
    try:
        del sess
        go.set()
        _join(threads)
    finally:
        gc.enable()
    _join_closers()
    gc.collect()
    assert dropped() is None
    assert native.deleted == [0]


def test_a_close_that_was_interrupted_is_gone_on_with_at_the_end_of_the_process(monkeypatch):
    before = registry.still_open()
    _numbers()
    sess = tf.Session()
    threads = tf.train.start_queue_runners(sess)
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(step, "join", interrupt_at_once)
        sess.close()
    seconds = []

    def shut_down(owner, *given, original=Owner.shut_down, **named):
        seconds.append(named.get("seconds"))
        original(owner, *given, **named)

    monkeypatch.setattr(Owner, "shut_down", shut_down)
    registry.end_all(but=before)
    assert sess._owner.closed
    assert seconds == [0]
    _join(threads)


def interrupt_at_once(threads, seconds):
    raise KeyboardInterrupt


def test_the_end_of_a_session_does_not_wait_for_a_staging_area(monkeypatch):
    area = data_flow_ops.StagingArea([tf.int32], [[]])
    put, take = area.put([tf.constant(7)]), area.get()
    seconds, stuck = [], tf.Session()

    def interrupt(watch):
        raise KeyboardInterrupt

    def join(threads, wait, original=step.join):
        seconds.append(wait)
        return original(threads, 0)

    with monkeypatch.context() as patch:
        patch.setattr(starvation.WaitWatch, "look", interrupt)
        with pytest.raises(KeyboardInterrupt):
            stuck.run(take)
        steps = [each for each in threading.enumerate() if each.name.startswith("tfqueue-step")]
        patch.setattr(step, "join", join)
        said = pytest.warns(errors.WaitingWarning, match="a step that is in StagingArea_get")
        plain = c_api.TF_CloseSession
        patch.setattr(
            c_api, "TF_CloseSession", lambda pointer: None
        )  # so that its step can be ended
        with said, pytest.raises(errors.ThreadsStillRunning):
            stuck.close()
    assert max(seconds) < 10
    _tensorflow.PreparedStep(stuck, [put])()
    _join(steps)
    plain(stuck._session)


# -- where the system gives no thread ----------------------------------------------------------


@pytest.fixture
def no_thread(monkeypatch):
    """`no_thread(name)`: threads whose name ends so cannot be started."""

    def refuse(name):
        def start(self, original=threading.Thread.start):
            if self.name.endswith(name):
                raise RuntimeError("can't start new thread")
            original(self)

        monkeypatch.setattr(threading.Thread, "start", start)

    return refuse


def test_a_pipeline_runs_as_it_is_where_nothing_can_be_built_beside_it(no_thread):
    batch = _numbers()
    no_thread("-builder")
    with tf.Session() as sess:
        coord = tf.train.Coordinator()
        tf.train.start_queue_runners(sess, coord)
        taken = [number for _ in range(125) for number in sess.run(batch)]
        coord.request_stop()
        coord.join()
    assert taken == list(range(0, 2000, 2))
    assert "one at a time: can't start new thread" in str(tfqueue.pipeline(tf.get_default_graph()))


def test_a_session_is_closed_where_no_thread_can_do_it(no_thread, native, monkeypatch):
    sess, _, threads = _begin(native, "QueueRunnerThread-batch")
    no_thread("tfqueue-close")
    closed, plain = threading.Event(), c_api.TF_CloseSession

    def close_session(pointer):
        plain(pointer)
        closed.set()

    monkeypatch.setattr(c_api, "TF_CloseSession", close_session)
    closing = threading.Thread(target=sess.close)
    closing.start()
    assert closed.wait(60)
    native.go.set()
    _join([closing, *threads])
    assert sess._owner.closed


def test_a_block_that_fails_ends_its_session_where_no_thread_can_do_it(no_thread):
    sess = tf.Session()
    no_thread("SessionCloseThread")
    with pytest.raises(ZeroDivisionError) as caught, sess:
        print(1 / 0)
    assert caught.value.__context__ is None
    assert sess._owner.closed


def test_a_dropped_session_is_deleted_where_no_thread_can_end_it(no_thread, native):
    held = [tf.Session()]
    no_thread("tfqueue-delete")
    thread = threading.Thread(target=lambda: (held.clear(), gc.collect()), name="tfqueue-step")
    thread.start()
    thread.join()
    assert native.deleted == [0]
