"""Builds the step that does for many examples what a runner's op does for one.

Everything is built in a graph of its own, whatever thread this is, and then
grafted into the user's: neither the user's name scopes nor the seeds of random
ops built later can tell. What is built is kept with the graph: a second session
on it finds it there.
"""

from __future__ import annotations

import contextlib
import copy
import itertools
import sys
import threading
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from tfqueue import _tensorflow
from tfqueue._tensorflow import op_building
from tfqueue._tensorflow.types import Graph, Op, Tensor
from tfqueue.accelerate import chunk_size
from tfqueue.accelerate.region import LOOPS, Region
from tfqueue.explain import diagnosis
from tfqueue.graph import conds, converters
from tfqueue.graph.statefulness import RANDOM, types_within

_tf = _tensorflow.compat_v1()

_SEED_STEP = 1_000_003
"""Added to the seeds of the copies: their draws must not repeat those of the originals."""
_kept = threading.Lock()


class CannotBuild(Exception):
    """TensorFlow could not build the step; the message says why."""


def kept_with(graph: Graph, key: Hashable, make: Callable[[], Any]) -> Any:
    """What `make()` returns, made once for a graph, which keeps it by `key`."""
    with _kept:
        if not hasattr(graph, "_tfqueue_accelerated"):
            graph._tfqueue_accelerated = threading.Lock(), {}
        making, found = graph._tfqueue_accelerated
    with making:
        if key not in found:
            found[key] = make()
        return found[key]


def grafted(region: Region, make: Callable[[Outside, str], Any]) -> Any:
    """What `make(outside, prefix)` builds in a graph of its own, in the user's graph.

    Args:
        region: The `Region` that is built from.
        make: Function from its `Outside` and a name prefix to a structure of ops and tensors.
    """
    prefix, graph = op_building.unique_prefix(region.op.graph), op_building.new_graph()
    with graph.as_default(), converters.quiet(), _tf.device(region.device):
        outside = Outside(region)
        made = make(outside, prefix)
    wanted = [part.name for part in _tf.nest.flatten(made)]
    found = op_building.graft(region.op.graph, prefix, graph, outside.map(), wanted)
    return _tf.nest.pack_sequence_as(made, found)


class ChunkOps:
    """Ops of the user's graph that move a chunk; the records are kept until its elements are put.

    Args:
        region: A `Region` that can be vectorised; or looped, if its source is a reader.
        listed: Whether its elements are computed one after the other, and may differ in size.

    Attributes:
        size: Scalar placeholder, how many records to read at most.
        key: Scalar placeholder, the number of the chunk, under which its records are kept.
        keys: Iterator of numbers that no chunk has had yet, in whatever session.
        records: A chunk's records, a tensor for each output of the source. They may be fed.
        told: What a step returns about them: how many they are; of a TFRecord reader also the last
            record's key and length, and how many records the reader had produced after them.
        draws: Dict from the names of `Region.draws` to what is drawn for the examples of a chunk, as
            far as it is known. They may be fed.
        outputs: The components of the chunk's elements: for each a tensor of one more dimension, or a
            list.
        read: The op that reads records and keeps them.
        prepare: The op that computes their elements and keeps these.
        put: The op that puts the elements, and drops both. It only fails where the queue is closed.
        put_some: Where they are listed, the op that puts `AT_ONCE` of them; `put` then only drops both.
        first: The number of the first of them, a scalar placeholder.
        takes: How many times `read` takes from the source.
        take: The number of one of these times, a scalar placeholder.
        fill: An op that keeps no record in place of those which that time has not taken, and fails
            where it has.
        drop: The records that are kept, which they are no longer then; once `fill` has run for all
            of `takes`.
        produced: How many records the reader has produced now; None without one.
        loops: Whether TensorFlow could only loop some of it.
    """

    produced = None

    def __init__(self, region: Region, listed: bool = False) -> None:
        converters.register()
        self.takes = chunk_size.takes(region)
        made = grafted(region, lambda outside, prefix: self._build(region, outside, prefix, listed))
        vars(self).update(made)
        self.keys = itertools.count()

    def _build(self, region: Region, outside: Outside, prefix: str, listed: bool) -> dict[str, Any]:
        """The attributes, in the graph that is being built."""
        size = _tf.placeholder(_tf.int64, [], name="size")
        key = _tf.placeholder(_tf.int64, [], name="key")
        like = [_tf.TensorSpec([None, *t.shape], t.dtype) for t in region.source.outputs]
        kept = Kept(key, f"{prefix}/records", like, self.takes)
        parts, put = _read(region, outside, size, kept)
        made = {"size": size, "key": key, "read": put, "told": [_count(parts)]}
        if region.reads_tfrecords:
            keys, values = parts[0]
            reader = outside.of(region.source.inputs[0])
            count = _tf.raw_ops.ReaderNumRecordsProducedV2
            with _tf.control_dependencies([keys]):
                length = _tf.strings.length(values[-1])
                made["told"] += [keys[-1], length, count(reader_handle=reader)]
            made["produced"] = count(reader_handle=reader)
        records = kept.look()
        draws: dict[str, Tensor] = {}
        if listed:
            outputs = _listed(region, outside, records, f"{prefix}/computing")
        else:
            outputs, draws = _vectorised(region, outside, records)
        elements = Kept(key, f"{prefix}/elements", outputs)
        made["prepare"] = elements.put(outputs)
        queue = outside.of(region.op.inputs[0])
        if listed:
            first = _tf.placeholder(_tf.int32, [], name="first")
            put = _put_some(region, queue, elements.look(), first, f"{prefix}/putting")
            made |= {"first": first, "put_some": put}
            dropped = elements.take()
        else:
            put = _tf.raw_ops.QueueEnqueueManyV2(
                handle=queue, components=elements.take(), name="put"
            )
            dropped = [put]
        with _tf.control_dependencies(dropped):
            made["put"] = _tf.group(kept.take())
        take = _tf.placeholder(_tf.int32, [], name="take")
        made |= {"take": take, "fill": kept.fill(take), "drop": kept.take()}
        here = _tf.get_default_graph()
        self.loops = bool(types_within(here, here.get_operations()) & LOOPS)
        return made | {"records": records, "draws": draws, "outputs": outputs}


