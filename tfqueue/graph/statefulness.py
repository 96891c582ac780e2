"""Which ops keep a state or draw random numbers, also inside the functions that they call."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from tfqueue import _tensorflow
from tfqueue._tensorflow import op_building
from tfqueue._tensorflow.types import Graph, Op

RANDOM = frozenset(
    "RandomUniform RandomUniformInt RandomStandardNormal TruncatedNormal RandomGamma "
    "RandomPoissonV2 Multinomial ParameterizedTruncatedNormal RandomShuffle "
    "SampleDistortedBoundingBox SampleDistortedBoundingBoxV2 RandomCrop RandomPoisson "
    "UniformCandidateSampler LogUniformCandidateSampler FixedUnigramCandidateSampler "
    "AllCandidateSampler".split()
)
"""Random ops; those whose draws one op can make for many examples have a pfor converter."""

# Registered as stateful, but a run changes nothing that another run could see.
_HARMLESS = frozenset(["Assert", "LookupTableFindV2", "LookupTableSizeV2"])
_CALLERS = frozenset(["If", "While", "Case", "StatefulPartitionedCall"])
_QUEUE_OPS = frozenset(["ReaderReadV2", "QueueDequeueV2", "QueueEnqueueV2"])


def stateful_within(graph: Graph, node: Any, is_called: bool = False) -> str | None:
    """The type of the first stateful op in a node or in its functions, or None.

    Random ops do not count. The queue ops of a pipeline count inside functions only.

    Args:
        graph: The graph whose library has the functions.
        node: A `NodeDef`.
        is_called: Whether the node stands in a function.
    """
    if node.op in RANDOM or node.op in _HARMLESS:
        return None
    if node.op in _QUEUE_OPS:
        return node.op if is_called else None
    if node.op in _CALLERS or node.op.startswith(("Stateless", "PartitionedCall")):
        for inner in _inner_nodes(graph, node):
            found = stateful_within(graph, inner, is_called=True)
            if found:
                return found
        return None
    return node.op if _tensorflow.is_stateful(node.op) else None


def nodes_within(graph: Graph, ops: Iterable[Op]) -> Iterator[Any]:
    """Yields the `NodeDef`s of ops and of those in their functions."""
    todo = [op.node_def for op in ops]
    while todo:
        node = todo.pop()
        yield node
        todo += _inner_nodes(graph, node)


def types_within(graph: Graph, ops: Iterable[Op]) -> set[str]:
    """The types of ops and of those in their functions."""
    return {node.op for node in nodes_within(graph, ops)}


def calls_python(op: Op) -> bool:
    """Whether an op is a Python function of the program's, or has one in its functions."""
    return any("PyFunc" in node.op for node in nodes_within(op.graph, [op]))


def seeds_within(graph: Graph, ops: Iterable[Op]) -> list[tuple[str, int, int]]:
    """Type and two seeds of each random op among ops, or in their functions, that has seeds."""
    return [
        (node.op, node.attr["seed"].i, node.attr["seed2"].i)
        for node in nodes_within(graph, ops)
        if node.op in RANDOM and (node.attr["seed"].i or node.attr["seed2"].i)
    ]


def seeded_within(graph: Graph, ops: Iterable[Op]) -> bool:
    """Whether a random op among ops, or in their functions, has a seed."""
    return bool(seeds_within(graph, ops))


def _inner_nodes(graph: Graph, node: Any) -> Iterator[Any]:
    # The type of a call of a `Defun` is the function's own name.
    for name in [*op_building.functions_called(node), node.op]:
        definition = _tensorflow.function_graph_def(graph, name)
        if definition is not None:
            yield from definition.node_def
