"""What the programs run on, and how what they do is written down."""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import json
import math
import pathlib
import signal
from collections.abc import Callable, Iterator

import numpy as np

GOLDEN = pathlib.Path(__file__).parent / "golden"
_WHOLE = 24
"""So many events of a program are kept as they are; of the rest a digest is kept."""


@dataclasses.dataclass(frozen=True)
class Program:
    """One program of the corpus.

    Attributes:
        name: Its name, `module.function`.
        function: Called with the TensorFlow namespace and a `Stage`.
        ordered: Whether TensorFlow gives its elements an order. Without one, the rows of its
            batches are compared as a multiset.
        close: Whether floating-point numbers may differ in their last digits.
    """

    name: str
    function: Callable
    ordered: bool
    close: bool


PROGRAMS: dict[str, Program] = {}


def program(function: Callable | None = None, *, ordered: bool = True, close: bool = False):
    """Adds a function to the corpus."""
    if function is None:
        return lambda function: program(function, ordered=ordered, close=close)
    name = f"{function.__module__.rpartition('.')[2]}.{function.__name__}"
    assert name not in PROGRAMS, name
    PROGRAMS[name] = Program(name, function, ordered, close)
    return function


class Hang(BaseException):
    """A program does not end; no handler of a program catches this."""


@contextlib.contextmanager
def ends(seconds: float) -> Iterator[None]:
    """Raises `Hang` in the main thread if the block does not end by itself."""

    def interrupt(*_: object) -> None:
        raise Hang

    before = signal.signal(signal.SIGALRM, interrupt)
    # Again and again: what closes the session may wait for what hangs, too.
    signal.setitimer(signal.ITIMER_REAL, seconds, 5)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def shown(value) -> str:
    """A fetched value as text that tells its dtype, shape and elements."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {shown(value[key])}" for key in sorted(value)) + "}"
    if hasattr(value, "_fields"):  # a namedtuple: SparseTensorValue, or the program's own
        return f"{type(value).__name__}({', '.join(map(shown, value))})"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(shown, value))}]"
    if isinstance(value, (np.ndarray, np.generic)):
        array = np.asarray(value)
        kind = "string" if array.dtype == object else array.dtype.name
        flat = " ".join(map(str, array.ravel()))
        return f"{kind}{list(array.shape) or ''} {flat}"
    return repr(value)


def rows_of(value) -> list[str]:
    """The rows of a fetched batch, or of several whose first dimensions agree."""
    parts = list(value) if isinstance(value, (list, tuple)) else [value]
    arrays = [np.asarray(part) for part in parts]
    return [" | ".join(shown(array[i]) for array in arrays) for i in range(len(arrays[0]))]


class Stage:
    """Where a program runs: files to read, the ways to run a pipeline, and a record of what it did.

    Args:
        tf: The TensorFlow namespace.
        folder: An empty folder.
        ordered: As a `Program`'s.
    """

    def __init__(self, tf, folder: pathlib.Path, ordered: bool = True) -> None:
        self.tf = tf
        self.folder = folder
        self.ordered = ordered
        self.events: list[str] = []
        self.rows: list[str] = []

    # -- files -----------------------------------------------------------------------------

    def file(self, name: str, data: bytes | str) -> str:
        """A file with these bytes."""
        path = self.folder / name
        path.write_bytes(data.encode() if isinstance(data, str) else data)
        return str(path)

    def lines(self, *counts: int, first: str = "") -> list[str]:
        """Text files of so many lines each: `0.0`, `0.1`, ..., `1.0`, ..."""
        return [
            self.file(f"{i}.txt", first + "".join(f"{i}.{j}\n" for j in range(count)))
            for i, count in enumerate(counts)
        ]

    def csv(self, count: int = 200) -> list[str]:
        """A file of rows `i,i % 7,i / 2`."""
        return [self.file("t.csv", "".join(f"{i},{i % 7},{i / 2}\n" for i in range(count)))]

    def records(self, payloads, name: str = "r.tfrecord", options=None) -> list[str]:
        """A TFRecord file."""
        path = str(self.folder / name)
        with self.tf.python_io.TFRecordWriter(path, options) as writer:
            for payload in payloads:
                writer.write(payload)
        return [path]

    def examples(self, count: int = 200) -> list[str]:
        """A TFRecord file of Examples: `id`, `pair` (2 floats), `raw` (4 bytes), `some` (0 to 3)."""
        return self.records([self.example(i) for i in range(count)], "e.tfrecord")

    def example(self, i: int) -> bytes:
        """One of them."""
        train = self.tf.train
        features = {
            "id": train.Feature(int64_list=train.Int64List(value=[i])),
            "pair": train.Feature(float_list=train.FloatList(value=[i, i / 4])),
            "raw": train.Feature(bytes_list=train.BytesList(value=[bytes([i % 256, 1, 2, 3])])),
            "some": train.Feature(int64_list=train.Int64List(value=range(i % 4))),
        }
        return train.Example(features=train.Features(feature=features)).SerializeToString()

    # -- pipelines -------------------------------------------------------------------------

    def names(self, paths, epochs=1, **options):
        """A queue of file names, in order."""
        return self.tf.train.string_input_producer(
            paths, num_epochs=epochs, **{"shuffle": False, **options}
        )

    def number(self, count: int = 200, epochs=1, **options):
        """One of the numbers 0 to `count` - 1, in order."""
        options = {"shuffle": False, **options}
        return self.tf.train.range_input_producer(count, num_epochs=epochs, **options).dequeue()

    def line(self, *counts: int):
        """One line of text files."""
        return self.tf.TextLineReader().read(self.names(self.lines(*counts)))[1]

    def row(self, count: int = 200):
        """A row of `csv`: int32, int32, float32."""
        line = self.tf.TextLineReader().read(self.names(self.csv(count)))[1]
        return self.tf.decode_csv(line, [[0], [0], [0.0]])

    def serialized(self, count: int = 200):
        """A serialized Example of `examples`."""
        return self.tf.TFRecordReader().read(self.names(self.examples(count)))[1]

    def parsed(self, *wanted: str, count: int = 200):
        """Features of `examples`, by name."""
        tf = self.tf
        kinds = {
            "id": tf.FixedLenFeature([], tf.int64),
            "pair": tf.FixedLenFeature([2], tf.float32),
            "raw": tf.FixedLenFeature([], tf.string),
            "some": tf.VarLenFeature(tf.int64),
        }
        features = {name: kinds[name] for name in wanted}
        return tf.parse_single_example(self.serialized(count), features)

    # -- running ---------------------------------------------------------------------------

    def see(self, *values) -> None:
        """Writes down what a program has found."""
        for value in values:
            self.events.append(shown(value))

    def batch(self, value) -> None:
        """Writes down a batch; only its rows where the program has no order."""
        if self.ordered:
            self.see(value)
        else:
            self.rows += rows_of(value)
            self.events.append("a batch")

    def attempt(self, function: Callable, *args, **kwargs):
        """Calls a function; what it returns or the class that it raises is written down."""
        try:
            value = function(*args, **kwargs)
        except Exception as error:  # noqa: BLE001  (that it is the same class is what is tested)
            self.events.append(type(error).__name__)
            return None
        self.see(value)
        return value

    def initialise(self, sess) -> None:
        """Runs the three initialisers."""
        tf = self.tf
        sess.run(
            [
                tf.global_variables_initializer(),
                tf.local_variables_initializer(),
                tf.tables_initializer(),
            ]
        )

    @contextlib.contextmanager
    def started(self, **options):
        """A session with its variables initialised and its runners running; stopped at the end."""
        tf = self.tf
        with tf.Session(**options) as sess:
            self.initialise(sess)
            coord = tf.train.Coordinator()
            threads = tf.train.start_queue_runners(sess, coord)
            yield sess
            coord.request_stop()
            coord.join(threads)

    def run(self, fetches, steps: int | None = None, each: Callable | None = None, **options):
        """The textbook's loop, to the end of the data or for so many steps.

        How it ended is written down: `end`, `steps`, or the class of the first true error. On plain
        TensorFlow a runner's error comes from `join`, and the step raises OutOfRangeError.

        Args:
            fetches: What is run.
            steps: How many steps; None for all.
            each: Called with the session after each step.
            **options: For the session.
        """
        tf = self.tf
        with tf.Session(**options) as sess:
            self.initialise(sess)
            coord = tf.train.Coordinator()
            threads = tf.train.start_queue_runners(sess, coord)
            done, ended = 0, "steps"
            try:
                while done != steps:
                    self.batch(sess.run(fetches))
                    done += 1
                    if each:
                        each(sess)
            except tf.errors.OutOfRangeError:
                ended = "end"
            except Exception as error:  # noqa: BLE001
                ended = type(error).__name__
            coord.request_stop()
            try:
                coord.join(threads)
            except Exception as error:  # noqa: BLE001
                ended = type(error).__name__
            self.events.append(ended)

    def outcome(self) -> list[str]:
        """All that was written down."""
        return [*self.events, *sorted(self.rows)]


def perform(tf, program: Program, folder: pathlib.Path) -> list[str]:
    """Runs a program in a graph of its own; gives what it did."""
    stage = Stage(tf, folder, program.ordered)
    with tf.Graph().as_default():
        tf.set_random_seed(7)
        try:
            program.function(tf, stage)
        except Exception as error:  # noqa: BLE001
            stage.events.append(f"raised {type(error).__name__}")
    # Files lie in another folder each time.
    return [event.replace(str(folder), "FOLDER") for event in stage.outcome()]


def condensed(program: Program, outcome: list[str]) -> list[str]:
    """An outcome as it is kept: whole if it is short or not exact, else its beginning and a digest."""
    if program.close or len(outcome) <= _WHOLE:
        return outcome
    digest = hashlib.sha256("\n".join(outcome).encode()).hexdigest()[:16]
    return [*outcome[: _WHOLE // 3], f"{len(outcome)} in all: {digest}"]


def same(program: Program, expected: list[str], actual: list[str]) -> bool:
    """Whether two condensed outcomes are the same."""
    if not program.close:
        return expected == actual
    pairs = [(a.split(), b.split()) for a, b in zip(expected, actual, strict=False)]
    return len(expected) == len(actual) and all(
        len(a) == len(b) and all(map(_alike, a, b)) for a, b in pairs
    )


def _alike(one: str, other: str) -> bool:
    """Whether two words are the same, or numbers that differ in their last digits."""
    if one == other:
        return True
    try:
        return math.isclose(float(one.strip("[],")), float(other.strip("[],")), rel_tol=1e-4)
    except ValueError:
        return False


def golden() -> dict[str, list[str]]:
    """What plain TensorFlow did, by the programs' names."""
    found = {}
    for path in sorted(GOLDEN.glob("*.json")):
        found |= json.loads(path.read_text("utf-8"))
    return found
