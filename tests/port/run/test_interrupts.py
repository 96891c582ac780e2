"""What the thread that listens for Ctrl-C does, one call at a time."""

import signal
import socket
import sys
import threading

import pytest

from tfqueue.port.run import interrupts


class Ended(Exception):
    """Stands for the end of the process."""


class Turns:
    """An event that is not set for some turns."""

    def __init__(self, turns):
        self.turns, self.waited = turns, []

    def wait(self, seconds):
        self.waited.append(seconds)
        self.turns -= 1
        return self.turns < 0


@pytest.fixture
def listener(monkeypatch):
    def die():
        raise Ended

    monkeypatch.setattr(interrupts, "die", die)
    monkeypatch.setattr(interrupts, "_END", 0)
    return interrupts.Listener()


@pytest.mark.parametrize(
    ("inside", "said"), [((True, True, True), 1), ((False, True, True), 1), ((False, False), 0)]
)
def test_a_wait_inside_of_tensorflow_is_announced_once(inside, said, listener, monkeypatch, capsys):
    listener.over = Turns(len(inside))
    found = iter(inside)
    monkeypatch.setattr(interrupts, "_in_tensorflow", lambda: next(found))
    with pytest.raises(Ended):
        listener._watch()
    assert capsys.readouterr().err == interrupts._WAITING * said
    assert listener.over.waited == [interrupts._SPEAK] * (len(inside) + 1)


@pytest.mark.parametrize("handler", [signal.SIG_IGN, lambda number, frame: None])
def test_a_program_with_a_handler_of_its_own_is_left_alone(handler, listener):
    before = signal.signal(signal.SIGINT, handler)
    try:
        listener._interrupted()
        listener._interrupted()
    finally:
        signal.signal(signal.SIGINT, before)


def test_the_second_one_ends_the_process(listener, monkeypatch):
    watched = threading.Event()
    monkeypatch.setattr(listener, "_watch", watched.set)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        listener._interrupted()
        assert watched.wait(60)
        with pytest.raises(Ended):
            listener._interrupted()
    finally:
        signal.signal(signal.SIGINT, before)


def test_only_ctrl_c_is_listened_for(listener, monkeypatch):
    heard = []
    monkeypatch.setattr(listener, "_interrupted", lambda: heard.append(1))
    near, far = socket.socketpair()
    with far:
        far.send(bytes([signal.SIGTERM, signal.SIGINT, signal.SIGINT]))
        far.shutdown(socket.SHUT_WR)
        listener.listen(near)
    assert len(heard) == 2
    near, far = socket.socketpair()
    with far:
        far.send(bytes([signal.SIGINT]))
        listener.close()
        listener.listen(near)
    assert len(heard) == 2
    assert near.fileno() == -1


def test_the_main_thread_is_inside_of_tensorflow_where_its_frame_is(monkeypatch):
    here = sys._getframe()
    frames = {threading.main_thread().ident: here}
    monkeypatch.setattr(interrupts._tensorflow, "frames_of_threads", lambda: frames)
    assert not interrupts._in_tensorflow()
    code = compile("frame = __import__('sys')._getframe()", "/a/tensorflow/python/ops.py", "exec")
    found: dict = {}
    exec(code, found)
    frames[threading.main_thread().ident] = found["frame"]
    assert interrupts._in_tensorflow()
    frames.clear()
    assert not interrupts._in_tensorflow()


def test_where_the_process_is_somebody_elses_nobody_listens():
    threads, fd = threading.active_count(), signal.set_wakeup_fd(-1)
    signal.set_wakeup_fd(fd)
    with interrupts.listening(own_process=False) as listener:
        assert threading.active_count() == threads
        now = signal.set_wakeup_fd(-1)
        signal.set_wakeup_fd(now)
        assert now == fd
    assert not listener.over.is_set()


def test_what_listens_is_gone_behind_the_block():
    fd = signal.set_wakeup_fd(-1)
    signal.set_wakeup_fd(fd)
    threads = set(threading.enumerate())
    with interrupts.listening(own_process=True):
        (new,) = set(threading.enumerate()) - threads
        now = signal.set_wakeup_fd(-1)
        signal.set_wakeup_fd(now, warn_on_full_buffer=False)
        assert now not in (fd, -1)
    new.join(60)
    assert not new.is_alive()
    now = signal.set_wakeup_fd(-1)
    signal.set_wakeup_fd(now)
    assert now == fd
