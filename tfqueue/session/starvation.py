"""Whether a step that waits can ever go on: an error is raised only where it is proved that it cannot.

A step is starved when no live producer can bring the elements it waits for.
`WaitWatch.look` joins four proofs of it:

* the step, and each runner between it and the queues that nobody fills, waits
  for elements and does not compute with the last ones (`accounts.Accounts`);
* those queues are filled by no live runner and no step that is under way
  (`unfilled_behind`);
* every other thread of the process waits as well (`stuck_threads`), or is known
  to be harmless (`other_threads`);
* no Python function is left that TensorFlow may yet call (`python_to_come`).

Besides, `gate` holds a step back whose runners were never started, and refuses it where nobody can start them; `_spinning`
ends one whose files have no records.
Where one part cannot be shown the step goes on waiting, and after some seconds
a warning says for what. A queue with a `shared_name`, or in a remote session,
may be fed from anywhere and is never declared dead.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

from tfqueue import errors
from tfqueue._tensorflow.types import Feeds, Op
from tfqueue.explain import diagnosis
from tfqueue.graph import statefulness, traversal
from tfqueue.graph.op_types import VARIABLES, Demand, Queue, Take
from tfqueue.session import backpressure, cluster, failures, other_threads, registry
from tfqueue.session.accounts import amount_put, amount_taken, amounts_by_queue
from tfqueue.session.queues import puts_under_way

if TYPE_CHECKING:
    from tfqueue.session.coordinator import Coordinator
    from tfqueue.session.owner import Owner
    from tfqueue.session.runner import RunnerRun
    from tfqueue.session.step import Plan, Step

_GATE_SECONDS = 0.5
"""Seconds that runners which nobody can start any more are still given."""
_WARN_AFTER = 5.0
"""Seconds after which a wait that cannot be judged is warned of, once."""


def gate(owner: Owner, plan: Plan, feed_dict: Feeds) -> None:
    """Holds a step back while it cannot get an element because its runners were never started.

    Held back, it takes nothing, and the session stays as it is: once the
    runners are started, the step goes on.

    Raises:
        StarvationError: If nobody is left who could start them.
    """
    if _may_run(owner, plan, feed_dict):
        return
    with owner.steps.holding_back(plan):
        _wait_for_start(owner, plan, feed_dict)


def _wait_for_start(owner: Owner, plan: Plan, feed_dict: Feeds) -> None:
    started, warned = time.monotonic(), False
    while True:
        owner.changed.wait(0.05)
        if _may_run(owner, plan, feed_dict):
            return
        waited = time.monotonic() - started
        if waited > _GATE_SECONDS:
            acting = _who_may_act(stuck_threads())
            if not acting:
                queues = _never_started(owner, plan.upstream)
                raise failures.mark_reported(
                    diagnosis.never_started(owner.failure(queue=queues[0]), queues)
                )
        if waited > _WARN_AFTER and not warned:
            warned = True
            diagnosis.warn_waiting(owner.failure(plan=plan), acting)


def _may_run(owner: Owner, plan: Plan, feed_dict: Feeds = None) -> bool:
    if not _never_started(owner, plan.upstream):
        plan.gate_open = True
        return True
    if owner.stopping or owner.remote:
        return True
    lacking = [
        take
        for take in plan.demand.takes
        # None where only the run shows it: it may be none at all.
        if not take.conditional and (amount_taken(take, feed_dict) or 0) > 0
        if not _can_supply(owner, take.queue, set())
    ]
    return not lacking or _calls_python_first(owner, plan, lacking)


def _calls_python_first(owner: Owner, plan: Plan, lacking: list[Take]) -> bool:
    """Whether the step calls Python before it needs what one of the `Take`s in `lacking` brings."""
    ops = plan.demand.ops
    first = [traversal.runs_without(ops, take.op, plan.fed) for take in lacking]
    found = [op for op in ops if all(op in each for each in first)]
    if owner.pipeline.python_among(found):
        return True
    return any("Iterator" in op.type for op in found) and bool(_python_of_datasets(owner))


def _never_started(owner: Owner, queues: Iterable[Queue]) -> list[Queue]:
    return [
        queue
        for queue in queues
        if (runs := owner.runs_of(queue)) or owner.pipeline.runners_of(queue)
        if not any(run.begun() for run in runs)
    ]


def _can_supply(owner: Owner, queue: Queue, asked: set[Queue]) -> bool:
    """Whether `queue` has, or may yet get, an element as things stand."""
    if queue in asked or queue.shared_name or owner.queues.feeders_of(queue):
        return True
    if owner.may_close(queue) or any(run.begun() for run in owner.also_put(queue)):
        return True
    asked.add(queue)
    runs = owner.runs_of(queue)
    for run in runs:
        if not run.begun():
            continue
        if run.ended or run.failure is not None or run.enqueued():
            return True
        takes = owner.pipeline.demand_of(run.runner).takes
        if all(take.conditional or _can_supply(owner, take.queue, asked) for take in takes):
            return True
    if runs or owner.pipeline.runners_of(queue):
        looked = owner.queues.look(queue)
        # Where it is closed the step itself will say what is wrong with it.
        return looked is None or looked[0] > 0 or looked[1]
    return True  # nobody is registered for it: not a matter of starting runners


def settle(owner: Owner, but: Plan | None = None) -> None:
    """Ends the waits at other queues after a runner's failure, see `Coordinator.settle`."""
    for coord in _draining(owner):
        coord.settle(but)


