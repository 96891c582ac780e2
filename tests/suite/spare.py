"""What would be done again for every test, and is not needed for any."""

from __future__ import annotations

import gc
import importlib
import os
from typing import Any

import pytest
from xdist.scheduler import LoadGroupScheduling

from tests.suite import children
from tfqueue.port.program import tensorflow_names

_new_interpreter = tensorflow_names._answer


def runs_tests(config: pytest.Config) -> bool:
    """Whether tests run in this process: not if it hands them to pytest-xdist's workers."""
    return hasattr(config, "workerinput") or not getattr(config.option, "tx", None)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """Two workers more than there are cores: a fifth of the suite's time is spent in waits."""
    if config.option.numprocesses != "auto" or "PYTEST_XDIST_AUTO_NUM_WORKERS" in os.environ:
        return None  # pytest-xdist counts
    return (os.cpu_count() or 1) + 2


class Forgetful(LoadGroupScheduling):
    """Hands out the tests as pytest-xdist does, and forgets those that have run.

    It looks through all that a worker has been given for each test that ends, which grows with their
    square: with 17,000 tests a core is busy with that for more than a minute.
    """

    def mark_test_complete(self, node: Any, item_index: int, duration: float = 0) -> None:
        """Called when a test has ended."""
        super().mark_test_complete(node, item_index, duration)
        given = self.assigned_work[node]
        scope = self._split_scope(self.registered_collections[node][item_index])
        if all(given[scope].values()):
            del given[scope]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> LoadGroupScheduling | None:
    """For `--dist loadgroup`; other ways are pytest-xdist's own."""
    return Forgetful(config, log) if config.option.dist == "loadgroup" else None


def no_onednn() -> None:
    """Switches off oneDNN in this process, unless the environment says otherwise.

    For each op of each graph of each session its pass looks through all kernels that there are,
    which is a fifth of the suite's time. TensorFlow 1 computed without it. Processes that
    `children.py` starts have it, as a user has.
    """
    os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")


def no_second_rewriting() -> None:
    """Sets the number of times that TensorFlow rewrites a graph before it runs to one.

    Its default is two, and a rewriting for the larger kernels of neural networks. For a test's small
    graph, which runs a few steps, that takes longer than the steps. What a program sets itself
    stays. Processes that tests start have the defaults, as a user has.
    """
    library = importlib.import_module("tensorflow.python.client.pywrap_tf_session")
    original = getattr(library, "TF_NewSessionOptions", None)
    if original is None:
        return

    def options(target=None, config=None):
        if config is not None:
            given, config = config, type(config)()
            config.CopyFrom(given)
            rewrites = config.graph_options.rewrite_options
            if rewrites.meta_optimizer_iterations == rewrites.DEFAULT_NUM_ITERS:
                rewrites.meta_optimizer_iterations = rewrites.ONE
            rewrites.disable_tfg_optimizer = True
        return original(target=target, config=config)

    library.TF_NewSessionOptions = options


def no_new_interpreter() -> None:
    """Lets `tfqueue check` ask for names in a process that `children.py` forks.

    A new interpreter would import TensorFlow for each. `asks_a_new_interpreter` takes it back.
    """
    tensorflow_names._answer = _forked_answer


def _forked_answer(asked: str) -> str | None:
    done = children.run(["-m", "tfqueue.port.program.today"], given=asked)
    return None if done.returncode else done.stdout.splitlines()[-1]


@pytest.fixture
def asks_a_new_interpreter(monkeypatch):
    """For a test of how a user's `tfqueue check` asks."""
    monkeypatch.setattr(tensorflow_names, "_answer", _new_interpreter)


def no_garbage_yet() -> None:
    """Switches the garbage collector off until the tests are collected: what is imported stays."""
    gc.disable()


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Takes what is imported and collected out of the garbage collector's sight.

    It is there until the end, and would be looked through each time.
    """
    try:
        return (yield)
    finally:
        gc.enable()
        gc.collect()
        gc.freeze()
