"""What steps and runners put into a session's queues and took out of them.

Together with a queue's size that gives the elements *in flight*: taken by a step that has not come
back. With it two questions have an answer that does not depend on time: whether a step can have to
wait, and whether a step that has not come back is waiting for elements or has all of them and computes.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from tfqueue import _tensorflow
from tfqueue._tensorflow.types import Feeds, Op, Tensor
from tfqueue.accelerate.mover import Mover
from tfqueue.graph import traversal
from tfqueue.graph.op_types import ENQUEUES, Demand, Queue, Take

if TYPE_CHECKING:
    from tfqueue.session.owner import Owner
    from tfqueue.session.step import Plan, Step

_tf = _tensorflow.compat_v1()

_MOST_PASSES = 63
"""Steps between two looks into a queue that is found short each time: a look costs half a step."""


class Account:
    """What is known of one model `Queue`."""

    def __init__(self, queue: Queue) -> None:
        self.queue = queue
        self.put = 0
        """Elements that finished steps have put in."""
        self.put_known = True
        """Whether the number of elements that each step has put is known."""
        self.booked = 0
        """Elements that steps have taken or are about to take."""
        self.left = 0
        """Elements that a look has found in the queue, less those booked since; negative if unknown."""
        self.passes, self.pause = 1, 0
        """How many short steps pass without a look, now and after the last look that found too little.
        The first one does: the queue has only begun to fill, and what a look needs is yet to be built."""
        self.balance = 0
        """Elements that finished steps have put in, less those that they have taken."""
        self.exact = True
        """Whether `balance` is exact."""
        self.under_way = 0
        """Steps that put or take and have not come back."""
        self.bookable = True
        """Whether all who take from it book what they take."""


class Accounts:
    """The accounts of a session's queues."""

    def __init__(self, owner: Owner) -> None:
        self._owner = owner
        self._accounts: dict[str, Account] = {}
        self.complete = True
        """Whether all steps were of a `Plan`. If not, it is not known who took what."""
        self._lock = threading.Lock()

    def of(self, queue: Queue) -> Account:
        """The `Account` of a queue."""
        with self._lock:
            found = self._accounts.get(queue.name)
            if found is None:
                found = self._accounts[queue.name] = Account(queue)
            return found

    def prepare(self, plan: Plan) -> None:
        """Finds out what steps of a plan take and put, and whether they can be booked."""
        pipeline, demand = self._owner.pipeline, plan.demand
        plan.puts = [(self.of(queue), op) for op, queue in demand.puts]
        plan.accounts = [
            (self.of(queue), amount) for queue, amount in amounts_by_queue(demand).items()
        ]
        plan.bookable = False
        if not demand.takes or self._owner.remote:
            return
        taken_by_runners = {
            take.queue
            for runner in pipeline.registered
            for take in pipeline.demand_of(runner).takes
        }
        plan.bookable = all(
            amount is not None
            and not account.queue.shared_name
            and account.queue not in taken_by_runners
            and pipeline.knows_users_of(account.queue)
            for account, amount in plan.accounts
        )
        if not plan.bookable:
            for account, _ in plan.accounts:
                account.bookable = False

    # -- what steps report -------------------------------------------------------------------

    def begin(self, plan: Plan) -> bool:
        """A step is about to run: books what it takes.

        Whether all of it is in the queues for sure, so that the step cannot have to wait.
        """
        with self._lock:
            for account, _ in plan.puts + plan.accounts:
                account.under_way += 1
            if not (plan.bookable and self.complete):
                return False
            # All are booked, also when one is short: a step that has to wait takes them later.
            short = [each for each in plan.accounts if not self._book(*each)]
        try:
            return all(self._look_for(account, amount) for account, amount in short)
        except BaseException:  # Ctrl-C: the step is not run
            self.failed(plan, None)
            raise

    def _book(self, account: Account, amount: int | None) -> bool:
        assert amount is not None  # or the plan is not bookable
        there = account.put - account.booked - account.queue.min_after_dequeue
        account.booked += amount
        account.left -= amount
        if not account.bookable:
            return False
        if account.left >= 0:
            return True
        return there + sum(mover.certain for mover in self._fillers(account.queue)) >= amount

    def _look_for(self, account: Account, amount: int | None) -> bool:
        """Whether a look finds in the queue what the only step under way has booked.

        What movers have put is counted at the end of a call, which may put thousands.
        """
        if not account.bookable or account.under_way > 1:
            return False
        if account.passes > 0:
            account.passes -= 1
            return False
        looked = self._owner.queues.look(account.queue)
        with self._lock:
            if looked is not None and amount is not None and account.under_way == 1:
                account.left = looked[0] - account.queue.min_after_dequeue - amount
            found = account.left >= 0
            account.pause = 0 if found else min(2 * account.pause + 1, _MOST_PASSES)
            account.passes = account.pause
        return found

    def settle(self, plan: Plan) -> None:
        """Makes inexact balances exact where nothing is under way, by the queues' sizes.

        `plan` is that of a step that has begun and has not been run yet.
        """
        owner = self._owner
        for account, _ in plan.accounts:
            queue = account.queue
            if account.exact or account.under_way > 1 or not owner.queues.feeders_of(queue):
                continue
            if self._fillers(queue) or any(self._takers(queue)):
                continue
            looked = owner.queues.look(queue)
            with self._lock:
                if looked is not None and account.under_way == 1:
                    account.balance, account.exact = looked[0], True

    def finished(self, plan: Plan, feed_dict: Feeds) -> None:
        """A step of a `Plan` has come back, which was fed `feed_dict`."""
        if not (plan.puts or plan.accounts):
            return
        with self._lock:
            for account, op in plan.puts:
                account.under_way -= 1
                amount = amount_put(op, feed_dict)
                if amount is None:
                    account.put_known = account.exact = False
                else:
                    account.put += amount
                    account.balance += amount
            for account, amount in plan.accounts:
                account.under_way -= 1
                if amount is None:
                    account.exact = False
                else:
                    account.balance -= amount

    def book_end(self, step: Step) -> None:
        """A `Step` is done: books what it has put and taken, once."""
        if step.is_booked:
            return
        step.is_booked = True
        if step.error is None:
            self.finished(step.plan, step.feed_dict)
        else:
            self.failed(step.plan, step.error)

    def failed(self, plan: Plan, error: BaseException | None) -> None:
        """A step has failed, or was never begun (None): what it took and put is not known.

        A step that was refused before it was run, and a single enqueue op that failed before it put
        anything, have put nothing.
        """
        refused = not isinstance(error, _tf.errors.OpError)
        interrupted = isinstance(
            error, (_tf.errors.CancelledError, _tf.errors.DeadlineExceededError)
        )
        only_puts = len(plan.puts) == 1 and list(plan.keep) == [plan.puts[0][1]]
        only_puts = only_puts and plan.puts[0][1].type in ENQUEUES  # not a function's call
        nothing = refused or (only_puts and not interrupted)
        with self._lock:
            for account, _ in plan.puts:
                account.under_way -= 1
                if not nothing:
                    account.put_known = account.exact = False
            for account, _ in plan.accounts:
                account.under_way -= 1
                if not refused:
                    account.exact = False

    def run_unplanned(self, step: Callable[[], Any]) -> Any:
        """Runs a step that has no `Plan`: what it takes and puts is not known."""
        before, self.complete = self.complete, False
        try:
            return step()
        except (TypeError, ValueError, KeyError):
            self.complete = before  # its fetches were refused
            raise

    def lose(self, plan: Plan) -> None:
        """What a step of a `Plan` took and put is not known: nobody books it, or not all of it."""
        with self._lock:
            for account, _ in plan.puts:
                account.put_known = account.exact = False
            for account, _ in plan.accounts:
                account.exact = False

    # -- what can be asked -------------------------------------------------------------------

    def put_by_hand(self, queue: Queue) -> int | None:
        """How many elements steps have put into a queue; None where that is not known."""
        account = self._accounts.get(queue.name)
        return account.put if account is not None and account.put_known else None

    def taken_by_steps(self, queue: Queue, plans: Iterable[Plan]) -> tuple[int, int] | None:
        """How many elements steps have booked of a queue, and the most that one takes.

        None where a step of `plans` does not tell, or none takes from it.
        """
        most = 0
        for plan in plans:
            for account, amount in plan.accounts:
                if account.queue is queue:
                    if not plan.bookable or amount is None:
                        return None
                    most = max(most, amount)
        return (self.of(queue).booked, most) if most else None

    def balance(self, queue: Queue) -> int | None:
        """How many elements a queue holds if no step that takes from it or fills it is under way.

        Less its size, that is how many elements such steps have taken. None where it is not known.
        """
        account = self.of(queue)
        if queue.shared_name or not account.exact:
            return None
        if not self.complete or not self._owner.pipeline.knows_users_of(queue):
            return None
        found = account.balance
        for mover in self._fillers(queue):
            if mover.grain is None:
                return None
            found += mover.elements
        for amount, mover in self._takers(queue):
            if amount is None or not mover.per_call:
                return None
            found -= amount * (mover.elements // mover.per_call)
        return found

    def _fillers(self, queue: Queue) -> list[Mover]:
        """The movers of the runners that fill a queue."""
        return [mover for run in self._owner.runs_of(queue) for mover in run.movers]

    def _takers(self, queue: Queue) -> Iterator[tuple[int | None, Mover]]:
        """Yields `(amount a call, mover)` of the runners that take from a queue."""
        for run in list(self._owner.runs):
            for demand, mover, _ in run.demands():
                if any(take.queue is queue for take in demand.takes):
                    yield amounts_by_queue(demand)[queue], mover


def amounts_by_queue(demand: Demand) -> dict[Queue, int | None]:
    """How many elements one run of a demand takes from each model `Queue`; None where only the run shows it."""
    found: dict[Queue, int | None] = {}
    for take in demand.takes:
        amount = None if take.conditional or take.is_read else take.amount
        before = found.get(take.queue, 0)
        found[take.queue] = None if amount is None or before is None else before + amount
    return found


def amount_put(op: Op, feed_dict: Feeds) -> int | None:
    """How many elements an enqueue op puts in a step that is fed `feed_dict`; None if unknown."""
    amount = traversal.put_amount(op)
    if amount is not None:
        return amount
    rows = _fed(op.inputs[1:], feed_dict)  # what an `enqueue_many` is fed directly
    shape = (len(rows),) if isinstance(rows, list | tuple) else np.shape(rows)
    return shape[0] if shape else None


def amount_taken(take: Take, feed_dict: Feeds) -> int | None:
    """How many elements a `Take` takes in a step that is fed `feed_dict`; None if unknown."""
    if take.amount is not None:
        return take.amount
    op: Op = take.op
    amount = op.inputs[1]
    value = _fed([amount], feed_dict)
    if value is None and amount.op.type == "PlaceholderWithDefault":
        value = _tf.get_static_value(amount.op.inputs[0])
    try:
        return None if value is None else int(value)
    except (TypeError, ValueError, OverflowError):
        return None  # a handle of a tensor, or what TensorFlow refuses


def _fed(tensors: Iterable[Tensor], feed_dict: Feeds) -> Any:
    """What the first of `tensors` that is fed directly is fed with, or None."""
    for fed, value in (feed_dict or {}).items():
        if any(tensor is fed or tensor.name == fed for tensor in tensors):
            return value
    return None
