"""From what a program passes to `Session.run` to the tensors and operations it means."""

import dataclasses

from tfqueue import _tensorflow

_tf = _tensorflow.compat_v1()
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


def read(graph, fetches):
    """Reads the fetches of a step.

    Args:
      graph: The session's graph.
      fetches: Anything `Session.run` takes: a tensor, an operation, a name, a
        variable, a sparse tensor, or lists, tuples, dicts and named tuples of
        such.

    Returns:
      A `Fetches`.

    Raises:
      TypeError, ValueError, KeyError: Where `Session.run` would refuse too.
    """
    reader = _Reader(graph)
    layout = reader.read(fetches)
    return Fetches(tuple(reader.leaves), layout, reader.plain, tuple(reader.given))


def leaves(graph, fetches):
    """The tensors and operations in `fetches`, see `read`."""
    return list(read(graph, fetches).leaves)


class _Reader:
    def __init__(self, graph):
        self._graph = graph
        self.leaves, self.given, self.plain = [], [], True

    def read(self, item):
        """Adds the leaves of `item`; returns its layout."""
        kind = type(item)
        if isinstance(item, _PLAIN):
            return self._leaf(item)
        keys, parts = None, None
        if kind in (list, tuple):
            parts = item
        elif kind is dict:
            keys, parts = tuple(item), item.values()
        else:
            self.plain = False
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
                return self._leaf(item)
        return (kind, keys, *[self.read(part) for part in parts])

    def _leaf(self, item):
        found = self._graph.as_graph_element(item, allow_tensor=True, allow_operation=True)
        self.leaves.append(found)
        self.given.append(item)


def places(layout, leaves):
    """`layout` with the place of its value in place of each leaf; None for an operation.

    Args:
      layout: The layout of plain `Fetches`.
      leaves: Their leaves.

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
    """What `Session.run` returns: the values where `places` has put them.

    Args:
      placed: From `places`.
      values: The tensors' values.
    """
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
    """The names of the tensors that `feed_dict` feeds.

    Args:
      graph: The session's graph.
      feed_dict: A dict as `Session.run` takes, or what it is to have as keys, or None.

    Returns:
      A tuple of names, sorted.
    """
    if not feed_dict:
        return ()
    names = set()
    for key in feed_dict:
        try:
            names.update(leaf.name for leaf in read(graph, key).leaves)
        except (TypeError, ValueError, KeyError):
            continue  # `Session.run` itself says what is wrong with it
    return tuple(sorted(names))
