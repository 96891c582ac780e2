"""What a runner's enqueue op computes from: the ops that are run once for each example.

`examine` finds them with the pipeline model and says for each `Strategy` of running
them for many examples, `CHUNK` and `LOOP`, whether it keeps the program's meaning, or
why not. What is not known to keep the meaning is refused, by name. The reasons are rows, one
function each, and the tests have the same rows (`tests/accelerate/test_region.py`).

Ops that TensorFlow's `pfor` converts are no rows of this module: to have one more vectorised, give it
a converter in `tfqueue.graph.converters`.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Container
from typing import Any

from tfqueue import _tensorflow
from tfqueue._tensorflow import op_building
from tfqueue._tensorflow.types import Op, Tensor
from tfqueue.accelerate.mover import Strategy
from tfqueue.graph import conds, exactness, traversal
from tfqueue.graph.model import Pipeline
from tfqueue.graph.op_types import LOOKUPS, QUEUE_KINDS, VARIABLES, Queue, Reader, runner_name
from tfqueue.graph.statefulness import (
    RANDOM,
    nodes_within,
    seeded_within,
    stateful_within,
    types_within,
)

_tf = _tensorflow.compat_v1()

# Besides a variable, the only resource that is let in. A table that can be written is not: the op that
# writes may be built at any time.
_TABLES = frozenset(["HashTableV2"])
# What uses a variable and leaves it as it is.
_READS_OF_VARIABLES = frozenset(["ReadVariableOp", "IsVariableInitialized", "VarIsInitializedOp"])
_READS_OF_TABLES = LOOKUPS | {"LookupTableExportV2"}
_INITIALIZERS_OF_TABLES = frozenset(
    ["InitializeTableV2", "InitializeTableFromTextFileV2", "LookupTableImportV2"]
)
LOOPS = frozenset(["While", "StatelessWhile"])
_SOURCES = frozenset(["ReaderReadV2", "QueueDequeueV2"])
_PARSERS = frozenset(["ParseExample", "ParseExampleV2", "ParseSingleExample"])
_CHUNKED_READERS = frozenset(["TextLineReader", "FixedLengthRecordReader", "TFRecordReader"])


@dataclasses.dataclass(eq=False)
class Region:
    """What one enqueue op runs, from its source on."""

    pipeline: Pipeline
    """The model of the graph."""
    op: Op
    """The op that the runner's thread runs."""
    target: Queue | None
    """The model's `Queue` that it fills, or None."""
    components: list[Tensor]
    """The tensors of one element."""
    sources: list[Op]
    """The ops that take a record or an element, `ReaderReadV2` or `QueueDequeueV2`."""
    inside: list[Op]
    """The ops between, in the order they were built; the enqueue op is not among them."""
    captured: list[Tensor]
    """Tensors from outside that `inside` and the enqueue op use: handles, values of variables."""
    threads: int
    """How many run it."""
    refusals: dict[Strategy, str]
    """Reason by `Strategy` (`CHUNK`, `LOOP`) that is refused."""
    reader: Reader | None = None
    """The model's `Reader` behind the only source, if it is one."""
    taken: Queue | None = None
    """The model's `Queue` that the only source takes from: names, or elements."""

    @property
    def source(self) -> Op:
        """The only source."""
        return self.sources[0]

    @property
    def reads_tfrecords(self) -> bool:
        """Whether its source reads TFRecord files: only such a file can be damaged in its middle."""
        return self.reader is not None and self.reader.kind == "TFRecordReader"

    @property
    def reads_many(self) -> bool:
        """Whether its source is a reader that can read many records in one step."""
        return self.reader is not None and _reader_of_chunks(self) is None

    @property
    def draws(self) -> list[Tensor]:
        """What random ops give that stand in no branch of a `tf.cond` and in no function."""
        return [
            tensor
            for op in self.inside
            if op.type in RANDOM and op_building.cond_context(op) is None
            for tensor in op.outputs
            if tensor.shape.is_fully_defined()
        ]

    def left_to_chance(self, given: Container[str]) -> list[Tensor]:
        """The components that two runs may differ in, though they are given the same draws.

        Args:
            given: Names of tensors of `draws`.
        """
        chance: set[Op] = set()
        for op in self.inside:
            if all(tensor.name in given for tensor in op.outputs) and op.outputs:
                continue
            before = [*(tensor.op for tensor in op.inputs), *op.control_inputs]
            if chance.intersection(before) or types_within(self.op.graph, [op]) & RANDOM:
                chance.add(op)
        return [tensor for tensor in self.components if tensor.op in chance]

    @functools.cached_property
    def nodes(self) -> list[Any]:
        """The `NodeDef`s of `inside`, and of what is in their functions."""
        return [*nodes_within(self.op.graph, self.inside)]

    @functools.cached_property
    def seeded(self) -> bool:
        """Whether a random op has a seed, so that its draws may be meant to be the same."""
        return seeded_within(self.op.graph, self.inside)

    @property
    def device(self) -> str:
        """The device that the program places all its ops on, such as the CPU; "" where there is none."""
        devices = {each.device for each in (self.op, *self.inside)}
        return devices.pop() if len(devices) == 1 else ""

    @property
    def reads_variables(self) -> bool:
        """Whether a variable is read, which the program may load or restore at any time."""
        return any(t.op.type in VARIABLES | {"ReadVariableOp"} for t in self.captured)


