#!/usr/bin/env python
# This file also runs on Python 2.7, so its types stand in comments.
"""Records what a TensorFlow 1 program computes, so that a later run can be compared with it.

    python record_tf1.py [options] PROGRAM [ARGUMENTS]

PROGRAM runs as it is. Beside it, ``PROGRAM``'s name with the ending ``.recording`` is written: each
step of the program's own (``Session.run``) with the names of what was fetched and a description of
each value, each element that a step took from a queue or a reader, each variable after its
initialisation and at the end, the records and checkpoints that were written, and how the program
ended. `tfqueue compare` reads it.

The program's graph gets no op, so that names and seeds stay what they are. Values are described by
their dtype, shape and SHA-1 digest; of floats also up to 64 values, extremes and sums are kept. With
``--with-data`` the initial values of variables, the elements and the random draws are kept whole.

It needs NumPy and TensorFlow: 0.12 to 1.15, or `tensorflow.compat.v1`, or `tfqueue.v1`; Python 2.7 or
3.4 and later.
"""

from __future__ import absolute_import, division, print_function

import argparse
import base64
import gzip
import hashlib
import io
import json
import os
import platform
import struct
import sys
import threading
import traceback
import weakref

import numpy as np

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Optional, Set  # noqa: F401


FORMAT = 1
WHOLE = 64  # floats of arrays up to this size are kept whole
SAMPLE = 32  # so many floats of larger ones
ASK_ABOVE = 1 << 30  # bytes of data after which the user is asked

TEXT = type(b"".decode("ascii"))  # `unicode` on Python 2
TAKING = (
    "QueueDequeue",
    "QueueDequeueMany",
    "QueueDequeueUpTo",
    "ReaderRead",
    "ReaderReadUpTo",
    "IteratorGetNext",
    "Unstage",
)
"""Types of ops that take an element, without the ``V2`` of later releases."""
BY_ROW = ("QueueDequeueMany", "QueueDequeueUpTo", "ReaderReadUpTo")
"""Types of ops whose outputs hold one element a row."""
RANDOM = (
    "RandomUniform",
    "RandomUniformInt",
    "RandomStandardNormal",
    "TruncatedNormal",
    "ParameterizedTruncatedNormal",
    "RandomGamma",
    "RandomPoisson",
    "RandomShuffle",
    "RandomCrop",
    "Multinomial",
    "SampleDistortedBoundingBox",
    "LogUniformCandidateSampler",
    "UniformCandidateSampler",
    "LearnedUnigramCandidateSampler",
    "FixedUnigramCandidateSampler",
)
"""Types of ops that draw; their attributes ``seed`` and ``seed2`` say from where."""
PYTHON = ("PyFunc", "EagerPyFunc", "PyFuncStateless")
SUMMARIES = ("MergeSummary", "ScalarSummary", "HistogramSummary", "ImageSummary", "AudioSummary")
DEFAULT_GRAPH_SEED = 87654321  # what TensorFlow sets where only an op has a seed


# ---- values


def digest(data):
    # type: (bytes) -> str
    """The first 80 bits of the SHA-1 of some bytes, in hexadecimal digits."""
    return hashlib.sha1(data).hexdigest()[:20]


def as_bytes(item):
    # type: (Any) -> bytes
    """The bytes of one string, as TensorFlow has it."""
    return item.encode("utf-8") if isinstance(item, TEXT) else bytes(item)


def as_array(value):
    # type: (Any) -> np.ndarray
    """A fetched value as an array; strings have the dtype object."""
    if isinstance(value, (bytes, TEXT)):
        array = np.empty((), object)
        array[()] = value
        return array
    array = np.asarray(value)
    return array.astype(object) if array.dtype.kind in "SU" else array


def data_of(array):
    # type: (np.ndarray) -> bytes
    """The bytes that stand for an array's values: little-endian, row by row."""
    if array.dtype.kind == "O":
        parts = [as_bytes(item) for item in array.ravel()]
        return b"".join(struct.pack("<Q", len(part)) + part for part in parts)
    if array.dtype.byteorder == ">" or (array.dtype.byteorder == "=" and sys.byteorder == "big"):
        array = array.byteswap()
    return array.tobytes()


def dtype_name(array):
    # type: (np.ndarray) -> str
    """The name of an array's dtype, as TensorFlow calls it."""
    return "string" if array.dtype.kind == "O" else array.dtype.name


def is_float(array):
    # type: (np.ndarray) -> bool
    """Whether an array is compared with a tolerance (bfloat16 too, whose kind is V)."""
    return array.dtype.kind in "fc" or "float" in array.dtype.name


def described(value):
    # type: (Any) -> dict
    """What is kept of a value.

    Returns:
        A dict with ``t``, the dtype's name, ``s``, the shape, and ``h``, the digest; of floats also
        ``v``, the values up to a size or a sample of them, and ``m``: minimum, maximum, sum and sum of
        squares. Not finite values are left out of these four.
    """
    array = as_array(value)
    found = {"t": dtype_name(array), "s": list(array.shape), "h": digest(data_of(array))}  # type: dict
    if is_float(array):
        flat = array.ravel()
        if flat.dtype.kind == "c":
            flat = flat.view(flat.real.dtype)
        if flat.size > WHOLE:
            sample = flat[np.linspace(0, flat.size - 1, SAMPLE).astype(np.int64)]
        else:
            sample = flat
        found["v"] = [float(each) for each in sample]
        wide = flat.astype(np.float64)
        wide = wide[np.isfinite(wide)]
        if wide.size:
            found["m"] = [float(wide.min()), float(wide.max()), float(wide.sum())]
            found["m"].append(float(np.square(wide).sum()))
    return found


