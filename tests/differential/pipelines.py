"""Random pipelines: what one is made of, how it is built and run, and what counts as the same.

Everything but the strategy takes the TensorFlow namespace as an argument, so that the original runs
the same programs.
"""

from __future__ import annotations

import collections
import dataclasses
import os
import pathlib
from typing import Any

import numpy as np

TFRECORD, TEXT, FIXED, WHOLE = "tfrecord", "text", "fixed", "whole"
NAMES, SLICES, RANGE = "names", "slices", "range"
READERS = (TFRECORD, TEXT, FIXED, WHOLE)
SOURCES = (*READERS, NAMES, SLICES, RANGE)
ONE_A_FILE = (WHOLE, NAMES)

ELEMENTWISE = ("square", "text", "assertion", "variable", "gather")
OPS = (*ELEMENTWISE, "cond", "while", "python", "matrix", "map", "one_hot")

SHUFFLING = ("shuffle_batch", "shuffle_batch_join", "random")
JOINING = ("batch_join", "shuffle_batch_join")
FILTERING = ("maybe_batch", "masked")
OWN = ("fifo", "padding", "random", "one")
BATCHERS = ("batch", "dynamic_pad", *JOINING, "shuffle_batch", *FILTERING, *OWN)


@dataclasses.dataclass(frozen=True)
class Middle:
    """A queue between the reader and the batch.

    Attributes:
        kind: `fifo`, `padding` or `random`.
        capacity: Elements that it holds.
        threads: Threads that put elements.
    """

    kind: str
    capacity: int
    threads: int


@dataclasses.dataclass(frozen=True)
class Pipeline:
    """One pipeline. Its elements are numbers from 0, each with a value that is computed from it.

    Attributes:
        source: What the numbers are read with, of `SOURCES`.
        counts: How many numbers each file holds; of a source without files, how many there are.
        epochs: How often they are read; None for without end.
        seed: The seed with which files or rows are shuffled; None if they are not.
        source_capacity: Elements that the producer's queue holds.
        at_once: Records that a reader is asked for at once; 0 for one by `read`.
        before: Ops on the value in front of the middle queue, of `OPS`.
        middle: The middle queue, if there is one.
        after: Ops behind it.
        batcher: What makes batches, of `BATCHERS`.
        threads: Threads that put elements into the batch's queue; of a join, its readers.
        batch_size: Elements in a batch.
        capacity: Elements that the batch's queue holds.
        least: Elements that stay in a shuffling queue.
        smaller: Whether the last batch may be smaller.
    """

    source: str
    counts: tuple[int, ...]
    epochs: int | None
    seed: int | None
    source_capacity: int
    at_once: int
    before: tuple[str, ...]
    middle: Middle | None
    after: tuple[str, ...]
    batcher: str
    threads: int
    batch_size: int
    capacity: int
    least: int
    smaller: bool

    @classmethod
    def of(cls, fields: dict[str, Any]) -> Pipeline:
        """What `dataclasses.asdict` made a dict of, also if that has been JSON since."""
        fields = {
            name: tuple(value) if isinstance(value, list) else value
            for name, value in fields.items()
        }
        return cls(**{**fields, "middle": fields["middle"] and Middle(**fields["middle"])})

    @property
    def ordered(self) -> bool:
        """Whether TensorFlow gives the elements an order."""
        mixed = self.middle and (self.middle.kind == "random" or self.middle.threads > 1)
        return self.threads == 1 and self.batcher not in SHUFFLING and not mixed

    @property
    def numbers(self) -> list[int]:
        """The numbers of all epochs that come into the batch's queue."""
        every = range(sum(self.counts))
        kept = [number for number in every if self.batcher not in FILTERING or number % 3]
        return kept * (self.epochs or 1)

    @property
    def steps(self) -> int | None:
        """The steps to run; None for as many as there are."""
        if self.epochs is not None:
            return None
        return 2 + 2 * len(self.numbers) // self.batch_size


