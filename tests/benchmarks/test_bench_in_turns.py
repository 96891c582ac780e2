"""The bench's way to compare two contestants: slice by slice, one of them stopped meanwhile."""

import itertools
import os
import pathlib
import subprocess
import sys

import pytest

HERE = pathlib.Path(__file__).parent

# A contestant without a TensorFlow, whose steps tell a file when they are made, and by whom.
WORKER = f"""
import os, sys, time
sys.path.insert(0, {str(HERE)!r})
import worker

def run(name, log, seconds, slices):
    if name == "fails":
        raise ValueError("no such file")
    def step():
        time.sleep(0.01)
        with open(log, "a") as out:
            out.write(str(len(os.sched_getaffinity(0))) if name == "cores" else sys.argv[1])
        return 4
    return worker.measure(step, seconds, slices), 0.5, 0.25, "so"

worker.WARM_UP = 0
worker.LOADERS = {{sys.argv[1]: lambda: run}}
worker.main(sys.argv[1])
"""


@pytest.fixture
def bench(monkeypatch):
    monkeypatch.syspath_prepend(str(HERE))
    import bench

    return bench


@pytest.fixture
def rivals(bench, monkeypatch):
    started = subprocess.Popen

    def popen(command, **rest):
        return started([sys.executable, "-c", WORKER, command[-1]], **rest)

    monkeypatch.setattr(bench.subprocess, "Popen", popen)
    made = [bench.Contestant(name, sys.executable, {}) for name in "ab"]
    yield made
    for contestant in made:
        contestant.end()


def test_each_measures_while_the_other_is_stopped(bench, rivals, tmp_path):
    log = tmp_path / "log"
    told = bench.in_turns(rivals, "any", str(log), 0.3, 3)
    text = log.read_text()
    assert [text[0], *(b for a, b in itertools.pairwise(text) if a != b)] == [*"ababab"]
    for found in told.values():
        assert [len(each) for each in found["slices"]] == [2, 2, 2]
        assert 0 < found["rate"] <= 400
        # It sleeps: an example takes far less time of the processor than there is.
        assert all(by_cpu > by_time for by_time, by_cpu in found["slices"])


def test_a_stopped_one_ends_with_the_bench(bench, rivals, tmp_path):
    assert rivals[0].ask("any", str(tmp_path / "log"), 0.3, 3) is None
    worker = rivals[0]._process.pid
    children = pathlib.Path(f"/proc/{worker}/task/{worker}/children")
    if not children.exists():
        pytest.skip("this system does not list the children of a process")
    stopped = int(children.read_text())
    rivals[0]._process.stdout.close()  # as where the bench is killed
    rivals[0].end()
    with pytest.raises(ProcessLookupError):
        os.kill(stopped, 0)


def test_one_that_fails_leaves_the_other_measured(bench, rivals, tmp_path):
    told = bench.in_turns(rivals[:1], "fails", "", 0.1, 2)
    assert told == {"a": "ValueError: no such file"}
    told = bench.in_turns(rivals, "any", str(tmp_path / "log"), 0.1, 1)
    assert [len(found["slices"]) for found in told.values()] == [1, 1]


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="cores cannot be chosen here")
def test_on_one_core(bench, rivals, tmp_path):
    told = bench.in_turns(rivals, "cores", str(tmp_path / "log"), 0.1, 1, cores=1)
    assert set((tmp_path / "log").read_text()) == {"1"}
    assert all(found["switches"] > 0 for found in told.values())  # it sleeps
    results = {"x": {each: [found] for each, found in told.items()}}
    assert "| x | 1.00 | 1.00 |" in bench.gain_table(results, results, list(told))


def test_the_ratio_is_the_median_of_the_slices_and_of_the_rounds(bench):
    def one(*slices):
        return {"slices": [(rate, 10 * rate) for rate in slices]}

    rounds = {bench.LIFTED: [one(2, 30, 4), one(7)], bench.BY_HAND: [one(1, 10, 1), one(1)]}
    assert bench.ratios(rounds, bench.LIFTED, bench.BY_HAND) == [(3, 3), (7, 7)]
    assert bench.ratio(rounds, bench.LIFTED, bench.BY_HAND) == 5
    assert bench.ratio(rounds, bench.WITH, bench.BY_HAND) is None
    results = {"x": rounds | {bench.PEER: []}}
    assert "| x | - | - | - | - | 3.00 7.00 | 3.00 7.00 | - | - |" in bench.rounds_table(results)
