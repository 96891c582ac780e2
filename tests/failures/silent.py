"""Rows of silent damage, and of what is fine and must stay so."""

from __future__ import annotations

import tfqueue
import tfqueue.v1 as tf
from tfqueue import errors

from .kit import Stage, row


def _range(limit, **kwargs):
    return tf.train.range_input_producer(limit, shuffle=False, **kwargs)


@row(
    "correct_program",
    gives=(10, 40),
    fine_today="a control; its noise is tested in a process of its own",
)
def correct(stage: Stage):
    found = stage.run(stage.shuffled(stage.numbers()))
    return len(found), len({value for batch in found for value in batch})


@row(
    "split_example",
    warns=errors.SplitExampleWarning,
    says=(
        "two runs fetched parts of one example",
        "ReaderReadV2",
        "executed twice",
        "one sess.run",
    ),
    ways=("plain", "managed"),
)
def parts_by_two_runs(stage: Stage):
    features = {
        "image": tf.FixedLenFeature([], tf.string),
        "label": tf.FixedLenFeature([], tf.int64),
    }
    found = tf.parse_single_example(stage.records(stage.examples(), None), features)
    image = tf.decode_raw(found["image"], tf.float32)
    with tfqueue.managed_session() if stage.way == "managed" else tf.Session() as sess:
        if stage.way != "managed":
            tf.train.start_queue_runners(sess)
        for _ in range(4):
            sess.run(image)
            sess.run(found["label"])


@row(
    "unpaired_shuffles",
    warns=errors.UnpairedShuffleWarning,
    says=("'images' and 'labels'", "10 elements", "slice_input_producer", "same seed"),
)
def two_shuffled_producers(stage: Stage):
    names = [str(number) for number in range(10)]
    image = tf.train.string_input_producer(names, num_epochs=1, name="images").dequeue()
    label = tf.train.string_input_producer(names, num_epochs=1, name="labels").dequeue()
    stage.run(tf.train.batch([image, label], 5))


@row(
    "two_dequeues",
    warns=errors.TwoDequeuesWarning,
    says=("2 dequeue ops of FIFOQueue 'numbers'", "arbitrary order", "silent.py"),
)
def two_dequeues(stage: Stage):
    numbers = _range(10, num_epochs=1, name="numbers")
    pairs = stage.run([numbers.dequeue(), numbers.dequeue()])
    assert sorted(int(n) for pair in pairs for n in pair) == list(range(10))


@row(
    "two_dequeues",
    warns=errors.TwoDequeuesWarning,
    says=("2 dequeue ops of FIFOQueue 'numbers'",),
)
def two_dequeues_in_a_runner(stage: Stage):
    numbers = _range(8, num_epochs=1, name="numbers")
    stage.run(tf.train.batch([numbers.dequeue(), numbers.dequeue()], 2))


@row(
    "eager_cond",
    warns=errors.EagerCondWarning,
    says=("tf.cond", "'training/fifo_queue'", "'validation/fifo_queue'", "outside its branches"),
)
def cond_of_two_batches(stage: Stage):
    training = tf.train.batch([_range(100).dequeue()], 4, name="training")
    validation = tf.train.batch([100 + _range(20).dequeue()], 4, name="validation")
    flag = tf.Variable(True, trainable=False)
    stage.run(tf.cond(flag, lambda: training, lambda: validation), 3)


@row(
    "dropped_batch",
    warns=errors.DroppedElementsWarning,
    says=(
        "2 of 10 examples were dropped by batch (batch_size 4)",
        "allow_smaller_final_batch=True keeps them",
    ),
    gives=[[0, 1, 2, 3], [4, 5, 6, 7]],
)
def last_batch_dropped(stage: Stage):
    found = stage.run(tf.train.batch([_range(10, num_epochs=1).dequeue()], 4))
    return [batch.tolist() for batch in found]


@row(
    "monitored_missing_file",
    raises=tf.errors.NotFoundError,
    says=("nope.tfrecord",),
    ways=("plain",),
    fine_today="as the list says",
)
def monitored(stage: Stage):
    batch = stage.shuffled(stage.missing())
    tf.train.get_or_create_global_step()
    with tf.train.MonitoredTrainingSession() as sess:
        while not sess.should_stop():
            sess.run(batch)


@row(
    "supervisor_missing_file",
    raises=tf.errors.NotFoundError,
    says=("nope.tfrecord",),
    ways=("plain",),
    fine_today="as the list says",
)
def supervisor(stage: Stage):
    batch = stage.shuffled(stage.missing())
    watcher = tf.train.Supervisor(logdir=None, summary_op=None, global_step=None)
    with watcher.managed_session() as sess:
        while not watcher.should_stop():
            sess.run(batch)


@row("one_inter_op_thread", gives=10, ways=("plain",), fine_today="as the list says")
def one_inter_op_thread(stage: Stage):
    batch = stage.shuffled(stage.numbers())
    config = tf.ConfigProto(inter_op_parallelism_threads=1, intra_op_parallelism_threads=1)
    with tf.Session(config=config) as sess:
        sess.run(tf.local_variables_initializer())
        return len(stage.textbook(sess, batch))