class Kept:
    """Tensors that the session keeps, under the number of their chunk. None of its ops ever waits.

    Args:
        key: Scalar, the number of the chunk.
        name: What they are kept by.
        like: Tensors, or `tf.TensorSpec`s, of their types and shapes.
        parts: How many parts they are put in; what is kept is one behind the other.

    Attributes:
        numbers: For each part the numbers of its tensors among all that are kept.
    """

    def __init__(self, key: Tensor, name: str, like: Iterable[Any], parts: int = 1) -> None:
        self._key = key
        self._name = name
        self._like = list(like)
        self.parts = parts
        numbers = np.arange(parts * len(self._like), dtype=np.int32).reshape(parts, -1)
        self.numbers = _tf.unstack(_tf.constant(numbers))

    def put(self, tensors: list[Tensor], part: int = 0) -> Op:
        """An op that keeps a part of them."""
        return self._op(_tf.raw_ops.MapStage, self.numbers[part], values=tensors)

    def fill(self, part: Tensor) -> Op:
        """An op that keeps empty tensors as a part; where the part is kept, it stays."""
        none = [_tf.zeros([0, *t.shape[1:]], t.dtype) for t in self._like]
        many = len(none)
        return self._op(_tf.raw_ops.MapStage, part * many + _tf.range(many), values=none)

    def look(self) -> list[Tensor]:
        """Those that are kept, once all parts are."""
        return self._whole(_tf.raw_ops.MapPeek)

    def take(self) -> list[Tensor]:
        """The same, which are no longer kept then."""
        return self._whole(_tf.raw_ops.MapUnstage)

    def _whole(self, raw_op: Callable[..., Any]) -> list[Tensor]:
        many = len(self._like)
        found = self._op(raw_op, _tf.range(many * self.parts))
        if self.parts > 1:
            found = [_tf.concat(found[number::many], 0) for number in range(many)]
        return _shaped(found, [t.shape for t in self._like])

    def _op(self, raw_op: Callable[..., Any], indices: Tensor, **arguments: Any) -> Any:
        with _tf.device("/cpu:0"):  # there are kernels for a GPU, which has no strings
            return raw_op(
                key=self._key,
                indices=indices,
                dtypes=[t.dtype for t in self._like] * self.parts,
                shared_name=self._name,
                **arguments,
            )


