"""Finds the record that a failed step was working on, by running the step again.

Records are not remembered while the pipeline runs, since that would cost a third of
the speed. When a step with one read op has failed, the candidate files are read
again, and each record is put through the same ops of the same session, fed in
place of what the reader gave, until one fails in the same way. Where the order
of the records is known the search begins where the reader stood; it ends after
`BUDGET` seconds, and then only the files can be named.
"""

from __future__ import annotations

import contextlib
import itertools
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from tfqueue import _tensorflow
from tfqueue._tensorflow import op_building
from tfqueue._tensorflow.types import Array, Graph, Op, Tensor
from tfqueue.explain import file_records
from tfqueue.explain.failure import Record
from tfqueue.graph import control_ops
from tfqueue.graph.op_types import CALLERS, PASSES, Reader
from tfqueue.graph.statefulness import RANDOM
from tfqueue.records.errors import RecordsError

if TYPE_CHECKING:
    from tfqueue.explain.case import Case

BUDGET = 0.7
"""Seconds for one search: the failure itself is not delayed much longer than that."""
_ANSWER_SECONDS = 0.1
"""How long of that a reader is given to say how many records it has read."""

# Ops that keep a state and may run again all the same: nothing that anyone sees changes by it.
_HARMLESS = frozenset(
    "VarHandleOp ReadVariableOp VariableV2 Assert Print PrintV2 PyFuncStateless LookupTableFindV2 "
    "LookupTableFind HashTableV2 HashTable".split()
)


class Replay:
    """What a failed step did with one record, to be done again with others.

    Args:
        read: Its only read op.
    """

    def __init__(self, case: Case, read: Op) -> None:
        self._case = case
        self._key, self._value = read.outputs
        self._many = read.type.startswith("ReaderReadUpTo")
        self._steps: dict[tuple[str, ...], Callable[..., list[Array]]] = {}

    def feeds(self, record: Record) -> dict[Tensor, Array]:
        """What stands for the reader's outputs when it reads `record`."""
        key, value = ([part] if self._many else part for part in record)
        return {self._key: _array(key), self._value: _array(value)}

    def allowed(self, ops: Iterable[Op]) -> bool:
        """Whether `ops` can run again without an effect."""
        fed = (self._key.name, self._value.name)
        demand = self._case.pipeline.demand(ops, fed)
        return not any(_leaves_traces(op) for op in demand.ops)

    def values(self, tensors: Sequence[Tensor], record: Record) -> list[Array] | None:
        """What `tensors` are for a record; None where they cannot be had."""
        feeds = self.feeds(record)
        if all(tensor in feeds for tensor in tensors):
            return [feeds[tensor] for tensor in tensors]  # TensorFlow does not fetch what is fed
        key = tuple(tensor.name for tensor in tensors)
        step = self._steps.get(key)
        if step is None:
            if not self.allowed([tensor.op for tensor in tensors]):
                return None
            sess = self._case.failure.handle
            if sess is None:
                return None
            step = self._steps[key] = _tensorflow.PreparedStep(sess, [], list(tensors))
        return step(feeds)

    def same_failure(self) -> Callable[[Record], bool] | None:
        """A function that says of a record whether it fails in the way of the case, or None."""
        case, op = self._case, self._case.op
        sess = case.failure.handle
        if op is None or sess is None:
            return None
        if op.type.startswith("QueueEnqueue"):
            return self._misfit(op)
        if not self.allowed([op]):
            return None
        step = _tensorflow.PreparedStep(sess, [op])

        def fails(record: Record) -> bool:
            try:
                step(self.feeds(record))
            except type(case.error) as error:
                return getattr(error.op, "name", None) == op.name
            except case.tf.errors.OpError:
                return False
            return False

        return fails

    def _misfit(self, enqueue: Op) -> Callable[[Record], bool] | None:
        components = enqueue.inputs[1:]
        shapes = self._case.component_shapes(enqueue)
        if not shapes:
            return None

        def misfits(record: Record) -> bool:
            try:
                values = self.values(components, record)
            except type(self._case.error):
                # TensorFlow optimises what it is asked for: put into the queue, a reshape that
                # does not fit may not even be run.
                return True
            return values is not None and any(
                not _fits(shape, value.shape) for shape, value in zip(shapes, values, strict=True)
            )

        return misfits


def _array(value: Any) -> Array:
    return np.array(value, dtype=object)


