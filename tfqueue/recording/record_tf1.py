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
import contextlib
import gzip
import hashlib
import io
import json
import os
import platform
import random
import struct
import sys
import tempfile
import threading
import traceback
import weakref

import numpy as np

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Iterator, Optional  # noqa: F401


FORMAT = 1
WHOLE = 64  # floats of arrays up to this size are kept whole
SAMPLE = 32  # so many floats of larger ones
BLOCK = 1 << 13  # numbers that are summed up at a time, so that they stay in the processor's cache
ASK_ABOVE = 1 << 30  # bytes of data after which the user is asked
# Weights from -1 to 1, the same with every NumPy: the stream of a RandomState is never changed.
WEIGHTS = np.random.RandomState(1).uniform(-1.0, 1.0, 2 * BLOCK)

TEXT = type(b"".decode("ascii"))  # `unicode` on Python 2
NAME, VALUE = b"\x0a", b"\x12"  # the tags of a message's first two fields where these are bytes
TAKING = (
    "QueueDequeue QueueDequeueMany QueueDequeueUpTo ReaderRead ReaderReadUpTo IteratorGetNext "
    "Unstage"
).split()
"""Types of ops that take an element, without the ``V2`` of later releases."""
BY_ROW = ("QueueDequeueMany", "QueueDequeueUpTo", "ReaderReadUpTo")
"""Types of ops whose outputs hold one element a row."""
ORDERS = ("in order", "any", "which", "random", "drawn")
"""What is left open of the elements that an op takes, each with what stands before it: nothing; their
order, as threads or a shuffling queue decide it; which of an epoch's have come so far, as names are
shuffled or several readers take turns; what they are, as ops draw or Python is called on the way; all,
as a dataset draws."""
RANDOM = (
    "RandomUniform RandomUniformInt RandomStandardNormal TruncatedNormal "
    "ParameterizedTruncatedNormal RandomGamma RandomPoisson RandomShuffle RandomCrop Multinomial "
    "SampleDistortedBoundingBox LogUniformCandidateSampler UniformCandidateSampler "
    "LearnedUnigramCandidateSampler FixedUnigramCandidateSampler"
).split()
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


def text_of(path):
    # type: (Any) -> str
    """A path or an argument as text, whatever bytes it has."""
    return path.decode("utf-8", "replace") if isinstance(path, bytes) else TEXT(path)


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
        parts = [canonical(as_bytes(item)) for item in array.ravel()]
        return b"".join(struct.pack("<Q", len(part)) + part for part in parts)
    if array.dtype.byteorder == ">" or (array.dtype.byteorder == "=" and sys.byteorder == "big"):
        array = array.byteswap()
    return array.tobytes()


def canonical(record):
    # type: (bytes) -> bytes
    """A serialized `tf.train.Example` or `SequenceExample` with its features in order.

    Python writes them in any. Bytes that are none stay what they are.
    """
    parts = []
    for tag, features in fields_of(record) or [(b"", b"")]:
        entries = [fields_of(entry) or [] for _, entry in fields_of(features) or [(b"", b"")]]
        if not all(entry and entry[0][0] == NAME for entry in entries):
            return record
        for (_, name), value in sorted((entry[0], entry[1:]) for entry in entries):
            parts.extend([name, b"".join(data for _, data in value)])
        if tag != NAME:
            parts.append(tag)
    return b"".join(struct.pack("<Q", len(part)) + part for part in parts)


