"""One step of the program: run so that its wait can be interrupted, and ended where it is endless.

A `Plan` says what a kind of step demands of the session. A blocked `Session.run` sits in C++ and
neither handles Ctrl-C nor notices that what it waits for will never come. So a step that can block
is run by a thread of the session's own, and the caller waits for a `Step`.
"""

from __future__ import annotations

import contextlib
import functools
import queue
import threading
import time
import types
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

from tfqueue import _tensorflow
from tfqueue._tensorflow.types import Feeds
from tfqueue.explain import diagnosis, forged_length
from tfqueue.graph.op_types import DEQUEUES, QUEUE_KINDS, Demand
from tfqueue.session import failures, registry, shared_queues, starvation, wakeups
from tfqueue.session.fast_path import Key, fed_names, read_fetches

if TYPE_CHECKING:
    from tfqueue._tensorflow.types import Op
    from tfqueue.graph.op_types import Queue, Take
    from tfqueue.session.accounts import Account
    from tfqueue.session.owner import Owner

_tf = _tensorflow.compat_v1()

_TAKING = DEQUEUES | {"Const", "ExpandDims", "Identity", "Reshape", "Squeeze", *QUEUE_KINDS}
_FIRST_LOOK = 0.05  # seconds before the wait begins to look around
_LONGEST_LOOK = 0.25  # and the longest pause between two looks


class Plan:
    """What one kind of step takes, puts and reads."""

    def __init__(self, demand: Demand, keep: Sequence[Any], fed: tuple[str, ...] = ()) -> None:
        self.demand = demand
        """The `Demand` of its fetches."""
        self.keep = keep
        """The fetched objects, so that their ids stay theirs."""
        self.fed = fed
        """The names of the tensors that are fed."""
        self.upstream: list[Queue] = []
        """The queues its elements come through."""
        self.blocks = demand.blocks
        self.takes = bool(demand.takes)
        self.only_takes = self.takes and all(op.type in _TAKING for op in demand.ops)
        """Whether it does nothing else but give what it takes other dimensions: handing that to a pool
        of threads costs more than doing it."""
        self.put_queues = [queue for _, queue in demand.puts]
        self.gate_open = False
        """Whether the runners behind the step are known to have been started."""
        self.runners_seen = -1
        self.parts: tuple[Take, Any] | None = None
        """What `SplitWatch` notes of it, or None."""
        self.last = float("-inf")
        """When such a step was last asked for, by `time.monotonic()`."""
        self.guard: forged_length.Guard | None = None
        """The `forged_length.Guard` of a step that reads records itself, where it needs one."""
        self.accounts: list[tuple[Account, int | None]] = []
        """`(Account, amount)` for each queue it takes from; the amount is None if not known."""
        self.bookable = False
        """Whether the accounts can tell, before the step runs, that it need not wait."""
        self.puts: list[tuple[Account, Op]] = []
        """`(Account, enqueue op)` for each put."""

    def has_run(self) -> bool:
        """Whether such a step was ever asked for."""
        return self.last > float("-inf")


class Plans:
    """The plans of one session, by what is fetched and fed."""

    def __init__(self, owner: Owner) -> None:
        self._owner = owner
        self._kept: dict[tuple[tuple[int, ...], tuple[str, ...]], Plan] = {}

    def __iter__(self) -> Iterator[Plan]:
        return iter(list(self._kept.values()))

    def drop(self) -> None:
        """Drops all of them."""
        self._kept.clear()

    def of(
        self, fetched: Any, feed_dict: Iterable[Any] | None
    ) -> tuple[Key, Plan] | tuple[None, None]:
        """The key and the `Plan` for arguments of `Session.run`; `(None, None)` if unknown.

        Steps of one plan have different keys where their values are laid out differently.
        """
        owner = self._owner
        try:
            read = read_fetches(owner.graph, fetched)
            fed = fed_names(owner.graph, feed_dict)
        except (TypeError, ValueError, KeyError):
            return None, None  # `Session.run` itself says what is wrong with them
        ids = tuple(map(id, read.leaves))
        plan, registered = self._kept.get((ids, fed)), self.runners_registered()
        new = None
        if plan is None:
            ops = [getattr(leaf, "op", leaf) for leaf in read.leaves if leaf.name not in fed]
            plan = new = Plan(owner.pipeline.demand(ops, fed), read.leaves, fed)
        if plan.runners_seen != registered:
            # A runner registered since may feed one of its queues.
            plan.upstream = owner.pipeline.upstream(plan.demand)
            plan.gate_open = not plan.upstream
            owner.accounts.prepare(plan)
            plan.runners_seen = registered
        if new is not None:
            if plan.demand.reads:
                plan.guard = forged_length.guard_for(owner.failure(plan=plan))
            self._kept[ids, fed] = plan  # complete: another thread may take it from here
            if plan.blocks:
                plan.parts = diagnosis.before_run(owner.failure(plan=plan))
            registry.tell("grew", owner)
        return (ids, fed, read.layout), plan

    def runners_registered(self) -> int:
        """How many runners are registered in the graph now."""
        return len(self._owner.graph.get_collection_ref(_tf.GraphKeys.QUEUE_RUNNERS))


