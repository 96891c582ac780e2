"""Pipelines whose pictures are kept, to the letter: `python -m tests.draw.looks` draws them anew.

Beside this file, in `looks/`, stand the pictures in characters, and `svg.json` with a digest of each
SVG. Whoever changes how pictures look sees here what became of them.
"""

import hashlib
import json
import pathlib
import sys
from collections.abc import Callable
from typing import Any

import tfqueue
import tfqueue.v1 as tf
from tfqueue import draw, errors
from tfqueue.graph.op_types import StepRequest

FOLDER = pathlib.Path(__file__).parent / "looks"
Drawn = dict[str, Any]
"""What `draw.as_svg` and `draw.as_text` are told beside the pipeline."""


def digits() -> Drawn:
    """The usual one: files, a reader, a shuffled batch, a step that is known."""
    files = [f"/data/{n}.tfrecord" for n in range(5)]
    names = tf.train.string_input_producer(files, num_epochs=2, shuffle=True)
    reader = tf.TFRecordReader()
    key, value = reader.read(names)
    example = tf.parse_single_example(value, {"image": tf.FixedLenFeature([], tf.string)})
    image = tf.cast(tf.reshape(tf.decode_raw(example["image"], tf.uint8), [28, 28]), tf.float32)
    batch = tf.train.shuffle_batch([image, key], 32, 2000, 1000, num_threads=4)
    step = StepRequest(batch[0].graph, batch, [*batch], None, (), ("/home/a.py", 12))
    notes = {"shuffle_batch/random_shuffle_queue": "17 of 2000 there"}
    return {"step": step, "notes": notes, "title": "Digits"}


def training() -> Drawn:
    """Two readers joined, a training step, and a batch that is queued again."""
    names = tf.train.match_filenames_once("/data/*.csv")
    queue = tf.train.string_input_producer(names, shuffle=False)
    readers = [tf.TextLineReader(skip_header_lines=n) for n in (0, 1, 1)]
    rows = [tf.decode_csv(one.read(queue)[1], [[0.0], [0.0]]) for one in readers]
    x, y = tf.train.batch_join(rows, 4, capacity=20, dynamic_pad=False)
    ahead = tf.FIFOQueue(3, [tf.float32, tf.float32], name="ahead")
    tf.train.add_queue_runner(tf.train.QueueRunner(ahead, [ahead.enqueue([x, y])] * 2))
    x, y = ahead.dequeue()
    weight = tf.get_variable("weight", [])
    loss = tf.reduce_mean(tf.square(x * weight - y), name="loss")
    train = tf.train.GradientDescentOptimizer(0.1).minimize(loss, name="train")
    step = StepRequest(x.graph, [train, loss], [train, loss], None, (), None)
    return {"step": step}


def by_hand() -> Drawn:
    """Queues that the program fills itself, one that feeds itself, what is fed and constants."""
    fed = tf.FIFOQueue(9, [tf.float32, tf.int64], [[3], []], name="fed")
    fed.enqueue([tf.placeholder(tf.float32, [3]), tf.placeholder(tf.int64, [])])
    fed.dequeue_many(4, name="four")
    circle = tf.FIFOQueue(2, tf.int32, [[]], name="circle")
    circle.enqueue_many([[0, 10]])
    circle.enqueue(circle.dequeue() + 1)
    constant = tf.PaddingFIFOQueue(7, tf.string, [[None]], name="constant")
    constant.enqueue([["a", "b"]])
    constant.dequeue_up_to(5)
    return {}


def branches() -> Drawn:
    """Several batches in one step, buckets, numbers, and slices."""
    number = tf.train.range_input_producer(7, shuffle=False, num_epochs=1).dequeue()
    one = tf.train.batch([number], 4, name="one", allow_smaller_final_batch=True)
    (row,) = tf.train.slice_input_producer([tf.zeros([10, 3])], shuffle=True, name="rows")
    two = tf.train.shuffle_batch([row], 4, 30, 5, name="two")
    length = tf.train.range_input_producer(9, name="lengths").dequeue()
    bucket = tf.contrib.training.bucket_by_sequence_length
    three = bucket(length, [length], 8, [3, 6])
    tf.group(one, two, *three[1], name="all")
    return {}


def names() -> Drawn:
    """Names that are long, in other letters, and hostile."""
    long = "a_long_name_" * 6
    tf.train.string_input_producer([f"/data/{long}.csv", "队列/一.csv", "<b>&.csv"], name="names")
    tf.FIFOQueue(5, tf.float32, [[]], name=long).dequeue(name=f"{long}_taken")
    return {"notes": {long: "nothing came for 12 s"}, "title": "Names & <letters>"}


def broken() -> Drawn:
    """The op that failed is known."""
    queue = tf.train.string_input_producer(["rows.csv"], shuffle=False)
    reader = tf.TextLineReader()
    columns = tf.decode_csv(reader.read(queue)[1], [[0], [0]], name="columns")
    tf.train.batch(columns, 2)
    op = columns[0].op
    error = tf.errors.InvalidArgumentError(
        op.node_def, op, "Expect 2 fields but have 1 in record 7"
    )
    error.tfqueue_queues = ("batch/fifo_queue",)
    return {"error": error}


