"""What the thread that listens for Ctrl-C does, one call at a time."""

import os
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
    listener.over, listener._heard = Turns(len(inside)), 1
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


@pytest.fixture
def handled(listener, monkeypatch):
    """Ctrl-C's way: the thread that listens hears the signal, then what Python's handler sends."""
    monkeypatch.setattr(listener, "_watch", lambda: None)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)

    def hear(*numbers):
        near, far = socket.socketpair()
        with far:
            far.send(bytes(numbers))
            far.shutdown(socket.SHUT_WR)
            listener.listen(near)

    yield hear
    signal.signal(signal.SIGINT, before)


def test_one_that_the_program_has_got_is_not_counted(listener, handled):
    """TensorFlow 1's programs could catch as many as came."""
    for _ in range(3):
        listener.raising(sys._getframe())
        handled(signal.SIGINT, interrupts._RAISED)
    assert listener._heard == 1
    handled(signal.SIGINT)  # the third one was got; Python's handler is not called for this one
    with pytest.raises(Ended):
        handled(signal.SIGINT)


def test_one_that_a_library_keeps_is_counted(listener, handled):
    """A wait that Ctrl-C ended, and that does not come back: the second one ends the process."""
    code = compile("def call(f): f()", threading.__file__, "exec")
    library: dict = {}
    exec(code, library)

    def inside():
        listener.raising(sys._getframe().f_back)
        handled(signal.SIGINT, interrupts._RAISED)
        with pytest.raises(Ended):
            handled(signal.SIGINT)
        handled(interrupts._RAISED)

    library["call"](inside)
    handled(signal.SIGINT)  # behind the call the program has got it
    assert listener._heard == 1
    assert listener._call is None


def test_an_interrupt_that_no_signal_brought_is_forgotten(listener, handled):
    listener._call = sys._getframe()
    handled(interrupts._RAISED)
    assert (listener._call, listener._raised) == (None, False)
    listener._heard = 2
    listener._settle()
    assert listener._heard == 2


def test_the_handler_in_the_block_is_pythons_for_the_program(monkeypatch):
    monkeypatch.setattr(interrupts.Listener, "_interrupted", lambda self: None)
    python = signal.default_int_handler
    before = signal.signal(signal.SIGINT, python)
    try:
        with interrupts.listening(own_process=True) as listener:
            assert signal.getsignal(signal.SIGINT) is signal.default_int_handler is not python
            frames = []
            monkeypatch.setattr(listener, "raising", frames.append)
            with pytest.raises(KeyboardInterrupt):
                signal.raise_signal(signal.SIGINT)
            assert len(frames) == 1
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler is python
        own = signal.signal(signal.SIGINT, signal.SIG_IGN)
        with interrupts.listening(own_process=True):
            assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
        assert own is python is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.mark.skipif(sys.platform == "win32", reason="nothing is forked there")
def test_what_a_forked_child_hears_is_not_its_parents(monkeypatch):
    """A terminal interrupts both, and the parent has heard one."""
    python = signal.default_int_handler
    before = signal.signal(signal.SIGINT, python)
    heard, threads = [], set(threading.enumerate())

    def listen(listener, pipe):
        with pipe:
            while data := pipe.recv(64):
                heard.extend(data)

    monkeypatch.setattr(interrupts.Listener, "listen", listen)
    try:
        with interrupts.listening(own_process=True):
            child = os.fork()
            if child == 0:
                try:
                    good = signal.getsignal(signal.SIGINT) is signal.default_int_handler is python
                    signal.raise_signal(signal.SIGINT)
                except KeyboardInterrupt:
                    os._exit(0 if good else 2)
                os._exit(1)
            assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
            with pytest.raises(KeyboardInterrupt):
                signal.raise_signal(signal.SIGINT)
            (new,) = set(threading.enumerate()) - threads
        assert not interrupts._leave
    finally:
        signal.signal(signal.SIGINT, before)
    new.join(60)  # it has read all that was sent
    assert heard == [signal.SIGINT, interrupts._RAISED]


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