def write(pipeline: Pipeline, folder: pathlib.Path) -> None:
    """Writes the files that a pipeline reads."""
    import tfqueue

    number = 0
    for index, count in enumerate(pipeline.counts):
        payloads = [b"%06d" % each for each in range(number, number + count)]
        number += count
        path = folder / f"{index}.{pipeline.source}"
        if pipeline.source == TFRECORD:
            tfqueue.records.write(path, payloads)
        elif pipeline.source in READERS:
            end = b"\n" if pipeline.source == TEXT else b""
            path.write_bytes(b"".join(payload + end for payload in payloads))


def build(tf: Any, pipeline: Pipeline, folder: str) -> list[Any]:
    """Builds a pipeline in the default graph; gives the batch of numbers and that of values."""
    joins = pipeline.batcher in JOINING
    numbers = _numbers(tf, pipeline, folder, pipeline.threads if joins else 1)
    elements = [_computed(tf, pipeline, number) for number in numbers]
    return _batched(tf, pipeline, elements)


def _numbers(tf: Any, pipeline: Pipeline, folder: str, times: int) -> list[Any]:
    """Tensors that each give the next number."""
    options = {
        "num_epochs": pipeline.epochs,
        "shuffle": pipeline.seed is not None,
        "seed": pipeline.seed,
        "capacity": pipeline.source_capacity,
    }
    total = sum(pipeline.counts)
    if pipeline.source == RANGE:
        queue = tf.train.range_input_producer(total, **options)
        return [queue.dequeue() for _ in range(times)]
    if pipeline.source == SLICES:
        rows = np.arange(total, dtype=np.int32)
        (number,) = tf.train.slice_input_producer([rows], **options)
        return [number] * times
    files = range(len(pipeline.counts))
    paths = [os.path.join(folder, f"{index}.{pipeline.source}") for index in files]
    if pipeline.source == NAMES:
        paths = [str(index) for index in files]
    queue = tf.train.string_input_producer(paths, **options)
    if pipeline.source == NAMES:
        return [tf.string_to_number(queue.dequeue(), tf.int32) for _ in range(times)]
    return [tf.string_to_number(_record(tf, pipeline, queue), tf.int32) for _ in range(times)]


def _record(tf: Any, pipeline: Pipeline, queue: Any) -> Any:
    reader = {
        TFRECORD: tf.TFRecordReader,
        TEXT: tf.TextLineReader,
        FIXED: lambda: tf.FixedLengthRecordReader(6),
        WHOLE: tf.WholeFileReader,
    }[pipeline.source]()
    if pipeline.at_once:
        return reader.read_up_to(queue, pipeline.at_once)[1]
    return reader.read(queue)[1]


def _computed(tf: Any, pipeline: Pipeline, number: Any) -> tuple[Any, Any]:
    """A number and its value, behind the middle queue if there is one."""
    value = tf.cast(number, tf.float32) + 1
    for op in pipeline.before:
        value = _applied(tf, op, number, value)
    if pipeline.middle:
        number, value = _through(tf, pipeline, number, value)
    for op in pipeline.after:
        value = _applied(tf, op, number, value)
    return number, value


def _through(tf: Any, pipeline: Pipeline, number: Any, value: Any) -> tuple[Any, Any]:
    middle = pipeline.middle
    assert middle
    dtypes, shapes = [tf.int32, value.dtype], [number.shape, value.shape]
    if pipeline.at_once:
        shapes = [shape[1:] for shape in shapes]
    queue = {
        "fifo": lambda: tf.FIFOQueue(middle.capacity, dtypes, shapes),
        "padding": lambda: tf.PaddingFIFOQueue(middle.capacity, dtypes, shapes),
        "random": lambda: tf.RandomShuffleQueue(middle.capacity, 0, dtypes, shapes),
    }[middle.kind]()
    enqueue = queue.enqueue_many if pipeline.at_once else queue.enqueue
    runner = tf.train.QueueRunner(queue, [enqueue([number, value])] * middle.threads)
    tf.train.add_queue_runner(runner)
    number, value = queue.dequeue_up_to(pipeline.at_once) if pipeline.at_once else queue.dequeue()
    return number, value


