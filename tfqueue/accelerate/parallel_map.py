"""Computes examples side by side on all cores, and puts them in the order in which they were read.

For examples that cannot be computed many at once: photographs to be decoded,
features of any length, images too big for a chunk. The user's own source is called
in a `tf.data` map in the session's graph, the per-example ops in a parallel, ordered
map behind it; the runner's thread takes what is ready and puts it into the queue.

Each record is kept until its element is in the queue. Where one fails, it is given to
the runner's own op, which raises what it raises; everything in front of it is put.
"""

from tfqueue import _tensorflow
from tfqueue._tensorflow import op_building
from tfqueue.accelerate import build
from tfqueue.accelerate.chunks import cores
from tfqueue.accelerate.mover import Mover
from tfqueue.accelerate.replay import Replay, named
from tfqueue.graph import converters

_tf = _tensorflow.compat_v1()

_MOST_CALLS = 16
"""Examples that are computed at a time, where there are cores for them."""
_MAPS = frozenset(["MapDataset", "ParallelMapDataset", "ParallelMapDatasetV2"])


class MapOps:
    """Ops of the user's graph that compute examples in a parallel map and put them.

    Attributes:
      start: The op that starts the map.
      move: The op that puts `count` elements, one after the other.
      moved: How many of them the last run has put.
      left: How many records are kept.
      lowest: The number of the first of them, and its values; no longer kept then.
    """

    def __init__(self, region, count):
        """
        Args:
          region: A `Region` that can be mapped.
          count: How many elements a step puts.
        """
        graph, prefix = region.op.graph, op_building.unique_prefix()
        outside = build.Outside(region)
        with _tf.Graph().as_default() as made, converters.quiet(), _tf.device("/cpu:0"):
            outside.make()
            dataset = _dataset(region, outside, f"{prefix}/records")
            found = _steps(region, outside, dataset, prefix, count)
        definition = made.as_graph_def()
        for node in definition.node:
            if node.op in _MAPS:
                # The end of the input is the end of the dataset, and no error of a function's.
                node.attr["preserve_cardinality"].b = False
        names = [each.name for each in found]
        found = op_building.graft(graph, prefix, definition, outside.map(), names)
        self.count = count
        self.start, self.move, self.moved, self.left, *self.lowest = found


def _dataset(region, outside, kept):
    """The examples, as a dataset."""
    data = _tensorflow.datasets()
    source = region.source

    def read(number):
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
        record = [record] if isinstance(record, _tf.Tensor) else list(record)
        for value, t in zip(record, source.outputs, strict=True):
            value.set_shape(t.shape)
        keep = _tf.raw_ops.OrderedMapStage(
            key=number,
            indices=_tf.range(len(record)),
            values=record,
            dtypes=[t.dtype for t in record],
            shared_name=kept,
        )
        with _tf.control_dependencies([keep]):
            return tuple(_tf.identity(value) for value in record)

    def compute(*record):
        return tuple(build.elements_of(region, outside, record))

    unconverted = _tf.autograph.experimental.do_not_convert
    dataset = data.Dataset.range(1 << 62).map(unconverted(read))
    calls = min(_MOST_CALLS, cores())
    return dataset.map(unconverted(compute), num_parallel_calls=calls, deterministic=True)


def _steps(region, outside, dataset, prefix, count):
    """The ops and tensors that `MapOps` names, in its order."""
    iterator = _tf.data.make_initializable_iterator(dataset)
    kept = {"dtypes": [t.dtype for t in region.source.outputs], "shared_name": f"{prefix}/records"}
    done = {"dtypes": [_tf.bool], "shared_name": f"{prefix}/moved"}
    indices = _tf.range(len(region.source.outputs))
    before = [_tf.raw_ops.MapClear(**done)]
    for number in range(count):
        with _tf.control_dependencies(before):
            element = iterator.get_next()
            put = _tf.raw_ops.QueueEnqueueV2(
                handle=outside.of(region.op.inputs[0]), components=list(element), name="put"
            )
        with _tf.control_dependencies([put]):
            drop = _tf.raw_ops.OrderedMapUnstageNoKey(indices=indices, **kept)
            before = [
                drop.key.op,
                _tf.raw_ops.MapStage(
                    key=_tf.constant(number, _tf.int64),
                    indices=_tf.range(1),
                    values=[_tf.constant(True)],
                    **done,
                ),
            ]
    lowest = _tf.raw_ops.OrderedMapUnstageNoKey(indices=indices, **kept)
    return [
        iterator.initializer,
        _tf.group(before, name="move"),
        _tf.raw_ops.MapSize(**done),
        _tf.raw_ops.OrderedMapSize(**kept),
        lowest.key,
        *lowest.values,
    ]


class MapMover(Mover):
    """Puts what the map has computed.

    Args:
      region: A `Region` that can be mapped.
      handle: The session's `SessionHandle`.
      count: How many elements a call puts at the most.

    Raises:
      CannotBuild: If TensorFlow cannot build it.
    """

    def __init__(self, region, handle, count):
        self._region = region
        self.grain = count
        with build.building():
            key = ("map", region.op.name, count)
            ops = build.kept_with(region.op.graph, key, lambda: MapOps(region, count))
            self._start = _tensorflow.RawStep(handle, [ops.start])
            self._step = _tensorflow.RawStep(handle, [ops.move])
            self._moved = _tensorflow.RawStep(handle, [], [ops.moved])
            self._left = _tensorflow.RawStep(handle, [], [ops.left])
            self._lowest = _tensorflow.RawStep(handle, [], ops.lowest)
            self._replay = Replay(region, handle)
        self._started = False

    def steps(self):
        return [self._step]

    def move(self, limit=None):
        before = self.elements
        if not self._started:
            self._start()
            self._started = True
        try:
            self._step()
            self._put(self.grain)
        except _tf.errors.OpError as error:
            self._put(int(self._moved()[0]))
            end = (_tf.errors.OutOfRangeError, _tf.errors.CancelledError)
            if isinstance(error, end) or not self._left()[0]:
                raise named(self._region, error) from None
            number, *record = self._lowest()
            if number != self.elements:  # its own record was never read
                raise named(self._region, error) from None
            self._replay.put([[value] for value in record], self)
        return self.elements - before

    def _put(self, count):
        self.elements += count
        self.certain += count
