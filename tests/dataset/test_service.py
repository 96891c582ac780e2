"""Lifted pipelines on the tf.data service: a dispatcher and two workers, on loopback only."""

import os
import subprocess
import sys

import numpy as np
import pytest
import tensorflow

import tfqueue
import tfqueue.v1 as tf
from tfqueue import errors
from tfqueue.dataset import function, make, plan, program

SERVICE = tensorflow.data.experimental.service
FILES, LINES = 6, 5


@pytest.fixture(autouse=True)
def eager():
    with tfqueue.eager():
        yield


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


@pytest.mark.parametrize("smaller", [True, False])
@pytest.mark.parametrize("old_inputs", [in_batches, in_padded_batches, in_sparse_batches])
def test_only_what_all_workers_have_left_fills_no_batch(old_inputs, smaller, files, monkeypatch):
    monkeypatch.setitem(program._ROWS, plan.Serve, two_workers)
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
    monkeypatch.setitem(program._ROWS, plan.Serve, two_workers)
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

    made, _ = make.planned(function.call(two_streams, (), {}), service="grpc://nowhere:1")
    assert isinstance(made, plan.Serve)


def test_without_an_end_the_workers_do_everything(files, dispatcher):
    with_end = function.call(inputs, (files,), {})
    without = function.call(inputs, (files, None), {})
    address = dispatcher.target
    assert not isinstance(make.planned(with_end, service=address)[0], plan.Serve)
    served, _ = make.planned(without, service=address)
    assert isinstance(served, plan.Serve)
    # How many examples they have under way is theirs to find out.
    steps = [node for node in plan.walk(served) if isinstance(node, plan.Apply)]
    assert [step.parallel for step in steps] == [None, None]


def test_data_parallel_each_worker_gives_all(files, dispatcher, workers):
    dataset = tfqueue.dataset(inputs, files).apply(
        SERVICE.distribute(SERVICE.ShardingPolicy.OFF, dispatcher.target)
    )
    assert numbers(dataset) == sorted([*range(FILES * LINES)] * 2)


WORKER = """
import sys
import tensorflow as tf
service = tf.data.experimental.service
worker = service.WorkerServer(
    service.WorkerConfig(dispatcher_address=sys.argv[1], heartbeat_interval_ms=100)
)
print("ready", flush=True)
worker.join()
"""


def test_training_goes_on_when_a_worker_is_killed(files, dispatcher):
    address = dispatcher.target.split("://")[1]
    environment = os.environ | {"TF_CPP_MIN_LOG_LEVEL": "3"}
    process = subprocess.Popen(
        [sys.executable, "-c", WORKER, address], stdout=subprocess.PIPE, env=environment, text=True
    )
    try:
        assert process.stdout.readline() == "ready\n"
        staying = started(dispatcher)
        assert dispatcher._num_workers() == 2
        model = tensorflow.keras.Sequential([tensorflow.keras.layers.Dense(1)])
        model.compile("sgd", "mse")

        def pairs(files):
            number = tf.cast(inputs(files, num_epochs=None), tf.float32) / 30
            return tf.expand_dims(number, 1), number

        dataset = tfqueue.dataset(pairs, files, service=dispatcher.target)
        killed = tensorflow.keras.callbacks.LambdaCallback(
            on_epoch_end=lambda epoch, logs: process.kill() if epoch == 0 else None
        )
        history = model.fit(
            dataset, epochs=3, steps_per_epoch=40, verbose=0, shuffle=False, callbacks=[killed]
        )
        assert process.wait(20) == -9
        assert len(history.history["loss"]) == 3
        assert model.optimizer.iterations == 120
        staying._stop()
    finally:
        process.kill()
        process.wait(20)
        process.stdout.close()
