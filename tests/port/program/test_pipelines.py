"""Which calls are those of an input pipeline, and how they are told."""

import pytest

from tfqueue.port.program import pipelines
from tfqueue.port.program.module import Module

KINDS = {
    "source": [
        *(
            "train.string_input_producer",
            "train.slice_input_producer",
            "train.range_input_producer",
        ),
        *("train.limit_epochs", "train.input_producer", "train.match_filenames_once"),
    ],
    "reader": [
        *("TFRecordReader", "TextLineReader", "WholeFileReader", "FixedLengthRecordReader"),
        *("IdentityReader", "LMDBReader", "io.TFRecordReader"),
    ],
    "parse": [
        *("parse_example", "parse_single_example", "io.parse_single_sequence_example"),
        *("decode_raw", "decode_csv", "io.decode_jpeg", "image.decode_png", "image.decode_image"),
        "image.convert_image_dtype",
    ],
    "queue": [
        *("FIFOQueue", "RandomShuffleQueue", "queue.PaddingFIFOQueue", "PriorityQueue"),
        "train.QueueRunner",
    ],
    "batch": [
        *(
            "train.batch",
            "train.batch_join",
            "train.shuffle_batch",
            "train.maybe_shuffle_batch_join",
        ),
        *("contrib.training.bucket_by_sequence_length", "contrib.training.stratified_sample"),
    ],
    "start": [
        *("train.start_queue_runners", "train.Supervisor", "train.MonitoredTrainingSession"),
        *(
            "train.MonitoredSession",
            "train.SingularMonitoredSession",
            "contrib.slim.learning.train",
        ),
        "contrib.slim.queues.QueueRunners",
    ],
}


@pytest.mark.parametrize(
    ("kind", "name"), [(kind, name) for kind, names in KINDS.items() for name in names]
)
def test_each_call_has_its_kind(kind, name):
    text = f"import tensorflow as tf\n\ntf.{name}(x)\ntf.{name}s_of_mine(x)\n{name}(x)\n"
    (found,) = pipelines.find(Module(text), [*range(10, 20)])
    assert found.function == "<module>"
    assert found.calls[0] == (kind, name.rpartition(".")[2], 12)
    text = f"import other as tf\n\ntf.{name}(x)\n"
    assert pipelines.find(Module(text), [*range(10, 20)]) == []


def test_they_are_told_by_function_in_the_order_of_their_calls():
    text = (
        "import tensorflow as tf\ndef f(q):\n    return tf.train.batch([\n"
        "        tf.decode_raw(tf.TextLineReader().read(q), tf.uint8)], 2)\n"
        "def g():\n    tf.train.start_queue_runners()\nx = f(tf.train.string_input_producer(['a']))\n"
    )
    found = pipelines.find(Module(text), [1, 2, 3, 4, 5, 6, 7])
    assert sorted(map(str, found)) == [
        "<module>: string_input_producer (7)",
        "f: TextLineReader (4) -> decode_raw (4) -> batch (3)",
        "g: start_queue_runners (6)",
    ]
