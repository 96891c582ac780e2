"""`tfqueue bench old.py [its arguments]`: how fast an old program's own input pipeline is.

The program is run up to its first step that takes from its queues, each time in a process of its own.
There the pipeline behind that step is drained, and nothing is trained: by a plain session of
`tf.compat.v1`, by tfqueue one example at a time, and by tfqueue with its defaults; then by the first and
the last on one core.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from typing import Any

from tfqueue.commands import options
from tfqueue.output.progress import ProgressBar
from tfqueue.port.program import era
from tfqueue.port.source.files import Unreadable

ERRORS = (Unreadable, ValueError, RuntimeError)
PLAIN, SINGLE, CHUNKS = "tf.compat.v1", "tfqueue, chunks=False", "tfqueue"
_WAYS = {PLAIN: ("plain", 0), SINGLE: ("single", 0), CHUNKS: ("chunks", 0)}
"""By label how the pipeline is drained, and on how many cores; 0 for all."""
_ALONE = {f"{label}, one core": (_WAYS[label][0], 1) for label in (PLAIN, CHUNKS)}
_PEERS = {label: PLAIN for label in _WAYS} | {label: next(iter(_ALONE)) for label in _ALONE}
"""By label what its rate is compared with."""
_WARM_UP = 1.5
"""Seconds that are not counted, while caches fill and the accelerator chooses its strategy."""
_SHOWN = 5
"""Seconds whose rates are printed, at the most; the JSON has all."""
_PATIENCE = 300.0
"""Seconds a program is given to reach its first step, unless `--timeout` says otherwise."""
_LATE = 10.0
"""Seconds that the threads of a plain session are given to end."""
EPILOG = """
The program's output goes to stderr. Put options before the program. What is measured is the
pipeline alone; where the ratio is 1, the program waits for something else.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options of ``tfqueue bench``."""
    parser.epilog = EPILOG
    options.add_era(parser)
    parser.add_argument("--seconds", type=float, default=2.0, help="how long each way is measured")
    parser.add_argument("--rounds", type=int, default=1, help="how often; medians are printed")
    parser.add_argument(
        "--timeout",
        type=float,
        default=_PATIENCE,
        metavar="SECONDS",
        help="to the program's first step, at the most",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("program", help="a .py or .ipynb file")
    parser.add_argument("args", nargs=argparse.REMAINDER, help="the program's own arguments")


def run(args: argparse.Namespace) -> int:
    """Measures; returns the exit code."""
    if args.era:
        era.parse(args.era)
    if not os.path.isfile(args.program):
        what = "is a directory" if os.path.isdir(args.program) else "no such file or directory"
        raise Unreadable(args.program, what)
    if args.seconds <= 0 or args.rounds < 1:
        raise ValueError("--seconds and --rounds must be more than 0")
    ways = _WAYS | (_ALONE if sys.platform == "linux" else {})
    found: dict[str, list[dict[str, Any]]] = {label: [] for label in ways}
    with ProgressBar("measuring", "runs", args.rounds * len(ways)) as progress:
        for turn in range(args.rounds):
            # Whoever comes first finds a colder machine: the order turns with the rounds.
            first = turn % len(ways)
            order = [*ways][first:] + [*ways][:first]
            for number, label in enumerate(order, turn * len(ways) + 1):
                found[label].append(_apart(label, *ways[label], args))
                progress(number)
    report = _summed_up(args.program, found)
    sys.stdout.write(json.dumps(report, indent=1) + "\n" if args.json else _table(report))
    return 0


def _apart(label: str, way: str, cores: int, args: argparse.Namespace) -> dict[str, Any]:
    """One measurement, in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        result = os.path.join(folder, "result.json")
        order = {
            "way": way,
            "cores": cores,
            "program": args.program,
            "args": args.args,
            "era": args.era,
            "seconds": args.seconds,
            "result": result,
        }
        command = [sys.executable, "-m", "tfqueue.commands.bench", json.dumps(order)]
        # The program is to be run here, with tfqueue from where it is now.
        home = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
        paths = os.pathsep.join(filter(None, [home, os.environ.get("PYTHONPATH")]))
        environment = {**os.environ, "PYTHONPATH": paths}
        environment.pop("TFQUEUE_CHUNKS", None)
        limit = args.timeout + _WARM_UP + args.seconds + 2 * _LATE
        try:
            done = subprocess.run(
                command, env=environment, stdout=sys.stderr, check=False, timeout=limit
            )
        except subprocess.TimeoutExpired:
            raise RuntimeError(
                f"{args.program} has not come to a step of its pipeline, or not through it, in "
                f"{limit:.0f} s ({label}); --timeout gives it more"
            ) from None
        if not os.path.exists(result):
            raise RuntimeError(f"{args.program} ended with {done.returncode} ({label}); see above")
        with open(result, encoding="utf-8") as file:
            told: dict[str, Any] = json.load(file)
    if "problem" in told:
        raise RuntimeError(f"{args.program}: {told['problem']}")
    return told