def packed(value):
    # type: (Any) -> dict
    """A value whole, as JSON has it."""
    array = as_array(value)
    found = {"t": dtype_name(array), "s": list(array.shape)}  # type: dict
    if array.dtype.kind == "O":
        found["b"] = [base64.b64encode(as_bytes(item)).decode("ascii") for item in array.ravel()]
    else:
        found["b"] = base64.b64encode(data_of(array)).decode("ascii")
    return found


def unpacked(found):
    # type: (dict) -> np.ndarray
    """The value that `packed` wrote.

    Raises:
        ValueError: If it is none.
    """
    shape = tuple(found["s"])
    if found["t"] == "string":
        array = np.empty(len(found["b"]), object)
        array[:] = [base64.b64decode(item) for item in found["b"]]
        return array.reshape(shape)
    dtype = np.dtype(found["t"]).newbyteorder("<")
    return np.frombuffer(base64.b64decode(found["b"]), dtype).reshape(shape).astype(found["t"])


def rows_of(values, by_row):
    # type: (list, bool) -> dict
    """What is kept of the elements that one op took.

    Args:
        values: The outputs of the op.
        by_row: Whether each holds one element a row; else they are one element.

    Returns:
        A dict with ``rows``, for each element the digests of its components, and ``floats``, from the
        number of a float component to sum, minimum and maximum of each row.
    """
    arrays = [as_array(value) for value in values]
    if not by_row:
        arrays = [array[np.newaxis] for array in arrays]
    count = arrays[0].shape[0] if arrays else 0
    # A row of one string would be the string itself, so it is taken as an array of one.
    rows = [[digest(data_of(array[row : row + 1])) for array in arrays] for row in range(count)]
    floats = {}
    for place, array in enumerate(arrays):
        if is_float(array) and array.dtype.kind != "c" and count and array.size:
            wide = np.nan_to_num(array.reshape(count, -1).astype(np.float64))
            sums = np.stack([wide.sum(1), wide.min(1), wide.max(1)], 1)
            floats[str(place)] = sums.tolist()
    types = ["%s%s" % (dtype_name(array), list(array.shape[1:])) for array in arrays]
    return {"rows": rows, "floats": floats, "types": types}


# ---- graphs


def base_type(op):
    # type: (Any) -> str
    """An op's type without the ``V2`` or ``V3`` of a later version."""
    kind = op.type
    return kind[:-2] if kind[-2:] in ("V2", "V3") else kind


def attribute(op, name, default=None):
    # type: (Any, str, Any) -> Any
    """An op's attribute, or a default where it has none."""
    try:
        return op.get_attr(name)
    except ValueError:
        return default


def creation_line(op, folder):
    # type: (Any, str) -> str
    """``file:line`` of the program's innermost line that made an op; empty where none did."""
    found = ""
    for frame in getattr(op, "traceback", None) or []:
        if isinstance(frame, tuple):
            name, line = frame[:2]
        else:
            name, line = frame.filename, frame.lineno
        if os.path.abspath(name).startswith(folder) and "site-packages" not in name:
            if os.path.basename(name) != os.path.basename(__file__):
                found = "%s:%d" % (os.path.relpath(name, folder), line)
    return found


def inside_control_flow(op):
    # type: (Any) -> bool
    """Whether an op stands in a branch or a loop, where its outputs may not be fetched."""
    get = getattr(op, "_get_control_flow_context", None)
    return get is not None and get() is not None


