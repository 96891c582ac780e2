"""Where TensorFlow is made to behave a little differently, each in its own one place."""

import contextlib
import functools
import linecache
import sys
import threading
import weakref

import numpy as np

from tfqueue._tensorflow.lines import add_note, is_library_file
from tfqueue._tensorflow.loading import compat_v1


def base_session():
    """The class whose `run` every session of TensorFlow's ends in, monitored ones too.

    It has no public name; it is what `tf.Session` is derived from.
    """
    return compat_v1().Session.__mro__[1]


def global_steps_of_one_element():
    """Lets a global step have the shape `[1]`, as programs of TensorFlow 0.x gave it.

    TensorFlow takes `int(...)` of it, which numpy refuses since 2.4 for an array of one element.
    `Supervisor`, `Saver.save` and `tf.train.global_step` all read it through this one function. If
    it moves: `tests/_tensorflow/test_tensorflow.py` says so.
    """
    from tensorflow.python.training import training_util

    original = training_util.global_step
    if not hasattr(original, "__wrapped__"):

        @functools.wraps(original)
        def global_step(sess, global_step_tensor):
            if compat_v1().executing_eagerly():
                return original(sess, global_step_tensor)
            return int(np.asarray(sess.run(global_step_tensor)).item())

        training_util.global_step = global_step
    return training_util.global_step


def managers_make(session_class):
    """Lets `Supervisor`, `MonitoredSession` and `SessionManager` make their sessions of a class.

    All three do it in one module, through its name `session`. If that moves, their sessions are
    TensorFlow's own again, which hear no Ctrl-C: `tests/_tensorflow/test_tensorflow.py` says so.

    Args:
      session_class: A class derived from `tf.Session`.
    """
    import types

    from tensorflow.python.training import session_manager

    ours = types.ModuleType(session_manager.session.__name__)
    vars(ours).update(vars(session_manager.session))
    ours.Session = session_class
    session_manager.session = ours


def tell_who_builds(graph):
    """Lets `graph`, once it is finalised, say which op was to be made where, and not only that.

    Laid over this one graph's `_check_not_finalized`, which every builder of an op calls. If
    that goes, nothing breaks: the error has no note.
    """
    if not isinstance(graph._check_not_finalized, functools.partial):
        graph._check_not_finalized = functools.partial(_check_not_finalized, weakref.ref(graph))


def _check_not_finalized(graph):
    graph = graph()
    try:
        type(graph)._check_not_finalized(graph)
    except RuntimeError as error:
        what, place, frame = "an op", "", sys._getframe(1)
        while frame is not None:
            names = frame.f_locals
            if frame.f_code.co_name == "_create_op_internal" and "op_type" in names:
                what = (
                    f"{names['op_type']} op {(names.get('name') or names['op_type']).rstrip('/')!r}"
                )
            if not is_library_file(frame.f_code.co_filename):
                file, line = frame.f_code.co_filename, frame.f_lineno
                place = f" at {file}:{line}: {linecache.getline(file, line).strip()}"
                break
            frame = frame.f_back
        add_note(
            error,
            f"tfqueue: {what} would be made{place}. The graph was finalised (graph.finalize(), or "
            "by MonitoredSession or Supervisor): build it before that, once, outside the loop",
        )
        raise


class StandsFor(type):
    """The metaclass of a class of ours that programs take for TensorFlow's own.

    `isinstance(x, tf.Session)` is true of any session, also of those that
    TensorFlow makes itself. A class that a program derives from ours is
    checked as usual. Ours names the original in `__original__`.
    """

    def __instancecheck__(cls, instance):
        original = cls.__dict__.get("__original__")
        return isinstance(instance, original) if original else super().__instancecheck__(instance)

    def __subclasscheck__(cls, subclass):
        original = cls.__dict__.get("__original__")
        return issubclass(subclass, original) if original else super().__subclasscheck__(subclass)


class _SeedRecord:
    """Laid over TensorFlow's record of how many random ops a graph has seeded.

    Args:
      original: The record, by graph.
    """

    def __init__(self, original):
        self.original = original
        self.here = threading.local()
        """Per thread: whether seeds are to be TensorFlow 1's. Several may build at once."""

    def setdefault(self, graph, first):
        if getattr(self.here, "as_in_tf1", False):
            return len(graph.get_operations())
        return self.original.setdefault(graph, first)

    def __getitem__(self, graph):
        return self.original.setdefault(graph, 0)

    def __setitem__(self, graph, count):
        if not getattr(self.here, "as_in_tf1", False):
            self.original[graph] = count

    def __getattr__(self, name):
        return getattr(self.original, name)


@contextlib.contextmanager
def seeds_as_in_tf1():
    """Within the block a random op without a seed of its own gets the one TensorFlow 1 gave it.

    Where only the graph has a seed, 1.15 seeded an op by how many ops stood
    before it, 2.21 does by how many random ones. A producer that stands where
    it stood in TensorFlow 1 so gives its files in the same order. If the record
    moves, `tests/golden` says so (`string_graph_seed`).
    """
    from tensorflow.python.framework import random_seed

    record = random_seed._graph_to_seed_dict
    if not isinstance(record, _SeedRecord):
        with _laying:
            record = random_seed._graph_to_seed_dict
            if not isinstance(record, _SeedRecord):
                record = random_seed._graph_to_seed_dict = _SeedRecord(record)
    before = getattr(record.here, "as_in_tf1", False)
    record.here.as_in_tf1 = True
    try:
        yield
    finally:
        record.here.as_in_tf1 = before


_laying = threading.Lock()
