"""What networkx gave as lists and dictionaries up to 1.11, where its views of today would raise.

`G.edges()[0]`, `G.neighbors(n) + [n]`, `G.nodes()[:5]`, `G.degree().values()`. A program that does one
of these is shown to be for it; from then on `G.nodes()[0]` is a node, too. Until then nothing changes
that works with today's networkx: it is the attributes of node 0 where there is one, which is told.
"""

from __future__ import annotations

import functools
import numbers
import types
from collections.abc import Callable, Iterator
from typing import Any

from tfqueue.port.differences import telling

program = types.SimpleNamespace(takes_lists=False)
"""Whether the program is shown to be for networkx up to 1.11."""


def _is_place(key: Any) -> bool:
    return isinstance(key, slice | numbers.Integral)


def _list(view: Any) -> list[Any]:
    """A view as the list that the program takes it for."""
    program.takes_lists = True
    return list(view)


class _Neighbors(list[Any]):
    """Neighbors as a list, which is an iterator, too, as they are today."""

    _rest: Iterator[Any] | None = None

    def __next__(self) -> Any:
        if self._rest is None:
            self._rest = super().__iter__()
        return next(self._rest)

    def __iter__(self) -> Iterator[Any]:
        return super().__iter__() if self._rest is None else self._rest

    def __getitem__(self, key: Any) -> Any:
        program.takes_lists = True
        return super().__getitem__(key)

    def __add__(self, other: Any) -> list[Any]:
        program.takes_lists = True
        return list(super().__iter__()) + list(other)


def _listed(method: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(method)
    def neighbors(self: Any, n: Any) -> _Neighbors:
        return _Neighbors(method(self, n))

    return neighbors


def _at(self: Any, key: Any) -> Any:
    """An element of a view by its place."""
    if not _is_place(key):
        raise TypeError(f"{type(self).__name__} has places, which are whole numbers: {key!r}")
    return _list(self)[key]


def _or_place(method: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(method)
    def item(self: Any, key: Any) -> Any:
        return _at(self, key) if _is_place(key) else method(self, key)

    return item


def _node(self: Any, key: Any) -> Any:
    """`G.nodes()[key]`: a node by its place, unless one is called so and the program is of any day."""
    if isinstance(key, slice) or (_is_place(key) and key not in self):
        return _list(self)[key]
    if _is_place(key):
        if program.takes_lists:
            return list(self)[key]
        telling.tell_nodes(int(key))
    return self._nodes[key]


# what a list has, and a view has not
_OF_LISTS: dict[str, Callable[..., Any]] = {
    "__add__": lambda self, other: _list(self) + other,
    "__radd__": lambda self, other: other + _list(self),
    "index": lambda self, *args: _list(self).index(*args),
}
# what a dictionary has, and a view of degrees has not; `dict(view)` asks for the keys today, too
_OF_DICTIONARIES: dict[str, Callable[..., Any]] = {
    "keys": lambda self: dict(list(self)).keys(),
    "values": lambda self: dict(_list(self)).values(),
    "items": lambda self: dict(_list(self)).items(),
    "get": lambda self, n, default=None: dict(_list(self)).get(n, default),
}


def _add(owner: type, methods: dict[str, Callable[..., Any]]) -> None:
    for name, method in methods.items():
        if not hasattr(owner, name):
            setattr(owner, name, method)


def install() -> None:
    """Gives the views of networkx the places of lists and the methods of dictionaries.

    >>> import networkx
    >>> install()
    >>> graph = networkx.path_graph(3)
    >>> graph.edges()[1], graph.neighbors(0) + [7], graph.nodes()[:2], list(graph.degree().values())
    ((1, 2), [1, 7], [0, 1], [1, 2, 1])
    """
    import networkx as nx
    from networkx.classes import reportviews

    if hasattr(reportviews.OutEdgeView, "index"):
        return
    for owner in (nx.Graph, nx.DiGraph):
        for name in ("neighbors", "successors", "predecessors"):
            if name in vars(owner):
                setattr(owner, name, _listed(vars(owner)[name]))
    edges: Any
    for edges in reportviews.OutEdgeView, reportviews.OutEdgeDataView:
        _add(edges, {**_OF_LISTS, "__getitem__": _at})
    for name in ("Out", "In", "OutMulti", "InMulti"):
        edges = getattr(reportviews, f"{name}EdgeView")
        edges.__getitem__ = _or_place(edges.__getitem__)
    _add(reportviews.DiDegreeView, _OF_DICTIONARIES)
    view: Any = reportviews.NodeView
    nodes = type("NodeView", (view,), {"__slots__": (), **_OF_LISTS, "__getitem__": _node})
    former = view.__call__

    def called(self: Any, data: Any = False, default: Any = None) -> Any:
        found = former(self, data, default)
        if found is not self:
            return found
        listed: Any = object.__new__(nodes)
        listed._nodes = self._nodes
        return listed

    view.__call__ = called