def _draining(owner: Owner) -> list[Coordinator]:
    """The coordinators that let be taken what is in front of a runner's failure."""
    coords = [run.coord for run in list(owner.runs)]
    return [coord for coord in coords if getattr(coord, "draining", False)]


class WaitWatch:
    """Looks around while one step waits."""

    def __init__(self, owner: Owner, step: Step) -> None:
        self._owner = owner
        self._step = step
        self._started = time.monotonic()
        self._warned = False
        self._spins: dict[str, tuple[int, tuple[int, list[float]]]] = {}
        """By name of a queue of file names, how many were put when an element last came of them."""
        self._barren: dict[Queue, int] = {}
        """Queues of names of which nothing can come, and how many names each gets in an epoch."""
        self._lookout = cluster.Lookout(owner, step.plan) if owner.remote else None

    def close(self) -> None:
        """Ends what the looks began."""
        if self._lookout is not None:
            self._lookout.close()

    def look(self) -> None:
        """One look; closes queues that no longer have a producer, each with its cause."""
        owner, step = self._owner, self._step
        plan = step.plan
        if self._lookout is not None:
            self._lookout.look()
        if owner.stopping or step.has_deadline or owner.pid != os.getpid():
            return
        if plan.takes:
            self._spinning()
            dead = unfilled_behind(owner, plan.demand, exact=False)
        else:
            dead = set(backpressure.queues_blocking(owner, step))
        settle(owner, plan if dead and step.caller in owner.waiting() else None)
        stuck = stuck_threads() if dead else set()
        acting = _who_may_act(stuck) if dead else []
        # Asked again once the threads are known: what one put in before it ended is then counted,
        # and so is the Python that this may have set going.
        proved = step.caller in stuck and not acting and stuck == stuck_threads()
        if proved and not _who_may_act(stuck):
            draining = _draining(owner)
            for coord in draining:
                coord.release()  # nobody is left to take what is in front of the failure
            if draining:
                return
            # All waits end: each step waits for one of the others, or for nobody.
            for owner, each in _waiting_everywhere():
                _end_wait(owner, each)
        elif not self._warned and time.monotonic() - self._started > _WARN_AFTER:
            self._warned = True
            self._warn(dead, acting)

    def _warn(self, dead: Collection[Queue], acting: list[str]) -> None:
        owner, plan = self._owner, self._step.plan
        far = self._filled_elsewhere()
        if not plan.takes:
            full = backpressure.never_drained(owner, plan)
            if full:
                diagnosis.warn_full(owner.failure(queue=full[0]), acting)
        elif far is not None:
            diagnosis.warn_left_to_chief(owner.failure(queue=far))
        elif dead or not self._has_live_producer():
            diagnosis.warn_waiting(owner.failure(plan=plan), acting)

    def _spinning(self) -> None:
        """Files without a record: names are consumed, epoch after epoch, and nothing comes."""
        owner, barren = self._owner, self._barren
        for queue in self._step.plan.upstream:
            count = diagnosis.names_per_epoch(owner.failure(queue=queue))
            if not count or not any(take.is_read for take in queue.takes):
                continue
            put = sum(run.enqueued() for run in owner.runs_of(queue))
            produced = self._what_came_of(queue)
            last = self._spins.get(queue.name)
            if last is None or last[1] != produced:
                self._spins[queue.name] = (put, produced)
                barren.pop(queue, None)
                continue
            # Names of an epoch were taken, and nothing has come of them. That proves nothing yet: many
            # examples may be on their way. So the files are looked at, which is not for nothing.
            if put - last[0] > count + queue.capacity and queue not in barren:
                self._spins[queue.name] = (put, produced)
                if diagnosis.is_without_records(owner.failure(queue=queue)):
                    barren[queue] = count
        if barren and _takes_only_from(owner, self._step.plan.demand, set(barren)):
            for queue, count in barren.items():
                cause = errors.NoRecordsError(
                    diagnosis.no_records(owner.failure(queue=queue), count)
                )
                owner.queues.failed(queue.name, cause)
                owner.queues.close(queue, cancel=True)

    def _what_came_of(self, queue: Queue) -> tuple[int, list[float]]:
        """What changes with each element that comes of `queue`'s elements, whoever moves it on."""
        runs = sum(run.enqueued() for run in self._owner.runs if queue in run.upstream())
        # The program's own steps, in its own threads: one asked for anew has come back before.
        plans = self._owner.plans
        return runs, [plan.last for plan in plans if queue in plan.upstream]

    def _filled_elsewhere(self) -> Queue | None:
        """The shared queue that the step's elements come from, if no runner here fills it."""
        owner = self._owner
        for queue in reversed(self._step.plan.upstream) if owner.remote else ():
            if queue.shared_name and not any(r.working() for r in owner.runs_of(queue)):
                return queue
        return None

    def _has_live_producer(self) -> bool:
        owner, me = self._owner, self._step.caller
        return any(
            any(run.working() and run.begun() for run in owner.runs_of(queue))
            or any(each is not me for each in owner.queues.live_feeders(queue))
            for queue in self._step.plan.upstream
        )


