"""Rows of the building calls, of names, and of the loop that goes on building."""

from __future__ import annotations

import threading

import tfqueue.v1 as tf
from tfqueue import errors

from .kit import Stage, row

_ONCE = ("plain",)


@row(
    "capacity_below_min",
    raises=ValueError,
    says=("capacity 20", "min_after_dequeue 100"),
    ways=_ONCE,
    fine_today="as the list says",
)
def capacity_too_small(stage: Stage):
    tf.train.shuffle_batch([stage.records(stage.numbers())], 4, 20, 100)


@row("batch_above_capacity", gives=[40], fine_today="as the list says")
def batch_larger_than_the_queue(stage: Stage):
    found = stage.run(tf.train.batch([stage.records(stage.numbers())], 40, capacity=8))
    return [len(batch) for batch in found]


@row(
    "name_not_list",
    raises=ValueError,
    says=("must be a list of names", "did you mean ['"),
    ways=_ONCE,
)
def one_name_for_a_list(stage: Stage):
    tf.train.string_input_producer(stage.numbers())


@row("no_files", raises=ValueError, says=("the list of files is empty", "*.nope"), ways=_ONCE)
def no_files(stage: Stage):
    tf.train.string_input_producer(tf.gfile.Glob(str(stage.folder / "*.nope")))


@row(
    "unknown_shape",
    raises=ValueError,
    says=("DecodeJpeg", "building.py", "lost its shape", "set_shape", "dynamic_pad=True"),
    ways=_ONCE,
)
def shape_not_known(stage: Stage):
    image = tf.cast(tf.image.decode_jpeg(stage.records(stage.numbers())), tf.float32)
    tf.train.batch([image], 4)


@row("int64_shape", gives=[[0, 1], [2, 3], [4, 5], [6, 7]], fine_today="as the list says")
def int64_in_a_shape(stage: Stage):
    number = tf.train.range_input_producer(4, num_epochs=1, shuffle=False).dequeue()
    size = tf.constant([2], tf.int64)
    pair = tf.reshape(tf.stack([2 * number, 2 * number + 1]), size)
    pair.set_shape([2])
    found = stage.run(tf.train.batch([pair], 4))
    return found[0].tolist()


@row(
    "growing_graph",
    warns=errors.GrowingGraphWarning,
    says=("building.py", "Add", "graph.finalize()"),
)
def ops_made_in_the_loop(stage: Stage):
    x = tf.constant(1)
    with tf.Session() as sess:
        for number in range(40):
            sess.run(x + number)


@row(
    "finalized_graph", raises=RuntimeError, says=("finalized", "Mul op", "building.py"), ways=_ONCE
)
def finalized(stage: Stage):
    x = tf.constant(1)
    with tf.Session() as sess:
        sess.graph.finalize()
        sess.run(tf.multiply(x, x))


@row("eager_mode", gives=False, ways=_ONCE, original="tensorflow")
def eager_is_off(stage: Stage):
    found = []
    # Not in this one, whose mode is that of the test's graph.
    thread = threading.Thread(target=lambda: found.append(tf.executing_eagerly()))
    thread.start()
    thread.join()
    return found[0]


@row("gone_from_v2", gives=True, ways=_ONCE, original="tensorflow")
def the_names_are_there(stage: Stage):
    return all(
        callable(getattr(tf.train, name))
        for name in ("string_input_producer", "shuffle_batch", "batch", "start_queue_runners")
    )


@row("gone_from_compat", gives=True, ways=_ONCE)
def names_from_before_1_0(stage: Stage):
    names = ("pack", "mul", "batch_matmul", "concat_v2", "initialize_all_variables")
    return all(callable(getattr(tf, name)) for name in names)


@row(
    "gone_from_compat",
    raises=AttributeError,
    says=("tf.estimator.BoostedTreesClassifier is gone", "model function"),
    ways=_ONCE,
)
def gone_for_good(stage: Stage):
    return tf.estimator.BoostedTreesClassifier