class GraphFacts(object):
    """What one set of fetches does in a graph: what it takes, draws, reads and writes.

    Attributes:
        number: The number of this set in the recording.
        elements: The fetched operations and tensors.
        taking: The ops that take an element, with outputs that can be fetched.
        drawing: The ops that draw, likewise.
        initialised: The variables whose initialiser is run.
        written: Whether any other op of a variable's is run.
        order: All ops of the step, inputs first.
    """

    def __init__(self, graph, elements, fed, variables, number):
        # type: (Any, list, set, dict, int) -> None
        self.number = number
        self.elements = elements
        self._fed = fed
        self._variables = variables  # of the op that holds it -> the variable
        self.order = self._sorted([getattr(each, "op", each) for each in elements])
        inside = set(self.order)
        initialisers = dict((v.initializer, v) for v in variables.values())
        self.initialised = [v for op, v in initialisers.items() if op in inside]
        outer = [op for op in self.order if not inside_control_flow(op)]
        self.taking = [op for op in outer if base_type(op) in TAKING and self._can_fetch(graph, op)]
        begun = self._before_initialisers(initialisers, inside)
        drawing = [op for op in outer if base_type(op) in RANDOM and op not in begun]
        self.drawing = [op for op in drawing if self._can_fetch(graph, op)]
        self.sources = self._sources()
        self.writes = self._writes(initialisers)

    def _can_fetch(self, graph, op):
        # type: (Any, Any) -> bool
        outputs = op.outputs
        return (
            bool(outputs)
            and not any(name in self._fed for name in (t.name for t in outputs))
            and (all(graph.is_fetchable(tensor) for tensor in outputs))
        )

    def _inputs(self, op):
        # type: (Any) -> list
        """The ops that an op waits for; nothing stands before a tensor that is fed."""
        found = [tensor.op for tensor in op.inputs if tensor.name not in self._fed]
        return found + list(op.control_inputs)

    def _sorted(self, ends):
        # type: (list) -> list
        """All ops before some ops, inputs first."""
        done, order = set(), []
        stack = [(op, False) for op in reversed(ends)]
        while stack:
            op, left = stack.pop()
            if left:
                order.append(op)
            elif op not in done:
                done.add(op)
                stack.append((op, True))
                stack.extend((each, False) for each in self._inputs(op) if each not in done)
        return order

    def reads_variable(self, op):
        # type: (Any) -> bool
        """Whether an op reads a variable: which value that is, a step that writes it leaves open."""
        return op.type in ("Identity", "ReadVariableOp") and op.inputs[0].op in self._variables

    def _before_initialisers(self, initialisers, inside):
        # type: (dict, set) -> set
        """The ops that only give variables their first values."""
        return set(self._sorted([op for op in initialisers if op in inside]))

    def _sources(self):
        # type: () -> dict
        """Of each op the names of what its value depends on: variables, takes, draws."""
        found = {}  # type: dict
        again = True
        while again:  # a loop's ops stand before themselves
            again = False
            for op in self.order:
                kind = base_type(op)
                own = set()
                if op in self._variables:
                    own.add("variable:" + self._variables[op].op.name)
                elif kind in TAKING:
                    own.add("taken:" + op.name)
                elif kind in RANDOM:
                    own.add("drawn:" + op.name)
                elif kind in PYTHON:
                    own.add("python:" + op.name)
                for each in self._inputs(op):
                    own |= found.get(each, frozenset())
                if own != found.get(op, frozenset()):
                    found[op] = own
                    again = True
        return found

    def _writes(self, initialisers):
        # type: (dict) -> dict
        """The name of each variable that is written, with what the new value depends on."""
        found = {}  # type: dict
        for op in self.order:
            if not op.inputs or op in self._variables:
                continue
            for tensor in op.inputs:
                target = self._variables.get(tensor.op)
                if target is None or not self._is_written(op, tensor):
                    continue
                sources = self.sources.get(op, set()) - {"variable:" + target.op.name}
                if op not in initialisers:
                    sources = sources | {"variable:" + target.op.name}
                found.setdefault(target.op.name, set()).update(sources)
        return found

    @staticmethod
    def _is_written(op, tensor):
        # type: (Any, Any) -> bool
        if op.type in ("ReadVariableOp", "VarIsInitializedOp", "IsVariableInitialized", "Identity"):
            return False
        return op.type.startswith(
            ("Assign", "Scatter", "Apply", "SparseApply", "Resource", "Count")
        )


def order_of(graph, op, runners, seen=()):
    # type: (Any, Any, dict, tuple) -> str
    """Whether the order of what an op takes is fixed.

    Args:
        graph: The `tf.Graph`.
        op: An op that takes an element.
        runners: From a queue's name to the number of its runners' threads.
        seen: The names of the queues on the way here.

    Returns:
        ``"in order"``, or ``"any"`` where threads, a shuffle or a draw decide.
    """
    if base_type(op) == "IteratorGetNext" or not op.inputs:
        return "in order"
    queue = op.inputs[-1].op if base_type(op).startswith("ReaderRead") else op.inputs[0].op
    if queue.name in seen:
        return "in order"
    if base_type(op) == "ReaderReadUpTo":
        queue = op.inputs[1].op
    if queue.type.startswith("RandomShuffleQueue") or runners.get(queue.name, 1) > 1:
        return "any"
    facts = [
        each
        for each in graph.get_operations()
        if base_type(each) in ("QueueEnqueue", "QueueEnqueueMany") and each.inputs[0].op is queue
    ]
    if len(facts) > 1:
        return "any"
    for enqueue in facts:
        before = GraphFacts(graph, [enqueue], set(), {}, 0)
        for each in before.order:
            kind = base_type(each)
            if kind in PYTHON or (kind in RANDOM and not is_seeded(each)):
                return "any"
            if kind in TAKING and order_of(graph, each, runners, seen + (queue.name,)) == "any":
                return "any"
    return "in order"


def is_seeded(op):
    # type: (Any) -> bool
    """Whether an op draws the same in each run of the program."""
    return bool(attribute(op, "seed", 0) or attribute(op, "seed2", 0))


def seeds_of(op):
    # type: (Any) -> list
    """An op's two seeds; the second is None where TensorFlow counted it, as ops differ by release."""
    first, second = int(attribute(op, "seed", 0)), int(attribute(op, "seed2", 0))
    counted = first != DEFAULT_GRAPH_SEED and 0 <= getattr(op, "_id", -1) - second <= 16
    return [first, None if counted and (first or second) else second]


def capacity_before(graph, op, seen=()):
    # type: (Any, Any, tuple) -> int
    """How many elements the queues before an op can hold."""
    if not op.inputs:
        return 0
    queue = op.inputs[-1].op if base_type(op) == "ReaderRead" else op.inputs[0].op
    if queue.name in seen or "Queue" not in queue.type:
        return 0
    held = max(0, int(attribute(queue, "capacity", 0)))
    for enqueue in graph.get_operations():
        if base_type(enqueue).startswith("QueueEnqueue") and enqueue.inputs[0].op is queue:
            for each in GraphFacts(graph, [enqueue], set(), {}, 0).order:
                if base_type(each).startswith("QueueDequeue"):
                    held += capacity_before(graph, each, seen + (queue.name,))
    return held


# ---- the file


class Writer(object):
    """Writes a recording: one JSON object a line, compressed, beside its place until it is whole."""

    def __init__(self, path):
        # type: (str) -> None
        self.path = path
        self._part = path + ".part"
        self._raw = open(self._part, "wb")
        self._file = gzip.GzipFile("", "wb", 5, self._raw, 0)  # type: Optional[gzip.GzipFile]
        self._lock = threading.Lock()

    def write(self, event):
        # type: (dict) -> None
        line = json.dumps(event, sort_keys=True) + "\n"
        with self._lock:
            if self._file is not None:
                self._file.write(line.encode("utf-8"))

    def close(self):
        # type: () -> None
        with self._lock:
            if self._file is None:
                return
            self._file.close()
            self._raw.close()
            self._file = None
            if os.name == "nt" and os.path.exists(self.path):
                os.remove(self.path)  # Python 2 has no os.replace
            os.rename(self._part, self.path)


