"""Lifted pipelines on the tf.data service: a dispatcher and two workers, on loopback only."""

import contextlib
import itertools
import os
import signal
import types

import numpy as np
import pytest
import tensorflow

import tfqueue
import tfqueue.v1 as tf
from tests.suite import children, processes
from tfqueue import errors
from tfqueue.dataset import conversion, old_inputs, plan, program, service

# Where a machine is busy the first element may take longer than it takes the client to tell so.
pytestmark = [
    pytest.mark.slow,
    pytest.mark.usefixtures("eager"),
    pytest.mark.filterwarnings("ignore::tfqueue.errors.WaitingWarning"),
]

SERVICE = tensorflow.data.experimental.service
FILES, LINES = 6, 5


@pytest.fixture
def files(tmp_path):
    paths = []
    for k in range(FILES):
        path = tmp_path / f"{k}.txt"
        path.write_text("".join(f"{k * LINES + i}\n" for i in range(LINES)))
        paths.append(str(path))
    return paths


def inputs_of(files):
    names = tf.train.string_input_producer(files, num_epochs=1)
    return tf.string_to_number(tf.TextLineReader().read(names)[1], tf.int32)


def inputs(files, num_epochs=1, batch_size=4):
    """The numbers 0 to 29, mixed."""
    names = tf.train.string_input_producer(files, num_epochs=num_epochs)
    number = tf.string_to_number(tf.TextLineReader().read(names)[1], tf.int32)
    return tf.train.shuffle_batch(
        [number], batch_size, 20, 10, allow_smaller_final_batch=num_epochs is not None
    )


def started(dispatcher):
    return SERVICE.WorkerServer(
        SERVICE.WorkerConfig(
            dispatcher_address=dispatcher.target.split("://")[1], heartbeat_interval_ms=100
        )
    )


@pytest.fixture
def dispatcher():
    made = SERVICE.DispatchServer(SERVICE.DispatcherConfig(worker_timeout_ms=1000))
    yield made
    made._stop()


@pytest.fixture
def workers(dispatcher):
    made = [started(dispatcher) for _ in range(2)]
    yield made
    for worker in made:
        worker._stop()


def numbers(dataset):
    return sorted(np.concatenate([batch.numpy() for batch in dataset]).tolist())


@pytest.mark.parametrize("epochs", [1, 2])
def test_sharded_each_example_comes_once_an_epoch(epochs, files, dispatcher, workers):
    dataset = tfqueue.dataset(inputs, files, num_epochs=epochs, service=dispatcher.target)
    assert numbers(dataset) == sorted([*range(FILES * LINES)] * epochs)


def in_batches(files, smaller):
    batch = tf.train.batch([inputs_of(files)], 4, allow_smaller_final_batch=smaller)
    return batch if smaller else tf.reshape(batch, [4])


def in_padded_batches(files, smaller):
    number = inputs_of(files)
    less = number - tf.range(number % 7 + 1)
    return tf.train.batch([less], 4, dynamic_pad=True, allow_smaller_final_batch=smaller)


def in_sparse_batches(files, smaller):
    number = inputs_of(files)
    sparse = tf.sparse.from_dense(tf.stack([number, number % 2, 1]))
    batch = tf.train.batch([sparse, number], 4, allow_smaller_final_batch=smaller)
    return batch[1], tf.sparse.to_dense(batch[0])


def first(batch):
    """The component of a batch that has the numbers."""
    return (batch[0] if isinstance(batch, tuple) else batch).numpy()


def two_workers(writer, node):
    """What the service gives, but for sure with a share of the rows for each."""
    rows = [each for each in plan.walk(node) if isinstance(each, plan.Rows)]
    shares = []
    for shard in ((2, 0), (2, 1)):
        for each in rows:
            each.shard = shard
        shares.append(writer.node(node.source))
    turns = "tf.data.Dataset.range(2).repeat()"
    both = f"tf.data.Dataset.choose_from_datasets([{', '.join(shares)}], {turns}, False)"
    return writer.let("served", both)


def without_a_service(monkeypatch):
    """Lets shares of the rows stand for a service, to which nothing is connected."""
    monkeypatch.setitem(program._ROWS, plan.Serve, two_workers)
    monkeypatch.setattr(service, "wait_for_dispatcher", lambda address: None)