class Call:
    """A call of a function in another thread, where it may wait for TensorFlow.

    `done` and `result` are those of a `concurrent.futures.Future`, whose lock Ctrl-C may leave taken
    (`wakeups`).
    """

    def __init__(self, function: Callable[[], Any]) -> None:
        self.caller: threading.Thread | None = threading.current_thread()
        """The thread that waits for it; None once that has given up."""
        self.then: Callable[[], Any] | None = None
        """Called after it, before anyone can see that it is done; if not None."""
        self._function = function
        self.error: BaseException | None = None
        """What it raised, once it is done, if it raised."""
        self._result: Any = None
        self._done = False
        self._begun = threading.Lock()
        self._finished = threading.Lock()
        self._finished.acquire()

    def execute(self) -> None:
        """Makes the call, in whichever thread this is; once, and not if it was withdrawn."""
        if not self._begun.acquire(blocking=False):
            return
        try:
            self._result = self._function()
        except BaseException as error:  # noqa: BLE001  (handed to the caller, whatever it is)
            # Without this frame: it holds the call, which holds the error. Nor is the traceback kept
            # in a variable here, which would be a cycle.
            self.error = error.with_traceback(_after_first(error.__traceback__))
        finally:
            del self._function
            if self.caller is None:
                self.drop_frames()
            if self.then is not None:
                self.then()
            self._done = True
            self._finished.release()

    def drop_frames(self) -> None:
        """Drops the frames of its error: these hold the session, which may be dropped meanwhile."""
        if self.error is not None:
            self.error = _tensorflow.without_frames(self.error)

    def withdraw(self) -> bool:
        """Whether nobody has begun it, and nobody will."""
        return self._begun.acquire(blocking=False)

    def wait(self, timeout: float) -> bool:
        """Waits up to `timeout` seconds; whether the call is done."""
        # A lock that only waits need: Ctrl-C may leave it taken, and the call is done all the same.
        if not self._done and self._finished.acquire(timeout=timeout):
            self._finished.release()
        return self._done

    def done(self) -> bool:
        """Whether it has come to its end, good or bad."""
        return self._done

    def result(self) -> Any:
        """What the call returned, once it is done; raises what it raised."""
        while not self.wait(threading.TIMEOUT_MAX):
            pass
        if self.error is None:
            return self._result
        try:
            raise self.error
        finally:
            del self  # no cycle through this frame


def _after_first(frames: types.TracebackType | None) -> types.TracebackType | None:
    return frames.tb_next if frames is not None else None


class Step(Call):
    """One step of the program that is under way.

    Args:
        function: Runs it.
        plan: Its `Plan`.
        has_deadline: Whether TensorFlow itself ends it after some time.
        feed_dict: What it is fed.
    """

    def __init__(
        self,
        function: Callable[[], Any],
        plan: Plan,
        has_deadline: bool = False,
        feed_dict: Feeds = None,
    ) -> None:
        super().__init__(function)
        self.plan = plan
        self.has_deadline = has_deadline
        self.feed_dict = feed_dict
        self.cause: BaseException | None = None
        """The error for its caller where it was ended because it could not go on."""
        self.may_be_released = False
        """Whether that may have given it elements for which it would have waited for ever."""
        self.is_booked = False
        """Whether the accounts have begun to record its end."""


class CallThread(threading.Thread):
    """Makes one of `calls` after the other, until one is None."""

    def __init__(self, name: str) -> None:
        # A daemon, so that a step which nothing can end (a py_func in an endless loop) does not
        # keep the process; sessions end theirs when they close.
        super().__init__(name=name, daemon=True)
        self.calls: queue.SimpleQueue[Call | None] = queue.SimpleQueue()

    def run(self) -> None:
        while (call := self.calls.get()) is not None:
            call.execute()
            del call


