"""Runs an old program up to the first step that takes from its input pipeline.

The program is translated in memory, as `tfqueue run` does it. It sees its arguments and its folder,
reads its files, builds its graph and initialises it. No queue runner of it gets a thread, and the
first `Session.run` that would take an element from a queue ends it, so nothing is trained.
`first_step` returns that graph, and what the step was to fetch.

`tfqueue draw`, `tfqueue bench` and `tfqueue port --to-tf-data` start here. TensorFlow is imported
when `first_step` is called.
"""

from __future__ import annotations

import atexit
import contextlib
import dataclasses
import os
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from tfqueue.output.progress import ProgressBar
from tfqueue.port import entrance
from tfqueue.port.program import folders
from tfqueue.port.program.era import Era
from tfqueue.port.run import importer

if TYPE_CHECKING:
    from tfqueue.graph.op_types import StepRequest
    from tfqueue.port.run.dry_run import DryRun

_GRACE = 5.0
"""Seconds that threads of the program have to end once they were asked to."""


@dataclasses.dataclass(frozen=True, eq=False)
class Reached:
    """How far a program came.

    Attributes:
        graph: The `tf.Graph` of its input pipeline; None if it made none. Runners whose threads
            the program made by hand (`QueueRunner.create_threads`) are registered in it, so that
            `tfqueue.pipeline(graph)` has them.
        step: The `tfqueue.graph.op_types.StepRequest` that was to be run first: `fetches` as the
            program passed them, `leaves` (the tensors and operations in them), `feed_dict` and
            `place`, the `(file, line)` of the call. None if the program came to its end before.
        error: What ended the program, if that was an exception of its own.
        left: Threads of the program that did not end.
        assigned: The ops of the variables to which the program had given another value than their
            initialisers do, by `load`, a `Saver` or an op of its own.
    """

    graph: Any
    step: StepRequest | None
    error: BaseException | None
    left: tuple[threading.Thread, ...]
    assigned: frozenset[Any] = frozenset()


def first_step(
    path: str,
    argv: Sequence[str] = (),
    *,
    given_era: Era | None = None,
    root: str | None = None,
    nth: int | None = 1,
) -> Reached:
    """Runs a program up to the first step that takes from its pipeline, or to its end.

    What it prints goes to stderr. Its exit handlers (`atexit`) have been run when this returns.

    Args:
        path: The program, a script or a notebook.
        given_era: The TensorFlow it is from, where the user says so.
        root: Only modules below this folder are rewritten; the program's own when None.
        nth: Of several graphs with a pipeline, the one to stop at. Those before it are really run.
            None runs the program to its end, or until it fails: then ``graph`` is the one that
            the failure was in.

    Returns:
        A `Reached`.

    Raises:
        Unreadable: The program can't be read.

    >>> import pathlib, tempfile
    >>> program = pathlib.Path(tempfile.mkdtemp()) / "old.py"
    >>> _ = program.write_text('''
    ... import tensorflow as tf
    ... number = tf.train.range_input_producer(4).dequeue(name="number")
    ... with tf.Session() as sess:
    ...     tf.train.start_queue_runners(sess)
    ...     print(sess.run(number))
    ... ''')
    >>> reached = first_step(str(program))
    >>> reached.step.fetches.name, reached.step.place[1]
    ('number:0', 6)
    """
    program = entrance.opened(path, given=(None, given_era), package="")
    options = importer.Options(root=root, given=(None, given_era))
    return _dry_run(program, [path, *argv], options, nth)


