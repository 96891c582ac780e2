"""TensorFlow's modules, imported quietly."""

from __future__ import annotations

import contextlib
import functools
import os
import re
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

# What a correct program on a machine without a GPU makes TensorFlow's C++ print. Only these
# lines are dropped; whatever else arrives on the same channel is passed on.
_KNOWN_NOISE = re.compile(
    rb"""^(?:
        WARNING:\ All\ log\ messages\ before\ absl::InitializeLog\(\).*
      | (?:[IWE]\d{4}\ |\d{4}-\d\d-\d\d\ [\d:.]+:\ [IWE]\ ).*
          \b(?:port|cudart_stub|cuda_platform|cuda_dnn|cuda_fft|cuda_blas|cpu_feature_guard
             |mlir_graph_optimization_pass|computation_placer|gpu_device|cuda_diagnostics
             |cuda_executor|cuda_driver)\.cc:\d+\].*
      | To\ enable\ the\ following\ instructions:.*
      | Skipping\ registering\ GPU\ devices.*
    )\n?$""",
    re.VERBOSE,
)


@contextlib.contextmanager
def quiet_stderr() -> Iterator[None]:
    """Within the block, drops TensorFlow's known start-up lines from file descriptor 2.

    They are written by C++ before any logging setting can reach it, so the
    descriptor itself is held back for the moment. All other text is passed on
    when the block ends, in its order.
    """
    if not _stderr_held.acquire(blocking=False):
        yield  # another thread holds it back; two would each put back what the other had put there
        return
    try:
        with _stderr_held_back():
            yield
    finally:
        _stderr_held.release()


_stderr_held = threading.Lock()


@contextlib.contextmanager
def _stderr_held_back() -> Iterator[None]:
    try:
        sys.stderr.flush()
        saved = os.dup(2)
    except (OSError, ValueError, AttributeError):
        yield  # no stderr to keep clean
        return
    with tempfile.TemporaryFile() as held:
        os.dup2(held.fileno(), 2)
        try:
            yield
        finally:
            sys.stderr.flush()
            os.dup2(saved, 2)
            os.close(saved)
            held.seek(0)
            for line in held:
                if not _KNOWN_NOISE.match(line):
                    os.write(2, line)


@functools.cache
def compat_v1() -> Any:
    """`tensorflow.compat.v1`, imported without its start-up lines and in no mode yet."""
    # Read once by the C++ side, on import. 2 hides INFO and WARNING, and keeps errors: a correct
    # program that runs its two initialisers one after the other gets a warning per variable ("was
    # changed by setting attribute after it was run by a session"). Taken back afterwards, so that
    # child processes do not inherit it.
    level, new = "TF_CPP_MIN_LOG_LEVEL", "tensorflow" not in sys.modules
    ours = new and level not in os.environ
    if ours:
        os.environ[level] = "2"
    try:
        with quiet_stderr() if new else contextlib.nullcontext():
            import tensorflow.compat.v1 as tf
    finally:
        if ours:
            del os.environ[level]
    _beside_the_main_thread(lambda: _look_up_python(tf, _values(tf)))
    return tf


@functools.cache
def look_up_ops_and_arrays() -> None:
    """Has C++ look up Python for ops, tensors and the first array, as `_look_up_python` says.

    For the first session, and not when TensorFlow is imported: their graph makes a device, which
    draws of the random numbers that sessions get their handles from. Workers that are forked from
    then on would draw the same.
    """
    tf = compat_v1()

    def look_up() -> None:
        with contextlib.suppress(ImportError, AttributeError, TypeError):  # where these have moved
            _look_up_python(tf, _op_and_tensor(tf))

    _beside_the_main_thread(look_up)


def _beside_the_main_thread(function: Callable[[], None]) -> None:
    """Runs a function in a thread, as in the main one a Ctrl-C would be lost in it."""
    thread = threading.Thread(target=function, name="tfqueue-import", daemon=True)
    thread.start()
    thread.join()


