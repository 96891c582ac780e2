"""Clusters on this machine, one of whose workers is killed, interrupted or late; each record accounted for."""

from __future__ import annotations

import collections
import dataclasses
import multiprocessing.connection
import os
import pathlib
import random
import runpy
import signal
from collections.abc import Callable, Iterable
from typing import Any

from tests.stress import workers
from tests.stress.sessions import Wrong
from tests.suite.processes import free_ports

FAULTS = ("none", "kill", "interrupt", "late", "wrong address", "parameter server killed")
FILES, LINES = 12, 20
RECORDS = FILES * LINES
AT_ONCE = 4
"""How many records a step takes."""
READERS = {"batch_join": 2}
"""How many files a worker reads at once, by what is shared; else one."""
BESIDE_FILES = {"names": 8, "shuffle_batch": 1, "fifo": 1}
"""How many records of files that it has read to their end a worker may hold, beside those of a step: in a
queue of its own, or in the second of two threads that enqueue from one reader."""
QUIET_SECONDS = 30 + 15
"""How long nothing may come from any process. docs/clusters.md says that nobody waits longer than 30
seconds; a look whether a server answers takes up to 6 of them more, and the machine may be busy."""
SETTLED_BY = {
    "none": (None,),
    "kill": (None, "UnavailableError"),
    "interrupt": (None, "UnavailableError"),
    "late": (None,),
    "wrong address": ("DeadlineExceededError",),
    "parameter server killed": (None, "UnavailableError", "AbortedError"),
}
"""By fault, the errors with which a worker that nobody touched may end."""


@dataclasses.dataclass
class Case:
    """What one cluster does, and what befalls it."""

    seed: int
    sharing: str
    session: str
    workers: int
    fault: str
    victim: int
    after: int
    """How many records are told of before it happens."""

    def __str__(self) -> str:
        return (
            f"seed {self.seed}: {self.workers} workers share {self.sharing} in {self.session} "
            f"sessions; {self.fault}, worker {self.victim}, after {self.after} records"
        )


