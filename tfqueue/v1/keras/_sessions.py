"""The session of Keras: which variables it begins with, and that of several threads.

In the package keras up to 2.2, and in `tf.keras` up to 1.10, `K.get_session()` gave a value to all variables of the graph that
had none; since then to those that Keras made.

In the package keras, and in `tf.keras` up to 1.12, all threads had one session. Since 1.13 each thread has its own,
in which the variables of a model that another thread made have no value. Here a thread without one for a graph has that
which another thread set or made for it.
"""

from __future__ import annotations

import functools
import importlib
import weakref
from collections.abc import Callable
from typing import Any

from tfqueue import _tensorflow
from tfqueue.v1 import _call_forms

_tf = _tensorflow.compat_v1()


class Shared:
    """The sessions of all threads, by graph; the last one lives on where its thread ends."""

    def __init__(self) -> None:
        self._by_graph: weakref.WeakKeyDictionary[Any, weakref.ref[Any]] = (
            weakref.WeakKeyDictionary()
        )
        self._last: Any = None

    def add(self, session: Any) -> None:
        """Remembers a session that a thread set or made."""
        self._last = session
        if session is not None:
            self._by_graph[session.graph] = weakref.ref(session)

    def of(self, graph: Any) -> Any:
        """The open session that was added last for a graph; None where there is none.

        Of a graph without ops, as a thread that names none has, it is the last one up to 1.12: there was one, whatever the graph.
        """
        found = self._by_graph.get(graph, lambda: None)()
        if found is None and not graph.version and _call_forms.reaches("1.12", keras=True):
            found = self._last
        return None if found is None or found._closed else found


def install(keras: Any) -> None:
    """Lets threads of Keras 2 find each other's sessions.

    Args:
        keras: The module of Keras 2.
    """
    backend: Any = importlib.import_module("tf_keras.src.backend")
    shared = Shared()
    backend._get_session = _of_any_thread(backend, backend._get_session, shared)
    for module in (backend, keras.backend):
        module.set_session = _known_to_all(module.set_session, shared)
    backend._get_variables = _all_variables(backend._get_variables)


def _all_variables(own: Callable[..., Any]) -> Callable[..., Any]:
    """The function that gives the variables of a graph which Keras's session gives their first value."""

    @functools.wraps(own)
    def of_graph(graph: Any = None) -> Any:
        found = list(own(graph))
        if not _call_forms.reaches("1.10", keras=True):
            return found
        with (graph or _tf.get_default_graph()).as_default():
            known = set(map(id, found))
            return found + [one for one in _tf.global_variables() if id(one) not in known]

    return of_graph


def _of_any_thread(backend: Any, get: Callable[..., Any], shared: Shared) -> Callable[..., Any]:
    @functools.wraps(get)
    def found(op_input_list: Any = ()) -> Any:
        if _tf.get_default_session() is not None or _tf.executing_eagerly_outside_functions():
            return get(op_input_list)
        graph = backend._current_graph(op_input_list)
        own = getattr(backend._SESSION, "session", None)
        if own is None or own.graph is not graph:
            other = shared.of(graph)
            if other is not None:
                return other
        session = get(op_input_list)
        if session is not own:
            shared.add(session)
        return session

    return found


def _known_to_all(set_session: Callable[[Any], None], shared: Shared) -> Callable[[Any], None]:
    @functools.wraps(set_session)
    def known(session: Any) -> None:
        set_session(session)
        shared.add(session)

    return known
