"""Logs of queues as a watch keeps them, made up for tests of what is said and shown."""

from tfqueue.watch.counts import Level, Place
from tfqueue.watch.log import Sample, SessionLog
from tfqueue.watch.shares import Shares


def log_of(level, *, threads=1, reader="TFRecordReader", above=None, shares=None):
    """A log of twenty equal looks at `names`, which a reader reads from, and `batch`."""
    log = SessionLog(1, 0.0)
    log.places = {
        "names": Place("names", "FIFOQueue", 32, 0, 1, (), None, False),
        "batch/fifo_queue": Place(
            "batch/fifo_queue", "FIFOQueue", 100, 0, threads, ("names",), reader, True
        ),
    }
    if threads == 0:
        del log.places["names"]
    if shares is not None:
        log.shares["batch/fifo_queue"] = shares
    log.first_batch, log.first_batch_at = 0.1, 0.0
    for number in range(20):
        levels = {"names": above or Level(32, 64, put_grain=1), "batch/fifo_queue": level}
        log.add(Sample(number * 0.25, levels))
    return log


def spent(reading, **computing):
    shares = Shares()
    shares.reading = reading
    shares.computing.update(computing)
    return shares


STARVED = Level(0, 500, 500, 1, 10, wanted=10)
