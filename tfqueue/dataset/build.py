"""From a plan to a `tf.data.Dataset`: TensorFlow's own ops, no Python and no session behind them."""

from tfqueue import _tensorflow
from tfqueue.dataset import functions, plan, read

_tf = _tensorflow.compat_v1()


def build(node):
    """The dataset of a plan, in TensorFlow 2 mode.

    Args:
      node: A `plan.Node`.

    Returns:
      A `tf.data.Dataset` whose elements are tuples of the node's components, or what the last
      step's structure says.

    Raises:
      functions.CannotVectorise: A step cannot be run on batches.
    """
    return _ROWS[type(node)](node)


def _rows(node):
    data = _tensorflow.datasets()
    if node.in_order is not None:
        return data.Dataset.from_tensor_slices(tuple(node.in_order))
    if plan.is_range(node.values):
        kind = node.values[0].dtype
        rows = data.Dataset.range(len(node.values[0]), output_type=_tf.as_dtype(kind))
    else:
        rows = data.Dataset.from_tensor_slices(tuple(node.values))
    count = len(node.values[0])
    if node.shard:
        rows = rows.shard(*node.shard)
        count = len(range(node.shard[1], count, node.shard[0]))
    if node.shuffled and count > 1:
        rows = rows.shuffle(count, seed=node.seed)
    return rows if node.epochs == 1 else rows.repeat(node.epochs)


def _count(node):
    rows = _tensorflow.datasets().Dataset.range(1)
    return rows if node.times == 1 else rows.repeat(node.times)


def _apply(node):
    chain = []
    source = node
    while isinstance(source, plan.Apply):
        chain.insert(0, source)
        source = source.source
    calls = [functions.of(link) for link in chain]
    if isinstance(source, plan.Count):
        calls.insert(0, lambda parts: ())
    if isinstance(source, plan.Read) and read.by_element(source):
        calls.insert(0, read.element(source))
        source = source.names
    dataset = build(source)

    def run(*parts):
        for call in calls:
            parts = call(parts)
        return parts

    parallel = None
    if all(link.parallel != 1 for link in chain):
        parallel = node.parallel or _tensorflow.datasets().AUTOTUNE
    return dataset.map(functions.unconverted(run), num_parallel_calls=parallel)


def _tuples(node):
    """The dataset of a node with tuples as elements; a reader's are bare records."""
    dataset = build(node)
    if isinstance(dataset.element_spec, tuple):
        return dataset
    return dataset.map(functions.unconverted(lambda record: (record,)))


def _filter(node):
    dataset = build(node.source)
    kept = dataset.filter(functions.unconverted(lambda keep, *rest: keep))
    return kept.map(functions.unconverted(lambda keep, *rest: rest))


def _shuffle(node):
    return build(node.source).shuffle(node.buffer, seed=node.seed)


def _batch(node):
    rest = not node.smaller
    if node.padded is not None:
        return _tuples(node.source).padded_batch(node.size, tuple(node.padded), drop_remainder=rest)
    return build(node.source).batch(node.size, drop_remainder=rest)


def _serve(node):
    service = _tensorflow.datasets().experimental.service
    # Every row of a producer goes to one worker: each example comes once.
    policy = service.ShardingPolicy.DYNAMIC
    return build(node.source).apply(service.distribute(policy, node.address))


def _rebatch(node):
    return build(node.source).rebatch(node.size, drop_remainder=not node.smaller)


def _zip(node):
    parts = _tensorflow.datasets().Dataset.zip(tuple(map(_tuples, node.sources)))
    return parts.map(functions.unconverted(lambda *each: sum(each, ())))


def _merge(node):
    data = _tensorflow.datasets()
    turns = data.Dataset.range(len(node.sources)).repeat()
    return data.Dataset.choose_from_datasets(
        list(map(_tuples, node.sources)), turns, stop_on_empty_dataset=False
    )


_ROWS = {
    plan.Rows: _rows,
    plan.Count: _count,
    plan.Read: read.dataset,
    plan.Apply: _apply,
    plan.Filter: _filter,
    plan.Unbatch: lambda node: build(node.source).unbatch(),
    plan.Shuffle: _shuffle,
    plan.Batch: _batch,
    plan.Share: lambda node: build(node.source).shard(node.of, node.number),
    plan.Zip: _zip,
    plan.Serve: _serve,
    plan.Rebatch: _rebatch,
    plan.Merge: _merge,
}
