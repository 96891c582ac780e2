"""The collection of one element that had the current variable scope up to TensorFlow 1.3.

Libraries of then (prettytensor, madoka) took `tf.get_collection_ref(variable_scope._VARSCOPE_KEY)` and put
a scope of their own there. Since 1.4 the scope stands in an object that each thread has one of.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, MutableSequence
from typing import Any

from tensorflow.python.ops import variable_scope

from tfqueue._tensorflow.types import Graph

KEY = ("__varscope", "current_scope")
"""The key of the collection."""


class CurrentScope(MutableSequence[Any]):
    """The current variable scope of a graph as a list of one.

    >>> from tfqueue.v1 import Graph
    >>> scopes = CurrentScope(Graph())
    >>> scopes[0] = variable_scope.VariableScope(False, "a")
    >>> len(scopes), scopes[0].name
    (1, 'a')
    """

    def __init__(self, graph: Graph) -> None:
        with graph.as_default():
            self._store = variable_scope.get_variable_scope_store()

    def __len__(self) -> int:
        return 1

    def __getitem__(self, index: Any) -> Any:
        return [self._store.current_scope][index]

    def __setitem__(self, index: Any, value: Any) -> None:
        scopes = [self._store.current_scope]
        scopes[index] = value
        self._keep(scopes)

    def __delitem__(self, index: Any) -> None:
        self[:] = []

    def insert(self, index: int, value: Any) -> None:
        """Refuses a second scope."""
        self._keep([self._store.current_scope, value])

    def _keep(self, scopes: Iterable[Any]) -> None:
        """Makes a scope the current one.

        Raises:
            ValueError: Unless it is one.
        """
        match list(scopes):
            case [variable_scope.VariableScope() as scope]:
                self._store.current_scope = scope
            case other:
                raise ValueError(f"a graph has one current variable scope, not {other!r}")


def scope_in_collection(original: Callable[..., Any]) -> Callable[..., Any]:
    """`original`, a method of `Graph` that gives a collection, which knows this one, too."""

    @functools.wraps(original)
    def method(self: Graph, name: Any, *args: Any, **kwargs: Any) -> Any:
        if name != KEY:
            return original(self, name, *args, **kwargs)
        found = CurrentScope(self)
        return found if original.__name__ == "get_collection_ref" else list(found)

    return method


def _of_the_store(name: str) -> Callable[..., Any]:
    def method(self: Any, *args: Any) -> Any:
        return getattr(variable_scope.get_variable_scope_store(), name)(*args)

    return method


STORE_METHODS = {
    name: _of_the_store(name)
    for name in ("open_variable_scope", "close_variable_subscopes", "variable_scope_count")
}
"""What counts the scopes of a name, which the store of variables did up to 1.3."""