def _dry_run(
    program: entrance.Program, argv: Sequence[str], options: importer.Options, nth: int | None
) -> Reached:
    with ProgressBar("loading TensorFlow"):
        from tfqueue.port.run import dry_run

    errors: list[BaseException] = []
    left: list[threading.Thread] = []

    def ended(error: BaseException) -> int:
        if not isinstance(error, SystemExit):
            errors.append(error)
        return 0

    def join(before: set[threading.Thread]) -> None:
        for coord in seen.coordinators:
            coord.request_stop()
        left.extend(_still_there(before))

    with (
        _fresh_graph(),
        _without_windows(),
        contextlib.redirect_stdout(sys.stderr),
        dry_run.dry_running(nth) as seen,
        _exit_handlers(importer.Finder(options, folders.home(argv[0]))),
    ):
        importer.run(program, argv, options, ended, join)
        if seen.step is not None:
            graph = seen.step.graph
        else:
            graph = _graph_of(seen, errors[0] if errors else None, nth or 1)
    if graph is not None:
        _register(graph, seen.started)
    # With the step reached, what came of its being refused is none of the program's.
    error = errors[0] if errors and seen.step is None else None
    return Reached(graph, seen.step, error, tuple(left), frozenset(seen.assigned))


def _graph_of(seen: DryRun, error: BaseException | None, nth: int) -> Any:
    """The graph of a program that ended, with or without an error; the error's where it is known."""
    from tfqueue import _tensorflow
    from tfqueue.graph.model import Pipeline

    graphs = [*seen.graphs, _tensorflow.compat_v1().get_default_graph()]
    graphs = [graph for at, graph in enumerate(graphs) if graph not in graphs[:at]]
    found = [graph for graph in graphs if Pipeline(graph).queues]
    queues = set(getattr(error, "tfqueue_queues", ()))
    for graph in reversed(found):
        op = getattr(error, "op", None)
        if (op is not None and op.graph is graph) or queues & set(Pipeline(graph).queues):
            return graph
    return found[nth - 1] if len(found) >= nth else None


def _register(graph: Any, runners: Iterable[Any]) -> None:
    from tfqueue import _tensorflow

    collection = graph.get_collection_ref(_tensorflow.compat_v1().GraphKeys.QUEUE_RUNNERS)
    for runner in runners:
        if runner not in collection and runner.enqueue_ops[0].graph is graph:
            collection.append(runner)


def _still_there(before: set[threading.Thread]) -> list[threading.Thread]:
    until = time.monotonic() + _GRACE
    # Not by `join`, which calls `_stop`: a name that programs take for attributes of their threads.
    while new := [thread for thread in threading.enumerate() if thread not in before]:
        if time.monotonic() > until:
            break
        time.sleep(0.01)
    return new


@contextlib.contextmanager
def _fresh_graph() -> Iterator[None]:
    """Gives the program a default graph other than the caller's.

    In a process of its own the program may call `tf.reset_default_graph`, which TensorFlow refuses
    below `with graph.as_default()`: there the default graph is reset for it.
    """
    from tfqueue import _tensorflow

    tf = _tensorflow.compat_v1()
    try:
        tf.reset_default_graph()
    except AssertionError:
        with tf.Graph().as_default():
            yield
    else:
        yield


@contextlib.contextmanager
def _without_windows() -> Iterator[None]:
    """Figures that the program shows with matplotlib open no window and block nothing."""
    from unittest import mock  # here: it brings asyncio, and a refused program needs none of it

    with mock.patch.dict(os.environ, {"MPLBACKEND": os.environ.get("MPLBACKEND", "Agg")}):
        yield


@contextlib.contextmanager
def _exit_handlers(finder: importer.Finder) -> Iterator[None]:
    """Runs at the end of the block what the program's own files gave to `atexit` in it."""
    from unittest import mock  # here: as above

    kept: list[tuple[Callable[..., object], tuple[Any, ...], dict[str, Any]]] = []
    register = atexit.register

    def keep(function: Callable[..., object], *args: Any, **kwargs: Any) -> Callable[..., object]:
        if not finder.is_users(sys._getframe(1).f_code.co_filename):
            return register(function, *args, **kwargs)
        kept.append((function, args, kwargs))
        return function

    with mock.patch.object(atexit, "register", keep):
        yield
    for function, args, kwargs in reversed(kept):
        try:
            function(*args, **kwargs)
        except BaseException:  # noqa: BLE001  (shown and passed over, as Python does at its end)
            traceback.print_exc()