def _values(tf: Any) -> list[Any]:
    """One value of each type that programs hand to TensorFlow, but for ops and tensors."""
    found: list[Any] = ["", b"", 0, 0.5, True, None, (), {}, tf.float32, tf.TensorShape([])]
    return [*found, np.zeros(1), np.float32(0), np.int64(0), np.bool_(), _values]


def _look_up_python(tf: Any, values: Sequence[Any]) -> None:
    """Has C++ look up what it uses of Python: for nested lists, for dispatch.

    It runs some Python for that, once for each type, and drops an exception there, such as the
    KeyboardInterrupt of a Ctrl-C that came while the program built its first ops or ran its first step.
    What it takes for the answer then it keeps: a list may have "no attribute '_type_spec'" for good.
    """
    for composites in (True, False):
        tf.nest.flatten(values, expand_composites=composites)
        tf.nest.assert_same_structure(values, values, expand_composites=composites)
    with contextlib.suppress(AttributeError, TypeError):
        for value in values:
            tf.greater._tf_type_based_dispatcher.Dispatch((value, value, None), None)


def _op_and_tensor(tf: Any) -> tuple[Any, Any]:
    """An op, of whose value C++ has made an array, and its tensor.

    Their graph is one of C++ alone. One of Python takes a number that graphs share, and with it the
    names of the program's own graphs would change.
    """
    from tensorflow.python.client import _pywrap_tf_session as c_api
    from tensorflow.python.framework import ops

    graph = c_api.PyGraph()
    described = c_api.TF_NewOperation(graph, "Const", "zero")
    zero = tf.make_tensor_proto(0)
    for name, value in (
        ("dtype", tf.AttrValue(type=zero.dtype)),
        ("value", tf.AttrValue(tensor=zero)),
    ):
        c_api.TF_SetAttrValueProto(described, name, value.SerializeToString())
    output = c_api.TF_Output()
    output.oper, output.index = c_api.TF_FinishOperation(described), 0
    c_api.TF_TryEvaluateConstant_wrapper(graph, output)
    op = ops.Operation(output.oper, ops.SymbolicTensor)
    return op, ops.SymbolicTensor(op, 0, tf.int32, 0)


def silence_deprecations() -> None:
    """Stops TensorFlow's "is deprecated" lines for this process.

    They fire for nearly every name of the queue API, also for calls that
    TensorFlow makes internally. If the switch moves: it is the flag that
    `tensorflow.python.util.deprecation.silence()` toggles.
    """
    from tensorflow.python.util import deprecation

    # A missing attribute must not be created in silence.
    assert isinstance(deprecation._PRINT_DEPRECATION_WARNINGS, bool)
    deprecation._PRINT_DEPRECATION_WARNINGS = False


def find_devices_quietly() -> None:
    """Lets the first look for devices write none of the known lines, whoever causes it.

    That need not be a session: `MonitoredSession` builds ops on devices before it makes one. If
    `_initialize_physical_devices` moves: `tests/_tensorflow/test_tensorflow.py` says so.
    """
    from tensorflow.python.eager import context

    original = context.Context._initialize_physical_devices
    if hasattr(original, "__wrapped__"):
        return

    @functools.wraps(original)
    def quietly(self: Any, *args: Any, **kwargs: Any) -> None:
        if self._physical_devices is not None:
            return original(self, *args, **kwargs)
        with quiet_stderr():
            return original(self, *args, **kwargs)

    context.Context._initialize_physical_devices = quietly


def is_lazy(value: Any) -> bool:
    """Whether `value` is one of TensorFlow's modules that load themselves on first use (Keras)."""
    from tensorflow.python.util import lazy_loader

    return isinstance(value, lazy_loader.LazyLoader)


_first_session_made = False


@contextlib.contextmanager
def quiet_first_session() -> Iterator[None]:
    """Within the block the first session's start-up lines (no GPU found) are dropped."""
    global _first_session_made
    if _first_session_made:
        yield
        return
    with quiet_stderr():
        yield
    _first_session_made = True
