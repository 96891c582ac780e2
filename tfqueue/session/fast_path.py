"""A step of the program that was run before, run again with little Python.

`Session.run` sorts out its fetches and feeds anew in every call, which takes
longer than a small step itself. For fetches that are tensors, operations,
variables and names, in lists, tuples and dicts, that is done once here; what is
called then, and how errors are told, is what `Session.run` does below that.
Should its parts move, `FastPath` finds out, and everything goes through
`Session.run` again.
"""

import numpy as np

from tfqueue import _tensorflow
from tfqueue.session.plan import filled, places, read_fetches

_tf = _tensorflow.compat_v1()
_RUN = _tf.Session.run
_PARTS = ("_closed", "_do_call", "_call_tf_sessionrun")
_HANDLES = ("GetSessionHandle", "GetSessionHandleV2")
_NOT_BY_ID = frozenset([list, tuple, dict, str])
_CONVERTED = frozenset([float, int, bool, str, bytes, list, tuple])
_MOST = 10000
"""Kinds of steps that are kept; a program has a few."""


class FastPath:
    """The steps of one session that are known, by what is fetched and fed."""

    def __init__(self, sess):
        self._steps = {}
        self._tried = {}
        self._graph = sess.graph
        self._usable = all(hasattr(sess, part) for part in _PARTS)

    def find(self, fetches, feed_dict):
        """`(KnownStep, feeds)` for arguments of `Session.run`; `(None, None)` where that must look."""
        if _tf.Session.run is not _RUN:  # a profiler may stand in its place
            return None, None
        try:
            known = self._steps.get(_key(fetches, feed_dict))
        except TypeError:
            return None, None  # `Session.run` says what is wrong with them
        fed = known.fed(feed_dict or {}) if known is not None else None
        return (known, fed) if fed is not None else (None, None)

    def keep(self, fetches, feed_dict, key, plan):
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
        if any(id(leaf) in feeds for leaf in read.leaves):
            return  # what is fetched and fed at a time never gets to the C++
        if any(getattr(leaf, "op", leaf).type in _HANDLES for leaf in read.leaves):
            return
        self._steps[mine] = KnownStep(read, feeds, key, plan)


class KnownStep:
    """One kind of step; `feeds` are from `_feeds`."""

    def __init__(self, read, feeds, key, plan):
        self.key = key
        self.plan = plan
        self._keep = read  # so that the ids of what is fetched stay theirs
        self._feeds = feeds
        self._placed, tensors = places(read.layout, read.leaves)
        self._is_list = self._placed == (list, None, list(range(len(tensors))))
        self._outputs = [tensor._as_tf_output() for tensor in tensors]
        self._targets = [leaf._c_op for leaf in read.leaves if not isinstance(leaf, _tf.Tensor)]

    def fed(self, feed_dict):
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

    def __call__(self, sess, fed):
        """Runs the step; `fed` is what the method of that name has made of the feeds."""
        if sess._closed:
            raise RuntimeError("Attempted to use a closed Session.")
        try:
            values = sess._call_tf_sessionrun(None, fed, self._outputs, self._targets, None)
        except _tf.errors.OpError as error:
            values = sess._do_call(_raise, error)  # which tells it as `Session.run` does
        return values if self._is_list else filled(self._placed, values)


def _raise(error):
    raise error


def _key(fetches, feed_dict):
    # Ids are safe as keys: a step keeps what it fetches and feeds.
    key = _fetch_key(fetches)
    return (key, *map(id, feed_dict)) if feed_dict else key


def _fetch_key(fetches):
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


def _feeds(graph, feed_dict):
    """By id: the tensor, how the C++ calls it, its dtype and its shape; None if unknown."""
    found = {}
    for tensor in feed_dict:
        if not isinstance(tensor, _tf.Tensor) or not graph.is_feedable(tensor):
            return None
        dims = tensor.shape.as_list() if tensor.shape.rank is not None else None
        known = dims if dims is None else tuple(dims)
        found[id(tensor)] = tensor, tensor._as_tf_output(), tensor.dtype.as_numpy_dtype, known
    return found