@pytest.mark.parametrize("smaller", [True, False])
@pytest.mark.parametrize("old_inputs", [in_batches, in_padded_batches, in_sparse_batches])
def test_only_what_all_workers_have_left_fills_no_batch(old_inputs, smaller, files, monkeypatch):
    without_a_service(monkeypatch)
    batches = list(tfqueue.dataset(old_inputs, files, smaller, service="grpc://nowhere:1"))
    count, rest = divmod(FILES * LINES, 4)
    assert [len(first(batch)) for batch in batches] == [4] * count + [rest] * smaller
    if old_inputs is in_padded_batches:
        came = [row[0] for batch in batches for row in first(batch)]
        widths = [max(row[0] % 7 for row in first(batch)) + 1 for batch in batches]
        assert [first(batch).shape[1] for batch in batches] == widths
    else:
        came = [number for batch in batches for number in first(batch)]
    assert len(set(came)) == len(came)
    assert set(came) <= set(range(FILES * LINES))
    if old_inputs is in_sparse_batches:
        for numbers, dense in batches:
            assert dense.numpy()[:, 0].tolist() == numbers.numpy().tolist()


def test_no_example_is_left_out_but_those_of_the_last_batch(files, dispatcher, workers):
    dataset = tfqueue.dataset(in_batches, files, False, service=dispatcher.target)
    assert dataset.element_spec.shape.as_list() == [4]
    assert len(set(numbers(dataset))) == FILES * LINES // 4 * 4


def nested(files):
    return tf.train.batch([tf.train.batch([inputs_of(files)], 2)], 3)


def sorted_out(files):
    number = inputs_of(files)
    batch = tf.contrib.training.bucket([number], number % 2, 5, 2)[1]
    return tf.reshape(batch, [5])


@pytest.mark.parametrize("old_inputs", [nested, sorted_out])
def test_whole_batches_of_batches_are_all_there(old_inputs, files, monkeypatch):
    without_a_service(monkeypatch)
    batches = list(tfqueue.dataset(old_inputs, files, service="grpc://nowhere:1"))
    came = [int(number) for batch in batches for number in np.ravel(batch.numpy())]
    assert sorted(came) == list(range(FILES * LINES))


def zipped(files):
    return inputs_of(files), tf.train.range_input_producer(30, num_epochs=1).dequeue()


def two_consumers(files):
    number = inputs_of(files)
    return tf.train.batch_join([[number], [number + 1]], 2)


@pytest.mark.parametrize(
    ("old_inputs", "reason"), [(zipped, "taken together"), (two_consumers, "several consumers")]
)
def test_what_workers_would_lose_is_refused(old_inputs, reason, files):
    with pytest.raises(errors.CannotLiftError, match=reason):
        tfqueue.dataset(old_inputs, files, service="grpc://nowhere:1")


def test_mixed_streams_without_end_are_paired_by_the_workers(files):
    def two_streams():
        return inputs(files, None), inputs(files[:2], None)

    made, _ = conversion.planned(old_inputs.call(two_streams, (), {}), service="grpc://nowhere:1")
    assert isinstance(made, plan.Serve)


def test_without_an_end_the_workers_do_everything(files, dispatcher):
    with_end = old_inputs.call(inputs, (files,), {})
    without = old_inputs.call(inputs, (files, None), {})
    address = dispatcher.target
    assert not isinstance(conversion.planned(with_end, service=address)[0], plan.Serve)
    served, _ = conversion.planned(without, service=address)
    assert isinstance(served, plan.Serve)
    # How many examples they have under way is theirs to find out.
    steps = [node for node in plan.walk(served) if isinstance(node, plan.Apply)]
    assert [step.parallel for step in steps] == [None, None]


def test_data_parallel_each_worker_gives_all(files, dispatcher, workers):
    dataset = tfqueue.dataset(inputs, files).apply(
        SERVICE.distribute(SERVICE.ShardingPolicy.OFF, dispatcher.target)
    )
    assert numbers(dataset) == sorted([*range(FILES * LINES)] * 2)


# Forks a worker of the service for each dispatcher and port, and prints its process id and port.
WORKERS = """
import os, signal, sys
import tensorflow as tf
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
service = tf.data.experimental.service
for line in iter(sys.stdin.readline, ""):
    if not os.fork():
        address, port = line.split()
        worker = service.WorkerServer(
            service.WorkerConfig(
                dispatcher_address=address, port=int(port), heartbeat_interval_ms=100
            )
        )
        print(os.getpid(), worker._address.rpartition(":")[2], flush=True)
        worker.join()
"""