def fields_of(data):
    # type: (bytes) -> Optional[list]
    """The tags and the contents of a message whose fields are messages or bytes; None if it is none."""
    found, place = [], 0
    while place < len(data):
        tag, size, shift, byte = data[place : place + 1], 0, 0, 128
        while byte >= 128:
            place += 1
            if place >= len(data) or shift > 28:
                return None
            byte = ord(data[place : place + 1])
            size |= (byte & 127) << shift
            shift += 7
        place += 1 + size
        if tag not in (NAME, VALUE) or place > len(data):
            return None
        found.append((tag, data[place - size : place]))
    return found


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
        ``v``, the values up to a size or a sample of them, and of more than one ``m``, their `moments`.
    """
    try:
        array = as_array(value)
        found = {"t": dtype_name(array), "s": list(array.shape)}  # type: dict
        found["h"] = digest(data_of(array))
    except (TypeError, ValueError):  # what TensorFlow refuses too, such as lists of several lengths
        return {"t": type(value).__name__, "s": [], "h": ""}
    if is_float(array):
        flat = array.ravel()
        if flat.dtype.kind == "c":
            flat = flat.view(flat.real.dtype)
        if flat.size > WHOLE:
            sample = flat[np.linspace(0, flat.size - 1, SAMPLE).astype(np.int64)]
        else:
            sample = flat
        found["v"] = [float(each) for each in sample]
        if flat.size > 1:
            found["m"] = moments(flat)
    return found


def moments(flat):
    # type: (np.ndarray) -> list
    """Minimum, maximum, sums of powers, the number of those that are not finite, and a sum by place.

    The powers are the first, the second and the fourth; the last sum is that of `sum_by_place`.
    """
    found = [float("inf"), float("-inf"), 0.0, 0.0, 0.0, 0.0, 0.0]
    with np.errstate(all="ignore"):
        for block, start in enumerate(range(0, flat.size, BLOCK)):
            wide = flat[start : start + BLOCK].astype(np.float64)
            total = wide.sum()
            if not np.isfinite(total):
                before = wide.size
                wide = wide[np.isfinite(wide)]
                total, found[5] = wide.sum(), found[5] + before - wide.size
            if wide.size:
                found[0] = min(found[0], float(wide.min()))
                found[1] = max(found[1], float(wide.max()))
            found[2] += float(total)
            found[6] += float(sum_by_place(wide, block))
            np.multiply(wide, wide, wide)
            found[3] += float(wide.sum())
            np.multiply(wide, wide, wide)
            found[4] += float(wide.sum())
    return found if found[0] <= found[1] else [0.0] * 5 + found[5:]


def sum_by_place(wide, block):
    # type: (np.ndarray, int) -> Any
    """The sum of float64s, each times a weight that is its place's: it tells places apart.

    Args:
        wide: At most `BLOCK` numbers, or rows of them.
        block: The number of the block that they are.
    """
    start = 2731 * block % BLOCK
    return wide.dot(WEIGHTS[start : start + wide.shape[-1]])


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


def generators():
    # type: () -> dict
    """The states of NumPy's and Python's own random generators, which are only looked at."""
    name, keys, place, has_gauss, gauss = np.random.get_state()
    version, state, next_gauss = random.getstate()
    return {
        "numpy": [name, [int(key) for key in keys], int(place), int(has_gauss), float(gauss)],
        "python": [version, list(state), next_gauss],
    }


def set_generators(found):
    # type: (dict) -> None
    """Sets the generators to what `generators` gave.

    Raises:
        ValueError: If it gave something else.
        TypeError: Likewise.
    """
    name, keys, place, has_gauss, gauss = found["numpy"]
    version, state, next_gauss = found["python"]
    if not (0 <= place <= 624 and 0 <= state[-1] <= 624):
        raise ValueError("no state of a generator")
    np.random.set_state((name, np.array(keys, np.uint32), place, has_gauss, gauss))
    random.setstate((version, tuple(state), next_gauss))


def rows_of(values, by_row):
    # type: (list, bool) -> dict
    """What is kept of the elements that one op took.

    Args:
        values: The outputs of the op.
        by_row: Whether each holds one element a row; else they are one element.

    Returns:
        A dict with ``rows``, for each element the digests of its components, and ``floats`` and
        ``places``, from the number of a float component to the `sums_of` and `sums_by_place` of its rows.
    """
    arrays = [as_array(value) for value in values]
    if not by_row:
        arrays = [array[np.newaxis] for array in arrays]
    count = arrays[0].shape[0] if arrays else 0
    digests = [row_digests(array, count) for array in arrays]
    rows = [list(row) for row in zip(*digests)]
    floats, places = {}, {}
    for place, array in enumerate(arrays):
        if is_float(array) and array.dtype.kind != "c" and count and array.size:
            wide = array.reshape(count, -1).astype(np.float64)
            floats[str(place)], places[str(place)] = sums_of(wide), sums_by_place(wide)
    types = ["%s%s" % (dtype_name(array), list(array.shape[1:])) for array in arrays]
    return {"rows": rows, "floats": floats, "places": places, "types": types}


def row_digests(array, count):
    # type: (np.ndarray, int) -> list
    """The digest of each row of an array with ``count`` of them."""
    if array.dtype.kind == "O":
        return [digest(data_of(as_array(array[row]))) for row in range(count)]
    data = data_of(array)
    width = len(data) // max(count, 1)
    return [digest(data[row * width : (row + 1) * width]) for row in range(count)]


def sums_of(wide):
    # type: (np.ndarray) -> list
    """Sum, minimum and maximum of each row; where a number is not finite, also which and where."""
    with np.errstate(all="ignore"):
        sums = wide.sum(1)
        if np.isfinite(sums).all():
            return np.stack([sums, wide.min(1), wide.max(1)], 1).tolist()
        kinds = np.isnan(wide) + 2.0 * np.isposinf(wide) + 3.0 * np.isneginf(wide)
        places = (kinds * np.arange(1.0, wide.shape[1] + 1)).sum(1)
        finite = np.where(kinds, 0.0, wide)
        return np.stack([finite.sum(1), finite.min(1), finite.max(1), places], 1).tolist()


def sums_by_place(wide):
    # type: (np.ndarray) -> list
    """`sum_by_place` and the sum of absolute values of each row, of those that are finite."""
    with np.errstate(all="ignore"):
        finite = wide if np.isfinite(wide.sum()) else np.where(np.isfinite(wide), wide, 0.0)
        starts = range(0, wide.shape[1], BLOCK)
        sums = [sum_by_place(finite[:, k : k + BLOCK], n) for n, k in enumerate(starts)]
        return np.stack([np.sum(sums, 0), np.abs(finite).sum(1)], 1).tolist()


# ---- graphs


def base_type(op):
    # type: (Any) -> str
    """An op's type without the ``V2`` or ``V3`` of a later version."""
    return base_type_of(op.type)


def base_type_of(kind):
    # type: (str) -> str
    """A type of ops without the ``V2`` or ``V3`` of a later version."""
    return kind[:-2] if kind[-2:] in ("V2", "V3") else kind


def attribute(op, name, default=None):
    # type: (Any, str, Any) -> Any
    """An op's attribute, or a default where it has none."""
    try:
        return op.get_attr(name)
    except ValueError:
        return default


class Places(object):
    """Where the program stands, whatever folder it goes to later.

    Attributes:
        folder: The program's folder.
        start: The folder that it was started in.
    """

    def __init__(self, folder):
        # type: (str) -> None
        self.folder = text_of(folder)
        self.start = text_of(os.getcwd())

    def absolute(self, path):
        # type: (str) -> str
        """A path that is relative to where the program was started."""
        return os.path.normpath(os.path.join(self.start, text_of(path)))

    def line_of(self, frames):
        # type: (Any) -> str
        """``file:line`` of the innermost of some frames that is the program's; empty where none is."""
        found = ""
        for frame in frames or []:
            if isinstance(frame, tuple):
                name, line = frame[:2]
            else:
                name, line = frame.filename, frame.lineno
            path = self.absolute(name)
            if path.startswith(os.path.join(self.folder, "")) and "site-packages" not in path:
                if os.path.basename(path) != os.path.basename(__file__):
                    found = "%s:%d" % (os.path.relpath(path, self.folder), line)
        return found

    def creation(self, op):
        # type: (Any) -> str
        """The program's line that made an op."""
        return self.line_of(getattr(op, "traceback", None))