class Outside:
    """The user's tensors that a step uses, and their stand-ins in the current graph, being built."""

    def __init__(self, region: Region) -> None:
        used = [*region.captured, *region.source.inputs]
        self._tensors = {t.name: t for t in used}
        self.stand_ins = {
            name: _tf.raw_ops.Placeholder(dtype=t.dtype.base_dtype, shape=t.shape, name="outside")
            for name, t in self._tensors.items()
        }

    def of(self, tensor: Tensor) -> Tensor:
        return self.stand_ins[tensor.name]

    def replaced(self, stand_ins: dict[str, Tensor]) -> Outside:
        """The same, with other tensors in the place of these."""
        made = copy.copy(self)
        made.stand_ins = stand_ins
        return made

    def with_constants(self, graph: Graph, ops: Iterable[Op]) -> Outside:
        """The same, and the constants among `ops` of a graph, copied into the current graph: equal ones once."""
        nodes: dict[bytes, Any] = {}
        equal = {}
        for op in ops:
            if op.type == "Const" and not op.control_inputs:
                node = op.node_def
                value = node.attr["value"].SerializeToString(deterministic=True)
                equal[op.outputs[0].name] = nodes.setdefault(value, node).name
        made = op_building.copy_ops([*nodes.values()], graph, {}, [*dict.fromkeys(equal.values())])
        stand_ins = self.stand_ins | {name: made[of].outputs[0] for name, of in equal.items()}
        return self.replaced(stand_ins)

    def map(self) -> dict[str, Tensor]:
        """Dict from the stand-ins' names to the user's tensors."""
        return {self.stand_ins[name].op.name: t for name, t in self._tensors.items()}


def elements_of(
    region: Region,
    outside: Outside,
    given: Iterable[Tensor],
    draws: dict[str, Tensor] | None = None,
    after: Tensor | None = None,
) -> list[Tensor]:
    """The components of one element, computed in the current graph.

    Args:
        given: The record or element, a tensor for each output of the source.
        draws: Dict in which pfor is to note what is drawn for all elements, by the names of
            `Region.draws`.
        after: A tensor behind whose op all of it is run.
    """
    elements = {t.name: value for t, value in zip(region.source.outputs, given, strict=True)}
    given = outside.stand_ins | elements
    ops = [op for op in region.inside if not op.outputs or op.outputs[0].name not in given]
    inside = set(ops)
    computed = [t.name for t in region.components if t.op in inside]
    waits = [op.name for op in region.op.control_inputs if op in inside]
    before = len(_tf.get_default_graph().get_operations())
    drawn = [t.name for t in region.draws] if draws is not None else []
    wanted = computed + drawn + waits
    if conds.needed(ops):
        made = conds.bring(ops, given, wanted, _copy)
    else:
        nodes = [_node(op) for op in ops]
        made = op_building.copy_ops(nodes, region.op.graph, given, wanted, after)
    if draws is not None:
        for name in drawn:
            converters.note(made[name], draws, name)
    converters.attach(_tf.get_default_graph().get_operations()[before:])
    known = given | made
    with _tf.control_dependencies([made[name] for name in waits]):
        return [_tf.identity(known[t.name]) for t in region.components]


def read_one(region: Region, outside: Outside) -> list[Tensor]:
    """The next record or element, as the source gives it."""
    source = region.source
    if source.type == "ReaderReadV2":
        record = _tf.raw_ops.ReaderReadV2(
            reader_handle=outside.of(source.inputs[0]),
            queue_handle=outside.of(source.inputs[1]),
            name="read",
        )
    else:
        record = _tf.raw_ops.QueueDequeueV2(
            handle=outside.of(source.inputs[0]),
            component_types=[t.dtype for t in source.outputs],
            name="read",
        )
    return _shaped(record, [t.shape for t in source.outputs])


def _read(
    region: Region, outside: Outside, size: Tensor, kept: Kept
) -> tuple[list[list[Tensor]], Op]:
    """The next records, `size` at the most, as tensors with one dimension more, and what keeps them.

    Each part is kept before the next is taken. A look at the queue does not settle what is there for
    the take behind it: what else takes meanwhile may have it wait, or fail at the end of the data.
    """
    source = region.source
    if source.type == "ReaderReadV2":
        read = list(
            _tf.raw_ops.ReaderReadUpToV2(
                reader_handle=outside.of(source.inputs[0]),
                queue_handle=outside.of(source.inputs[1]),
                num_records=size,
                name="read",
            )
        )
        return [read], kept.put(read)
    left, part = _take(region, outside, _tf.cast(size, _tf.int32), kept, 0)
    parts = [part]
    if kept.parts > 1:
        left, more = _takes_behind(region, outside, left, kept)
        parts += more
    return parts, left.op


