"""Reports of made-up runs that are kept, to the letter: `python -m tests.watch.looks` writes them anew."""

import datetime
import io
import pathlib
import re
import sys
from collections.abc import Callable

from tests.watch.watched import STARVED, log_of, spent
from tfqueue.watch import report, terminal
from tfqueue.watch.counts import Level, Place
from tfqueue.watch.log import Failure, Sample, SessionLog

FOLDER = pathlib.Path(__file__).parent / "looks"


class Watch:
    """As much of a `watcher.Watch` as a report needs."""

    def __init__(self, *logs: SessionLog, broken: BaseException | None = None) -> None:
        self.sessions = [type("Watched", (), {"log": log, "pipeline": None})() for log in logs]
        self.failures: list[Failure] = []
        self.broken = broken

    def clock(self) -> float:
        """Seconds since it began."""
        return 75.0


def filling(begin: int = 0, rate: int = 40, capacity: int = 100) -> SessionLog:
    """A queue that fills up, and a step that takes less than is put."""
    log = SessionLog(2, 5.0)
    log.places = {
        "names": Place("names", "FIFOQueue", 32, 0, 1, (), None, False),
        "examples": Place(
            "examples", "RandomShuffleQueue", capacity, 20, 4, ("names",), "TextLineReader", True
        ),
        "own": Place("own", "FIFOQueue", -1, 0, 0, (), None, True),
    }
    log.working = {"names": False, "examples": True}
    for number in range(60):
        put = begin + rate * number
        size = min(capacity, put)
        own = Level(number % 7, number, None) if number > 9 else Level(None, None, None)
        levels = {"examples": Level(size, put, put - size, 8, 32), "own": own}
        if number < 50:
            levels["names"] = Level(max(0, 32 - number), 32, 32 - max(0, 32 - number), 32, 1)
        log.add(Sample(5.0 + number * 0.5, levels))
    log.first_batch, log.first_batch_at, log.ended = 1.25, 6.25, 35.0
    log.shares["examples"] = log.shares_of_run["examples"] = spent(2.0, DecodeCSV=3.0, Cast=0.5)
    return log


def failed() -> Watch:
    """Two sessions; one failed, and the program did."""
    log = log_of(STARVED, shares=spent(1, DecodeJpeg=6))
    log.ended = 12.0
    log.errors = [
        Failure("NotFoundError", "none; No such <file>", ("tfqueue: a note", "more"), "names", 3.0),
        Failure("DataLossError", "lost", (), None, 4.5),
    ]
    watch = Watch(log, filling())
    watch.failures = [Failure("DataLossError", "lost", (), None, 4.5)]
    return watch


WATCHES: dict[str, Callable[[], Watch]] = {
    "starved": lambda: Watch(log_of(STARVED, shares=spent(5, DecodeJpeg=1))),
    "busy": lambda: Watch(log_of(Level(98, 500, 400, 1, 10), threads=3)),
    "by_hand": lambda: Watch(log_of(Level(3, 50, 40, 1, 10), threads=0, reader=None)),
    "filling": lambda: Watch(filling()),
    "failed": failed,
    "nothing": lambda: Watch(broken=ValueError("a <broken> watch")),
}


def shown(watch: Watch) -> str:
    """The page of a watch, and its lines in two terminals."""
    text = report.page(
        watch, ["/home/a/train.py", "--steps", "9"], datetime.datetime(2026, 1, 2, 3, 4)
    )
    text = re.sub(r"no TensorFlow|(TensorFlow|Python) [\d.]+\w*", "release", text)
    style = re.compile(r"<style>.*?</style>", re.DOTALL)
    parts = [style.sub("<style/>", text)]
    for width, most in ((100, 40), (50, 5)):
        console = terminal.console(io.TextIOWrapper(io.BytesIO(), encoding="utf-8"))
        lines = terminal.block(watch, console, width, most)
        parts.append("\n".join(re.sub(r"\x1b\[[\d;]*m", "", line).rstrip() for line in lines))
    return "\n\n".join(parts) + "\n"


def main() -> None:
    """Writes them anew."""
    for name, make in WATCHES.items():
        (FOLDER / f"{name}.html").write_text(shown(make()), "utf-8")
    sys.stdout.write(f"{len(WATCHES)} reports; whoever changed something looks at them now\n")


if __name__ == "__main__":
    main()
