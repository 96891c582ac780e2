"""What a program fetches and feeds; and a step that was run before, run again with little Python.

`Session.run` sorts out its fetches and feeds anew in every call, which takes
longer than a small step itself. For fetches that are tensors, operations,
variables and names, in lists, tuples and dicts, that is done once here; what is
called then, and how errors are told, is what `Session.run` does below that.
Should its parts move, `FastPath` finds out, and everything goes through
`Session.run` again.
"""

from __future__ import annotations

import collections.abc
import contextlib
import dataclasses
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias

import numpy as np

from tfqueue import _tensorflow
from tfqueue._tensorflow.types import Feeds, Graph, Op, Session, Tensor

if TYPE_CHECKING:
    from tfqueue.session.step import Plan

_tf = _tensorflow.compat_v1()
_RUN = _tf.Session.run
_PARTS = ("_closed", "_do_call", "_call_tf_sessionrun")
_HANDLES = ("GetSessionHandle", "GetSessionHandleV2")
_PLAIN = (_tf.Tensor, _tf.Operation, _tf.Variable, str)
_NOT_BY_ID = frozenset([list, tuple, dict, str])
_CONVERTED = frozenset([float, int, bool, str, bytes, list, tuple])
Layout: TypeAlias = Any
"""See `Fetches.layout`: a type that contains itself."""
Key: TypeAlias = tuple[tuple[int, ...], tuple[str, ...], Layout]
"""What identifies a step: the ids of what it fetches, the names of what is fed, and the layout."""
Feed: TypeAlias = tuple[Tensor, Any, Any, tuple[int | None, ...] | None]
"""A tensor that is fed, how the C++ calls it, its numpy dtype, and its shape if it has one."""
_MOST = 10000
"""Kinds of steps that are kept; a program has a few."""


@dataclasses.dataclass(frozen=True, eq=False)
class Fetches:
    """What `Session.run` was asked for."""

    leaves: tuple[Any, ...]
    """The tensors and operations, in the order they stand."""
    tensors: tuple[Tensor, ...]
    """The tensors among them, each once."""
    layout: Layout
    """How the values are laid out, to be compared. A leaf is its place in `tensors`, or None; a list,
    tuple or dict is `(its type, its keys or None, the layouts of its parts)`."""
    plain: bool
    """Whether there are only tensors, operations, variables and names, in lists, tuples and dicts:
    then `filled` gives what `Session.run` returns."""
    given: tuple[Any, ...]
    """What stood there for each leaf: who finds them by their ids keeps them."""


def read_fetches(graph: Graph, fetches: Any) -> Fetches:
    """Reads whatever `Session.run` takes as fetches into a `Fetches`.

    Raises:
        TypeError, ValueError, KeyError: Where `Session.run` would refuse too.
    """
    leaves: list[Op | Tensor] = []
    given: list[Any] = []
    tensors: dict[Tensor, int] = {}
    plain = True

    def leaf(item: Any) -> int | None:
        found = graph.as_graph_element(item, allow_tensor=True, allow_operation=True)
        leaves.append(found)
        given.append(item)
        return tensors.setdefault(found, len(tensors)) if isinstance(found, _tf.Tensor) else None

    def read(item: Any) -> Layout:
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
            elif isinstance(item, collections.abc.Mapping):
                keys, parts = tuple(item), item.values()
            elif hasattr(item, "__attrs_attrs__"):
                parts = [getattr(item, attribute.name) for attribute in item.__attrs_attrs__]
            else:
                return leaf(item)
        return (kind, keys, tuple(read(part) for part in parts))

    layout = read(fetches)
    return Fetches(tuple(leaves), tuple(tensors), layout, plain, tuple(given))


def filled(layout: Layout, values: Sequence[Any]) -> Any:
    """What `Session.run` returns for a plain layout: `values` are those of its tensors."""
    if layout is None:
        return None
    if type(layout) is int:
        return values[layout]
    kind, keys, parts = layout
    made = [filled(part, values) for part in parts]
    if keys is not None:
        return dict(zip(keys, made, strict=True))
    return made if kind is list else tuple(made)


def fed_names(graph: Graph, feed_dict: Iterable[Any] | None) -> tuple[str, ...]:
    """The names, sorted, of the tensors that `feed_dict` (or only its keys, or None) feeds."""
    if not feed_dict:
        return ()
    names: set[str] = set()
    for key in feed_dict:
        # `Session.run` itself says what is wrong with other keys.
        with contextlib.suppress(TypeError, ValueError, KeyError):
            names.update(leaf.name for leaf in read_fetches(graph, key).leaves)
    return tuple(sorted(names))


