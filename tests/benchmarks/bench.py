"""How fast an unmodified queue pipeline runs, next to its peers. `make bench` runs this.

    python tests/benchmarks/bench.py [--quick] [--only NAME ...] [--against CONTESTANT ...]
                                     [--cores N ...]

Each contestant is measured in a process of its own, and all of a pipeline in
turns, a slice of a round each while the others' processes are stopped: what
counts is their ratio, which is the median of the slices', and of the rounds'.
Each pipeline is measured on all cores, and by three contestants on one, or on
each number of cores that --cores names (1 2 4 8, for example).
NAME is a pipeline (mnist_bytes, ...), a sweep ("bytes an example",
"batch size", "threads"), or "pipelines" or "sweeps" for all of them. In the
folder (out/bench) there are then bench.md, bench.json and bench.png.

A contestant is a row here (how its process is started) and one in worker.py.
"""

import argparse
import contextlib
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PEER = "compat.v1"
WITHOUT, WITH, BY_HAND, OLD = "tfqueue, no chunks", "tfqueue", "tf.data", "TF 1.15.5"
LIFTED, WRITTEN = "tfqueue.dataset", "written program"
SLICES = 8


def contestants():
    """Name -> (interpreter, environment) of those that can run here."""
    new = {"PYTHONPATH": str(ROOT), "TF_CPP_MIN_LOG_LEVEL": "3"}
    found = {
        PEER: (sys.executable, new),
        WITHOUT: (sys.executable, new | {"TFQUEUE_CHUNKS": "0"}),
        WITH: (sys.executable, new),
        BY_HAND: (sys.executable, new),
        LIFTED: (sys.executable, new),
        WRITTEN: (sys.executable, new),
    }
    old = _old_tensorflow()
    if old:
        found[OLD] = old
    return found


def _old_tensorflow():
    """TensorFlow 1.15.5 under Python 3.7, where `make golden` has installed it, or None."""
    python = ROOT / ".golden" / "tf115" / "bin" / "python"
    return (str(python), {"PYTHONPATH": ""}) if python.exists() else None


class Contestant:
    """A contestant's process, which measures what it is asked to.

    Args:
      name: The contestant.
      python: Its interpreter.
      environment: Dict of what is added to this process's environment.
    """

    def __init__(self, name, python, environment):
        self.name = name
        self._log = tempfile.TemporaryFile("w+")  # noqa: SIM115  (as long as the process)
        self._process = subprocess.Popen(
            [python, str(HERE / "worker.py"), name],
            env=os.environ | environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            text=True,
        )

    def ask(self, name, data, seconds, slices, cores=0):
        """Has a process forked that measures; reads what the worker says of it."""
        return self._exchange([name, data, seconds, slices, cores])

    def go_on(self):
        """Lets the stopped process measure a slice; what the worker says of it."""
        return self._exchange("go on")

    def _exchange(self, line):
        """What the worker says: None for a process that has stopped itself, a dict, or a text."""
        try:
            self._process.stdin.write(json.dumps(line) + "\n")
            self._process.stdin.flush()
            return json.loads(self._process.stdout.readline())
        except (OSError, ValueError):
            self._log.seek(0)
            return f"the process is gone: {self._log.read()[-2000:]}"

    def end(self):
        """Ends the process."""
        with contextlib.suppress(OSError):
            self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()
        self._log.close()


def run(names, who, data, seconds, rounds, progress, cores=0):
    """`{pipeline: {contestant: [measurement, ...]}}`, the contestants in turns.

    Args:
      names: The pipelines.
      who: Dict from contestant to its `Contestant`.
      data: The folder of the data.
      seconds: How long each measurement is.
      rounds: How many there are of each.
      progress: Called with round and pipeline before each.
      cores: On how many cores each is measured; 0 for all.
    """
    results = {name: {contestant: [] for contestant in who} for name in names}
    for turn in range(rounds):
        for name in names:
            progress(turn, name)
            # Whoever comes first finds a colder machine: the order turns with the rounds.
            order = list(who)[turn % len(who) :] + list(who)[: turn % len(who)]
            told = in_turns([who[c] for c in order], name, data, seconds, SLICES, cores)
            for contestant, found in told.items():
                if isinstance(found, str):
                    sys.stderr.write(f"\n{contestant} on {name} failed: {found}\n")
                else:
                    results[name][contestant].append(found)
    return results


def in_turns(rivals, name, data, seconds, slices, cores=0):
    """Measures contestants slice by slice; dict from a name to the measurement, or what failed.

    Args:
      rivals: The `Contestant`s.
      name: The pipeline.
      data: The folder of the data.
      seconds: How long each is measured in all.
      slices: In how many slices; with one, none is stopped while another is measured.
      cores: On how many cores; 0 for all.
    """
    told = {rival.name: rival.ask(name, data, seconds, slices, cores) for rival in rivals}
    while None in told.values():
        told |= {rival.name: rival.go_on() for rival in rivals if told[rival.name] is None}
    return told