def make(seed: int) -> Case:
    """The case of a seed."""
    rng = random.Random(f"cluster {seed}")
    fault = rng.choice(FAULTS)
    count = rng.choice((2, 3))
    sharing = rng.choice(list(workers.SHARINGS))
    sessions = list(workers.SESSIONS)
    if fault == "parameter server killed":
        sessions.remove("monitored")  # it waits until the server is back, as docs/clusters.md says
    return Case(
        seed=seed,
        sharing=sharing,
        session=rng.choice(sessions),
        workers=count,
        fault=fault,
        victim=rng.randrange(1 if fault == "late" else 0, count),  # without a chief all wait
        after=0 if fault == "late" and sharing == "own files" else rng.randrange(RECORDS // 2),
    )


class Process:
    """A process of a cluster, and this end of its pipe."""

    context: Any = None

    def __init__(self, role: str, spec: dict[str, list[str]], *given: Any, **options: Any) -> None:
        if Process.context is None:
            Process.context = multiprocessing.get_context("forkserver")
            Process.context.set_forkserver_preload(["tfqueue.v1"])
        self.pipe, far = Process.context.Pipe()
        names = {"ROLE": role, "GIVEN": (spec, far, *given), "OPTIONS": options}
        self.process = Process.context.Process(
            target=runpy.run_path,
            args=(workers.__file__,),
            kwargs={"init_globals": names, "run_name": "__node__"},
        )
        self.process.start()
        far.close()
        self.told: dict[str, Any] | None = None
        """What it said at its end."""

    def kill(self) -> None:
        """Ends it as a machine's failure would."""
        self.process.kill()
        self.process.join()


class Cluster:
    """The processes of one case."""

    def __init__(self, case: Case, files: list[str]) -> None:
        self.case = case
        self.files = files
        self.keys: list[str] = []
        self.messages = 0
        self.workers: dict[int, Process] = {}
        self._happened = False
        while True:
            ports = [f"127.0.0.1:{port}" for port in free_ports(2 + case.workers)]
            self.spec = {"ps": ports[:1], "worker": ports[2:]}
            self.wrong = {**self.spec, "ps": ports[1:2]}
            """The addresses, with one for the parameter server where nobody is."""
            self.server = Process("parameter_server", self.spec)
            if self.server.pipe.recv() == "up":
                return
            self.server.kill()  # another process has taken the port since

    def run(self) -> None:
        """Starts all, lets it happen, and reads to the end; raises `Wrong` where a process has none."""
        late = self.case.fault == "late"
        for task in range(self.case.workers):
            if not (late and task == self.case.victim):
                self._start(task)
        quiet = 0  # counted, not measured: all may be stopped for a while, and then go on
        self._happen()
        while reading := {p.pipe: p for p in self.workers.values() if not p.pipe.closed}:
            ready = multiprocessing.connection.wait(list(reading), timeout=1)
            for pipe in ready:
                self._read(reading[pipe])
            # A message holds a record or more, and each worker says once that it is in, and its end.
            if self.messages > RECORDS + 2 * self.case.workers:
                raise Wrong(f"{self.case}: workers send without end, last {self.keys[-AT_ONCE:]}")
            quiet = 0 if ready else quiet + 1
            if quiet > QUIET_SECONDS:
                left = [task for task, each in self.workers.items() if not each.pipe.closed]
                raise Wrong(f"{self.case}: workers {left} wait longer than {QUIET_SECONDS} s")
            self._happen()

    def _start(self, task: int) -> None:
        case, options = self.case, {}
        if case.fault == "wrong address":
            options["max_wait_secs"] = 1.0
        spec = self.wrong if case.fault == "wrong address" else self.spec
        self.workers[task] = Process(
            "worker", spec, task, case.sharing, case.session, self.files, **options
        )

    def _read(self, process: Process) -> None:
        try:
            told = process.pipe.recv()
        except (EOFError, ConnectionResetError):
            process.pipe.close()
            return
        self.messages += 1
        if isinstance(told, list):
            self.keys += told
        elif isinstance(told, dict):
            process.told = told

    def _happen(self) -> None:
        case = self.case
        if self._happened or len(self.keys) < case.after:
            return
        self._happened = True
        if case.fault == "kill":
            self.workers[case.victim].process.kill()
        elif case.fault == "interrupt":
            os.kill(self.workers[case.victim].process.pid, signal.SIGINT)
        elif case.fault == "late":
            self._start(case.victim)
        elif case.fault == "parameter server killed":
            self.server.kill()

    def end(self) -> None:
        """Ends what is left."""
        for each in [*self.workers.values(), self.server]:
            each.kill()
            each.pipe.close()


def run(seed: int, folder: str, report: collections.Counter[str]) -> None:
    """Runs the cluster of a seed; raises `Wrong` where it did not do what it must.

    Args:
      seed: Which one.
      folder: An empty folder for its files.
      report: A `collections.Counter` for the table.
    """
    case = make(seed)
    report[case.fault] += 1
    run_case(case, folder)


def run_case(case: Case, folder: str) -> None:
    """Runs one cluster, with its files in `folder`; raises `Wrong` as `run` does."""
    files = []
    for number in range(FILES):
        path = pathlib.Path(folder) / f"{number}.txt"
        path.write_text("x\n" * LINES, encoding="ascii")
        files.append(str(path))
    cluster = Cluster(case, files)
    try:
        cluster.run()
    finally:
        cluster.end()
    _check_ends(case, cluster)
    _check_records(case, cluster)


def _check_ends(case: Case, cluster: Cluster) -> None:
    for task, each in cluster.workers.items():
        if each.told is None:
            if case.fault != "kill" or task != case.victim:
                raise Wrong(f"{case}: worker {task} died")
            continue
        allowed: tuple[str | None, ...] = SETTLED_BY[case.fault]
        if case.fault == "interrupt" and task == case.victim:
            allowed = (None, "KeyboardInterrupt")
        if each.told["error"] not in allowed:
            raise Wrong(
                f"{case}: worker {task} ended with {each.told['error']}: {each.told['text']}"
            )
        left = set(each.told["threads"])
        if case.fault == "parameter server killed":
            # TensorFlow's close waits for it, in a thread that keeps no process.
            left = {name for name in left if not name.startswith("tfqueue-")}
        if left:
            raise Wrong(f"{case}: threads of worker {task} left: {each.told['threads']}")
        if each.told["error"] == "DeadlineExceededError":
            if cluster.wrong["ps"][0] not in each.told["text"]:
                raise Wrong(f"{case}: the address is not named: {each.told['text']}")


def _check_records(case: Case, cluster: Cluster) -> None:
    every = [f"{file}:{line}" for file in cluster.files for line in range(1, LINES + 1)]
    counts = collections.Counter(cluster.keys)
    if doubled := {key: n for key, n in counts.items() if n > 1}:
        raise Wrong(f"{case}: doubled {doubled}")
    lost = [key for key in every if key not in counts]
    gone = [  # whose data did not come to its end
        task
        for task, each in cluster.workers.items()
        if each.told is None or each.told["error"] or task == case.victim
    ]
    if case.fault in ("none", "late"):
        if lost:
            raise Wrong(f"{case}: {len(lost)} records lost: {lost}")
    elif case.fault in ("kill", "interrupt") and len(gone) < case.workers:
        if case.sharing == "own files":
            own = [file for task in gone for file in cluster.files[task :: case.workers]]
            lost = [key for key in lost if key.rpartition(":")[0] not in own]
        if len(lost) > len(gone) * most_lost(case.sharing):
            raise Wrong(f"{case}: {len(lost)} records lost: {lost}")


def most_lost(sharing: str) -> int:
    """How many records may be lost with a worker, as docs/clusters.md says, but for files of its own."""
    opened = 0 if sharing == "own files" else READERS.get(sharing, 1)
    return opened * LINES + BESIDE_FILES.get(sharing, 0) + AT_ONCE


def run_all(
    seeds: Iterable[int],
    folder: str,
    progress: Callable[[int], Any] | None = None,
) -> tuple[collections.Counter[str], list[Wrong]]:
    """Runs a cluster for each seed.

    Args:
      seeds: Which ones.
      folder: Where to put their files, each cluster's in one of its own.
      progress: Called with the number done so far.

    Returns:
      `(report, wrong)`: a Counter of faults, a list of `Wrong`.
    """
    report: collections.Counter[str] = collections.Counter()
    wrong = []
    for done, seed in enumerate(seeds, 1):
        mine = os.path.join(folder, str(seed))
        os.mkdir(mine)
        try:
            run(seed, mine, report)
        except Wrong as error:
            wrong.append(error)
        if progress is not None:
            progress(done)
    return report, wrong
