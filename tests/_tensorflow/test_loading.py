"""Which lines of TensorFlow's are dropped from stderr, and when."""

import contextlib
import os
import sys
import threading
import types

import pytest

from tfqueue._tensorflow import loading

DROPPED = [
    "WARNING: All log messages before absl::InitializeLog() is called are written to STDERR",
    "To enable the following instructions: AVX2 FMA, in other operations, rebuild TensorFlow.",
    "Skipping registering GPU devices...",
    *(
        f"{begin} {file}.cc:31] Could not find it"
        for begin in (
            "I0000 00:00:1700000000.000000     123",
            "E0000 00:00:1700000000.000000     123",
            "W0000 00:00:1700000000.000000     123",
            "2026-11-26 10:00:00.123456: I external/local_xla/xla/tsl/",
            "2026-11-26 10:00:00.123456: W tensorflow/core/",
        )
        for file in (
            *("port", "cudart_stub", "cuda_platform", "cuda_dnn", "cuda_fft", "cuda_blas"),
            *("cpu_feature_guard", "mlir_graph_optimization_pass", "computation_placer"),
            *("gpu_device", "cuda_diagnostics", "cuda_executor", "cuda_driver"),
        )
    ),
]
KEPT = [
    "the program's own words",
    "",
    "  Skipping registering GPU devices...",
    "see: To enable the following instructions: none",
    "F0000 00:00:1700000000.000000     123 port.cc:31] fatal",
    "I0000 00:00:1700000000.000000     123 queue_base.cc:31] about a queue",
    "2026-11-26 10:00:00.123456: I tensorflow/core/support.cc:31] about something",
    "2026-11-26 10:00:00.123456: I tensorflow/core/port.cc: no line",
    "port.cc:31] without a head",
]


def written(lines):
    os.write(2, "".join(line + "\n" for line in lines).encode())


@pytest.mark.parametrize("line", DROPPED)
def test_known_lines_are_dropped(line, capfd):
    with loading.quiet_stderr():
        written([line])
    assert capfd.readouterr().err == ""


def test_all_other_text_is_kept_in_its_order(capfd):
    mixed = [line for pair in zip(KEPT, DROPPED, strict=False) for line in pair]
    with loading.quiet_stderr():
        written(mixed)
        os.write(2, b"without an end")
        assert capfd.readouterr().err == "", "it is held back"
    written(["behind", DROPPED[0]])
    expected = [*KEPT, "without an endbehind", DROPPED[0], ""]
    assert capfd.readouterr().err == "\n".join(expected)


def test_a_block_that_fails(capfd):
    with pytest.raises(KeyError), loading.quiet_stderr():
        written([DROPPED[0], "own"])
        raise KeyError
    assert capfd.readouterr().err == "own\n"
    with loading.quiet_stderr():  # it can be held back anew
        written([DROPPED[0]])
    assert capfd.readouterr().err == ""


def test_only_one_holds_it_back(capfd):
    def other():
        with loading.quiet_stderr():
            written(["of the other"])

    with loading.quiet_stderr():
        thread = threading.Thread(target=other)
        thread.start()
        thread.join()
        with loading.quiet_stderr():
            written([DROPPED[0], "inner"])
        written([DROPPED[0], "outer"])
        assert capfd.readouterr().err == ""
    assert capfd.readouterr().err == "of the other\ninner\nouter\n"


def _closed():
    raise ValueError("I/O operation on closed file")


@pytest.mark.parametrize("stderr", [None, types.SimpleNamespace(flush=_closed)])
def test_a_process_without_stderr(monkeypatch, capfd, stderr):
    monkeypatch.setattr(sys, "stderr", stderr)
    with loading.quiet_stderr():
        written([DROPPED[0]])
    assert capfd.readouterr().err == f"{DROPPED[0]}\n"


def test_the_first_session_alone_is_quiet(monkeypatch):
    monkeypatch.setattr(loading, "_first_session_made", False)
    entered = []

    @contextlib.contextmanager
    def quiet():
        entered.append(1)
        yield

    monkeypatch.setattr(loading, "quiet_stderr", quiet)
    with pytest.raises(KeyError), loading.quiet_first_session():
        raise KeyError
    for times in (2, 2, 2):
        with loading.quiet_first_session():
            assert len(entered) == times


def test_deprecations_are_told_no_more(monkeypatch):
    from tensorflow.python.util import deprecation

    monkeypatch.setattr(deprecation, "_PRINT_DEPRECATION_WARNINGS", True)
    loading.silence_deprecations()
    assert deprecation._PRINT_DEPRECATION_WARNINGS is False
    monkeypatch.delattr(deprecation, "_PRINT_DEPRECATION_WARNINGS")
    with pytest.raises(AttributeError):
        loading.silence_deprecations()


def test_the_look_for_devices_is_wrapped_once(monkeypatch):
    from tensorflow.python.eager import context

    asked, entered = [], []

    def look(self, *args, **given):
        asked.append((args, given))
        return "found"

    @contextlib.contextmanager
    def quiet():
        entered.append(1)
        yield

    monkeypatch.setattr(context.Context, "_initialize_physical_devices", look)
    monkeypatch.setattr(loading, "quiet_stderr", quiet)
    loading.find_devices_quietly()
    wrapped = context.Context._initialize_physical_devices
    loading.find_devices_quietly()
    assert context.Context._initialize_physical_devices is wrapped
    assert (wrapped.__wrapped__, wrapped.__name__) == (look, "look")
    known = types.SimpleNamespace(_physical_devices=[])
    assert wrapped(known, True, reinitialize=False) == "found"
    assert entered == []
    new = types.SimpleNamespace(_physical_devices=None)
    assert wrapped(new, 1, more=2) == "found"
    assert entered == [1]
    assert asked == [((True,), {"reinitialize": False}), ((1,), {"more": 2})]


def test_modules_that_load_themselves():
    from tensorflow.python.util import lazy_loader

    assert loading.is_lazy(lazy_loader.LazyLoader("x", {}, "x"))
    assert not loading.is_lazy(os)
    assert not loading.is_lazy(None)
