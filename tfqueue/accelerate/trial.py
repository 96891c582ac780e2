"""Timing two ways of moving examples in turns, so that both meet the same machine."""

import statistics
import time

SINGLES = 8
"""Examples moved one by one between two steps that are judged."""
_JUDGED = 7
"""How many steps are judged."""


class Trial:
    """Steps of a new way and single examples, timed in turns, so that both meet the same machine.

    Args:
      way: The way's name.
    """

    def __init__(self, way):
        self.way = way
        self.steps = 0
        self.single = []
        """Seconds an example, one by one."""
        self.many = []
        """Seconds an example, in steps of the new way."""

    def wants(self, op, size):
        """What to time next: "single", "many", or None as long as nothing can be judged."""
        # The first step of a way is slow; before it has grown to its size it tells little.
        grown = size >= op.largest or self.steps > 6
        if self.steps < 2 or not grown or not op.unhindered(max(size, SINGLES)):
            return None
        return "single" if len(self.single) <= len(self.many) else "many"

    def gain(self):
        """How many times faster the new way is; None if that is not known yet."""
        if min(len(self.single), len(self.many)) < _JUDGED:
            return None
        return statistics.median(self.single) / statistics.median(self.many)

    def told(self):
        """What was found, in words."""
        many, single = statistics.median(self.many), statistics.median(self.single)
        if many > single:  # kept all the same: the other way is not always at its best
            return f"{costs(many)}, at the best {costs(single)} one by one"
        return f"{costs(many)} instead of {costs(single)}"


def costs(seconds):
    return f"{seconds * 1e6:,.1f} µs an example"


def timed(step, *arguments):
    began = time.perf_counter()
    step(*arguments)
    return time.perf_counter() - began
