"""What a runner's enqueue op computes from: the part that is run once for each example.

`examine` finds it with the pipeline model and says for each way of running it
many times in one step whether that way keeps the program's meaning, or why not.
The reasons are rows: a condition, and what is said.
"""

import dataclasses

from tfqueue.graph import lower_cond
from tfqueue.graph.statefulness import (
    RANDOM,
    nodes_within,
    seeded_within,
    stateful_within,
    types_within,
)

# Give a value that does not depend on the example: read once for a chunk, in the user's graph.
_READ_OUTSIDE = frozenset(["ReadVariableOp", "VariableV2", "Variable"])
_OLD_CONTROL_FLOW = frozenset(
    f"{prefix}{name}"
    for prefix in ("", "Ref")
    for name in ("Switch", "Merge", "Enter", "Exit", "NextIteration")
)
_SOURCES = frozenset(["ReaderReadV2", "QueueDequeueV2"])
_PUTS = frozenset(["QueueEnqueueV2"])
_PARSERS = frozenset(["ParseExample", "ParseExampleV2", "ParseSingleExample"])
_CHUNKED_READERS = frozenset(["TextLineReader", "FixedLengthRecordReader", "TFRecordReader"])


@dataclasses.dataclass(eq=False)
class Region:
    """What one enqueue op runs, from its source on."""

    op: object
    """The op that the runner's thread runs."""
    target: object
    """The model's `Queue` that it fills, or None."""
    components: list
    """The tensors of one element."""
    sources: list
    """The ops that take a record or an element, `ReaderReadV2` or `QueueDequeueV2`."""
    inside: list
    """The ops between, stateless ones and random ones, the enqueue op not among them."""
    captured: list
    """Tensors from outside: handles, variables."""
    refusals: dict
    """Reason by way (`vector`, `fed`, `loop`) that cannot be gone."""
    reader: object = None
    """The model's `Reader` behind the only source, if it is one."""
    taken: object = None
    """The model's `Queue` that the only source takes from: names, or elements."""

    @property
    def source(self):
        """The only source."""
        return self.sources[0]

    @property
    def draws(self):
        """Whether a random op is involved, so that two runs differ."""
        return bool(types_within(self.op.graph, self.inside) & RANDOM)

    @property
    def seeded(self):
        """Whether a random op has a seed, so that its draws may be meant to be the same."""
        return seeded_within(self.op.graph, self.inside)


def examine(pipeline, op, threads=1):
    """The region of an enqueue op.

    Args:
      pipeline: The graph's `Pipeline`.
      op: An operation that a runner runs.
      threads: How many threads run it or its like.

    Returns:
      A `Region`; its `refusals` say which ways are closed.
    """
    demand = pipeline.demand([op])
    sources = [each for each in demand.ops if each.type in _SOURCES]
    outside = {each for each in demand.ops if _stays_outside(each)}
    wanted = [op, *(control for source in sources for control in source.control_inputs)]
    inside = pipeline.between(wanted, {*sources, *outside})
    inside.remove(op)
    captured = [t for each in (op, *sources, *inside) for t in each.inputs if t.op in outside]
    put = op.type in _PUTS
    target = demand.puts[0][1] if len(demand.puts) == 1 else None
    region = Region(
        op=op,
        target=target,
        components=list(op.inputs)[1:] if put else [],
        sources=sources,
        inside=inside,
        captured=list({t.name: t for t in captured}.values()),
        refusals={},
    )
    if len(sources) == 1:
        source = sources[0]
        if source.type == "ReaderReadV2":
            region.reader = pipeline.reader_of(source)
        takes = [take for take in demand.takes if take.op is source]
        region.taken = takes[0].queue if takes else None
    for way, rows in (("loop", _LOOP), ("fed", _FED), ("vector", _VECTOR)):
        for row in rows:
            reason = row(region, pipeline, threads)
            if reason:
                region.refusals[way] = reason
                break
    return region


def _stays_outside(op):
    """Whether what `op` gives is made in the user's graph once for all: a handle, a variable."""
    handles = op.outputs and all(t.dtype == "resource" for t in op.outputs)
    return bool(handles) or op.type in _READ_OUTSIDE


# -- the rows: `(region, pipeline, threads)` to a reason, or None ---------------------------------


def _plain_put(region, _pipeline, _threads):
    if region.op.type.startswith("QueueEnqueueMany"):
        return "it puts many elements at a time already"
    if region.op.type not in _PUTS or region.target is None:
        return f"its op is {region.op.type}, not a plain enqueue"
    return None


def _placeholder(region, _pipeline, _threads):
    for op in region.inside:
        if op.type.startswith("Placeholder"):
            return f"it is fed by hand: placeholder {op.name!r}"
    return None


def _python(region, _pipeline, _threads):
    for op in region.inside:
        if "PyFunc" in op.type:
            return f"it calls Python: {op.type} {op.name!r}"
    return None