def inside_control_flow(op):
    # type: (Any) -> bool
    """Whether an op stands in a branch or a loop, where its outputs may not be fetched."""
    get = getattr(op, "_get_control_flow_context", None)
    return get is not None and get() is not None


class GraphFacts(object):
    """What one set of fetches does in a graph: what it takes, draws, reads and writes.

    Attributes:
        number: The number of this set in the recording.
        elements: The operations and tensors that the program fetches.
        tensors: The tensors among them.
        taking: The ops that take an element, with outputs that can be fetched.
        drawing: The ops that draw, likewise.
        filled: The queues that elements are put into.
        initialised: The variables whose initialiser is run.
        written: Whether any other op of a variable's is run.
        order: All ops of the step, inputs first.
    """

    def __init__(self, graph, elements, fed=frozenset(), variables=None, number=0, beside=()):
        # type: (Any, list, Any, Optional[dict], int, Any) -> None
        self.number = number
        self.elements = elements
        self.tensors = [each for each in elements if hasattr(each, "op")]
        self._fed = fed
        self._variables = variables = variables or {}  # of the op that holds it -> the variable
        ends = [getattr(each, "op", each) for each in elements]
        self.order = self._sorted(ends + [getattr(each, "op", each) for each in beside])
        inside = set(self.order)
        initialisers = dict((v.initializer, v) for v in variables.values())
        self.initialised = [v for op, v in initialisers.items() if op in inside]
        outer = [op for op in self.order if not inside_control_flow(op)]
        self.taking = [op for op in outer if base_type(op) in TAKING and self._can_fetch(graph, op)]
        begun = self._before_initialisers(initialisers, inside)
        drawing = [op for op in outer if base_type(op) in RANDOM and op not in begun]
        self.drawing = [op for op in drawing if self._can_fetch(graph, op)]
        self.filled = [
            source_of(op)
            for op in self.order
            if base_type(op) in ("QueueEnqueue", "QueueEnqueueMany")
        ]
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

    def shares_queue(self, op):
        # type: (Any) -> bool
        """Whether another op of the step takes from the same queue: which is first is left to chance."""
        others = [each for each in self.order if base_type(each) in TAKING and each is not op]
        return any(source_of(each) is source_of(op) for each in others)

    def without_value(self):
        # type: () -> set
        """The ops outside of branches and loops that have no value where another branch is taken.

        An op has a value where all sides that stand before it are taken. A merge has one where one of its inputs has:
        what all of them want. Gradients of a branch in a branch end in a merge that still wants a side of the outer one.
        """
        wanted = {}  # type: dict
        for op in self.order:
            kind = op.type.replace("Ref", "")
            if kind == "Merge":  # the input that a loop gives back is not known yet
                sides = [wants for each in op.inputs for wants in self._sides(each, wanted)]
                wanted[op] = frozenset.intersection(*sides) if sides else frozenset()
            elif kind == "Exit" and op.inputs[0].op.inputs:  # behind the switch that ends the loop
                wanted[op] = wanted.get(op.inputs[0].op.inputs[0].op, frozenset())
            else:
                sides = [wants for each in op.inputs for wants in self._sides(each, wanted)]
                sides += [wanted.get(each, frozenset()) for each in op.control_inputs]
                wanted[op] = frozenset().union(*sides)
        return {op for op in self.order if wanted[op] or op.type.replace("Ref", "") == "Switch"}

    def _sides(self, tensor, wanted):
        # type: (Any, dict) -> list
        """Which sides of which conditions a tensor wants; none of what is fed, and nothing where it is not known yet."""
        op = tensor.op
        if tensor.name in self._fed:
            return [frozenset()]
        if op not in wanted:
            return []
        if op.type.replace("Ref", "") == "Switch":
            return [wanted[op] | {(op.inputs[1].name, tensor.value_index)}]
        return [wanted[op]]

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


def is_hooked(fetches):
    # type: (Any) -> bool
    """Whether a monitored session fetches for its hooks too, which is at any step where time decides."""
    return (
        isinstance(fetches, dict)
        and "caller" in fetches
        and all(key == "caller" or hasattr(key, "before_run") for key in fetches)
    )


def source_of(op):
    # type: (Any) -> Any
    """The queue, reader or iterator that an op takes from, also from within a branch or a loop."""
    found = op.inputs[0].op if op.inputs else op
    while found.type in ("Enter", "RefEnter", "Switch", "RefSwitch") and found.inputs:
        found = found.inputs[0].op
    return found


def order_of(graph, op, runners, seen=()):
    # type: (Any, Any, dict, tuple) -> str
    """Whether the order of what an op takes is fixed.

    Args:
        graph: The `tf.Graph`.
        op: An op that takes an element.
        runners: From a queue's name to the number of threads that enqueue.
        seen: The names of the queues on the way here.

    Returns:
        One of `ORDERS`.
    """
    if base_type(op) == "IteratorGetNext":
        return "drawn" if draws_in_dataset(graph, source_of(op)) else "in order"
    if not op.inputs:
        return "in order"
    queue = op.inputs[-1].op if base_type(op).startswith("ReaderRead") else op.inputs[0].op
    if queue.name in seen:
        return "in order"
    if base_type(op) == "ReaderReadUpTo":
        queue = op.inputs[1].op
    mixes = queue.type.startswith("RandomShuffleQueue") or runners.get(queue.name, 1) > 1
    found = ["any" if mixes else "in order"]
    enqueues = [
        each
        for each in graph.get_operations()
        if base_type(each) in ("QueueEnqueue", "QueueEnqueueMany") and each.inputs[0].op is queue
    ]
    if len(enqueues) > 1:
        found.append("which")
    for enqueue in enqueues:
        before = GraphFacts(graph, [enqueue]).order
        takes = [each for each in before if base_type(each) in TAKING]
        found.extend(order_of(graph, each, runners, seen + (queue.name,)) for each in takes)
        found.extend(order_drawn_by(each, not takes) for each in before)
    return max(found, key=ORDERS.index)


