"""From what a program passes to `Session.run` to what such a step demands of the session."""

import dataclasses

from tfqueue import _tensorflow
from tfqueue.explain import diagnosis, forged_length
from tfqueue.session import registry

_tf = _tensorflow.compat_v1()

# -- what is fetched and fed -------------------------------------------------------------------

_PLAIN = (_tf.Tensor, _tf.Operation, _tf.Variable, str)


@dataclasses.dataclass(frozen=True, eq=False)
class Fetches:
    """What `Session.run` was asked for."""

    leaves: tuple
    """The tensors and operations, in the order they stand."""
    layout: object
    """How the values are laid out, to be compared. A leaf is None; a list, tuple or dict is
    `(its type, its keys or None, the layouts of its parts)`."""
    plain: bool
    """Whether there are only tensors, operations, variables and names, in lists, tuples and dicts:
    then `filled` gives what `Session.run` returns."""
    given: tuple
    """What stood there for each leaf."""


def read_fetches(graph, fetches):
    """Reads whatever `Session.run` takes as fetches into a `Fetches`.

    Raises:
      TypeError, ValueError, KeyError: Where `Session.run` would refuse too.
    """
    leaves, given, plain = [], [], True

    def leaf(item):
        leaves.append(graph.as_graph_element(item, allow_tensor=True, allow_operation=True))
        given.append(item)

    def read(item):
        """Adds the leaves of `item`; returns its layout."""
        nonlocal plain
        kind = type(item)
        if isinstance(item, _PLAIN):
            return leaf(item)
        keys, parts = None, None
        if kind in (list, tuple):
            parts = item
        elif kind is dict:
            keys, parts = tuple(item), item.values()
        else:
            plain = False
            if isinstance(item, _tf.SparseTensor):
                parts = [item.indices, item.values, item.dense_shape]
            elif isinstance(item, _tf.IndexedSlices):
                slices = (item.values, item.indices, item.dense_shape)
                parts = [part for part in slices if part is not None]
            elif isinstance(item, _tf.RaggedTensor):
                parts = [item.flat_values, *item.nested_row_splits]
            elif isinstance(item, (list, tuple)):  # named tuples too
                parts = item
            elif hasattr(item, "values") and hasattr(item, "keys"):
                keys, parts = tuple(item), item.values()
            elif hasattr(item, "__attrs_attrs__"):
                parts = [getattr(item, attribute.name) for attribute in item.__attrs_attrs__]
            else:
                return leaf(item)
        return (kind, keys, *[read(part) for part in parts])

    layout = read(fetches)
    return Fetches(tuple(leaves), layout, plain, tuple(given))


def places(layout, leaves):
    """The layout of plain `Fetches` with, for each leaf, the place of its value; None for an operation.

    Returns:
      `(placed, tensors)`: the values of `tensors`, each once, are what `filled` wants.
    """
    tensors = list(dict.fromkeys(leaf for leaf in leaves if isinstance(leaf, _tf.Tensor)))
    number = {tensor: place for place, tensor in enumerate(tensors)}
    rest = iter(leaves)

    def place(part):
        if part is None:
            return number.get(next(rest))
        kind, keys, *parts = part
        return (kind, keys, [place(each) for each in parts])

    return place(layout), tensors


def filled(placed, values):
    """What `Session.run` returns: the tensors' values where `places` has put them."""
    if placed is None:
        return None
    if type(placed) is int:
        return values[placed]
    kind, keys, parts = placed
    made = [filled(part, values) for part in parts]
    if keys is not None:
        return dict(zip(keys, made, strict=True))
    return made if kind is list else tuple(made)


def fed_names(graph, feed_dict):
    """The names, sorted, of the tensors that `feed_dict` (or only its keys, or None) feeds."""
    if not feed_dict:
        return ()
    names = set()
    for key in feed_dict:
        try:
            names.update(leaf.name for leaf in read_fetches(graph, key).leaves)
        except (TypeError, ValueError, KeyError):
            continue  # `Session.run` itself says what is wrong with it
    return tuple(sorted(names))


# -- what it takes and puts --------------------------------------------------------------------


class Plan:
    """What one kind of step takes, puts and reads."""

    def __init__(self, demand, keep, fed=()):
        self.demand = demand
        """The `Demand` of its fetches."""
        self.keep = keep
        """The fetched objects, so that their ids stay theirs."""
        self.fed = fed
        """The names of the tensors that are fed."""
        self.upstream = []
        """The queues its elements come through."""
        self.blocks = demand.blocks
        self.takes = bool(demand.takes)
        self.put_queues = [queue for _, queue in demand.puts]
        self.gate_open = False
        """Whether the runners behind the step are known to have been started."""
        self.runners_seen = -1
        self.parts = None
        """What `SplitWatch` wants to know of it, or None."""
        self.last = float("-inf")
        """When such a step was last asked for, by `time.monotonic()`."""
        self.guard = None
        """The `forged_length.Guard` of a step that reads records itself, where it needs one."""
        self.accounts = []
        """`(Account, amount)` for each queue it takes from; the amount is None if not known."""
        self.bookable = False
        """Whether the ledger can tell, before the step runs, that it need not wait."""
        self.puts = []
        """`(Account, enqueue op)` for each put."""

    def has_run(self):
        """Whether such a step was ever asked for."""
        return self.last > float("-inf")


class Plans:
    """The plans of one session, by what is fetched and fed."""

    def __init__(self, owner):
        self._owner = owner
        self._kept = {}

    def __iter__(self):
        return iter(list(self._kept.values()))

    def drop(self):
        """Drops all of them."""
        self._kept.clear()

    def of(self, fetched, feed_dict):
        """The key and the `Plan` for arguments of `Session.run`; `(None, None)` if unknown.

        Steps of one plan have different keys where their values are laid out differently.
        """
        owner = self._owner
        try:
            read = read_fetches(owner.graph, fetched)
            fed = fed_names(owner.graph, feed_dict)
        except (TypeError, ValueError, KeyError):
            return None, None  # `Session.run` itself says what is wrong with them
        ids = tuple(map(id, read.leaves))
        plan, registered = self._kept.get((ids, fed)), self.runners_registered()
        new = plan is None
        if new:
            ops = [getattr(leaf, "op", leaf) for leaf in read.leaves if leaf.name not in fed]
            plan = Plan(owner.pipeline.demand(ops, fed), read.leaves, fed)
        if plan.runners_seen != registered:
            # A runner registered since may feed one of its queues.
            plan.upstream = owner.pipeline.upstream(plan.demand)
            plan.gate_open = not plan.upstream
            owner.ledger.prepare(plan)
            plan.runners_seen = registered
        if new:
            if plan.demand.reads:
                plan.guard = forged_length.guard_for(owner.failure(plan=plan))
            self._kept[ids, fed] = plan  # complete: another thread may take it from here
            if plan.blocks:
                plan.parts = diagnosis.before_run(owner.failure(plan=plan))
            registry.tell("grew", owner)
        return (ids, fed, read.layout), plan

    def runners_registered(self):
        """How many runners are registered in the graph now."""
        return len(self._owner.graph.get_collection_ref(_tf.GraphKeys.QUEUE_RUNNERS))