def _old_loop(region, _pipeline, _threads):
    # The loop copies ops as they stand, in a loop body, where a Switch must not be.
    for op in region.inside:
        if op.type in _OLD_CONTROL_FLOW:
            return f"it has a tf.cond or loop of the old kind: {op.type} {op.name!r}"
    return None


def _old_flow(region, _pipeline, _threads):
    return lower_cond.refusal(region.inside)


def _stateful(region, _pipeline, _threads):
    for op in region.inside:
        found = stateful_within(op.graph, op.node_def)
        if found:
            return f"{found} {op.name!r} keeps a state of its own"
        if any(t.dtype._is_ref_dtype for t in op.outputs):
            return f"{op.type} {op.name!r} refers to a variable"
        # A variant is what pfor treats in ways of its own; a resource made in here is state.
        if any(t.dtype in ("resource", "variant") for t in op.outputs):
            return f"{op.type} {op.name!r} makes a {op.outputs[0].dtype.name}"
    return None


def _reproducible(region, _pipeline, threads):
    # With one thread into a queue that keeps order, equal seeds gave equal examples in TF1. Any
    # other way of running the op would draw in another order.
    if region.seeded and threads == 1 and region.target.kind != "RandomShuffleQueue":
        return "its random ops have seeds, and one thread in order draws the same every time"
    return None


def _one_source(region, _pipeline, _threads):
    if len(region.sources) != 1:
        return f"it has {len(region.sources)} sources where one is wanted"
    return None


def _source_read_whole(region, pipeline, _threads):
    if region.source.type != "ReaderReadV2":
        return None
    if region.reader is None or region.taken is None:
        return "its reader is not one of TensorFlow's own"
    if region.reader.kind not in _CHUNKED_READERS:
        return f"a {region.reader.kind} reads one record a file"
    if len(region.reader.reads) > 1:
        return f"reader {region.reader.name!r} is read by more than one op"
    if region.reader.kind == "TFRecordReader" and region.reader.op.get_attr("compression_type"):
        # Where a compressed file ends is not to be known from outside (see `records.py`).
        return "its records are compressed"
    return None


def _source_queue(region, pipeline, _threads):
    if region.source.type != "QueueDequeueV2":
        return None
    queue = region.taken
    if queue is None or queue.kind == "PriorityQueue":
        return "its source is a queue whose next element may yet change"
    if len(queue.takes) > 1:
        return f"queue {queue.name!r} is drained by more than one op"
    if not pipeline.runners_of(queue):
        return f"queue {queue.name!r} is fed by hand, and an element may not wait for the next"
    shapes = queue.op.get_attr("shapes")
    if not shapes or any(
        shape.unknown_rank or any(d.size < 0 for d in shape.dim) for shape in shapes
    ):
        return f"the elements of queue {queue.name!r} differ in shape"
    return None


def _source_reader(region, _pipeline, _threads):
    if region.source.type != "ReaderReadV2":
        return "an element of a queue is taken as fast one by one"
    if region.reader is not None and region.source.inputs[0].op is not region.reader.op:
        return f"{region.source.name!r} reads on a condition"
    return None


def _source_unseen(region, _pipeline, _threads):
    # Fed with what it gives, the read itself is not run; nor is what it waits for.
    if any(op.control_inputs for op in [region.source, *(t.op for t in region.source.inputs)]):
        return f"{region.source.name!r} waits for other ops"
    read = {t.name for t in region.source.inputs}
    for op in [*region.inside, region.op]:
        if region.source in op.control_inputs:
            return f"{op.name!r} waits for {region.source.name!r}, whatever that reads"
        if read & {t.name for t in op.inputs}:
            return f"{op.name!r} looks at what {region.source.name!r} reads from"
    return None


def _source_alone(region, pipeline, _threads):
    for runner in pipeline.runners:
        for op in runner.queue_runner.enqueue_ops:
            op = op.op if hasattr(op, "op") else op
            if op is not region.op and region.source in pipeline.demand([op]).ops:
                return f"its source also feeds {runner.name!r}"
    return None


def _unsettled_shapes(region, _pipeline, _threads):
    for tensor in region.components:
        if not tensor.shape.is_fully_defined():
            return f"{tensor.name!r} has no settled shape: its examples may differ in size"
    return None


def _varying(region, _pipeline, _threads):
    # pfor's converters stack the parts of a sparse batch as if each example had one value, and
    # a dense feature without a length comes filled up to the longest of the chunk.
    for node in nodes_within(region.op.graph, region.inside):
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


_EITHER = [_plain_put, _placeholder, _python, _stateful, _reproducible]
_LOOP = [*_EITHER, _old_loop]
_FED = [_plain_put, _one_source, _source_reader, _source_read_whole, _source_alone, _source_unseen]
_VECTOR = [
    *_EITHER,
    _old_flow,
    _one_source,
    _source_read_whole,
    _source_queue,
    _source_alone,
    _unsettled_shapes,
    _varying,
]
