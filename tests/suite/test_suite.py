"""What holds for the whole run, each on a small run of its own in another process."""

import importlib
import pathlib
import re
import signal
import subprocess
import sys
import textwrap
import types

import pytest

from tests.suite import patience, spare

ROOT = pathlib.Path(__file__).resolve().parents[2]
CONFTEST = """
from tests.suite import crashes, groups, last_line, processes, skips
from tests.suite.spare import pytest_xdist_make_scheduler

processes.use_default_interrupt()

def pytest_configure(config):
    for plugin in (crashes, groups, last_line, processes, skips):
        config.pluginmanager.register(plugin)
"""


@pytest.fixture
def run(tmp_path):
    """Runs a module of tests as the suite runs; gives the exit status and what was printed."""

    def start(program, *arguments, conftest="", **options):
        (tmp_path / "conftest.py").write_text(CONFTEST + textwrap.dedent(conftest))
        (tmp_path / "test_it.py").write_text(textwrap.dedent(program))
        (tmp_path / "pytest.ini").write_text("[pytest]\nfilterwarnings = error\n")
        plain = ("-p", "no:cacheprovider", "-q", "--rootdir", str(tmp_path), *arguments)
        done = subprocess.run(
            [sys.executable, "-m", "pytest", *plain, str(tmp_path)],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            **options,
        )
        return done.returncode, done.stdout

    return start


@pytest.mark.parametrize("arguments", [(), ("-n", "1")], ids=["one process", "a worker"])
def test_ctrl_c_is_heard_where_the_parent_ignores_it(run, arguments):
    program = """
        import signal, subprocess, sys
        import pytest

        def test_here():
            with pytest.raises(KeyboardInterrupt):
                signal.raise_signal(signal.SIGINT)

        def test_in_a_child():
            child = subprocess.run(
                [sys.executable, "-c", "import signal; signal.raise_signal(signal.SIGINT)"],
                stderr=subprocess.DEVNULL,
            )
            assert child.returncode == -signal.SIGINT
    """
    ended, said = run(
        program, *arguments, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN)
    )
    assert (ended, "2 passed" in said) == (0, True), said


def test_the_tests_of_a_group_run_on_one_worker(run, tmp_path):
    program = f"""
        import pytest

        @pytest.mark.xdist_group("together")
        @pytest.mark.parametrize("number", range(8))
        def test_here(number, worker_id):
            with open({str(tmp_path / "workers")!r}, "a") as file:
                file.write(worker_id + " ")
    """
    ended, said = run(program, "-n", "2", "--dist", "loadgroup")
    assert (ended, "8 passed" in said) == (0, True), said
    assert len(set((tmp_path / "workers").read_text().split())) == 1


def test_a_test_that_fails_leaves_no_process_and_no_open_pipe(run):
    program = """
        import gc, subprocess, sys

        def test_that_fails():
            wait = "import sys; sys.stdin.read()"
            kept = subprocess.Popen(
                [sys.executable, "-c", wait], stdin=subprocess.PIPE, stdout=subprocess.PIPE
            )
            started.append(kept.pid)
            assert kept is None

        started = []

        def test_after_it():
            import os, pytest
            gc.collect()
            with pytest.raises(ProcessLookupError):
                os.kill(started[0], 0)
    """
    ended, said = run(program)
    assert (ended, "1 failed, 1 passed" in said) == (1, True), said


@pytest.mark.parametrize("arguments", [(), ("-n", "1")], ids=["one process", "a worker"])
@pytest.mark.parametrize("listed", [True, False])
def test_a_skip_must_be_on_the_list(run, listed, arguments):
    program = """
        import pytest

        def test_it():
            pytest.skip("there is no moon")

        def test_another():
            pass
    """
    allow = """
        skips.ALLOWED["test_it.py::test_it"] = ("no moon", "it is day")
    """
    ended, said = run(program, *arguments, conftest=allow if listed else "")
    assert ended == (0 if listed else 1), said
    assert ("not on the list" in said) is not listed
    assert ("test_it.py::test_it: Skipped: there is no moon" in said) is not listed


@pytest.mark.parametrize("arguments", [(), ("-n", "1")], ids=["one process", "a worker"])
def test_the_last_line_counts_blocks_and_rows(run, arguments):
    # The totals stand where a worker alone comes by.
    program = """
        import pytest
        from tests.suite import last_line

        last_line.totals.update(document_block=46, failure_row=65)
        last_line.remarks.append("row 15 stays open")

        @pytest.mark.parametrize("row", ["01", "02", "02", "03"])
        def test_row(row, record_property):
            assert row != "03"
            record_property("failure_row", row)

        def test_block(record_property):
            record_property("document_block", "004.2")
    """
    ended, said = run(program, *arguments)
    assert ended == 1
    assert said.splitlines()[-3:] == [
        "row 15 stays open",
        "failed: test_it.py::test_row[03]: AssertionError: assert '03' != '03'",
        "documents: 1 of 46 blocks; failures: 2 of 65 rows; 1 failed, 4 passed",
    ]
    assert re.search(r"^1 failed, 4 passed in ", said, re.MULTILINE)


