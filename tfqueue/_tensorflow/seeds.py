"""The seeds that TensorFlow 1 gave to random ops: a program with a seed of its graph draws what it drew.

`accelerate.build` gives the copies that it makes seeds of their own.
"""

from __future__ import annotations

import weakref
from typing import Any

from tensorflow.python import tf2
from tensorflow.python.framework import random_seed

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

    looked_at = 0
    counted = 0

    def up_to_now(self, graph: Graph) -> int:
        new = graph.get_operations()[self.looked_at :]
        self.counted += sum(not op.name.startswith(_OURS) for op in new)
        self.looked_at += len(new)
        return self.counted


_OURS = (CHUNK_SCOPE, CONTROL_SCOPE)
_counts: weakref.WeakKeyDictionary[Graph, _Count] = weakref.WeakKeyDictionary()


def install() -> None:
    """Puts the record in the place of TensorFlow's."""
    random_seed._graph_to_seed_dict = _SeedRecord(random_seed._graph_to_seed_dict)
