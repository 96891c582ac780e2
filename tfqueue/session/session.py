"""`Session` and `InteractiveSession`: subclasses of TensorFlow's whose steps are supervised by an `Owner`."""

from __future__ import annotations

import contextlib
import functools
import os
import sys
import threading
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from tfqueue import _tensorflow, errors
from tfqueue._tensorflow import one_element, patches
from tfqueue._tensorflow.types import Config, Feeds, Graph
from tfqueue.explain import refused_fetch
from tfqueue.explain.growth import GrowthWatch
from tfqueue.graph.model import Pipeline
from tfqueue.session import failures, registry, wakeups
from tfqueue.session.fast_path import FastPath, Key, Shortcut, fed_names, read_fetches
from tfqueue.session.owner import Owner
from tfqueue.session.step import run as run_step

if TYPE_CHECKING:
    from tensorflow.compat.v1 import Session as Above  # an `OwnedSession` is mixed into one

    from tfqueue.session.step import Plan
else:
    Above = object

_tf = _tensorflow.compat_v1()


_AFTER_FORK = (
    "in the child TensorFlow's threads do not exist, and no step would ever end. Start processes with "
    "multiprocessing.get_context('spawn'), or make no session before the fork"
)
_OURS = ("QueueRunnerThread-", "tfqueue-")
"""What the names of the threads begin with that sessions start."""
_first_made_in = None
"""The process that made the first session, and with it the threads that all sessions share."""


def _refuse_after_fork(config: Config) -> None:
    """Raises `ForkedSessionError` where a session could only hang: the parent has made one."""
    global _first_made_in
    if _first_made_in is None:
        _first_made_in = os.getpid()
    own_threads = config is not None and (
        config.use_per_session_threads or config.session_inter_op_thread_pool
    )
    if _first_made_in != os.getpid() and not own_threads:
        raise errors.ForkedSessionError(f"a session was made before os.fork(): {_AFTER_FORK}")