@pytest.fixture(scope="module")
def forks():
    with contextlib.ExitStack() as ended:
        orders, stdin = os.pipe()
        stdout, answers = os.pipe()
        said = ended.enter_context(os.fdopen(stdout))
        child = ended.enter_context(children.started(["-c", WORKERS], files=(orders, answers, 2)))
        os.close(orders)
        os.close(answers)
        with os.fdopen(stdin, "w") as told:
            yield types.SimpleNamespace(stdin=told, stdout=said)
        assert child.wait() == 0


@pytest.fixture
def spawned(dispatcher, forks):
    """Starts a worker in a process of its own, at a port or a free one; its process id and port."""
    pids = []

    def start(port=None):
        port = port or processes.free_ports(1)[0]  # none that is given to another meanwhile
        print(dispatcher.target.split("://")[1], port, file=forks.stdin, flush=True)
        pid, port = map(int, forks.stdout.readline().split())
        pids.append(pid)
        return pid, port

    yield start
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def killed_in_turns(spawned, elements, between):
    """The elements of an iterator, while each of two workers is killed once and started again."""
    workers = [spawned(), spawned()]
    for pid, port in workers:
        yield from itertools.islice(elements, between)
        os.kill(pid, signal.SIGKILL)
        spawned(port)
    yield from elements


MANY = 4000


def rows_in_batches(num_epochs, shuffle=False):
    number = tf.train.range_input_producer(MANY, num_epochs, shuffle=shuffle).dequeue()
    return tf.train.batch([number * 1], 5, allow_smaller_final_batch=True)


@pytest.mark.xdist_group("children")
def test_what_a_killed_worker_had_is_lost_and_nothing_else(dispatcher, spawned):
    dataset = tfqueue.dataset(rows_in_batches, 1, service=dispatcher.target)
    batches = killed_in_turns(spawned, iter(dataset), 20)
    came = [int(number) for batch in batches for number in batch]
    assert len(set(came)) == len(came)
    # Some hundreds of rows are with the workers and the client at once, all of the first half.
    lost = set(range(MANY)) - set(came)
    assert not lost & set(range(MANY // 2, MANY))
    assert len(came) >= 200


@pytest.mark.xdist_group("children")
def test_a_killed_worker_has_not_taken_rows_in_order_to_shuffle_them(dispatcher, spawned):
    """Else each of two workers would take half of all rows at once, and lose them."""
    dataset = tfqueue.dataset(rows_in_batches, 1, True, service=dispatcher.target)
    batches = killed_in_turns(spawned, iter(dataset), 20)
    came = [int(number) for batch in batches for number in batch]
    assert len(set(came)) == len(came)
    assert len(came) > MANY // 2
    assert came != sorted(came)


@pytest.mark.xdist_group("children")
def test_without_an_end_what_was_lost_comes_in_the_next_epoch(dispatcher, spawned):
    dataset = tfqueue.dataset(rows_in_batches, None, service=dispatcher.target)
    missing = set(range(MANY))
    for batch in killed_in_turns(spawned, iter(dataset), 20):
        missing -= set(batch.numpy().tolist())
        if not missing:
            break
    assert not missing


@pytest.mark.xdist_group("children")
def test_training_goes_on_when_each_worker_is_killed(files, dispatcher, spawned):
    workers = [spawned(), spawned()]
    model = tensorflow.keras.Sequential([tensorflow.keras.layers.Dense(1)])
    model.compile("sgd", "mse")

    def pairs(files):
        number = tf.cast(inputs(files, num_epochs=None), tf.float32) / 30
        return tf.expand_dims(number, 1), number

    def replace(epoch, logs):
        if epoch < 2:
            pid, port = workers[epoch]
            os.kill(pid, signal.SIGKILL)
            spawned(port)

    dataset = tfqueue.dataset(pairs, files, service=dispatcher.target)
    callback = tensorflow.keras.callbacks.LambdaCallback(on_epoch_end=replace)
    history = model.fit(
        dataset, epochs=4, steps_per_epoch=40, verbose=0, shuffle=False, callbacks=[callback]
    )
    assert len(history.history["loss"]) == 4
    assert model.optimizer.iterations == 160
