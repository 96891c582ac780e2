"""Ctrl-C wherever Python may hear it: nothing is left taken, no thread is left, nothing hangs.

Python looks for signals where a function begins and where a call of a built-in one returns. A profile
function interrupts a run of the program at each such place of `tfqueue.session` and of the standard
library's `threading`, one place a run.
"""

import gc
import pathlib
import signal
import sys
import threading
import traceback

import pytest

import tfqueue.session
import tfqueue.v1 as tf
from tfqueue.session import step, wakeups

FILES = (str(pathlib.Path(tfqueue.session.__file__).parent), threading.__file__)


def is_ours(frame):
    """Whether it runs for a session of ours; neither in `__del__`, of which Python drops the interrupt,
    nor in TensorFlow's lock of a graph, which it may leave taken in TensorFlow 1 too.
    """
    while frame is not None and not frame.f_code.co_filename.startswith(FILES[0]):
        if frame.f_code.co_filename.endswith("lock_util.py"):
            return False
        frame = frame.f_back
    while frame is not None and frame.f_code.co_name != "__del__":
        frame = frame.f_back
    return frame is None


class Interrupts:
    """Interrupts the block, at a place where no block before was; `place` says where, or is None."""

    def __init__(self):
        self.place = None
        self._met = set()

    def __enter__(self):
        self.place, self._before = None, sys.getprofile()
        sys.setprofile(self._look)

    def __exit__(self, *raised):
        sys.setprofile(self._before)

    def _look(self, frame, event, given):
        at = frame.f_code, frame.f_lasti if event == "c_return" else None
        if (
            event in ("call", "c_return")
            and self.place is None
            and frame.f_code.co_filename.startswith(FILES)
            and at not in self._met
            and is_ours(frame)
        ):
            self._met.add(at)
            self.place = "".join(traceback.format_stack(frame))
            signal.getsignal(signal.SIGINT)(signal.SIGINT, frame)


@pytest.fixture
def ctrl_c():
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield Interrupts()
    signal.signal(signal.SIGINT, before)


def ends_soon(work):
    """Whether another thread is soon through with `work`; else the stack where it stands."""
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    thread.join(30)
    frame = sys._current_frames().get(thread.ident) if thread.is_alive() else None
    return "".join(traceback.format_stack(frame)) if frame is not None else None


# -- waits, wake-ups, starts -------------------------------------------------------------------


def test_an_event_wakes_all_who_wait():
    event, heard = wakeups.Event(), []
    threads = [threading.Thread(target=lambda: heard.append(event.wait(60))) for _ in range(3)]
    for thread in threads:
        thread.start()
    assert not event.wait(0.01)
    event.set()
    for thread in threads:
        thread.join()
    assert heard == [True, True, True]
    assert event.is_set()
    event.clear()
    assert not event.wait(0)


def test_a_wait_looks_before_it_waits():
    """What has changed before brings no wake-up any more."""
    event = wakeups.Event()
    event.set()
    assert event.wait()


def test_a_wait_asks_again_at_each_change():
    changes, answers, threads = wakeups.Changes(), [False, False, True], []

    def ready():
        threads.append(threading.Thread(target=changes.notify_all))
        threads[-1].start()
        return answers.pop(0)

    assert changes.wait_for(ready, 60)
    assert not answers
    for thread in threads:
        thread.join()
    assert not changes.wait_for(lambda: False, 0.01)
    assert not changes.wait(0.01)


def test_an_interrupt_of_a_start_is_heard_after_it(ctrl_c):
    class Interrupted(threading.Thread):
        def start(self):
            signal.raise_signal(signal.SIGINT)
            super().start()

    thread = Interrupted(target=bool)
    with pytest.raises(KeyboardInterrupt):
        wakeups.start(thread)
    assert thread.ident is not None
    thread.join()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_thread_that_can_not_be_started_is_told():
    thread = threading.Thread(target=bool)
    wakeups.start(thread)
    thread.join()
    with pytest.raises(RuntimeError, match="threads can only be started once"):
        wakeups.start(thread)


def test_an_interrupt_is_heard_again_behind_a_del(ctrl_c):
    """The thread that sends it keeps no process alive."""
    seen, go = [], threading.Event()

    class Deleted:
        def __del__(self):
            wakeups.interrupt_again()
            seen.extend(
                each for each in threading.enumerate() if each.name == "tfqueue-interrupt-again"
            )
            assert seen[0].daemon
            seen.append("deleted")

    kept = Deleted()
    with pytest.raises(KeyboardInterrupt):
        del kept
        go.wait(60)
    seen.pop(0).join()
    assert seen == ["deleted"]