def _summed_up(program: str, found: dict[str, list[dict[str, Any]]]) -> dict[str, Any]:
    ways = {}
    for way, rounds in found.items():
        ways[way] = {
            key: statistics.median(one[key] for one in rounds)
            for key in ("examples_per_second", "first_batch_seconds", "cpu_seconds_per_example")
        }
        pairs = zip(rounds, found[_PEERS[way]], strict=True)
        ratios = [one["examples_per_second"] / peer["examples_per_second"] for one, peer in pairs]
        ways[way]["ratio"] = statistics.median(ratios)
        ways[way]["data_ended"] = any(one["data_ended"] for one in rounds)
        ways[way]["by_second"] = rounds[-1]["by_second"]
    last = found[CHUNKS][-1]
    return {
        "program": program,
        "step": last["step"],
        "takes": last["takes"],
        "ways": ways,
        "queues": last["queues"],
    }


def _table(report: dict[str, Any]) -> str:
    lines = [f"the step at {report['step']} takes"]
    lines += [f"  {take['amount'] or '?'} from {take['queue']}" for take in report["takes"]]
    lines += ["", f"{'':22} examples/s   ratio   first batch   CPU/example"]
    by_second = ["", "examples in each second, from the first batch on"]
    for way, told in report["ways"].items():
        lines.append(
            f"{way:22} {told['examples_per_second']:10,.0f}  {told['ratio']:6.2f}  "
            f"{told['first_batch_seconds'] * 1e3:8,.0f} ms  "
            f"{told['cpu_seconds_per_example'] * 1e6:9,.1f} µs"
        )
        rates = " ".join(f"{rate:9,.0f}" for rate in told["by_second"][:_SHOWN])
        by_second.append(f"{way:22} {rates}")
    lines += by_second
    if any(told["data_ended"] for told in report["ways"].values()):
        lines.append("The data ended before the time did: the rates are rough.")
    lines += ["", "tfqueue:"]
    for queue in report["queues"]:
        lines.append(f"  {queue['name']}: {queue['per_second']:,.0f} elements/s put")
        lines += [f"    {how}" for how in queue["how"]]
    return "\n".join(lines) + "\n"


# -- in the process of one measurement ----------------------------------------------------------


class _CannotMeasure(Exception):
    """The program has no pipeline that can be drained without its step."""


def _measure(order: dict[str, Any]) -> dict[str, Any]:
    from tfqueue.port.run import first_step

    if order["cores"] and sys.platform == "linux":
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[-order["cores"] :])
    given = era.parse(order["era"]) if order["era"] else None
    reached = first_step.first_step(order["program"], order["args"], given_era=given)
    if reached.error is not None:
        raise reached.error
    if reached.step is None:
        raise _CannotMeasure("it came to its end without a step that takes from a queue")
    from tfqueue.graph.model import Pipeline

    pipeline = Pipeline(reached.graph)
    demand = pipeline.demand(reached.step.ops, reached.step.fed)
    takes = [take for take in demand.takes if not take.conditional]
    if not takes:
        raise _CannotMeasure("what its step takes, it takes inside a condition or a loop")
    for take in takes:
        if any(op.type == "Placeholder" for op in pipeline.demand([take.op]).ops):
            raise _CannotMeasure(f"{take.op.name} depends on a placeholder")
    fetches = [list(take.op.outputs) for take in takes]
    drain = _plain if order["way"] == "plain" else _managed
    told = drain(reached.graph, fetches, takes[0], order)
    file, line = reached.step.place or (order["program"], 0)
    near = os.path.relpath(file)
    told["step"] = f"{file if near.startswith(os.pardir) else near}:{line}"
    told["takes"] = [{"queue": take.queue.name, "amount": take.amount} for take in takes]
    return told