# -- whether a step can ever go on ------------------------------------------------------------


def unfilled_behind(owner: Owner, demand: Demand, exact: bool = True) -> set[Queue]:
    """The queues without a producer for which a step waits, directly or through runners.

    It supposes that no thread but the session's runners puts anything in: whether one may is
    another question (`other_threads`).

    Where `exact`, it must be proved that the step, and each runner in between, waits and does not
    compute; else that is supposed.

    Returns:
        A set of model `Queue`s; empty if the step may yet come back.
    """
    return _blocked(owner, demand, exact, frozenset()) or set()


def _blocked(
    owner: Owner, demand: Demand, exact: bool, asked: frozenset[Queue]
) -> set[Queue] | None:
    """As `unfilled_behind`; None if the step may come back, an empty set if it waits for itself only."""
    for queue, amount in amounts_by_queue(demand).items():
        if exact and not _waits_at(owner, queue, amount):
            continue
        found = _unfilled(owner, queue, exact, asked)
        if found is not None:
            return found
    return None


def _unfilled(
    owner: Owner, queue: Queue, exact: bool, asked: frozenset[Queue]
) -> set[Queue] | None:
    """The queues whose want of a producer keeps `queue` as it is; None if it may be filled."""
    if queue in asked:
        return set()  # it waits for itself
    closed = queue.name in owner.queues.causes or queue.name in owner.queues.cancelled
    if owner.remote or queue.shared_name or closed or owner.may_close(queue):
        return None
    if any(into is queue for plan in list(owner.steps.in_parts) for _, into in plan.demand.puts):
        return None  # TensorFlow goes on with what was begun, between the parts too
    found = set()
    for _, put, step in puts_under_way(owner, queue):
        if step.done() or (exact and not put.takes):
            continue  # `_waits_at` has counted what it brings
        behind = _blocked(owner, put if exact else step.plan.demand, exact, asked | {queue})
        if behind is None:
            return None
        found |= behind
    runs = owner.runs_of(queue)
    if any(run.ended or run.failure is not None or run.about_to_close() for run in runs):
        return None  # TensorFlow itself ends the wait: the queue is closed, or about to be
    at_work = [run for run in runs + owner.also_put(queue) if run.working() and run.begun()]
    if not at_work:
        if owner.pipeline.feeds_by_hand(queue) and not owner.queues.feeders_of(queue):
            return None  # an op that was never run: nobody knows who is to run it
        return {queue, *found}
    for run in at_work:
        for demand, _, thread in run.demands():
            if thread.is_alive():
                behind = _blocked(owner, demand, exact, asked | {queue})
                if behind is None:
                    return None
                found |= behind
    return found


