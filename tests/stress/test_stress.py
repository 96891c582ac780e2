"""The short form of `make stress`: the same generators, fewer seeds."""

import collections

import pytest

from tests.stress import __main__ as long_form
from tests.stress import clusters, files, sessions, workers
from tests.suite import samples

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("first", [0, 30])
def test_sessions_over_random_pipelines_with_random_faults(first):
    report, wrong = sessions.run_all(range(first, first + 30))
    assert not wrong, "\n".join(map(str, wrong))
    counted = report.pop("(of these, counted after the stop)")
    assert sum(report.values()) == 30
    assert counted > 2


def test_every_fault_is_among_the_short_forms_seeds():
    faults = {
        sessions.pipelines.rng_of(seed).choice(sessions.FAULTS)  # the first thing that is drawn
        for seed in range(60)
    }
    assert faults == set(sessions.FAULTS)


def test_damaged_files_are_read_to_the_damage(tmp_path):
    report, wrong, grown = files.run_all(range(40), str(tmp_path))
    assert not wrong, "\n".join(map(str, wrong))
    assert len(report) > 8
    assert grown < 500  # MiB; TensorFlow's threads and graphs, never a length field's worth


@pytest.mark.xdist_group("cluster")
@pytest.mark.parametrize("session", samples.some(workers.SESSIONS, 3))
@pytest.mark.parametrize("sharing", workers.SHARINGS)
def test_each_record_once_across_workers_that_nobody_disturbs(sharing, session, tmp_path):
    case = clusters.Case(0, sharing, session, workers=2, fault="none", victim=0, after=0)
    clusters.run_case(case, str(tmp_path))


@pytest.mark.xdist_group("cluster")
@pytest.mark.parametrize("fault", ["kill", "interrupt", "late"])
def test_a_cluster_one_of_whose_workers_goes_or_is_late(fault, tmp_path):
    seed = next(seed for seed in range(1000) if clusters.make(seed).fault == fault)
    clusters.run(seed, str(tmp_path), collections.Counter())


def test_every_fault_of_a_cluster_is_among_the_long_forms_seeds():
    assert {clusters.make(seed).fault for seed in range(30)} == set(clusters.FAULTS)


@pytest.mark.exhaustive
def test_the_long_form_prints_its_table(capsys):
    counts = ["--sessions", "4", "--files", "4", "--clusters", "0", "--pipelines", "2"]
    assert long_form.main([*counts, "--seed", "7"]) == 0
    out = capsys.readouterr().out
    for line in (
        "sessions 4, files 4, hangs 0",
        "threads left 0",
        "elements lost or doubled 0",
        "| run | 2 |",
    ):
        assert line in out
