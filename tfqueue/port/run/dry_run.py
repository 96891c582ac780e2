"""A dry run: a program builds its graph as usual, and stops where its pipeline would start.

Within `dry_running` no queue runner gets a thread. The first step that would take elements out of a
queue is not run: what it would have run is kept, and `StepReached` ends the program. Steps that leave
the queues alone (initialisers, a `Saver`) are run; steps that only put elements in are
passed over.
"""

from __future__ import annotations

import _thread
import contextlib
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from types import FrameType
from typing import Any
from unittest import mock

from tfqueue import _tensorflow
from tfqueue._tensorflow import op_building
from tfqueue._tensorflow.types import Op
from tfqueue.graph import traversal
from tfqueue.graph.model import Pipeline
from tfqueue.graph.op_types import CHANGES, VARIABLES, Demand, StepRequest
from tfqueue.session import coordinator, fast_path, runner, session

_tf = _tensorflow.compat_v1()

Graph = Any
"""A `tf.Graph`."""
Method = Callable[..., Any]
"""A method of one of TensorFlow's classes, and what stands for it here."""
_TRIES = 50
"""How often a program may catch `StepReached` and run its step again before the process is ended."""


class StepReached(SystemExit):
    """Raised in the program by the step that would start its pipeline.

    A `SystemExit`, so that handlers of `Exception` let it pass and threads end without a word.
    """


class DryRun:
    """What `dry_running` gives, filled while the program runs.

    Attributes:
        step: The `StepRequest` that was reached, or None while there is none.
        started: The `QueueRunner`s that were to be started on its graph, registered or not.
        graphs: The graphs that were made, or got a session, in that order.
        coordinators: The `tf.train.Coordinator`s that were made.
        assigned: The ops of the variables that steps before gave another value than their
            initialisers do, as `load` and a `Saver` do.
    """

    def __init__(self, nth: int | None = 1) -> None:
        self.step: StepRequest | None = None
        self.started: list[Any] = []
        self.graphs: list[Any] = []
        self.coordinators: list[Any] = []
        self.assigned: set[Op] = set()
        self._seen: dict[int, Demand] = {}
        self._nth = nth
        self._with_pipeline: list[Any] = []
        self._tries = 0
        self._lock = threading.Lock()

    def note(self, graph: Graph) -> None:
        """Remembers a graph."""
        with self._lock:
            if graph not in self.graphs:
                self.graphs.append(graph)

    def plays(self, graph: Graph) -> bool:
        """Whether `graph` is one that is really run: it comes before the one asked for."""
        if self._nth is None:
            return True
        with self._lock:
            if graph not in self._with_pipeline:
                self._with_pipeline.append(graph)
            return self._with_pipeline.index(graph) + 1 < self._nth

    def look_at(self, sess: Any, fetched: Any, feed_dict: Any) -> bool:
        """Whether a step is passed over: it only puts elements in. Raises `StepReached` if it takes some."""
        graph = sess.graph
        self.note(graph)
        try:
            leaves = fast_path.read_fetches(graph, fetched).leaves
        except (TypeError, ValueError, KeyError):
            return False  # `Session.run` raises the error about them
        fed = fast_path.fed_names(graph, feed_dict)
        step = StepRequest(graph, fetched, leaves, feed_dict, fed, _users_line())
        demand = Pipeline.of(graph).demand(step.ops, fed)
        if not demand.blocks:
            self._note_assigned(graph, demand, frozenset(fed))
            return False
        if self.plays(graph):
            return False
        operations = all(isinstance(leaf, _tf.Operation) for leaf in leaves)
        if demand.puts and not demand.takes and operations:
            if self.step is not None:
                raise StepReached  # a thread that feeds without end, and no step takes elements any more
            return True
        with self._lock:
            self.step = self.step or step
            self._tries += 1
        if self._tries > _TRIES:
            sys.stderr.write(
                "tfqueue: the program catches every exception and runs its step again; ended\n"
            )
            sys.stderr.flush()
            os._exit(1)
        if threading.current_thread() is not threading.main_thread():
            _wake_main_thread()
        raise StepReached

    def _note_assigned(self, graph: Graph, demand: Demand, fed: frozenset[str]) -> None:
        """Remembers the variables that a step which is run assigns, but by their initialisers."""
        if self._nth is None or id(demand) in self._seen:
            return
        self._seen[id(demand)] = demand
        keys = _tf.GraphKeys
        variables = graph.get_collection(keys.GLOBAL_VARIABLES)
        variables = [*variables, *graph.get_collection(keys.LOCAL_VARIABLES)]
        initialisers = {variable.initializer for variable in variables}
        for op in demand.ops:
            changes = op.type.startswith(CHANGES) or op_building.functions_called(op.node_def)
            if not changes or (op in initialisers and not _is_fed(op, fed)):
                continue
            self.assigned |= {t.op for t in op.inputs if t.op.type in VARIABLES}

    def runner_started(self, runner: Any, graph: Graph) -> bool:
        """Remembers a runner whose threads were asked for; whether it is really to have them."""
        self.note(graph)
        if self.plays(graph):
            return True
        with self._lock:
            if runner not in self.started:
                self.started.append(runner)
        return False


