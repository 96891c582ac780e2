"""The rates of a queue whose counter stands still."""

from tfqueue.watch.counts import Level
from tfqueue.watch.log import Rates, Sample, rates


def test_the_last_look_counts():
    """Nothing moves but for the last half second, in which 20 elements come."""
    sizes = [0] * 29 + [20]
    quiet = [
        Sample(n / 2, {"q": Level(size, None, 8, taken_grain=8)}) for n, size in enumerate(sizes)
    ]
    found = rates(quiet, "q")
    assert found is not None
    assert found.taken == 0
    assert found.put > 0
    assert rates(quiet[:-1], "q") == Rates(0.0, 0.0)
