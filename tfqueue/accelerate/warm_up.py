"""An op's first examples, one at a time: when they tell enough to look for a faster way."""

import threading

FIRST = 16
"""Examples in the sample that is computed both ways, and in the first chunk."""
FEWEST = 4
"""Examples in a chunk below which it is not tried."""


class Opening:
    """What is known of an op while its first examples are moved.

    Args:
      task: The `RunnerTask`.
      op: The operation.
    """

    def __init__(self, task, op):
        self.task = task
        self.op = op
        self.setting = task.setting
        demand = task.pipeline.demand([op])
        self._target = demand.puts[0][1] if len(demand.puts) == 1 else None
        self.settled = False
        """Whether the way is not going to change."""
        self.single = []
        """Seconds for each of the first examples, as long as the queue cannot have been full."""
        self.lock = threading.Lock()
        self._claimed = False
        self._new = True
        self._waits_for = None

    def new(self):
        """True for the first caller."""
        first, self._new = self._new, False
        return first

    def ready(self, done):
        """Whether it is time to try.

        Args:
          done: How many examples the caller has moved.
        """
        if self._claimed or self.settled:
            return False
        if self.setting is None:
            if self._waits_for is None:
                self._waits_for = self._first_batches()
            if done < self._waits_for:
                return False
        return True

    def claim(self):
        """True for one caller only, who is to try."""
        with self.lock:
            first, self._claimed = not self._claimed, True
        return first

    def first_chunk(self):
        """How many examples are to be moved both ways."""
        return self.setting or FIRST

    def enough(self, room):
        """Whether a queue with `room` for so many can take a first chunk that proves something."""
        return self.setting is not None or room >= FEWEST

    def _first_batches(self):
        """How many examples the program's first batches take."""
        queue = self._queue()
        if queue is None:
            return 64
        amounts = [take.amount or 1 for take in queue.takes]
        wanted = queue.min_after_dequeue + 2 * max(amounts, default=1)
        threads = max(1, len(self.task.ops))
        return max(64, wanted // threads)

    def _queue(self):
        return self._target

    def note(self, seconds):
        """Notes how long the enqueue op took for one example."""
        if len(self.single) < 200:
            self.single.append(seconds)

    @property
    def cost(self):
        """Seconds that the enqueue op takes for one example when nothing hinders it."""
        # The first step is slow for reasons of its own; a low quantile is one on an idle machine.
        ordered = sorted(self.single[1:])
        return ordered[len(ordered) // 4] if ordered else None