def events_of(path):
    # type: (str) -> list
    """The events of a recording.

    Raises:
        IOError: If the file cannot be read, is cut off or is no recording.
        ValueError: If its content is none.
    """
    with gzip.open(path, "rb") as file:
        found = [json.loads(line.decode("utf-8")) for line in io.BufferedReader(file)]
    if not found or found[0].get("e") != "start":
        raise ValueError("this is no recording")
    return found


# ---- what the program's session does


class Replay(object):
    """The initial values, elements and draws of an earlier recording, given to this run."""

    def __init__(self, path):
        # type: (str) -> None
        events = events_of(path)
        self._initial = {}  # type: dict
        self.steps = [each for each in events if each["e"] == "run" and each["step"]]
        for each in events:
            if each["e"] == "variables" and each["when"] == "initialised":
                for name, value in each.get("data", {}).items():
                    self._initial.setdefault(name, value)

    def initial(self, name):
        # type: (str) -> Any
        """The recorded first value of a variable, or None."""
        found = self._initial.get(name)
        return None if found is None else unpacked(found)

    def feeds(self, number, facts):
        # type: (int, GraphFacts) -> dict
        """What to feed to a step in place of what it would take and draw.

        Args:
            number: The number of the step.
            facts: What the step does.

        Returns:
            A dict from tensor to value. It is empty behind the last step with data.
        """
        if number >= len(self.steps):
            return {}
        kept = self.steps[number].get("data", {})
        found = {}
        for op in facts.taking + facts.drawing:
            for tensor, value in zip(op.outputs, kept.get(op.name, [])):
                found[tensor] = unpacked(value)
        return found

    def ended(self, number):
        # type: (int) -> bool
        """Whether the recorded step found the end of the data."""
        return number < len(self.steps) and self.steps[number].get("error") == "OutOfRangeError"


