"""The plan of a lifted pipeline: a tree of the operations on its elements.

Each node gives elements of some components, each a tensor or a sparse tensor. `lift` makes the tree
from the model, `rewrites` makes it faster, and `program` writes it as a program and runs that.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

import numpy as np

from tfqueue.dataset.steps import OldStep

Shapes: TypeAlias = list[list[int | None]]
"""The shape of each component, with None for a dimension of any size."""


@dataclasses.dataclass(eq=False)
class Node:
    """A source of elements, or an operation on those of other nodes."""

    @property
    def inputs(self) -> list[Node]:
        """The nodes that it takes elements from."""
        found: list[Node] = []
        for field in dataclasses.fields(self):
            value = getattr(self, field.name)
            if isinstance(value, Node):
                found.append(value)
            elif isinstance(value, list) and value and isinstance(value[0], Node):
                found += value
        return found


@dataclasses.dataclass(eq=False)
class Rows(Node):
    """The rows of arrays, again in every epoch: what a producer puts into its queue."""

    values: list[Any]
    """One array a component, `[n, ...]`."""
    epochs: int | None
    """None for no end."""
    shuffled: bool
    seed: int | None = None
    """The seed of the shuffling, if it has one."""
    in_order: list[Any] | None = None
    """All rows of all epochs, where a seed says in which order TensorFlow 1 gave them."""
    drawn: tuple[int, int] | None = None
    """The two seeds of the op that shuffles, where such rows are too many to lay out."""
    shard: tuple[int, int] | None = None
    """`(n, i)`: only each n-th row, from the i-th on."""
    name: str = "rows"
    steady: bool = False
    """Whether every iteration has the same order. Then several consumers can each read a share."""
    served: bool = False
    """Whether the workers of a tf.data service share the rows.

    The service then gives each worker numbers of rows, counted through all epochs. The order of the
    rows follows from the seed, and no worker shuffles.
    """

    @property
    def count(self) -> int:
        """How many rows an epoch has, after sharding."""
        number, first = self.shard or (1, 0)
        return len(range(first, len(self.values[0]), number))


@dataclasses.dataclass(eq=False)
class Count(Node):
    """Elements without components, for a step that takes from no queue."""

    times: int | None
    name: str = "steps"


@dataclasses.dataclass(eq=False)
class Read(Node):
    """The records of files."""

    names: Node
    kind: str
    """As in the model: `TFRecordReader`, ..."""
    options: dict[str, Any]
    """The reader op's attributes."""
    keys: bool
    """Whether the keys are wanted: `(key, record)`; the record alone if not."""
    up_to: int | None = None
    """How many records one element holds at the most; None for one record as it is."""
    files: int = 1
    """How many files are read in turns: that many readers shared the queue of names."""
    whole: bool = True
    """Whether every file is known to hold nothing but whole records of fixed length, end to end."""


@dataclasses.dataclass(eq=False)
class Apply(Node):
    """A step's ops on each element."""

    source: Node
    step: OldStep
    vector: bool = False
    """Whether the elements are batches, and the ops those of one example."""
    size: int | None = None
    """How many examples each batch has, where that is known."""
    parallel: int | None = None
    """How many elements at once, 1 for one after the other; None leaves it to tf.data."""


@dataclasses.dataclass(eq=False)
class Filter(Node):
    """The elements whose first component is true, without it."""

    source: Node


@dataclasses.dataclass(eq=False)
class Unbatch(Node):
    """The rows of each element."""

    source: Node


@dataclasses.dataclass(eq=False)
class Shuffle(Node):
    """A shuffling queue."""

    source: Node
    buffer: int
    """How many elements it draws from."""
    seed: int | None
    steady: bool = False
    """As of `Rows`."""


@dataclasses.dataclass(eq=False)
class Batch(Node):
    """Batches of `size` elements."""

    source: Node
    size: int
    smaller: bool
    """Whether the last may be smaller."""
    padded: Shapes | None = None
    """The shapes to pad to, with None for the largest of the batch; None if nothing is padded."""


@dataclasses.dataclass(eq=False)
class Split(Node):
    """The elements that one step takes at several places, out of one batch of them."""

    source: Node
    sizes: list[int | None]
    """How many elements each place takes; None for one as it is."""
    components: int


@dataclasses.dataclass(eq=False)
class Sort(Node):
    """All elements by their first component: a PriorityQueue whose data ends."""

    source: Node
    components: int


@dataclasses.dataclass(eq=False)
class Bucket(Node):
    """Batches of elements with one number, their first component: `tf.contrib.training.bucket`."""

    source: Node
    sizes: list[int]
    """The batch size of each bucket."""
    smaller: bool
    padded: Shapes | None


@dataclasses.dataclass(eq=False)
class Share(Node):
    """The share of one of several consumers of the same elements."""

    source: Node
    of: int
    number: int
    weights: list[int] | None = None
    """How many elements in a row each consumer gets; None for one each."""


@dataclasses.dataclass(eq=False)
class Zip(Node):
    """Elements that are made of one element of each source."""

    sources: list[Node]


@dataclasses.dataclass(eq=False)
class Merge(Node):
    """The elements of all, in turns."""

    sources: list[Node]


@dataclasses.dataclass(eq=False)
class Serve(Node):
    """The elements as the workers of a tf.data service give them, in any order."""

    source: Node
    address: str


@dataclasses.dataclass(eq=False)
class Rebatch(Node):
    """Batches of any sizes, divided anew into batches of one size."""

    source: Node
    size: int
    smaller: bool


def is_range(values: list[Any]) -> bool:
    """Whether the rows are the numbers from 0 on, three or more."""
    rows = np.asarray(values[0])
    if len(values) != 1 or rows.ndim != 1 or rows.dtype.kind != "i" or len(rows) < 3:
        return False
    return np.array_equal(rows, np.arange(len(rows)))


def of_batches(node: Node) -> bool:
    """Whether elements are batches, as they come from `Batch` or a reader of many records."""
    if isinstance(node, (Batch, Bucket)):
        return True
    if isinstance(node, Read):
        return node.up_to is not None
    return not isinstance(node, Unbatch) and any(map(of_batches, node.inputs))


def rebuilt(node: Node, rebuild: Callable[[Node], Node]) -> Node:
    """The node with each of its inputs replaced by what `rebuild` makes of it."""
    changed: dict[str, Any] = {}
    for field in dataclasses.fields(node):
        value = getattr(node, field.name)
        if isinstance(value, Node):
            changed[field.name] = rebuild(value)
        elif isinstance(value, list) and value and isinstance(value[0], Node):
            changed[field.name] = [rebuild(item) for item in value]
    return dataclasses.replace(node, **changed)


def endless(node: Node) -> bool:
    """Whether the plan sets no end to the elements."""
    if isinstance(node, Rows):
        return node.epochs is None
    if isinstance(node, Count):
        return node.times is None
    return all(map(endless, node.inputs))


def walk(node: Node) -> Iterator[Node]:
    """Yields a node and all that it takes from."""
    yield node
    for source in node.inputs:
        yield from walk(source)