def _take(
    region: Region, outside: Outside, left: Tensor, kept: Kept, number: int
) -> tuple[Tensor, list[Tensor]]:
    """Takes what is in the queue, `left` at the most, and keeps it; how many are left then, and what it took.

    It begins when `left` is there, which is once what was taken before is kept.
    """
    source, taken = region.source, region.taken
    assert taken is not None
    with _tf.control_dependencies([left]):
        there = _tf.raw_ops.QueueSizeV2(handle=outside.of(source.inputs[0]))
    if taken.min_after_dequeue:
        there = _tf.maximum(there - taken.min_after_dequeue, 0)
    amount = _tf.minimum(there if number else _tf.maximum(there, 1), left)
    part = _tf.raw_ops.QueueDequeueUpToV2(
        handle=outside.of(source.inputs[0]),
        n=amount,
        component_types=[t.dtype for t in source.outputs],
        name="read",
    )
    part = _shaped(part, [[None, *t.shape] for t in source.outputs])
    with _tf.control_dependencies([kept.put(part, number)]):
        return left - amount, part


def _takes_behind(
    region: Region, outside: Outside, before: Tensor, kept: Kept
) -> tuple[Tensor, list[list[Tensor]]]:
    """All takes but the first: how many are left behind the last, and what each took.

    Those behind the second are copies of it: many ops are copied much faster than they are built.
    """
    here = _tf.get_default_graph()
    built = len(here.get_operations())
    left, part = _take(region, outside, before, kept, 1)
    ops = here.get_operations()[built:]
    own = [op.name for op in ops]
    nodes, wanted, after = [], [], left.op.name
    for number in range(2, kept.parts):
        names = {name: f"{name}/{number}" for name in own}
        wanted += [_renamed(t.name, names) for t in (left, *part)]
        changed = names | {before.op.name: after, kept.numbers[1].name: kept.numbers[number].name}
        for op in ops:
            node = op.node_def
            node.name = names[op.name]
            node.input[:] = [_renamed(name, changed) for name in node.input]
            nodes.append(node)
        after = names[left.op.name]
    outer = [t for op in ops for t in op.inputs]
    given = {t.name: t for t in (*outer, left, *kept.numbers)}
    made = op_building.copy_ops(nodes, here, given, wanted, after=left)
    found = [made[name] for name in wanted]
    parts = [part]
    for _ in range(2, kept.parts):
        left, *values = found[: 1 + len(part)]
        del found[: 1 + len(part)]
        parts.append(_shaped(values, [t.shape for t in part]))
    return left, parts


def _renamed(name: str, changed: Mapping[str, str]) -> str:
    """The name of an input, with that of its op changed, or of the tensor."""
    if name in changed:
        return changed[name]
    op, colon, number = name.removeprefix("^").partition(":")
    return ("^" if name[0] == "^" else "") + changed.get(op, op) + colon + number


def _count(parts: list[list[Tensor]]) -> Tensor:
    """How many records there are in parts."""
    shapes = _tf.shape_n([part[0] for part in parts])  # one op, whatever their number
    return _tf.add_n(shapes)[0]


def _shaped(values: Iterable[Tensor], shapes: Iterable[Any]) -> list[Tensor]:
    for value, shape in zip(values, shapes, strict=True):
        value.set_shape(shape)
    return list(values)


def _vectorised(
    region: Region, outside: Outside, records: list[Tensor]
) -> tuple[list[Tensor], dict[str, Tensor]]:
    draws: dict[str, Tensor] = {}

    def one(i: Tensor) -> list[Tensor]:
        given = [converters.element(stacked, i) for stacked in records]
        return elements_of(region, outside, given, draws)

    one = _tf.autograph.experimental.do_not_convert(one)
    outputs = op_building.vectorize(one, _tf.shape(records[0])[0])
    # Also catches what pfor leaves unstacked because it is the same for all.
    stacked = [
        _tf.ensure_shape(out, [None, *t.shape.as_list()], name=f"output_{k}")
        for k, (out, t) in enumerate(zip(outputs, region.components, strict=True))
    ]
    return stacked, draws