def _plain(graph: Any, fetches: list[Any], take: Any, order: dict[str, Any]) -> dict[str, Any]:
    from tfqueue import _tensorflow

    tf = _tensorflow.compat_v1()
    with _tensorflow.growable(graph):
        initial = [
            tf.global_variables_initializer(),
            tf.local_variables_initializer(),
            tf.tables_initializer(),
        ]
    with tf.Session(graph=graph) as sess:
        began = time.perf_counter()
        for op in initial:
            sess.run(op)
        coord = tf.train.Coordinator()
        threads = []
        for runner in graph.get_collection(tf.GraphKeys.QUEUE_RUNNERS):
            # Plain TensorFlow's, whatever class the program's runners are of.
            create = tf.train.QueueRunner.create_threads
            threads += create(runner, sess, coord, daemon=True, start=True)
        told = _drained(sess, fetches, take, order["seconds"], began)
        coord.request_stop()
        coord.join(threads, stop_grace_period_secs=_LATE, ignore_live_threads=True)
    return {**told, "queues": []}


def _managed(graph: Any, fetches: list[Any], take: Any, order: dict[str, Any]) -> dict[str, Any]:
    import tfqueue

    began = time.perf_counter()
    chunks = False if order["way"] == "single" else None
    with tfqueue.managed_session(graph=graph, chunks=chunks) as sess:
        started = time.perf_counter()
        told = _drained(sess, fetches, take, order["seconds"], began)
        seconds = time.perf_counter() - started
        runs = list(sess._owner.runs)
        queues = [
            {"name": run.name, "per_second": run.enqueued() / seconds, "how": _how(graph, run)}
            for run in runs
        ]
    return {**told, "queues": queues}


def _how(graph: Any, run: Any) -> list[str]:
    from tfqueue import accelerate

    reports = accelerate.reports_of(graph).get(run.name, {})
    return list(dict.fromkeys(f"{strategy.value}: {text}" for strategy, text in reports.values()))


def _drained(
    sess: Any, fetches: list[Any], take: Any, seconds: float, began: float
) -> dict[str, Any]:
    """Takes batch after batch; the rate is that of what came after the warm-up."""
    from tfqueue import _tensorflow

    def step() -> int:
        values = sess.run(fetches)[0][0]
        # One op that takes one element gives the element itself, not a batch of one.
        return len(values) if take.op.type.startswith(_BATCHES) else 1

    ended, examples = False, step()
    first = time.perf_counter() - began
    start, cpu = time.perf_counter(), _cpu()
    rates = _Rates()
    try:
        until = start + min(_WARM_UP, 3 * seconds)
        while time.perf_counter() < until:
            examples += rates.note(step())
        start, cpu, examples = time.perf_counter(), _cpu(), 0
        while time.perf_counter() < start + seconds:
            examples += rates.note(step())
    except _tensorflow.compat_v1().errors.OutOfRangeError:
        ended = True
    passed = max(time.perf_counter() - start, 1e-6)
    return {
        "examples_per_second": max(examples, 1) / passed,
        "first_batch_seconds": first,
        "cpu_seconds_per_example": (_cpu() - cpu) / max(examples, 1),
        "data_ended": ended,
        "by_second": rates.full,
    }


class _Rates:
    """Examples in each second."""

    def __init__(self) -> None:
        self.full: list[float] = []
        """Examples a second, of each second that has passed."""
        self._began = time.perf_counter()
        self._examples = 0

    def note(self, examples: int) -> int:
        """So many more have come; returns how many."""
        self._examples += examples
        passed = time.perf_counter() - self._began
        if passed >= 1:
            self.full.append(self._examples / passed)
            self._began, self._examples = time.perf_counter(), 0
        return examples


_BATCHES = ("QueueDequeueMany", "QueueDequeueUpTo")


def _cpu() -> float:
    times = os.times()
    return times.user + times.system


def _main(order: dict[str, Any]) -> None:
    """One measurement; the result is written to the file that the order names."""
    try:
        told = _measure(order)
    except _CannotMeasure as error:
        told = {"problem": str(error)}
    with open(order["result"], "w", encoding="utf-8") as file:
        json.dump(told, file)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)  # threads that the program left behind must not delay the end


if __name__ == "__main__":
    _main(json.loads(sys.argv[1]))