def _applied(tf: Any, op: str, number: Any, value: Any) -> Any:
    """An op on a value of float32; the result is one of the same shape."""
    if op == "square":
        return value * value
    if op == "text":
        return tf.string_to_number(tf.as_string(value))
    if op == "assertion":
        with tf.control_dependencies([tf.Assert(tf.reduce_all(number >= 0), [number])]):
            return tf.identity(value)
    if op == "variable":
        with tf.variable_scope("", reuse=tf.AUTO_REUSE):
            return value + tf.get_variable("two", initializer=2.0, trainable=False)
    if op == "gather":
        return value + tf.gather([0.5, 0.25, 0.125], number % 3)
    if op == "cond":
        return tf.cond(number % 3 > 0, lambda: value + 1, lambda: value - 1)
    if op == "while":
        return tf.while_loop(
            lambda i, _: i < number % 4, lambda i, v: (i + 1, v * 2), [tf.constant(0), value]
        )[1]
    if op == "python":
        found = tf.py_func(lambda each: each * np.float32(3), [value], tf.float32)
        return tf.reshape(found, [])
    if op == "matrix":
        square = tf.reshape(tf.stack([value, 1.0, 2.0, value]), [2, 2])
        return tf.reduce_sum(tf.matmul(square, square))
    if op == "map":
        return tf.reduce_sum(tf.map_fn(lambda each: each * 2, tf.stack([value, value + 1])))
    assert op == "one_hot", op
    return value + tf.reduce_max(tf.one_hot(number % 4, 4) * [1.0, 2.0, 3.0, 4.0])


def _batched(tf: Any, pipeline: Pipeline, elements: list[tuple[Any, Any]]) -> list[Any]:
    number, value = elements[0]
    several = bool(pipeline.at_once)
    if pipeline.batcher in OWN:
        return _own_queue(tf, pipeline, number, value)
    options = {
        "batch_size": pipeline.batch_size,
        "capacity": pipeline.capacity,
        "allow_smaller_final_batch": pipeline.smaller,
        "enqueue_many": several,
    }
    mixed = {**options, "min_after_dequeue": pipeline.least, "seed": 3}
    threads = {"num_threads": pipeline.threads}
    train, kind = tf.train, pipeline.batcher
    if kind == "dynamic_pad":  # 0 to 3 times the value
        value = tf.fill([number % 4], value)
        return train.batch([number, value], dynamic_pad=True, **options, **threads)
    if kind == "batch":
        return train.batch([number, value], **options, **threads)
    if kind == "shuffle_batch":
        return train.shuffle_batch([number, value], **mixed, **threads)
    if kind == "batch_join":
        return train.batch_join([[*each] for each in elements], **options)
    if kind == "shuffle_batch_join":
        return train.shuffle_batch_join([[*each] for each in elements], **mixed)
    kept = tf.not_equal(number % 3, 0)
    if kind == "maybe_batch":
        return train.maybe_batch([number, value], kept, **options, **threads)
    rows = number if several else tf.expand_dims(number, 0)
    values = value if several else tf.expand_dims(value, 0)
    mask = kept if several else tf.expand_dims(kept, 0)
    both = [tf.boolean_mask(rows, mask), tf.boolean_mask(values, mask)]
    return train.batch(both, **{**options, "enqueue_many": True}, **threads)


def _own_queue(tf: Any, pipeline: Pipeline, number: Any, value: Any) -> list[Any]:
    dtypes, shapes, capacity = [tf.int32, tf.float32], [[], []], pipeline.capacity
    queue = {
        "fifo": lambda: tf.FIFOQueue(capacity, dtypes, shapes),
        "one": lambda: tf.FIFOQueue(capacity, dtypes, shapes),
        "padding": lambda: tf.PaddingFIFOQueue(capacity, dtypes, shapes),
        "random": lambda: tf.RandomShuffleQueue(capacity, pipeline.least, dtypes, shapes, seed=3),
    }[pipeline.batcher]()
    enqueue = queue.enqueue_many if pipeline.at_once else queue.enqueue
    runner = tf.train.QueueRunner(queue, [enqueue([number, value])] * pipeline.threads)
    tf.train.add_queue_runner(runner)
    if pipeline.batcher == "one":
        return queue.dequeue()
    take = queue.dequeue_up_to if pipeline.smaller else queue.dequeue_many
    return take(pipeline.batch_size)


