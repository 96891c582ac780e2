"""What holds for every test: a graph of its own, nothing left behind, no hang.

The time limit per test is pytest-timeout's (see pyproject.toml): it prints the
stacks of all threads. What holds for the run as a whole stands in `tests/suite`.
"""

import gc
import logging
import os
import tempfile
import threading

import pytest

from tests.suite import crashes, groups, last_line, patience, processes, skips, spare

processes.use_default_interrupt()
processes.limit_threads()
spare.no_onednn()
spare.no_garbage_yet()


pytest_xdist_auto_num_workers = spare.pytest_xdist_auto_num_workers  # asked before `configure`


def pytest_configure(config):
    """Adds what holds for the run as a whole."""
    for plugin in (crashes, groups, last_line, processes, skips, spare):
        config.pluginmanager.register(plugin)
    # For where pytest-xdist is not installed or switched off.
    config.addinivalue_line("markers", "xdist_group(name): run these tests on one worker")
    if spare.runs_tests(config):
        import tfqueue.v1  # noqa: F401  (early, so that TensorFlow's C++ starts with its log level)

        patience.apply()
        spare.no_second_rewriting()
        spare.no_new_interpreter()


# Programs that tests run, not modules to be looked through for doctests.
collect_ignore_glob = [
    "port/programs/*",
    "recording/programs/*",
    "dataset/modules/*",
    "golden/make*.py",
    "golden/scenarios*/*",
    "benchmarks/[!t]*",
]

# Helpers that assert; what they compare is shown as in a test.
pytest.register_assert_rewrite("tests.draw.picture_reading")


@pytest.fixture(autouse=True, scope="session")
def temporary_folder(tmp_path_factory):
    """What a tested program leaves in the temporary folder is in pytest's, which removes old ones."""
    with pytest.MonkeyPatch.context() as patch:
        folder = str(tmp_path_factory.mktemp("temporary"))
        patch.setattr(tempfile, "tempdir", folder)
        patch.setitem(os.environ, "TMPDIR", folder)
        yield folder


@pytest.fixture(autouse=True, scope="session")
def shared_threads():
    """TensorFlow's threads, at least two.

    The first session of a process makes them for all, as many as it asks for. With one, a Python
    function of a graph that runs a step waits for itself, in whatever test comes later.
    """
    import tfqueue.v1 as tf

    config = tf.ConfigProto(inter_op_parallelism_threads=max(2, os.cpu_count() or 1))
    with tf.Graph().as_default(), tf.Session(config=config):
        pass


@pytest.fixture(autouse=True)
def own_graph():
    """Each test builds in a default graph of its own."""
    import tfqueue.v1 as tf

    with tf.Graph().as_default() as graph:
        yield graph


@pytest.fixture(autouse=True)
def nothing_assumed():
    """Each test begins as a program of 1.15 that shows no Keras 1, whatever the modules that pytest imported for their doctests have stated."""
    from tfqueue import release

    release.assume(None)
    release.assume_keras(False)
    release.assume_keras_1(False)


@pytest.fixture(autouse=True)
def nothing_left(request):
    """After each test the threads, the open sessions and the level of the log are as before it.

    At a level below WARNING pytest keeps what TensorFlow logs: errors, and with them their sessions.
    """
    from tfqueue.session import registry

    threads, sessions = set(threading.enumerate()), registry.still_open()
    level = logging.getLogger().level
    yield
    if registry.still_open() - sessions:
        gc.collect()  # a session that nobody refers to any more ends its own threads
    still_open = len(registry.still_open() - sessions)
    if processes.has_failed(request.node):
        registry.end_all(but=sessions)  # its traceback keeps them
    left = [
        thread
        for thread in threading.enumerate()
        # A thread of TensorFlow's own pool that once ran Python is no thread of ours.
        if thread not in threads and not isinstance(thread, threading._DummyThread)
    ]
    if left:
        gc.collect()
        for thread in left:
            thread._started.wait(60)  # it may be listed before it runs
            thread.join(60)
    alive = [thread.name for thread in left if thread.is_alive()]
    assert not alive, f"threads left behind: {alive}"
    assert not still_open or processes.has_failed(request.node), "a session is left open"
    assert logging.getLogger().level == level, "the level of the log is changed"


@pytest.fixture
def records(tmp_path):
    """Writes TFRecord files: `records([b"a", b"b"], name="x.tfrecord")` gives the path."""
    import tfqueue.v1 as tf

    def write(payloads, name="data.tfrecord", options=None):
        path = tmp_path / name
        with tf.python_io.TFRecordWriter(str(path), options=options) as writer:
            for payload in payloads:
                writer.write(payload)
        return str(path)

    return write
