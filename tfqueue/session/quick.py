"""A step of the program that was run before, run again with little Python.

`Session.run` sorts out its fetches anew in every call, which takes twice as
long as a small step itself. For fetches that are tensors and operations, alone
or in a list, that is done once here; what is called then, and how errors are
told, is what `Session.run` does below that. Should its parts move, `usable`
is where to say so: everything then goes through `Session.run` again.
"""

from tfqueue import _tensorflow

_tf = _tensorflow.compat_v1()
_RUN = _tf.Session.run
_PARTS = ("_closed", "_do_call", "_call_tf_sessionrun")
_HANDLES = ("GetSessionHandle", "GetSessionHandleV2")


class QuickSteps:
    """The quick steps of one session, by what is fetched.

    Args:
      sess: The session; not kept.
    """

    def __init__(self, sess):
        self._steps = {}
        self._usable = all(hasattr(sess, part) for part in _PARTS)

    def run(self, sess, fetches, slow):
        """What `sess.run(fetches)` gives.

        Args:
          sess: The session.
          fetches: Anything that `Session.run` takes.
          slow: Function that runs `Session.run`, for whatever is not quick.
        """
        kind = type(fetches)
        # Ids are safe as keys: a step keeps what it fetches.
        key = (kind, *map(id, fetches)) if kind is list or kind is tuple else id(fetches)
        step = self._steps.get(key)
        if step is None:
            values = slow()  # which also says what is wrong with the fetches
            step = _Step.of(fetches) if self._usable else None
            if step is not None:
                self._steps[key] = step
            return values
        if _tf.Session.run is not _RUN:  # a profiler may stand in its place
            return slow()
        return step(sess)


class _Step:
    def __init__(self, items, kind):
        self._items = items  # kept, so that their ids stay theirs
        self._kind = kind
        tensors = [item for item in items if isinstance(item, _tf.Tensor)]
        self._outputs = [tensor._as_tf_output() for tensor in tensors]
        self._targets = [item._c_op for item in items if not isinstance(item, _tf.Tensor)]
        self._some_targets = bool(self._targets)

    @classmethod
    def of(cls, fetches):
        """The step for `fetches`, or None if they are not all plain."""
        kind = type(fetches)
        items = list(fetches) if kind is list or kind is tuple else [fetches]
        plain = items and all(isinstance(item, (_tf.Tensor, _tf.Operation)) for item in items)
        once = len(set(map(id, items))) == len(items)
        if not (plain and once) or any(_is_handle(item) for item in items):
            return None
        return cls(items, kind)

    def __call__(self, sess):
        if sess._closed:
            raise RuntimeError("Attempted to use a closed Session.")
        values = sess._do_call(
            sess._call_tf_sessionrun, None, {}, self._outputs, self._targets, None
        )
        if self._some_targets:
            left = iter(values)
            values = [next(left) if isinstance(i, _tf.Tensor) else None for i in self._items]
        if self._kind is list:
            return values
        return tuple(values) if self._kind is tuple else values[0]


def _is_handle(item):
    return isinstance(item, _tf.Tensor) and item.op.type in _HANDLES