def order_drawn_by(op, is_first):
    # type: (Any, bool) -> str
    """What an op leaves open of the elements that are put into a queue, as one of `ORDERS`.

    Args:
        op: An op on the way to the queue.
        is_first: Whether no element is taken from elsewhere on this way, so that an op which shuffles
            does so with the elements of an epoch, such as names of files.
    """
    kind = base_type(op)
    if kind not in PYTHON and (kind not in RANDOM or is_seeded(op)):
        return "in order"
    is_unseeded = not any(attribute(op, name, 0) for name in ("seed", "seed2"))
    if kind == "RandomShuffle" and is_first and is_unseeded:
        shape = op.inputs[0].get_shape()
        return "in order" if shape.ndims and shape.as_list()[0] == 1 else "which"
    return "random"


def is_seeded(op):
    # type: (Any) -> bool
    """Whether an op draws the same in each run of the program, with any release."""
    first, second = seeds_of(op)
    return second is not None and bool(first or second)


def draws_in_dataset(graph, iterator):
    # type: (Any, Any) -> bool
    """Whether the dataset of an iterator is shuffled, draws or calls Python."""
    makers = [each for each in graph.get_operations() if each.type == "MakeIterator"]
    ends = [each for each in makers if each.inputs[1].op is iterator]
    nodes = [op.node_def for op in GraphFacts(graph, ends + [iterator]).order]
    functions = dict((f.signature.name, f.node_def) for f in graph.as_graph_def().library.function)
    while nodes:
        node = nodes.pop()
        kind = base_type_of(node.op)
        # Any other first seed is the graph's, and the second may be counted by TensorFlow.
        seeded = node.attr["seed"].i == DEFAULT_GRAPH_SEED
        if kind.startswith("Shuffle") or kind in PYTHON or (kind in RANDOM and not seeded):
            return True
        for value in node.attr.values():
            for function in [value.func] + list(value.list.func):
                nodes.extend(functions.pop(function.name, ()))
    return False


def seeds_of(op):
    # type: (Any) -> list
    """An op's two seeds; the second is None where TensorFlow counted it, as ops differ by release."""
    first, second = int(attribute(op, "seed", 0)), int(attribute(op, "seed2", 0))
    counted = first != DEFAULT_GRAPH_SEED and 0 <= getattr(op, "_id", -1) - second <= 16
    return [first, None if counted and (first or second) else second]


def queues_before(graph, op):
    # type: (Any, Any) -> set
    """The queues through which what an op takes may have come."""
    found, ops = set(), [op]  # type: set, list
    while ops:
        for queue in set(tensor.op for tensor in ops.pop().inputs) - found:
            if "Queue" in queue.type:
                found.add(queue)
                for each in graph.get_operations():
                    if base_type(each).startswith("QueueEnqueue") and each.inputs[0].op is queue:
                        before = GraphFacts(graph, [each]).order
                        ops.extend(take for take in before if base_type(take) in TAKING)
    return found


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
            for each in GraphFacts(graph, [enqueue]).order:
                if base_type(each).startswith("QueueDequeue"):
                    held += capacity_before(graph, each, seen + (queue.name,))
    return held


# ---- the file


class Writer(object):
    """Writes a recording: one JSON object a line, compressed, beside its place until it is whole.

    Where it cannot be written, an IOError with its path is raised, once, and nothing is left of it.
    """

    def __init__(self, path):
        # type: (str) -> None
        self.path = path
        self._part = path + ".part"
        self._process = os.getpid()
        self._lock = threading.Lock()
        self._file = None  # type: Optional[gzip.GzipFile]
        # Without a buffer, so that a child that the program forks has nothing to flush.
        self._raw = io.open(self._part, "wb", 0)  # Python 2's own tells not how much is written
        with self._whole_or_nothing():
            self._file = gzip.GzipFile("", "wb", 1, Unbuffered(self._raw), 0)

    def write(self, event):
        # type: (dict) -> None
        line = json.dumps(event, sort_keys=True) + "\n"
        with self._lock:
            if self._file is not None and not self.is_inherited():
                with self._whole_or_nothing():
                    self._file.write(line.encode("utf-8"))

    def is_inherited(self):
        # type: () -> bool
        """Whether this is a child that the program forked; the parent writes the recording."""
        return os.getpid() != self._process

    def close(self):
        # type: () -> None
        with self._lock:
            if self._file is None:
                return
            if self.is_inherited():
                self._forget()
                return
            with self._whole_or_nothing():
                self._file.close()
            self._raw.close()
            self._file = None
            if os.name == "nt" and os.path.exists(self.path):
                os.remove(self.path)  # Python 2 has no os.replace
            os.rename(self._part, self.path)

    def _forget(self):
        # type: () -> None
        """So that nothing is written when it is collected."""
        if self._file is not None:
            self._file.fileobj = None  # type: ignore[assignment]
            self._file = None

    @contextlib.contextmanager
    def _whole_or_nothing(self):
        # type: () -> Iterator[None]
        try:
            yield
        except (IOError, OSError) as error:
            self._forget()
            self._raw.close()
            os.remove(self._part)
            raise IOError(error.errno, error.strerror, self.path)  # noqa: B904  (Python 2 has no `from`)


