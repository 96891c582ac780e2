"""Builds the ops that read, compute and put a chunk of examples at once."""

from tfqueue import _tensorflow
from tfqueue._tensorflow import op_building
from tfqueue.accelerate.build import Outside, building, definition_of, level_of, unconverted
from tfqueue.graph import converters, lower_cond
from tfqueue.graph.statefulness import types_within

_tf = _tensorflow.compat_v1()

_LOOPS = frozenset(["While", "StatelessWhile", "Enter"])


class Reading:
    """Ops of the user's graph that read a chunk, which the session keeps under a number.

    Attributes:
      size: Scalar placeholder, how many records to read at most.
      key: Scalar placeholder, the number of a chunk.
      read: A chunk's records, a tensor for each output of the source, to be fetched.
      told: What is to be known of them: how many they are; of a reader also the last record's
        key and length, and how many records the reader had produced after them.
      keep: The op that keeps what is read.
      given: Placeholders for records, as `read`.
      keep_joined: The op that keeps `given` and then what is read.
      keep_given: The op that keeps `given`.
      take_back: The records that are kept; no longer then.
      level: How many elements the queue holds.
      produced: How many records the reader has produced now; None without one.
    """

    def __init__(self, region):
        """Raises `CannotBuild`.

        Args:
          region: A `Region` that can be gone by this way.
        """
        converters.register()
        graph, prefix = region.op.graph, op_building.unique_prefix()
        outside = Outside(region)
        build = op_building.new_graph()
        with build.as_default(), converters.quiet(), building():
            outside.make()
            made = self._build(region, outside, prefix)
        names = {
            name: [part.name for part in parts] if isinstance(parts, list) else parts.name
            for name, parts in made.items()
        }
        wanted = [
            n for parts in names.values() for n in (parts if type(parts) is list else [parts])
        ]
        found = op_building.graft(graph, prefix, build.as_graph_def(), outside.map(), wanted)
        found = dict(zip(wanted, found, strict=True))
        for name, parts in names.items():
            whole = [found[n] for n in parts] if type(parts) is list else found[parts]
            setattr(self, name, whole)
        self.produced = self.produced[0] if self.produced else None
        self._built(build)

    def _built(self, build):
        """Notes what is to be known of the graph that was built."""

    def _build(self, region, outside, prefix):
        """The attributes, as tensors and ops of the graph that is being built."""
        size = _tf.placeholder(_tf.int64, [], name="size")
        key = _tf.placeholder(_tf.int64, [], name="key")
        records = _Kept(key, f"{prefix}/records")
        read = [
            _tf.identity(t, name=f"read_{k}") for k, t in enumerate(_read(region, outside, size))
        ]
        given = [_tf.placeholder(t.dtype, t.shape, name=f"given_{k}") for k, t in enumerate(read)]
        joined = [_tf.concat(pair, 0) for pair in zip(given, read, strict=True)]
        told, produced = [_tf.shape(read[0])[0]], []
        if region.reader is not None:
            reader = outside.of(region.source.inputs[0])
            count = _tf.raw_ops.ReaderNumRecordsProducedV2
            with _tf.control_dependencies(read):
                told += [read[0][-1], _tf.strings.length(read[1][-1]), count(reader_handle=reader)]
            produced = [count(reader_handle=reader)]
        keeps = {
            "keep": records.put(read),
            "keep_given": records.put(given),
            "keep_joined": records.put(joined),
        }
        return keeps | {
            "size": size,
            "key": key,
            "read": read,
            "told": told,
            "given": given,
            "take_back": records.take(read),
            "level": level_of(outside.of(region.op.inputs[0])),
            "produced": produced,
        }