class Recorder(object):
    """Records the steps of a program.

    Args:
        tf: The module that the program calls ``tf``.
        writer: A `Writer`.
        folder: The program's folder.
        arguments: The program's arguments.
        options: The parsed options.
    """

    def __init__(self, tf, writer, folder, arguments, options):
        # type: (Any, Writer, str, list, argparse.Namespace) -> None
        self.tf = tf
        self.writer = writer
        self.folder = folder
        self._arguments = arguments
        self.with_data = options.with_data
        self.first_step = options.first_step
        self.replay = Replay(options.replay) if options.replay else None
        self.stop_after = options.steps
        self._yes = options.yes
        self.steps = 0
        self.kept = 0  # bytes of data
        self._local = threading.local()
        self._known = {}  # type: dict
        self._orders = {}  # type: dict
        self._sessions = weakref.WeakKeyDictionary()  # type: weakref.WeakKeyDictionary
        self._undo = []  # type: list
        self._files = []  # type: list
        self._main = threading.current_thread()

    # -- hooks

    def install(self):
        # type: () -> None
        """Puts the recorder around TensorFlow's sessions, runners, writers and savers."""
        tf = self.tf
        for kind in (tf.Session, tf.InteractiveSession):
            self._wrap_session(kind)
        self._wrap(tf.Session, "__init__", self._session_hook)
        runner = tf.train.QueueRunner
        for name in ("_run", "_close_on_stop"):  # tfqueue's has other ones, in threads it names
            self._wrap(runner, name, self._quiet_hook)
        self._wrap(tf.train.Saver, "save", self._save_hook)
        self._wrap(tf.train.Saver, "restore", self._restore_hook)
        self._wrap(tf.python_io.TFRecordWriter, "__init__", self._records_hook)

    def _wrap_session(self, kind):
        # type: (type) -> None
        self._wrap(kind, "run", self._run_hook)
        self._wrap(kind, "make_callable", self._callable_hook)
        self._wrap(kind, "close", self._close_hook)

    def _session_hook(self, plain):
        # type: (Any) -> Any
        def init(session, *args, **kwargs):
            # type: (Any, *Any, **Any) -> None
            self._wrap_session(type(session))  # a class of the program's, or of `tfqueue.v1`
            plain(session, *args, **kwargs)

        return init

    def _wrap(self, kind, name, hook):
        # type: (type, str, Any) -> None
        """Replaces a method where the class or its base defines it, once."""
        for owner in kind.__mro__:
            plain = owner.__dict__.get(name)
            if plain is not None:
                if not getattr(plain, "_recorded", False):
                    new = hook(plain)
                    new._recorded = True
                    setattr(owner, name, new)
                    self._undo.append((owner, name, plain))
                return

    def uninstall(self):
        # type: () -> None
        """Puts back what `install` replaced."""
        while self._undo:
            setattr(*self._undo.pop())

    def _run_hook(self, plain):
        # type: (Any) -> Any
        def run(session, fetches, feed_dict=None, options=None, run_metadata=None):
            # type: (Any, Any, Any, Any, Any) -> Any
            def step(wanted, fed):
                # type: (Any, Any) -> Any
                return plain(session, wanted, fed, options, run_metadata)

            return self._step(session, step, fetches, feed_dict)

        return run

    def _callable_hook(self, plain):
        # type: (Any) -> Any
        def make_callable(session, fetches, feed_list=None, accept_options=False):
            # type: (Any, Any, Any, Any) -> Any
            if self._is_quiet() or feed_list or accept_options:
                # With a feed list TensorFlow's own function runs `Session.run`.
                return plain(session, fetches, feed_list, accept_options)

            def call():
                # type: () -> Any
                return session.run(fetches)

            return call

        return make_callable

    def _close_hook(self, plain):
        # type: (Any) -> Any
        def close(session, *args, **kwargs):
            # type: (Any, *Any, **Any) -> Any
            self._variables(session, "end")
            self._sessions.pop(session, None)
            return plain(session, *args, **kwargs)

        return close

    def _quiet_hook(self, plain):
        # type: (Any) -> Any
        def quiet(*args, **kwargs):
            # type: (*Any, **Any) -> Any
            before = self._is_quiet()
            self._local.quiet = True
            try:
                return plain(*args, **kwargs)
            finally:
                self._local.quiet = before

        return quiet

    def _save_hook(self, plain):
        # type: (Any) -> Any
        def save(saver, session, *args, **kwargs):
            # type: (Any, Any, *Any, **Any) -> Any
            with_quiet = self._quiet_hook(plain)
            path = with_quiet(saver, session, *args, **kwargs)
            if path:
                self._note_file("checkpoint", path)
            return path

        return save

    def _restore_hook(self, plain):
        # type: (Any) -> Any
        def restore(saver, session, *args, **kwargs):
            # type: (Any, Any, *Any, **Any) -> Any
            found = self._quiet_hook(plain)(saver, session, *args, **kwargs)
            self._variables(session, "restored")
            return found

        return restore

    def _records_hook(self, plain):
        # type: (Any) -> Any
        def init(writer, path, *args, **kwargs):
            # type: (Any, Any, *Any, **Any) -> Any
            plain(writer, path, *args, **kwargs)
            self._note_file("records", path)

        return init

    def _note_file(self, kind, path):
        # type: (str, Any) -> None
        name = path.decode("utf-8") if isinstance(path, bytes) else TEXT(path)
        if (kind, os.path.abspath(name)) not in self._files:
            self._files.append((kind, os.path.abspath(name)))

    def _is_quiet(self):
        # type: () -> bool
        return getattr(self._local, "quiet", False)

    # -- steps

    def _step(self, session, step, fetches, feed_dict):
        # type: (Any, Any, Any, dict) -> Any
        thread = threading.current_thread()
        if (
            self._is_quiet()
            or thread.name.startswith(("QueueRunnerThread", "tfqueue-"))
            or isinstance(thread, self._loopers())
            or is_librarys_own()
        ):
            return step(fetches, feed_dict)
        self._local.quiet = True
        try:
            facts = self._facts(session, fetches, feed_dict)
            if facts is None:
                return step(fetches, feed_dict)
            return self._recorded(session, step, fetches, feed_dict, facts)
        finally:
            self._local.quiet = False

    def _loopers(self):
        # type: () -> tuple
        kind = getattr(self.tf.train, "LooperThread", None)
        return (kind,) if isinstance(kind, type) else ()

    def _facts(self, session, fetches, feed_dict):
        # type: (Any, Any, Optional[dict]) -> Optional[GraphFacts]
        """What the fetches do, or None where they are not TensorFlow's to read."""
        from tensorflow.python.client import session as library

        graph = session.graph
        try:
            elements = library._FetchMapper.for_fetch(fetches).unique_fetches()
            elements = [graph.as_graph_element(each) for each in elements]
            fed = set(self._name(graph, key) for key in (feed_dict or {}))
        except (TypeError, ValueError, KeyError):
            return None
        key = graph, tuple(each.name for each in elements), frozenset(fed)
        if key not in self._known:
            variables = {}
            for variable in self._all_variables(graph):
                handle = getattr(variable, "handle", None)
                variables[(variable if handle is None else handle).op] = variable
            facts = GraphFacts(graph, elements, fed, variables, len(self._known))
            self._known[key] = facts
            self._write_facts(graph, facts)
        return self._known[key]

    @staticmethod
    def _name(graph, key):
        # type: (Any, Any) -> str
        """The name of a tensor that is fed; of a sparse one, its values'."""
        element = getattr(key, "values", key) if not hasattr(key, "op") else key
        return graph.as_graph_element(element, allow_operation=False).name

    def _all_variables(self, graph):
        # type: (Any) -> list
        found, seen = [], set()  # by identity: TensorFlow 2 compares variables by value
        for key in ("variables", "local_variables"):
            for variable in graph.get_collection(key):
                if id(variable) not in seen and hasattr(variable, "initializer"):
                    seen.add(id(variable))
                    found.append(variable)
        return found

    def _write_facts(self, graph, facts):
        # type: (Any, GraphFacts) -> None
        names = [each.name for each in facts.elements]
        ops = [getattr(each, "op", each) for each in facts.elements]
        runners = {}  # type: dict
        for runner in graph.get_collection("queue_runners"):
            runners[runner.name] = runners.get(runner.name, 0) + len(runner._enqueue_ops)
        takes = {}
        for op in facts.taking:
            if op not in self._orders:
                self._orders[op] = (order_of(graph, op, runners), capacity_before(graph, op))
            order, held = self._orders[op]
            line = creation_line(op, self.folder)
            takes[op.name] = {"order": order, "held": held, "line": line, "type": op.type}
        self.writer.write(
            {
                "e": "fetches",
                "id": facts.number,
                "names": names,
                "types": [base_type(op) for op in ops],
                "lines": [creation_line(op, self.folder) for op in ops],
                "sources": [sorted(facts.sources.get(op, ())) for op in ops],
                "takes": takes,
                "draws": dict((op.name, seeds_of(op)) for op in facts.drawing),
                "seeds": self._seeds(facts),
                "writes": dict((name, sorted(found)) for name, found in facts.writes.items()),
            }
        )

    def _seeds(self, facts):
        # type: (GraphFacts) -> dict
        return dict(
            (op.name, seeds_of(op) + [creation_line(op, self.folder)])
            for op in facts.order
            if base_type(op) in RANDOM
        )

    def _recorded(self, session, step, fetches, feed_dict, facts):
        # type: (Any, Any, Any, dict, GraphFacts) -> Any
        """Runs a step with what it takes fetched beside it, and writes down what came."""
        if session not in self._sessions:
            self._sessions[session] = len(self._sessions)
        main = threading.current_thread() is self._main
        tensors = [each for each in facts.elements if hasattr(each, "op")]
        is_step = bool(main and (tensors or facts.taking or feed_dict or not facts.initialised))
        drawing = facts.drawing if self.with_data else []
        extras = [list(op.outputs) for op in facts.taking + drawing]
        traced = self._traced(facts) if is_step else []
        event = {"e": "run", "fetches": facts.number, "step": is_step, "main": main}
        fed = dict(feed_dict or {})
        if self.replay is not None and is_step:
            if self.replay.ended(self.steps):
                event["error"] = "OutOfRangeError"
                self._written(event, facts, None, None, None)
                self.steps += 1
                raise self.tf.errors.OutOfRangeError(None, None, "the end of the recorded data")
            fed.update(self.replay.feeds(self.steps, facts))
        try:
            results = step([fetches, tensors, extras, traced], fed or None)
        except BaseException as error:
            event["error"] = type(error).__name__
            self._written(event, facts, None, None, feed_dict)
            self.steps += is_step
            raise
        taken = results[2][: len(facts.taking)]
        drawn = results[2][len(facts.taking) :]
        event["data"] = self._data(facts, taken, drawn) if self.with_data else {}
        if traced:
            self._write_trace(traced, results[3])
        self._written(event, facts, results[1], taken, feed_dict)
        self.steps += is_step
        if facts.initialised:
            if self.replay is not None:
                self._start_from(self.replay, step, facts)
            self._variables(session, "initialised", facts.initialised, step)
        if is_step and self.stop_after and self.steps >= self.stop_after:
            raise Enough()
        return results[0]

    def _written(self, event, facts, values, taken, feed_dict):
        # type: (dict, GraphFacts, Any, Any, Optional[dict]) -> None
        if values is not None:
            tensors = [each for each in facts.elements if hasattr(each, "op")]
            event["values"] = [self._described(t, v) for t, v in zip(tensors, values)]
        if taken is not None:
            event["taken"] = dict(
                (op.name, rows_of(found, base_type(op) in BY_ROW))
                for op, found in zip(facts.taking, taken)
            )
        if feed_dict:
            event["fed"] = {}
            for key, value in feed_dict.items():
                name = getattr(key, "name", None)
                if name is not None and not hasattr(value, "dense_shape"):
                    event["fed"][name] = described(value)
        self.writer.write(event)

    def _described(self, tensor, value):
        # type: (Any, Any) -> dict
        if tensor.op.type in SUMMARIES and isinstance(value, bytes):
            return self._summary(value)
        return described(value)

    def _summary(self, data):
        # type: (bytes) -> dict
        """A summary's values as floats, so that its last digits do not count."""
        tags, numbers = [], []
        for value in self.tf.Summary.FromString(data).value:
            tags.append(value.tag)
            kind = value.WhichOneof("value")
            if kind == "simple_value":
                numbers.append(value.simple_value)
            elif kind == "histo":
                numbers.extend([value.histo.min, value.histo.max, value.histo.num, value.histo.sum])
            elif kind == "tensor":
                numbers.append(float(self.tf.make_ndarray(value.tensor).size))
        found = described(np.asarray(numbers, np.float32))
        found["tags"] = tags
        found["t"] = "summary"
        return found

    def _data(self, facts, taken, drawn):
        # type: (GraphFacts, list, list) -> dict
        """What a step took and drew, whole."""
        kept = {}
        if self.with_data:
            for op, values in zip(facts.taking + facts.drawing, list(taken) + list(drawn)):
                kept[op.name] = [packed(value) for value in values]
                self.kept += sum(as_array(value).nbytes for value in values)
            self._ask()
        return kept

    def _ask(self):
        # type: () -> None
        """Stops keeping data above a size, unless the user wants it."""
        if self.kept < ASK_ABOVE or self._yes:
            return
        question = "record_tf1: %.1f GB of data are kept after %d steps. Go on keeping them? [y/N] "
        sys.stderr.write(question % (self.kept / 1e9, self.steps))
        sys.stderr.flush()
        answer = sys.stdin.readline() if sys.stdin is not None and sys.stdin.isatty() else ""
        if answer.strip().lower() in ("y", "yes"):
            self._yes = True
        else:
            self.with_data = False
            sys.stderr.write("record_tf1: from here on only digests are kept (--yes keeps all)\n")

    # -- one step's every tensor

    def _traced(self, facts):
        # type: (GraphFacts) -> list
        """All tensors of the step that was asked for, once."""
        if not self.first_step or not (facts.taking or facts.writes or facts.drawing):
            return []
        if not facts.taking and not any(facts.writes.values()):
            return []
        self.first_step = False
        found = []
        for op in facts.order:
            if inside_control_flow(op) or facts.reads_variable(op):
                continue
            for tensor in op.outputs:
                if op.graph.is_fetchable(tensor) and tensor.dtype not in self._handles():
                    if not tensor.dtype._is_ref_dtype:
                        found.append(tensor)
        return found

    def _handles(self):
        # type: () -> list
        names = ("resource", "variant")
        return [getattr(self.tf, name) for name in names if hasattr(self.tf, name)]

    def _write_trace(self, tensors, values):
        # type: (list, list) -> None
        """Writes down each op of one step, in the graph's order."""
        by_op = {}  # type: dict
        order = []
        for tensor, value in zip(tensors, values):
            if tensor.op not in by_op:
                order.append(tensor.op)
            by_op.setdefault(tensor.op, {})[str(tensor.value_index)] = described(value)
        rows = []
        for op in order:
            rows.append(
                {
                    "name": op.name,
                    "type": base_type(op),
                    "inputs": [tensor.name for tensor in op.inputs],
                    "line": creation_line(op, self.folder),
                    "outputs": by_op[op],
                }
            )
        self.writer.write({"e": "trace", "step": self.steps, "ops": rows})

    # -- variables and files

    @staticmethod
    def _start_from(replay, step, facts):
        # type: (Replay, Any, GraphFacts) -> None
        """Gives the variables that a step initialised the recorded values in place of those."""
        for variable in facts.initialised:
            value = replay.initial(variable.op.name)
            if value is not None:
                given = variable.initializer.inputs[1]
                step(variable.initializer, {given: value})

    def _variables(self, session, when, variables=None, step=None):
        # type: (Any, str, Optional[list], Any) -> None
        """Writes down the values of a session's variables, as far as they have any."""
        if self._is_quiet() and step is None:
            return
        run = step or (lambda wanted, fed: session.run(wanted, fed))
        before, self._local.quiet = self._is_quiet(), True
        try:
            found, data, lines = {}, {}, {}
            chosen = self._all_variables(session.graph) if variables is None else variables
            for variable in chosen:
                try:
                    value = run(variable, None)
                except (self.tf.errors.OpError, RuntimeError, ValueError):
                    continue  # it was never initialised, or the session has ended
                name = variable.op.name
                found[name] = described(value)
                lines[name] = creation_line(variable.op, self.folder)
                if self.with_data and when == "initialised":
                    data[name] = packed(value)
                    self.kept += as_array(value).nbytes
            if found:
                event = {"e": "variables", "when": when, "values": found, "lines": lines}
                if data:
                    event["data"] = data
                self.writer.write(event)
        finally:
            self._local.quiet = before

    def finish(self, ended):
        # type: (dict) -> None
        """Writes down the variables of sessions that were never closed, the files, and the end."""
        for session in list(self._sessions):
            self._variables(session, "end")
        self.uninstall()
        for kind, path in self._files:
            event = {"e": "file", "kind": kind, "path": self._told(path)}
            try:
                if kind == "records":
                    event["rows"] = [digest(self._canonical(each)) for each in records_of(path)]
                else:
                    event["values"] = self._checkpoint(path)
            except (IOError, OSError, ValueError, self.tf.errors.OpError) as error:
                event["error"] = type(error).__name__
            self.writer.write(event)
        self.writer.write(dict(ended, e="end", steps=self.steps))
        self.writer.close()

    def _told(self, path):
        # type: (str) -> str
        """A file's path as another run of the program may call it, in another folder."""
        for number, argument in enumerate(self._arguments):
            value = os.path.abspath(argument.partition("=")[2] or argument)
            if len(value) > 1 and (path + os.sep).startswith(value + os.sep):
                return "<argument %d>%s" % (number, path[len(value) :])
        return os.path.relpath(path, os.getcwd())

    def _canonical(self, record):
        # type: (bytes) -> bytes
        """A `tf.train.Example` with its features in order; Python writes them in any."""
        try:
            example = self.tf.train.Example.FromString(record)
        except Exception:  # noqa: BLE001  (protobuf's DecodeError, whose module moved)
            return record
        if example.ByteSize() != len(record):
            return record
        parts = []
        for name, feature in sorted(example.features.feature.items()):
            parts.extend([as_bytes(name), feature.SerializeToString()])
        return b"".join(struct.pack("<Q", len(part)) + part for part in parts)

    def _checkpoint(self, path):
        # type: (str) -> dict
        reader = self.tf.train.NewCheckpointReader(path)
        names = sorted(reader.get_variable_to_shape_map())
        return dict((name, described(reader.get_tensor(name))) for name in names)