class Steps:
    """The steps of one session that are under way, and the threads that run them."""

    def __init__(self, name: str) -> None:
        self.under_way: set[Step] = set()
        """The `Step`s that are waited for, or run by threads that feed by hand."""
        self.interrupted: dict[Key | None, Step] = {}
        """By key, steps that go on though nobody waits for them: Ctrl-C ended the wait. What they
        take is for the same step, when it is asked for again."""
        self.in_parts: set[Plan] = set()
        """The `Plan`s of the partial runs that have been begun and have not come to their end."""
        self.held_back: list[tuple[threading.Thread, Plan]] = []
        """`(thread, Plan)` of the steps that wait for runners that were never started."""
        self._name = name
        self._idle: list[CallThread] = []
        self._threads: list[CallThread] = []
        self._apart: dict[Hashable, Call] = {}
        """The last call of each key `apart`."""
        self._ended = False
        self._lock = threading.RLock()

    def submit(self, call: Call) -> None:
        """Gives a `Call`, such as a `Step`, to an idle thread, or to a new one.

        Where the session has ended it is done here and now: all it can do is say so.
        """
        with self._lock:
            if not self._ended:
                if self._idle:
                    thread = self._idle.pop()
                else:
                    thread = CallThread(f"tfqueue-step-{self._name}")
                    self._threads.append(thread)  # first: an interrupt may come at any moment
                    wakeups.start(thread)
                call.then = functools.partial(self._idle.append, thread)
                thread.calls.put(call)
                return
        call.execute()

    def ask(self, key: Key | None) -> Step | None:
        """The step of a key that goes on though its wait was interrupted, for this thread; or None."""
        me = threading.current_thread()
        with self._lock:
            step = self.interrupted.get(key) if key is not None else None
            if step is None or step.caller not in (None, me):
                return None
            step.caller = me
            return step

    def forget(self, key: Key | None, step: Step) -> None:
        """Drops a step whose caller has its result or its error."""
        self.under_way.discard(step)
        with self._lock:
            if self.interrupted.get(key) is step:
                del self.interrupted[key]

    @contextlib.contextmanager
    def holding_back(self, plan: Plan) -> Iterator[None]:
        """Around the wait of a step, in this thread, for runners that were never started."""
        held = threading.current_thread(), plan
        self.held_back.append(held)
        try:
            yield
        finally:
            self.held_back.remove(held)

    def leave(self, key: Key, step: Step) -> None:
        """Keeps a step that goes on though nobody waits for it."""
        self.interrupted[key] = step

    def begin_parts(self, plan: Plan) -> None:
        """Notes a partial run that begins."""
        self.in_parts.add(plan)

    def end_parts(self, plan: Plan) -> None:
        """Notes that the last part of a partial run has come back."""
        self.in_parts.discard(plan)

    def drop(self) -> None:
        """Drops all steps: the session is closed."""
        self.interrupted.clear()
        self.under_way.clear()

    def apart(self, key: Hashable, function: Callable[[], Any], seconds: float) -> Any:
        """What `function()` returns, in a thread of the session's; None where it takes longer.

        It runs a step that may wait for one of the program's; the session's end ends it. While a
        call of a key is late, the next is not begun.
        """
        with self._lock:
            call = self._apart.get(key)
            if call is not None and not call.done():
                return None
            call = Call(function)
            self.submit(call)
            self._apart[key] = call
        return call.result() if call.wait(seconds) else None

    def end(self) -> list[CallThread]:
        """Tells all threads to end, for good; returns them, to be joined."""
        with self._lock:
            self._ended = True
            for thread in self._threads:
                thread.calls.put(None)
            return list(self._threads)


def join(threads: Iterable[threading.Thread], seconds: float) -> list[threading.Thread]:
    """Joins `threads`, but for this one, for up to `seconds` in all; lists those still alive."""
    deadline = time.monotonic() + seconds
    others = [thread for thread in threads if thread is not threading.current_thread()]
    for thread in others:
        if thread.is_alive():
            thread.join(max(0.0, deadline - time.monotonic()))
    return [thread for thread in others if thread.is_alive()]


def wait_for(call: Call, look: Callable[[], None]) -> None:
    """Waits until a `Call` is done, calling now and then `look()`, which may raise to end the wait."""
    pause = _FIRST_LOOK
    while True:
        look()
        if call.wait(pause):
            return
        pause = min(2 * pause, _LONGEST_LOOK)