def _listed(region: Region, outside: Outside, records: list[Tensor], name: str) -> list[Tensor]:
    """For each component the list of what it is for each record, computed one after the other."""
    outside = outside.with_constants(region.op.graph, region.inside)
    # What is the same for every iteration is made once: each op in the loop costs.
    fixed = {"one": _tf.constant(1), "axis": _tf.constant(0), "count": _tf.shape(records[0])[0]}
    names = [f"record {number}" for number in range(len(records))]
    shapes = _shapes_put(region)

    def one(given: dict[str, Tensor], number: Tensor, *before: Tensor) -> list[Tensor]:
        record = [
            _tf.raw_ops.GatherV2(params=given[name], indices=number, axis=given["axis"])
            for name in names
        ]
        element = elements_of(region, outside.replaced(given), record, after=number)
        # The queue is to find nothing wrong any more: what is put comes after all else that may fail.
        element = [_tf.ensure_shape(*each) for each in zip(element, shapes, strict=True)]
        pushed = [
            _tf.raw_ops.TensorListPushBack(input_handle=handle, tensor=value)
            for handle, value in zip(before, element, strict=True)
        ]
        return [number + given["one"], *pushed]

    empty = [
        _tf.raw_ops.EmptyTensorList(element_shape=-1, max_num_elements=-1, element_dtype=t.dtype)
        for t in region.components
    ]
    used = outside.stand_ins | fixed | dict(zip(names, records, strict=True))
    _, *made = op_building.dataflow_loop(
        lambda given, number, *_: number < given["count"],
        one,
        [_tf.constant(0), *empty],
        used,
        1,
        name,
    )
    return made


def _put_some(region: Region, queue: Tensor, lists: list[Tensor], first: Tensor, name: str) -> Op:
    """An op that puts `AT_ONCE` elements of lists into a queue, or those that are left."""
    fixed = {"one": _tf.constant(1), "any": _tf.constant(-1), "queue": queue}
    there = _tf.raw_ops.TensorListLength(input_handle=lists[0])
    fixed["end"] = _tf.minimum(first + chunk_size.AT_ONCE, there)
    names = [f"list {number}" for number in range(len(lists))]

    def one(given: dict[str, Tensor], number: Tensor) -> list[Tensor]:
        element = [
            _tf.raw_ops.TensorListGetItem(
                input_handle=given[name],
                index=number,
                element_shape=given["any"],
                element_dtype=t.dtype,
            )
            for name, t in zip(names, region.components, strict=True)
        ]
        put = _tf.raw_ops.QueueEnqueueV2(handle=given["queue"], components=element, name="put")
        with _tf.control_dependencies([put]):
            return [number + given["one"]]

    last = op_building.dataflow_loop(
        lambda given, number: number < given["end"],
        one,
        [first],
        fixed | dict(zip(names, lists, strict=True)),
        1,
        name,
    )
    return _tf.group(last)


def _shapes_put(region: Region) -> list[Any]:
    """The shapes that the components of an element must have: the queue's, where it has some."""
    assert region.target is not None
    op: Op = region.target.op
    shapes = op.get_attr("shapes") or [t.shape for t in region.components]
    if len(shapes) < len(region.components):
        shapes = [[], *shapes]  # those of a priority queue are without the priority's
    return [_tf.TensorShape(shape) for shape in shapes]


def _copy(op: Op, inputs: Iterable[Tensor]) -> Op:
    """A copy of an op in the current graph, with seeds of its own."""
    with _tf.device(op.device):
        return op_building.copy_op(op, _node(op), inputs)


def _node(op: Op) -> Any:
    """The `NodeDef` of the copy of an op, with seeds of its own."""
    node = op.node_def
    for name in op_building.functions_called(node):
        if op_building.function_of(op.graph, name) is None:
            # It came by import_graph_def: pfor needs the graph that it was made from.
            raise CannotBuild(f"function {name!r} was not built in this process")
    if node.op in RANDOM and (node.attr["seed"].i or node.attr["seed2"].i):
        seed = node.attr["seed2"].i + _SEED_STEP
        node.attr["seed2"].i = seed % (2**31 - 1)
    return node


class _ShortTurns:
    """While anything is built, a thread that waits for Python's lock gets it soon.

    A runner's thread needs it after each example. Its builder would keep it for `sys.getswitchinterval()`
    each time, 5 ms, which is many examples.
    """

    _SECONDS = 5e-5

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._inside = 0
        self._before = 0.0

    def __enter__(self) -> None:
        with self._lock:
            self._inside += 1
            if self._inside == 1:
                self._before = sys.getswitchinterval()
                sys.setswitchinterval(min(self._SECONDS, self._before))

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._inside -= 1
            # The program may have set it meanwhile.
            if not self._inside and sys.getswitchinterval() <= self._SECONDS:
                sys.setswitchinterval(self._before)


_short_turns = _ShortTurns()


@contextlib.contextmanager
def building() -> Iterator[None]:
    """Turns whatever TensorFlow raises while building into `CannotBuild`."""
    try:
        with _short_turns:
            yield
    except CannotBuild:
        raise
    except Exception as error:  # whatever it is, the pipeline runs as it was
        raise CannotBuild(diagnosis.first_line(error)[:200]) from error