def examine(pipeline: Pipeline, op: Op, threads: int = 1) -> Region:
    """The `Region` of an enqueue op that so many threads run; its `refusals` say why a strategy cannot be."""
    demand = pipeline.demand([op])
    sources = [each for each in demand.ops if each.type in _SOURCES]
    outside = {each for each in demand.ops if _stays_outside(each)}
    inside = pipeline.between([op], {*sources, *outside})
    inside.remove(op)
    captured = [t for each in (op, *inside) for t in each.inputs if t.op in outside]
    region = Region(
        pipeline=pipeline,
        op=op,
        target=demand.puts[0][1] if len(demand.puts) == 1 else None,
        components=list(op.inputs)[1:] if op.type == "QueueEnqueueV2" else [],
        sources=sources,
        inside=inside,
        captured=list({t.name: t for t in captured}.values()),
        threads=threads,
        refusals={},
    )
    if len(sources) == 1:
        if sources[0].type == "ReaderReadV2":
            region.reader = pipeline.reader_of(sources[0])
        takes = [take for take in demand.takes if take.op is sources[0]]
        region.taken = takes[0].queue if takes else None
    ask = functools.cache(lambda row: row(region))
    for strategy, rows in ((Strategy.CHUNK, _CHUNK), (Strategy.LOOP, _LOOP)):
        reason = next(filter(None, map(ask, rows)), None)
        if reason is not None:
            region.refusals[strategy] = reason
    return region


def _stays_outside(op: Op) -> bool:
    """Whether what `op` gives does not depend on the example and is made in the user's graph.

    That is the handle of the queue, of a variable or of a table; the value of a variable, read
    through a handle straight from its maker, and after nothing else; and a constant that is large.
    """
    if op.type == "Const":
        return _bytes_of(op) > _SMALL_CONSTANT and not op.control_inputs
    if op.type in VARIABLES | _TABLES or op.type in QUEUE_KINDS:
        return not op.control_inputs
    return op.type == "ReadVariableOp" and _reads_straight(op)


_SMALL_CONSTANT = 4 << 10
"""Bytes of a constant up to which it is copied: its value may decide how an op is vectorised."""


def _bytes_of(constant: Op) -> int:
    value = constant.outputs[0]
    if value.dtype == "string":
        return constant.node_def.ByteSize()
    return value.shape.num_elements() * value.dtype.size  # a constant has no unknown dimension


def _reads_straight(op: Op) -> bool:
    maker = op.inputs[0].op
    plain = maker.type == "VarHandleOp" and not maker.control_inputs and not op.control_inputs
    return plain and op_building.cond_context(op) is None


# -- the rows: a region to a reason, or None ----------------------------------------------------


def _plain_put(region: Region) -> str | None:
    if region.op.type.startswith("QueueEnqueueMany"):
        return "it puts many elements at a time already"
    if region.op.type != "QueueEnqueueV2" or region.target is None:
        return f"its op is {region.op.type}, not a plain enqueue"
    return None


def _placeholder(region: Region) -> str | None:
    for op in region.inside:
        if op.type.startswith("Placeholder"):
            return f"it is fed by hand: placeholder {op.name!r}"
    return None


def _python(region: Region) -> str | None:
    for node in region.nodes:
        if "PyFunc" in node.op:
            return f"it calls Python: {node.op} {node.name!r}"
    return None


def _one_source(region: Region) -> str | None:
    if len(region.sources) != 1:
        return f"it has {len(region.sources)} sources where one is wanted"
    return None