class Enough(SystemExit):
    """Ends the program after the number of steps that was asked for."""


OWN_FILES = (
    "session_manager.py",
    "queue_runner.py",
    "queue_runner_impl.py",
    "basic_session_run_hooks.py",
)
OWN_FUNCTIONS = ("create_session", "_create_session", "prepare_or_wait_for_session", "start")


def is_librarys_own():
    # type: () -> bool
    """Whether a step is one of TensorFlow's own, such as a session manager's looks at variables."""
    frame = sys._getframe(2)  # type: Any
    while frame is not None:
        folder, name = os.path.split(frame.f_code.co_filename)
        library = (
            "tensorflow" in folder or "tfqueue" in folder or name == os.path.basename(__file__)
        )
        if not library:
            return False
        if name in OWN_FILES or frame.f_code.co_name in OWN_FUNCTIONS:
            return True
        frame = frame.f_back
    return False


def records_of(path):
    # type: (str) -> list
    """The records of a TFRecord file, whose checksums are not looked at.

    Raises:
        IOError: If the file cannot be read.
        ValueError: If it ends within a record.
    """
    found = []  # type: List[bytes]
    with open(path, "rb") as file:
        magic = file.read(2)
    opened = gzip.open(path, "rb") if magic == b"\x1f\x8b" else open(path, "rb")
    with opened as file:
        while True:
            head = file.read(12)
            if not head:
                return found
            if len(head) < 12:
                raise ValueError("the file ends within a record")
            (length,) = struct.unpack("<Q", head[:8])
            body = file.read(min(length, 1 << 40))
            if len(body) < length or len(file.read(4)) < 4:
                raise ValueError("the file ends within a record")
            found.append(body)