class OwnedSession(Above):
    """What is laid over a session of TensorFlow: waits that end, true errors, a clean end."""

    _owner: Owner = None  # type: ignore[assignment]  # where the constructor fails half-way
    _session: Any = None
    _tfqueue_handle: _tensorflow.SessionHandle
    graph: Graph

    def _begin(self) -> None:
        _tensorflow.look_up_ops_and_arrays()
        self._owner = Owner.of(self)
        self._growth = GrowthWatch(self.graph)
        self._fast_path = FastPath(self)
        self._partial_runs: dict[Any, PartialRun] = {}
        self._all_have_deadlines = _tensorflow.have_deadlines(self)
        patches.tell_who_builds(self.graph)

    def run(
        self,
        fetches: Any,
        feed_dict: Feeds = None,
        options: Any = None,
        run_metadata: Any = None,
    ) -> Any:
        """Runs ops and returns the values of tensors (`tf.Session.run`).

        While a step waits for a queue, Ctrl-C works, the first queue runner
        that fails ends the wait with *its* error, and a wait that nobody can
        ever end is an error too.

        Args:
            fetches: A tensor, operation, name or variable, or a nested list,
                tuple or dict of them.
            feed_dict: Dict of tensor to the value it is given in this run.
            options: A `RunOptions` protocol buffer.
            run_metadata: A `RunMetadata` protocol buffer to fill.

        Returns:
            Arrays in the structure of `fetches`; None in the place of operations.

        Raises:
            tf.errors.OutOfRangeError: At the end of the data, or where a stop closed
                the queue; never for a failure.
            tf.errors.OpError: The true error, of this step or of the runner that
                was to bring its elements.
            StarvationError: If the step can never get what it waits for.
            ForkedSessionError: In a child process made by `fork`.
        """
        owner = self._owner
        if owner.pid != os.getpid():
            raise errors.ForkedSessionError(
                f"this session was made before os.fork(): {_AFTER_FORK}"
            )
        self._growth.look()
        plain = options is None and run_metadata is None
        known, fed = self._fast_path.find(fetches, feed_dict) if plain else (None, None)
        if known is None or known.plan.runners_seen != owner.plans.runners_registered():
            key, plan = owner.plans.of(fetches, feed_dict)
        else:
            key, plan = known.key, known.plan
        arguments = fetches, feed_dict, options, run_metadata
        step = functools.partial(self._run_now, arguments, known, fed, key, plan)
        if plan is None:
            return owner.accounts.run_unplanned(step)
        if not (plan.blocks or owner.remote):
            try:
                return step()
            except _tf.errors.OutOfRangeError as error:
                raise failures.not_the_end(error) from None
        # On a cluster any step may have to wait: for a machine.
        if not plan.blocks or feed_dict or not plain:
            key = None  # another run cannot stand in for this one
        return run_step(owner, key, plan, step, feed_dict, self._has_deadline(options))

    def _has_deadline(self, options: Any = None) -> bool:
        """Whether TensorFlow itself ends a step after some time."""
        return self._all_have_deadlines or (options is not None and options.timeout_in_ms > 0)

    def partial_run_setup(self, fetches: Any, feeds: Any = None) -> Any:
        """Begins a step that is run in parts (`tf.Session.partial_run_setup`).

        Args:
            fetches: All that its parts will fetch.
            feeds: All that its parts will feed.

        Returns:
            A handle for `partial_run`.
        """
        handle = super().partial_run_setup(fetches, feeds)
        if not isinstance(feeds, (list, tuple)):
            feeds = [feeds] if feeds is not None else []
        part = PartialRun(self._owner, fetches, feeds)
        self._partial_runs[handle] = part
        return handle

    def partial_run(self, handle: Any, fetches: Any, feed_dict: Feeds = None) -> Any:
        """Goes on with a step that is run in parts (`tf.Session.partial_run`).

        Args:
            handle: What `partial_run_setup` gave.
            fetches: What this part fetches.
            feed_dict: What it feeds.

        Returns:
            Arrays in the structure of `fetches`.

        Raises:
            As `run` does.
        """
        step = functools.partial(self._part_now, handle, fetches, feed_dict)
        whole = self._partial_runs.get(handle)
        plan = whole.plan_of(fetches) if whole is not None else None
        try:
            if plan is None or not (plan.blocks or self._owner.remote):
                values = step()
            else:
                has_deadline = self._has_deadline()
                values = run_step(
                    self._owner, None, plan, step, feed_dict, has_deadline, begin=False
                )
        except (_tf.errors.OpError, errors.StarvationError):
            if whole is not None:
                whole.end()  # TensorFlow has ended all of it
                del self._partial_runs[handle]
            raise
        if whole is not None and plan is not None and whole.came_back(fetches, plan):
            whole.end()
            del self._partial_runs[handle]
        return values

    def _part_now(self, handle: Any, fetches: Any, feed_dict: Feeds) -> Any:
        try:
            return super().partial_run(handle, fetches, feed_dict)
        except (TypeError, ValueError):
            feeds = one_element.feeds(self.graph, feed_dict)
            if feeds is None:
                raise
        return super().partial_run(handle, fetches, feeds)

    def _run_now(
        self,
        arguments: tuple[Any, Feeds, Any, Any],
        known: Shortcut | None,
        fed: Any,
        key: Key | None,
        plan: Plan | None,
    ) -> Any:
        """Runs a step in whichever thread this is: the `Shortcut` where there is one."""
        fetches, feed_dict, options, run_metadata = arguments
        try:
            if known is not None:
                return known(self, fed)
            values = super().run(*arguments)
        except _tf.errors.CancelledError as error:
            self._mark_late(error)
            raise
        except (RuntimeError, TypeError, ValueError) as error:
            self._mark_late(error)
            feeds = one_element.feeds(self.graph, feed_dict)
            if feeds is not None:
                return super().run(fetches, feeds, options, run_metadata)
            refused_fetch.note(error, self.graph, fetches, feed_dict, self._owner.closed)
            raise
        if options is None and run_metadata is None:
            self._fast_path.keep(fetches, feed_dict, key, plan)
        return values

    def _call_tf_sessionrun(self, *args: Any, **kwargs: Any) -> Any:
        # Every step comes through here. Should it move: tests/session/test_unreadable.py says so.
        try:
            return super()._call_tf_sessionrun(*args, **kwargs)
        except UnicodeDecodeError as error:
            raise _tensorflow.unreadable(error) from error

    def _mark_late(self, error: BaseException) -> None:
        if self._owner.stopping:
            registry.mark_clean(error)  # a feeding thread came too late: the session is closed

    def make_callable(
        self, fetches: Any, feed_list: Sequence[Any] | None = None, accept_options: bool = False
    ) -> Callable[..., Any]:
        """A function that runs one kind of step (`tf.Session.make_callable`).

        Args:
            fetches: As for `run`.
            feed_list: Optional list of tensors to feed, in the order of the
                function's arguments.
            accept_options: Whether the function takes `options` and `run_metadata`.

        Returns:
            A function that runs the step as `run` does.
        """
        plain = super().make_callable(fetches, feed_list, accept_options)
        if feed_list:
            return plain  # it goes through `run`
        return lambda options=None, run_metadata=None: self.run(
            fetches, None, options, run_metadata
        )

    def _make_callable_from_options(self, callable_options: Any) -> Callable[..., Any]:
        # Keras 2 runs its steps this way. Should it move: tests/v1/test_keras.py says so.
        step = super()._make_callable_from_options(callable_options)
        fed = [self.graph.get_tensor_by_name(name) for name in callable_options.feed]
        links = callable_options.tensor_connection
        given = (*fed, *(link.to_tensor for link in links))
        fetches = [*callable_options.fetch, *callable_options.target]
        fetches += [link.from_tensor for link in links]
        has_deadline = self._has_deadline(callable_options.run_options)

        def supervised(*values: Any, run_metadata: Any = None) -> Any:
            run = functools.partial(step, *values, run_metadata=run_metadata)
            plan = self._owner.plans.of(fetches, given)[1]
            if plan is None or not (plan.blocks or self._owner.remote):
                return run()
            feeds = dict(zip(fed, values, strict=False))
            return run_step(self._owner, None, plan, run, feeds, has_deadline)

        return supervised

    def close(self) -> None:
        """Ends the session: stops its runners, joins their threads, frees its resources.

        Raises:
            ThreadsStillRunning: If a thread does not end.
        """
        if self._owner is None:
            super().close()  # the constructor failed half-way
            return
        self._owner.shut_down(self._close_handle)

    def __exit__(self, exec_type: Any, exec_value: Any, exec_tb: Any) -> bool | None:
        """Ends the session. TensorFlow does so in another thread where the block ended with an error."""
        try:
            ended: bool | None = super().__exit__(exec_type, exec_value, exec_tb)
        except RuntimeError:
            if exec_type is None:
                raise
            self.close()  # the system gives no thread: the error of the block is raised
            return None
        return ended

    def _close_or_go_on(self) -> None:
        """Closes the session; goes on with a close that was interrupted, without a wait."""
        if self._owner is not None and self._owner.stopping and not self._owner.closed:
            self._owner.shut_down(self._close_handle, seconds=0)
        else:
            self.close()

    def _close_handle(self) -> None:
        """Closes the TensorFlow session, in whatever thread."""
        _tf.Session.close(self)  # an interactive one leaves stacks, too, which are its thread's

    def __del__(self, _is_finalizing: Callable[[], bool] = sys.is_finalizing) -> None:
        if _is_finalizing():
            # The modules are being taken down; the exit hook has ended what was to be ended.
            self._session = None
        elif "_tfqueue_handle" not in vars(self):
            super().__del__()  # the constructor failed half-way
        elif _cannot_wait(threading.current_thread()):
            self._delete_beside()
        else:
            try:
                self._delete()
            except KeyboardInterrupt:
                self._delete_beside()
                wakeups.interrupt_again()

    def _delete_beside(self) -> None:
        try:
            threading.Thread(target=self._delete, name="tfqueue-delete", daemon=True).start()
        except (
            RuntimeError
        ):  # the system gives no thread: C++ closes it, behind the last step in it
            self._tfqueue_handle.outlive_session()

    def _delete(self) -> None:
        """Ends the session where no error can be raised any more; Python would print it."""
        try:
            with contextlib.suppress(Exception):
                self._close_or_go_on()
        finally:
            # A thread that is still in a step of it deletes the C++ session.
            self._tfqueue_handle.outlive_session()


