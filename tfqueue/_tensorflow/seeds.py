"""The seeds that TensorFlow 1 gave to random ops: a program with a seed of its graph draws what it drew.

`accelerate.build` gives the copies that it makes seeds of their own.
"""

from __future__ import annotations

import contextlib
import functools
import threading
import weakref
from collections.abc import Callable, Iterator
from typing import Any

from tensorflow.python import tf2
from tensorflow.python.data.ops import structured_function
from tensorflow.python.framework import ops, random_seed

from tfqueue import release
from tfqueue._tensorflow.op_building import CHUNK_SCOPE, CONTROL_SCOPE
from tfqueue._tensorflow.types import Graph


class _SeedRecord(weakref.WeakKeyDictionary[Graph, int]):
    """In place of TensorFlow's record, by graph, of how many random ops it has seeded."""

    def setdefault(self, graph: Graph, first: Any = None) -> Any:
        if tf2.enabled():
            return super().setdefault(graph, first)
        return _counts.setdefault(graph, _Count()).up_to_now(graph)

    def __getitem__(self, graph: Graph) -> int:
        return self.get(graph, 0)

    def __setitem__(self, graph: Graph, count: int) -> None:
        if tf2.enabled():
            super().__setitem__(graph, count)


class _Count:
    """How many ops of a graph TensorFlow 1 would have had: runners at work may graft some of tfqueue's at any moment."""

    def __init__(self) -> None:
        self._lock = threading.Lock()  # several threads may build
        self.looked_at = self.counted = 0

    def up_to_now(self, graph: Graph) -> int:
        with self._lock:
            new = graph.get_operations()[self.looked_at :]
            self.counted += sum(not op.name.startswith(_OURS) for op in new)
            self.looked_at += len(new)
            return self.counted


_OURS = (CHUNK_SCOPE, CONTROL_SCOPE)
_counts: weakref.WeakKeyDictionary[Graph, _Count] = weakref.WeakKeyDictionary()


@contextlib.contextmanager
def standing_for(count: int) -> Iterator[None]:
    """Ops that are built within the block count as so many, for the seeds of those behind it."""
    graph = ops.get_default_graph()
    if tf2.enabled():
        yield
        return
    record = _counts.setdefault(graph, _Count())
    before = record.up_to_now(graph)
    yield
    record.up_to_now(graph)
    record.counted = before + count


@contextlib.contextmanager
def built() -> Iterator[list[Any]]:
    """The ops that are built within the block, when it has ended; none in eager mode."""
    graph = ops.get_default_graph()
    before = len(graph.get_operations())
    found: list[Any] = []
    yield found
    found += graph.get_operations()[before:]


def more(count: int) -> None:
    """So many ops stood here, beside what is built."""
    if count and not tf2.enabled():
        _counts.setdefault(ops.get_default_graph(), _Count()).counted += count


def _of_datasets(original: Callable[..., None]) -> Callable[..., None]:
    """A function of a dataset: up to 1.13 the seed of the graph around it did not count in there."""

    @functools.wraps(original)
    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        graph = ops.get_default_graph()
        seed = graph.seed
        if tf2.enabled() or seed is None or not release.before("1.14"):
            original(self, *args, **kwargs)
            return
        graph.seed = None
        try:
            original(self, *args, **kwargs)
        finally:
            graph.seed = seed

    return __init__


def install() -> None:
    """Puts the record in the place of TensorFlow's, and has the functions of datasets seeded as then."""
    random_seed._graph_to_seed_dict = _SeedRecord(random_seed._graph_to_seed_dict)
    wrapper = structured_function.StructuredFunctionWrapper
    wrapper.__init__ = _of_datasets(wrapper.__init__)