# -- a session, interrupted wherever it may be --------------------------------------------------


def put(sess, coord, put, take):
    sess.run(put)


def take_what_is_there(sess, coord, put, take):
    sess.run(take)


def take_what_comes(sess, coord, put, take):
    sess.run(take)


def start(sess, coord, put, take):
    tf.train.start_queue_runners(sess, coord)


def stop(sess, coord, put, take):
    coord.request_stop()


def join(sess, coord, put, take):
    coord.request_stop()
    coord.join()


def close(sess, coord, put, take):
    sess.close()


@pytest.mark.parametrize(
    "act", [put, take_what_is_there, take_what_comes, start, stop, join, close]
)
def test_a_session_ends_whatever_was_interrupted(act, ctrl_c, monkeypatch):
    monkeypatch.setattr(step, "_FIRST_LOOK", 0.001)
    queue = tf.FIFOQueue(4, tf.int32, [[]])
    by_hand = queue.enqueue(1), queue.dequeue()
    batch = tf.train.batch([tf.constant(3)], 2, capacity=4)
    runs = act in (take_what_is_there, stop, join, close)
    interrupted = 0
    while True:
        sess, coord = tf.Session(), tf.train.Coordinator()
        if runs:
            tf.train.start_queue_runners(sess, coord)
            sess.run(batch)
        elif act is put:
            sess.run(by_hand)  # its plan is made
        feeder = threading.Timer(0.01, sess.run, by_hand[:1])
        if act is take_what_comes:
            feeder.start()
        try:
            with ctrl_c:
                act(sess, coord, by_hand[0], batch if runs else by_hand[1])
        except KeyboardInterrupt:
            interrupted += 1

        def end(sess=sess, coord=coord, feeder=feeder):
            if act is take_what_comes:
                feeder.join()
            coord.request_stop()
            coord.join()
            sess.close()

        stands = ends_soon(end)
        assert stands is None, f"interrupted at\n{ctrl_c.place}\nit stands at\n{stands}"
        left = [each for each in threading.enumerate() if "ueue" in each.name]
        for thread in left:
            thread.join(30)
        assert not any(thread.is_alive() for thread in left), f"{left}\n{ctrl_c.place}"
        if ctrl_c.place is None:
            break
    assert interrupted > 10
    gc.collect()


@pytest.mark.parametrize("again", [False, True], ids=["once", "twice"])
def test_what_an_interrupted_step_takes_is_for_the_same_step(again, ctrl_c, monkeypatch):
    """But for the last moment, when the values are on their way to the program."""
    monkeypatch.setattr(step, "_FIRST_LOOK", 0.001)
    number = tf.placeholder(tf.int32, [])
    queue = tf.FIFOQueue(4, tf.int32, [[]])
    put, take = queue.enqueue(number), queue.dequeue()
    kept, lost, pause = 0, [], threading.Event()
    while True:
        with tf.Session() as sess:
            ended = []

            def feed(sess=sess, ended=ended):
                while not (ended or sess._owner.steps.under_way):  # else nobody need wait
                    pause.wait(0.001)
                sess.run(put, {number: 1})

            feeder = threading.Thread(target=feed)
            if again:
                with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
                    patch.setattr(step, "_wait", interrupted_after(step._wait, feeder))
                    sess.run(take)
            else:
                feeder.start()
            try:
                with ctrl_c:
                    sess.run(take)
            except KeyboardInterrupt:
                ended.append(True)
                feeder.join()
                sess.run(put, {number: 2})
                if sess.run(take) == 1:
                    kept += 1
                else:
                    lost.append(ctrl_c.place)
            feeder.join()
            if ctrl_c.place is None:
                break
    assert kept > 20
    assert all(", in forget\n" in place or "run_step(" in place.splitlines()[-2] for place in lost)


def interrupted_after(wait, feeder):
    """`wait`, with an interrupt once the step is done."""

    def waits(owner, plan, *rest):
        if plan.takes:
            feeder.start()
        wait(owner, plan, *rest)
        if plan.takes:
            raise KeyboardInterrupt

    return waits