class Unbuffered(object):
    """A file without a buffer: all of what is written is written, or an error is raised."""

    def __init__(self, file):
        # type: (io.FileIO) -> None
        self._file = file

    def write(self, data):
        # type: (bytes) -> int
        if self._file.closed:
            # The recording was given up: gzip writes its end when it is collected.
            return len(data)
        left = memoryview(data)
        while len(left):
            left = left[self._file.write(left) :]
        return len(data)

    def flush(self):
        # type: () -> None
        """Nothing is held back."""


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
        self._generators = events[0].get("generators")
        self._initial = {}  # type: dict
        self.steps = [each for each in events if each["e"] == "run" and each["step"]]
        for each in events:
            if each["e"] == "variables" and each["when"] == "initialised":
                for name, value in each.get("data", {}).items():
                    self._initial.setdefault(name, value)

    def set_generators(self):
        # type: () -> None
        """Lets NumPy and Python draw what the recorded program drew."""
        if self._generators is not None:
            set_generators(self._generators)

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
        ops = facts.taking + facts.drawing
        left = sorted(set(kept) - set(op.name for op in ops))
        found = {}
        for op in ops:
            name = op.name
            if name not in kept:  # ops are called otherwise in other releases
                types = [tensor.dtype.base_dtype.name for tensor in op.outputs]
                alike = [each for each in left if [v["t"] for v in kept[each]] == types]
                name = alike[0] if alike else name
                left = [each for each in left if each != name]
            for tensor, value in zip(op.outputs, kept.get(name, [])):
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
        self.places = Places(folder)
        self._arguments = [text_of(argument) for argument in arguments]
        self.with_data = options.with_data
        self.first_step = options.first_step
        self._has_traced = set()  # type: set
        self.replay = Replay(options.replay) if options.replay else None
        self.stop_after = options.steps
        self._yes = options.yes
        self._said = False
        self.steps = 0
        self.kept = 0  # bytes of data
        self._local = threading.local()
        self._known = {}  # type: dict
        self._orders = {}  # type: dict
        self._runners = []  # type: list
        self._enqueuing = {}  # type: dict  # from a queue's op to the program's threads that enqueue
        self._sessions = weakref.WeakKeyDictionary()  # type: weakref.WeakKeyDictionary
        self._undo = []  # type: list
        self._files = {}  # type: dict
        self._main = threading.current_thread()
        self._lock = threading.RLock()
        self._libraries = library_folders()
        looper = getattr(tf.train, "LooperThread", None)
        self._loopers = (looper,) if isinstance(looper, type) else ()

    # -- hooks

    def install(self):
        # type: () -> None
        """Puts the recorder around TensorFlow's sessions, runners, writers and savers."""
        tf = self.tf
        for kind in (tf.Session, tf.InteractiveSession):
            self._wrap_session(kind)
        self._wrap(tf.Session, "__init__", self._session_hook)
        runner = tf.train.QueueRunner
        self._wrap(runner, "__init__", self._runner_hook)
        for name in ("_run", "_close_on_stop"):  # tfqueue's has other ones, in threads it names
            self._wrap(runner, name, self._quiet_hook)
        self._wrap(tf.train.Saver, "save", self._save_hook)
        self._wrap(tf.train.Saver, "restore", self._restore_hook)
        self._wrap(tf.python_io.TFRecordWriter, "__init__", self._records_hook)
        self._wrap_estimators()
        if self.replay is not None:
            self.replay.set_generators()

    def _wrap_session(self, kind):
        # type: (type) -> None
        self._wrap(kind, "run", self._run_hook)
        self._wrap(kind, "make_callable", self._callable_hook)
        self._wrap(kind, "close", self._close_hook)

    def _wrap_estimators(self):
        # type: () -> None
        """Puts the recorder around the estimators that there are; `tf.contrib` is not loaded for it."""
        learns = (sys.modules.get(name + ".contrib.learn") for name in ("tensorflow", "tfqueue"))
        for module in [getattr(self.tf, "estimator", None)] + list(learns):
            for name in ("Estimator", "BaseEstimator"):
                kind = getattr(module, name, None)
                if kind is not None:
                    self._wrap(kind, "evaluate", self._evaluate_hook)

    def _evaluate_hook(self, plain):
        # type: (Any) -> Any
        """Records what an evaluation gives; its steps are the library's, and others in each release."""

        def evaluate(*args, **kwargs):
            # type: (*Any, **Any) -> Any
            is_inner = self._is_quiet() or threading.current_thread() is not self._main
            found = self._quiet_hook(plain)(*args, **kwargs)
            if isinstance(found, dict) and not is_inner:
                self._write_evaluation(found)
            return found

        return evaluate

    def _write_evaluation(self, found):
        # type: (dict) -> None
        """Writes down the results of an evaluation, as a step that fetches them."""
        found = dict((str(name), as_array(value)) for name, value in found.items())
        names = sorted(name for name, array in found.items() if array.dtype != object)
        with self._lock:
            number = -1 - self.steps  # no other fetches have it
            written = set(name for facts in self._known.values() for name in facts.writes)
        sources = sorted("variable:" + name for name in written)
        fetches = {
            "e": "fetches",
            "id": number,
            "takes": {},
            "draws": {},
            "seeds": {},
            "writes": {},
        }
        fetches["names"] = ["evaluation:" + name for name in names]
        fetches["lines"] = [""] * len(names)
        fetches["sources"] = [sources] * len(names)
        self.writer.write(fetches)
        event = {"e": "run", "fetches": number, "step": True, "main": True}
        self.writer.write(dict(event, values=[described(found[name]) for name in names]))
        self.steps += 1

    def _session_hook(self, plain):
        # type: (Any) -> Any
        def init(session, *args, **kwargs):
            # type: (Any, *Any, **Any) -> None
            self._wrap_estimators()  # which may have been imported since
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
        def make_callable(session, fetches, *args, **kwargs):
            # type: (Any, Any, *Any, **Any) -> Any
            made = plain(session, fetches, *args, **kwargs)  # it looks at them too
            if self._is_quiet():
                return made
            feed_list = args[0] if args else kwargs.get("feed_list")

            def call(*values, **options):
                # type: (*Any, **Any) -> Any
                return session.run(fetches, dict(zip(feed_list or (), values)), **options)

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

    def _runner_hook(self, plain):
        # type: (Any) -> Any
        def init(runner, *args, **kwargs):
            # type: (Any, *Any, **Any) -> None
            plain(runner, *args, **kwargs)
            self._runners.append(runner)  # it need not be in the graph's collection

        return init

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
                timed = threading.current_thread() is not self._main or is_timed()
                self._note_file("checkpoint", path, timed)
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

    def _note_file(self, kind, path, timed=False):
        # type: (str, Any, bool) -> None
        key = kind, os.path.abspath(text_of(path))
        self._files[key] = timed, self._files.get(key, (timed, len(self._files)))[1]

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
            or isinstance(thread, self._loopers)
        ):
            return step(fetches, feed_dict)
        own = is_librarys_own(self._libraries)
        self._local.quiet = True
        try:
            facts = self._facts(session, fetches, feed_dict)
            if facts is None or (own and not facts.initialised):
                return step(fetches, feed_dict)
            return self._recorded(session, step, fetches, feed_dict, facts, own)
        finally:
            self._local.quiet = False

    def _facts(self, session, fetches, feed_dict):
        # type: (Any, Any, Optional[dict]) -> Optional[GraphFacts]
        """What the fetches do, or None where they are not TensorFlow's to read."""
        graph = session.graph
        own = fetches["caller"] if is_hooked(fetches) else fetches
        try:
            with graph.as_default():  # which the mapper asks, and another thread has not set
                elements = self._elements(graph, own)
                every = elements if own is fetches else self._elements(graph, fetches)
            fed = frozenset(name for name, _ in self._feeds(graph, feed_dict))
        except (TypeError, ValueError, KeyError):
            return None
        names = [tuple(each.name for each in some) for some in (elements, every)]
        key = graph, names[0], names[1], fed
        with self._lock:
            if key not in self._known:
                variables, number = self._holders(graph), len(self._known)
                facts = GraphFacts(graph, elements, fed, variables, number, every)
                self._known[key] = facts
                self._write_facts(graph, facts)
            return self._known[key]

    @staticmethod
    def _elements(graph, fetches):
        # type: (Any, Any) -> list
        """The operations and tensors that fetches are made of."""
        from tensorflow.python.client import session as library

        mapper = library._FetchMapper.for_fetch(fetches)
        return [graph.as_graph_element(each) for each in mapper.unique_fetches()]

    @staticmethod
    def _feeds(graph, feed_dict):
        # type: (Any, Any) -> list
        """Names of tensors that are fed, and the values; a sparse one is three."""
        found = []  # type: list
        for key, value in (feed_dict or {}).items():
            if hasattr(key, "indices") and hasattr(key, "values"):
                shape = key.dense_shape if hasattr(key, "dense_shape") else key.shape
                found += zip((part.name for part in (key.indices, key.values, shape)), value)
            else:
                tensor = graph.as_graph_element(key, allow_operation=False)
                found.append((tensor.name, value))
        return found

    def _holders(self, graph):
        # type: (Any) -> dict
        """From the op that holds a variable to the variable."""
        found = {}
        for variable in self._all_variables(graph):
            handle = getattr(variable, "handle", None)
            found[(variable if handle is None else handle).op] = variable
        return found

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
        runners = self._threads(graph)
        takes = {}
        for op in facts.taking:
            if op not in self._orders:
                threads = dict((q, runners.get(q.name, 0)) for q in queues_before(graph, op))
                found = order_of(graph, op, runners), capacity_before(graph, op), threads
                self._orders[op] = found
            order, held = self._orders[op][:2]
            if facts.shares_queue(op):
                order = "shared"  # which op gets which element is chance
            line = self.places.creation(op)
            takes[op.name] = {"order": order, "held": held, "line": line, "type": op.type}
        self.writer.write(
            {
                "e": "fetches",
                "id": facts.number,
                "names": names,
                "lines": [self.places.creation(op) for op in ops],
                "sources": [sorted(facts.sources.get(op, ())) for op in ops],
                "takes": takes,
                "draws": dict((op.name, seeds_of(op)) for op in facts.drawing),
                "seeds": self._seeds(facts),
                "writes": dict((name, sorted(found)) for name, found in facts.writes.items()),
            }
        )

    def _runners_of(self, graph):
        # type: (Any) -> list
        """The queue runners of a graph, in its collection or not."""
        found = list(graph.get_collection("queue_runners"))
        for runner in self._runners:  # tfqueue's stand for others that have the same ops
            ops = runner._enqueue_ops
            if ops[0].graph is graph and all(each._enqueue_ops != ops for each in found):
                found.append(runner)
        return found

    def _threads(self, graph):
        # type: (Any) -> dict
        """How many threads enqueue, by the name of the queue."""
        found = {}  # type: dict
        for runner in self._runners_of(graph):
            found[runner.name] = found.get(runner.name, 0) + len(runner._enqueue_ops)
        return found

    def _free_takes(self):
        # type: () -> list
        """The ops with a queue before them into which several threads have put elements by the end."""
        found = set(
            op.name
            for op, (_, _, threads) in self._orders.items()
            for queue, started in threads.items()
            if queue in self._enqueuing and started + len(self._enqueuing[queue]) > 1
        )
        return sorted(found)

    def _seeds(self, facts):
        # type: (GraphFacts) -> dict
        return dict(
            (op.name, seeds_of(op) + [self.places.creation(op), int(attribute(op, "seed2", 0))])
            for op in facts.order
            if base_type(op) in RANDOM
        )

    def _recorded(self, session, step, fetches, feed_dict, facts, own):
        # type: (Any, Any, Any, dict, GraphFacts, bool) -> Any
        """Runs a step with what it takes fetched beside it, and writes down what came."""
        with self._lock:
            if session not in self._sessions:
                self._sessions[session] = len(self._sessions)
        main = threading.current_thread() is self._main
        is_step = bool(
            main
            and not own
            and (facts.tensors or facts.taking or feed_dict or not facts.initialised)
        )
        event = {"e": "run", "fetches": facts.number, "step": is_step, "main": main}
        with self._lock:
            for queue in facts.filled:
                self._enqueuing.setdefault(queue, set()).add(threading.current_thread())
        if feed_dict:
            fed = self._feeds(session.graph, feed_dict)
            event["fed"] = dict((name, described(value)) for name, value in fed)
        feeds = dict(feed_dict or {})
        if self.replay is not None and is_step:
            if self.replay.ended(self.steps):
                self._failed(event, "OutOfRangeError")
                raise self.tf.errors.OutOfRangeError(None, None, "the end of the recorded data")
            feeds.update(self.replay.feeds(self.steps, facts))
        drawing = facts.drawing if self.with_data else []
        extras = [list(op.outputs) for op in facts.taking + drawing]
        traced = self._traced(facts) if main else []
        try:
            results = step([fetches, facts.tensors, extras, traced], feeds or None)
        except BaseException as error:
            self._failed(event, type(error).__name__)
            raise
        self._written(event, facts, results[1], results[2])
        self._write_trace(traced, results[3])
        self.steps += is_step
        if facts.initialised:
            if self.replay is not None:
                self._start_from(self.replay, step, facts)
            self._variables(session, "initialised", facts.initialised, step)
        if is_step and self.stop_after and self.steps >= self.stop_after:
            raise Enough()
        return results[0]

    def _failed(self, event, error):
        # type: (dict, str) -> None
        self.writer.write(dict(event, error=error))
        self.steps += event["step"]

    def _written(self, event, facts, values, extras):
        # type: (dict, GraphFacts, list, list) -> None
        event["values"] = [self._described(t, v) for t, v in zip(facts.tensors, values)]
        if facts.taking:
            event["taken"] = dict(
                (op.name, rows_of(found, base_type(op) in BY_ROW))
                for op, found in zip(facts.taking, extras)
            )
        if self.with_data:
            event["data"] = self._data(facts, extras)
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

    def _data(self, facts, extras):
        # type: (GraphFacts, list) -> dict
        """What a step took and drew, whole."""
        kept = {}
        before = self.kept
        for op, values in zip(facts.taking + facts.drawing, extras):
            kept[op.name] = [packed(value) for value in values]
            self.kept += sum(as_array(value).nbytes for value in values)
        if self.kept > before and not self._said:
            self._said = True
            sys.stderr.write(
                "record_tf1: --with-data keeps %d bytes a step\n" % (self.kept - before)
            )
        self._ask()
        return kept

    def _ask(self):
        # type: () -> None
        """Stops keeping data above a size, unless the user wants it."""
        if self.kept < ASK_ABOVE or self._yes:
            return
        question = "record_tf1: %.1f GB of data are kept after %d steps. Go on keeping them? [y/N] "
        sys.stderr.write(question % (self.kept / 1e9, self.steps + 1))
        sys.stderr.flush()
        answer = sys.stdin.readline() if sys.stdin is not None and sys.stdin.isatty() else ""
        if answer.strip().lower() in ("y", "yes"):
            self._yes = True
        else:
            self.with_data = False
            self.writer.write({"e": "no more data", "steps": self.steps + 1})
            sys.stderr.write("record_tf1: from here on only digests are kept (--yes keeps all)\n")

    # -- one step's every tensor

    def _traced(self, facts):
        # type: (GraphFacts) -> list
        """All tensors of the step that was asked for, once, and of the first initialisation."""
        if not self.first_step:
            return []
        kind = "initialisation" if facts.initialised else "step"
        if kind == "initialisation":
            wanted = self.replay is None  # which would have other draws
        else:
            wanted = bool(facts.taking or any(facts.writes.values()))
        if not wanted or kind in self._has_traced:
            return []
        self._has_traced.add(kind)
        without_value = facts.without_value()
        return [
            tensor
            for op in facts.order
            if not inside_control_flow(op) and not facts.reads_variable(op)
            if op not in without_value
            for tensor in op.outputs
            if op.graph.is_fetchable(tensor)
            and tensor.dtype not in self._handles()
            and not tensor.dtype._is_ref_dtype
        ]

    def _handles(self):
        # type: () -> list
        names = ("resource", "variant")
        return [getattr(self.tf, name) for name in names if hasattr(self.tf, name)]

    def _write_trace(self, tensors, values):
        # type: (list, list) -> None
        """Writes down each op of one step, in the graph's order."""
        if not tensors:
            return
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
                    "line": self.places.creation(op),
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
                lines[name] = self.places.creation(variable.op)
                if self.with_data and when == "initialised":
                    data[name] = packed(value)
                    self.kept += as_array(value).nbytes
            if found:
                event = {"e": "variables", "when": when, "values": found, "lines": lines}
                event["threads"] = self._by_threads(session.graph)
                if data:
                    event["data"] = data
                self.writer.write(event)
        finally:
            self._local.quiet = before

    def _by_threads(self, graph):
        # type: (Any) -> list
        """The names of variables that queue runners change, such as the count of epochs."""
        ops = [op for runner in self._runners_of(graph) for op in runner._enqueue_ops]
        facts = GraphFacts(graph, ops, variables=self._holders(graph))
        return sorted(facts.writes)

    def finish(self, ended):
        # type: (dict) -> None
        """Writes down the variables of sessions that were never closed, the files, and the end."""
        if self.writer.is_inherited():
            self.uninstall()
            self.writer.close()
            return
        for session in list(self._sessions):
            self._variables(session, "end")
        self.uninstall()
        for (kind, path), (timed, number) in sorted(self._files.items()):
            event = {"e": "file", "kind": kind, "path": self._told(path, number), "timed": timed}
            self.writer.write(self._file(event, path))
        self.writer.write(dict(ended, e="end", steps=self.steps, free=self._free_takes()))
        self.writer.close()

    def _file(self, event, path):
        # type: (dict, str) -> dict
        try:
            if event["kind"] == "records":
                event["rows"] = [digest(canonical(each)) for each in records_of(path)]
            else:
                event["values"] = self._checkpoint(path)
        except (IOError, OSError, ValueError, self.tf.errors.OpError) as error:
            event["error"] = type(error).__name__
        return event

    def _told(self, path, number):
        # type: (str, int) -> str
        """A file's path as another run of the program may call it, in another folder."""
        for number, argument in enumerate(self._arguments):
            value = self.places.absolute(argument.partition("=")[2] or argument)
            if len(value) > 1 and (path + os.sep).startswith(value + os.sep):
                return "<argument %d>%s" % (number, path[len(value) :])
        inside = path.startswith(os.path.join(self.places.start, ""))
        temporary = os.path.join(os.path.abspath(tempfile.gettempdir()), "")
        if path.startswith(temporary) and not inside:
            return "<temporary file %d>" % number  # its name is drawn
        return os.path.relpath(path, self.places.start)

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