@dataclasses.dataclass
class Outcome:
    """What the steps of a pipeline gave.

    Attributes:
        sizes: The number of elements of each step.
        rows: The elements, each as its number, its value's dtype and shape, and its value.
        ended: How it ended: `end of data`, `stopped`, or the class of an error.
    """

    sizes: list[int]
    rows: list[tuple[int, str, list[float]]]
    ended: str

    def take(self, number: np.ndarray, value: np.ndarray) -> None:
        """Adds the elements of a step."""
        numbers, values = np.atleast_1d(number), np.asarray(value)
        values = values.reshape([len(numbers), *values.shape[np.ndim(number) :]])
        self.sizes.append(len(numbers))
        for each, row in zip(numbers, values, strict=True):
            self.rows.append((int(each), f"{row.dtype}{[*row.shape]}", row.ravel().tolist()))


def run(tf: Any, pipeline: Pipeline, folder: str) -> Outcome:
    """Runs a pipeline as the textbook does."""
    found = Outcome([], [], "")
    with tf.Graph().as_default(), tf.Session() as sess:
        fetches = build(tf, pipeline, folder)
        sess.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(sess, coord)
        try:
            while len(found.sizes) != pipeline.steps and not coord.should_stop():
                found.take(*sess.run(fetches))
            found.ended = "stopped"
        except tf.errors.OutOfRangeError:
            found.ended = "end of data"
        except tf.errors.OpError as error:
            found.ended = type(error).__name__
        finally:
            coord.request_stop()
        coord.join(threads)
    return found


def run_lifted(tf: Any, pipeline: Pipeline, folder: str) -> Outcome:
    """Runs the dataset that tfqueue makes of a pipeline.

    Args:
      tf: `tfqueue.v1`.

    Raises:
      tfqueue.errors.CannotLiftError: It cannot be made.
    """
    import tfqueue

    found = Outcome([], [], "stopped")
    with tfqueue.eager():
        python = "python" in pipeline.before + pipeline.after
        dataset = tfqueue.dataset(build, tf, pipeline, folder, python=python)
        for number, value in dataset.take(-1 if pipeline.steps is None else pipeline.steps):
            found.take(number.numpy(), value.numpy())
    if pipeline.steps is None or len(found.sizes) < pipeline.steps:
        found.ended = "end of data"
    return found


def difference(pipeline: Pipeline, expected: Outcome, actual: Outcome) -> str | None:
    """How the outcome of a pipeline differs from the expected one; None if it does not.

    Without an order the elements are compared in any; where a last batch is dropped, chance says
    whose elements those are.
    """
    for name in ["ended", "sizes", *["rows"] * pipeline.ordered]:
        if getattr(expected, name) != getattr(actual, name):
            return f"{name}: {getattr(actual, name)} in place of {getattr(expected, name)}"
    counted = collections.Counter(row[0] for row in actual.rows)
    more = counted - collections.Counter(pipeline.numbers)
    if more and pipeline.epochs is not None:
        return f"more than there are, and how many: {dict(more)}"
    padded = pipeline.batcher == "dynamic_pad"
    values = [_by_number(outcome, padded) for outcome in (expected, actual)]
    for number in values[0].keys() & values[1].keys():
        if values[0][number] != values[1][number]:
            return f"value of {number}: {values[1][number]} in place of {values[0][number]}"
    return None


def _by_number(outcome: Outcome, padded: bool) -> dict[int, set[tuple[Any, ...]]]:
    """The values of each number, without what they are padded with: that depends on their batch."""
    found = collections.defaultdict(set)
    for number, kind, value in outcome.rows:
        while padded and value and value[-1] == 0:
            value = value[:-1]
        found[number].add(tuple(value) if padded else (kind, *value))
    return found
