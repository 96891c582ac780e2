"""What one kind of step demands of a session, and what is known to be in its queues."""

import threading

from tfqueue import accelerate


class Plan:
    """What one kind of step demands, found out once and kept.

    Args:
      demand: The `Demand` of its fetches.
      upstream: The queues its elements come through.
      keep: The fetched objects, so that their ids stay theirs.
    """

    def __init__(self, demand, upstream, keep):
        self.demand = demand
        self.upstream = upstream
        self.keep = keep
        self.blocks = demand.blocks
        self.takes = bool(demand.takes)
        self.remote = False
        """Whether the session is in another process."""
        self.freed_by_closing = any(
            take.amount is None or take.is_up_to or take.queue.min_after_dequeue
            for take in demand.takes
        )
        """Whether closing a queue may give the step elements that it could not have before."""
        self.put_queues = [queue for _, queue in demand.puts]
        self.gate_open = not upstream
        self.runners_seen = -1
        self.parts = None
        """What `SplitWatch` wants to know of it, or None."""
        self.last = float("-inf")
        """When such a step was last asked for, by `time.monotonic()`."""
        self.guard = None
        """The `forged.Guard` of a step that reads records itself, where it needs one."""
        self.stocks = []
        """`(Stock, amount)` for each take, where all of them are known beforehand."""
        self.puts = []
        """`(Stock, amount)` for each put by hand whose number is known beforehand."""


class Stock:
    """What is known to be in a queue: so much that a step need not be expected to wait.

    Args:
      queue: A model `Queue`.
    """

    def __init__(self, queue):
        self.movers = []
        """The movers of all runners that feed it."""
        self.put = 0
        """Elements put by hand, as far as their number was known."""
        self.taken = 0
        """Elements that steps have taken or are about to take."""
        self.reserve = queue.min_after_dequeue
        self.unbooked = False
        """Whether a step takes elements that cannot be booked: nothing is there for sure then."""

    def take(self, amount):
        """Books `amount` elements out; whether they are there for sure."""
        there = self.put - self.taken - self.reserve
        self.taken += amount
        if self.unbooked:
            return False
        for mover in self.movers:
            there += mover.certain
        return there >= amount


class Stocks:
    """The stocks of a session's queues, and which steps can be booked in them.

    Args:
      supervision: The session's `Supervision`.
    """

    def __init__(self, supervision):
        self._supervision = supervision
        self._found = {}
        self._lock = threading.Lock()

    def look_at(self, plan):
        """Finds out whether all that the step takes can be booked, see `Stock`."""
        pipeline, demand = self._supervision.pipeline, plan.demand
        plan.puts = [(self._of(q), accelerate.elements_per_call(op)[1]) for op, q in demand.puts]
        plan.stocks = []
        if not demand.takes or self._supervision.remote:
            return
        unbooked = {
            take.queue for runner in pipeline.runners for take in pipeline.demand_of(runner).takes
        }
        if all(
            take.amount is not None
            and not (take.conditional or take.is_read or take.queue.shared_name)
            and take.queue not in unbooked
            for take in demand.takes
        ):
            plan.stocks = [(self._of(take.queue), take.amount) for take in demand.takes]
            return
        for take in demand.takes:
            self._of(take.queue).unbooked = True

    def put_by_hand(self, queue, plans):
        """How many elements steps have put into a queue by hand; None where one does not tell.

        Args:
          queue: A model `Queue`.
          plans: The plans of all steps so far.
        """
        stock = self._found.get(queue.name)
        for plan in plans:
            if queue in plan.put_queues:
                told = [amount for found, amount in plan.puts if found is stock]
                if stock is None or not all(told):
                    return None
        return stock.put if stock is not None else None

    def short_for(self, plan, plans):
        """The queues that for sure have not had what the steps that take from them want.

        Args:
          plan: The `Plan` of a step that is under way.
          plans: The plans of all steps so far.

        Returns:
          A list of model `Queue`s; one of which it is not known is not among them.
        """
        found = []
        for (stock, _), take in zip(plan.stocks, plan.demand.takes, strict=False):
            exact = all(mover.grain is not None for mover in stock.movers)
            if exact and self.put_by_hand(take.queue, plans) is not None:
                there = stock.put + sum(mover.elements for mover in stock.movers)
                if there - stock.reserve < stock.taken:
                    found.append(take.queue)
        return found

    def taken_by_steps(self, queue, plans):
        """How many elements steps have booked of a queue, and the most that one takes.

        Args:
          queue: A model `Queue`.
          plans: The plans of all steps so far.

        Returns:
          `(elements, most)`; None where a step does not tell, or none takes from it.
        """
        most = 0
        for plan in plans:
            takes = [take for take in plan.demand.takes if take.queue is queue]
            if takes and not plan.stocks:
                return None
            most = max(most, sum(take.amount for take in takes))
        return (self._found[queue.name].taken, most) if most else None

    def _of(self, queue):
        with self._supervision.changed:
            found = self._found.get(queue.name)
            if found is None:
                found = self._found[queue.name] = Stock(queue)
                for run in self._supervision.runs_of(queue):
                    found.movers += run.movers
            return found

    def started(self, run):
        """A `RunnerRun` has been made."""
        stock = self._found.get(run.queue_name)
        if stock is not None:
            stock.movers += run.movers

    def book(self, plan):
        """Books what a step takes; whether all of it is there for sure."""
        with self._lock:
            # All are booked, also when one is short: a step that has to wait takes them later.
            return all([stock.take(amount) for stock, amount in plan.stocks])

    def put(self, plan):
        """A step has put by hand."""
        with self._lock:
            for stock, amount in plan.puts:
                stock.put += amount
