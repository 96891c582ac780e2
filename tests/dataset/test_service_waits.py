"""What a client of a tf.data service waits for is said, and the wait can be interrupted."""

import gc
import os
import queue
import signal
import socket
import subprocess
import sys
import threading
import time

import pytest
import tensorflow

import tfqueue
import tfqueue.v1 as tf
from tests.dataset import local_service
from tfqueue import errors
from tfqueue.dataset import service

# A busy machine may take longer than it takes until that is told.
pytestmark = [
    pytest.mark.usefixtures("eager"),
    pytest.mark.filterwarnings("ignore::tfqueue.errors.WaitingWarning"),
]


def inputs(epochs=1):
    number = tf.train.range_input_producer(12, num_epochs=epochs, shuffle=False).dequeue()
    return tf.train.batch([number], 4, allow_smaller_final_batch=True)


def interrupted(monkeypatch, call):
    """Calls what waits, and sends this process Ctrl-C once it was said what is waited for."""
    said = []

    def warn(what):
        said.append(what)
        threading.Thread(target=os.kill, args=(os.getpid(), signal.SIGINT)).start()

    with monkeypatch.context() as patched:
        patched.setattr(service, "_warn", warn)
        patched.setattr(service, "WARN_AFTER", 0.1)
        with pytest.raises(KeyboardInterrupt):
            call()
    (what,) = said
    return what


def test_a_wrong_address_is_told_and_the_wait_interrupted(monkeypatch):
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))  # nobody listens there
        address = f"grpc://127.0.0.1:{unused.getsockname()[1]}"
        what = interrupted(monkeypatch, lambda: tfqueue.dataset(inputs, service=address))
    assert address in what
    assert "nothing answers there" in what


def test_what_is_waited_for_is_said_once(monkeypatch):
    said, limits = [], []
    monkeypatch.setattr(service, "_warn", said.append)
    caller = service._Caller(lambda: 7, lambda: "an element")
    answers = caller._answers

    class Answers:
        def get(self, timeout=None):
            limits.append(timeout)
            if timeout is not None:
                raise queue.Empty
            return answers.get()

    caller._answers = Answers()
    assert [caller(), caller()] == [7, 7]
    caller.end()
    assert said == ["an element"]
    assert limits == [service.WARN_AFTER, None, None]


CLIENT = """
import signal, sys
import tfqueue
from tfqueue.dataset import service

signal.signal(signal.SIGINT, signal.default_int_handler)
service.WARN_AFTER = 0.1
with tfqueue.eager():
    import tfqueue.v1 as tf

    def inputs():
        return tf.train.range_input_producer(12).dequeue()

    for _ in tfqueue.dataset(inputs, service=sys.argv[1]):
        pass
"""


def test_a_process_that_waits_for_a_worker_ends_with_ctrl_c():
    with local_service.running(workers=0) as address:
        client = subprocess.Popen(
            [sys.executable, "-c", CLIENT, address], stderr=subprocess.PIPE, text=True
        )
        try:
            for line in client.stderr:
                if "WaitingWarning" in line:
                    client.send_signal(signal.SIGINT)
            assert client.wait() == -signal.SIGINT
        finally:
            client.kill()
            client.wait()
            client.stderr.close()


def test_a_wait_is_warned_of():
    with pytest.warns(errors.WaitingWarning, match="waits for rain. Ctrl-C ends the wait"):
        service._warn("rain")


@pytest.mark.parametrize("address", ["nonsense", "grpc://host", "grpc://host:x", "grpc://:1", ":0"])
def test_what_is_no_address_is_refused(address):
    with pytest.raises(ValueError, match=r"service is 'grpc://host:port', not"):
        tfqueue.dataset(inputs, service=address)


def test_python_functions_cannot_run_in_a_services_workers():
    with pytest.raises(ValueError, match="Python functions run in this process"):
        tfqueue.dataset(inputs, service="grpc://localhost:1", python=True)