# ---- the program


def start_event(tf, program, arguments, options):
    # type: (Any, str, list, argparse.Namespace) -> dict
    """The first line of a recording."""
    return {
        "e": "start",
        "format": FORMAT,
        "program": program,
        "module": bool(options.module),
        "arguments": arguments,
        "folder": os.getcwd(),
        "tensorflow": getattr(tf, "__version__", "") or getattr(tf, "VERSION", ""),
        "tfqueue": getattr(sys.modules.get("tfqueue"), "__version__", ""),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "platform": platform.platform(),
        "with_data": bool(options.with_data),
        "replay": bool(options.replay),
    }


def old_tensorflow():
    # type: () -> Any
    """The module that has `Session`: TensorFlow 1 itself, or its compat.v1 in TensorFlow 2."""
    import tensorflow

    if hasattr(tensorflow, "Session"):
        return tensorflow
    return tensorflow.compat.v1


def add_options(parser):
    # type: (argparse._ActionsContainer) -> None
    """Adds the options that say what is recorded."""
    parser.add_argument(
        "--with-data",
        action="store_true",
        help="keep initial values, elements and draws whole, so that compare can replay them",
    )
    parser.add_argument(
        "--first-step",
        action="store_true",
        help="describe every tensor of the first step that takes or writes something",
    )
    parser.add_argument("--steps", type=int, metavar="N", help="end the program after N steps")
    parser.add_argument(
        "--replay",
        metavar="RECORDING",
        help="start from its initial values, and feed its elements and draws",
    )
    parser.add_argument("--yes", action="store_true", help="ask nothing above 1 GB of data")


