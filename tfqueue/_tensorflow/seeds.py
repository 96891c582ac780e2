"""The seeds that TensorFlow 1 gave to random ops: a program with a seed of its graph draws what it drew.

`accelerate.build` gives the copies that it makes seeds of their own.
"""

from __future__ import annotations

import contextlib
import threading
import weakref
from collections.abc import Iterator
from typing import Any

from tensorflow.python.framework import random_seed

from tfqueue._tensorflow.op_building import CHUNK_SCOPE, CONTROL_SCOPE
from tfqueue._tensorflow.types import Graph


class _Seeds(threading.local):
    """A thread's. Several may build at once."""

    as_in_tf1 = False
    """Whether seeds are to be TensorFlow 1's."""


_thread = _Seeds()


class _SeedRecord(weakref.WeakKeyDictionary[Graph, int]):
    """In place of TensorFlow's record, by graph, of how many random ops it has seeded."""

    def setdefault(self, graph: Graph, first: Any = None) -> Any:
        if _thread.as_in_tf1:
            return _built_by_the_program(graph)
        return super().setdefault(graph, first)

    def __getitem__(self, graph: Graph) -> int:
        return self.get(graph, 0)

    def __setitem__(self, graph: Graph, count: int) -> None:
        if not _thread.as_in_tf1:
            super().__setitem__(graph, count)


def _built_by_the_program(graph: Graph) -> int:
    """How many ops of a graph are not tfqueue's: runners at work may graft some at any moment."""
    ours = (CHUNK_SCOPE, CONTROL_SCOPE)
    return sum(not op.name.startswith(ours) for op in graph.get_operations())


@contextlib.contextmanager
def as_in_tf1() -> Iterator[None]:
    """Within the block a random op without a seed of its own gets the one TensorFlow 1 gave it.

    Where only the graph has a seed, 1.15 seeded an op by how many ops stood
    before it, 2.21 does by how many random ones. A producer that stands where
    it stood in TensorFlow 1 so gives its files in the same order. If the record
    moves, `tests/golden` says so (`string_graph_seed`).
    """
    before, _thread.as_in_tf1 = _thread.as_in_tf1, True
    try:
        yield
    finally:
        _thread.as_in_tf1 = before


def install() -> None:
    """Puts the record in the place of TensorFlow's."""
    random_seed._graph_to_seed_dict = _SeedRecord(random_seed._graph_to_seed_dict)