class FastPath:
    """The steps of one session that are known, by what is fetched and fed."""

    def __init__(self, sess: Session) -> None:
        self._steps: dict[Hashable, Shortcut] = {}
        self._tried: dict[Hashable, tuple[Any, list[Any]]] = {}
        self._graph = sess.graph
        self._is_remote = bool(sess.sess_str)
        self._usable = all(hasattr(sess, part) for part in _PARTS)

    def find(
        self, fetches: Any, feed_dict: Feeds
    ) -> tuple[Shortcut, dict[Any, Any]] | tuple[None, None]:
        """`(Shortcut, feeds)` for arguments of `Session.run`; `(None, None)` where that must look."""
        if _tf.Session.run is not _RUN:  # a profiler may stand in its place
            return None, None
        try:
            known = self._steps.get(_key(fetches, feed_dict))
        except TypeError:
            return None, None  # `Session.run` says what is wrong with them
        fed = known.fed(feed_dict or {}) if known is not None else None
        return (known, fed) if known is not None and fed is not None else (None, None)

    def keep(self, fetches: Any, feed_dict: Feeds, key: Key | None, plan: Plan | None) -> None:
        """Makes the step for arguments with which `Session.run` has just succeeded, if it can be.

        `key` identifies the step to the owner, see `Plans.of`.
        """
        if not self._usable or plan is None or _tf.Session.run is not _RUN:
            return
        mine = _key(fetches, feed_dict)
        if mine in self._tried or len(self._tried) >= _MOST:
            return
        self._tried[mine] = fetches, list(feed_dict or ())  # kept, so that their ids stay theirs
        read = read_fetches(self._graph, fetches)
        feeds = _feeds(self._graph, feed_dict or {})
        if not read.plain or not read.leaves or feeds is None:
            return
        if not all(map(_has_parts, read.leaves)):
            return
        if any(id(leaf) in feeds for leaf in read.leaves):
            return  # what is fetched and fed at a time never gets to the C++
        if any(getattr(leaf, "op", leaf).type in _HANDLES for leaf in read.leaves):
            return
        inline = plan.only_takes and not self._is_remote
        self._steps[mine] = Shortcut(read, feeds, key, plan, inline)


class Shortcut:
    """Runs one kind of step with little Python.

    Args:
        read: What the step fetches.
        feeds: What it is fed, from `_feeds`.
        key: What identifies it to the owner, see `Plans.of`.
        inline: Whether the thread that runs it computes it, and no pool.
    """

    def __init__(
        self, read: Fetches, feeds: dict[int, Feed], key: Key | None, plan: Plan, inline: bool
    ) -> None:
        self.key = key
        self.plan = plan
        self._options = _tensorflow.inline_options() if inline else None
        self._read = read  # kept, so that the ids of what is fetched stay theirs
        self._feeds = feeds
        self._is_list = read.layout == (list, None, tuple(range(len(read.tensors))))
        self._outputs = [tensor._as_tf_output() for tensor in read.tensors]
        self._targets = [leaf._c_op for leaf in read.leaves if not isinstance(leaf, _tf.Tensor)]

    def fed(self, feed_dict: Mapping[Any, Any]) -> dict[Any, Any] | None:
        """`feed_dict` as the C++ takes it; None where `Session.run` must look at it."""
        fed = {}
        for tensor, value in feed_dict.items():
            _, output, dtype, dims = self._feeds[id(tensor)]
            if type(value) is not np.ndarray and not isinstance(value, np.generic):
                if type(value) not in _CONVERTED:
                    return None
            try:
                array = np.asarray(value, dtype)
            except (TypeError, ValueError, OverflowError):
                return None
            if type(value) is int and (dtype is object or array != value):
                return None
            if dims is not None and dims != array.shape:
                if len(dims) != array.ndim:
                    return None
                pairs = zip(dims, array.shape, strict=True)
                if any(want is not None and want != there for want, there in pairs):
                    return None
            fed[output] = array
        return fed

    def __call__(self, sess: Session, fed: dict[Any, Any]) -> Any:
        """Runs the step; `fed` is what the method of that name has made of the feeds."""
        if sess._closed:
            raise RuntimeError("Attempted to use a closed Session.")
        try:
            values = sess._call_tf_sessionrun(
                self._options, fed, self._outputs, self._targets, None
            )
        except _tf.errors.OpError as error:
            values = sess._do_call(_raise, error)  # which tells it as `Session.run` does
        return values if self._is_list else filled(self._read.layout, values)


def _has_parts(leaf: Any) -> bool:
    """Whether a tensor or an operation has the private name by which a `Shortcut` hands it to the C++."""
    return hasattr(leaf, "_as_tf_output" if isinstance(leaf, _tf.Tensor) else "_c_op")


def _raise(error: BaseException) -> NoReturn:
    raise error


def _key(fetches: Any, feed_dict: Feeds) -> Hashable:
    # Ids are safe as keys: a step keeps what it fetches and feeds.
    key = _fetch_key(fetches)
    return (key, *map(id, feed_dict)) if feed_dict else key


def _fetch_key(fetches: Any) -> Hashable:
    kind = type(fetches)
    if kind not in _NOT_BY_ID:
        return id(fetches)
    if kind is str:
        return fetches
    if kind is dict:
        return (dict, *fetches, None, *map(_fetch_key, fetches.values()))
    if _NOT_BY_ID.isdisjoint(map(type, fetches)):
        return (kind, *map(id, fetches))
    return (kind, *map(_fetch_key, fetches))


def _feeds(graph: Graph, feed_dict: Iterable[Any]) -> dict[int, Feed] | None:
    """By id: the tensor, how the C++ calls it, its dtype and its shape; None if unknown."""
    found = {}
    for tensor in feed_dict:
        if not isinstance(tensor, _tf.Tensor) or not graph.is_feedable(tensor):
            return None
        if not _has_parts(tensor):
            return None
        dims = tensor.shape.as_list() if tensor.shape.rank is not None else None
        known = dims if dims is None else tuple(dims)
        found[id(tensor)] = tensor, tensor._as_tf_output(), tensor.dtype.as_numpy_dtype, known
    return found