def parse(arguments):
    # type: (list) -> tuple
    """Divides a command line into the recorder's options, the program and its arguments."""
    parser = argparse.ArgumentParser(
        prog="record_tf1.py", description="Records what a TensorFlow 1 program computes."
    )
    parser.add_argument("-o", "--output", metavar="FILE", help="where to write the recording")
    add_options(parser)
    parser.add_argument("-m", dest="module", action="store_true", help="PROGRAM is a module's name")
    parser.add_argument("program", metavar="PROGRAM")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, metavar="ARGUMENTS")
    options = parser.parse_args(arguments)
    if not options.module and not os.path.isfile(options.program):
        parser.error("%s: no such file" % options.program)
    return options, options.program, options.arguments


def loader_of(module):
    # type: (str) -> Any
    """What loads a module, or None where there is no such module."""
    try:
        from importlib.util import find_spec
    except ImportError:  # Python 2
        import pkgutil

        return pkgutil.find_loader(module)
    spec = find_spec(module)
    return None if spec is None else spec.loader


def execute(program, is_module, arguments):
    # type: (str, bool, list) -> None
    """Runs a program as Python would: as ``__main__``, in its own folder's path."""
    if is_module:
        sys.path.insert(0, "")
        loader = loader_of(program)
        if loader is None:
            raise ImportError("No module named %s" % program)
        path, code = loader.get_filename(program), loader.get_code(program)
        package = program.rpartition(".")[0]
    else:
        path, package = program, ""
        sys.path.insert(0, os.path.dirname(os.path.abspath(path)))
        with open(path, "rb") as file:
            code = compile(file.read(), path, "exec", dont_inherit=True)
    main = type(sys)("__main__")
    main.__file__ = path
    if package:
        main.__package__ = package
    main.__dict__["__builtins__"] = __builtins__
    sys.modules["__main__"] = main
    sys.argv[:] = [path] + arguments
    exec(code, main.__dict__)


def ended(error):
    # type: (Optional[BaseException]) -> dict
    """How the program ended, with the exit status that Python would give it."""
    if error is None:
        return {"error": None, "status": 0}
    if isinstance(error, Enough):
        return {"error": "Enough", "status": 0}
    if isinstance(error, SystemExit):
        code = error.code
        if code is not None and not isinstance(code, int):
            sys.stderr.write("%s\n" % (code,))
            code = 1
        return {"error": "SystemExit" if code else None, "status": code or 0}
    trace = sys.exc_info()[2]
    while trace is not None and trace.tb_frame.f_code.co_filename == __file__:
        trace = trace.tb_next
    traceback.print_exception(type(error), error, trace)
    status = 130 if isinstance(error, KeyboardInterrupt) else 1
    return {"error": type(error).__name__, "status": status}


def main(argv):
    # type: (list) -> int
    """Runs a program, writes its recording and returns its exit status."""
    options, program, arguments = parse(argv)
    stem = program.rpartition(".")[2] if options.module else os.path.splitext(program)[0]
    path = os.path.abspath(options.output or os.path.basename(stem) + ".recording")
    tf = old_tensorflow()
    folder = os.getcwd() if options.module else os.path.dirname(os.path.abspath(program))
    writer = Writer(path)
    writer.write(start_event(tf, program, arguments, options))
    recorder = Recorder(tf, writer, folder, arguments, options)
    recorder.install()
    try:
        execute(program, options.module, arguments)
    except BaseException as error:  # noqa: BLE001  (the program's own; its end is what is recorded)
        how = ended(error)
    else:
        how = ended(None)
    recorder.finish(how)
    sys.stdout.flush()
    return how["status"]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