def comes_back(owner: Owner, demand: Demand, asked: frozenset[Queue] = frozenset()) -> bool:
    """Whether a runner's step that is under way is known to come back, whatever the program does.

    That is so if it only computes, or waits for what other runners only compute; `asked` are the
    queues that wait for it.
    """
    types = statefulness.types_within(owner.graph, demand.ops)
    if owner.remote or any(map(_may_last, types)) or (_LOOPS & types and VARIABLES & types):
        return False
    others = {queue for _, queue in demand.puts if queue not in asked}
    return not any(map(owner.queues.is_full, others)) and all(
        _is_supplied(owner, take, asked) for take in demand.takes
    )


def _is_supplied(owner: Owner, take: Take, asked: frozenset[Queue]) -> bool:
    """Whether a `Take` is known to get what it takes, or the end of it."""
    queue, looked = take.queue, owner.queues.look(take.queue)
    if looked is None or queue.shared_name or queue in asked:
        return False
    size, closed = looked
    if closed or size - queue.min_after_dequeue >= (take.amount or 1):
        return True
    runs = [run for run in owner.runs_of(queue) if run.begun()]
    return bool(runs) and all(
        run.ended or (run.working() and _go_on(owner, run, queue, asked)) for run in runs
    )


def _go_on(owner: Owner, run: RunnerRun, queue: Queue, asked: frozenset[Queue]) -> bool:
    """Whether the threads of a run that fills `queue` are known to come back."""
    return all(
        comes_back(owner, demand, asked | {queue})
        for demand, _, thread in run.demands()
        if thread.is_alive()
    )


_LOOPS = {"Enter", "RefEnter", "While"}
"""Ops of loops, which go on for as long as a variable says so, if they read one."""


def _may_last(op_type: str) -> bool:
    """Whether such an op may take for ever, for reasons that are not known here."""
    return op_type in traversal.WAITS or "PyFunc" in op_type or "Iterator" in op_type


def _takes_only_from(
    owner: Owner, demand: Demand, queues: set[Queue], asked: frozenset[Queue] = frozenset()
) -> bool:
    """Whether a step can get nothing but what comes of `queues`, directly or through runners."""
    return any(
        not take.conditional and _comes_only_of(owner, take.queue, queues, asked)
        for take in demand.takes
    )


def _comes_only_of(owner: Owner, queue: Queue, queues: set[Queue], asked: frozenset[Queue]) -> bool:
    if queue in queues or queue in asked:
        return True
    if owner.remote or queue.shared_name or owner.queues.feeders_of(queue):
        return False
    filling = [
        demand
        for run in owner.runs_of(queue)
        for demand, _, thread in run.demands()
        if thread.is_alive()
    ]
    return bool(filling) and all(
        _takes_only_from(owner, demand, queues, asked | {queue}) for demand in filling
    )


def _waits_at(owner: Owner, queue: Queue, amount: int | None) -> bool:
    """Whether a step that takes `amount` from a queue has, for sure, not got all of it."""
    expected, coming = owner.accounts.balance(queue), _coming(owner, queue)
    if amount is None or expected is None or coming is None:
        return False
    looked = owner.queues.look(queue)
    if looked is None:
        return False
    size, closed = looked
    if closed or size > queue.min_after_dequeue:
        return False
    # Read once more: what was counted meanwhile may have been in the queue, or not.
    unchanged = (owner.accounts.balance(queue), _coming(owner, queue)) == (expected, coming)
    return unchanged and 0 <= expected + coming - size < amount


def _coming(owner: Owner, queue: Queue) -> int | None:
    """How many elements steps under way put into a queue for sure, or have put; None if unknown."""
    puts = [(op, step) for op, put, step in puts_under_way(owner, queue) if not put.takes]
    amounts = [amount_put(op, step.feed_dict) for op, step in puts]
    known = [amount for amount in amounts if amount is not None]
    return sum(known) if len(known) == len(amounts) else None


def _waiting_everywhere() -> list[tuple[Owner, Step]]:
    """`(Owner, Step)` of all steps in this process that a thread waits for."""
    return [
        (owner, step)
        for owner in registry.everywhere()
        if owner.pid == os.getpid()
        for step in list(owner.steps.under_way)
        if step.caller is not None and not step.done()
    ]


