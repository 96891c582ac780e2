"""What one kind of step demands of a session, and what is known to be in its queues."""


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
        self.pumps = []
        """The pumps of all runners that feed it."""
        self.put = 0
        """Elements put by hand, as far as their number was known."""
        self.taken = 0
        """Elements that steps have taken or are about to take."""
        self.reserve = queue.min_after_dequeue

    def take(self, amount):
        """Books `amount` elements out; whether they are there for sure."""
        there = self.put - self.taken - self.reserve
        self.taken += amount
        for pump in self.pumps:
            there += getattr(pump, "certain", 0)
        return there >= amount