def _cannot_wait(thread: threading.Thread) -> bool:
    """Whether a thread, in which Python happens to collect a session, is not to wait for its end.

    A thread that a session started, a runner's helper too, would wait for threads that wait for it, or
    for a lock that it holds itself. So would one of TensorFlow's, in which Python runs a `py_func`.
    """
    return thread.name.startswith(_OURS) or isinstance(thread, threading._DummyThread)


class PartialRun:
    """A step that is run in parts. TensorFlow begins all of it at once, with its set-up."""

    def __init__(self, owner: Owner, fetched: Any, feeds: Iterable[Any]) -> None:
        self._owner = owner
        self._given = set(fed_names(owner.graph, feeds))
        self._left = set(self._names(fetched))
        self._whole = whole = self.plan_of(fetched)
        if whole is not None:
            owner.steps.begin_parts(whole)
            owner.accounts.begin(whole)
            if whole.puts:
                owner.accounts.lose(whole)  # what waits for no part is put at once

    def plan_of(self, fetched: Any) -> Plan | None:
        """The `Plan` of a part: what no part before it has done."""
        return self._owner.plans.of(fetched, tuple(self._given))[1]

    def came_back(self, fetched: Any, plan: Plan) -> bool:
        """A part has come back; whether it was the last."""
        for take in plan.demand.takes:
            self._given.update(tensor.name for tensor in take.op.outputs)
        self._left.difference_update(self._names(fetched))
        return not self._left

    def end(self) -> None:
        """Its last part has come back, or one has failed."""
        if self._whole is not None:
            self._owner.steps.end_parts(self._whole)

    def _names(self, fetched: Any) -> list[str]:
        return [leaf.name for leaf in read_fetches(self._owner.graph, fetched).leaves]


