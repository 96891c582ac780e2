"""From what a program passes to `Session.run` to the ops it means."""

from tfqueue import _tensorflow

_tf = _tensorflow.compat_v1()
_PLAIN = (_tf.Tensor, _tf.Operation)


def leaves(graph, fetches):
    """The tensors and operations in `fetches`, however they are nested.

    Args:
      graph: The session's graph.
      fetches: Anything `Session.run` takes: a tensor, an operation, a name, a
        variable, a sparse tensor, or lists, tuples, dicts and named tuples of
        such.

    Returns:
      A list of `Tensor` and `Operation` objects.

    Raises:
      TypeError, ValueError, KeyError: Where `Session.run` would refuse too.
    """
    found = []
    _collect(graph, fetches, found)
    return found


def _collect(graph, item, found):
    if isinstance(item, _PLAIN):
        found.append(item)
    elif isinstance(item, (list, tuple)) and not isinstance(
        item, (_tf.SparseTensor, _tf.SparseTensorValue, _tf.IndexedSlices)
    ):
        for part in item:
            _collect(graph, part, found)
    elif isinstance(item, _tf.SparseTensor):
        found += [item.indices, item.values, item.dense_shape]
    elif isinstance(item, _tf.IndexedSlices):
        found += [
            part for part in (item.values, item.indices, item.dense_shape) if part is not None
        ]
    elif hasattr(item, "values") and hasattr(item, "keys"):
        for part in item.values():
            _collect(graph, part, found)
    elif hasattr(item, "__attrs_attrs__"):
        for attribute in item.__attrs_attrs__:
            _collect(graph, getattr(item, attribute.name), found)
    elif hasattr(item, "_fields") or hasattr(item, "nested_row_splits"):
        for part in _components(item):
            _collect(graph, part, found)
    else:
        found.append(graph.as_graph_element(item, allow_tensor=True, allow_operation=True))


def layout(fetches):
    """How the values of `fetches` are laid out, to be compared: the same tensors, in another list.

    Args:
      fetches: As for `leaves`.
    """
    if isinstance(fetches, (*_PLAIN, str)):
        return None
    if isinstance(fetches, (list, tuple)):
        return type(fetches), *map(layout, fetches)
    if hasattr(fetches, "values") and hasattr(fetches, "keys"):
        return type(fetches), tuple(fetches), *map(layout, fetches.values())
    if hasattr(fetches, "__attrs_attrs__"):
        parts = [getattr(fetches, attribute.name) for attribute in fetches.__attrs_attrs__]
        return type(fetches), *map(layout, parts)
    return type(fetches)


def _components(item):
    if hasattr(item, "nested_row_splits"):
        return [item.flat_values, *item.nested_row_splits]
    return list(item)


def fed_names(graph, feed_dict):
    """The names of the tensors that `feed_dict` feeds.

    Args:
      graph: The session's graph.
      feed_dict: A dict as `Session.run` takes, or None.

    Returns:
      A tuple of names, sorted.
    """
    if not feed_dict:
        return ()
    names = set()
    for key in feed_dict:
        try:
            names.update(leaf.name for leaf in leaves(graph, key))
        except (TypeError, ValueError, KeyError):
            continue  # `Session.run` itself says what is wrong with it
    return tuple(sorted(names))
