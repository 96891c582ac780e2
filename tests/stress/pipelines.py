"""Random small pipelines whose every element carries a number, so that none can hide."""

import dataclasses
import os
import random

import tfqueue.v1 as tf

READERS = ("tfrecord", "text", "fixed", "whole", "names", "range")
BATCHERS = (
    *("batch", "batch dynamic_pad", "batch_join", "shuffle_batch", "shuffle_batch_join"),
    *("fifo", "padding", "random", "priority"),
)


@dataclasses.dataclass
class Plan:
    """One pipeline, and what a correct reader of it must see.

    Attributes:
      numbers: The numbers in the files, in order.
      files: The files, in order.
      of_file: How many of `numbers` each file holds.
    """

    reader: str
    batcher: str
    threads: int
    epochs: int | None
    batch_size: int
    capacity: int
    numbers: list
    files: list
    of_file: list
    bad: str | None = None

    @property
    def ordered(self):
        """Whether elements come out in the order in which they stand in the files."""
        in_order = ("batch", "batch dynamic_pad", "batch_join", "fifo", "padding")
        return self.threads == 1 and self.batcher in in_order

    def __str__(self):
        epochs = "endless" if self.epochs is None else f"{self.epochs} epochs"
        return f"{self.reader} > {self.batcher} x{self.threads}, {epochs}"


def make(rng, folder):
    """A random `Plan`, its files written to `folder`.

    Args:
      rng: A `random.Random`.
      folder: An empty folder.
    """
    reader = rng.choice(READERS)
    files, of_file, numbers = [], [], []
    for index in range(rng.randint(1, 3)):
        count = 1 if reader in ("whole", "names") else rng.randint(1, 12)
        mine = list(range(len(numbers), len(numbers) + count))
        numbers += mine
        of_file.append(count)
        files.append(os.path.join(folder, f"{index}.{reader}"))
        write(reader, files[-1], [b"%06d" % number for number in mine])
    return Plan(
        reader=reader,
        batcher=rng.choice(BATCHERS),
        threads=rng.choice((1, 1, 2, 3, 4)),
        epochs=rng.choice((1, 1, 2, 3, None)),
        batch_size=rng.randint(1, 5),
        capacity=rng.choice((6, 10, 32)),
        numbers=numbers,
        files=files,
        of_file=of_file,
    )


def write(reader, path, payloads):
    """Writes a file of the kind that `reader` reads."""
    if reader == "tfrecord":
        with tf.python_io.TFRecordWriter(path) as writer:
            for payload in payloads:
                writer.write(payload)
        return
    end = b"\n" if reader == "text" else b""
    with open(path, "wb") as file:
        file.write(b"".join(payload + end for payload in payloads))


def build(plan):
    """Builds the pipeline in the default graph.

    Returns:
      `(batch, reader, queues)`: the batch of numbers, the reader or None, the queues that
      elements wait in, nearest to the batch first.
    """
    number, reader = _element(plan)
    before = len(tf.get_collection(tf.GraphKeys.QUEUE_RUNNERS))
    batch = _batch(plan, number)
    queue = tf.get_collection(tf.GraphKeys.QUEUE_RUNNERS)[before].queue
    return batch, reader, queue


def _element(plan):
    if plan.reader == "range":
        queue = tf.train.range_input_producer(
            len(plan.numbers), num_epochs=plan.epochs, shuffle=False
        )
        return queue.dequeue(), None
    names = tf.train.string_input_producer(plan.files, num_epochs=plan.epochs, shuffle=False)
    if plan.reader == "names":
        name = names.dequeue()
        position = tf.strings.regex_replace(name, r".*/(\d+)\.names$", r"\1")
        return tf.string_to_number(position, tf.int32), None
    reader = {
        "tfrecord": tf.TFRecordReader,
        "text": tf.TextLineReader,
        "fixed": lambda: tf.FixedLengthRecordReader(6),
        "whole": tf.WholeFileReader,
    }[plan.reader]()
    _, value = reader.read(names)
    return tf.string_to_number(value, tf.int32), reader


def _batch(plan, number):
    number = tf.reshape(number, [])
    size, capacity, threads = plan.batch_size, plan.capacity, plan.threads
    common = {"batch_size": size, "capacity": capacity, "allow_smaller_final_batch": True}
    if plan.batcher.startswith("batch"):
        if plan.batcher == "batch_join":
            return tf.train.batch_join([[number]] * threads, **common)
        pad = plan.batcher.endswith("dynamic_pad")
        return tf.train.batch([number], num_threads=threads, dynamic_pad=pad, **common)
    if plan.batcher == "shuffle_batch":
        return tf.train.shuffle_batch([number], min_after_dequeue=3, num_threads=threads, **common)
    if plan.batcher == "shuffle_batch_join":
        return tf.train.shuffle_batch_join([[number]] * threads, min_after_dequeue=3, **common)
    queue = {
        "fifo": lambda: tf.FIFOQueue(capacity, tf.int32, [[]]),
        "padding": lambda: tf.PaddingFIFOQueue(capacity, [tf.int32], [[]]),
        "random": lambda: tf.RandomShuffleQueue(capacity, 2, tf.int32, [[]]),
        "priority": lambda: tf.PriorityQueue(capacity, tf.int32, [[]]),
    }[plan.batcher]()
    if plan.batcher == "priority":
        enqueue = queue.enqueue([tf.cast(number, tf.int64), number])
        # One at a time: TensorFlow's PriorityQueue drops a smaller last batch, then as now.
        batch = queue.dequeue_many(1)[1]
    else:
        enqueue = queue.enqueue(number)
        batch = queue.dequeue_up_to(size)
    tf.train.add_queue_runner(tf.train.QueueRunner(queue, [enqueue] * threads))
    return batch


def rng_of(seed):
    """The generator of a seed."""
    return random.Random(seed)