@pytest.mark.parametrize("arguments", [(), ("-n", "1")], ids=["one process", "a worker"])
def test_a_hang_shows_the_stacks_of_all_threads_and_its_test(run, arguments):
    program = """
        import threading

        def test_it():
            never = threading.Event()

            def wait_beside():
                never.wait()

            threading.Thread(target=wait_beside, daemon=True).start()
            never.wait()
    """
    limits = ("timeout=5", "timeout_method=thread", "faulthandler_timeout=3")
    ended, said = run(program, *(word for limit in limits for word in ("-o", limit)), *arguments)
    assert ended != 0
    assert "in wait_beside" in said
    assert "in test_it" in said
    if arguments:
        assert re.search(r"crashed while running .*test_it\.py::test_it", said), said


def test_two_workers_that_die_are_two_failed_tests(run):
    program = """
        import os, pathlib, time
        import pytest

        here = pathlib.Path(__file__).parent
        worker = os.environ.get("PYTEST_XDIST_WORKER")
        if worker == "gw2":  # it still looks for its tests when the second one dies
            (here / "begun").touch()
            time.sleep(2)

        @pytest.mark.parametrize("which", range(2))
        def test_dies(which):
            while which and not (here / "begun").exists():
                time.sleep(0.01)
            os._exit(3)

        @pytest.mark.parametrize("which", range(20))
        def test_passes(which):
            pass
    """
    conftest = """
        import pytest
        from tests.suite import last_line

        @pytest.fixture(autouse=True)
        def counted(record_property):
            record_property("failure_row", "a")

        last_line.totals.update(failure_row=1)
    """
    ended, said = run(program, "-n", "2", "--dist", "loadgroup", conftest=conftest)
    assert ended == 1, said
    assert "INTERNALERROR" not in said
    last = said.splitlines()[-3:]
    for which, text in enumerate(sorted(last[:2])):
        assert re.match(rf"failed: test_it\.py::test_dies\[{which}\]: worker 'gw\d' crashed", text)
    assert last[2] == "failures: 1 of 1 rows; 2 failed, 20 passed"


@pytest.mark.parametrize(("module", "name"), patience.LIMITS)
def test_the_times_that_are_made_long_exist(module, name):
    assert getattr(importlib.import_module(module), name) == patience.LIMITS[module, name]


def test_the_graph_of_a_session_is_rewritten_once(monkeypatch):
    import tfqueue.v1 as tf

    library = importlib.import_module("tensorflow.python.client.pywrap_tf_session")
    assert library.TF_NewSessionOptions.__module__ == "tests.suite.spare"
    monkeypatch.setattr(library, "TF_NewSessionOptions", lambda target, config: config)
    spare.no_second_rewriting()
    given = tf.ConfigProto(log_device_placement=True)
    rewrites = library.TF_NewSessionOptions("", given).graph_options.rewrite_options
    assert rewrites.meta_optimizer_iterations == rewrites.ONE
    assert rewrites.disable_tfg_optimizer
    assert given == tf.ConfigProto(log_device_placement=True)
    given.graph_options.rewrite_options.meta_optimizer_iterations = rewrites.TWO
    made = library.TF_NewSessionOptions("", config=given)
    assert made.graph_options.rewrite_options.meta_optimizer_iterations == rewrites.TWO
    assert made.log_device_placement


@pytest.mark.parametrize(
    ("options", "runs"),
    [({}, True), ({"tx": []}, True), ({"tx": ["popen"]}, False)],
    ids=["no pytest-xdist", "one process", "workers"],
)
def test_who_hands_tests_out_loads_no_tensorflow(options, runs):
    config = types.SimpleNamespace(option=types.SimpleNamespace(**options))
    assert spare.runs_tests(config) == runs
    config.workerinput = {}
    assert spare.runs_tests(config)


def test_what_has_run_is_forgotten():
    option = types.SimpleNamespace(dist="loadgroup", loadscopereorder=True)
    config = types.SimpleNamespace(option=option, getvalue=lambda name: ["2*popen"])
    scheduler = spare.pytest_xdist_make_scheduler(config, None)
    told = {}

    class Worker:
        gateway = types.SimpleNamespace(id="gw")
        shutting_down = False

        def send_runtest_some(self, numbers):
            told[self] += numbers

        def shutdown(self):
            self.shutting_down = True

    tests = ["one@group", *map(str, range(7)), "two@group"]
    for worker in (Worker(), Worker()):
        told[worker] = []
        scheduler.add_node(worker)
        scheduler.add_node_collection(worker, tests)
    scheduler.schedule()
    done = {worker: 0 for worker in told}
    while any(done[worker] < len(told[worker]) for worker in told):
        for worker, numbers in told.items():
            for number in numbers[done[worker] :]:
                scheduler.mark_test_complete(worker, number)
                done[worker] += 1
                assert len(scheduler.assigned_work[worker]) <= 3
    assert sorted(number for numbers in told.values() for number in numbers) == [*range(9)]
    assert any({0, 8} <= {*numbers} for numbers in told.values())
    assert not any(scheduler.assigned_work.values())
    assert scheduler.tests_finished
    option.dist = "load"
    assert spare.pytest_xdist_make_scheduler(config, None) is None
