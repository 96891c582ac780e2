"""The stage that the rows' programs run on: files to read, and the ways of running a pipeline."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np

import tfqueue
import tfqueue.v1 as tf

WAYS = ("plain", "alone", "managed")
"""How a program runs: as its textbook did, as 002 does without a Coordinator, managed."""


@dataclasses.dataclass(frozen=True)
class Row:
    """One failure of the list (README.md) and what must come of it.

    Attributes:
        name: Its name there.
        program: Called with a `Stage`.
        raises: The class of what it raises; None if nothing.
        says: Words that the exception's text, notes and causes, or the warning, must hold.
        warns: The class of the one warning of ours; None if there must be none.
        gives: What the program returns, where that matters.
        cause: The class of an exception that must stand behind it as `__cause__`.
        ways: The ways of `WAYS` in which it makes sense.
        by_step: Whether the exception must come from the program's step, not from `join`.
        fine_today: Why plain TensorFlow does all that too; every other row fails there.
        original: What the program's `tf` is on plain TensorFlow.
    """

    name: str
    program: Callable[[Stage], Any]
    raises: type | None = None
    says: tuple[str, ...] = ()
    warns: type | None = None
    gives: Any = ...
    cause: type | None = None
    ways: tuple[str, ...] = WAYS
    by_step: bool = False
    fine_today: str = ""
    original: str = "tensorflow.compat.v1"

    def problems(self, stage: Stage, raised, value, heard) -> list[str]:
        """What is not as the row says, a line each.

        Args:
            stage: Where its program ran.
            raised: The exception that it ended with, or None.
            value: What it returned.
            heard: The warnings of ours, as `warnings.catch_warnings` records them.
        """
        found, text = [], told(raised) + "\n".join(str(each.message) for each in heard)
        if self.raises is None:
            if raised is not None:
                found.append(f"it raised {raised!r}")
        elif raised is None:
            found.append("it ended as if all were well")
        elif not isinstance(raised, self.raises):
            found.append(f"it raised {raised!r}")
        elif isinstance(raised, tf.errors.OutOfRangeError):
            found.append("a failure looks like the end of the data")
        if self.by_step and stage.raised_by != "step":
            found.append("the step did not raise it")
        expected = [] if self.warns is None else [self.warns]
        if [each.category for each in heard] != expected:
            found.append(f"it warned of {[each.category for each in heard]}")
        found += [f"nothing is said of {words!r}" for words in self.says if words not in text]
        if self.cause is not None:
            behind = getattr(raised, "__cause__", None)
            if not isinstance(behind, self.cause) or behind.__traceback__ is None:
                found.append(f"its cause is {behind!r}")
        if self.gives is not ... and value != self.gives:
            found.append(f"it gave {value!r}")
        return found


def row(name: str, **expected: Any) -> Callable:
    """Marks a program as a row's: `@row("missing_file", raises=...)`. A program may be of several rows."""

    def mark(program: Callable) -> Callable:
        program.rows = [*getattr(program, "rows", []), Row(name, program, **expected)]
        return program

    return mark


def int64(*values: int) -> tf.train.Feature:
    """An int64 feature."""
    return tf.train.Feature(int64_list=tf.train.Int64List(value=values))


def raw(*values: bytes) -> tf.train.Feature:
    """A bytes feature."""
    return tf.train.Feature(bytes_list=tf.train.BytesList(value=values))


def example(**features: tf.train.Feature) -> bytes:
    """A serialized Example."""
    return tf.train.Example(features=tf.train.Features(feature=features)).SerializeToString()


class Stage:
    """Where a row's program runs.

    Args:
        folder: An empty folder.
        way: One of `WAYS`.
    """

    def __init__(self, folder, way: str) -> None:
        self.folder = folder
        self.way = way
        self.raised_by = None
        """`step` if an exception other than the end of the data came from a step."""

    # -- files -----------------------------------------------------------------------------

    def write(self, name: str, data: bytes) -> str:
        """A file with these bytes."""
        path = self.folder / name
        path.write_bytes(data)
        return str(path)

    def tfrecord(self, payloads, name: str = "data.tfrecord") -> str:
        """A TFRecord file."""
        path = str(self.folder / name)
        with tf.python_io.TFRecordWriter(path) as writer:
            for payload in payloads:
                writer.write(payload)
        return path

    def numbers(self, count: int = 40, name: str = "data.tfrecord") -> str:
        """A TFRecord file of the numbers 0 to `count` - 1 as text of two digits."""
        return self.tfrecord([b"%02d" % i for i in range(count)], name)

    def examples(self, name: str = "examples.tfrecord") -> str:
        """A TFRecord file of 20 Examples: a `label`, and 24 float32 in `image`."""
        pixels = np.arange(24, dtype=np.float32).tobytes()
        return self.tfrecord([example(label=int64(i), image=raw(pixels)) for i in range(20)], name)

    def missing(self) -> str:
        """The name of a file that is not there."""
        return str(self.folder / "nope.tfrecord")

    # -- pipelines -------------------------------------------------------------------------

    @staticmethod
    def records(path, epochs: int | None = 1) -> tf.Tensor:
        """One record of TFRecord files, by a `TFRecordReader`."""
        names = tf.train.string_input_producer(
            path if isinstance(path, list) else [path], num_epochs=epochs, shuffle=False
        )
        return tf.TFRecordReader().read(names)[1]

    def shuffled(self, path, epochs: int | None = 1) -> tf.Tensor:
        """Batches of 4 records through a `shuffle_batch`."""
        return tf.train.shuffle_batch([self.records(path, epochs)], 4, 100, 10)

    def parsed(self, features: dict) -> tf.Tensor:
        """Batches of 4 of the examples' first feature, in order."""
        found = tf.parse_single_example(self.records(self.examples()), features)
        return tf.train.batch([next(iter(found.values()))], 4)

    # -- running ---------------------------------------------------------------------------

    def coordinator(self):
        """A Coordinator, or None where the way has none."""
        return None if self.way == "alone" else tf.train.Coordinator()

    def run(self, fetches, steps: int | None = None, feeds=None) -> list:
        """Everything that `fetches` gives, to the end of the data or for so many steps."""
        if self.way == "managed":
            with tfqueue.managed_session() as sess, self._step():
                return list(sess.batches(fetches, steps))
        with tf.Session() as sess:
            sess.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
            return self.textbook(sess, fetches, steps)

    @contextlib.contextmanager
    def _step(self):
        try:
            yield
        except tf.errors.OutOfRangeError:
            raise
        except Exception:
            self.raised_by = "step"
            raise

    def textbook(self, sess, fetches, steps: int | None = None) -> list:
        """The loop of the textbook, without the initialisers."""
        coord, found = self.coordinator(), []
        threads = tf.train.start_queue_runners(sess, coord)
        try:
            while (coord is None or not coord.should_stop()) and len(found) != steps:
                with self._step():
                    found.append(sess.run(fetches))
        except tf.errors.OutOfRangeError:
            pass
        finally:
            if coord is not None:
                coord.request_stop()
        if coord is not None:
            coord.join(threads)
        return found


def told(error: BaseException | None) -> str:
    """All that an exception tells: text, notes, and the same of what stands behind it."""
    parts = []
    while error is not None:
        parts += [type(error).__name__, str(error), *getattr(error, "__notes__", [])]
        error = error.__cause__
    return "\n".join(parts)