def run(
    owner: Owner,
    key: Key | None,
    plan: Plan,
    function: Callable[[], Any],
    feed_dict: Feeds = None,
    has_deadline: bool = False,
    begin: bool = True,
) -> Any:
    """Runs a step that may block, and raises what really went wrong.

    Args:
        owner: The session's `Owner`.
        key: What identifies the step, or None if another run cannot take its place.
        plan: Its `Plan`.
        function: Runs it, without arguments; what it returns is returned.
        feed_dict: What the step is fed.
        has_deadline: Whether TensorFlow itself ends the step after some time.
        begin: False for a part of a step that is in the accounts already.

    Raises:
        tf.errors.OpError: The step's own error, or the upstream failure behind it.
        StarvationError: If no live producer can ever let it finish.
    """
    _before(owner, plan, feed_dict, has_deadline)
    steps = owner.steps
    step = steps.ask(key)
    new = step is None
    cannot_wait = new and begin and owner.accounts.begin(plan)
    if cannot_wait and not plan.put_queues and not steps.interrupted:
        return _run_here(owner, plan, function, feed_dict)  # without a thread: it need not wait
    over = False
    try:
        if step is None:
            step = _new_step(owner, function, plan, has_deadline, feed_dict)
        _wait(owner, plan, step, new)
        if step.cause is not None and key is not None and step.may_be_released:
            # Ending the wait released elements after all: kept for the same step.
            over = isinstance(step.error, _tf.errors.OpError)
            raise failures.to_raise(failures.mark_reported(step.cause))
        owner.accounts.book_end(step)
        steps.under_way.discard(step)
        try:
            # Where its wait was ended it may have had all it wants, and be only slow to compute.
            result = step.result()
        except Exception as error:
            over = True
            if isinstance(error, _tf.errors.OpError):
                _raise_true(owner, error, plan, step.cause)
            raise
        _after(owner, plan)
        over = True
        return result
    finally:
        if step is not None and over:
            steps.forget(key, step)
        elif step is not None:
            # The wait is over, the step goes on in C++: the same step, asked for again, finds it.
            _give_up(owner, key, plan, step)
        del step  # no cycle through this frame


def _new_step(
    owner: Owner, function: Callable[[], Any], plan: Plan, has_deadline: bool, feed_dict: Feeds
) -> Step:
    """A step, before which the accounts are settled where it counts what the step takes."""
    if plan.accounts:
        owner.accounts.settle(plan)
    return Step(function, plan, has_deadline, feed_dict)


def _before(owner: Owner, plan: Plan, feed_dict: Feeds, has_deadline: bool) -> None:
    """Holds a step back, or refuses it, where it could only fail or wait for ever."""
    plan.last = time.monotonic()
    if owner.queues.causes:
        starvation.settle(owner)
        failures.raise_left_to_others(owner, plan)
    if plan.put_queues:
        owner.queues.note_feeder(plan.put_queues)
    if plan.parts is not None:
        owner.splits.ran(plan.parts, threading.get_ident())
    if not plan.gate_open and not has_deadline:
        starvation.gate(owner, plan, feed_dict)
    if plan.guard is not None:
        plan.guard.take()


def _after(owner: Owner, plan: Plan) -> None:
    """Notes that a step has come back."""
    owner.link.connected = owner.remote
    plan.last = time.monotonic()
    if plan.takes and not owner.has_taken:
        owner.note_first_batch()


def _raise_true(
    owner: Owner, error: Exception, plan: Plan, cause: BaseException | None
) -> NoReturn:
    """Raises what is behind the error of a step, see `failures.raise_true`."""
    if cause is None and isinstance(error, _tf.errors.OutOfRangeError):
        cause = shared_queues.failure_elsewhere(owner, plan.upstream)
    failures.raise_true(owner, error, plan, cause)


def _run_here(owner: Owner, plan: Plan, function: Callable[[], Any], feed_dict: Feeds) -> Any:
    """Runs a step that need not wait: it takes elements, and its session is in this process."""
    accounts = owner.accounts
    try:
        result = function()
        accounts.finished(plan, feed_dict)
    except Exception as error:
        accounts.failed(plan, error)
        if isinstance(error, _tf.errors.OpError):
            failures.raise_true(owner, error, plan)
        raise
    except BaseException:
        accounts.lose(plan)
        raise
    plan.last = time.monotonic()
    if not owner.has_taken:
        owner.note_first_batch()
    return result


def _wait(owner: Owner, plan: Plan, step: Step, new: bool) -> None:
    """Has a new `Step` run, and waits until it is done."""
    if new:
        owner.steps.under_way.add(step)
        if not plan.takes and threading.current_thread() is not threading.main_thread():
            step.execute()  # no signal ever arrives here, and only a stop can end the wait
        else:
            owner.steps.submit(step)
    if not step.wait(_FIRST_LOOK):
        with contextlib.closing(starvation.WaitWatch(owner, step)) as watch:
            wait_for(step, watch.look)


def _give_up(owner: Owner, key: Key | None, plan: Plan, step: Step) -> None:
    """Nobody waits for a step any more; the next call that asks for the same one gets it."""
    steps, accounts = owner.steps, owner.accounts
    if step.withdraw():
        steps.under_way.discard(step)
        accounts.failed(plan, None)
    elif key is not None:
        steps.leave(key, step)
    if key is None or step.is_booked:
        accounts.lose(plan)
    step.caller = step.cause = None
    step.drop_frames()  # where it has come to its end just now