def _source_first(region: Region) -> str | None:
    # What runs in front of the read would run once for a chunk, or not at all.
    for op in [region.source, *(t.op for t in region.source.inputs)]:
        if op.control_inputs:
            return f"{op.name!r} waits for other ops"
    return None


def _source_unconditional(region: Region) -> str | None:
    for tensor in region.source.inputs:
        maker = tensor.op
        if maker.type in ("Switch", "RefSwitch", "Merge", "RefMerge", "Enter", "RefEnter"):
            return f"{region.source.name!r} reads on a condition"
    return None


def _reader(region: Region) -> str | None:
    if region.source.type != "ReaderReadV2":
        return None
    if region.reader is None or region.taken is None:
        return "its reader is not one of TensorFlow's own"
    if len(region.reader.reads) > 1:
        return f"reader {region.reader.name!r} is read by more than one op"
    return None


def _reader_of_chunks(region: Region) -> str | None:
    reader = region.reader
    if reader is None:
        return None
    if reader.kind not in _CHUNKED_READERS:
        return f"a {reader.kind} reads one record a file"
    packed = {"TFRecordReader": "compression_type", "FixedLengthRecordReader": "encoding"}
    op: Op = reader.op
    if reader.kind in packed and op.get_attr(packed[reader.kind]):
        # The end of a compressed file, or damage in it, is known only once it is read.
        return "its records are compressed"
    return None


def _source_queue(region: Region) -> str | None:
    if region.source.type != "QueueDequeueV2":
        return None
    queue = region.taken
    if queue is None or queue.kind == "PriorityQueue":
        return "its source is a queue whose next element may yet change"
    if len(queue.takes) > 1:
        return f"queue {queue.name!r} is drained by more than one op"
    if not region.pipeline.runners_of(queue):
        return f"queue {queue.name!r} is fed by hand, and an element may not wait for the next"
    return None


def _source_queue_of_one_shape(region: Region) -> str | None:
    queue = region.taken
    if region.source.type != "QueueDequeueV2" or queue is None:
        return None
    op: Op = queue.op
    shapes = op.get_attr("shapes")
    if not shapes or any(s.unknown_rank or any(d.size < 0 for d in s.dim) for s in shapes):
        return f"the elements of queue {queue.name!r} differ in shape"
    if any(d.size == 0 for s in shapes for d in s.dim):
        return f"the elements of queue {queue.name!r} have a component without a value"
    return None


def _source_alone(region: Region) -> str | None:
    run_by = 0
    for runner in dict.fromkeys(each.queue_runner for each in region.pipeline.registered):
        for op in dict.fromkeys(map(traversal.as_op, runner.enqueue_ops)):
            run_by += op is region.op
            other = op is not region.op or run_by > 1
            if other and region.source in region.pipeline.demand([op]).ops:
                return f"its source also feeds {runner_name(runner)!r}"
    return None


def _stateful(region: Region) -> str | None:
    for op in region.inside:
        found = stateful_within(op.graph, op.node_def)
        if found:
            return f"{found} {op.name!r} keeps a state of its own"
        # A variant is what pfor treats in ways of its own; a resource made in here is state.
        if any(t.dtype in ("resource", "variant") for t in op.outputs):
            return f"{op.type} {op.name!r} makes a {op.outputs[0].dtype.name}"
        if any(t.dtype != t.dtype.base_dtype for t in op.outputs):
            return f"{op.type} {op.name!r} refers to a variable"
    return None


def _resources(region: Region) -> str | None:
    sources = {t.name for t in region.source.inputs}
    for op in [*region.inside, region.op]:
        for tensor in op.inputs:
            if tensor.name in sources:
                return f"{op.name!r} looks at what {region.source.name!r} reads from"
            if tensor.dtype != "resource" or (op is region.op and tensor is op.inputs[0]):
                continue
            if op.type not in LOOKUPS or tensor.op.type not in _TABLES:
                return f"{op.type} {op.name!r} uses the resource {tensor.op.name!r}"
            if op_building.cond_context(op) is not None:
                return f"{op.type} {op.name!r} uses a table in a tf.cond"
    return None