@pytest.mark.parametrize("derived", [lambda made: made, lambda made: made.take(5).prefetch(1)])
def test_without_a_worker_the_wait_is_interrupted_and_can_go_on(derived, monkeypatch):
    with local_service.running(workers=0) as address:
        dataset = derived(tfqueue.dataset(inputs, service=address))
        assert isinstance(dataset, tensorflow.data.Dataset)
        iterator = iter(dataset)
        what = interrupted(monkeypatch, lambda: next(iterator))
        assert address in what
        assert "the dispatcher answers" in what
        config = local_service.SERVICE.WorkerConfig(
            dispatcher_address=address.split("://")[1], heartbeat_interval_ms=100
        )
        worker = local_service.SERVICE.WorkerServer(config)
        try:
            came = [number for batch in iterator for number in batch.numpy().tolist()]
        finally:
            worker._stop()
    assert sorted(came) == list(range(12))


def test_a_dead_dispatcher_is_told(monkeypatch):
    with local_service.running(workers=1) as address:
        iterator = iter(tfqueue.dataset(inputs, None, service=address))
        next(iterator)
    what = interrupted(monkeypatch, lambda: [None for _ in iterator])
    assert "its dispatcher does not answer" in what


def threads():
    return [thread for thread in threading.enumerate() if thread.name == "tfqueue dataset"]


def test_an_iterator_that_is_gone_leaves_no_thread():
    with local_service.running() as address:
        dataset = tfqueue.dataset(inputs, service=address)
        gc.collect()
        gc.disable()  # no cycle keeps the iterator
        try:
            assert sum(len(batch) for batch in dataset) == 12
            for _ in dataset:
                break
            for thread in threads():
                thread.join(60)
            assert not threads()
        finally:
            gc.enable()


def test_an_iterator_waits_as_tensorflow_does_inside_of_a_function():
    @tensorflow.function
    def total(dataset):
        found = tensorflow.constant(0)
        for batch in dataset:
            found += tensorflow.reduce_sum(batch)
        return found

    with local_service.running() as address:
        dataset = tfqueue.dataset(inputs, service=address)
        assert total(dataset) == sum(range(12))
        assert int(iter(dataset).get_next()[0]) in range(12)
        elements = iter(dataset)
        for take in (lambda: next(elements), lambda: elements.get_next()):
            assert len(tensorflow.function(take, autograph=False)()) == 4


def test_nothing_is_said_while_elements_come(monkeypatch):
    said = []
    monkeypatch.setattr(service, "_warn", said.append)
    monkeypatch.setattr(service, "WARN_AFTER", 600)
    begin = time.monotonic()
    with local_service.running() as address:
        assert sum(len(batch) for batch in tfqueue.dataset(inputs, service=address)) == 12
    assert not said or time.monotonic() - begin > 600


@pytest.mark.parametrize(
    "shard",
    [(3, 0, 1), (-1, 0), (0, 0), (2,), (2, 2), (2, -1), (2.0, 0), (True, 0), ("2", 0), 3, "20"],
)
@pytest.mark.parametrize("build", [tfqueue.dataset, tfqueue.dataset.source])
def test_what_is_no_shard_is_refused(shard, build):
    with pytest.raises(ValueError, match=r"shard is \(n, i\), the i-th of n parts"):
        build(inputs, shard=shard)


def test_a_shard_may_be_a_list():
    found = [int(n) for batch in tfqueue.dataset(inputs, shard=[3, 1]) for n in batch]
    assert found == [1, 4, 7, 10]


AT_THE_END = """
import os
from tfqueue.dataset import service

service._LEAVE = 60.0

def call():
    os.write(1, b"called\\n")
    os.read(0, 1)
    os.write(1, b"back\\n")

caller = service._Caller(call, str)
caller._asked.put(True)
"""


def test_the_process_does_not_end_before_a_call_has_come_back():
    """Python ends a thread that comes out of C++ after it, and C++ aborts the process for that."""
    process = subprocess.Popen(
        [sys.executable, "-c", AT_THE_END], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    try:
        assert process.stdout.readline() == b"called\n"
        assert process.communicate(b"x", timeout=120)[0] == b"back\n"
        assert process.returncode == 0
    finally:
        process.kill()
        process.wait()


def test_what_waits_at_the_end_is_cancelled(monkeypatch):
    monkeypatch.setattr(service, "_LEAVE", 60.0)
    cancelled = threading.Event()
    caller = service._Caller(cancelled.wait, str, cancelled.set)
    caller._asked.put(True)
    service._leave()
    assert cancelled.is_set()
    assert not [one for one in threading.enumerate() if one.name == "tfqueue dataset"]
    assert service._threads == set()
