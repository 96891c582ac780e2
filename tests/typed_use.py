"""How a typed program uses tfqueue; mypy reads it (`make lint`), nobody runs it."""

import pathlib
import sys
from typing import Any

import numpy as np
from typing_extensions import assert_type

import tfqueue
import tfqueue.v1 as tf
from tfqueue import errors, records
from tfqueue.draw import Picture
from tfqueue.draw.pipeline import DrawnPipeline
from tfqueue.session import ManagedSession


def old_inputs(path: str, batch: int = 8) -> Any:
    names = tf.train.string_input_producer([path], num_epochs=1)
    key, line = tf.TextLineReader().read(names)
    return tf.train.batch([key, line], batch)


def sessions() -> None:
    fetches = old_inputs("a.csv")
    with tfqueue.managed_session(chunks=False, init_feed_dict={}, max_wait_secs=10) as sess:
        assert_type(sess, ManagedSession)
        for step in sess.batches(fetches, steps=10):
            print(step, sess.should_stop(), sess.pipeline)
    picture = tfqueue.pipeline(tf.get_default_graph()).draw()
    assert_type(picture, Picture | None)
    assert_type(tfqueue.pipeline(), DrawnPipeline)
    with tfqueue.watch(live=False, report=pathlib.Path("r.html"), stream=sys.stderr) as seen:
        seen.failed(errors.TFQueueError("why"))


def names_of_tensorflow_1(x: Any) -> None:
    tf.train.AdamOptimizer(0.1).minimize(x)
    tf.layers.dense(tf.placeholder(tf.float32, [None, 3]), 4)
    tf.contrib.slim.fully_connected(x, tf.flags.FLAGS.units)
    assert_type(tf.gfile.Glob("*.csv"), Any)


def datasets() -> None:
    with tfqueue.eager():
        for batch in tfqueue.dataset(old_inputs, "a.csv", batch=4, shard=(2, 0)):
            print(batch)
        program = tfqueue.dataset.source(old_inputs, "a.csv")
    assert_type(program.arrays, dict[str, Any])
    pathlib.Path("new.py").write_text(program)


def files() -> None:
    assert_type(records.write("a.tfrecord", [{"n": 1}], shards=2), list[str])
    for example in records.examples(["a.tfrecord", pathlib.Path("b.tfrecord")]):
        print(np.asarray(example["n"]).sum())
    report = records.verify("a.tfrecord")
    assert_type(report.first_bad, int | None)
    saved = records.salvage("a.tfrecord", "b.tfrecord")
    assert_type(saved.lost_bytes, int)
    assert_type(records.schema("a.tfrecord", sample=True).code(), str)
    try:
        list(records.read("a.tfrecord"))
    except records.DamagedRecordError as error:
        assert_type(error.offset, int)