def library_folders():
    # type: () -> tuple
    """The folders of TensorFlow's and tfqueue's modules."""
    names = ("tensorflow", "tensorflow_core", "tensorflow_estimator", "tfqueue")
    modules = [sys.modules.get(name) for name in names]
    files = [getattr(module, "__file__", None) for module in modules]
    folders = [os.path.join(os.path.dirname(os.path.abspath(file)), "") for file in files if file]
    # TensorFlow 1.15's modules stand in `tensorflow_core`, beside its `tensorflow`.
    beside = [os.path.join(folder[:-1] + "_core", "") for folder in folders]
    return tuple(folders + beside)


def is_librarys_own(folders):
    # type: (tuple) -> bool
    """Whether a step is one of TensorFlow's own, such as a session manager's looks at variables."""
    frame = sys._getframe(2)  # type: Any
    while frame is not None:
        path = frame.f_code.co_filename
        name = os.path.basename(path)
        if not path.startswith(folders) and name != os.path.basename(__file__):
            return False
        if name in OWN_FILES or frame.f_code.co_name in OWN_FUNCTIONS:
            return True
        frame = frame.f_back
    return False


def is_timed():
    # type: () -> bool
    """Whether a checkpoint is saved because some time has gone by, whatever step that is."""
    frame = sys._getframe(2)  # type: Any
    while frame is not None:
        if frame.f_code.co_name in ("before_run", "after_run", "after_create_session"):
            timer = getattr(frame.f_locals.get("self"), "_timer", None)
            return getattr(timer, "_every_secs", None) is not None
        frame = frame.f_back
    return False