def unread() -> Drawn:
    """The reader's file is gone."""
    queue = tf.train.string_input_producer(["none"], shuffle=False)
    value = tf.WholeFileReader().read(queue)[1]
    tf.train.batch([tf.image.decode_jpeg(value, name="decoded")], 2, shapes=[[8, 8, 3]])
    op = value.op
    error = tf.errors.NotFoundError(op.node_def, op, "none; No such file or directory")
    error.tfqueue_queues = ("batch/fifo_queue",)
    return {"error": error}


def wrapped() -> Drawn:
    """A long one, whose rows two arrows cross, with a stage that takes from both."""
    value = tf.TextLineReader().read(tf.train.string_input_producer(["a.csv"], name="names"))[1]
    for stage in range(4):
        value = tf.train.batch([value], 1, enqueue_many=stage > 0, name=f"stage_{stage}")
    sides = [tf.train.batch([value], 2, enqueue_many=True, name=f"side_{n}") for n in range(2)]
    for stage in range(3):
        sides = [
            tf.train.batch([each], 2 + n, enqueue_many=True, name=f"later_{stage}_{n}")
            for n, each in enumerate(sides)
        ]
    tf.concat(sides, 0, name="both")
    return {"title": "Long"}


def conditional() -> Drawn:
    """Enqueues behind a condition, several of one step, and a loop through two queues."""
    queues = [tf.FIFOQueue(9, tf.int32, [[]], name=name) for name in ("even", "odd")]
    number = tf.train.range_input_producer(9, shuffle=False, name="numbers").dequeue()
    with tf.control_dependencies([number]):
        put = tf.cond(
            tf.equal(number % 2, 0), lambda: queues[0].enqueue(1), lambda: queues[1].enqueue(2)
        )
    tf.train.add_queue_runner(tf.train.QueueRunner(queues[0], [put] * 3))
    back = queues[0].enqueue(queues[1].dequeue())
    both = tf.group(queues[0].enqueue(7), queues[1].enqueue(8), name="both")
    queues[0].dequeue_many(4, name="four")
    return {"notes": {"odd": both.name, "even": back.name}}


def failed_inside() -> Drawn:
    """One of many ops failed, in a part that is not shown unless it fails."""
    value = tf.TFRecordReader().read(tf.train.string_input_producer(["a"], shuffle=False))[1]
    raw = tf.decode_raw(value, tf.uint8, name="raw")
    shaped = tf.reshape(raw, [4, 4], name="shaped")
    image = tf.cast(shaped, tf.float32, name="numbers")
    for step in range(6):
        image = tf.multiply(tf.add(image, 1.0, name=f"more{step}"), 2.0, name=f"twice{step}")
    tf.train.batch([image, tf.size(raw)], 2, name="batch")
    op = next(op for op in value.graph.get_operations() if op.name == "twice4")
    error = tf.errors.InvalidArgumentError(op.node_def, op, "it is not so " * 12)
    error.tfqueue_queues = ("batch/fifo_queue",)
    return {"error": error}


def starved() -> Drawn:
    """A step waits for queues whose runners were not started."""
    first = tf.train.batch(
        [tf.train.range_input_producer(5, name="numbers").dequeue()], 4, name="a"
    )
    second = tf.train.batch([tf.zeros([2, 3])], 4, name="b", enqueue_many=True, num_threads=2)
    tf.train.maybe_batch([tf.constant(1)], True, 2, name="kept")
    error = errors.StarvationError("nothing came")
    error.tfqueue_queues = ("a/fifo_queue", "b/fifo_queue")
    error.runner_missing = True
    tf.tuple([first, second], name="pair")
    return {"error": error}


def plain() -> Drawn:
    """A queue, and nothing that is done for each example."""
    tf.FIFOQueue(1, tf.int32, [[]]).dequeue()
    return {}


def nothing() -> Drawn:
    """No queue at all."""
    tf.constant(1)
    return {}


LOOKS: list[Callable[[], Drawn]] = [
    *(digits, training, by_hand, branches, names, broken, unread, plain, nothing),
    *(wrapped, conditional, failed_inside, starved),
]


def drawn(make: Callable[[], Drawn]) -> tuple[str, dict[str, str]]:
    """A pipeline's pictures: in characters, and digests of the others by their kinds."""
    with tf.Graph().as_default() as graph:
        about = make()
    pipeline = tfqueue.pipeline(graph)
    texts = [
        draw.as_text(pipeline, **about),
        draw.as_text(pipeline, opened=True, encoding="ascii", **about),
        draw.as_text(pipeline, columns=50, **about),
        draw.as_text(pipeline, columns=240, **about),
    ]
    others = {
        "svg": draw.as_svg(pipeline, **about),
        "opened svg": draw.as_svg(pipeline, opened=True, **about),
        "html": draw.as_html(pipeline, **about),
        "opened html": draw.as_html(pipeline, opened=True, **about),
    }
    digests = {
        kind: hashlib.sha256(text.encode()).hexdigest()[:16] for kind, text in others.items()
    }
    return "\n\n".join(texts), digests


def main() -> None:
    """Writes the pictures anew."""
    kept = {}
    for make in LOOKS:
        text, kept[make.__name__] = drawn(make)
        (FOLDER / f"{make.__name__}.txt").write_text(text, "utf-8")
    (FOLDER / "svg.json").write_text(json.dumps(kept, indent=1) + "\n")
    sys.stdout.write(f"{len(kept)} pipelines; whoever changed something looks at them now\n")


if __name__ == "__main__":
    main()