class Vector(Reading):
    """Ops of the user's graph that read, compute and put a chunk at once.

    What was read stays in the session until its examples are in the queue: as Python's bytes the
    records cost as much as reading and parsing them. So do the examples, from the step that
    computes them to the one that puts them.

    Attributes:
      kept: The records that are kept.
      outputs: The components of the chunk's elements.
      compute: The op that computes them, and keeps them.
      made: They as kept; no longer kept then.
      empty: The op that makes them none.
      enqueue: The op that puts them; neither they nor the records are kept then.
      loops: Whether some of it is looped in the graph.
      operations: How many ops this took.
    """

    def _built(self, build):
        self.loops = bool(types_within(build, build.get_operations()) & _LOOPS)
        self.operations = len(build.get_operations())

    def _build(self, region, outside, prefix):
        parts = super()._build(region, outside, prefix)
        read, key = parts["read"], parts["key"]
        records = _Kept(key, f"{prefix}/records")
        examples = _Kept(key, f"{prefix}/examples")
        kept = records.look(read)
        outputs = _vectorised(region, outside, kept)
        put = _tf.raw_ops.QueueEnqueueManyV2(
            handle=outside.of(region.op.inputs[0]), components=examples.take(outputs), name="put"
        )
        with _tf.control_dependencies([put]):
            enqueue = _tf.group(records.take(read))
        return parts | {
            "kept": kept,
            "outputs": outputs,
            "compute": examples.put(outputs),
            "made": examples.take(outputs),
            "empty": examples.put([t[:0] for t in examples.take(outputs)]),
            "enqueue": enqueue,
        }


class _Kept:
    """Lists of tensors that the session keeps, each under a number. None of its ops ever waits.

    Args:
      key: Scalar tensor, the number.
      name: The name of the container.
    """

    def __init__(self, key, name):
        self._key = key
        self._name = name

    def put(self, tensors):
        """An op that keeps `tensors`."""
        return self._op(_tf.raw_ops.MapStage, tensors, values=tensors)

    def look(self, like):
        """The tensors that are kept, of dtypes and shapes as `like`."""
        return self._shaped(self._op(_tf.raw_ops.MapPeek, like), like)

    def take(self, like):
        """The same, which are no longer kept then."""
        return self._shaped(self._op(_tf.raw_ops.MapUnstage, like), like)

    def _op(self, raw_op, like, **arguments):
        with _tf.device("/cpu:0"):  # there are kernels for a GPU, which knows no strings
            return raw_op(
                key=self._key,
                indices=_tf.range(len(like)),
                dtypes=[t.dtype for t in like],
                shared_name=self._name,
                **arguments,
            )

    @staticmethod
    def _shaped(values, like):
        for value, t in zip(values, like, strict=True):
            value.set_shape(t.shape)
        return list(values)


def _read(region, outside, size):
    source = region.source
    if source.type == "ReaderReadV2":
        return _tf.raw_ops.ReaderReadUpToV2(
            reader_handle=outside.of(source.inputs[0]),
            queue_handle=outside.of(source.inputs[1]),
            num_records=size,
            name="read",
        )
    # Never more than are there: an element in the queue must not wait for its successors.
    handle = outside.of(source.inputs[0])
    there = _tf.raw_ops.QueueSizeV2(handle=handle)
    if region.taken.kind == "RandomShuffleQueue":
        there -= region.taken.min_after_dequeue
    amount = _tf.minimum(_tf.maximum(there, 1), _tf.cast(size, _tf.int32))
    return _tf.raw_ops.QueueDequeueUpToV2(
        handle=handle, n=amount, component_types=[t.dtype for t in source.outputs], name="read"
    )


def _vectorised(region, outside, stacked):
    from tensorflow.python.ops.parallel_for import control_flow_ops

    definition = definition_of(region.op.graph, region.inside)
    source = region.source
    extra = [f"^{op.name}" for op in region.op.control_inputs if op in set(region.inside)]

    def one(i):
        elements = {
            t.name: converters.element(s, i) for t, s in zip(source.outputs, stacked, strict=True)
        }
        taken = {t.name for t in source.outputs}
        kept = [t.name for t in region.components if t.op in inside]
        wanted = kept + [n[1:] for n in extra]
        if lower_cond.needed(region.inside):
            found = iter(outside.bring_lifted(region.inside, elements, wanted))
        else:
            found = iter(outside.bring(definition, elements, wanted))
        converters.attach(_tf.get_default_graph().get_operations())
        made = {name: next(found) for name in kept}
        waits = list(found)
        results = []
        with _tf.control_dependencies(waits):
            for t in region.components:
                value = made.get(t.name)
                if value is None:
                    value = elements[t.name] if t.name in taken else outside.of(t)
                results.append(_tf.identity(value))
        return results

    inside = set(region.inside)
    length = _tf.shape(stacked[0])[0]
    outputs = control_flow_ops.pfor(unconverted(one), length)
    settled = []
    for k, (out, t) in enumerate(zip(outputs, region.components, strict=True)):
        # Also catches what pfor leaves unstacked because it is the same for all.
        settled.append(_tf.ensure_shape(out, [None, *t.shape.as_list()], name=f"output_{k}"))
    return settled