def records_of(path):
    # type: (str) -> Iterator[bytes]
    """The records of a TFRecord file, whose checksums are not looked at.

    Raises:
        IOError: If the file cannot be read.
        ValueError: If it ends within a record.
    """
    with open(path, "rb") as file:
        magic = file.read(2)
    opened = gzip.open(path, "rb") if magic == b"\x1f\x8b" else open(path, "rb")
    with opened as file:
        while True:
            head = file.read(12)
            if not head:
                return
            if len(head) < 12:
                raise ValueError("the file ends within a record")
            (length,) = struct.unpack("<Q", head[:8])
            yield read_exactly(file, length)
            read_exactly(file, 4)


def read_exactly(file, length):
    # type: (Any, int) -> bytes
    """So many bytes of a file; no more memory is taken than it has bytes.

    Raises:
        ValueError: If it has fewer.
    """
    parts = []
    while length:
        part = file.read(min(length, 1 << 22))
        if not part:
            raise ValueError("the file ends within a record")
        parts.append(part)
        length -= len(part)
    return b"".join(parts)


# ---- the program


def start_event(tf, program, arguments, options):
    # type: (Any, str, list, argparse.Namespace) -> dict
    """The first line of a recording."""
    found = {
        "e": "start",
        "format": FORMAT,
        "program": text_of(program),
        "module": bool(options.module),
        "arguments": [text_of(argument) for argument in arguments],
        "folder": text_of(os.getcwd()),
        "tensorflow": getattr(tf, "__version__", "") or getattr(tf, "VERSION", ""),
        "tfqueue": getattr(sys.modules.get("tfqueue"), "__version__", ""),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "platform": platform.platform(),
        "with_data": bool(options.with_data),
        "replay": bool(options.replay),
    }
    if options.with_data:
        found["generators"] = generators()
    return found


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


def ended(error, places):
    # type: (Optional[BaseException], Places) -> dict
    """How the program ended, with the exit status that Python would give it, and the line."""
    if error is None:
        return {"error": None, "status": 0, "line": ""}
    trace = sys.exc_info()[2]
    return dict(how_ended(error, trace), line=places.line_of(traceback.extract_tb(trace)))


def how_ended(error, trace):
    # type: (BaseException, Any) -> dict
    """The class and the exit status of an exception that nobody caught; it is printed."""
    if isinstance(error, Enough):
        return {"error": "Enough", "status": 0}
    if isinstance(error, SystemExit):
        code = error.code
        if code is not None and not isinstance(code, int):
            encoding = getattr(sys.stderr, "encoding", None) or "ascii"
            told = TEXT(code).encode(encoding, "backslashreplace")
            sys.stderr.write(told.decode(encoding) + "\n")
            code = 1
        return {"error": "SystemExit" if code else None, "status": code or 0}
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
        how = ended(error, recorder.places)
    else:
        how = ended(None, recorder.places)
    recorder.finish(how)
    return how["status"]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
