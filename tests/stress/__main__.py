"""The long form: `make stress`.

python -m tests.stress --sessions 2000 --files 10000 --clusters 30 --pipelines 2000 --seed 0
python -m tests.stress --sessions 0 --files 0 --clusters 0  # random pipelines alone
"""

import argparse
import gc
import os
import sys
import tempfile
import threading
import time

from tests.differential import random_pipelines
from tests.stress import clusters, files, sessions
from tests.suite import processes


def main(argv=None):
    """Runs all three, prints a table; returns 0 if nothing was wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.stress", description=__doc__)
    parser.add_argument("--sessions", type=int, default=2000, help="how many sessions")
    parser.add_argument("--files", type=int, default=10000, help="how many damaged files")
    parser.add_argument("--pipelines", type=int, default=2000, help="how many random pipelines")
    parser.add_argument("--clusters", type=int, default=30, help="how many clusters")
    parser.add_argument("--seed", type=int, default=0, help="the first seed")
    args = parser.parse_args(argv)
    processes.use_default_interrupt()
    started, before = time.monotonic(), memory()

    report, wrong = sessions.run_all(
        range(args.seed, args.seed + args.sessions), _progress("sessions", args.sessions)
    )
    between = memory()
    with tempfile.TemporaryDirectory() as folder:
        kinds, bad, grown = files.run_all(
            range(args.seed, args.seed + args.files), folder, _progress("files", args.files)
        )
        alone, odd = clusters.run_all(
            range(args.seed, args.seed + args.clusters),
            folder,
            _progress("clusters", args.clusters),
        )
    _table("sessions with fault", report)
    _table("files with damage", kinds)
    _table("clusters with fault", alone)
    elements = [w for w in wrong if any(s in str(w) for s in ("lost", "doubled", "delivered"))]
    threads = [w for w in wrong if "threads left" in str(w)]
    ran = sum(number for fault, number in report.items() if not fault.startswith("("))
    print(f"\nsessions {ran}, files {sum(kinds.values())}, hangs 0")
    print(f"threads left {len(threads)} (alive now: {threading.active_count()})")
    print(f"elements lost or doubled {len(elements)}")
    print(f"wrong endings {len(wrong) - len(elements) - len(threads)}, files misread {len(bad)}")
    print(f"memory {before:.0f} MiB at first, {between:.0f} MiB after the sessions, ", end="")
    print(f"{memory():.0f} MiB after the files")
    print(f"peak memory grew by {grown:.0f} MiB while reading damaged files")
    print(f"{time.monotonic() - started:.0f} s")
    print(f"clusters {sum(alone.values())}, wrong {len(odd)}")
    for error in [*wrong, *bad, *odd][:20]:
        print(f"  {error}")
    if args.pipelines:
        random_pipelines.prove(args.pipelines, args.seed)  # raises if one differs
        _table("random pipelines, compared with plain TensorFlow", random_pipelines.counted)
    return 1 if wrong or bad or odd else 0


def memory():
    """MiB of this process in memory, once what nobody holds is gone."""
    gc.collect()
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


def _progress(what, total):
    def show(done, *_):
        if sys.stderr.isatty() and (done % 20 == 0 or done == total):
            end = "\n" if done == total else ""
            print(f"\r{what}: {done} of {total}", end=end, file=sys.stderr, flush=True)

    return show


def _table(title, counts):
    print(f"\n| {title} | number |\n| --- | ---: |")
    for name, number in sorted(counts.items()):
        print(f"| {name} | {number} |")


if __name__ == "__main__":
    sys.exit(main())