def median(measurements, key):
    """The median of one quantity; None without measurements."""
    values = [m[key] for m in measurements]
    return statistics.median(values) if values else None


def ratios(of_pipeline, contestant, peer=PEER):
    """A contestant as a multiple of a peer: a pair for each round, by time and by CPU time."""
    return [
        tuple(
            statistics.median(
                a[k] / b[k] for a, b in zip(one["slices"], two["slices"], strict=True)
            )
            for k in (0, 1)
        )
        for one, two in zip(of_pipeline.get(contestant, ()), of_pipeline[peer], strict=False)
    ]


def ratio(of_pipeline, contestant, peer=PEER, by=0):
    """The median of the rounds' `ratios`, by time (0) or by CPU time (1); None without rounds."""
    found = ratios(of_pipeline, contestant, peer)
    return statistics.median(each[by] for each in found) if found else None


def rounds_table(results):
    """Markdown: tfqueue and the datasets made of it to their peers, in each round."""
    kinds = [(WITH, PEER), (WITH, BY_HAND), (LIFTED, BY_HAND), (WRITTEN, BY_HAND)]
    heads = [f"{a} / {b}, {what}" for a, b in kinds for what in ("examples a second", "CPU time")]
    lines = ["| pipeline | " + " | ".join(heads) + " |", "|---|" + "---|" * len(heads)]
    for name, found in results.items():
        cells = [
            " ".join(f"{each[by]:.2f}" for each in ratios(found, a, b)) or "-"
            for a, b in kinds
            for by in (0, 1)
        ]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def table(results, who):
    """Markdown: examples a second of the peer, and the others as ratios to it."""
    others = [contestant for contestant in who if contestant != PEER]
    lines = [
        f"| pipeline | {PEER}, examples/s | " + " | ".join(others) + " | how |",
        "|---|---|" + "---|" * len(others) + "---|",
    ]
    for name, found in results.items():
        cells = [f"{median(found[PEER], 'rate') or 0:,.0f}"]
        cells += [f"{r:.2f} x" if (r := ratio(found, c)) else "-" for c in others]
        cells.append(found[WITH][-1]["how"] if found.get(WITH) else "-")
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def gain_table(results, alone, who, cores="one core"):
    """Markdown: examples a second on all cores, as a multiple of those on fewer."""
    lines = [f"| all cores / {cores} | " + " | ".join(who) + " |", "|---|" + "---|" * len(who)]
    for name, found in results.items():
        pairs = [(median(found[c], "rate"), median(alone[name][c], "rate")) for c in who]
        cells = [f"{both / one:.2f}" if both and one else "-" for both, one in pairs]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def side_table(results, who, key, unit, scale):
    """Markdown: another quantity, as it is."""
    lines = [f"| {unit} | " + " | ".join(who) + " |", "|---|" + "---|" * len(who)]
    for name, found in results.items():
        values = [median(found[contestant], key) for contestant in who]
        cells = ["-" if value is None else f"{value * scale:,.0f}" for value in values]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def chart(results, who, path):
    """A bar chart of the ratios."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    others = [
        contestant for contestant in (WITHOUT, WITH, BY_HAND, LIFTED, OLD) if contestant in who
    ]
    figure, axes = plt.subplots(figsize=(9, 0.7 * len(results) + 1.5))
    height = 0.8 / len(others)
    for k, contestant in enumerate(others):
        places = [row + k * height for row in range(len(results))]
        values = [ratio(found, contestant) or 0 for found in results.values()]
        axes.barh(places, values, height, label=contestant)
    axes.set_yticks([row + 0.4 - height / 2 for row in range(len(results))], list(results))
    axes.axvline(1, color="black", linewidth=0.8)
    axes.set_xlabel(f"examples a second, as a multiple of {PEER} on TensorFlow 2")
    axes.invert_yaxis()
    axes.legend()
    figure.tight_layout()
    figure.savefig(path, dpi=120)


def main(argv=None):
    """Runs the bench; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="one short round, no sweeps")
    parser.add_argument("--only", action="append", help="a part; may be repeated")
    parser.add_argument("--against", action="append", help="a contestant; may be repeated")
    parser.add_argument("--no-sweeps", action="store_true", help="leave the sweeps out")
    parser.add_argument("--cores", type=int, nargs="*", default=[1], help="how many, beside all")
    parser.add_argument("--rounds", type=int, default=None)
    parser.add_argument("--seconds", type=float, default=None)
    parser.add_argument("--out", default=str(ROOT / "out" / "bench"))
    chosen = parser.parse_args(argv)
    rounds = chosen.rounds or (1 if chosen.quick else 3)
    seconds = chosen.seconds or (1.0 if chosen.quick else 1.5)
    names, sweeps = parts(chosen)

    everyone = contestants()
    picked = [c for c in everyone if not chosen.against or c in [*chosen.against, PEER]]
    sweep_names = [f"{sweep}={value}" for sweep, values in sweeps.items() for value in values]
    sweep_rounds = min(rounds, 2)
    two = [c for c in (PEER, WITH) if c in picked]
    three = [c for c in (PEER, WITH, BY_HAND) if c in picked]
    total = (1 + len(chosen.cores)) * rounds * len(names) + sweep_rounds * len(sweep_names)
    done, began = 0, time.monotonic()

    def progress(turn, name):
        nonlocal done
        left = (time.monotonic() - began) / done * (total - done) if done else 0
        done += 1
        line = f"bench: {done}/{total}, {left / 60:.0f} min left, {name}"
        sys.stderr.write(f"\r{line:<79}"[:80])
        sys.stderr.flush()

    with tempfile.TemporaryDirectory() as data, contextlib.ExitStack() as stack:
        sys.stderr.write("bench: writing the data\n")
        write = f"import data; data.write({data!r})"
        environment = os.environ | {"TF_CPP_MIN_LOG_LEVEL": "3"}
        quiet = {"env": environment, "stderr": subprocess.DEVNULL}
        subprocess.run([sys.executable, "-c", write], cwd=HERE, check=True, **quiet)
        who = {c: Contestant(c, *everyone[c]) for c in picked}
        for contestant in who.values():
            stack.callback(contestant.end)
        results = run(names, who, data, seconds, rounds, progress)
        few = {c: who[c] for c in three}
        fewer = {n: run(names, few, data, seconds, rounds, progress, n) for n in chosen.cores}
        swept = run(sweep_names, {c: who[c] for c in two}, data, seconds, sweep_rounds, progress)
    sys.stderr.write("\n")

    sections = []
    sessions = [c for c in who if c not in (BY_HAND, LIFTED, WRITTEN)]
    if results:
        sections = [
            table(results, who),
            side_table(results, who, "first", "ms to the first batch", 1e3),
            side_table(results, sessions, "stop", "ms to stop", 1e3),
            side_table(results, who, "peak", "MB of memory at most", 1),
            side_table(results, few, "switches", "waits of threads for 1,000 examples", 1),
        ]
        for n, found in fewer.items():
            cores = "one core" if n == 1 else f"{n} cores"
            sections += [
                f"On {cores}:",
                table(found, few),
                side_table(found, few, "peak", f"MB of memory at most, {cores}", 1),
                side_table(found, few, "switches", f"waits for 1,000 examples, {cores}", 1),
                gain_table(results, found, three, cores),
            ]
        if BY_HAND in who and LIFTED in who:
            sections.insert(1, rounds_table(results))
    for sweep in sweeps:
        found = {n: each for n, each in swept.items() if n.startswith(f"{sweep}=")}
        sections += [table(found, two), side_table(found, two, "peak", "MB of memory at most", 1)]
    text = "\n\n".join(sections) + "\n"
    out = pathlib.Path(chosen.out)
    out.mkdir(parents=True, exist_ok=True)
    (out / "bench.md").write_text(text)
    compared = {n: {c: ratios(each, c) for c in picked} for n, each in results.items()}
    by_cores = {
        n: {name: {c: ratios(each, c) for c in three} for name, each in found.items()}
        for n, found in fewer.items()
    }
    measured = {"ratios": compared, "pipelines": results, "sweeps": swept}
    measured |= {"ratios_by_cores": by_cores, "pipelines_by_cores": fewer}
    (out / "bench.json").write_text(json.dumps(measured, indent=1))
    written = "bench.md, bench.json"
    if results:
        chart(results, who, out / "bench.png")
        written += ", bench.png"
    print(text)
    print(f"in {out}: {written}")
    return 0


def parts(chosen):
    """The names of the pipelines and the sweeps that the arguments ask for."""
    sys.path.insert(0, str(HERE))
    import pipelines

    names = [pipeline.__name__ for pipeline in pipelines.PIPELINES]
    sweeps = {} if chosen.quick or chosen.no_sweeps else pipelines.SWEEPS
    if chosen.only:
        asked = set(chosen.only)
        unknown = asked - {*names, *pipelines.SWEEPS, "pipelines", "sweeps"}
        if unknown:
            sys.exit(f"bench: no part is called {', '.join(sorted(unknown))}")
        names = [name for name in names if asked & {name, "pipelines"}]
        sweeps = {s: values for s, values in pipelines.SWEEPS.items() if asked & {s, "sweeps"}}
    return names, sweeps


if __name__ == "__main__":
    sys.exit(main())