def stuck_threads() -> set[threading.Thread]:
    """The threads that wait in a step for elements that no runner brings, or for room that none makes.

    The wait lasts as long as no other thread of the process brings or takes any. Threads whose steps are
    held back are among them.
    """
    found = {thread for each in registry.everywhere() for thread, _ in each.steps.held_back}
    for owner, step in _waiting_everywhere():
        if step.has_deadline or step.caller is None:
            continue
        if unfilled_behind(owner, step.plan.demand) or backpressure.queues_blocking(owner, step):
            found.add(step.caller)
    return found


def _is_released_by_closing(owner: Owner, step: Step, queue: Queue) -> bool:
    """Whether closing `queue` may give the step what it would not have got else."""
    takes = [take for take in step.plan.demand.takes if take.queue is queue]
    if any(take.amount is None or take.is_up_to for take in takes):
        return True  # it makes do with what there is
    if queue.min_after_dequeue <= 0:
        return False
    looked = owner.queues.look(queue)
    return looked is not None and looked[0] < queue.min_after_dequeue


def _end_wait(owner: Owner, step: Step) -> None:
    """Closes the queues for whose elements or room a step waits, each with its cause."""
    for queue in unfilled_behind(owner, step.plan.demand):
        starved = diagnosis.starved(owner.failure(queue=queue, plan=step.plan))
        cause = owner.queues.failed(queue.name, starved)
        if any(take.queue is queue for take in step.plan.demand.takes):
            step.cause = cause
            step.may_be_released |= _is_released_by_closing(owner, step, queue)
        owner.queues.close(queue, cancel=False)
    for queue in backpressure.queues_blocking(owner, step):
        no_room = diagnosis.no_room(owner.failure(queue=queue, plan=step.plan))
        step.cause = owner.queues.failed(queue.name, no_room)
        owner.queues.close(queue, cancel=True)


# -- Python functions of the graph ---------------------------------------------------------------


def _who_may_act(stuck: Collection[threading.Thread]) -> list[str]:
    """Names of what may end a wait, to be shown; empty if nothing is left that could."""
    # The threads come last: one that a function has started before it ended is then among them.
    return [*python_to_come(), *other_threads.threads_that_may_act(stuck)]


def python_to_come() -> list[str]:
    """The Python functions that TensorFlow may yet call: they may do anything.

    They are those of the steps that are under way, in whichever session, but for those that wait
    for what a queue without a producer gives. And those of a dataset that was run: it may call
    them in the background.

    Returns:
        A list of names, to be shown.
    """
    ops = []
    for owner in registry.everywhere():
        if owner.pid != os.getpid():
            continue
        for plan in list(owner.steps.in_parts):
            ops += owner.pipeline.python_among(plan.demand.ops)
        for step in list(owner.steps.under_way):
            if not step.done():
                ops += _python_of_step(owner, step.plan.demand, step.plan.fed)
        for run in list(owner.runs):
            for demand, _, thread in run.demands():
                if thread.is_alive():
                    ops += _python_of_step(owner, demand)
        ops += _python_of_datasets(owner)
    return [f"a Python function ({name})" for name in dict.fromkeys(op.name for op in ops)]


def _python_of_step(owner: Owner, demand: Demand, fed: tuple[str, ...] = ()) -> list[Op]:
    """The ops of a step under way that may yet call Python, as far as no thread feeds it."""
    found = owner.pipeline.python_among(demand.ops)
    for queue, amount in amounts_by_queue(demand).items() if found else ():
        waits = _waits_at(owner, queue, amount)
        if waits and _unfilled(owner, queue, True, frozenset()) is not None:
            # Any of the ops that take from it may be the one that waits.
            takes = [take.op for take in demand.takes if take.queue is queue]
            running = set().union(*(traversal.runs_without(demand.ops, op, fed) for op in takes))
            # What a function calls need not wait for all that the function is given.
            found = [op for op in found if op in running or "PyFunc" not in op.type]
    return found


def _python_of_datasets(owner: Owner) -> list[Op]:
    """The ops of datasets and iterators that have Python in their functions and may have been run."""
    if owner.closed:
        return []
    if owner.is_ours and owner.accounts.complete:
        demands = [each.demand for each in [*owner.plans, *list(owner.runs)]]
        ops = [op for demand in demands for op in demand.ops]
    else:
        ops = owner.graph.get_operations()
    made = [op for op in ops if "Dataset" in op.type or "Iterator" in op.type]
    return owner.pipeline.python_among(made)