def _leaves_traces(op: Op) -> bool:
    if op.type not in PASSES and any(argument.is_ref for argument in op.op_def.input_arg):
        return True  # an assignment to a variable of the old kind, which counts as stateless
    return _writes(op.graph, op.node_def)


def _writes(graph: Graph, node: Any) -> bool:
    """Whether an op of a graph, or of a function of its library, changes what others see."""
    if node.op in _HARMLESS or node.op in RANDOM:
        return False
    if node.op in CALLERS:
        # The op counts as stateful for whatever is in a branch: a counter, or only an assertion.
        definitions = [
            _tensorflow.function_graph_def(graph, name)
            for name in op_building.functions_called(node)
        ]
        return None in definitions or any(
            _writes(graph, inner) for each in definitions for inner in each.node_def
        )
    return _tensorflow.is_stateful(node.op)


def _fits(shape: Sequence[int | None] | None, actual: Sequence[int]) -> bool:
    return shape is None or (
        len(shape) == len(actual)
        and all(want is None or want == have for want, have in zip(shape, actual, strict=True))
    )


def find(case: Case) -> Record | None:
    """The record that a failed step was working on, or None.

    Returns:
        `(key, value)`, both bytes.
    """
    until = time.monotonic() + BUDGET
    replay, reader = case.replay, case.readers[0] if case.readers else None
    if replay is None or reader is None or case.op is None or case.op.type.startswith("Reader"):
        return None
    # The session may end meanwhile: then that is all that is found.
    with contextlib.suppress(case.tf.errors.OpError, RuntimeError):
        fails = replay.same_failure()
        if fails is None:
            return None
        for record in _candidates(case, reader, until):
            if fails(record):
                return record
            if time.monotonic() > until:
                return None
    return None


def _candidates(case: Case, reader: Reader, until: float) -> Iterator[Record]:
    """The records of the case's files: from where the reader stood, then the rest."""
    files, width = list(case.files), _in_flight(case)
    ahead = max(0, _produced(case, reader) - width)
    if case.order_known:
        first, skip = _place(reader, files, ahead, until)
        yield from _all(reader, files[first:], skip)
        yield from _all(reader, files[: first + 1])
        return
    # Shards tend to be of one size, and then the place in the file is known, if not the file.
    for path in files:
        with contextlib.suppress(OSError, RecordsError):
            held = file_records.count(reader, path, until)
            start = max(0, ahead % held - width) if held else 0
            near = file_records.records(reader, path, start)
            yield from itertools.islice(near, 4 * width)
    yield from _all(reader, files)


def _place(reader: Reader, files: Sequence[str], ahead: int, until: float) -> tuple[int, int]:
    """The file, by its number, and how far into it, where `ahead` records have been read."""
    while ahead and files:
        before = ahead
        for number, path in enumerate(files):
            try:
                held = file_records.count(reader, path, until)
            except (OSError, RecordsError):
                held = 0
            if ahead < held or time.monotonic() > until:
                return number, min(ahead, held)
            ahead -= held
        if ahead == before:
            break  # no record in any of them
        ahead %= before - ahead  # one epoch after the other
    return 0, 0


def _all(reader: Reader, files: Iterable[str], skip: int = 0) -> Iterator[Record]:
    for path in files:
        # Not there, or damaged: then it was not this one's record.
        with contextlib.suppress(OSError, RecordsError):
            yield from file_records.records(reader, path, skip)
        skip = 0


def _in_flight(case: Case) -> int:
    """How many records the reader may be ahead of the bad one: one a thread, and it itself."""
    return 2 * (len(case.run.ops) if case.run is not None else 1)


def _produced(case: Case, reader: Reader) -> int:
    """How many records the reader has given so far, as far as is known."""
    failure, op = case.failure, reader.op
    told = case.run.elements if case.run is not None else 0
    if failure.handle is None or failure.remote or not op.type.endswith("V2"):
        return told
    count = control_ops.once(
        "records produced",
        lambda handle: case.tf.raw_ops.ReaderNumRecordsProducedV2(reader_handle=handle),
        op.outputs[0],
    )
    # A reader does not answer while another thread waits in it for the name of a file. Inline: the
    # wait would take one of TensorFlow's threads, and there may be only one.
    step = _tensorflow.PreparedStep(failure.handle, [], [count], inline=True)
    counted = failure.apart(op.name, step, _ANSWER_SECONDS)
    return told if counted is None else int(counted[0])