def _is_fed(op: Op, fed: frozenset[str]) -> bool:
    """Whether something that an op's inputs are made of is fed."""
    return any(t.name in fed for each in traversal.ancestors([op], fed) for t in each.inputs)


def _users_line() -> tuple[str, int] | None:
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        if not _tensorflow.is_library_file(frame.f_code.co_filename):
            return frame.f_code.co_filename, frame.f_lineno
        frame = frame.f_back
    return None


def _wake_main_thread() -> None:
    # It may be waiting for this thread, in `join` or at a lock: only a signal gets it out of there.
    main = threading.main_thread()
    if main.ident is None:
        return
    if sys.platform == "win32":
        _thread.interrupt_main()
    else:
        signal.pthread_kill(main.ident, signal.SIGINT)


@contextlib.contextmanager
def dry_running(nth: int | None = 1) -> Iterator[DryRun]:
    """Within the block pipelines do not start, and the first step that needs one raises `StepReached`.

    Args:
        nth: Which of several graphs with a pipeline is the one to stop at. Those before it are really
            run. None: all of them are, and what is made is only remembered.

    Yields:
        A `DryRun`. `StepReached` itself is for the caller to catch.

    >>> import tfqueue.v1 as tf
    >>> with dry_running() as seen, tf.Graph().as_default():
    ...     queue = tf.train.range_input_producer(4)
    ...     number = queue.dequeue(name="number")
    ...     with tf.Session() as sess:
    ...         threads = tf.train.start_queue_runners(sess)
    ...         try:
    ...             sess.run({"n": number})
    ...         except StepReached:
    ...             print(threads, seen.step.fetches["n"].name, len(seen.started))
    [] number:0 1
    """
    seen = DryRun(nth)
    with contextlib.ExitStack() as stack:
        for owner in (session.OwnedSession, _tensorflow.base_session()):
            stack.enter_context(_laid_over(owner, "run", _run_of, seen))
            stack.enter_context(_laid_over(owner, "make_callable", _make_callable_of, seen))
        for owner in (runner.QueueRunner, runner.QueueRunner.__original__):
            stack.enter_context(_laid_over(owner, "create_threads", _create_threads_of, seen))
        stack.enter_context(_laid_over(_tf.Graph, "__init__", _init_of, seen.note))
        original, made = coordinator.Coordinator.__original__, seen.coordinators.append
        stack.enter_context(_laid_over(original, "__init__", _init_of, made))
        stack.enter_context(mock.patch.object(threading, "excepthook", _hook_of(seen)))
        if threading.current_thread() is threading.main_thread():
            stack.enter_context(_signal_means_reached(seen))
        yield seen


def _laid_over(
    owner: type, name: str, make: Callable[[Any, Any], Any], seen: Any
) -> AbstractContextManager[Any]:
    return mock.patch.object(owner, name, make(getattr(owner, name), seen))


def _nothing(fetches: Any) -> list[None] | None:
    """What a step that is passed over returns."""
    return [None] * len(fetches) if isinstance(fetches, (list, tuple)) else None


def _run_of(original: Method, seen: DryRun) -> Method:
    def run(
        self: Any,
        fetches: Any,
        feed_dict: Any = None,
        options: Any = None,
        run_metadata: Any = None,
    ) -> Any:
        if seen.look_at(self, fetches, feed_dict):
            return _nothing(fetches)
        return original(self, fetches, feed_dict, options, run_metadata)

    return run


def _make_callable_of(original: Method, seen: DryRun) -> Method:
    def make_callable(
        self: Any, fetches: Any, feed_list: Any = None, accept_options: bool = False
    ) -> Method:
        made = original(self, fetches, feed_list, accept_options)

        def call(*args: Any, **kwargs: Any) -> Any:
            feed_dict = dict(zip(feed_list or (), args, strict=False))
            if seen.look_at(self, fetches, feed_dict):
                return _nothing(fetches)
            return made(*args, **kwargs)

        return call

    return make_callable


def _create_threads_of(original: Method, seen: DryRun) -> Method:
    def create_threads(
        self: Any, sess: Any, coord: Any = None, daemon: bool = False, start: bool = False
    ) -> Any:
        if seen.runner_started(self, sess.graph):
            return original(self, sess, coord=coord, daemon=daemon, start=start)
        return []

    return create_threads


def _init_of(original: Method, tell: Callable[[Any], None]) -> Method:
    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        original(self, *args, **kwargs)
        tell(self)

    return __init__


def _hook_of(seen: DryRun) -> Callable[[threading.ExceptHookArgs], None]:
    original = threading.excepthook

    def hook(args: threading.ExceptHookArgs) -> None:
        # What a thread of the program makes of the stop is none of its failures.
        if seen.step is None or not issubclass(args.exc_type, SystemExit):
            original(args)

    return hook


@contextlib.contextmanager
def _signal_means_reached(seen: DryRun) -> Iterator[None]:
    before = signal.getsignal(signal.SIGINT)

    def handle(number: int, frame: FrameType | None) -> None:
        if seen.step is not None:
            raise StepReached
        if callable(before):
            before(number, frame)

    signal.signal(signal.SIGINT, handle)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