def _config_for(config: Config, graph: Graph, target: Any) -> Config:
    """`config`, with what this machine and this graph need.

    Where there is no GPU, what a program puts on one (`with tf.device("/gpu:0")`) goes to the CPU:
    old programs were written on the author's machine. Only in this process; a server places its
    ops itself.

    TensorFlow's layout optimizer gives up on a graph with a `PriorityQueue`
    (its enqueue op has one tensor more than the queue has components) and
    prints an error each time: not to try it changes nothing but that.
    """
    graph = graph if graph is not None else _tf.get_default_graph()
    made = _tf.ConfigProto()
    if config is not None:
        made.CopyFrom(config)
    if not target and not _has_gpu():
        made.allow_soft_placement = True
    if any(queue.kind == "PriorityQueue" for queue in Pipeline.of(graph).queues.values()):
        rewrites = made.graph_options.rewrite_options
        if rewrites.layout_optimizer == rewrites.DEFAULT:
            rewrites.layout_optimizer = rewrites.OFF
    return made


@functools.cache
def _has_gpu() -> bool:
    return bool(_tf.config.experimental.list_physical_devices("GPU"))


class Session(OwnedSession, _tf.Session, metaclass=_tensorflow.StandsFor):
    """A session whose waits end, one way or the other (`tf.Session`).

    Args:
        target: Address of a `tf.train.Server`; this process when empty.
        graph: The graph to run; the default graph when None.
        config: A `ConfigProto`.

    >>> import tfqueue.v1 as tf
    >>> with tf.Graph().as_default(), tf.Session() as sess:
    ...     print(sess.run(tf.constant(6) * 7))
    42
    """

    __original__ = _tf.Session

    def __init__(self, target: Any = "", graph: Graph = None, config: Config = None) -> None:
        _refuse_after_fork(config)
        with _tensorflow.quiet_first_session():
            super().__init__(target, graph, _config_for(config, graph, target))
        self._begin()


class InteractiveSession(OwnedSession, _tf.InteractiveSession, metaclass=_tensorflow.StandsFor):
    """A `Session` that is the default one from the start (`tf.InteractiveSession`).

    Args:
        target: As for `Session`.
        graph: As there.
        config: As there.

    >>> import tfqueue.v1 as tf
    >>> with tf.Graph().as_default():
    ...     sess = tf.InteractiveSession()
    ...     print(tf.constant(42).eval())
    ...     sess.close()
    42
    """

    __original__ = _tf.InteractiveSession

    def __init__(self, target: Any = "", graph: Graph = None, config: Config = None) -> None:
        _refuse_after_fork(config)
        _replace_default_sessions()
        self._made_in = threading.get_ident()
        with _tensorflow.quiet_first_session():
            super().__init__(target, graph, _config_for(config, graph, target))
        self._begin()

    def close(self) -> None:
        """Ends the session, see `Session.close`; it is the default one no longer."""
        try:
            super().close()
        finally:
            if self._closed and getattr(self, "_default_session", None) is not None:
                _tf.InteractiveSession.close(self)


def _replace_default_sessions() -> None:
    """Lets earlier interactive sessions go whose runners are at work, as far as nobody holds them.

    A notebook's cell that is run again makes one more. TensorFlow keeps the one before as a
    default session beneath the new one, for good, and its runners go on reading.
    """
    for owner in registry.everywhere():
        sess = owner.session()
        here = getattr(sess, "_made_in", None) == threading.get_ident()  # each thread has its stack
        if here and any(run.working() for run in owner.runs):
            _tensorflow.leave_default(sess)