def _variables(region: Region) -> str | None:
    """A variable that the program writes: a chunk would read it once, long before its examples."""
    for tensor in region.captured:
        if tensor.op.type in QUEUE_KINDS or tensor.op.type == "Const":
            continue
        maker = tensor.op.inputs[0].op if tensor.op.type == "ReadVariableOp" else tensor.op
        for op in op_building.consumers(maker.outputs[0]):
            if op.type not in _READS_OF_VARIABLES | _READS_OF_TABLES and not _initializes(op):
                # Of a variable of the old kind most ops take the value alone.
                if maker.outputs[0].dtype == "resource" or any(
                    arg.is_ref for arg in op.op_def.input_arg
                ):
                    return f"{op.type} {op.name!r} may write {maker.name!r}"
    return None


def _initializes(op: Op) -> bool:
    """Whether an op sets a variable or table before there are examples: its initializer, a `Saver`."""
    if op.type in _INITIALIZERS_OF_TABLES:
        return True
    if op.type not in ("Assign", "AssignVariableOp"):
        return False
    value = op.inputs[1].op
    while value.type == "Identity":
        value = value.inputs[0].op
    if value.type == "RestoreV2":
        return True
    keys = _tf.GraphKeys.GLOBAL_VARIABLES, _tf.GraphKeys.LOCAL_VARIABLES
    variables = [variable for key in keys for variable in op.graph.get_collection(key)]
    return any(getattr(variable, "initializer", None) is op for variable in variables)


def _control(region: Region) -> str | None:
    """Ops outside are run once for a chunk: whatever is to wait for them, or they for it.

    What waits for the source, and does not use it, makes it take one more when a record is replayed.
    """
    known = {*region.inside}
    for op in [*region.inside, region.op]:
        for before in op.control_inputs:
            if before not in known:
                return f"{op.name!r} waits for {before.type} {before.name!r}"
    return None


def _reproducible(region: Region) -> str | None:
    # With one thread equal seeds gave equal examples in TF1, whatever queue they went into. Any
    # other way of running the op would draw in another order.
    if region.seeded and region.threads == 1:
        return "its random ops have seeds, and one thread draws the same every time"
    return None


def _old_flow(region: Region) -> str | None:
    return conds.refusal(region.inside, [*region.components, *region.op.control_inputs])


def _settled_shapes(region: Region) -> str | None:
    for tensor in region.components:
        if not tensor.shape.is_fully_defined():
            return f"{tensor.name!r} has no settled shape: its examples may differ in size"
        if not tensor.shape.num_elements():
            return f"{tensor.name!r} has no values: one of its dimensions is 0"
    return None


def _varying(region: Region) -> str | None:
    # pfor's converters stack the parts of a sparse batch as if each example had one value, and
    # a dense feature without a length comes filled up to the longest of the chunk.
    for node in region.nodes:
        if node.op not in _PARSERS:
            continue
        attrs = dict(node.attr)
        shapes = attrs["dense_shapes"].list.shape if "dense_shapes" in attrs else ()
        if (
            any(attrs[name].i for name in ("num_sparse", "Nsparse") if name in attrs)
            or ("ragged_value_types" in attrs and attrs["ragged_value_types"].list.type)
            or any(shape.unknown_rank or any(d.size < 0 for d in shape.dim) for shape in shapes)
        ):
            return f"{node.name!r} parses features of varying length"
    return None


def _unlike(region: Region) -> str | None:
    return exactness.refusal(region.op.graph, region.inside)


def _new_loop(region: Region) -> str | None:
    found = LOOPS.intersection(node.op for node in region.nodes)
    return f"it has a {min(found)} loop" if found else None


def _seeds_apart(region: Region) -> str | None:
    # The copies of an op are given seeds of their own; those of a function share its body.
    for op in region.inside if region.seeded else ():
        if op.type not in RANDOM and seeded_within(op.graph, [op]):
            return f"{op.type} {op.name!r} draws with a seed, in a function"
    return None


def _seeds_of_copies(region: Region) -> str | None:
    # The copy of each thread would draw what those of the others draw.
    return "its random ops have seeds" if region.seeded else None


_EITHER = [
    _plain_put,
    _placeholder,
    _python,
    _one_source,
    _source_first,
    _source_unconditional,
    _reader,
    _source_queue,
    _source_alone,
    _stateful,
    _resources,
    _variables,
    _control,
    _reproducible,
]
_CHUNK = [
    *_EITHER,
    _reader_of_chunks,
    _source_queue_of_one_shape,
    _old_flow,
    _new_loop,
    _unlike,
    _settled_shapes,
    _varying,
    _seeds_apart,
]
_LOOP = [*_EITHER, _old_flow, _seeds_of_copies]
